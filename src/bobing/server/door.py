"""How people come to a table: by its code, by a link for one seat, or by one that makes them its host."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from bobing.ports import Grant, LostRace, NotSaved
from bobing.server import room as rooms
from bobing.server.decision import Decision
from bobing.server.names import clean_name
from bobing.server.refusal import refused
from bobing.server.rights import BEFORE, HOSTS, you_of
from bobing.server.seating import seat_added, seat_taken
from bobing.server.table import Member, Table, encode
from bobing.wire import messages as wire

if TYPE_CHECKING:
    from bobing.server.host import Host

_TRIES = 3


class Door:
    """Lets people in at the tables of one host."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def join(self, code: str, joining: wire.Joining) -> wire.Joined:
        """Look on, take a free seat, or sit down at a new one; raises TableRefused."""
        table = await self._host.table(code)
        if joining.watch:
            return wire.Joined(await self._token(code, "watch", None), None)
        return await self._host.tasks.finished(self._seat(table, joining))

    async def invite(self, code: str, token: str, inviting: wire.Inviting) -> wire.Invited:
        """A token for another device; raises TableRefused."""
        you, table = await self._host.who(code, token), await self._host.table(code)
        own = inviting.role == you.role and inviting.seat == you.seat
        if you.role != "host" and not own and inviting.role != "watch":
            raise refused("forbidden")
        if (inviting.role == "seat") is (inviting.seat is None):
            raise refused("no_seat")
        async with table.lock:  # seats stay where they are until the grant is kept
            if inviting.seat is not None and inviting.seat >= table.room.seat_count:
                raise refused("no_seat")
            role = "heir" if inviting.role == "host" else inviting.role
            return wire.Invited(await self._token(code, role, inviting.seat))

    async def came(self, table: Table, member: Member) -> None:
        """Somebody comes in with a token, which may be used for the first time; raises TableRefused."""
        if member.you.role == "host":
            await self._host.tasks.finished(self._hand_over(table, member))
        if member.you.seat is not None and not table.room.has_device(member.you.seat):
            await self._host.tasks.finished(self._first_use(table, member, member.you.seat))

    async def _token(self, code: str, role: str, seat: int | None) -> str:
        return await self._host.issue(Grant(code, role, seat, self._host.clock.wall_ms()))

    async def _seat(self, table: Table, joining: wire.Joining) -> wire.Joined:
        async with table.lock:
            for _ in range(_TRIES):
                try:
                    seat = await self._sit_down(table, joining)
                except LostRace:
                    await self._host.catch_up(table)
                    continue
                return wire.Joined(await self._token(table.room.code, "seat", seat), seat)
        raise refused("stale")

    async def _sit_down(self, table: Table, joining: wire.Joining) -> int:
        """The seat that somebody who joins has now. Another process may have given seats away, which notes tell."""
        table.room = room = rooms.with_notes(table.room, await self._host.log.notes(table.room.code))
        if room.settings.joining != "open":
            raise refused("closed")
        if joining.seat is None:
            name = clean_name(joining.name, [room.name(seat) for seat in range(room.seat_count)])
            seat, decision = room.seat_count, seat_added(room, name, device=True)
        else:
            seat, decision = joining.seat, seat_taken(room, joining)
        await self._host.store(table, decision, f"join.{secrets.token_urlsafe(12)}", f"seat/{seat}", "")
        await self._host.dealer.tend(table)
        return seat

    async def make_host(self, table: Table, token: bytes, grant: Grant) -> None:
        """Whose token this is, is the host from now on; with the table's lock held.

        The one before keeps their seat, or looks on: at a table of an event, where the desk gives back what it took,
        also who is not there just now.
        """
        host, code = self._host, table.room.code
        others = [one for one in await host.log.grants(code) if one[0] != token and one[1].role in HOSTS.values()]
        ended = (*HOSTS, *HOSTS.values())
        await host.log.grant(token, replace(grant, role=HOSTS.get(grant.role, "host")), ending=ended)
        seat, before = table.room.host_seat, [one for one in table.members if one.you.role == "host"]
        notes: dict[str, str | None] = {"host_seat": None}
        if seat is not None and not before:
            notes[f"device/{seat}"] = None
        await host.store(table, Decision(notes=notes), "", "host", "")
        there = {one.token_hash: one for one in before}
        for other, had in others:
            if other in there or "event" in table.room.notes:
                await host.log.grant(other, _left(had, seat))
        for one in table.members:
            if one.token_hash in there or one.token_hash == token:
                now = await host.log.granted(one.token_hash)
                if now is not None:
                    one.you = you_of(now)
                    one.send(encode(host.showing.welcome(table, one.you, 0)))

    async def _hand_over(self, table: Table, member: Member) -> None:
        """Who comes in by a link for the host is the host from now on. The one before keeps their seat, or looks on."""
        async with table.lock:
            grant = await self._host.log.granted(member.token_hash)
            if grant is not None and grant.role in HOSTS:
                await self.make_host(table, member.token_hash, grant)

    async def _first_use(self, table: Table, member: Member, seat: int) -> None:
        """A link to a seat is used for the first time: from now on a device holds the seat."""
        async with table.lock:
            if await self._host.log.granted(member.token_hash) is None:
                raise refused("unknown_token")
            try:
                decision = Decision(notes={f"device/{seat}": "1"})
                await self._host.store(table, decision, f"enter.{secrets.token_urlsafe(12)}", f"seat/{seat}", "")
            except NotSaved:  # it can look on all the same, and act for its seat
                self._host.metrics.count("not_saved")


def _left(had: Grant, seat: int | None) -> Grant:
    """What is left to who was the host: their seat, or to look on."""
    if seat is not None:
        return replace(had, role="seat", seat=seat)
    return replace(had, role=BEFORE if had.role == HOSTS["heir"] else "watch")
