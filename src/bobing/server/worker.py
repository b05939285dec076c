"""One worker of several, started by `bobing.server.workers`."""

from __future__ import annotations

import socket

from bobing.server.app import make_app
from bobing.server.logs import log_config
from bobing.server.running import Server, collect_seldom, config_of, raise_limits
from bobing.server.settings import Settings
from bobing.server.workers import new_worker


def serve(settings: Settings, listener: socket.socket, number: int) -> None:
    """Serve until a signal, as the worker of this number."""
    worker, inner = new_worker(settings, number)
    raise_limits()
    server = Server(config_of(make_app(settings, worker=worker), settings, log_config(settings.log)))
    collect_seldom()
    server.run(sockets=[listener, inner])
