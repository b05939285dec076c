"""The calls that are not live: tables, records, sheets, scoring a hand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from bobing.core.catalogue import find_key, find_sheet
from bobing.core.dice import Roll
from bobing.core.errors import BobingError
from bobing.core.rules import RuleSet
from bobing.server import options, plan_api, sheets_api, views
from bobing.server.host import Host
from bobing.server.limits import Buckets
from bobing.server.names import clean_name
from bobing.server.odds_api import OddsDesk
from bobing.server.opening import choice_in, resolve
from bobing.server.paper_api import rules_pdf
from bobing.server.recorded import record_of
from bobing.server.refusal import refused, words_of
from bobing.server.settings import Settings
from bobing.server.static import HEADERS
from bobing.wire import calls
from bobing.wire import messages as wire
from bobing.wire.codec import MESSAGE_MAX, MessageRefused, read_body
from bobing.wire.openapi import openapi

BODY_S = 20
"""How long a body may take to come in."""
CHECKS_PER_MINUTE = 120
"""Of rules, from one address."""
PLANS_PER_MINUTE = 240
"""Of events, from one address."""
PAPERS_PER_MINUTE = 60
"""Printed for one address."""
JOINS_PER_MINUTE = 600
"""At one table."""
ALARM_PER_MINUTE = 60
"""Wrong codes from everywhere, above which the log says so."""
_log = logging.getLogger("bobing.http")
_Found = TypeVar("_Found")


class Api:
    """The REST calls over one host."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host, self.settings = host, settings
        self.new_tables = Buckets(settings.tables_per_hour / 60, settings.tables_per_hour)
        self.wrong_codes = Buckets(settings.guesses_per_minute, settings.guesses_per_minute)
        self.checks = Buckets(CHECKS_PER_MINUTE, CHECKS_PER_MINUTE / 2)
        self.plans = Buckets(PLANS_PER_MINUTE, PLANS_PER_MINUTE / 4)
        self.papers = Buckets(PAPERS_PER_MINUTE, PAPERS_PER_MINUTE)
        self.joins = Buckets(JOINS_PER_MINUTE, JOINS_PER_MINUTE)
        self.unalarming, self.alarms = Buckets(ALARM_PER_MINUTE, ALARM_PER_MINUTE), Buckets(1, 1)
        self.chances = OddsDesk()
        self.proxies = frozenset(proxy.strip() for proxy in settings.proxies.split(",") if proxy.strip())

    def routes(self) -> list[Route]:
        """All routes below /api, as `bobing.wire.calls` describes them."""
        return routes_of(calls.CALLS, self)

    async def make(self, request: Request) -> wire.NewTableMade:
        """Make a table."""
        self.allow(request, self.new_tables)
        return await self.host.make(read_body(await text_of(request), wire.NewTable))

    async def make_from_record(self, request: Request) -> wire.NewTableMade:
        """Make a table that goes on with a recorded game."""
        self.allow(request, self.new_tables)
        dice = request.query_params.get("dice", "digital")
        if dice not in ("real", "digital"):
            raise MessageRefused("dice is real or digital", why="dice is real or digital")
        data = await body_of(request, calls.RECORD_MAX)
        return await self.host.make_from_record(data, wire.Settings(dice="real" if dice == "real" else "digital"))

    async def look(self, request: Request) -> calls.TableSeen:
        """Before joining: what the table is, its free seats, and whether it takes players."""
        table = await self._table(request)
        view = views.view(table.room, table.online)
        return calls.TableSeen(
            code=table.room.code,
            title=table.room.notes.get("title", ""),
            phase=view.phase,
            joining=table.room.settings.joining,
            rules=views.rules_view(table.room.rules, table.room.choice).names,
            seats=[calls.SeatSeen(seat.name, not seat.device and not seat.away) for seat in view.seats],
        )

    async def join(self, request: Request) -> wire.Joined:
        """Take a seat, or look on."""
        refuse_foreign(request)
        joining = read_body(await text_of(request), wire.Joining)
        table = await self._table_joined(request)
        return await self.host.door.join(table.room.code, joining)

    async def invite(self, request: Request) -> wire.Invited:
        """A token for another device."""
        refuse_foreign(request)
        inviting = read_body(await text_of(request), wire.Inviting)
        code = (await self._table_joined(request)).room.code
        return await self.host.door.invite(code, bearer(request), inviting)

    async def record(self, request: Request) -> Response:
        """The game record, for whoever holds a token of the table."""
        room = (await self._table(request)).room
        await self.host.who(room.code, bearer(request))
        data = b"".join(record_of(room))
        file = {"content-disposition": f'attachment; filename="bobing-{room.code}.jsonl"'}
        return Response(data, media_type="application/jsonl", headers={**HEADERS, **file, "cache-control": "no-store"})

    async def check_rules(self, request: Request) -> Any:
        """What a choice of rules comes to, before a table is made or changed."""
        self.allow(request, self.checks)
        choice = read_body(await text_of(request), wire.RulesChoice)
        return views.rules_view(resolve(choice), choice)

    async def rules_sheet(self, request: Request) -> Any:
        """A choice of rules, point by point."""
        self.allow(request, self.checks)
        rules = resolve(read_body(await text_of(request), wire.RulesChoice))
        told = await asyncio.to_thread(sheets_api.sheet_of, rules)
        return {**told, "names": views.rules_names(rules)}

    async def read_rules(self, request: Request) -> wire.RulesChoice:
        """A house rule file as a choice of rules."""
        self.allow(request, self.checks)
        return choice_in(await text_of(request))

    async def check_names(self, request: Request) -> list[calls.NameSeen]:
        """Which names would be refused or get a number."""
        self.allow(request, self.checks)
        return _names_seen(read_body(await text_of(request), wire.Names).players)

    async def sheets(self, _request: Request) -> Any:
        """All named sheets."""
        return await asyncio.to_thread(sheets_api.sheets)  # the first time takes a while, and tables play on

    async def sheet(self, request: Request) -> Any:
        """One sheet, point by point."""
        return await asyncio.to_thread(sheets_api.sheet, request.path_params["key"][:60])

    async def sheet_paper(self, request: Request) -> Response:
        """A named sheet on paper."""
        self.allow(request, self.papers)
        rules = find_sheet(find_key(request.path_params["key"][:60]))
        return await rules_pdf(rules, request, self.settings.public_url)

    async def rules_paper(self, request: Request) -> Response:
        """A choice of rules on paper."""
        self.allow(request, self.papers)
        rules = resolve(read_body(await text_of(request), wire.RulesChoice))
        return await rules_pdf(rules, request, self.settings.public_url)

    async def settings_known(self, _request: Request) -> Any:
        """The settings of rule sheets and their values in words."""
        return options.settings_known()

    async def score(self, request: Request) -> Any:
        """What a hand is worth under a sheet."""
        roll = Roll.parse(request.query_params.get("roll", "")[:20])
        return sheets_api.score(str(roll), request.query_params.get("rules", "minnan")[:60])

    async def plan(self, request: Request) -> Any:
        """An event worked out beforehand."""
        self.allow(request, self.plans)
        query = {name: value[:2000] for name, value in request.query_params.items()}
        return await self.chances.aside.run(plan_api.plan, query)

    async def odds(self, request: Request) -> Any:
        """The chances of a sheet."""
        self.allow(request, self.checks)
        query = request.query_params
        rules = find_sheet(find_key(query.get("rules", "minnan")[:60]))
        return await self._odds_of(rules, rules.names, query)

    async def plan_by(self, request: Request) -> Any:
        """An event worked out beforehand by house rules."""
        self.allow(request, self.plans)
        query = {name: value[:2000] for name, value in request.query_params.items() if name != "rules"}
        choice = read_body(await text_of(request), wire.RulesChoice)
        rules = resolve(choice)
        told = await self.chances.aside.run(plan_api.plan, query, rules)
        return {**told, "names": views.rules_names(rules)}

    async def odds_by(self, request: Request) -> Any:
        """The chances by house rules."""
        self.allow(request, self.plans)
        rules = resolve(read_body(await text_of(request), wire.RulesChoice))
        return await self._odds_of(rules, views.rules_names(rules), request.query_params)

    async def _odds_of(self, rules: RuleSet, names: Mapping[str, str], query: Mapping[str, str]) -> Any:
        players, simulated = query.get("players", "10")[:10], query.get("simulate") != "0"
        return await self.chances.rules(rules, players, names, simulated=simulated)

    async def table_odds(self, request: Request) -> Any:
        """What each seat of a table may still expect."""
        self.allow(request, self.checks)
        room = (await self._table(request)).room
        await self.host.who(room.code, bearer(request))
        if room.game is None:
            raise refused("not_begun")
        simulated = request.query_params.get("simulate") != "0"
        return await self.chances.table(room.code, room.game, simulated=simulated)

    async def openapi(self, _request: Request) -> Any:
        """What all these calls are."""
        return openapi()

    def address(self, request: Request) -> str:
        """Where a call comes from; proxies are believed only if they are listed ones."""
        peer = request.client.host if request.client else ""
        passed = [part.strip() for part in request.headers.get("x-forwarded-for", "").split(",") if part.strip()]
        while peer in self.proxies and passed:
            peer = passed.pop()
        return _network(peer[:60])

    def allow(self, request: Request, buckets: Buckets) -> None:
        """Refuse what comes too often from one address, or from the page of somebody else."""
        refuse_foreign(request)
        if not buckets.take(self.address(request), self.host.clock.monotonic_ms()):
            raise refused("slow_down")

    async def _table_joined(self, request: Request) -> Any:
        table = await self._table(request)
        if not self.joins.take(table.room.code, self.host.clock.monotonic_ms()):
            raise refused("slow_down")
        return table

    async def _table(self, request: Request) -> Any:
        return await self.guarded(request, self.host.table)

    async def guarded(self, request: Request, find: Callable[[str], Awaitable[_Found]]) -> _Found:
        """What has the code of the path; after too many wrong codes an address has to wait."""
        address, now = self.address(request), self.host.clock.monotonic_ms()
        try:
            return await find(request.path_params["code"].upper()[:20])
        except BobingError as error:
            if error.code == "table/closed":
                self.host.metrics.count("wrong_codes")
                if not self.unalarming.take("", now) and self.alarms.take("", now):
                    _log.warning("more than %d wrong codes a minute: somebody guesses", ALARM_PER_MINUTE)
                if not self.wrong_codes.take(address, now):
                    raise refused("slow_down") from None
            raise


