"""What is told of how the dice of a table are proved: all drawn anew, a beacon that came, links that are lost."""

from __future__ import annotations

from bobing.fairness.beacon import beacon_bytes
from bobing.fairness.events import Loss, Lost, Ready, SeatReady, Void
from bobing.fairness.ledger import Ledger
from bobing.fairness.reveal import signs
from bobing.server.decision import Decision, fair_body, playing
from bobing.server.refusal import refused
from bobing.server.room import Room


def draw_again(room: Room) -> Decision:
    """Everything that is to come is drawn anew. An attempt that is under way comes to nothing, which is counted."""
    ledger = _proving(room)
    if playing(room).finished:
        raise refused("over")
    void = [fair_body(Void(()))] if ledger.stage in ("reveal", "beacon") else []
    return Decision([*void, {"t": "draw_again"}])


def beacon_told(room: Room, value: str, seat: int | None) -> Decision:
    """The public chance is there: the seed follows from it. The host has verified it before."""
    ledger = _proving(room)
    plan = awaited_plan(ledger, seat)
    if plan is None:
        raise refused("no_beacon")
    beacon = beacon_bytes(plan, value)
    if seat is not None:
        return Decision([fair_body(SeatReady(seat, beacon, ledger.seed_alone(seat, beacon)))])
    seed = ledger.seed_with(beacon)
    return Decision([fair_body(Ready(beacon, seed, signs(seed)))])


def awaited_plan(ledger: Ledger, seat: int | None) -> bytes | None:
    """The public chance that is waited for, by everybody or by one seat; None where none is."""
    if seat is None:
        return ledger.attempt.plan if ledger.stage == "beacon" and ledger.attempt else None
    pending = ledger.pending.get(seat)
    return pending.alone.plan if pending and pending.alone and pending.revealed else None


def _proving(room: Room) -> Ledger:
    playing(room)
    if room.ledger is None or room.settings.dice != "digital":
        raise refused("no_proof")
    return room.ledger


def links_lost(seat: int, why: Loss) -> Decision:
    """The links of a seat's own device are gone, or do not come."""
    return Decision([fair_body(Lost(seat, why))])
