"""What the SQLite log promises beside the common contract: its file, its schema, its one writer."""

import asyncio
import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from bobing.adapters import open_log, sqlite_path
from bobing.adapters.moving import copy as copy_log
from bobing.adapters.sqlite import SqliteLog, schema, statements, writer
from bobing.adapters.sqlite import file as store
from bobing.adapters.sqlite.maintenance import back_up, read_table, verify
from bobing.adapters.sqlite.release import verify_release
from bobing.cli import main
from bobing.ports import Grant, LogError, LostRace, NewEntry, NotSaved, Worker

ROLLBACK, WAL = 1, 2
"""How a file says at byte 18 that it is written."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "folder" / "log.db"


@asynccontextmanager
async def opened(path):
    log = open_log(f"sqlite:{path}")
    assert isinstance(log, SqliteLog)
    try:
        yield log
    finally:
        await log.close()


def new(cmd, body=b"{}"):
    return NewEntry(cmd, 1, "seat/0", body)


def run(test):
    return asyncio.run(asyncio.wait_for(test(), 300))


@contextmanager
def other_process(path):
    """A connection that stands for another program with the file open."""
    connection = apsw.Connection(str(path))
    try:
        yield connection
    finally:
        connection.close(force=True)


def refused_code(call):
    with pytest.raises(LogError) as refused:
        call()
    return refused.value.code


# ---- the file -------------------------------------------------------------------------------------------------------


def test_the_file_is_for_its_owner_alone(path):
    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            files = sorted(path.parent.iterdir())
            assert [file.name for file in files] == ["log.db", "log.db-shm", "log.db-wal"]
            assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    code = "import os, runpy, sys; os.umask(0); from bobing.adapters import open_log; open_log(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, f"sqlite:{path}"], check=True, timeout=60)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o664)
    run(test)


def test_a_closed_log_is_one_file(path):
    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            await log.read("A")

    run(test)
    assert [file.name for file in path.parent.iterdir()] == ["log.db"]


def test_what_was_saved_is_there_when_it_is_opened_again(path):
    async def write():
        async with opened(path) as log:
            await log.append("A", 0, [new("a"), new("b")])
            await log.set_notes("A", {"title": "中秋"})
            await log.grant(bytes(32), Grant("A", "seat", 3, 9))

    async def read():
        async with opened(path) as log:
            assert [entry.cmd for entry in await log.read("A")] == ["a", "b"]
            assert dict(await log.notes("A")) == {"title": "中秋"}
            assert await log.granted(bytes(32)) == Grant("A", "seat", 3, 9)

    run(write)
    run(read)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "log/bad_url"),
        ("sqlite", "log/bad_url"),
        ("sqlite:", "log/bad_url"),
        ("sqlite://", "log/bad_url"),
        ("sqlite:///", "log/bad_url"),
        ("sqlite://host/path", "log/bad_url"),
        ("sqlite:a\0b", "log/bad_url"),
        ("mysql://host/db", "log/bad_url"),
        ("memory:", "log/bad_url"),
        ("/srv/log.db", "log/bad_url"),
    ],
)
def test_what_is_no_url_of_a_log_is_refused(url, code):
    assert refused_code(lambda: open_log(url)) == code


def test_a_path_is_taken_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert sqlite_path("sqlite:////srv/b.db").as_posix() in ("/srv/b.db", "//srv/b.db")

    names = (":memory:", "file:x?mode=memory", "100%25.db", "饼 桌.db")

    async def test():
        for name in names:
            async with opened(name) as log:
                await log.append("A", 0, [new("a")])

    run(test)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(names)


def test_what_cannot_be_opened_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("a file, and no folder")
    (tmp_path / "strange").write_bytes(b"no database" * 100)
    os.mkfifo(tmp_path / "pipe")
    for name, code in [
        ("folder", "log/not_a_log"),
        ("pipe", "log/not_a_log"),
        ("file/log.db", "log/cannot_open"),
        ("strange", "log/cannot_open"),
    ]:
        assert refused_code(lambda name=name: open_log(f"sqlite:{tmp_path / name}")) == code
    assert (tmp_path / "strange").read_bytes() == b"no database" * 100


def test_what_is_no_log_stays_as_it_is_whoever_names_it(tmp_path):
    """Its mode, too: a slip in a path must not close /etc/passwd or /tmp to everybody."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "letter").write_text("to whom it may concern " * 100)
    with other_process(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE act (stream)")
    os.mkfifo(tmp_path / "pipe")
    names = sorted(path.name for path in tmp_path.iterdir())
    for name in names:
        (tmp_path / name).chmod(0o755)
    calls = [
        ("serve", "--port", "0", "--db", "sqlite:{}"),
        ("serve", "--port", "0", "--workers", "2", "--db", "sqlite:{}"),
        ("event", "new", "Moon", "--db", "{}"),
        ("db", "copy", "{}", str(tmp_path / "new.db")),
        ("db", "backup", "--db", "{}", str(tmp_path / "new.db")),
        ("db", "verify", "--db", "{}"),
        ("doctor", "--port", "0", "--db", "sqlite:{}"),
    ]
    for name in names:
        for call in calls:
            result = CliRunner().invoke(main, [word.format(tmp_path / name) for word in call])
            assert result.exit_code in (1, 2), (name, call, result.output)
            assert "[log/" in result.output, (name, call, result.output)
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o755, (name, call)
            assert not (tmp_path / f"{name}-serving").exists() or name in ("letter", "other.db"), (name, call)


def test_a_backup_beside_which_the_log_of_the_file_before_lies_is_refused(tmp_path):
    """So it is when somebody copies a backup to where a file was whose server was killed."""
    path, copy = tmp_path / "log.db", tmp_path / "copy.db"

    async def write():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            back_up(path, copy)
            await log.append("A", 1, [new("b")])
            for side in ("", "-wal", "-shm"):
                (tmp_path / f"killed.db{side}").write_bytes((tmp_path / f"log.db{side}").read_bytes())

    run(write)
    killed, wal = tmp_path / "killed.db", tmp_path / "killed.db-wal"
    left = wal.read_bytes()
    assert verify(killed).entries == 2, "what stands in the write-ahead log of the file itself is taken"
    killed.write_bytes(copy.read_bytes())
    wal.write_bytes(left)
    for call in (lambda: open_log(f"sqlite:{killed}"), lambda: read_table(killed, "A"), lambda: verify(killed)):
        assert refused_code(call) == "log/strange_wal"
    killed.unlink()
    assert refused_code(lambda: open_log(f"sqlite:{killed}")) == "log/strange_wal", "nor with an empty file"
    assert wal.read_bytes() == left
    killed.write_bytes(path.read_bytes())  # by hand, after its server was ended
    assert refused_code(lambda: open_log(f"sqlite:{killed}")) == "log/strange_wal"
    wal.unlink()
    killed.write_bytes(copy.read_bytes())
    assert verify(killed).entries == 1


def test_who_closes_last_leaves_one_whole_file(path, tmp_path):
    """It says that it has no write-ahead log, so that one of another file beside it is not taken for its own."""

    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            async with opened(path):
                pass
            assert path.read_bytes()[18] == WAL, "the other goes on"
            await log.append("A", 1, [new("b")])

    run(test)
    copy_log(f"sqlite:{path}", f"sqlite:{tmp_path / 'copy.db'}")
    for file in (path, tmp_path / "copy.db"):
        assert file.read_bytes()[18] == ROLLBACK
        assert verify(file).entries == 2
    assert not list(tmp_path.glob("*-wal"))


def test_looking_at_the_file_takes_no_lock_away(path):
    def held():
        return Path("/proc/locks").read_text().count(f":{path.stat().st_ino} ")

    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            before = held()
            store.verify_own_wal(path)
            assert held() == before > 0

    run(test)


def test_the_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with other_process(path) as other:
        other.execute("CREATE TABLE act (stream)")
    before = path.read_bytes()
    assert refused_code(lambda: open_log(f"sqlite:{path}")) == "log/not_a_log"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("kind", "refused"),
    [("ext4", False), ("tmpfs", False), ("overlay", False), ("nfs4", True), ("cifs", True), ("fuse.sshfs", True)],
)
def test_a_network_disk_is_refused(kind, refused):
    mounts = f"/dev/a / ext4 rw 0 0\nserver:/x /srv/the\\040tables {kind} rw 0 0\n/dev/b /srv/local xfs rw 0 0\n"
    store.verify_local(Path("/srv/local/b.db"), mounts)
    store.verify_local(Path("/srv/b.db"), mounts)
    if refused:
        code = refused_code(lambda: store.verify_local(Path("/srv/the tables/deep/b.db"), mounts))
        assert code == "log/network_disk"
    else:
        store.verify_local(Path("/srv/the tables/deep/b.db"), mounts)


