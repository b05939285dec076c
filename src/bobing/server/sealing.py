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
from bobing.fairness.events import Attempt, Committed, Event, Late, LateReady, Lost, Ready, Reveals, Void, Why
from bobing.fairness.ledger import Ledger, spec_heads
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import signs
from bobing.server.refusal import refused
from bobing.server.room import Decision, Room, fair_body
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
    return ledger.stage == "ready" and room.wanted is None and game.next_seat not in ledger.waiting


def awaited(room: Room, sealing: Sealing) -> set[int]:
    """Seats whose devices are waited for."""
    ledger = room.ledger
    if sealing.why is not None:
        return sealing.asked - sealing.heads.keys()
    if ledger is None:
        return set()
    if ledger.stage == "reveal":
        return set(ledger.own) - sealing.links.keys()
    owing = {seat for seat in ledger.waiting if ledger.chains[seat].own} - sealing.links.keys()
    return owing | (sealing.asked - sealing.heads.keys() - ledger.chains.keys())


def attempt_of(room: Room, sealing: Sealing, master: bytes, now_ms: int) -> Attempt:
    """The attempt, once everybody who was asked gave a head or is waited for no longer."""
    assert room.ledger is not None, "asked for where dice are proved"
    assert sealing.why is not None, "and where they have to be fixed"
    game, plan = sealing.game, _plan(room.settings.beacon, now_ms)
    seats = tuple(
        Committed(seat, server_link(master, game, seat + 1, 0, LINKS), sealing.heads.get(seat))
        for seat in range(room.seat_count)
    )
    previous, spill = room.ledger.previous, room.settings.spill
    rules = settings_hash(room.ledger.rules_hash, spill)
    opening = opening_hash(game, rules, previous, LINKS, plan, [spec_heads(heads) for heads in seats])
    return Attempt(sealing.why, game, LINKS, plan, previous, spill, seats, opening, now_ms)


def _plan(beacon: Literal["none", "drand", "dice"], now_ms: int) -> bytes:
    if beacon == "none":
        return b""
    return dice_plan() if beacon == "dice" else drand_plan(round_after(-(-now_ms // 1000) + WAIT_S))


def next_step(room: Room, sealing: Sealing, master: bytes | None, now_ms: int) -> Decision | None:
    """What follows by itself from how things stand, while an attempt is under way; None where nothing does."""
    ledger = room.ledger
    if ledger is None or room.game is None or room.game.finished:
        return None
    if ledger.stage == "reveal":
        return _revealed(room, ledger, sealing, now_ms)
    if ledger.stage != "ready" or room.wanted is not None or master is None or ledger.attempt is None:
        return None
    freed = [seat for seat in ledger.own if not room.has_device(seat)]
    if freed:
        return _told(Lost(freed[0], "freed"))
    return _late_seat(room, ledger, sealing, master) or _late_turn(room, ledger)


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
    seed = ledger.with_event(reveals).seed_with(b"")
    return _told(reveals, Ready(b"", seed, signs(seed)))


def _late_seat(room: Room, ledger: Ledger, sealing: Sealing, master: bytes) -> Decision | None:
    """Seats that came during the game: each gets chains, and its seed when everybody else has thrown."""
    assert ledger.attempt is not None, "it is ready"
    for seat in range(room.seat_count):
        if seat in ledger.chains:
            continue
        head = sealing.heads.get(seat)
        if head is None and seat not in sealing.silent and room.has_device(seat):
            sealing.asked.add(seat)  # its device is asked, and comes in by and by
            continue
        return _told(Late(seat, server_link(master, ledger.attempt.game, seat + 1, 0, ledger.attempt.links), head))
    away = room.game.state.away if room.game else ()
    for seat in ledger.waiting:
        own = ledger.chains[seat].own
        link = sealing.links.get(seat) if own else None
        if ledger.lap_done(seat, away) and (link is not None or not own):
            return _told(LateReady(seat, link, ledger.laps[seat], ledger.late_seed_of(seat, link)))
    return None


def _late_turn(room: Room, ledger: Ledger) -> Decision | None:
    """It is the turn of a seat that may not throw yet: it goes by; in a roll-off, where none may, all is drawn anew."""
    game = room.game
    seat = None if game is None else game.next_seat
    if game is None or seat is None or seat not in ledger.waiting or ledger.lap_done(seat, game.state.away):
        return None
    if game.can(Pass(seat)):
        return Decision([{"t": "act", "act": act_to_json(Pass(seat))}])
    return Decision([{"t": "draw_again", "why": "late"}])


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
    lost = [Lost(seat, "absent") for seat in sorted(late) if seat in room.ledger.own]
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
    others |= {one.heads.player for one in ledger.chains.values() if one.heads.player} if ledger else set()
    if head != given or head in others or head == ZEROS:
        raise refused("bad_head")
    sealing.heads[said.seat] = head


def link_given(room: Room, sealing: Sealing, said: wire.Reveal) -> None:
    """A device shows its first link; raises TableRefused. One that it did not promise voids the attempt."""
    ledger, link = room.ledger, bytes.fromhex(said.link)
    attempt = ledger.attempt if ledger else None
    if ledger is None or attempt is None or bytes.fromhex(said.game) != attempt.game:
        raise refused("not_asked")
    if ledger.links.get(said.seat) == link:
        return  # it says again what it said
    owing = ledger.own if ledger.stage == "reveal" else ledger.waiting
    if said.seat not in owing or not ledger.chains[said.seat].own or sealing.why is not None:
        raise refused("not_asked")
    if not ledger.is_reveal(said.seat, link):
        if ledger.stage == "reveal":
            sealing.refused.add(said.seat)
            sealing.silent.add(said.seat)
        raise refused("bad_link")
    sealing.links[said.seat] = link


def _told(*events: Event) -> Decision:
    return Decision([fair_body(event) for event in events])
