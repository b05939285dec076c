"""What comes at the same time is there once; what goes on by itself dies not unheard, and forgets what nobody needs."""

import asyncio
import secrets
import threading
from typing import Any
from unittest.mock import Mock

from bobing.adapters.memory import MemoryLog, NoBus
from bobing.adapters.system import SystemClock
from bobing.ports import NotSaved, Worker
from bobing.server import app, following, limits, standby
from bobing.server.desk import Desk
from bobing.server.event_room import DAY_MS
from bobing.server.following import Follower
from bobing.server.host import Host
from bobing.server.loading import Loading
from bobing.server.metrics import Metrics
from bobing.server.places import LIFE_MS, Places
from bobing.server.tasks import Tasks
from bobing.tournament.errors import EventRefused
from bobing.wire import event_messages as events
from bobing.wire import messages as wire
from server.tables import HOST, Member, Play, SetClock
from support.dice import ScriptedDice


def host_of(log, clock=None, **more):
    return Host(log, ScriptedDice(*["412355"] * 20), clock or SetClock(), Metrics(), **more)


def test_what_many_ask_for_at_once_is_loaded_once_and_what_fails_is_asked_for_anew():
    asked = []

    async def load(name):
        asked.append(name)
        await asyncio.sleep(0)
        if len(asked) == 1:
            raise NotSaved("not now")
        return name.upper()

    async def scenario():
        kept: dict[str, str] = {}
        loading = Loading(kept, load)
        first = await asyncio.gather(*(loading.get("a") for _ in range(5)), return_exceptions=True)
        assert {type(one) for one in first} == {NotSaved}
        gone, *_ = waiting = [asyncio.create_task(loading.get("a")) for _ in range(5)]
        await asyncio.sleep(0)
        gone.cancel()
        assert await asyncio.gather(*waiting[1:]) == ["A"] * 4
        assert await loading.get("a") == "A"
        assert (asked, kept) == (["a", "a"], {"a": "A"})

    asyncio.run(scenario())


def test_a_fault_in_work_that_nobody_waits_for_is_heard_of_and_a_refusal_is_not(caplog):
    async def fails(fault):
        raise fault

    async def scenario():
        tasks = Tasks()
        tasks.spawn(fails(KeyError("broken")))
        tasks.spawn(fails(NotSaved("the disk is full")))
        await tasks.settled(1)
        assert not tasks._under_way

    asyncio.run(scenario())
    assert [record.exc_info[0] for record in caplog.records] == [KeyError]


def test_of_two_connections_with_one_token_that_come_at_once_one_stays():
    async def scenario():
        play = await Play.open("a", "b")
        pair = [Member(HOST, play.token), Member(HOST, play.token)]
        await asyncio.gather(*(play.host.enter(play.code, member, 0) for member in pair))
        (stays,) = play.host.tables[play.code].members
        (other,) = [member for member in pair if member is not stays]
        assert (other.dismissed, stays.dismissed) == ("replaced", None)

    asyncio.run(scenario())


async def elsewhere(log):
    """A worker that serves a table, and another one that shows it."""
    clock = SystemClock()
    places = [Places(log, Worker(name, f"{name}:1", "key")) for name in ("one", "two")]
    for one in places:
        await one.start()
    serves, shows = (host_of(log, clock, places=one, bus=NoBus()) for one in places)
    made = await serves.make(wire.NewTable(players=["a", "b"]))
    await serves.table(made.code)
    return serves, Follower(shows, NoBus()), made.code, places


def test_all_who_begin_to_look_on_at_once_are_told_what_is_new():
    async def scenario():
        serves, follower, code, places = await elsewhere(MemoryLog())
        screens = [Member(wire.You("watch"), f"t{i}") for i in range(3)]
        await asyncio.gather(*(follower.enter(code, screen, 0) for screen in screens))
        begin = wire.Begin(cmd=secrets.token_urlsafe(16), at=1)
        assert isinstance(await serves.command(code, begin, HOST, "host"), wire.Ack)
        follower._late = True
        await follower._look()
        assert [screen.got[-1]["view"]["phase"] for screen in screens] == ["play"] * 3
        for screen in screens:
            follower.leave(code, screen)
        assert not follower._tables
        assert not follower._ends
        for one in places:
            one.rest()

    asyncio.run(scenario())


