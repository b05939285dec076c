"""What the product needs from the world, as small protocols. Adapters supply them; nothing here does anything.

Streams are named by text: a table of players is one stream, an event another. Entries of a stream are numbered from 1
without a gap, chained by hash, and never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bobing.core.errors import BobingError


class LogError(BobingError):
    """The log could not do what was asked; nothing was written."""

    code = "log/failed"


class LostRace(LogError):
    """Somebody else appended first: `head` is the number of the last entry now."""

    code = "log/lost_race"

    def __init__(self, head: int) -> None:
        super().__init__(f"the stream is at {head} already; read on and try again")
        self.head = head


class RepeatedCommand(LogError):
    """This command is in the log already: `entry` is what it led to. `same` tells whether its body was the same."""

    code = "log/repeated_command"

    def __init__(self, entry: Entry, *, same: bool) -> None:
        super().__init__("this command was carried out before")
        self.entry, self.same = entry, same


class RightGone(LogError):
    """The right on which an append was asked for is not there any more, or is another one now."""

    code = "log/right_gone"

    def __init__(self) -> None:
        super().__init__("the right to this was taken away meanwhile; ask for a new link")


class NotSaved(LogError):
    """The disk is full or failed: nothing of this append is kept, and the caller must not say that it is."""

    code = "log/not_saved"


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to append. cmd: the client's own id of the command; at: wall time in ms, as data only; actor: who."""

    cmd: str
    at: int
    actor: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log. h chains it to the one before, as `bobing.core.record` chains lines."""

    stream: str
    n: int
    cmd: str
    at: int
    actor: str
    body: bytes
    h: bytes


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows: a role on a stream, and the seat where the role is one.

    role: `host`, `seat`, `watch`, or `heir`: who becomes the host, in the place of the one before, by coming in.
    """

    stream: str
    role: str
    seat: int | None
    made: int


@dataclass(frozen=True, slots=True)
class Right:
    """On what an append is asked for: a token that has to hold this role and seat on the stream still."""

    token_hash: bytes
    role: str
    seat: int | None

    def holds(self, grant: Grant | None, stream: str) -> bool:
        """Whether the token's grant of now is what the right says."""
        return grant is not None and (grant.stream, grant.role, grant.seat) == (stream, self.role, self.seat)


class Log(Protocol):
    """Append-only streams, with erasable notes (names), secrets and grants (hashed tokens) beside them.

    Every write is durable when the call returns. Any call may raise NotSaved.
    """

    async def append(
        self,
        stream: str,
        expected: int,
        entries: Sequence[NewEntry],
        *,
        notes: Mapping[str, str | None] | None = None,
        revoke: Collection[int] = (),
        right: Right | None = None,
    ) -> Sequence[Entry]:
        """Append behind entry `expected`; all or nothing. Raises LostRace, RepeatedCommand, RightGone.

        notes: set with the entries, or with None erased; revoke: seats whose grants (role `seat`) end with them. right:
        what has to hold in that very moment.
        """
        ...

    async def read(self, stream: str, after: int = 0, limit: int = 100_000) -> Sequence[Entry]:
        """The entries behind number `after`, in order; () for a stream that does not exist."""
        ...

    async def find(self, stream: str, cmd: str) -> Entry | None:
        """The entry of a command, if it is in the log."""
        ...

    async def streams(self, prefix: str = "") -> Sequence[tuple[str, int]]:
        """Names of streams and the number of their last entry, by name."""
        ...

    async def set_notes(self, stream: str, notes: Mapping[str, str | None]) -> None:
        """Set or, with None, erase notes of a stream."""
        ...

    async def notes(self, stream: str) -> Mapping[str, str]:
        """All notes of a stream."""
        ...

    async def keep_secret(self, stream: str, key: str, secret: bytes | None) -> None:
        """Keep a secret of a stream, or with None erase it. It is in no entry and no note, and given out to nobody."""
        ...

    async def secret(self, stream: str, key: str) -> bytes | None:
        """A secret that was kept and not erased."""
        ...

    async def grant(self, token_hash: bytes, grant: Grant, *, ending: Collection[str] = ()) -> None:
        """Keep a grant under the hash of its token. ending: roles whose other grants of the stream end with that."""
        ...

    async def granted(self, token_hash: bytes) -> Grant | None:
        """The grant of a token hash that was not revoked."""
        ...

    async def revoke(self, stream: str, *, role: str | None = None, seat: int | None = None) -> int:
        """Revoke grants of a stream (all, or those of a role, or of a seat); how many there were."""
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of the store."""
        ...


class Dice(Protocol):
    """Where digital dice come from: the machine, a script, or a draw that can be proved (`bobing.fairness.draw`)."""

    def throw(self, dice: int = 6) -> tuple[int, ...]:
        """So many faces, each 1..6, independent and uniform."""
        ...


class Clock(Protocol):
    """Time: monotonic for waiting, wall time as data."""

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since 1970, for people to read."""
        ...
