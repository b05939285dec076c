r"""A table to try rules on: short scripts of throws, and what came of them.

>>> table = Table(house("S12", "[cakes]\nyixiu = 1"), seats=3)
>>> table.throw(1, "411235").n  # seat 0 threw nothing on the way
2
>>> table.moves
[('yixiu', 1, 'table', 1)]
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from bobing.core.acts import Act, RollOff, Spill, Throw
from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.combinations import Row, read_hand
from bobing.core.dice import Roll, parse_faces
from bobing.core.errors import ActRefused
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.state import Cake, Result, State

NOTHING = "112235"
"""Wins nothing under any sheet."""
WINS = {"yixiu": "411235", "erju": "441235", "sijin": "222233", "sanhong": "444123", "duitang": "123456"}
"""A plain throw for each tier, without any bonus."""
FEW = "[cakes]\nduitang = 1\nsanhong = 1\nsijin = 1\nerju = 1\nyixiu = 1\n"
LOWER = ("duitang", "sanhong", "sijin", "erju", "yixiu")

Rules = RuleSet | str
Seen = tuple[str, int, int | str, int | str]
"""A move: tier, cakes, from, to."""


def house(sheet: str, text: str = "") -> RuleSet:
    """A house rule file that extends a sheet."""
    return read_rules(f'key = "house"\nextends = "{sheet}"\n{text}')


def rules_of(rules: Rules) -> RuleSet:
    return find_sheet(rules) if isinstance(rules, str) else rules


def read(rules: Rules, faces: str) -> Row:
    """How the sheet reads a throw."""
    return read_hand(Roll.parse(faces).hand, rules_of(rules))


def awards(rules: Rules, faces: str) -> list[str]:
    """The tiers that a throw wins, the main award first."""
    row = read(rules, faces)
    return [tier for tier in (row.tier, *row.bonus) if tier]


def strength(rules: Rules, faces: str) -> int:
    found = read(rules, faces).strength
    assert found is not None, f"{faces} is no zhuangyuan"
    return found


def falls(rules: Rules, *faces: str) -> bool:
    """Whether each of the throws is a higher zhuangyuan than the next."""
    strengths = [strength(rules, throw) for throw in faces]
    return all(high > low for high, low in pairwise(strengths))


class Table:
    """A game that is played on by short commands."""

    def __init__(self, rules: Rules, seats: int = 3, start: int = 0) -> None:
        self.game = Game.new(rules_of(rules), seats, start)

    # ---- what people do

    def play(self, *acts: Act) -> Result:
        for act in acts:
            self.game = self.game.play(act)
        return self.game.last

    def until(self, seat: int) -> None:
        """The others throw nothing until it is the turn of `seat`."""
        for _ in range(2 * len(self.state.order)):
            if self.next == seat:
                return
            assert self.next is not None, f"the game is over before the turn of seat {seat} comes"
            self.play(Throw(self.next, Roll.parse(NOTHING)))
        raise AssertionError(f"the turn of seat {seat} does not come")

    def throw(self, seat: int, faces: str, **options: Any) -> Result:
        """`seat` throws when its turn has come; those before it throw nothing."""
        self.until(seat)
        return self.play(Throw(seat, Roll.parse(faces), **options))

    def throws(self, seat: int, *faces: str) -> Result:
        for one in faces:
            self.throw(seat, one)
        return self.last

    def win(self, seat: int, *tiers: str) -> Result:
        """Plain throws that win these tiers, one after the other."""
        return self.throws(seat, *(WINS[tier] for tier in tiers))

    def spill(self, seat: int, faces: str | None = None) -> Result:
        self.until(seat)
        return self.play(Spill(seat, Roll.parse(faces) if faces else None))

    def throw_off(self, **faces_by_seat: str) -> Result:
        """`throw_off(s0="441123", s2="…")`: one round of a roll-off."""
        for seat, faces in faces_by_seat.items():
            self.play(RollOff(int(seat[1:]), parse_faces(faces, len(faces))))
        return self.last

    def refuses(self, act: Act) -> str:
        """The code with which the act is refused; the game stays as it is."""
        before = self.game
        with pytest.raises(ActRefused) as refused:
            self.game.play(act)
        assert not self.game.can(act)
        assert self.game is before
        assert str(refused.value)
        return refused.value.code

    # ---- what is to be seen

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def last(self) -> Result:
        return self.game.last

    @property
    def moves(self) -> list[Seen]:
        """The moves of the last act."""
        return [(move.tier, move.cakes, move.source, move.target) for move in self.last.moves]

    @property
    def notes(self) -> list[str]:
        """The codes of what else there was to tell of the last act."""
        return [note[0] for note in self.last.notes]

    @property
    def next(self) -> int | None:
        return self.game.next_seat

    @property
    def finished(self) -> str | None:
        """Why the game is over; None while it is not."""
        return self.state.finished

    @property
    def zhuangyuan(self) -> tuple[int, str] | None:
        """Who holds the title, and with which throw."""
        title = self.game.title
        if title is None:
            return None
        roll = title[1].roll
        return title[0], "".join(map(str, roll.faces if isinstance(roll, Roll) else roll))

    @property
    def holder(self) -> int | None:
        """The seat that holds the title."""
        return self.state.title

    def has(self, seat: int) -> dict[str, int]:
        return self.state.holding(seat)

    @property
    def left(self) -> dict[str, int]:
        """The cakes on the table, without the tiers that are gone."""
        return {tier: cakes for tier, cakes in self.state.table.items() if cakes}

    def cakes(self, tier: str) -> list[Cake]:
        return list(self.state.held[tier])