def test_a_log_that_answers_slowly_is_not_asked_again_before_it_has_answered(monkeypatch):
    monkeypatch.setattr(following, "POLL_S", 0.001)
    asked = []

    class Slow(MemoryLog):
        async def heads(self, streams):
            asked.append(streams)
            await asyncio.sleep(0.2)
            return await super().heads(streams)

    async def scenario():
        _, follower, code, places = await elsewhere(Slow())
        await follower.enter(code, Member(wire.You("watch"), "t"), 0)
        polling = asyncio.create_task(follower.poll())
        await asyncio.sleep(0.15)
        polling.cancel()
        for one in places:
            one.rest()

    asyncio.run(scenario())
    assert len(asked) == 1


def test_a_lease_that_is_lost_while_a_table_is_loaded_is_let_go_of_with_the_first_command():
    class Slow(MemoryLog):
        async def read(self, stream, after=0, limit=100_000):
            entries = await super().read(stream, after, limit)
            if limit == 100_000 and after == 0:
                await taken_over(stream)
            return entries

    async def taken_over(stream):
        """Held for dead, the worker loses what it just claimed, and finds out before it has read the table."""
        await log.leave(mine.worker)
        await log.claim(stream, Worker("two", "two:1", "key"), LIFE_MS)
        await mine._look()

    log = Slow()
    mine = Places(log, Worker("one", "one:1", "key"))

    async def scenario():
        host = host_of(log, places=mine)
        await log.beat(Worker("two", "two:1", "key"), LIFE_MS)
        await log.beat(mine.worker, LIFE_MS)
        made = await host.make(wire.NewTable(players=["a", "b"]))
        begin = wire.Begin(cmd=secrets.token_urlsafe(16), at=1)
        refused = await host.command(made.code, begin, HOST, "host")
        assert isinstance(refused, wire.Refused)
        assert refused.code == "log/lost_lease"
        assert made.code not in host.tables
        found = await host.seek(made.code)
        assert found is not None
        assert found.id == "two"

    asyncio.run(scenario())


async def an_event(log, clock):
    desk = Desk(host_of(log, clock))
    made = await desk.make(events.NewEvent(title="Mid-Autumn"))
    return desk, made.code


def test_an_event_where_nobody_is_leaves_the_memory_and_comes_back_whole():
    async def scenario():
        clock = SetClock()
        desk, code = await an_event(MemoryLog(), clock)
        before = (await desk.event(code)).room
        member = Member(events.EventYou("desk"), "t")
        await desk.enter(code, member, 0)
        clock.ms += DAY_MS + 1
        desk.unload()
        assert code in desk.events, "somebody is there"
        desk.leave(code, member)
        async with desk.events[code].lock:
            desk.unload()
            assert code in desk.events, "something is being stored"
        desk.events[code].at["TABLE234"] = 1
        play = await Play.open("a", "b")
        desk.host.tables["TABLE234"] = await play.host.table(play.code)
        desk.unload()
        assert code in desk.events, "one of its tables is there"
        del desk.host.tables["TABLE234"]
        desk.unload()
        assert code not in desk.events
        assert (await desk.event(code)).room == before

    asyncio.run(scenario())


def test_tidying_goes_on_whatever_fails_in_it(monkeypatch, caplog):
    monkeypatch.setattr(app, "_TIDY_S", 0)

    async def scenario():
        again = asyncio.Event()
        host: Any = Mock()
        host.unload.side_effect = lambda _: again.set() if host.unload.call_count > 2 else None
        desk: Any = Mock()
        desk.erasing.tidy.side_effect = KeyError("broken")
        tidying = asyncio.create_task(app._tidy(host, desk, 7))
        await asyncio.wait_for(again.wait(), 30)
        tidying.cancel()

    asyncio.run(scenario())
    assert [record.exc_info and record.exc_info[0] for record in caplog.records] == [KeyError]


def test_files_of_events_are_unpacked_one_at_a_time(monkeypatch):
    under_way, most = 0, 0

    def unpacked(data, prefix):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        threading.Event().wait(0.02)
        under_way -= 1
        raise EventRefused("no")

    monkeypatch.setattr(standby, "unpacked", unpacked)

    async def scenario():
        desk, _ = await an_event(MemoryLog(), SetClock())
        tries = (desk.handing_over.take_over(b"", "B") for _ in range(4))
        assert {type(one) for one in await asyncio.gather(*tries, return_exceptions=True)} == {EventRefused}

    asyncio.run(scenario())
    assert most == 1


def test_buckets_forget_the_keys_that_were_unused_longest(monkeypatch):
    monkeypatch.setattr(limits, "KEYS_MAX", 3)
    buckets = limits.Buckets(per_minute=1, burst=1)
    assert all(buckets.take(key, 0) for key in "abc")
    assert not buckets.take("a", 0)
    assert buckets.take("d", 0)
    assert not buckets.take("a", 0), "it was used last"
    assert buckets.take("b", 0), "it was forgotten"
