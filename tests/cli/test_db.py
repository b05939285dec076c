"""`bobing db`: a log is backed up while it is written to, verified, and exported."""

import asyncio
import json
import stat
from unittest.mock import Mock

import apsw
import pytest
from click.testing import CliRunner

from bobing.adapters import open_log
from bobing.adapters.sqlite import maintenance
from bobing.cli import main
from bobing.core.chain import ZERO, link
from bobing.i18n import LANGUAGES, text
from bobing.ports import NewEntry
from bobing.server.recorded import record_of
from bobing.wire import messages as wire
from server.tables import Play

BODIES = [b'{"t":"open"}', '{"who":"小明"}'.encode(), b'{"b": 1}', b"\xff\x00"]  # the last two are not canonical JSON


def db(*args, lang="en", **env):
    return CliRunner().invoke(main, ["db", *map(str, args), "--lang", lang], env={"BOBING_DB": "", **env})


async def fill(log):
    for stream in ("7K3M9PQX", "ABCDEFGH"):
        await log.append(stream, 0, [NewEntry(f"c{i}", i, "seat/0", body) for i, body in enumerate(BODIES)])
    await log.set_notes("7K3M9PQX", {"name/0": "阿明"})


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "tables.db"

    async def make():
        log = open_log(f"sqlite:{path}")
        await fill(log)
        await log.close()

    asyncio.run(make())
    return path


def change(path, *statements):
    """Change the file behind the log's back, past its triggers."""
    connection = apsw.Connection(str(path))
    for trigger in ("act_never_changes", "act_never_goes", "act_follows"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_sound_log_is_told_so(path):
    result = db("verify", "--db", path)
    assert (result.exit_code, result.output) == (0, f"{path}: 2 tables, 8 entries, all sound.\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_events_are_counted_apart_from_tables(tmp_path, lang):
    path, copied = tmp_path / "tables.db", tmp_path / "copy.db"

    async def make():
        log = open_log(f"sqlite:{path}")
        for stream in ("7K3M9PQX", "ABCDEFGH", "event/QRST2345"):
            await log.append(stream, 0, [NewEntry("c", 0, "desk", b"{}")])
        await log.close()

    asyncio.run(make())
    said = text(lang, "db.counts_events", tables=2, events=1, entries=3)
    assert db("verify", "--db", path, lang=lang).output == text(lang, "db.sound", file=path, counts=said) + "\n"
    assert db("copy", path, copied, lang=lang).output == text(lang, "db.copied", counts=said) + "\n"
    for told in (db("verify", "--db", path, "--json"), db("copy", path, tmp_path / "other.db", "--json")):
        counted = json.loads(told.output)
        assert [counted[key] for key in ("streams", "tables", "events", "entries")] == [3, 2, 1, 3]


def test_damage_of_an_event_is_told_of_the_event(tmp_path):
    path = tmp_path / "tables.db"

    async def make():
        log = open_log(f"sqlite:{path}")
        await log.append("event/QRST2345", 0, [NewEntry("c", 0, "desk", b"{}")])
        await log.close()

    asyncio.run(make())
    change(path, "UPDATE act SET h = zeroblob(32)")
    assert "Event QRST2345: entry 1 or its hash was changed." in db("verify", "--db", path).output


def test_the_log_is_named_as_the_server_names_it(path):
    assert db("verify", BOBING_DB=f"sqlite://{path}").exit_code == 0
    assert db("verify", "--db", f"sqlite:{path}").exit_code == 0


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE act SET body = '{}' WHERE stream = 'ABCDEFGH' AND n = 3", ("hash", 3)),
        ("UPDATE act SET h = zeroblob(32) WHERE stream = 'ABCDEFGH' AND n = 2", ("hash", 2)),
        ("DELETE FROM act WHERE stream = 'ABCDEFGH' AND n = 1", ("number", 1)),
        ("DELETE FROM act WHERE stream = 'ABCDEFGH' AND n IN (2, 3)", ("number", 2)),
        ("UPDATE act SET n = 9 WHERE stream = 'ABCDEFGH' AND n = 4", ("number", 4)),
        ("UPDATE act SET body = CAST('{\"t\":\"other\"}' AS BLOB) WHERE stream = 'ABCDEFGH' AND n = 1", ("hash", 1)),
    ],
)
def test_damage_is_told_with_table_and_entry(path, statement, found):
    change(path, statement.replace("'{}'", "CAST('{}' AS BLOB)"))
    result = db("verify", "--db", path, "--json")
    told = json.loads(result.output)
    assert result.exit_code == 1
    assert told["sound"] is False
    assert [(damage["what"], damage["stream"], damage["n"]) for damage in told["damage"]] == [
        (found[0], "ABCDEFGH", found[1])
    ]
    spoken = db("verify", "--db", path)
    assert spoken.exit_code == 1
    assert f"Table ABCDEFGH: entry {found[1]} " in spoken.output


