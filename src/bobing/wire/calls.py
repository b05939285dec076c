"""The REST calls: their paths, bodies, answers and refusals. `bobing.wire.openapi` writes them down for others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct

from bobing.wire import messages as wire
from bobing.wire.planning import PlanSeen

PDF = "application/pdf"
PAPER_QUERY: Mapping[str, str] = {
    "lang": "zh-Hans, zh-Hant or en; else zh-Hans",
    "address": "such as http://192.168.1.7:8063, where the QR leads; the server's public address stands before it",
}
"""Of every call that prints."""
RECORD_MAX = 8 * 2**20
"""Bytes of a game record that a table is made from."""

STATUS: Mapping[str, int] = {
    "table/closed": 404,
    "table/no_seat": 404,
    "rules/unknown_sheet": 404,
    "rules/not_a_sheet": 404,
    "table/unknown_token": 401,
    "table/forbidden": 403,
    "table/taken": 409,
    "table/full": 409,
    "table/not_begun": 409,
    "table/slow_down": 429,
    "table/too_large": 413,
    "table/too_slow": 408,
    "event/household": 409,
    "event/forked": 409,
    "event/handed_over": 409,
    "event/is_here": 409,
    "event/already_handed": 409,
    "log/repeated_command": 409,
    "file/too_large": 413,
    "paper/nothing": 409,
    "paper/needs_extra": 503,
    "log/not_saved": 503,
    "log/unreadable": 503,
    "log/closed": 503,
}
"""HTTP status of a refusal by its code; 422 for all others."""
UNPROCESSABLE = 422


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a call was refused: a stable code, what to do in three languages, the details in English.

    path: the key of the rule file that it is about; line: the line of the record, from 1.
    """

    code: str
    words: wire.Words
    detail: str
    path: str = ""
    line: int = 0


class NameSeen(Struct, frozen=True, omit_defaults=True):
    """A name as it would be given. called: with a number, where one before looks the same; fault: why it is refused."""

    called: str = ""
    fault: Problem | None = None


class SeatSeen(Struct, frozen=True):
    """A seat as those see it who have not joined yet. free: it can be taken with a device."""

    name: str
    free: bool


class TableSeen(Struct, frozen=True):
    """A table as those see it who have its code and have not joined yet."""

    code: str
    title: str
    phase: Literal["lobby", "play", "over"]
    joining: Literal["open", "closed"]
    rules: wire.Words
    seats: list[SeatSeen]


class SeatsUsual(Struct, frozen=True):
    """For how many players a sheet is."""

    min: int
    usual: int


class SheetBrief(Struct, frozen=True):
    """A named sheet in a list. differs: on how many points it differs from the default sheet."""

    key: str
    aliases: list[str]
    names: wire.Words
    source: str
    default: bool
    cakes: int
    seats: SeatsUsual
    differs: int


class Item(Struct, frozen=True):
    """One kind of prize in a tier."""

    name: str
    count: int
    price: int


class SheetTier(Struct, frozen=True):
    """A tier of a sheet. own: what the sheet prints for it; dice: pictures of what wins it, `x` for any face."""

    key: str
    names: wire.Words
    own: list[str]
    cakes: int
    points: int
    titles: list[wire.Words]
    dice: list[str]
    throws: int
    items: list[Item]


class Form(Struct, frozen=True):
    """A zhuangyuan throw of a sheet. ties: how equal ones are told apart; effects: what else it does."""

    key: str
    names: wire.Words
    own: list[str]
    dice: str
    throws: int
    ties: wire.Words | None
    effects: list[wire.Words]


class Group(Struct, frozen=True):
    """A group of points."""

    id: str
    title: wire.Words


class Origin(Struct, frozen=True):
    """Where a sheet has a point from."""

    kind: str
    where: str
    words: wire.Words


class SheetPoint(Struct, frozen=True):
    """What a sheet says on one of the points on which sheets differ, in words by language."""

    id: str
    group: str
    title: wire.Words
    value: dict[str, list[str]]
    origin: Origin
    differs: bool


class SheetWhole(SheetBrief, frozen=True):
    """A sheet point by point. ranks: zhuangyuan throws from high to low, equal ones together."""

    extends: str | None
    tiers: list[SheetTier]
    ranks: list[list[Form]]
    unranked: list[Form]
    nothing: int
    groups: list[Group]
    points: list[SheetPoint]
    settings: dict[str, Any]


