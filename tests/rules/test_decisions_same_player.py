"""D-20 to D-23: a player throws a second zhuangyuan; 禄骨."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from rules.support_table import Table, house

LAST = '[title]\nown_later = "last"\n'
RETURNED = '[title]\nown_later = "last"\nlugu_duitang = "returned"\n'


@pytest.mark.parametrize("sheet", ["003N", "S10", "S12"])
def test_D_20_the_later_throw_carries_the_later_time(sheet: str):
    """带7, another's 带7, again 带7: the first player now comes second in time, so the other leads."""
    table = Table(sheet)
    table.throw(0, "444461")
    table.throw(1, "444452")
    assert table.zhuangyuan == (0, "444461")
    table.throw(0, "444461")
    assert table.zhuangyuan == (1, "444452")


def test_D_20_where_the_best_counts_the_first_time_stays():
    """The other reading, as an option and in the sheets that say nothing."""
    table = Table(house("S12", '[title]\nown_later = "best"\n'))
    table.throw(0, "444461")
    table.throw(1, "444452")
    table.throw(0, "444461")
    assert table.zhuangyuan == (0, "444461")


def test_D_20_the_holder_is_the_highest_of_all_last_throws():
    """Each player has one last throw; the title is worked out anew from all of them."""
    table = Table("S12")
    table.throw(0, "444466")
    table.throw(1, "444453")
    table.throw(2, "444455")
    table.throw(0, "444412")
    assert table.zhuangyuan == (2, "444455")
    table.throw(2, "444413")
    assert table.zhuangyuan == (1, "444453")


def test_D_21_lower_but_still_above_everyone():
    """The leader stays, with the lower throw; this is no 禄骨."""
    table = Table("S12")
    table.throw(0, "444466")
    table.throw(1, "444412")
    table.throw(0, "444455")
    assert table.zhuangyuan == (0, "444455")
    assert "lugu" not in table.notes
    table.throw(1, "444465")
    assert table.zhuangyuan == (1, "444465")


def test_D_21_nobody_else_has_one():
    """With no rival at all, the lower throw keeps the title."""
    table = Table("S12")
    table.throw(0, "444443")
    table.throw(0, "444412")
    assert table.zhuangyuan == (0, "444412")
    assert "lugu" not in table.notes


@pytest.mark.parametrize("sheet", ["003N", "S12"])
def test_D_22_lower_than_another_is_lugu(sheet: str):
    """The other is 状元 at once; the 对堂 that came with a 插金花 stay."""
    table = Table(sheet)
    table.throw(0, "444411")
    assert table.has(0) == {"duitang": 2}
    table.throw(1, "444443")
    assert table.zhuangyuan == (0, "444411")
    table.throw(0, "444466")
    assert table.zhuangyuan == (1, "444443")
    assert "lugu" in table.notes
    assert table.moves == []
    assert table.has(0) == {"duitang": 2}


def test_D_22_the_duitang_go_back_as_an_option():
    """A house may have them returned to the table; one won by a straight stays."""
    table = Table(house("S12", RETURNED))
    table.win(0, "duitang")
    table.throw(0, "444411")
    assert table.has(0) == {"duitang": 2}
    table.throw(1, "444443")
    table.throw(0, "444466")
    assert table.moves == [("duitang", 1, 0, "table")]
    assert table.has(0) == {"duitang": 1}


@pytest.mark.parametrize("sheet", ["003M", "S5", "S14"])
def test_D_22_where_the_duitang_come_at_the_end_he_gets_none(sheet: str):
    """He is no 插金花 any more, so he takes no 对堂; the new 状元 is none either."""
    table = Table(house(sheet, LAST + "[cakes]\nsanhong = 0\nsijin = 0\nerju = 0\nyixiu = 1\n[ranking]\n"
                        'tiers = ["zhuangyuan", "duitang", "yixiu"]\n'))  # fmt: skip
    table.throw(0, "444411")
    table.throw(1, "444443")
    table.throw(0, "444466")
    assert table.zhuangyuan == (1, "444443")
    table.win(2, "duitang", "duitang", "yixiu")
    assert table.finished == "all-gone"
    assert table.has(0) == {}
    assert table.has(1) == {"zhuangyuan": 1}
    assert table.has(2) == {"duitang": 2, "yixiu": 1}


def test_D_22_lower_again_changes_nothing_where_the_best_counts():
    """The same throws under a sheet in which only a higher one counts."""
    table = Table("S13")
    table.throw(0, "444466")
    table.throw(1, "444455")
    table.throw(0, "444412")
    assert table.zhuangyuan == (0, "444466")


def test_D_23_equal_to_a_rival_who_threw_in_between():
    """The rival leads because the last throw counts; it is not "lower", so the 对堂 stay in any case."""
    for sheet in ("S12", house("S12", RETURNED)):
        table = Table(sheet)
        table.throw(0, "444411")
        table.throw(1, "444461")
        table.throw(0, "444452")
        assert table.zhuangyuan == (1, "444461")
        assert table.moves == []
        assert table.has(0) == {"duitang": 2}
        assert "lugu" not in table.notes
