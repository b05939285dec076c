"""Statements and pragmas with plain types; the stubs of apsw leave theirs partly open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apsw


def run(connection: apsw.Connection, sql: str, bindings: Sequence[object] | Mapping[str, object] = ()) -> Iterator[Any]:
    """Carry out statements; gives the rows of the last, each a tuple."""
    untyped: Any = connection
    return untyped.execute(sql, bindings)


def first(connection: apsw.Connection, sql: str, bindings: Sequence[object] | Mapping[str, object] = ()) -> Any:
    """The first row of a short answer, None where there is none; the statement is finished."""
    rows = list(run(connection, sql, bindings))
    return rows[0] if rows else None


def pragma(connection: apsw.Connection, name: str, *value: object) -> Any:
    """Set a pragma, or ask for it: what it answers, without rows and tuples where it is one value."""
    untyped: Any = connection
    return untyped.pragma(name, *value)
