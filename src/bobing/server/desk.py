"""Runs the events: one writer each, that stores an act before anybody is told of it; the tables are ordinary ones."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import msgspec

from bobing.core.errors import BobingError
from bobing.ports import Entry, Grant, LostRace, NewEntry, NotSaved, RepeatedCommand, Worker
from bobing.server import event_room as rooms
from bobing.server import event_views as views
from bobing.server import late
from bobing.server.answers import Answer, answer, refusal_of
from bobing.server.event_board import Board
from bobing.server.event_room import PREFIX, EventDecision, EventRoom
from bobing.server.event_tables import EventTables
from bobing.server.handing_over import HandingOver
from bobing.server.host import ASKED, Host
from bobing.server.places import Elsewhere
from bobing.server.refusal import refused
from bobing.server.rights import PAPER, is_code, token_hash
from bobing.server.running_event import EventMember, Running, key_of, stream_of
from bobing.server.table import Table
from bobing.tournament import acts
from bobing.tournament.acts import act_to_json
from bobing.tournament.errors import EventRefused
from bobing.tournament.guest_list import Entry as GuestEntry
from bobing.tournament.guests import guest_of
from bobing.tournament.state import Stage
from bobing.tournament.state import Table as EventTable
from bobing.tournament.throwing import award_by_lot, digital_throw
from bobing.wire import event_messages as wire
from bobing.wire import messages
from bobing.wire.canonical import canonical
from bobing.wire.codec import read_event_message

LOG_PAGE = 100
"""Acts are told in pages of so many."""
_log = logging.getLogger("bobing.desk")
_TRIES = 3
_OF_DESK = wire.OpenTables | wire.CloseTables | wire.ThrowFinal
_ROLES = ("desk", "door", "prizes", "referee", "hall", "table")
"""Who may hold a live connection: a guest asks now and then."""


class Desk:
    """All events of one process, over the host of its tables."""

    read = staticmethod(read_event_message)
    hello: type = wire.EventHello

    def __init__(self, host: Host) -> None:
        self.host, self.log, self.clock, self.metrics = host, host.log, host.clock, host.metrics
        self.events: dict[str, Running] = {}
        self._loading: dict[str, asyncio.Task[Running]] = {}
        self.board, self.handing_over, tables = Board(host), HandingOver(self), EventTables(self)
        host.changed = tables.changed
        host.may_change = tables.may_change
        host.verify = tables.verify
        host.of_event = tables.of_event
        host.fence = tables.fence
        if host.places:
            host.places.lost.append(self._lost)

    async def seek(self, code: str, gone: Worker | None = None) -> Worker | None:
        """The worker that serves an event, as `Host.seek` tells it for a table."""
        if gone is not None and self.host.places is not None:
            await self.host.places.bury(gone)
        try:
            await self.event(code)
        except Elsewhere as elsewhere:
            return elsewhere.worker
        return None

    async def make(self, new: wire.NewEvent) -> wire.NewEventMade:
        """A new event with a code that no other has, and the token of its desk."""
        title = " ".join(new.title.split())
        rooms.verify_title(title)
        code = await self.host.free_code(PREFIX)
        await self.log.append(PREFIX + code, 0, [self.new_entry(acts.Plan(title), "open")])
        self.metrics.count("events_made")
        return wire.NewEventMade(code, await self.pass_for(code, "desk", None))

    async def who(self, code: str, token: str) -> wire.EventYou:
        """What a token allows at an event; raises TableRefused (`table/unknown_token`)."""
        grant = await self.log.granted(token_hash(token))
        if grant is None or grant.stream != PREFIX + code or grant.role not in _ROLES:
            raise refused("unknown_token")
        return _you(grant)

    async def give_pass(self, code: str, token: str, wanted: wire.Pass) -> str:
        """A token for another device of the event; raises TableRefused."""
        you = await self.who(code, token)
        if you.role != "desk" and not (you.role == "door" and wanted.role == "guest"):
            raise refused("forbidden")
        if (wanted.role == "table") is (wanted.table is None) or (wanted.role == "guest") is (wanted.guest is None):
            raise refused("no_seat")
        if wanted.guest is not None:
            guest_of((await self.event(code)).room.event.state, wanted.guest)
        return await self.pass_for(code, wanted.role, wanted.table if wanted.guest is None else wanted.guest)

    async def pass_for(self, code: str, role: str, number: int | None) -> str:
        """A token for a device of the event, which the caller may give away. number: of its table, or of the guest."""
        return await self.host.issue(Grant(PREFIX + code, role, number, self.clock.wall_ms()))

    async def enter_table(self, code: str, number: int, entering: wire.Entering, role: str) -> wire.Seated:
        """A right at a table that has begun, to look on or to type in; raises EventRefused.

        role: whose: what the desk types in for a table was thrown before, and stands on paper.
        """
        running = await self.event(code)
        stream = stream_of(running.room, number)
        right = "watch" if not entering.typing else PAPER if role == "desk" else "heir"
        grant = Grant(stream, right, None, self.clock.wall_ms())
        return wire.Seated(number, stream, await self.host.issue(grant))

    async def history(self, code: str, before: int | None) -> wire.LogRead:
        """The acts of an event that came before number `before`, the newest first."""
        running = await self.event(code)
        end = running.room.n if before is None else min(before - 1, running.room.n)
        start = max(0, end - LOG_PAGE)
        entries = (await self.log.read(PREFIX + running.room.code, start))[: end - start]
        return wire.LogRead([views.log_line(running.room, entry) for entry in reversed(entries)], more=start > 0)

    async def event(self, code: str) -> Running:
        """The event of a code, loaded from the log where needed; raises TableRefused (`table/closed`)."""
        running = self.events.get(code)
        if running is None:
            loading = self._loading.get(code)
            if loading is None:
                loading = self._loading[code] = asyncio.get_running_loop().create_task(self._load(code))
                loading.add_done_callback(lambda _: self._loading.pop(code, None))
            running = await asyncio.shield(loading)
        return running

    async def register(self, code: str, new: wire.Registering) -> wire.Registered:
        """A guest puts themselves on the list; raises EventRefused, TableRefused."""
        entry = rooms.entry_of(wire.GuestEntry(new.name, new.phone, new.household, new.session))
        running = await self.event(code)
        key = f"self.{new.cmd}" if new.cmd else key_of("self")
        try:
            number = await self.host.finished(self._enter(running, [entry], "self", key, "guest"))
        except RepeatedCommand as repeated:  # the answer did not reach the phone the first time
            number = json.loads(repeated.entry.body)["act"]["first"]
        mine = views.mine(running.room, number)
        status = "waiting" if mine.status == "waiting" else "listed"
        return wire.Registered(number, status, await self.pass_for(code, "guest", number), mine.before)

    async def mine(self, code: str, token: str) -> tuple[Running, int]:
        """The event, and the number of the guest whose token this is; raises TableRefused."""
        grant = await self.log.granted(token_hash(token))
        if grant is None or grant.stream != PREFIX + code or grant.role != "guest" or grant.seat is None:
            raise refused("unknown_token")
        return await self.event(code), grant.seat

    async def leave_event(self, code: str, token: str, *, erase: bool) -> wire.MyView:
        """A guest gives the place back, or has what is kept of them deleted at once."""
        running, number = await self.mine(code, token)
        return await self.host.finished(self._left(running, number, erase=erase))

    async def _left(self, running: Running, number: int, *, erase: bool) -> wire.MyView:
        async with running.lock:
            if erase:
                rooms.verify_erasable(running.room)
            state = running.room.event.state
            guest = guest_of(state, number)
            stays = guest.table is not None or state.signed_off
            if guest.status != "withdrawn" and not (erase and stays):
                decision = EventDecision([acts.Withdraw(number)])
                await self.store(running, decision, key_of("guest"), "guest", "")
            if erase:
                await self.erase(running, [number])
        return views.mine(running.room, number)

    async def is_stored(self, code: str, key: str) -> bool:
        """Whether a command was carried out at an event."""
        return await self.log.find(PREFIX + code, key) is not None

    async def enter_list(self, code: str, entries: Sequence[GuestEntry], cmd: str) -> int:
        """The guests of a list that was read, all at once; the number of the first."""
        running = await self.event(code)
        return await self.host.finished(self._enter(running, entries, "list", cmd, "desk"))

    def new_entry(self, act: acts.Act, what: str) -> NewEntry:
        """The entry of an act that no live command asked for."""
        body = canonical({"act": act_to_json(act), "q": ""})
        return NewEntry(key_of(what), self.clock.wall_ms(), "desk", body)

    async def _enter(self, running: Running, entries: Sequence[GuestEntry], how: str, key: str, actor: str) -> int:
        async with running.lock:
            for _ in range(_TRIES):
                first = running.room.event.next_guest
                if how == "self":
                    before = await self.log.find(PREFIX + running.room.code, key)
                    if before is not None:
                        raise RepeatedCommand(before, same=True)
                    rooms.verify_registering(running.room, entries[0])
                try:
                    await self.store(running, rooms.enter_guests(running.room, entries, how), key, actor, "")
                except LostRace:
                    await self.catch_up(running)
                    continue
                return first
        raise refused("stale")

    async def enter(self, code: str, member: EventMember, seen: int) -> None:
        """A connection comes in: it gets everything that its role may see."""
        del seen
        running = await self.event(code)
        running.members.add(member)
        member.send(msgspec.json.encode(self.welcome(running, member.you)))
        if member.you.table is not None:
            await self._send_to_table(running, member.you.table, [member])

    def leave(self, code: str, member: EventMember) -> None:
        """A connection is gone."""
        running = self.events.get(code)
        if running:
            running.members.discard(member)

    async def command(
        self, code: str, command: Any, who: wire.EventYou, actor: str, member: EventMember | None = None
    ) -> Answer:
        """Carry out a command once: the same `cmd` again gets the same answer, which the member is told."""
        del who
        running = await self.event(code)
        if isinstance(command, wire.ConfirmThrow):
            return answer(await self._confirm(running, command, actor, member), member)
        return answer(await self.host.finished(self._command(running, command, actor, member)), member)

    async def hear(self, code: str, said: Any, member: EventMember) -> messages.Refused | None:
        """Devices of an event say nothing by themselves."""
        del code, said, member
        return None

    def welcome(self, running: Running, you: wire.EventYou) -> wire.EventWelcome:
        """Everything about an event that a role may see."""
        room, state = running.room, running.room.event.state
        return wire.EventWelcome(
            code=room.code,
            n=room.n,
            you=you,
            view=views.event_view(room),
            guests=views.guests(room, hall=_is_hall(you)),
            tables={number: views.table_view(table) for number, table in state.tables.items()},
            vouchers={number: views.voucher_view(voucher) for number, voucher in state.vouchers.items()},
            board=running.board,
            now=self.clock.wall_ms(),
        )

    async def _confirm(
        self, running: Running, command: wire.ConfirmThrow, actor: str, member: EventMember | None
    ) -> Answer:
        """A champion's throw at a table is looked at by somebody of the event; the table's own log keeps it."""
        try:
            if (await self._present(running, member)).role not in ("desk", "referee"):
                raise refused("forbidden")
            stream = stream_of(running.room, command.table)
        except BobingError as error:
            return refusal_of(error, command.cmd, running.room.n)
        seen = messages.Confirm(command.cmd, command.claim, command.yes)
        return await self.host.command(stream, seen, messages.You("referee"), actor)

    async def _command(self, running: Running, command: Any, actor: str, member: EventMember | None) -> Answer:
        key = f"{actor}.{command.cmd}"
        async with running.lock:
            try:
                request = await self.host.request_of(PREFIX + running.room.code, command)
            except NotSaved as error:
                return refusal_of(error, command.cmd, running.room.n)
            for _ in range(_TRIES):
                try:
                    you = await self._present(running, member)
                    with _naming(running):
                        if isinstance(command, wire.EndLinks):
                            await self._end_links(running, command, you, member)
                        else:
                            await self._carry_out(running, command, you, key, request)
                except LostRace:
                    await self.catch_up(running)
                    continue
                except RepeatedCommand as repeated:
                    if not repeated.same and json.loads(repeated.entry.body).get("q") != request:
                        return refusal_of(refused("other_body"), command.cmd, running.room.n)
                    return messages.Ack(command.cmd, repeated.entry.n)
                except BobingError as error:
                    self.metrics.count("not_saved" if isinstance(error, NotSaved) else "refused")
                    return refusal_of(error, command.cmd, running.room.n)
                return messages.Ack(command.cmd, running.room.n)
        return refusal_of(refused("stale"), command.cmd, running.room.n)

    async def _carry_out(self, running: Running, command: Any, you: wire.EventYou, key: str, request: str) -> None:
        before = await self.log.find(PREFIX + running.room.code, key)
        if before is not None:
            raise RepeatedCommand(before, same=json.loads(before.body).get("q") == request)
        if isinstance(command, _OF_DESK) and you.role != "desk":
            raise refused("forbidden")
        if isinstance(command, wire.AwardByLot) and you.role not in ("desk", "prizes"):
            raise refused("forbidden")
        if isinstance(command, wire.OpenTables):
            await self._open_tables(running, command.tables, key, request)
        elif isinstance(command, wire.CloseTables):
            await self._close_tables(running, command, key, request)
        elif isinstance(command, wire.ThrowFinal):
            throw = digital_throw(running.room.event, command.stage, command.guest, self.host.dice.throw)
            await self.store(running, EventDecision([throw]), key, "desk", request)
        elif isinstance(command, wire.AwardByLot):
            award = award_by_lot(running.room.event, command.voucher, secrets.token_hex(16))
            await self.store(running, EventDecision([award]), key, you.role, request)
        elif isinstance(command, wire.EraseGuests) and you.role == "desk":
            rooms.verify_erasable(running.room)
            await self.erase(running, command.guests)
        else:
            decision = rooms.decide(running.room, command, you)
            await self._seat_and_store(running, decision, key, you.role, request)
            await self._pass_on(running, command)

    async def _end_links(
        self, running: Running, command: wire.EndLinks, you: wire.EventYou, member: EventMember | None
    ) -> None:
        """Take the right of a role away from all who have it, but for the desk that asks for it."""
        if you.role != "desk" or member is None:
            raise refused("forbidden")
        if (command.role == "table") is (command.table is None):
            raise refused("no_seat")
        stream, wanted = PREFIX + running.room.code, wire.EventYou(command.role, command.table)
        if command.role == "desk":
            await self.log.grant(member.token_hash, Grant(stream, "desk", None, self.clock.wall_ms()), ending=("desk",))
        else:
            await self.log.revoke(stream, role=command.role, seat=command.table)
        others = (one for one in running.members if one.token_hash != member.token_hash)
        for one in [one for one in others if one.you == wanted]:
            one.dismiss("revoked")
            running.members.discard(one)
        table = running.room.event.state.tables.get(command.table or 0)
        if table is not None and table.stream is not None:
            await self.host.take_keys(table.stream)

    async def _pass_on(self, running: Running, command: Any) -> None:
        """What is changed of a session's ways, or of a name, holds at once at the tables that play."""
        state = running.room.event.state
        if isinstance(command, wire.SessionSettings):
            settings = state.sessions[command.session].set.settings
            for table in state.tables_of(command.session):
                async with self._playing_at(table) as playing:
                    if playing is not None:
                        await late.settle(self.host, playing, settings)
        elif isinstance(command, wire.NameGuest) and (at := state.guests[command.guest].table) is not None:
            table = state.tables[at]
            async with self._playing_at(table) as playing:
                if playing is not None:
                    name = running.room.name_among(command.guest, table.seats)
                    seat = table.seats.index(command.guest)
                    await late.rename(self.host, playing, seat, name)

    @asynccontextmanager
    async def _playing_at(self, table: EventTable) -> AsyncGenerator[Table | None]:
        """The game of a table of the event, with its lock held; None where nobody plays there now."""
        if table.status != "open" or table.stream is None:
            yield None
            return
        playing = await self.host.table(table.stream)
        async with playing.lock:
            yield playing

    async def _seat_and_store(
        self, running: Running, decision: EventDecision, key: str, actor: str, request: str
    ) -> None:
        """Store a decision; who sits down by it at a table that plays does so there, too."""
        room, into, moved = running.room, late.joined(running.room, decision), late.moved(running.room, decision)
        async with AsyncExitStack() as stack:
            playing: dict[int, Table] = {}
            for number in sorted({*moved, *(() if into is None else (into,))}):
                playing[number] = await self.host.table(room.event.state.tables[number].stream or "")
                await stack.enter_async_context(playing[number].lock)
                late.verify_leaving(number, playing[number], moved.get(number, ()))
            if into is not None and into not in moved:  # who comes back has a seat there
                late.verify(playing[into])
                decision = late.complete(room, decision, into, playing[into])
            await self.store(running, decision, key, actor, request)
            if into is not None:
                await late.seat(self.host, playing[into], running.room, into)
            for number, moves in moved.items():
                for move in moves:
                    await late.move(self.host, playing[number], move)

    async def _open_tables(self, running: Running, numbers: Sequence[int], key: str, request: str) -> None:
        """Make an ordinary table for each, then say so in the event: all of them, or none."""
        room, state = running.room, running.room.event.state
        waiting = [number for number, table in state.tables.items() if table.status == "waiting" and table.seats]
        opening = [acts.Open(number, f"pending {i}") for i, number in enumerate(numbers or waiting)]
        rooms.played(room, EventDecision(opening))  # refused before anything is made
        streams = await asyncio.gather(*(self._make_table(room, act.table) for act in opening))  # they share commits
        opened = [msgspec.structs.replace(act, stream=made) for act, made in zip(opening, streams, strict=True)]
        await self.store(running, EventDecision(opened), key, "desk", request)
        here: dict[int, list[EventMember]] = {act.table: [] for act in opened}
        for member in running.members:
            if member.you.table in here:
                here[member.you.table].append(member)
        for act in opened:
            self.board.follow(running, act.table, act.stream)
        await asyncio.gather(*(self._send_to_table(running, number, members) for number, members in here.items()))

    async def _make_table(self, room: EventRoom, number: int) -> str:
        table = room.event.state.tables[number]
        session = room.event.state.sessions[table.session].set
        stage = None if table.stage is None else room.event.state.stages[table.stage]
        names = [(room.name_among(guest, table.seats), guest) for guest in table.seats]
        start = table.seats.index(table.head) if table.head in table.seats else 0
        rules = session.rules if stage is None else stage.rules.to_table()
        choice = session.choice or {"sheet": "minnan", "house": {}}
        settings = session.settings if stage is None else {**session.settings, "dice": _dice_of(stage)}
        return await self.host.make_for_event(rules, choice, settings, names, start, room.code)

    async def _close_tables(self, running: Running, command: wire.CloseTables, key: str, request: str) -> None:
        """What guests hold now is what they have won; who sat down at a table by themselves is a guest now. All
        tables are closed or none, and nobody throws there meanwhile.
        """
        async with AsyncExitStack() as stack:
            closed, room = EventDecision(), running.room
            for number in dict.fromkeys(command.tables):
                playing = await self.host.table(stream_of(room, number))
                await stack.enter_async_context(playing.lock)
                closing = rooms.closing(room, number, playing.room, sure=command.sure, paper=command.paper)
                room = rooms.played(room, closing)
                closed = EventDecision([*closed.acts, *closing.acts], {**closed.notes, **closing.notes})
            await self.store(running, closed, key, "desk", request)

    async def erase(self, running: Running, guests: Sequence[int] = ()) -> None:
        """Forget these guests, or all where none is named: their names and numbers here, and their names at tables.

        The log of the event and of its tables stays as it is, with all its hashes; no entry holds a name. The tables
        come first: where one cannot be reached, the list still has whom to erase there.
        """
        room = running.room
        for table in room.event.state.tables.values():
            if table.stream is None:
                continue
            sat: dict[int, int | None] = {seat: guest for seat, guest in enumerate(table.seats) if guest in guests}
            if not guests:
                there = range((await self.host.table(table.stream)).room.seat_count)
                sat = dict(zip_longest(there, table.seats[: len(there)]))
            if sat:
                await self.host.forget(table.stream, sat)
        await self.log.keep_secret(PREFIX + room.code, ASKED, None)
        await self.store(running, EventDecision(notes=rooms.erasure(room.notes, guests)), "", "desk", "")

    async def tidy(self) -> None:
        """Erase the guests of events that were over long enough ago, as each declared."""
        now = self.clock.wall_ms()
        for stream, n in await self.log.streams(PREFIX):
            try:
                await self._tidy(stream, n, now)
            except Elsewhere:
                continue
            except Exception as fault:  # noqa: BLE001 - one event must not keep the names of all others here
                code = fault.code if isinstance(fault, BobingError) else type(fault).__name__
                _log.error("the guest data of event %s could not be looked through: %s", stream, code)

    async def _tidy(self, stream: str, n: int, now: int) -> None:
        if not any(name.startswith("guest/") for name in await self.log.notes(stream)):
            return
        (last,) = await self.log.read(stream, n - 1, 1)
        if now - last.at < rooms.DAY_MS and b'"sign_off"' not in last.body:
            return
        running = await self.event(stream.removeprefix(PREFIX))
        silent = now - last.at
        if running.acted is not None:  # a clock that is set goes on by years in a moment
            silent = min(silent, self.clock.monotonic_ms() - running.acted)
        if rooms.is_to_be_erased(running.room, silent):
            async with running.lock:
                await self.erase(running)
        if not running.members and silent >= rooms.DAY_MS:
            self.events.pop(running.room.code, None)

    async def _send_to_table(self, running: Running, number: int, members: Sequence[EventMember]) -> None:
        """The devices of a table that has begun get a right of their own there, the host's."""
        table = running.room.event.state.tables.get(number)
        if table is None or table.stream is None:
            return
        for member in members:
            token = await self.host.issue(Grant(table.stream, "heir", None, self.clock.wall_ms()))
            member.send(msgspec.json.encode(wire.Seated(number, table.stream, token)))

    async def _present(self, running: Running, member: EventMember | None) -> wire.EventYou:
        """What a connection may do now; raises TableRefused where its right is gone."""
        if member is None:
            return wire.EventYou("desk")
        grant = await self.log.granted(member.token_hash) if member in running.members else None
        if grant is None:
            member.dismiss("revoked")
            running.members.discard(member)
            raise refused("unknown_token")
        member.you = _you(grant)
        return member.you

    async def store(self, running: Running, decision: EventDecision, key: str, actor: str, request: str) -> None:
        """Commit, then apply, then tell: nobody hears of what is not stored."""
        before, now = running.room, self.clock.wall_ms()
        after = rooms.played(before, decision)  # refused before it is stored
        notes = decision.notes
        new = [
            NewEntry(f"{key}.{i}" if i else key, now, actor, canonical({"act": act_to_json(act), "q": request}))
            for i, act in enumerate(decision.acts)
        ]
        entries: Sequence[Entry] = ()
        if new or notes:
            with self.host.letting_go(running.lease):
                entries = await self.log.append(PREFIX + before.code, before.n, new, notes=notes, lease=running.lease)
            if self.host.bus:
                self.host.bus.publish(PREFIX + before.code, before.n + len(entries))
        kept = {**before.notes, **notes} if notes else before.notes
        room = replace(after, notes={name: text for name, text in kept.items() if text is not None} if notes else kept)
        if decision.hall is not None:
            room = replace(room, hall=decision.hall)
        if decision.calling is not None:
            for number in decision.calling ^ room.calling:
                self.board.mark(running, number)
            room = replace(room, calling=decision.calling)
        running.room = room
        running.acted = self.clock.monotonic_ms() if entries else running.acted
        self.metrics.count("entries", len(entries))
        self._tell(running, before)

    def _tell(self, running: Running, before: EventRoom) -> None:
        said = {hall: msgspec.json.encode(views.news(before, running.room, hall=hall)) for hall in (False, True)}
        for member in list(running.members):
            member.send(said[_is_hall(member.you)])
        for number in views.told_anew(before, running.room):
            stream = running.room.event.state.tables[number].stream or ""
            self.host.say(stream, views.at_event(running.room, number))
        self.metrics.count("sent", len(running.members))

    async def _load(self, code: str) -> Running:
        if not is_code(code) or not await self.log.read(PREFIX + code, limit=1):
            raise refused("closed")
        lease = await self.host.places.claim(PREFIX + code) if self.host.places else None
        bodies = [json.loads(entry.body) for entry in await self.log.read(PREFIX + code)]
        running = Running(rooms.load(code, bodies, await self.log.notes(PREFIX + code)), lease)
        self.events[code] = running
        for number, table in running.room.event.state.tables.items():
            if table.stream is not None:
                self.board.follow(running, number, table.stream)
        return running

    def _lost(self, name: str) -> None:
        """Another worker serves this event now: whoever is here comes again, and is led there."""
        running = self.events.pop(name.removeprefix(PREFIX), None) if name.startswith(PREFIX) else None
        if running is not None:
            if running.timer:
                running.timer.cancel()
            for member in list(running.members):
                member.dismiss("shut_down")

    async def catch_up(self, running: Running) -> None:
        """Another process wrote to this event: read it again, and show everybody what is there."""
        code = running.room.code
        entries = await self.log.read(PREFIX + code)
        room = rooms.load(code, [json.loads(entry.body) for entry in entries], await self.log.notes(PREFIX + code))
        if room.n == running.room.n:
            return
        running.room = replace(room, hall=running.room.hall, calling=running.room.calling)
        for number, table in room.event.state.tables.items():
            if table.stream is not None and table.stream not in running.at:
                self.board.follow(running, number, table.stream)
        for member in list(running.members):
            member.send(msgspec.json.encode(self.welcome(running, member.you)))


@contextmanager
def _naming(running: Running) -> Generator[None]:
    """What is refused in here is told with the names of guests."""
    try:
        yield
    except EventRefused as error:
        error.name = running.room.name
        raise


def _you(grant: Grant) -> wire.EventYou:
    roles: Mapping[str, Any] = {role: role for role in _ROLES}
    return wire.EventYou(roles[grant.role], grant.seat)


def _dice_of(stage: Stage) -> str:
    return "digital" if stage.set.digital else "real"


def _is_hall(you: wire.EventYou) -> bool:
    return you.role in ("hall", "table", "referee")
