"""The SQLite log when the process dies, the disk fails or is full: nothing acknowledged is lost, nothing half there.

A kill shows what a dying process does, not what a power cut does: what the disk was not told to keep survives a kill.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

import apsw
import pytest

from bobing.adapters import open_log
from bobing.adapters.sqlite.maintenance import verify
from bobing.ports import NewEntry, NotSaved, RepeatedCommand
from support.appender import DEAD, STREAMS, body

TESTS = Path(__file__).parents[1]


@dataclass
class Told:
    """What appenders said, over all their lives."""

    sent: set[tuple[str, str]] = field(default_factory=set)
    kept: dict[tuple[str, str], int] = field(default_factory=dict)
    lost: set[tuple[str, str]] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def hear(self, lines: Iterable[str]) -> None:
        for line in lines:
            if not line.endswith("\n"):
                continue  # the process died while it spoke
            word, stream, cmd, *more = line.split()
            match word:
                case "sent":
                    self.sent.add((stream, cmd))
                case "kept":
                    self.kept[stream, cmd] = int(more[0])
                case "lost":
                    self.lost.add((stream, cmd))
                case _:
                    self.refused.add(line)


def appender(path, life, appends, *more, under=()):
    command = [*under, sys.executable, "-m", "support.appender", f"sqlite:{path}", life, str(appends), *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=TESTS, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def read_all(path):
    async def read():
        log = open_log(f"sqlite:{path}")
        found = {(entry.stream, entry.cmd): entry for stream in STREAMS for entry in await log.read(stream)}
        await log.close()
        return found

    return asyncio.run(read())


def check(path, told):
    """All that was acknowledged is there as it was acknowledged; all else that is there was sent, and is whole."""
    assert told.refused == set()
    found = read_all(path)  # opens it as a server does, which first brings to an end what death interrupted
    assert verify(path).damage == ()
    assert {key: found[key].n for key in told.kept if key in found} == told.kept
    assert found.keys() <= told.sent
    assert all(entry.body == body(*key) for key, entry in found.items())
    return found


def retry(path, told):
    """Each command that got no answer is sent again: it is carried out now, or was, once."""

    async def again():
        log = open_log(f"sqlite:{path}")
        for stream, cmd in sorted(told.sent - told.kept.keys()):
            head = dict(await log.streams(stream)).get(stream, 0)
            try:
                (entry,) = await log.append(stream, head, [NewEntry(cmd, 0, "seat/0", body(stream, cmd))])
            except RepeatedCommand as known:
                entry = known.entry if known.same else None
            assert entry is not None
            told.kept[stream, cmd] = entry.n
        await log.close()

    asyncio.run(again())


# ---- death ----------------------------------------------------------------------------------------------------------


def live_and_die(path, life, told, chance):
    """One life of an appender, ended by SIGKILL after so many words."""
    with appender(path, str(life), 100_000) as process:
        assert process.stdout
        words = chance.randrange(0, 250)
        lines = []
        guard = Timer(60, process.kill)
        guard.start()
        while len(lines) < words:
            line = process.stdout.readline()
            assert line, "it ended by itself, or said nothing for a minute"
            lines.append(line)
        guard.cancel()
        process.kill()
        told.hear([*lines, *process.stdout])
        process.wait()


@pytest.mark.parametrize("kills", [20, pytest.param(500, marks=pytest.mark.deep)])
def test_no_kill_loses_what_was_acknowledged(tmp_path, kills):
    path, told, chance = tmp_path / "log.db", Told(), random.Random(63)
    unanswered = unanswered_yet_kept = 0
    for life in range(kills):
        live_and_die(path, life, told, chance)
        if not path.exists():
            assert not told.kept
            continue
        open_ones = told.sent - told.kept.keys()
        found = check(path, told)
        unanswered += len(open_ones)
        unanswered_yet_kept += len(open_ones & found.keys())
        retry(path, told)
        assert check(path, told).keys() == told.sent
    print(f"{kills} kills: {len(told.kept)} acknowledged, {unanswered} unanswered, {unanswered_yet_kept} of them kept")
    assert len(told.kept) > 10 * kills


def strace(inject):
    """The words that run a command with a fault at a system call; skips where that cannot be."""
    if sys.platform != "linux" or not shutil.which("strace"):
        pytest.skip("strace is not installed: no faults of system calls are tested")
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,pwrite64", "-e", f"inject={inject}"]
    tried = subprocess.run([*words, "true"], check=False, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"strace cannot trace here: {tried.stderr.strip()[:200]}")
    return words


def faulty(path, told, inject, *more, appends=6):
    """A short life of an appender under strace; gives its exit code and what it complained of."""
    with appender(path, "0", appends, *more, under=strace(inject)) as process:
        try:
            said, errors = process.communicate(timeout=60)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # strace and what it runs, should they hang
        told.hear(said.splitlines(keepends=True))
        return process.returncode, errors


WRITES = [1, 4, 12, 24, 36, 48, 64]  # the first dozens make the file; each thread has a count of its own
SYNCS = [1, 2, 4, 6, 9]
CALLS = [
    *(("pwrite64", when) for when in WRITES),
    *(("fdatasync", when) for when in SYNCS),
    *(pytest.param("pwrite64", when, marks=pytest.mark.deep) for when in range(1, 201) if when not in WRITES),
    *(pytest.param("fdatasync", when, marks=pytest.mark.deep) for when in range(1, 101) if when not in SYNCS),
]


@pytest.mark.parametrize(("call", "when"), CALLS)
def test_death_at_a_system_call_loses_nothing_acknowledged(tmp_path, call, when):
    path, told = tmp_path / "log.db", Told()
    faulty(path, told, f"{call}:signal=SIGKILL:when={when}", appends=20)
    if not path.exists():
        assert not told.kept
        return
    check(path, told)
    retry(path, told)
    assert check(path, told).keys() == told.sent


# ---- a disk that fails ----------------------------------------------------------------------------------------------


FAULTS = [
    *(("fdatasync", "EIO", when) for when in SYNCS),
    *(("pwrite64", "ENOSPC", when) for when in WRITES),
    *(pytest.param("fdatasync", "EIO", when, marks=pytest.mark.deep) for when in range(1, 51) if when not in SYNCS),
    *(pytest.param("pwrite64", "ENOSPC", when, marks=pytest.mark.deep) for when in range(1, 101) if when not in WRITES),
]


@pytest.mark.parametrize(("call", "error", "when"), FAULTS)
def test_a_fault_of_the_disk_is_told_and_survived(tmp_path, call, error, when):
    """What was not saved is not there, not even after the end of the process; what comes after the fault is."""
    path, told = tmp_path / "log.db", Told()
    code, errors = faulty(path, told, f"{call}:error={error}:when={when}")
    if code:  # the file could not be made: a refusal with its sentence, and a second try works
        assert "bobing.ports.LogError" in errors
        assert not told.sent
        with appender(path, "0", 6) as process:
            told.hear(process.communicate(timeout=60)[0].splitlines(keepends=True))
    assert len(told.kept) + len(told.lost) == len(told.sent) == 6 * len(STREAMS)
    assert check(path, told).keys() == told.kept.keys()


def made(path):
    """The file is there, and has a write-ahead log as after a kill: so nothing has to be synced to open it."""
    read_all(path)
    apsw.Connection(str(path)).pragma("journal_mode", "wal")


@pytest.mark.parametrize("when", [1, 3, 5, pytest.param(9, marks=pytest.mark.deep)])
def test_what_was_not_saved_does_not_come_to_life_after_a_crash(tmp_path, when):
    """A commit whose sync fails stands whole in the write-ahead log; who was told NotSaved must not find it later."""
    path, told = tmp_path / "log.db", Told()
    made(path)  # the second sync is that of its folder, whose failure harms nothing
    code, errors = faulty(path, told, f"fdatasync:error=EIO:when={when}", "die", appends=20)
    assert code == DEAD, errors
    assert told.lost
    assert not told.lost & check(path, told).keys()


def test_nothing_is_acknowledged_while_the_disk_fails(tmp_path):
    path, told = tmp_path / "log.db", Told()
    made(path)
    code, errors = faulty(path, told, "fdatasync:error=EIO:when=6+", appends=20)
    assert code == 0, errors
    assert told.kept
    assert len(told.lost) > 10 * len(STREAMS)
    check(path, told)
    retry(path, told)
    assert check(path, told).keys() == told.sent


# ---- a full disk ----------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own; skips where none can be mounted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if sys.platform != "linux" or not shutil.which("mount"):
        pytest.skip("there is no mount here: a full disk is not tested")
    tried = subprocess.run(command, check=False, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"a small disk cannot be mounted (only root may): {tried.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def fill(log, stream, first=0):
    """Append until the log refuses; how many it took."""
    for n in range(first, 100_000):
        try:
            await log.append(stream, n, [NewEntry(f"c{n}", n, "host", b"x" * 500)])
        except NotSaved:
            return n
    raise AssertionError("the disk never filled")


def test_attack_66_a_full_disk_is_told_and_survived(tmp_path):
    with small_disk(tmp_path / "disk", "512k") as disk:
        path, filler = disk / "log.db", disk / "filler"

        async def test():
            log = open_log(f"sqlite:{path}")
            await log.append("B", 0, [NewEntry("b", 0, "host", b"{}")])
            filler.write_bytes(bytes(200_000))
            taken = await fill(log, "A")
            assert taken > 0
            for _ in range(3):  # nothing more goes in, many at once neither, and what is there can be read
                with pytest.raises(NotSaved, match="make room"):
                    await log.append("A", taken, [NewEntry("late", 0, "host", b"y" * 9_000)])
            tries = [log.append(f"C{i}", 0, [NewEntry("c", 0, "host", b"z" * 9_000)]) for i in range(20)]
            answers = await asyncio.gather(*tries, return_exceptions=True)
            assert all(isinstance(answer, NotSaved) for answer in answers)
            assert await log.streams() == (("A", taken), ("B", 1))
            assert len(await log.read("A")) == taken
            filler.unlink()
            assert await fill(log, "A", taken) > taken  # works again, in the same process
            entries = await log.read("A")
            await log.close()
            return len(entries)

        entries = asyncio.run(asyncio.wait_for(test(), 300))
        report = verify(path)
        assert (report.damage, report.entries) == ((), entries + 1)


LIMITED = """
import asyncio, resource, sys
from bobing.adapters import open_log
from bobing.ports import NewEntry, NotSaved

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

async def append(log, n):
    try:
        await log.append("A", n, [NewEntry(f"c{n}", n, "host", b"x" * 500)])
    except NotSaved:
        return False
    return True

async def main():
    log = open_log(sys.argv[1])
    limit(150_000)
    n = 0
    while n < 10_000 and (await append(log, n) or await append(log, n)):  # the first refusal may have made some room
        n += 1
    assert 0 < n < 10_000
    assert [await append(log, n) for _ in range(5)] == [False] * 5
    assert await log.streams() == (("A", n),)
    limit(resource.RLIM_INFINITY)
    assert all([await append(log, k) for k in range(n, n + 200)])
    await log.close()
    print(n + 200)

asyncio.run(main())
"""


def test_a_limit_of_file_sizes_is_told_and_survived(tmp_path):
    if sys.platform == "win32":
        pytest.skip("Windows has no limit of file sizes")
    path = tmp_path / "log.db"
    command = [sys.executable, "-c", LIMITED, f"sqlite:{path}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    report = verify(path)
    assert (report.damage, report.entries) == ((), int(done.stdout))
