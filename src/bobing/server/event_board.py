"""The board of an event: the row of each table that plays, told at most twice a second."""

from __future__ import annotations

import asyncio

import msgspec

from bobing.server import event_views as views
from bobing.server import late
from bobing.server.host import Host
from bobing.server.running_event import Running
from bobing.server.table import Table
from bobing.wire import event_messages as wire

BOARD_MS = 500


class Board:
    """Tells the boards of all events what has changed at their tables."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def follow(self, running: Running, number: int, stream: str) -> None:
        """A table plays in this stream: its row is shown from now on."""
        running.at[stream] = number
        self.mark(running, number)

    def mark(self, running: Running, number: int) -> None:
        """The row of a table has changed: everybody hears of it within half a second."""
        running.due.add(number)
        if running.timer is None:
            loop = asyncio.get_running_loop()
            running.timer = loop.call_later(BOARD_MS / 1000, self._is_due, running)

    def _is_due(self, running: Running) -> None:
        running.timer = None
        self.host.tasks.spawn(self._tell(running))

    async def _tell(self, running: Running) -> None:
        due, running.due = running.due, set[int]()
        rows: dict[int, wire.BoardRow] = {}
        now = self.host.clock.wall_ms()
        for number in due:
            table = running.room.event.state.tables.get(number)
            if table is None or table.stream is None:
                continue
            playing = await self.host.table(table.stream)
            if table.status == "open":
                await self._as_the_event_has_it(running, number, playing)
            room = playing.room
            rows[number] = views.board_row(room, now, calling=number in running.room.calling)
        running.board |= rows
        if rows:
            data = msgspec.json.encode(wire.BoardNews(rows, now))
            for member in list(running.members):
                member.send(data)

    async def _as_the_event_has_it(self, running: Running, number: int, playing: Table) -> None:
        """Who sits down or has left by the event does so at the table, also where the process ended in between."""
        state = running.room.event.state
        missing = playing.room.seat_count < len(state.tables[number].seats)
        if state.handed_to is None and (missing or late.strays(running.room, number, playing)):
            async with playing.lock:
                await late.seat(self.host, playing, running.room, number)
                for move in late.strays(running.room, number, playing):
                    await late.move(self.host, playing, move)
