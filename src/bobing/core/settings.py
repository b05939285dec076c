"""What a rule sheet decides, section by section. The types are the allowed values; the letters and numbers beside them
are the points on which printed sheets differ (`docs/rules/dimensions.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

Form = Literal["liubohong", "biandijin", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong"]
"""The kinds of zhuangyuan throw."""
FORMS: tuple[str, ...] = ("liubohong", "biandijin", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong")
HANDS_BELOW: tuple[str, ...] = ("duitang", "sanhong", "sijin", "erju", "yixiu")
ZHUANGYUAN = "zhuangyuan"
ANY_TIER = "any tier below zhuangyuan"


@dataclass(frozen=True, slots=True)
class Between:
    """A whole number from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Setup:
    """Before the first throw."""

    seats_min: Annotated[int, "G1", Between(2, 500)]
    seats_usual: Annotated[int, "G1", Between(0, 500)]
    groups: Annotated[int, "G1", Between(0, 500)]
    starter: Annotated[Literal["first-seat", "eldest", "anyone"], "G2"]
    counting: Annotated[Literal["anticlockwise", "clockwise"], "G3"]
    direction: Annotated[Literal["anticlockwise", "clockwise"], "G4"]
    vessel: Annotated[Literal["bowl", "unnamed"], "G5"]


@dataclass(frozen=True, slots=True)
class HandRules:
    """Which dice make which combination."""

    sijin_faces: Annotated[tuple[Literal[1, 2, 3, 5, 6], ...], "C2"]
    two_triples: Annotated[Literal["none", "without-fours", "with-fours"], "C3", "C4"]
    three_pairs: Annotated[Literal["none", "334455", "consecutive", "any"], "C4"]


@dataclass(frozen=True, slots=True)
class Bonus:
    """兼得: a second award from one throw."""

    sijin_yixiu: Annotated[bool, "C5", "C6"]
    sijin_erju: Annotated[bool, "C5", "C7"]
    wuzi_yixiu: Annotated[bool, "C5", "C8"]


@dataclass(frozen=True, slots=True)
class Sanhong:
    """Three 4s."""

    award: Annotated[Literal["at-once", "ranked"], "C9"]


@dataclass(frozen=True, slots=True)
class Ranks:
    """The order of the zhuangyuan throws, high to low; throws of forms in one inner tuple are all equal."""

    order: Annotated[tuple[tuple[Form, ...], ...], "Z1", "Z2", "Z3"]
    unranked: Annotated[tuple[Form, ...], "E5", "Z3"]
    liubohei_by: Annotated[Literal["face", "equal"], "Z4"]
    wuzi_by: Annotated[Literal["face", "kicker", "equal"], "Z5"]
    wuhong_by: Annotated[Literal["kicker", "equal"], "Z6"]
    sihong_by: Annotated[Literal["sum", "equal"], "Z7"]


@dataclass(frozen=True, slots=True)
class Title:
    """Who holds the title of zhuangyuan."""

    equal: Annotated[Literal["first", "last", "red-pips"], "Z8"]
    own_later: Annotated[Literal["best", "last"], "Z9"]
    lugu_duitang: Annotated[Literal["kept", "returned"], "Z10", "E2"]
    contest: Annotated[Literal["highest", "highest-but-chajinhua", "first"], "Z11"]
    handover: Annotated[Literal["end", "at-once"], "Z12"]


@dataclass(frozen=True, slots=True)
class Chajinhua:
    """Four 4s and two 1s."""

    duitang: Annotated[Literal["none", "unwon", "all", "all-untitled", "end"], "E1"]
    protected: Annotated[bool, "E2", "E3"]


@dataclass(frozen=True, slots=True)
class Liubohong:
    """Six 4s."""

    takes: Annotated[Literal["rank", "table", "all", "friendly"], "E3"]
    duitang_at_end: Annotated[bool, "E3"]
    ends: Annotated[bool, "E4"]


