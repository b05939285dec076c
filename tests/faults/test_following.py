"""R8 and the screens of other workers: the bus falls silent, the database goes and comes, a worker is held for dead.

Two workers in one process over one log: one serves the table, at the other somebody looks on.
"""

import asyncio
import json
import secrets
import signal
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from bobing.adapters import open_bus, open_log
from bobing.adapters.memory import MemoryBus, MemoryLog, NoBus
from bobing.adapters.system import SystemClock
from bobing.ports import Grant, LostLease, Worker
from bobing.server import following, places, presence
from bobing.server.desk import Desk
from bobing.server.following import Follower
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.places import Elsewhere, Places
from bobing.server.rights import token_hash
from bobing.wire import event_messages as events
from bobing.wire import messages as wire
from server.live import new_table, serving
from support.dice import ScriptedDice
from support.services import Nats, Postgres

ROLLS = ["412355", "222235", "112356"] * 400


class Screen:
    """A connection that keeps what it was told."""

    def __init__(self, role: Any = "watch", token="t"):
        self.you, self.token_hash = wire.You(role=role), token_hash(token)
        self.told: list[Any] = []
        self.bye: str | None = None

    def send(self, message):
        self.told.append(msgspec.json.decode(message, type=wire.ServerMessage))

    def dismiss(self, why):
        self.bye = why

    def last(self, kind) -> Any:
        return next((message for message in reversed(self.told) if isinstance(message, kind)), None)

    @property
    def n(self):
        return max(message.n for message in self.told if isinstance(message, wire.Welcome | wire.News | wire.Anew))

    @property
    def lines(self):
        """The history as a page holds it."""
        lines = []
        for message in self.told:
            if isinstance(message, wire.Welcome | wire.Anew):
                lines = list(message.lines)
            elif isinstance(message, wire.News) and message.line is not None:
                lines.append(message.line)
        return [line.n for line in lines]


class One:
    """A worker: its host, and its follower."""

    def __init__(self, log, bus, name):
        self.places = Places(log, Worker(name, f"{name}:1", "key"))
        self.host = Host(log, ScriptedDice(*ROLLS), SystemClock(), Metrics(), places=self.places, bus=bus)
        self.follower = Follower(self.host, bus)

    async def act(self, code, number=1):
        for _ in range(number):
            answer = await self.say(code, await self.throw(code))
            assert isinstance(answer, wire.Ack), answer

    async def throw(self, code):
        """A throw of the seat whose turn it is."""
        room = (await self.host.table(code)).room
        assert room.game is not None
        return wire.Throw(cmd=secrets.token_urlsafe(16), at=room.n, seat=room.game.next_seat or 0)

    async def sought(self, code) -> Any:
        return await self.host.seek(code)

    async def say(self, code, command) -> Any:
        return await self.host.command(code, command, wire.You(role="host"), "host")


@asynccontextmanager
async def two_workers(log, bus_one, bus_two=None):
    one, two = One(log, bus_one, "one"), One(log, bus_two or bus_one, "two")
    for worker in (one, two):
        await worker.places.start()
    polling = [asyncio.create_task(worker.follower.poll()) for worker in (one, two)]
    made = await one.host.make(wire.NewTable(players=["a", "b", "c"], settings=wire.Settings(dice="digital")))
    begin = wire.Begin(cmd=secrets.token_urlsafe(16), at=1)
    assert isinstance(await one.host.command(made.code, begin, wire.You(role="host"), "host"), wire.Ack)
    try:
        yield one, two, made.code
    finally:
        for task in polling:
            task.cancel()
        for worker in (one, two):
            await worker.host.finish()
            await worker.places.close()
        await log.close()


async def until(true, seconds=60):
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0.01)


def run(test):
    return asyncio.run(asyncio.wait_for(test(), 300))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(following, "POLL_S", 0.1)


def online(screen):
    """Who is there, as a page holds it: of the last message that says so."""
    message = screen.last(wire.Welcome | wire.News | wire.Anew | wire.Presence)
    if isinstance(message, wire.Presence):
        return [seat in message.online for seat in range(3)]
    return [seat.online for seat in message.view.seats]


async def act(desk, code, **values):
    cmd, at = secrets.token_urlsafe(16), (await desk.event(code)).room.n
    kind = values.pop("kind", events.EventAct)
    answer = await desk.command(code, kind(cmd=cmd, at=at, **values), events.EventYou("desk"), "desk")
    assert isinstance(answer, wire.Ack), answer


