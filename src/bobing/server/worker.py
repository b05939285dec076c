"""One worker of several, started by `bobing.server.workers`: `python -m bobing.server.worker`."""

from __future__ import annotations

import os
import socket

from bobing.server.app import make_app
from bobing.server.logs import log_config
from bobing.server.running import Server, config_of, raise_limits
from bobing.server.settings import settings_from
from bobing.server.workers import LISTENER, NUMBER, end_with_parent, new_worker


def main() -> None:
    """Serve until a signal, or the end of the one who started this."""
    settings = settings_from(os.environ)
    listener = socket.socket(fileno=int(os.environ[LISTENER]))
    worker, inner = new_worker(settings, int(os.environ[NUMBER]))
    end_with_parent()
    raise_limits()
    app = make_app(settings, worker=worker)
    Server(config_of(app, settings, log_config(settings.log))).run(sockets=[listener, inner])


if __name__ == "__main__":
    main()
