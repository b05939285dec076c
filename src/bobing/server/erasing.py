"""What is kept of guests is erased: of those who ask for it, and of all once an event was over long enough ago."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from bobing.core.errors import BobingError
from bobing.server import event_room as rooms
from bobing.server.event_room import PREFIX, EventDecision
from bobing.server.host import ASKED
from bobing.server.places import Elsewhere
from bobing.server.running_event import Running

if TYPE_CHECKING:
    from bobing.server.desk import Desk

_log = logging.getLogger("bobing.erasing")


class Erasing:
    """Forgets the guests of a desk's events. The log of an event and of its tables stays as it is, with all its hashes;
    no entry holds a name.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def erase(self, running: Running, guests: Sequence[int] = ()) -> None:
        """Forget these guests, or all where none is named: their names and numbers here, and their names at tables.

        With the event's lock held. The tables come first: where one cannot be reached, the list still has whom to
        erase there.
        """
        room = running.room
        for table in room.event.state.tables.values():
            if table.stream is None:
                continue
            sat: dict[int, int | None] = {seat: guest for seat, guest in enumerate(table.seats) if guest in guests}
            if not guests:
                there = range((await self.desk.host.table(table.stream)).room.seat_count)
                sat = dict(zip_longest(there, table.seats[: len(there)]))
            if sat:
                await self.desk.host.forget(table.stream, sat)
        await self.desk.log.keep_secret(PREFIX + room.code, ASKED, None)
        await self.desk.store(running, EventDecision(notes=rooms.erasure(room.notes, guests)), "", "desk", "")

    async def tidy(self) -> None:
        """Erase the guests of all events that were over long enough ago, as each declared. One that cannot be looked
        through now keeps no other from it, and has its turn the next time.
        """
        for stream, n in await self.desk.log.streams(PREFIX):
            try:
                await self._tidy_event(stream, n)
            except Elsewhere:  # the worker that has it does this
                continue
            except Exception as fault:  # noqa: BLE001 - one event must not keep the names of all others here
                code = fault.code if isinstance(fault, BobingError) else type(fault).__name__
                _log.error("the guest data of event %s could not be looked through: %s", stream, code)

    async def _tidy_event(self, stream: str, n: int) -> None:
        log, now = self.desk.log, self.desk.clock.wall_ms()
        if not any(name.startswith("guest/") for name in await log.notes(stream)):
            return
        (last,) = await log.read(stream, n - 1, 1)
        if now - last.at < rooms.DAY_MS and b'"sign_off"' not in last.body:
            return
        running = await self.desk.looked_at(stream.removeprefix(PREFIX))
        silent = now - last.at
        if running.acted is not None:  # a clock that is set goes on by years in a moment
            silent = min(silent, self.desk.clock.monotonic_ms() - running.acted)
        if rooms.is_to_be_erased(running.room, silent):
            async with running.lock:
                await self.erase(running)
