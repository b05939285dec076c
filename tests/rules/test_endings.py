"""How a game ends: all gone, equal turns, one more lap, a champion, so many throws, time's up; ties thrown off."""

from __future__ import annotations

import pytest

from bobing.core.acts import Close, Join, Leave, RollOff, Spill, Swap, Throw, TimeUp, Undo
from bobing.core.dice import Roll
from rules.support_table import FEW, LOWER, NOTHING, Table, house

RED = '[title]\nequal = "red-pips"\n'
TIMED = '[ending]\nminutes = 45\nundecided = "three-dice"\n'


def ending(**keys: object) -> str:
    """An [ending] section."""
    return "[ending]\n" + "".join(f"{key} = {value!r}\n" for key, value in keys.items())


# ---- equal turns, one more lap


def test_equal_turns_gives_the_rest_of_the_round():
    """All gone in the second place: those behind still throw, then it is over."""
    table = Table(house("002", FEW + ending(finish="equal-turns")), 4)
    table.throw(3, "444466")
    table.win(1, *LOWER)
    assert (table.finished, table.next) == (None, 2)
    assert "last-lap" in table.notes
    table.throw(2, "444465")
    assert table.zhuangyuan == (3, "444466")
    table.throw(3, NOTHING)
    assert table.finished == "last-lap"
    assert ("zhuangyuan", 1, "table", 3) in table.moves


def test_equal_turns_when_the_last_place_ends_it():
    """Nobody is owed a throw: over at once."""
    table = Table(house("002", FEW + ending(finish="equal-turns")), 3)
    table.throw(0, "444466")
    table.win(2, *LOWER)
    assert table.finished == "last-lap"


def test_equal_turns_counts_from_the_starter():
    """With seat 2 as the first thrower, seat 1 is the last of the round."""
    table = Table(house("002", FEW + ending(finish="equal-turns")), 4, start=2)
    table.throw(2, "444466")
    table.win(3, *LOWER)
    for seat in (0, 1):
        assert table.next == seat
        table.throw(seat, NOTHING)
    assert table.finished == "last-lap"


def test_equal_turns_with_lost_turns_and_leavers():
    """A place with nobody to throw is passed over, at the end as well."""
    table = Table(house("002", FEW + ending(finish="equal-turns")), 4)
    table.throw(0, "444466")
    table.win(0, *LOWER[1:])
    table.spill(2)
    table.until(0)
    table.play(Leave(3))
    table.win(0, "duitang")
    assert table.next == 1
    table.throw(1, NOTHING)
    assert table.last.skipped == (2,)
    assert table.finished == "last-lap"


def test_the_zhuangyuan_that_was_missing_has_its_lap_finished():
    """All gone, no 状元: play on; the lap in which one comes is the last."""
    table = Table(house("002", FEW + ending(finish="equal-turns")), 3)
    table.win(0, *LOWER)
    assert table.finished is None
    table.throw(1, "444466")
    assert (table.finished, table.next) == (None, 2)
    table.throw(2, "444411")
    assert table.finished == "last-lap"
    assert table.zhuangyuan == (2, "444411")


def test_one_more_lap_after_the_champion():
    """Everybody throws once more, he himself last."""
    table = Table(house("002", ending(when="champion", finish="extra-lap")), 3)
    table.throw(1, "444466")
    for seat, faces in ((2, NOTHING), (0, "444411"), (1, "441235")):
        assert table.next == seat
        assert table.finished is None
        table.throw(seat, faces)
    assert table.finished == "last-lap"
    assert table.zhuangyuan == (0, "444411")
    assert table.has(1) == {"erju": 1}


def test_one_more_lap_after_all_is_gone():
    """The last cake goes; in the closing lap only the title is thrown for."""
    table = Table(house("002", FEW + ending(finish="extra-lap")), 3)
    table.throw(0, "444466")
    table.win(2, *LOWER)
    table.throw(0, "123456")
    assert table.moves == []
    table.throw(1, NOTHING)
    table.throw(2, "444411")
    assert table.finished == "last-lap"
    assert table.zhuangyuan == (2, "444411")


def test_no_chase_in_a_closing_lap():
    """The last lower prize is gone (D-44)."""
    table = Table(house("003M", FEW + ending(finish="extra-lap")), 3)
    table.throw(0, "444466")
    table.win(2, *LOWER)
    table.win(0, "duitang")
    assert table.moves == []


