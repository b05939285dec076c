"""E-1 to E-25: further decisions where the sheets and D-1 to D-62 leave a gap."""

# ruff: noqa: N802 -- a test bears the number of its decision

from __future__ import annotations

from itertools import pairwise

import pytest

from bobing.core.acts import Leave, Start, Throw
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import Roll
from bobing.core.scorebook import scorebook
from rules.support_table import FEW, LOWER, NOTHING, Table, awards, falls, house, read, strength

USUAL = {"zhuangyuan": 1, "duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


def test_E_01_001_has_the_usual_cakes_and_the_straight_alone():
    """001 maps no cakes to throws and lists no 对堂: 三红 4, 四进 8, straight only."""
    assert find_sheet("001").cakes == USUAL
    assert awards("001", "123456") == ["duitang"]
    assert awards("001", "111222") == []
    assert awards("001", "444222") == ["sanhong"]
    assert awards(house("001", '[hands]\ntwo_triples = "without-fours"\n'), "111222") == ["duitang"]


@pytest.mark.parametrize("sheet", ["000-1", "001"])
def test_E_02_another_player_is_found_by_seat(sheet: str):
    """000 and 001 say "another player": the nearest against the direction of play; by time is an option."""
    for source, victim in (("seat", 2), ("latest", 1)):
        table = Table(house(sheet, f'[chase]\nsource = "{source}"\n') if source == "latest" else sheet, 4)
        table.win(2, "duitang")
        table.win(1, "duitang")
        table.win(3, "duitang")
        assert table.moves == [("duitang", 1, victim, 3)]


def test_E_03_002_usually_and_in_many_places():
    """The lost turn and 四进带一秀 are both on; a house may switch either off, as 002-alt does both."""
    table = Table("002", 2)
    table.spill(0)
    table.throw(1, NOTHING)
    assert table.last.skipped == (0,)
    assert awards("002", "222241") == ["sijin", "yixiu"]
    assert awards(house("002", "[bonus]\nsijin_yixiu = false\n"), "222241") == ["sijin"]
    for mild in (house("002", '[spill]\nnext_turn = "played"\n'), "002-alt"):
        table = Table(mild, 2)
        table.spill(0)
        table.throw(1, NOTHING)
        assert (table.last.skipped, table.next) == ((), 0)
    assert awards("002-alt", "222241") == ["sijin"]
    assert falls("002-alt", "444444", "444411", "111111")
    assert falls("002", "444411", "444444", "111111")


SILENT = ["003T", "003M", "S1", "S2", "S3", "S7a", "S8", "S9", "S10", "S11", "S12", "S15", "S16"]


@pytest.mark.parametrize("sheet", SILENT)
def test_E_04_a_die_out_where_the_sheet_is_silent(sheet: str):
    """The throw is void and no turn is lost; losing the next turn is an option."""
    for rules, lost in ((sheet, False), (house(sheet, '[spill]\nnext_turn = "lost"\n'), True)):
        table = Table(rules, 2)
        table.spill(0, "444123")
        assert (table.moves, table.next) == ([], 1)
        table.throw(1, NOTHING)
        assert table.next == (1 if lost else 0)


def test_E_04_the_sheets_that_speak():
    """Void and a turn lost in 000, 001, 002, 003N, S13, S14; void alone in S5 and S6."""
    lost = {key for key in sheet_keys() if find_sheet(key).spill.next_turn == "lost"}
    for sheet in ("000-1", "000-2", "001", "002", "003N", "003N-i", "S13", "S13-pf", "S14"):
        assert find_sheet(sheet).key in lost
    for sheet in ("S5", "S6", *SILENT):
        assert find_sheet(sheet).key not in lost


def test_E_05_003t_is_its_rule_and_the_custom_an_option_set():
    """六朴红 takes everything by the rule; by the custom 状元 and 对堂, and 六朴黑 does nothing."""
    ruled = Table(house("003T", FEW))
    ruled.win(1, "yixiu")
    ruled.throw(0, "444444")
    assert ruled.has(0) == dict.fromkeys(("zhuangyuan", *LOWER), 1)
    custom = Table(house("003T-f", FEW))
    custom.win(1, "yixiu")
    custom.throw(0, "444444")
    assert custom.has(0) == {"zhuangyuan": 1, "duitang": 1}
    assert custom.has(1) == {"sanhong": 1, "erju": 1, "yixiu": 1}
    assert custom.has(2) == {"sijin": 1}
    dark = Table("003T-f")
    dark.throw(0, "222222")
    assert (dark.finished, dark.moves, dark.zhuangyuan) == (None, [], None)
    assert Table("003T").refuses(Throw(0, Roll.parse("222222"))) == "act/grab_needed"
    # each half of the custom can be had alone
    half = house("003T", '[liubohong]\ntakes = "friendly"\n')
    assert "friendly" in read(half, "444444").effects
    assert "grab" in read(half, "222222").effects


def test_E_06_003n_borrows_the_order_of_s12():
    """Six 1s are 六黑, 六黑 is an event and its thrower no 状元; ignored, 六红 > 六黑 > 插金花 are plain ranks."""
    ranked = ["444444", "444411", "444446", "444441", "666665", "222221", "444466", "444412"]
    assert falls("003N", *ranked[:4])
    for one, other in pairwise(ranked):
        assert (strength("003N", one) > strength("003N", other)) == (strength("S12", one) > strength("S12", other))
    for face in "12356":
        row = read("003N", face * 6)
        assert (row.combination, row.strength, row.tier) == ("liubohei", None, None)
    table = Table(house("003N", FEW))
    table.throw(1, "444412")
    table.throw(0, "111111")
    assert table.finished == "effect"
    assert table.zhuangyuan == (1, "444412")
    assert falls("003N-i", "444444", "666666", "111111", "444411", "444446")


def test_E_07_within_liubohei_by_face_with_six_1s_lowest():
    """S12: 28 strengths in all."""
    assert falls("S12", "666666", "555555", "333333", "222222", "111111", "444411")
    assert scorebook(find_sheet("S12")).census().strengths == 28
    same = house("S12", '[ranks]\nliubohei_by = "equal"\n')
    assert strength(same, "666666") == strength(same, "111111")


def test_E_08_s7a():
    """五红 above 五子; six 1s above 六黑; six 6s are a 状元 too."""
    assert falls("S7a", "444444", "111111", "666666", "222222", "444411", "444441", "666665")
    table = Table(house("S7a", FEW))
    table.throw(0, "444411")
    table.throw(1, "666666", grab=dict.fromkeys(LOWER, (2,)))
    assert table.zhuangyuan == (1, "666666")
    assert table.has(1) == {"zhuangyuan": 1}


def test_E_09_s8():
    """Six 1s and 六黑 below 插金花, which is second to 六红 alone, and above 五红."""
    assert falls("S8", "444444", "444411", "111111", "666666", "222222", "444446")


@pytest.mark.parametrize("sheet", ["000-1", "000-2", "001", "S2", "S6", "S9"])
def test_E_10_wuzi_by_face_then_kicker(sheet: str):
    """These sheets are silent; by the kicker alone is an option."""
    assert falls(sheet, "666661", "111116", "111115")
    assert falls(house(sheet, '[ranks]\nwuzi_by = "kicker"\n'), "111116", "666661")


def test_E_11_s15_has_32_xiucai():
    """The number is blank in the sheet; any other can be set."""
    assert find_sheet("S15").cakes == {
        "zhuangyuan": 1,
        "duitang": 3,
        "sanhong": 6,
        "sijin": 10,
        "erju": 20,
        "yixiu": 32,
    }
    assert house("S15", "[cakes]\nyixiu = 40\n").cakes["yixiu"] == 40


def test_E_11_s15_sanhong_in_the_extra_throws_count():
    """While all wait for a 状元, a 三红 still takes its place by sum."""
    table = Table(house("S15", FEW))
    table.throw(0, "444112")
    table.win(1, "duitang", "sijin", "erju", "yixiu")
    assert table.finished is None
    table.throw(2, "444666")
    table.throw(1, "444412")
    assert table.finished
    assert table.has(2) == {"sanhong": 1}
    assert "sanhong" not in table.has(0)


def test_E_12_s5_liubohei_while_a_chajinhua_leads():
    """His claim stands, and he takes the 对堂, from those who grabbed them too."""
    table = Table(house("S5", FEW.replace("duitang = 1", "duitang = 2")))
    table.throw(0, "444411")
    table.win(1, "duitang")
    table.throw(2, "222222", grab={"duitang": (2,), "sanhong": (2,), "sijin": (1,), "erju": (1,), "yixiu": (0,)})
    assert table.finished == "effect"
    assert table.zhuangyuan == (0, "444411")
    assert table.has(0) == {"zhuangyuan": 1, "duitang": 2, "yixiu": 1}
    assert table.has(2) == {"sanhong": 1}


def test_E_13_s3_both_duitang_are_safe_however_he_won_them():
    """六红 sweeps the other cakes of a 插金花, not the 状元 and not a 对堂 that he had by a straight before."""
    table = Table(house("S3", "[cakes]\nyixiu = 2\n"))
    table.win(0, "duitang", "yixiu")
    table.throw(0, "444411")
    assert table.has(0) == {"duitang": 2, "yixiu": 1}
    table.throw(1, "444444")
    assert table.has(0) == {"zhuangyuan": 1, "duitang": 2}
    assert table.has(1)["yixiu"] == 2
    both = Table("S3")
    both.win(0, "duitang", "duitang")
    both.throw(0, "444411")
    both.throw(1, "444444")
    assert both.has(0) == {"zhuangyuan": 1, "duitang": 2}


def test_E_13_without_protection_all_goes():
    """A house may take it away; the title stays with the higher 插金花."""
    table = Table(house("S3", "[chajinhua]\nprotected = false\n"))
    table.throw(0, "444411")
    table.throw(1, "444444")
    assert table.zhuangyuan == (0, "444411")
    assert table.has(0) == {"zhuangyuan": 1}


def test_E_14_pingfen_is_one_deal_over_all_tiers():
    """High tiers first, the deal running on from tier to tier; the claim to 状元 is not dealt."""
    table = Table("S13-pf", 4)
    table.throw(1, "444466")
    table.win(1, "sijin", "duitang", "erju", "erju", "yixiu")
    table.throw(1, "666666")
    # duitang to 2, sijin to 3, erju to 0 and 1, yixiu to 2
    assert table.moves == [("duitang", 1, 1, 2), ("sijin", 1, 1, 3), ("erju", 1, 1, 0), ("yixiu", 1, 1, 2)]
    assert table.has(1) == {"erju": 1}
    assert table.zhuangyuan == (1, "666666")


def test_E_14_only_among_those_who_are_there():
    """Who has left is passed over in the deal."""
    table = Table("S13-pf", 3)
    table.win(1, "yixiu", "yixiu", "yixiu")
    table.play(Leave(2))
    table.throw(1, "666666")
    assert table.moves == [("yixiu", 2, 1, 0)]


def test_E_15_nobody_takes_a_leavers_cakes():
    """Not by a chase, not by a sweep, not by a 插金花, at once or at the end."""
    table = Table(house("000-1", "[cakes]\nduitang = 1\n"), 3)
    table.win(2, "duitang")
    table.play(Leave(2))
    table.win(0, "duitang")
    assert table.moves == []
    table.throw(1, "444444")
    assert table.finished
    assert table.has(2) == {"duitang": 1}
    table = Table("S1", 3)
    table.win(2, "duitang")
    table.play(Leave(2))
    table.throw(0, "444411")
    assert table.moves == [("duitang", 1, "table", 0)]
    table = Table(house("003M", FEW), 3)
    table.throw(0, "444411")
    table.win(2, "duitang")
    table.play(Leave(2))
    table.win(1, "sanhong", "sijin", "erju", "yixiu")
    assert table.finished
    assert table.has(2) == {"duitang": 1}


def test_E_15_a_leaver_may_still_receive_what_he_threw_for():
    """Ranked 三红 and the 状元 cake come to him at the end."""
    table = Table(house("S15", FEW), 3)
    table.throw(1, "444666")
    table.throw(1, "444466")
    table.play(Leave(1))
    table.throw(0, "444111")
    table.win(2, "duitang", "sijin", "erju", "yixiu")
    assert table.finished
    assert table.has(1) == {"zhuangyuan": 1, "sanhong": 1}


@pytest.mark.parametrize("sheet", ["003M", "S14", "S8"])
def test_E_16_47_strengths_with_the_six_alike(sheet: str):
    """42 without the sixes that D-14 ranks, 47 with them."""
    rules = find_sheet(sheet)
    assert scorebook(rules).census().strengths == 47
    order = [form for group in rules.ranks.order for form in group if form not in ("biandijin", "liubohei")]
    fewer = house(sheet, f'[ranks]\norder = {order}\nunranked = ["biandijin", "liubohei"]\n'.replace("'", '"'))
    assert scorebook(fewer).census().strengths == 42


def test_E_17_003m_chases_the_latest_and_duitang_alone():
    """By seat, and 三红 too, are options; 003M-alt takes both."""
    assert find_sheet("003M").chase.tiers == ("duitang",)
    for rules, victim in (("003M", 1), ("003M-alt", 2), (house("003M", '[chase]\nsource = "seat"\n'), 2)):
        table = Table(rules, 4)
        table.win(2, "duitang")
        table.win(1, "duitang")
        table.win(3, "duitang")
        assert table.moves == [("duitang", 1, victim, 3)]
    both = house("003M", '[chase]\ntiers = ["duitang", "sanhong"]\n[cakes]\nsanhong = 1\n')
    for rules, moves in (
        (house("003M", "[cakes]\nsanhong = 1\n"), []),
        (house("003M-alt", "[cakes]\nsanhong = 1\n"), [("sanhong", 1, 0, 1)]),
        (both, [("sanhong", 1, 0, 1)]),
    ):
        table = Table(rules)
        table.win(0, "sanhong")
        table.win(1, "sanhong")
        assert table.moves == moves


def test_E_18_a_chase_that_finds_nobody_is_no_fallback():
    """With both switched on, the only holder throws the tier again: nothing."""
    table = Table(house("S9", '[cakes]\nduitang = 1\n[chase]\ntiers = ["duitang"]\n'))
    table.win(1, "duitang", "duitang")
    assert table.moves == []
    assert table.refuses(Throw(2, Roll.parse("123456"), choose="yixiu")) == "act/no_choice"


@pytest.mark.parametrize("sheet", ["003T", "S3", "S5"])
def test_E_19_lights_out_with_the_zhuangyuan_cake_alone(sheet: str):
    """It is grabbed, and nobody is 状元."""
    table = Table(house(sheet, FEW))
    table.win(1, *LOWER)
    assert table.left == {"zhuangyuan": 1}
    table.until(2)
    assert table.refuses(Throw(2, Roll.parse("222222"))) == "act/grab_needed"
    table.throw(2, "222222", grab={"zhuangyuan": (0,)})
    assert table.finished == "effect"
    assert table.moves == [("zhuangyuan", 1, "table", 0)]
    assert table.zhuangyuan is None


def test_E_20_the_final_of_s9_is_settled_by_the_higher_zhuangyuan():
    """What the final asks of the core: any two 状元 throws compare, and equal ones or none go again."""
    assert find_sheet("S9").final.format == "highest-zhuangyuan"
    assert strength("S9", "444411") > strength("S9", "444466")
    assert strength("S9", "444461") == strength("S9", "444452")
    assert read("S9", "123456").strength is None
    assert house("S9", '[final]\nformat = "three-dice"\n').final.format == "three-dice"


def test_E_21_sheets_silent_on_cakes_exhausted_tiers_and_bonus():
    """1/2/4/8/16/32; nothing; none."""
    for sheet in ("003M", "003N", "S7a", "S12", "S16", "S9"):
        assert find_sheet(sheet).cakes == USUAL
    for sheet in ("003T", "003N", "S1", "S2", "S5", "S7a", "S8", "S12", "S16"):
        table = Table(house(sheet, "[cakes]\nsijin = 1\n"))
        table.win(0, "sijin")
        table.win(1, "sijin")
        assert table.moves == [], sheet
    for sheet in ("000-1", "001", "003T", "003M", "003N", "S1", "S2", "S3", "S5", "S7a", "S8", "S9", "S10", "S16"):
        assert awards(sheet, "222241") == ["sijin"], sheet
        assert awards(sheet, "222244") == ["sijin"], sheet
        assert awards(sheet, "222224") == ["zhuangyuan"], sheet


def test_E_21_each_of_them_is_an_option():
    """Numbers, what an exhausted tier gives, and 兼得 can be set for such a sheet."""
    text = '[cakes]\nsijin = 1\n[exhausted]\nthen = "lower"\n[bonus]\nsijin_yixiu = true\n'
    table = Table(house("S16", text))
    table.win(0, "sijin")
    table.throw(1, "222241")
    assert table.moves == [("erju", 1, "table", 1), ("yixiu", 1, "table", 1)]


def test_E_21_s10_has_no_duitang_for_a_chajinhua():
    """A rank alone; a house may add them."""
    for rules, moves in (("S10", []), (house("S10", '[chajinhua]\nduitang = "all"\n'), [("duitang", 2, "table", 0)])):
        table = Table(rules)
        table.throw(0, "444411")
        assert table.moves == moves


BEST = [
    "000-1",
    "001",
    "002",
    "003T",
    "003M",
    "S1",
    "S2",
    "S3",
    "S5",
    "S6",
    "S7a",
    "S8",
    "S9",
    "S13",
    "S14",
    "S15",
    "S16",
]


@pytest.mark.parametrize("sheet", BEST)
def test_E_22_only_a_higher_own_throw_changes_anything(sheet: str):
    """Where the sheet does not say that the last counts, the best does; the last is an option."""
    for rules, leader in ((sheet, (0, "444466")), (house(sheet, '[title]\nown_later = "last"\n'), (1, "444455"))):
        table = Table(rules)
        table.throw(0, "444466")
        table.throw(1, "444455")
        table.throw(0, "444453")
        assert table.zhuangyuan == leader
    table = Table(sheet)
    table.throw(0, "444453")
    table.throw(0, "444466")
    assert table.zhuangyuan == (0, "444466")


@pytest.mark.parametrize(
    "sheet", ["000-1", "001", "002", "003T", "003N", "S1", "S2", "S6", "S7a", "S8", "S9", "S13", "S16"]
)
def test_E_23_the_zhuangyuan_cake_is_handed_over_at_the_end(sheet: str):
    """ "Held for now" is the title and no move of the cake; at once is an option."""
    table = Table(sheet)
    table.throw(0, "444455")
    assert table.moves == []
    table.throw(1, "444466")
    assert (table.moves, table.holder) == ([], 1)
    once = Table(house(sheet, '[title]\nhandover = "at-once"\n'))
    once.throw(0, "444455")
    assert once.moves == [("zhuangyuan", 1, "table", 0)]
    once.throw(1, "444466")
    assert once.moves == [("zhuangyuan", 1, 0, 1)]


def test_E_24_000_as_printed():
    """四进 4 and above, 三红 8 and below; the swap is an option."""
    for sheet in ("000-1", "000-2"):
        rules = find_sheet(sheet)
        assert (rules.cakes["sijin"], rules.cakes["sanhong"]) == (4, 8)
        assert rules.lower == ("duitang", "sijin", "sanhong", "erju", "yixiu")
    tiers = '["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"]'
    swapped = house("000-1", f"[cakes]\nsanhong = 4\nsijin = 8\n[ranking]\ntiers = {tiers}\n")
    assert swapped.cakes == USUAL
    assert list(swapped.cakes) == list(USUAL)


def test_E_25_set_up_where_silent():
    """Two or more seats, the first throws unless two dice say otherwise, anticlockwise."""
    for sheet in ("002", "S1", "S2", "S3", "S12", "S15", "S16"):
        setup = find_sheet(sheet).setup
        assert (setup.seats_min, setup.starter, setup.direction) == (2, "first-seat", "anticlockwise")
        assert Table(sheet, 2).next == 0
    table = Table("002", 4)
    table.play(Start(0, (1, 2)))
    assert table.next == 2
    other = house("002", '[setup]\nseats_min = 4\nstarter = "eldest"\ndirection = "clockwise"\n')
    assert (other.setup.starter, other.setup.direction) == ("eldest", "clockwise")
    assert Table(other, 4).next == 0
    with pytest.raises(Exception, match="4 to 500 seats"):
        Table(other, 3)
