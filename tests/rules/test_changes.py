"""Undo and correction: the past is changed by one more act, and the trail shows what was struck out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bobing.core.acts import (
    Act,
    Back,
    Close,
    Cocked,
    Correct,
    Join,
    Leave,
    Pass,
    PlayAct,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
    Undo,
)
from bobing.core.catalogue import find_sheet
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused
from bobing.core.game import Game, replay
from bobing.core.state import State
from rules.support_table import FEW, NOTHING, WINS, Table, house


def throw(seat: int, faces: str = NOTHING) -> Throw:
    return Throw(seat, Roll.parse(faces))


def struck(table: Table) -> list[int]:
    """The numbers of the acts that are struck out now."""
    return sorted(table.game.struck)


# ---- undo


def test_undo_takes_back_an_act_and_all_later_ones():
    """The cakes go back, the turn is that of the act, and the moves are the net change."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), throw(1, WINS["erju"]), throw(2, WINS["yixiu"]), throw(0, "444466"))
    table.play(Undo(2))
    assert table.last.n == 5
    assert table.last.struck == (2, 3, 4)
    assert table.moves == [("erju", 1, 1, "table"), ("yixiu", 1, 2, "table")]
    assert (table.next, table.holder, table.left["erju"]) == (1, None, 16)
    assert table.has(0) == {"yixiu": 1}
    table.play(throw(1))
    assert table.last.n == 6


def test_undo_gives_lost_turns_and_the_game_back():
    """A die out at seat 4: void, that seat alone skips; undo restores turn and skip. A finished game goes on."""
    table = Table("002", 5)
    table.spill(4)
    table.play(Undo(5))
    assert table.next == 4
    table.throw(4, NOTHING)
    table.throw(3, NOTHING)
    assert (table.last.skipped, table.next) == ((), 4)
    done = Table(house("S12", FEW), 2)
    done.throw(0, "444444")
    assert done.finished
    done.play(Undo(1))
    assert (done.finished, done.next, done.left) == (None, 0, dict(done.game.rules.cakes))
    skipping = Table("002", 2)
    skipping.spill(0)
    skipping.throw(1, NOTHING)
    assert skipping.next == 1
    skipping.play(Undo(2))
    skipping.throw(1, NOTHING)
    assert skipping.last.skipped == (0,)


def test_undo_of_seating():
    """Whatever was done: joined, left, changed places, started, closed."""
    table = Table("002", 3)
    before = table.state
    for act in (Join(), Leave(1), Swap((0, 2)), Start(0, (1, 2)), Close(), Pass(0), Cocked(0), Spill(0)):
        n = len(table.game.log) + 1
        table.play(act, Undo(n))
        assert table.state == before


def test_undo_of_an_undo_brings_all_of_it_back():
    """The game is as it was before the undo."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), throw(1, WINS["erju"]), throw(2))
    before = table.state
    table.play(Undo(2))
    assert struck(table) == [2, 3]
    table.play(Undo(4))
    assert table.state == before
    assert struck(table) == [4]
    assert table.moves == [("erju", 1, "table", 1)]
    assert table.last.struck == (4,)
    table.play(throw(0))
    assert table.last.n == 6


def test_undo_of_an_undo_takes_what_came_after_it_along():
    """Act 4 is the undo, act 5 was thrown after it: both are struck."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), throw(1, WINS["erju"]), throw(2), Undo(2), throw(1, WINS["sijin"]), Undo(4))
    assert struck(table) == [4, 5]
    assert sorted(table.moves, key=str) == [("erju", 1, "table", 1), ("sijin", 1, 1, "table")]
    assert table.next == 0


