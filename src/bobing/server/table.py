"""A table in memory and those who are connected to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from bobing.ports import Lease
from bobing.server.room import Room
from bobing.server.sealing import Sealing
from bobing.wire import messages as wire


class Member(Protocol):
    """One connection at a table."""

    you: wire.You
    token_hash: bytes

    def send(self, message: bytes) -> None:
        """Put a message in the outbox; never waits."""
        ...

    def dismiss(self, why: str) -> None:
        """End the connection with a word why."""
        ...


@dataclass(slots=True)
class Table:
    """A table in memory: its room, who is connected, and the lock that makes it the only writer.

    lease: the right to write to it, where there are several workers; followed: another worker serves it, and who is
    here only looks on; there: seats whose device is at that worker, as it told at `heard`, monotonic; None: not known.

    used: when somebody was last there or asked for it, monotonic. master: what the running attempt is drawn from;
    sealing: what devices are asked for meanwhile, and when they are waited for no longer.
    """

    room: Room
    lease: Lease | None = None
    followed: bool = False
    there: frozenset[int] | None = None
    heard: int = 0
    members: set[Member] = field(default_factory=set["Member"])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    commands: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    lines: list[wire.Line] | None = None
    timer: asyncio.TimerHandle | None = None
    presence: asyncio.TimerHandle | None = None
    deadline: int | None = None
    used: int = 0
    master: bytes | None = None
    sealing: Sealing = field(default_factory=Sealing)
    sealing_timer: asyncio.TimerHandle | None = None
    wanted: dict[tuple[bytes, int, int], asyncio.Future[bytes]] = field(
        default_factory=dict[tuple[bytes, int, int], "asyncio.Future[bytes]"]
    )

    @property
    def online(self) -> set[int]:
        """Seats whose own device is connected here."""
        seats = {self.seat_of(member) for member in self.members}
        return {seat for seat in seats if seat is not None}

    def rest(self) -> None:
        """Wait for nothing any more."""
        for timer in (self.timer, self.presence, self.sealing_timer):
            if timer:
                timer.cancel()

    def seat_of(self, member: Member) -> int | None:
        """The seat that a connection plays."""
        return self.room.host_seat if member.you.role == "host" else member.you.seat


def encode(message: wire.ServerMessage) -> bytes:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message)
