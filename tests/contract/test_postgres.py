"""What the log in PostgreSQL promises beside the contract of every log."""

import asyncio
import signal
import threading
import time
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from bobing.adapters import open_log
from bobing.adapters.moving import copy
from bobing.adapters.postgres import PostgresLog, schema, statements, writer
from bobing.adapters.postgres.server import connect, shown, verify_reached
from bobing.ports import LogError, LostLease, LostRace, NewEntry, NotSaved, RepeatedCommand, Worker
from support.services import postgres_running, until

ONE, TWO = Worker("one", "", ""), Worker("two", "", "")


def new(cmd, body=b"{}"):
    return NewEntry(cmd, 1, "seat/0", body)


def run(test):
    return asyncio.run(asyncio.wait_for(test(), 300))


@asynccontextmanager
async def opened(url):
    log = PostgresLog(url)
    try:
        yield log
    finally:
        await log.close()


def refused_code(call):
    with pytest.raises(LogError) as refused:
        call()
    return refused.value.code


async def fill(url):
    async with opened(url) as log:
        await log.append("A", 0, [new("a"), new("b"), new("c")])
        await log.claim("A", Worker("w", "", ""), 1)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE act SET body = body WHERE stream = 'A'",
        "DELETE FROM act WHERE stream = 'A' AND n = 3",
        "TRUNCATE act",
        "INSERT INTO act VALUES ('A', 5, 'new', 0, '', '', decode(repeat('00', 32), 'hex'))",
        "INSERT INTO act VALUES ('A', 4, 'b', 0, '', '', decode(repeat('00', 32), 'hex'))",
        "INSERT INTO act VALUES ('A', 4, 'new', 0, '', '', decode(repeat('00', 31), 'hex'))",
        "INSERT INTO act VALUES ('B', 0, 'new', 0, '', '', decode(repeat('00', 32), 'hex'))",
        (
            "INSERT INTO act VALUES ('A', 3, 'x', 0, '', '', decode(repeat('00', 32), 'hex')) "
            "ON CONFLICT (stream, n) DO UPDATE SET at = 7"
        ),
        "UPDATE lease SET epoch = epoch",
        "UPDATE lease SET epoch = 0, worker = 'thief'",
        "DELETE FROM lease",
    ],
)
def test_the_database_itself_keeps_the_log(postgres_url, statement):
    run(lambda: fill(postgres_url))
    with psycopg.connect(postgres_url, autocommit=True) as other, pytest.raises(psycopg.IntegrityError):
        other.execute(statement.encode())


def test_an_entry_in_line_is_taken_by_the_database(postgres_url):
    """The counterpart of the refusals above: they are not refused for a mistake in the statement."""
    run(lambda: fill(postgres_url))
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("INSERT INTO act VALUES ('A', 4, 'new', 0, '', '', decode(repeat('00', 32), 'hex'))")
        other.execute("UPDATE lease SET epoch = epoch + 1")


