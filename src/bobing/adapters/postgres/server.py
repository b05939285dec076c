"""Connections to the server, and what has to be true of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bobing.ports import LogError

# A server that is gone is noticed within seconds. Whoever wants other values writes them into the URL.
_DEFAULTS = {
    "connect_timeout": 3,
    "tcp_user_timeout": 5_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "application_name": "bobing",
}
_NOT_DURABLE = ("off", "local")


class Link:
    """A connection in autocommit mode, with plain types; the stubs of psycopg ask for literal statements."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection: Any = connection

    @property
    def closed(self) -> bool:
        """Whether it was closed, or the server is known to be gone."""
        return self._connection.closed

    def execute(self, sql: str, bindings: Sequence[object] | Mapping[str, object] = ()) -> psycopg.Cursor[Any]:
        """Carry out a statement, or several without bindings; raises psycopg.Error."""
        return self._connection.execute(sql, bindings or None)

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Carry out a statement for each row, in few turns."""
        with self._connection.cursor() as cursor:
            cursor.executemany(sql, rows)

    def transaction(self) -> AbstractContextManager[object]:
        """All within is kept, or where it raises nothing."""
        return self._connection.transaction()

    def close(self) -> None:
        """Let go of the server."""
        self._connection.close()


def connect(url: str, *, reading: bool = False) -> Link:
    """A connection to the server; raises psycopg.Error."""
    given: dict[str, Any] = {**_DEFAULTS, **conninfo_to_dict(url)}
    link = Link(psycopg.connect("", autocommit=True, **given))
    try:
        if reading:
            link.execute("SET default_transaction_read_only = on")
        elif shown(link, "synchronous_commit") in _NOT_DURABLE:
            link.execute("SET synchronous_commit = on")
    except BaseException:
        link.close()
        raise
    return link


def verify_durable(link: Link) -> None:
    """Refuse a server that may forget what it said it kept."""
    for name in ("fsync", "full_page_writes"):
        if shown(link, name) != "on":
            raise cannot_open(f"its setting {name} is off, and a power cut would lose throws; set it on", "log/unsafe")


def verify_reached(url: str) -> None:
    """Refuse a database that does not answer, or that may forget: LogError."""
    try:
        link = connect(url, reading=True)
    except psycopg.Error as fault:
        raise cannot_open(f"{type(fault).__name__}; look at its address, its user and whether it runs") from fault
    try:
        verify_durable(link)
    finally:
        link.close()


def cannot_open(why: str, code: str = "log/cannot_open") -> LogError:
    """The refusal to use a database; no address and no password is in it."""
    return LogError(f"the database cannot be used: {why}", code)


def shown(link: Link, name: str) -> str:
    """A setting of the server."""
    return str(link.execute(f"SHOW {name}").fetchall()[0][0])
