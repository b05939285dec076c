"""D-49 to D-62: the end, the first thrower, faults, finals, leaving."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.acts import Cocked, Leave, Pass, Start, Throw, TimeUp
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import Roll
from rules.support_table import FEW, LOWER, NOTHING, Table, house

ALL_FEW = ["002", "003M", "003T", "S1", "S3", "S10", "S12", "S13", "S16"]


@pytest.mark.parametrize("sheet", ALL_FEW)
def test_D_49_without_a_zhuangyuan_the_throwing_goes_on(sheet: str):
    """The last lower cake goes and there is no 状元: only 状元 throws matter now, and the first wins and ends it."""
    table = Table(house(sheet, FEW))
    table.win(1, *LOWER)
    assert table.finished is None
    assert table.left == {"zhuangyuan": 1}
    table.win(2, *LOWER)
    assert table.has(2) == {}
    table.throw(0, "444412")
    assert table.finished == "all-gone"
    assert table.moves == [("zhuangyuan", 1, "table", 0)]


def test_D_49_stopping_without_a_champion_as_an_option():
    """A house may let the game end there; the 状元 cake stays."""
    table = Table(house("S3", FEW + '[ending]\nwithout_champion = "stop"\n'))
    table.win(1, *LOWER)
    assert table.finished == "all-gone"
    assert table.zhuangyuan is None
    assert table.left == {"zhuangyuan": 1}


def test_D_50_the_last_cake_goes_by_a_throw_with_a_bonus():
    """All awards of the throw are carried out, then the game ends."""
    table = Table(house("S13", FEW))
    table.throw(0, "444466")
    table.win(1, "duitang", "sanhong", "erju")
    table.throw(2, "222241")
    assert table.finished == "all-gone"
    assert table.moves == [("sijin", 1, "table", 2), ("yixiu", 1, "table", 2), ("zhuangyuan", 1, "table", 0)]


def test_D_50_the_last_cakes_go_by_a_chajinhua():
    """The 对堂 that come along are the last: he takes them, and the title, and it is over."""
    table = Table(house("S12", FEW.replace("duitang = 1", "duitang = 2")))
    table.throw(0, "444466")
    table.win(1, "sanhong", "sijin", "erju", "yixiu")
    table.throw(2, "444411")
    assert table.finished == "all-gone"
    assert table.moves == [("duitang", 2, "table", 2), ("zhuangyuan", 1, "table", 2)]


@pytest.mark.parametrize("sheet", ALL_FEW)
def test_D_51_nobody_has_a_right_of_reply(sheet: str):
    """The game ends on the last cake, in the middle of a round."""
    table = Table(house(sheet, FEW))
    table.throw(2, "444466")
    table.win(0, *LOWER)
    assert table.finished == "all-gone"
    assert table.refuses(Throw(1, Roll.parse("444411"))) == "act/game_over"


def test_D_51_finishing_the_round_as_an_option():
    """With equal turns, those who had one throw less still throw, and may take the title."""
    table = Table(house("002", FEW + '[ending]\nfinish = "equal-turns"\n'))
    table.throw(2, "444466")
    table.win(0, *LOWER)
    assert table.finished is None
    table.throw(1, "444411")
    table.throw(2, NOTHING)
    assert table.finished == "last-lap"
    assert table.zhuangyuan == (1, "444411")


@pytest.mark.parametrize("sheet", ALL_FEW)
def test_D_52_with_a_zhuangyuan_the_last_lower_cake_ends_it(sheet: str):
    """The holder at that moment is final."""
    table = Table(house(sheet, FEW))
    table.throw(0, "444412")
    table.throw(1, "444466")
    table.win(2, *LOWER)
    assert table.finished == "all-gone"
    assert table.moves == [("yixiu", 1, "table", 2), ("zhuangyuan", 1, "table", 1)]


def test_D_53_s11_ends_when_its_four_tiers_are_gone():
    """All 18 cakes; a second four-4 throw wins nothing, the first came first."""
    table = Table("S11")
    table.throw(0, "444412")
    assert table.moves == [("zhuangyuan", 1, "table", 0)]
    table.throw(1, "444444")
    assert table.moves == []
    assert table.zhuangyuan == (0, "444412")
    table.win(2, *["sanhong"] * 2, *["erju"] * 5, *["yixiu"] * 9)
    assert table.finished is None
    table.win(2, "yixiu")
    assert table.finished == "all-gone"
    assert sum(table.game.rules.cakes.values()) == 18


def test_D_53_s11_plays_on_for_its_zhuangyuan():
    """The other three tiers gone, the fourth is still to be won."""
    table = Table("S11")
    table.win(2, *["sanhong"] * 2, *["erju"] * 5, *["yixiu"] * 10)
    assert table.finished is None
    table.throw(1, "444433")
    assert table.moves == [("zhuangyuan", 1, "table", 1)]
    assert table.finished == "all-gone"


def test_D_54_a_lost_turn_of_the_only_player_left():
    """It is used up as a pass; the dice go round the empty table and he throws next."""
    table = Table("002", 2)
    table.play(Leave(1))
    table.spill(0)
    assert table.last.skipped == (0,)
    assert table.next == 0


def test_D_54_all_players_under_a_lost_turn():
    """Play goes round once, and the first of them throws."""
    table = Table("000-1", 3)
    table.spill(0)
    assert (table.last.skipped, table.next) == ((), 1)
    table.spill(1)
    table.spill(2)
    assert table.last.skipped == (0, 1, 2)
    assert table.next == 0


def test_D_55_lost_turns_do_not_pile_up():
    """Who sits out cannot throw, so he cannot spill again; one spill costs one turn."""
    table = Table("002", 2)
    table.spill(0)
    table.throw(1, NOTHING)
    assert (table.last.skipped, table.next) == ((0,), 1)
    assert table.refuses(Throw(0, Roll.parse(NOTHING))) == "act/not_your_turn"
    table.throw(1, NOTHING)
    assert (table.last.skipped, table.next) == ((), 0)


@pytest.mark.parametrize("faces", ["444444", "222222", "444411", "123456", "411235"])
def test_D_56_a_void_throw_wins_nothing_whatever_it_shows(faces: str):
    """No prize, no sweep, no lights out."""
    table = Table("003T")
    table.spill(0, faces)
    assert (table.moves, table.zhuangyuan, table.finished, table.next) == ([], None, None, 1)
    assert table.last.combination is None


def test_D_56_it_is_not_his_last_zhuangyuan_either():
    """A lower 四红 among spilled dice is no 禄骨."""
    table = Table("S12")
    table.throw(0, "444466")
    table.throw(1, "444455")
    table.spill(0, "444412")
    assert table.zhuangyuan == (0, "444466")


def test_D_57_cocked_dice_are_thrown_again():
    """All six, by the same seat, and nothing is lost."""
    table = Table("002")
    table.throw(0, NOTHING)
    table.play(Cocked(1))
    assert (table.next, table.moves, table.last.skipped) == (1, [], ())
    table.play(Cocked(1))
    table.throw(1, "411235")
    assert table.moves == [("yixiu", 1, "table", 1)]
    assert table.next == 2
    table.throw(0, NOTHING)
    assert table.next == 1


@pytest.mark.parametrize(("dice", "starts"), [((1, 1), 1), ((6, 5), 0), ((6, 4), 9), ((6, 6), 1), ((3, 4), 6)])
def test_D_58_the_roller_counts_as_one(dice: tuple[int, int], starts: int):
    """With ten players and eleven pips the roller himself starts."""
    for sheet in ("000-1", "001", "003T", "S11", "S14"):
        table = Table(sheet, 10)
        table.play(Start(0, dice))
        assert table.next == starts


def test_D_58_counted_from_whoever_rolls():
    """From seat 3 of 4, five pips come back to seat 3."""
    table = Table("002", 4)
    table.play(Start(3, (2, 3)))
    assert table.next == 3
    table.play(Start(3, (2, 4)))
    assert table.next == 0
    table.throw(0, NOTHING)
    assert table.refuses(Start(3, (1, 1))) == "act/already_begun"


def test_D_59_counting_goes_the_way_of_play():
    """In every sheet that states both."""
    stated = {key: find_sheet(key) for key in sheet_keys()}
    for key in ("wiki-table", "wiki-prose", "xiamen-tradition", "fours-only", "laboratory"):
        assert stated[key].setup.counting == stated[key].setup.direction
    for rules in stated.values():
        assert rules.setup.counting == rules.setup.direction, rules.key


def test_D_59_the_other_way_as_an_option():
    """A house that counts against the direction of play begins on the other side."""
    table = Table(house("002", '[setup]\ncounting = "clockwise"\n'), 10)
    table.play(Start(0, (1, 2)))
    assert table.next == 8


def test_D_60_anticlockwise_where_nothing_is_said():
    """As the Chinese sheets that state a direction do, but for S11; a house may set the other."""
    clockwise = {key for key in sheet_keys() if find_sheet(key).setup.direction == "clockwise"}
    assert clockwise == {"wiki-table", "wiki-triples", "wiki-prose", "philippines", "fours-only"}
    other = house("002", '[setup]\ndirection = "clockwise"\ncounting = "clockwise"\n')
    assert other.setup.direction == "clockwise"
    assert other.digest != find_sheet("002").digest
    table = Table(house("002", '[setup]\ndirection = "clockwise"\n'), 10)
    table.play(Start(0, (1, 2)))
    assert table.next == 8  # the count still goes anticlockwise


def test_D_61_the_finals_that_sheets_name():
    """S6: three dice; S11: the first 状元; S9: the highest 状元; others none. A house may take any of them."""
    formats = {key: find_sheet(key).final.format for key in sheet_keys()}
    assert {key: value for key, value in formats.items() if value != "none"} == {
        "king-of-kings": "three-dice",
        "fours-only": "first-zhuangyuan",
        "fallback-chart": "highest-zhuangyuan",
    }
    for choice in ("none", "three-dice", "first-zhuangyuan", "highest-zhuangyuan"):
        assert house("002", f'[final]\nformat = "{choice}"\n').final.format == choice


def test_D_61_three_dice_the_higher_sum_wins_and_ties_throw_again():
    """The roll-off that serves a final: one throw each, those who tie at the top once more."""
    table = Table(house("S6", '[ending]\nminutes = 45\nundecided = "three-dice"\n'), 4)
    table.play(TimeUp())
    table.throw_off(s0="654", s1="111", s2="366", s3="663")
    assert "rolloff-again" in table.notes
    assert table.state.rolloff
    assert table.state.rolloff.seats == (0, 2, 3)
    table.throw_off(s0="111", s2="112", s3="111")
    assert table.zhuangyuan == (2, "112")


def test_D_61_turns_in_order_and_the_first_zhuangyuan_wins():
    """S11's final as a game of its own: it ends with the first four or more 4s."""
    table = Table(house("S11", '[ending]\nwhen = "champion"\n'), 3)
    table.throws(0, "441235", NOTHING)
    table.throw(1, "444412")
    assert table.finished == "champion"
    assert table.moves == [("zhuangyuan", 1, "table", 1)]


def test_D_62_a_leaver_keeps_his_cakes_and_his_last_zhuangyuan():
    """His throw stands, and the cake goes to him at the end."""
    table = Table(house("002", FEW))
    table.throw(1, "444466")
    table.win(1, "erju")
    table.play(Leave(1))
    table.throw(0, "444455")
    assert table.zhuangyuan == (1, "444466")
    table.win(2, "duitang", "sanhong", "sijin", "yixiu")
    assert table.finished
    assert table.has(1) == {"zhuangyuan": 1, "erju": 1}


def test_D_62_he_may_still_be_beaten():
    """His throw is as good as any other, not better."""
    table = Table("002")
    table.throw(1, "444455")
    table.play(Leave(1), Pass(2))
    table.throw(0, "444466")
    assert table.zhuangyuan == (0, "444466")
