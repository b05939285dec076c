"""What those are told who look on here at a table of an event that another worker serves: read from the event's log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from bobing.ports import Bus, Log
from bobing.server import event_room as rooms
from bobing.server.event_room import PREFIX, EventRoom
from bobing.server.event_views import at_event
from bobing.server.table import Table, encode
from bobing.tournament.acts import act_from_json
from bobing.wire.messages import AtEvent


class FollowedEvents:
    """Events of tables that are followed. Without names: nobody at a table is told those by its event."""

    def __init__(self, log: Log, bus: Bus, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._log, self._bus, self._spawn, self._lock = log, bus, spawn, asyncio.Lock()
        self._rooms: dict[str, EventRoom] = {}
        self._told: dict[str, AtEvent] = {}

    async def follow(self, table: Table) -> Callable[[], None]:
        """Tell a table what is new of its event, until the function that is given back is called."""
        event = table.room.notes.get("event")
        if not event:
            return lambda: None
        end = await self._bus.follow(PREFIX + event, lambda _: self._spawn(self.tell(table)))

        def forget() -> None:
            end()
            self._told.pop(table.room.code, None)
            if not any(told.event == event for told in self._told.values()):
                self._rooms.pop(event, None)

        return forget

    async def tell(self, table: Table) -> None:
        """Tell those who look on what is new of the event, as the log has it now."""
        event, code = table.room.notes.get("event"), table.room.code
        if not event:
            return
        async with self._lock:
            room = await self._read_on(event)
        number = next((number for number, one in room.event.state.tables.items() if one.stream == code), None)
        if number is None or self._told.get(code) == (news := at_event(room, number)):
            return
        self._told[code] = news
        for member in list(table.members):
            member.send(encode(news))

    def told(self, code: str) -> AtEvent | None:
        """What a table was told last; None where it is of no event."""
        return self._told.get(code)

    async def _read_on(self, code: str) -> EventRoom:
        room = self._rooms.get(code) or rooms.load(code, (), {})
        event = room.event
        for entry in await self._log.read(PREFIX + code, room.n):
            event = event.taken(act_from_json(json.loads(entry.body)["act"]))
        self._rooms[code] = room = replace(room, n=len(event.log), event=event)
        return room
