"""Word between workers over NATS: a name and a number, such as "stream S is at n", and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import nats
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

_log = logging.getLogger("bobing.bus")
_RETRY_S = 1
_ASKED: Mapping[str, Any] = {"ping_interval": 0.5, "max_outstanding_pings": 2}
"""Each how many seconds the server is asked whether it is there, and how many answers may be missing."""


class NatsBus:
    """The bus of `bobing.ports.Bus`. It connects by itself, and again whenever the server comes back."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Any = None  # as long as the server was never reached; a client of NATS cannot be asked before
        self._heard: dict[str, set[Callable[[int], None]]] = {}
        self._followed: dict[str, Any] = {}
        self._connecting: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def up(self) -> bool:
        """Whether the server is there, as far as is known."""
        return self._client is not None and self._client.is_connected

    def publish(self, stream: str, n: int) -> None:
        """Say that a stream is at n. Without a server nobody hears it: the log tells them."""
        self._connect()
        if self.up:
            self._spawn(self._client.publish(_subject(stream), str(n).encode()))

    async def follow(self, stream: str, heard: Callable[[int], None]) -> Callable[[], None]:
        """Call `heard` whenever a stream is said to be at n, until the function that is given back is called."""
        self._connect()
        self._heard.setdefault(stream, set()).add(heard)
        if self.up and stream not in self._followed:
            await self._subscribe(stream)

        def end() -> None:
            self._heard[stream].discard(heard)
            if not self._heard[stream]:
                del self._heard[stream]
                subscription = self._followed.pop(stream, None)
                if subscription is not None and self.up:
                    self._spawn(subscription.unsubscribe())

        return end

    async def close(self) -> None:
        """Let go of the server."""
        self._closed = True
        if self._connecting:
            self._connecting.cancel()
            with suppress(asyncio.CancelledError):
                await self._connecting
        if self._client is not None:
            with suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
                await self._client.close()

    async def _lost(self) -> None:
        if self._client is not None and not self._closed:
            await _gone()

    def _connect(self) -> None:
        if self._connecting is None and not self._closed:
            self._connecting = asyncio.get_running_loop().create_task(self._keep_connected())

    async def _keep_connected(self) -> None:
        """Connect, as often as it takes; afterwards the client does so by itself, and subscribes anew."""
        told = False
        while True:
            client = Client()
            try:
                await client.connect(
                    self._url,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=_RETRY_S,
                    connect_timeout=2,
                    **_ASKED,
                    error_cb=_complain,
                    disconnected_cb=self._lost,
                    reconnected_cb=_back,
                    pending_size=0,
                )
            except (TimeoutError, OSError, nats.errors.Error) as fault:
                await _complain(fault)
                if not told:
                    told = True
                    await _gone()
                with suppress(nats.errors.Error, OSError):
                    await client.close()
                await asyncio.sleep(_RETRY_S)
                continue
            self._client = client
            if told:
                await _back()
            for stream in list(self._heard):
                await self._subscribe(stream)
            return

    async def _subscribe(self, stream: str) -> None:
        async def came(message: Msg) -> None:
            if message.data.isdigit():
                for heard in list(self._heard.get(stream, ())):
                    heard(int(message.data))

        with suppress(nats.errors.Error):
            self._followed[stream] = None  # nobody else subscribes meanwhile
            self._followed[stream] = await self._client.subscribe(_subject(stream), cb=came)

    def _spawn(self, work: Any) -> None:
        async def harmless() -> None:
            with suppress(nats.errors.Error, OSError):
                await work

        task = asyncio.get_running_loop().create_task(harmless())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _subject(stream: str) -> str:
    """The subject of a stream, whatever its name is made of.

    >>> _subject("event/AB")
    'bobing.at.6576656e742f4142'
    """
    return f"bobing.at.{stream.encode().hex()}"


async def _complain(fault: Exception) -> None:
    _log.debug("the bus: %s", type(fault).__name__)


async def _gone() -> None:
    _log.warning("the bus does not answer; word of tables at other workers comes later, from the log")


async def _back() -> None:
    _log.warning("the bus is there again")
