"""A table has no corner: the same acts, every seat moved on by so many, give the same game moved on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bobing.core.acts import Act, RollOff, Spill, Throw
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.state import Move, Place
from property.house_rules import small_rule_sets
from property.random_games import random_act
from property.trying import tries


@given(rules=small_rule_sets(), more=st.integers(0, 4), by=st.integers(1, 5), seed=st.integers(0, 2**32))
@tries(60)
def test_seats_turned(rules: RuleSet, more: int, by: int, seed: int):
    seats, dice = rules.setup.seats_min + more, Random(seed)
    here, there = Game.new(rules, seats), Game.new(rules, seats, by % seats)

    def turned(seat: int) -> int:
        return (seat + by) % seats

    for _ in range(80):
        if here.finished:
            break
        act = random_act(here, dice)
        here, there = here.play(act), there.play(turned_act(act, turned))
        assert [turned_move(move, turned) for move in here.last.moves] == list(there.last.moves)
        assert here.finished == there.finished
        assert here.title is None or (turned(here.title[0]), here.title[1]) == there.title
        if here.next_seat is not None and not here.state.rolloff:
            assert turned(here.next_seat) == there.next_seat


def turned_act(act: Act, turned: Callable[[int], int]) -> Act:
    assert isinstance(act, Throw | Spill | RollOff)
    moved = replace(act, seat=turned(act.seat))
    if isinstance(moved, Throw) and moved.grab:
        return replace(moved, grab={tier: tuple(map(turned, seats)) for tier, seats in moved.grab.items()})
    return moved


def turned_move(move: Move, turned: Callable[[int], int]) -> Move:
    ends: list[Place] = [turned(end) if isinstance(end, int) else end for end in (move.source, move.target)]
    return replace(move, source=ends[0], target=ends[1])
