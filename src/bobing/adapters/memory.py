"""A log and a bus in memory: for tests, and for tables that nobody wants back."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence

from bobing.adapters.entries import START, alive, chained, closed, verify_append, verify_lease
from bobing.ports import Entry, Grant, Holding, Lease, NewEntry, Right, RightGone, Worker, Writes


class MemoryLog:
    """The log of `bobing.ports.Log`, gone with the process. For one event loop; nothing in it waits."""

    def __init__(self, now_ms: Callable[[], int] | None = None) -> None:
        self._now_ms = now_ms or (lambda: time.monotonic_ns() // 1_000_000)
        self._leases: dict[str, Holding] = {}
        self._beats: dict[str, int] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._commands: dict[tuple[str, str], Entry] = {}
        self._notes: dict[str, dict[str, str]] = {}
        self._grants: dict[bytes, Grant] = {}
        self._secrets: dict[tuple[str, str], bytes] = {}
        self._closed = False

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
        """Append behind entry `expected`, with notes and seats revoked. Raises as the port says."""
        self._open()
        if lease is not None:
            held = self._leases.get(lease.name)
            verify_lease(lease, held.lease.epoch if held else None)
        if right and not right.holds(self._grants.get(right.token_hash), stream):
            raise RightGone
        kept = self._entries.get(stream, [])
        head, h = (kept[-1].n, kept[-1].h) if kept else START
        verify_append(entries, expected, head, lambda cmd: self._commands.get((stream, cmd)))
        added = chained(stream, head, h, entries)
        if added:
            self._entries.setdefault(stream, kept).extend(added)
            self._commands.update({(stream, entry.cmd): entry for entry in added})
        if notes:
            self._note(stream, notes)
        for seat in revoke:
            self._revoke(stream, "seat", seat)
        return added

    async def read(self, stream: str, after: int = 0, limit: int = 100_000) -> Sequence[Entry]:
        """The entries behind number `after`, in order."""
        self._open()
        first = max(after, 0)
        return tuple(self._entries.get(stream, ())[first : first + max(limit, 0)])

    async def find(self, stream: str, cmd: str) -> Entry | None:
        """The entry of a command, if it is in the log."""
        self._open()
        return self._commands.get((stream, cmd))

    async def streams(self, prefix: str = "") -> Sequence[tuple[str, int]]:
        """Names of streams and the number of their last entry, by name."""
        self._open()
        return tuple(sorted((name, kept[-1].n) for name, kept in self._entries.items() if name.startswith(prefix)))

    async def heads(self, streams: Collection[str]) -> Mapping[str, int]:
        """The number of the last entry of each of these streams that exists."""
        self._open()
        return {stream: self._entries[stream][-1].n for stream in streams if stream in self._entries}

    async def set_notes(self, stream: str, notes: Mapping[str, str | None]) -> None:
        """Set or, with None, erase notes of a stream."""
        self._open()
        self._note(stream, notes)

    async def notes(self, stream: str) -> Mapping[str, str]:
        """All notes of a stream."""
        self._open()
        return dict(self._notes.get(stream, {}))

    async def keep_secret(self, stream: str, key: str, secret: bytes | None) -> None:
        """Keep a secret of a stream, or with None erase it."""
        self._open()
        self._secrets.pop((stream, key), None)
        if secret is not None:
            self._secrets[stream, key] = secret

    async def secret(self, stream: str, key: str) -> bytes | None:
        """A secret that was kept and not erased."""
        self._open()
        return self._secrets.get((stream, key))

    async def secrets(self, stream: str) -> Mapping[str, bytes]:
        """All secrets of a stream."""
        self._open()
        return {key: secret for (of, key), secret in self._secrets.items() if of == stream}

    async def grants(self, stream: str) -> Sequence[tuple[bytes, Grant]]:
        """All grants of a stream with the hashes of their tokens."""
        self._open()
        return sorted(((token, grant) for token, grant in self._grants.items() if grant.stream == stream), key=_by_hash)

    async def grant(self, token_hash: bytes, grant: Grant, *, ending: Collection[str] = ()) -> None:
        """Keep a grant under the hash of its token; others of its stream with a role that ends are gone."""
        self._open()
        for role in ending:
            self._revoke(grant.stream, role, None)
        self._grants[token_hash] = grant

    async def granted(self, token_hash: bytes) -> Grant | None:
        """The grant of a token hash that was not revoked."""
        self._open()
        return self._grants.get(token_hash)

    async def revoke(self, stream: str, *, role: str | None = None, seat: int | None = None) -> int:
        """Revoke grants of a stream (all, or those of a role, or of a seat); how many there were."""
        self._open()
        return self._revoke(stream, role, seat)

    async def beat(self, worker: Worker, life_ms: int) -> bool:
        """Say that a worker is alive; False where it was new or counted as dead."""
        self._open()
        before, now = self._beats.get(worker.id), self._now_ms()
        self._beats[worker.id] = now
        return alive(before, now, life_ms)

    async def claim(self, name: str, worker: Worker, life_ms: int) -> Holding:
        """Take the lease of a name, unless another that is alive holds it; who holds it then."""
        self._open()
        held = self._leases.get(name)
        mine = held is not None and held.worker.id == worker.id
        if held is None or not (mine or alive(self._beats.get(held.worker.id), self._now_ms(), life_ms)):
            held = self._leases[name] = Holding(worker, Lease(name, held.lease.epoch + 1 if held else 1))
        return held

    async def held(self, worker: Worker) -> Mapping[str, int]:
        """The epochs of all leases that a worker holds."""
        self._open()
        mine = (held.lease for held in self._leases.values() if held.worker.id == worker.id)
        return {lease.name: lease.epoch for lease in mine}

    async def leave(self, worker: Worker) -> None:
        """A worker ends: everybody may take over at once."""
        self._open()
        self._beats.pop(worker.id, None)

    async def follow(self, worker: Worker) -> None:
        """A worker is reached from now on where others were before: they have ended."""
        self._open()
        for held in self._leases.values():
            if held.worker.id != worker.id and held.worker.address == worker.address:
                self._beats.pop(held.worker.id, None)

    def writes(self) -> Writes | None:
        """Nothing has to be made durable."""
        return None

    async def close(self) -> None:
        """Refuse everything from now on."""
        self._closed = True

    def _note(self, stream: str, notes: Mapping[str, str | None]) -> None:
        kept = {**self._notes.get(stream, {}), **notes}
        self._notes[stream] = {key: text for key, text in kept.items() if text is not None}

    def _revoke(self, stream: str, role: str | None, seat: int | None) -> int:
        gone = [
            token_hash
            for token_hash, grant in self._grants.items()
            if grant.stream == stream and role in (None, grant.role) and seat in (None, grant.seat)
        ]
        for token_hash in gone:
            del self._grants[token_hash]
        return len(gone)

    def _open(self) -> None:
        if self._closed:
            raise closed()


class MemoryBus:
    """The bus of `bobing.ports.Bus` for hosts in one process and one event loop."""

    up = True

    def __init__(self) -> None:
        self._heard: dict[str, list[Callable[[int], None]]] = {}

    def publish(self, stream: str, n: int) -> None:
        """Say that a stream is at n."""
        for heard in list(self._heard.get(stream, ())):
            heard(n)

    async def follow(self, stream: str, heard: Callable[[int], None]) -> Callable[[], None]:
        """Call `heard` whenever a stream is said to be at n, until the function that is given back is called."""
        self._heard.setdefault(stream, []).append(heard)
        return lambda: self._heard[stream].remove(heard)

    async def close(self) -> None:
        """Nothing is held."""


class NoBus:
    """The bus of `bobing.ports.Bus` where there is none: whoever follows looks into the log."""

    up = False

    def publish(self, stream: str, n: int) -> None:
        """Nobody hears it."""

    async def follow(self, stream: str, heard: Callable[[int], None]) -> Callable[[], None]:
        """Nothing will be heard."""
        del stream, heard
        return lambda: None

    async def close(self) -> None:
        """Nothing is held."""


def _by_hash(found: tuple[bytes, Grant]) -> bytes:
    return found[0]
