"""Acts and their JSON, strictly."""

from __future__ import annotations

from typing import Any

import pytest

from bobing.core.act_json import act_from_json, act_to_json
from bobing.core.acts import (
    Act,
    Back,
    Close,
    Cocked,
    Correct,
    Join,
    Leave,
    Pass,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
    Undo,
)
from bobing.core.dice import Roll
from bobing.core.errors import BobingError

ROLL = Roll.parse("444411")
FORMS: list[tuple[Any, Act]] = [
    ({"seat": 0, "roll": "444411"}, Throw(0, ROLL)),
    (
        {
            "seat": 1,
            "roll": "444411",
            "grab": {"yixiu": [0, 2]},
            "choose": "erju",
            "waive": ["effect"],
            "item": {"a": "b"},
        },
        Throw(1, ROLL, {"yixiu": (0, 2)}, "erju", ("effect",), {"a": "b"}),
    ),
    ({"seat": 1, "spill": True}, Spill(1)),
    ({"seat": 1, "spill": True, "roll": "444411"}, Spill(1, ROLL)),
    ({"seat": 1, "cocked": True}, Cocked(1)),
    ({"seat": 1, "pass": True}, Pass(1)),
    ({"seat": 1, "leave": True}, Leave(1)),
    ({"seat": 1, "back": True}, Back(1)),
    ({"join": True}, Join()),
    ({"join": {"after": 3}}, Join(3)),
    ({"swap": [0, 3]}, Swap((0, 3))),
    ({"start": {"seat": 2, "dice": "34"}}, Start(2, (3, 4))),
    ({"seat": 0, "rolloff": "341"}, RollOff(0, (3, 4, 1))),
    ({"seat": 0, "rolloff": "341256"}, RollOff(0, (3, 4, 1, 2, 5, 6))),
    ({"time_up": True}, TimeUp()),
    ({"close": True}, Close()),
    ({"undo": 7}, Undo(7)),
    ({"correct": 7, "act": {"seat": 0, "cocked": True}}, Correct(7, Cocked(0))),
    ({"correct": 7, "act": {"seat": 0, "cocked": True}, "cut": True}, Correct(7, Cocked(0), cut=True)),
]


@pytest.mark.parametrize(("value", "act"), FORMS, ids=[str(value)[:50] for value, _ in FORMS])
def test_every_kind_of_act_has_one_form(value: Any, act: Act):
    assert act_from_json(value) == act
    assert act_to_json(act) == value


def test_one_waiver_may_stand_alone():
    assert act_from_json({"seat": 0, "roll": "444411", "waive": "effect"}) == Throw(0, ROLL, waive=("effect",))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "444411",
        {},
        {"seat": 0},
        {"roll": "444411"},
        {"seat": "0", "roll": "444411"},
        {"seat": True, "roll": "444411"},
        {"seat": 0.0, "roll": "444411"},
        {"seat": -1, "roll": "444411"},
        {"seat": 500, "roll": "444411"},
        {"seat": 2**63, "roll": "444411"},
        {"seat": 0, "roll": 444411},
        {"seat": 0, "roll": "４４４４１１"},
        {"seat": 0, "roll": "²44411"},
        {"seat": 0, "roll": "444411\n"},
        {"seat": 0, "roll": "44441"},
        {"seat": 0, "roll": "4444111"},
        {"seat": 0, "roll": "444410"},
        {"seat": 0, "roll": ""},
        {"seat": 0, "roll": "444411", "cocked": True},
        {"seat": 0, "roll": "444411", "surprise": 1},
        {"seat": 0, "roll": "444411", "grab": [0]},
        {"seat": 0, "roll": "444411", "grab": {"yixiu": 0}},
        {"seat": 0, "roll": "444411", "grab": {"yixiu": ["0"]}},
        {"seat": 0, "roll": "444411", "choose": 1},
        {"seat": 0, "roll": "444411", "waive": 1},
        {"seat": 0, "roll": "444411", "waive": [1]},
        {"seat": 0, "roll": "444411", "item": ["a"]},
        {"seat": 0, "roll": "444411", "item": {"yixiu": 1}},
        {"seat": 0, "spill": False},
        {"seat": 0, "spill": 1},
        {"seat": 0, "cocked": None},
        {"seat": 0, "rolloff": "12"},
        {"join": False},
        {"join": {"after": -1}},
        {"join": {"after": 0, "seat": 1}},
        {"swap": [0]},
        {"swap": [0, 1, 2]},
        {"swap": "01"},
        {"swap": [0, True]},
        {"start": {"seat": 0, "dice": "7"}},
        {"start": {"seat": 0, "dice": "34", "n": 1}},
        {"start": 0},
        {"time_up": False},
        {"close": "yes"},
        {"undo": 0},
        {"undo": True},
        {"undo": "7"},
        {"undo": 10**9 + 1},
        {"correct": 1},
        {"correct": 1, "act": {"undo": 1}},
        {"correct": 1, "act": {"correct": 1, "act": {"close": True}}},
        {"correct": 1, "act": {"close": True}, "cut": 1},
    ],
    ids=str,
)
def test_anything_else_is_refused(value: Any):
    with pytest.raises(BobingError) as refused:
        act_from_json(value)
    assert refused.value.code in {"act/bad_form", "dice/bad_roll"}


def test_an_unknown_key_is_named():
    with pytest.raises(BobingError, match='"surprise" does not belong'):
        act_from_json({"seat": 0, "roll": "444411", "surprise": 1})
