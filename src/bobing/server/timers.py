"""What happens by itself at tables when the patience with a seat is at its end (`patience` says what, and when)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from bobing.core.errors import BobingError
from bobing.ports import LostRace, NotSaved
from bobing.server.patience import Due, due, patience, throw_for_absent
from bobing.server.table import Table

if TYPE_CHECKING:
    from bobing.server.host import Host

_RETRY_MS = 5_000
_log = logging.getLogger("bobing.timers")


class Timers:
    """Waits for the seats whose turn it is, at all tables of one host."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def set(self, table: Table) -> None:
        """Wait for the seat whose turn it is, as the table's settings say; not where nobody is there to see it."""
        if table.timer:
            table.timer.cancel()
        table.timer = table.deadline = None
        wait = patience(table.room) if table.members else None
        if wait is not None:
            table.deadline = self._host.clock.wall_ms() + wait if not table.room.settings.auto else None
            self._wake(table, wait, table.room.act_n, due(table.room))

    def _wake(self, table: Table, wait_ms: int, n: int, act: Due) -> None:
        table.timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._time_is_up, table, n, act)

    def _time_is_up(self, table: Table, n: int, act: Due) -> None:
        self._host.tasks.spawn(self._act_for(table, n, act))

    async def _act_for(self, table: Table, n: int, act: Due) -> None:
        """Act for the seat that was waited for, unless somebody has acted since entry `n`."""
        host, game = self._host, table.room.game
        seat = game.next_seat if game else None
        link = await host.dealer.link_of(table, seat) if act is throw_for_absent and seat is not None else None
        async with table.lock:
            if table.room.act_n != n or not await host.owner.may_change(table.room):
                return
            try:
                await host.keep(table, act(table.room, host.chance(table), link), "timer")
                await host.dealer.tend(table)
            except LostRace:
                await host.catch_up(table)
            except NotSaved:
                host.metrics.count("not_saved")
                self._wake(table, _RETRY_MS, n, act)
            except BobingError as error:
                _log.info("a timed act was refused: %s", error.code)
