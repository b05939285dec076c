"""The proxy of deploy/ as people reach it: over TLS, before several servers, with the address that they scan."""

import asyncio
import signal
import ssl
import time
from contextlib import ExitStack

import httpx
import pytest
import zxingcpp
from PIL import Image

from faults.test_kills import ENDLESS
from faults.test_workers import several
from server.live import line, new_table
from support.proxy import CADDY, proxied, ready
from support.services import free_port, postgres_running

pytestmark = pytest.mark.skipif(not CADDY, reason="needs Caddy")
HERE = "127.0.0.2"
"""An address of this machine by which others might reach it, for all that the server knows: so it shows a QR."""
HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
"""What the signs of a QR in a terminal are, above and below."""


def scanned(said):
    """What a phone reads from the QR that a server printed, when it started, in white on black."""
    rows = [[HALVES[sign] for sign in line] for line in said.splitlines() if line.strip() and set(line) <= set(HALVES)]
    wide = max(map(len, rows))
    picture = Image.new("L", (wide, 2 * len(rows)), 255)
    for y, row in enumerate(rows):
        for x, half in enumerate(row):
            for below in (0, 1):
                picture.putpixel((x, 2 * y + below), half[below])
    scaled = picture.resize((picture.width * 8, picture.height * 8), Image.Resampling.NEAREST)
    return [found.text for found in zxingcpp.read_barcodes(scaled)]


async def play(address, tables):
    """Who opened the page at this address throws at each table; each throw is acknowledged."""
    for code, token in tables:
        async with line(address, code, token, origin=address) as host:
            assert (await host.do("begin"))["t"] == "ack"
            for _ in range(3):
                assert (await host.do("throw", seat=host.view["next"]))["t"] == "ack"


def test_people_reach_several_servers_over_tls_by_the_address_that_they_scan(tmp_path):
    """One of three that the proxy knows does not run; one of the others was not told what address people open."""
    ports, address = [free_port() for _ in range(3)], f"https://{HERE}:{free_port()}"
    store, more = f"sqlite:{tmp_path / 'tables.db'}", ("--proxies", "127.0.0.1", "--workers", "2")
    with ExitStack() as stack:
        plain = stack.enter_context(proxied(ports, tmp_path, address))
        told = stack.enter_context(several(store, 2, "--port", str(ports[0]), "--public-url", address, *more))
        stack.enter_context(several(store, 2, "--port", str(ports[2]), *more))
        ready(address)
        assert scanned("".join(told.said)) == [address]
        asked = httpx.get(f"{plain}/t/ABCDEFGH")
        assert (asked.status_code, asked.headers["location"]) == (308, f"{address}/t/ABCDEFGH")
        assert "<title>" in httpx.get(address).text
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(address, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        asyncio.run(play(address, [new_table(address, "a", "b", rules=ENDLESS) for _ in range(8)]))
        with httpx.Client() as phone:  # who guesses codes gains nothing by making up where the calls come from
            made_up = ({"x-forwarded-for": f"10.0.{n}.1"} for n in range(100))
            guesses = [phone.get(f"{address}/api/tables/ZZZZZZZZ", headers=more).status_code for more in made_up]
        assert set(guesses) == {404, 429}


def test_behind_the_proxy_pages_open_while_the_database_is_down(tmp_path):
    """They say that nothing is saved, and go on when it is back."""
    ports, address = [free_port() for _ in range(3)], f"https://localhost:{free_port()}"
    with postgres_running() as store, ExitStack() as stack:
        stack.enter_context(proxied(ports, tmp_path, address))
        stack.enter_context(several(store.url(), 1, "--port", str(ports[0]), "--proxies", "127.0.0.1"))
        ready(address)
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
