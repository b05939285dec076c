"""From the worker that was asked to the one that serves: live connections and calls of those who play go through."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import http.client
import re
import socket as sockets
import string
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import websockets
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection

from bobing.core.errors import BobingError
from bobing.ports import Worker
from bobing.server.http import answering, body_of
from bobing.server.refusal import refused
from bobing.wire import calls

KEY, CLIENT = b"x-bobing-key", b"x-bobing-client"
TRIES, WAIT_S = 12, 0.25
"""How long a worker that does not answer is asked again: longer than it takes until it counts as dead."""
TRY_LATER = 1013
CONNECTED_S, ANSWERED_S = 2, 30
"""How long a call may take to reach another worker, and to be answered there."""
_NOTICED = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 3_000}
"""A machine that is cut off says nothing: the system notices within five seconds, where it knows how."""
_PATH = re.compile(r"/api/(tables|events)/([^/]+)(?:/.*)?")
_NOT_PASSED = frozenset((b"host", b"connection", b"content-length", b"transfer-encoding", b"upgrade", KEY, CLIENT))
_PRINTABLE = string.punctuation
"""What stands in an address as it is, beside letters and digits."""
_GONE = (OSError, TimeoutError, http.client.HTTPException)
Seek = Callable[[str, Worker | None], Awaitable[Worker | None]]
"""Who serves what a code names, None where it is this worker; told of one that is not there any more, if there is."""


class Relay:
    """Around the application: calls for what another worker serves are asked there.

    Who shows the key of this worker is another one, and says for whom it asks; nobody else is believed. Another key is
    that of the worker that was here before: its live connections are led here, and have to come again.
    """

    def __init__(self, app: ASGIApp, worker: Worker, seeks: dict[str, Seek]) -> None:
        self._app, self._worker, self._seeks = app, worker, seeks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, live connection, or the application's own beginning and end."""
        if scope["type"] in ("http", "websocket"):
            scope = self._read_head(scope)
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found and not scope["relayed"]:
            seek, code = self._seeks[found[1]], found[2].upper()[:20]
            if await _sought(seek, code) is not None:
                request = Request(scope, receive)
                response = await answering(lambda asked: self._pass_on(asked, seek, code))(request)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _read_head(self, scope: Scope) -> Scope:
        told = {name: value for name, value in scope["headers"] if name in (KEY, CLIENT)}
        relayed = hmac.compare_digest(told.get(KEY, b""), self._worker.key.encode())
        astray = KEY in told and not relayed
        kept = [(name, value) for name, value in scope["headers"] if name not in (KEY, CLIENT)]
        client = (told.get(CLIENT, b"").decode("latin-1"), 0) if relayed else scope["client"]
        return {**scope, "headers": kept, "client": client, "relayed": relayed, "astray": astray}

    async def _pass_on(self, request: Request, seek: Seek, code: str) -> Response:
        body, gone = await body_of(request, calls.RECORD_MAX), None
        for _ in range(TRIES):
            worker = await seek(code, gone)
            if worker is None:
                return _Here(self._app, body)
            try:
                return await asyncio.to_thread(_asked, worker, request, body)
            except _GONE as fault:
                gone = await _without(worker, fault)
        raise refused("stale")


class _Here(Response):
    """The answer of this worker itself, which had to take over what a call is about, after the body was read."""

    def __init__(self, app: ASGIApp, asked: bytes) -> None:
        super().__init__()
        self._app, self._asked = app, asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        parts: list[Message] = [{"type": "http.request", "body": self._asked, "more_body": False}]

        async def again() -> Message:
            return parts.pop() if parts else await receive()

        await self._app(scope, again, send)


async def _without(worker: Worker, fault: Exception) -> Worker | None:
    """The worker where nobody listens at its address: its process has ended. Who does not answer is waited for."""
    if isinstance(fault, ConnectionRefusedError):
        return worker
    await asyncio.sleep(WAIT_S)
    return None


async def relay_socket(
    socket: WebSocket, worker: Worker | None, seek: Callable[[Worker | None], Awaitable[Worker | None]], hello: str
) -> bool:
    """A live connection through to the worker that serves its table, until either end closes it.

    False where this worker had to take the table over: then it is served here.
    """
    for _ in range(TRIES):
        if worker is None:
            return False
        try:
            upstream = await websockets.connect(
                f"ws://{worker.address}{socket.url.path}",
                additional_headers=_head(worker, socket.client.host if socket.client else ""),
                compression=None,
                proxy=None,
                open_timeout=2,
                max_size=None,
                ping_interval=None,
            )
        except (OSError, TimeoutError, websockets.WebSocketException) as fault:
            try:
                worker = await seek(await _without(worker, fault))
            except BobingError:  # the store is away
                break
            continue
        watch(upstream.transport.get_extra_info("socket"))
        await _both_ways(socket, upstream, hello)
        return True
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(TRY_LATER)  # whoever it was comes again, and is served
    return True


def watch(line: sockets.socket) -> None:
    """Have the system end a connection whose other end is cut off."""
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_KEEPALIVE, 1)
    for name, value in _NOTICED.items():
        if hasattr(sockets, name):
            line.setsockopt(sockets.IPPROTO_TCP, getattr(sockets, name), value)


async def _both_ways(socket: WebSocket, upstream: ClientConnection, hello: str) -> None:
    async def up() -> None:
        await upstream.send(hello)
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            await upstream.send(message.get("text") or "")

    async def down() -> None:
        async for message in upstream:
            await socket.send_text(message if isinstance(message, str) else message.decode())

    tasks = [asyncio.create_task(up()), asyncio.create_task(down())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # either end is gone: that is how it ends
        with contextlib.suppress(OSError, TimeoutError, websockets.WebSocketException):
            await upstream.close()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            code = upstream.close_code or TRY_LATER
            await socket.close(code if code in _CODES else TRY_LATER)


_CODES = frozenset((1000, 1001, 1007, 1008, 1009, 1013))


async def _sought(seek: Seek, code: str) -> Worker | None:
    try:
        return await seek(code, None)
    except BobingError:
        return None  # the application refuses it in its own words


def _asked(worker: Worker, request: Request, body: bytes) -> Response:
    """One call to another worker; blocks."""
    host, _, port = worker.address.rpartition(":")
    path = request.scope["raw_path"] + (b"?" + request.scope["query_string"] if request.scope["query_string"] else b"")
    passed = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.scope["headers"]}
    passed = {name: value for name, value in passed.items() if name.encode() not in _NOT_PASSED}
    connection = http.client.HTTPConnection(host, int(port), timeout=CONNECTED_S)
    try:
        connection.connect()
        watch(connection.sock)
        connection.sock.settimeout(ANSWERED_S)
        connection.request(
            request.method,
            quote(path, safe=_PRINTABLE),
            body,
            {**passed, **_head(worker, request.client.host if request.client else "")},
        )
        answer = connection.getresponse()
        headers = {name: value for name, value in answer.getheaders() if name.lower().encode() not in _NOT_PASSED}
        return Response(answer.read(), answer.status, headers)
    finally:
        connection.close()


def _head(worker: Worker, client: str) -> dict[str, Any]:
    return {KEY.decode(): worker.key, CLIENT.decode(): client}
