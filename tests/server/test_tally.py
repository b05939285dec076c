"""What is kept up act by act comes to the same as what is counted anew."""

from random import Random

import pytest

from bobing.core.acts import Undo
from bobing.core.catalogue import find_sheet, sheet_keys
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
