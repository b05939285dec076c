"""What every log promises, whatever keeps it: the same tests for each adapter."""

import asyncio
import contextlib
from contextlib import asynccontextmanager

import pytest

from bobing.adapters import open_log
from bobing.adapters.memory import MemoryLog
from bobing.core.chain import ZERO, link
from bobing.ports import (
    Entry,
    Grant,
    Holding,
    Lease,
    LogError,
    LostLease,
    LostRace,
    NewEntry,
    RepeatedCommand,
    Right,
    RightGone,
    Worker,
)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def opened(request, tmp_path):
    """Opens a log for the length of an `async with`."""
    match request.param:
        case "memory":
            url = "memory://"
        case "sqlite":
            url = f"sqlite:{tmp_path / 'log.db'}"
        case _:
            url = request.getfixturevalue("postgres_url")

    @asynccontextmanager
    async def opening():
        log = open_log(url)
        try:
            yield log
        finally:
            await log.close()

    return opening


def new(cmd, body=b"{}", *, at=1, actor="seat/0"):
    return NewEntry(cmd, at, actor, body)


def run(test):
    return asyncio.run(asyncio.wait_for(test(), 300))


def chain_holds(entries):
    h = ZERO
    for n, entry in enumerate(entries, 1):
        h = link(h, entry.body)
        if (entry.n, entry.h) != (n, h):
            return False
    return True


# ---- append and read ------------------------------------------------------------------------------------------------


def test_what_was_appended_is_read_back(opened):
    async def test():
        async with opened() as log:
            body = '{"who":"小明"}'.encode()
            first = await log.append("A", 0, [new("a", body, at=1_700_000_000_000, actor="host")])
            second = await log.append("A", 1, [new("b"), new("c", b"\x00\xff")])
            assert first == (Entry("A", 1, "a", 1_700_000_000_000, "host", body, link(ZERO, body)),)
            assert [(entry.n, entry.cmd) for entry in second] == [(2, "b"), (3, "c")]
            assert tuple(await log.read("A")) == (*first, *second)
            assert chain_holds(await log.read("A"))

    run(test)


def test_reading_goes_on_where_it_is_told(opened):
    async def test():
        async with opened() as log:
            await log.append("A", 0, [new(str(i)) for i in range(10)])
            numbers = {
                (after, limit): [entry.n for entry in await log.read("A", after, limit)]
                for after, limit in [(0, 3), (8, 100), (10, 5), (99, 5), (0, 0), (-4, 2), (3, -1)]
            }
            assert numbers == {
                (0, 3): [1, 2, 3],
                (8, 100): [9, 10],
                (10, 5): [],
                (99, 5): [],
                (0, 0): [],
                (-4, 2): [1, 2],
                (3, -1): [],
            }

    run(test)


def test_a_stream_that_does_not_exist_is_empty(opened):
    async def test():
        async with opened() as log:
            assert tuple(await log.read("A")) == ()
            assert await log.find("A", "a") is None
            assert dict(await log.notes("A")) == {}
            assert tuple(await log.streams()) == ()

    run(test)


def test_nothing_appended_makes_no_stream(opened):
    async def test():
        async with opened() as log:
            assert tuple(await log.append("A", 0, [])) == ()
            assert tuple(await log.streams()) == ()
            with pytest.raises(LostRace):
                await log.append("A", 1, [])

    run(test)


def test_a_command_is_found_in_its_own_stream(opened):
    async def test():
        async with opened() as log:
            (entry,) = await log.append("A", 0, [new("a")])
            await log.append("B", 0, [new("a", b"other")])  # the same name in another stream is another command
            assert await log.find("A", "a") == entry
            assert await log.find("A", "b") is None

    run(test)


@pytest.mark.parametrize("name", ["", "A'; DROP TABLE act;--", "饼桌🎲", "%", "_", "a\nb"])
def test_a_stream_may_have_any_name(opened, name):
    async def test():
        async with opened() as log:
            await log.append(name, 0, [new("a")])
            await log.append("other", 0, [new("b")])
            assert [entry.cmd for entry in await log.read(name)] == ["a"]
            assert (name, 1) in await log.streams(name)

    run(test)


