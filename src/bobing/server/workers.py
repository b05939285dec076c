"""Several workers of one server: they share its port, and the one that has ended is started anew."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from types import FrameType

from bobing.ports import Worker
from bobing.server.running import listen
from bobing.server.settings import Settings

LISTENER, NUMBER = "BOBING_LISTENER", "BOBING_WORKER"
"""The variables that tell a worker which open file is the server's port, and which of the workers it is, from 0."""
_AGAIN_S = 0.5
_END_S = 15
_log = logging.getLogger("bobing.workers")


class Workers:
    """Starts workers, starts those anew that end, and ends them all when it is asked to."""

    def __init__(self, settings: Settings, listener: socket.socket, environment: Mapping[str, str]) -> None:
        self._listener, self._count = listener, settings.workers
        values = {f"BOBING_{name.upper()}": str(value) for name, value in settings.as_dict().items()}
        self._environment = {**environment, **values, LISTENER: str(listener.fileno())}
        self._running: list[subprocess.Popen[bytes]] = []
        self._ending = threading.Event()

    def run(self) -> None:
        """Keep them running until a signal comes."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        self._running = [self._start(number) for number in range(self._count)]
        while not self._ending.wait(_AGAIN_S):
            for i, process in enumerate(self._running):
                if process.poll() is not None:
                    _log.warning("worker %d ended with %s; another is started", process.pid, process.returncode)
                    self._running[i] = self._start(i)
        self._end_all()

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        """A worker ends when its standard input does: with this process, however that ends. Ctrl-C comes here alone."""
        command = [sys.executable, "-m", "bobing.server.worker"]
        return subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdin=subprocess.PIPE,
            env={**self._environment, NUMBER: str(number)},
            pass_fds=(self._listener.fileno(),),
            start_new_session=True,
        )

    def _end(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._ending.set()

    def _end_all(self) -> None:
        for process in self._running:
            process.terminate()
        until = time.monotonic() + _END_S
        for process in self._running:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def verify_peers(settings: Settings) -> None:
    """Refuse where the workers could not listen for each other: SettingRefused (`settings/cannot_listen`)."""
    for number in range(settings.workers):
        listen(settings.peer, _peer_port(settings, number)).close()


def _peer_port(settings: Settings, number: int) -> int:
    return settings.peer_port + number if settings.peer_port else 0


def new_worker(settings: Settings, number: int = 0) -> tuple[Worker, socket.socket]:
    """This process as a worker, and where the others reach it; raises SettingRefused."""
    inner = listen(settings.peer, _peer_port(settings, number))
    host, port = inner.getsockname()[:2]
    return Worker(secrets.token_hex(8), f"{host}:{port}", secrets.token_urlsafe(24)), inner


def end_with_parent() -> None:
    """End this process as by SIGTERM when its standard input ends."""

    def watch() -> None:
        while os.read(0, 4096):  # not sys.stdin, whose lock would be held at the end
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="bobing-parent", daemon=True).start()
