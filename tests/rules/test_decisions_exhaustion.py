"""D-39 to D-48: a tier whose cakes are gone: chase, fallback, nothing."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.acts import Throw
from bobing.core.dice import Roll
from rules.support_table import WINS, Table, house

ONE = "[cakes]\nduitang = 1\n"
TWO = "[cakes]\nduitang = 2\n"
THREE = "[cakes]\nduitang = 3\n"
DUITANG = '[chase]\ntiers = ["duitang"]\n'


def chase(source: str, cakes: str = TWO, sheet: str = "S13") -> Table:
    """A table of five at which 对堂 are chased."""
    return Table(house(sheet, f'{cakes}[chase]\ntiers = ["duitang"]\nsource = "{source}"\n'), 5)


@pytest.mark.parametrize("source", ["seat", "latest", "earliest"])
def test_D_39_nobody_chases_himself(source: str):
    """The only earlier winner throws it again: nothing moves."""
    table = chase(source)
    table.win(3, "duitang", "duitang", "duitang")
    assert table.moves == []
    assert "chase-nobody" in table.notes


@pytest.mark.parametrize(("source", "victim"), [("seat", 1), ("latest", 1), ("earliest", 1)])
def test_D_39_he_skips_himself(source: str, victim: int):
    """With his own cake in the way, the next holder in question is another."""
    table = chase(source)
    first, second = (1, 3) if source == "latest" else (3, 1)
    table.win(first, "duitang")
    table.win(second, "duitang")
    table.win(3, "duitang")
    assert table.moves == [("duitang", 1, victim, 3)]


def test_D_40_the_one_before_is_the_latest_to_get_a_cake():
    """A chase is a getting too; and who was stripped is no candidate any more."""
    table = chase("latest")
    table.win(0, "duitang")
    table.win(1, "duitang")
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, 1, 2)]
    table.win(3, "duitang")
    assert table.moves == [("duitang", 1, 2, 3)]
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, 3, 2)]
    # the latest is now his own, so the next latest is seat 0
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, 0, 2)]


@pytest.mark.parametrize("source", ["seat", "latest", "earliest"])
def test_D_41_a_holder_of_two_loses_one(source: str):
    """One throw takes one cake."""
    table = chase(source)
    table.win(1, "duitang", "duitang")
    table.win(4, "duitang")
    assert table.moves == [("duitang", 1, 1, 4)]
    assert (table.has(1), table.has(4)) == ({"duitang": 1}, {"duitang": 1})


def test_D_42_the_search_goes_against_the_direction_of_play():
    """The first seat asked is the one that threw before him, and so on round the table."""
    table = chase("seat", THREE)
    for seat in (2, 4, 1):
        table.win(seat, "duitang")
    table.win(3, "duitang")
    assert table.moves == [("duitang", 1, 2, 3)]
    table.win(0, "duitang")
    assert table.moves == [("duitang", 1, 4, 0)]
    table.win(0, "duitang")
    assert table.moves == [("duitang", 1, 3, 0)]
    table.win(0, "duitang")
    assert table.moves == [("duitang", 1, 1, 0)]


def test_D_43_in_s3_what_a_chajinhua_won_is_not_chased():
    """S3 protects it, if a house adds a chase at all."""
    table = Table(house("S3", DUITANG))
    table.throw(0, "444411")
    assert table.has(0) == {"duitang": 2}
    table.win(1, "duitang")
    assert table.moves == []
    open_table = Table(house("S3", DUITANG + "[chajinhua]\nprotected = false\n"))
    open_table.throw(0, "444411")
    open_table.win(1, "duitang")
    assert open_table.moves == [("duitang", 1, 0, 1)]


@pytest.mark.parametrize("sheet", ["003N", "S12"])
def test_D_43_against_lugu_only(sheet: str):
    """003N and S12 have no chase; where a house adds one, the 对堂 of a 插金花 are as good as any."""
    plain = Table(sheet)
    plain.throw(0, "444411")
    plain.win(1, "duitang")
    assert plain.moves == []
    chased = Table(house(sheet, DUITANG))
    chased.throw(0, "444411")
    chased.win(1, "duitang")
    assert chased.moves == [("duitang", 1, 0, 1)]


def test_D_43_elsewhere_they_move_at_the_end_after_all_chases():
    """003M: 对堂 go from hand to hand while cakes are left, then all to the 插金花."""
    table = Table(house("003M", "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 1\nerju = 1\nyixiu = 1\n"))
    table.throw(0, "444411")
    table.win(1, "duitang")
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, 1, 2)]
    table.win(1, "sanhong", "sijin", "erju", "yixiu")
    assert table.finished
    assert table.moves[-1] == ("duitang", 1, 2, 0)


NEARLY = "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 1\nerju = 1\nyixiu = 1\n"


@pytest.mark.parametrize("sheet", ["003M", "S14", "S10", "000-1", "S15"])
def test_D_44_no_chase_once_the_last_lower_cake_is_gone(sheet: str):
    """In the throws for a missing 状元 nothing is chased."""
    table = Table(house(sheet, NEARLY))
    table.win(1, "duitang")
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, 1, 2)]
    table.win(1, "sanhong", "sijin", "erju", "yixiu")
    assert table.finished is None
    table.win(0, "duitang")
    assert table.moves == []
    assert table.has(2) == {"duitang": 1}


def test_D_44_chase_to_the_end_as_an_option():
    """A house may let it go on."""
    table = Table(house("003M", NEARLY + '[chase]\nuntil = "end"\n'))
    table.win(2, "duitang")
    table.win(1, "sanhong", "sijin", "erju", "yixiu")
    table.win(0, "duitang")
    assert table.moves == [("duitang", 1, 2, 0)]


@pytest.mark.parametrize("source", ["seat", "latest", "earliest"])
def test_D_45_as_long_as_one_lies_there_it_is_taken_from_the_table(source: str):
    """A chase is for an exhausted tier alone."""
    table = chase(source)
    table.win(1, "duitang")
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, "table", 2)]


LITTLE = "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 2\nerju = 2\nyixiu = 2\n"


def test_D_46_fallback_takes_the_highest_lower_tier_that_is_left():
    """It cascades downward, never up; from 一秀 there is nothing below."""
    table = Table(house("S9", LITTLE))
    table.win(0, "sanhong")
    table.win(1, "sanhong")
    assert table.moves == [("sijin", 1, "table", 1)]
    table.win(2, "sijin")
    table.win(0, "sanhong")
    assert table.moves == [("erju", 1, "table", 0)]
    table.win(1, "erju")
    table.win(2, "sijin")
    assert table.moves == [("yixiu", 1, "table", 2)]
    table.win(0, "yixiu")
    table.win(1, "yixiu")
    assert table.moves == []
    assert table.left == {"zhuangyuan": 1, "duitang": 1}


def test_D_46_the_player_may_choose():
    """ "举人 or 秀才": any lower tier that is left, and none that is higher, empty or the same."""
    table = Table(house("S9", LITTLE))
    table.win(1, "sijin", "sijin")
    sijin = Roll.parse(WINS["sijin"])
    table.until(2)
    for choice in ("duitang", "sanhong", "sijin", "zhuangyuan", "pairs"):
        assert table.refuses(Throw(2, sijin, choose=choice)) == "act/no_choice"
    table.throw(2, WINS["sijin"], choose="yixiu")
    assert table.moves == [("yixiu", 1, "table", 2)]
    assert table.refuses(Throw(0, Roll.parse(WINS["erju"]), choose="yixiu")) == "act/no_choice"


def test_D_46_the_highest_without_a_choice_as_an_option():
    """A house may take the choice away."""
    table = Table(house("S9", LITTLE + '[exhausted]\nthen = "highest-lower"\n'))
    table.win(1, "sijin", "sijin")
    table.until(2)
    assert table.refuses(Throw(2, Roll.parse(WINS["sijin"]), choose="yixiu")) == "act/no_choice"
    table.win(2, "sijin")
    assert table.moves == [("erju", 1, "table", 2)]


def test_D_46_nothing_as_an_option():
    """A house may do without it."""
    table = Table(house("S9", LITTLE + '[exhausted]\nthen = "nothing"\n'))
    table.win(1, "sijin", "sijin", "sijin")
    assert table.moves == []


def test_D_47_no_fallback_for_a_bonus():
    """二举 that is thrown beside 四进 and gone is not turned into 一秀."""
    table = Table(house("S9", "[cakes]\nerju = 1\n[bonus]\nsijin_erju = true\n"))
    table.win(1, "erju")
    table.throw(0, "222244")
    assert table.moves == [("sijin", 1, "table", 0)]


def test_D_47_no_fallback_for_a_zhuangyuan_that_loses():
    """It wins nothing."""
    table = Table("S9")
    table.throw(0, "444466")
    table.throw(1, "444412")
    assert table.moves == []


@pytest.mark.parametrize("choice", ["unwon", "all"])
def test_D_47_no_fallback_for_the_duitang_of_a_chajinhua(choice: str):
    """If there are none, he takes nothing in their place."""
    table = Table(house("S9", f'{ONE}[chajinhua]\nduitang = "{choice}"\n'))
    table.win(1, "duitang")
    table.throw(0, "444411")
    assert table.moves == ([] if choice == "unwon" else [("duitang", 1, 1, 0)])


def test_D_48_chase_where_the_tier_is_chased_else_fallback():
    """No sheet has both; a house that has both chases 对堂 and falls back from 三红."""
    table = Table(house("S9", LITTLE + DUITANG))
    table.win(0, "duitang", "sanhong")
    table.win(1, "duitang")
    assert table.moves == [("duitang", 1, 0, 1)]
    table.win(2, "sanhong")
    assert table.moves == [("sijin", 1, "table", 2)]
