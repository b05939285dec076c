"""Moving a whole store from one place to another, SQLite or PostgreSQL, verified by its hash chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from bobing.adapters import is_postgres, sqlite_path
from bobing.adapters.entries import START
from bobing.adapters.guard import alone
from bobing.adapters.sqlite.maintenance import EVENT
from bobing.adapters.tables import Rows
from bobing.core.chain import link
from bobing.ports import LogError


@dataclass(frozen=True, slots=True)
class Moved:
    """What was copied: the number and the hash of the last entry of each stream, and how many entries there are.

    filled: whether an empty store that was there already was filled.
    """

    heads: Mapping[str, tuple[int, str]]
    entries: int
    filled: bool = False

    @property
    def events(self) -> int:
        """How many of the streams are events; the others are tables."""
        return sum(stream.startswith(EVENT) for stream in self.heads)


def copy(source: str, target: str) -> Moved:
    """Copy a store as it stands at one moment into an empty one, all or nothing.

    What stands in the target is read back and chained anew before it is kept. Leases stay behind: whoever serves the
    copy takes its own. Raises LogError (`log/in_use` while somebody serves one of them, `log/exists` where the target
    holds something, `log/damaged`).
    """
    kept = _Chains("the source is damaged")
    if _place(source) == _place(target):
        raise LogError("this is what is copied, itself; name another place for the copy", "log/exists")
    if not is_postgres(source) and not sqlite_path(source).is_file():
        raise LogError(f"{sqlite_path(source)} does not exist; name the file of a log", "log/no_file")
    if not is_postgres(target) and not sqlite_path(target).absolute().parent.is_dir():
        raise LogError(f"{sqlite_path(target).parent} does not exist; make that folder first", "log/cannot_open")
    with _unserved(source), _unserved(target), rows_of(source) as rows:
        return _fill(target, kept.watch(rows), kept)


def _place(url: str) -> str:
    """Where a store is. A database may have more than one URL: then it is held, which is found when it is filled."""
    return url if is_postgres(url) else str(sqlite_path(url).resolve())


def _unserved(url: str) -> AbstractContextManager[None]:
    """A file that is held; a database says itself, in the transaction of the copy, whether it is served."""
    return nullcontext() if is_postgres(url) else alone(url)


def rows_of(url: str) -> AbstractContextManager[Iterator[tuple[str, Rows]]]:
    """All rows of a store in order, by table and in batches, all of one moment."""
    if is_postgres(url):
        from bobing.adapters.postgres import moving

        return moving.rows_of(url)
    from bobing.adapters.sqlite import moving as files

    return files.rows_of(sqlite_path(url))


def _fill(url: str, batches: Iterable[tuple[str, Rows]], kept: _Chains) -> Moved:
    if is_postgres(url):
        from bobing.adapters.postgres import moving

        filling = moving.filling(url)
    else:
        from bobing.adapters.sqlite import moving as files

        filling = files.filling(sqlite_path(url))
    with filling as into:
        for table, rows in batches:
            into.add(table, rows)
        written = _Chains("the copy was not written as it was read")
        for _ in written.watch(("act", rows) for rows in into.acts()):
            pass
        if written.heads != kept.heads:
            raise LogError("the copy is not what was read; nothing was kept", "log/damaged")
        filled = into.there
    return Moved({name: (n, h.hex()) for name, (n, h) in kept.heads.items()}, kept.entries, filled)


class _Chains:
    """Follows the hash chains of all entries that go by."""

    def __init__(self, fault: str) -> None:
        self.heads: dict[str, tuple[int, bytes]] = {}
        self.entries = 0
        self._fault = fault

    def watch(self, batches: Iterable[tuple[str, Rows]]) -> Iterator[tuple[str, Rows]]:
        """The batches as they are; raises LogError (`log/damaged`) at the first entry out of its chain."""
        for table, rows in batches:
            if table == "act":
                for row in rows:
                    self._follow(row)
            yield table, rows

    def _follow(self, row: tuple[Any, ...]) -> None:
        stream, n, *_, body, h = row
        before, chain = self.heads.get(stream, START)
        if n != before + 1 or link(chain, body) != h:
            raise LogError(f"{self._fault}: entry {n} of {stream!r}; nothing was copied", "log/damaged")
        self.heads[stream] = (n, h)
        self.entries += 1
