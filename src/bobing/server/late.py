"""What the event says of tables that play already is done there, too: who sits down, who leaves, names, settings.

The event is told first; a table that lacks seats which the event has there gets them, so that nothing between the two
is lost where the process ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import msgspec

from bobing.core.act_json import act_to_json
from bobing.core.acts import Back, Join, Leave
from bobing.server import event_room as rooms
from bobing.server.decision import Decision
from bobing.server.event_room import EventDecision, EventRoom
from bobing.server.host import Host
from bobing.server.names import clean_name
from bobing.server.opening import settings_body
from bobing.server.seating import seat_added
from bobing.server.table import Table
from bobing.tournament import acts
from bobing.wire.messages import Settings


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of a seat at a table that plays: its guest leaves it, or is back."""

    seat: int
    back: bool


def joined(room: EventRoom, decision: EventDecision) -> int | None:
    """The open table that guests sit down at by this decision; None for other ones. Changes of acts have none."""
    for act in decision.acts:
        number = act.table if isinstance(act, acts.Sit) else act.into if isinstance(act, acts.Merge) else None
        if number is not None and room.event.state.tables[number].status == "open":
            return number
    return None


def complete(room: EventRoom, decision: EventDecision, number: int, playing: Table) -> EventDecision:
    """The decision behind those who sat down at the table by themselves: seats keep their numbers."""
    came = rooms.sat_down(room, number, playing.room)
    return EventDecision([*came.acts, *decision.acts], {**came.notes, **decision.notes})


def moved(room: EventRoom, decision: EventDecision) -> Mapping[int, Sequence[Move]]:
    """By open table the seats whose guests go to another by this decision, or are back from there."""
    if not any(isinstance(act, acts.Sit | acts.Undo | acts.Correct) for act in decision.acts):
        return {}
    found = defaultdict[int, list[Move]](list)
    before, after = room.event.state, rooms.played(room, decision).event.state
    for number, guest in before.guests.items():
        now = after.guests.get(number, guest)
        if now.table != guest.table:
            for at, back in ((guest.table, False), (now.table, True)):
                table = before.tables.get(at or 0)
                if table is not None and table.status == "open" and number in table.seats:
                    found[table.number].append(Move(table.seats.index(number), back))
    return found


async def seat(host: Host, playing: Table, room: EventRoom, number: int) -> None:
    """Give a table the seats that the event has there and it has not; with its lock held."""
    seats = room.event.state.tables[number].seats
    for guest in seats[playing.room.seat_count :]:
        taken = [playing.room.name(at) for at in range(playing.room.seat_count)]
        name = clean_name(room.name_among(guest, seats), taken) if room.name(guest) else ""
        await host.keep(playing, seat_added(playing.room, name, guest=guest), "late")
    await host.dealer.tend(playing)


async def move(host: Host, playing: Table, move: Move) -> None:
    """A seat leaves the game or is back in it, unless that is so; with the table's lock held."""
    game = playing.room.game
    if game is not None and not game.finished and (move.seat in game.state.away) is move.back:
        act = Back(move.seat) if move.back else Leave(move.seat)
        await host.keep(playing, Decision([{"t": "act", "act": act_to_json(act)}]), "left")
        await host.dealer.tend(playing)


def strays(room: EventRoom, number: int, playing: Table) -> Sequence[Move]:
    """Seats at an open table that play on there although their guests have gone to another."""
    game, gone = playing.room.game, elsewhere(room, number)
    there = gone - game.state.away if game is not None and not game.finished else ()
    return [Move(seat, back=False) for seat in sorted(there)]


def elsewhere(room: EventRoom, number: int) -> AbstractSet[int]:
    """The seats of a session's table whose guests have gone to another one."""
    state = room.event.state
    table = state.tables[number]
    if table.stage is not None:
        return set()
    return {seat for seat, guest in enumerate(table.seats) if state.guests[guest].table != number}


async def rename(host: Host, playing: Table, seat: int, name: str) -> None:
    """A seat has the name that its guest has at the event; with the table's lock held."""
    taken = [playing.room.name(at) for at in range(playing.room.seat_count) if at != seat]
    await host.keep(playing, Decision(notes={f"name/{seat}": clean_name(name, taken)}), "late")


async def settle(host: Host, playing: Table, session: Mapping[str, Any]) -> None:
    """A table is run as its session is; its pace is its own, its dice are fixed. With the table's lock held."""
    now = playing.room.settings
    wanted = msgspec.convert({**session, "joining": now.joining, "dice": now.dice, "speed": now.speed}, Settings)
    if wanted != now:
        await host.keep(playing, Decision([{"t": "settings", "settings": settings_body(wanted)}]), "late")


def verify(playing: Table) -> None:
    """Raise ActRefused where nobody can sit down at a table any more."""
    if playing.room.game is not None:
        playing.room.game.verify(Join())


def verify_leaving(number: int, playing: Table, moves: Sequence[Move]) -> None:
    """Refuse to take somebody away whose throw waits for a second person; raises EventRefused."""
    claim = playing.room.claim
    if claim is not None and any(move.seat == claim.throw.seat and not move.back for move in moves):
        raise rooms.unconfirmed(number)
