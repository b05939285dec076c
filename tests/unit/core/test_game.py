"""The game as a value: opening it, asking it, playing it; and ties and prizes at its edges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bobing.core import awards
from bobing.core.acts import Close, Correct, Leave, Pass, Spill, Throw, Undo
from bobing.core.catalogue import find_sheet
from bobing.core.consequence import consequence_json, final_json
from bobing.core.dice import Roll
from bobing.core.draft import Draft
from bobing.core.errors import ActRefused
from bobing.core.game import Game, replay
from rules.support_table import FEW, Table, house

SIHONG, LIUBOHEI = "444423", "222222"


def thrown(seat: int, faces: str) -> Throw:
    return Throw(seat, Roll.parse(faces))


@pytest.mark.parametrize(
    ("seats", "start", "code"), [(1, 0, "bad_seats"), (501, 0, "bad_seats"), (3, 3, "unknown_seat")]
)
def test_a_table_that_cannot_be_opened(seats: int, start: int, code: str):
    with pytest.raises(ActRefused) as refused:
        Game.new(find_sheet(), seats, start)
    assert refused.value.code == f"act/{code}"


def test_a_game_is_a_value():
    before = Game.new(find_sheet(), 3)
    after = before.play(thrown(0, "444423"))
    assert before == Game.new(find_sheet(), 3)
    assert (before.last.n, before.title, before.next_seat) == (0, None, 0)
    assert (after.last.n, after.next_seat, after.finished) == (1, 1, False)
    assert after.title is not None
    assert after.title[0] == 0


def test_whether_an_act_can_be_played():
    game = Game.new(find_sheet(), 3)
    game.verify(thrown(0, "444423"))
    assert game.can(thrown(0, "444423"))
    assert not game.can(thrown(1, "444423"))
    with pytest.raises(ActRefused, match="turn of seat 0"):
        game.verify(thrown(1, "444423"))


def test_what_a_grab_would_hand_out():
    game = Game.new(find_sheet("003T"), 3)
    assert game.grab_for(Roll.parse("444423")) is None
    assert game.grab_for(Roll.parse(LIUBOHEI)) == game.rules.cakes
    assert game.play(Close()).grab_for(Roll.parse(LIUBOHEI)) is None


def test_a_zhuangyuan_that_grabs_claims_its_own_cake():
    rules = house("003T", '[ranks]\norder = ["liubohei", "sihong"]\nunranked = ["liubohong", "chajinhua"]')
    assert Game.new(rules, 3).grab_for(Roll.parse(LIUBOHEI)) == {
        tier: cakes for tier, cakes in rules.cakes.items() if tier != "zhuangyuan"
    }


def test_replay_of_changes():
    acts = [thrown(0, "441235"), Spill(1), Correct(1, thrown(0, "444123")), Undo(2), thrown(1, "411235")]
    game = replay(find_sheet(), 2, acts)
    assert [game.state.holding(seat) for seat in range(2)] == [{"sanhong": 1}, {"yixiu": 1}]
    assert game.struck == {2}


def test_a_correction_without_a_seat_is_refused():
    game = Game.new(find_sheet(), 2).play(thrown(0, "441235")).play(Close())
    for act, code in [
        (Correct(2, Close()), "act/not_correctable"),
        (Correct(1, Close()), "act/other_seat"),
        (Correct(1, thrown(1, "441235")), "act/other_seat"),
        (Correct(3, Close()), "act/no_such_act"),
    ]:
        with pytest.raises(ActRefused) as refused:
            game.play(act)
        assert refused.value.code == code


def test_a_change_is_undone_and_not_corrected():
    game = Game.new(find_sheet(), 2).play(thrown(0, "441235")).play(Undo(1))
    with pytest.raises(ActRefused) as refused:
        game.play(Correct(2, thrown(0, "441235")))
    assert refused.value.code == "act/not_correctable"
    assert game.play(Undo(2)).state == Game.new(find_sheet(), 2).play(thrown(0, "441235")).state


def test_acts_by_number_as_data():
    game = Game.new(find_sheet(), 2).play(thrown(0, SIHONG)).play(Pass(1))
    assert consequence_json(game, 1)["title"] == {"seat": 0, "roll": SIHONG}
    assert consequence_json(game)["act"] == {"seat": 1, "pass": True}
    for n in (0, 3):
        with pytest.raises(IndexError):
            consequence_json(game, n)


def test_how_a_game_stands_as_data():
    game = Game.new(find_sheet(), 2).play(thrown(0, SIHONG)).play(thrown(1, "411235")).play(Close())
    final = final_json(game)
    assert final["finished"]
    assert final["champion"] == 0
    assert [sum(seat.values()) for seat in final["seats"]] == [1, 1]


# ---- ties, where several rules meet

TIED = """[title]
equal = "red-pips"
[ranks]
order = [["liubohei", "sihong"], "wuzi"]
unranked = []
liubohei_by = "equal"
sihong_by = "equal"
[chajinhua]
duitang = "none"
[liubohong]
takes = "rank"
ends = false
"""


def test_who_grabs_the_zhuangyuan_cake_ends_the_tie_for_it():
    table = Table(house("003T", f'{TIED}[liubohei]\ngrab_zhuangyuan = "always"\n{FEW}'))
    table.throw(0, SIHONG)
    needed = table.game.grab_for(Roll.parse(LIUBOHEI))
    assert needed
    table.throw(1, LIUBOHEI, grab={tier: (2,) * cakes for tier, cakes in needed.items()})
    assert table.finished == "effect"
    assert table.state.rolloff is None
    assert table.zhuangyuan is None
    assert table.has(2)["zhuangyuan"] == 1


def test_the_cake_goes_to_who_wins_the_tie_at_once():
    table = Table(house("philippines", '[title]\nhandover = "at-once"'))
    table.throw(0, SIHONG)
    assert table.has(0)["zhuangyuan"] == 1
    table.throw(1, SIHONG)
    table.throw_off(s0="123123", s1="444444")
    assert table.moves == [("zhuangyuan", 1, 0, 1)]
    assert table.holder == 1


def test_one_who_has_no_part_in_a_tie_may_leave_during_it():
    table = Table("philippines")
    table.throws(0, SIHONG)
    table.throw(1, SIHONG)
    table.play(Leave(2))
    assert table.state.rolloff
    assert table.state.rolloff.seats == (0, 1)
    table.throw_off(s0="123123", s1="444444")
    assert table.holder == 1
    assert table.next == 0, "seat 2 is passed over"


# ---- prizes of several kinds in a tier

TWO_KINDS = """[[prizes.duitang]]
name = "lantern"
count = 1
[[prizes.duitang]]
name = "teapot"
count = 1
"""


def test_a_prize_that_goes_back_lies_on_the_table_under_its_name():
    table = Table(house("S12", f'{TWO_KINDS}[title]\nlugu_duitang = "returned"'))
    table.throw(0, "444411")
    assert [cake.item for cake in table.cakes("duitang")] == ["lantern", "teapot"]
    table.throw(1, "444422")
    table.throw(0, "444412")
    assert table.notes == ["title-taken", "lugu"]
    assert table.state.shelf["duitang"] == {"lantern": 1, "teapot": 1}
    assert table.left["duitang"] == 2


def test_what_a_throw_could_take_instead():
    table = Table(house("S9", f"{TWO_KINDS}[cakes]\nsanhong = 1"))
    straight, triple = thrown(0, "123456"), thrown(0, "444123")

    def alternatives(act: Throw):
        return awards.alternatives(Draft(table.state, table.game.rules, 0), act)

    assert alternatives(thrown(0, "112235")) == ((), {})
    assert alternatives(straight) == ((), {"duitang": ["lantern", "teapot"]})
    assert alternatives(replace(straight, waive=("duitang",))) == ((), {})
    assert alternatives(triple) == ((), {})
    table.win(0, "sanhong")
    assert alternatives(triple) == (["sijin", "erju", "yixiu"], {})


def test_points_of_a_seat():
    table = Table(house("S11", "[points]\nyixiu = 1\nerju = 3"))
    table.win(0, "yixiu", "erju", "yixiu")
    assert [table.game.points(seat) for seat in range(2)] == [5, 0]