# ---- which SQLite ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["3.7.0", "3.40.1", "3.44.5", "3.45.0", "3.50.6", "3.51.0", "3.51.2", "3.6.23"])
def test_a_sqlite_that_can_lose_entries_is_refused(version):
    with pytest.raises(LogError, match=r"pip install --upgrade apsw") as refused:
        verify_release(version)
    assert refused.value.code == "log/unsafe_sqlite"


@pytest.mark.parametrize("version", ["3.44.6", "3.50.7", "3.51.3", "3.52.0", "3.53.0", "3.54.1", "4.0.0"])
def test_a_sqlite_with_the_correction_is_taken(version):
    verify_release(version)


def test_the_gate_comes_before_the_file(path, monkeypatch):
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.1")
    assert refused_code(lambda: open_log(f"sqlite:{path}")) == "log/unsafe_sqlite"
    assert not path.exists()
    path.parent.mkdir(parents=True)
    path.touch()
    assert refused_code(lambda: verify(path)) == "log/unsafe_sqlite"


# ---- the schema -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE act SET body = body WHERE stream = 'A'",
        "UPDATE act SET at = 0",
        "DELETE FROM act WHERE stream = 'A' AND n = 2",
        "DELETE FROM act",
        "INSERT OR REPLACE INTO act VALUES ('A', 2, 'new', 0, '', x'', zeroblob(32))",
        "INSERT OR REPLACE INTO act VALUES ('A', 4, 'b', 0, '', x'', zeroblob(32))",
        (
            "INSERT OR REPLACE INTO act (rowid, stream, n, cmd_id, at, actor, body, h) "
            "VALUES (1, 'A', 4, 'new', 0, '', x'', zeroblob(32))"
        ),
        "INSERT OR IGNORE INTO act VALUES ('A', 5, 'new', 0, '', x'', zeroblob(32))",
        "INSERT INTO act VALUES ('A', 0, 'new', 0, '', x'', zeroblob(32))",
        "INSERT INTO act VALUES ('B', 2, 'new', 0, '', x'', zeroblob(32))",
        "INSERT INTO act VALUES ('A', 4, 'new', 0, '', x'', zeroblob(31))",
        "INSERT INTO act VALUES ('A', 4, 'new', 0, '', 'text', zeroblob(32))",
        "INSERT INTO act VALUES ('A', 4, NULL, 0, '', x'', zeroblob(32))",
        "INSERT INTO act VALUES ('A', 2, 'b', 0, '', x'', zeroblob(32)) ON CONFLICT DO UPDATE SET at = 7",
    ],
)
def test_the_database_itself_keeps_the_log(path, statement):
    """Whatever program asks for it: nothing changes, nothing goes, nothing stands out of line."""

    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a"), new("b"), new("c")])
            before = await log.read("A")
            with other_process(path) as other, pytest.raises(apsw.ConstraintError):
                other.execute(statement)
            assert await log.read("A") == before
            assert await log.streams() == (("A", 3),)

    run(test)


