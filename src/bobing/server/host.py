"""Runs the tables: one writer each, that stores an act before anybody is told of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import msgspec

from bobing.core.acts import Correct, Pass, Undo, act_to_json
from bobing.core.canonical import canonical_json
from bobing.core.errors import ActRefused, BobingError
from bobing.ports import Clock, Dice, Entry, Grant, Log, LostRace, NewEntry
from bobing.server import room as rooms
from bobing.server import views
from bobing.server.metrics import Metrics
from bobing.server.names import clean_name
from bobing.server.refusal import refused, words_of
from bobing.server.room import Body, Decision, Room
from bobing.wire import messages as wire

CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8
AUTO_MS = (4000, 2600, 1500, 700)
"""Time between automatic throws, by speed."""
_TRIES = 3
_log = logging.getLogger("bobing.host")


class Member(Protocol):
    """One connection at a table."""

    you: wire.You
    token_hash: bytes

    def send(self, message: bytes) -> None:
        """Put a message in the outbox; never waits."""
        ...

    def dismiss(self, why: str) -> None:
        """End the connection with a word why."""
        ...


@dataclass(slots=True)
class Table:
    """A table in memory: its room, who is connected, and the lock that makes it the only writer."""

    room: Room
    members: set[Member] = field(default_factory=set["Member"])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    commands: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    lines: list[wire.Line] | None = None
    timer: asyncio.TimerHandle | None = None
    deadline: int | None = None

    @property
    def online(self) -> set[int]:
        """Seats whose own device is connected."""
        return {member.you.seat for member in self.members if member.you.seat is not None}


class Host:
    """All tables of one process over one log."""

    def __init__(self, log: Log, dice: Dice, clock: Clock, metrics: Metrics) -> None:
        self.log, self.dice, self.clock, self.metrics = log, dice, clock, metrics
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def make(self, new: wire.NewTable) -> wire.NewTableMade:
        """A new table with a code that no other has, and the host's token."""
        names = _clean_names(new.players)
        code = await self._free_code()
        body = rooms.opening(new.rules, new.settings, len(names))
        entry = NewEntry(f"open.{secrets.token_urlsafe(12)}", self.clock.wall_ms(), "host", canonical_json(body))
        await self.log.append(code, 0, [entry])
        notes: dict[str, str | None] = {f"name/{seat}": name for seat, name in enumerate(names)}
        if new.title.strip():
            notes["title"] = clean_name(new.title)
        await self.log.set_notes(code, notes)
        self.metrics.count("tables_made")
        return wire.NewTableMade(code, await self.issue(Grant(code, "host", None, self.clock.wall_ms())))

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
        return wire.You(role=_ROLES[grant.role], seat=grant.seat)

    async def join(self, code: str, joining: wire.Joining) -> wire.Joined:
        """Look on, take a free seat, or sit down at a new one; raises TableRefused."""
        table = await self.table(code)
        if joining.watch:
            return wire.Joined(await self.issue(Grant(code, "watch", None, self.clock.wall_ms())), None)
        async with table.lock:
            room = table.room
            if room.settings.joining != "open":
                raise refused("closed")
            if joining.seat is None:
                name = clean_name(joining.name, [room.name(seat) for seat in range(room.seat_count)])
                seat, decision = room.seat_count, rooms.seat_added(room, name, device=True)
            else:
                seat, decision = joining.seat, _seat_taken(room, joining)
            await self._store(table, decision, f"join.{secrets.token_urlsafe(12)}", f"seat/{seat}", "")
        return wire.Joined(await self.issue(Grant(code, "seat", seat, self.clock.wall_ms())), seat)

    async def invite(self, code: str, token: str, inviting: wire.Inviting) -> wire.Invited:
        """A token for another device; raises TableRefused."""
        you, table = await self.who(code, token), await self.table(code)
        own = inviting.role == you.role and inviting.seat == you.seat
        if you.role != "host" and not own and inviting.role != "watch":
            raise refused("forbidden")
        if (inviting.role == "seat") is (inviting.seat is None):
            raise refused("no_seat")
        if inviting.seat is not None and inviting.seat >= table.room.seat_count:
            raise refused("no_seat")
        return wire.Invited(await self.issue(Grant(code, inviting.role, inviting.seat, self.clock.wall_ms())))

    async def table(self, code: str) -> Table:
        """The table of a code, loaded from the log where needed; raises TableRefused (`table/closed`)."""
        if code not in self.tables:
            async with self._loading.setdefault(code, asyncio.Lock()):
                if code not in self.tables:
                    self.tables[code] = await self._load(code)
            self._loading.pop(code, None)
        return self.tables[code]

    async def enter(self, code: str, member: Member, seen: int) -> None:
        """A connection comes in: it gets everything, and the others learn that it is there."""
        table = await self.table(code)
        for other in [other for other in table.members if other.token_hash == member.token_hash]:
            other.dismiss("replaced")
            table.members.discard(other)
        table.members.add(member)
        member.send(encode(self.welcome(table, member.you, seen)))
        self._tell_presence(table)

    def leave(self, code: str, member: Member) -> None:
        """A connection is gone."""
        table = self.tables.get(code)
        if table and member in table.members:
            table.members.discard(member)
            self._tell_presence(table)

    async def command(self, code: str, command: wire.Command, who: wire.You, actor: str) -> wire.Ack | wire.Refused:
        """Carry out a command once: the same `cmd` again gets the same answer."""
        table = await self.table(code)
        key, request = f"{actor}.{command.cmd}", _digest(command)
        async with table.lock:
            for _ in range(_TRIES):
                known = table.commands.get(key)
                if known is not None:
                    if known[0] != request:
                        return _refusal(refused("other_body"), command.cmd, table.room.n)
                    return wire.Ack(command.cmd, known[1])
                try:
                    decision = rooms.decide(table.room, _cleaned(command, table.room), who, self.dice)
                    await self._store(table, decision, key, _actor(who), request)
                except LostRace:
                    await self._reload(table)
                    continue
                except BobingError as error:
                    self.metrics.count("refused")
                    return _refusal(error, command.cmd, table.room.n, _needs(error, table.room, command))
                return wire.Ack(command.cmd, table.room.n)
        return _refusal(refused("stale"), command.cmd, table.room.n)

    def welcome(self, table: Table, you: wire.You, seen: int) -> wire.Welcome:
        """Everything about a table."""
        room = table.room
        if table.lines is None:
            table.lines = views.lines(room)
        return wire.Welcome(
            code=room.code,
            n=room.n,
            you=you,
            title=room.notes.get("title", ""),
            rules=views.rules_view(room.rules, room.choice),
            view=views.view(room, table.online, table.deadline),
            lines=table.lines,
            now=self.clock.wall_ms(),
            missed=views.missed(table.lines, seen),
        )

    async def close(self) -> None:
        """Say good-bye to everybody and finish what is being stored."""
        for table in self.tables.values():
            if table.timer:
                table.timer.cancel()
            for member in list(table.members):
                member.dismiss("shut_down")
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)
        await self.log.close()

    async def _load(self, code: str) -> Table:
        entries = await self.log.read(code) if _is_code(code) else ()
        if not entries:
            raise refused("closed")
        table = Table(_room_of(code, entries, await self.log.notes(code)))
        _remember(table, entries)
        self._set_timer(table)
        return table

    async def _reload(self, table: Table) -> None:
        code = table.room.code
        entries = await self.log.read(code)
        table.room = _room_of(code, entries, await self.log.notes(code))
        table.lines, table.commands = None, {}
        _remember(table, entries)

    async def _store(self, table: Table, decision: Decision, key: str, actor: str, request: str) -> None:
        """Commit, then apply, then tell: nobody hears of what is not stored."""
        new = [
            NewEntry(
                key if i == 0 else f"{key}.{i}", self.clock.wall_ms(), actor, canonical_json({**body, "q": request})
            )
            for i, body in enumerate(decision.bodies)
        ]
        entries = await self.log.append(table.room.code, table.room.n, new) if new else ()
        if decision.notes:
            await self.log.set_notes(table.room.code, decision.notes)
            kept = {**table.room.notes, **decision.notes}
            table.room = replace(table.room, notes={name: text for name, text in kept.items() if text is not None})
        for seat in decision.free:
            await self._free(table, seat)
        for entry, body in zip(entries, decision.bodies, strict=True):
            table.room = rooms.apply(table.room, entry.n, body, entry.at)
        _remember(table, entries)
        self.metrics.count("entries", len(entries))
        self._set_timer(table)
        self._tell(table, decision.bodies)

    async def _free(self, table: Table, seat: int) -> None:
        await self.log.revoke(table.room.code, role="seat", seat=seat)
        for member in [member for member in table.members if member.you.seat == seat]:
            member.dismiss("revoked")
            table.members.discard(member)

    def _tell(self, table: Table, bodies: Sequence[Body]) -> None:
        room = table.room
        state = views.view(room, table.online, table.deadline)
        last = bodies[-1] if bodies else {"t": "notes"}
        if last["t"] != "act":
            rules = views.rules_view(room.rules, room.choice) if last["t"] == "rules" else None
            self._broadcast(table, wire.News(n=room.n, view=state, rules=rules))
            return
        assert room.game is not None, "an act was just played"
        if table.lines is None or isinstance(room.game.log[-1].act, Undo | Correct):
            table.lines = views.lines(room)
            self._broadcast(table, wire.Anew(n=room.n, view=state, lines=table.lines))
            return
        table.lines = [*table.lines, views.last_line(room)]
        self._broadcast(table, wire.News(n=room.n, view=state, line=table.lines[-1]))

    def _broadcast(self, table: Table, message: wire.ServerMessage) -> None:
        data = encode(message)
        for member in list(table.members):
            member.send(data)
        self.metrics.count("sent", len(table.members))

    def _tell_presence(self, table: Table) -> None:
        watching = sum(member.you.role == "watch" for member in table.members)
        self._broadcast(table, wire.Presence(online=sorted(table.online), watching=watching))

    def _set_timer(self, table: Table) -> None:
        """Wait for the seat whose turn it is, as the table's settings say."""
        if table.timer:
            table.timer.cancel()
        table.timer = table.deadline = None
        wait = _patience(table.room)
        if wait is None:
            return
        due, n = _due(table.room), table.room.n
        table.deadline = self.clock.wall_ms() + wait if not table.room.settings.auto else None
        table.timer = asyncio.get_running_loop().call_later(wait / 1000, self._time_is_up, table, n, due)

    def _time_is_up(self, table: Table, n: int, due: Callable[[Room, Dice], Decision]) -> None:
        task = asyncio.get_running_loop().create_task(self._act_for(table, n, due))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            _log.error("a timed act failed", exc_info=task.exception())

    async def _act_for(self, table: Table, n: int, due: Callable[[Room, Dice], Decision]) -> None:
        async with table.lock:
            if table.room.n != n:
                return
            try:
                await self._store(table, due(table.room, self.dice), f"timer.{secrets.token_urlsafe(12)}", "table", "")
            except LostRace:
                await self._reload(table)
            except ActRefused as error:
                _log.info("a timed act was refused: %s", error.code)

    async def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
            if not await self.log.read(code, limit=1):
                return code


