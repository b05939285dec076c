"""Looking at a store where it is, while it is served or not: a file by its own means, a database through its port."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from bobing.adapters import is_postgres, open_log, sqlite_path
from bobing.adapters.sqlite import maintenance
from bobing.adapters.sqlite.maintenance import Damage, Report, chain_faults, line_of
from bobing.ports import Entry, Log

_T = TypeVar("_T")
_PAGE = 500


def verify(url: str) -> Report:
    """Number and hash of each entry of each stream, and of a file whether SQLite finds it whole; raises LogError."""
    return _asked(url, _verified) if is_postgres(url) else maintenance.verify(sqlite_path(url))


def export(url: str, stream: str) -> Iterator[bytes]:
    """The entries of a stream as they stand, a line of JSON each: see `maintenance.export`; raises LogError."""
    if is_postgres(url):
        return map(line_of, _asked(url, lambda log: _entries(log, stream)))
    return maintenance.export(sqlite_path(url), stream)


def read_table(url: str, stream: str) -> tuple[list[Entry], dict[str, str]]:
    """The entries of one table and the notes beside them (names and the like); raises LogError."""

    async def both(log: Log) -> tuple[list[Entry], dict[str, str]]:
        return await _entries(log, stream), dict(await log.notes(stream))

    return _asked(url, both) if is_postgres(url) else maintenance.read_table(sqlite_path(url), stream)


def _asked(url: str, question: Callable[[Log], Awaitable[_T]]) -> _T:
    async def ask() -> _T:
        log = open_log(url)
        try:
            return await question(log)
        finally:
            await log.close()

    return asyncio.run(ask())


async def _entries(log: Log, stream: str) -> list[Entry]:
    entries: list[Entry] = []
    while page := await log.read(stream, len(entries), _PAGE):
        entries += page
    return entries


async def _verified(log: Log) -> Report:
    damage: list[Damage] = []
    counts, notes, grants = {"streams": 0, "entries": 0}, 0, 0
    for stream, _ in await log.streams():
        rows = [(one.stream, one.n, one.body, one.h) for one in await _entries(log, stream)]
        damage += chain_faults(rows, counts)
        notes += len(await log.notes(stream))
        grants += len(await log.grants(stream))
    return Report(**counts, notes=notes, grants=grants, damage=tuple(damage))
