"""The one thread that writes: what waits is carried out together, and answered when it is durable."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from bobing.adapters.entries import closed
from bobing.adapters.measures import Measures
from bobing.ports import Writes

BATCH_MAX = 1_000
_C = TypeVar("_C")
_T = TypeVar("_T")


class Request(NamedTuple, Generic[_C]):
    """What somebody waits for. erases: whether something was erased that must not be left anywhere."""

    work: Callable[[_C], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    erases: bool


class Outcome(NamedTuple):
    """What a request came to."""

    value: Any
    failure: Exception | None


class GroupWriter(ABC, Generic[_C]):
    """Takes requests from any event loop, and carries them out in the order in which they came.

    All that wait when a transaction ends go into the next one. `carry_out` makes that transaction, over a connection of
    type _C; it must give an outcome for each request and raise nothing.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[Request[_C] | None] = SimpleQueue()
        self._gate = Lock()
        self._open = True
        self._stopping = False
        self._measures = Measures()
        self._thread = Thread(target=self._run, name="bobing-log", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[_C], _T], *, erases: bool = False) -> _T:
        """What `work` gives, once it is durable. A caller that is cancelled does not take the request back."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()
        with self._gate:
            if not self._open:
                raise closed()
            self._queue.put(Request(work, loop, future, erases))
        return await future

    def writes(self) -> Writes:
        """What was carried out so far, and how much waits."""
        return self._measures.now(self._queue.qsize())

    def stop(self) -> None:
        """Finish what waits, then let go of the store. Blocks; the loops of those who wait must run on."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()

    @abstractmethod
    def carry_out(self, batch: Sequence[Request[_C]]) -> Sequence[Outcome]:
        """All requests in one transaction; runs in the thread."""

    @abstractmethod
    def let_go(self) -> None:
        """Close the connection; runs in the thread, at its end."""

    def _run(self) -> None:
        while batch := self._take():
            began = monotonic()
            outcomes = self.carry_out(batch)
            self._measures.add(len(batch), monotonic() - began)
            _answer(batch, outcomes)
        self.let_go()

    def _take(self) -> list[Request[_C]]:
        """All that wait, at least one; nothing when the end was asked for."""
        batch: list[Request[_C]] = []
        with suppress(Empty):
            while not self._stopping and len(batch) < BATCH_MAX:
                request = self._queue.get(block=not batch)
                if request is None:
                    self._stopping = True
                else:
                    batch.append(request)
        return batch


def _answer(batch: Sequence[Request[Any]], outcomes: Sequence[Outcome]) -> None:
    """Wake each loop once for all its requests; one that has ended has nobody left who waits."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
    for request, outcome in zip(batch, outcomes, strict=True):
        by_loop.setdefault(request.loop, []).append((request.future, outcome))
    for loop, answers in by_loop.items():
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, answers)


def _settle(answers: Sequence[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for future, (value, failure) in answers:
        if future.done():
            continue
        if failure is None:
            future.set_result(value)
        else:
            future.set_exception(failure)