@dataclass(frozen=True, slots=True)
class Liubohei:
    """Six alike, black."""

    effect: Annotated[Literal["none", "grab", "pool"], "E5"]
    faces: Annotated[tuple[Literal[1, 2, 3, 5, 6], ...], "E5"]
    grab_zhuangyuan: Annotated[Literal["unclaimed", "always"], "E5"]


@dataclass(frozen=True, slots=True)
class Biandijin:
    """Six 1s."""

    takes: Annotated[Literal["rank", "table"], "E6"]


@dataclass(frozen=True, slots=True)
class Pingfen:
    """平分: throws that split the thrower's earlier cakes among the table."""

    by: Annotated[tuple[Form, ...], "E7"]


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A tier is thrown whose cakes are gone."""

    then: Annotated[Literal["nothing", "lower", "highest-lower"], "X1"]


@dataclass(frozen=True, slots=True)
class Chase:
    """追: taking a cake of an exhausted tier from another holder."""

    tiers: Annotated[tuple[str, ...], "X1", "X2", ANY_TIER]
    source: Annotated[Literal["seat", "latest", "earliest"], "X3"]
    until: Annotated[Literal["others-left", "end"], "X4"]


@dataclass(frozen=True, slots=True)
class Ending:
    """When the game is over."""

    when: Annotated[Literal["all-gone", "champion", "throws"], "N1"]
    finish: Annotated[Literal["at-once", "equal-turns", "extra-lap"], "N1"]
    without_champion: Annotated[Literal["play-on", "stop"], "N2"]
    throws_each: Annotated[int, "N1", Between(0, 1000)]
    minutes: Annotated[int, "N1", Between(0, 1440)]
    undecided: Annotated[Literal["none", "three-dice"], "N1"]


@dataclass(frozen=True, slots=True)
class Spill:
    """A die leaves the bowl."""

    award: Annotated[Literal["void"], "N3"]
    next_turn: Annotated[Literal["played", "lost"], "N4"]


@dataclass(frozen=True, slots=True)
class Final:
    """How the champions of several tables settle it."""

    format: Annotated[Literal["none", "three-dice", "first-zhuangyuan", "highest-zhuangyuan"], "N5"]


@dataclass(frozen=True, slots=True)
class Customs:
    """What is done round the game; nothing here bears on play."""

    owes: Annotated[tuple[Literal["next-set", "share-costs", "pays-bill"], ...], "U1"]
    hat: Annotated[bool, "U2"]
    cries: Annotated[tuple[Literal["chiong-wan", "announce", "cheer"], ...], "U3"]
    stand_ins: Annotated[
        tuple[Literal["daily-goods", "toys", "set-numbers", "red-envelopes", "named-gifts", "secret"], ...], "U4"
    ]
    lore: Annotated[
        tuple[Literal["year-of-luck", "sanhong-tastes-best", "prince", "koxinga", "ten-days", "huibing"], ...], "U5"
    ]
    rituals: Annotated[tuple[Literal["one-or-two-hands"], ...], "G5"]


@dataclass(frozen=True, slots=True)
class Item:
    """One kind of prize in a tier: `count` pieces, `price` in hundredths of the currency (0: not said)."""

    name: str
    count: int
    price: int = 0


@dataclass(frozen=True, slots=True)
class Tier:
    """One tier of prizes: its cakes, the combinations (or dice patterns such as `1122xx`) that win it."""

    key: str
    cakes: int
    wins: tuple[str, ...]
    points: int
    titles: tuple[str, ...]
    items: tuple[Item, ...]
    names: Mapping[str, str]


SECTIONS: Mapping[str, type] = {
    "setup": Setup,
    "hands": HandRules,
    "bonus": Bonus,
    "sanhong": Sanhong,
    "ranks": Ranks,
    "title": Title,
    "chajinhua": Chajinhua,
    "liubohong": Liubohong,
    "liubohei": Liubohei,
    "biandijin": Biandijin,
    "pingfen": Pingfen,
    "exhausted": Exhausted,
    "chase": Chase,
    "ending": Ending,
    "spill": Spill,
    "final": Final,
    "customs": Customs,
}
"""The sections of a rule file whose keys are fixed, in the order in which they are shown."""
