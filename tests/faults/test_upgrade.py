"""An upgrade with live games: new servers start, old ones get SIGTERM one after another, and every table plays on.

Without a proxy, and behind the one of deploy/, over TLS.
"""

import asyncio
import random
from contextlib import ExitStack

import pytest

from faults.test_kills import ENDLESS
from faults.test_workers import TRY_AGAIN, Player, going_on, several, verify_log
from server.live import new_table
from support.proxy import CADDY, proxied, ready
from support.services import free_port, nats_running, postgres_running

TABLES = 6


async def upgraded(old, news, clients, address):
    """All old servers end, each after a new one has come, while people play; without `address` at any that runs."""
    over, rng, running = asyncio.Event(), random.Random(63), list(old)
    where = (lambda: address) if address else (lambda: rng.choice(running).address)
    playing = [asyncio.create_task(client.play(where, over)) for client in clients]
    for one, new in zip(old, news, strict=True):
        await going_on(clients)
        running.append(await asyncio.to_thread(new))
        running.remove(one)
        assert await asyncio.to_thread(one.end) == 0
    await going_on(clients)
    over.set()
    await asyncio.gather(*playing)


@pytest.mark.parametrize(
    "proxy", [False, pytest.param(True, marks=pytest.mark.skipif(not CADDY, reason="needs Caddy"))]
)
def test_an_upgrade_with_live_games_loses_nothing(tmp_path, proxy):
    ports, address = [free_port() for _ in range(3)], f"https://localhost:{free_port()}" if proxy else None
    with postgres_running() as store, nats_running() as bus, ExitStack() as stack:

        def start(port):
            words = ("--bus", bus.url, "--port", port, "--proxies", "127.0.0.1")
            return stack.enter_context(several(store.url(), 1, *words))

        if address:
            stack.enter_context(proxied(ports, tmp_path, address))
        old = [start(ports[0]), start(ports[1])]
        if address:
            ready(address)
        made = [new_table(address or old[i % 2].address, *"abc", rules=ENDLESS) for i in range(TABLES)]
        clients = [Player(*one, seed) for seed, one in enumerate(made)]
        news = [lambda: start(ports[2]), lambda: start(ports[0])]  # the first old one has ended by then
        asyncio.run(upgraded(old, news, clients, address))
        assert asyncio.run(verify_log(store.url(), clients)) == []
    waits = sorted(wait for client in clients for wait in client.waits)
    acts = sum(len(client.acked) for client in clients)
    print(f"{acts} acts, none lost; {len(waits)} times a device waited for another server, {waits[-1]:.1f} s at most")
    assert set().union(*(client.refused for client in clients)) <= TRY_AGAIN
    assert all(client.went_on for client in clients)
    assert all(client.waits for client in clients), "every device lost its server"
