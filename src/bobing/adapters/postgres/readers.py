"""Connections that only read, each used by one thread at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TypeVar

import psycopg

from bobing.adapters.entries import closed
from bobing.adapters.postgres.server import Link, connect
from bobing.ports import LogError

_T = TypeVar("_T")
_THREADS = 4  # so that a long stream that is read does not keep everybody else waiting


class Readers:
    """Carries out questions beside the writer. Each sees all that was durable when it was asked."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: SimpleQueue[Link] = SimpleQueue()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="bobing-log-reader")

    async def ask(self, question: Callable[[Link], _T]) -> _T:
        """The answer to a question; raises LogError (`log/unreadable`) where the store fails."""
        try:
            answer = asyncio.get_running_loop().run_in_executor(self._pool, self._answer, question)
        except RuntimeError:  # the pool takes nothing more
            raise closed() from None
        return await answer

    def stop(self) -> None:
        """Finish what was asked, then let go of the database. Blocks."""
        self._pool.shutdown()
        while (connection := self._take()) is not None:
            connection.close()

    def _answer(self, question: Callable[[Link], _T]) -> _T:
        idle = self._take()
        if idle is not None:
            try:
                return self._asked(idle, question)
            except psycopg.OperationalError:
                pass  # the server was started anew since; a fresh connection tells whether it answers
        try:
            return self._asked(connect(self._url, reading=True), question)
        except psycopg.Error as fault:
            kind = type(fault).__name__
            raise LogError(
                f"the log cannot be read ({kind}): look after the database, then try again", "log/unreadable"
            ) from fault

    def _asked(self, link: Link, question: Callable[[Link], _T]) -> _T:
        try:
            answer = question(link)
        except BaseException:
            link.close()
            raise
        self._idle.put(link)
        return answer

    def _take(self) -> Link | None:
        try:
            return self._idle.get_nowait()
        except Empty:
            return None