def test_a_throw_that_ends_the_game_ends_a_closing_lap_too():
    """六黑 of S12 waits for nobody."""
    table = Table(house("S12", FEW + ending(finish="extra-lap")), 3)
    table.throw(0, "444466")
    table.win(2, *LOWER)
    table.throw(0, "222222")
    assert table.finished == "effect"


# ---- until a champion


def test_until_a_champion_ends_with_the_first_zhuangyuan():
    """What is left stays on the table."""
    table = Table(house("002", ending(when="champion")), 3)
    table.throw(0, "441235")
    table.throw(1, "444412")
    assert table.finished == "champion"
    assert table.moves == [("zhuangyuan", 1, "table", 1)]
    assert table.left == {"duitang": 2, "sanhong": 4, "sijin": 8, "erju": 15, "yixiu": 32}


def test_until_a_champion_and_that_lap_finished():
    """Keep lapping until one appears, and finish that lap."""
    table = Table(house("002", ending(when="champion", finish="equal-turns")), 3)
    table.throw(1, NOTHING)
    table.throw(0, "444412")
    assert table.finished is None
    table.throw(1, "444413")
    table.throw(2, NOTHING)
    assert table.finished == "last-lap"
    assert table.holder == 1


def test_until_a_champion_goes_on_when_all_is_gone():
    """Unless the house stops there."""
    table = Table(house("002", FEW + ending(when="champion")), 3)
    table.win(0, *LOWER)
    assert table.finished is None
    stopped = Table(house("002", FEW + ending(when="champion", without_champion="stop")), 3)
    stopped.win(0, *LOWER)
    assert stopped.finished == "all-gone"


# ---- so many throws each


def test_so_many_throws_each():
    """Two laps from seat 1 on; who leads then is 状元, what is left stays."""
    table = Table(house("002", ending(when="throws", throws_each=2)), 3, start=1)
    table.throw(2, "444412")
    for seat in (0, 1, 2):
        assert table.finished is None
        table.throw(seat, NOTHING)
    table.throw(0, "411235")
    assert table.finished == "throws"
    assert table.holder == 2
    assert table.has(2) == {"zhuangyuan": 1}
    assert table.state.turns == {0: 2, 1: 2, 2: 2}


def test_so_many_throws_go_on_when_all_is_gone():
    """The title may still change hands."""
    table = Table(house("002", FEW + ending(when="throws", throws_each=6)), 2)
    table.win(0, *LOWER)
    table.throw(1, "444412")
    assert table.finished is None
    table.throw(0, "444466")
    table.throw(1, NOTHING)
    assert table.finished == "throws"
    assert table.holder == 0


def test_a_lost_turn_is_one_of_the_throws():
    """Who spills has one throw less."""
    table = Table(house("002", ending(when="throws", throws_each=2)), 3)
    table.spill(1)
    table.throw(0, NOTHING)
    assert table.last.skipped == (1,)
    table.throw(2, NOTHING)
    assert table.finished == "throws"
    late = Table(house("002", ending(when="throws", throws_each=2)), 2)
    late.spill(1)
    late.throw(0, NOTHING)
    assert late.finished == "throws"
    assert late.last.skipped == (1,)


def test_without_a_champion_when_the_throws_run_out():
    """Nobody, or three dice each, as the house has it."""
    plain = Table(house("002", ending(when="throws", throws_each=1)), 2)
    plain.throws(0, NOTHING)
    plain.throw(1, "123456")
    assert plain.finished == "throws"
    assert plain.zhuangyuan is None
    dice = Table(house("002", ending(when="throws", throws_each=1, undecided="three-dice")), 2)
    dice.throw(0, NOTHING)
    dice.throw(1, "123456")
    assert (dice.finished, dice.next) == (None, 0)
    dice.throw_off(s0="111", s1="666")
    assert dice.finished == "throws"
    assert dice.zhuangyuan == (1, "666")
    assert dice.has(1) == {"zhuangyuan": 1, "duitang": 1}


# ---- time is up, early close


