"""Tells in words what an act did: who threw what, what went where and why, who holds the title, who is next.

Whatever shows a game to people in one language uses this: the referee, the terminal game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bobing import telling
from bobing.core.acts import Act
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.state import Claim, Move, Result, State
from bobing.i18n.phrase import Part, said
from bobing.reason import why
from bobing.telling import Names, Teller


def describe(
    rules: RuleSet, result: Result, act: Act, game: Game, names: Names, lang: str, *, dice: bool = True
) -> list[str]:
    """What an accepted act did, one sentence a line, the act itself first. `game` is the game right after the act.

    dice: the dice thrown stand in the first line; without, it is a sentence to go beside a picture of them.

    >>> from bobing.core.acts import Throw
    >>> from bobing.core.catalogue import find_sheet
    >>> game = Game.new(find_sheet(), seats=2).play(Throw(0, Roll.parse("444412")))
    >>> for line in describe(game.rules, game.last, game.log[-1].act, game, {0: "Mei"}, "en"):
    ...     print(line)
    Mei  ⚃⚃⚃⚃⚀⚁  Four Fours
    Mei leads for the title with Four Fours + 3 (444412)
    """
    return lines(telling.deeds(Teller(rules, names, dice), result, act, game), lang)


def lines(parts: Iterable[Part], lang: str) -> list[str]:
    """What was told, in a language."""
    return [said(part, lang) for part in parts]


def reason(rules: RuleSet, roll: Roll, lang: str) -> str:
    """Why a throw is what it is called.

    >>> from bobing.core.catalogue import find_sheet
    >>> reason(find_sheet(), Roll.parse("222231"), "en")
    '4 dice show 2'
    """
    row = scorebook(rules).row(roll)
    hand = "".join(map(str, sorted(roll.faces)))
    return why(hand, row.combination, row.kicker, lang, bonus=bool(row.bonus))


def end_lines(rules: RuleSet, game: Game, names: Names, lang: str) -> list[str]:
    """How a finished game ended, and who is the champion."""
    return lines(telling.end(Teller(rules, names), game), lang)


def next_line(rules: RuleSet, game: Game, names: Names, lang: str) -> str | None:
    """Whose turn it is; None when the game is over."""
    part = telling.turn(Teller(rules, names), game)
    return None if part is None else said(part, lang)


def standing_lines(rules: RuleSet, game: Game, names: Names, lang: str) -> list[str]:
    """How the game stands: what each seat holds, and who is champion or leads."""
    return lines(telling.standing(Teller(rules, names), game), lang)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts seats, cakes and hands into words: one rule set, one table of names, one language."""

    rules: RuleSet
    names: Names
    lang: str

    def say(self, key: str, **values: Part) -> str:
        """The text `game.key` in the language."""
        return said(self._teller.say(key, **values), self.lang)

    def seat(self, seat: int | str) -> str:
        """The player's name, else the seat's number."""
        return said(self._teller.seat(seat), self.lang)

    def seats(self, seats: Iterable[int | str]) -> str:
        """Several players."""
        return said(self._teller.seats(seats), self.lang)

    def tier(self, key: str) -> str:
        """The name of a tier."""
        return said(self._teller.tier(key), self.lang)

    def cakes(self, moves: Iterable[Move]) -> str:
        """So many cakes of these tiers."""
        return said(self._teller.cakes(moves), self.lang)

    def roll(self, roll: Roll) -> str:
        """A throw as a hand: its combination, what breaks ties where that counts, and the dice."""
        return said(self._teller.roll(roll), self.lang)

    def claim(self, claim: Claim | None) -> str:
        """The throw with which a seat stands for the title."""
        return said(self._teller.claim(claim), self.lang)

    def champion(self, state: State) -> str:
        """Who is the champion, and with which throw."""
        return said(self._teller.champion(state), self.lang)

    @property
    def _teller(self) -> Teller:
        return Teller(self.rules, self.names)
