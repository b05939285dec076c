"""Runs the tables: one writer each, that stores an act before anybody is told of it."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from bobing.core.errors import BobingError
from bobing.ports import (
    Bus,
    Clock,
    Dice,
    Entry,
    Grant,
    Lease,
    Log,
    LostLease,
    LostRace,
    NewEntry,
    NotSaved,
    RepeatedCommand,
    Right,
    RightGone,
    Worker,
)
from bobing.server import presence
from bobing.server import room as rooms
from bobing.server.acting import actor_of
from bobing.server.answers import Answer, answer, answered_before, digest_of, needs_of, refusal_of
from bobing.server.dealer import Dealer, Work
from bobing.server.deciding import decide
from bobing.server.decision import Chance, Decision
from bobing.server.door import Door
from bobing.server.loading import Loading
from bobing.server.metrics import Metrics
from bobing.server.opening import opened, opened_for_event
from bobing.server.owner import NoOwner, Owner
from bobing.server.places import Places, seek
from bobing.server.recorded import open_record
from bobing.server.refusal import refused
from bobing.server.rights import BEFORE, CODE_LENGTH, CODE_SIGNS, HOSTS, is_code, right_of, token_hash, you_of
from bobing.server.room import Body, Room
from bobing.server.seating import called, cleaned
from bobing.server.showing import Showing, line_of
from bobing.server.table import Member, Table, encode
from bobing.server.tasks import Tasks
from bobing.server.timers import Timers
from bobing.wire import messages as wire
from bobing.wire.canonical import canonical
from bobing.wire.codec import read_message
from bobing.wire.event_messages import EnterGuests

ENTRIES_MAX = 20_000
"""Entries of one table; an evening has some hundreds."""
MEMBERS_MAX = 2_000
"""Connections at one table."""
ASKED = "asked"
"""The secret of a stream under which the digests of commands with names are made."""
_PERSONAL = (wire.AddSeat, EnterGuests)
_TRIES = 3
_END_S = 5
"""How long what is being stored may take when the server ends."""


class Host:
    """All tables of one process over one log.

    chance: gives bytes that nobody can foretell, and the dice of games that begin here are proved; without it they are
    `dice`, as they are in games that began without proof. places, bus: where there are several workers, each of which
    writes to the tables whose lease it holds, and the others hear of it.
    """

    read = staticmethod(read_message)
    hello: type = wire.Hello

    def __init__(
        self,
        log: Log,
        dice: Dice,
        clock: Clock,
        metrics: Metrics,
        chance: Callable[[int], bytes] | None = None,
        *,
        places: Places | None = None,
        bus: Bus | None = None,
    ) -> None:
        self.log, self.dice, self.clock, self.metrics = log, dice, clock, metrics
        self.places, self.bus = places, bus
        self.provable = chance is not None
        self.owner: Owner = NoOwner()
        self.tasks, self.showing = Tasks(), Showing(clock, metrics, bus)
        self.dealer = Dealer(self, chance or secrets.token_bytes)
        self.door, self.timers = Door(self), Timers(self)
        self.tables: dict[str, Table] = {}
        self._loading = Loading(self.tables, self._load)
        self._replaying = asyncio.Semaphore(1)
        if places:
            places.lost.append(self._lost)

    async def make(self, new: wire.NewTable) -> wire.NewTableMade:
        """A new table with a code that no other has, and the host's token."""
        return await self._made(*opened(new))

    async def make_from_record(self, data: bytes, settings: wire.Settings) -> wire.NewTableMade:
        """A table that goes on with the game of a record; raises RecordError, TableRefused."""
        async with self._replaying:  # beside the loop, for it takes a while; one at a time, for it takes the processor
            opened = await asyncio.to_thread(open_record, data, settings, provable=self.provable)
        return await self._made(opened.bodies, dict(opened.notes))

    async def make_for_event(
        self,
        rules: Mapping[str, Any],
        choice: Mapping[str, Any],
        settings: Mapping[str, Any],
        names: Sequence[tuple[str, int]],
        start: int,
        event: str,
    ) -> str:
        """A table of an event, which has begun, without a host yet: its code. names: of its guests, with numbers."""
        begun = opened_for_event(rules, choice, settings, names, start, event, provable=self.provable)
        return await self._make(*begun)

    async def _made(self, bodies: Sequence[Body], notes: Mapping[str, str | None]) -> wire.NewTableMade:
        code = await self._make(bodies, notes)
        return wire.NewTableMade(code, await self.issue(Grant(code, "host", None, self.clock.wall_ms())))

    async def _make(self, bodies: Sequence[Body], notes: Mapping[str, str | None]) -> str:
        code, now = await self.free_code(), self.clock.wall_ms()
        key = f"open.{secrets.token_urlsafe(12)}"
        new = [NewEntry(f"{key}.{i}", now, "host", canonical(body)) for i, body in enumerate(bodies)]
        await self.log.append(code, 0, new, notes=notes)
        self.metrics.count("tables_made")
        return code

    async def issue(self, grant: Grant) -> str:
        """A fresh token for a grant; only its hash is kept."""
        token = secrets.token_urlsafe(24)
        await self.log.grant(token_hash(token), grant)
        return token

    async def who(self, code: str, token: str) -> wire.You:
        """What a token allows at a table; raises TableRefused (`table/unknown_token`)."""
        grant = await self.log.granted(token_hash(token))
        if grant is None or grant.stream != code:
            raise refused("unknown_token")
        return you_of(grant)

    async def seek(self, code: str, gone: Worker | None = None) -> Worker | None:
        """The worker that serves a table, as `places.seek` says; raises TableRefused (`table/closed`)."""
        return await seek(self.places, gone, partial(self.table, code))

    async def exists(self, code: str) -> bool:
        """Whether there is a table with a code."""
        return is_code(code) and bool(await self.log.read(code, limit=1))

    async def table(self, code: str) -> Table:
        """The table of a code, loaded from the log where needed; raises TableRefused (`table/closed`), Elsewhere."""
        table = await self._loading.get(code)
        table.used = self.clock.monotonic_ms()
        return table

    def unload(self, idle_ms: int) -> None:
        """Forget the tables that nobody was at for so long; the log has them."""
        before = self.clock.monotonic_ms() - idle_ms
        for code, table in list(self.tables.items()):
            if not table.members and not table.lock.locked() and table.used < before:
                table.rest()
                del self.tables[code]

    async def enter(self, code: str, member: Member, seen: int) -> None:
        """A connection comes in: it gets everything, and the others learn that it is there."""
        table = await self.table(code)
        if len(table.members) >= MEMBERS_MAX:
            raise refused("full")
        await self.door.came(table, member)
        for other in [other for other in table.members if other.token_hash == member.token_hash]:
            other.dismiss("replaced")
            table.members.discard(other)
        table.members.add(member)
        if table.timer is None:
            self.timers.set(table)
        member.send(encode(self.showing.welcome(table, member.you, seen)))
        if (event := await self.owner.of_event(table.room)) is not None:
            member.send(encode(event))
        self.showing.tell_presence(table, member)
        if table.room.ledger is not None:
            self.dealer.came(table, member)
            self.run(table, self.dealer.tend)

    def leave(self, code: str, member: Member) -> None:
        """A connection is gone."""
        table = self.tables.get(code)
        if table and member in table.members:
            table.members.discard(member)
            table.used = self.clock.monotonic_ms()
            if not table.members:
                self.timers.set(table)
            self.showing.tell_presence(table, member)

    async def command(
        self, code: str, command: wire.Command, who: wire.You, actor: str, member: Member | None = None
    ) -> Answer:
        """Carry out a command once: the same `cmd` again gets the same answer.

        member: who has to be there still, and is told the answer, so that it goes out together with the news.
        """
        table = await self.table(code)

        async def answered() -> Answer:
            return answer(await self._command(table, command, who, actor, member), member)

        return await self.tasks.finished(answered())

    async def hear(self, code: str, said: wire.ForDice, member: Member) -> wire.Refused | None:
        """What a device says for the dice of its seat by itself; what it is refused with, if it is."""
        table = await self.table(code)
        try:
            await self.tasks.finished(self.dealer.hear(table, said, member))
        except BobingError as error:
            return refusal_of(error, None, table.room.n)
        return None

    async def _command(
        self, table: Table, command: wire.Command, who: wire.You, actor: str, member: Member | None
    ) -> Answer:
        key = f"{actor}.{command.cmd}"
        if key not in table.commands:
            try:
                command = await self.dealer.prepared(table, command, who)
            except BobingError as error:
                return refusal_of(error, command.cmd, table.room.n)
        async with table.lock:
            try:
                request = await self.request_of(table.room.code, command)
            except NotSaved as error:
                return refusal_of(error, command.cmd, table.room.n)
            doubted = False
            for _ in range(_TRIES):
                try:
                    who = who if member is None else await self._present(table, member, doubted=doubted)
                    if key in table.commands:
                        return answered_before(table, command.cmd, key, request)
                    await self.owner.fence(table.room)
                    await self.owner.verify(table.room, command)
                    decision = decide(table.room, cleaned(command, table.room), who, self.chance(table))
                    if isinstance(command, wire.Rematch) and not await self.exists(command.code):
                        raise refused("closed")
                    right = Right(member.token_hash, right_of(who), who.seat) if member else None
                    await self.store(table, decision, key, actor_of(who), request, right)
                    await self.dealer.tend(table)
                except LostRace:
                    await self.catch_up(table)
                    continue
                except RightGone:
                    doubted = True
                    continue
                except RepeatedCommand:
                    await self.catch_up(table)
                    return answered_before(table, command.cmd, key, request)
                except BobingError as error:
                    self.metrics.count("not_saved" if isinstance(error, NotSaved) else "refused")
                    return refusal_of(error, command.cmd, table.room.n, needs_of(error, table.room, command))
                _, n = table.commands.get(key, (request, table.room.n))  # more may have followed by itself
                return wire.Ack(command.cmd, n)
        return refusal_of(refused("stale"), command.cmd, table.room.n)

    async def _present(self, table: Table, member: Member, *, doubted: bool) -> wire.You:
        """What a connection may do now; raises TableRefused where its right is gone. doubted: the log says that it is
        not what it was, which happens when another process gave or took it."""
        if doubted and member in table.members:
            grant = await self.log.granted(member.token_hash)
            if grant is None:
                _dismiss(table, [member])
            else:
                member.you = you_of(grant)
        if member not in table.members:
            member.dismiss("revoked")
            raise refused("unknown_token")
        return member.you

    async def request_of(self, stream: str, command: Any) -> str:
        """By what a repeated command is known to be the same. Where it holds names, the digest is keyed: once the key
        is erased with the names, nobody can try names on what stays in the log.
        """
        if not isinstance(command, _PERSONAL):
            return digest_of(command)
        key = await self.log.secret(stream, ASKED)
        if key is None:
            key = secrets.token_bytes(32)
            await self.log.keep_secret(stream, ASKED, key)
        return hmac.new(key, canonical(msgspec.to_builtins(command)), "sha256").hexdigest()[:32]

    async def forget(self, stream: str, guests: Mapping[int, int | None]) -> None:
        """The names at these seats are erased for good; what happened there stays, and all its hashes.

        guests: by seat the numbers that they have at their event, by which they are called from now on.
        """
        table = await self.table(stream)
        async with table.lock:
            notes: dict[str, str | None] = {}
            for seat in (seat for seat in guests if f"name/{seat}" in table.room.notes):
                notes |= {f"name/{seat}": None, **called("", seat, guests[seat])}
            await self.log.keep_secret(stream, ASKED, None)
            if notes:
                await self.store(table, Decision(notes=notes), "", "event", "", fenced=False)

    async def take_keys(self, stream: str) -> None:
        """No device is the host of a table any more, and no link makes one the host."""
        table = await self.table(stream)
        async with table.lock:
            before = {token for token, grant in await self.log.grants(stream) if grant.role == BEFORE}
            for role in (*HOSTS, *HOSTS.values(), BEFORE):
                await self.log.revoke(stream, role=role)
            ended = (one for one in table.members if one.you.role == "host" or one.token_hash in before)
            _dismiss(table, list(ended))

    def dismiss_all(self) -> None:
        """Say good-bye to everybody."""
        for table in self.tables.values():
            table.rest()
            for member in list(table.members):
                member.dismiss("shut_down")

    async def finish(self) -> None:
        """Say good-bye to everybody and finish what is being stored."""
        self.dismiss_all()
        await self.tasks.settled(_END_S)

    async def close(self) -> None:
        """The same, and let go of the log."""
        await self.finish()
        await self.log.close()

    async def _load(self, code: str) -> Table:
        if not await self.exists(code):
            raise refused("closed")
        lease = await self._claimed(code)  # before it is read: who held it before writes nothing more
        entries, notes = await self.log.read(code), await self.log.notes(code)
        table = Table(_room_of(code, entries, notes), lease, used=self.clock.monotonic_ms())
        await self.dealer.load(table)
        _remember(table, entries)
        return table

    async def _claimed(self, code: str) -> Lease | None:
        """The lease of a table: its own, or that of its event, whose tables are served together."""
        if self.places is None:
            return None
        event = (await self.log.notes(code)).get("event")
        return await self.places.claim(code if event is None else f"event/{event}")

    def _lost(self, lease: Lease) -> None:
        """Another worker serves these tables now: whoever is here comes again, and is led there."""
        for code, table in list(self.tables.items()):
            if table.lease == lease:
                self.metrics.count("leases_lost")
                table.rest()
                del self.tables[code]
                for member in list(table.members):
                    member.dismiss("shut_down")

    async def catch_up(self, table: Table) -> None:
        """Somebody else wrote to the log of this table: read it again, and show everybody what is there."""
        code = table.room.code
        entries = await self.log.read(code)
        table.room = _room_of(code, entries, await self.log.notes(code))
        table.lines, table.commands = None, {}
        await self.dealer.load(table)
        _remember(table, entries)
        self.timers.set(table)
        for member in list(table.members):
            grant = await self.log.granted(member.token_hash)
            if grant is None:
                _dismiss(table, [member])
            else:
                member.you = you_of(grant)
                member.send(encode(self.showing.welcome(table, member.you, 0)))

    async def store(
        self,
        table: Table,
        decision: Decision,
        key: str,
        actor: str,
        request: str,
        right: Right | None = None,
        *,
        fenced: bool = True,
    ) -> None:
        """Try, commit, then tell: nothing is stored that could not be read again and told; nobody hears of what is not.

        right: what has to hold still when it is stored; fenced: whether another machine that has the table forbids it.
        """
        before, now = table.room.n, self.clock.wall_ms()
        if before + len(decision.bodies) > ENTRIES_MAX:
            raise refused("too_long")
        if fenced:
            await self.owner.fence(table.room)
        new = [
            NewEntry(key if i == 0 else f"{key}.{i}", now, actor, canonical({**body, "q": request}))
            for i, body in enumerate(decision.bodies)
        ]
        notes, entries = decision.notes or {}, ()
        after = table.room
        if notes:
            kept = {name: text for name, text in {**after.notes, **notes}.items() if text is not None}
            after = rooms.with_notes(after, kept)
        for n, body in enumerate(decision.bodies, before + 1):
            after = rooms.apply(after, n, body, now)
        line = line_of(after, decision.bodies)  # now, while the processor's caches hold what it is made of
        if new or notes or decision.free:
            entries = await self._append(table, new, notes, decision.free, right)
        table.room = after
        _dismiss(table, [member for member in table.members if member.you.seat in decision.free])
        if entries:  # of a command with several entries the last is what it was answered with
            table.commands[key] = (request, entries[-1].n)
        self.metrics.count("entries", len(entries))
        if entries:
            self.timers.set(table)
            self.owner.changed(table.room)
        self.showing.tell(table, decision.bodies, line)

    @contextmanager
    def letting_go(self, lease: Lease | None) -> Generator[None]:
        """Within it an append that finds the lease lost also lets go of its stream; raises LostLease on."""
        try:
            yield
        except LostLease:
            if self.places and lease:
                self.places.lose(lease)
            raise

    async def _append(
        self,
        table: Table,
        new: Sequence[NewEntry],
        notes: Mapping[str, str | None],
        free: Collection[int],
        right: Right | None,
    ) -> Sequence[Entry]:
        """Append, and give word of it to other workers; let go of the table where another has taken it over."""
        code, n = table.room.code, table.room.n
        with self.letting_go(table.lease):
            entries = await self.log.append(code, n, new, notes=notes, revoke=free, right=right, lease=table.lease)
        if self.bus:
            self.bus.publish(code, n + len(entries))
            presence.tell(self.bus, table)
        return entries

    async def keep(self, table: Table, decision: Decision, what: str) -> None:
        """Store what follows by itself, and tell everybody."""
        await self.store(table, decision, f"{what}.{secrets.token_urlsafe(12)}", "table", "")

    def run(self, table: Table, work: Work) -> None:
        """Do some work at a table by and by, under its lock."""

        async def locked() -> None:
            async with table.lock:
                await work(table)

        self.tasks.spawn(locked())

    def chance(self, table: Table) -> Chance:
        """What digital dice at a table come from now."""
        return Chance(self.dice, self.provable, table.master)

    def say(self, code: str, message: wire.ServerMessage) -> None:
        """Tell everybody at a table something that is not of its log, where anybody is there."""
        table = self.tables.get(code)
        if table is not None:
            self.showing.broadcast(table, message)

    async def free_code(self, prefix: str = "") -> str:
        """A code that no stream of the log has behind `prefix`."""
        while True:
            code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
            if not await self.log.read(prefix + code, limit=1):
                return code


async def room_of(log: Log, code: str) -> Room:
    """A table as its log says."""
    return _room_of(code, await log.read(code), await log.notes(code))


def _room_of(code: str, entries: Iterable[Entry], notes: Mapping[str, str]) -> Room:
    return rooms.load(code, [(entry.n, json.loads(entry.body), entry.at) for entry in entries], notes)


def _remember(table: Table, entries: Iterable[Entry]) -> None:
    for entry in entries:  # of a command with several entries the last is what it was answered with
        key = ".".join(entry.cmd.split(".")[:2])
        table.commands[key] = (json.loads(entry.body).get("q", ""), entry.n)


def _dismiss(table: Table, members: Collection[Member]) -> None:
    """End connections whose right was taken away."""
    for member in members:
        member.dismiss("revoked")
        table.members.discard(member)
