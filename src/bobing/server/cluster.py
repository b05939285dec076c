"""What a process has to do and to end beside its own tables, where it is one worker of several."""

from __future__ import annotations

import asyncio

from starlette.applications import Starlette

from bobing.ports import Bus
from bobing.server import presence
from bobing.server.desk import Desk
from bobing.server.following import Follower
from bobing.server.host import Host
from bobing.server.places import Places
from bobing.server.relay import Relay


class Cluster:
    """This worker among the others: its leases, its ear on the bus, and those who look on at tables of others.

    telling: whether those are told when the bus is down.
    """

    def __init__(self, host: Host, places: Places, bus: Bus, *, telling: bool) -> None:
        self._host, self._places, self._bus = host, places, bus
        self.follower = Follower(host, bus, telling=telling)
        self._running: list[asyncio.Task[None]] = []

    def stand_before(self, app: Starlette, desk: Desk) -> None:
        """Let calls for what others serve go there."""
        app.add_middleware(Relay, worker=self._places.worker, seeks={"tables": self._host.seek, "events": desk.seek})

    async def start(self) -> None:
        """Be there for others."""
        await self._places.start()
        loop = asyncio.get_running_loop()
        self._running = [
            loop.create_task(self.follower.poll()),
            loop.create_task(presence.tell_on(self._bus, self._host.tables)),
        ]

    async def leave(self) -> None:
        """Be there no more: the others take over at once."""
        try:
            await self._places.close()
        finally:
            await self._bus.close()

    def rest(self) -> None:
        """Say good-bye to those who look on."""
        for task in self._running:
            task.cancel()
        self.follower.dismiss_all()
