"""D-33 to D-38: 六黑 and six 1s: lights out, eaten by all, swept, split."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.acts import Leave, Throw
from bobing.core.dice import Roll
from rules.support_table import FEW, Table, house, read

GRABBED = {"duitang": (2,), "sanhong": (0,), "sijin": (1,), "erju": (1,), "yixiu": (2,)}


@pytest.mark.parametrize("sheet", ["003T", "S3", "S5"])
def test_D_33_the_table_says_who_grabbed_what(sheet: str):
    """All cakes left go to those who are there, the thrower too; cakes won before are not touched."""
    table = Table(house(sheet, FEW.replace("yixiu = 1", "yixiu = 2")))
    table.throw(1, "444466")
    table.win(2, "yixiu")
    table.throw(0, "222222", grab=GRABBED)
    assert table.finished == "effect"
    assert table.moves[:5] == [(tier, 1, "table", seats[0]) for tier, seats in GRABBED.items()]
    assert table.has(0) == {"sanhong": 1}
    assert table.has(2) == {"duitang": 1, "yixiu": 2}


def test_D_33_what_is_entered_must_be_exactly_what_is_left():
    """No cake more, none less, nobody who is not there."""
    table = Table(house("S5", FEW))
    table.throw(1, "444466")
    table.play(Leave(2))
    throw = Roll.parse("222222")
    assert table.refuses(Throw(0, throw)) == "act/grab_needed"
    for grab in (GRABBED | {"erju": ()}, GRABBED | {"erju": (1, 1)}, GRABBED, {**GRABBED, "zhuangyuan": (1,)}):
        assert table.refuses(Throw(0, throw, grab=grab)) == "act/bad_grab"
    assert table.refuses(Throw(0, Roll.parse("444412"), grab=GRABBED)) == "act/no_grab"
    fine = dict.fromkeys(GRABBED, (0,))
    table.throw(0, "222222", grab=fine)
    assert table.has(0) == dict.fromkeys(GRABBED, 1)


@pytest.mark.parametrize("sheet", ["003T", "S3", "S5"])
def test_D_34_a_claimed_zhuangyuan_cake_is_not_grabbed(sheet: str):
    """Who has thrown a 状元 keeps his claim; the game is only cut short."""
    table = Table(house(sheet, FEW))
    table.throw(1, "444466")
    table.throw(0, "333333", grab=GRABBED)
    assert table.zhuangyuan == (1, "444466")
    assert ("zhuangyuan", 1, "table", 1) in table.moves


@pytest.mark.parametrize("sheet", ["003T", "S3", "S5"])
def test_D_34_an_unclaimed_one_is(sheet: str):
    """Without a 状元 the cake lies on the table like all others, and nobody is 状元."""
    table = Table(house(sheet, FEW))
    assert table.refuses(Throw(0, Roll.parse("333333"), grab=GRABBED)) == "act/bad_grab"
    table.throw(0, "333333", grab={**GRABBED, "zhuangyuan": (1,)})
    assert table.has(1)["zhuangyuan"] == 1
    assert table.zhuangyuan is None


def test_D_34_unclaimed_where_it_is_eaten_by_all():
    """003N: without a 状元 the cake is shared like the rest."""
    table = Table(house("003N", FEW))
    table.throw(0, "333333")
    assert table.state.pool == {"zhuangyuan": 1, "duitang": 1, "sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 1}
    assert table.zhuangyuan is None


def test_D_34_in_s12_the_thrower_outranks_all():
    """There 六黑 ranks above 插金花, so the cake is his."""
    table = Table(house("S12", FEW))
    table.throw(0, "444411")
    table.throw(1, "222222")
    assert table.zhuangyuan == (1, "222222")
    assert table.has(1) == {"zhuangyuan": 1}
    assert table.has(0) == {"duitang": 1}


def test_D_34_in_s5_the_cake_may_be_grabbed_as_an_option():
    """S5 gives the 状元 prize late; a house may throw it into the grab although it is claimed."""
    table = Table(house("S5", FEW + '[liubohei]\ngrab_zhuangyuan = "always"\n'))
    table.throw(1, "444466")
    assert table.refuses(Throw(2, Roll.parse("222222"), grab=GRABBED)) == "act/bad_grab"
    table.throw(2, "222222", grab={**GRABBED, "zhuangyuan": (0,)})
    assert table.zhuangyuan is None
    assert table.has(0) == {"zhuangyuan": 1, "sanhong": 1}


@pytest.mark.parametrize("sheet", ["003N", "S12"])
def test_D_35_eaten_by_all(sheet: str):
    """Cakes that nobody has won go to all together and to no player."""
    table = Table(house(sheet, FEW))
    table.throw(2, "444466")
    table.win(1, "erju")
    table.throw(0, "555555")
    assert table.finished == "effect"
    assert [move for move in table.moves if move[3] == "pool"] == [
        (tier, 1, "table", "pool") for tier in ("duitang", "sanhong", "sijin", "yixiu")
    ]
    assert table.has(1) == {"erju": 1}
    assert table.state.pool == {"duitang": 1, "sanhong": 1, "sijin": 1, "yixiu": 1}


def test_D_36_in_s7a_only_six_6s_put_out_the_light():
    """The other six alike are 状元 above 插金花 and nothing more."""
    for face in "1235":
        table = Table("S7a")
        table.throw(0, "444411")
        table.throw(1, face * 6)
        assert table.zhuangyuan == (1, face * 6)
        assert (table.moves, table.finished) == ([], None)
    assert "grab" in read("S7a", "666666").effects
    table = Table(house("S7a", FEW))
    table.throw(0, "666666", grab=GRABBED)
    assert table.finished == "effect"


def test_D_36_any_black_six_is_an_option():
    """A house may read it as every black six, six 1s as well where they have no name of their own."""
    rules = house("S7a", "[liubohei]\nfaces = [2, 3, 5, 6]\n")
    assert ["grab" in read(rules, face * 6).effects for face in "12356"] == [False, True, True, True, True]
    order = '["liubohong", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong"]'
    rules = house("S7a", f"[liubohei]\nfaces = [1, 2, 3, 5, 6]\n[ranks]\norder = {order}\n")
    assert all("grab" in read(rules, face * 6).effects for face in "12356")


def test_D_37_six_1s_in_s3_take_what_is_left():
    """All cakes on the table and none that was won; the game ends and the thrower is 状元."""
    table = Table(house("S3", FEW))
    table.throw(2, "444466")
    table.win(0, "erju", "sanhong")
    table.throw(1, "111111")
    assert table.finished == "effect"
    assert table.zhuangyuan == (1, "111111")
    assert table.has(1) == {"zhuangyuan": 1, "duitang": 1, "sijin": 1, "yixiu": 1}
    assert table.has(0) == {"sanhong": 1, "erju": 1}


def test_D_37_the_zhuangyuan_cake_stays_with_a_higher_one():
    """A 插金花 keeps it, and his 对堂."""
    table = Table(house("S3", FEW))
    table.throw(0, "444411")
    table.throw(1, "111111")
    assert table.zhuangyuan == (0, "444411")
    assert table.has(0) == {"zhuangyuan": 1, "duitang": 1}
    assert table.has(1) == {"sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 1}


def test_D_37_a_rank_and_nothing_more_as_an_option():
    """A house may take the sweep away."""
    table = Table(house("S3", '[biandijin]\ntakes = "rank"\n'))
    table.throw(0, "111111")
    assert table.zhuangyuan == (0, "111111")
    assert (table.moves, table.finished) == ([], None)


def test_D_38_pingfen_deals_the_earlier_cakes_round():
    """One at a time, the next player first, the thrower last; what is left over goes on in that order."""
    table = Table("S13-pf", 3)
    table.win(1, "yixiu", "yixiu", "yixiu", "yixiu", "yixiu")
    table.throw(1, "222222")
    # five cakes to 2, 0, 1, 2, 0
    assert table.moves == [("yixiu", 2, 1, 2), ("yixiu", 2, 1, 0)]
    assert table.has(1) == {"yixiu": 1}
    assert table.zhuangyuan == (1, "222222")


def test_D_38_which_throw_splits_is_an_option():
    """Off in S13 itself; 六黑 is implied there; a house may name any zhuangyuan throw."""
    for rules, splits in (
        ("S13", False),
        ("S13-pf", True),
        (house("S13", '[pingfen]\nby = ["wuhong"]\n'), False),
    ):
        table = Table(rules)
        table.win(0, "yixiu", "yixiu")
        table.throw(0, "333333")
        assert bool(table.moves) == splits
    table = Table(house("S13", '[pingfen]\nby = ["wuhong"]\n'))
    table.win(0, "yixiu", "yixiu")
    table.throw(0, "444442")
    assert table.moves == [("yixiu", 1, 0, 1), ("yixiu", 1, 0, 2)]


def test_D_38_six_1s_do_not_split_where_they_have_their_own_name():
    """In S13 six 1s are no 六黑."""
    table = Table("S13-pf")
    table.win(0, "yixiu")
    table.throw(0, "111111")
    assert table.moves == []
