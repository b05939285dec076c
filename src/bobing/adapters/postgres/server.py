"""Connections to the server, and what has to be true of it."""

from __future__ import annotations

import re
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
# At the server, too, a machine that is gone is noticed: what it held locked nobody else could take until then.
_NOTICED = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; "
    "SET tcp_user_timeout = 5000"
)

_ENCODED = "in a URL the signs of a password are written as %40 for @, %2F for /, %23 for #"
_AWAY: Mapping[str, str] = {
    "refused": "nobody listens at its address; look at host and port, and whether it runs",
    "No such file": "there is no socket of a server; look at host and port, and whether it runs",
    "resolve host": f"its host is not known here; look at its name ({_ENCODED})",
    "translate host": f"its host is not known here; look at its name ({_ENCODED})",
    "timeout": "it does not answer in time; look at its address, and at the network between",
    "starting up": "it is just starting; try again",
    "shutting down": "it is just ending; start it, then try again",
}
_REFUSES: Mapping[str, str] = {
    "password authentication": f"it does not take this user with this password ({_ENCODED})",
    "no password": "it asks for a password; write user:password@ before the host, or a line into ~/.pgpass",
    "pg_hba": "it lets nobody in from here as this user; see its pg_hba.conf",
    "Peer authentication": "at its socket it takes a user of the system as itself alone; name a host and a password",
    'database ".*" does not exist': "it has no such database; make it with createdb, or name another",
    'role ".*" does not exist': "it has no such user; make one with createuser, or name another",
    "too many": "it has no connection left; raise its max_connections, or run fewer workers",
    "connection slots": "it has no connection left; raise its max_connections, or run fewer workers",
}
"""What libpq and the server say, as a pattern, and what we say instead: theirs may hold part of a mistyped password."""

_ALLOWED = """
SELECT NOT pg_is_in_recovery() AND (
  CASE WHEN to_regclass('act') IS NULL THEN coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
  ELSE (
    SELECT bool_and(has_table_privilege(to_regclass(name), privilege))
    FROM unnest(%s::text[], %s::text[]) AS needed (name, privilege) WHERE to_regclass(name) IS NOT NULL
  ) END
)
"""
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "act": ("SELECT", "INSERT"),
    "lease": ("SELECT", "INSERT", "UPDATE"),
    **dict.fromkeys(("note", "token", "secret", "worker"), ("SELECT", "INSERT", "UPDATE", "DELETE")),
}


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
        link.execute(_NOTICED)
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


def verify_allowed(link: Link) -> None:
    """Refuse a user that may not write, and a standby: LogError (`log/database_refuses`)."""
    names, privileges = zip(*((name, one) for name, needed in _NEEDED.items() for one in needed), strict=True)
    if link.execute(_ALLOWED, (list(names), list(privileges))).fetchall() != [(True,)]:
        why = "this user may not write here; let it own the database, or name another user (a standby takes no writes)"
        raise cannot_open(why, "log/database_refuses")


def verify_reached(url: str) -> None:
    """Refuse a database that does not answer, that this user may not write to, or that may forget: LogError."""
    try:
        link = connect(url, reading=True)
        try:
            verify_durable(link)
            verify_allowed(link)
        finally:
            link.close()
    except psycopg.Error as fault:
        raise unreached(fault) from fault


def unreached(fault: psycopg.Error) -> LogError:
    """The refusal for what went wrong when a database was opened: `log/database_away`, `log/database_refuses`."""
    said = str(fault)
    if isinstance(fault, psycopg.ProgrammingError) and fault.sqlstate is None:
        return cannot_open(f"its URL cannot be read; {_ENCODED}", "log/bad_url")
    for code, known in (("log/database_away", _AWAY), ("log/database_refuses", _REFUSES)):
        for words, why in known.items():
            if re.search(words, said):
                return cannot_open(why, code)
    if isinstance(fault, psycopg.errors.InsufficientPrivilege):
        return cannot_open("this user may not make the tables; let it own the database", "log/database_refuses")
    return cannot_open(f"{type(fault).__name__}; its log says why", "log/database_refuses")


def cannot_open(why: str, code: str = "log/cannot_open") -> LogError:
    """The refusal to use a database; no address and no password is in it."""
    return LogError(f"the database cannot be used: {why}", code)


def shown(link: Link, name: str) -> str:
    """A setting of the server."""
    return str(link.execute(f"SHOW {name}").fetchall()[0][0])
