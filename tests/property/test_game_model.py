"""The game against a model: whatever people do, in whatever order, its promises hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bobing.core.act_json import act_from_json, act_to_json
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
from bobing.core.canonical import canonical_json, strict_json
from bobing.core.consequence import final_json
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused, BobingError
from bobing.core.game import Game, replay
from bobing.core.record import read_record
from bobing.core.record_lines import record_lines
from bobing.core.rules import RuleSet
from bobing.core.state import POOL, TABLE, Move, State
from property.champion import champion, strongest
from property.house_rules import small_rule_sets
from property.some_acts import acts, faces, play_acts, throws
from property.trying import says_little, tried

Line = list[tuple[int, PlayAct]]
"""The acts of play that stand, each with the number of its place."""
Places = dict[tuple[str, Any], int]
"""Cakes by tier and place."""


@dataclass(frozen=True)
class Before:
    """What the model remembers of the moment before an act."""

    line: Line
    state: str


def on(machine: Refereed) -> bool:
    """Whether the game goes on; what is refused after its end is tried by `anything` and at the end of each run."""
    return not machine.game.finished


class Refereed(RuleBasedStateMachine):
    """One table. `line` is what stands, kept by plain list surgery; `before` is how it was ahead of each act."""

    @initialize(rules=small_rule_sets(), more=st.integers(0, 3), start=st.integers(0, 7))
    def sit_down(self, rules: RuleSet, more: int, start: int) -> None:
        seats = rules.setup.seats_min + more
        self.game = Game.new(rules, seats, start % seats)
        self.line: Line = []
        self.before: list[Before] = []

    # ---- what people do

    @precondition(on)
    @rule(data=st.data())
    def throw(self, data: st.DataObject) -> None:
        self.attempt(data.draw(throws(self.game, self.turn)))

    @precondition(on)
    @rule(data=st.data(), times=st.integers(3, 12))
    def throw_on(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            if not on(self):
                break
            self.attempt(data.draw(throws(self.game, self.turn)))

    @precondition(lambda self: self.game.state.rolloff)
    @rule(six=st.tuples(*[faces] * 6))
    def throw_off(self, six: tuple[int, ...]) -> None:
        assert self.game.state.rolloff
        self.attempt(RollOff(self.turn, six[: self.game.state.rolloff.dice]))

    @precondition(on)
    @rule(kind=st.sampled_from((Spill, Cocked, Pass)))
    def turn_without_throw(self, kind: Any) -> None:
        self.attempt(kind(self.turn))

    @precondition(on)
    @rule(kind=st.sampled_from((Leave, Leave, Back)), seat=st.integers(0, 7))
    def come_and_go(self, kind: Any, seat: int) -> None:
        self.attempt(kind(seat))

    @precondition(on)
    @rule(left=st.integers(0, 5), right=st.integers(0, 5))
    def swap(self, left: int, right: int) -> None:
        self.attempt(Swap((left, right)))

    @precondition(on)
    @rule(after=st.none() | st.integers(0, 5))
    def join(self, after: int | None) -> None:
        self.attempt(Join(after))

    @precondition(lambda self: not self.game.state.begun)
    @rule(seat=st.integers(0, 5), dice=st.tuples(faces, faces))
    def throw_for_the_start(self, seat: int, dice: tuple[int, int]) -> None:
        self.attempt(Start(seat, dice))

    @precondition(on)
    @rule(kind=st.sampled_from((TimeUp, TimeUp, Close)), really=st.integers(0, 3))
    def stop(self, kind: Any, really: int) -> None:
        if really == 0:
            self.attempt(kind())

    @rule(act=acts)
    def anything(self, act: Act) -> None:
        self.attempt(act)

    @precondition(lambda self: self.before)
    @rule(back=st.integers(0, 12))
    def undo(self, back: int) -> None:
        self.attempt(Undo(max(1, len(self.before) - back)))

    @precondition(lambda self: bool(seats_in(self.line)))
    @rule(data=st.data(), back=st.integers(1, 12), cut=st.booleans())
    def correct(self, data: st.DataObject, back: int, cut: bool) -> None:
        n, seat = seats_in(self.line)[-back:][0]
        fit = throws(self.game, seat) | st.sampled_from((Spill(seat), Pass(seat), Cocked(seat))) | play_acts
        self.attempt(Correct(n, data.draw(fit), cut))

    # ---- what must come of it

    @property
    def turn(self) -> int:
        return self.game.next_seat or 0

    def attempt(self, act: Act) -> None:
        assert act_from_json(strict_json(canonical_json(act_to_json(act)).decode())) == act
        game = self.game
        before = repr(game.state)
        after = tried(game.play, act)
        assert repr(game.state) == before, "a game is a value: no act changes it, taken or refused"
        if isinstance(after, BobingError):
            assert isinstance(after, ActRefused)
            assert after.code.startswith("act/")
            assert says_little(after)
            if game.finished and not isinstance(act, Undo | Correct):
                assert after.code == "act/game_over"
            return
        assert len(after.log) == len(game.log) + 1
        assert after.last.n == len(after.log)
        if not isinstance(act, Undo | Correct):
            self.check_turn(act)
        self.remember(act, before, after)
        self.check_moves(game.state, after)
        self.game = after
        if isinstance(act, Undo | Correct):
            self.check_change(act)

    def check_turn(self, act: PlayAct) -> None:
        """Only the seat whose turn it is uses it, and nobody who has left or sits out."""
        state = self.game.state
        assert not self.game.finished
        if isinstance(act, Throw | Spill | Cocked | Pass | RollOff):
            assert act.seat == self.game.next_seat
            assert act.seat not in state.away
            assert (state.rolloff is not None) == isinstance(act, RollOff)
        if isinstance(act, Throw | Spill | Cocked | Pass):
            assert act.seat not in state.lost_turns

    def remember(self, act: Act, state: str, after: Game) -> None:
        self.before.append(Before(list(self.line), state))
        n = len(self.before)
        match act:
            case Undo():
                undone = self.game.log[act.n - 1].act
                place = isinstance(undone, Undo | Correct)
                self.line = list(self.before[act.n - 1].line) if place else cut(self.line, act.n)
            case Correct():
                self.line = [(m, act.act if m == act.n else one) for m, one in self.line]
                gone = [m for m in after.last.struck if m in dict(self.line)]
                assert act.cut or not gone
                self.line = cut(self.line, min(gone, default=n))
            case _:
                self.line.append((n, act))

    def check_moves(self, before: State, after: Game) -> None:
        """The moves, one after the other, lead from the holdings before to those after."""
        held = holdings(before)
        for move in after.last.moves:
            held[move.tier, move.source] -= move.cakes
            held[move.tier, move.target] = held.get((move.tier, move.target), 0) + move.cakes
            assert move.cakes > 0
            assert held[move.tier, move.source] >= 0
        assert nonzero(held) == nonzero(holdings(after.state))

    def check_change(self, act: Undo | Correct) -> None:
        """What stands after an undo or a correction is what playing it from scratch gives; its moves are net."""
        game = self.game
        stands = replay(game.rules, game.seats, [one for _, one in self.line], game.start)
        assert timeless(game.state) == timeless(stands.state)
        plain = {n for n, entry in enumerate(game.log, 1) if not isinstance(entry.act, Undo | Correct)}
        assert plain - game.struck == {n for n, _ in self.line}
        assert is_net(game.last.moves)
        if isinstance(act, Undo) and not any(isinstance(entry.act, Correct) for entry in game.log[act.n :]):
            assert repr(game.state) == self.before[act.n - 1].state

    @rule()
    def replay_all(self) -> None:
        """The log from scratch gives the same, byte for byte."""
        game = self.game
        again = replay(game.rules, game.seats, [entry.act for entry in game.log], game.start)
        assert repr(again.state) == repr(game.state)
        assert again.struck == game.struck
        assert [entry.result for entry in again.log] == [entry.result for entry in game.log]

    @invariant()
    def no_cake_is_lost(self) -> None:
        state, rules = self.game.state, self.game.rules
        held = holdings(state)
        assert all(count >= 0 for count in held.values())
        for tier in rules.tiers:
            assert sum(count for (key, _), count in held.items() if key == tier.key) == tier.cakes
            if tier.items:
                shelf = state.shelf[tier.key]
                assert sum(shelf.values()) == state.table[tier.key]
                in_hand = Counter(cake.item for cake in state.held[tier.key])
                for item in tier.items:
                    assert in_hand[item.name] + shelf[item.name] <= item.count
            else:
                assert all(cake.item is None for cake in state.held[tier.key])
        seats = final_json(self.game)["seats"]
        assert [nonzero(seat) for seat in seats] == [state.holding(seat) for seat in sorted(state.order)]

    @invariant()
    def somebody_has_to_act(self) -> None:
        """A game that goes on waits for a seat that is there; what could end it has not happened."""
        state, ending = self.game.state, self.game.rules.ending
        if self.game.finished:
            assert self.game.next_seat is None
            assert state.rolloff is None
            return
        assert self.game.next_seat in state.order
        assert self.game.next_seat not in state.away
        if state.rolloff:
            return
        assert state.order[state.turn] not in state.lost_turns
        if state.begun and ending.finish == "at-once":
            left = any(state.table[tier] for tier in self.game.rules.lower if tier != self.game.rules.ranked_tier)
            done = {
                "all-gone": not left and (state.title is not None or ending.without_champion == "stop"),
                "champion": state.title is not None,
                "throws": min(state.turns[seat] for seat in {*state.order} - state.away) >= ending.throws_each,
            }
            # A leaver, a swap or a late joiner is no throw: the game ends with the throw that comes next.
            if isinstance(self.line[-1][1] if self.line else None, Throw):
                assert not done[ending.when]

    @invariant()
    def nobody_has_a_throw_more(self) -> None:
        """Where everybody has so many throws, nobody has more, whoever came, left or changed places."""
        ending = self.game.rules.ending
        if ending.when == "throws":
            had = Counter(act.seat for _, act in self.line if isinstance(act, Throw | Spill | Pass))
            assert max(had.values(), default=0) <= ending.throws_each

    @invariant()
    def the_highest_throw_holds_the_title(self) -> None:
        state, rules = self.game.state, self.game.rules
        thrown = [act for _, act in self.line]
        if state.title is not None and state.claims[state.title].combination == "three-dice":
            assert self.game.finished
            assert not strongest(rules, thrown)
        elif rules.title.equal != "red-pips":
            assert state.title == champion(rules, thrown)
        elif rules.title.contest == "highest" and rules.title.own_later == "best" and not state.rolloff:
            assert state.title in (strongest(rules, thrown) or {None})

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        self.replay_all()
        record = read_record(record_lines(self.game))
        assert repr(record.game.state) == repr(self.game.state)
        if self.game.finished:
            for act in (Throw(0, Roll.parse("112235")), Spill(0), Join(), TimeUp(), Close()):
                assert not self.game.can(act)


def cut(line: Line, n: int) -> Line:
    return [(m, act) for m, act in line if m < n]


def seats_in(line: Line) -> list[tuple[int, int]]:
    """Number and seat of the acts that can be corrected."""
    seats = [(n, getattr(act, "seat", None)) for n, act in line]
    return [(n, seat) for n, seat in seats if seat is not None]


def holdings(state: State) -> Places:
    held: Places = {}
    for tier, cakes in state.table.items():
        held[tier, TABLE], held[tier, POOL] = cakes, state.pool.get(tier, 0)
        for cake in state.held[tier]:
            held[tier, cake.seat] = held.get((tier, cake.seat), 0) + 1
    return held


def nonzero(counts: dict[Any, int]) -> dict[Any, int]:
    return {key: count for key, count in counts.items() if count}


def is_net(moves: Sequence[Move]) -> bool:
    """Whether no place both gives and gets cakes of one kind, and no way is gone twice."""
    gives = {(move.tier, move.item, move.source) for move in moves}
    gets = {(move.tier, move.item, move.target) for move in moves}
    return not gives & gets and unique((move.tier, move.item, move.source, move.target) for move in moves)


def unique(entries: Iterable[Any]) -> bool:
    listed = list(entries)
    return len(set(listed)) == len(listed)


def timeless(state: State) -> str:
    """A state without the numbers of its acts, which differ where some were taken back in between."""
    claims = {seat: replace(claim, n=0) for seat, claim in state.claims.items()}
    return repr(replace(state, claims=claims, ranked=tuple((pips, 0, seat) for pips, _, seat in state.ranked)))


TestRefereed = pytest.mark.exhaustive(Refereed.TestCase)
TestRefereed.settings = settings(stateful_step_count=40)
