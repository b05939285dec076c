"""A rule set as the flat arrays of `kernel`: what each of the 46,656 throws does, as one of some fifty classes, the
switches, and room for one game."""

from __future__ import annotations

from itertools import accumulate, product

import numpy as np

from bobing.core.combinations import Row
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.simulate import kernel as k

FORMS = ("", "chajinhua", "liubohong", "biandijin", "liubohei", "wuhong", "wuzi", "sihong", "three-dice")
"""What won the title, by number."""
EFFECTS = (
    "", "sweep-table", "sweep-all", "friendly", "grab", "pool", "duitang-unwon", "duitang-all", "duitang-all-untitled",
)  # fmt: skip
REASONS = ("", "all-gone", "champion", "throws", "time", "effect", "last-lap")
"""Why a game ended, by number."""


def classes_of(rules: RuleSet) -> tuple[k.Bytes, k.Ints]:
    """The class and the slot of each throw, and what the classes do; the digits of a throw's number in base six are its
    faces."""
    tiers = {tier.key: i for i, tier in enumerate(rules.tiers)}
    kinds: dict[tuple[int, ...], int] = {}
    by_hand: dict[tuple[int, ...], tuple[int, int]] = {}
    for hand, row in scorebook(rules).rows.items():
        kind = kinds.setdefault(_kind(row, rules, tiers), len(kinds))
        by_hand[hand] = kind, _slot(row, tiers)
    throws = np.array([by_hand[tuple(sorted(faces))] for faces in product(range(1, 7), repeat=6)], dtype=np.uint8)
    rows = np.zeros((len(kinds), k.ROW), dtype=np.int64)
    rows[:, : k.ENDS + 1] = list(kinds)
    return np.ascontiguousarray(throws.T), rows.reshape(-1)


def _kind(row: Row, rules: RuleSet, tiers: dict[str, int]) -> tuple[int, ...]:
    tier = k.NONE if row.tier is None else tiers[row.tier]
    bonus = tiers[row.bonus[0]] if row.bonus else k.NONE
    below = range(tier + 1, len(tiers)) if tier > 0 and rules.exhausted.then != "nothing" else ()
    needs = sum(1 << wanted for wanted in {tier, bonus, *below} - {k.NONE, 0})
    return (
        needs | (k.ALWAYS if tier == 0 or set(row.effects) - {"ranked"} else 0),
        tier,
        bonus,
        k.NONE if row.strength is None else row.strength,
        row.kicker if "ranked" in row.effects else 0,
        FORMS.index(row.combination) if row.tier == ZHUANGYUAN else 0,
        next((EFFECTS.index(effect) for effect in row.effects if effect in EFFECTS), 0),
        int("pingfen" in row.effects),
        int("ends" in row.effects),
    )


def _slot(row: Row, tiers: dict[str, int]) -> int:
    if row.tier == ZHUANGYUAN or row.bonus or row.effects:
        return k.SPECIAL
    return tiers[row.tier] if row.tier else 0


def _in_order(tier: str | None, rules: RuleSet) -> bool:
    """Whether it matters in which order the cakes of a tier were got, or which of them came with a chajinhua."""
    in_line = tier in rules.chase.tiers and rules.chase.source != "seat"
    return in_line or (tier == "duitang" and rules.chajinhua.duitang != "none")


def memory_of(rules: RuleSet, seats: int, cap: int) -> k.Ints:
    """The array `m` of `kernel` for a table of this size, with its switches set; `cap` throws are all there is time for
    (0: no limit)."""
    keys = [tier.key for tier in rules.tiers]
    cakes = [tier.cakes for tier in rules.tiers]
    in_order = [_in_order(key, rules) for key in keys]
    ranked = keys.index(rules.ranked_tier) if rules.ranked_tier else k.NONE
    ranked_room = cakes[ranked] if rules.ranked_tier else 0
    lines = [1 + count * ordered for count, ordered in zip(cakes, in_order, strict=True)]
    parts = {k.HELD: len(keys) * seats, k.RANKED_KICKER: ranked_room, k.RANKED_SEAT: ranked_room}
    parts |= dict.fromkeys((k.STRENGTH, k.WINS, k.WHEN, k.FORM, k.CLAIMANT, k.LOST, k.RIVAL_SEAT, k.POINTS), seats)
    parts |= {k.LINE + tier: room for tier, room in enumerate(lines)}
    starts = list(accumulate(parts.values(), initial=k.FIXED))
    m = np.zeros(starts[-1], dtype=np.int64)
    for part, start in zip(parts, starts, strict=False):
        m[part] = start
    for place, values in (
        (k.CAKES, cakes),
        (k.CHASED, [key in rules.chase.tiers for key in keys]),
        (k.IN_ORDER, in_order),
    ):
        m[place : place + len(keys)] = values
    for place, value in _switches(rules, keys).items():
        m[place] = value
    m[k.SEATS], m[k.TIERS], m[k.CAP] = seats, len(keys), cap
    m[k.RANKED_TIER], m[k.RANKED_ROOM] = ranked, ranked_room
    return m


def _switches(rules: RuleSet, keys: list[str]) -> dict[int, int]:
    title, ending = rules.title, rules.ending
    return {
        k.DUITANG: keys.index("duitang") if "duitang" in keys else k.NONE,
        k.FALLS: rules.exhausted.then != "nothing",
        k.SOURCE: ("seat", "latest", "earliest").index(rules.chase.source),
        k.CHASE_TO_END: rules.chase.until == "end",
        k.PROTECTED: rules.chajinhua.protected,
        k.EQUAL: ("first", "last", "red-pips").index(title.equal),
        k.OWN_LAST: title.own_later == "last",
        k.CONTEST: ("highest", "highest-but-chajinhua", "first").index(title.contest),
        k.RETURNED: title.lugu_duitang == "returned",
        k.AT_ONCE: title.handover == "at-once",
        k.GRAB_ALWAYS: rules.liubohei.grab_zhuangyuan == "always",
        k.CHAJINHUA_END: rules.chajinhua.duitang == "end",
        k.LIUBOHONG_END: rules.liubohong.duitang_at_end,
        k.UNTIL: ("all-gone", "champion", "throws").index(ending.when),
        k.FINISH: ("at-once", "equal-turns", "extra-lap").index(ending.finish),
        k.STOPS: ending.without_champion == "stop",
        k.THROWS_EACH: ending.throws_each,
        k.THREE_DICE: ending.undecided == "three-dice",
        k.LOST_TURN: rules.spill.next_turn == "lost",
    }