def test_swapped_entries_are_damage(path):
    change(
        path,
        "UPDATE act SET n = 99 WHERE stream = 'ABCDEFGH' AND n = 2",
        "UPDATE act SET n = 2 WHERE stream = 'ABCDEFGH' AND n = 3",
        "UPDATE act SET n = 3 WHERE stream = 'ABCDEFGH' AND n = 99",
    )
    assert "Table ABCDEFGH: entry 2 or its hash was changed." in db("verify", "--db", path).output


def test_a_file_with_holes_is_damage(path):
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):  # all pages but the first, which says what the file is
        data[page * 4096 : page * 4096 + 64] = bytes(64)
    path.write_bytes(data)
    result = db("verify", "--db", path)
    assert result.exit_code == 1
    assert "The file itself is damaged" in result.output


def test_what_is_no_log_is_refused(path, tmp_path):
    strange = tmp_path / "strange"
    strange.write_bytes(b"no database" * 100)
    (tmp_path / "empty.db").touch()
    foreign = tmp_path / "foreign.db"
    apsw.Connection(str(foreign)).execute("CREATE TABLE act (stream)")
    for args, code in [
        (("verify", "--db", tmp_path / "nothing"), "log/no_file"),
        (("verify", "--db", tmp_path), "log/no_file"),
        (("verify", "--db", tmp_path / "empty.db"), "log/no_file"),
        (("verify", "--db", strange), "log/cannot_open"),
        (("verify", "--db", foreign), "log/not_a_log"),
        (("verify",), "cli/no_db"),
        (("verify", "--db", "memory://"), "log/needs_file"),
        (("backup", "--db", "postgresql://bobing@db/bobing", tmp_path / "x.db"), "log/needs_file"),
        (("copy", path, tmp_path / "new" / "copy.db"), "log/cannot_open"),
        (("copy", tmp_path / "nothing", tmp_path / "new" / "copy.db"), "log/no_file"),
        (("export", "--db", path, "NOTHERE2"), "cli/no_table"),
        (("backup", "--db", path, path), "log/exists"),
        (("backup", "--db", path, tmp_path / "no" / "folder"), "log/not_saved"),
    ]:
        result = db(*args)
        assert (result.exit_code, f"[{code}]" in result.output) == (2, True), (args, result.output)
    assert not (tmp_path / "nothing").exists()
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bobing:s3cret@db/bobing",
        "postgresql:/bobing:s3cret@db/bobing",
        "postgresql//bobing:s3cret@db/bobing",
        "postgersql://bobing:s3@cret@db/bobing",
        "sqlite://bobing:s3cret@db/bobing",
        "postgresq://db/bobing?password=s3cret",
        "host=db user=bobing password=s3cret",
    ],
)
def test_no_refusal_tells_a_password(url, tmp_path):
    calls = [
        ("db", "verify", "--db", url),
        ("db", "backup", "--db", url, str(tmp_path / "x")),
        ("db", "export", "--db", url, "ABCDEFGH"),
    ]
    calls += [("serve", "--port", "0", "--db", url), ("doctor", "--port", "0", "--db", url, "--json")]
    calls += [("db", "copy", url, str(tmp_path / "x.db")), ("event", "board", "ABCDEFGH", "--db", url)]
    for call in calls:
        for lang in ("en", "zh-Hans"):
            result = CliRunner().invoke(main, [*call, "--lang", lang])
            assert result.exit_code in (1, 2), (call, result.output)
            assert "cret" not in result.output, (call, result.output)


