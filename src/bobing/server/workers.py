"""Several workers of one server: they share its port, and the one that has ended is started anew."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, NamedTuple

from bobing.ports import Worker
from bobing.server.running import bound, listen
from bobing.server.settings import Settings

# Where it can be done a worker is a copy of the one who starts it, who has loaded everything already: so it serves at
# once, and takes no processor from the others while they take over what the one before it served.
_COPIED = sys.platform == "linux"
_KIND: Any = multiprocessing.get_context("fork" if _COPIED else "spawn")
_AGAIN_S = 0.5
_END_S = 15
_ENDS = (signal.SIGTERM, signal.SIGINT)
_log = logging.getLogger("bobing.workers")
Serve = Callable[[Settings, socket.socket, int], None]
"""What a worker does, until a signal: with the server's port, and as which of the workers, from 0."""


class Running(NamedTuple):
    """A worker, and since when it runs."""

    process: BaseProcess
    since: float


class Workers:
    """Starts workers, starts those anew that end, and ends them all when it is asked to."""

    def __init__(self, settings: Settings, listener: socket.socket, serve: Serve) -> None:
        self._settings, self._listener, self._serve = settings, listener, serve
        self._life = _KIND.Pipe(duplex=False)
        self._running: list[Running] = []
        self._ending = threading.Event()

    def run(self) -> None:
        """Keep them running until a signal comes."""
        gc.collect()
        gc.freeze()  # so that what all have in common stays in memory once
        for number in _ENDS:
            signal.signal(number, self._end)
        self._running = [self._start(number) for number in range(self._settings.workers)]
        while not self._ending.is_set():
            wait([one.process.sentinel for one in self._running], _AGAIN_S)
            for number, (process, since) in enumerate(self._running):
                if process.exitcode is not None and not self._ending.is_set():
                    _log.warning("worker %d ended with %s; another is started", process.pid, process.exitcode)
                    if time.monotonic() < since + _AGAIN_S:
                        self._ending.wait(_AGAIN_S)  # it cannot even begin: not as fast as can be, then
                    self._running[number] = self._start(number)
        self._end_all()

    def _start(self, number: int) -> Running:
        process: BaseProcess = _KIND.Process(
            target=_work, args=(self._serve, self._settings, self._listener, number, self._life)
        )
        _hold(signal.SIG_BLOCK)  # a worker that has not learnt yet what a signal means to it hears of it by and by
        process.start()
        _hold(signal.SIG_UNBLOCK)
        return Running(process, time.monotonic())

    def _end(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._ending.set()

    def _end_all(self) -> None:
        for process, _ in self._running:
            process.terminate()
        until = time.monotonic() + _END_S
        for process, _ in self._running:
            process.join(max(0.0, until - time.monotonic()))
            if process.exitcode is None:
                process.kill()
                process.join()


def _work(
    serve: Serve, settings: Settings, listener: socket.socket, number: int, life: tuple[Connection, Connection]
) -> None:
    """The life of a worker, which Ctrl-C does not reach: that goes to the one who started it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _hold(signal.SIG_UNBLOCK)
    if hasattr(os, "setsid"):
        os.setsid()
    _end_with_parent(*life)
    serve(settings, listener, number)


def _hold(how: int) -> None:
    """Let the signals that end a process wait, or not any more, where the system knows how."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, _ENDS)


def _end_with_parent(held: Connection, holding: Connection) -> None:
    """End this process as by SIGTERM when the one who started it has ended, however that was: then nobody holds the
    other end of the pipe any more.
    """
    holding.close()

    def watch() -> None:
        wait([held])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="bobing-parent", daemon=True).start()


def verify_peers(settings: Settings) -> None:
    """Refuse where the workers could not listen for each other: SettingRefused (`settings/cannot_listen`)."""
    for number in range(settings.workers):
        listen(settings.peer, _peer_port(settings, number)).close()


def _peer_port(settings: Settings, number: int) -> int:
    return settings.peer_port + number if settings.peer_port else 0


def new_worker(settings: Settings, number: int = 0) -> tuple[Worker, socket.socket]:
    """This process as a worker, and where the others reach it once it serves; raises SettingRefused.

    Until then nobody listens there: so they need not wait to learn that the worker before it has ended.
    """
    inner = bound(settings.peer, _peer_port(settings, number))
    host, port = inner.getsockname()[:2]
    return Worker(secrets.token_hex(8), f"{host}:{port}", secrets.token_urlsafe(24)), inner
