"""D-26 to D-32: 插金花 and 六红, what they take and from whom."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

import pytest

from bobing.core.acts import Leave
from rules.support_table import FEW, LOWER, Table, falls, house

CHAJINHUA, LIUBOHONG = "444411", "444444"
LIUBOHONG_RANKS = '[liubohong]\ntakes = "rank"\nduitang_at_end = false\nends = false\n'


def with_duitang_won(rules: object, seats: int = 4) -> Table:
    """Seat 1 has one 对堂 by a straight, the other lies on the table; seat 2 holds the title with 四红."""
    table = Table(rules, seats)  # type: ignore[arg-type]
    table.win(1, "duitang")
    table.throw(2, "444466")
    return table


@pytest.mark.parametrize("sheet", ["003N", "S12"])
def test_D_26_takes_the_duitang_that_nobody_has_won(sheet: str):
    """插金花 displaces the lower 状元; the 对堂 on the table are his at once."""
    table = with_duitang_won(sheet)
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == [("duitang", 1, "table", 0)]


@pytest.mark.parametrize("sheet", ["003T", "S1", "S3", "S7b"])
def test_D_26_takes_both_duitang_from_holders_too(sheet: str):
    """插金花 displaces the lower 状元; both 对堂 are his at once."""
    table = with_duitang_won(sheet)
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == [("duitang", 1, "table", 0), ("duitang", 1, 1, 0)]


@pytest.mark.parametrize("sheet", ["003M", "S5", "S14"])
def test_D_26_takes_the_duitang_at_the_end(sheet: str):
    """Nothing moves before the end; then all 对堂, if he is still 状元."""
    table = with_duitang_won(house(sheet, FEW.replace("duitang = 1", "duitang = 2")))
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == []
    table.win(3, "duitang", "sanhong", "sijin", "erju", "yixiu")
    assert table.finished == "all-gone"
    assert table.moves == [
        ("yixiu", 1, "table", 3),
        ("zhuangyuan", 1, "table", 0),
        ("duitang", 1, 1, 0),
        ("duitang", 1, 3, 0),
    ]


@pytest.mark.parametrize("sheet", ["002", "S2", "S6", "S7a", "S8", "S9", "S10", "S13", "S15", "S16"])
def test_D_26_without_a_clause_no_duitang(sheet: str):
    """插金花 is a rank and takes nothing along, at the end either."""
    table = with_duitang_won(house(sheet, FEW))
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == []
    table.win(3, "sanhong", "sijin", "erju", "yixiu")
    assert table.finished
    assert "duitang" not in table.has(0)
    assert table.has(1)["duitang"] == 1


def test_D_27_unwon_duitang_go_to_the_throw_though_a_six_leads():
    """Where only 对堂 not yet won are granted, the throw has them with or without the title."""
    table = with_duitang_won(house("S12", LIUBOHONG_RANKS))
    table.throw(3, LIUBOHONG)
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert table.moves == [("duitang", 1, "table", 0)]


def test_D_27_at_the_end_they_need_the_title():
    """Where they come at the end, a 插金花 below a 六红 has none."""
    table = with_duitang_won(house("S8", FEW.replace("duitang = 1", "duitang = 2") + '[chajinhua]\nduitang = "end"\n'))
    table.throw(3, LIUBOHONG)
    table.throw(0, CHAJINHUA)
    assert table.zhuangyuan == (3, LIUBOHONG)
    table.win(1, "duitang", "sanhong", "sijin", "erju", "yixiu")
    assert table.finished
    assert table.has(1)["duitang"] == 2


def test_D_27_all_the_duitang_need_the_title_too_unless_agreed():
    """With 对堂 from all holders the title decides; "all-untitled" is the option that lets the throw alone do."""
    for choice, moves in (("all", []), ("all-untitled", [("duitang", 1, "table", 0), ("duitang", 1, 1, 0)])):
        rules = house("S1", LIUBOHONG_RANKS + f'[chajinhua]\nduitang = "{choice}"\n')
        table = with_duitang_won(rules)
        table.throw(3, LIUBOHONG)
        table.throw(0, CHAJINHUA)
        assert table.zhuangyuan == (3, LIUBOHONG)
        assert table.moves == moves


@pytest.mark.parametrize("sheet", ["S3", "003N", "S12", "003T", "S1"])
def test_D_28_a_second_chajinhua_changes_nothing(sheet: str):
    """The first keeps the title, being equal and earlier, and the 对堂 with it."""
    table = Table(sheet)
    table.throw(0, CHAJINHUA)
    assert table.has(0) == {"duitang": 2}
    table.throw(1, "114444")
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == []
    assert table.has(0) == {"duitang": 2}


@pytest.mark.parametrize("sheet", ["003T", "S1"])
def test_D_28_the_second_takes_the_duitang_as_an_option(sheet: str):
    """Where both 对堂 go with the throw and are not protected, a house may let the second have them."""
    table = Table(house(sheet, '[chajinhua]\nduitang = "all-untitled"\n'))
    table.throw(0, CHAJINHUA)
    table.throw(1, "114444")
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.moves == [("duitang", 2, 0, 1)]


def test_D_28_protected_duitang_are_safe_even_then():
    """S3 protects them."""
    table = Table(house("S3", '[chajinhua]\nduitang = "all-untitled"\n'))
    table.throw(0, CHAJINHUA)
    table.throw(1, "114444")
    assert table.moves == []


@pytest.mark.parametrize("sheet", ["003N", "S12"])
def test_D_29_only_one_left(sheet: str):
    """With one 对堂 unwon he takes that one; with none, none."""
    table = Table(sheet)
    table.win(1, "duitang")
    table.throw(2, CHAJINHUA)
    assert table.moves == [("duitang", 1, "table", 2)]
    bare = Table(sheet)
    bare.win(1, "duitang", "duitang")
    bare.throw(2, CHAJINHUA)
    assert bare.moves == []


def chajinhua_then_liubohong(sheet: str) -> Table:
    """Seat 0 throws 插金花; seats 1 and 2 hold a little; then seat 3 throws 六红."""
    table = Table(house(sheet, "[cakes]\nyixiu = 3\nerju = 2\nsijin = 1\nsanhong = 1\n"), 4)
    table.win(0, "yixiu")
    table.throw(0, CHAJINHUA)
    table.win(1, "erju")
    table.throw(3, LIUBOHONG)
    return table


@pytest.mark.parametrize("sheet", ["S1", "S7b"])
def test_D_30_liubohong_higher_and_takes_everything(sheet: str):
    """S1: 六红 is 状元 and strips the 插金花 of his 对堂."""
    table = chajinhua_then_liubohong(sheet)
    assert table.finished
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert ("duitang", 2, 0, 3) in table.moves
    assert table.has(0) == {}
    assert table.has(3) == {"zhuangyuan": 1, "duitang": 2, "sanhong": 1, "sijin": 1, "erju": 2, "yixiu": 3}


def test_D_30_s7a_takes_everything_too():
    """S7a: 插金花 has no 对堂 of its own there, but those he won go with the rest."""
    table = Table("S7a", 4)
    table.win(0, "duitang")
    table.throw(0, CHAJINHUA)
    table.throw(3, LIUBOHONG)
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert table.has(0) == {}
    assert sum(table.has(3).values()) == 63


@pytest.mark.parametrize("sheet", ["S12", "003N"])
def test_D_30_only_what_is_left_leaves_him_his_duitang(sheet: str):
    """六红 is 状元, the 对堂 of the 插金花 are won already."""
    table = chajinhua_then_liubohong(sheet)
    assert table.finished
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert table.has(0) == {"duitang": 2, "yixiu": 1}
    assert table.has(3) == {"zhuangyuan": 1, "sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 2}


def test_D_30_s5_has_given_him_nothing_yet():
    """In S5 the 对堂 come at the end, and the end is the other's."""
    table = chajinhua_then_liubohong("S5")
    assert table.finished
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert table.has(0) == {"yixiu": 1}
    assert table.has(3)["duitang"] == 2


