"""D-1 to D-10: what one throw wins."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.dice import HANDS, Roll
from rules.support_table import LOWER, NOTHING, WINS, Table, awards, house, read

BONUS_ON = "[bonus]\nsijin_yixiu = true\nsijin_erju = true\nwuzi_yixiu = true\n"


def test_D_01_a_bonus_that_is_gone_is_void():
    """The main award alone is given: no lower tier and no chase in the place of a bonus that has run out."""
    rules = house("S13", '[cakes]\nyixiu = 1\n[chase]\ntiers = ["yixiu", "erju"]\n[exhausted]\nthen = "lower"\n')
    table = Table(rules)
    table.throw(1, WINS["yixiu"])
    table.throw(0, "222241")
    assert table.moves == [("sijin", 1, "table", 0)]
    assert "bonus-empty" in table.notes
    table.throw(1, "222241")
    assert table.moves == [("sijin", 1, "table", 1)]
    assert table.has(1) == {"yixiu": 1, "sijin": 1}


def test_D_01_the_bonus_of_a_wuzi_is_void_too():
    """五子带4 with no 一秀 left: the title counts, nothing moves."""
    table = Table(house("S13", "[cakes]\nyixiu = 1\n"))
    table.win(1, "yixiu")
    table.throw(0, "222224")
    assert table.moves == []
    assert table.zhuangyuan == (0, "222224")


def test_D_02_a_bonus_is_given_though_its_sijin_is_gone():
    """The bonus does not hang on the stock of 四进."""
    table = Table(house("S13", "[cakes]\nsijin = 1\n"))
    table.win(1, "sijin")
    table.throw(0, "222241")
    assert table.moves == [("yixiu", 1, "table", 0)]


def test_D_02_chase_first_then_the_bonus():
    """Where 四进 is chased, the chase comes first and the bonus after it."""
    table = Table(house("S10", "[cakes]\nsijin = 1\n" + BONUS_ON))
    table.win(1, "sijin")
    table.throw(0, "222244")
    assert table.moves == [("sijin", 1, 1, 0), ("erju", 1, "table", 0)]


def test_D_03_no_two_yixiu_for_a_lost_erju():
    """四进 with two 4s and no 二举 left: neither a 二举 nor two 一秀."""
    table = Table(house("S13", "[cakes]\nerju = 1\n"))
    table.win(1, "erju")
    table.throw(0, "222244")
    assert table.moves == [("sijin", 1, "table", 0)]
    assert table.has(0) == {"sijin": 1}


def test_D_04_a_beaten_wuzi_still_gives_its_bonus():
    """The 一秀 belongs to the throw, whatever becomes of the title."""
    table = Table("S13")
    table.throw(0, "444442")
    table.throw(1, "222224")
    assert table.moves == [("yixiu", 1, "table", 1)]
    assert table.zhuangyuan == (0, "444442")


def test_D_05_only_the_bonus_that_is_listed():
    """S12 lists 兼得 for 四进 alone, so a 五子 with a 4 gets none there."""
    assert awards("S12", "222224") == ["zhuangyuan"]
    assert awards("S12", "222241") == ["sijin", "yixiu"]
    assert awards("S12", "222244") == ["sijin", "erju"]
    assert awards("S13", "222224") == ["zhuangyuan", "yixiu"]


def test_D_05_the_wuzi_bonus_is_an_option():
    """A house may add it."""
    assert awards(house("S12", "[bonus]\nwuzi_yixiu = true\n"), "222224") == ["zhuangyuan", "yixiu"]
    assert awards(house("S13", "[bonus]\nwuzi_yixiu = false\n"), "222224") == ["zhuangyuan"]


@pytest.mark.parametrize("faces", ["444111", "444222", "444333", "444555", "444666"])
def test_D_06_444xxx_is_sanhong_or_duitang_but_never_both(faces: str):
    """三红, unless the sheet counts two triples with 4s among the 对堂."""
    for sheet in ("000-1", "002", "S12", "S1"):
        assert awards(sheet, faces) == ["sanhong"]
    assert awards("000-2", faces) == ["duitang"]
    assert awards(house("S12", '[hands]\ntwo_triples = "with-fours"\n'), faces) == ["duitang"]
    assert awards(house("000-2", '[hands]\ntwo_triples = "without-fours"\n'), faces) == ["sanhong"]


def test_D_06_the_option_decides_what_moves():
    """One throw, one cake, from one tier or the other."""
    for sheet, tier in (("000-1", "sanhong"), ("000-2", "duitang")):
        table = Table(sheet)
        table.throw(0, "444111")
        assert table.moves == [(tier, 1, "table", 0)]


def test_D_07_agreed_duitang_are_off_unless_chosen():
    """Three pairs are what their 4s make them, as long as nothing is agreed."""
    assert awards("S1", "334455") == ["erju"]
    assert awards("S1", "112233") == []
    assert awards("002", "334455") == ["erju"]


@pytest.mark.parametrize(
    ("choice", "hands"),
    [("334455", 1), ("consecutive", 4), ("any", 20)],
)
def test_D_07_which_pairs_has_to_be_chosen(choice: str, hands: int):
    """The one printed example, three consecutive pairs, or any three pairs."""
    rules = house("S1", f'[hands]\nthree_pairs = "{choice}"\n')
    pairs = [hand for hand in HANDS if awards(rules, "".join(map(str, hand))) == ["duitang"]]
    assert len(pairs) == hands + 1  # and the straight
    assert (3, 3, 4, 4, 5, 5) in pairs


def test_D_07_consecutive_is_the_reading_of_the_named_sheet():
    """S1-p takes the narrower reading of the example."""
    assert awards("S1-p", "334455") == ["duitang"]
    assert awards("S1-p", "112233") == ["duitang"]
    assert awards("S1-p", "113355") == []
    assert awards("S1-p", "114455") == ["erju"]


def test_D_07_pairs_outrank_the_erju_in_them_and_give_no_bonus():
    """The highest reading alone: one 对堂, no 二举 beside it."""
    rules = house("S13", '[hands]\nthree_pairs = "any"\n')
    table = Table(rules)
    table.throw(0, "224466")
    assert table.moves == [("duitang", 1, "table", 0)]


def test_D_08_a_zhuangyuan_that_does_not_lead_wins_nothing():
    """It is not turned into the 三红 or 二举 that lies in it."""
    table = Table("S12")
    table.throw(0, "444466")
    table.throw(1, "444412")
    assert table.moves == []
    assert table.has(1) == {}
    assert table.zhuangyuan == (0, "444466")


def test_D_08_but_it_is_kept_in_mind():
    """When the leader falls, the throw that once lost leads."""
    table = Table("S12")
    table.throw(0, "444466")
    table.throw(1, "444465")
    table.throw(0, "444421")
    assert table.zhuangyuan == (1, "444465")


@pytest.mark.parametrize("sheet", ["002", "S12", "S13"])
def test_D_09_the_straight_has_no_yixiu(sheet: str):
    """Its 4 wins nothing beside the 对堂, even where there is 兼得."""
    assert awards(house(sheet, BONUS_ON), "123456") == ["duitang"]
    table = Table(house(sheet, BONUS_ON))
    table.throw(0, "654321")
    assert table.moves == [("duitang", 1, "table", 0)]


def points(table: Table, seat: int) -> int:
    rules = table.game.rules
    return sum(rules.tier(tier).points * cakes for tier, cakes in table.has(seat).items())


def test_D_10_points_follow_the_cakes_held_at_the_end():
    """Of all who threw a 状元 only the last holder of the title scores its 32."""
    table = Table(house("002", "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 1\nerju = 1\nyixiu = 1\n"))
    table.throw(0, "444423")
    table.throw(1, "444411")
    table.win(0, "duitang", "sanhong")
    assert (points(table, 0), points(table, 1)) == (24, 0)
    table.win(1, "sijin", "erju", "yixiu")
    assert table.finished
    assert [points(table, seat) for seat in range(3)] == [24, 32 + 4 + 2 + 1, 0]


def test_D_10_a_chased_cake_takes_its_points_along():
    """Points are worked out from who holds the cake, not from who threw it."""
    table = Table(house("002", '[cakes]\nduitang = 1\n[chase]\ntiers = ["duitang"]\n'))
    table.win(0, "duitang")
    assert points(table, 0) == 16
    table.win(1, "duitang")
    assert (points(table, 0), points(table, 1)) == (0, 16)


def test_plain_throws_of_the_scripts_win_what_they_say():
    """What the other tests lean on."""
    for sheet in ("000-1", "002", "003T", "S1", "S12", "S13", "S15"):
        assert read(sheet, NOTHING).combination == "none"
        for tier in LOWER:
            assert awards(sheet, WINS[tier]) == [tier], (sheet, tier)
    assert Roll.parse(NOTHING).hand == (1, 1, 2, 2, 3, 5)