def test_undo_of_an_undo_of_an_undo():
    """To and fro as often as wanted."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), Undo(1), Undo(2), Undo(3))
    assert table.has(0) == {}
    assert struck(table) == [1, 3]
    table.play(Undo(4))
    assert table.has(0) == {"yixiu": 1}
    assert struck(table) == [2, 4]


def test_what_cannot_be_undone():
    """An act that is not there, or was taken back."""
    table = Table("002")
    assert table.refuses(Undo(1)) == "act/no_such_act"
    table.play(throw(0), throw(1))
    for n in (0, -1, 3, 10**9):
        assert table.refuses(Undo(n)) == "act/no_such_act"
    table.play(Undo(2))
    assert table.refuses(Undo(2)) == "act/already_undone"
    table.play(Undo(3))
    assert table.refuses(Undo(3)) == "act/already_undone"


# ---- correction


def test_a_correction_keeps_the_later_acts():
    """Throw 1 was read wrong; what follows is worked out anew, the moves are the net change."""
    table = Table("002")
    table.play(throw(0, "441235"), throw(1, WINS["yixiu"]), throw(2, "444466"))
    table.play(Correct(1, throw(0, "444111")))
    assert table.last.n == 4
    assert table.last.struck == ()
    assert table.last.combination == "sanhong"
    assert table.moves == [("sanhong", 1, "table", 0), ("erju", 1, 0, "table")]
    assert (table.next, table.zhuangyuan) == (0, (2, "444466"))
    assert struck(table) == []


def test_a_correction_works_through_to_later_acts():
    """The cake that was thrown first goes to another when the first throw is none; a chase falls away."""
    table = Table(house("000-1", "[cakes]\nduitang = 1\n"))
    table.play(throw(0, WINS["duitang"]), throw(1, WINS["duitang"]), throw(2))
    assert table.has(1) == {"duitang": 1}
    table.play(Correct(1, throw(0)))
    assert table.moves == []
    assert table.has(1) == {"duitang": 1}
    table.play(Correct(2, throw(1)))
    assert table.moves == [("duitang", 1, 1, "table")]


def test_a_correction_keeps_the_times():
    """Who was first stays first: a corrected throw counts at its own place."""
    table = Table("002")
    table.play(throw(0, "444421"), throw(1, "444452"), throw(2))
    table.play(Correct(1, throw(0, "444461")))
    assert table.zhuangyuan == (0, "444461")
    ranked = Table(house("S15", FEW))
    ranked.play(throw(0, "444111"), throw(1, "444222"), throw(2, "444466"), Correct(1, throw(0, "444222")), Close())
    assert ("sanhong", 1, "table", 0) in ranked.moves


def test_a_correction_changes_the_kind_of_act():
    """A throw was a spill, a spill was a throw; the lost turn comes or goes where the turns still fit."""
    table = Table("S5")
    table.play(throw(0, WINS["yixiu"]), throw(1))
    table.play(Correct(1, Spill(0)))
    assert table.moves == [("yixiu", 1, 0, "table")]
    table.play(Correct(1, throw(0, WINS["erju"])))
    assert table.moves == [("erju", 1, "table", 0)]


def test_a_later_act_that_becomes_impossible_is_named():
    """Seat 0 loses a turn by the correction, so its throw in the next lap cannot be: refused, unless cut there."""
    table = Table("002")
    table.play(throw(0), throw(1), throw(2), throw(0, WINS["yixiu"]), throw(1, WINS["erju"]))
    assert table.refuses(Correct(1, Spill(0))) == "act/later_impossible"
    with pytest.raises(ActRefused, match=r"act 4 would become impossible .*turn of seat 1"):
        table.game.play(Correct(1, Spill(0)))
    table.play(Correct(1, Spill(0), cut=True))
    assert table.last.struck == (4, 5)
    assert table.moves == [("erju", 1, 1, "table"), ("yixiu", 1, 0, "table")]
    assert table.next == 1
    assert table.refuses(Correct(4, throw(0))) == "act/already_undone"


def test_a_correction_that_ends_the_game():
    """Later acts would be thrown after the end."""
    table = Table("S12")
    table.play(throw(0), throw(1, WINS["yixiu"]), throw(2))
    with pytest.raises(ActRefused, match=r"act 2 would become impossible .*over"):
        table.game.play(Correct(1, throw(0, "444444")))
    table.play(Correct(1, throw(0, "444444"), cut=True))
    assert table.finished == "effect"
    assert table.last.struck == (2, 3)
    assert table.zhuangyuan == (0, "444444")
    table.play(Undo(4))
    assert table.finished is None
    assert table.has(1) == {"yixiu": 1}
    assert struck(table) == [4]


def test_cut_where_nothing_becomes_impossible():
    """Nothing is cut."""
    table = Table("002")
    table.play(throw(0), throw(1, WINS["yixiu"]), Correct(1, throw(0, WINS["erju"]), cut=True))
    assert table.last.struck == ()
    assert table.has(1) == {"yixiu": 1}


def test_a_choice_that_becomes_impossible():
    """What was chosen later is not there any more."""
    table = Table(house("S9", "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 1\nerju = 1\nyixiu = 2\n"))
    table.play(throw(0, WINS["sijin"]), throw(1), Throw(2, Roll.parse(WINS["sijin"]), choose="erju"))
    assert table.refuses(Correct(2, throw(1, WINS["erju"]))) == "act/later_impossible"
    table.play(Correct(2, throw(1, WINS["erju"]), cut=True))
    assert table.last.struck == (3,)
    assert table.next == 2


def test_a_finished_game_can_be_corrected():
    """The last throw was none: play goes on."""
    table = Table("S12")
    table.play(throw(0), throw(1, "444444"))
    table.play(Correct(2, throw(1, "444446")))
    assert (table.finished, table.next) == (None, 2)
    assert table.zhuangyuan == (1, "444446")


def test_undo_of_a_correction():
    """The act stands as it was first given, with all that came before the correction."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), throw(1), Correct(1, throw(0, WINS["erju"])), throw(2))
    table.play(Undo(3))
    assert table.last.struck == (3, 4)
    assert table.has(0) == {"yixiu": 1}
    assert table.next == 2