def routes_of(described: Iterable[calls.Call], over: object) -> list[Route]:
    """The routes of calls; each is answered by the method that has its name."""
    return [
        Route(call.path, answering(getattr(over, call.name)), methods=[call.method], name=call.name)
        for call in described
    ]


def answering(call: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """A call as a route: what it gives as JSON, refusals as problems with their status."""

    async def answer(request: Request) -> Response:
        try:
            result = await call(request)
        except BobingError as error:
            return _json(_problem(error), calls.status_of(error.code))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        return result if isinstance(result, Response) else _json(result)

    return answer


def _names_seen(names: Sequence[str]) -> list[calls.NameSeen]:
    seen: list[calls.NameSeen] = []
    taken: list[str] = []
    for name in names:
        try:
            plain, called = clean_name(name), clean_name(name, taken)
        except BobingError as error:
            seen.append(calls.NameSeen(fault=_problem(error)))
        else:
            taken.append(called)
            seen.append(calls.NameSeen(called if called != plain else ""))
    return seen


def _problem(error: BobingError) -> calls.Problem:
    return calls.Problem(
        code=error.code,
        words=dict(words_of(error)),
        detail=str(error),
        path=getattr(error, "path", ""),
        line=getattr(error, "line", 0),
    )


def _json(value: object, status: int = 200) -> Response:
    headers = {**HEADERS, "cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def bearer(request: Request) -> str:
    """The token of a call."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def refuse_foreign(request: Request) -> None:
    """Pages of others change nothing here, whatever their visitors' browsers would send for them."""
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise refused("forbidden")


def _network(address: str) -> str:
    """What counts as one address: of IPv6 the network, for every device there has very many.

    >>> _network("2001:db8::17"), _network("::ffff:192.0.2.7"), _network("somewhere")
    ('2001:db8::', '192.0.2.7', 'somewhere')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


async def text_of(request: Request) -> str:
    """The body as text."""
    try:
        return (await body_of(request, MESSAGE_MAX)).decode()
    except UnicodeDecodeError:
        raise refused("bad_message") from None


async def body_of(request: Request, limit: int) -> bytes:
    """The body, read no further than it may be long, and no longer than it may take."""
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                data += part
                if len(data) > limit:
                    raise refused("too_large")
    except TimeoutError:
        raise refused("too_slow") from None
    return bytes(data)
