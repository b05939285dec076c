"""What a throw wins: its tier, where that is gone a lower one or a chase, its bonus, and its effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bobing.core.acts import EFFECT, Throw
from bobing.core.combinations import Row
from bobing.core.draft import Draft
from bobing.core.errors import ActRefused
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN
from bobing.core.title import claim_title


def carry_out_throw(draft: Draft, act: Throw) -> tuple[str, bool]:
    """Carry out a throw whose turn it is; gives its combination and whether it ends the game.

    Raises ActRefused where its options do not fit.
    """
    row = scorebook(draft.rules).row(act.roll)
    effects = () if EFFECT in act.waive else row.effects
    if act.waive or act.grab is not None or act.choose is not None or act.items:
        _check_options(draft, act, row, effects)
    draft.choice = act.items
    if "pingfen" in effects:
        _split_own_cakes(draft, act.seat)
    for tier in (row.tier, *row.bonus) if row.tier else row.bonus:
        if tier in act.waive:
            draft.note("waived", tier)
        elif tier == ZHUANGYUAN:
            claim_title(draft, act.seat, act.roll, row, plain=EFFECT in act.waive)
        elif tier in row.bonus:
            _award_bonus(draft, act.seat, tier)
        else:
            _award(draft, act, tier, row)
    if EFFECT in act.waive:
        draft.note("waived", EFFECT)
    for effect in effects:
        _carry_out_effect(draft, act, effect)
    return row.combination, "ends" in effects


def grab_needed(draft: Draft) -> dict[str, int]:
    """The cakes that a lights-out grab hands out: all that is left; zhuangyuan only if nobody claims it (D-34)."""
    left = draft.left()
    unclaimed = draft.title is None or draft.rules.liubohei.grab_zhuangyuan == "always"
    if draft.table[ZHUANGYUAN] and unclaimed:
        left = {ZHUANGYUAN: draft.table[ZHUANGYUAN], **left}
    return left


def fallback_tiers(draft: Draft, tier: str) -> Sequence[str]:
    """The lower tiers that may be taken where `tier` is gone, highest first (X1, D-46)."""
    lower = draft.rules.lower
    below = lower[lower.index(tier) + 1 :]
    return [other for other in below if draft.table[other] and other != draft.rules.ranked_tier]


def alternatives(draft: Draft, act: Throw) -> tuple[Sequence[str], Mapping[str, Sequence[str]]]:
    """What a throw could take instead: lower tiers where the sheet lets choose, items where a tier has several.

    `draft` is the game before the throw; items come by tier.
    """
    row = scorebook(draft.rules).row(act.roll)
    choices = _choices(draft, row, act)
    takes = [act.choose or choices[0]] if choices else [tier for tier in (row.tier, *row.bonus) if tier]
    items = {
        tier: [item for item, count in draft.shelf[tier].items() if count]
        for tier in takes
        if tier in draft.shelf and tier not in act.waive
    }
    return (choices if len(choices) > 1 else ()), {tier: names for tier, names in items.items() if len(names) > 1}


def _check_options(draft: Draft, act: Throw, row: Row, effects: Sequence[str]) -> None:
    _check_waive(act, row)
    if act.grab is not None and "grab" not in effects:
        raise ActRefused('this throw is no lights-out grab; leave out "grab"', "act/no_grab")
    if act.choose is not None and act.choose not in _choices(draft, row, act):
        raise ActRefused(
            f'there is nothing to choose here, or no {act.choose[:30]!r} is left; leave out "choose"', "act/no_choice"
        )
    at_the_end = {ZHUANGYUAN, draft.rules.ranked_tier}  # handed out whole, or in the order of the list
    takes = {row.tier, *row.bonus, act.choose, *(_choices(draft, row, act)[:1])} - {None, *at_the_end, *act.waive}
    for tier, item in act.items.items():
        if tier not in takes or not draft.shelf.get(tier, {}).get(item):
            raise ActRefused(f"no {item[:40]!r} is to be had in {tier[:30]!r} now", "act/no_such_item")


def _check_waive(act: Throw, row: Row) -> None:
    waivable = [row.tier, *row.bonus, *([EFFECT] if set(row.effects) - {"ranked"} else [])]
    for entry in act.waive:
        if entry not in waivable:
            raise ActRefused(f"this throw has no {entry[:30]!r} to waive", "act/nothing_to_waive")


def _choices(draft: Draft, row: Row, act: Throw) -> Sequence[str]:
    if row.tier in (None, ZHUANGYUAN) or row.tier in act.waive or draft.rules.exhausted.then != "lower":
        return []
    if draft.table[row.tier] or _may_chase(draft, row.tier):
        return []
    return fallback_tiers(draft, row.tier)


def _award(draft: Draft, act: Throw, tier: str, row: Row) -> None:
    if tier == draft.rules.ranked_tier:
        draft.ranked = (*draft.ranked, (row.kicker, draft.n, act.seat))
        draft.note("ranked", row.kicker)
    elif draft.table[tier]:
        draft.give(tier, act.seat)
    elif _may_chase(draft, tier):
        _chase(draft, act.seat, tier)
    else:
        _fall_back(draft, act, tier)


def _award_bonus(draft: Draft, seat: int, tier: str) -> None:
    if draft.table[tier]:
        draft.give(tier, seat)
        draft.note("bonus", tier)
    else:
        draft.note("bonus-empty", tier)


def _may_chase(draft: Draft, tier: str) -> bool:
    chase = draft.rules.chase
    return tier in chase.tiers and (chase.until == "end" or draft.others_left())


def _chase(draft: Draft, seat: int, tier: str) -> None:
    position = _chased_position(draft, seat, tier)
    if position is None:
        draft.note("chase-nobody", tier)
        return
    draft.note("chased", tier, draft.held[tier][position].seat)
    draft.take(tier, [position], seat)


def _chased_position(draft: Draft, seat: int, tier: str) -> int | None:
    """Which cake is chased: the nearest holder's against the direction of play, or the latest or earliest got (X3)."""
    takable = draft.takable(tier, seat)
    if not takable:
        return None
    if draft.rules.chase.source != "seat":
        return takable[-1] if draft.rules.chase.source == "latest" else takable[0]
    place = {other: i for i, other in enumerate(draft.order)}
    distance = {i: (place[seat] - place[draft.held[tier][i].seat]) % len(draft.order) for i in takable}
    nearest = min(distance.values())
    return [i for i in takable if distance[i] == nearest][-1]