class Choice(Struct, frozen=True):
    """A value that a setting may have, in words."""

    value: str | int | bool
    words: wire.Words


class SettingKnown(Struct, frozen=True, omit_defaults=True):
    """A setting of rule sheets: one of the options, a count, a list of options, or tiers."""

    path: str
    kind: Literal["choice", "count", "list", "tiers", "order"]
    low: int | None = None
    high: int | None = None
    options: list[Choice] = []


class PointKnown(Struct, frozen=True):
    """A point and the settings that decide it."""

    id: str
    title: wire.Words
    group: wire.Words
    settings: list[SettingKnown]


class Award(Struct, frozen=True):
    """What a hand wins. bonus: beside the main award."""

    tier: str
    cakes: int
    bonus: bool


class Scored(Struct, frozen=True):
    """What a hand is worth under a sheet. place: its rank among the zhuangyuan throws, and how many ranks there are."""

    roll: str
    combination: str
    awards: list[Award]
    effects: list[str]
    strength: int | None
    names: wire.Words
    sheet: str
    kicker: int
    place: tuple[int, int] | None
    lines: dict[str, list[str]]


class CombinationOdds(Struct, frozen=True):
    """A combination: how it is drawn (six signs, x is any face, empty where nothing is), and how many throws are it."""

    key: str
    names: Mapping[str, str]
    dice: str
    ways: int


class TierOdds(Struct, frozen=True):
    """A tier: throws that win it as their first prize, and beside another one."""

    key: str
    names: Mapping[str, str]
    cakes: int
    ways: int
    beside: int


class LengthTold(Struct, frozen=True):
    """How many throws a game takes. curve: throws, and the chance that the game is over by then. games: how many were
    simulated, 0 where this is exact; error: the standard error of the mean then."""

    mean: float
    sd: float
    median: int
    p90: int
    p95: int
    p99: int
    no_champion: float
    curve: list[tuple[int, float]]
    games: int = 0
    error: float = 0.0


class SharesTold(Struct, frozen=True):
    """Cakes by tier and seat, and each seat's chance of the title. doubts: what has no exact value, with the reason.

    games: how many were simulated for that, 0 where it is left out; errors: standard errors by seat of what was, the
    title's as `champion`.
    """

    cakes: dict[str, list[float]]
    champion: list[float]
    doubts: dict[str, str]
    games: int = 0
    errors: dict[str, list[float]] = {}


class OddsTold(Struct, frozen=True):
    """The chances of a sheet: of the `throws` ways of one throw, of the length of a game, by seat.

    doubt: why the length has no exact law, empty where it has; length is null then, unless it was simulated.
    reasons: what that code means, and those of `shares.doubts`. install: the command that installs what simulates,
    where that is wanted and missing.
    """

    sheet: str
    names: Mapping[str, str]
    players: int
    throws: int
    combinations: list[CombinationOdds]
    tiers: list[TierOdds]
    length: LengthTold | None
    shares: SharesTold
    doubt: str
    reasons: dict[str, Mapping[str, str]]
    install: str = ""


