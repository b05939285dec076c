"""Live messages made up from their types, right ones, wrong ones and torn ones, by host, players and onlookers.

Each gets an answer or ends the connection by one of the agreed codes; nothing fails inside; the table stays what its
log says.
"""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bobing.adapters.memory import MemoryLog
from bobing.adapters.system import SystemClock, SystemDice
from bobing.server import views
from bobing.server.app import make_app
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.settings import Settings
from bobing.wire import messages as wire
from support.faults import no_faults
from support.phone import Phone

ROOT = Path(__file__).parents[2]
SAMPLES = [
    sample.get("text", json.dumps(sample.get("json")))
    for name in ("accepted", "refused")
    for sample in map(json.loads, (ROOT / "vectors" / "messages" / f"{name}.jsonl").read_text("utf-8").splitlines())
]
ODD = st.sampled_from(
    [-1, 2**31, 2**63, 10**15, None, True, "1", "", "\ud800", [], {}, [[]], {"a": 1}, "x" * 200, "\0"]
)
SEAT = st.integers(0, 3)
ROLL = st.text("444123456", min_size=6, max_size=6)
TIER = st.sampled_from(["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "nothing", ""])
CMD = st.text("0123456789abcdefABCDEF_-", min_size=16, max_size=20)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


def acts(deep=True):
    """Acts of the game, in the form of docs/acts.md."""
    numbers = st.integers(0, 30)
    plain = [
        st.fixed_dictionaries(
            {"seat": SEAT, "roll": ROLL}, optional={"choose": TIER, "waive": st.lists(TIER, max_size=2)}
        ),
        st.builds(
            lambda seat, what: {"seat": seat, what: True},
            SEAT,
            st.sampled_from(["spill", "cocked", "pass", "leave", "back"]),
        ),
        st.fixed_dictionaries({"seat": SEAT, "rolloff": st.text("123456", min_size=1, max_size=6)}),
        st.fixed_dictionaries({"join": st.one_of(st.just(True), st.fixed_dictionaries({"after": SEAT}))}),
        st.fixed_dictionaries({"swap": st.lists(SEAT, min_size=2, max_size=2)}),
        st.fixed_dictionaries(
            {"start": st.fixed_dictionaries({"seat": SEAT, "dice": st.text("123456", min_size=2, max_size=2)})}
        ),
        st.fixed_dictionaries({"undo": numbers}),
        st.fixed_dictionaries(
            {"seat": SEAT, "roll": ROLL, "grab": st.dictionaries(TIER, st.lists(SEAT, max_size=3), max_size=3)}
        ),
        st.sampled_from([{"time_up": True}, {"close": True}, {}]),
        st.dictionaries(st.sampled_from(["seat", "roll", "undo", "act", "x"]), ODD, max_size=3),
    ]
    if deep:
        plain.append(st.fixed_dictionaries({"correct": numbers, "act": acts(deep=False), "cut": st.booleans()}))
    return st.one_of(plain)


FIELDS = {
    "cmd": CMD,
    "at": st.one_of(st.just("now"), st.integers(0, 40)),
    "seat": SEAT,
    "to": SEAT,
    "start": SEAT,
    "name": st.one_of(st.text(max_size=30), st.sampled_from(["小明", "Host", "a\u202eb", "Ming"])),
    "act": acts(),
    "sure": st.booleans(),
    "yes": st.booleans(),
    "roll": ROLL,
    "strength": st.integers(0, 100),
    "aim": st.integers(-1, 400),
    "link": HEX,
    "game": st.text("0123456789abcdef", min_size=32, max_size=32),
    "player": HEX,
    "k": st.integers(1, 9),
    "value": st.one_of(
        st.text("123456", min_size=1, max_size=9), st.text("0123456789abcdef", min_size=96, max_size=96)
    ),
    "code": st.just("ABCDEFGH"),
    "token": st.just("x" * 32),
    "seen": st.integers(0, 9),
    "protocol": st.integers(0, 2),
    "rules": st.fixed_dictionaries({"sheet": st.sampled_from(["minnan", "S3", "S12", "nope"]), "house": st.just({})}),
    "settings": st.fixed_dictionaries(
        {},
        optional={
            "dice": st.sampled_from(["real", "digital"]),
            "confirm": st.sampled_from(["none", "twice", "two"]),
            "joining": st.sampled_from(["open", "closed"]),
            "beacon": st.sampled_from(["none", "drand", "dice"]),
            "spill": st.sampled_from([0, 3000, 7000]),
            "auto": st.booleans(),
            "alarm": st.booleans(),
            "speed": st.integers(-1, 4),
        },
    ),
}
KINDS = list(wire.ClientMessage.__args__)


@st.composite
def messages(draw):
    """One message as text: mostly of a known kind with fields that fit."""
    way = draw(st.integers(0, 19))
    if way == 0:
        sample = draw(st.sampled_from(SAMPLES))
        at = draw(st.integers(0, len(sample)))
        return sample[:at] + draw(st.text(max_size=3)) + sample[at + draw(st.integers(0, 3)) :]
    if way == 1:
        return draw(st.text(max_size=40))
    kind = draw(st.sampled_from([*KINDS, wire.Do, wire.Do, wire.Throw, wire.Throw, wire.Begin]))
    message = {"t": kind.__struct_config__.tag}
    for name in kind.__struct_fields__:
        message[name] = draw(FIELDS[name])
    if way == 2:
        message[draw(st.sampled_from([*message, "more"]))] = draw(ODD)
    if way == 3:
        message.pop(draw(st.sampled_from([*message])))
    return json.dumps(message)


WHO = st.sampled_from(["host", "host", "host", "seat 0", "seat 1", "watch"])
TALKS = st.lists(st.tuples(WHO, st.lists(messages(), min_size=1, max_size=8)), min_size=2, max_size=8)
ENDS = {1000, 1001, 1003, 1008, 1009, 1013}


class Table:
    """A table, its tokens, and the server behind it."""

    async def open(self, dice):
        limits = Settings(db="memory://", messages_per_minute=1_000_000)
        self.app = make_app(limits, log=MemoryLog(), dice=SystemDice())
        self.host = self.app.state.host
        made = await self.host.make(wire.NewTable(settings=wire.Settings(dice=dice), players=["a", "b", "c"]))
        self.code, self.tokens = made.code, {"host": made.token}
        for seat in (0, 1):
            joined = await self.host.door.join(self.code, wire.Joining(seat=seat))
            self.tokens[f"seat {seat}"] = joined.token
        self.tokens["watch"] = (await self.host.door.join(self.code, wire.Joining(watch=True))).token
        return self

    async def hear(self, who, texts):
        """One connection from hello to its end; how many messages it took."""
        phone = Phone(self.app)
        phone.say(json.dumps({"t": "hello", "code": self.code, "token": self.tokens[who]}))
        if await phone.until("welcome"):
            for text in texts:
                n = self.host.tables[self.code].room.n
                phone.say(text.replace('"at": "now"', f'"at": {n}'))
            phone.say('{"t":"ping"}')
            await phone.until("pong")
        await phone.leave()
        for told in phone.heard:
            msgspec.json.decode(told, type=wire.ServerMessage)
        assert phone.closed in {None, *ENDS}
        return len(texts) + 2


async def talked(dice, talks):
    table = await Table().open(dice)
    told = sum([await table.hear(who, texts) for who, texts in talks])
    again = await Host(table.host.log, SystemDice(), SystemClock(), Metrics()).table(table.code)
    assert views.view(again.room) == views.view((await table.host.table(table.code)).room)
    await table.host.close()
    return told


def some(examples):
    """Talks that Hypothesis makes up; how many messages they were in all."""
    told = 0

    @settings(max_examples=examples, deadline=None)
    @given(st.sampled_from(["real", "digital"]), TALKS)
    def talking(dice, talks):
        nonlocal told
        told += asyncio.run(talked(dice, talks))

    with no_faults():
        talking()
    return told


def test_messages_of_any_form_are_answered():
    assert some(40) > 500


@pytest.mark.deep
def test_very_many_messages_of_any_form_are_answered():
    told = some(4_000)
    print(f"{told} messages")
    assert told > 60_000
