"""R7 on whole servers: of several workers one is killed again and again, on SQLite and on PostgreSQL.

Every table has one writer, whichever worker a device reaches; what was acknowledged is in the log once, and a table
goes on with another worker: at once where a process has ended, for nobody listens at its address any more.
"""

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import websockets

from bobing.adapters import open_log
from bobing.core.chain import ZERO, link
from bobing.server.rights import token_hash
from bobing.server.settings import Settings
from bobing.server.workers import new_worker
from cli.test_serve import Served, answered, environment
from faults.test_kills import ENDLESS, FLAGS, GONE, Client
from server.live import new_table
from support.services import nats_running, postgres_running

TABLES = 8
THINK_S = 0.03
"""What passes between two acts of a table, so that on a fast machine it does not grow to ten times a game's length."""
TRY_AGAIN = {"table/slow_down", "log/lost_lease", "log/not_saved"}
PATIENT = "from bobing.server import places; places.LIFE_MS = 600_000"
"""Who says nothing counts as dead after ten minutes: tables go on only where it is seen that a process has ended."""
LOSING = """
import asyncio
from bobing.adapters.sqlite import log
from bobing.adapters.entries import START, chained

real = log.SqliteLog.append

async def hasty(self, stream, expected, entries, **more):  # says that it is saved, and saves it by and by
    entries = list(entries)
    if not entries or expected < 2:
        return await real(self, stream, expected, entries, **more)
    queues = self.__dict__.setdefault("queues", {})
    before = queues.get(stream)
    async def later():
        if before:
            await before
        await asyncio.sleep(0.1)
        await real(self, stream, expected, entries, **more)
    queues[stream] = asyncio.ensure_future(later())
    return chained(stream, expected, START[1], entries)

log.SqliteLog.append = hasty
"""


@contextmanager
def several(url, workers, *args, start=(), cwd=None, **env):
    """A server of several workers on a free port, in this folder or another. start: by what it is started."""
    words = [*start, sys.executable, "-m", "bobing", "serve", "--db", url, "--workers", str(workers), "--port", "0"]
    process = subprocess.Popen(
        [*words, *FLAGS, *map(str, args)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env=environment(**env),
    )
    served = Served(process)
    try:
        served.read_until("Tables are kept in")
        answered(f"{served.address}/healthz")
        yield served
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def workers_of(served):
    """The processes that serve, told by their parent."""
    children = Path(f"/proc/{served.process.pid}/task/{served.process.pid}/children").read_text().split()
    return [int(child) for child in children]


class Player(Client):
    """The host of a table that comes again however often its worker dies.

    waits: seconds from the loss of a connection until the next new act was acknowledged. patience: seconds without a
    word after which a connection counts as lost.
    """

    patience: float | None = None

    def __init__(self, code, token, seed):
        super().__init__(code, token, seed)
        self.waits, self.lost_at, self.refused, self.went_on = [], None, set(), False

    async def play(self, where, over):
        """Play at the address that `where()` names, again and again."""
        while not over.is_set():
            with suppress(*GONE):
                url = where().replace("http", "ws") + "/ws"
                async with websockets.connect(url, open_timeout=10, close_timeout=1, max_size=None) as socket:
                    await socket.send(json.dumps({"t": "hello", "code": self.code, "token": self.token}))
                    while not over.is_set():
                        await self._answer(socket, json.loads(await asyncio.wait_for(socket.recv(), self.patience)))
            self.lost_at = self.lost_at or time.monotonic()
            await asyncio.sleep(0.2 + self.rng.random() * 0.2)  # as a page waits before its first try

    async def _answer(self, socket, message):
        """Each new command is sent one to three times; again after each new connection."""
        before = self.waiting
        if message["t"] == "refused":
            self.refused.add(message["code"])
            self.waiting = None
            await asyncio.sleep(0.1)
        else:
            self._hear(message)
        if message["t"] == "ack" and before and not self.waiting:
            if self.lost_at:
                self.waits.append(time.monotonic() - self.lost_at)
            self.lost_at = None
            await asyncio.sleep(THINK_S)
        elif message["t"] not in ("welcome", "refused"):
            return
        self._think()
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            await socket.send(self.waiting or "")


async def all_up(ports):
    """Until every worker listens for the others: a kill finds one that serves, and others that take over."""
    for port in ports:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            await asyncio.sleep(0.05)


async def killing(served, clients, kills, every_s, ports, rng):
    over = asyncio.Event()
    playing = [asyncio.create_task(client.play(lambda: served.address, over)) for client in clients]
    for _ in range(kills):
        await asyncio.sleep(every_s)
        await asyncio.wait_for(all_up(ports), 120)
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers_of(served)), signal.SIGKILL)
    await going_on(clients)
    over.set()
    await asyncio.gather(*playing)


async def going_on(clients):
    """Until every table goes on after what befell it, or half a minute has gone by."""
    acked = {client.code: len(client.acked) for client in clients}
    for _ in range(600):
        await asyncio.sleep(0.05)
        for one in clients:
            one.went_on = len(one.acked) >= acked[one.code] + 3
        if all(one.went_on for one in clients):
            break


