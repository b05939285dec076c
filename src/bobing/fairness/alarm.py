"""Watches real dice for gross bias, all evening long, without crying wolf.

It bets against even dice: a Dirichlet mixture that imagines PRIOR faces of each kind before it sees any. Against even
dice such a bet is a martingale, so whoever looks after every throw sees it reach LIMIT with a chance of 1/LIMIT at most
(Ville's inequality). It finds gross bias alone: with all dice at 20, 25 or 30 % for one face it takes about 290, 57 or
34 throws, and one loaded die among six hides much longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

PRIOR = 50
LIMIT = 100


def evidence(throws: Iterable[Sequence[int]]) -> float:
    """The most that the bet was worth at any time, in multiples of what it began with.

    >>> evidence([(1, 2, 3, 4, 5, 6)] * 50) < 2, evidence([(6, 6, 6, 6, 6, 6)] * 10) > LIMIT
    (True, True)
    """
    seen, total, now, most = [PRIOR] * 7, 6 * PRIOR, 0.0, 0.0
    for faces in throws:
        for face in faces:
            now += log(6 * seen[face] / total)
            seen[face] += 1
            total += 1
        most = max(most, now)
    return exp(most)


def is_biased(throws: Iterable[Sequence[int]]) -> bool:
    """Whether even dice would hardly have fallen like this."""
    return evidence(throws) >= LIMIT
