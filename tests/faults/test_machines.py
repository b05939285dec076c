"""R7 on machines of their own: network namespaces with an address, files and processes each, which have PostgreSQL and
NATS in common and nothing else. One is cut off, not ended: it goes on, and writes nothing any more; then it comes back.

Needs root, since it makes networks; all of them are gone afterwards.
"""

import asyncio
import json
import os
import random
import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from cli.test_serve import answered
from faults.test_kills import ENDLESS
from faults.test_workers import TRY_AGAIN, Player, going_on, several, verify_log
from server.live import new_table
from support.services import Nats, Postgres

IP = shutil.which("ip") or ""
NET, PORT, PEERS = "10.213.7", 8063, 9100
SERVICES = f"{NET}.2"
"""Where PostgreSQL and NATS are; devices are at .1, machines at .11 and so on."""
PATIENCE_S = 15
"""After which a device that hears nothing comes anew, as a page does that was not answered."""
SOON_S = 10
"""Until when a table goes on where the other end of a connection between machines has gone, on a busy machine too."""
TABLES, CUT_S = 12, 20

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(not IP or os.geteuid() != 0, reason="needs root, and ip, to make networks"),
]


def ip(*words):
    subprocess.run([IP, *map(str, words)], check=True, capture_output=True)


class Machine:
    """A network namespace at the bridge, with a folder of its own. served: the server there, while it runs."""

    def __init__(self, number, folder):
        self.name, self.address, self.cable = f"bobing{number}", f"{NET}.{10 + number}", f"bobing-v{number}"
        self.folder = folder / self.name
        self.folder.mkdir()

    @contextmanager
    def there(self):
        ip("netns", "add", self.name)
        try:
            ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
            ip("link", "set", self.cable, "master", "bobing-br", "up")
            self._ip("addr", "add", f"{self.address}/24", "dev", "eth0")
            for link in ("lo", "eth0"):
                self._ip("link", "set", link, "up")
            yield self
        finally:
            ip("netns", "del", self.name)

    @contextmanager
    def serving(self, store, bus):
        at = ("--host", self.address, "--port", PORT, "--peer", self.address, "--peer-port", PEERS, "--metrics")
        start = (IP, "netns", "exec", self.name)
        with several(store, 2, "--bus", bus, *at, start=start, cwd=self.folder, HOME=str(self.folder)) as served:
            yield served

    @property
    def page(self):
        return f"http://{self.address}:{PORT}"

    @contextmanager
    def cut_off(self, *, only_from_services):
        """Nothing comes through, and nobody hears of it."""
        if only_from_services:
            self._ip("route", "add", "blackhole", SERVICES)
        else:
            ip("link", "set", self.cable, "down")
        try:
            yield
        finally:
            if only_from_services:
                self._ip("route", "del", "blackhole", SERVICES)
            else:
                ip("link", "set", self.cable, "up")

    def figures(self):
        """The metrics of both workers."""
        told = [answered(f"http://{self.address}:{PEERS + n}/metrics").text for n in range(2)]
        return [dict(line.split() for line in one.splitlines() if not line.startswith("#")) for one in told]

    def _ip(self, *words):
        ip("-n", self.name, *words)


@contextmanager
def machines(number, folder):
    """Machines at one bridge, which this machine and its services are at as well."""
    ip("link", "add", "bobing-br", "type", "bridge")
    try:
        for own in (f"{NET}.1", SERVICES):
            ip("addr", "add", f"{own}/24", "dev", "bobing-br")
        ip("link", "set", "bobing-br", "up")
        with ExitStack() as stack:
            yield [stack.enter_context(Machine(n, folder).there()) for n in range(1, number + 1)]
    finally:
        ip("link", "del", "bobing-br")


