"""Who is the host, which seat the host plays, and what two processes over one log may not do to it."""

import asyncio

import pytest

from bobing.adapters.memory import MemoryLog
from bobing.core.errors import BobingError
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.wire import messages as wire
from server.tables import HOST, Member, Play, SetClock
from support.dice import ScriptedDice


def run(scenario):
    asyncio.run(scenario())


async def come(play, token):
    """A connection with this token, as a session makes it."""
    member = Member(await play.host.who(play.code, token), token)
    await play.host.enter(play.code, member, 0)
    return member


async def handing_over(play):
    inviting = wire.Inviting(role="host")
    return (await play.host.door.invite(play.code, play.token, inviting)).token


async def refused(call):
    with pytest.raises(BobingError) as error:
        await call
    return error.value.code


def right(member):
    """What it was last told that it may do."""
    return next(message["you"] for message in reversed(member.got) if "you" in message)


def view(member):
    return next(message["view"] for message in reversed(member.got) if "view" in message)


def test_the_host_may_play_a_seat_and_leave_it_again():
    async def scenario():
        play = await Play.open("Mei", "Tom", "Anna", host=2)
        host = await come(play, play.token)
        assert view(host)["host"] == 2
        assert [seat.get("online", False) for seat in view(host)["seats"]] == [False, False, True]
        assert await refused(play.host.door.join(play.code, wire.Joining(seat=2))) == "table/taken"
        await play.send(wire.MoveSeat, seat=2, to=0)
        assert view(host)["host"] == 0
        await play.send(wire.Sit, seat=1)
        assert (view(host)["host"], [seat.get("device", False) for seat in view(host)["seats"]]) == (
            1,
            [False, True, False],
        )
        await play.send(wire.RemoveSeat, seat=1)
        assert "host" not in view(host)
        await play.send(wire.Sit, seat=1)
        await play.send(wire.Sit)
        assert not any("device" in seat for seat in view(host)["seats"])
        assert (await play.send(wire.Sit, seat=7)).code == "table/no_seat"
        you, _ = await play.sit("Wei")
        assert (await play.send(wire.Sit, you, "guest", seat=0)).code == "table/forbidden"
        assert await refused(play.host.make(wire.NewTable(players=["a"], host=1))) == "table/no_seat"

    run(scenario)


def test_whoever_opens_the_link_for_the_host_is_the_host_alone():
    async def scenario():
        play = await Play.open("Mei", "Tom", host=1)
        first, token, spare = await come(play, play.token), await handing_over(play), await handing_over(play)
        assert first.you == HOST, "a link that nobody opened changes nothing"
        second = await come(play, token)
        assert right(second) == {"role": "host"}
        assert right(first) == {"role": "seat", "seat": 1}, "the one before stays at the seat"
        assert first.dismissed is None
        assert await play.host.who(play.code, play.token) == wire.You(role="seat", seat=1)
        assert await refused(play.host.who(play.code, spare)) == "table/unknown_token"
        assert (await come(play, token)).you == HOST, "and it is still the host when it comes back"
        assert (await play.send(wire.Begin, first.you, "first")).code == "table/forbidden"
        assert isinstance(await play.send(wire.Begin), wire.Ack)

    run(scenario)


def test_a_host_who_is_not_there_leaves_the_seat_free():
    async def scenario():
        play = await Play.open("Mei", "Tom", host=1)
        heir = await come(play, await handing_over(play))
        assert "host" not in view(heir)
        assert await refused(play.host.who(play.code, play.token)) == "table/unknown_token"
        assert (await play.host.door.join(play.code, wire.Joining(seat=1))).seat == 1

    run(scenario)


def test_two_processes_seat_people_at_one_table():
    async def scenario():
        log = MemoryLog()
        play = await Play.open("Mei", "Tom", log=log)
        other = Play(Host(log, ScriptedDice(), SetClock(), Metrics()), play.code, play.token)
        for one in (play, other):
            await one.host.table(play.code)
        seats = [
            (await one.host.door.join(play.code, wire.Joining(name=name))).seat
            for one, name in ((play, "A"), (other, "B"))
        ]
        assert seats == [2, 3]
        assert (await play.host.door.join(play.code, wire.Joining(seat=0))).seat == 0
        assert await refused(other.host.door.join(play.code, wire.Joining(seat=0))) == "table/taken"

    run(scenario)


def test_a_right_that_another_process_took_away_does_nothing_any_more():
    async def scenario():
        log = MemoryLog()
        play = await Play.open("Mei", "Tom", log=log, dice="123456")
        other = Play(Host(log, ScriptedDice(), SetClock(), Metrics()), play.code, play.token)
        joined = await play.host.door.join(play.code, wire.Joining(seat=0))
        guest = await come(play, joined.token)
        await play.begin()
        await other.send(wire.FreeSeat, cmd="elsewhere-0123456789", seat=0)
        command = wire.Throw(cmd="0123456789abcdef", at=play.room.n, seat=0)
        answer = await play.host.command(play.code, command, guest.you, "guest", guest)
        assert (answer.code, guest.dismissed) == ("table/unknown_token", "revoked")
        assert not play.room.game.log

    run(scenario)
