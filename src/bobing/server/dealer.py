"""Fixes the dice of the tables with the devices of their players, and asks devices for the links of throws."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import msgspec

from bobing.core.errors import BobingError
from bobing.fairness.beacon import beacon_bytes, verify_beacon
from bobing.ports import Clock, Log, LostLease, LostRace, NotSaved
from bobing.server import sealing as seals
from bobing.server.decision import Decision, fair_body
from bobing.server.drawing import drawing
from bobing.server.proving import awaited_plan, links_lost
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.server.sealing import Sealing
from bobing.server.showing import Showing
from bobing.server.table import Member, Table, encode
from bobing.wire import messages as wire

LINK_MS = 2_500
"""How long a device is waited for that is asked for the link of a throw."""
Work = Callable[[Table], Coroutine[Any, Any, None]]
_STEPS = 100
_log = logging.getLogger("bobing.dealer")
_RETRY_MS = 5_000


class Keeper(Protocol):
    """Who stores and tells: the host."""

    log: Log
    clock: Clock
    showing: Showing

    async def keep(self, table: Table, decision: Decision, what: str) -> None:
        """Store what follows by itself, and tell everybody."""
        ...

    async def catch_up(self, table: Table) -> None:
        """Read a table anew that somebody else wrote to."""
        ...

    def run(self, table: Table, work: Work) -> None:
        """Do some work at a table by and by, under its lock."""
        ...


class Dealer:
    """The dice of all tables of one host. chance: so many bytes that nobody can foretell."""

    def __init__(self, keeper: Keeper, chance: Callable[[int], bytes]) -> None:
        self._keeper, self._chance = keeper, chance

    async def load(self, table: Table) -> None:
        """Find the secret of the attempt under way of a table that was just read from the log."""
        ledger = table.room.ledger
        if ledger and ledger.attempt:
            table.master = await self._keeper.log.secret(table.room.code, _key(ledger.attempt.game))

    async def tend(self, table: Table) -> None:
        """Do all that follows by itself from how the table stands; with its lock held."""
        if table.room.ledger is None:
            return
        try:
            for _ in range(_STEPS):
                if not await self._step(table):
                    break
        except NotSaved:
            self._wake(table, _RETRY_MS, self.tend)
        except LostRace:
            await self._keeper.catch_up(table)
        except LostLease:
            return  # the worker that has it now does all this
        except BobingError as error:
            _log.error("dice cannot be fixed at a table: %s: %s", error.code, error)
        else:
            self._wait(table)

    async def _step(self, table: Table) -> bool:
        room, sealing = table.room, table.sealing
        if room.game is not None and room.game.finished:
            await self._forget(table)
            return False
        why = seals.why_anew(room, kept=table.master is not None)
        if why is None:
            if sealing.why is not None:
                table.sealing = Sealing(silent=sealing.silent)
            step = seals.next_step(room, table.sealing, table.master, self._keeper.clock.wall_ms())
            if step is None:
                return False
            await self._keeper.keep(table, step, "fair")
            if table.room.ledger and table.room.ledger.stage == "none":  # void: the next one asks afresh
                table.sealing = Sealing(silent=sealing.silent)
            return True
        if sealing.why is None:
            asked = {seat for seat in table.online if room.has_device(seat)} - sealing.silent
            table.sealing = Sealing(why, self._chance(16), asked, silent=set() if why == "again" else sealing.silent)
        if seals.awaited(room, table.sealing):
            return False
        await self._close(table)
        return True

    async def _close(self, table: Table) -> None:
        """Everything is fixed. The secret is kept before anybody hears what it commits to; the one before goes."""
        sealing, before = table.sealing, table.room.ledger and table.room.ledger.attempt
        master, code = self._chance(32), table.room.code
        attempt = seals.attempt_of(table.room, sealing, master, self._keeper.clock.wall_ms())
        await self._keeper.log.keep_secret(code, _key(sealing.game), master)
        await self._keeper.keep(table, Decision([fair_body(attempt)]), "fair")
        table.master, table.sealing = master, Sealing(silent=sealing.silent)
        if before:
            await self._keeper.log.keep_secret(code, _key(before.game), None)

    async def _forget(self, table: Table) -> None:
        """Nothing is drawn any more: what it would be drawn from is erased."""
        ledger = table.room.ledger
        if table.master is not None and ledger and ledger.attempt:
            await self._keeper.log.keep_secret(table.room.code, _key(ledger.attempt.game), None)
            table.master = None

    def _wait(self, table: Table) -> None:
        """See to it that nobody is waited for without end."""
        sealing = table.sealing
        if not seals.awaited(table.room, sealing):
            sealing.deadline = None
            if table.sealing_timer:
                table.sealing_timer.cancel()
                table.sealing_timer = None
        elif sealing.deadline is None:
            wait = seals.COMMIT_MS if sealing.why is not None else seals.REVEAL_MS
            sealing.deadline = self._keeper.clock.wall_ms() + wait
            self._wake(table, wait, self.time_is_up)
            self._keeper.showing.show(table)

    def _wake(self, table: Table, wait: int, work: Work) -> None:
        if table.sealing_timer:
            table.sealing_timer.cancel()
        loop = asyncio.get_running_loop()
        table.sealing_timer = loop.call_later(wait / 1000, self._keeper.run, table, work)

    def came(self, table: Table, member: Member) -> None:
        """A device is there, which may not have answered before: where dice are fixed it is asked once more."""
        seat, ledger = table.seat_of(member), table.room.ledger
        if seat is not None and ledger and ledger.stage == "ready":
            table.sealing.silent.discard(seat)

    async def time_is_up(self, table: Table) -> None:
        """Those who were asked have had their time; with the table's lock held."""
        table.sealing.deadline = None
        void = seals.time_is_up(table.room, table.sealing)
        if void is not None:
            silent = table.sealing.silent
            await self._keeper.keep(table, void, "fair")
            if table.room.ledger and table.room.ledger.stage == "none":
                table.sealing = Sealing(silent=silent)
        await self.tend(table)

    # ---- what devices say --------------------------------------------------------------------------------------------

    async def hear(self, table: Table, said: wire.ForDice, member: Member) -> None:
        """What a device says for its seat by itself; raises TableRefused, FairError."""
        if table.seat_of(member) != said.seat:
            raise refused("forbidden")
        if isinstance(said, wire.Link):
            self._link_came(table, said)
            return
        async with table.lock:
            try:
                await self._heard(table, said)
            finally:
                await self.tend(table)

    async def _heard(self, table: Table, said: wire.Commit | wire.Reveal | wire.LostLinks) -> None:
        room, ledger = table.room, table.room.ledger
        if isinstance(said, wire.Commit):
            seals.head_given(room, table.sealing, said)
        elif isinstance(said, wire.Reveal):
            seals.link_given(room, table.sealing, said)
        elif ledger and ledger.stage == "ready" and said.seat in ledger.own:
            await self._keeper.keep(table, links_lost(said.seat, "lost"), "fair")

    def _link_came(self, table: Table, said: wire.Link) -> None:
        ledger = table.room.ledger
        waiting = table.wanted.get((bytes.fromhex(said.game), said.seat, said.k))
        if ledger is None or waiting is None or waiting.done():
            raise refused("not_asked")
        link = bytes.fromhex(said.link)
        ledger.verify_link(said.seat, said.k, link)
        waiting.set_result(link)

    async def link_of(self, table: Table, seat: int) -> str | None:
        """The link that the next draw of a seat needs from its own device; None where it needs none or none comes."""
        ledger = table.room.ledger
        if ledger is None or ledger.stage != "ready" or ledger.attempt is None or seat not in ledger.own:
            return None
        k = ledger.next_k(seat)
        if ledger.repeated(seat, k) is not None:
            return None
        key = (ledger.attempt.game, seat, k)
        link = await self._link_from_devices(table, key)
        if link is None and ledger.attempt.plan:
            await self._absent(table, key)
        return link

    async def _absent(self, table: Table, key: tuple[bytes, int, int]) -> None:
        """Where public chance was announced, a seat whose link does not come may not go on without: it waits."""
        game, seat, k = key
        async with table.lock:
            ledger = table.room.ledger
            same = ledger and ledger.stage == "ready" and ledger.attempt and ledger.attempt.game == game
            if ledger and same and seat in ledger.own and ledger.next_k(seat) == k:
                await self._keeper.keep(table, links_lost(seat, "absent"), "fair")
                await self.tend(table)

    async def _link_from_devices(self, table: Table, key: tuple[bytes, int, int]) -> str | None:
        game, seat, k = key
        devices = [member for member in table.members if table.seat_of(member) == seat]
        if not devices:
            return None
        waiting = table.wanted.setdefault(key, asyncio.get_running_loop().create_future())
        for member in devices:
            member.send(encode(wire.LinkWanted(seat=seat, game=game.hex(), k=k)))
        try:
            return (await asyncio.wait_for(asyncio.shield(waiting), LINK_MS / 1000)).hex()
        except TimeoutError:
            return None
        finally:
            table.wanted.pop(key, None)

    async def prepared(self, table: Table, command: wire.Command, who: wire.You) -> wire.Command:
        """The command with what it needs from elsewhere: a link that a device is asked for; a beacon is verified."""
        if isinstance(command, wire.Beacon):
            await _verify(table.room, command)
        if isinstance(command, wire.Throw | wire.StartDice) and command.link is None:
            try:
                drawing(table.room, command, who)
            except BobingError:
                return command  # it is refused anyhow
            if table.room.game is not None and table.room.game.next_seat == command.seat:
                link = await self.link_of(table, command.seat)
                if table.room.ledger and command.seat in table.room.ledger.waiting:
                    raise refused("not_ready")  # it waits for public chance from now on
                return msgspec.structs.replace(command, link=link)
        return command


async def _verify(room: Room, command: wire.Beacon) -> None:
    """Verify a beacon beside the loop, for a signature takes a second."""
    plan = room.ledger and awaited_plan(room.ledger, command.seat)
    if plan:
        await asyncio.to_thread(verify_beacon, plan, beacon_bytes(plan, command.value))


def _key(game: bytes) -> str:
    return f"draw/{game.hex()}"