@pytest.mark.parametrize("bus", [MemoryBus, NoBus])
def test_who_looks_on_elsewhere_hears_of_the_event_of_the_table(bus):
    async def test():
        async with two_workers(MemoryLog(), bus()) as (one, two, _):
            desk = Desk(one.host)
            event = (await desk.make(events.NewEvent(title="Moon"))).code
            rules = wire.RulesChoice(sheet="S12")
            await act(desk, event, kind=events.SessionSettings, session=1, name="s", choice=rules, tables=1, seats=4)
            people = [events.GuestEntry(name) for name in "ABC"]
            await act(desk, event, kind=events.EnterGuests, guests=people)
            await act(desk, event, act={"do": "draw", "session": 1, "seed": "s", "tables": [1], "who": "listed"})
            await act(desk, event, kind=events.OpenTables, tables=[1])
            table = (await desk.event(event)).room.event.state.tables[1].stream
            assert table
            screen, later = Screen(), Screen(token="u")
            await two.follower.enter(table, screen, 0)
            told = screen.last(wire.AtEvent)
            assert (told.event, told.title, told.table, told.closed) == (event, "Moon", 1, False)
            await act(desk, event, act={"do": "plan", "title": "Sun"})
            await until(lambda: screen.last(wire.AtEvent).title == "Sun")
            heard = len(screen.told)
            await act(desk, event, act={"do": "here", "guests": [1]})
            await act(desk, event, kind=events.CloseTables, tables=[1])
            await until(lambda: screen.last(wire.AtEvent).closed)
            assert sum(isinstance(one, wire.AtEvent) for one in screen.told[heard:]) == 1, (
                "what is old is not told anew"
            )
            await two.follower.enter(table, later, 0)
            assert later.last(wire.AtEvent) == screen.last(wire.AtEvent)
            for looking in (screen, later):
                two.follower.leave(table, looking)

    run(test)


def test_who_is_there_is_not_made_up_where_another_serves():
    async def test():
        async with two_workers(MemoryLog(), NoBus()) as (one, two, code):
            here, there = Screen(), Screen(token="u")
            await one.host.enter(code, here, 0)
            await one.host.log.set_notes(code, {"device/1": "1"})
            await two.follower.enter(code, there, 0)
            told = [[seat.online for seat in screen.last(wire.Welcome).view.seats] for screen in (here, there)]
            assert told == [[False, False, False], [False, None, False]]

    run(test)


def test_a_screen_at_another_worker_sees_who_comes_and_goes():
    async def test():
        async with two_workers(MemoryLog(), bus := Falling()) as (one, two, code):
            there, phone = Screen(token="u"), Screen("seat", "p")
            phone.you = wire.You(role="seat", seat=1)
            await one.host.log.grant(phone.token_hash, Grant(code, "seat", 1, 0))
            await two.follower.enter(code, there, 0)
            assert online(there)[1] is False  # no device holds it
            await one.host.enter(code, phone, 0)
            await until(lambda: online(there) == [False, True, False])
            await one.act(code)
            await until(lambda: there.n == phone.n)
            assert online(there) == [False, True, False]
            late = Screen(token="v")
            await two.follower.enter(code, late, 0)
            assert online(late) == [False, True, False]
            one.host.leave(code, phone)
            await until(lambda: online(there) == [False, False, False])
            await one.host.enter(code, phone, 0)
            await until(lambda: online(there)[1] is True)
            bus.up = False
            await until(lambda: online(there) == [False, None, False])
            bus.up = True
            presence.tell(bus, await one.host.table(code))
            await until(lambda: online(there)[1] is True)

    run(test)


def test_who_was_there_is_told_again_and_forgotten_after_a_silence(monkeypatch):
    monkeypatch.setattr(presence, "EVERY_S", 0.05)
    monkeypatch.setattr(presence, "KNOWN_MS", 300)

    async def test():
        async with two_workers(MemoryLog(), bus := MemoryBus()) as (one, two, code):
            there, phone = Screen(token="u"), Screen("seat", "p")
            phone.you = wire.You(role="seat", seat=1)
            await one.host.log.grant(phone.token_hash, Grant(code, "seat", 1, 0))
            await one.host.enter(code, phone, 0)
            await until(lambda: phone.last(wire.Presence))  # that was told too, before anybody looked on
            await two.follower.enter(code, there, 0)
            assert online(there)[1] is None
            telling = asyncio.create_task(presence.tell_on(bus, one.host.tables))
            await until(lambda: online(there)[1] is True)
            telling.cancel()  # the worker has died
            await until(lambda: online(there)[1] is None)

    run(test)


def test_a_table_has_one_writer_and_others_say_where(monkeypatch):
    async def test():
        async with two_workers(MemoryLog(), MemoryBus()) as (one, two, code):
            assert (await two.sought(code)).id == "one"
            assert await one.host.seek(code) is None
            with pytest.raises(Elsewhere):
                await two.host.table(code)
            await one.act(code)
            await one.places.close()  # it ends: the next who is asked takes over, and knows everything
            assert await two.host.seek(code) is None
            assert (await two.host.table(code)).room.n == (await one.host.table(code)).room.n
            await two.act(code)

    run(test)