def test_undo_of_a_correction_that_cut():
    """The acts that were cut are back."""
    table = Table("002")
    table.play(throw(0), throw(1), throw(2), throw(0, WINS["yixiu"]), Correct(1, Spill(0), cut=True))
    assert struck(table) == [4]
    table.play(Undo(5))
    assert struck(table) == [5]
    assert table.has(0) == {"yixiu": 1}


def test_undo_of_an_act_that_was_corrected():
    """It goes, and its correction with it."""
    table = Table("002")
    table.play(throw(0), throw(1, WINS["yixiu"]), Correct(2, throw(1, WINS["erju"])), throw(2))
    table.play(Undo(2))
    assert struck(table) == [2, 3, 4]
    assert table.moves == [("erju", 1, 1, "table")]
    assert table.next == 1


def test_undo_of_an_act_after_one_that_was_corrected():
    """The correction of an earlier act stays."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), throw(1), Correct(1, throw(0, WINS["erju"])), Undo(2))
    assert table.has(0) == {"erju": 1}
    assert struck(table) == [2]
    assert table.next == 1


def test_a_correction_of_a_corrected_act():
    """The last one counts."""
    table = Table("002")
    table.play(throw(0, WINS["yixiu"]), Correct(1, throw(0, WINS["erju"])), Correct(1, throw(0, WINS["sijin"])))
    assert table.has(0) == {"sijin": 1}
    table.play(Undo(3))
    assert table.has(0) == {"erju": 1}


def test_what_cannot_be_corrected():
    """Another seat's act, an act that has no seat, a change, an act that is gone, by an act that cannot be."""
    table = Table("002")
    table.play(throw(0), throw(1), Join(), throw(2), Undo(4))
    assert table.refuses(Correct(1, throw(1))) == "act/other_seat"
    assert table.refuses(Correct(3, throw(0))) == "act/not_correctable"
    assert table.refuses(Correct(1, Join())) == "act/other_seat"
    assert table.refuses(Correct(5, throw(2))) == "act/not_correctable"
    assert table.refuses(Correct(4, throw(2))) == "act/already_undone"
    assert table.refuses(Correct(9, throw(0))) == "act/no_such_act"
    assert table.refuses(Correct(1, Throw(0, Roll.parse(NOTHING), choose="erju"))) == "act/no_choice"
    assert table.refuses(Correct(1, Back(0))) == "act/not_away"
    assert table.refuses(Correct(1, RollOff(0, (1, 2, 3)))) == "act/no_rolloff"