_ROLES: Mapping[str, Any] = {"host": "host", "seat": "seat", "watch": "watch"}


def encode(message: wire.ServerMessage) -> bytes:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message)


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def _is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and all(sign in CODE_SIGNS for sign in code)


def _room_of(code: str, entries: Iterable[Entry], notes: Mapping[str, str]) -> Room:
    return rooms.load(code, [(entry.n, json.loads(entry.body), entry.at) for entry in entries], notes)


def _remember(table: Table, entries: Iterable[Entry]) -> None:
    for entry in entries:
        table.commands[entry.cmd] = (json.loads(entry.body).get("q", ""), entry.n)


def _clean_names(players: Collection[str]) -> list[str]:
    names: list[str] = []
    for player in players:
        names.append(clean_name(player, names))
    return names


def _cleaned(command: wire.Command, room: Room) -> wire.Command:
    """The command with its name cleaned."""
    if isinstance(command, wire.AddSeat | wire.RenameSeat):
        own = command.seat if isinstance(command, wire.RenameSeat) else -1
        taken = [room.name(seat) for seat in range(room.seat_count) if seat != own]
        return msgspec.structs.replace(command, name=clean_name(command.name, taken))
    return command


def _seat_taken(room: Room, joining: wire.Joining) -> Decision:
    seat = joining.seat
    if seat is None or seat >= room.seat_count:
        raise refused("no_seat")
    if room.has_device(seat):
        raise refused("taken")
    notes: dict[str, str | None] = {f"device/{seat}": "1"}
    if joining.name.strip():
        notes[f"name/{seat}"] = clean_name(joining.name, [room.name(i) for i in range(room.seat_count) if i != seat])
    return Decision(notes=notes)


