"""R11: several processes on one log race for the last prize of each table; it is awarded once."""

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bobing.adapters import open_log
from bobing.adapters.sqlite.maintenance import verify
from bobing.adapters.system import SystemClock, SystemDice
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.wire import messages as wire

TESTS = Path(__file__).parents[1]
LAST = wire.RulesChoice("minnan", {"cakes": {"yixiu": 1}})
REAL = wire.Settings(dice="real", confirm="none")


def host_of(url):
    return Host(open_log(url), SystemDice(), SystemClock(), Metrics())


async def made(url, tables):
    """Tables at which one yixiu cake is left, and it is the first seat's turn."""
    host = host_of(url)
    codes = [
        (await host.make(wire.NewTable(rules=LAST, settings=REAL, players=["a", "b"]))).code for _ in range(tables)
    ]
    for code in codes:
        begun = await host.command(code, wire.Begin(cmd="begin-of-the-game", at=1), wire.You(role="host"), "host")
        assert isinstance(begun, wire.Ack)
    await host.close()
    return codes


async def left(url, codes):
    """How many yixiu cakes each table has, and how many were won."""
    host = host_of(url)
    games = [(await host.table(code)).room.game for code in codes]
    states = [game.state for game in games if game]
    await host.close()
    return [(state.table["yixiu"], sum(state.holding(seat).get("yixiu", 0) for seat in (0, 1))) for state in states]


@pytest.mark.parametrize(("processes", "tables"), [(4, 15), pytest.param(8, 1_000, marks=pytest.mark.deep)])
def test_the_last_prize_is_won_once(tmp_path, processes, tables):
    url = f"sqlite:{tmp_path / 'tables.db'}"
    codes = asyncio.run(made(url, tables))
    pipe = subprocess.PIPE
    words = [sys.executable, "-m", "support.racer", url, *codes]
    racers: list[Any] = [
        subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=TESTS) for _ in range(processes)
    ]
    try:
        for racer in racers:
            assert racer.stdout.readline() == "ready\n"
        answers = Counter()
        for _ in codes:
            for racer in racers:
                racer.stdin.write("go\n")
                racer.stdin.flush()
            told = [racer.stdout.readline().strip() for racer in racers]
            assert told.count("won") == 1, told
            answers.update(told)
        for racer in racers:
            racer.stdin.close()
            assert racer.wait(60) == 0
    finally:
        for racer in racers:
            racer.kill()
            racer.stdout.close()
            racer.wait(60)
    print(answers)
    assert answers == {"won": tables, "table/stale": tables * (processes - 1)}
    assert asyncio.run(left(url, codes)) == [(0, 1)] * tables
    assert verify(tmp_path / "tables.db").damage == ()
