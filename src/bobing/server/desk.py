"""Runs the events: one writer each, that stores an act before anybody is told of it; the tables are ordinary ones."""

from __future__ import annotations

import json
import secrets
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from bobing.core.errors import BobingError
from bobing.ports import Entry, Grant, Lease, LostRace, NewEntry, NotSaved, RepeatedCommand, Worker
from bobing.server import event_room as rooms
from bobing.server import event_views as views
from bobing.server.answers import Answer, answer, refusal_of
from bobing.server.erasing import Erasing
from bobing.server.event_board import Board
from bobing.server.event_games import EventGames
from bobing.server.event_room import PREFIX, EventDecision, EventRoom
from bobing.server.event_tables import EventTables
from bobing.server.handing_over import HandingOver
from bobing.server.host import Host
from bobing.server.keys import end_links, give_keys
from bobing.server.loading import Loading
from bobing.server.merging import merge
from bobing.server.places import seek
from bobing.server.refusal import refused
from bobing.server.registering import Registering
from bobing.server.rights import PAPER, is_code, token_hash
from bobing.server.running_event import EventMember, Running, key_of, stream_of
from bobing.tournament import acts
from bobing.tournament.acts import act_to_json
from bobing.tournament.errors import EventRefused
from bobing.tournament.guests import guest_of
from bobing.tournament.throwing import award_by_lot, digital_throw
from bobing.wire import event_messages as wire
from bobing.wire import messages
from bobing.wire.canonical import canonical
from bobing.wire.codec import read_event_message

LOG_PAGE = 100
"""Acts are told in pages of so many."""
_TRIES = 3
_OF_DESK = (wire.OpenTables, wire.CloseTables, wire.MergeTables, wire.GiveKeys, wire.EndLinks, wire.ThrowFinal)
_ROLES = ("desk", "door", "prizes", "referee", "hall", "table")
"""Who may hold a live connection: a guest asks now and then."""


class Desk:
    """All events of one process, over the host of its tables."""

    read = staticmethod(read_event_message)
    hello: type = wire.EventHello

    def __init__(self, host: Host) -> None:
        self.host, self.log, self.clock, self.metrics = host, host.log, host.clock, host.metrics
        self.events: dict[str, Running] = {}
        self._loading = Loading(self.events, self._load)
        self.board, self.games, self.registering = Board(host), EventGames(self), Registering(self)
        self.erasing, self.handing_over = Erasing(self), HandingOver(self)
        host.owner = EventTables(self)
        if host.places:
            host.places.lost.append(self._lost)

    async def seek(self, code: str, gone: Worker | None = None) -> Worker | None:
        """The worker that serves an event, as `places.seek` says; raises TableRefused (`table/closed`)."""
        return await seek(self.host.places, gone, partial(self.event, code))

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
        """The event of a code, loaded from the log where needed; raises TableRefused (`table/closed`), Elsewhere."""
        running = await self.looked_at(code)
        running.used = self.clock.monotonic_ms()
        return running

    async def looked_at(self, code: str) -> Running:
        """The same, for who only looks through all events: that keeps none in memory."""
        return await self._loading.get(code)

    def unload(self) -> None:
        """Forget the events that nobody asked for since a day, nor for one of their tables; the log has them."""
        before = self.clock.monotonic_ms() - rooms.DAY_MS
        for code, running in list(self.events.items()):
            busy = running.members or running.lock.locked() or running.timer
            lately = running.used is not None and running.used >= before
            if not busy and not lately and not running.at.keys() & self.host.tables.keys():
                del self.events[code]

    def new_entry(self, act: acts.Act, what: str) -> NewEntry:
        """The entry of an act that no live command asked for."""
        body = canonical({"act": act_to_json(act), "q": ""})
        return NewEntry(key_of(what), self.clock.wall_ms(), "desk", body)

    async def enter(self, code: str, member: EventMember, seen: int) -> None:
        """A connection comes in: it gets everything that its role may see."""
        del seen
        running = await self.event(code)
        running.members.add(member)
        member.send(msgspec.json.encode(self.welcome(running, member.you)))
        if member.you.table is not None:
            await self.games.send_to_table(running, member.you.table, [member])

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
        return answer(await self.host.tasks.finished(self._command(running, command, actor, member)), member)

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
                        await self._carry_out(running, command, you, key, request, member)
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

    async def _carry_out(
        self,
        running: Running,
        command: Any,
        you: wire.EventYou,
        key: str,
        request: str,
        member: EventMember | None,
    ) -> None:
        before = await self.log.find(PREFIX + running.room.code, key)
        if before is not None:
            raise RepeatedCommand(before, same=json.loads(before.body).get("q") == request)
        if isinstance(command, _OF_DESK) and you.role != "desk":
            raise refused("forbidden")
        if isinstance(command, wire.AwardByLot) and you.role not in ("desk", "prizes"):
            raise refused("forbidden")
        if isinstance(command, wire.OpenTables):
            await self.games.open_tables(running, command.tables, key, request)
        elif isinstance(command, wire.CloseTables):
            await self.games.close_tables(running, command, key, request)
        elif isinstance(command, wire.MergeTables):
            await merge(self, running, command, key, request)
        elif isinstance(command, wire.GiveKeys):
            await give_keys(self.host, running.room, command.table)
        elif isinstance(command, wire.EndLinks):
            await end_links(self.host, running, command, member)
        elif isinstance(command, wire.ThrowFinal):
            throw = digital_throw(running.room.event, command.stage, command.guest, self.host.dice.throw)
            await self.store(running, EventDecision([throw]), key, "desk", request)
        elif isinstance(command, wire.AwardByLot):
            award = award_by_lot(running.room.event, command.voucher, secrets.token_hex(16))
            await self.store(running, EventDecision([award]), key, you.role, request)
        elif isinstance(command, wire.EraseGuests) and you.role == "desk":
            rooms.verify_erasable(running.room)
            await self.erasing.erase(running, command.guests)
        else:
            decision = rooms.decide(running.room, command, you)
            await self.games.seat_and_store(running, decision, key, you.role, request)
            await self.games.pass_on(running, command)

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
        for number, table in running.room.event.state.tables.items():
            if table.stream is not None:
                self.board.follow(running, number, table.stream)
        return running

    def _lost(self, lease: Lease) -> None:
        """Another worker serves this event now: whoever is here comes again, and is led there."""
        code = lease.name.removeprefix(PREFIX)
        running = self.events.get(code)
        if running is not None and running.lease == lease:
            del self.events[code]
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


def _is_hall(you: wire.EventYou) -> bool:
    return you.role in ("hall", "table", "referee")