def test_an_entry_in_line_is_taken_by_the_database(path):
    """The counterpart of the refusals above: they are not refused for a mistake in the statement."""

    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a"), new("b"), new("c")])
            with other_process(path) as other:
                other.execute("INSERT INTO act VALUES ('A', 4, 'new', 0, '', x'', zeroblob(32))")
            assert await log.streams() == (("A", 4),)

    run(test)


def version(path):
    with other_process(path) as other:
        return other.pragma("user_version")


def test_a_migration_that_fails_leaves_the_version_before(path, monkeypatch):
    async def write():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])

    run(write)
    before = len(schema.MIGRATIONS)
    assert version(path) == before
    good = "CREATE TABLE extra (a); ALTER TABLE note ADD COLUMN b TEXT"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, f"{good}; CREATE TABLE extra (a)"))
    assert refused_code(lambda: open_log(f"sqlite:{path}")) == "log/cannot_open"
    assert version(path) == before
    with other_process(path) as other:
        assert other.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'").get == 0
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS[:before], good))
    run(opened_and_read(path))
    assert version(path) == before + 1


def test_a_file_of_the_first_version_goes_on(path, monkeypatch):
    async def keep():
        async with opened(path) as log:
            await log.keep_secret("A", "draw/1", b"one")
            assert await log.secret("A", "draw/1") == b"one"

    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        run(lambda: opening_alone(path))
        assert version(path) == 1
    run(keep)
    assert version(path) == len(schema.MIGRATIONS)


