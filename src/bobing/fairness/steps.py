"""One step after another: the ledger after an event, or a refusal where that does not follow from what was there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import assert_never

from bobing.fairness.beacon import WAIT_S, planned_round, round_time, verify_form
from bobing.fairness.commit import opening_hash, settings_hash
from bobing.fairness.events import (
    Attempt,
    Committed,
    Event,
    Late,
    LateReady,
    Lost,
    Ready,
    Real,
    Reveals,
    SeatAttempt,
    SeatEvent,
    SeatReady,
    SeatReveal,
    SeatVoid,
    Void,
    require,
)
from bobing.fairness.ledger import Ledger, spec_heads
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import signs
from bobing.fairness.seats import Chains, Origin, Pending


def with_event(ledger: Ledger, event: Event, away: Collection[int] = ()) -> Ledger:
    """The ledger after an event; away: seats that left the game. Raises FairError where it does not follow."""
    match event:
        case Attempt():
            return _attempted(ledger, event)
        case Reveals():
            return _revealed(ledger, event)
        case Ready():
            return _made_ready(ledger, event)
        case Void():
            require(ledger.stage in ("reveal", "beacon"), "nothing was under way that could fail", "fair/order")
            require(set(event.missing) <= set(ledger.own), "a seat without a device reveals nothing", "fair/order")
            return replace(ledger, stage="none", voids=ledger.voids + 1)
        case Real():
            return replace(ledger, stage="real", chains={}, drawn={}, counts={}, pending={})
        case _:
            return _with_seat_event(ledger, event, away)


def _with_seat_event(ledger: Ledger, event: SeatEvent, away: Collection[int]) -> Ledger:
    match event:
        case Late():
            return _joined(ledger, event)
        case LateReady():
            return _late_made_ready(ledger, event, away)
        case SeatAttempt():
            return _alone(ledger, event)
        case SeatReveal():
            return _alone_revealed(ledger, event)
        case SeatReady():
            return _alone_ready(ledger, event)
        case SeatVoid(seat=seat):
            ledger.alone_at(seat)
            return replace(ledger, pending=_without(ledger.pending, seat), voids=ledger.voids + 1)
        case Lost(seat=seat):
            return _lost(ledger, seat)
        case _:
            assert_never(event)


def _attempted(ledger: Ledger, event: Attempt) -> Ledger:
    require(event.previous == ledger.previous, "this attempt does not name the one before it", "fair/wrong_previous")
    require(event.game not in ledger.games, "an id was used twice", "fair/wrong_game")
    require(ledger.stage in ("none", "ready", "real"), "the attempt before was dropped in silence", "fair/order")
    whys = {"begin"} if ledger.attempts == 0 else {"void"} if ledger.stage == "none" else {"again", "spent", "late"}
    require(event.why in whys, f"this attempt cannot be there because of {event.why}", "fair/order")
    announced = _announced(ledger, event.plan, event.at)
    heads = [spec_heads(one) for one in event.seats]
    rules = settings_hash(ledger.rules_hash, event.spill)
    t0 = opening_hash(event.game, rules, event.previous, event.links, event.plan, heads)
    require(t0 == event.opening, "T0 is not the hash of what was fixed", "fair/wrong_t0")
    players = [one.player for one in event.seats if one.player is not None]
    differ = len(set(players)) == len(players) and ZEROS not in players
    require(differ, "two seats have the same head", "fair/same_head")
    return replace(
        announced,
        stage="reveal",
        attempt=event,
        chains={one.seat: Chains(one, own=one.player is not None) for one in event.seats},
        drawn={},
        counts={},
        pending={},
        heads=frozenset(players),
        games=ledger.games | {event.game},
        previous=event.opening,
        links={},
        signs="",
        attempts=ledger.attempts + 1,
        restarts=ledger.restarts + (event.why in ("again", "spent", "late")),
    )


def _announced(ledger: Ledger, plan: bytes, at: int) -> Ledger:
    """The ledger once a plan was told: its round lies ahead, and behind every one that was named before."""
    told, number = _told(ledger, at), planned_round(plan)
    _require_time(plan, at + WAIT_S * 1000, "the round of drand comes too soon after all was fixed")
    require(number is None or number > ledger.round, "this round of drand was named before", "fair/early_beacon")
    return replace(told, round=max(ledger.round, number or 0))


def _told(ledger: Ledger, at: int) -> Ledger:
    """The ledger at a time, which never falls."""
    require(at >= ledger.clock, "this was told at an earlier time than what stands before it", "fair/order")
    return replace(ledger, clock=at)


def _revealed(ledger: Ledger, event: Reveals) -> Ledger:
    require(ledger.stage == "reveal" and not ledger.links, "nothing is to be revealed now", "fair/order")
    require(sorted(event.links) == ledger.own, "all with a device reveal, and no others", "fair/missing_reveal")
    for seat, link in event.links.items():
        ledger.verify_reveal(seat, link)
    plan = ledger.running("reveal").plan
    _require_time(plan, event.at + 1, "the round of drand was there before all had revealed")
    return replace(_told(ledger, event.at), stage="beacon", links=dict(event.links))


def _made_ready(ledger: Ledger, event: Ready) -> Ledger:
    attempt = ledger.running("beacon")
    verify_form(attempt.plan, event.beacon)
    j = ledger.seed_with(event.beacon)
    require(event.seed == j, "J is not the hash of what was revealed", "fair/wrong_j")
    require(event.signs == signs(j), "the six signs are not those of J", "fair/wrong_signs")
    origin = Origin(j, public=bool(attempt.plan))
    chains = {seat: replace(one, origin=origin, shown=ledger.links.get(seat)) for seat, one in ledger.chains.items()}
    return replace(ledger, stage="ready", chains=chains, seed=j, signs=event.signs)


def _joined(ledger: Ledger, event: Late) -> Ledger:
    plan = ledger.running("ready").plan
    require(not plan, "a seat that comes late gets public chance of its own here", "fair/order")
    chains = ledger.chains.get(event.seat)
    heads = Committed(event.seat, event.server, event.player)
    newly = chains is not None and chains.heads.player is None and event.player is not None
    require(chains is None or newly, "this seat takes part already", "fair/order")
    return _pend(ledger, chains, Pending(heads, own=event.player is not None, lap=_lap(ledger, event.seat)))


def _lap(ledger: Ledger, late: int) -> Mapping[int, int]:
    """What a seat that comes now waits for: a draw of every other whose device takes part, or did and was lost."""
    seats = ((seat, one) for seat, one in sorted(ledger.chains.items()) if seat != late)
    return {seat: one.awaited for seat, one in seats if one.shown is not None}


def _pend(ledger: Ledger, chains: Chains | None, pending: Pending) -> Ledger:
    """The ledger with a seat whose dice are being fixed. The server's chain goes on, where the seat has one."""
    heads, seat = pending.heads, pending.heads.seat
    require(seat not in ledger.pending, "the dice of this seat are being fixed already", "fair/order")
    require(heads.player is None or heads.player not in ledger.heads | {ZEROS}, "a head serves twice", "fair/same_head")
    same = chains is None or chains.heads.server == heads.server
    require(same, "the server has another head for this seat", "fair/wrong_link")
    bound = replace(chains, heads=heads) if chains else Chains(heads, own=False)
    seen = ledger.heads if heads.player is None else ledger.heads | {heads.player}
    return replace(_put(ledger, seat, bound), pending={**ledger.pending, seat: pending}, heads=seen)


