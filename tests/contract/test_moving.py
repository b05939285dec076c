"""A store moves between SQLite and PostgreSQL whole, verified, or not at all."""

import asyncio
import json
import time
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import psycopg
import pytest
from click.testing import CliRunner

from bobing.adapters import looking, open_log
from bobing.adapters.guard import serving
from bobing.adapters.moving import copy, rows_of
from bobing.adapters.postgres import moving as databases
from bobing.adapters.sqlite.maintenance import Damage
from bobing.cli import main
from bobing.ports import Grant, LogError, NewEntry, Worker

STREAMS = ("A", "event/B", "饼")


async def fill(url):
    log = open_log(url)
    for k, stream in enumerate(STREAMS):
        for n in range(3 * k + 1):
            entry = NewEntry(f"c{n}", 1_700_000_000_000 + n, "seat/0", json.dumps({"n": n, "in": stream}).encode())
            await log.append(stream, n, [entry], notes={f"name/{n}": "小明"})
        await log.grant(bytes([k]) * 32, Grant(stream, "seat", k or None, 7))
        await log.keep_secret(stream, "draw/1", bytes(range(32)))
    await log.claim("A", Worker("w", "", ""), 1)
    await log.close()


def all_of(url):
    """Every row of a store, by table."""
    with rows_of(url) as rows:
        return [(table, tuple(row)) for table, page in rows for row in page]


@pytest.fixture
def places(tmp_path, postgres_url):
    return {"sqlite": f"sqlite:{tmp_path / 'a.db'}", "postgres": postgres_url, "back": f"sqlite:{tmp_path / 'b.db'}"}


def test_there_and_back_everything_is_the_same_and_goes_on(places):
    asyncio.run(fill(places["sqlite"]))
    moved = copy(places["sqlite"], places["postgres"])
    assert ({name: n for name, (n, _) in moved.heads.items()}, moved.entries) == ({"A": 1, "event/B": 4, "饼": 7}, 12)
    assert copy(places["postgres"], places["back"]) == moved
    assert all_of(places["sqlite"]) == all_of(places["postgres"]) == all_of(places["back"])

    async def go_on(url):
        log = open_log(url)
        (entry,) = await log.append("饼", 7, [NewEntry("next", 1, "host", b"{}")])
        await log.close()
        return entry

    assert len({asyncio.run(go_on(url)) for url in places.values()}) == 1


def test_a_database_is_verified_and_exported_as_a_file_is(places):
    """While it is served, too."""
    asyncio.run(fill(places["postgres"]))

    async def test():
        async with served(places["postgres"]):
            return await asyncio.to_thread(looking.verify, places["postgres"])

    report = asyncio.run(test())
    copy(places["postgres"], places["sqlite"])
    assert report == looking.verify(places["sqlite"])
    assert (report.streams, report.entries, report.damage) == (3, 12, ())
    for stream in (*STREAMS, "NOTHERE2"):
        there, here = (looking.read_table(places[at], stream) for at in ("postgres", "sqlite"))
        assert there == here
    told = CliRunner().invoke(main, ["db", "verify", "--db", places["postgres"], "--lang", "en"]).output
    assert told == "PostgreSQL: 2 tables, 1 event, 12 entries, all sound.\n"
    none = CliRunner().invoke(main, ["db", "export", "--db", places["postgres"], "NOTHERE2"])
    assert (none.exit_code, "[cli/no_table]" in none.stderr) == (2, True)


def test_a_database_without_a_log_is_not_told_to_be_sound(places, tmp_path):
    """Nor are tables made in it by who only looks."""
    empty = places["postgres"]
    looks = (lambda: looking.verify(empty), lambda: looking.read_table(empty, "A"), lambda: copy(empty, places["back"]))
    for look in looks:
        with pytest.raises(LogError) as refused:
            look()
        assert refused.value.code == "log/no_file"
    with psycopg.connect(empty) as link:
        assert link.execute("SELECT to_regclass('bobing_schema')").fetchone() == (None,)
    assert not Path(tmp_path / "b.db").exists()


def test_a_database_that_is_held_is_told_and_not_waited_for_without_end(places, monkeypatch):
    """So it is where one database is source and target under two names."""
    monkeypatch.setattr(databases, "_SILENT_MS", 200)
    asyncio.run(fill(places["postgres"]))
    with pytest.raises(LogError) as refused:
        copy(places["postgres"], f"{places['postgres']}&connect_timeout=9")
    assert refused.value.code == "log/in_use"


def test_an_empty_database_that_is_filled_is_told_of(places):
    asyncio.run(fill(places["sqlite"]))
    asyncio.run(open_log(places["postgres"]).close())
    assert copy(places["sqlite"], places["postgres"]).filled


