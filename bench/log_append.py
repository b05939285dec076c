"""How many durable appends a second the SQLite log takes when many wait, as a multiple of one commit an append.

Method: the peer is the least that is durable, one connection with the same file settings, schema and hash chain, one
transaction with one append after the other, no event loop and no thread. Ours are tables that append at the same time
through `open_log`, each waiting for its answer before its next append. Both on files side by side, in turn, five
rounds; the ratio is the median of the rounds. The bodies have the size of an act (about 120 bytes). Aim: at least 20.

FOLDER as an argument puts the files there: a disk in memory shows the cost without syncing.
"""

import asyncio
import os
import platform
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path

import apsw

from bobing.adapters import open_log
from bobing.adapters.sqlite import statements
from bobing.adapters.sqlite.file import make_store
from bobing.ports import NewEntry

AIM = 20
ROUNDS = 5
SINGLE_S = 1.0
TABLES = 1_000
EACH = 10
BODY = (
    b'{"act":{"faces":"444411","seat":3,"t":"throw"},"q":"0123456789abcdef0123456789abcdef","t":"act","who":"seat/3"}'
)


def new():
    return NewEntry(secrets.token_urlsafe(16), 1_700_000_000_000, "seat/3", BODY)


def one_by_one(path):
    """Appends a second, each with a commit of its own."""
    connection = make_store(path)
    streams = [secrets.token_hex(4) for _ in range(20)]
    begun, n = time.perf_counter(), 0
    while time.perf_counter() - begun < SINGLE_S:
        connection.execute("BEGIN IMMEDIATE")
        statements.append(connection, streams[n % 20], n // 20, [new()], {}, ())
        connection.execute("COMMIT")
        n += 1
    return n / (time.perf_counter() - begun)


async def together(path):
    """Appends a second, and processor time for each in µs."""
    log = open_log(f"sqlite:{path}")

    async def table(stream):
        for n in range(EACH):
            await log.append(stream, n, [new()])

    streams = [secrets.token_hex(4) for _ in range(TABLES)]
    begun, busy = time.perf_counter(), time.process_time()
    await asyncio.gather(*(table(stream) for stream in streams))
    took, busy = time.perf_counter() - begun, time.process_time() - busy
    await log.close()
    return TABLES * EACH / took, busy / (TABLES * EACH) * 1e6


def main():
    rounds = []
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else Path.cwd()) as folder:
        for i in range(ROUNDS):
            single = one_by_one(Path(folder, f"one{i}.db"))
            grouped, cpu_us = asyncio.run(together(Path(folder, f"many{i}.db")))
            rounds.append((grouped / single, single, grouped, cpu_us))
    ratio, single, grouped, cpu_us = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f"one commit an append  {single:8.0f} a second")
    print(f"{TABLES} tables at once  {grouped:8.0f} a second, {cpu_us:.0f} µs of processor time each")
    print(f"ratio                 {ratio:8.1f}     (aim: at least {AIM})")
    print(f"ratios of the rounds  {', '.join(f'{row[0]:.1f}' for row in rounds)}")
    print(f"machine               Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}, ", end="")
    print(f"{platform.machine()}, {os.cpu_count()} cores")
    return int(ratio < AIM)


if __name__ == "__main__":
    sys.exit(main())
