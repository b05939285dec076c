"""The one thread that writes: what waits is committed together, and answered when it is on the disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar

import apsw

from bobing.adapters.entries import closed
from bobing.adapters.sqlite.file import BUSY_MS, connect
from bobing.adapters.sqlite.sql import run
from bobing.ports import LogError, NotSaved

_T = TypeVar("_T")
_BATCH_MAX = 1_000
_OF_THE_REQUEST = (apsw.ConstraintError, apsw.TooBigError, apsw.MismatchError, apsw.RangeError)
"""Errors of SQLite that one request has earned; all others are the store's."""

_log = logging.getLogger("bobing.log")


class _Request(NamedTuple):
    work: Callable[[apsw.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    erases: bool


class _Outcome(NamedTuple):
    value: Any
    failure: Exception | None


class Writer:
    """Takes requests from any event loop, and carries them out in the order in which they came.

    All that wait when a transaction ends go into the next one. Each has a savepoint: it is carried out whole or refused
    whole, whatever becomes of the others. Where the store itself fails, nothing of the transaction is kept and all
    get NotSaved; the connection is made anew, so that writing goes on when the disk does.
    """

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self._path = path
        self._connection: apsw.Connection | None = connection
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._gate = Lock()
        self._open = True
        self._stopping = False
        self._to_scrub = False
        self._thread = Thread(target=self._run, name="bobing-log", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[apsw.Connection], _T], *, erases: bool = False) -> _T:
        """What `work` gives, once it is durable. A caller that is cancelled does not take the request back.

        erases: whether something was erased that must not stay in the write-ahead log either.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()
        with self._gate:
            if not self._open:
                raise closed()
            self._queue.put(_Request(work, loop, future, erases))
        return await future

    def stop(self) -> None:
        """Finish what waits, then let go of the file. Blocks; the loops of those who wait must run on."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()

    # ---- in the thread ----

    def _run(self) -> None:
        while batch := self._take():
            _answer(batch, self._carry_out(batch))
        self._let_go()

    def _take(self) -> list[_Request]:
        """All that wait, at least one; nothing when the end was asked for."""
        batch: list[_Request] = []
        with suppress(Empty):
            while not self._stopping and len(batch) < _BATCH_MAX:
                request = self._queue.get(block=not batch)
                if request is None:
                    self._stopping = True
                else:
                    batch.append(request)
        return batch

    def _carry_out(self, batch: Sequence[_Request]) -> Sequence[_Outcome]:
        try:
            connection = self._connection = self._connection or connect(self._path)
            run(connection, "BEGIN IMMEDIATE")
            outcomes = [_attempt(connection, request.work) for request in batch]
            run(connection, "COMMIT")
        except Exception as fault:  # noqa: BLE001 - whatever it was, those who wait must hear of it
            _log.error("nothing was saved: %s: %s", type(fault).__name__, fault)
            self._recover(fault)
            return [_Outcome(None, _not_saved(fault)) for _ in batch]
        if self._to_scrub or any(request.erases for request in batch):
            self._scrub(connection)
        return outcomes

    def _recover(self, fault: Exception) -> None:
        """Roll back. A commit that failed at its sync may stand whole in the write-ahead log, and a crash would bring
        it to life: so the file is opened anew and that log emptied, where the disk allows it already.
        """
        if isinstance(fault, apsw.BusyError) and self._connection and not self._connection.in_transaction:
            return
        self._let_go()
        with _harmless("the log could not be opened anew"):
            self._connection = connect(self._path)
            _empty_wal(self._connection)

    def _scrub(self, connection: apsw.Connection) -> None:
        """Empty the write-ahead log, or try after the next transaction where somebody reads just now."""
        self._to_scrub = True
        with _harmless("what was erased is in the write-ahead log still"):
            _empty_wal(connection)
            self._to_scrub = False

    def _let_go(self) -> None:
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


def _attempt(connection: apsw.Connection, work: Callable[[apsw.Connection], Any]) -> _Outcome:
    """Carry out one request, or leave no trace of it; raises what is wrong with the store."""
    run(connection, "SAVEPOINT request")
    try:
        value = work(connection)
    except Exception as failure:
        if isinstance(failure, apsw.Error) and not isinstance(failure, _OF_THE_REQUEST):
            raise
        run(connection, "ROLLBACK TO request; RELEASE request")
        if isinstance(failure, apsw.Error):
            return _Outcome(None, LogError(f"the log does not take this: {failure}", "log/bad_request"))
        return _Outcome(None, failure)
    run(connection, "RELEASE request")
    return _Outcome(value, None)


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


def _answer(batch: Sequence[_Request], outcomes: Sequence[_Outcome]) -> None:
    """Wake each loop once for all its requests; one that has ended has nobody left who waits."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], _Outcome]]] = {}
    for request, outcome in zip(batch, outcomes, strict=True):
        by_loop.setdefault(request.loop, []).append((request.future, outcome))
    for loop, answers in by_loop.items():
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, answers)


def _settle(answers: Sequence[tuple[asyncio.Future[Any], _Outcome]]) -> None:
    for future, (value, failure) in answers:
        if future.done():
            continue
        if failure is None:
            future.set_result(value)
        else:
            future.set_exception(failure)