def opened_and_read(path):
    async def test():
        async with opened(path) as log:
            assert [entry.cmd for entry in await log.read("A")] == ["a"]

    return test


def test_the_file_of_a_newer_bobing_is_refused(path):
    run(lambda: opening_alone(path))
    with other_process(path) as other:
        other.pragma("user_version", 99)
    assert refused_code(lambda: open_log(f"sqlite:{path}")) == "log/newer_schema"


async def opening_alone(path):
    async with opened(path):
        pass


def test_many_open_a_new_file_at_once(path):
    with ThreadPoolExecutor(8) as pool:
        for log in list(pool.map(open_log, [f"sqlite:{path}"] * 8)):
            asyncio.run(log.close())
    assert version(path) == len(schema.MIGRATIONS)
    assert verify(path).damage == ()


def test_every_commit_is_synced(path):
    async def test():
        async with opened(path) as log:
            connection = log._writer._connection
            assert connection is not None
            told = {name: connection.pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys")}
            assert told == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
            assert connection.pragma("busy_timeout") == store.BUSY_MS

    run(test)


def test_a_reader_cannot_write(path):
    async def test():
        async with opened(path) as log:
            with pytest.raises(LogError) as refused:
                await log._readers.ask(lambda connection: connection.execute("DELETE FROM note"))
            assert refused.value.code == "log/unreadable"
            assert await log.streams() == ()  # and the next question is answered

    run(test)


# ---- the writer -----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def writer_held(log):
    """Holds the writing thread, so that all that is asked meanwhile waits; gives its count of commits."""
    commits = []
    log._writer._connection.set_commit_hook(lambda: bool(commits.append(1)))
    held = asyncio.create_task(log._writer.do(lambda _: asyncio.run(asyncio.sleep(0.2))))
    await asyncio.sleep(0.05)
    yield commits
    await held


def test_all_that_wait_share_one_commit(path):
    async def test():
        async with opened(path) as log:
            async with writer_held(log) as commits:
                waiting = [asyncio.create_task(log.append(f"S{i}", 0, [new("a")])) for i in range(100)]
                await asyncio.sleep(0)
            await asyncio.gather(*waiting)
            assert len(commits) == 2  # that of what held the writer, and one for all the rest
            assert len(await log.streams()) == 100

    run(test)


def test_one_bad_request_does_not_spoil_the_others(path):
    async def test():
        async with opened(path) as log:
            await log.append("A", 0, [new("a")])
            async with writer_held(log) as commits:
                calls = [
                    log.append("A", 1, [new("b")]),
                    log.append("\ud800", 0, [new("a")]),
                    log.append("B", 0, [new("a"), NewEntry("b", 2**70, "", b"")]),  # fails when the first is written
                    log.append("A", 9, [new("c")]),
                    log.append("A", 2, [new("c")]),
                    log.append("C", 0, [NewEntry("a", 1, "", "text")]),  # type: ignore[arg-type]
                ]
                waiting = [asyncio.create_task(call) for call in calls]
                await asyncio.sleep(0)
            answers = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(answer) for answer in answers] == [
                tuple,
                UnicodeEncodeError,
                OverflowError,
                LostRace,
                tuple,
                TypeError,
            ]
            assert len(commits) == 2
            assert await log.streams() == (("A", 3),)

    run(test)


