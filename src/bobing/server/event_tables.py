"""What the host of the tables asks about those that belong to an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bobing.server import event_rights, late
from bobing.server import event_views as views
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.wire import messages

if TYPE_CHECKING:
    from bobing.server.desk import Desk


class EventTables:
    """Answers for the tables of a desk's events."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def changed(self, room: Room) -> None:
        """The host tells that a table of ours has changed."""
        running = self.desk.events.get(room.notes.get("event", ""))
        number = None if running is None else running.at.get(room.code)
        if running is not None and number is not None:
            self.desk.board.mark(running, number)

    async def may_change(self, room: Room) -> bool:
        """Whether a table takes acts: not after its event has closed it."""
        if "event" not in room.notes:
            return True
        running = await self.desk.event(room.notes["event"])
        number = running.at.get(room.code)
        table = None if number is None else running.room.event.state.tables.get(number)
        return table is not None and table.status == "open"

    async def verify(self, room: Room, command: messages.Command) -> None:
        """Raise TableRefused where a table is not to take a command because of its event."""
        if "event" not in room.notes:
            return
        if not await self.may_change(room):
            raise refused("event_closed")
        running = await self.desk.event(room.notes["event"])
        number = running.at[room.code]
        known, gone = len(running.room.event.state.tables[number].seats), late.elsewhere(running.room, number)
        event_rights.verify(room, command, known=known, gone=gone, now=self.desk.clock.wall_ms())

    async def of_event(self, room: Room) -> messages.AtEvent | None:
        """What the devices of a table are told of its event."""
        if "event" not in room.notes:
            return None
        running = await self.desk.event(room.notes["event"])
        number = running.at.get(room.code)
        return None if number is None else views.at_event(running.room, number)

    async def fence(self, room: Room) -> None:
        """Nothing is stored at a table whose event goes on at another machine; raises TableRefused."""
        if "event" in room.notes:
            running = await self.desk.event(room.notes["event"])
            if running.room.event.state.handed_to is not None:
                raise refused("handed_over")