class Device(Player):
    """A host whose page comes anew where it hears nothing. still: the longest time without a new acknowledgement."""

    patience = PATIENCE_S
    page, still, acked_at = "", 0.0, 0.0

    async def _answer(self, socket, message):
        if message["t"] == "refused" and not (self.waiting and message.get("cmd") == json.loads(self.waiting)["cmd"]):
            return  # of a copy, or of one that was given up
        before = len(self.acked)
        await super()._answer(socket, message)
        if len(self.acked) > before:
            now = time.monotonic()
            self.still, self.acked_at = max(self.still, now - self.acked_at), now

    def another(self, pages, rng):
        """Where it tries next, or is sent by a proxy: not where it was."""
        self.page = rng.choice([page for page in pages if page != self.page] or pages)
        return self.page


async def looked_at(client, page):
    async with httpx.AsyncClient() as browser:
        seen = await browser.get(f"{page}/api/tables/{client.code}", timeout=30)
    assert seen.status_code == httpx.codes.OK, seen.text


async def cut(all_of, clients, *, only_from_services):
    """Each machine is cut off in turn while all play: how long tables stood still, of devices that had come by another
    machine and of those that had come by this one.
    """
    over, rng, still = asyncio.Event(), random.Random(63), ([], [])
    pages = [machine.page for machine in all_of]
    for i, client in enumerate(clients):  # served there, wherever its device comes
        await looked_at(client, pages[i % len(pages)])
    playing = [asyncio.create_task(one.play(lambda one=one: one.another(pages, rng), over)) for one in clients]
    await going_on(clients)
    for machine in all_of:
        came = {client: client.page == machine.page for client in clients}
        for client in clients:
            client.still, client.acked_at = 0.0, time.monotonic()
        if not only_from_services:
            pages.remove(machine.page)  # a proxy notices that nobody is there
        with machine.cut_off(only_from_services=only_from_services):
            await asyncio.sleep(CUT_S / 2)
            for client in clients:  # somebody comes to it by another machine, which takes it over if it has to
                await looked_at(client, rng.choice([page for page in pages if page != machine.page]))
            await asyncio.sleep(CUT_S / 2)
        pages[:] = [one.page for one in all_of]
        await asyncio.sleep(5)
        await going_on(clients)
        assert all(client.went_on for client in clients), "every table goes on"
        for client, by_it in came.items():
            still[by_it].append(client.still)
    over.set()
    await asyncio.gather(*playing)
    return still


@pytest.mark.parametrize("only_from_services", [False, True], ids=["of everything", "of database and bus"])
def test_a_machine_that_is_cut_off_writes_nothing_and_comes_back(tmp_path, only_from_services):
    with machines(3, tmp_path) as all_of, ExitStack() as stack:
        store, bus = Postgres(SERVICES), Nats(SERVICES)
        stack.callback(store.remove)
        stack.callback(bus.stop)
        store.start()
        bus.start()
        for machine in all_of:
            stack.enter_context(machine.serving(store.url(), bus.url))
        made = [new_table(all_of[i % 3].page, *"abc", rules=ENDLESS) for i in range(TABLES)]
        clients = [Device(*one, seed) for seed, one in enumerate(made)]
        others, own = asyncio.run(cut(all_of, clients, only_from_services=only_from_services))
        lost = [sum(float(one["bobing_leases_lost_total"]) for one in machine.figures()) for machine in all_of]
        assert asyncio.run(verify_log(store.url(), clients)) == []
    acts = sum(len(client.acked) for client in clients)
    print(f"3 machines, each cut off for {CUT_S} s: {acts} acts acknowledged, none lost; leases lost {lost}")
    print(f"longest without an acknowledgement: {shown(others)} s by another machine, {shown(own)} s by this one")
    assert set().union(*(client.refused for client in clients)) <= TRY_AGAIN
    assert all(lost), "each machine found out that others had taken over"
    if not only_from_services:  # else devices hear that nothing is saved, until their machine is back
        assert max(others) <= SOON_S
        assert max(own) <= PATIENCE_S + SOON_S


def shown(seconds):
    return [round(one, 1) for one in sorted(seconds)]
