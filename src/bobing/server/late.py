"""What the event says of tables that play already is done there, too: who sits down, who leaves, names, settings.

The event is told first; a table that lacks seats which the event has there gets them, so that nothing between the two
is lost where the process ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bobing.core.act_json import act_to_json
from bobing.core.acts import Join, Leave
from bobing.server import event_room as rooms
from bobing.server.decision import Decision
from bobing.server.event_room import EventDecision, EventRoom
from bobing.server.host import Host
from bobing.server.names import clean_name
from bobing.server.opening import settings_body
from bobing.server.seating import seat_added
from bobing.server.table import Table
from bobing.tournament import acts
from bobing.tournament.acts import Act
from bobing.wire.messages import Settings


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


def left(room: EventRoom, act: Act) -> tuple[int, int] | None:
    """The open table that a guest leaves to sit down elsewhere, and the seat there."""
    guest = room.event.state.guests.get(act.guest) if isinstance(act, acts.Sit) else None
    table = None if guest is None or guest.table is None else room.event.state.tables[guest.table]
    if guest is None or table is None or table.status != "open":
        return None
    return table.number, table.seats.index(guest.number)


async def seat(host: Host, playing: Table, room: EventRoom, number: int) -> None:
    """Give a table the seats that the event has there and it has not; with its lock held."""
    seats = room.event.state.tables[number].seats
    for guest in seats[playing.room.seat_count :]:
        taken = [playing.room.name(at) for at in range(playing.room.seat_count)]
        name = clean_name(room.name_among(guest, seats), taken) if room.name(guest) else ""
        await host.keep(playing, seat_added(playing.room, name, guest=guest), "late")
    await host.dealer.tend(playing)


async def leave(host: Host, playing: Table, seat: int) -> None:
    """A seat leaves the game, unless it has; with the table's lock held."""
    game = playing.room.game
    if game is not None and not game.finished and seat not in game.state.away:
        await host.keep(playing, Decision([{"t": "act", "act": act_to_json(Leave(seat))}]), "left")
        await host.dealer.tend(playing)


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
