"""The tables of a store that are moved with it, and their columns; both adapters have them alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

Rows = Sequence[tuple[Any, ...]]
PAGE = 1_000
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "act": ("stream", "n", "cmd_id", "at", "actor", "body", "h"),
    "note": ("stream", "key", "text"),
    "token": ("hash", "stream", "role", "seat", "made"),
    "secret": ("stream", "key", "value"),
}


class Filling(Protocol):
    """An empty store that is being filled; nothing of it is kept where it fails. there: whether it was before."""

    there: bool

    def add(self, table: str, rows: Rows) -> None:
        """Add rows to a table."""
        ...

    def acts(self) -> Iterator[Rows]:
        """All entries that were added, as they stand there."""
        ...


def selecting(table: str) -> str:
    """The rows of a table, each stream's entries in order."""
    columns = COLUMNS[table]
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY {columns[0]}, {columns[1]}"  # noqa: S608 - no input


def inserting(table: str, mark: str) -> str:
    """A row into a table; mark: how the driver writes a value."""
    columns = COLUMNS[table]
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608 - no input
