"""Looking at a store where it is, while it is served or not: a file by its own means, a database through its port."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from bobing.adapters import is_postgres, need, open_log, sqlite_path
from bobing.adapters.sqlite import maintenance
from bobing.adapters.sqlite.maintenance import NO_COUNTS, Damage, Report, chain_faults
from bobing.ports import Entry, Log

_T = TypeVar("_T")
_PAGE = 500


def verify(url: str) -> Report:
    """Number and hash of each entry of each stream, and of a file whether SQLite finds it whole; raises LogError."""
    return _asked(url, _verified) if is_postgres(url) else maintenance.verify(sqlite_path(url))


def read_table(url: str, stream: str) -> tuple[list[Entry], dict[str, str]]:
    """The entries of one table and the notes beside them (names and the like); raises LogError."""

    async def both(log: Log) -> tuple[list[Entry], dict[str, str]]:
        return await _entries(log, stream), dict(await log.notes(stream))

    return _asked(url, both) if is_postgres(url) else maintenance.read_table(sqlite_path(url), stream)


def damage_of(entries: Sequence[Entry]) -> Damage | None:
    """The first fault in the entries of one stream."""
    rows = ((entry.stream, entry.n, entry.body, entry.h) for entry in entries)
    return next(chain_faults(rows, dict(NO_COUNTS)), None)


def _asked(url: str, question: Callable[[Log], Awaitable[_T]]) -> _T:
    need("psycopg", "postgres")
    from bobing.adapters.postgres.schema import verify_kept

    verify_kept(url)

    async def ask() -> _T:
        log = open_log(url)
        try:
            return await question(log)
        finally:
            await log.close()

    return asyncio.run(ask())


async def _entries(log: Log, stream: str) -> list[Entry]:
    entries: list[Entry] = []
    while page := await log.read(stream, entries[-1].n if entries else 0, _PAGE):
        entries += page
    return entries


async def _verified(log: Log) -> Report:
    damage: list[Damage] = []
    counts, notes, grants = dict(NO_COUNTS), 0, 0
    for stream, _ in await log.streams():
        rows = [(one.stream, one.n, one.body, one.h) for one in await _entries(log, stream)]
        damage += chain_faults(rows, counts)
        notes += len(await log.notes(stream))
        grants += len(await log.grants(stream))
    return Report(**counts, notes=notes, grants=grants, damage=tuple(damage))
