"""How many throws a second workers take, on SQLite and on PostgreSQL, and what tables cost that are there and play.

Method: the server is `bobing serve` with its workers, its store is filled before. Tables of four in play with one
device each throw as soon as their last throw was acknowledged, all from one client process on the same machine, for a
few seconds. Processor time is that of all processes of the server and of PostgreSQL, as the scheduler counts it: a
second divided by it is what a process does that has a processor to itself. The ratio is to one process on SQLite.
`synced` is how many times a second a file on this disk can be synced, one after the other.

Tables (`--tables`: these alone): 10 to 1,000, with `--many` 10,000, in play and connected to one process on SQLite: its
memory, its processor time at rest, while each device says every 20 s that it is there, as a page does, and for each
throw while they play in turn, 16 at a time.
"""

import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
from room import RULES, Wire, cpu_us, free_port, resident_kb, told, wait_for

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from bobing.adapters import open_log  # noqa: E402
from bobing.adapters.system import SystemClock, SystemDice  # noqa: E402
from bobing.core.canonical import canonical_json  # noqa: E402
from bobing.ports import Grant, NewEntry  # noqa: E402
from bobing.server.host import Host  # noqa: E402
from bobing.server.metrics import Metrics  # noqa: E402
from bobing.server.opening import opening  # noqa: E402
from bobing.wire import messages as wire  # noqa: E402
from support.services import Nats, Postgres  # noqa: E402 - the servers of the tests

PLAYING, SECONDS, SEATS = 32, 6, 4
THROWS, AT_ONCE, REST_S, PING_S = 400, 16, 20, 20
LIMITS = ("--messages-per-minute", "1000000", "--tables-per-hour", "1000000", "--here")


async def fill(url, count):
    """Tables that have begun, put into the store: their codes and the tokens of their hosts."""
    host = Host(log := open_log(url), SystemDice(), SystemClock(), Metrics())
    opened = opening(wire.RulesChoice(**RULES), wire.Settings(), SEATS)
    bodies = [canonical_json(body) for body in (opened, {"t": "begin", "start": 0})]

    async def one():
        code = await host.free_code()
        await log.append(code, 0, [NewEntry(f"host.open{i}", 0, "host", body) for i, body in enumerate(bodies)])
        return code, await host.issue(Grant(code, "host", None, 0))

    made = []
    for first in range(0, count, 500):
        made += await asyncio.gather(*(one() for _ in range(first, min(count, first + 500))))
    await log.close()
    return made


def family(pid):
    """A process and all that descend from it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [pid, *(one for child in children for one in family(int(child)))]


@contextmanager
def served(url, workers, *more):
    port = free_port()
    words = [sys.executable, "-m", "bobing", "serve", "--db", url, "--workers", workers, "--port", port, *LIMITS, *more]
    with subprocess.Popen([*map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port, process)
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=60)
            time.sleep(2 * workers)  # until all of them take part
            yield process.pid, port
        finally:
            process.terminate()
            process.wait()


class Device:
    """The device of a table's host. It answers what keeps a connection open, and says now and then that it is there."""

    async def open(self, port, key):
        self.wire, self.count, self.said = await Wire().open(port), 0, asyncio.Queue()
        self.wire.put(json.dumps({"t": "hello", "code": key[0], "token": key[1]}).encode())
        await told(self.wire, b"welcome")
        self.tasks = [asyncio.create_task(work) for work in (self._listen(), self._stay())]
        return self

    async def _listen(self):
        try:
            while True:
                message = await self.wire.get()
                if message.startswith((b'{"t":"ack"', b'{"t":"refused"')):
                    self.said.put_nowait(message)
        except (asyncio.IncompleteReadError, OSError):
            self.said.put_nowait(b"the connection was closed")

    async def _stay(self):
        while True:
            await asyncio.sleep(PING_S)
            self.wire.put(b'{"t":"ping"}')

    async def throw(self):
        """One throw; seconds until it was acknowledged."""
        cmd, begun = f"throw-of-the-host-{self.count:08d}", time.perf_counter()
        self.wire.put(json.dumps({"t": "throw", "cmd": cmd, "at": 10**6, "seat": self.count % SEATS}).encode())
        said = await self.said.get()
        assert said.startswith(b'{"t":"ack"'), said
        self.count += 1
        return time.perf_counter() - begun