def test_damage_in_a_database_is_found(places):
    asyncio.run(fill(places["postgres"]))
    with psycopg.connect(places["postgres"], autocommit=True) as link:
        link.execute("ALTER TABLE act DISABLE TRIGGER USER")
        link.execute("UPDATE act SET body = 'x' WHERE stream = '饼' AND n = 5")
    assert looking.verify(places["postgres"]).damage == (Damage("hash", "饼", 5),)


@asynccontextmanager
async def served(url):
    """As a server has a store: held, and a worker says that it lives."""
    with serving(url, shared=True):
        log = open_log(url)
        try:
            await log.beat(Worker("w", "", ""), 2_000)
            yield
            await log.leave(Worker("w", "", ""))
        finally:
            await log.close()


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgres"), ("postgres", "back")])
def test_a_store_that_is_served_is_not_copied(places, source, target):
    """What would be played afterwards would not be in the copy; and a copy into a served store would not be seen."""
    asyncio.run(fill(places[source]))

    async def test(there):
        async with served(there):
            with pytest.raises(LogError) as refused:
                await asyncio.to_thread(copy, places[source], places[target])
            assert refused.value.code == "log/in_use"

    for there in (places[source], places[target]):
        asyncio.run(test(there))
    assert copy(places[source], places[target]).entries == 12


def test_what_a_dump_says_of_living_workers_nobody_says_any_more(places):
    asyncio.run(fill(places["postgres"]))
    with psycopg.connect(places["postgres"], autocommit=True) as other:
        other.execute("INSERT INTO worker VALUES ('w', (extract(epoch FROM clock_timestamp()) * 1000)::bigint)")
        with pytest.raises(LogError, match="a server runs on the database"):
            copy(places["postgres"], places["back"])
        other.execute("UPDATE worker SET beat = beat - 5000")
        assert copy(places["postgres"], places["sqlite"]).entries == 12
        other.execute("UPDATE worker SET beat = beat + 5000")
    until = time.monotonic() + 60
    while True:  # the server notices by and by that the other is gone
        try:
            assert copy(places["postgres"], places["back"]).entries == 12
        except LogError:
            assert time.monotonic() < until
            continue
        break


@pytest.mark.parametrize("target", ["postgres", "back"])
def test_what_is_not_empty_is_left_alone(places, target):
    for place in ("sqlite", target):
        asyncio.run(fill(places[place]))
    before = all_of(places[target])
    with pytest.raises(LogError) as refused:
        copy(places["sqlite"], places[target])
    assert refused.value.code == "log/exists"
    assert all_of(places[target]) == before


@pytest.mark.parametrize("target", ["postgres", "back"])
def test_of_a_damaged_log_nothing_is_kept(places, target):
    asyncio.run(fill(places["sqlite"]))
    file = apsw.Connection(places["sqlite"].removeprefix("sqlite:"))
    file.execute("DROP TRIGGER act_never_changes; UPDATE act SET body = x'7b7d' WHERE stream = '饼' AND n = 5")
    file.close()
    with pytest.raises(LogError, match="entry 5 of '饼'") as refused:
        copy(places["sqlite"], places[target])
    assert refused.value.code == "log/damaged"
    if target == "postgres":
        assert all_of(places[target]) == []
    else:
        left = Path(places[target].removeprefix("sqlite:"))
        assert list(left.parent.glob(f"{left.name}*")) == []


@pytest.mark.parametrize("target", ["postgres", "back"])
def test_a_target_that_changes_what_it_takes_is_found_out(places, target):
    """The copy itself is read back: a database that writes other bytes is not believed."""
    asyncio.run(fill(places["sqlite"]))
    asyncio.run(open_log(places[target]).close())
    if target == "postgres":
        with psycopg.connect(places[target], autocommit=True) as other:
            other.execute(
                "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "NEW.body = NEW.body || 'x'::bytea; RETURN NEW; END $$; "
                "CREATE TRIGGER spoil BEFORE INSERT ON act FOR EACH ROW WHEN (NEW.n = 3) EXECUTE FUNCTION spoil()"
            )
    else:
        other = apsw.Connection(places[target].removeprefix("sqlite:"))
        other.execute(
            "DROP TRIGGER act_never_changes; CREATE TRIGGER spoil AFTER INSERT ON act WHEN NEW.n = 3 BEGIN "
            "UPDATE act SET body = x'78' WHERE stream = NEW.stream AND n = 3; END"
        )
        other.close()
    with pytest.raises(LogError, match="not written as it was read"):
        copy(places["sqlite"], places[target])
    assert all_of(places[target]) == []
