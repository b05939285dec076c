"""Who sits where and whose turn it is: late joiners, leavers, those who come back, swaps, passes, the starter."""

from __future__ import annotations

import pytest

from bobing.core.acts import SEATS_MAX, Back, Join, Leave, Pass, Spill, Start, Swap, Throw
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused
from bobing.core.game import Game
from rules.support_table import FEW, LOWER, NOTHING, Table, house

DICE = Roll.parse(NOTHING)


def lap(table: Table) -> list[int]:
    """Who throws, in order, until it is the same seat's turn again."""
    seats: list[int] = []
    while table.next is not None and table.next not in seats:
        seats.append(table.next)
        table.throw(table.next, NOTHING)
    return seats


# ---- a late joiner


def test_a_late_joiner_throws_last_in_the_round():
    """He has the next free number, no cakes, and a turn behind the last seat."""
    table = Table("002", 3)
    table.win(0, "yixiu")
    table.play(Join())
    assert ("joined", "3") in table.last.notes
    assert table.next == 1
    assert lap(table) == [1, 2, 3, 0]
    assert table.has(3) == {}
    table.win(3, "erju")
    assert table.has(3) == {"erju": 1}


def test_a_late_joiner_at_a_table_that_began_in_the_middle():
    """Last means before the starter of the round only where the starter is seat 0; a place can be asked for."""
    table = Table("002", 3, start=1)
    table.play(Join(after=0))
    assert lap(table) == [1, 2, 0, 3]


@pytest.mark.parametrize(("after", "order"), [(0, [1, 2, 0, 3]), (1, [1, 3, 2, 0]), (2, [1, 2, 3, 0])])
def test_a_late_joiner_sits_down_behind_a_seat(after: int, order: list[int]):
    """Whose turn it is does not change by that."""
    table = Table("002", 3)
    table.throw(0, NOTHING)
    table.play(Join(after))
    assert lap(table) == order


def test_several_late_joiners():
    """Each has a number of his own, wherever he sits."""
    table = Table("002", 2)
    table.play(Join(0), Join(2), Join())
    assert table.state.order == (0, 2, 3, 1, 4)
    assert table.next == 0
    assert table.refuses(Join(7)) == "act/unknown_seat"


def test_a_late_joiner_is_a_neighbour_in_a_chase():
    """By seat means the order of play, not the numbers."""
    table = Table(house("000-1", "[cakes]\nduitang = 2\n"), 3)
    table.play(Join(0))
    table.win(3, "duitang")
    table.win(2, "duitang")
    table.win(1, "duitang")
    assert table.moves == [("duitang", 1, 3, 1)]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_late_joiner_in_a_closing_round(after: int):
    """The last lap is for those who were there when it began, wherever a late joiner sits down."""
    table = Table(house("002", FEW + '[ending]\nfinish = "equal-turns"\n'), 3)
    table.throw(2, "444466")
    table.win(0, *LOWER)
    assert table.next == 1
    table.play(Join(after))
    assert lap(table) == [1, 2]
    assert table.finished == "last-lap"


def test_a_late_joiner_does_not_lengthen_the_laps_already_thrown():
    """So many throws each are counted in laps; who comes in the second lap throws in what is left."""
    table = Table(house("002", '[ending]\nwhen = "throws"\nthrows_each = 2\n'), 2)
    table.throw(0, NOTHING)
    table.throw(1, NOTHING)
    table.play(Join())
    assert lap(table) == [0, 1, 2]
    assert table.finished == "throws"


def test_laps_are_counted_from_the_starter_whoever_sits_down_before_him():
    """The starter's place moves on with him, so everybody has the same number of throws."""
    table = Table(house("002", '[ending]\nwhen = "throws"\nthrows_each = 2\n'), 3, start=1)
    table.play(Join(after=0))
    assert lap(table) == [1, 2, 0, 3]
    assert lap(table) == [1, 2, 0, 3]
    assert table.finished == "throws"


def test_a_table_has_no_end_of_seats_but_500():
    """500 seats, not one more."""
    table = Table("002", SEATS_MAX)
    assert table.refuses(Join()) == "act/bad_seats"
    with pytest.raises(ActRefused) as caught:
        Game.new(table.game.rules, SEATS_MAX + 1)
    assert caught.value.code == "act/bad_seats"


def test_a_new_table_needs_its_least_seats_and_a_start_among_them():
    """Refused before anything is thrown."""
    rules = house("002", "[setup]\nseats_min = 3\n")
    for seats, start, code in ((2, 0, "act/bad_seats"), (3, 3, "act/unknown_seat"), (3, -1, "act/unknown_seat")):
        with pytest.raises(ActRefused) as caught:
            Game.new(rules, seats, start)
        assert caught.value.code == code


# ---- leaving and coming back


def test_a_leaver_is_passed_over():
    """At once if it is his turn."""
    table = Table("002", 4)
    table.play(Leave(0))
    assert table.next == 1
    table.play(Leave(2))
    assert table.next == 1
    assert lap(table) == [1, 3]
    assert table.refuses(Leave(2)) == "act/seat_away"
    assert table.refuses(Throw(2, DICE)) == "act/not_your_turn"


def test_the_last_player_cannot_leave():
    """A game without players is closed instead."""
    table = Table("002", 3)
    table.play(Leave(1), Leave(0))
    assert table.refuses(Leave(2)) == "act/last_seat"
    assert lap(table) == [2]


