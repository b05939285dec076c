"""What is kept up act by act comes to the same as what is counted anew."""

from random import Random

import pytest

from bobing.core.acts import Throw, Undo
from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.server.tally import Tally, standing, tally_of
from property.random_games import play_out


def held_in(tally, game):
    return [tally.holding(seat, game.state.held) for seat in range(len(game.state.order))]


@pytest.mark.parametrize("sheet", sheet_keys())
def test_cakes_in_hand_are_those_of_the_state(sheet):
    rules = find_sheet(sheet)
    game = play_out(rules, max(4, rules.setup.seats_min), Random(sheet))
    seats = range(len(game.state.order))
    tally = Tally()
    for node in standing(game):
        tally = tally.with_node(node)
        assert tally.holding(0, node.state.held) == node.state.holding(0)
    assert held_in(tally, game) == [game.state.holding(seat) for seat in seats]
    back = game.play(Undo(len(game.log) // 2))
    assert held_in(tally_of(back), back) == [back.state.holding(seat) for seat in seats]


def test_tiers_come_from_high_to_low_whatever_was_won_first():
    game = play_out(find_sheet("minnan"), 4, Random(1))
    for seat, held in enumerate(held_in(tally_of(game), game)):
        assert list(held) == list(game.state.holding(seat))


TWO_KINDS = """extends = "minnan"
[cakes]
sijin = 3
[prizes]
sijin = [{ name = "oil", count = 2 }, { name = "towel", count = 1 }]
erju = [{ name = "tea", count = 16 }]
"""


def test_which_items_are_in_hand_is_told_where_prizes_have_names():
    game = Game.new(read_rules(TWO_KINDS), 2)
    throws = [
        ("222213", {}),
        ("222213", {"sijin": "towel"}),
        ("333312", {}),
        ("441123", {}),
        ("423333", {}),
        ("411223", {}),
    ]
    for n, (roll, items) in enumerate(throws):
        game = game.play(Throw(n % 2, Roll.parse(roll), items=items))
    tally = tally_of(game)
    assert [tally.items_of(seat) for seat in (0, 1)] == [
        {"sijin": {"oil": 2}},
        {"sijin": {"towel": 1}, "erju": {"tea": 1}},
    ]
    assert tally_of(game.play(Undo(3))).items_of(0) == {"sijin": {"oil": 1}}
    assert tally_of(game.play(Undo(1))).items_of(0) == {}
