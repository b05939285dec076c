"""The log in a SQLite file: WAL, synchronous=FULL, one writing thread with group commit, readers beside it."""

from bobing.adapters.sqlite.log import SqliteLog

__all__ = ("SqliteLog",)