def test_streams_come_by_name_with_their_last_number(opened):
    async def test():
        async with opened() as log:
            for name, entries in [("table/b", 2), ("table/a", 1), ("event", 3), ("table", 1), ("tablf", 1)]:
                await log.append(name, 0, [new(str(i)) for i in range(entries)])
            assert tuple(await log.streams("table/")) == (("table/a", 1), ("table/b", 2))
            everything = (("event", 3), ("table", 1), ("table/a", 1), ("table/b", 2), ("tablf", 1))
            assert tuple(await log.streams()) == everything
            assert tuple(await log.streams("z")) == ()

    run(test)


def test_heads_of_those_that_exist(opened):
    async def test():
        async with opened() as log:
            await log.append("A", 0, [new("a"), new("b")])
            await log.append("%", 0, [new("a")])
            assert dict(await log.heads(["A", "B", "%", ""])) == {"A": 2, "%": 1}
            assert dict(await log.heads([])) == {}

    run(test)


# ---- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("expected", [0, 1, 3, -1])
def test_a_lost_race_writes_nothing(opened, expected):
    async def test():
        async with opened() as log:
            await log.append("A", 0, [new("a"), new("b")])
            before = tuple(await log.read("A"))
            with pytest.raises(LostRace) as lost:
                await log.append("A", expected, [new("c"), new("d")])
            assert lost.value.head == 2
            assert tuple(await log.read("A")) == before
            await log.append("A", 2, [new("c")])  # its command is not used up

    run(test)


def test_the_same_command_again_tells_what_it_led_to(opened):
    async def test():
        async with opened() as log:
            (entry,) = await log.append("A", 0, [new("a", b"body")])
            await log.append("A", 1, [new("b")])
            with pytest.raises(RepeatedCommand) as again:  # with the number of the first time, as a retry has
                await log.append("A", 0, [new("a", b"body", at=99, actor="seat/0")])
            assert (again.value.entry, again.value.same) == (entry, True)
            with pytest.raises(RepeatedCommand) as other:
                await log.append("A", 2, [new("a", b"other")])
            assert (other.value.entry, other.value.same) == (entry, False)
            assert len(await log.read("A")) == 2

    run(test)


def test_several_entries_are_repeated_together(opened):
    async def test():
        async with opened() as log:
            first, _ = await log.append("A", 0, [new("a"), new("a.1", b"more")])
            for entries, same in [
                ([new("a"), new("a.1", b"more")], True),
                ([new("a"), new("a.1", b"less")], False),
                ([new("a"), new("a.2", b"more")], False),
            ]:
                with pytest.raises(RepeatedCommand) as again:
                    await log.append("A", 0, entries)
                assert (again.value.entry, again.value.same) == (first, same)

    run(test)


def test_an_append_is_all_or_nothing(opened):
    async def test():
        async with opened() as log:
            await log.append("A", 0, [new("a")])
            with pytest.raises(RepeatedCommand):
                await log.append("A", 1, [new("b"), new("c"), new("a")])
            assert [entry.cmd for entry in await log.read("A")] == ["a"]
            assert await log.find("A", "b") is None

    run(test)


def test_two_entries_of_one_append_have_two_commands(opened):
    async def test():
        async with opened() as log:
            with pytest.raises(LogError) as refused:
                await log.append("A", 0, [new("a"), new("a")])
            assert refused.value.code == "log/doubled_command"
            assert tuple(await log.read("A")) == ()

    run(test)


# ---- many at once ---------------------------------------------------------------------------------------------------


