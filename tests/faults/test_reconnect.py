"""R5: connections that drop and resume while a table plays end with the state that everybody else has."""

import asyncio
import json
import random
from contextlib import suppress

import httpx
import pytest
import websockets

from faults.test_kills import GONE
from server.live import line, new_table, serving

REAL = {"dice": "real", "confirm": "none"}


class Follower:
    """What one page knows of a table: it takes news in order and drops what it has."""

    def __init__(self, base, code, token, seed):
        self.base, self.code, self.token, self.rng = base, code, token, random.Random(seed)
        self.n, self.lines, self.view, self.drops = 0, [], {}, 0

    async def follow(self, drops, over):
        """Stay connected until it is over, but drop so many times; come again, too, where a busy server lets go."""
        url = self.base.replace("http", "ws") + "/ws"
        while not (over.is_set() and self.drops >= drops and self.n >= over.n):
            with suppress(*GONE):
                async with websockets.connect(url, open_timeout=60, max_size=None) as socket:
                    await self.stay(socket, drops, over)

    async def stay(self, socket, drops, over):
        await socket.send(json.dumps({"t": "hello", "code": self.code, "token": self.token, "seen": self.n}))
        messages = self.rng.randrange(1, 8) if self.drops < drops else 10**9
        while messages:
            messages -= 1
            self.hear(json.loads(await socket.recv()))
            if over.is_set() and self.drops >= drops and self.n >= over.n:
                return
        self.drops += 1
        socket.transport.abort()

    def hear(self, message):
        kind = message["t"]
        if kind == "presence" or "view" not in message:
            return
        if kind == "news":
            assert message["n"] > self.n, "an event twice"
            if "line" in message:
                assert message["line"]["n"] == len(self.lines) + 1, "an event was missed"
                self.lines.append(message["line"])
        else:
            self.lines = message["lines"]
        self.n, self.view = message["n"], message["view"]

    @property
    def state(self):
        seats = [{**seat, "online": False} for seat in self.view["seats"]]
        return json.dumps([self.n, self.lines, {**self.view, "seats": seats}], sort_keys=True)


class Over(asyncio.Event):
    n = 0


async def play(host, enough, over):
    """Throws and undos until it is enough; then one last change, which everybody has to hear of."""
    rng = random.Random(63)
    if host.view["phase"] == "lobby":
        await host.do("begin")
    while not enough():
        roll = "".join(rng.choice("123356") for _ in range(6))
        act = {"seat": host.view["next"], "roll": roll} if rng.random() < 0.9 else {"undo": host.acts}
        assert (await host.do("do", act=act))["t"] in ("ack", "refused")
        await asyncio.sleep(0.005)
    over.n = host.n + 1
    over.set()
    await host.do("set_settings", settings={**REAL, "speed": 2})


@pytest.mark.parametrize(
    ("clients", "drops"),
    [(20, 5), pytest.param(100, 20, marks=pytest.mark.deep), pytest.param(300, 20, marks=pytest.mark.deep)],
)
def test_who_drops_and_resumes_ends_with_the_same_state(clients, drops):
    with serving(messages_per_minute=1_000_000) as base:
        code, token = new_table(base, "a", "b", "c", settings=REAL)
        with httpx.Client(base_url=base, trust_env=False) as calls:
            path = f"/api/tables/{code}/join"
            watch = [calls.post(path, json={"watch": True}).json()["token"] for _ in range(clients)]
        followers = [Follower(base, code, one, seed) for seed, one in enumerate(watch)]

        async def scenario():
            over = Over()
            async with asyncio.TaskGroup() as group:
                for follower in followers:
                    group.create_task(follower.follow(drops, over))
                while not over.is_set():
                    with suppress(*GONE):
                        async with line(base, code, token) as host:
                            await play(host, lambda: all(follower.drops >= drops for follower in followers), over)

        asyncio.run(scenario())
        fresh = {follower.state for follower in followers}
        assert len(fresh) == 1
        assert min(follower.drops for follower in followers) >= drops
