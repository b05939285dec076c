"""Standard errors of what was simulated: of a chance, of a quantile, of a mean and of a standard deviation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan, sqrt

RULE_OF_THREE = 3.0
"""What was never seen in n games has a chance of at most 3 / n, in 95 % of all cases."""


def mean_error(sd: float, games: int) -> float:
    """Of the mean over so many games; nan for a single one, which says nothing about others.

    Where all games were alike, as in `chance_error`.
    """
    if games < 2:
        return nan
    return sd / sqrt(games) if sd else RULE_OF_THREE / 2 / games


def chance_error(chance: float, games: int) -> float:
    """Of a chance; where all games were alike, half of the bound for what was never seen.

    >>> chance_error(0.5, 10_000), chance_error(0.0, 1_000)
    (0.005, 0.0015)
    """
    if games < 2:
        return nan
    variance = chance * (1 - chance)
    return sqrt(variance / games) if variance > 0 else RULE_OF_THREE / 2 / games


def quantile_error(quantile: Callable[[float], float], share: float, games: int) -> float:
    """Of a quantile, which is a whole number: half the way between those of the shares one standard error below and
    above, and half of one at least."""
    if games < 2:
        return nan
    width = chance_error(share, games)
    return max(0.5, (quantile(min(1.0, share + width)) - quantile(max(0.0, share - width))) / 2)


def sd_error(law: Sequence[float], mean: float, sd: float, games: int) -> float:
    """Of the standard deviation of a law by n."""
    if games < 2:
        return nan
    fourth = sum(chance * (n - mean) ** 4 for n, chance in enumerate(law))
    return sqrt(max(0.0, fourth - sd**4) / games) / (2 * sd) if sd else RULE_OF_THREE / 2 / games


def or_null(figure: float) -> float | None:
    """A figure as JSON has it: null for what cannot be told."""
    return None if isnan(figure) else figure