def test_time_up_with_a_champion():
    """The holder is final, and what is left stays on the table."""
    table = Table(house("002", TIMED), 3)
    table.throw(1, "444412")
    table.play(TimeUp())
    assert table.finished == "time"
    assert table.moves == [("zhuangyuan", 1, "table", 1)]
    assert table.left == {"duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


def test_time_up_without_a_champion_three_dice_each():
    """The highest total wins; a tie throws again among the tied."""
    table = Table(house("002", TIMED), 4)
    table.throw(0, "441235")
    table.play(Leave(3), TimeUp())
    assert (table.finished, table.next) == (None, 0)
    assert table.refuses(Throw(1, Roll.parse(NOTHING))) == "act/rolloff_first"
    assert table.refuses(RollOff(3, (1, 2, 3))) == "act/not_your_turn"
    assert table.refuses(RollOff(0, (1, 2, 3, 4, 5, 6))) == "act/wrong_dice"
    assert table.refuses(TimeUp()) == "act/rolloff_first"
    table.throw_off(s1="663")
    assert table.refuses(RollOff(1, (6, 6, 6))) == "act/not_your_turn"
    table.throw_off(s0="654", s2="321")
    assert ("rolloff-again", "0", "1") in table.last.notes
    table.throw_off(s0="222", s1="221")
    assert table.finished == "time"
    assert table.zhuangyuan == (0, "222")
    assert table.moves == [("zhuangyuan", 1, "table", 0)]
    assert table.state.claims[0].combination == "three-dice"


def test_time_up_without_a_champion_and_without_dice():
    """Where nothing is agreed, nobody is 状元."""
    table = Table(house("002", ending(minutes=45)), 2)
    table.play(TimeUp())
    assert table.finished == "time"
    assert table.zhuangyuan is None
    assert table.left["zhuangyuan"] == 1


def test_time_up_with_one_player_left():
    """He needs no dice."""
    table = Table(house("002", TIMED), 2)
    table.play(Leave(1), TimeUp())
    assert table.finished == "time"
    assert table.holder == 0


def test_who_leaves_a_roll_off_gives_it_up():
    """The others settle it."""
    table = Table(house("002", TIMED), 3)
    table.play(TimeUp())
    table.throw_off(s0="666", s1="111")
    table.play(Leave(2))
    assert table.finished == "time"
    assert table.holder == 0
    two = Table(house("002", TIMED), 3)
    two.play(TimeUp())
    two.throw_off(s0="666")
    two.play(Leave(0))
    assert two.finished is None
    two.throw_off(s1="111", s2="112")
    assert two.holder == 2


def test_no_time_limit_no_time_up():
    """The act belongs to a table that agreed on one."""
    assert Table("002").refuses(TimeUp()) == "act/no_time_limit"


def test_an_early_close():
    """The table stops: ranked cakes, the 状元 cake and what goes with it are handed out, the rest stays."""
    table = Table("S15", 3)
    table.throw(0, "444123")
    table.throw(1, "444412")
    table.play(Close())
    assert table.finished == "closed"
    assert table.moves == [("sanhong", 1, "table", 0), ("zhuangyuan", 1, "table", 1)]
    assert table.next is None
    for act in (Close(), Throw(2, Roll.parse(NOTHING)), Leave(0), Spill(2)):
        assert table.refuses(act) == "act/game_over"
    table.play(Undo(3))
    assert (table.finished, table.next) == (None, 2)
    assert table.has(0) == {}
    modern = Table("003M", 3)
    modern.throw(0, "444411")
    modern.play(Close())
    assert modern.moves == [("zhuangyuan", 1, "table", 0), ("duitang", 2, "table", 0)]


def test_close_in_a_roll_off():
    """It falls away; who led before it leads."""
    table = Table(house("002", RED), 2)
    table.throw(0, "444412")
    table.throw(1, "444421")
    table.play(Close())
    assert table.finished == "closed"
    assert table.holder == 0


# ---- an exact tie is thrown off


@pytest.mark.parametrize("rules", ["philippines", house("002", RED)])
def test_red_pips_settle_an_exact_tie(rules: object):
    """Six dice each: a 4 counts four, a 1 one, the rest nothing."""
    table = Table(rules, 3)  # type: ignore[arg-type]
    table.throw(0, "444466")
    table.throw(1, "664444")
    assert table.zhuangyuan == (0, "444466")
    assert table.next == 0
    assert table.refuses(Throw(2, Roll.parse(NOTHING))) == "act/rolloff_first"
    assert table.refuses(RollOff(0, (6, 6, 6))) == "act/wrong_dice"
    table.throw_off(s0="666665")
    assert table.next == 1
    table.throw_off(s1="222231")
    assert ("rolloff-won", "1", "1") in table.last.notes
    assert table.zhuangyuan == (1, "664444")
    assert table.next == 2


def test_the_holder_keeps_by_more_red_pips():
    """4 + 1 beats 4."""
    table = Table("philippines", 3)
    table.throw(1, "444452")
    table.throw(0, "444461")
    table.throw_off(s1="412355", s0="466655")
    assert table.zhuangyuan == (1, "444452")
    assert table.next == 1


def test_equal_red_pips_are_thrown_again():
    """As often as it takes."""
    table = Table("philippines", 3)
    table.throw(0, "444466")
    table.throw(1, "444466")
    table.throw_off(s0="411115", s1="446666")
    assert "rolloff-again" in table.notes
    table.throw_off(s0="235556", s1="235556")
    assert table.next == 0
    table.throw_off(s0="235551", s1="444555")
    assert table.zhuangyuan == (1, "444466")


def test_a_third_equal_throw_meets_the_holder():
    """Who lost a roll-off is out of it, until he throws as high again."""
    table = Table("philippines", 3)
    table.throw(0, "444466")
    table.throw(1, "444466")
    table.throw_off(s0="222222", s1="444422")
    table.throw(2, "444466")
    assert table.state.rolloff
    assert table.state.rolloff.seats == (1, 2)
    table.throw_off(s1="222222", s2="122222")
    assert table.zhuangyuan == (2, "444466")
    table.throw(0, "664444")
    assert table.state.rolloff
    assert table.state.rolloff.seats == (2, 0)
    table.throw_off(s2="444444", s0="123456")
    assert table.zhuangyuan == (2, "444466")
    table.throw(1, "444411")
    assert table.zhuangyuan == (2, "444466")


def test_a_roll_off_in_the_last_throw_comes_before_the_end():
    """A tie in the last throw of a closing lap: first the dice, then the cakes."""
    table = Table(house("002", RED + FEW + ending(finish="equal-turns")), 3)
    table.throw(1, "444466")
    table.win(1, *LOWER)
    table.throw(2, "444466")
    assert table.finished is None
    table.throw_off(s1="222222", s2="444444")
    assert table.finished == "last-lap"
    assert ("zhuangyuan", 1, "table", 2) in table.moves


def test_a_tie_with_a_throw_that_ends_the_game():
    """A house ranks 六红 and 插金花 alike, and 六红 ends the game: first the dice, then the end."""
    rules = house(
        "002", RED + FEW + '[ranks]\norder = [["liubohong", "chajinhua"], "sihong"]\n[liubohong]\nends = true\n'
    )
    table = Table(rules, 3)
    table.throw(0, "444411")
    table.throw(1, "444444")
    assert (table.finished, table.next) == (None, 0)
    table.throw_off(s0="123456", s1="444444")
    assert table.finished == "effect"
    assert ("zhuangyuan", 1, "table", 1) in table.moves


def test_a_tie_that_comes_up_when_the_leader_falls():
    """Where the last throw counts, two equal throws below him may stand on top when he throws lower."""
    table = Table(house("002", '[title]\nequal = "red-pips"\nown_later = "last"\n'), 3)
    table.throw(0, "444466")
    table.throw(1, "444455")
    table.throw(2, "444455")
    assert table.state.rolloff is None
    table.throw(0, "444412")
    assert table.state.rolloff
    assert table.state.rolloff.seats == (1, 2)
    table.throw_off(s1="111111", s2="444444")
    assert table.zhuangyuan == (2, "444455")
    assert table.next == 1
    # it is settled: when another comes and falls, nobody throws off again
    table.throw(1, NOTHING)
    table.throw(0, "444465")
    table.throw(0, "444412")
    assert table.state.rolloff is None
    assert table.zhuangyuan == (2, "444455")


def test_who_left_does_not_throw_off():
    """An equal throw does not move the title from one who has gone."""
    table = Table("philippines", 3)
    table.throw(0, "444466")
    table.play(Leave(0))
    table.throw(1, "444466")
    assert table.state.rolloff is None
    assert table.zhuangyuan == (0, "444466")


def test_who_leaves_a_tie_gives_the_title_up():
    """The other has it, and play goes on behind the thrower."""
    table = Table("philippines", 3)
    table.throw(0, "444466")
    table.throw(1, "444466")
    table.play(Leave(0))
    assert table.zhuangyuan == (1, "444466")
    assert table.next == 2
    other = Table("philippines", 3)
    other.throw(0, "444466")
    other.throw(1, "444466")
    other.play(Leave(1))
    assert other.zhuangyuan == (0, "444466")
    assert other.next == 2


def test_nothing_to_throw_off():
    """Without a tie the act is refused."""
    assert Table("philippines").refuses(RollOff(0, (1, 2, 3, 4, 5, 6))) == "act/no_rolloff"


def test_a_waived_title():
    """A 状元 that is waived is none; the next one leads."""
    table = Table("002", 2)
    table.throw(0, "444411", waive=("zhuangyuan",))
    assert table.zhuangyuan is None
    assert "waived" in table.notes
    table.throw(1, "444412")
    assert table.holder == 1


def test_a_waived_prize_stays_on_the_table():
    """The tier or the bonus alone."""
    table = Table("S13", 2)
    table.throw(0, "222241", waive=("yixiu",))
    assert table.moves == [("sijin", 1, "table", 0)]
    table.throw(1, "222241", waive=("sijin",))
    assert table.moves == [("yixiu", 1, "table", 1)]
    assert table.refuses(Throw(0, Roll.parse("222233"), waive=("yixiu",))) == "act/nothing_to_waive"
    assert table.refuses(Throw(0, Roll.parse("222233"), waive=("effect",))) == "act/nothing_to_waive"


def test_a_waived_effect():
    """000: the sweep is left out so that all get a prize; the throw is 状元 and play goes on."""
    table = Table("000-1", 2)
    table.throw(0, "444444", waive=("effect",))
    assert table.zhuangyuan == (0, "444444")
    assert (table.moves, table.finished, table.next) == ([], None, 1)
    dark = Table("S5", 2)
    dark.throw(0, "222222", waive=("effect",))
    assert (dark.moves, dark.finished, dark.next) == ([], None, 1)
    assert dark.refuses(Throw(1, Roll.parse("222222"), waive=("effect",), grab={"yixiu": (0,)})) == "act/no_grab"
    golden = Table("S12", 2)
    golden.throw(0, "444411", waive=("effect",))
    assert golden.zhuangyuan == (0, "444411")
    assert golden.moves == []


def test_everybody_has_so_many_throws_whoever_changes_places():
    """A seat that moves up in the lap does not throw twice, and nobody is left out."""
    table = Table(house("S12", '[ending]\nwhen = "throws"\nthrows_each = 1'), 3)
    table.throw(0, NOTHING)
    table.play(Swap((0, 2)))
    table.throw(1, NOTHING)
    assert table.next == 2
    table.throw(2, NOTHING)
    assert table.finished == "throws"
    assert table.state.turns == {0: 1, 1: 1, 2: 1}


def test_equal_turns_are_equal_whoever_changes_places():
    few = "[cakes]\nduitang = 0\nsanhong = 0\nsijin = 0\nerju = 0\nyixiu = 1\n"
    table = Table(house("S2", few + '[ending]\nfinish = "equal-turns"'), 3)
    for seat in (0, 1, 2, 0, 1):
        table.throw(seat, "444466" if seat == 0 else NOTHING)
    table.play(Swap((0, 2)))
    table.throw(0, "411235")
    while (seat := table.next) is not None:
        table.throw(seat, NOTHING)
    assert len(set(table.state.turns.values())) == 1


def test_a_late_joiner_has_the_throws_of_the_laps_that_are_left():
    table = Table(house("S12", '[ending]\nwhen = "throws"\nthrows_each = 3'), 2)
    for seat in (0, 1):
        table.throw(seat, NOTHING)
    table.play(Join())
    thrown = []
    while (seat := table.next) is not None:
        thrown.append(seat)
        table.throw(seat, NOTHING)
    assert thrown == [0, 1, 2, 0, 1, 2]
