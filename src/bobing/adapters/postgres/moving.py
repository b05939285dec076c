"""A whole database read, and an empty one filled."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import psycopg

from bobing.adapters.postgres.schema import opened, verify_kept
from bobing.adapters.postgres.server import Link
from bobing.adapters.postgres.statements import NOW
from bobing.adapters.tables import COLUMNS, PAGE, Rows, inserting, selecting
from bobing.ports import LogError

_SILENT_MS = 5_000
"""A server that said nothing for so long is not there."""
_SERVED = f"""
SELECT EXISTS (SELECT 1 FROM worker WHERE beat > ({NOW}) - %s) AND EXISTS (
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
)
"""  # noqa: S608 - no input


@contextmanager
def rows_of(url: str) -> Generator[Iterator[tuple[str, Rows]]]:
    """All rows in order, by table and in batches, all of one moment. A server that starts meanwhile waits."""
    verify_kept(url)
    link = opened(url)
    try:
        with link.transaction():
            link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            link.execute("LOCK TABLE worker IN SHARE MODE")
            _verify_unserved(link)
            yield ((table, rows) for table in COLUMNS for rows in _pages(link, table))
    finally:
        link.close()


@contextmanager
def filling(url: str) -> Generator[Filled]:
    """An empty store; nothing is kept where the block raises."""
    there = _is_kept(url)
    link = opened(url)
    try:
        with link.transaction():
            link.execute(f"SET LOCAL lock_timeout = {_SILENT_MS}")
            link.execute(f"LOCK TABLE {', '.join(COLUMNS)}, worker IN EXCLUSIVE MODE")
            _verify_unserved(link)
            if any(link.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall() for table in COLUMNS):  # noqa: S608
                raise LogError("the database holds something already; name an empty one", "log/exists")
            yield Filled(link, there=there)
    except psycopg.errors.LockNotAvailable as held:
        said = "somebody works in the database just now: end that, or wait for it, then try again"
        raise LogError(said, "log/in_use") from held
    except psycopg.Error as fault:
        raise LogError(f"the database was not written: {type(fault).__name__}", "log/not_saved") from fault
    finally:
        link.close()


class Filled:
    """What `filling` gives."""

    def __init__(self, link: Link, *, there: bool) -> None:
        self._link, self.there = link, there

    def add(self, table: str, rows: Rows) -> None:
        """Add rows to a table."""
        self._link.many(inserting(table, "%s"), rows)

    def acts(self) -> Iterator[Rows]:
        """All entries that were added, as they stand there."""
        return _pages(self._link, "act")


def verify_unserved(url: str) -> None:
    """Refuse while a server runs on the database: LogError (`log/in_use`)."""
    link = opened(url)
    try:
        _verify_unserved(link)
    finally:
        link.close()


def _is_kept(url: str) -> bool:
    try:
        verify_kept(url)
    except LogError as refusal:
        if refusal.code != "log/no_file":
            raise
        return False
    return True


def _verify_unserved(link: Link) -> None:
    """A worker says each half second that it lives. What a restored dump says of that nobody says any more: there,
    nobody else is connected.
    """
    ((served,),) = link.execute(_SERVED, (_SILENT_MS,)).fetchall()
    if served:
        raise LogError("a server runs on the database, or did a moment ago: end it, then try again", "log/in_use")


def _pages(link: Link, table: str) -> Iterator[Rows]:
    name = f"all_{table}"
    link.execute(f"DECLARE {name} CURSOR FOR {selecting(table)}")
    while page := link.execute(f"FETCH {PAGE} FROM {name}").fetchall():
        yield page
    link.execute(f"CLOSE {name}")