def test_two_processes_share_a_file(path):
    """Two logs with a writer each: who loses the race hears it, and no entry is lost or doubled."""

    async def write(log, cmd):
        head = 0
        while True:
            try:
                return await log.append("A", head, [new(cmd)])
            except LostRace as lost:
                head = lost.head

    async def test():
        async with opened(path) as one, opened(path) as two:
            await asyncio.gather(
                *(write(log, f"{name}{i}") for i in range(50) for name, log in [("1.", one), ("2.", two)])
            )
            entries = await one.read("A")
            assert entries == await two.read("A")
            assert {entry.cmd for entry in entries} == {f"{name}{i}" for i in range(50) for name in ("1.", "2.")}
        assert verify(path).damage == ()

    run(test)


@pytest.mark.parametrize("step_s", [3_600, -3_600])
def test_a_step_of_the_clock_takes_no_lease_away(path, monkeypatch, step_s):
    one, two = Worker("one", "", ""), Worker("two", "", "")

    async def test():
        async with opened(path) as log:
            await log.beat(one, 60_000)
            held = await log.claim("A", one, 60_000)
            real = time.time_ns
            monkeypatch.setattr(time, "time_ns", lambda: real() + step_s * 10**9)
            assert await log.claim("A", two, 60_000) == held
            assert await log.beat(one, 60_000), "it was held for dead"

    asyncio.run(test())


def test_who_holds_the_file_too_long_is_told_of(path, monkeypatch):
    monkeypatch.setattr(store, "BUSY_MS", 50)
    monkeypatch.setattr(writer, "BUSY_MS", 50)

    async def test():
        async with opened(path) as log:
            with other_process(path) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(NotSaved, match="another process holds the log") as refused:
                    await log.append("A", 0, [new("a")])
                assert refused.value.code == "log/not_saved"
                assert await log.read("A") == ()
                other.execute("ROLLBACK")
            assert len(await log.append("A", 0, [new("a")])) == 1

    run(test)


def test_it_serves_one_event_loop_after_another(path):
    log = open_log(f"sqlite:{path}")
    for n in range(3):
        asyncio.run(log.append("A", n, [new(str(n))]))
    assert len(asyncio.run(log.read("A"))) == 3
    asyncio.run(log.close())


# ---- erasing --------------------------------------------------------------------------------------------------------


def anywhere(path, text):
    """Whether a text stands in the files, told by another process: closing a file here would drop SQLite's locks."""
    found = subprocess.run(["grep", "-qF", text, *path.parent.iterdir()], check=False).returncode
    assert found in (0, 1)
    return found == 0


def test_an_erased_name_stands_nowhere(path):
    async def test():
        async with opened(path) as log:
            await log.set_notes("A", {f"name/{i}": f"Canary-{i}-{'x' * 50}" for i in range(300)})
            assert anywhere(path, "Canary-7-")
            await log.set_notes("A", {f"name/{i}": None for i in range(299)})
            assert not anywhere(path, "Canary-7-")
            assert anywhere(path, "Canary-299-")

    run(test)


def test_an_erased_secret_stands_nowhere(path):
    async def test():
        async with opened(path) as log:
            await log.keep_secret("A", "draw/1", b"Canary-in-secret")
            assert anywhere(path, "Canary-in-secret")
            await log.keep_secret("A", "draw/1", None)
            assert not anywhere(path, "Canary-in-secret")

    run(test)


def test_what_a_reader_keeps_from_being_erased_goes_with_the_next_write(path):
    async def test():
        async with opened(path) as log:
            await log.set_notes("A", {"name/0": "Canary"})
            with other_process(path) as other:
                other.execute("BEGIN; SELECT * FROM note")
                await log.set_notes("A", {"name/0": None})
                assert anywhere(path, "Canary")
                other.execute("ROLLBACK")
            await log.append("A", 0, [new("a")])
            assert not anywhere(path, "Canary")

    run(test)


def test_a_statement_is_not_planned_anew_for_each_value(path):
    planned = []

    def asked(*about):
        planned.append(about)
        return apsw.SQLITE_OK

    connection = store.make_store(path)
    connection.authorizer = asked  # SQLite asks it whenever it plans a statement
    for n in range(4):
        first_time = len(planned)
        connection.execute("BEGIN IMMEDIATE")
        statements.append(connection, "A", n, [new(f"c{n}")], {}, ())
        assert len(statements.read(connection, "A", n, 10)) == 1
        connection.execute("COMMIT")
        assert (len(planned) > first_time) is (n == 0)
    store.close_whole(connection)
