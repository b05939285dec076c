"""The game: a frozen value that takes acts and gives consequences. Nothing here draws, sleeps, logs or asks the time.

>>> from bobing.core.acts import Throw
>>> from bobing.core.catalogue import find_sheet
>>> game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("222241")))
>>> [(move.tier, move.cakes, move.target) for move in game.last.moves], game.next_seat
([('sijin', 1, 0), ('yixiu', 1, 0)], 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bobing.core.acts import SEATS_MAX, Act, Correct, PlayAct, Undo
from bobing.core.awards import grab_needed
from bobing.core.dice import Roll
from bobing.core.draft import Draft, opening_state
from bobing.core.errors import ActRefused
from bobing.core.netting import net_moves
from bobing.core.play import carry_out
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.state import Claim, Result, State
from bobing.core.title import claim_title


@dataclass(frozen=True, slots=True)
class Node:
    """One act in the line of play, with the state and the result it led to. `n` is the number of its place."""

    before: Node | None = field(repr=False, compare=False)
    n: int
    act: PlayAct | None
    state: State
    result: Result


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of the log as it was accepted: the line before it, its result, and what was struck before it."""

    act: Act
    line: Node = field(repr=False)
    result: Result
    struck: frozenset[int]


@dataclass(frozen=True, slots=True)
class Game:
    """A game under a rule set: the line of play, and the log of all acts with those that were taken back.

    `play` gives the next game and never changes this one; refused acts raise ActRefused with a stable code.
    """

    rules: RuleSet
    seats: int
    start: int
    line: Node
    log: tuple[Entry, ...] = ()
    struck: frozenset[int] = frozenset()

    @classmethod
    def new(cls, rules: RuleSet, seats: int, start: int = 0) -> Game:
        """A fresh game; raises ActRefused for too few or too many seats, or a start that is none of them."""
        if not rules.setup.seats_min <= seats <= SEATS_MAX:
            raise ActRefused(f"this sheet is for {rules.setup.seats_min} to {SEATS_MAX} seats", "act/bad_seats")
        if not 0 <= start < seats:
            raise ActRefused(f"the start is a seat from 0 to {seats - 1}", "act/unknown_seat")
        state = opening_state(rules, seats, start)
        return cls(rules, seats, start, Node(None, 0, None, state, Result(0, None, (), (), ())))

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.line.state

    @property
    def next_seat(self) -> int | None:
        """The seat that has to act; None when the game is over."""
        return self.state.next_seat

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.state.finished is not None

    @property
    def title(self) -> tuple[int, Claim] | None:
        """Who holds the title now, and with which throw."""
        seat = self.state.title
        return None if seat is None else (seat, self.state.claims[seat])

    def points(self, seat: int) -> int:
        """Points of the cakes in hand, where the sheet gives points (K5, D-10)."""
        return self.rules.points(self.state.holding(seat))

    @property
    def last(self) -> Result:
        """The result of the act played last; that of `n` 0 before any."""
        return self.log[-1].result if self.log else self.line.result

    def verify(self, act: Act) -> None:
        """Raise ActRefused where `act` cannot be played now."""
        self.play(act)

    def can(self, act: Act) -> bool:
        """Whether `act` can be played now."""
        try:
            self.play(act)
        except ActRefused:
            return False
        return True

    def play(self, act: Act) -> Game:
        """The game after `act`; raises ActRefused."""
        if isinstance(act, Undo):
            return self._undo(act)
        if isinstance(act, Correct):
            return self._correct(act)
        n = len(self.log) + 1
        node = _play_on(self.rules, self.line, n, act)
        log = (*self.log, Entry(act, self.line, node.result, self.struck))
        return Game(self.rules, self.seats, self.start, node, log, self.struck)

    def grab_for(self, roll: Roll) -> Mapping[str, int] | None:
        """The cakes a lights-out grab would hand out if `roll` were thrown now; None where it is no grab."""
        row, seat = scorebook(self.rules).row(roll), self.next_seat
        if "grab" not in row.effects or seat is None:
            return None
        draft = Draft(self.state, self.rules, 0)
        if row.strength is not None:
            claim_title(draft, seat, roll, row)
        return grab_needed(draft)

    def _undo(self, act: Undo) -> Game:
        n = len(self.log) + 1
        entry = self._entry_in_force(act.n)
        if isinstance(entry.act, Undo | Correct):
            line, struck = entry.line, entry.struck | frozenset(range(act.n, n))
        else:
            taken_back = self._nodes_from(act.n)
            line = taken_back[0].before
            assert line is not None, "only the root has nothing before it"
            places = {node.n for node in taken_back}
            struck = self.struck | places | self._changes_lost(act.n, places)
        return self._changed(act, line, struck, None, ())

    def _correct(self, act: Correct) -> Game:
        entry = self._entry_in_force(act.n)
        if isinstance(entry.act, Undo | Correct):
            raise ActRefused(f"act {act.n} is itself a change; undo it instead", "act/not_correctable")
        first, *later = self._nodes_from(act.n)
        seat = getattr(first.act, "seat", None)
        if seat is None:
            raise ActRefused(f"act {act.n} is not of one seat; undo it instead", "act/not_correctable")
        if getattr(act.act, "seat", None) != seat:
            raise ActRefused(f"act {act.n} is corrected by an act of the same seat", "act/other_seat")
        assert first.before is not None, "only the root has nothing before it"
        line = corrected = _play_on(self.rules, first.before, act.n, act.act)
        struck = self.struck
        for node in later:
            assert node.act is not None, "only the root has no act"
            try:
                line = _play_on(self.rules, line, node.n, node.act)
            except ActRefused as refused:
                if not act.cut:
                    raise ActRefused(
                        f'act {node.n} would become impossible ({refused}); add "cut": true to take back from there',
                        "act/later_impossible",
                    ) from None
                struck |= frozenset(other.n for other in later if other.n >= node.n)
                break
        return self._changed(act, line, struck, corrected.result.combination, corrected.result.notes)

    def _changed(
        self, act: Act, line: Node, struck: frozenset[int], combination: str | None, notes: tuple[tuple[str, ...], ...]
    ) -> Game:
        moves = net_moves(self.state, line.state)
        newly = tuple(sorted(struck - self.struck))
        result = Result(len(self.log) + 1, combination, moves, (), notes, newly)
        return replace(self, line=line, log=(*self.log, Entry(act, self.line, result, self.struck)), struck=struck)

    def _entry_in_force(self, n: int) -> Entry:
        if not 1 <= n <= len(self.log):
            raise ActRefused(f"there is no act {n}; the last is {len(self.log)}", "act/no_such_act")
        if n in self.struck:
            raise ActRefused(f"act {n} was already taken back", "act/already_undone")
        return self.log[n - 1]

    def _nodes_from(self, n: int) -> list[Node]:
        """The line of play from place `n` on, in order."""
        nodes: list[Node] = []
        node: Node | None = self.line
        while node is not None and node.n >= n and node.act is not None:
            nodes.append(node)
            node = node.before
        return nodes[::-1]

    def _changes_lost(self, n: int, places: set[int]) -> frozenset[int]:
        """Undo and correct acts after act `n` that no longer bear on the line once its places from `n` on are gone."""
        return frozenset(
            number
            for number, entry in enumerate(self.log, 1)
            if number > n
            and (isinstance(entry.act, Undo) or (isinstance(entry.act, Correct) and entry.act.n >= min(places)))
        )


def replay(rules: RuleSet, seats: int, acts: Iterable[Act], start: int = 0) -> Game:
    """The game after all acts, in order; raises ActRefused at the first that is not taken."""
    game = Game.new(rules, seats, start)
    for act in acts:
        game = game.play(act)
    return game


def _play_on(rules: RuleSet, line: Node, n: int, act: PlayAct) -> Node:
    draft = Draft(line.state, rules, n)
    combination = carry_out(draft, act)
    result = Result(n, combination, tuple(draft.moves), tuple(draft.skipped), tuple(draft.notes))
    return Node(line, n, act, draft.freeze(), result)
