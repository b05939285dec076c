"""An event that goes on at another machine: handed over, taken over, or taken back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bobing.ports import Entry
from bobing.server import standby
from bobing.server.event_room import PREFIX, EventDecision
from bobing.server.running_event import Running, key_of
from bobing.tournament import acts
from bobing.wire import event_messages as wire

if TYPE_CHECKING:
    from bobing.server.desk import Desk


class HandingOver:
    """Moves events of a desk between machines; one is taken over at a time."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self._taking = desk, asyncio.Lock()

    async def hand_off(self, code: str, to: str) -> bytes:
        """The event goes on at another machine: the file that has it whole. Again, the same file; raises EventRefused.

        Every table stands still while the hand-over is stored, so that the file has all that was acknowledged.
        """
        running = await self.desk.event(code)
        return await self.desk.host.tasks.finished(self._hand_off(running, to))

    async def take_over(self, data: bytes, machine: str) -> wire.NewEventMade:
        """An event from a file goes on here: its code, and a token for a desk; raises EventRefused."""
        return await self.desk.host.tasks.finished(self._take_over(data, machine))

    async def take_back(self, code: str, machine: str) -> None:
        """An event that was handed over goes on here after all; raises EventRefused."""
        running = await self.desk.event(code)
        await self.desk.host.tasks.finished(self._take_back(running, machine))

    async def _hand_off(self, running: Running, to: str) -> bytes:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(running.lock)
            await self.desk.catch_up(running)  # another process may have written to it
            state = running.room.event.state
            if state.handed_to is None:
                for table in state.tables.values():
                    if table.status == "open" and table.stream is not None:
                        await stack.enter_async_context((await self.desk.host.table(table.stream)).lock)
                await self.desk.store(running, EventDecision([acts.HandOff(to)]), key_of("hand-off"), "desk", "")
            return await standby.packed(self.desk.log, running.room, PREFIX + running.room.code)

    async def _take_over(self, data: bytes, machine: str) -> wire.NewEventMade:
        async with self._taking:  # the reading of a file, too, which takes much memory
            packed = await asyncio.to_thread(standby.unpacked, data, PREFIX)
            code = packed.room.code
            if packed.room.event.state.handed_to is None:
                raise standby.never_handed_over()
            there = await self.desk.log.read(PREFIX + code)
            if not self._just_taken(there, packed.event):
                standby.verify_prefix(there, packed.event)
                for stream in packed.tables:
                    standby.verify_prefix(await self.desk.log.read(stream.stream), stream)
                    await self._verify_ours(code, stream.stream)
                for stream in packed.tables:
                    await standby.unpack(self.desk.log, stream)
                taken = self.desk.new_entry(acts.TakeOver(machine), "take-over")
                await standby.unpack(self.desk.log, packed.event, [taken])
                await self._read_again(code, packed)
        return wire.NewEventMade(code, await self.desk.pass_for(code, "desk", None))

    async def _verify_ours(self, code: str, stream: str) -> None:
        """Refuse a file that would make a table of ours one of another event; raises EventRefused."""
        there = await self.desk.log.read(stream, limit=1)
        if there and (await self.desk.log.notes(stream)).get("event") != code:
            raise standby.forked(stream, 1)

    @staticmethod
    def _just_taken(there: Sequence[Entry], event: standby.Stream) -> bool:
        """Whether this very file was taken over, and nothing has happened since: the answer may have been lost."""
        taken = len(there) == len(event.entries) + 1 and json.loads(there[-1].body)["act"]["do"] == "take_over"
        return taken and there[-2].h == event.chain()[-1]

    async def _read_again(self, code: str, packed: standby.Packed) -> None:
        """Tables and event as they were before they went away may be in memory still."""
        for stream in packed.tables:
            table = self.desk.host.tables.get(stream.stream)
            if table is not None:
                async with table.lock:
                    await self.desk.host.catch_up(table)
        running = self.desk.events.get(code)
        if running is not None:
            async with running.lock:
                await self.desk.catch_up(running)

    async def _take_back(self, running: Running, machine: str) -> None:
        async with running.lock:
            await self.desk.catch_up(running)
            await self.desk.store(running, EventDecision([acts.TakeOver(machine)]), key_of("take-back"), "desk", "")
