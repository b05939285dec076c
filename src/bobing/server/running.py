"""Runs the application on uvicorn: its limits, its TLS, and how it ends."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import ssl
import stat
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette

from bobing.server.prompt import PromptHttp, PromptSocket
from bobing.server.settings import SettingRefused, Settings

STALL_MS = 30_000
"""How long the system keeps what a client does not take."""
_MADE_BETWEEN = 20_000
"""Objects made until Python looks for rings of them that nobody needs; few of those that a throw makes are in one."""


def config_of(app: Starlette, settings: Settings, logs: dict[str, Any] | None) -> uvicorn.Config:
    """The set-up of uvicorn, with logging as `logs` says; raises SettingRefused for a certificate of no use."""
    verify_tls(settings)
    return uvicorn.Config(
        app,
        http=PromptHttp,
        ws=PromptSocket,
        ws_max_size=65_536,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        lifespan="on",
        timeout_keep_alive=10,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=16_384,
        server_header=False,
        date_header=False,
        access_log=False,
        proxy_headers=False,
        log_config=logs,
        ssl_certfile=settings.cert or None,
        ssl_keyfile=settings.key or None,
    )


def verify_tls(settings: Settings) -> None:
    """Refuse a certificate or key that cannot be used, before anybody is let in."""
    if not settings.cert:
        return
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings.cert, settings.key or None, password="")
    except (OSError, ValueError) as bad:  # ssl.SSLError is an OSError
        raise SettingRefused(_unusable(Path(settings.cert), Path(settings.key or settings.cert), bad)) from None
    key = settings.key or settings.cert
    if os.name == "posix" and os.stat(key).st_mode & stat.S_IROTH:  # noqa: PTH116 - a path as it was given
        raise SettingRefused(f"{key} can be read by everybody on this machine; run: chmod o-r {key}")


def _unusable(cert: Path, key: Path, fault: OSError | ValueError) -> str:
    """What is wrong with a certificate and its key that were not taken, and what to do."""
    try:
        keyed = key.read_bytes()
        cert.read_bytes()
    except OSError as unread:
        return f"{unread.filename} cannot be read: {unread.strerror}; name a file in PEM that this user may read"
    if b"ENCRYPTED" in keyed:
        return f"{key} has a password; write it without one: openssl pkey -in {key} -out plain.pem, and name that"
    if getattr(fault, "reason", "") == "KEY_VALUES_MISMATCH":
        return f"{key} is the key of another certificate than {cert}; name the one it was made with"
    said = getattr(fault, "strerror", None) or str(fault)
    return f"{cert} and {key} are no certificate and key in PEM: {said}; name the two files as they were issued"


def raise_limits() -> None:
    """Allow as many connections as the system lets us have."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def collect_seldom() -> None:
    """Look seldom for what nobody needs any more, and never among what is there now, which stays until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MADE_BETWEEN)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises SettingRefused (`settings/cannot_listen`)."""
    listener = bound(host, port)
    try:
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from None
    return listener


def bound(host: str, port: int) -> socket.socket:
    """A socket that holds an address and does not listen yet; raises SettingRefused (`settings/cannot_listen`)."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _cannot_listen(host, port, error) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALL_MS)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from None
    listener.set_inheritable(True)
    return listener


def lan_address() -> str:
    """This machine's address on its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _cannot_listen(host: str, port: int, fault: OSError | UnicodeError) -> SettingRefused:
    match fault:
        case OSError(errno=errno.EADDRINUSE):
            advice = "end who listens there, or name another port; --port 0 takes any that is free"
        case PermissionError():
            advice = "ports below 1024 need a right (CAP_NET_BIND_SERVICE, as in deploy/bobing.service); or name 8063"
        case _:
            advice = "name an address of this machine, 0.0.0.0 for all of them or 127.0.0.1 for this computer alone"
    why = getattr(fault, "strerror", None) or str(fault)
    return SettingRefused(f"cannot listen on {host} port {port}: {why}; {advice}", "settings/cannot_listen")


class Server(uvicorn.Server):
    """Says good-bye before it ends, and takes the signal that asks for it as a wish and not as a death."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: everybody at a table hears of it first."""
        app: Any = self.config.app
        app.state.host.dismiss_all()
        await asyncio.sleep(0)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature is uvicorn's
        """A signal: end when all is finished; a second one ends at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
