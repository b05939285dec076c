"""Every game comes to an end: random throws on every sheet, and on random house rule sets."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from property.house_rules import rule_sets
from property.random_games import play_out, throws_expected
from property.trying import tries

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("sheet", sheet_keys())
def test_100_games_end(sheet: str):
    play_games(sheet, range(100))


@pytest.mark.deep
@pytest.mark.parametrize("sheet", sheet_keys())
def test_1000_games_end(sheet: str):
    play_games(sheet, range(100, 1100))


def play_games(sheet: str, seeds: range):
    rules = find_sheet(sheet)
    for seed in seeds:
        dice = Random(f"{sheet} {seed}")
        seats = dice.randint(rules.setup.seats_min, 12)
        check_the_end(play_out(rules, seats, dice))


@given(rules=rule_sets(), seats=st.integers(0, 6), seed=st.integers(0, 2**32))
@tries(60)
def test_games_under_house_rules_end(rules: RuleSet, seats: int, seed: int):
    # A table that waits for thousands of throws proves no more than one that waits for hundreds.
    if throws_expected(rules) < 2_000:
        check_the_end(play_out(rules, rules.setup.seats_min + seats, Random(seed)))


def check_the_end(game: Game):
    state, rules = game.state, game.rules
    assert state.finished in {"all-gone", "champion", "throws", "effect", "last-lap"}
    for tier in rules.tiers:
        assert state.table[tier.key] + state.pool.get(tier.key, 0) + len(state.held[tier.key]) == tier.cakes
    if state.title is not None:
        assert {cake.seat for cake in state.held[ZHUANGYUAN]} == {state.title}
    if state.finished == "all-gone":
        ranked = rules.ranked_tier
        assert not any(state.table[tier] for tier in rules.lower if tier != ranked)
        assert state.title is not None or rules.ending.without_champion == "stop"
