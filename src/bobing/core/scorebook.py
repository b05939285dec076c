"""The scorebook: a rule set compiled to one row for each of the 462 hands. Everybody reads this one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import factorial, prod
from weakref import WeakValueDictionary

from bobing.core.combinations import Row, counting_dice, places_of, read_hand
from bobing.core.dice import HANDS, Roll
from bobing.core.rules import RuleSet

THROWS = 6**6


@cache
def ways(hand: tuple[int, ...]) -> int:
    """How many of the 46,656 throws show this hand.

    >>> ways((1, 2, 3, 4, 5, 6)), ways((4, 4, 4, 4, 4, 4))
    (720, 1)
    """
    return factorial(6) // prod(factorial(count) for count in Counter(hand).values())


@dataclass(frozen=True, slots=True)
class Census:
    """How many of the 46,656 throws win what: main awards and bonus by tier, none, distinct zhuangyuan strengths."""

    awards: Mapping[str, int]
    bonus: Mapping[str, int]
    combinations: Mapping[str, int]
    none: int
    strengths: int


class Scorebook:
    """The 462 rows of a rule set, by hand (sorted faces) or by roll."""

    __slots__ = ("__weakref__", "_counting", "rows", "rules")

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.rows: Mapping[tuple[int, ...], Row] = {hand: read_hand(hand, rules) for hand in HANDS}
        self._counting: dict[tuple[int, ...], Mapping[int, int]] = {}

    def row(self, roll: Roll) -> Row:
        """The row of a roll."""
        return self.rows[tuple(sorted(roll.faces))]

    def counting(self, roll: Roll) -> tuple[int, ...]:
        """The places, from 0, of the dice that make a roll what it is called, and win what comes beside it."""
        hand = tuple(sorted(roll.faces))
        dice = self._counting.get(hand)
        if dice is None:
            dice = self._counting[hand] = counting_dice(hand, self.rules)
        return places_of(dice, roll.faces)

    def census(self) -> Census:
        """Counts over all throws."""
        awards: Counter[str] = Counter({tier.key: 0 for tier in self.rules.tiers})
        bonus: Counter[str] = Counter()
        combinations: Counter[str] = Counter()
        none = 0
        for hand, row in self.rows.items():
            times = ways(hand)
            combinations[row.combination] += times
            for tier in row.bonus:
                bonus[tier] += times
            if row.tier is None:
                none += times
            else:
                awards[row.tier] += times
        strengths = {row.strength for row in self.rows.values() if row.strength is not None}
        return Census(dict(awards), dict(bonus), dict(combinations), none, len(strengths))


_books: WeakValueDictionary[str, Scorebook] = WeakValueDictionary()


def scorebook(rules: RuleSet) -> Scorebook:
    """The scorebook of a rule set, compiled once for all that play alike as long as any of them is there."""
    book = rules.__dict__.get("_scorebook")
    if book is None:
        book = _books.get(rules.digest)
        if book is None:
            book = _books[rules.digest] = Scorebook(rules)
        rules.__dict__["_scorebook"] = book
    return book
