"""The calls that are not live: tables, records, sheets, scoring a hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bobing.core.dice import Roll
from bobing.core.errors import BobingError
from bobing.core.record import record_lines
from bobing.server import options, sheets_api, views
from bobing.server.host import Host
from bobing.server.limits import Buckets
from bobing.server.refusal import refused, words_of
from bobing.server.settings import Settings
from bobing.wire import messages as wire
from bobing.wire.codec import MESSAGE_MAX, read_body

_STATUS = {
    "table/closed": 404,
    "table/no_seat": 404,
    "rules/unknown_sheet": 404,
    "table/unknown_token": 401,
    "table/forbidden": 403,
    "table/taken": 409,
    "table/full": 409,
    "table/slow_down": 429,
    "table/too_large": 413,
    "table/not_saved": 503,
    "log/not_saved": 503,
}


class Api:
    """The REST calls over one host."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host, self.settings = host, settings
        self.new_tables = Buckets(settings.tables_per_hour / 60, settings.tables_per_hour)
        self.wrong_codes = Buckets(settings.guesses_per_minute, settings.guesses_per_minute)

    def routes(self) -> list[Route]:
        """All routes below /api."""
        calls: list[tuple[str, str, Callable[[Request], Awaitable[Any]]]] = [
            ("POST", "/api/tables", self.make),
            ("GET", "/api/tables/{code}", self.look),
            ("POST", "/api/tables/{code}/join", self.join),
            ("POST", "/api/tables/{code}/links", self.invite),
            ("GET", "/api/tables/{code}/record", self.record),
            ("POST", "/api/rules/check", self.check_rules),
            ("GET", "/api/sheets", self.sheets),
            ("GET", "/api/sheets/{key}", self.sheet),
            ("GET", "/api/settings", self.settings_known),
            ("GET", "/api/score", self.score),
        ]
        return [Route(path, _answering(call), methods=[method]) for method, path, call in calls]

    async def make(self, request: Request) -> wire.NewTableMade:
        """Make a table."""
        if not self.new_tables.take(self.address(request), self.host.clock.monotonic_ms()):
            raise refused("slow_down")
        return await self.host.make(read_body(await _body(request), wire.NewTable))

    async def look(self, request: Request) -> Any:
        """Before joining: what the table is, its free seats, and whether it takes players."""
        table = await self._table(request)
        view = views.view(table.room, table.online)
        return {
            "code": table.room.code,
            "title": table.room.notes.get("title", ""),
            "phase": view.phase,
            "joining": table.room.settings.joining,
            "rules": views.rules_view(table.room.rules, table.room.choice).names,
            "seats": [{"name": seat.name, "free": not seat.device and not seat.away} for seat in view.seats],
        }

    async def join(self, request: Request) -> wire.Joined:
        """Take a seat, or look on."""
        joining = read_body(await _body(request), wire.Joining)
        table = await self._table(request)
        return await self.host.join(table.room.code, joining)

    async def invite(self, request: Request) -> wire.Invited:
        """A token for another device."""
        inviting = read_body(await _body(request), wire.Inviting)
        code = (await self._table(request)).room.code
        return await self.host.invite(code, _bearer(request), inviting)

    async def record(self, request: Request) -> Response:
        """The game record, for whoever holds a token of the table."""
        code = request.path_params["code"]
        await self.host.who(code, _bearer(request))
        room = (await self._table(request)).room
        if room.game is None:
            raise refused("not_begun")
        names = {seat: room.name(seat) for seat in range(room.seat_count) if room.name(seat)}
        data = b"".join(record_lines(room.game, names))
        file = {"content-disposition": f'attachment; filename="bobing-{code}.jsonl"'}
        return Response(data, media_type="application/jsonl", headers=file)

    async def check_rules(self, request: Request) -> Any:
        """What a choice of rules comes to, before a table is made or changed."""
        from bobing.server.room import resolve

        choice = read_body(await _body(request), wire.RulesChoice)
        return views.rules_view(resolve(choice), choice)

    async def sheets(self, _request: Request) -> Any:
        """All named sheets."""
        return sheets_api.sheets()

    async def sheet(self, request: Request) -> Any:
        """One sheet, point by point."""
        return sheets_api.sheet(request.path_params["key"])

    async def settings_known(self, _request: Request) -> Any:
        """The settings of rule sheets and their values in words."""
        return options.settings_known()

    async def score(self, request: Request) -> Any:
        """What a hand is worth under a sheet."""
        roll = Roll.parse(request.query_params.get("roll", "")[:20])
        return sheets_api.score(str(roll), request.query_params.get("rules", "minnan")[:60])

    def address(self, request: Request) -> str:
        """Where a call comes from; a proxy is believed only if it is a listed one."""
        peer = request.client.host if request.client else ""
        if peer in self.settings.proxies.split(","):
            return request.headers.get("x-forwarded-for", peer).rsplit(",", 1)[-1].strip()[:60]
        return peer

    async def _table(self, request: Request) -> Any:
        """The table of the path; after too many wrong codes an address has to wait."""
        address, now = self.address(request), self.host.clock.monotonic_ms()
        try:
            return await self.host.table(request.path_params["code"].upper()[:20])
        except BobingError as error:
            if error.code == "table/closed" and not self.wrong_codes.take(address, now):
                raise refused("slow_down") from None
            raise


def _answering(call: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            result = await call(request)
        except BobingError as error:
            body = {"code": error.code, "words": dict(words_of(error)), "detail": str(error)}
            if path := getattr(error, "path", ""):
                body["path"] = path
            return _json(body, _STATUS.get(error.code, HTTPStatus.UNPROCESSABLE_ENTITY))
        return result if isinstance(result, Response) else _json(result)

    return answer


def _json(value: object, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def _bearer(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


async def _body(request: Request) -> str:
    """The body as text, read no further than it may be long."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MESSAGE_MAX:
            raise refused("too_large")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise refused("bad_message") from None
