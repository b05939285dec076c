"""Own tiers, own counts, prize items with a choice, and the Philippine sheet."""

from __future__ import annotations

from itertools import product

import pytest

from bobing.core.acts import Close, Throw
from bobing.core.catalogue import find_sheet
from bobing.core.dice import Roll
from bobing.core.scorebook import scorebook
from rules.support_table import FEW, NOTHING, WINS, Table, awards, house, read

PAIRS = (
    "[cakes]\npairs = 2\n[ranking]\n"
    'tiers = ["zhuangyuan", "duitang", "sanhong", "sijin", "pairs", "erju", "yixiu"]\n[wins]\npairs = ["1133xx"]\n'
)
ITEMS = """
[[prizes.sijin]]
name = "rice cooker"
count = 1
price = 19900
[[prizes.sijin]]
name = "quilt"
count = 2
"""
THREE_SIJIN = "[cakes]\nsijin = 3\n"


def items(table: Table) -> list[tuple[str, str | None, int, int | str]]:
    """The moves of the last act: tier, item, cakes, to."""
    return [(move.tier, move.item, move.cakes, move.target) for move in table.last.moves]


# ---- own counts


def test_any_counts():
    """1/4/4/20/40/60, with a total that the file states and the reader checks."""
    text = "total = 129\n[cakes]\nduitang = 4\nsanhong = 4\nsijin = 20\nerju = 40\nyixiu = 60\n"
    rules = house("002", text)
    assert list(rules.cakes.values()) == [1, 4, 4, 20, 40, 60]
    table = Table(rules, 2)
    for _ in range(4):
        table.win(0, "duitang")
    table.win(0, "duitang")
    assert table.moves == []
    assert table.has(0) == {"duitang": 4}
    assert table.left["yixiu"] == 60


def test_counts_by_number_of_4s():
    """S11: 1/2/5/10 by the number of 4s, whatever the other dice show."""
    rules = find_sheet("S11")
    assert rules.cakes == {"zhuangyuan": 1, "sanhong": 2, "erju": 5, "yixiu": 10}
    assert [awards(rules, faces) for faces in ("123456", "222244", "444111", "444411", "222222")] == [
        ["yixiu"],
        ["erju"],
        ["sanhong"],
        ["zhuangyuan"],
        [],
    ]


def test_several_zhuangyuan_cakes_go_to_one():
    """Where the top tier has more than one cake, the champion has them all."""
    table = Table(house("002", FEW + "zhuangyuan = 3\n"), 2)
    table.throw(1, "444466")
    table.win(0, "duitang", "sanhong", "sijin", "erju", "yixiu")
    assert ("zhuangyuan", 3, "table", 1) in table.moves


# ---- own tiers


def test_an_own_tier_is_won_by_its_dice():
    """The pattern 1133xx: two 1s and two 3s, whatever the others; what ranks higher goes before."""
    rules = house("002", PAIRS)
    assert awards(rules, "113355") == ["pairs"]
    assert awards(rules, "431431") == ["pairs"]
    assert awards(rules, "113333") == ["sijin"]
    assert awards(rules, "113336") == ["pairs"]
    assert awards(rules, "441235") == ["erju"]
    assert read(rules, "113355").combination == "pairs"
    census = scorebook(rules).census()
    assert sum(census.awards.values()) + census.none == 6**6
    throws = [throw for throw in product(range(1, 7), repeat=6) if throw.count(1) >= 2 and throw.count(3) >= 2]
    assert census.awards["pairs"] == sum(max(map(throw.count, throw)) < 4 for throw in throws)