def _needs(error: BobingError, room: Room, command: wire.Command) -> dict[str, int]:
    """What a lights-out grab hands out, for the form that asks who got it."""
    if error.code not in ("act/grab_needed", "act/bad_grab") or not isinstance(command, wire.Do) or not room.game:
        return {}
    from bobing.core.dice import Roll

    return dict(room.game.grab_for(Roll.parse(command.act["roll"])) or {})


def _patience(room: Room) -> int | None:
    """Milliseconds until something happens by itself; None when nothing will."""
    game, settings = room.game, room.settings
    if game is None or game.finished:
        return None
    if settings.auto and settings.dice == "digital":
        return AUTO_MS[settings.speed]
    if settings.absent != "nothing" and settings.absent_s:
        return settings.absent_s * 1000
    return None


def _due(room: Room) -> Callable[[Room, Dice], Decision]:
    throws = room.settings.dice == "digital" and (room.settings.auto or room.settings.absent == "throw")
    return _throw_for_absent if throws else _skip_absent


def _throw_for_absent(room: Room, dice: Dice) -> Decision:
    assert room.game is not None, "timers run only during a game"
    assert room.game.next_seat is not None, "and only before its end"
    return rooms.drawn_throw(room, room.game, room.game.next_seat, 50, dice)


def _skip_absent(room: Room, _dice: Dice) -> Decision:
    assert room.game is not None, "timers run only during a game"
    assert room.game.next_seat is not None, "and only before its end"
    act = Pass(room.game.next_seat)
    room.game.verify(act)
    return Decision([{"t": "act", "act": act_to_json(act)}])


def _actor(who: wire.You) -> str:
    return f"seat/{who.seat}" if who.role == "seat" else who.role


def _digest(command: wire.Command) -> str:
    return hashlib.sha256(canonical_json(msgspec.to_builtins(command))).hexdigest()[:32]


def _refusal(error: BobingError, cmd: str | None, n: int, needs: dict[str, int] | None = None) -> wire.Refused:
    return wire.Refused(code=error.code, words=dict(words_of(error)), cmd=cmd, n=n, needs=needs or {})