def test_many_at_once_leave_no_gap(opened):
    """200 writers on 20 streams; who loses the race reads on and tries again."""

    async def write(log, i):
        head = 0
        while True:
            try:
                return await log.append(f"S{i % 20}", head, [new(f"cmd{i}", f"body{i}".encode())])
            except LostRace as lost:
                head = lost.head

    async def test():
        async with opened() as log:
            written = await asyncio.gather(*(write(log, i) for i in range(200)))
            assert tuple(await log.streams()) == tuple(sorted((f"S{i}", 10) for i in range(20)))
            for i in range(20):
                entries = await log.read(f"S{i}")
                assert chain_holds(entries)
                assert {entry.cmd for entry in entries} == {f"cmd{k}" for k in range(i, 200, 20)}
            for i, (entry,) in enumerate(written):
                assert await log.find(f"S{i % 20}", f"cmd{i}") == entry

    run(test)


def test_one_command_sent_many_times_at_once_is_carried_out_once(opened):
    async def test():
        async with opened() as log:
            sent = [log.append("A", 0, [new("a")]) for _ in range(50)]
            answers = await asyncio.gather(*sent, return_exceptions=True)
            taken = [answer for answer in answers if not isinstance(answer, BaseException)]
            repeated = [answer for answer in answers if isinstance(answer, RepeatedCommand)]
            assert (len(taken), len(repeated)) == (1, 49)
            (entry,) = taken[0]
            assert all(answer.entry == entry and answer.same for answer in repeated)
            assert len(await log.read("A")) == 1

    run(test)


