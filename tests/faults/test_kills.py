"""R1 and R4 on the whole server: it is killed again and again while 20 tables play, and every client tries again.

No acknowledged act is lost, doubled or moved; what got no answer is carried out once or not at all, and the retry is
told which.
"""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from contextlib import suppress

import httpx
import pytest
import websockets
import websockets.exceptions

from bobing.adapters import open_log
from bobing.adapters.sqlite.maintenance import verify
from bobing.core.record import read_record
from bobing.server.rights import token_hash
from cli.test_serve import answered, serving
from server.live import new_table

TABLES = 20
LIVES = 25
"""After so many lives the tables are new, so that their logs do not grow too long to be played again and again."""
ENDLESS = {"sheet": "minnan", "house": {"cakes": {"yixiu": 100_000}}}
FLAGS = ("--here", "--tables-per-hour", "100000", "--messages-per-minute", "1000000")
GONE = (websockets.exceptions.ConnectionClosed, websockets.exceptions.InvalidMessage, OSError, TimeoutError, EOFError)


class Client:
    """The host of one table over all lives of the server. waiting: the command that got no answer yet."""

    def __init__(self, code, token, seed):
        self.code, self.token, self.rng = code, token, random.Random(seed)
        self.sent, self.acked, self.waiting, self.n, self.next = [], {}, None, 1, None

    async def live(self, address, heard):
        """One connection, until the server dies; `heard` is called at each answer."""
        with suppress(*GONE):
            url = address.replace("http", "ws") + "/ws"
            async with websockets.connect(url, open_timeout=20, max_size=None) as socket:
                await socket.send(json.dumps({"t": "hello", "code": self.code, "token": self.token}))
                while True:
                    message = json.loads(await socket.recv())
                    self._hear(message)
                    if message["t"] in ("welcome", "ack", "refused"):
                        heard(message["t"] == "ack")
                        self._think()
                        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
                            await socket.send(self.waiting or "")

    def _hear(self, message):
        if "view" in message:
            self.n, self.next = message["n"], message["view"].get("next")
        if message["t"] == "refused":
            assert message["code"] == "table/slow_down", message
        if message["t"] == "ack":
            before = self.acked.setdefault(message["cmd"], message["n"])
            assert before == message["n"], "another answer than the first time"
            if self.waiting and json.loads(self.waiting)["cmd"] == message["cmd"]:
                self.waiting = None

    def _think(self):
        if self.waiting is None:
            cmd = f"{self.code}-{len(self.sent):010d}"
            what = {"t": "throw", "seat": self.next} if self.next is not None else {"t": "begin"}
            self.waiting = json.dumps({**what, "cmd": cmd, "at": self.n})
            self.sent.append(cmd)


async def life(served, clients, rng):
    """All play until the server is killed, after so many acknowledgements."""
    wanted, acks = rng.randrange(0, 250), 0

    def kill():
        if served.process.returncode is None:
            os.kill(served.process.pid, signal.SIGKILL)
            served.process.returncode = -signal.SIGKILL

    def heard(acknowledged):
        nonlocal acks
        acks += acknowledged
        if acks >= wanted:
            kill()

    await asyncio.wait_for(asyncio.gather(*(client.live(served.address, heard) for client in clients)), 120)
    kill()  # where the machine is so slow that all were cut off before


def check(path, clients):
    """All that was acknowledged stands where it was said to, once; nothing stands there that nobody sent."""

    async def read():
        log = open_log(f"sqlite:{path}")
        found = {client.code: await log.read(client.code) for client in clients}
        await log.close()
        return found

    found = asyncio.run(read())
    assert verify(path).damage == ()
    for client in clients:
        actor = token_hash(client.token).hex()[:16]
        first, *others = found[client.code]
        names = [entry.cmd.removeprefix(f"{actor}.").removesuffix(".1") for entry in others]
        told = {name: entry.n for name, entry in zip(names, others, strict=True) if not name.count(".")}
        assert max(Counter(entry.cmd for entry in others).values(), default=1) == 1
        assert told.keys() <= set(client.sent)
        for cmd, n in client.acked.items():
            assert told[cmd] == n, (client.code, cmd)
        assert first.n == 1


@pytest.mark.parametrize("kills", [4, pytest.param(500, marks=pytest.mark.deep)])
def test_no_kill_of_the_server_loses_or_doubles_an_act(tmp_path, kills):
    path, rng = tmp_path / "tables.db", random.Random(kills)
    clients, sent, acts = [], 0, 0
    for i in range(kills):
        with serving(path, *FLAGS) as served:
            answered(f"{served.address}/healthz")
            if not clients:
                made = [new_table(served.address, "a", "b", "c", rules=ENDLESS) for _ in range(TABLES)]
                clients = [Client(*one, seed) for seed, one in enumerate(made)]
            asyncio.run(life(served, clients, rng))
            served.process.returncode = None
            assert served.process.wait(40) == -signal.SIGKILL
        if i % LIVES == LIVES - 1 or i == kills - 1:
            check(path, clients)
            records(path, clients)
            sent, acts = (sent + sum(len(one.sent) for one in clients), acts + sum(len(one.acked) for one in clients))
            print(f"{i + 1} kills of a server with {TABLES} tables: {sent} acts sent, {acts} acknowledged")
            clients = []
    assert acts > 20 * kills


def records(path, clients):
    """Every record verifies on the server that comes after the last kill, and that one ends in its own time."""
    with serving(path, *FLAGS) as served:
        answered(f"{served.address}/healthz")
        for client in clients:
            bearer = {"authorization": f"Bearer {client.token}"}
            record = httpx.get(f"{served.address}/api/tables/{client.code}/record", headers=bearer, timeout=60)
            assert record.status_code == 409 or read_record(record.content.splitlines(keepends=True)).game
        assert served.end() == 0
