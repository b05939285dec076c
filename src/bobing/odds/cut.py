"""Who has the title where a game is cut off after a number of throws.

What a term says of n throws is the value of one linear map at (keep + x)^n: keep is the chance of a throw that the term
does not speak of, x a throw that it counts, and the map puts a[k] for x^k. Which strengths may come or not changes
nothing but keep, so that what holds for one keep gives all others by the binomial theorem. The terms in which the same
zhuangyuan throws take something are added up before, and only their sum is followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from bobing.odds.sums import totals
from bobing.odds.terms import Term

NEGLIGIBLE = 1e-20


def until(terms: Sequence[Term], throws: int, more: int = 0) -> list[float]:
    """By n below `throws`, the chance of signed terms after n throws, without throws of `more` other ways."""
    barred = [Term(term.sign, term.ways + more, term.coefs) for term in terms]
    found = [*islice(totals(barred), throws)]
    return found + [0.0] * (throws - len(found))


def rarer(chances: Sequence[float], more: float) -> list[float]:
    """The same by n where fewer throws are barred: those of a chance of `more` may come now."""
    return [_mixed(chances, n, n, more) for n in range(len(chances))]


def overthrown(chances: Sequence[float], more: float) -> list[float]:
    """By n, the sum over all later throws of the chance that the terms hold until then.

    Up to throw n it is that of `chances`; after it, keep is greater by `more`.
    """
    last, found = len(chances) - 1, [0.0] * len(chances)
    for n in range(last - 1, -1, -1):
        whole = more * _mixed(chances, last - 1, last - 1 - n, more)
        found[n] = (chances[n] + found[n + 1] - whole) / (1 - more)
    return found


def _mixed(chances: Sequence[float], n: int, after: int, more: float) -> float:
    """What holds after n throws, for the last `after` of which keep is greater by `more`."""
    weight, total, j = 1.0, 0.0, 0
    while abs(weight) > NEGLIGIBLE:
        total += weight * chances[n - j]
        weight *= more * (after - j) / (j + 1)
        j += 1
    return total
