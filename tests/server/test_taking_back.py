"""What is taken back: nothing that others did since, and with a late joiner the right to the seat."""

import asyncio

import pytest

from bobing.adapters.memory import MemoryLog
from bobing.core.errors import BobingError
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.wire import messages as wire
from server.tables import HOST, Member, Play
from support.dice import ScriptedDice

REAL = wire.Settings(dice="real", confirm="none")
THROW = {"seat": 0, "roll": "222241"}
NEXT = {"seat": 1, "roll": "123456"}


def run(scenario):
    return asyncio.run(scenario())


async def begun(**more):
    play = await Play.open("a", "b", settings=REAL, **more)
    await play.begin()
    assert isinstance(await play.send(wire.Do, act=THROW), wire.Ack)
    return play


@pytest.mark.parametrize("act", [{"undo": 1}, {"correct": 1, "act": {"seat": 0, "roll": "444411"}}])
def test_what_looks_back_is_refused_once_others_acted(act):
    async def scenario():
        play = await begun()
        seen = play.room.n
        await play.send(wire.Do, act=NEXT, actor="another")
        answer = await play.send(wire.Do, act=act, at=seen)
        assert isinstance(answer, wire.Refused)
        assert answer.code == "table/stale"
        assert len(play.room.game.log) == 2
        assert isinstance(await play.send(wire.Do, act=act), wire.Ack), "having seen it, it may be done"

    run(scenario)


def test_a_new_name_or_setting_makes_no_undo_stale():
    async def scenario():
        play = await begun()
        seen = play.room.n
        await play.send(wire.SetSettings, settings=wire.Settings(dice="real", speed=3))
        await play.send(wire.RenameSeat, seat=1, name="c")
        assert isinstance(await play.send(wire.Do, act={"undo": 1}, at=seen), wire.Ack)

    run(scenario)


async def joined(play):
    """A late joiner with a phone at the table; its right, its token and its connection."""
    you, token = await play.sit("late")
    phone = Member(you, token)
    await play.host.enter(play.code, phone, 0)
    return you, token, phone


async def refused_token(host, code, token):
    with pytest.raises(BobingError) as gone:
        await host.who(code, token)
    assert gone.value.code == "table/unknown_token"


@pytest.mark.parametrize("n", [1, 2])
def test_a_joiner_taken_back_has_no_seat_any_more_and_the_next_one_is_alone_in_it(n):
    async def scenario():
        log = MemoryLog()
        play = await begun(log=log)
        you, token, phone = await joined(play)
        watcher = Member(HOST, play.token)
        await play.host.enter(play.code, watcher, 0)
        invited = await play.host.door.invite(play.code, play.token, wire.Inviting(role="seat", seat=2))
        assert isinstance(await play.send(wire.Do, act={"undo": n}), wire.Ack)
        assert (phone.dismissed, watcher.dismissed) == ("revoked", None)
        assert play.room.seat_count == 2
        assert not {"name/2", "device/2"} & set(play.room.notes)
        assert not {"name/2", "device/2"} & set(await log.notes(play.code))
        for old in (token, invited.token):
            await refused_token(play.host, play.code, old)
        stranger = await play.send(wire.Do, who=you, act={"seat": 2, "pass": True}, actor="late")
        assert isinstance(stranger, wire.Refused)
        assert [seat["name"] for seat in watcher.got[-1]["view"]["seats"]] == ["a", "b"]
        following, other, _ = await joined(play)
        assert following.seat == 2
        assert (await play.host.who(play.code, other)).seat == 2
        await refused_token(play.host, play.code, token)
        again = Host(log, ScriptedDice(), play.host.clock, Metrics())
        assert (await again.table(play.code)).room.notes == play.room.notes

    run(scenario)


def test_the_seats_before_the_joiner_keep_their_right():
    async def scenario():
        play = await begun()
        _, first, phone = await joined(play)
        await play.send(wire.AddSeat, name="later still")
        assert play.room.seat_count == 4
        assert isinstance(await play.send(wire.Do, act={"undo": 3}), wire.Ack)
        assert phone.dismissed is None
        assert (await play.host.who(play.code, first)).seat == 2
        assert (play.room.name(2), play.room.name(3)) == ("late", "")

    run(scenario)


def test_a_joiner_brought_back_by_undoing_the_undo_is_a_seat_without_a_device():
    async def scenario():
        play = await begun()
        _, token, _ = await joined(play)
        await play.send(wire.Do, act={"undo": 2})
        assert isinstance(await play.send(wire.Do, act={"undo": 3}), wire.Ack)
        assert play.room.seat_count == 3
        assert not play.room.has_device(2)
        await refused_token(play.host, play.code, token)

    run(scenario)
