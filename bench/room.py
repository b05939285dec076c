"""What a throw costs the server of a room of ten sockets, as a multiple of the least it can cost: a C loop over epoll.

Method: each server is a process of its own; ten sockets on the loopback, one sends a message, all ten get the answer,
then the next. The figure is the processor time of the server process for each throw (user and system, as the scheduler
counts it); servers take turns, five rounds of 200 throws after 30 to warm up, as long as a game is; the median. All but
bobing send as many bytes as bobing's news of a throw has. Where there are two processors the server has one and the
clients the other: on one and the same, clients are woken once for ten messages and not ten times, as they are over a
network, and the floor is a third of itself. `bare` is bobing's uvicorn, connections and outboxes with
nothing to decide; `whole` is a table in play: message read, provable dice drawn, act checked and carried out, stored
(durably in SQLite with FULL, or in memory), told in three languages. Peers that are not installed are named. Aims: bare
at most 4.5, whole and durable at most 8.

Twenty tables at once: the same for each throw where twenty rooms of ten play, each as fast as it is answered; the floor
serves twenty rooms too. What waits for the log meanwhile is stored with one commit.

Idle: resident memory of the whole server for each of 500 connections at a table. Aim: at most 32 kB.
"""

import asyncio
import json
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx

FOLDER = Path(__file__).parent / "_room"
SOCKETS, WARM, THROWS, ROUNDS = 10, 30, 200, 5
TABLES, THROWS_EACH = 20, 40
IDLE = 500
BARE_AIM, WHOLE_AIM, IDLE_AIM_KB = 4.5, 8, 32
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
RULES = {"sheet": "minnan", "house": {"cakes": {"yixiu": 100_000}}}
ASKING = b"x" * 120


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@contextmanager
def server(*words, apart=False):
    """A server on a free port, until the end. apart: on a processor of its own, where there are two."""
    port, processors = free_port(), sorted(os.sched_getaffinity(0))
    with subprocess.Popen([str(port) if word == "PORT" else str(word) for word in words]) as process:
        try:
            if apart and len(processors) > 1:
                os.sched_setaffinity(process.pid, processors[-1:])
                os.sched_setaffinity(0, processors[:-1])
            wait_for(port, process)
            yield process.pid, port
        finally:
            process.kill()
            os.sched_setaffinity(0, processors)


def wait_for(port, process):
    """Until it listens; found in the table of the system, for a connection of ours would end the floor."""
    wanted = f"0100007F:{port:04X} 00000000:0000 0A"
    while wanted not in Path("/proc/net/tcp").read_text("ascii"):
        assert process.poll() is None, "the server ended by itself"
        time.sleep(0.02)


def cpu_us(pid):
    """Processor time of all threads of a process, in µs."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1000


def resident_kb(pid):
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


class Wire:
    """One raw WebSocket of a client."""

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.writer.write(f"{head}Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        answer = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer, answer
        return self

    def put(self, payload):
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
        self.writer.write(b"\x81" + size + bytes(4) + payload)

    async def get(self):
        while True:
            head = await self.reader.readexactly(2)
            size = head[1]
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await self.reader.readexactly(8), "big")
            payload = await self.reader.readexactly(size)
            if head[0] == 0x81:
                return payload
            if head[0] == 0x89:  # a ping: without its pong the server lets go after 40 seconds
                self.writer.write(bytes([0x8A, 0x80 | len(payload)]) + bytes(4) + payload)


async def bare(pid, port):
    """µs of a throw in a room that only sends on."""
    wires = [await Wire().open(port) for _ in range(SOCKETS)]
    begun = 0.0
    for n in range(WARM + THROWS):
        if n == WARM:
            begun = cpu_us(pid)
        wires[0].put(ASKING)
        for wire in wires:
            await wire.get()
    return (cpu_us(pid) - begun) / THROWS


async def rooms(pid, port):
    """µs of a throw where twenty rooms only send on."""
    opened = [[await Wire().open(port) for _ in range(SOCKETS)] for _ in range(TABLES)]

    async def play(wires):
        for _ in range(THROWS_EACH):
            wires[0].put(ASKING)
            for wire in wires:
                await wire.get()

    return await each(pid, map(play, opened))


async def each(pid, games):
    begun = cpu_us(pid)
    await asyncio.gather(*games)
    return (cpu_us(pid) - begun) / TABLES / THROWS_EACH


async def told(wire, kind):
    while True:
        payload = await wire.get()
        if payload.startswith(b'{"t":"%s"' % kind):
            return payload


class Table:
    """A table of a whole server and its ten sockets, the first of them the host's."""

    async def open(self, port, sockets=SOCKETS):
        base = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=base, trust_env=False) as client:
            made = (await client.post("/api/tables", json={"rules": RULES, "players": ["a", "b", "c", "d"]})).json()
            self.code, keys = made["code"], [made["token"]]
            for _ in range(sockets - 1):
                joined = await client.post(f"/api/tables/{self.code}/join", json={"watch": True})
                keys.append(joined.json()["token"])
        self.wires = [await Wire().open(port) for _ in keys]
        for wire, key in zip(self.wires, keys, strict=True):
            wire.put(json.dumps({"t": "hello", "code": self.code, "token": key}).encode())
            await told(wire, b"welcome")
        self.count, self.seat, self.sizes = 0, 0, []
        self.wires[0].put(json.dumps({"t": "begin", "cmd": "the-begin-of-the-game", "at": 1}).encode())
        await told(self.wires[0], b"ack")
        return self

    async def throw(self):
        """One throw, until all ten sockets have it and the host is acknowledged."""
        self.count += 1
        cmd = f"throw-of-the-host-{self.count:08d}"
        self.wires[0].put(json.dumps({"t": "throw", "cmd": cmd, "at": 10**6, "seat": self.seat}).encode())
        news = await told(self.wires[0], b"news")
        while b'"line":' not in news:
            news = await told(self.wires[0], b"news")
        self.seen = time.perf_counter()
        self.sizes.append(len(news))
        self.seat = json.loads(news)["view"]["next"]
        for wire in self.wires[1:]:
            while b'"line":' not in await told(wire, b"news"):
                pass
        await told(self.wires[0], b"ack")


