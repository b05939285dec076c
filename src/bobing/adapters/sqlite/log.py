"""The log in a SQLite file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from bobing.adapters.sqlite import statements
from bobing.adapters.sqlite.file import make_store
from bobing.adapters.sqlite.readers import Readers
from bobing.adapters.sqlite.writer import Writer
from bobing.ports import Entry, Grant, Holding, Lease, NewEntry, Right, Worker, Writes


class SqliteLog:
    """The log of `bobing.ports.Log` in a file that several processes may share.

    Every write is on the disk when its call returns (WAL, synchronous=FULL); those that come together share a commit.
    NotSaved means that nothing of the request is kept; only where the process dies before the disk works again may it
    be found whole afterwards, and then the same command again is RepeatedCommand.
    """

    def __init__(self, path: Path) -> None:
        self._writer = Writer(path, make_store(path))
        self._readers = Readers(path)

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
        """Append behind entry `expected`, with notes and seats revoked, in one transaction.

        Raises LostRace, RepeatedCommand, RightGone, LostLease, NotSaved.
        """
        work = partial(
            statements.append,
            stream=stream,
            expected=expected,
            new=tuple(entries),
            notes=dict(notes or {}),
            revoked=tuple(revoke),
            right=right,
            lease=lease,
        )
        return await self._writer.do(work, erases=None in (notes or {}).values())

    async def read(self, stream: str, after: int = 0, limit: int = 100_000) -> Sequence[Entry]:
        """The entries behind number `after`, in order."""
        return await self._readers.ask(partial(statements.read, stream=stream, after=after, limit=limit))

    async def find(self, stream: str, cmd: str) -> Entry | None:
        """The entry of a command, if it is in the log."""
        return await self._readers.ask(partial(statements.find, stream=stream, cmd=cmd))

    async def streams(self, prefix: str = "") -> Sequence[tuple[str, int]]:
        """Names of streams and the number of their last entry, by name."""
        return await self._readers.ask(partial(statements.streams, prefix=prefix))

    async def heads(self, streams: Collection[str]) -> Mapping[str, int]:
        """The number of the last entry of each of these streams that exists."""
        return await self._readers.ask(partial(statements.heads, names=tuple(streams)))

    async def set_notes(self, stream: str, notes: Mapping[str, str | None]) -> None:
        """Set or, with None, erase notes of a stream. What was erased stands nowhere in the file any more."""
        kept = dict(notes)
        erases = None in kept.values()
        await self._writer.do(partial(statements.set_notes, stream=stream, notes=kept), erases=erases)

    async def notes(self, stream: str) -> Mapping[str, str]:
        """All notes of a stream."""
        return await self._readers.ask(partial(statements.notes, stream=stream))

    async def keep_secret(self, stream: str, key: str, secret: bytes | None) -> None:
        """Keep a secret of a stream, or with None erase it. What was erased stands nowhere in the file any more."""
        work = partial(statements.keep_secret, stream=stream, key=key, secret=secret)
        await self._writer.do(work, erases=secret is None)

    async def secret(self, stream: str, key: str) -> bytes | None:
        """A secret that was kept and not erased."""
        return await self._readers.ask(partial(statements.secret, stream=stream, key=key))

    async def secrets(self, stream: str) -> Mapping[str, bytes]:
        """All secrets of a stream."""
        return await self._readers.ask(partial(statements.secrets, stream=stream))

    async def grants(self, stream: str) -> Sequence[tuple[bytes, Grant]]:
        """All grants of a stream with the hashes of their tokens."""
        return await self._readers.ask(partial(statements.grants, stream=stream))

    async def grant(self, token_hash: bytes, grant: Grant, *, ending: Collection[str] = ()) -> None:
        """Keep a grant under the hash of its token; others of its stream with a role that ends are gone."""
        await self._writer.do(partial(statements.grant, token_hash=token_hash, given=grant, ending=tuple(ending)))

    async def granted(self, token_hash: bytes) -> Grant | None:
        """The grant of a token hash that was not revoked."""
        return await self._readers.ask(partial(statements.granted, token_hash=token_hash))

    async def revoke(self, stream: str, *, role: str | None = None, seat: int | None = None) -> int:
        """Revoke grants of a stream (all, or those of a role, or of a seat); how many there were."""
        return await self._writer.do(partial(statements.revoke, stream=stream, role=role, seat=seat))

    async def beat(self, worker: Worker, life_ms: int) -> bool:
        """Say that a worker is alive; False where it was new or counted as dead."""
        return await self._writer.do(partial(statements.beat, worker=worker, life_ms=life_ms, now=_now_ms()))

    async def claim(self, name: str, worker: Worker, life_ms: int) -> Holding:
        """Take the lease of a name, unless another that is alive holds it; who holds it then."""
        work = partial(statements.claim, name=name, worker=worker, life_ms=life_ms, now=_now_ms())
        return await self._writer.do(work)

    async def held(self, worker: Worker) -> Mapping[str, int]:
        """The epochs of all leases that a worker holds."""
        return await self._readers.ask(partial(statements.held, worker=worker))

    async def leave(self, worker: Worker) -> None:
        """A worker ends: everybody may take over at once."""
        await self._writer.do(partial(statements.leave, worker=worker))

    async def follow(self, worker: Worker) -> None:
        """A worker is reached from now on where others were before: they have ended."""
        await self._writer.do(partial(statements.follow, worker=worker))

    def writes(self) -> Writes:
        """What its writing came to."""
        return self._writer.writes()

    async def close(self) -> None:
        """Finish what is under way and let go of the file; the last to do so puts everything into one file."""
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        self._readers.stop()
        self._writer.stop()


def _now_ms() -> int:
    """By what beats are counted: the time since the machine started, which all its processes share and nobody sets."""
    return time.monotonic_ns() // 1_000_000
