"""A table that stays open for a week, and very many tables in one file."""

import asyncio
import time

import pytest

from bobing.adapters import open_log
from bobing.adapters.sqlite.maintenance import verify
from bobing.adapters.system import SystemDice
from bobing.server import views
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.wire import messages as wire
from server.tables import HOST, Member, SetClock

DAY = 86_400_000
REAL = wire.Settings(dice="real", confirm="none")


def host_of(url, clock):
    return Host(open_log(url), SystemDice(), clock, Metrics())


async def throw(host, code, you=HOST):
    """One throw for whoever's turn it is."""
    room = (await host.table(code)).room
    act = {"seat": room.game.state.next_seat, "roll": "123356"}
    command = wire.Do(cmd=f"a-throw-{room.n:012d}", at=room.n, act=act)
    answer = await host.command(code, command, you, f"{you.role}{you.seat}")
    assert isinstance(answer, wire.Ack), answer


def test_a_table_stays_open_for_a_week(tmp_path):
    """Somebody comes once a day; between, nobody is there, and one night the server is started anew."""
    url, clock = f"sqlite:{tmp_path / 'tables.db'}", SetClock()

    async def scenario():
        host = host_of(url, clock)
        made = await host.make(wire.NewTable(settings=REAL, players=["a", "b"]))
        seat = (await host.door.join(made.code, wire.Joining(seat=1))).token
        await host.command(made.code, wire.Begin(cmd="begin-of-the-game", at=1), HOST, "host")
        for day in range(7):
            member = Member(await host.who(made.code, seat), seat)
            await host.enter(made.code, member, 0)
            assert len(member.got[0]["lines"]) == 2 * day
            await throw(host, made.code)
            await throw(host, made.code, member.you)
            host.leave(made.code, member)
            before = views.view((await host.table(made.code)).room)
            clock.ms += DAY
            host.unload(1_800_000)
            assert host.tables == {}, "nobody is there: the memory is free"
            if day == 3:
                await host.close()
                host = host_of(url, clock)
            assert views.view((await host.table(made.code)).room) == before
        assert (await host.who(made.code, made.token)).role == "host", "tokens have no end"
        lines = views.lines((await host.table(made.code)).room)
        assert len({line.at // DAY for line in lines}) == 7
        await host.close()

    asyncio.run(scenario())
    assert verify(tmp_path / "tables.db").damage == ()


@pytest.mark.parametrize("tables", [300, pytest.param(10_000, marks=pytest.mark.deep)])
def test_very_many_tables_lie_in_one_file(tmp_path, tables):
    path = tmp_path / "tables.db"
    url, clock = f"sqlite:{path}", SetClock()

    async def fill():
        host = host_of(url, clock)

        async def one(number):
            made = await host.make(wire.NewTable(settings=REAL, players=["a", "b", f"n{number}"]))
            await host.command(made.code, wire.Begin(cmd="begin-of-the-game", at=1), HOST, "host")
            for _ in range(3):
                await throw(host, made.code)
            return made

        codes = []
        for start in range(0, tables, 100):
            codes += await asyncio.gather(*(one(number) for number in range(start, min(tables, start + 100))))
            clock.ms += DAY
            host.unload(1)
        await host.close()
        return codes

    async def come_back(codes):
        began = time.perf_counter()
        host = host_of(url, clock)
        opened = time.perf_counter() - began
        assert host.tables == {}, "a table is read when somebody asks for it"
        began = time.perf_counter()
        for number, made in list(enumerate(codes))[:: max(1, tables // 50)]:
            assert (await host.who(made.code, made.token)).role == "host"
            room = (await host.table(made.code)).room
            assert room.name(2) == f"n{number}"
            assert room.game is not None
            assert len(room.game.log) == 3
            await throw(host, made.code)
        each = (time.perf_counter() - began) / len(host.tables)
        assert len(await host.log.streams()) == tables
        await host.close()
        return opened, each

    codes = asyncio.run(fill())
    opened, each = asyncio.run(come_back(codes))
    report = verify(path)
    assert (report.streams, report.damage) == (tables, ())
    size = path.stat().st_size
    print(
        f"{tables} tables, {report.entries} entries: {size / 2**20:.0f} MiB, {size / tables / 1024:.1f} kB each; ",
        end="",
    )
    print(f"opened in {opened * 1000:.0f} ms, a table read, played at and stored in {each * 1000:.1f} ms")