def _fall_back(draft: Draft, act: Throw, tier: str) -> None:
    options = fallback_tiers(draft, tier) if draft.rules.exhausted.then != "nothing" else ()
    if not options:
        draft.note("tier-empty", tier)
        return
    taken = act.choose or options[0]
    draft.note("fallback", tier, taken)
    draft.give(taken, act.seat)


def _carry_out_effect(draft: Draft, act: Throw, effect: str) -> None:
    seat = act.seat
    match effect:
        case "sweep-table" | "sweep-all":
            _sweep(draft, seat, from_holders=effect == "sweep-all")
        case "friendly":
            _friendly(draft, seat)
        case "grab":
            _grab(draft, act.grab)
        case "pool":
            for tier, cakes in draft.left().items():
                draft.to_pool(tier, cakes)
            if draft.title is None:
                draft.to_pool(ZHUANGYUAN, draft.table[ZHUANGYUAN])
        case "duitang-unwon":
            draft.give("duitang", seat, draft.table["duitang"], granted=True)
        case "duitang-all" | "duitang-all-untitled":
            if effect == "duitang-all-untitled" or _leads_with(draft, seat, "chajinhua"):
                take_duitang(draft, seat)
        case _:
            pass


def take_duitang(draft: Draft, seat: int) -> None:
    """All duitang cakes go to one seat, from the table and from their holders; his own count as granted too (E-13)."""
    draft.give("duitang", seat, draft.table["duitang"], granted=True)
    draft.take("duitang", draft.takable("duitang", seat), seat, granted=True)
    draft.held["duitang"] = tuple(
        replace(cake, granted=True) if cake.seat == seat else cake for cake in draft.held["duitang"]
    )


def _leads_with(draft: Draft, seat: int, combination: str) -> bool:
    return draft.title == seat and draft.claims[seat].combination == combination


def _sweep(draft: Draft, seat: int, *, from_holders: bool) -> None:
    for tier in draft.rules.lower:
        draft.give(tier, seat, draft.table[tier])
        if from_holders:
            draft.take(tier, draft.takable(tier, seat), seat)


def _friendly(draft: Draft, seat: int) -> None:
    """Beside the title, which goes by rank, the thrower takes the duitang; the rest is dealt round (D-31, E-5)."""
    draft.give("duitang", seat, draft.table["duitang"])
    draft.take("duitang", draft.takable("duitang", seat), seat)
    others, start = draft.present_after(seat)[:-1], 0
    for tier in draft.left() if others else ():
        start = draft.deal(tier, others, start)


def _grab(draft: Draft, grab: Mapping[str, tuple[int, ...]] | None) -> None:
    needed = grab_needed(draft)
    listed = ", ".join(f"{tier} {count}" for tier, count in needed.items())
    if grab is None and needed:
        raise ActRefused(f'say who grabbed what: "grab" with all that is left ({listed})', "act/grab_needed")
    grabbed = grab or {}
    if {tier: len(seats) for tier, seats in grabbed.items() if seats} != needed:
        raise ActRefused(f'"grab" must hand out exactly what is left: {listed or "nothing"}', "act/bad_grab")
    for tier in needed:
        seats = grabbed[tier]
        for seat in seats:
            if seat not in draft.order or seat in draft.away:
                raise ActRefused(f"seat {seat} is not there to grab", "act/bad_grab")
        for seat in dict.fromkeys(seats):
            draft.give(tier, seat, seats.count(seat))
    if ZHUANGYUAN in needed:
        draft.title, draft.claims, draft.rolloff = None, {}, None
        draft.note("zhuangyuan-grabbed")


def _split_own_cakes(draft: Draft, seat: int) -> None:
    """平分: the thrower's earlier cakes in one deal, high tiers first, next player first, thrower last (E-14)."""
    there = draft.present_after(seat)
    turn = 0
    for tier in draft.rules.lower:
        mine = draft.positions(tier, seat)
        shares: dict[int, list[int]] = {}
        for position in mine:
            shares.setdefault(there[turn % len(there)], []).append(position)
            turn += 1
        shares.pop(seat, None)
        _hand_out(draft, tier, shares)
    draft.note("pingfen")


def _hand_out(draft: Draft, tier: str, shares: Mapping[int, Sequence[int]]) -> None:
    gone: list[int] = []
    for target, positions in shares.items():
        draft.take(tier, [position - sum(p < position for p in gone) for position in positions], target)
        gone += positions