def test_D_30_s8_has_a_rank_and_no_sweep():
    """六红 takes the title alone, and play goes on."""
    table = chajinhua_then_liubohong("S8")
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert (table.moves, table.finished, table.next) == ([], None, 0)


@pytest.mark.parametrize("sheet", ["002", "S2", "S6", "S9", "S15", "S16"])
def test_D_30_chajinhua_higher(sheet: str):
    """六红 changes nothing."""
    table = chajinhua_then_liubohong(sheet)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert (table.moves, table.finished, table.next) == ([], None, 0)


def test_D_30_s3_spares_what_the_chajinhua_got():
    """六红 takes all but the 状元 cake and both 对堂; his other cakes are swept."""
    table = chajinhua_then_liubohong("S3")
    assert table.finished
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.has(0) == {"zhuangyuan": 1, "duitang": 2}
    assert table.has(3) == {"sanhong": 1, "sijin": 1, "erju": 2, "yixiu": 3}


def test_D_30_003m_leaves_the_title_and_the_closing_grab():
    """六红 takes what is left and so ends the game; the 状元 cake and all 对堂 are for the 插金花."""
    table = chajinhua_then_liubohong("003M")
    assert table.finished
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert table.has(0) == {"zhuangyuan": 1, "duitang": 2, "yixiu": 1}
    assert table.has(1) == {"erju": 1}
    assert table.has(3) == {"sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 2}


def test_D_30_s14_nothing():
    """六红 is not 状元 and takes nothing."""
    table = chajinhua_then_liubohong("S14")
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert (table.moves, table.finished) == ([], None)


def test_D_30_003t_makes_no_exception():
    """六红 takes everything, the 对堂 and the title of the 插金花 included."""
    table = chajinhua_then_liubohong("003T")
    assert table.finished
    assert table.zhuangyuan == (3, LIUBOHONG)
    assert table.has(0) == {}
    assert table.has(3) == {"zhuangyuan": 1, "duitang": 2, "sanhong": 1, "sijin": 1, "erju": 2, "yixiu": 3}


def test_D_30_000_does_not_know_chajinhua():
    """There 444411 is the lowest 四红."""
    for sheet in ("000-1", "001"):
        assert falls(sheet, "444421", CHAJINHUA)


@pytest.mark.parametrize("sheet", ["000-1", "000-2", "001", "003M", "S1", "S3", "S7a", "S7b", "003T"])
def test_D_31_a_sweep_ends_the_game(sheet: str):
    """Nothing is left to throw for; who swept is the final 状元 where no 插金花 outranks him."""
    table = Table(sheet)
    table.win(1, "yixiu", "duitang")
    table.throw(0, LIUBOHONG)
    assert table.finished
    assert table.next is None
    assert table.zhuangyuan == (0, LIUBOHONG)
    assert table.left == {}
    # 003M takes what is left, and all 对堂 with the title; the others take everything
    assert table.has(1) == ({"yixiu": 1} if sheet == "003M" else {})


def test_D_31_a_friendly_sweep():
    """The thrower has 状元 and 对堂, from holders too; the rest of the table is dealt to the others, the next first."""
    table = Table(house("003T-f", "[cakes]\nsanhong = 1\nsijin = 1\nerju = 2\nyixiu = 3\n"), 4)
    table.win(2, "duitang")
    table.win(3, "yixiu")
    table.throw(1, LIUBOHONG)
    # dealt from high to low to 2, 3, 0, 2, 3, 0: sanhong, sijin, erju, erju, yixiu, yixiu
    assert table.finished
    assert table.has(1) == {"zhuangyuan": 1, "duitang": 2}
    assert table.has(2) == {"sanhong": 1, "erju": 1}
    assert table.has(3) == {"sijin": 1, "yixiu": 2}
    assert table.has(0) == {"erju": 1, "yixiu": 1}
    assert table.left == {}


def test_D_31_no_share_for_who_has_left():
    """The rest is dealt to those who are there."""
    table = Table(house("003T-f", FEW), 3)
    table.play(Leave(1))
    table.throw(0, LIUBOHONG)
    assert table.has(1) == {}
    assert table.has(2) == {"sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 1}


def test_D_31_even_a_friendly_sweep_takes_the_title_by_rank_alone():
    """Where a house ranks 插金花 above it, or the prize is waived, the 对堂 come without the title."""
    order = '["chajinhua", "liubohong", "wuhong", "wuzi", "sihong"]'
    table = Table(house("003T-f", f"{FEW}[ranks]\norder = {order}\n"), 3)
    table.throw(0, CHAJINHUA)
    table.throw(1, LIUBOHONG)
    assert table.zhuangyuan == (0, CHAJINHUA)
    assert (table.has(0), table.has(1)) == (
        {"zhuangyuan": 1, "sijin": 1, "yixiu": 1},
        {"duitang": 1},
    )
    waived = Table(house("003T-f", FEW), 3)
    waived.throw(0, LIUBOHONG, waive=("zhuangyuan",))
    assert waived.zhuangyuan is None
    assert waived.has(0) == {"duitang": 1}
    assert waived.left == {"zhuangyuan": 1}


@pytest.mark.parametrize("sheet", ["S14", "003M"])
def test_D_32_liubohong_as_zhuangyuan_takes_the_duitang_at_the_end(sheet: str):
    """The 对堂 move from their holders when the game ends."""
    table = Table(house(sheet, FEW.replace("duitang = 1", "duitang = 2")), 3)
    table.win(1, "duitang")
    table.win(2, "duitang")
    table.throw(0, LIUBOHONG)
    if sheet == "S14":
        assert table.moves == []
        table.win(1, *LOWER[1:])
    assert table.finished
    assert [move for move in table.moves if move[0] == "duitang"] == [("duitang", 1, 1, 0), ("duitang", 1, 2, 0)]
    assert table.has(0)["duitang"] == 2