def test_a_caller_that_is_gone_harms_nobody(opened):
    async def test():
        async with opened() as log:
            tasks = [asyncio.create_task(log.append(f"S{i}", 0, [new("a")])) for i in range(20)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
            assert not any(isinstance(answer, BaseException) for answer in answers[1::2])
            await log.append("B", 0, [new("b")])
            for i in range(20):
                assert len(await log.read(f"S{i}")) <= 1

    run(test)


# ---- notes and grants -----------------------------------------------------------------------------------------------


def test_notes_are_set_changed_and_erased(opened):
    async def test():
        async with opened() as log:
            await log.set_notes("A", {"name/0": "阿明", "name/1": "小红", "title": "中秋"})
            await log.set_notes("B", {"name/0": "another"})
            await log.set_notes("A", {"name/0": None, "name/1": "小虹", "unknown": None})
            assert dict(await log.notes("A")) == {"name/1": "小虹", "title": "中秋"}
            assert dict(await log.notes("B")) == {"name/0": "another"}
            await log.set_notes("A", {})
            await log.set_notes("A", {"name/1": None, "title": None})
            assert dict(await log.notes("A")) == {}

    run(test)


def test_secrets_are_kept_changed_and_erased_and_stand_nowhere_else(opened):
    async def test():
        async with opened() as log:
            await log.append("A", 0, [new("a")])
            await log.keep_secret("A", "draw/1", bytes(32))
            await log.keep_secret("A", "draw/2", b"two")
            await log.keep_secret("B", "draw/1", b"another")
            await log.keep_secret("A", "draw/1", b"one")
            assert await log.secret("A", "draw/1") == b"one"
            assert await log.secret("A", "draw/3") is None
            await log.keep_secret("A", "draw/1", None)
            await log.keep_secret("A", "draw/3", None)
            assert await log.secret("A", "draw/1") is None
            assert (await log.secret("A", "draw/2"), await log.secret("B", "draw/1")) == (b"two", b"another")
            assert (dict(await log.secrets("A")), dict(await log.secrets("C"))) == ({"draw/2": b"two"}, {})
            assert dict(await log.notes("A")) == {}
            assert all(b"two" not in entry.body for entry in await log.read("A"))

    run(test)


def test_notes_given_out_are_a_copy(opened):
    async def test():
        async with opened() as log:
            given = {"title": "中秋"}
            await log.set_notes("A", given)
            given["title"] = "changed"
            dict(await log.notes("A")).clear()
            assert dict(await log.notes("A")) == {"title": "中秋"}

    run(test)


HOST, SEAT_1, SEAT_2, WATCH = (
    Grant("A", "host", None, 1),
    Grant("A", "seat", 1, 2),
    Grant("A", "seat", 2, 3),
    Grant("A", "watch", None, 4),
)


async def grant_all(log):
    for i, grant in enumerate([HOST, SEAT_1, SEAT_2, WATCH]):
        await log.grant(bytes([i]) * 32, grant)
    await log.grant(b"\xff" * 32, Grant("B", "seat", 1, 5))


@pytest.mark.parametrize(
    ("right", "holds"),
    [
        (Right(b"\x01" * 32, "seat", 1), True),
        (Right(b"\x00" * 32, "host", None), True),
        (Right(b"\x01" * 32, "seat", 2), False),
        (Right(b"\x01" * 32, "host", 1), False),
        (Right(b"\xff" * 32, "seat", 1), False),
        (Right(b"\x09" * 32, "seat", 1), False),
    ],
    ids=str,
)
def test_an_append_needs_the_right_that_it_names(opened, right, holds):
    async def test():
        async with opened() as log:
            await grant_all(log)
            added = []
            try:
                added += await log.append("A", 0, [new("a")], notes={"x": "y"}, right=right)
            except RightGone:
                assert not holds
            assert [entry.n for entry in added] == ([1] if holds else [])
            assert await log.notes("A") == ({"x": "y"} if holds else {})
            assert len(await log.read("A")) == len(added)

    run(test)


def test_a_right_that_was_taken_away_is_gone_for_the_next_append(opened):
    async def test():
        async with opened() as log:
            await grant_all(log)
            right = Right(b"\x01" * 32, "seat", 1)
            await log.append("A", 0, [new("a")], revoke=[1], right=right)
            with pytest.raises(RightGone):
                await log.append("A", 1, [new("b")], right=right)

    run(test)


async def left(log):
    found = [await log.granted(bytes([i]) * 32) for i in range(4)]
    assert await log.granted(b"\xff" * 32) == Grant("B", "seat", 1, 5)
    return [grant for grant in found if grant]


@pytest.mark.parametrize(
    ("which", "kept"),
    [
        ({}, []),
        ({"role": "seat"}, [HOST, WATCH]),
        ({"role": "seat", "seat": 1}, [HOST, SEAT_2, WATCH]),
        ({"seat": 2}, [HOST, SEAT_1, WATCH]),
        ({"role": "host"}, [SEAT_1, SEAT_2, WATCH]),
        ({"role": "host", "seat": 1}, [HOST, SEAT_1, SEAT_2, WATCH]),
        ({"role": "nobody"}, [HOST, SEAT_1, SEAT_2, WATCH]),
    ],
    ids=str,
)
def test_grants_are_kept_until_they_are_revoked(opened, which, kept):
    async def test():
        async with opened() as log:
            await grant_all(log)
            assert await left(log) == [HOST, SEAT_1, SEAT_2, WATCH]
            assert await log.revoke("A", **which) == 4 - len(kept)
            assert await left(log) == kept
            assert await log.revoke("A", **which) == 0

    run(test)


def test_notes_and_seats_go_with_the_entries(opened):
    async def test():
        async with opened() as log:
            await grant_all(log)
            await log.set_notes("A", {"name/1": "小红", "device/1": "1"})
            gone = {"name/1": "小虹", "device/1": None}
            assert len(await log.append("A", 0, [new("a")], notes=gone, revoke=[1])) == 1
            assert dict(await log.notes("A")) == {"name/1": "小虹"}
            assert await left(log) == [HOST, SEAT_2, WATCH]
            assert tuple(await log.append("A", 1, [], notes={"title": "中秋"}, revoke=[2])) == ()
            assert (await log.notes("A"))["title"] == "中秋"
            assert await left(log) == [HOST, WATCH]

    run(test)


@pytest.mark.parametrize(("expected", "cmd"), [(0, "b"), (1, "a")], ids=["a lost race", "a repeated command"])
def test_an_append_that_is_refused_leaves_notes_and_seats_as_they_were(opened, expected, cmd):
    async def test():
        async with opened() as log:
            await grant_all(log)
            await log.append("A", 0, [new("a")], notes={"title": "中秋"})
            with pytest.raises(LogError):
                await log.append("A", expected, [new(cmd)], notes={"title": None, "name/0": "x"}, revoke=[1, 2])
            assert dict(await log.notes("A")) == {"title": "中秋"}
            assert await left(log) == [HOST, SEAT_1, SEAT_2, WATCH]

    run(test)


def test_a_token_that_was_never_granted_allows_nothing(opened):
    async def test():
        async with opened() as log:
            assert await log.granted(bytes(32)) is None

    run(test)


def test_all_grants_of_a_stream_are_told_with_their_hashes(opened):
    async def test():
        async with opened() as log:
            await grant_all(log)
            told = list(await log.grants("A"))
            assert len(told) == 4
            assert [token for token, _ in told] == sorted(token for token, _ in told)
            for token, grant in told:
                assert await log.granted(token) == grant
            assert tuple(await log.grants("elsewhere")) == ()

    run(test)


def test_the_last_grant_of_a_token_counts(opened):
    async def test():
        async with opened() as log:
            await log.grant(bytes(32), SEAT_1)
            await log.grant(bytes(32), SEAT_2)
            assert await log.granted(bytes(32)) == SEAT_2

    run(test)


def test_a_grant_can_take_the_place_of_others(opened):
    async def test():
        async with opened() as log:
            await grant_all(log)
            await log.grant(b"\x07" * 32, HOST, ending=("host", "heir"))
            assert await left(log) == [SEAT_1, SEAT_2, WATCH]
            assert await log.granted(b"\x07" * 32) == HOST

    run(test)


# ---- leases ---------------------------------------------------------------------------------------------------------

ONE, TWO = Worker("one", "10.0.0.1:1", "k1"), Worker("two", "10.0.0.2:1", "k2")
LIFE_MS = 60_000


def test_a_lease_is_held_while_its_worker_lives(opened):
    async def test():
        async with opened() as log:
            assert not await log.beat(ONE, LIFE_MS)
            assert await log.beat(ONE, LIFE_MS)
            first = await log.claim("A", ONE, LIFE_MS)
            assert first == Holding(ONE, Lease("A", 1))
            assert await log.claim("A", TWO, LIFE_MS) == first
            assert await log.claim("A", ONE, LIFE_MS) == first
            assert (await log.claim("B", TWO, LIFE_MS)).lease == Lease("B", 1)
            await log.leave(ONE)
            assert await log.claim("A", TWO, LIFE_MS) == Holding(TWO, Lease("A", 2))

    run(test)


def test_who_is_reached_where_another_was_follows_it_and_nobody_else(opened):
    async def test():
        async with opened() as log:
            for worker, name in ((ONE, "A"), (TWO, "B")):
                await log.beat(worker, LIFE_MS)
                await log.claim(name, worker, LIFE_MS)
            anew = Worker("anew", ONE.address, "k3")
            await log.beat(anew, LIFE_MS)
            await log.follow(anew)
            assert await log.claim("A", TWO, LIFE_MS) == Holding(TWO, Lease("A", 2)), "the first has ended"
            assert await log.claim("B", anew, LIFE_MS) == Holding(TWO, Lease("B", 1)), "the second has not"
            assert await log.beat(anew, LIFE_MS), "nor has the one that follows"
            assert not await log.beat(ONE, LIFE_MS)

    run(test)


def test_who_does_not_say_that_it_lives_counts_as_dead(opened):
    async def test():
        async with opened() as log:
            await log.beat(ONE, LIFE_MS)
            await log.claim("A", ONE, LIFE_MS)
            await asyncio.sleep(0.05)
            assert (await log.claim("A", TWO, 1)).worker == TWO
            assert not await log.beat(ONE, 1)

    run(test)


def test_a_stale_epoch_cannot_write(opened):
    async def test():
        async with opened() as log:
            await log.beat(ONE, LIFE_MS)
            stale = (await log.claim("A", ONE, LIFE_MS)).lease
            await log.append("A", 0, [new("a")], lease=stale)
            await log.append("A/1", 0, [new("a")], lease=stale)  # a lease may stand for several streams
            await log.leave(ONE)
            lease = (await log.claim("A", TWO, LIFE_MS)).lease
            with pytest.raises(LostLease):
                await log.append("A", 1, [new("b")], notes={"title": "x"}, lease=stale)
            with pytest.raises(LostLease):
                await log.append("A", 1, [new("b")], lease=Lease("never claimed", 1))
            await log.append("A", 1, [new("b")], lease=lease)
            assert [entry.cmd for entry in await log.read("A")] == ["a", "b"]
            assert dict(await log.notes("A")) == {}

    run(test)


def test_of_many_who_claim_at_once_one_holds(opened):
    async def test():
        async with opened() as log:
            workers = [Worker(f"w{i}", f"10.0.0.{i}:1", "k") for i in range(20)]
            await asyncio.gather(*(log.beat(worker, LIFE_MS) for worker in workers))
            held = await asyncio.gather(*(log.claim("A", worker, LIFE_MS) for worker in workers))
            assert len({one.worker.id for one in held}) == 1
            assert {one.lease for one in held} == {Lease("A", 1)}

    run(test)


def test_the_epoch_of_every_entry_grows_however_the_lease_wanders(opened):
    """Workers that are held dead by each other write as long as they can: no epoch writes behind a later one."""

    async def work(log, worker, written):
        for i in range(25):
            await log.beat(worker, LIFE_MS)
            held = await log.claim("A", worker, -1 if i % 3 == 0 else LIFE_MS)  # -1: everybody else is dead
            await asyncio.sleep(0)
            if held.worker != worker:
                continue
            head = dict(await log.heads(["A"])).get("A", 0)
            with contextlib.suppress(LostLease, LostRace):
                (entry,) = await log.append("A", head, [new(f"{worker.id}.{i}")], lease=held.lease)
                written[entry.n] = held.lease.epoch

    async def test():
        async with opened() as log:
            written = {}
            await asyncio.gather(*(work(log, Worker(f"w{i}", "", ""), written) for i in range(4)))
            epochs = [written[entry.n] for entry in await log.read("A")]
            assert epochs == sorted(epochs)
            assert len(set(epochs)) > 3

    run(test)


# ---- the end --------------------------------------------------------------------------------------------------------


def test_what_was_written_is_measured(opened):
    async def scenario():
        async with opened() as log:
            before = log.writes()
            await asyncio.gather(*(log.append(f"s{i}", 0, [new("c")]) for i in range(20)))
            after = log.writes()
        if isinstance(log, MemoryLog):
            assert (before, after) == (None, None)
            return
        groups = after.sizes.counts[-1] - before.sizes.counts[-1]
        assert after.sizes.total - before.sizes.total == 20
        assert 1 <= groups <= 20
        assert after.seconds.counts[-1] == after.sizes.counts[-1]
        assert after.seconds.total > before.seconds.total
        assert after.waiting == 0

    run(scenario)


def test_closing_finishes_what_is_under_way(opened):
    async def test():
        async with opened() as log:
            tasks = [asyncio.create_task(log.append(f"S{i}", 0, [new("a")])) for i in range(50)]
            await asyncio.sleep(0)
            await log.close()
            assert all(len(answer) == 1 for answer in await asyncio.gather(*tasks))

    run(test)


def test_a_closed_log_refuses_everything(opened):
    async def test():
        async with opened() as log:
            await log.close()
            for call in [
                log.append("A", 0, [new("a")]),
                log.read("A"),
                log.find("A", "a"),
                log.streams(),
                log.heads(["A"]),
                log.beat(ONE, LIFE_MS),
                log.claim("A", ONE, LIFE_MS),
                log.leave(ONE),
                log.set_notes("A", {}),
                log.notes("A"),
                log.keep_secret("A", "k", b"x"),
                log.secret("A", "k"),
                log.grant(bytes(32), HOST),
                log.granted(bytes(32)),
                log.revoke("A"),
            ]:
                with pytest.raises(LogError) as refused:
                    await call
                assert refused.value.code == "log/closed"
            await log.close()  # once more does no harm

    run(test)
