"""A whole file read, and an empty one filled."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import apsw

from bobing.adapters.sqlite.file import SIDES, close_whole, make_store, open_kept, why
from bobing.adapters.sqlite.sql import first, run
from bobing.adapters.tables import COLUMNS, PAGE, Rows, inserting, selecting
from bobing.ports import LogError


@contextmanager
def rows_of(path: Path) -> Generator[Iterator[tuple[str, Rows]]]:
    """All rows in order, by table and in batches, all of one moment; the file is brought up to date before."""
    open_kept(path).close()
    connection = make_store(path)
    try:
        run(connection, "BEGIN")
        yield ((table, rows) for table in COLUMNS for rows in _pages(connection, table))
    finally:
        if connection.in_transaction:
            run(connection, "ROLLBACK")
        close_whole(connection)


@contextmanager
def filling(path: Path) -> Generator[Filled]:
    """An empty store; nothing is kept where the block raises."""
    made = not path.exists()
    connection, kept = make_store(path), False
    try:
        run(connection, "BEGIN IMMEDIATE")
        if any(first(connection, f"SELECT 1 FROM {table} LIMIT 1") for table in COLUMNS):  # noqa: S608 - no input
            raise LogError(f"{path} holds something already; name a new one", "log/exists")
        yield Filled(connection, there=not made)
        run(connection, "COMMIT")
        kept = True
    except apsw.Error as fault:
        raise LogError(f"{path} was not written: {why(fault)}", "log/not_saved") from fault
    finally:
        if connection.in_transaction:
            run(connection, "ROLLBACK")
        close_whole(connection)
        if made and not kept:
            for side in SIDES:
                path.with_name(path.name + side).unlink(missing_ok=True)


class Filled:
    """What `filling` gives."""

    def __init__(self, connection: apsw.Connection, *, there: bool) -> None:
        self._connection, self.there = connection, there

    def add(self, table: str, rows: Rows) -> None:
        """Add rows to a table."""
        sql = inserting(table, "?")
        for row in rows:
            run(self._connection, sql, row)

    def acts(self) -> Iterator[Rows]:
        """All entries that were added, as they stand there."""
        return _pages(self._connection, "act")


def _pages(connection: apsw.Connection, table: str) -> Iterator[Rows]:
    rows = run(connection, selecting(table))
    while page := list(islice(rows, PAGE)):
        yield page
