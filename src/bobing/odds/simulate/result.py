"""What a simulation found: figures with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from bobing.odds.given import number
from bobing.odds.simulate.setting import Setting
from bobing.odds.simulate.tables import FORMS, REASONS
from bobing.odds.simulate.totals import Totals
from bobing.odds.spread import RULE_OF_THREE, chance_error, mean_error, or_null, quantile_error, sd_error

Figure = tuple[float, float]
"""A figure and its standard error."""


@dataclass(frozen=True)
class Simulation:
    """The figures of `games` simulated games. A figure comes with its standard error; chances and means are by game.

    One game says nothing about others: its standard errors are nan.
    """

    setting: Setting
    totals: Totals

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals.games

    @cached_property
    def throws(self) -> Figure:
        """The mean number of throws; roll-offs are not counted, spilt throws are."""
        return self.mean, mean_error(self.sd, self.games)

    @cached_property
    def mean(self) -> float:
        """The mean number of throws."""
        lengths = self.totals.lengths
        return float((lengths * np.arange(len(lengths))).sum() / self.games)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the number of throws."""
        lengths = self.totals.lengths
        return float(sqrt((lengths * (np.arange(len(lengths)) - self.mean) ** 2).sum() / max(1, self.games - 1)))

    def quantile(self, share: float) -> int:
        """The number of throws with which this share of the games is over; raises OddsError for what is no share."""
        return int(np.searchsorted(np.cumsum(self.totals.lengths), number(share, "share", 0, 1) * self.games))

    def quantile_error(self, share: float) -> float:
        """The standard error of a quantile."""
        return quantile_error(self.quantile, share, self.games)

    @cached_property
    def sd_error(self) -> float:
        """The standard error of the standard deviation."""
        return sd_error((self.totals.lengths / self.games).tolist(), self.mean, self.sd, self.games)

    @cached_property
    def champion(self) -> Sequence[Figure]:
        """The chance of the title, by seat."""
        return [self._chance(count) for count in self.totals.champions[:-1]]

    @cached_property
    def no_champion(self) -> Figure:
        """The chance that nobody has the title in the end."""
        return self._chance(self.totals.champions[-1])

    @cached_property
    def cakes(self) -> Mapping[str, Sequence[Figure]]:
        """Cakes in hand in the end, by tier and seat."""
        of_all, squares = self.totals.cakes
        means = of_all / self.games
        errors = _errors(squares / self.games - means**2, self.games)
        return {key: list(zip(means[i].tolist(), errors[i].tolist(), strict=True)) for i, key in enumerate(self._tiers)}

    @cached_property
    def left(self) -> Mapping[str, Figure]:
        """Cakes left on the table in the end, by tier."""
        return self._means(self.totals.tiers[0], self.totals.tiers[5])

    @cached_property
    def some_left(self) -> Mapping[str, Figure]:
        """The chance that cakes are left, by tier."""
        return {key: self._chance(self.totals.tiers[1, i]) for i, key in enumerate(self._tiers)}

    @cached_property
    def pool(self) -> Mapping[str, Figure]:
        """Cakes eaten by all, by tier."""
        return self._means(self.totals.tiers[2], self.totals.tiers[6])

    @cached_property
    def gone_after(self) -> Mapping[str, float]:
        """After how many throws a tier is gone, on average over the games in which it is; of zhuangyuan, when there
        is a champion."""
        return self._by_tier(self.totals.tiers[3] / np.maximum(1, self.totals.tiers[4]))

    @cached_property
    def last(self) -> Mapping[str, Figure]:
        """The chance that a tier is the one that is waited for, by tier."""
        return {key: self._chance(self.totals.last[i]) for i, key in enumerate(self._tiers)}

    @cached_property
    def won_with(self) -> Mapping[str, Figure]:
        """The chance that the title is won with each kind of throw."""
        return {form: self._chance(count) for form, count in zip(FORMS, self.totals.forms, strict=True) if form}

    @cached_property
    def ended_by(self) -> Mapping[str, Figure]:
        """The chance of each reason for which a game ends."""
        return {
            reason: self._chance(count) for reason, count in zip(REASONS, self.totals.reasons, strict=True) if reason
        }

    @property
    def title_changes(self) -> float:
        """How often the title goes from one to another in a game."""
        return self.totals.changes / self.games

    @property
    def chases(self) -> float:
        """How many cakes are chased in a game."""
        return self.totals.chases / self.games

    @property
    def rolloffs(self) -> float:
        """How many throws of roll-offs there are in a game."""
        return self.totals.rolloffs / self.games

    def to_json(self) -> dict[str, Any]:
        """Plain data: see `docs/odds.md`."""
        mean, error = self.throws
        by_name = {
            "left": self.left, "some_left": self.some_left, "pool": self.pool, "last": self.last,
            "won_with": self.won_with, "ended_by": self.ended_by,
        }  # fmt: skip
        return {
            "rules": self.setting.rules.key,
            "digest": self.setting.rules.digest,
            "players": self.setting.seats,
            "seed": self.setting.seed,
            "games": self.games,
            "exact": False,
            "mean": mean,
            "error": or_null(error),
            "sd": self.sd,
            **{name: self.quantile(share) for name, share in QUANTILES.items()},
            "champion": [_pair(figure) for figure in self.champion],
            "no_champion": _pair(self.no_champion),
            "cakes": {tier: [_pair(figure) for figure in seats] for tier, seats in self.cakes.items()},
            **{name: _pairs(figures) for name, figures in by_name.items()},
            "gone_after": self.gone_after,
            "title_changes": self.title_changes,
            "chases": self.chases,
            "rolloffs": self.rolloffs,
        }

    def _repr_html_(self) -> str:
        from bobing.odds.html import simulation_html

        return simulation_html(self)

    @property
    def _tiers(self) -> Sequence[str]:
        return [tier.key for tier in self.setting.rules.tiers]

    def _means(self, counted: Any, squares: Any) -> Mapping[str, Figure]:
        means = counted / self.games
        errors = _errors(squares / self.games - means**2, self.games)
        return dict(zip(self._tiers, zip(means.tolist(), errors.tolist(), strict=True), strict=True))

    def _by_tier(self, values: Any) -> Mapping[str, float]:
        return dict(zip(self._tiers, values.tolist(), strict=True))

    def _chance(self, count: Any) -> Figure:
        share = float(count) / self.games
        return share, chance_error(share, self.games)


def _pair(figure: Figure) -> list[float | None]:
    return [figure[0], or_null(figure[1])]


def _pairs(figures: Mapping[str, Figure]) -> Mapping[str, list[float | None]]:
    return {name: _pair(figure) for name, figure in figures.items()}


def _errors(variances: Any, games: int) -> Any:
    """Standard errors of means over games; where all games were alike, half of the bound for what was never seen."""
    if games < 2:
        return np.full_like(variances, np.nan)
    return np.where(variances > 0, np.sqrt(np.maximum(0, variances) / games), RULE_OF_THREE / 2 / games)


QUANTILES: Mapping[str, float] = {"median": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