def test_an_own_tier_plays_like_any_other():
    """Its cakes run out, it falls back, it is chased, it is swept, it holds up the end."""
    table = Table(house("002", PAIRS + '[exhausted]\nthen = "lower"\n'), 3)
    for seat in (0, 1):
        table.throw(seat, "113355")
        assert table.moves == [("pairs", 1, "table", seat)]
    table.throw(2, "113355")
    assert table.moves == [("erju", 1, "table", 2)]
    chased = Table(house("000-1", PAIRS + '[chase]\ntiers = ["pairs"]\n'), 3)
    for seat in (0, 1, 2):
        chased.throw(seat, "113355")
    assert chased.moves == [("pairs", 1, 1, 2)]
    chased.throw(0, "444444")
    assert ("pairs", 1, 2, 0) in chased.moves
    assert chased.has(0)["pairs"] == 2


def test_an_own_tier_alone_holds_up_the_end():
    """All else gone, its cake is still to be won."""
    table = Table(house("002", FEW + PAIRS.replace("[cakes]\n", "")), 2)
    table.throw(0, "444466")
    table.win(1, "duitang", "sanhong", "sijin", "erju", "yixiu")
    assert table.finished is None
    assert table.left == {"zhuangyuan": 1, "pairs": 2}
    table.throw(0, "113355")
    table.throw(0, "113366")
    assert table.finished == "all-gone"


def test_an_own_tier_is_grabbed_and_eaten_like_the_rest():
    """It is part of what is left."""
    table = Table(house("S5", FEW + PAIRS.replace("[cakes]\n", "")), 2)
    grab: dict[str, tuple[int, ...]] = dict.fromkeys(
        ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"), (1,)
    )
    assert table.refuses(Throw(0, Roll.parse("222222"), grab=grab)) == "act/bad_grab"
    table.throw(0, "222222", grab=grab | {"pairs": (0, 1)})
    assert table.has(0) == {"pairs": 1}
    eaten = Table(house("S12", PAIRS), 2)
    eaten.throw(0, "222222")
    assert ("pairs", 2, "table", "pool") in eaten.moves


def test_a_tier_of_several_throws():
    """A named hand and two patterns in one tier; the named hand keeps its name."""
    text = '[wins]\nduitang = ["duitang", "111222", "666555"]\n'
    rules = house("002", text)
    assert [read(rules, faces).combination for faces in ("123456", "111222", "555666")] == ["duitang"] * 3
    assert awards(rules, "111333") == []
    own = house("002", PAIRS.replace('pairs = ["1133xx"]', 'pairs = ["1133xx", "335566"]'))
    assert awards(own, "335566") == ["pairs"]


def test_a_tier_may_take_another_hand():
    """A house that gives the small prize for two 4s and none for one."""
    text = '[cakes]\nerju = 0\n[wins]\nyixiu = ["erju"]\n[ranking]\n'
    rules = house("002", text + 'tiers = ["zhuangyuan", "duitang", "sanhong", "sijin", "yixiu"]\n')
    assert awards(rules, "441235") == ["yixiu"]
    assert read(rules, "441235").combination == "erju"
    assert awards(rules, "411235") == []


def test_a_pattern_has_no_bonus_of_the_hand_whose_tier_it_is_in():
    """兼得 belongs to four alike, not to the tier 四进."""
    rules = house("S13", '[wins]\nsijin = ["sijin", "556644"]\n')
    assert awards(rules, "445566") == ["sijin"]
    assert awards(rules, "222244") == ["sijin", "erju"]


def test_a_pattern_in_a_ranked_tier_ranks_last():
    """It has no sum of its own."""
    rules = house("S15", FEW + '[wins]\nsanhong = ["sanhong", "335566"]\n')
    table = Table(rules, 2)
    table.throw(0, "335566")
    assert table.moves == []
    table.throw(1, "444111")
    table.throw(0, "444466")
    table.win(1, "duitang", "sijin", "erju", "yixiu")
    assert table.has(1)["sanhong"] == 1


