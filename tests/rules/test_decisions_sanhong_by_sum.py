"""D-24 and D-25: S15, with 三红 ranked by the sum of the other dice, and 对堂 chased in order of winning."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

from rules.support_table import Table, house, read

SHORT = "[cakes]\nduitang = 1\nsijin = 1\nerju = 1\nyixiu = 1\nsanhong = 6\n"
OTHERS = ("duitang", "sijin", "erju", "yixiu")


def test_D_24_sanhong_does_not_hold_up_the_end():
    """The four other tiers gone and a 状元 there: over, though not one 三红 was thrown; those cakes stay."""
    table = Table(house("S15", SHORT))
    table.throw(0, "444466")
    table.win(1, *OTHERS)
    assert table.finished == "all-gone"
    assert table.left == {"sanhong": 6}


def test_D_24_nothing_moves_when_a_sanhong_is_thrown():
    """It is noted with its sum, and waits."""
    table = Table(house("S15", SHORT))
    table.throw(0, "444123")
    assert table.moves == []
    assert read("S15", "444123").kicker == 6
    assert "ranked" in table.notes


def test_D_24_ranked_by_sum_and_the_earlier_of_equals_first():
    """Seven throws for six cakes: the lowest goes away empty, and of equal sums the later."""
    table = Table(house("S15", SHORT), seats=4)
    for seat, faces in [(0, "444665"), (1, "444111"), (2, "444112"), (3, "444121"), (0, "444122"), (1, "444123")]:
        table.throw(seat, faces)
    table.throw(2, "444666")
    table.throw(3, "444466")
    table.win(0, *OTHERS)
    # 17, 3, 4, 4, 5, 6, 18: all but the 3
    got = [move for move in table.moves if move[0] == "sanhong"]
    assert got == [("sanhong", 1, "table", seat) for seat in (2, 0, 1, 0, 2, 3)]


def test_D_24_equal_sums_by_time():
    """One cake, two equal throws: the earlier has it."""
    table = Table(house("S15", SHORT.replace("sanhong = 6", "sanhong = 1")))
    table.throw(2, "444125")
    table.throw(0, "444332")
    table.throw(1, "444466")
    table.win(1, *OTHERS)
    assert ("sanhong", 1, "table", 2) in table.moves
    assert "sanhong" not in table.has(0)


def test_D_24_one_player_may_have_several():
    """Two of his throws among the best give him two cakes."""
    table = Table(house("S15", SHORT))
    table.throws(0, "444666", "444665", "444466")
    table.win(1, *OTHERS)
    assert table.has(0)["sanhong"] == 2
    assert table.left == {"sanhong": 4}


def test_D_24_the_best_four_as_an_option():
    """The remark of the same sheet says four."""
    table = Table(house("S15", SHORT.replace("sanhong = 6", "sanhong = 4")))
    for _ in range(5):
        table.throw(0, "444123")
    table.throw(1, "444466")
    table.win(1, *OTHERS)
    assert table.has(0)["sanhong"] == 4


def test_D_24_at_once_as_an_option():
    """A house may hand them out as they are thrown."""
    table = Table(house("S15", '[sanhong]\naward = "at-once"\n'))
    table.throw(0, "444123")
    assert table.moves == [("sanhong", 1, "table", 0)]


def test_D_25_the_first_won_is_chased_first():
    """With all three 对堂 out: the oldest goes first, and what was chased joins the end of the queue."""
    table = Table("S15", seats=5)
    table.win(0, "duitang")
    table.win(1, "duitang")
    table.win(2, "duitang")
    table.win(3, "duitang")
    assert table.moves == [("duitang", 1, 0, 3)]
    table.win(4, "duitang")
    assert table.moves == [("duitang", 1, 1, 4)]
    table.win(0, "duitang")
    assert table.moves == [("duitang", 1, 2, 0)]
    table.win(1, "duitang")
    assert table.moves == [("duitang", 1, 3, 1)]


def test_D_25_only_when_all_are_out():
    """As long as one lies on the table it is taken from there."""
    table = Table("S15", seats=4)
    table.win(0, "duitang")
    table.win(1, "duitang")
    table.win(2, "duitang")
    assert table.moves == [("duitang", 1, "table", 2)]


def test_D_25_the_latest_first_is_an_option():
    """Taking from the previous winner first is the other reading."""
    table = Table(house("S15", '[chase]\nsource = "latest"\n'), seats=4)
    for seat in (0, 1, 2):
        table.win(seat, "duitang")
    table.win(3, "duitang")
    assert table.moves == [("duitang", 1, 2, 3)]
