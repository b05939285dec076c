"""Work for one process beside the server's. What is simulated is compiled first, which takes many seconds and would
hold up throws; and it is done there with less right to the processor."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from bobing.core.errors import OddsError
from bobing.server.refusal import refused

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

WAITING_MAX = 8
"""So many may wait for their turn."""
PATIENCE_S = 240
"""How long one piece of work may take; compiling, on a small machine that is busy, is the longest part."""
IDLE_S = 300
"""The process ends when nothing was asked of it for so long."""
NICE = 10
_Told = TypeVar("_Told")


class Aside:
    """A process that is started when there is work, does one piece after the other, and ends when it is idle."""

    def __init__(self) -> None:
        self._turn, self._waiting, self._closed = threading.Lock(), 0, False
        self._process: SpawnProcess | None = None
        self._pipe: Any = None

    async def run(self, work: Callable[..., _Told], *given: object) -> _Told:
        """What a function of a module gives, worked out there; raises what it raises, or OddsError.

        The function, what it is given and what it gives are pickled.
        """
        if self._waiting >= WAITING_MAX:
            raise refused("slow_down")
        self._waiting += 1
        try:
            done, told = await asyncio.to_thread(self._ask, work, given)
        finally:
            self._waiting -= 1
        if done:
            return told
        raise told

    def close(self) -> None:
        """End the process for good; what waits for it is refused."""
        self._closed = True
        if self._process is not None:
            self._process.terminate()

    def _ask(self, work: Callable[..., Any], given: tuple[object, ...]) -> tuple[bool, Any]:
        with self._turn:
            for _ in range(0 if self._closed else 2):  # one that was idle may have ended just now
                pipe = self._started()
                try:
                    pipe.send((work, given))
                    if pipe.poll(PATIENCE_S):
                        return pipe.recv()
                except (EOFError, OSError):
                    self._end()
                    if self._closed:
                        break
                    continue
                break
            self._end()
            return False, OddsError("this takes too long here; ask `bobing odds` on a computer", "odds/gave_up")

    def _started(self) -> Any:
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        self._end()
        from multiprocessing import get_context

        spawn = get_context("spawn")
        ours, theirs = spawn.Pipe()
        self._pipe = ours
        self._process = spawn.Process(target=_serve, args=(theirs,), name="bobing-aside", daemon=True)
        self._process.start()
        theirs.close()
        return ours

    def _end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _serve(pipe: Any) -> None:
    """What the process does, until it is idle or the server is gone. A pipe is of another class on Windows."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        while pipe.poll(IDLE_S):
            work, given = pipe.recv()
            try:
                told = True, work(*given)
            except Exception as error:  # noqa: BLE001 - raised where it was asked for
                told = False, error
            pipe.send(told)
    except (EOFError, OSError):
        return
