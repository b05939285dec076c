"""Which SQLite may keep the log."""

from __future__ import annotations

from bobing.ports import LogError

_FIRST, _FIXED = (3, 7, 0), (3, 51, 3)
_BACKPORTS = ((3, 44, 6), (3, 50, 7))


def verify_release(version: str) -> None:
    """Refuse a SQLite with the WAL-reset bug, or without WAL: LogError (`log/unsafe_sqlite`).

    With a write-ahead log and two connections a checkpoint of 3.7.0 to 3.51.2 can lose what was committed; 3.44.6 and
    3.50.7 have the correction too (https://sqlite.org/wal.html#walresetbug).

    >>> verify_release("3.54.1"), verify_release("3.50.7")
    (None, None)
    >>> verify_release("3.40.1")
    Traceback (most recent call last):
    bobing.ports.LogError: SQLite 3.40.1 can lose what was saved; install a newer one: pip install --upgrade apsw
    """
    numbers = tuple(int(part) for part in version.split("."))[:3]
    if numbers >= _FIXED or any(fixed[:2] == numbers[:2] and numbers >= fixed for fixed in _BACKPORTS):
        return
    fault = "can lose what was saved" if numbers >= _FIRST else "has no write-ahead log"
    raise LogError(f"SQLite {version} {fault}; install a newer one: pip install --upgrade apsw", "log/unsafe_sqlite")