def test_a_correction_across_a_roll_off():
    """The tie falls away, so the roll-off becomes impossible."""
    table = Table("philippines")
    table.play(throw(0, "444466"), throw(1, "444466"))
    table.throw_off(s0="222222", s1="444422")
    table.throw(2, NOTHING)
    assert table.holder == 1
    assert table.refuses(Correct(1, throw(0, "444465"))) == "act/later_impossible"
    table.play(Correct(3, RollOff(0, (4, 4, 4, 4, 4, 4))))
    assert table.holder == 0
    table.play(Correct(1, throw(0, "444465"), cut=True))
    assert table.last.struck == (3, 4, 5)
    assert table.zhuangyuan == (1, "444466")
    assert table.next == 2


def test_the_log_keeps_everything():
    """Acts are never removed: the trail shows each with its result."""
    table = Table("002")
    acts: list[Act] = [throw(0), throw(1, WINS["yixiu"]), Undo(2), throw(1, WINS["erju"]), Correct(1, Spill(0))]
    table.play(*acts)
    assert [entry.act for entry in table.game.log] == acts
    assert [entry.result.n for entry in table.game.log] == [1, 2, 3, 4, 5]
    again = replay(table.game.rules, 3, acts)
    assert again.state == table.state
    assert again.struck == table.game.struck


# ---- against a plain model: a list of acts that stand

RULES = [
    find_sheet("002"),
    find_sheet("S12"),
    house("003M", FEW),
    house("000-1", FEW),
    house("S15", FEW),
    house("S13-pf", "[cakes]\nduitang = 1\n"),
    house("002", '[title]\nequal = "red-pips"\nown_later = "last"\n[ending]\nminutes = 45\nundecided = "three-dice"\n'),
]
FACES = [*WINS.values(), NOTHING, "444411", "444466", "444455", "444412", "222222", "444444", "222241", "111111"]


def plain(state: State) -> object:
    """All of a state but the numbers of acts, which a replay counts anew."""
    claims = {seat: (claim.roll, claim.strength, claim.wins) for seat, claim in state.claims.items()}
    ranked = [(points, seat) for points, _, seat in state.ranked]
    return (
        *(state.order, state.turn, state.opener, state.table, state.pool, state.held, claims, state.title, ranked),
        *(
            state.lost_turns,
            state.away,
            state.lap,
            state.begun,
            state.turns,
            state.targets,
            state.rolloff,
            state.finished,
        ),
    )


Standing = list[tuple[int, PlayAct]]


class Model:
    """The acts that stand, by number, and how it was before each act of the log."""

    def __init__(self, game: Game) -> None:
        self.fresh, self.standing = game, list[tuple[int, PlayAct]]()
        self.before: list[Standing] = []
        self.acts: list[Act] = []

    def played(self, standing: Standing) -> Game:
        game = self.fresh
        for _, act in standing:
            game = game.play(act)
        return game

    def play(self, act: Act) -> None:
        """Raise ActRefused, or stand."""
        standing = self.after(act)
        self.played(standing)
        self.before.append(self.standing)
        self.acts.append(act)
        self.standing = standing

    def after(self, act: Act) -> Standing:
        numbers = [n for n, _ in self.standing]
        match act:
            case Undo(n) if isinstance(self.acts[n - 1], Undo | Correct):
                return self.before[n - 1]
            case Undo(n):
                return [one for one in self.standing if one[0] < n]
            case Correct(n, inner, cut):
                place = numbers.index(n)
                standing = [*self.standing[:place], (n, inner), *self.standing[place + 1 :]]
                return self.as_far_as_possible(standing, place) if cut else standing
            case _:
                return [*self.standing, (len(self.acts) + 1, act)]

    def as_far_as_possible(self, standing: Standing, place: int) -> Standing:
        game = self.played(standing[: place + 1])
        for later in range(place + 1, len(standing)):
            try:
                game = game.play(standing[later][1])
            except ActRefused:
                return standing[:later]
        return standing


