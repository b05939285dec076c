"""What a durable append costs the processor, layer by layer, as a multiple of the least: a C loop that syncs.

Method: one append after the other, each waited for; the figure is the processor time of the process for each, user and
system; all in turn, the median of five rounds of 200. Only the last layers have a thread and an event loop. The C loop
writes 600 bytes, about what an entry comes to; SQLite writes three pages. No aim: it says what is left for the rest of
a throw in `bench/room.py`, in which each of these costs more, for what goes on after a wait has lost the processor's
caches.

FOLDER as an argument puts the files there; those in memory are in /dev/shm, where nothing is synced.
"""

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import apsw
import uvloop

from bobing.adapters.sqlite import statements
from bobing.adapters.sqlite.file import make_store
from bobing.adapters.sqlite.log import SqliteLog
from bobing.ports import Grant, NewEntry, Right

BYTES, APPENDS, ROUNDS = 600, 200, 5
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
SOURCE = Path(__file__).parent / "_append" / "floor.c"
RIGHT = Right(bytes(32), "host", None)
GRANT = Grant("ABCDEFGH", "host", None, 1)
INSERT = "INSERT INTO act (stream, n, cmd_id, at, actor, body, h) VALUES ('ABCDEFGH', ?, ?, ?, 'host', ?, zeroblob(32))"


def new(n):
    return NewEntry(f"0123456789abcdef.throw-of-the-host-{n:08d}", 1_700_000_000_000, "host", bytes(320))


def in_c(floor, kind, path):
    said = subprocess.run([floor, kind, f"{BYTES}", f"{APPENDS}", path], check=True, capture_output=True, text=True)
    return float(said.stdout)


def spent(append):
    """µs of the processor for each of so many appends."""
    begun = time.process_time()
    for n in range(APPENDS):
        append(n)
    return (time.process_time() - begun) / APPENDS * 1e6


def one_statement(path):
    """A row of the log, and nothing looked at."""
    connection = make_store(path)
    connection.execute("DROP TRIGGER act_follows")
    took = spent(lambda n: connection.execute(INSERT, (n + 1, new(n).cmd, new(n).at, new(n).body)))
    connection.close()
    return took


def all_statements(path):
    """What the log does for an append, without its thread."""
    connection = make_store(path)
    statements.grant(connection, RIGHT.token_hash, GRANT)

    def append(n):
        connection.execute("BEGIN IMMEDIATE")
        statements.append(connection, GRANT.stream, n, [new(n)], {}, (), RIGHT)
        connection.execute("COMMIT")

    took = spent(append)
    connection.close()
    return took


async def whole(path):
    """The log as the server asks it, with its thread and an event loop."""
    log = SqliteLog(path)
    await log.grant(RIGHT.token_hash, GRANT)
    begun = time.process_time()
    for n in range(APPENDS):
        await log.append(GRANT.stream, n, [new(n)], right=RIGHT)
    took = (time.process_time() - begun) / APPENDS * 1e6
    await log.close()
    return took


def main():
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("there is no C compiler here: the floor, and with it every ratio, cannot be measured")
        return 1
    rounds = {}
    place = sys.argv[1] if len(sys.argv) > 1 else Path.cwd()
    with tempfile.TemporaryDirectory(dir=place) as folder, tempfile.TemporaryDirectory(dir=MEMORY) as memory:
        floor = Path(folder, "floor")
        subprocess.run([compiler, "-O2", "-o", floor, SOURCE], check=True)
        layers = {
            "C, file is there": partial(in_c, floor, "there"),
            "C, O_DSYNC": partial(in_c, floor, "dsync"),
            "C, file grows": partial(in_c, floor, "grows"),
            "one statement": one_statement,
            "all statements": all_statements,
            "the whole log": lambda path: uvloop.run(whole(path)),
            "the same, in memory": lambda path: uvloop.run(whole(Path(memory, path.name))),
        }
        for i in range(ROUNDS):
            for name, layer in layers.items():
                rounds.setdefault(name, []).append(layer(Path(folder, f"{name}{i}")))
    least = statistics.median(rounds["C, file is there"])
    for name, figures in rounds.items():
        figure = statistics.median(figures)
        print(f"{name:20}{figure:8.1f} µs an append {figure / least:7.2f} x the least")
    print(f"{'machine':20}Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}, ", end="")
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
