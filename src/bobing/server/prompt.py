"""HTTP and WebSocket connections that have to come to the point: who begins something and does not end it is let go."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame

HEAD_S = 10
"""How long the head of a request may take to come in."""
MESSAGE_S = 20
"""How long a message of a live connection may take, from its first byte to its last."""
AHEAD = 4
"""How many messages of a live connection may wait to be read until the system has to keep those that follow."""


class PromptHttp(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP whose heads have to come in within some seconds."""

    cycle: Any  # of uvicorn: the request under way, or the last one
    transport: Any
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """The wait for the first head begins."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Bytes of a head came, or of a body."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        super().connection_lost(exc)
        self._rest()

    def _watch(self) -> None:
        under_way = self.cycle is not None and not self.cycle.response_complete
        if under_way or self.transport.get_protocol() is not self:
            self._rest()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HEAD_S, self.transport.abort)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class PromptSocket(WebSocketsSansIOProtocol):
    """WebSocket whose messages have to come in within some seconds, and are text."""

    _timer: asyncio.TimerHandle | None = None
    _whole = False

    def connection_made(self, transport: Any) -> None:
        """Whoever answers the handshake finds this connection in its state, to send over it without waiting."""
        self.app_state = {**self.app_state, "line": self}
        super().connection_made(transport)

    def put(self, frame: bytes) -> int:
        """Send a frame at once; how many bytes wait now for the client to take them."""
        if self.close_sent or self.transport.is_closing():
            return 0
        self.transport.write(frame)
        return self.waiting()

    def waiting(self) -> int:
        """How many bytes wait now for the client to take them."""
        return self.transport.get_write_buffer_size()

    def drop(self) -> None:
        """End the connection, whatever waits still."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Bytes came: what is begun by them and not ended is waited for, but not for long."""
        self._whole = False
        super().data_received(data)
        if self._whole and not self.frames:
            self._rest()
        elif self._timer is None:
            self._timer = self.loop.call_later(MESSAGE_S, self._fail, CloseCode.POLICY_VIOLATION)

    def handle_events(self) -> None:
        """Frames came in whole, or none."""
        self._whole = bool(self.conn.events)
        super().handle_events()

    def handle_bytes(self, event: Frame) -> None:  # noqa: ARG002 - the signature is uvicorn's
        """Nothing here is said in bytes."""
        self._fail(CloseCode.UNSUPPORTED_DATA)

    def send_receive_event_to_app(self) -> None:
        """A message came in whole. A client is let go on while only few of its messages wait to be read."""
        frames, self.frames = self.frames, []
        if self.close_sent:
            return
        try:
            text = b"".join(frames).decode()
        except UnicodeDecodeError:
            self._fail(CloseCode.INVALID_DATA)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() >= AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._rest()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server ends. A connection that is saying good-bye just then is let go as it is."""
        try:
            super().shutdown()
        except InvalidState:
            self.transport.close()

    def _fail(self, code: CloseCode) -> None:
        if not self.transport.is_closing():
            self.conn.fail(code)
            self.handle_parser_exception()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


@lru_cache(maxsize=1)  # what all at a table are told is made once
def framed(message: bytes) -> bytes:
    """A text message as the one frame of a server, which masks nothing (RFC 6455, 5.2)."""
    size = len(message)
    if size < 126:
        return bytes((0x81, size)) + message
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + message
    return b"\x81\x7f" + size.to_bytes(8, "big") + message
