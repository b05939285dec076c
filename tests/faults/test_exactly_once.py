"""R4: commands come late, doubled and out of order, over connections that drop and from workers that are killed.

Each is carried out once, and each of its copies gets the same answer, whenever and wherever it arrives.
"""

import asyncio
import json
import os
import random
import signal
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import websockets

from bobing.server.host import Host
from faults.test_kills import ENDLESS, GONE
from faults.test_workers import several, verify_log, workers_of
from server.live import new_table, serving

SEATS, ANY_TIME = 3, 10**6
AGAIN = {"act/not_your_turn", "table/not_playing", "log/lost_lease", "log/not_saved"}
"""Refusals of what came too early, or while a table moved: the same command is good later."""


class Chaos:
    """The host of a table, whose commands take their time each on its own way. wrong: answers that cannot be right."""

    def __init__(self, code, token, seed, wanted):
        self.code, self.token, self.rng, self.wanted = code, token, random.Random(seed), wanted
        self.sent, self.acked, self.open, self.wrong = [], {}, {}, []
        self.copies, self.under_way = 0, set()
        self.socket: Any = None

    async def play(self, address):
        """Over as many connections as it takes, until all that is wanted was acknowledged, or something is wrong."""
        while self._going_on:
            with suppress(*GONE):
                url = address.replace("http", "ws") + "/ws"
                async with websockets.connect(url, open_timeout=20, close_timeout=1, max_size=None) as socket:
                    await socket.send(json.dumps({"t": "hello", "code": self.code, "token": self.token}))
                    await self._stay(socket, self.rng.randrange(20, 150))
                    socket.transport.abort()
            await asyncio.sleep(self.rng.random() * 0.2)
        for late in self.under_way:
            late.cancel()

    @property
    def _going_on(self):
        return len(self.acked) < self.wanted and not self.wrong

    async def _stay(self, socket, messages):
        welcome = json.loads(await socket.recv())
        while welcome["t"] != "welcome":
            welcome = json.loads(await socket.recv())
        self.socket = socket
        self._think()
        for text in self.open.values():  # what was under way before may have been lost
            self._send(text)
        while messages and self._going_on:
            messages -= 1
            try:
                self._hear(json.loads(await asyncio.wait_for(socket.recv(), 3)))
            except TimeoutError:
                return

    def _think(self):
        """One command for each seat is under way: they are made in order, and arrive as they like."""
        while len(self.open) < (SEATS if self.acked else 1) and len(self.sent) < self.wanted:
            k = len(self.sent)
            cmd = f"{self.code}-{k:010d}"
            what = {"t": "throw", "seat": (k - 1) % SEATS} if k else {"t": "begin"}
            self.sent.append(cmd)
            self.open[cmd] = json.dumps({**what, "cmd": cmd, "at": ANY_TIME})
            for _ in range(self.rng.choice([1, 2, 3])):
                self._send(self.open[cmd])

    def _send(self, text):
        late = asyncio.create_task(self._later(text, self.rng.random() ** 3 * self.rng.choice([0.03, 0.3, 2])))
        self.under_way.add(late)
        late.add_done_callback(self.under_way.discard)

    async def _later(self, text, wait_s):
        await asyncio.sleep(wait_s)
        self.copies += 1
        with suppress(*GONE):
            await self.socket.send(text)  # over whichever connection there is by then

    def _hear(self, message):
        cmd = message.get("cmd")
        if message["t"] == "ack":
            if self.acked.setdefault(cmd, message["n"]) != message["n"]:
                self.wrong.append((cmd, self.acked[cmd], message["n"]))
            self.open.pop(cmd, None)
            self._think()
        elif message["t"] == "refused":
            if message["code"] not in AGAIN or cmd in self.acked:
                self.wrong.append((cmd, self.acked.get(cmd), message["code"]))
            if cmd in self.open:
                self._send(self.open[cmd])


async def storm(served, players, every_s, rng):
    """All play while workers are killed; how many were."""
    playing, kills = asyncio.gather(*(player.play(served.address) for player in players)), 0
    while not (await asyncio.wait([playing], timeout=every_s * (0.5 + rng.random())))[0]:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers_of(served)), signal.SIGKILL)
            kills += 1
    await playing
    return kills


@pytest.mark.parametrize(
    ("rounds", "tables", "each", "every_s"), [(1, 6, 20, 2), pytest.param(20, 20, 250, 15, marks=pytest.mark.deep)]
)
def test_every_command_is_carried_out_once_and_always_answered_alike(tmp_path, rounds, tables, each, every_s):
    rng, players = random.Random(4), []
    kills = acked = copies = 0
    for i in range(rounds):
        url = f"sqlite:{tmp_path / f'{i}.db'}"
        with several(url, 3) as served:
            made = [new_table(served.address, *"abc", rules=ENDLESS) for _ in range(tables)]
            now = [Chaos(*one, rng.random(), each) for one in made]
            kills += asyncio.run(asyncio.wait_for(storm(served, now, every_s, rng), 1800))
            served.end()
        assert asyncio.run(verify_log(url, now)) == []
        players += now
        acked, copies = (sum(len(one.acked) for one in players), sum(one.copies for one in players))
        print(f"{acked} commands in {copies} copies, {kills} kills of workers, none lost or doubled", flush=True)
        assert [one.wrong for one in now if one.wrong] == []
    assert acked == rounds * tables * each
    assert copies > 1.5 * acked
    assert kills


def test_a_server_that_does_not_know_a_command_again_is_seen(monkeypatch):
    """The protection taken away: each copy counts as a command of its own."""
    real, arrived = Host._command, iter(range(10**9))

    async def forgetful(self, table, command, *more):
        other = msgspec.structs.replace(command, cmd=f"{command.cmd}-{next(arrived)}")
        return msgspec.structs.replace(await real(self, table, other, *more), cmd=command.cmd)

    monkeypatch.setattr(Host, "_command", forgetful)
    with serving(messages_per_minute=1_000_000) as address:
        player = Chaos(*new_table(address, *"abc", rules=ENDLESS), 4, 40)
        asyncio.run(asyncio.wait_for(player.play(address), 60))
    assert player.wrong
