"""How the dice of a table are fixed before they are thrown: what devices are asked for, and what follows from it.

Pure, like the room: what a device says comes in, what to append comes out. What is not in the log yet, heads and first
links, is kept in `Sealing`; if the process ends, the devices are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bobing.core.act_json import act_to_json
from bobing.core.acts import Pass
from bobing.fairness.beacon import WAIT_S, dice_plan, drand_plan, planned_round, round_after, round_time
from bobing.fairness.chain import LINKS, server_link
from bobing.fairness.commit import opening_hash, settings_hash
from bobing.fairness.events import (
    Attempt,
    Committed,
    Event,
    Late,
    LateReady,
    Loss,
    Lost,
    Ready,
    Reveals,
    SeatAttempt,
    SeatReveal,
    SeatVoid,
    Void,
    Why,
)
from bobing.fairness.ledger import Ledger, spec_heads
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import signs
from bobing.fairness.seats import Pending
from bobing.fairness.steps import with_event
from bobing.server.decision import Decision, fair_body
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.wire import messages as wire

COMMIT_MS = 5_000
"""How long devices are waited for that are asked for the head of their links; who comes too late goes without."""
REVEAL_MS = 6_000
"""How long they are waited for then; who does not come voids the attempt."""


@dataclass(slots=True)
class Sealing:
    """What devices were asked for and gave.

    why: of the attempt that is prepared, None where none is; game: its id. asked: seats whose devices are asked for a
    head; heads, links: what was given; refused: a seat whose first link was not the one it had promised. silent: seats
    that did not reveal before, and are not asked again. deadline: wall time in ms.
    """

    why: Why | None = None
    game: bytes = b""
    asked: set[int] = field(default_factory=set[int])
    heads: dict[int, bytes] = field(default_factory=dict[int, bytes])
    links: dict[int, bytes] = field(default_factory=dict[int, bytes])
    refused: set[int] = field(default_factory=set[int])
    silent: set[int] = field(default_factory=set[int])
    deadline: int | None = None


def why_anew(room: Room, *, kept: bool) -> Why | None:
    """Why the dice have to be fixed now; None where they are. kept: whether the secret they are drawn from is there."""
    ledger, game = room.ledger, room.game
    if ledger is None or game is None or game.finished or room.settings.dice != "digital":
        return None
    if ledger.stage in ("reveal", "beacon"):
        return None
    if ledger.attempts == 0:
        return "begin"
    if ledger.stage == "none":
        return "void"
    if ledger.stage == "real" or ledger.attempt is None:
        return "again"
    if room.wanted is not None:
        return room.wanted
    seat = game.next_seat
    if seat is None or ledger.repeated(seat, ledger.next_k(seat)) is not None:
        return None
    if ledger.next_k(seat) > ledger.attempt.links:
        return "spent"
    return None if kept else "again"


def may_throw(room: Room) -> bool:
    """Whether the seat whose turn it is may throw now, as far as its dice go."""
    ledger, game = room.ledger, room.game
    if ledger is None or game is None:
        return True
    return room.wanted is None and game.next_seat is not None and ledger.may_draw(game.next_seat)


def awaited(room: Room, sealing: Sealing) -> set[int]:
    """Seats whose devices are waited for."""
    ledger = room.ledger
    if sealing.why is not None:
        return sealing.asked - sealing.heads.keys()
    if ledger is None:
        return set()
    if ledger.stage == "reveal":
        return set(ledger.own) - sealing.links.keys()
    owing = {seat for seat, one in ledger.pending.items() if one.own and not one.revealed} - sealing.links.keys()
    return owing | (sealing.asked - sealing.heads.keys() - ledger.pending.keys())


def attempt_of(room: Room, sealing: Sealing, master: bytes, now_ms: int) -> Attempt:
    """The attempt, once everybody who was asked gave a head or is waited for no longer."""
    assert room.ledger is not None, "asked for where dice are proved"
    assert sealing.why is not None, "and where they have to be fixed"
    now_ms = max(now_ms, room.ledger.clock)
    game, plan = sealing.game, _plan(room.settings.beacon, now_ms, room.ledger.round)
    seats = tuple(
        Committed(seat, server_link(master, game, seat + 1, 0, LINKS), sealing.heads.get(seat))
        for seat in range(room.seat_count)
    )
    previous, spill = room.ledger.previous, room.settings.spill
    rules = settings_hash(room.ledger.rules_hash, spill)
    opening = opening_hash(game, rules, previous, LINKS, plan, [spec_heads(heads) for heads in seats])
    return Attempt(sealing.why, game, LINKS, plan, previous, spill, seats, opening, now_ms)


def _plan(beacon: Literal["none", "drand", "dice"], now_ms: int, named: int) -> bytes:
    """The public chance that is announced now. named: the last round of drand that was; the next lies behind it."""
    if beacon == "none":
        return b""
    return dice_plan() if beacon == "dice" else drand_plan(max(round_after(-(-now_ms // 1000) + WAIT_S), named + 1))


def next_step(room: Room, sealing: Sealing, master: bytes | None, now_ms: int) -> Decision | None:
    """What follows by itself from how things stand, while an attempt is under way; None where nothing does."""
    ledger = room.ledger
    if ledger is None or room.game is None or room.game.finished:
        return None
    now_ms = max(now_ms, ledger.clock)  # the clock may have been set back; the times of a record never fall
    if ledger.stage == "reveal":
        return _revealed(room, ledger, sealing, now_ms)
    if ledger.stage != "ready" or room.wanted is not None or master is None or ledger.attempt is None:
        return None
    freed = [seat for seat in (*ledger.own, *ledger.pending) if ledger.takes_part(seat) and not room.has_device(seat)]
    if freed:
        return _forgotten(sealing, freed[0], _given_up(ledger, freed[0], "freed"))
    pending = _pending_seat(room, ledger, sealing, now_ms)
    return pending or _new_seat(room, ledger, sealing, master, now_ms) or _late_turn(room, ledger)


def _given_up(ledger: Ledger, seat: int, why: Loss) -> Event:
    """A device takes part no longer."""
    pending = ledger.pending.get(seat)
    return SeatVoid(seat) if pending and pending.alone else Lost(seat, why)


def _forgotten(sealing: Sealing, seat: int, *events: Event) -> Decision:
    """What is told, and what a device gave until now is not asked of it any more."""
    sealing.heads.pop(seat, None)
    sealing.links.pop(seat, None)
    sealing.asked.discard(seat)
    return _told(*events)


def _revealed(room: Room, ledger: Ledger, sealing: Sealing, now_ms: int) -> Decision | None:
    assert ledger.attempt is not None, "it is under way"
    number = planned_round(ledger.attempt.plan)
    if sealing.refused or (number is not None and now_ms >= round_time(number) * 1000):
        return _told(Void(tuple(sorted(sealing.refused))))
    if awaited(room, sealing):
        return None
    reveals = Reveals({seat: sealing.links[seat] for seat in ledger.own}, now_ms)
    if ledger.attempt.plan:
        return _told(reveals)
    seed = with_event(ledger, reveals).seed_with(b"")
    return _told(reveals, Ready(b"", seed, signs(seed)))


def _new_seat(room: Room, ledger: Ledger, sealing: Sealing, master: bytes, now_ms: int) -> Decision | None:
    """Seats that came during the game, or whose devices did, or that wait after a loss: their dice are to be fixed."""
    for seat in range(room.seat_count):
        chains = ledger.chains.get(seat)
        needed = chains is None or seat in ledger.waiting
        wanted = chains is not None and chains.heads.player is None and room.has_device(seat)
        if seat in ledger.pending or not (needed or wanted):
            continue
        head = sealing.heads.get(seat)
        if head is None and seat not in sealing.silent and room.has_device(seat):
            sealing.asked.add(seat)  # its device is asked, and comes in by and by
        elif head is not None or needed:
            return _forgotten(sealing, seat, _committed(ledger, seat, head, master, now_ms))
    return None


def _committed(ledger: Ledger, seat: int, head: bytes | None, master: bytes, now_ms: int) -> Event:
    """The heads of one seat. Where public chance was announced it gets one of its own, named beforehand."""
    attempt = ledger.attempt
    assert attempt is not None, "it is ready"
    heads = Committed(seat, server_link(master, attempt.game, seat + 1, 0, attempt.links), head)
    if not attempt.plan:
        return Late(seat, heads.server, head)
    plan = _plan("dice" if planned_round(attempt.plan) is None else "drand", now_ms, ledger.round)
    rules, previous = settings_hash(ledger.rules_hash, attempt.spill), ledger.previous
    t0 = opening_hash(attempt.game, rules, previous, attempt.links, plan, [spec_heads(heads)])
    return SeatAttempt(seat, heads.server, head, plan, previous, t0, now_ms)


def _pending_seat(room: Room, ledger: Ledger, sealing: Sealing, now_ms: int) -> Decision | None:
    """What follows for a seat whose dice are being fixed."""
    away = room.game.state.away if room.game else ()
    for seat, pending in ledger.pending.items():
        link = sealing.links.get(seat) if pending.own else None
        if pending.revealed or (pending.own and link is None):
            continue
        if pending.alone is None:
            if ledger.lap_done(seat, away):
                return _told(LateReady(seat, link, ledger.laps(seat), ledger.late_seed_of(seat, link)))
        elif _too_late(pending, now_ms):
            return _forgotten(sealing, seat, SeatVoid(seat))
        else:
            return _told(SeatReveal(seat, link, now_ms))
    return None


def _too_late(pending: Pending, now_ms: int) -> bool:
    number = planned_round(pending.alone.plan) if pending.alone else None
    return number is not None and now_ms >= round_time(number) * 1000


def _late_turn(room: Room, ledger: Ledger) -> Decision | None:
    """It is the turn of a seat that may not throw yet: it goes by. Where none may, and nothing is to come that all wait
    for, all is drawn anew."""
    game = room.game
    seat = None if game is None else game.next_seat
    if game is None or seat is None or ledger.may_draw(seat):
        return None
    pending, away = ledger.pending.get(seat), game.state.away
    if pending is None or (pending.alone is None and ledger.lap_done(seat, away)):
        return None
    others = set(game.state.order) - set(away) - set(ledger.waiting)
    if game.can(Pass(seat)) and (others or pending.alone is None):
        return Decision([{"t": "act", "act": act_to_json(Pass(seat))}])
    return None if pending.alone else Decision([{"t": "draw_again", "why": "late"}])


def time_is_up(room: Room, sealing: Sealing) -> Decision | None:
    """Those who were asked are waited for no longer: without a head a seat goes without, without a first link the
    attempt is void, and a late seat goes without."""
    late = awaited(room, sealing)
    sealing.silent |= late
    sealing.asked -= late
    if sealing.why is not None or room.ledger is None or not late:
        return None
    if room.ledger.stage == "reveal":
        return _told(Void(tuple(sorted(late))))
    lost = [_given_up(room.ledger, seat, "absent") for seat in sorted(late) if room.ledger.takes_part(seat)]
    for seat in late:
        sealing.links.pop(seat, None)
    return _told(*lost) if lost else None


def head_given(room: Room, sealing: Sealing, said: wire.Commit) -> None:
    """A device gives the head of its links; raises TableRefused."""
    head, ledger = bytes.fromhex(said.player), room.ledger
    game = sealing.game if sealing.why is not None else ledger.attempt.game if ledger and ledger.attempt else b""
    known = ledger.chains.get(said.seat) if ledger and sealing.why is None else None
    if known and known.heads.player == head and bytes.fromhex(said.game) == game:
        return  # it says again what it said
    if bytes.fromhex(said.game) != game or said.seat not in sealing.asked:
        raise refused("not_asked")
    given = sealing.heads.get(said.seat, head)
    others = {one for seat, one in sealing.heads.items() if seat != said.seat}
    others |= ledger.heads if ledger else set()
    if head != given or head in others or head == ZEROS:
        raise refused("bad_head")
    sealing.heads[said.seat] = head


def link_given(room: Room, sealing: Sealing, said: wire.Reveal) -> None:
    """A device shows its first link; raises TableRefused. One that it did not promise voids the attempt."""
    ledger, link = room.ledger, bytes.fromhex(said.link)
    attempt = ledger.attempt if ledger else None
    if ledger is None or attempt is None or bytes.fromhex(said.game) != attempt.game:
        raise refused("not_asked")
    pending = ledger.pending.get(said.seat)
    if link == (pending.link if pending else ledger.links.get(said.seat)):
        return  # it says again what it said
    owing = ledger.own if ledger.stage == "reveal" else [seat for seat in ledger.pending if ledger.takes_part(seat)]
    if said.seat not in owing or sealing.why is not None:
        raise refused("not_asked")
    if not ledger.is_reveal(said.seat, link):
        if ledger.stage == "reveal":
            sealing.refused.add(said.seat)
            sealing.silent.add(said.seat)
        raise refused("bad_link")
    sealing.links[said.seat] = link


def _told(*events: Event) -> Decision:
    return Decision([fair_body(event) for event in events])
