"""Power loss on the real store: whatever the disk kept of what was not synced, nothing acknowledged is gone.

The same recording with `synchronous=NORMAL` loses acknowledged entries, and the harness sees it.
"""

import asyncio
import random

import apsw
import pytest

from bobing.adapters.sqlite import SqliteLog, sql
from bobing.adapters.sqlite import file as files
from bobing.adapters.sqlite.maintenance import verify
from bobing.core.chain import link
from bobing.ports import Grant, NewEntry
from support.power import Recorder, images

STREAMS, APPENDS = 6, 20
SIDES = ("tables.db", "tables.db-wal", "tables.db-journal")


def body(stream, n):
    return f"{stream} {n} ".encode() * 30


async def play(log, recorder):
    """Tables that append at once, names that are erased, tokens; each acknowledged thing is noted when it is."""

    async def table(stream):
        for n in range(APPENDS):
            await log.append(
                stream, n, [NewEntry(f"{stream}.{n}", 0, "host", body(stream, n))], notes={"name/0": f"v{n}"}
            )
            recorder.ack(f"{stream} {n + 1}")
            if n == APPENDS // 2:
                await log.set_notes(stream, {"name/0": None})
                await log.grant(stream.encode() * 16, Grant(stream, "host", None, 0))
                recorder.ack(f"{stream} token")

    await asyncio.gather(*(table(f"S{i}") for i in range(STREAMS)))
    await log.close()
    recorder.ack("closed")


def record(path):
    recorder = Recorder()
    try:
        asyncio.run(play(SqliteLog(path), recorder))
    finally:
        recorder.close()
    return recorder.done


def found(path):
    """The last entry of each stream and the tokens, after the store was opened as a server does; whole and in line."""

    async def read():
        log = SqliteLog(path)
        heads = dict(await log.streams())
        for stream, head in heads.items():
            h, entry = bytes(32), None
            for n, entry in enumerate(await log.read(stream)):
                h = link(h, body(stream, n))
                assert (entry.n, entry.body, entry.h) == (n + 1, body(stream, n), h)
            assert entry is not None
            assert entry.n == head
        tokens = {stream for stream in heads if await log.granted(stream.encode() * 16)}
        await log.close()
        return heads, tokens

    kept = asyncio.run(read())
    assert verify(path).damage == ()
    return kept


def lost(path, image, acked):
    """What was acknowledged and is not there."""
    for name in SIDES:
        (path.parent / name).unlink(missing_ok=True)
        if name in image:
            (path.parent / name).write_bytes(image[name])
    (path.parent / "tables.db-shm").unlink(missing_ok=True)
    heads, tokens = found(path)
    told = [one.split() for one in acked if one != "closed"]
    return [
        (stream, n) for stream, n in told if (stream not in tokens if n == "token" else heads.get(stream, 0) < int(n))
    ]


def tried(tmp_path, wanted, seed=63):
    """How many images there were, and in how many something acknowledged was gone."""
    (tmp_path / "record").mkdir()
    (tmp_path / "image").mkdir()
    rng, done = random.Random(seed), record(tmp_path / "record" / "tables.db")
    changes = sum(one.what != "ack" for one in done)
    count = losses = 0
    for image, acked in images(done, rng, every=max(1, len(done) // wanted), each=max(1, round(wanted / len(done)))):
        count += 1
        losses += bool(lost(tmp_path / "image" / "tables.db", image, acked))
    print(f"{count} images of {changes} writes and syncs: {losses} with a loss")
    return count, losses


@pytest.mark.parametrize("wanted", [150, pytest.param(2_000, marks=pytest.mark.deep)])
def test_power_loss_takes_nothing_that_was_acknowledged(tmp_path, wanted):
    count, losses = tried(tmp_path, wanted)
    assert count >= wanted * 0.6
    assert losses == 0


def test_with_less_syncing_the_same_images_show_a_loss(tmp_path, monkeypatch):
    real = sql.pragma
    monkeypatch.setattr(
        files,
        "pragma",
        lambda connection, name, *value: real(connection, name, *(("normal",) if name == "synchronous" else value)),
    )
    _, losses = tried(tmp_path, 60)
    assert losses > 5


def test_the_recorder_notes_what_reaches_the_file(tmp_path):
    """Replayed whole, a recording is byte by byte what lies in the folder."""
    path = tmp_path / "tables.db"
    done = record(path)
    *_, (image, _) = images([*done], random.Random(1))
    assert image["tables.db"] == path.read_bytes()
    assert apsw.vfs_names()[0] == "unix"
