"""Connections that only read, each used by one thread at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import apsw

from bobing.adapters.entries import closed
from bobing.adapters.sqlite.file import connect
from bobing.ports import LogError

_T = TypeVar("_T")
_THREADS = 2  # so that a long stream that is read does not keep everybody else waiting


class Readers:
    """Carries out questions beside the writer. Each sees all that was durable when it was asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: SimpleQueue[apsw.Connection] = SimpleQueue()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="bobing-log-reader")

    async def ask(self, question: Callable[[apsw.Connection], _T]) -> _T:
        """The answer to a question; raises LogError (`log/unreadable`) where the store fails."""
        try:
            answer = asyncio.get_running_loop().run_in_executor(self._pool, self._answer, question)
        except RuntimeError:  # the pool takes nothing more
            raise closed() from None
        return await answer

    def stop(self) -> None:
        """Finish what was asked, then let go of the file. Blocks."""
        self._pool.shutdown()
        while (connection := self._take()) is not None:
            connection.close(force=True)

    def _answer(self, question: Callable[[apsw.Connection], _T]) -> _T:
        connection: apsw.Connection | None = None
        try:
            connection = self._take() or connect(self._path, reading=True)
            answer = question(connection)
        except apsw.Error as fault:
            if connection is not None:
                connection.close(force=True)  # the next question begins with a fresh one
            raise LogError(
                f"the log cannot be read ({fault}): look after its disk, then try again", "log/unreadable"
            ) from fault
        self._idle.put(connection)
        return answer

    def _take(self) -> apsw.Connection | None:
        try:
            return self._idle.get_nowait()
        except Empty:
            return None
