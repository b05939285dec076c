"""`bobing serve`: the table page, for one device or many."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import click

from bobing.i18n import language, text


@click.command("serve")
@click.option("--host", help="Address to listen on; 0.0.0.0 lets phones of the same network in. [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on. [default: 8063]")
@click.option("--lan", is_flag=True, help="Short for --host 0.0.0.0: everybody on this network can come in.")
@click.option("--db", help="Where tables are kept: sqlite:///path or memory://. [default: the user's data folder]")
@click.option("--public-url", help="The address people reach this server by, if it is not the one it listens on.")
@click.option("--proxies", help="Addresses of proxies to believe, separated by commas.")
@click.option("--cert", type=click.Path(exists=True, dir_okay=False), help="TLS certificate file (PEM).")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="TLS key file (PEM).")
@click.option("--metrics", is_flag=True, default=None, help="Answer GET /metrics.")
@click.option("--tables-per-hour", type=int, help="New tables from one address. [default: 300]")
@click.option("--guesses-per-minute", type=int, help="Wrong codes from one address. [default: 10]")
@click.option("--messages-per-minute", type=int, help="Messages of one token. [default: 300]")
@click.option("--outbox", type=int, help="Messages that may wait for a slow connection. [default: 256]")
@click.option("--log", type=click.Choice(["text", "json"]), help="How the log is written. [default: text]")
@click.option("--open/--no-open", "open_page", default=None, help="Open the page in a browser.")
@click.option("--lang", help="zh-Hans, zh-Hant or en; else the locale's.")
def command(*, lan: bool, open_page: bool | None, lang: str | None, host: str | None, **flags: object) -> None:
    """Serve the table page: referee a real bowl, or play from phones.

    Nothing needs the internet. Phones on the same network open the printed address or scan the QR.
    """
    import uvicorn

    from bobing.server.app import make_app
    from bobing.server.logs import log_config
    from bobing.server.settings import settings_from

    settings = settings_from(os.environ, host="0.0.0.0" if lan else host, **flags)  # noqa: S104 - asked for by --lan
    settings = settings_from({}, **{**settings.as_dict(), "db": settings.db or default_db()})
    listener = listen(settings.host, settings.port)
    tongue = language(lang, os.environ)
    address = settings.public_url or address_of(listener, secure=bool(settings.cert))
    greet(address, tongue, reachable=settings.host not in ("127.0.0.1", "localhost", "::1"))
    if open_page:
        click.launch(address)
    config = uvicorn.Config(
        make_app(settings),
        ws="websockets-sansio",
        ws_max_size=65_536,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=16_384,
        server_header=False,
        date_header=False,
        access_log=False,
        proxy_headers=False,
        log_config=log_config(settings.log),
        ssl_certfile=settings.cert or None,
        ssl_keyfile=settings.key or None,
    )
    uvicorn.Server(config).run(sockets=[listener])


def default_db() -> str:
    """`sqlite:///…/bobing/tables.db` in the user's data folder."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'bobing' / 'tables.db'}"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a taken port is a clear sentence, not a traceback."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host} port {port}: {error.strerror}; try --port 0") from None
    listener.set_inheritable(True)
    return listener


def address_of(listener: socket.socket, *, secure: bool) -> str:
    """The address to open: this machine's on the network, where it listens to all."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = lan_address()
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if secure else 'http'}://{shown}:{port}"


def lan_address() -> str:
    """This machine's address on its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def greet(address: str, lang: str, *, reachable: bool) -> None:
    """Say where the page is, with a QR for phones."""
    import segno

    click.echo(text(lang, "serve.ready", address=address))
    if not reachable:
        click.echo(text(lang, "serve.only_here"))
        return
    click.echo(text(lang, "serve.scan"))
    segno.make(address, error="m").terminal(compact=True, border=2)
    if address.startswith("http:"):
        click.echo(text(lang, "serve.plain_http"))