async def rush(port, keys):
    """Throws a second, and how long they took."""
    devices = [await Device().open(port, key) for key in keys]
    for device in devices:
        await device.throw()
    times, begun = [], time.perf_counter()

    async def play(device):
        while time.perf_counter() < begun + SECONDS:
            times.append(await device.throw())

    await asyncio.gather(*map(play, devices))
    return len(times) / (time.perf_counter() - begun), sorted(times)


def measured(url, workers, store_pid=None, *more):
    """Throws a second; µs of the workers and of the store for each; ms of half and of 99 % of them."""
    keys = asyncio.run(fill(url, PLAYING))
    with served(url, workers, *more) as (pid, port):
        stores = family(store_pid) if store_pid else []
        before = {one: cpu_us(one) for one in family(pid)}
        stored = sum(map(cpu_us, stores))
        rate, times = asyncio.run(rush(port, keys))
        used = [cpu_us(one) - begun for one, begun in before.items()]
        stored = sum(cpu_us(one) for one in family(store_pid)) - stored if store_pid else 0
    throws = len(times)
    return rate, sum(used) / throws, stored / throws, times[throws // 2] * 1e3, times[throws * 99 // 100] * 1e3


def synced(folder):
    """Commits a second that a file takes, one after the other."""
    with Path(folder, "synced").open("wb") as file:
        begun, count = time.perf_counter(), 0
        while time.perf_counter() < begun + 1:
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())
            count += 1
    return count


async def throws_in_turn(pid, port, keys):
    """kB of memory for each table, ms of processor time a second at rest, µs for each throw."""
    before = resident_kb(pid)
    devices = [await Device().open(port, key) for key in keys]
    memory = (resident_kb(pid) - before) / len(keys)
    await asyncio.sleep(1)
    begun = cpu_us(pid)
    await asyncio.sleep(REST_S)
    rest, begun = (cpu_us(pid) - begun) / 1000 / REST_S, cpu_us(pid)
    at_once = min(AT_ONCE, len(devices))

    async def play(own):
        for turn in range(THROWS // at_once):
            await own[turn % len(own)].throw()

    await asyncio.gather(*(play(devices[first::at_once]) for first in range(at_once)))
    return memory, rest, (cpu_us(pid) - begun) / THROWS


def workers(folder):
    rows, postgres, nats = {}, Postgres(), Nats()
    try:
        postgres.start()
        nats.start()
        for count in (1, 2, 4):
            rows["SQLite", count] = measured(f"sqlite:{folder}/workers{count}.db", count)
            url = postgres.url(f"workers{count}")
            rows["PostgreSQL", count] = measured(url, count, postgres.process.pid, "--bus", nats.url)
    finally:
        nats.stop()
        postgres.remove()
    unit = rows["SQLite", 1][1]
    for (store, count), (rate, used, stored, half, most) in rows.items():
        said = f"{store:11}{count} workers {rate:6.0f} throws/s, each {used:5.0f} µs there, {stored:4.0f} in the store"
        print(f"{said}   50 % {half:5.0f} ms   99 % {most:5.0f} ms   ratio {(used + stored) / unit:.2f}")


def tables(folder, counts):
    for count in counts:
        url = f"sqlite:{folder}/tables{count}.db"
        keys = asyncio.run(fill(url, count))
        with served(url, 1) as (pid, port):
            memory, rest, throw = asyncio.run(throws_in_turn(pid, port, keys))
        print(f"{count:6} tables   {memory:6.1f} kB each   {rest:6.1f} ms/s at rest   {throw:6.0f} µs a throw")


def main():
    counts = (10, 100, 1_000, 10_000) if "--many" in sys.argv[1:] else (10, 100, 1_000)
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
        syncs = statistics.median(synced(folder) for _ in range(3))
        print(f"synced     {syncs:6.0f} commits a second, one after the other")
        if "--tables" not in sys.argv[1:]:
            workers(folder)
        tables(folder, counts)
    print(f"machine    Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
