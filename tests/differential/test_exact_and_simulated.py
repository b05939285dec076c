"""Exact odds and simulated games, two ways to the same figures, for every sheet."""

from __future__ import annotations

from math import sqrt

import pytest

from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.rules import RuleSet
from bobing.odds.answers import known_standing
from bobing.odds.lengths import exact_length
from bobing.odds.sharing import exact_shares, throws_left
from bobing.odds.simulate import Setting, simulate
from bobing.odds.simulate.blocks import CoreTable, stream_of
from bobing.odds.simulate.midway import play_on
from bobing.odds.waiting import last_gone

pytestmark = pytest.mark.exhaustive
SEATS, GAMES = 6, 40_000


@pytest.mark.parametrize("sheet", sheet_keys())
def test_both_agree_within_four_standard_errors(sheet: str):
    rules = find_sheet(sheet)
    law, shares, found = exact_length(rules, SEATS), exact_shares(rules, SEATS), simulate(Setting(rules, SEATS), GAMES)
    pairs = {"mean": (law.mean, found.throws), "no champion": (law.no_champion, found.no_champion)}
    if shares.champion:
        pairs["champion"] = shares.champion[0], found.champion[0]
    pairs |= {tier: (cakes[0], found.cakes[tier][0]) for tier, cakes in shares.cakes.items() if cakes}
    pairs |= {f"{tier} last": (chance, found.last[tier]) for tier, chance in last_gone(rules).items()}
    for name, (exact, (value, error)) in pairs.items():
        assert abs(value - exact) <= 4 * error + 1e-9, (name, exact, value, error)


def begun(sheet: str, seats: int, throws: int) -> CoreTable:
    """A game of the core in its middle, with a title if there is one so early."""
    table = CoreTable(Setting(find_sheet(sheet), seats), stream_of(3, 0))
    while table.thrown < throws or table.game.state.rolloff:
        table.throw()
    return table


@pytest.mark.parametrize("sheet", sheet_keys())
def test_both_agree_from_the_middle_of_a_game(sheet: str):
    game = begun(sheet, SEATS, 40).game
    if game.finished:
        return
    exact, found = known_standing(game), play_on(game, GAMES, cap=throws_left(game) or 0)
    pairs = {
        (name, seat): (value, figures[seat])
        for name, figures in {**found.cakes, "champion": found.champion}.items()
        for seat, value in enumerate({**exact.cakes, "champion": exact.champion}.get(name, ()))
    }
    assert pairs or exact.doubts.keys() >= {*game.rules.cakes, "champion"}
    for name, (value, (mean, error)) in pairs.items():
        assert abs(mean - value) <= 4 * error + 1e-9, (name, value, mean, error)


@pytest.mark.parametrize("sheet", ["S12", "philippines"])
def test_a_game_played_on_agrees_with_the_core_where_nothing_is_exact(sheet: str):
    """The core with chance of its own, from the same place; few games, for it plays some fifty in a second."""
    start, games = begun(sheet, 3, 60), 150
    assert "champion" in known_standing(start.game).doubts
    found = play_on(start.game, GAMES)
    won = [0] * 3
    for number in range(games):
        table = CoreTable(start.setting, stream_of(9, number))
        table.game = start.game
        while not table.game.finished:
            table.throw()
        if table.game.title:
            won[table.game.title[0]] += 1
    for count, (chance, error) in zip(won, found.champion, strict=True):
        own = sqrt(chance * (1 - chance) / games)
        assert abs(count / games - chance) <= 4 * sqrt(own**2 + error**2), (won, found.champion)


THREE_DICE = '[ending]\nwhen = "throws"\nthrows_each = 6\nundecided = "three-dice"'
ENDINGS = (
    ("S5", THREE_DICE),
    ("S12", THREE_DICE),
    ("S15", '[ending]\nwhen = "throws"\nthrows_each = 9'),
    ("S15", '[ending]\nwhen = "champion"'),
    ("S9", '[ending]\nwhen = "champion"\nfinish = "extra-lap"'),
    ("S7a", '[ending]\nwithout_champion = "stop"\nminutes = 30\nundecided = "three-dice"'),
    ("S14", '[ending]\nwhen = "champion"\nfinish = "equal-turns"'),
)


@pytest.mark.parametrize("throws", [60, 150, None])
@pytest.mark.parametrize("sheet", sheet_keys())
def test_what_is_left_and_the_title_agree_for_every_sheet_cut_off(sheet: str, throws: int | None):
    agrees_in_what_is_left(find_sheet(sheet), throws)


@pytest.mark.parametrize(("sheet", "ending"), ENDINGS)
def test_what_is_left_agrees_for_other_endings(sheet: str, ending: str):
    agrees_in_what_is_left(read_rules(f'extends = "{sheet}"\n{ending}'), None)


def agrees_in_what_is_left(rules: RuleSet, throws: int | None):
    law = exact_length(rules, SEATS, throws=throws)
    found = simulate(Setting(rules, SEATS, throws=throws or 0), GAMES)
    assert list(law.left) == list(rules.cakes)
    figures = {"no champion": (law.no_champion - law.three_dice, found.no_champion)}
    champion = exact_shares(rules, SEATS, throws=throws).champion
    figures |= {f"champion {seat}": (champion[seat], found.champion[seat]) for seat in (0, SEATS - 1) if champion}
    for tier, left in law.left.items():
        figures[f"chance of {tier}"] = left.chance, found.some_left[tier]
        figures[tier] = left.mean, found.left[tier]
    for name, (exact, (value, error)) in figures.items():
        assert abs(value - exact) <= 4 * error + 5 / GAMES, (name, exact, value, error)