def test_who_comes_back_has_his_place_and_cakes_again():
    """And may be chased again."""
    table = Table(house("000-1", "[cakes]\nduitang = 1\n"), 3)
    table.win(2, "duitang")
    table.play(Leave(2))
    table.win(0, "duitang")
    assert table.moves == []
    table.play(Back(2))
    assert lap(table) == [1, 2, 0]
    table.win(1, "duitang")
    assert table.moves == [("duitang", 1, 2, 1)]
    assert table.refuses(Back(2)) == "act/not_away"
    assert table.refuses(Back(9)) == "act/unknown_seat"


def test_a_leaver_still_owes_his_lost_turn():
    """It is used up when he is back."""
    table = Table("002", 3)
    table.spill(0)
    table.play(Leave(0))
    assert lap(table) == [1, 2]
    table.play(Back(0))
    table.throw(1, NOTHING)
    table.throw(2, NOTHING)
    assert table.last.skipped == (0,)
    assert table.next == 1


def test_a_leaver_gives_nothing_up_in_the_closing_round():
    """If the last of it is gone, the game is over."""
    table = Table(house("002", FEW + '[ending]\nfinish = "equal-turns"\n'), 3)
    table.throw(1, "444466")
    table.win(1, *LOWER)
    assert table.next == 2
    table.play(Leave(2))
    assert table.finished == "last-lap"
    assert table.has(1)["zhuangyuan"] == 1


def test_everybody_else_may_leave():
    """The one who stays plays on alone, and the champion may be one who has gone."""
    table = Table(house("002", FEW), 3)
    table.throw(1, "444466")
    table.play(Leave(1), Leave(2))
    table.win(0, *LOWER)
    assert table.finished == "all-gone"
    assert table.has(1) == {"zhuangyuan": 1}


# ---- changing places


def test_two_players_change_places():
    """Each takes his number and cakes along; only the order of play is new."""
    table = Table("002", 4)
    table.win(1, "yixiu")
    table.play(Swap((1, 3)))
    assert table.state.order == (0, 3, 2, 1)
    assert table.has(1) == {"yixiu": 1}
    assert lap(table) == [2, 1, 0, 3]


def test_who_changes_into_the_place_that_throws_throws():
    """The dice stay where they are."""
    table = Table("002", 3)
    table.play(Swap((0, 2)))
    assert table.next == 2
    assert lap(table) == [2, 1, 0]


def test_a_lost_turn_goes_with_the_player():
    """And is used up where he sits now."""
    table = Table("002", 3)
    table.spill(0)
    table.play(Swap((0, 1)))
    assert table.last.skipped == (0,)
    assert table.next == 2


def test_who_cannot_change_places():
    """Only two who are there, and not in the middle of a roll-off."""
    table = Table("philippines", 3)
    assert table.refuses(Swap((1, 1))) == "act/bad_swap"
    assert table.refuses(Swap((1, 3))) == "act/unknown_seat"
    table.play(Leave(2))
    assert table.refuses(Swap((1, 2))) == "act/seat_away"
    table.throw(0, "444466")
    table.throw(1, "444466")
    assert table.refuses(Swap((0, 1))) == "act/rolloff_first"


# ---- passing, spilling, and whose turn it is


def test_a_turn_goes_by_without_a_throw():
    """Nobody sits there for the moment; nothing is lost for the next lap."""
    table = Table("002", 3)
    table.play(Pass(0))
    assert (table.next, table.moves, table.last.combination) == (1, [], None)
    assert lap(table) == [1, 2, 0]
    assert table.refuses(Pass(2)) == "act/not_your_turn"


def test_only_the_seat_whose_turn_it_is():
    """Throws, spills and passes of others are refused, and of seats that are not there."""
    table = Table("002", 3)
    for seat in (1, 2):
        for act in (Throw(seat, DICE), Spill(seat), Pass(seat)):
            assert table.refuses(act) == "act/not_your_turn"
    for act in (Throw(3, DICE), Spill(3), Leave(3), Back(3)):
        assert table.refuses(act) == "act/unknown_seat"


def test_spilling_where_the_next_turn_is_played():
    """Void, and nothing more."""
    table = Table("S5", 2)
    table.spill(0)
    assert "turn-lost" not in table.notes
    assert lap(table) == [1, 0]


# ---- who starts


def test_two_dice_choose_the_starter():
    """The roller is one, and the count goes the way of play."""
    table = Table("002", 5)
    table.play(Start(2, (3, 1)))
    assert ("starts", "0") in table.last.notes
    assert lap(table) == [0, 1, 2, 3, 4]


def test_the_starter_may_be_thrown_for_again_before_the_first_throw():
    """The last one counts; afterwards it is too late."""
    table = Table("002", 5)
    table.play(Start(0, (1, 1)), Start(0, (1, 2)))
    assert table.next == 2
    table.play(Pass(2))
    assert table.refuses(Start(0, (1, 1))) == "act/already_begun"


def test_the_count_may_fall_on_an_empty_seat():
    """Then the next one starts."""
    table = Table("002", 4)
    table.play(Leave(1), Start(0, (1, 1)))
    assert table.next == 2
    assert table.refuses(Start(1, (1, 1))) == "act/seat_away"


def test_equal_turns_count_from_the_thrown_starter():
    """The round is his."""
    table = Table(house("002", FEW + '[ending]\nfinish = "equal-turns"\n'), 4)
    table.play(Start(0, (1, 1)))
    table.throw(1, "444466")
    table.win(2, *LOWER)
    assert lap(table) == [3, 0]
    assert table.finished == "last-lap"