def _late_made_ready(ledger: Ledger, event: LateReady, away: Collection[int]) -> Ledger:
    ledger.running("ready")
    pending = ledger.pending.get(event.seat)
    require(pending is not None and pending.alone is None, "this seat does not wait", "fair/order")
    assert pending is not None, "just looked at"
    require(event.laps == ledger.laps(event.seat), "these are not the draws that were waited for", "fair/wrong_laps")
    require(ledger.lap_done(event.seat, away), "not everybody has drawn twice since it came", "fair/too_early")
    require((event.link is not None) is pending.own, "the seat has to reveal its first link", "fair/missing_reveal")
    if event.link is not None:
        ledger.verify_reveal(event.seat, event.link)
    require(event.seed == ledger.late_seed_of(event.seat, event.link), "J of the late seat differs", "fair/wrong_j")
    return _seeded_with(ledger, event.seat, Origin(event.seed, unheard=ledger.unheard(event.seat)), event.link)


def _seeded_with(ledger: Ledger, seat: int, origin: Origin, link: bytes | None) -> Ledger:
    """The ledger where the dice of a seat are fixed anew: it draws from this seed from now on."""
    own = ledger.pending[seat].own
    ready = replace(ledger.chains[seat], own=own, origin=origin, shown=link, at=1)
    return replace(_put(ledger, seat, ready), pending=_without(ledger.pending, seat))


