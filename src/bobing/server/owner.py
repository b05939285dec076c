"""Whoever runs the event that a table may belong to: what the host of the tables asks there, and tells."""

from __future__ import annotations

from typing import Protocol

from bobing.server.room import Room
from bobing.wire import messages as wire


class Owner(Protocol):
    """The desk of the events, as the host of the tables knows it."""

    def changed(self, room: Room) -> None:
        """An entry was stored at a table."""
        ...

    async def may_change(self, room: Room) -> bool:
        """Whether a table takes acts still."""
        ...

    async def verify(self, room: Room, command: wire.Command) -> None:
        """Raise TableRefused where a table is not to take a command because of its event."""
        ...

    async def of_event(self, room: Room) -> wire.AtEvent | None:
        """What the devices of a table are told of its event; None where it is of none."""
        ...

    async def fence(self, room: Room) -> None:
        """Raise TableRefused where the event of a table goes on at another machine."""
        ...


class NoOwner:
    """There are no events: every table is its own."""

    def changed(self, room: Room) -> None:
        """Nobody watches."""

    async def may_change(self, room: Room) -> bool:
        """Always."""
        del room
        return True

    async def verify(self, room: Room, command: wire.Command) -> None:
        """Everything goes."""

    async def of_event(self, room: Room) -> wire.AtEvent | None:
        """Of none."""
        del room
        return None

    async def fence(self, room: Room) -> None:
        """Nothing forbids it."""
