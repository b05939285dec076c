"""An event in memory, and who is connected to it."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

from bobing.ports import Lease
from bobing.server.event_room import EventRoom
from bobing.tournament.errors import EventRefused
from bobing.wire import event_messages as wire


class EventMember(Protocol):
    """One connection at an event."""

    you: Any
    token_hash: bytes

    def send(self, message: bytes) -> None:
        """Put a message in the outbox; never waits."""
        ...

    def dismiss(self, why: str) -> None:
        """End the connection with a word why."""
        ...


@dataclass(slots=True)
class Running:
    """An event in memory: who is connected, the lock that makes it the only writer, and what the board shows.

    at: the number of the table that plays in a stream; due: tables whose rows have changed since they were told.
    used: when somebody last asked for it; acted: when something was stored here last; both by the clock that is never
    set, and None where that was not since the event was read.
    """

    room: EventRoom
    lease: Lease | None = None
    members: set[EventMember] = field(default_factory=set["EventMember"])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    at: dict[str, int] = field(default_factory=dict[str, int])
    board: dict[int, wire.BoardRow] = field(default_factory=dict[int, wire.BoardRow])
    due: set[int] = field(default_factory=set[int])
    timer: asyncio.TimerHandle | None = None
    used: int | None = None
    acted: int | None = None


def stream_of(room: EventRoom, number: int) -> str:
    """The stream in which a table plays; raises EventRefused before it has begun."""
    table = room.event.state.tables.get(number)
    if table is None or table.stream is None:
        raise EventRefused(f"table {number} has not begun", "event/not_begun")
    return table.stream


def key_of(what: str) -> str:
    """A fresh key for an entry that no command asked for."""
    return f"{what}.{secrets.token_urlsafe(12)}"
