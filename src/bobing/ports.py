"""What the product needs from the world, as small protocols. Adapters supply them; nothing here does anything.

Streams are named by text: a table of players is one stream, an event another. Entries of a stream are numbered from 1
without a gap, chained by hash, and never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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


class LostLease(LogError):
    """Another worker writes here now: nothing was written, and what this one knows may be old."""

    code = "log/lost_lease"


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


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that serves tables. address: where other workers reach it; key: what they show there."""

    id: str
    address: str
    key: str


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write under a name. Whoever takes it over gets a higher epoch, which fences those before."""

    name: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Holding:
    """Who holds a lease now."""

    worker: Worker
    lease: Lease


@dataclass(frozen=True, slots=True)
class Spread:
    """How values lie: counts[i] of them were at most bounds[i], the last count is of all; total: their sum."""

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    total: float


@dataclass(frozen=True, slots=True)
class Writes:
    """What a store's writing came to since it was opened.

    waiting: requests that wait now. sizes: requests made durable by one commit; seconds: how long each commit took.
    """

    waiting: int
    sizes: Spread
    seconds: Spread


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
        lease: Lease | None = None,
    ) -> Sequence[Entry]:
        """Append behind entry `expected`; all or nothing. Raises LostRace, RepeatedCommand, RightGone, LostLease.

        notes: set with the entries, or with None erased; revoke: seats whose grants (role `seat`) end with them. right:
        what has to hold in that very moment. lease: written only while nobody has taken it over.
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

    async def heads(self, streams: Collection[str]) -> Mapping[str, int]:
        """The number of the last entry of each of these streams that exists."""
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

    async def secrets(self, stream: str) -> Mapping[str, bytes]:
        """All secrets of a stream, for whoever carries it to another log."""
        ...

    async def grants(self, stream: str) -> Sequence[tuple[bytes, Grant]]:
        """All grants of a stream with the hashes of their tokens, by hash, for the same purpose."""
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


class Leases(Protocol):
    """Who writes under which name, and who is alive. A worker that did not say so for `life_ms` counts as dead."""

    async def beat(self, worker: Worker, life_ms: int) -> bool:
        """Say that a worker is alive; False where it was new or counted as dead: others may hold what it held."""
        ...

    async def claim(self, name: str, worker: Worker, life_ms: int) -> Holding:
        """Take the lease of a name, unless another that is alive holds it; who holds it then."""
        ...

    async def held(self, worker: Worker) -> Mapping[str, int]:
        """The epochs of all leases that a worker holds."""
        ...

    async def leave(self, worker: Worker) -> None:
        """A worker ends: everybody may take over at once."""
        ...

    async def follow(self, worker: Worker) -> None:
        """A worker is reached from now on where others were before: they have ended, as if they had left."""
        ...


class Store(Log, Leases, Protocol):
    """Everything that is kept."""

    def writes(self) -> Writes | None:
        """What its writing came to; None where nothing has to be made durable."""
        ...


class Bus(Protocol):
    """Word to other workers: that a stream is at n, or another number about it under a name made of its own.

    It may be lost, late or doubled: only the log is true.
    """

    @property
    def up(self) -> bool:
        """Whether word gets through at present, as far as is known; while not, look into the log more often."""
        ...

    def publish(self, stream: str, n: int) -> None:
        """Say that a stream is at n; never waits, and never fails."""
        ...

    async def follow(self, stream: str, heard: Callable[[int], None]) -> Callable[[], None]:
        """Call `heard` whenever a stream is said to be at n, until the function that is given back is called."""
        ...

    async def close(self) -> None:
        """Let go."""
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
