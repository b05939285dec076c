"""Work for one process beside the server's. What is simulated is compiled first, which takes many seconds and would
hold up throws; and it is done there with less right to the processor."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, TypeVar

from bobing.core.errors import OddsError
from bobing.server.refusal import refused

WAITING_MAX = 8
"""So many may wait for their turn."""
PATIENCE_S = 240
"""How long one piece of work may take; compiling, on a small machine that is busy, is the longest part."""
IDLE_S = 300
"""The process ends when nothing was asked of it for so long."""
NICE = 5
COMMAND = "from bobing.server.aside import serve; serve()"
_Told = TypeVar("_Told")


class Aside:
    """A process that is started when there is work, does one piece after the other, and ends when it is idle or the
    server is gone."""

    def __init__(self) -> None:
        self._line, self._waiting = asyncio.Lock(), 0
        self._turn, self._closed = threading.Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    async def run(self, work: Callable[..., _Told], *given: object) -> _Told:
        """What a function of a module gives, worked out there; raises what it raises, or OddsError.

        The function, what it is given and what it gives are pickled.
        """
        if self._waiting >= WAITING_MAX:
            raise refused("slow_down")
        self._waiting += 1
        try:
            async with self._line:  # who waits here takes no thread
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
            self._process.kill()
        with self._turn:
            self._end()

    def _ask(self, work: Callable[..., Any], given: tuple[object, ...]) -> tuple[bool, Any]:
        with self._turn:
            late = threading.Event()
            for _ in range(2):  # one that was idle may have ended just now
                if self._closed or late.is_set():
                    break
                process = self._started()
                told = _asked(process, (work, given), late)
                if told is not None:
                    return told
                self._end()
            return False, OddsError("this takes too long here; ask `bobing odds` on a computer", "odds/gave_up")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            command = (sys.executable, "-c", COMMAND)
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own module
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not read any more
                    continue


def _asked(process: subprocess.Popen[bytes], asked: object, late: threading.Event) -> tuple[bool, Any] | None:
    """What a process answers; None where it ended instead, for which `late` says that it was given up."""

    def give_up() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(PATIENCE_S, give_up)
    timer.daemon = True
    timer.start()
    assert process.stdin is not None, "it is started with pipes"
    assert process.stdout is not None, "it is started with pipes"
    try:
        process.stdin.write(pickle.dumps(asked))
        process.stdin.flush()
        return pickle.load(process.stdout)  # noqa: S301 - from a process of our own
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
    finally:
        timer.cancel()


def serve() -> None:
    """What the process does. What else is printed there goes to its errors, so that answers stay whole."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    if hasattr(os, "nice"):
        os.nice(NICE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while _serve_one(sys.stdin.buffer, answers):
        pass


def _serve_one(questions: IO[bytes], answers: IO[bytes]) -> bool:
    idle = threading.Timer(IDLE_S, os._exit, (0,))
    idle.daemon = True
    idle.start()
    try:
        work, given = pickle.load(questions)  # noqa: S301 - from the server, which started this
    except EOFError:
        return False
    finally:
        idle.cancel()
    try:
        told = True, work(*given)
    except Exception as error:  # noqa: BLE001 - raised where it was asked for
        told = False, error
    answers.write(pickle.dumps(told))
    answers.flush()
    return True
