"""Who serves what: each table and each event has one worker that writes to it, by a lease that has to be kept alive."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bobing.core.errors import BobingError
from bobing.ports import Lease, Leases, LostLease, Worker

LIFE_MS = 2_000
"""A worker that did not say for so long that it lives counts as dead, and others take over."""
BEAT_S = 0.5
_log = logging.getLogger("bobing.places")


class Elsewhere(LostLease):
    """Another worker serves this."""

    def __init__(self, worker: Worker) -> None:
        super().__init__("another worker serves this; ask there")
        self.worker = worker


async def seek(places: Places | None, gone: Worker | None, find: Callable[[], Awaitable[object]]) -> Worker | None:
    """The worker that serves what `find` looks for, None where it is this one; raises what `find` does.

    gone: one that was named before and is not there any more.
    """
    if gone is not None and places is not None:
        await places.bury(gone)
    try:
        await find()
    except Elsewhere as elsewhere:
        return elsewhere.worker
    return None


class Places:
    """What this worker serves. All in `lost` are called with each lease that another has taken over."""

    def __init__(self, leases: Leases, worker: Worker) -> None:
        self.worker = worker
        self.lost: list[Callable[[Lease], None]] = []
        self._leases = leases
        self._held: dict[str, Lease] = {}
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Say that this worker lives, from now on; who was reached here before has ended."""
        await self._leases.follow(self.worker)
        await self._leases.beat(self.worker, LIFE_MS)
        self._beating = asyncio.get_running_loop().create_task(self._beat_on())

    async def claim(self, name: str) -> Lease:
        """The lease of a name, held by this worker; raises Elsewhere."""
        lease = self._held.get(name)
        if lease is None:
            holding = await self._leases.claim(name, self.worker, LIFE_MS)
            if holding.worker.id != self.worker.id:
                raise Elsewhere(holding.worker)
            lease = self._held[name] = holding.lease
        return lease

    def lose(self, lease: Lease) -> None:
        """Another has taken over: everybody here lets go of it, also of what was loaded while it was lost."""
        if self._held.get(lease.name) == lease:
            del self._held[lease.name]
        for tell in self.lost:
            tell(lease)

    async def bury(self, worker: Worker) -> None:
        """Where a worker was reached nobody listens any more: what it held is free at once. One that lives all the same
        finds out with its next beat, and is fenced until then.
        """
        _log.warning("nobody listens at %s any more; what was served there is taken over", worker.address)
        await self._leases.leave(worker)

    def rest(self) -> None:
        """Say no more that this worker lives; others take over by and by."""
        if self._beating:
            self._beating.cancel()

    async def close(self) -> None:
        """End: others may take over at once."""
        self.rest()
        try:
            async with asyncio.timeout(LIFE_MS / 1000):
                await self._leases.leave(self.worker)
        except (BobingError, TimeoutError):
            _log.info("this worker could not say that it ends; others take over in %d s", LIFE_MS // 1000)

    async def _beat_on(self) -> None:
        heard = True  # told once when it ends, and once when it is so again
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                if not await self._leases.beat(self.worker, LIFE_MS):
                    await self._look()
            except BobingError as fault:
                if heard:
                    _log.warning("this worker cannot say that it lives: %s", fault.code)
                heard = False
            else:
                if not heard:
                    _log.warning("this worker can say again that it lives")
                heard = True

    async def _look(self) -> None:
        """Others held us for dead: what they have taken over meanwhile is theirs."""
        held = await self._leases.held(self.worker)
        for lease in list(self._held.values()):
            if held.get(lease.name) != lease.epoch:
                self.lose(lease)
