"""R10: what an older bobing stored is read as it was; a schema is the old or the new one wherever a process dies."""

import asyncio
import contextlib
import gzip
import secrets
import subprocess
import sys

import apsw
import psycopg
import pytest

import golden_logs as golden
from bobing.adapters import open_log
from bobing.adapters.postgres import schema as postgres_schema
from bobing.adapters.postgres.server import Link, connect
from bobing.adapters.sqlite import file as sqlite_file
from bobing.adapters.sqlite import schema as sqlite_schema
from bobing.server.host import room_of

DYING = """
import os, shutil, signal, sys
from pathlib import Path
import apsw
from bobing.adapters.sqlite import file, schema

folder, sabotage, real = Path(sys.argv[1]), len(sys.argv) > 2, schema.run
if sabotage:
    schema.run = lambda c, sql, *more: None if sql in ("BEGIN IMMEDIATE", "COMMIT") else real(c, sql, *more)
for i in range(1, 1_000):  # a process for each step; it dies when it comes to it
    path, steps = folder / f"{i}.db", iter(range(1, 10**6))
    shutil.copy(folder / "old.db", path)
    if os.fork() == 0:
        def dies(*_asked):
            if next(steps) == i:
                os.kill(os.getpid(), signal.SIGKILL)
            return True
        apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", dies))
        file.make_store(path)
        os._exit(0)
    if os.wait()[1] == 0:
        break
print(i)
"""
LATER = ("CREATE TABLE extra (a text)", "ALTER TABLE note ADD COLUMN extra text; DROP TABLE extra")
"""Migrations made up for PostgreSQL, which has had one so far."""


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.deep)])
def test_tables_that_were_stored_come_to_what_they_came_to(every):
    wrong, read = [], 0
    for i, (bodies, notes, told) in enumerate(golden.kept()):
        if i % every == 0:
            read += 1
            wrong += [] if golden.outcome(golden.read_back(bodies, notes)) == told else [i]
    assert wrong == []
    assert read > 1_000 // every


@pytest.fixture
def old(tmp_path):
    (tmp_path / "old.db").write_bytes(gzip.decompress(golden.STORE.read_bytes()))
    return tmp_path


def died(folder, *sabotage):
    """A file for each step of its migration at which a process died; the last came to the end."""
    words = [sys.executable, "-c", DYING, str(folder), *sabotage]
    last = int(subprocess.run(words, check=True, capture_output=True, text=True, timeout=300).stdout)
    return [folder / f"{i}.db" for i in range(1, last + 1)]


def state(path):
    """The version of a file and its tables, and all that is in its log."""
    connection = apsw.Connection(str(path))
    with contextlib.closing(connection):
        version = connection.pragma("user_version")
        tables = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").get
        return version, tables, connection.execute("SELECT * FROM act ORDER BY stream, n").get


def whole(folder, monkeypatch):
    """The states that an old file may be in: at each version, with nothing half done."""
    states = []
    for version in range(1, len(sqlite_schema.MIGRATIONS) + 1):
        path = folder / f"whole{version}.db"
        path.write_bytes((folder / "old.db").read_bytes())
        with monkeypatch.context() as patch:
            patch.setattr(sqlite_schema, "MIGRATIONS", sqlite_schema.MIGRATIONS[:version])
            sqlite_file.make_store(path).close()
        states.append(state(path))
    return states


def test_a_file_of_an_older_bobing_is_old_or_new_wherever_a_process_dies(old, monkeypatch):
    states = whole(old, monkeypatch)
    paths = died(old)
    found = [state(path) for path in paths]
    assert [one for one in found if one not in states] == []
    assert {version for version, _, _ in found} == set(range(1, len(states) + 1))
    assert len(paths) > 10

    async def reads(path):
        log = open_log(f"sqlite:{path}")  # whoever comes next brings it up to date
        told = [golden.outcome(await room_of(log, stream)) for stream, _ in await log.streams()]
        await log.close()
        return told

    tables = [told for _, _, told in golden.kept()][-3:]
    first = {version: path for (version, _, _), path in reversed([*zip(found, paths, strict=True)])}
    assert [asyncio.run(reads(path)) for path in first.values()] == [tables] * len(first)
    for path in paths:
        sqlite_file.make_store(path).close()
        assert state(path) == states[-1]


def test_a_migration_without_its_transaction_is_seen_between(old, monkeypatch):
    states = whole(old, monkeypatch)
    assert [one for one in map(state, died(old, "sabotage")) if one not in states] != []


@pytest.fixture
def dead(postgres, monkeypatch):
    """Databases whose process died at each of its questions while it made the tables; the last came to the end."""
    monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*postgres_schema.MIGRATIONS[:1], *LATER))
    real, urls, done = Link.execute, [], False
    while not done:
        urls.append(postgres.url(f"dead_{secrets.token_hex(6)}"))
        asked = iter(range(len(urls)))

        def dying(link, sql, bindings=(), asked=asked):
            if next(asked, None) is None:
                link._connection.pgconn.finish()  # to the server as if the process had died
                raise psycopg.OperationalError("dead")
            return real(link, sql, bindings)

        link = connect(urls[-1])
        with monkeypatch.context() as patch, contextlib.suppress(psycopg.OperationalError):
            patch.setattr(Link, "execute", dying)
            postgres_schema.migrate(link)
            done = True
        link.close()
    return urls


def shape(url):
    """The version of a database, what stands there of the tables `act` and `extra`, and the columns of `note`."""
    with psycopg.connect(url) as connection:
        here = "FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        tables = {name for (name,) in connection.execute(f"SELECT relname {here}")}
        columns = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('note') AND attnum > 0 ORDER BY attnum"
        version = connection.execute("SELECT version FROM bobing_schema").fetchone() if tables else (0,)
        return version, tables & {"act", "extra"}, [name for (name,) in connection.execute(columns)]


NOTE = ["stream", "key", "text"]
SHAPES = [
    ((0,), set(), []),
    ((1,), {"act"}, NOTE),
    ((2,), {"act", "extra"}, NOTE),
    ((3,), {"act"}, [*NOTE, "extra"]),
]


def test_a_database_is_old_or_new_wherever_a_process_dies(dead):
    shapes = [shape(url) for url in dead]
    assert [one for one in shapes if one not in SHAPES] == []
    assert [one for one in SHAPES if one not in shapes] == []
    for url in dead:
        asyncio.run(open_log(url).close())  # whoever comes next brings it up to date
    assert [shape(url) for url in dead] == SHAPES[-1:] * len(dead)


@pytest.fixture
def hasty(monkeypatch):
    """The protection taken away: each step stands as soon as it is made."""
    monkeypatch.setattr(Link, "transaction", lambda _link: contextlib.nullcontext())


def test_a_database_without_transactions_is_seen_between(hasty, dead):
    assert [one for one in map(shape, dead) if one not in SHAPES] != []
