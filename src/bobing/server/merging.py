"""A table that is merged into another in one go: closed, where it plays still, and its guests seated there."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bobing.server import event_room as rooms
from bobing.server import late
from bobing.server.event_room import EventDecision
from bobing.server.running_event import Running, stream_of
from bobing.tournament import acts
from bobing.tournament.tables import table_of
from bobing.wire import event_messages as wire

if TYPE_CHECKING:
    from bobing.server.desk import Desk


async def merge(desk: Desk, running: Running, command: wire.MergeTables, key: str, request: str) -> None:
    """Both are stored together or neither, and nobody throws at either table meanwhile; raises EventRefused."""
    room, tables = running.room, running.room.event.state.tables
    for number in (command.table, command.into):
        table_of(room.event.state, number)
    playing = sorted(number for number in {command.table, command.into} if tables[number].status == "open")
    async with AsyncExitStack() as stack:
        there = {number: await desk.host.table(stream_of(room, number)) for number in playing}
        for number in playing:
            await stack.enter_async_context(there[number].lock)
        closing = EventDecision()
        if command.table in there and command.table != command.into:
            closing = rooms.closing(room, command.table, there[command.table].room, sure=False, paper=command.paper)
        closed = rooms.played(room, closing)
        merging = EventDecision([acts.Merge(command.table, command.into, sure=command.sure)])
        rooms.verify_merge(closed, command.table, command.into, sure=command.sure)
        into = there.get(command.into)
        if into is not None:
            late.verify(into)
            merging = late.complete(closed, merging, command.into, into)
        whole = EventDecision([*closing.acts, *merging.acts], {**closing.notes, **merging.notes})
        await desk.store(running, whole, key, "desk", request)
        if into is not None:
            await late.seat(desk.host, into, running.room, command.into)
