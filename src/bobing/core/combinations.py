"""What six dice are called and what they win under a rule set, one hand at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bobing.core.rules import RuleSet
from bobing.core.settings import HANDS_BELOW, ZHUANGYUAN, Tier

NONE = "none"
STRAIGHT = (1, 2, 3, 4, 5, 6)
_CONSECUTIVE_PAIRS = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the scorebook: what a hand is worth by the sheet alone, whatever is left.

    combination: its name, or the key of an own tier. tier: what it wins, or None. bonus: tiers won beside it.
    strength: among zhuangyuan, higher wins, equal ties; None where the hand is no zhuangyuan. kicker (带): the points
    that break ties (sihong: sum of the other two; wuhong, wuzi: the sixth; sanhong: sum of the other three).
    effects: what else the sheet lets it do, in the order in which it happens.
    """

    combination: str
    tier: str | None
    bonus: tuple[str, ...]
    strength: int | None
    kicker: int
    effects: tuple[str, ...]


def read_hand(hand: Sequence[int], rules: RuleSet) -> Row:
    """The row of one hand (six sorted faces): the highest reading that the sheet knows."""
    form = next((form for form in _forms_in(hand) if form in rules.recognised), None)
    if form is not None:
        return _form_row(form, hand, rules)
    tier, won = _won_below(hand, rules)
    if tier is None:
        return Row(NONE, None, (), None, 0, ())
    name = won if won in HANDS_BELOW else tier.key
    effects = ("ranked",) if tier.key == rules.ranked_tier else ()
    return Row(name, tier.key, _bonus(won, hand, rules), None, _kicker(won, hand), effects)


def counting(roll: Sequence[int], rules: RuleSet) -> tuple[int, ...]:
    """The places, from 0, of the dice that make a throw what it is called, and win what comes beside it.

    >>> from bobing.core.catalogue import find_sheet
    >>> counting((2, 4, 2, 1, 2, 2), find_sheet("minnan")), counting((1, 2, 3, 5, 6, 6), find_sheet("minnan"))
    ((0, 1, 2, 4, 5), ())
    """
    return places_of(counting_dice(tuple(sorted(roll)), rules), roll)


def places_of(dice: Mapping[int, int], roll: Sequence[int]) -> tuple[int, ...]:
    """The places, from 0, of so many dice of each face, the first that come."""
    left, places = dict(dice), list[int]()
    for place, face in enumerate(roll):
        if left.get(face, 0) > 0:
            left[face] -= 1
            places.append(place)
    return tuple(places)


def counting_dice(hand: Sequence[int], rules: RuleSet) -> Counter[int]:
    """How many dice of each face make a hand (six sorted faces) what it is called, and win what comes beside it."""
    reading = next((form for form in _forms_in(hand) if form in rules.recognised), None) or _won_below(hand, rules)[1]
    wanted = _dice_of(reading, hand)
    if _bonus(reading, hand, rules):
        wanted |= Counter({4: hand.count(4)})
    return wanted


def _dice_of(reading: str, hand: Sequence[int]) -> Counter[int]:
    """How many dice of each face a reading takes."""
    alike = max(hand, key=hand.count)
    match reading:
        case "none":
            return Counter()
        case "wuhong" | "sihong" | "sanhong" | "erju" | "yixiu":
            return Counter({4: hand.count(4)})
        case "wuzi" | "sijin":
            return Counter({alike: hand.count(alike)})
        case "duitang" | "chajinhua" | "liubohong" | "liubohei" | "biandijin":
            return Counter(hand)
        case pattern:
            return Counter(int(face) for face in pattern if face != "x")


def _won_below(hand: Sequence[int], rules: RuleSet) -> tuple[Tier | None, str]:
    """The tier that a hand below zhuangyuan wins, and by which entry of its `wins`; (None, "none") for nothing."""
    for tier in rules.tiers[1:]:
        won = next((entry for entry in tier.wins if _wins(entry, hand, rules)), None)
        if won is not None:
            return tier, won
    return None, NONE


def _forms_in(hand: Sequence[int]) -> Iterator[str]:
    """The zhuangyuan forms that the hand can be read as, highest reading first."""
    most = max(hand.count(face) for face in hand)
    fours = hand.count(4)
    if most == 6:
        if fours:
            yield "liubohong"
        elif hand[0] == 1:
            yield "biandijin"
        if not fours:
            yield "liubohei"
    if fours >= 5:
        yield "wuhong"
    elif most >= 5:
        yield "wuzi"
    if fours == 4 and hand.count(1) == 2:
        yield "chajinhua"
    if fours >= 4:
        yield "sihong"


