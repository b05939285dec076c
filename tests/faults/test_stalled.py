"""R6: sockets that stop reading cost the table nothing: they are closed, memory stays bounded, others play on."""

import asyncio
import json
import time

import httpx

from attacks.raw import frame, resident, upgrade
from bobing.server.running import STALL_MS
from bobing.server.session import OUTBOX_BYTES
from server.live import line, new_table, serving

STALLED = 50
ACTS = 450


def test_sockets_that_stop_reading_are_let_go():
    assert STALL_MS <= 30_000
    assert OUTBOX_BYTES * STALLED <= 64 * 2**20
    with serving(messages_per_minute=1_000_000, send_buffer=16_384, metrics=True) as base:
        code, token = new_table(base, "a", "b", settings={"dice": "real", "confirm": "none"})
        with httpx.Client(base_url=base, trust_env=False, verify=False) as client:
            keys = [
                client.post(f"/api/tables/{code}/join", json={"watch": True}).json()["token"]
                for _ in range(STALLED + 10)
            ]
        deaf = []
        for key in keys[:STALLED]:
            connection, _ = upgrade(base)
            connection.setsockopt(1, 8, 4096)  # SO_RCVBUF
            connection.sendall(frame(json.dumps({"t": "hello", "code": code, "token": key}).encode()))
            deaf.append(connection)

        async def others(key, over):
            async with line(base, code, key) as one:
                while not over.is_set():
                    await one.get("news")

        async def scenario():
            over, worst = asyncio.Event(), 0
            async with line(base, code, token) as host, asyncio.TaskGroup() as group:
                for key in keys[STALLED:]:
                    group.create_task(others(key, over))
                await host.do("begin")
                while sum(connected(host)) < 1:
                    await host.get()
                before = resident()
                for _ in range(ACTS):
                    assert (await host.do("do", act={"seat": 0, "cocked": True}))["t"] == "ack"
                    worst = max(worst, resident() - before)
                over.set()
                assert (await host.do("do", act={"seat": 0, "cocked": True}))["t"] == "ack"
            return worst

        def connected(host):
            return [host.view.get("phase") == "play"]

        worst = asyncio.run(scenario())
        until = time.monotonic() + 120
        with httpx.Client(base_url=base, trust_env=False, verify=False) as client:
            while "bobing_connections 0\n" not in (told := client.get("/metrics").text):
                assert time.monotonic() < until, told
                time.sleep(0.2)
        assert f"bobing_slow_total {STALLED}" in told
        print(f"{STALLED} stalled sockets: {worst / 2**20:.1f} MiB more in use at most")
        assert worst < 64 * 2**20
        for connection in deaf:
            connection.close()
