"""The one thread that writes to the file: what waits is committed together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from bobing.adapters.grouping import GroupWriter, Outcome, Request
from bobing.adapters.sqlite.file import BUSY_MS, close_whole, connect
from bobing.adapters.sqlite.sql import run
from bobing.ports import LogError, NotSaved

_OF_THE_REQUEST = (apsw.ConstraintError, apsw.TooBigError, apsw.MismatchError, apsw.RangeError)
"""Errors of SQLite that one request has earned; all others are the store's."""

_log = logging.getLogger("bobing.log")


class Writer(GroupWriter[apsw.Connection]):
    """Writes into the file.

    Each request has a savepoint, or is alone in its transaction: it is carried out whole or refused whole, whatever
    becomes of the others. Where the store itself fails, nothing of the transaction is kept and all get NotSaved; the
    connection is made anew, so that writing goes on when the disk does.
    """

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self._path = path
        self._connection: apsw.Connection | None = connection
        self._to_scrub = False
        super().__init__()

    def carry_out(self, batch: Sequence[Request[apsw.Connection]]) -> Sequence[Outcome]:
        """All requests in one transaction, each in a savepoint."""
        try:
            connection = self._connection = self._connection or connect(self._path)
            outcomes = _together(connection, batch) if len(batch) > 1 else [_alone(connection, batch[0].work)]
        except Exception as fault:  # noqa: BLE001 - whatever it was, those who wait must hear of it
            _log.error("nothing was saved: %s: %s", type(fault).__name__, fault)
            self._recover(fault)
            return [Outcome(None, _not_saved(fault)) for _ in batch]
        if self._to_scrub or any(request.erases for request in batch):
            self._scrub(connection)
        return outcomes

    def _recover(self, fault: Exception) -> None:
        """Roll back. A commit that failed at its sync may stand whole in the write-ahead log, and a crash would bring
        it to life: so the file is opened anew and that log emptied, where the disk allows it already.
        """
        if isinstance(fault, apsw.BusyError) and self._connection and not self._connection.in_transaction:
            return
        self._drop()
        with _harmless("the log could not be opened anew"):
            self._connection = connect(self._path)
            _empty_wal(self._connection)

    def _scrub(self, connection: apsw.Connection) -> None:
        """Empty the write-ahead log, or try after the next transaction where somebody reads just now."""
        self._to_scrub = True
        with _harmless("what was erased is in the write-ahead log still"):
            _empty_wal(connection)
            self._to_scrub = False

    def let_go(self) -> None:
        """Close the file, whole where nobody else is at it."""
        if self._connection is not None:
            close_whole(self._connection)
            self._connection = None

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close(force=True)
            self._connection = None


def _empty_wal(connection: apsw.Connection) -> None:
    """Copy the write-ahead log into the file and cut it to nothing; BusyError where somebody reads, without waiting."""
    connection.set_busy_timeout(0)
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        connection.set_busy_timeout(BUSY_MS)


@contextmanager
def _harmless(what: str) -> Generator[None]:
    """Go on after a fault, and note it: it spoils nothing that was promised, and the thread has to live."""
    try:
        yield
    except Exception as fault:  # noqa: BLE001 - see above
        _log.log(
            logging.DEBUG if isinstance(fault, apsw.BusyError) else logging.WARNING,
            "%s: %s: %s",
            what,
            type(fault).__name__,
            fault,
        )


def _together(connection: apsw.Connection, batch: Sequence[Request[apsw.Connection]]) -> list[Outcome]:
    """Several requests, each carried out or without a trace, in one transaction."""
    run(connection, "BEGIN IMMEDIATE")
    outcomes: list[Outcome] = []
    for request in batch:
        run(connection, "SAVEPOINT request")
        outcomes.append(outcome := _tried(connection, request.work))
        run(connection, "ROLLBACK TO request; RELEASE request" if outcome.failure else "RELEASE request")
    run(connection, "COMMIT")
    return outcomes


def _alone(connection: apsw.Connection, work: Callable[[apsw.Connection], Any]) -> Outcome:
    """One request, which needs no savepoint: what becomes of it becomes of its transaction."""
    run(connection, "BEGIN IMMEDIATE")
    outcome = _tried(connection, work)
    run(connection, "ROLLBACK" if outcome.failure else "COMMIT")
    return outcome


def _tried(connection: apsw.Connection, work: Callable[[apsw.Connection], Any]) -> Outcome:
    """What a request gives, or what it earned; raises what is wrong with the store."""
    try:
        return Outcome(work(connection), None)
    except Exception as failure:
        if not isinstance(failure, apsw.Error):
            return Outcome(None, failure)
        if not isinstance(failure, _OF_THE_REQUEST):
            raise
        return Outcome(None, LogError(f"the log does not take this: {failure}", "log/bad_request"))


def _not_saved(fault: Exception) -> NotSaved:
    """What those hear whose request was not carried out because of the store."""
    match fault:
        case apsw.FullError():
            advice = "the disk is full: make room"
        case apsw.BusyError():
            advice = "another process holds the log: end it"
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            advice = "the log cannot be written: look at its disk and its permissions"
        case _:
            advice = "the disk failed: look after it"
    return NotSaved(f"nothing was saved; {advice}, then try again")
