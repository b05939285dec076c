"""R9: the wall clock may jump and run wild; order, turns and awards do not see it."""

import asyncio
import os
import random
import shutil
import sys
from pathlib import Path

import pytest

from bobing.server import views
from bobing.wire import messages as wire
from cli.test_serve import answered, serving
from server.live import line, new_table
from server.tables import HOST, Member, Play, SetClock

HOUR = 3_600_000
REAL = wire.Settings(dice="real", confirm="none")


class WildClock(SetClock):
    """A wall clock that steps by an hour to and fro and runs far too fast; monotonic time goes on as it does."""

    def __init__(self, seed):
        super().__init__()
        self.rng = random.Random(seed)

    def wall_ms(self):
        self.ms += 20
        return super().wall_ms() + self.rng.choice([0, HOUR, -HOUR, 50 * self.ms])


async def played(clock):
    """What a table of three comes to after 150 acts that are always the same."""
    play = await Play.open("a", "b", "c", settings=REAL)
    play.host.clock = clock
    rng, member = random.Random(9), Member(HOST)
    await play.host.enter(play.code, member, 0)
    await play.begin()
    for _ in range(150):
        game = play.room.game
        if game.finished:
            break
        roll = "".join(rng.choice("444123456") for _ in range(6))
        await play.send(wire.Do, act={"seat": game.next_seat, "roll": roll})
        if rng.random() < 0.1:
            await play.send(wire.Do, act={"undo": len(play.room.game.log)})
    told = [(line.n, line.act, line.moves, line.struck) for line in views.lines(play.room)]
    order = [message["n"] for message in member.got if message["t"] in ("news", "anew")]
    return views.view(play.room), told, order


@pytest.mark.parametrize("seed", range(5))
def test_steps_of_the_clock_change_nothing_of_the_game(seed):
    steady, wild = asyncio.run(played(SetClock())), asyncio.run(played(WildClock(seed)))
    assert wild == steady
    assert steady[2] == sorted(set(steady[2]))


def test_a_server_whose_clock_is_set_by_an_hour_plays_on(tmp_path):
    """The whole process, under libfaketime: an hour ahead, an hour back, fifty times as fast."""
    faketime = shutil.which("faketime")
    library = next(Path("/usr/lib").rglob("libfaketimeMT.so.1"), None)
    if faketime is None or library is None:
        pytest.skip("faketime is not installed: the clock of a whole process is not set")
    stamp = tmp_path / "stamp"
    stamp.write_text("+0")
    wild = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(stamp),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    assert os.environ.get("LD_PRELOAD") is None
    with serving(tmp_path / "tables.db", "--here", start=(sys.executable, "-m", "bobing", "serve"), **wild) as served:
        answered(f"{served.address}/healthz")
        code, token = new_table(served.address, "a", "b", settings={"dice": "real", "confirm": "none"})

        async def scenario():
            async with line(served.address, code, token) as host:
                n, times = (await host.do("begin"))["n"], []
                for i, step in enumerate(["+0", "+1h", "-1h", "+0 x50", "-2h", "+0"]):
                    stamp.write_text(step)
                    answer = await host.do("do", act={"seat": i % 2, "roll": "123356"})
                    assert answer == {"t": "ack", "cmd": answer["cmd"], "n": n + 1 + i}
                    assert host.view["next"] == (i + 1) % 2
                async with line(served.address, code, token) as again:
                    times = [told["at"] for told in again.welcome["lines"]]
                    assert [told["n"] for told in again.welcome["lines"]] == [1, 2, 3, 4, 5, 6]
                return times

        times = asyncio.run(scenario())
        assert times != sorted(times), "the clock was not set at all"
        assert times[1] - times[0] > 3_000_000
        assert served.end() == 0
