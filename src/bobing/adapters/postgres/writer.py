"""The one thread that writes to the server: what waits is committed together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

import psycopg

from bobing.adapters.grouping import GroupWriter, Outcome, Request
from bobing.adapters.postgres.server import Link, connect
from bobing.adapters.postgres.statements import Append, append_all
from bobing.ports import LogError, NotSaved

_OF_THE_REQUEST = (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError)
"""Errors that a request has earned; all others are the store's."""
_RACES = (psycopg.errors.UniqueViolation, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
_TRIES = 5
_LET_GO = "SET idle_in_transaction_session_timeout = 2000"
"""Who stands still in the middle of a transaction counts as dead by then: the server takes back what it has locked."""
_log = logging.getLogger("bobing.log")
Work = Callable[[Link], Any]


class Writer(GroupWriter[Link]):
    """Writes to the server, all that waits in one transaction.

    Where one request spoils the transaction, each is carried out in one of its own. Where the connection is lost while
    it commits, the next connection is asked what became of the transaction.
    """

    def __init__(self, url: str, link: Link) -> None:
        self._url = url
        self._link: Link | None = link
        link.execute(_LET_GO)
        super().__init__()

    def carry_out(self, batch: Sequence[Request[Link]]) -> Sequence[Outcome]:
        """All requests in one transaction, or where that cannot be, each in one."""
        works = [request.work for request in batch]
        if len(works) > 1:
            try:
                return self._transaction(works)
            except psycopg.OperationalError as fault:
                if self._link is None and not isinstance(fault, _RACES):
                    return [Outcome(None, _not_saved(fault))] * len(works)
            except Exception as fault:  # noqa: BLE001 - one of them it was: each is asked alone
                _log.debug("one by one: %s", type(fault).__name__)
        return [self._alone(work) for work in works]

    def let_go(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _alone(self, work: Work) -> Outcome:
        for _ in range(_TRIES):
            try:
                return self._transaction([work])[0]
            except _RACES:
                continue  # it was another process; what it wrote is seen now
            except psycopg.Error as fault:
                if isinstance(fault, _OF_THE_REQUEST):
                    return Outcome(None, LogError(f"the log does not take this: {fault}", "log/bad_request"))
                return Outcome(None, _not_saved(fault))
            except Exception as failure:  # noqa: BLE001 - the caller's own
                return Outcome(None, failure)
        return Outcome(None, NotSaved("nothing was saved; others write here all the time: try again"))

    def _transaction(self, works: Sequence[Work]) -> list[Outcome]:
        """Carry out works in one transaction; nothing is kept where it raises."""
        link = self._link
        if link is None or link.closed:
            link = self._connected()
        committing, xid, outcomes = False, 0, list[Outcome]()
        try:
            begun = link.execute("BEGIN; SELECT pg_current_xact_id()::text")
            begun.nextset()
            xid = int(begun.fetchall()[0][0])
            outcomes = _outcomes(link, works)
            committing = True
            link.execute("COMMIT")
        except Exception as fault:
            with suppress(psycopg.Error):
                if not link.closed:
                    link.execute("ROLLBACK")
            if not link.closed:
                raise
            _log.error("the connection to the database was lost: %s", type(fault).__name__)
            self.let_go()
            if not (committing and self._committed(xid)):
                raise
        return outcomes

    def _connected(self) -> Link:
        """A new connection; raises psycopg.Error."""
        link = self._link = connect(self._url)
        link.execute(_LET_GO)
        return link

    def _committed(self, xid: int) -> bool:
        """What became of a transaction whose commit got no answer. False where the database is gone: whoever tries
        again is told RepeatedCommand if it was kept after all.
        """
        with suppress(psycopg.Error):
            (row,) = self._connected().execute("SELECT pg_xact_status(%s::text::xid8)", (str(xid),)).fetchall()
            return row[0] == "committed"
        return False


def _outcomes(link: Link, works: Sequence[Work]) -> list[Outcome]:
    """Each in turn; appends that follow each other go together."""
    outcomes: list[Outcome] = []
    for together, group in groupby(works, lambda work: isinstance(work, Append)):
        if together:
            for result in append_all(link, [work for work in group if isinstance(work, Append)]):
                refused = isinstance(result, LogError)
                outcomes.append(Outcome(None, result) if refused else Outcome(result, None))
        else:
            outcomes += [Outcome(work(link), None) for work in group]
    return outcomes


def _not_saved(fault: psycopg.Error) -> NotSaved:
    """What those hear whose request was not carried out because of the store."""
    match fault:
        case psycopg.errors.DiskFull():
            advice = "the disk of the database is full: make room"
        case psycopg.errors.ReadOnlySqlTransaction():
            advice = "the database takes no writes; is it a standby?"
        case psycopg.OperationalError() | psycopg.InterfaceError():
            advice = "the database does not answer: look after it"
        case _:
            advice = f"the database failed ({type(fault).__name__}): look after it"
    return NotSaved(f"nothing was saved; {advice}, then try again")
