"""`bobing serve`: the table page, for one device or many."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from bobing.cli.common import Command, lang_of, lang_option, option, say
from bobing.cli.digits import Whole
from bobing.cli.findings import show
from bobing.core.errors import BobingError
from bobing.i18n import text

if TYPE_CHECKING:  # it loads the server, which help does not need
    from bobing.server.settings import Settings

HERE = ("127.0.0.1", "localhost", "::1")


_SETTINGS = (
    option("--here", is_flag=True, help="serve_here"),
    option("--host", metavar="ADDRESS", help="serve_host"),
    option("--port", type=Whole(), metavar="NUMBER", help="serve_port"),
    option("--db", metavar="URL", help="serve_db"),
    option("--public-url", metavar="URL", help="serve_public_url"),
    option("--proxies", metavar="ADDRESSES", help="serve_proxies"),
    option("--cert", metavar="FILE", help="serve_cert"),
    option("--key", metavar="FILE", help="serve_key"),
    option("--metrics", is_flag=True, default=None, help="serve_metrics"),
    option("--tables-per-hour", type=Whole(), metavar="NUMBER", help="serve_tables_per_hour"),
    option("--guesses-per-minute", type=Whole(), metavar="NUMBER", help="serve_guesses_per_minute"),
    option("--messages-per-minute", type=Whole(), metavar="NUMBER", help="serve_messages_per_minute"),
    option("--outbox", type=Whole(), metavar="NUMBER", help="serve_outbox"),
    option("--idle-minutes", type=Whole(), metavar="NUMBER", help="serve_idle_minutes"),
    option("--workers", type=Whole(), metavar="NUMBER", help="serve_workers"),
    option("--bus", metavar="URL", help="serve_bus"),
    option("--peer", metavar="ADDRESS", help="serve_peer"),
    option("--peer-port", type=Whole(), metavar="NUMBER", help="serve_peer_port"),
    option("--log", metavar="text|json", help="serve_log"),
)


def settings_options(command: Callable[..., None]) -> Callable[..., None]:
    """The flags for all settings of the server."""
    for one in reversed(_SETTINGS):
        command = one(command)
    return command


@click.command(cls=Command, help="serve")
@settings_options
@option("--open", "open_page", is_flag=True, help="serve_open")
@lang_option()
@click.pass_context
def command(ctx: click.Context, here: bool, open_page: bool, host: str | None, **flags: object) -> None:
    """Serve the table page until a signal ends it."""
    from bobing.adapters.guard import serving
    from bobing.server.running import listen, raise_limits
    from bobing.server.workers import verify_peers

    settings = settings_of(here=here, host=host, **flags)
    verify_peers(settings)
    raise_limits()
    with listen(settings.host, settings.port) as listener, serving(settings.db, shared=settings.shared):
        address = settings.public_url or address_of(listener, secure=bool(settings.cert))
        serve = several(settings, listener) if settings.workers > 1 else alone(settings, listener)
        greet(address, lang_of(ctx), settings.host, settings.db)
        warn(settings, lang_of(ctx))
        if open_page and has_screen():
            click.launch(address)
        serve()
    say(text(lang_of(ctx), "serve.ended"))


def warn(settings: Settings, lang: str) -> None:
    """Say that a certificate is over, or soon will be: browsers let nobody in with it."""
    from bobing.server.checkup import certificate

    if settings.cert and (found := certificate(settings, time.time())).state != "good":
        show(found, lang)


def settings_of(*, here: bool, host: str | None, **flags: object) -> Settings:
    """The settings of a call, with the place of the tables; raises SettingRefused."""
    from bobing.server.settings import settings_from

    settings = settings_from(os.environ, host=host or ("127.0.0.1" if here else None), **flags)
    return settings_from({}, **{**settings.as_dict(), "db": settings.db or default_db()})


def alone(settings: Settings, listener: socket.socket) -> Callable[[], None]:
    """The server in this process, ready to run; one of several, where others may be at the same store."""
    from bobing.server.app import make_app
    from bobing.server.logs import log_config
    from bobing.server.running import Server, collect_seldom, config_of
    from bobing.server.workers import new_worker

    worker, inner = new_worker(settings) if settings.shared else (None, None)
    try:
        server = Server(config_of(make_app(settings, worker=worker), settings, log_config(settings.log)))
    except BobingError:
        if inner:
            inner.close()
        raise

    def run() -> None:
        collect_seldom()
        server.run(sockets=[listener, *([inner] if inner else [])])

    return run


def several(settings: Settings, listener: socket.socket) -> Callable[[], None]:
    """Workers, ready to run; what is wrong with the store is refused before."""
    import asyncio
    from logging.config import dictConfig

    from bobing.adapters import open_bus, open_log
    from bobing.server.logs import log_config
    from bobing.server.worker import serve
    from bobing.server.workers import Workers

    dictConfig(log_config(settings.log))
    open_bus(settings.bus or "nobody://")
    asyncio.run(open_log(settings.db).close())
    return Workers(settings, listener, serve).run


def default_db() -> str:
    """`sqlite:///…/bobing/tables.db` in the user's data folder."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:{(base / 'bobing' / 'tables.db').absolute()}"


def address_of(listener: socket.socket, *, secure: bool) -> str:
    """The address to open: this machine's on the network, where it listens to all."""
    from bobing.server.running import lan_address

    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = lan_address()
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if secure else 'http'}://{shown}:{port}"


def has_screen() -> bool:
    """Whether a browser could show something; without one, some systems would start one of text in this terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def greet(address: str, lang: str, listening_on: str, db: str) -> None:
    """Say where the page is, with a QR for phones where they can reach it, and where the tables are kept."""
    import segno

    from bobing.adapters import is_postgres, sqlite_path

    say(text(lang, "serve.ready", address=address))
    if urlsplit(address).hostname not in HERE:
        say(text(lang, "serve.scan"))
        segno.make(address, error="m").terminal(compact=True, border=2)
        if address.startswith("http:"):
            say(text(lang, "serve.plain_http"))
    else:
        say(text(lang, "serve.only_here" if listening_on in HERE else "serve.no_network"))
    if db.startswith("memory:"):
        say(text(lang, "serve.in_memory"))
    else:
        say(text(lang, "serve.in_database") if is_postgres(db) else text(lang, "serve.kept", path=sqlite_path(db)))
        say(text(lang, "serve.how_to_end"))
