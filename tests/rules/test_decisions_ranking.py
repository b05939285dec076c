"""D-11 to D-19: which zhuangyuan is higher."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.dice import HANDS
from rules.support_table import Table, awards, falls, house, read, strength

GRADES = ["444411", "444444", "111111", "666666", "444443", "222223", "444465"]


@pytest.mark.parametrize("faces", GRADES)
def test_D_11_of_equal_throws_the_first_keeps(faces: str):
    """In every grade, an equal throw of another changes nothing."""
    table = Table("002")
    table.throw(0, faces)
    table.throw(1, faces[::-1])
    assert table.zhuangyuan == (0, faces)


@pytest.mark.parametrize("faces", GRADES)
def test_D_11_the_last_of_equal_throws_is_an_option(faces: str):
    """The words "the last of the largest" can be read so that ties go to the later."""
    table = Table(house("002", '[title]\nequal = "last"\n'))
    table.throw(0, faces)
    table.throw(1, faces[::-1])
    assert table.zhuangyuan == (1, faces[::-1])
    table.throw(0, faces)
    assert table.zhuangyuan == (0, faces)


@pytest.mark.parametrize("sheet", ["000-1", "001", "002", "003T", "003M", "003N", "S1", "S3", "S5", "S10", "S14"])
def test_D_11_holds_for_every_sheet_whatever_its_words(sheet: str):
    """Equal sums of 四红 that look different tie as well."""
    table = Table(sheet)
    table.throw(0, "444461")
    table.throw(1, "444452")
    assert table.zhuangyuan == (0, "444461")


KICKER = {"S1": True, "S3": False, "S7a": False}


@pytest.mark.parametrize("sheet", KICKER)
def test_D_12_wuzi_where_the_sheet_does_not_say(sheet: str):
    """S1 names 五子 by the kicker alone; S3 and S7a follow the majority: face, then kicker."""
    by_kicker, by_face = ("111116", "666661"), ("666661", "111116")
    assert falls(sheet, *(by_kicker if KICKER[sheet] else by_face))
    assert falls(sheet, "222226", "222223")
    assert (strength(sheet, "222226") == strength(sheet, "555556")) == KICKER[sheet]


@pytest.mark.parametrize("sheet", KICKER)
def test_D_12_both_ways_can_be_set(sheet: str):
    """A house may take the other way of comparing."""
    other = house(sheet, f'[ranks]\nwuzi_by = "{"face" if KICKER[sheet] else "kicker"}"\n')
    by_kicker, by_face = ("111116", "666661"), ("666661", "111116")
    assert falls(other, *(by_face if KICKER[sheet] else by_kicker))


def test_D_13_sihong_by_the_sum_of_the_other_two():
    """带7 is 带7, as 6+1 or as 5+2; the higher die alone decides nothing."""
    for sheet in ("002", "003T", "003M", "S3", "S7a", "S8", "S14", "S12"):
        assert strength(sheet, "444461") == strength(sheet, "444452")
        assert strength(sheet, "444413") == strength(sheet, "444422")
        assert falls(sheet, "444466", "444465", "444455", "444453", "444461", "444421")
        assert read(sheet, "444461").kicker == 7


ABSENT = {"S6": [], "S14": [], "S15": [], "003M": [], "S8": ["444444"]}


@pytest.mark.parametrize("sheet", ABSENT)
def test_D_14_six_alike_that_the_order_leaves_out(sheet: str):
    """Six 1s below 六红, 六黑 below six 1s, both above 五红."""
    assert falls(sheet, "444444", "111111", "666666", "555555", "333333", "222222", "444446", "666665", "444466")


def test_D_14_in_s1_other_six_alike_win_nothing():
    """There it is plain bad luck: no title, no award, and no reading as 五子 either."""
    for sheet in ("S1", "S7b"):
        for face in "12356":
            assert awards(sheet, face * 6) == []
            assert read(sheet, face * 6).combination == "liubohei"
    table = Table("S1")
    table.throw(0, "222222")
    assert (table.moves, table.zhuangyuan, table.next) == ([], None, 1)


def test_D_15_two_liubohei_compare_by_face():
    """6 > 5 > 3 > 2."""
    for sheet in ("002", "S13", "S16", "000-1", "S2"):
        assert falls(sheet, "666666", "555555", "333333", "222222")
    table = Table("S13")
    table.throw(0, "333333")
    table.throw(1, "222222")
    assert table.holder == 0
    table.throw(2, "555555")
    assert table.holder == 2


def test_D_15_where_the_throw_ends_the_game_no_tie_arises():
    """In S12 the first 六黑 is the last throw."""
    table = Table("S12")
    table.throw(0, "222222")
    assert table.finished == "effect"
    assert table.holder == 0


def test_D_16_the_order_that_s13_lost():
    """插金花 > 六红 > six 1s > 六黑 > 五王 > 五子 > 四红."""
    assert falls("S13", "444411", "444444", "111111", "666666", "222222", "444441", "666665", "111112", "444466")


def test_D_16_liubohong_above_chajinhua_is_an_option():
    """Its text does not settle these two."""
    order = '["liubohong", "chajinhua", "biandijin", "liubohei", "wuhong", "wuzi", "sihong"]'
    assert falls(house("S13", f"[ranks]\norder = {order}\n"), "444444", "444411", "111111", "666666", "444441")


def test_D_17_s10_takes_the_order_of_003m_and_001_that_of_000():
    """Two sheets whose own order is missing rank all throws as their nearest kin do."""
    for sheet, kin in (("S10", "003M"), ("001", "000-1")):
        ours, theirs = ([read(one, "".join(map(str, hand))).strength for hand in HANDS] for one in (sheet, kin))
        assert ours == theirs
    assert falls("S10", "444411", "444444", "111111", "666666", "444441", "666665", "444466")
    assert falls("001", "444444", "111111", "666666", "444441", "666665", "444466", "444411")


def test_D_18_an_ignored_rule_leaves_a_plain_zhuangyuan():
    """003N with its six-alike rules ignored: the throws rank, take nothing and end nothing."""
    for faces in ("444444", "111111", "222222"):
        table = Table("003N-i")
        table.throw(0, faces)
        assert table.zhuangyuan == (0, faces)
        assert (table.moves, table.finished, table.next) == ([], None, 1)
        ruled = Table("003N")
        ruled.throw(0, faces)
        assert ruled.finished == "effect"


def test_D_19_the_order_of_s3():
    """插金花 > 六红 > six 1s > 五红 > 五子 > 四红; 六黑 is an event and no rank."""
    assert falls("S3", "444411", "444444", "111111", "444446", "666665", "111112", "444466")
    for face in "2356":
        assert read("S3", face * 6).strength is None
        assert "grab" in read("S3", face * 6).effects
