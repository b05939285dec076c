"""A real server on a free port of this machine, in a thread of its own, and short ways to talk to it."""

import asyncio
import json
import secrets
import socket
import threading
from contextlib import asynccontextmanager, contextmanager

import httpx
from websockets.asyncio.client import connect

from bobing.adapters.memory import MemoryLog
from bobing.server.app import make_app
from bobing.server.running import Server, config_of
from bobing.server.settings import Settings
from support.dice import ScriptedDice


@contextmanager
def serving(*throws, log=None, clock=None, worker=None, send_buffer=0, port=0, **settings):
    """The base address of a server that draws these throws. send_buffer: bytes that the system takes for a client."""
    listener = socket.create_server(("127.0.0.1", port))
    if send_buffer:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    port = listener.getsockname()[1]
    dice = ScriptedDice(*throws) if throws else None
    app = make_app(Settings(db="memory://", **settings), log=log or MemoryLog(), dice=dice, clock=clock, worker=worker)
    server = Server(config_of(app, Settings(), None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def new_table(base, *players, **more):
    made = httpx.post(f"{base}/api/tables", json={"players": list(players), **more})
    assert made.status_code == 200, made.text
    return made.json()["code"], made.json()["token"]


class Line:
    """One live connection."""

    def __init__(self, socket):
        self.socket, self.count, self.n, self.welcome = socket, 0, 0, {}
        self.own = secrets.token_hex(8)  # the id of an object is given again after it
        self.view, self.acts = {}, 0

    async def get(self, kind=None):
        """The next message, or the next of a kind."""
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
            self.n = max(self.n, message.get("n", 0))
            self.view = message.get("view", self.view)
            self.acts = message["line"]["n"] if "line" in message else len(message.get("lines", [0] * self.acts))
            if kind is None or message["t"] == kind:
                return message

    async def until_closed(self):
        """Read to the end."""
        while True:
            await self.get()

    async def put(self, **message):
        await self.socket.send(json.dumps(message))

    async def do(self, kind, **values):
        """A command and its answer."""
        self.count += 1
        cmd = values.pop("cmd", f"cmd-{self.own}-{self.count:06d}")
        await self.put(t=kind, cmd=cmd, at=values.pop("at", self.n), **values)
        while True:
            message = await self.get()
            if message.get("cmd") == cmd:
                return message


@asynccontextmanager
async def line(base, code, token, **headers):
    """A connection that has said hello."""
    url = base.replace("http", "ws") + "/ws"
    async with connect(url, additional_headers=headers, ping_interval=None) as socket:
        opened = Line(socket)
        await opened.put(t="hello", code=code, token=token)
        opened.welcome = await opened.get("welcome")
        yield opened
