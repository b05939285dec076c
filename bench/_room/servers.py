"""The servers of bench/room.py, each a process of its own: `python servers.py KIND PORT BYTES`.

Every kind but `whole` and `tight` answers each message of any socket with so many bytes to all sockets. Those two are
all of bobing, on the log whose URL stands in the place of the bytes.
"""

import asyncio
import sys
from contextlib import suppress


def uvicorn_of(app, port, buffer=0):
    import socket

    from bobing.server.running import Server, collect_seldom, config_of, listen
    from bobing.server.settings import Settings

    listener = listen("127.0.0.1", port)
    if buffer:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    server = Server(config_of(app, Settings(), None))
    collect_seldom()
    server.run(sockets=[listener])


def starlette(port, size):
    """What bobing's connections cost without what is said over them: its uvicorn, its sockets, its outboxes."""
    from types import SimpleNamespace

    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute

    from bobing.server.session import Session
    from bobing.wire.messages import You

    room, text = set(), b"x" * size

    async def live(socket):
        await socket.accept()
        session = Session(socket.state.line, You(role="watch"), b"", 256)
        room.add(session)
        try:
            while (message := await socket.receive())["type"] == "websocket.receive" and message["text"]:
                for other in room:
                    other.send(text)
        finally:
            room.discard(session)

    app = Starlette(routes=[WebSocketRoute("/ws", live)])
    app.state.host = SimpleNamespace(dismiss_all=lambda: None)
    uvicorn_of(app, port)


def aiohttp(port, size):
    from aiohttp import web

    room, text = set(), "x" * size

    async def live(request):
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        room.add(socket)
        try:
            async for _ in socket:
                for other in room:
                    await other.send_str(text)
        finally:
            room.discard(socket)
        return socket

    app = web.Application()
    app.router.add_get("/ws", live)
    import uvloop

    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None, loop=uvloop.new_event_loop())


def websockets(port, size):
    import uvloop
    from websockets.asyncio.server import broadcast, serve
    from websockets.exceptions import ConnectionClosed

    room, text = set(), "x" * size

    async def live(socket):
        room.add(socket)
        try:
            with suppress(ConnectionClosed):
                async for _ in socket:
                    broadcast(room, text)
        finally:
            room.discard(socket)

    async def run():
        async with serve(live, "127.0.0.1", port, compression=None):
            await asyncio.get_running_loop().create_future()

    uvloop.run(run())


def picows(port, size):
    import picows as ws
    import uvloop

    room, text = set(), b"x" * size

    class Live(ws.WSListener):
        def on_ws_connected(self, transport):
            room.add(transport)

        def on_ws_frame(self, transport, frame):  # noqa: ARG002 - the name is of picows
            if frame.msg_type == ws.WSMsgType.TEXT:
                for other in room:
                    other.send(ws.WSMsgType.TEXT, text)

        def on_ws_disconnected(self, transport):
            room.discard(transport)

    async def run():
        server = await ws.ws_create_server(lambda _request: Live(), "127.0.0.1", port)
        await server.serve_forever()

    uvloop.run(run())


def whole(port, url, buffer=0):
    from bobing.server.app import make_app
    from bobing.server.settings import Settings

    uvicorn_of(make_app(Settings(db=url, messages_per_minute=1_000_000, tables_per_hour=1_000_000)), port, buffer)


def tight(port, url):
    """The same where the system takes next to nothing for a client who does not read."""
    whole(port, url, 16_384)


KINDS = {kind.__name__: kind for kind in (starlette, aiohttp, websockets, picows, whole, tight)}

if __name__ == "__main__":
    kind, port, last = sys.argv[1:]
    KINDS[kind](int(port), last if kind in ("whole", "tight") else int(last))
