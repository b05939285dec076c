"""What the ports need, supplied: logs opened by URL, and the system's dice and clock.

An adapter is imported when it is asked for. Adapters know the ports and the core, and not each other.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from bobing.ports import Bus, LogError, Store

_WRITE = "write memory://, sqlite:///path, sqlite:path or postgresql://..."
_POSTGRES = ("postgresql://", "postgres://")
_A_URL = re.compile(r"^[a-z][a-z0-9+]+:|//.*@|\bpassword\s*=", re.IGNORECASE)
_NATS = ("nats://", "tls://")


def open_log(url: str) -> Store:
    """The store of a URL, made where it does not exist yet; raises LogError (`log/bad_url` and what the store refuses).

    `memory://` is kept in memory and gone afterwards; for `sqlite:` see `sqlite_path`; `postgresql:` is a URL as libpq
    takes it and needs the extra `postgres`.

    >>> type(open_log("memory://")).__name__
    'MemoryLog'
    """
    if url == "memory://":
        from bobing.adapters.memory import MemoryLog

        return MemoryLog()
    if is_postgres(url):
        need("psycopg", "postgres")
        from bobing.adapters.postgres import PostgresLog

        return PostgresLog(url)
    path = sqlite_path(url)
    from bobing.adapters.sqlite import SqliteLog

    return SqliteLog(path)


def open_bus(url: str) -> Bus:
    """The bus of a URL, connected by and by; raises LogError (`bus/bad_url`, `log/extra_missing`).

    `memory://` reaches the tables of this process alone, `nobody://` reaches nobody, as one that is down all the time;
    `nats://host:port` needs the extra `nats`.

    >>> open_bus("memory://").up
    True
    """
    if url == "memory://":
        from bobing.adapters.memory import MemoryBus

        return MemoryBus()
    if url == "nobody://":
        from bobing.adapters.memory import NoBus

        return NoBus()
    if not url.startswith(_NATS) or not _names_a_place(url):
        raise LogError("this names no bus that bobing knows: write memory:// or nats://host:port", "bus/bad_url")
    need("nats", "nats")
    from bobing.adapters.nats import NatsBus

    return NatsBus(url)


def _names_a_place(url: str) -> bool:
    """Whether a URL has a host, and a port that can be one."""
    try:
        at = urlsplit(url)
        return bool(at.hostname) and at.port != 0
    except ValueError:
        return False


def is_postgres(url: str) -> bool:
    """Whether a URL names a PostgreSQL database."""
    return url.startswith(_POSTGRES)


def need(module: str, extra: str) -> None:
    """Refuse where a module of an extra is not installed: LogError (`log/extra_missing`)."""
    if find_spec(module) is None:
        raise LogError(f"this needs more: run pip install 'bobing[{extra}]'", "log/extra_missing")


def sqlite_path(url: str) -> Path:
    """The file that a SQLite URL names; raises LogError (`log/bad_url`).

    The path is taken as it stands, without percent signs decoded: `sqlite:///srv/b.db` and `sqlite:/srv/b.db` are
    absolute, `sqlite:b.db` is relative to where the program runs.

    >>> [sqlite_path(url).as_posix() for url in ("sqlite:///srv/b.db", "sqlite:////srv/b.db", "sqlite:tables/b.db")]
    ['/srv/b.db', '/srv/b.db', 'tables/b.db']
    >>> sqlite_path("sqlite://srv/b.db")
    Traceback (most recent call last):
    bobing.ports.LogError: 'sqlite://srv/b.db' names a host: write memory://, sqlite:///path, sqlite:path or postgresql://...
    """
    if is_postgres(url):
        raise LogError(
            "this works on a SQLite file alone; copy the database into one: bobing db copy DATABASE copy.db",
            "log/needs_file",
        )
    if url == "memory://":
        raise LogError("a store in memory ends with its server; name a file or a database", "log/needs_file")
    scheme, colon, place = url.partition(":")
    if scheme != "sqlite" or not colon:
        raise LogError(f"{shown(url)} names no store that bobing knows: {_WRITE}", "log/bad_url")
    if place.startswith("//"):
        place = place[2:]
        if place.startswith("//"):  # sqlite:////srv, as some write an absolute path; two slashes would be printed so
            place = place[1:]
        if place and not place.startswith("/"):
            raise LogError(f"{shown(url)} names a host: {_WRITE}", "log/bad_url")
    if not place.strip("/") or "\0" in place:
        raise LogError(f"{shown(url)} names no file: {_WRITE}", "log/bad_url")
    return Path(place)


def url_of(place: str) -> str:
    """The URL of a store named as a command takes it: a path, or a URL. What may hold a password is no path.

    >>> [url_of(place) for place in ("b.db", "/srv/b@home.db", "memory://", "postgres//me:pass@db")]
    ['sqlite:b.db', 'sqlite:/srv/b@home.db', 'memory://', 'postgres//me:pass@db']
    """
    return place if _A_URL.search(place) else f"sqlite:{place}"


def shown(url: str) -> str:
    """A URL as messages may show it. Any but that of a file may hold a password, wherever somebody mistyped it.

    >>> [
    ...     shown(url)
    ...     for url in ("sqlite://srv/b.db", "postgres:/me:pass@db/bobing", "sqlite://me:pass@db", "host=db password=x")
    ... ]
    ["'sqlite://srv/b.db'", "'postgres:...'", "'sqlite:...'", 'this']
    >>> shown("/srv/b.db")
    "'/srv/b.db'"
    """
    scheme, colon, _ = url.partition(":")
    if (scheme == "sqlite" or not colon) and not set("@?=") & set(url):
        return repr(url[:80])
    return f"'{scheme[:20]}:...'" if colon and scheme.isalnum() else "this"
