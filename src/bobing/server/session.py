"""One live connection: hello, commands in, messages out through a bounded outbox."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from functools import partial
from typing import Any, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from bobing.core.errors import BobingError
from bobing.ports import Clock, Worker
from bobing.server.limits import Buckets
from bobing.server.metrics import Metrics
from bobing.server.prompt import framed
from bobing.server.refusal import refused, words_of
from bobing.server.relay import relay_socket
from bobing.server.rights import token_hash
from bobing.server.settings import Settings
from bobing.server.table import encode
from bobing.wire import messages as wire
from bobing.wire.codec import MESSAGE_MAX, cmd_in

HELLO_S = 10
SILENCE_S = 90
OUTBOX_BYTES = 1_048_576
LINGER_S = 5
"""How long a connection that is to end may take to hear of it."""
GOING_AWAY, POLICY, TOO_BIG, TRY_LATER = 1001, 1008, 1009, 1013
_STRIKES = 3
_log = logging.getLogger("bobing.session")


class Place(Protocol):
    """Where connections go: the host of the tables, or the desk of the events."""

    metrics: Metrics
    clock: Clock
    hello: type

    def read(self, text: str) -> Any:
        """A message of a client; raises MessageRefused."""
        ...

    async def seek(self, code: str, gone: Worker | None = None) -> Worker | None:
        """The worker that serves there, None where it is this one; gone: one that is not there any more."""
        ...

    async def who(self, code: str, token: str) -> Any:
        """What a token allows; raises TableRefused."""
        ...

    async def enter(self, code: str, member: Any, seen: int) -> None:
        """A connection comes in."""
        ...

    def leave(self, code: str, member: Any) -> None:
        """A connection is gone."""
        ...

    async def command(
        self, code: str, command: Any, who: Any, actor: str, member: Any = None
    ) -> wire.Ack | wire.Refused:
        """Carry out a command once, and answer the member."""
        ...

    async def hear(self, code: str, said: Any, member: Any) -> wire.Refused | None:
        """What a device says by itself."""
        ...


class Line(Protocol):
    """A connection that takes messages without being waited for."""

    def put(self, frame: bytes) -> int:
        """Send a frame at once; how many bytes wait now for the client to take them."""
        ...

    def waiting(self) -> int:
        """How many bytes wait now for the client to take them."""
        ...

    def drop(self) -> None:
        """End the connection, whatever waits still."""
        ...


class Session:
    """A connection that said hello. over: done once it is to end; heard: when the client last said something."""

    def __init__(self, line: Line, you: Any, token: bytes, outbox: int) -> None:
        self.you, self.token_hash = you, token
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[tuple[int, str]] = loop.create_future()
        self.heard = loop.time()
        self._line, self._limit = line, outbox
        self._sent = 0
        self._ends: deque[int] = deque()

    def send(self, message: bytes) -> None:
        """Send a message; a connection that is too slow for it is closed, and resumes.

        The oldest message that waits does not count, so that a long history fits however long it is.
        """
        if self.over.done():
            return
        frame, ends = framed(message), self._ends
        waiting = self._line.put(frame)
        self._sent += len(frame)
        ends.append(self._sent)
        self._settle(waiting)
        if ends and (len(ends) > self._limit or self._sent - ends[0] > OUTBOX_BYTES):
            self._end(TRY_LATER, "slow")

    def waiting(self) -> int:
        """Messages that the client did not take yet."""
        self._settle(self._line.waiting())
        return len(self._ends)

    def dismiss(self, why: str) -> None:
        """End the connection with a word why."""
        self._end(GOING_AWAY if why == "shut_down" else POLICY, why)

    def drop(self) -> None:
        """End the connection, whatever waits still."""
        self._line.drop()

    def _settle(self, waiting: int) -> None:
        """Forget the messages that are not among the last so many bytes."""
        while self._ends and self._ends[0] <= self._sent - waiting:
            self._ends.popleft()

    def _end(self, code: int, why: str) -> None:
        if not self.over.done():
            self._line.put(framed(encode(wire.Bye(why=why))))
            self.over.set_result((code, why))


async def serve_socket(
    socket: WebSocket, host: Place, settings: Settings, rates: Buckets, watching: Place | None = None
) -> None:
    """A WebSocket from its handshake to its end. watching: where those go who look on at what another worker serves."""
    if not origin_fits(socket, settings):
        await socket.close(POLICY)
        return
    await socket.accept()
    try:
        session, hello, text = await _greeted(socket, host, settings)
        elsewhere = await host.seek(hello.code)
    except BobingError as error:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(_told(error).decode())
            await socket.close(POLICY)
        return
    except (WebSocketDisconnect, TimeoutError):
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(POLICY)
        return
    if socket.scope.get("astray") or (elsewhere is not None and socket.scope.get("relayed")):
        await socket.close(TRY_LATER)  # it is handed over just now
    elif elsewhere is not None and watching is not None and session.you.role == "watch":
        await _attend(socket, watching, session, hello, rates)
    elif elsewhere is None or not await relay_socket(socket, elsewhere, partial(host.seek, hello.code), text):
        await _attend(socket, host, session, hello, rates)


def origin_fits(socket: WebSocket, settings: Settings) -> bool:
    """Whether the page that opens the connection is ours; programs send no Origin and hold a token instead.

    Under a public address with https, its page over plain http is not ours.
    """
    origin = socket.headers.get("origin")
    if origin is None:
        return True
    public, host = settings.public_url.lower(), socket.headers.get("host", "").lower()
    plain = {f"http://{host}"} - ({public.replace("https:", "http:", 1)} if public.startswith("https:") else set())
    return origin in {public or "none", f"https://{host}", *plain}


async def _greeted(socket: WebSocket, host: Place, settings: Settings) -> tuple[Session, Any, str]:
    """The connection, its hello, and the hello as it came."""
    async with asyncio.timeout(HELLO_S):
        text = await _receive(socket)
    hello = host.read(text)
    if not isinstance(hello, host.hello):
        raise refused("hello_first")
    you = await host.who(hello.code, hello.token)
    return Session(socket.state.line, you, token_hash(hello.token), settings.outbox), hello, text


async def _attend(socket: WebSocket, host: Place, session: Session, hello: Any, rates: Buckets) -> None:
    reading: asyncio.Task[None] | None = None
    try:
        host.metrics.outboxes.add(session)
        await host.enter(hello.code, session, hello.seen)
        host.metrics.count("resyncs", int(hello.seen > 0))
        await host.who(hello.code, hello.token)  # it may have been revoked just before
        reading = asyncio.create_task(_read(socket, host, session, hello.code, rates))
        await _ends(session, reading)
    except BobingError as error:
        session.send(_told(error))
        session.dismiss("revoked" if error.code == "table/unknown_token" else "refused")
    finally:
        host.leave(hello.code, session)
        host.metrics.outboxes.discard(session)
        if session.over.done() and session.over.result()[0] == TRY_LATER:
            host.metrics.count("slow")
        await _ended(socket, session, reading)


async def _ends(session: Session, reading: asyncio.Task[None]) -> None:
    """Until the connection is to end, or the client was silent for too long: one timer, however much it says."""
    now = asyncio.get_running_loop().time
    while (patience := session.heard + SILENCE_S - now()) > 0:
        await asyncio.wait((reading, session.over), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if reading.done() or session.over.done():
            return


async def _ended(socket: WebSocket, session: Session, reading: asyncio.Task[None] | None) -> None:
    """Say good-bye, and let go of a client that does not take even that."""
    if session.over.done():
        try:
            async with asyncio.timeout(LINGER_S):
                await socket.close(session.over.result()[0])
        except TimeoutError:
            session.drop()
        except (RuntimeError, WebSocketDisconnect):
            pass
    if reading is not None:
        reading.cancel()
        (outcome,) = await asyncio.gather(reading, return_exceptions=True)
        if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect | RuntimeError):
            _log.error("a connection failed", exc_info=outcome)


async def _read(socket: WebSocket, host: Place, session: Session, code: str, rates: Buckets) -> None:
    actor, strikes = session.token_hash.hex()[:16], 0
    now = asyncio.get_running_loop().time
    while True:
        text = ""
        try:
            text = await _receive(socket)
            session.heard = now()
            message = host.read(text)
        except (WebSocketDisconnect, RuntimeError):
            return
        except BobingError as error:
            message, strikes = error, strikes + 1
        if not rates.take(actor, host.clock.monotonic_ms()):
            message, strikes = refused("slow_down"), strikes + 1
        if isinstance(message, BobingError):
            session.send(_told(message, cmd_in(text)))
            if strikes > _STRIKES:
                session.dismiss("refused")
                return
        elif isinstance(message, wire.Command):
            await host.command(code, message, session.you, actor, session)
        elif isinstance(message, wire.ForDice):
            refusal = await host.hear(code, message, session)
            if refusal is not None:
                session.send(encode(refusal))
        elif isinstance(message, wire.Ping):
            session.send(encode(wire.Pong(now=host.clock.wall_ms())))


async def _receive(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None:
        raise refused("bad_message")
    if len(text) > MESSAGE_MAX:
        raise refused("too_large")
    return text


def _told(error: BobingError, cmd: str | None = None) -> bytes:
    return encode(wire.Refused(code=error.code, words=dict(words_of(error)), cmd=cmd))
