"""Tables that another worker serves, for those who look on here: read from the log, as word comes of what is new."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from typing import Any

from bobing.ports import Bus, Worker
from bobing.server import presence
from bobing.server import room as rooms
from bobing.server.answers import Answer, answer, refusal_of
from bobing.server.followed_events import FollowedEvents
from bobing.server.host import Host, room_of
from bobing.server.loading import Loading
from bobing.server.refusal import refused
from bobing.server.table import Member, Table, encode
from bobing.wire import messages as wire
from bobing.wire.codec import read_message

POLL_S = 0.5
"""How often the log is asked for news while the bus is down, and, twenty times less often, while it is up."""


class Follower:
    """Shows tables to those who look on. What the bus says is not believed, only taken as a reason to read the log.

    telling: whether those who look on are told when the bus is down.
    """

    read = staticmethod(read_message)
    hello: type = wire.Hello

    def __init__(self, host: Host, bus: Bus, *, telling: bool = True) -> None:
        self._telling = telling
        self.host, self.metrics, self.clock, self._bus = host, host.metrics, host.clock, bus
        self._tables: dict[str, Table] = {}
        self._loading = Loading(self._tables, self._load)
        self._ends: dict[str, ExitStack] = {}
        self._events = FollowedEvents(host.log, bus, host.tasks.spawn)
        self._late, self._looking = False, asyncio.Lock()

    async def seek(self, code: str, gone: Worker | None = None) -> None:
        """Whoever asks here is served here."""
        del code, gone

    async def who(self, code: str, token: str) -> wire.You:
        """What a token allows at a table; raises TableRefused (`table/unknown_token`)."""
        return await self.host.who(code, token)

    async def enter(self, code: str, member: Member, seen: int) -> None:
        """A connection comes in: it gets everything."""
        table = None
        while self._tables.get(code) is not table or table is None:  # else the last one left it just now
            table = await self._loading.get(code)
            await self._read_on(table)
            await self._events.tell(table)
        table.members.add(member)
        member.send(encode(self.host.showing.welcome(table, member.you, seen)))
        if (told := self._events.told(code)) is not None:
            member.send(encode(told))
        if self._late and self._telling:
            member.send(encode(wire.Late(late=True)))

    async def _load(self, code: str) -> Table:
        """The table as its log says, followed from now on."""
        table = Table(await room_of(self.host.log, code), followed=True)
        with ExitStack() as ends:
            ends.callback(await self._bus.follow(code, lambda _: self._read_by_and_by(table)))
            heard = presence.name_of(code)
            ends.callback(await self._bus.follow(heard, lambda told: self._hear_who_is_there(table, told)))
            ends.callback(await self._events.follow(table))
            self._ends[code] = ends.pop_all()
        return table

    def leave(self, code: str, member: Member) -> None:
        """A connection is gone; a table where nobody is left is forgotten."""
        table = self._tables.get(code)
        if table is not None:
            table.members.discard(member)
            if not table.members:
                del self._tables[code]
                self._ends.pop(code).close()

    async def command(self, code: str, command: Any, who: Any, actor: str, member: Any = None) -> Answer:
        """Who looks on changes nothing."""
        del who, actor
        table = self._tables.get(code)
        return answer(refusal_of(refused("forbidden"), command.cmd, table.room.n if table else 0), member)

    async def hear(self, code: str, said: Any, member: Any) -> wire.Refused | None:
        """Who looks on has no dice."""
        del said, member
        table = self._tables.get(code)
        return refusal_of(refused("forbidden"), None, table.room.n if table else 0)

    def dismiss_all(self) -> None:
        """Say good-bye to everybody."""
        for table in self._tables.values():
            for member in list(table.members):
                member.dismiss("shut_down")

    async def poll(self) -> None:
        """Look after what no word came of, without end."""
        rounds = 0
        while True:
            await asyncio.sleep(POLL_S)
            rounds += 1
            self._tell_lateness()
            self._forget_who_was_there()
            if self._tables and (self._late or rounds % 20 == 0) and not self._looking.locked():
                self.host.tasks.spawn(self._look())

    async def _look(self) -> None:
        async with self._looking:
            tables = dict(self._tables)
            heads = await self.host.log.heads(list(tables))
            for code, table in tables.items():
                if self._late or heads.get(code, 0) > table.room.n:  # names change without an entry
                    await self._read_on(table)
                await self._events.tell(table)

    def _tell_lateness(self) -> None:
        late = not self._bus.up
        if late is not self._late:
            self._late = late
            if not self._telling:
                return
            data = encode(wire.Late(late=late))
            for table in self._tables.values():
                for member in list(table.members):
                    member.send(data)

    def _hear_who_is_there(self, table: Table, told: int) -> None:
        table.heard = self.clock.monotonic_ms()
        self.host.showing.show_there(table, presence.seats_of(told))

    def _forget_who_was_there(self) -> None:
        """What was heard long ago, or before the bus fell silent, may not be true any more."""
        before = self.clock.monotonic_ms() - presence.KNOWN_MS
        for table in self._tables.values():
            if not self._bus.up or table.heard < before:
                self.host.showing.show_there(table, None)

    def _read_by_and_by(self, table: Table) -> None:
        self.host.tasks.spawn(self._read_on(table))

    async def _read_on(self, table: Table) -> None:
        """Show what is new in the log."""
        async with table.lock:
            code = table.room.code
            entries = await self.host.log.read(code, table.room.n)
            notes = await self.host.log.notes(code)
            if not entries and notes == table.room.notes:
                return
            bodies = [json.loads(entry.body) for entry in entries]
            room = rooms.with_notes(table.room, notes)
            for entry, body in zip(entries, bodies, strict=True):
                room = rooms.apply(room, entry.n, body, entry.at)
            self.metrics.count("followed", len(entries))
            self.host.showing.show_followed(table, room, bodies)
