"""The games of an event: its tables begin, go on with who comes and leaves, and are closed with what was won there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from bobing.ports import Grant
from bobing.server import event_room as rooms
from bobing.server import late
from bobing.server.event_room import EventDecision, EventRoom
from bobing.server.running_event import EventMember, Running, stream_of
from bobing.server.table import Table
from bobing.tournament import acts
from bobing.tournament.state import Stage
from bobing.tournament.state import Table as EventTable
from bobing.wire import event_messages as wire

if TYPE_CHECKING:
    from bobing.server.desk import Desk


class EventGames:
    """Makes what is decided at a desk true at the tables that play, which are ordinary ones."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.host = desk, desk.host

    async def pass_on(self, running: Running, command: Any) -> None:
        """What is changed of a session's ways, or of a name, holds at once at the tables that play."""
        state = running.room.event.state
        if isinstance(command, wire.SessionSettings):
            settings = state.sessions[command.session].set.settings
            for table in state.tables_of(command.session):
                async with self._playing_at(table) as playing:
                    if playing is not None:
                        await late.settle(self.host, playing, settings)
        elif isinstance(command, wire.NameGuest) and (at := state.guests[command.guest].table) is not None:
            table = state.tables[at]
            async with self._playing_at(table) as playing:
                if playing is not None:
                    name = running.room.name_among(command.guest, table.seats)
                    seat = table.seats.index(command.guest)
                    await late.rename(self.host, playing, seat, name)

    @asynccontextmanager
    async def _playing_at(self, table: EventTable) -> AsyncGenerator[Table | None]:
        """The game of a table of the event, with its lock held; None where nobody plays there now."""
        if table.status != "open" or table.stream is None:
            yield None
            return
        playing = await self.host.table(table.stream)
        async with playing.lock:
            yield playing

    async def seat_and_store(
        self, running: Running, decision: EventDecision, key: str, actor: str, request: str
    ) -> None:
        """Store a decision; who sits down by it at a table that plays does so there, too."""
        room, into, moved = running.room, late.joined(running.room, decision), late.moved(running.room, decision)
        async with AsyncExitStack() as stack:
            playing: dict[int, Table] = {}
            for number in sorted({*moved, *(() if into is None else (into,))}):
                playing[number] = await self.host.table(room.event.state.tables[number].stream or "")
                await stack.enter_async_context(playing[number].lock)
                late.verify_leaving(number, playing[number], moved.get(number, ()))
            if into is not None and into not in moved:  # who comes back has a seat there
                late.verify(playing[into])
                decision = late.complete(room, decision, into, playing[into])
            await self.desk.store(running, decision, key, actor, request)
            if into is not None:
                await late.seat(self.host, playing[into], running.room, into)
            for number, moves in moved.items():
                for move in moves:
                    await late.move(self.host, playing[number], move)

    async def open_tables(self, running: Running, numbers: Sequence[int], key: str, request: str) -> None:
        """Make an ordinary table for each, then say so in the event: all of them, or none."""
        room, state = running.room, running.room.event.state
        waiting = [number for number, table in state.tables.items() if table.status == "waiting" and table.seats]
        opening = [acts.Open(number, f"pending {i}") for i, number in enumerate(numbers or waiting)]
        rooms.played(room, EventDecision(opening))  # refused before anything is made
        streams = await asyncio.gather(*(self._make_table(room, act.table) for act in opening))  # they share commits
        opened = [msgspec.structs.replace(act, stream=made) for act, made in zip(opening, streams, strict=True)]
        await self.desk.store(running, EventDecision(opened), key, "desk", request)
        here: dict[int, list[EventMember]] = {act.table: [] for act in opened}
        for member in running.members:
            if member.you.table in here:
                here[member.you.table].append(member)
        for act in opened:
            self.desk.board.follow(running, act.table, act.stream)
        await asyncio.gather(*(self.send_to_table(running, number, members) for number, members in here.items()))

    async def _make_table(self, room: EventRoom, number: int) -> str:
        table = room.event.state.tables[number]
        session = room.event.state.sessions[table.session].set
        stage = None if table.stage is None else room.event.state.stages[table.stage]
        names = [(room.name_among(guest, table.seats), guest) for guest in table.seats]
        start = table.seats.index(table.head) if table.head in table.seats else 0
        rules = session.rules if stage is None else stage.rules.to_table()
        choice = session.choice or {"sheet": "minnan", "house": {}}
        settings = session.settings if stage is None else {**session.settings, "dice": _dice_of(stage)}
        return await self.host.make_for_event(rules, choice, settings, names, start, room.code)

    async def close_tables(self, running: Running, command: wire.CloseTables, key: str, request: str) -> None:
        """What guests hold now is what they have won; who sat down at a table by themselves is a guest now. All
        tables are closed or none, and nobody throws there meanwhile.
        """
        async with AsyncExitStack() as stack:
            closed, room = EventDecision(), running.room
            for number in dict.fromkeys(command.tables):
                playing = await self.host.table(stream_of(room, number))
                await stack.enter_async_context(playing.lock)
                closing = rooms.closing(room, number, playing.room, sure=command.sure, paper=command.paper)
                room = rooms.played(room, closing)
                closed = EventDecision([*closed.acts, *closing.acts], {**closed.notes, **closing.notes})
            await self.desk.store(running, closed, key, "desk", request)

    async def send_to_table(self, running: Running, number: int, members: Sequence[EventMember]) -> None:
        """The devices of a table that has begun get a right of their own there, the host's."""
        table = running.room.event.state.tables.get(number)
        if table is None or table.stream is None:
            return
        for member in members:
            token = await self.host.issue(Grant(table.stream, "heir", None, self.host.clock.wall_ms()))
            member.send(msgspec.json.encode(wire.Seated(number, table.stream, token)))


def _dice_of(stage: Stage) -> str:
    return "digital" if stage.set.digital else "real"
