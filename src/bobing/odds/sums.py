"""What the signed sums come to: that a game goes on, its mean length, and the chance by the number of throws.

`bobing.odds.terms` writes a chance as a sum of terms; here is which terms a rule set's ending needs, and their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from math import comb
from operator import add, mul
from typing import Any

from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice
from bobing.odds.terms import Going, Term

NEGLIGIBLE = 1e-17
"""Where a law is cut off."""


def going_terms(dice: Dice, cakes: Mapping[str, int], *, exact: bool, titled: bool = False) -> Sequence[Term]:
    """That the game goes on, whatever lap is finished after it; `titled`: somebody has the title already."""
    going, ending = Going(dice, cakes, exact=exact), dice.rules.ending
    if ending.when == "throws":
        return [going.term(0)]
    if ending.when == "champion":
        return going.some_left(title=False, untitled=True) if _stops(dice) else [going.term(going.title)]
    return going.some_left(title=not titled and not _stops(dice))


def untitled_terms(dice: Dice) -> Sequence[Term]:
    """That the game goes on and nobody is zhuangyuan yet."""
    going, ending = Going(dice, dice.cakes, exact=False), dice.rules.ending
    if ending.when == "throws" or not _stops(dice):
        return [going.term(going.title)]
    return going.some_left(title=False, untitled=True)


def _stops(dice: Dice) -> bool:
    return dice.rules.ending.without_champion == "stop"


def mean_of(terms: Sequence[Term]) -> float:
    """The sum over all n of the chance that the game still goes on, of float terms."""
    return sum(term.sign * summed(term.coefs, THROWS / term.ways) for term in terms)


def summed(coefs: Sequence[float], y: Any) -> Any:
    """The sum of coefs[k] * y^(k + 1)."""
    total = 0.0
    for coef in reversed(coefs):
        total = (total + coef) * y
    return total


def still(terms: Sequence[Term], first: int) -> Sequence[float]:
    """By n, the chance that the game still goes on after n throws, until it is negligible; 1 below `first`."""
    return [*chain(repeat(1.0, first), (min(1.0, max(0.0, total)) for total in totals(terms, first)))]


def totals(terms: Sequence[Term], first: int = 0) -> Iterator[float]:
    """By n from `first` on, the sum of signed terms after n throws, until all of them are negligible."""
    n, live = first, [_Live(term) for term in terms]
    row = [float(comb(first, k)) for k in range(max((len(term.coefs) for term in terms), default=0))]
    while live:
        total, alive = 0.0, list[_Live]()
        for term in live:
            chance = term.at(n, row)
            total += term.sign * chance
            if chance > NEGLIGIBLE or n < term.size:
                alive.append(term)
        yield total
        n += 1
        if len(alive) < len(live):
            live = alive
            row = row[: max((term.size for term in live), default=0)]
        row = [1.0, *map(add, row, row[1:])]


class _Live:
    """A term as it is followed from n to n + 1."""

    __slots__ = ("coefs", "keep", "sign", "size", "zero")

    def __init__(self, term: Term) -> None:
        self.keep = 1 - term.ways / THROWS
        self.sign, self.size = term.sign, len(term.coefs)
        self.zero = term.ways == THROWS
        self.coefs = term.coefs if self.zero else [coef / self.keep**k for k, coef in enumerate(term.coefs)]

    def at(self, n: int, row: Sequence[float]) -> float:
        """The chance after n throws; `row` holds C(n, k) by k."""
        if self.zero:
            return self.coefs[n] if n < self.size else 0.0
        return self.keep**n * sum(map(mul, self.coefs, row))


def finished(rules: RuleSet, players: int, cap: int | None, survives: float, base: Sequence[float]) -> Sequence[float]:
    """What `still` says of the game without its last lap, with it, and cut off where time is up."""
    ending = rules.ending
    if ending.when == "throws":
        chances = [survives**n for n in range(ending.throws_each * players)]
    elif ending.finish == "equal-turns":
        chances = [chance * survives**i for chance in base[::players] for i in range(players)]
    elif ending.finish == "extra-lap":
        lap = [survives**n for n in range(players + 1)]
        chances = [*lap[:-1], *(chance * lap[-1] for chance in base)]
    else:
        chances = base
    return chances[:cap]
