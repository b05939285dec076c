"""The log in PostgreSQL: synchronous_commit=on, one writing thread with group commit in each process."""

from bobing.adapters.postgres.log import PostgresLog

__all__ = ("PostgresLog",)
