"""A live connection straight to the application, without sockets: very many messages in a short time."""

import asyncio
import json

HEAD = {"type": "websocket", "path": "/ws", "raw_path": b"/ws", "query_string": b"", "subprotocols": [], "scheme": "ws"}


class Phone:
    """One connection. `heard` holds all that the server said over it; `closed` the code with which it ended it."""

    def __init__(self, app):
        self.heard, self.closed = [], None
        self._in, self._news = asyncio.Queue(), asyncio.Event()
        self._in.put_nowait({"type": "websocket.connect"})
        state = {"line": self}
        scope = {
            **HEAD,
            "state": state,
            "headers": [(b"host", b"table")],
            "client": ("192.0.2.1", 1),
            "server": ("table", 80),
        }
        self._task = asyncio.get_running_loop().create_task(app(scope, self._in.get, self._said))

    async def _said(self, message):
        if message["type"] == "websocket.send":
            self.heard.append(message["text"])
        if message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._news.set()

    def put(self, frame):
        """A frame that the server sends over the connection itself; nothing waits here."""
        self.heard.append(frame[{126: 4, 127: 10}.get(frame[1], 2) :].decode())
        self._news.set()
        return 0

    def waiting(self):
        """How many bytes wait to be taken."""
        return 0

    def drop(self):
        """The server ends the connection, whatever waits still."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def say(self, text):
        """Say something; whoever is gone says nothing."""
        if self.closed is None:
            self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def until(self, kind):
        """Wait for a message of a kind, or the end; whether it came."""
        seen = 0
        while True:
            if any(json.loads(told)["t"] == kind for told in self.heard[seen:]):
                return True
            seen = len(self.heard)
            if self.closed is not None or self._task.done():
                return False
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 20)

    async def leave(self):
        """Hang up, and wait until the server is done; raises what went wrong in it."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task
