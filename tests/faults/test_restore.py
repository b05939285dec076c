"""R13: a backup taken while people play, brought back on another store, goes on at an entry that is named beforehand.

This is the restore drill of docs/cluster.md, on SQLite with `bobing db backup`, on PostgreSQL with pg_dump.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest

from cli.test_serve import environment
from faults.test_kills import ENDLESS, Client
from faults.test_workers import several, workers_of
from server.live import line, new_table
from support.services import postgres_running

TABLES, BEFORE, BEHIND = 4, 40, 20
"""How many acts are acknowledged before the backup begins, and after it ended."""


class Witness(Client):
    """A host who remembers how the table stood after each entry. last: the number of the last that was acknowledged."""

    def __init__(self, code, token, seed):
        super().__init__(code, token, seed)
        self.views, self.last = {}, 1

    def _hear(self, message):
        super()._hear(message)
        if "view" in message:
            self.views[message["n"]] = shown(message["view"])
        if message["t"] == "ack":
            self.last = max(self.last, message["n"])


def shown(view):
    return view.get("next"), view["table"], [(seat["name"], seat.get("held", {})) for seat in view["seats"]]


class Sqlite:
    """The default store. careless: the plain file is copied, as somebody in a hurry would."""

    def __init__(self, folder, *, careless=False):
        self.folder, self.careless = folder, careless
        self.url, self.restored = (f"sqlite:{folder / name}" for name in ("tables.db", "copy.db"))

    def back_up(self):
        if self.careless:
            shutil.copy(self.folder / "tables.db", self.folder / "copy.db")
        else:
            bobing("db", "backup", self.folder / "copy.db", "--db", self.folder / "tables.db")

    def restore(self):
        """The copy is a store as it is."""


class Database:
    """PostgreSQL, with what comes along with it."""

    def __init__(self, server):
        self.server, self.dump = server, server.folder / "tables.dump"
        self.url, self.restored = (server.url(), server.url().replace("/postgres", "/drill"))
        self.where = ("-h", "127.0.0.1", "-p", server.port, "-U", "bobing")

    def back_up(self):
        self.server.run("pg_dump", *self.where, "-Fc", "-f", self.dump, "postgres")

    def restore(self):
        self.server.run("createdb", *self.where, "drill")
        self.server.run("pg_restore", *self.where, "-d", "drill", self.dump)


@contextmanager
def stored(kind, folder):
    if kind == "postgres":
        with postgres_running() as server:
            yield Database(server)
    else:
        yield Sqlite(folder, careless=kind == "careless")


def bobing(*words):
    command = [sys.executable, "-m", "bobing", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, env=environment(), timeout=120).stdout


async def play(served, clients, store):
    """All play; a backup is taken in between; then everything is killed. What was acknowledged when it began."""
    acks, more = 0, asyncio.Event()

    def heard(acknowledged):
        nonlocal acks
        acks += acknowledged
        more.set()

    async def until(count):
        while acks < count:
            more.clear()
            await more.wait()

    playing = asyncio.gather(*(client.live(served.address, heard) for client in clients))
    await until(BEFORE)
    begun = {client.code: client.last for client in clients}
    await asyncio.to_thread(store.back_up)
    await until(acks + BEHIND)
    for process in (served.process.pid, *workers_of(served)):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    await playing
    return begun


async def goes_on(address, client, n):
    """The table stands as its host saw it after entry n, and the next throw is entry n + 1."""
    async with line(address, client.code, client.token) as host:
        assert host.n == n
        assert shown(host.view) == client.views[n]
        answer = await host.do("throw", seat=host.view["next"])
        assert (answer["t"], answer["n"]) == ("ack", n + 1)


def drill(kind, folder):
    """What was acknowledged when the backup began, and the entry at which each table of it stands; it goes on there."""
    with stored(kind, folder) as store:
        with several(store.url, 2) as served:
            made = [new_table(served.address, *"abc", rules=ENDLESS) for _ in range(TABLES)]
            clients = [Witness(*one, seed) for seed, one in enumerate(made)]
            begun = asyncio.run(asyncio.wait_for(play(served, clients, store), 120))
        store.restore()
        told = json.loads(bobing("db", "copy", store.restored, f"sqlite:{folder / 'verified.db'}", "--json"))
        heads = {client.code: told["heads"].get(client.code, {"n": 0})["n"] for client in clients}
        if kind != "careless":
            with several(store.restored, 1) as served:
                for client in clients:
                    asyncio.run(goes_on(served.address, client, heads[client.code]))
        return begun, heads, {client.code: client.last for client in clients}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_goes_on_at_an_entry_that_is_named(kind, tmp_path):
    begun, heads, last = drill(kind, tmp_path)
    assert all(begun[code] <= heads[code] <= last[code] for code in begun)
    assert heads != last, "nothing was played after the backup"


def test_a_file_that_is_copied_while_it_is_written_is_seen_to_lack_what_was_acknowledged(tmp_path):
    begun, heads, _ = drill("careless", tmp_path)
    assert any(heads[code] < begun[code] for code in begun)
