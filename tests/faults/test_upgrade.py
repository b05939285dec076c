"""An upgrade with live games: new servers start, old ones get SIGTERM one after another, and every table plays on."""

import asyncio
import random
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from cli.test_serve import answered, environment
from faults.test_kills import ENDLESS
from faults.test_workers import TRY_AGAIN, Player, going_on, several, verify_log
from server.live import new_table
from support.services import free_port, nats_running, postgres_running

ROOT = Path(__file__).parents[2]
CADDY = shutil.which("caddy") or ""
TABLES = 6


@contextmanager
def proxied(ports, folder):
    """The proxy of deploy/, before servers at these ports of this machine; its address."""
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    for number, port in enumerate(ports, 1):
        assert f"worker{number}:8063" in text
        text = text.replace(f"worker{number}:8063", f"127.0.0.1:{port}")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
    address = f"http://127.0.0.1:{free_port()}"
    words = [CADDY, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    told = environment(BOBING_PUBLIC_URL=address, HOME=str(folder), XDG_DATA_HOME="", XDG_CONFIG_HOME="")
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=told) as caddy:
        try:
            answered(f"{address}/healthz")
            yield address
        finally:
            caddy.kill()


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
    ports = [free_port() for _ in range(3)]
    with postgres_running() as store, nats_running() as bus, ExitStack() as stack:

        def start(port):
            words = ("--bus", bus.url, "--port", str(port), "--proxies", "127.0.0.1")
            return stack.enter_context(several(store.url(), 1, *words))

        old = [start(ports[0]), start(ports[1])]
        address = stack.enter_context(proxied(ports, tmp_path)) if proxy else None
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


@pytest.mark.skipif(not CADDY, reason="needs Caddy")
def test_behind_the_proxy_pages_open_while_the_database_is_down(tmp_path):
    """They say that nothing is saved, and go on when it is back."""
    ports = [free_port() for _ in range(3)]
    with postgres_running() as store, ExitStack() as stack:
        stack.enter_context(several(store.url(), 1, "--port", str(ports[0]), "--proxies", "127.0.0.1"))
        address = stack.enter_context(proxied(ports, tmp_path))
        code, _ = new_table(address, "a", "b", rules=ENDLESS)
        store.stop(signal.SIGQUIT)
        time.sleep(5)  # the proxy asks every two seconds who lives
        told = {path: httpx.get(f"{address}{path}", timeout=30) for path in ("/", "/livez", "/healthz", "/metrics")}
        assert {path: answer.status_code for path, answer in told.items()} == {
            "/": 200,
            "/livez": 200,
            "/healthz": 503,
            "/metrics": 404,
        }
        made = httpx.post(f"{address}/api/tables/{code}/join", json={"name": "c"}, timeout=30)
        assert (made.status_code >= 500, made.json()["code"].startswith("log/")) == (True, True), made.text
        store.start()
        assert httpx.get(f"{address}/healthz", timeout=30).text == "ok\n"
        assert httpx.get(f"{address}/api/tables/{code}", timeout=30).status_code == 200