def test_a_screen_at_another_worker_shows_what_the_one_shows():
    async def test():
        async with two_workers(MemoryLog(), MemoryBus()) as (one, two, code):
            here, there = Screen(), Screen(token="u")
            await one.host.enter(code, here, 0)
            await two.follower.enter(code, there, 0)
            for _ in range(5):
                await one.act(code)
                await until(lambda: there.n == here.n)
            undo = wire.Do(cmd=secrets.token_urlsafe(16), at=here.n, act={"undo": 3})
            await one.host.command(code, undo, wire.You(role="host"), "host")
            await until(lambda: there.n == here.n)
            assert there.lines == here.lines
            assert there.last(wire.News | wire.Anew).view == here.last(wire.News | wire.Anew).view

    run(test)


def test_with_the_bus_down_screens_come_late_say_so_and_miss_nothing():
    async def test():
        bus = Falling()
        async with two_workers(MemoryLog(), bus) as (one, two, code):
            here, there = Screen(), Screen(token="u")
            await one.host.enter(code, here, 0)
            await two.follower.enter(code, there, 0)
            bus.up = False
            await until(lambda: there.last(wire.Late) == wire.Late(late=True))
            await one.act(code, 7)
            rename = wire.RenameSeat(cmd=secrets.token_urlsafe(16), at=here.n, seat=1, name="Mei")
            await one.host.command(code, rename, wire.You(role="host"), "host")
            await until(lambda: there.n == here.n and there.last(wire.News | wire.Anew).view.seats[1].name == "Mei", 2)
            assert there.lines == here.lines
            bus.up = True
            await until(lambda: there.last(wire.Late) == wire.Late(late=False))
            await one.act(code)
            await until(lambda: there.n == here.n)

    run(test)


@pytest.mark.deep
def test_while_nats_is_down_for_a_minute_each_throw_is_seen_within_two_seconds(monkeypatch):
    monkeypatch.setattr(following, "POLL_S", 1)
    server, late = Nats(), []

    async def test():
        clock, buses = asyncio.get_running_loop().time, [open_bus(server.url), open_bus(server.url)]
        async with two_workers(MemoryLog(), *buses) as (one, two, code):
            here, there = Screen(), Screen(token="u")
            await one.host.enter(code, here, 0)
            await two.follower.enter(code, there, 0)
            server.stop(signal.SIGKILL)
            await until(lambda: there.last(wire.Late) == wire.Late(late=True))
            end = clock() + 60
            while clock() < end:
                await one.act(code)
                thrown = clock()
                await until(lambda: there.n == here.n)
                late.append(clock() - thrown)
                await asyncio.sleep(0.5)
            assert there.lines == here.lines
            server.start()
            await until(lambda: there.last(wire.Late) == wire.Late(late=False))
        for bus in buses:
            await bus.close()

    try:
        server.start()
        run(test)
    finally:
        server.stop()
    print(f"NATS down for 60 s: {len(late)} throws, each seen after at most {max(late):.2f} s")
    assert max(late) <= 2


def test_without_looking_into_the_log_a_silent_bus_would_be_seen(monkeypatch):
    """The protection taken away: the trial above would see a screen that stands still."""
    monkeypatch.setattr(Follower, "_look", lambda _self: asyncio.sleep(0))

    async def test():
        bus = Falling()
        async with two_workers(MemoryLog(), bus) as (one, two, code):
            there = Screen()
            await two.follower.enter(code, there, 0)
            bus.up = False
            await one.act(code)
            await asyncio.sleep(0.5)
            assert there.n < (await one.host.table(code)).room.n

    run(test)


class Falling(MemoryBus):
    """A bus that can be down."""

    up = True

    def publish(self, stream, n):
        if self.up:
            super().publish(stream, n)


def test_a_worker_that_was_held_for_dead_writes_nothing_and_lets_go(monkeypatch):
    async def test():
        log = MemoryLog()
        async with two_workers(log, NoBus()) as (one, two, code):
            screen = Screen(role="host")
            await one.host.enter(code, screen, 0)
            monkeypatch.setattr(places, "LIFE_MS", -1)  # to the other, everybody is dead
            await two.act(code)
            before = await log.read(code)
            throw = wire.Throw(cmd=secrets.token_urlsafe(16), at=2, seat=0)
            answer = await one.say(code, throw)
            assert answer.code == LostLease.code
            assert await log.read(code) == before
            assert screen.bye == "shut_down"  # it comes again, and is led to the other
            monkeypatch.setattr(places, "LIFE_MS", 2_000)
            assert (await one.sought(code)).id == "two"

    run(test)