async def verify_log(url, clients):
    """All that was acknowledged stands where it was said to, once; nothing stands there that nobody sent."""
    log, lost = open_log(url), []
    for client in clients:
        h, told = ZERO, {}
        for n, entry in enumerate(await log.read(client.code), 1):
            h = link(h, entry.body)
            assert (entry.n, entry.h) == (n, h)
            actor, _, name = entry.cmd.partition(".")
            if actor == token_hash(client.token).hex()[:16] and "." not in name:
                assert name not in told, "carried out twice"
                told[name] = n
        assert told.keys() <= set(client.sent)
        lost += [(client.code, cmd, n, told.get(cmd)) for cmd, n in client.acked.items() if told.get(cmd) != n]
    await log.close()
    return lost


def figures(port):
    """The metrics of the worker that listens for others at a port, by name."""
    told = answered(f"http://127.0.0.1:{port}/metrics").text
    return {name: float(value) for name, value in re.findall(r"^bobing_(\w+) (\S+)$", told, re.MULTILINE)}


def played(url, kills, every_s, workers, *args, **env):
    """Players of tables while workers are killed; what was lost, and the players."""
    first = random.randrange(20_000, 30_000)
    ports = range(first, first + workers)
    with several(url, workers, "--peer-port", str(first), "--metrics", *args, **env) as served:
        clients = [Player(*new_table(served.address, "a", "b", "c", rules=ENDLESS), seed) for seed in range(TABLES)]
        asyncio.run(killing(served, clients, kills, every_s, ports, random.Random(kills)))
        assert max(figures(port)["entries_total"] for port in ports) > 0
        served.end()
    return asyncio.run(verify_log(url, clients)), clients


@pytest.mark.parametrize(
    ("rounds", "kills", "every_s", "workers"), [(1, 2, 1.5, 3), pytest.param(20, 10, 2, 4, marks=pytest.mark.deep)]
)
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_no_kill_of_a_worker_loses_or_doubles_an_act(tmp_path, store, rounds, kills, every_s, workers):
    """In rounds with new tables, so that they do not grow longer than a game is."""
    (tmp_path / "sitecustomize.py").write_text(PATIENT)
    waits, acts, longest = [0.0], 0, 0
    for i in range(rounds):
        if store == "sqlite":
            url = f"sqlite:{tmp_path / f'{i}.db'}"
            lost, clients = played(url, kills, every_s, workers, PYTHONPATH=str(tmp_path))
        else:
            with postgres_running() as server, nats_running() as bus:
                lost, clients = played(server.url(), kills, every_s, workers, "--bus", bus.url)
        acts += sum(len(client.acked) for client in clients)
        longest = max(longest, *(len(client.acked) for client in clients))
        waits = sorted([*waits, *(wait for client in clients for wait in client.waits)])
        half, most = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
        assert lost == []
        print(
            f"{store}: {(i + 1) * kills} kills among {workers} workers, {acts} acts acknowledged, none lost; ", end=""
        )
        print(
            f"of {len(waits) - 1} connections lost, usable again after {half:.1f} s (half), {most:.1f} s (99 %); ",
            end="",
        )
        print(f"{longest} acts at a table at most")
        assert set().union(*(one.refused for one in clients)) <= TRY_AGAIN
        assert all(client.went_on for client in clients), "every table went on after the last kill"
    assert acts > 20 * kills * rounds


def test_workers_end_with_the_one_who_started_them_and_are_started_without_loading_anything(tmp_path):
    with several(f"sqlite:{tmp_path / 'tables.db'}", 2) as served:
        first = workers_of(served)
        os.kill(first[0], signal.SIGKILL)
        until = time.monotonic() + 30
        while first[0] in (now := workers_of(served)) or len(now) < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert answered(f"{served.address}/healthz").text == "ok\n"
        if sys.platform == "linux":  # they have what their parent has loaded
            assert {Path(f"/proc/{pid}/cmdline").read_bytes() for pid in now} == {
                Path(f"/proc/{served.process.pid}/cmdline").read_bytes()
            }
        served.process.kill()
        while any(Path(f"/proc/{pid}").exists() for pid in now):
            assert time.monotonic() < until + 30
            time.sleep(0.05)


def test_nobody_waits_at_the_address_of_a_worker_that_does_not_serve_yet():
    worker, inner = new_worker(Settings())
    address = inner.getsockname()[:2]
    with inner:
        assert worker.address == "{}:{}".format(*address)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        inner.listen()  # as whoever serves does
        socket.create_connection(address).close()


def test_a_server_that_acknowledges_too_early_is_seen_to_lose(tmp_path):
    """The same trial on a store that says "saved" before it is: so it would see a loss where there is one."""
    (tmp_path / "sitecustomize.py").write_text(LOSING)
    url = f"sqlite:{tmp_path / 'tables.db'}"
    lost, _ = played(url, 2, 1.5, 3, PYTHONPATH=str(tmp_path))
    assert lost != []
