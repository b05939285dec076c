"""How guests come on the list of an event and leave it: by themselves, by a list that was read, or erased for good."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bobing.ports import LostRace, RepeatedCommand
from bobing.server import event_room as rooms
from bobing.server import event_views as views
from bobing.server.event_room import PREFIX, EventDecision
from bobing.server.refusal import refused
from bobing.server.rights import token_hash
from bobing.server.running_event import Running, key_of
from bobing.tournament import acts
from bobing.tournament.guest_list import Entry as GuestEntry
from bobing.tournament.guests import guest_of
from bobing.wire import event_messages as wire

if TYPE_CHECKING:
    from bobing.server.desk import Desk

_TRIES = 3


class Registering:
    """Takes guests on the lists of a desk's events."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def register(self, code: str, new: wire.Registering) -> wire.Registered:
        """A guest puts themselves on the list; raises EventRefused, TableRefused."""
        entry = rooms.entry_of(wire.GuestEntry(new.name, new.phone, new.household, new.session))
        running = await self.desk.event(code)
        key = f"self.{new.cmd}" if new.cmd else key_of("self")
        try:
            number = await self.desk.host.tasks.finished(self._enter(running, [entry], "self", key, "guest"))
        except RepeatedCommand as repeated:  # the answer did not reach the phone the first time
            number = json.loads(repeated.entry.body)["act"]["first"]
        mine = views.mine(running.room, number)
        status = "waiting" if mine.status == "waiting" else "listed"
        return wire.Registered(number, status, await self.desk.pass_for(code, "guest", number), mine.before)

    async def mine(self, code: str, token: str) -> tuple[Running, int]:
        """The event, and the number of the guest whose token this is; raises TableRefused."""
        grant = await self.desk.log.granted(token_hash(token))
        if grant is None or grant.stream != PREFIX + code or grant.role != "guest" or grant.seat is None:
            raise refused("unknown_token")
        return await self.desk.event(code), grant.seat

    async def leave_event(self, code: str, token: str, *, erase: bool) -> wire.MyView:
        """A guest gives the place back, or has what is kept of them deleted at once."""
        running, number = await self.mine(code, token)
        return await self.desk.host.tasks.finished(self._left(running, number, erase=erase))

    async def _left(self, running: Running, number: int, *, erase: bool) -> wire.MyView:
        async with running.lock:
            if erase:
                rooms.verify_erasable(running.room)
            state = running.room.event.state
            guest = guest_of(state, number)
            stays = guest.table is not None or state.signed_off
            if guest.status != "withdrawn" and not (erase and stays):
                decision = EventDecision([acts.Withdraw(number)])
                await self.desk.store(running, decision, key_of("guest"), "guest", "")
            if erase:
                await self.desk.erasing.erase(running, [number])
        return views.mine(running.room, number)

    async def is_stored(self, code: str, key: str) -> bool:
        """Whether a command was carried out at an event."""
        return await self.desk.log.find(PREFIX + code, key) is not None

    async def enter_list(self, code: str, entries: Sequence[GuestEntry], cmd: str) -> int:
        """The guests of a list that was read, all at once; the number of the first."""
        running = await self.desk.event(code)
        return await self.desk.host.tasks.finished(self._enter(running, entries, "list", cmd, "desk"))

    async def _enter(self, running: Running, entries: Sequence[GuestEntry], how: str, key: str, actor: str) -> int:
        async with running.lock:
            for _ in range(_TRIES):
                first = running.room.event.next_guest
                if how == "self":
                    before = await self.desk.log.find(PREFIX + running.room.code, key)
                    if before is not None:
                        raise RepeatedCommand(before, same=True)
                    rooms.verify_registering(running.room, entries[0])
                try:
                    await self.desk.store(running, rooms.enter_guests(running.room, entries, how), key, actor, "")
                except LostRace:
                    await self.desk.catch_up(running)
                    continue
                return first
        raise refused("stale")
