"""One worker of several, started by `bobing.server.workers`: `python -m bobing.server.worker`."""

from __future__ import annotations

import os
import socket

from bobing.server.app import make_app
from bobing.server.logs import log_config
from bobing.server.running import Server, collect_seldom, config_of, raise_limits
from bobing.server.settings import settings_from
from bobing.server.workers import LISTENER, NUMBER, end_with_parent, new_worker


def main() -> None:
    """Serve until a signal, or the end of the one who started this."""
    settings = settings_from(os.environ)
    listener = socket.socket(fileno=int(os.environ[LISTENER]))
    worker, inner = new_worker(settings, int(os.environ[NUMBER]))
    end_with_parent()
    raise_limits()
    server = Server(config_of(make_app(settings, worker=worker), settings, log_config(settings.log)))
    collect_seldom()
    server.run(sockets=[listener, inner])


if __name__ == "__main__":
    main()