def test_every_commit_waits_for_the_disk_whatever_the_user_is_set_to(postgres_url):
    for given, used in [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply", "remote_apply")]:
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute(f"ALTER ROLE bobing SET synchronous_commit = {given}".encode())
            try:
                link = connect(postgres_url)
                assert shown(link, "synchronous_commit") == used
                link.close()
            finally:
                other.execute("ALTER ROLE bobing RESET synchronous_commit")


def test_a_server_that_may_forget_is_refused():
    with postgres_running() as server:
        with psycopg.connect(server.url(), autocommit=True) as other:
            other.execute("ALTER SYSTEM SET fsync = off")
            other.execute("SELECT pg_reload_conf()")
            off = "SELECT setting = 'off' FROM pg_settings WHERE name = 'fsync'"
            until(lambda: other.execute(off).fetchone() == (True,), server.process, "PostgreSQL without fsync")
        assert refused_code(lambda: open_log(server.url())) == "log/unsafe"


def test_a_database_that_is_not_there_is_refused_without_its_password():
    with pytest.raises(LogError) as refused:
        open_log("postgresql://bobing:Canary@127.0.0.1:1/none?connect_timeout=2")
    assert refused.value.code == "log/database_away"
    assert "Canary" not in str(refused.value)


@pytest.mark.parametrize("used_by", ["log", "doctor", "copy"])
def test_it_is_told_what_is_wrong_and_what_to_do(postgres, tmp_path, used_by):
    at = f"127.0.0.1:{postgres.port}"
    with psycopg.connect(postgres.url(), autocommit=True) as owner:
        if owner.execute("SELECT 1 FROM pg_roles WHERE rolname = 'reader'").fetchone() is None:
            owner.execute("CREATE ROLE reader LOGIN; CREATE SCHEMA own; CREATE SCHEMA empty")
            asyncio.run(PostgresLog(postgres.url("own")).close())
            owner.execute("GRANT USAGE ON SCHEMA own, empty TO reader")
            owner.execute("GRANT SELECT ON ALL TABLES IN SCHEMA own TO reader")
    use = {
        "log": open_log,
        "doctor": verify_reached,
        "copy": lambda url: copy(url, f"sqlite:{tmp_path / 'copy.db'}"),
    }[used_by]
    empty = ("log/no_file", "holds no log") if used_by == "copy" else ("log/database_refuses", "may not write")
    for url, code, words in [
        (f"postgresql://bobing@{at}/Canary", "log/database_refuses", "createdb"),
        (f"postgresql://Canary@{at}/postgres", "log/database_refuses", "createuser"),
        ("postgresql://bobing@127.0.0.1:1/Canary", "log/database_away", "whether it runs"),
        (f"postgresql://bobing:p@Canary.invalid/w#rd@{at}/x", "log/", "%40"),
        ("postgresql://bobing@[Canary/x", "log/bad_url", "URL"),
        (f"postgresql://reader@{at}/postgres?options=-csearch_path%3Down", "log/database_refuses", "may not write"),
        (f"postgresql://reader@{at}/postgres?options=-csearch_path%3Dempty", *empty),
    ]:
        with pytest.raises(LogError) as refused:
            use(url)
        told = str(refused.value)
        assert refused.value.code.startswith(code), (url, told)
        assert words in told
        assert "Canary" not in told


def test_a_machine_that_is_gone_is_noticed_by_the_server(postgres_url):
    link = connect(postgres_url)
    assert [shown(link, f"tcp_keepalives_{name}") for name in ("idle", "interval", "count")] == ["5", "2", "3"]
    assert shown(link, "tcp_user_timeout") == "5000"
    link.close()


def test_a_process_that_stands_still_while_it_writes_holds_nobody_up_and_writes_nothing(postgres_url):
    """Its tables are taken over as soon as the server takes back what it has locked."""
    one_hangs, goes_on = threading.Event(), threading.Event()

    def hanging(link):
        entries = append(link)
        one_hangs.set()
        goes_on.wait(60)
        return entries

    async def test():
        nonlocal append
        async with opened(postgres_url) as one, opened(postgres_url) as two:
            lease = (await one.claim("A", ONE, 1)).lease  # it never says that it lives
            append = statements.Append("A", 0, (new("a"),), {}, (), None, lease)
            writing = asyncio.create_task(one._writer.do(hanging))
            await asyncio.to_thread(one_hangs.wait)
            asked = time.monotonic()
            assert (await two.claim("A", TWO, 1)).worker == ONE
            assert time.monotonic() < asked + 1.5, "it was waited for"
            while (taken := await two.claim("A", TWO, 1)).worker != TWO:
                pass
            await two.append("A", 0, [new("b")], lease=taken.lease)
            goes_on.set()
            with pytest.raises(NotSaved):
                await writing
            with pytest.raises(LostLease):
                await one.append("A", 1, [new("a")], lease=lease)
            assert [entry.cmd for entry in await one.read("A")] == ["b"]

    append: Any = None
    run(test)


def test_the_tables_of_another_program_are_left_alone(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("CREATE TABLE act (mine text)")
        assert refused_code(lambda: open_log(postgres_url)) == "log/not_a_log"
        assert other.execute("SELECT to_regclass('bobing_schema') IS NULL").fetchone() == (True,)


def test_a_migration_that_fails_leaves_the_version_before(postgres_url, monkeypatch):
    run(lambda: fill(postgres_url))
    before = schema.MIGRATIONS
    good = "CREATE TABLE extra (a text); ALTER TABLE note ADD COLUMN b text"
    monkeypatch.setattr(schema, "MIGRATIONS", (*before, f"{good}; CREATE TABLE extra (a text)"))
    assert refused_code(lambda: open_log(postgres_url)) == "log/database_refuses"
    with psycopg.connect(postgres_url) as other:
        assert other.execute("SELECT version, to_regclass('extra') IS NULL FROM bobing_schema").fetchone() == (1, True)
    monkeypatch.setattr(schema, "MIGRATIONS", (*before, good))
    asyncio.run(open_log(postgres_url).close())
    monkeypatch.setattr(schema, "MIGRATIONS", before)
    assert refused_code(lambda: open_log(postgres_url)) == "log/newer_schema"


def test_all_that_wait_share_one_commit(postgres_url):
    async def test():
        async with opened(postgres_url) as log:
            held = asyncio.create_task(log._writer.do(lambda link: link.execute("SELECT pg_sleep(0.2)") and None))
            await asyncio.sleep(0.05)
            before = transactions(postgres_url)
            await asyncio.gather(held, *(log.append(f"S{i}", 0, [new("a")]) for i in range(100)))
            assert len(await log.streams()) == 100
            assert transactions(postgres_url) - before <= 3  # what held it, all the rest, and this question

    run(test)


def transactions(url):
    """The number that the next transaction which writes has."""
    with psycopg.connect(url) as other:
        return other.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").fetchall()[0][0]


def test_one_bad_request_does_not_spoil_the_others(postgres_url):
    async def test():
        async with opened(postgres_url) as log:
            await log.append("A", 0, [new("a")])
            answers = await asyncio.gather(
                log.append("A", 1, [new("b")]),
                log.append("\ud800", 0, [new("a")]),
                log.append("B", 0, [new("a"), NewEntry("b", 2**70, "", b"")]),
                log.append("nul\0", 0, [new("a")]),
                log.append("A", 9, [new("c")]),
                log.append("A", 2, [new("c")]),
                return_exceptions=True,
            )
            kinds = [type(answer) for answer in answers]
            assert kinds == [tuple, UnicodeEncodeError, LogError, LogError, LostRace, tuple]
            assert await log.streams() == (("A", 3),)

    run(test)


def test_two_processes_share_a_database(postgres_url):
    async def write(log, cmd):
        head = 0
        while True:
            try:
                return await log.append("A", head, [new(cmd)])
            except LostRace as lost:
                head = lost.head

    async def test():
        async with opened(postgres_url) as one, opened(postgres_url) as two:
            calls = [write(log, f"{name}{i}") for i in range(50) for name, log in [("1.", one), ("2.", two)]]
            await asyncio.gather(*calls)
            entries = await one.read("A")
            assert entries == await two.read("A")
            assert {entry.cmd for entry in entries} == {f"{name}{i}" for i in range(50) for name in ("1.", "2.")}

    run(test)


def test_a_commit_whose_answer_was_lost_is_asked_for(postgres_url, monkeypatch):
    """The connection dies right after the server has committed: what was written is answered, once."""

    async def test():
        async with opened(postgres_url) as log:
            await log.append("A", 0, [new("a")])
            link: Any = log._writer._link
            execute = link.execute

            def dying(sql, *more):
                result = execute(sql, *more)
                if sql == "COMMIT":
                    link.close()
                    raise psycopg.OperationalError("the server closed the connection unexpectedly")
                return result

            link.execute = dying
            assert [entry.n for entry in await log.append("A", 1, [new("b")])] == [2]

            # Taken away, the caller hears that nothing was saved, though it was: only the retry tells.
            link = log._writer._link
            execute = link.execute
            link.execute = dying
            monkeypatch.setattr(writer.Writer, "_committed", lambda *_: False)
            with pytest.raises(NotSaved):
                await log.append("A", 2, [new("c")])
            with pytest.raises(RepeatedCommand):
                await log.append("A", 2, [new("c")])

    run(test)


def test_it_goes_on_when_the_server_does(postgres):
    url = postgres.url("restarted")

    async def test():
        async with opened(url) as log:
            await log.append("A", 0, [new("a")])
            await asyncio.gather(*(log.read("A") for _ in range(8)))
            postgres.stop(signal.SIGQUIT)
            with pytest.raises(NotSaved, match="does not answer"):
                await log.append("A", 1, [new("b")])
            with pytest.raises(LogError) as refused:
                await log.read("A")
            assert refused.value.code == "log/unreadable"
            postgres.start()
            assert len(await log.append("A", 1, [new("b")])) == 1
            for _ in range(8):
                assert [entry.cmd for entry in await log.read("A")] == ["a", "b"]

    run(test)