async def whole(pid, port):
    """µs of a throw at a table, and the bytes of its news."""
    table = await Table().open(port)
    begun = 0.0
    for n in range(WARM + THROWS):
        if n == WARM:
            begun = cpu_us(pid)
        await table.throw()
    return (cpu_us(pid) - begun) / THROWS, statistics.median(table.sizes)


async def tables(pid, port):
    """µs of a throw where twenty tables play."""
    opened = [await Table().open(port) for _ in range(TABLES)]

    async def play(table, throws=THROWS_EACH):
        for _ in range(throws):
            await table.throw()

    await asyncio.gather(*(play(table, 5) for table in opened))
    return await each(pid, map(play, opened))


async def idle(pid, port):
    """kB of memory for each connection that says nothing."""
    table = await Table().open(port)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        keys = [(await client.post(f"/api/tables/{table.code}/join", json={"watch": True})).json() for _ in range(IDLE)]
    before, wires = resident_kb(pid), []
    for key in keys:
        wires.append(await Wire().open(port))
        wires[-1].put(json.dumps({"t": "hello", "code": table.code, "token": key["token"]}).encode())
        await told(wires[-1], b"welcome")
    await asyncio.sleep(1)
    after = resident_kb(pid)
    for wire in wires:
        wire.writer.close()
    return (after - before) / len(keys)


def main():
    python, servers = sys.executable, FOLDER / "servers.py"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("there is no C compiler here: the floor, and with it every ratio, cannot be measured")
        return 1
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
        floor = Path(folder, "floor")
        subprocess.run([compiler, "-O2", "-o", floor, FOLDER / "floor.c"], check=True)
        rounds, size = {}, 0
        for i in range(ROUNDS):
            kinds = {"whole, durable": f"sqlite:{folder}/tables{i}.db", "whole, in memory": "memory://"}
            for name, url in kinds.items():
                with server(python, servers, "whole", "PORT", url, apart=True) as (pid, port):
                    figure, size = asyncio.run(whole(pid, port))
                    rounds.setdefault(name, []).append(figure)
            with server(floor, "PORT", int(size), SOCKETS, apart=True) as (pid, port):
                rounds.setdefault("floor in C", []).append(asyncio.run(bare(pid, port)))
            with server(python, servers, "whole", "PORT", f"sqlite:{folder}/many{i}.db", apart=True) as (pid, port):
                rounds.setdefault("20 tables, durable", []).append(asyncio.run(tables(pid, port)))
            with server(floor, "PORT", int(size), SOCKETS, apart=True) as (pid, port):
                rounds.setdefault("20 rooms in C", []).append(asyncio.run(rooms(pid, port)))
            for kind in ("starlette", "picows", "aiohttp", "websockets"):
                if find_spec(kind) is None:
                    print(f"{kind} is not installed")
                    continue
                name = "bare" if kind == "starlette" else kind
                with server(python, servers, kind, "PORT", int(size), apart=True) as (pid, port):
                    rounds.setdefault(name, []).append(asyncio.run(bare(pid, port)))
        with server(python, servers, "whole", "PORT", f"sqlite:{folder}/idle.db") as (pid, port):
            memory = asyncio.run(idle(pid, port))
    return report({name: statistics.median(figures) for name, figures in rounds.items()}, size, memory)


def report(medians, size, memory):
    alone, failed = medians["floor in C"], False
    aims = {"bare": BARE_AIM, "whole, durable": WHOLE_AIM}
    for name, figure in sorted(medians.items(), key=lambda one: one[1]):
        unit = medians["20 rooms in C"] if name.startswith("20") else alone
        aim = aims.get(name)
        failed = failed or bool(aim and figure / unit > aim)
        said = f"     (aim: at most {aim})" if aim else ""
        print(f"{name:20}{figure:8.1f} µs a throw {figure / unit:7.2f} x floor{said}")
    print(f"{'idle connection':20}{memory:8.1f} kB     (aim: at most {IDLE_AIM_KB})")
    print(f"{'machine':20}Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}; news of {size:.0f} bytes to {SOCKETS} sockets")
    return int(failed or memory > IDLE_AIM_KB)


if __name__ == "__main__":
    sys.exit(main())