def _alone(ledger: Ledger, event: SeatAttempt) -> Ledger:
    attempt = ledger.running("ready")
    announced = bool(attempt.plan) and event.plan[:1] == attempt.plan[:1]
    require(announced, "no public chance of this kind was announced", "fair/bad_plan")
    drand = planned_round(event.plan) is not None
    require(drand or event.plan == attempt.plan, "fewer dice than were announced", "fair/bad_plan")
    told = _announced(ledger, event.plan, event.at)
    require(event.previous == ledger.previous, "this attempt does not name the one before it", "fair/wrong_previous")
    heads, chains = Committed(event.seat, event.server, event.player), ledger.chains.get(event.seat)
    newly = chains is not None and chains.heads.player is None and event.player is not None
    require(chains is None or chains.origin is None or newly, "this seat takes part already", "fair/order")
    rules = settings_hash(ledger.rules_hash, attempt.spill)
    t0 = opening_hash(attempt.game, rules, event.previous, attempt.links, event.plan, [spec_heads(heads)])
    require(t0 == event.opening, "T0 is not the hash of what was fixed", "fair/wrong_t0")
    pending = Pending(heads, own=event.player is not None, alone=event)
    pended = _pend(ledger, chains, pending)
    return replace(pended, previous=event.opening, clock=told.clock, round=told.round)


def _alone_revealed(ledger: Ledger, event: SeatReveal) -> Ledger:
    pending, alone = ledger.alone_at(event.seat, revealed=False)
    require((event.link is not None) is pending.own, "the seat has to reveal its first link", "fair/missing_reveal")
    if event.link is not None:
        ledger.verify_reveal(event.seat, event.link)
    _require_time(alone.plan, event.at + 1, "the round of drand was there before all had revealed")
    known = replace(pending, revealed=True, link=event.link)
    return replace(_told(ledger, event.at), pending={**ledger.pending, event.seat: known})


def _alone_ready(ledger: Ledger, event: SeatReady) -> Ledger:
    pending, alone = ledger.alone_at(event.seat, revealed=True)
    verify_form(alone.plan, event.beacon)
    require(event.seed == ledger.seed_alone(event.seat, event.beacon), "J of the seat differs", "fair/wrong_j")
    return _seeded_with(ledger, event.seat, Origin(event.seed, public=True), pending.link)


def _lost(ledger: Ledger, seat: int) -> Ledger:
    """Without public chance a seat goes on without links; with it, it waits for a chance that nobody knows yet."""
    attempt, pending, chains = ledger.running("ready"), ledger.pending.get(seat), ledger.chains.get(seat)
    if pending is not None and pending.own and pending.alone is None:
        assert chains is not None, "who waits has chains"
        left = {**_without(ledger.pending, seat), seat: replace(pending, own=False)}
        return replace(ledger, pending=left if chains.origin is None else _without(ledger.pending, seat))
    require(chains is not None and chains.own, "it had no links to lose", "fair/order")
    assert chains is not None, "it has links of its own"
    return _put(ledger, seat, replace(chains, own=False, origin=None if attempt.plan else chains.origin))


def _put(ledger: Ledger, seat: int, chains: Chains) -> Ledger:
    return replace(ledger, chains={**ledger.chains, seat: chains})


def _without(pending: Mapping[int, Pending], seat: int) -> Mapping[int, Pending]:
    return {other: one for other, one in pending.items() if other != seat}


def _require_time(plan: bytes, ms: int, message: str) -> None:
    """Refuse what comes later than the round of drand that was announced, if one was."""
    number = planned_round(plan)
    require(number is None or ms <= round_time(number) * 1000, message, "fair/early_beacon")