def test_a_worker_that_nobody_reaches_is_followed_at_once_and_writes_nothing_where_it_lives(monkeypatch):
    monkeypatch.setattr(places, "LIFE_MS", 600_000)

    async def test():
        log = MemoryLog()
        async with two_workers(log, NoBus()) as (one, two, code):
            assert (await two.sought(code)).id == "one"
            assert await two.host.seek(code, gone=one.places.worker) is None  # nobody listened at its address
            await two.act(code)
            before = await log.read(code)
            answer = await one.say(code, wire.Throw(cmd=secrets.token_urlsafe(16), at=2, seat=0))
            assert answer.code == LostLease.code
            assert await log.read(code) == before
            assert (await one.sought(code)).id == "two"

    run(test)


def test_a_worker_at_the_address_of_one_that_ended_goes_on_with_its_tables_at_once(monkeypatch):
    """A worker that was started anew listens where the one before did; whoever is asked first takes over."""
    monkeypatch.setattr(places, "LIFE_MS", 600_000)

    async def test():
        log = MemoryLog()
        async with two_workers(log, NoBus()) as (one, two, code):
            anew = One(log, NoBus(), "anew")
            anew.places.worker = Worker("anew", one.places.worker.address, "another key")
            await anew.places.start()
            assert await anew.sought(code) is None
            await anew.act(code)
            assert (await two.sought(code)).id == "anew"
            before = await log.read(code)
            answer = await one.say(code, wire.Throw(cmd=secrets.token_urlsafe(16), at=2, seat=0))
            assert (answer.code, await log.read(code)) == (LostLease.code, before)
            await anew.host.finish()
            await anew.places.close()

    run(test)


def test_a_live_connection_for_the_worker_before_has_to_come_again():
    worker = Worker("anew", "127.0.0.1:1", "its key")

    async def test():
        with serving(worker=worker) as base:
            code, token = await asyncio.to_thread(new_table, base, "a", "b")
            for key, end in (("the key before", 1013), ("its key", None)):
                async with connect(
                    base.replace("http", "ws") + "/ws", additional_headers={"x-bobing-key": key}
                ) as line:
                    await line.send(json.dumps({"t": "hello", "code": code, "token": token}))
                    if end is None:
                        assert json.loads(await line.recv())["t"] == "welcome"
                    else:
                        await line.wait_closed()
                        assert line.close_code == end

    run(test)


def test_a_worker_that_slept_finds_out_by_itself(monkeypatch):
    monkeypatch.setattr(places, "BEAT_S", 0.05)
    clock = [0]

    async def test():
        log = MemoryLog(lambda: clock[0])
        async with two_workers(log, NoBus()) as (one, two, code):
            screen = Screen(role="host")
            await one.host.enter(code, screen, 0)
            one.places.rest()  # it sleeps
            clock[0] += 10_000
            await asyncio.sleep(0.1)
            await two.act(code)
            await one.places.start()
            clock[0] += 10_000
            await until(lambda: screen.bye == "shut_down")
            assert (await one.sought(code)).id == "two"

    run(test)


@pytest.mark.parametrize("down_s", [1, pytest.param(60, marks=pytest.mark.deep)])
def test_while_the_database_is_down_nothing_is_acknowledged_and_then_it_goes_on(down_s):
    server = Postgres()

    async def test():
        log = open_log(server.url())
        async with two_workers(log, open_bus("nobody://")) as (one, two, code):
            there = Screen()
            await two.follower.enter(code, there, 0)
            await one.act(code, 2)
            n = (await one.host.table(code)).room.n
            server.stop(signal.SIGQUIT)
            end = asyncio.get_running_loop().time() + down_s
            cmd = secrets.token_urlsafe(16)
            throw = msgspec.structs.replace(await one.throw(code), cmd=cmd)
            while asyncio.get_running_loop().time() < end:
                answer = await one.say(code, throw)
                assert answer.code == "log/not_saved"
                await asyncio.sleep(0.2)
            server.start()
            begun = asyncio.get_running_loop().time()
            async with asyncio.timeout(60):
                while not isinstance(await go_on(one, two, code, throw), wire.Ack):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            took = asyncio.get_running_loop().time() - begun
            print(f"PostgreSQL down for {down_s} s: acknowledged {took:.1f} s after it was there again")
            entries = await log.read(code)
            assert [entry.cmd for entry in entries].count(f"host.{cmd}") == 1
            await until(lambda: there.n >= n + 1)

    try:
        server.start()
        asyncio.run(asyncio.wait_for(test(), 300))
    finally:
        server.remove()


async def go_on(one, two, code, throw):
    """The same command again, at whichever worker serves the table by now."""
    last = None
    for worker in (one, two):
        try:
            return await worker.host.command(code, throw, wire.You(role="host"), "host")
        except Exception as elsewhere:  # noqa: BLE001 - it is asked again
            last = elsewhere
    return last