def test_an_export_is_the_record_that_the_page_downloads(tmp_path):
    path, said = tmp_path / "tables.db", tmp_path / "record.jsonl"

    async def make():
        play = await Play.open("阿明", "小红", dice="444412", log=open_log(f"sqlite:{path}"))
        await play.begin()
        await play.send(wire.Throw, seat=0)
        record = b"".join(record_of(play.room))
        await play.host.make(wire.NewTable(players=["a", "b"]))
        await play.host.close()
        return play.code, record

    code, record = asyncio.run(make())
    result = db("export", "--db", path, code)
    assert (result.exit_code, result.stdout_bytes) == (0, record)
    said.write_bytes(result.stdout_bytes)
    assert CliRunner().invoke(main, ["record", "verify", str(said)]).exit_code == 0
    (lobby,) = {name for (name,) in apsw.Connection(str(path)).execute("SELECT stream FROM act")} - {code}
    assert "[table/not_begun]" in db("export", "--db", path, lobby).output


def test_an_export_holds_every_entry_as_it_stands(path):
    result = db("export", "--entries", "--db", path, "7K3M9PQX")
    lines = [json.loads(line) for line in result.stdout_bytes.splitlines()]
    assert [line["n"] for line in lines] == [1, 2, 3, 4]
    assert [line.get("body") for line in lines] == [{"t": "open"}, {"who": "小明"}, None, None]
    assert [line.get("body_base64") for line in lines] == [None, None, "eyJiIjogMX0=", "/wA="]
    h = ZERO
    for line, body in zip(lines, BODIES, strict=True):
        h = link(h, body)
        assert line["h"] == h.hex()
    assert "阿明" not in result.output


def test_a_backup_is_one_whole_file_for_its_owner_alone(path, tmp_path):
    copy = tmp_path / "copy.db"
    result = db("backup", "--db", path, copy)
    assert (result.exit_code, result.output) == (0, f"{copy}: 2 tables, 8 entries, all sound.\n")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "tables.db"]
    exports = [db("export", "--db", file, "7K3M9PQX").stdout_bytes for file in (path, copy)]
    assert exports[0] == exports[1]


def test_a_backup_onto_a_full_disk_says_so(path, tmp_path, monkeypatch):
    monkeypatch.setattr(maintenance, "_copy", Mock(side_effect=apsw.FullError("not an error")))
    result = db("backup", "--db", path, tmp_path / "copy.db")
    assert (result.exit_code, "the disk is full" in result.output) == (2, True)
    assert not (tmp_path / "copy.db").exists()


def test_a_backup_goes_on_as_a_log(path, tmp_path):
    copy = tmp_path / "copy.db"
    assert db("backup", "--db", path, copy).exit_code == 0

    async def go_on():
        log = open_log(f"sqlite:{copy}")
        assert dict(await log.notes("7K3M9PQX")) == {"name/0": "阿明"}
        await log.append("7K3M9PQX", 4, [NewEntry("c9", 9, "host", b"{}")])
        await log.close()

    asyncio.run(go_on())
    assert "9 entries, all sound" in db("verify", "--db", copy).output


def test_verifying_leaves_a_file_as_it_is(path, tmp_path):
    copy = tmp_path / "copy.db"
    db("backup", "--db", path, copy)
    before = copy.read_bytes()
    copy.chmod(0o400)
    assert db("verify", "--db", copy).exit_code == 0
    assert copy.read_bytes() == before
    assert not (tmp_path / "copy.db-wal").exists()


