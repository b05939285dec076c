"""Puts the parts together: log, host, live connections, calls, pages."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from bobing.adapters import open_bus, open_log, sqlite_path
from bobing.adapters.system import SystemClock, SystemDice
from bobing.core.errors import BobingError
from bobing.ports import Clock, Dice, Store, Worker
from bobing.server.cluster import Cluster
from bobing.server.desk import Desk
from bobing.server.event_http import EventApi
from bobing.server.host import Host
from bobing.server.http import Api
from bobing.server.limits import Buckets
from bobing.server.metrics import Metrics
from bobing.server.places import Places
from bobing.server.session import serve_socket
from bobing.server.settings import SettingRefused, Settings
from bobing.server.static import FOLDER, HEADERS, static_routes

_TIDY_S = 60
_ERASE_MINUTES = 60
_log = logging.getLogger("bobing.app")


def make_app(
    settings: Settings,
    *,
    log: Store | None = None,
    dice: Dice | None = None,
    clock: Clock | None = None,
    worker: Worker | None = None,
) -> Starlette:
    """The whole server as an ASGI application; log, dice and clock can be given for tests. Such dice prove nothing.

    worker: who this process is, where it is one of several.
    """
    metrics = Metrics()
    store = log or _store(settings.db or "memory://")
    chance = secrets.token_bytes if dice is None else None
    bus, places = (open_bus(settings.bus or "nobody://"), Places(store, worker)) if worker else (None, None)
    host = Host(store, dice or SystemDice(), clock or SystemClock(), metrics, chance, places=places, bus=bus)
    rates = Buckets(settings.messages_per_minute, settings.messages_per_minute / 3)
    cluster = Cluster(host, places, bus, telling=bool(settings.bus)) if places and bus else None
    desk = Desk(host)
    api = Api(host, settings)
    events = EventApi(desk, api)

    async def live(socket: WebSocket) -> None:
        await serve_socket(socket, host, settings, rates, cluster and cluster.follower)

    async def event_live(socket: WebSocket) -> None:
        await serve_socket(socket, desk, settings, rates)

    async def health(_request: Request) -> Response:
        try:
            await store.granted(bytes(32))
        except BobingError as error:
            return _plain(f"the store does not answer: {error.code}\n", 503)
        return _plain("ok\n")

    async def lives(_request: Request) -> Response:
        return _plain("ok\n")

    async def measured(_request: Request) -> Response:
        if not settings.metrics:
            return _plain("metrics are off; start with --metrics\n", 404)
        metrics.gauge("tables", len(host.tables))
        return _plain(metrics.text(store.writes()))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        tidying = asyncio.create_task(_tidy(host, desk, settings.idle_minutes * 60_000))
        if cluster:
            await cluster.start()
        yield
        tidying.cancel()
        api.chances.close()
        await _end(host, cluster, store)

    routes = [
        Route("/healthz", health),
        Route("/livez", lives),
        Route("/metrics", measured),
        WebSocketRoute("/ws", live),
        WebSocketRoute("/ws/event", event_live),
        *api.routes(),
        *events.routes(),
        *static_routes(),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.host, app.state.desk = host, desk
    if cluster:
        cluster.stand_before(app, desk)
    return app


async def _tidy(host: Host, desk: Desk, idle_ms: int) -> None:
    """Erase what was kept long enough, and forget what nobody is at, without end: whatever fails, it has to go on."""
    for minute in itertools.count():
        try:
            if minute % _ERASE_MINUTES == 0:
                await desk.erasing.tidy()
            host.unload(idle_ms)
            desk.unload()
        except BobingError as error:  # the store does not answer now: the next time, then
            _log.warning("guest data could not be looked through: %s", error.code)
        except Exception:  # noqa: BLE001 - one that cannot be read must not keep all others in memory
            _log.exception("tidying up failed")
        await asyncio.sleep(_TIDY_S)


async def _end(host: Host, cluster: Cluster | None, store: Store) -> None:
    """Finish what is being stored, let others take over, then let go of the store."""
    try:
        if cluster:
            cluster.rest()
        await host.finish()
        if cluster:
            await cluster.leave()
    finally:  # whatever failed: only then is all in one file, and what was erased nowhere
        await store.close()


def _store(url: str) -> Store:
    if url.startswith("sqlite:") and Path(sqlite_path(url)).absolute().resolve().is_relative_to(FOLDER.resolve()):
        raise SettingRefused(f"{url} lies among the files of the page, which everybody can fetch; name another place")
    return open_log(url)


def _plain(text: str, status: int = 200) -> Response:
    return PlainTextResponse(text, status, {**HEADERS, "cache-control": "no-store"})