def _form_row(form: str, hand: Sequence[int], rules: RuleSet) -> Row:
    ranked = form in rules.ranked_forms
    return Row(
        combination=form,
        tier=ZHUANGYUAN if ranked else None,
        bonus=_bonus(form, hand, rules),
        strength=_strength(form, hand, rules) if ranked else None,
        kicker=_kicker(form, hand),
        effects=_effects(form, hand, rules),
    )


def _wins(entry: str, hand: Sequence[int], rules: RuleSet) -> bool:
    fours = hand.count(4)
    match entry:
        case "duitang":
            return tuple(hand) == STRAIGHT or _two_triples(hand, rules) or _three_pairs(hand, rules)
        case "sanhong":
            return fours >= 3
        case "sijin":
            return any(hand.count(face) >= 4 for face in rules.hands.sijin_faces)
        case "erju":
            return fours >= 2
        case "yixiu":
            return fours >= 1
        case pattern:
            return all(hand.count(int(face)) >= pattern.count(face) for face in set(pattern) - {"x"})


def _two_triples(hand: Sequence[int], rules: RuleSet) -> bool:
    kind = rules.hands.two_triples
    return kind != "none" and sorted(map(hand.count, set(hand))) == [3, 3] and (kind == "with-fours" or 4 not in hand)


def _three_pairs(hand: Sequence[int], rules: RuleSet) -> bool:
    faces = tuple(sorted(set(hand)))
    if len(faces) != 3 or any(hand.count(face) != 2 for face in faces):
        return False
    match rules.hands.three_pairs:
        case "none":
            return False
        case "334455":
            return faces == (3, 4, 5)
        case "consecutive":
            return faces in _CONSECUTIVE_PAIRS
        case _:
            return True


def _kicker(combination: str, hand: Sequence[int]) -> int:
    most = max(hand, key=hand.count)
    match combination:
        case "chajinhua" | "sihong":
            return sum(hand) - 16
        case "wuhong":
            return sum(hand) - 20
        case "wuzi":
            return sum(hand) - 5 * most
        case "sanhong":
            return sum(hand) - 12
        case _:
            return 0


def _strength(form: str, hand: Sequence[int], rules: RuleSet) -> int:
    order, ranks = rules.ranks.order, rules.ranks
    group = next(i for i, forms in enumerate(order) if form in forms)
    most = max(hand, key=hand.count)
    kicker = _kicker(form, hand)
    within = 0
    if len(order[group]) > 1:
        pass  # forms that share a rank are equal, whatever they show
    elif form == "liubohei" and ranks.liubohei_by == "face":
        within = most
    elif form == "wuzi" and ranks.wuzi_by != "equal":
        within = kicker if ranks.wuzi_by == "kicker" else 10 * most + kicker
    elif (form == "wuhong" and ranks.wuhong_by == "kicker") or (form == "sihong" and ranks.sihong_by == "sum"):
        within = kicker
    return 100 * (len(order) - group) + within


def _bonus(combination: str, hand: Sequence[int], rules: RuleSet) -> tuple[str, ...]:
    fours = hand.count(4)
    if combination == "sijin" and fours == 1 and rules.bonus.sijin_yixiu:
        return ("yixiu",)
    if combination == "sijin" and fours == 2 and rules.bonus.sijin_erju:
        return ("erju",)
    if combination == "wuzi" and fours == 1 and rules.bonus.wuzi_yixiu:
        return ("yixiu",)
    return ()


def _effects(combination: str, hand: Sequence[int], rules: RuleSet) -> tuple[str, ...]:
    """What else a throw does, in the order in which it happens.

    pingfen: the thrower's earlier cakes are split. sweep-table, sweep-all: all that is left, or everything, is taken.
    friendly: title and duitang, the rest is dealt out. grab, pool: lights out, or eaten by all. duitang-unwon,
    duitang-all, duitang-all-untitled, duitang-at-end: the duitang cakes come along. ranked: handed out by sum at the
    end. ends: the game is over.
    """
    effects: list[str] = ["pingfen"] if combination in rules.pingfen.by else []
    match combination:
        case "chajinhua":
            if rules.chajinhua.duitang != "none":
                effects.append("duitang-" + rules.chajinhua.duitang.replace("end", "at-end"))
        case "liubohong":
            if rules.liubohong.takes != "rank":
                effects.append(f"sweep-{rules.liubohong.takes}" if rules.liubohong.takes != "friendly" else "friendly")
            effects += ["duitang-at-end"] * rules.liubohong.duitang_at_end + ["ends"] * rules.liubohong.ends
        case "biandijin":
            if rules.biandijin.takes == "table":
                effects += ["sweep-table", "ends"]
        case "liubohei":
            if rules.liubohei.effect != "none" and hand[0] in rules.liubohei.faces:
                effects += [rules.liubohei.effect, "ends"]
        case _:
            pass
    return tuple(effects)