def test_fewer_tiers():
    """A table with two prizes."""
    text = (
        "[cakes]\nduitang = 0\nsanhong = 0\nsijin = 0\nerju = 0\nyixiu = 2\n"
        '[ranking]\ntiers = ["zhuangyuan", "yixiu"]\n'
    )
    rules = house("S16", text)
    assert rules.cakes == {"zhuangyuan": 1, "yixiu": 2}
    assert awards(rules, "444123") == ["yixiu"]
    table = Table(rules, 2)
    table.throw(0, "444466")
    table.throw(1, "411235")
    table.throw(0, "441235")
    assert table.finished == "all-gone"


# ---- four of a kind restricted to chosen faces


def test_sijin_of_chosen_faces_only():
    """Four 1s or four 6s; four others are what their 4s make them."""
    rules = house("002", "[hands]\nsijin_faces = [1, 6]\n")
    assert [awards(rules, faces) for faces in ("111123", "666633", "222233", "222241", "333344")] == [
        ["sijin"],
        ["sijin"],
        [],
        ["yixiu"],
        ["erju"],
    ]
    assert scorebook(rules).census().awards["sijin"] == 1875 * 2 // 5
    table = Table(rules, 2)
    table.throw(0, "666641")
    assert table.moves == [("sijin", 1, "table", 0), ("yixiu", 1, "table", 0)]


# ---- items


def test_items_are_given_in_the_order_of_the_list():
    """Who does not choose takes the next one."""
    table = Table(house("S16", THREE_SIJIN + ITEMS), 2)
    for item in ("rice cooker", "quilt", "quilt"):
        table.win(0, "sijin")
        assert items(table) == [("sijin", item, 1, 0)]
    table.win(0, "sijin")
    assert items(table) == []


def test_the_winner_may_choose():
    """Among what is left; nothing else and no other tier's."""
    table = Table(house("S16", THREE_SIJIN + ITEMS), 2)
    table.throw(0, WINS["sijin"], items={"sijin": "quilt"})
    assert items(table) == [("sijin", "quilt", 1, 0)]
    table.throw(1, WINS["sijin"], items={"sijin": "rice cooker"})
    assert items(table) == [("sijin", "rice cooker", 1, 1)]
    sijin = Roll.parse(WINS["sijin"])
    for choice in ({"sijin": "rice cooker"}, {"sijin": "soap"}, {"erju": "quilt"}, {"mine": "quilt"}):
        assert table.refuses(Throw(0, sijin, items=choice)) == "act/no_such_item"
    assert table.refuses(Throw(0, Roll.parse(NOTHING), items={"sijin": "quilt"})) == "act/no_such_item"
    table.throw(0, WINS["sijin"], items={"sijin": "quilt"})
    assert table.refuses(Throw(1, sijin, items={"sijin": "quilt"})) == "act/no_such_item"


def test_nothing_to_choose_in_what_is_handed_out_at_the_end():
    """The champion has all of his tier, and ranked cakes go in the order of the list."""
    top = "[cakes]\nzhuangyuan = 2\n" + "".join(
        f'[[prizes.zhuangyuan]]\nname = "{name}"\ncount = 1\n' for name in ("tv", "pot")
    )
    assert Table(house("S16", top)).refuses(Throw(0, Roll.parse("444466"), items={"zhuangyuan": "pot"})) == (
        "act/no_such_item"
    )
    by_sum = '[[prizes.sanhong]]\nname = "first"\ncount = 1\n[[prizes.sanhong]]\nname = "others"\ncount = 5\n'
    table = Table(house("S15", by_sum), 2)
    assert table.refuses(Throw(0, Roll.parse("444123"), items={"sanhong": "first"})) == "act/no_such_item"
    table.throw(0, "444123")
    table.throw(1, "444666")
    table.play(Close())
    assert items(table) == [("sanhong", "first", 1, 1), ("sanhong", "others", 1, 0)]


