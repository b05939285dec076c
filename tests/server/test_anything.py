"""Whatever clients send, a table answers with an acknowledgement or a refusal, and stays what its log says."""

import asyncio
import random

import pytest

from bobing.adapters.system import SystemDice
from bobing.core.errors import BobingError
from bobing.server import views
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.table import encode
from bobing.wire import messages as wire
from bobing.wire.codec import read_message
from server.tables import HOST, Member, Play, SetClock

SHEETS = ("minnan", "S3", "S9", "S12", "003T", "003M", "S13-pf", "S15", "philippines", "S11")
WHO = [HOST, wire.You(role="seat", seat=0), wire.You(role="seat", seat=1), wire.You(role="watch")]


def some_act(rng, turn, last, deep=True):
    seat = rng.choice([turn, turn, turn, rng.randrange(5)])
    roll = "".join(rng.choice("444126") for _ in range(6))
    tiers = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "nothing"]
    act = rng.choice(
        [
            {"seat": seat, "roll": roll},
            {"seat": seat, "roll": rng.choice(["444411", "222222", "444444", "111111"])},
            {"seat": seat, "roll": roll, "choose": rng.choice(tiers), "waive": [rng.choice(tiers)]},
            {"seat": seat, "roll": "222222", "grab": {rng.choice(tiers): [seat, 7]}},
            {"seat": seat, "roll": roll, "item": {rng.choice(tiers): "towel"}},
            {"seat": seat, rng.choice(["spill", "cocked", "pass", "leave", "back"]): True},
            {"seat": seat, "rolloff": rng.choice(["126", "444126"])},
            {"join": rng.choice([True, {"after": seat}])},
            {"swap": [seat, rng.randrange(5)]},
            {"start": {"seat": seat, "dice": "34"}},
            {"undo": rng.choice([last, rng.randint(1, last)])},
            rng.choice([{"time_up": True}, {"close": True}, {}, {"roll": roll}]),
        ]
    )
    if deep and rng.random() < 0.15:
        return {
            "correct": rng.randint(1, last),
            "act": some_act(rng, turn, last, deep=False),
            "cut": rng.random() < 0.5,
        }
    return act


def some_command(rng, room):
    at = rng.choice([room.n] * 5 + [0, room.n + 5])
    state, log = (room.game.state, room.game.log) if room.game else (None, ())
    turn, last = (state.next_seat or 0 if state else 0), max(1, len(log))
    over = bool(state and state.finished)
    cmd = f"command-{rng.randrange(10**9):012d}"
    kind, more = rng.choice(
        [
            *[(wire.Do, {"act": some_act(rng, turn, last), "sure": rng.random() < 0.8})] * 8,
            *[(wire.Do, {"act": {"undo": rng.randint(1, last)}})] * (8 if over else 1),
            *[(wire.Throw, {"seat": turn})] * 8,
            *[(wire.Begin, {"start": 0})] * (1 if room.game else 8),
            (wire.AddSeat, {"name": rng.choice(["a", "小明", "\u200b", "Host"])}),
            (wire.RenameSeat, {"seat": rng.randrange(5), "name": "阿明"}),
            (wire.RemoveSeat, {"seat": rng.randrange(5)}),
            (wire.MoveSeat, {"seat": rng.randrange(4), "to": rng.randrange(4)}),
            (wire.SetRules, {"rules": wire.RulesChoice(rng.choice(SHEETS))}),
            (wire.SetSettings, {"settings": wire.Settings(dice=rng.choice(["real", "digital"]))}),
            (wire.FreeSeat, {"seat": rng.randrange(5)}),
            (wire.Rematch, {"code": room.code}),
            (wire.StartDice, {"seat": turn}),
        ]
    )
    return read_message(encode(kind(cmd=cmd, at=at, **more)).decode())


@pytest.mark.parametrize("seed", range(20))
def test_commands_in_any_order(seed):
    async def scenario():
        rng = random.Random(seed)
        settings = wire.Settings(dice=rng.choice(["real", "digital"]), confirm=rng.choice(["none", "twice"]))
        play = await Play.open("a", "b", "c", rules=wire.RulesChoice(rng.choice(SHEETS)), settings=settings)
        play.host.dice = SystemDice()
        member = Member(wire.You(role="watch"))
        await play.host.enter(play.code, member, 0)
        for _ in range(250):
            command, who = some_command(rng, play.room), rng.choice([HOST, HOST, *WHO])
            before = play.room.n
            answer = await play.host.command(play.code, command, who, f"{who.role}{who.seat}")
            assert isinstance(answer, wire.Ack | wire.Refused)
            assert isinstance(answer, wire.Ack) or play.room.n == before
        again = Host(play.host.log, SystemDice(), SetClock(), Metrics())
        table = await again.table(play.code)
        assert views.view(table.room) == views.view(play.room)
        seen = list(play.host.tables[play.code].lines or views.lines(play.room))
        assert [(line.n, line.struck, line.roll, line.moves) for line in views.lines(table.room)] == [
            (line.n, line.struck, line.roll, line.moves) for line in seen
        ]
        assert member.dismissed is None
        assert play.room.n > 15, "hardly anything was taken"

    asyncio.run(scenario())


HOUSES = [{}, {"cakes": {}}, {"cakes": None}, {"cakes": {"": 1}}, {"ranking": {"tiers": "x"}}, {"wins": {"yixiu": [1]}}]
HOUSES += [{"extends": "x"}, {"aliases": {}}, {"names": []}, {"origins": 3}, {"origins": {"G1": []}}, {"key": "\0"}]
HOUSES += [{"prizes": {"yixiu": [{}]}}, {"tier_names": {"yixiu": {"en": 1}}}, {"points": {"yixiu": -1}}, {"source": []}]
HOUSES += [
    {"setup": {"seats_min": 10**9}},
    {"ranks": {"order": [[]]}},
    {"ranks": {"order": "sihong"}},
    {"x": {"y": {}}},
]
HOUSES += [{"names": {"en": "x" * 60_000}}, {"titles": {"yixiu": [[]]}}, {"ending": {"minutes": True}}, {"spill": []}]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: str(house)[:40])
def test_house_changes_of_any_form(house):
    async def scenario():
        play = await Play.open("a", "b")
        answer = await play.host.command(
            play.code,
            wire.SetRules(cmd="command-123456789", at=1, rules=wire.RulesChoice(house=house)),
            HOST,
            "host",
        )
        assert isinstance(answer, wire.Ack | wire.Refused)
        if isinstance(answer, wire.Ack):
            assert encode(play.host.showing.welcome(play.host.tables[play.code], HOST, 0))

    try:
        asyncio.run(scenario())
    except BobingError as error:
        raise AssertionError("a refusal is an answer") from error
