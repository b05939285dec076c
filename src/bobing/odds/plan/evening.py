"""How one game at one table goes: its law, who is waited for, and the same in minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from bobing.core.rules import RuleSet
from bobing.odds.answers import length
from bobing.odds.given import number, throws_in
from bobing.odds.lengths import SECONDS, Length
from bobing.odds.spread import chance_error, quantile_error
from bobing.odds.waiting import last_gone

SHARES: Mapping[str, float] = {"median": 0.5, "p90": 0.9, "p99": 0.99}
POINTS = 60
"""How many points a curve has."""
SIMULATED = 50_000
MINUTES_MAX = 10**6
NEGLIGIBLE = 1e-9
ROUNDING = 1e-12
DIGITS = 9
"""To which a curve is rounded, so that it never falls."""
BITS, DIGIT = 60, 16
"""Chances in whole numbers of 2**-60; their products add up to less than a digit of 16 bytes."""


@dataclass(frozen=True)
class Evening:
    """A table of so many seats that plays so many sets, one after the other; `law` is that of one set.

    waited: by tier, the chance that it is the last to be gone, exact where the law is; empty where the game does not
    wait for all. The sum is less than 1 where one throw may end it.
    """

    seats: int
    sets: int
    seconds: float
    law: Length
    waited: Mapping[str, float]

    @property
    def no_champion(self) -> float:
        """The chance that a game has no champion, where three dice settle it too if the rules say so."""
        found = self.law.no_champion - self.law.three_dice
        return found if found > ROUNDING else 0.0

    @property
    def beyond(self) -> Sequence[float]:
        """By n, the chance that the table takes more than n throws for all its sets."""
        return self.law.beyond if self.sets == 1 else _of_sets(tuple(self.law.beyond), self.sets)

    @property
    def games(self) -> int:
        """How many games the law of throws is taken from; 0 where it is exact."""
        return self.law.played

    @property
    def no_champion_error(self) -> float:
        """The standard error of `no_champion`, 0 where it is exact; of other chances of one game it is alike."""
        return self.error_of(self.no_champion)

    def error_of(self, chance: float) -> float:
        """The standard error of a chance of one game."""
        return chance_error(chance, self.games) if self.games else 0.0

    def throws(self, share: float) -> int:
        """With so many throws a table is through, in this share of all cases; raises OddsError for what is no share."""
        most, beyond = 1 - number(share, "share", 0, 1), self.beyond
        return next((n for n, chance in enumerate(beyond) if chance <= most), len(beyond))

    def throws_error(self, share: float) -> float:
        """The standard error of that number, at most; 0 where it is exact."""
        return quantile_error(self.throws, share, self._games_of_all) if self.games else 0.0

    def minutes(self, share: float) -> float:
        """The same in minutes."""
        return self.throws(share) * self.seconds / 60

    def minutes_error(self, share: float) -> float:
        """The standard error of those minutes, at most; 0 where they are exact."""
        return self.throws_error(share) * self.seconds / 60

    def done_in(self, minutes: float) -> float:
        """The chance to be through in so many minutes."""
        beyond = self.beyond
        throws = throws_in(number(minutes, "minutes", 0, MINUTES_MAX), self.seconds)
        return 1 - beyond[throws] if throws < len(beyond) else 1.0

    def done_in_error(self, minutes: float) -> float:
        """The standard error of that chance, at most; 0 where it is exact."""
        return chance_error(self.done_in(minutes), self._games_of_all) if self.games else 0.0

    @property
    def _games_of_all(self) -> int:
        """What is told of several sets is as sure as if so many of the games had been played for each."""
        return max(2, self.games // self.sets)

    def curve(self) -> Sequence[tuple[float, float]]:
        """After so many minutes, the chance to be through; from 0 on, in equal steps."""
        step = max(1, -(-self.throws(0.999) // POINTS))
        beyond = self.beyond
        places = range(0, step * POINTS + 1, step)
        done = {n: round(1 - beyond[n], DIGITS) if n < len(beyond) else 1.0 for n in places}
        return [(n * self.seconds / 60, chance) for n, chance in done.items()]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "seats": self.seats,
            "sets": self.sets,
            "exact": self.law.exact,
            "mean": self.law.mean * self.sets,
            "throws": {name: self.throws(share) for name, share in SHARES.items()},
            "minutes": {name: self.minutes(share) for name, share in SHARES.items()},
            "no_champion": self.no_champion,
            "left": {tier: left.to_json() for tier, left in self.law.left.items()},
            "waited": dict(self.waited),
            "simulated": list(self.law.doubts),
            "games": self.law.games,
            "errors": {
                "mean": self.law.error * self.sets,
                "throws": {name: self.throws_error(share) for name, share in SHARES.items()},
                "minutes": {name: self.minutes_error(share) for name, share in SHARES.items()},
                "no_champion": self.no_champion_error,
                "waited": {tier: self.error_of(chance) for tier, chance in self.waited.items()},
            },
        }


def evening_of(rules: RuleSet, seats: int, seconds: float, sets: int = 1) -> Evening:
    """How a table of this size goes; raises OddsError or SimulationError where that cannot be told."""
    kept = _Kept(rules)
    law = _law(kept, seats, seconds if rules.ending.minutes else SECONDS)
    waits = rules.ending.when == "all-gone" and not rules.ending.minutes
    waited: Mapping[str, float] = _waited(kept, seats, exact="length" not in law.doubts) if waits else {}
    return Evening(seats, sets, seconds, law, waited)


class _Kept:
    """A rule set as the key of what was worked out for it: equal settings are equal."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and other.rules.digest == self.rules.digest

    def __hash__(self) -> int:
        return hash(self.rules.digest)


@lru_cache(maxsize=256)
def _law(kept: _Kept, seats: int, seconds: float) -> Length:
    return length(kept.rules, seats, seconds=seconds, games=SIMULATED)


@lru_cache(maxsize=256)
def _waited(kept: _Kept, seats: int, *, exact: bool) -> Mapping[str, float]:
    if exact:
        return last_gone(kept.rules)
    from bobing.odds.simulate import Setting, simulate

    found = simulate(Setting(kept.rules, seats), SIMULATED).last
    return {tier: found[tier][0] for tier in kept.rules.cakes if tier != kept.rules.ranked_tier}


@lru_cache(maxsize=64)
def _of_sets(beyond: tuple[float, ...], sets: int) -> Sequence[float]:
    """The chance that several games together take more than n throws."""
    kept = [chance for chance in beyond if chance > NEGLIGIBLE]
    law = [max(0.0, before - after) for before, after in pairwise((1.0, *kept, 0.0))]
    whole = law
    for _ in range(sets - 1):
        whole = _convolved(whole, law)
    return [max(0.0, 1 - done) for done in accumulate(whole)]


def _convolved(left: Sequence[float], right: Sequence[float]) -> list[float]:
    """The law of a sum: the product of two whole numbers in whose digits the chances stand, each with room to spare."""
    count = len(left) + len(right) - 1
    product = (_packed(left) * _packed(right)).to_bytes(count * DIGIT + DIGIT, "little")
    places = range(0, count * DIGIT, DIGIT)
    return [int.from_bytes(product[at : at + DIGIT], "little") / 4**BITS for at in places]


def _packed(chances: Sequence[float]) -> int:
    return int.from_bytes(b"".join(int(chance * 2**BITS).to_bytes(DIGIT, "little") for chance in chances), "little")