def test_a_chased_prize_is_the_very_one():
    """It keeps its name from hand to hand."""
    table = Table(house("S10", "[cakes]\nsijin = 1\n" + '[[prizes.sijin]]\nname = "quilt"\n'), 3)
    table.win(0, "sijin")
    table.win(1, "sijin")
    assert [(move.item, move.source, move.target) for move in table.last.moves] == [("quilt", 0, 1)]
    assert table.refuses(Throw(2, Roll.parse(WINS["sijin"]), items={"sijin": "quilt"})) == "act/no_such_item"


def test_a_lower_tier_that_is_taken_instead_has_its_choice_too():
    """With or without saying which tier."""
    text = (
        "[cakes]\nsijin = 1\nerju = 2\n"
        '[[prizes.erju]]\nname = "tea"\ncount = 1\n[[prizes.erju]]\nname = "oil"\ncount = 1\n'
    )
    table = Table(house("S9", text), 2)
    table.win(0, "sijin")
    table.throw(1, WINS["sijin"], items={"erju": "oil"})
    assert items(table) == [("erju", "oil", 1, 1)]
    table.throw(0, WINS["sijin"], choose="erju", items={"erju": "tea"})
    assert items(table) == [("erju", "tea", 1, 0)]


def test_a_bonus_has_its_choice_too():
    """One throw, two choices."""
    text = (
        THREE_SIJIN
        + ITEMS
        + '[[prizes.yixiu]]\nname = "soap"\ncount = 16\n[[prizes.yixiu]]\nname = "tissue"\ncount = 16\n'
    )
    table = Table(house("S13", text), 2)
    table.throw(0, "222241", items={"sijin": "quilt", "yixiu": "tissue"})
    assert items(table) == [("sijin", "quilt", 1, 0), ("yixiu", "tissue", 1, 0)]


def test_a_sweep_takes_every_item():
    """Each is named in the moves."""
    table = Table(house("S1", THREE_SIJIN + ITEMS), 2)
    table.throw(1, WINS["sijin"], items={"sijin": "quilt"})
    table.throw(0, "444444")
    moved = [(move.item, move.cakes, move.source) for move in table.last.moves if move.tier == "sijin"]
    assert moved == [("rice cooker", 1, "table"), ("quilt", 1, "table"), ("quilt", 1, 1)]


def test_items_of_any_name_with_their_price():
    """Names are free; a price is in hundredths; a single item is the whole tier."""
    rules = house("S16", '[[prizes.erju]]\nname = "洗发水 👨‍👩‍👧 “500 ml”"\nprice = 2590\n')
    (item,) = rules.tier("erju").items
    assert (item.name, item.count, item.price) == ("洗发水 👨‍👩‍👧 “500 ml”", 16, 2590)


# ---- the Philippines


def test_the_philippine_sheet():
    """1st to 6th prize; four of a kind 3rd with 4, three 4s 4th with 8; two triples 2nd; no chase and no sweep."""
    rules = find_sheet("philippines")
    assert rules.cakes == {"zhuangyuan": 1, "duitang": 2, "sijin": 4, "sanhong": 8, "erju": 16, "yixiu": 32}
    names = [tier.names["en"] for tier in rules.tiers]
    assert names == ["1st prize", "2nd prize", "3rd prize", "4th prize", "5th prize", "6th prize"]
    assert awards(rules, "111222") == ["duitang"]
    assert awards(rules, "444222") == ["sanhong"]
    assert read(rules, "444411").combination == "sihong"
    table = Table(rules, 3)
    table.win(1, "duitang", "duitang")
    table.win(2, "duitang")
    assert table.moves == []
    table.throw(0, "444444")
    assert (table.moves, table.finished) == ([], None)
    assert table.holder == 0
    assert rules.title.equal == "red-pips"


@pytest.mark.parametrize("faces", ["444455", "444464", "444444"])
def test_the_philippine_sheet_keeps_a_higher_throw(faces: str):
    """Only an exact tie is thrown off."""
    table = Table("philippines", 2)
    table.throw(0, "444421")
    table.throw(1, faces)
    assert table.state.rolloff is None
    assert table.holder == 1