class TableOdds(Struct, frozen=True):
    """What may still come at a table: cakes by tier and seat, each seat's chance of the title in the end, and the
    chance that who leads now does not keep it. doubts, games, errors, reasons, install: as in the odds of a sheet.
    thrown: the turns had so far."""

    cakes: dict[str, list[float]]
    champion: list[float]
    overtaken: float | None
    thrown: int
    doubts: dict[str, str]
    reasons: dict[str, Mapping[str, str]]
    games: int = 0
    errors: dict[str, list[float]] = {}
    install: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call. body, answer: a type, or a media type for what is no JSON. refusals: codes, beside those of the body.

    token: whether it needs a token of the table as `Authorization: Bearer`. query: parameters and what they are.
    """

    name: str
    method: Literal["GET", "POST"]
    path: str
    about: str
    answer: Any
    body: Any = None
    token: bool = False
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    refusals: tuple[str, ...] = ()


_ASKED = ("table/forbidden", "table/slow_down")
"""Of calls that take a while: the page of somebody else, and too much from one address."""
_TABLE = ("table/closed", "table/slow_down", "log/not_saved")
_MADE = (*_ASKED, "log/not_saved")
_RULES = ("rules/unknown_sheet", "rules/bad_file")
_BODIES: Mapping[Any, tuple[str, ...]] = {wire.RulesChoice: _RULES, wire.NewTable: _RULES}
"""What a call is refused for what stands in a body of this type, beside its form."""

SIMULATE = "0 leaves out, at once, what has no exact value; else that is simulated"
PLAN_QUERY: Mapping[str, str] = {
    "people": "how many come",
    "tables": "how many tables; else as many as are needed",
    "rules": "the key or id of a sheet; else minnan",
    "sets": "sets of cakes a table plays; else 1",
    "minutes": "how many minutes there are",
    "seconds": "what a throw takes; else 12",
    "ending": "sheet, all-gone, champion, throws or time; else sheet",
    "throws_each": "with ending throws; else 6",
    "three_dice": "1 where three dice settle it without a champion",
    "prices": "of a prize of each tier, such as zhuangyuan:299,yixiu:3.50",
    "pot": "an amount to share out",
    "coin": "the smallest coin of the pot",
    "budget": "what must not be passed",
    "total": "how many prizes the list says",
    "currency": "such as CNY",
}
"""What a plan may be asked with."""

CALLS: tuple[Call, ...] = (
    Call(
        name="make",
        method="POST",
        path="/api/tables",
        about="Make a table; its host's token is in the answer.",
        answer=wire.NewTableMade,
        body=wire.NewTable,
        refusals=(*_MADE, "table/name_bad", "table/name_long", "table/name_reserved"),
    ),
    Call(
        name="make_from_record",
        method="POST",
        path="/api/tables/from-record",
        about="Make a table that goes on with a recorded game: its rules, seats, names and acts.",
        answer=wire.NewTableMade,
        body="application/jsonl",
        query={"dice": "real or digital dice from here on; else digital"},
        refusals=(*_MADE, "record/damaged", "table/too_long"),
    ),
    Call(
        name="look",
        method="GET",
        path="/api/tables/{code}",
        about="What a table is, its free seats, and whether it takes players.",
        answer=TableSeen,
        refusals=_TABLE,
    ),
    Call(
        name="join",
        method="POST",
        path="/api/tables/{code}/join",
        about="Take a new seat or a free one, or look on.",
        answer=wire.Joined,
        body=wire.Joining,
        refusals=(
            *_TABLE,
            "table/forbidden",
            "table/no_seat",
            "table/taken",
            "table/full",
            "table/name_bad",
            "table/name_long",
            "table/name_reserved",
        ),
    ),
    Call(
        name="invite",
        method="POST",
        path="/api/tables/{code}/links",
        about="A token for another device. The host may ask for any, a seat for its own; everybody for one to look on.",
        answer=wire.Invited,
        body=wire.Inviting,
        token=True,
        refusals=(*_TABLE, "table/forbidden", "table/no_seat"),
    ),
    Call(
        name="record",
        method="GET",
        path="/api/tables/{code}/record",
        about="The game record, to keep or to go on with (docs/record.md).",
        answer="application/jsonl",
        token=True,
        refusals=(*_TABLE, "table/not_begun"),
    ),
    Call(
        name="check_rules",
        method="POST",
        path="/api/rules/check",
        about="What a choice of rules comes to, before a table is made or changed.",
        answer=wire.RulesView,
        body=wire.RulesChoice,
        refusals=_ASKED,
    ),
    Call(
        name="rules_sheet",
        method="POST",
        path="/api/rules/sheet",
        about="A choice of rules, house rules among them, point by point as a sheet is.",
        answer=SheetWhole,
        body=wire.RulesChoice,
        refusals=_ASKED,
    ),
    Call(
        name="read_rules",
        method="POST",
        path="/api/rules/file",
        about="A house rule file as a choice of rules: the sheet that it extends, and what it changes.",
        answer=wire.RulesChoice,
        body="application/toml",
        refusals=(*_ASKED, "rules/unknown_sheet", "rules/no_toml"),
    ),
    Call(
        name="check_names",
        method="POST",
        path="/api/names/check",
        about="Which names of players would be refused, and why, and which would get a number; in the order given.",
        answer=list[NameSeen],
        body=wire.Names,
        refusals=_ASKED,
    ),
    Call(
        name="sheets",
        method="GET",
        path="/api/sheets",
        about="All named sheets, the default first.",
        answer=list[SheetBrief],
    ),
    Call(
        name="sheet",
        method="GET",
        path="/api/sheets/{key}",
        about="One sheet by key or id, point by point.",
        answer=SheetWhole,
        refusals=("rules/unknown_sheet",),
    ),
    Call(
        name="sheet_paper",
        method="GET",
        path="/api/sheets/{key}/{what}.pdf",
        about="A named sheet on paper: its rule card, a score sheet, or slips for the prizes of a table.",
        answer=PDF,
        query=PAPER_QUERY,
        refusals=("rules/unknown_sheet", "paper/needs_extra", "table/bad_message", "table/slow_down"),
    ),
    Call(
        name="rules_paper",
        method="POST",
        path="/api/rules/{what}.pdf",
        about="The same for a choice of rules, house rules among them.",
        answer=PDF,
        body=wire.RulesChoice,
        query=PAPER_QUERY,
        refusals=(*_ASKED, "paper/needs_extra"),
    ),
    Call(
        name="settings_known",
        method="GET",
        path="/api/settings",
        about="The settings of rule sheets and their values in words.",
        answer=list[PointKnown],
    ),
    Call(
        name="score",
        method="GET",
        path="/api/score",
        about="What a hand is worth under a sheet.",
        answer=Scored,
        query={"roll": "six digits from 1 to 6", "rules": "the key or id of a sheet; else minnan"},
        refusals=("dice/bad_roll", "rules/unknown_sheet"),
    ),
    Call(
        name="plan",
        method="GET",
        path="/api/plan",
        about="An event worked out beforehand: how long, what is left, what it costs, what else could be done.",
        answer=PlanSeen,
        query=PLAN_QUERY,
        refusals=(
            *("odds/bad_plan", "odds/missing_key", "odds/unknown_key", "odds/too_few_people", "odds/too_few_tables"),
            *("rules/unknown_sheet", *_ASKED),
        ),
    ),
    Call(
        name="odds",
        method="GET",
        path="/api/odds",
        about="The chances of a sheet: of a throw, of the length, by seat; simulated where there is no exact way.",
        answer=OddsTold,
        query={"rules": "the key or id of a sheet; else minnan", "players": "2 to 30; else 10", "simulate": SIMULATE},
        refusals=(*_ASKED, "rules/unknown_sheet", "odds/out_of_range", "odds/gave_up"),
    ),
    Call(
        name="plan_by",
        method="POST",
        path="/api/plan",
        about="An event worked out beforehand by house rules: the query as of the other call, the rules as body.",
        answer=PlanSeen,
        body=wire.RulesChoice,
        query={name: about for name, about in PLAN_QUERY.items() if name != "rules"},
        refusals=(*_ASKED, "odds/too_few_people"),
    ),
    Call(
        name="odds_by",
        method="POST",
        path="/api/odds",
        about="The same by house rules.",
        answer=OddsTold,
        body=wire.RulesChoice,
        query={"players": "2 to 30; else 10", "simulate": SIMULATE},
        refusals=(*_ASKED, "odds/out_of_range", "odds/gave_up"),
    ),
    Call(
        name="table_odds",
        method="GET",
        path="/api/tables/{code}/odds",
        about="What each seat of a table may still expect; simulated where there is no exact way.",
        answer=TableOdds,
        token=True,
        query={"simulate": SIMULATE},
        refusals=(
            *(*_TABLE, "table/forbidden", "table/not_begun"),
            *("odds/game_over", "odds/seats_changed", "odds/gave_up"),
        ),
    ),
    Call(
        name="openapi",
        method="GET",
        path="/api/openapi.json",
        about="This description.",
        answer=dict[str, Any],
    ),
)


def status_of(code: str) -> int:
    """The HTTP status of a refusal."""
    return STATUS.get(code, UNPROCESSABLE)


def refusals_of(call: Call) -> dict[int, list[str]]:
    """The codes that a call is refused with, by status. Those of a body stand for the whole area of bad forms."""
    codes = list(call.refusals)
    if call.body is not None:
        codes += ["table/too_large", "table/too_slow", "table/bad_message", *_BODIES.get(call.body, ())]
    if call.token:
        codes.append("table/unknown_token")
    found: dict[int, list[str]] = {}
    for code in codes:
        found.setdefault(status_of(code), []).append(code)
    return dict(sorted(found.items()))
