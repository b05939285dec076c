"""The calls of events that are not live: making one, passes, guest lists, registering, exports."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bobing.i18n import LANGUAGES, text
from bobing.server import event_views
from bobing.server.desk import Desk
from bobing.server.event_exports import export
from bobing.server.event_papers import Order, event_paper, tables_of
from bobing.server.event_room import namesakes
from bobing.server.http import Api, bearer, body_of, refuse_foreign, routes_of, text_of
from bobing.server.limits import Buckets
from bobing.server.paper_api import address_of, pdf
from bobing.server.refusal import refused
from bobing.server.running_event import Running
from bobing.server.standby import FILE_MAX as HANDOVER_MAX
from bobing.server.standby import went_away
from bobing.server.static import HEADERS
from bobing.spreadsheet.reading import read_rows
from bobing.spreadsheet.writing import disposition
from bobing.spreadsheet.zipped import FILE_MAX
from bobing.tournament.acts import act_to_json
from bobing.tournament.guest_list import FAULTS_MAX, Entry, Fault, ListRefused, left_out, read_guests
from bobing.tournament.ready import READY, ready_final
from bobing.wire import event_messages as wire
from bobing.wire.codec import read_body
from bobing.wire.event_calls import EVENT_CALLS, HANDOVER
from bobing.wire.messages import Invited

REGISTERING_PER_MINUTE = 300
"""At one event; a hall shares one address."""
LEFT_OUT_TOLD = 20
"""Of the columns of a list that are not taken so many are told."""


class EventApi:
    """The REST calls of events over one desk."""

    def __init__(self, desk: Desk, api: Api) -> None:
        self.desk, self.api = desk, api
        self.registering = Buckets(REGISTERING_PER_MINUTE, REGISTERING_PER_MINUTE)

    def routes(self) -> list[Route]:
        """All routes below /api/events, as `bobing.wire.event_calls` describes them."""
        return routes_of(EVENT_CALLS, self)

    async def make_event(self, request: Request) -> wire.NewEventMade:
        """Make an event."""
        self.api.allow(request, self.api.new_tables)
        return await self.desk.make(read_body(await text_of(request), wire.NewEvent))

    async def give_pass(self, request: Request) -> Invited:
        """A token for another device of the event."""
        refuse_foreign(request)
        wanted = read_body(await text_of(request), wire.Pass)
        running = await self._event(request)
        return Invited(await self.desk.give_pass(running.room.code, bearer(request), wanted))

    async def guest_list(self, request: Request) -> wire.ListRead:
        """Read a guest list; with `?commit=CMD` its guests come on the list of the event, all or none."""
        refuse_foreign(request)
        running = await self._for(request, ("desk",))
        data = await body_of(request, FILE_MAX + 1)
        known = running.room.event.state.sessions
        sessions = {number: session.set.name for number, session in known.items()} or {1: ""}
        rows = await asyncio.to_thread(read_rows, data)
        columns = await asyncio.to_thread(left_out, rows)
        left = [wire.LeftOut(column.number, column.name) for column in columns[:LEFT_OUT_TOLD]]
        try:
            entries = await asyncio.to_thread(read_guests, rows, sessions)
        except ListRefused as wrong:
            return wire.ListRead([], [_fault(fault) for fault in wrong.faults], left)
        commit = request.query_params.get("commit", "")
        key, written = f"list.{commit[:64]}", [_written(entry) for entry in entries]
        if commit and await self.desk.registering.is_stored(running.room.code, key):  # its answer did not arrive
            return wire.ListRead(written, [], left)
        alike = await asyncio.to_thread(lambda: list(namesakes(running.room, entries)))
        there = [Fault(one.entry.line, "listed", str(one.guest)) for one in alike if one.surely]
        if there:
            return wire.ListRead([], [_fault(fault) for fault in there[:FAULTS_MAX]], left)
        if commit:
            await self.desk.registering.enter_list(running.room.code, entries, key)
        same_name = [wire.SameName(one.entry.line, one.entry.name, one.guest) for one in alike[:FAULTS_MAX]]
        return wire.ListRead(written, [], left, same_name)

    async def register(self, request: Request) -> wire.Registered:
        """A guest registers by themselves."""
        refuse_foreign(request)
        new = read_body(await text_of(request), wire.Registering)
        running = await self._event(request)
        if not self.registering.take(running.room.code, self.desk.clock.monotonic_ms()):
            raise refused("slow_down")
        return await self.desk.registering.register(running.room.code, new)

    async def event_front(self, request: Request) -> wire.EventFront:
        """What everybody may know of the event."""
        return event_views.front((await self._event(request)).room)

    async def my_place(self, request: Request) -> wire.MyView:
        """What a guest sees of the event, by the token of their own page."""
        running = await self._event(request)
        running, number = await self.desk.registering.mine(running.room.code, bearer(request))
        return event_views.mine(running.room, number)

    async def leave_event(self, request: Request) -> wire.MyView:
        """A guest gives the place back, and may have what is kept of them deleted."""
        refuse_foreign(request)
        leaving = read_body(await text_of(request), wire.Leaving)
        running = await self._event(request)
        return await self.desk.registering.leave_event(running.room.code, bearer(request), erase=leaving.erase)

    async def enter_table(self, request: Request) -> wire.Seated:
        """A right at a table that has begun."""
        refuse_foreign(request)
        entering = read_body(await text_of(request), wire.Entering)
        number = _number(request.path_params["table"])
        running = await self._event(request)
        you = await self.desk.who(running.room.code, bearer(request))
        if you.role != "desk" and not (you.role == "table" and you.table == number):
            raise refused("forbidden")
        return await self.desk.enter_table(running.room.code, number, entering, you.role)

    async def event_log(self, request: Request) -> wire.LogRead:
        """The acts of the event, the newest first."""
        running = await self._for(request, ("desk",))
        before = request.query_params.get("before", "")
        return await self.desk.history(running.room.code, _number(before) if before else None)

    async def ready_finals(self, _request: Request) -> wire.Finals:
        """Finals that are ready-made."""
        return wire.Finals([wire.ReadyFinal(key, [act_to_json(act) for act in ready_final(key)]) for key in READY])

    async def export(self, request: Request) -> Response:
        """A list of the event as CSV or XLSX, for the desk."""
        running = await self._event(request)
        role = (await self.desk.who(running.room.code, bearer(request))).role
        if role not in ("desk", "prizes"):
            raise refused("forbidden")
        language = request.query_params.get("lang", "zh-Hans")
        form = request.query_params.get("as", "csv")
        if language not in LANGUAGES or form not in ("csv", "xlsx"):
            raise refused("bad_message")
        data, kind = await asyncio.to_thread(
            export, running.room, request.path_params["what"], form, language, full=role == "desk"
        )
        name = f"{running.room.event.state.plan.title}-{request.path_params['what']}.{form}"
        headers = {**HEADERS, "content-disposition": disposition(name), "cache-control": "no-store"}
        return Response(data, media_type=kind, headers=headers)

    async def event_paper(self, request: Request) -> Response:
        """A paper of the event, for the desk."""
        refuse_foreign(request)
        what, wanted = request.path_params["what"], read_body(await text_of(request), wire.Printing)
        running = await self._for(request, ("desk", "prizes") if what in ("vouchers", "signoff") else ("desk",))
        base = address_of(wanted.address, self.api.settings.public_url)
        order = Order(wanted.lang, wanted.tables, handed=wanted.handed)
        if base and what == "cards":
            order = replace(order, links=await self._links(running, order, base))
        elif base and what == "rules":
            order = replace(order, links={0: f"{base}/events/{running.room.code}"})
        name = f"{running.room.event.state.plan.title}-{what}.pdf"
        return await pdf(lambda: event_paper(running.room, what, order), name)

    async def hand_over_event(self, request: Request) -> Response:
        """The event goes on at another machine: the file with everything."""
        refuse_foreign(request)
        wanted = read_body(await text_of(request), wire.HandingOver)
        code = (await self._for(request, ("desk",))).room.code
        data = await self.desk.handing_over.hand_off(code, wanted.to)
        name = {"content-disposition": disposition(f"{code}.bobing-event")}
        return Response(data, media_type=HANDOVER, headers={**HEADERS, **name, "cache-control": "no-store"})

    async def take_back_event(self, request: Request) -> wire.TakenBack:
        """The event goes on here after all."""
        refuse_foreign(request)
        wanted = read_body(await text_of(request), wire.TakingBack)
        running = await self._for(request, ("desk",))
        to = running.room.event.state.handed_to
        if to is not None and not wanted.sure:
            raise went_away(to)
        await self.desk.handing_over.take_back(running.room.code, wanted.machine)
        return wire.TakenBack(running.room.code)

    async def take_over_event(self, request: Request) -> wire.NewEventMade:
        """An event from a file goes on here."""
        self.api.allow(request, self.api.new_tables)
        data = await body_of(request, HANDOVER_MAX)
        return await self.desk.handing_over.take_over(data, request.query_params.get("machine", "")[:80])

    async def _links(self, running: Running, order: Order, base: str) -> dict[int, str]:
        """For each table the address that its device opens, with a token."""
        code, numbers = running.room.code, [table.number for table in tables_of(running.room, order)]
        tokens = [await self.desk.pass_for(code, "table", number) for number in numbers]
        return {number: f"{base}/events/{code}#k={token}" for number, token in zip(numbers, tokens, strict=True)}

    async def _for(self, request: Request, roles: Sequence[str]) -> Running:
        running = await self._event(request)
        if (await self.desk.who(running.room.code, bearer(request))).role not in roles:
            raise refused("forbidden")
        return running

    async def _event(self, request: Request) -> Running:
        return await self.api.guarded(request, self.desk.event)


def _number(text: str) -> int:
    """A number in an address; raises TableRefused."""
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 9):
        raise refused("bad_message")
    return int(text)


def _written(entry: Entry) -> wire.GuestEntry:
    return wire.GuestEntry(entry.name, entry.phone, entry.household, entry.session, entry.staff)


def _fault(fault: Any) -> wire.Fault:
    words: Mapping[str, str] = {lang: text(lang, f"event.fault_{fault.code}") for lang in LANGUAGES}
    return wire.Fault(fault.line, fault.code, dict(words), fault.value)