def test_a_backup_during_writing_is_of_one_moment(tmp_path):
    """It holds all that was durable when it began, nothing that was begun after it ended, and verifies."""
    path = tmp_path / "tables.db"
    saved = dict.fromkeys((f"S{i}" for i in range(20)), 0)
    going = True

    async def write(log, stream):
        while going:
            await log.append(stream, saved[stream], [NewEntry(f"c{saved[stream]}", 0, "host", b"{}" * 100)])
            saved[stream] += 1

    async def test():
        nonlocal going
        log = open_log(f"sqlite:{path}")
        writers = [asyncio.create_task(write(log, stream)) for stream in saved]
        for i in range(5):
            await asyncio.sleep(0.1)
            before, copy = dict(saved), tmp_path / f"copy{i}.db"
            result = await asyncio.to_thread(db, "backup", "--db", path, copy)
            assert result.exit_code == 0, result.output
            after = dict(saved)
            backup = open_log(f"sqlite:{copy}")
            heads = dict(await backup.streams())
            await backup.close()
            assert all(before[stream] <= heads.get(stream, 0) <= after[stream] + 1 for stream in saved)
        going = False
        await asyncio.gather(*writers)
        await log.close()
        assert sum(saved.values()) > 100

    asyncio.run(asyncio.wait_for(test(), 300))


def test_a_log_is_copied_and_each_table_goes_on_where_it_stood(path, tmp_path):
    copy = tmp_path / "copy.db"
    told = json.loads(db("copy", path, f"sqlite:{copy}", "--json").output)
    assert (told["streams"], told["entries"]) == (2, 8)
    assert {name: head["n"] for name, head in told["heads"].items()} == {"7K3M9PQX": 4, "ABCDEFGH": 4}
    assert db("verify", "--db", copy).exit_code == 0
    again = db("copy", path, copy)
    assert (again.exit_code, "log/exists" in again.output) == (2, True)
    assert db("copy", path, tmp_path / "other.db").output == "Copied: 2 tables, 8 entries, each verified.\n"


def test_no_odd_copy_goes_without_a_word(path, tmp_path):
    same, empty = tmp_path / "same.db", tmp_path / "empty.db"
    same.symlink_to(path)
    refused = db("copy", path, same)
    assert (refused.exit_code, "itself" in refused.output, "[log/exists]" in refused.output) == (2, True, True)
    asyncio.run(open_log(f"sqlite:{empty}").close())
    assert db("copy", empty, tmp_path / "none.db").output == f"{empty} holds no table yet; nothing was copied.\n"
    assert json.loads(db("copy", path, tmp_path / "new.db", "--json").output)["filled"] is False
    assert db("copy", path, empty).output.splitlines()[0] == f"{empty} was there already, empty; it was filled."
    nothing = tmp_path / "nothing.db"
    nothing.touch()
    refused = db("copy", nothing, tmp_path / "other.db")
    assert (refused.exit_code, "[log/no_file]" in refused.output, nothing.read_bytes()) == (2, True, b"")
    assert "[log/needs_file]" in db("copy", "memory://", tmp_path / "other.db").output


def test_no_record_is_made_of_what_is_damaged(tmp_path):
    """Its hashes would be made anew, and all would look sound."""
    path = tmp_path / "tables.db"

    async def make():
        play = await Play.open("a", "b", log=open_log(f"sqlite:{path}"))
        await play.begin()
        await play.host.log.append("event/ABCDEFGH", 0, [NewEntry("c", 0, "desk", b"{}")])
        await play.host.close()
        return play.code

    code = asyncio.run(make())
    assert db("export", "--db", path, code).exit_code == 0
    assert "--entries" in db("export", "--db", path, "event/ABCDEFGH").output
    change(path, f"UPDATE act SET h = zeroblob(32) WHERE stream = '{code}' AND n = 2")
    result = db("export", "--db", path, code)
    assert (result.exit_code, "[log/damaged]" in result.stderr, result.stdout) == (2, True, "")
    result = db("export", "--entries", "--db", path, code)
    assert (result.exit_code, len(result.stdout.splitlines())) == (1, 2), "as they stand"
    assert result.stderr == f"Table {code}: entry 2 or its hash was changed.\n"
