"""The mean number of throws for any number of cakes, where each throw wins in one tier at most.

Let throws come at random moments, one on average in each unit of time. Then tiers fill independently of each other, and
the mean number of throws is the integral of the chance that the game still goes on. At time 0 that chance is exp(-k t)
in all derivatives that matter, k being the chance that a throw ends the game by itself. With the error that the
trapezium rule makes for exp(-k t) taken off, the sum over equal steps converges faster than any power of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log

from bobing.core.errors import OddsError
from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice, length_doubt

NEGLIGIBLE = 1e-17


def mean_by_integral(dice: Dice) -> float:
    """The mean number of throws to about 12 digits.

    Raises OddsError where tiers do not fill independently, or the game does not end with the last need
    (`odds/too_many_cakes`).
    """
    rules = dice.rules
    shared = any(len(kind.hits) > 1 or (kind.hits and kind.strength is not None) for kind in dice.kinds)
    filled = any(kind.fills and not kind.ends for kind in dice.kinds)
    plain = rules.ending.when == "all-gone" and rules.ending.finish == "at-once" and not rules.ending.minutes
    if shared or filled or not plain or rules.exhausted.then != "nothing" or length_doubt(rules):
        raise OddsError("so many cakes have no exact mean with these rules; simulate them", "odds/too_many_cakes")
    needs = [
        (cakes, sum(kind.ways for kind in dice.kinds if tier in kind.hits) / THROWS)
        for tier, cakes in dice.cakes.items()
    ]
    if rules.ending.without_champion == "play-on":
        needs.append((1, dice.sum(title=True, ends=False) / THROWS))
    ending = dice.sum(ends=True) / THROWS
    step = min(cakes**0.5 / chance for cakes, chance in needs) / 2

    def going(time: float) -> float:
        done = 1.0
        for cakes, chance in needs:
            done *= 1 - fewer(cakes, chance * time)
        return exp(-ending * time) * (1 - done)

    total = _summed(going, step, ending)
    while abs((finer := _summed(going, step / 2, ending)) - total) > 1e-11 * finer:
        total, step = finer, step / 2
    return finer


def _summed(of: Callable[[float], float], step: float, ending: float) -> float:
    """The trapezium rule from 0 to where next to nothing is left, less its error at 0."""
    total, n = 0.5, 0
    while True:
        n += 1
        value = of(n * step)
        total += value
        if value < NEGLIGIBLE:
            return total * step - ending * step**2 / 12 + ending**3 * step**4 / 720


def fewer(cakes: int, mean: float) -> float:
    """The chance that a Poisson number of this mean is below `cakes`.

    >>> round(fewer(3, 2.0), 12)  # exp(-2) * (1 + 2 + 2)
    0.676676416183
    """
    at = cakes - 1 if mean >= cakes else cakes
    term = exp(at * log(mean) - mean - lgamma(at + 1))
    total = 0.0
    if mean >= cakes:
        while term > NEGLIGIBLE * total and at >= 0:
            total += term
            term *= at / mean
            at -= 1
        return total
    while term > NEGLIGIBLE * total:
        total += term
        at += 1
        term *= mean / at
    return 1 - total