@st.composite
def play_acts(draw: st.DrawFn, seat: int) -> PlayAct:
    kind = draw(st.sampled_from(["throw"] * 8 + ["spill", "pass", "leave", "back", "cocked", "start"]))
    match kind:
        case "throw":
            return throw(seat, draw(st.sampled_from(FACES)))
        case "start":
            return Start(seat, (1, 2))
        case _:
            return {"spill": Spill, "pass": Pass, "leave": Leave, "back": Back, "cocked": Cocked}[kind](seat)


@settings(max_examples=80)
@given(st.data())
def test_changes_agree_with_a_list_of_acts_that_stand(data: st.DataObject):
    game = Game.new(data.draw(st.sampled_from(RULES)), 3)
    model = Model(game)
    for _ in range(data.draw(st.integers(1, 25))):
        n = data.draw(st.integers(1, max(1, len(game.log))))
        kind = data.draw(st.sampled_from(["play"] * 5 + ["undo", "correct", "table"]))
        if kind == "undo":
            act: Act = Undo(n)
        elif kind == "correct" and game.log:
            seat = getattr(game.log[n - 1].act, "seat", 0)
            act = Correct(n, data.draw(play_acts(seat)), cut=data.draw(st.booleans()))
        elif kind == "table":
            joins = st.builds(Join, st.none() | st.integers(0, 2))
            act = data.draw(joins | st.sampled_from([Swap((0, 1)), Swap((1, 2)), TimeUp(), Close()]))
        elif game.state.rolloff and game.next_seat is not None:
            dice = game.state.rolloff.dice
            act = RollOff(
                game.next_seat, data.draw(st.sampled_from([(1,) * dice, (4,) * dice, (1, 4, 6) * (dice // 3)]))
            )
        else:
            seat = game.next_seat if game.next_seat is not None else 0
            act = data.draw(play_acts(seat if data.draw(st.integers(0, 9)) else 1))
        before, accepted = game, game.can(act)
        if not accepted:
            assert_refused_alike(model, game, act)
            continue
        game = game.play(act)
        model.play(act)
        assert plain(game.state) == plain(model.played(model.standing).state)
        check_trail(before, game, model)


def assert_refused_alike(model: Model, game: Game, act: Act) -> None:
    """What the game refuses the model cannot do either, or it is struck, or no act to change."""
    if isinstance(act, Undo | Correct) and (act.n > len(game.log) or act.n in game.struck):
        return
    if isinstance(act, Correct):
        corrected = game.log[act.n - 1].act
        if isinstance(corrected, Undo | Correct) or getattr(corrected, "seat", None) is None:
            return
    with pytest.raises(ActRefused):
        model.play(act)


def check_trail(before: Game, game: Game, model: Model) -> None:
    """The acts that stand are those not struck out; moves lead from the cakes before to the cakes after."""
    standing = {n for n, _ in model.standing}
    for n, entry in enumerate(game.log, 1):
        if not isinstance(entry.act, Undo | Correct):
            assert (n in game.struck) != (n in standing), n
    assert set(game.last.struck) == set(game.struck - before.struck)
    for tier in game.rules.cakes:
        for seat in game.state.order:
            change = sum(
                move.cakes * ((move.target == seat) - (move.source == seat))
                for move in game.last.moves
                if move.tier == tier
            )
            assert game.state.holding(seat).get(tier, 0) - before.state.holding(seat).get(tier, 0) == change


def test_what_is_no_act_is_refused():
    game = Game.new(find_sheet("S12"), 2)
    with pytest.raises(ActRefused) as refused:
        game.play({"seat": 0, "roll": "444411"})  # pyright: ignore[reportArgumentType]
    assert refused.value.code == "act/bad_form"


def test_an_effect_of_the_end_can_be_waived():
    """Who waives it when the golden flowers are thrown does not take the duitang at the end (S14)."""
    table = Table(house("S14", "[cakes]\nduitang = 2\nsanhong = 0\nsijin = 0\nerju = 0\nyixiu = 1\n"), 2)
    table.play(Throw(0, Roll.parse("444411"), waive=("effect",)))
    table.throw(1, "123456")
    table.throw(0, "123456")
    table.throw(1, "411235")
    assert table.finished
    assert table.has(1)["duitang"] == 1
