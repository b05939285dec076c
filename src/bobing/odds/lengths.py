"""How many throws a game takes: the exact law of their number.

>>> from bobing.core.catalogue import find_sheet
>>> found = exact_length(find_sheet("S2"), players=10)
>>> round(found.mean, 6), found.median, found.p90, found.p99
(228.532698, 217, 328, 473)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, sqrt
from operator import mul
from typing import Any

from bobing.core.catalogue import rules_of
from bobing.core.errors import OddsError
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS
from bobing.odds.given import OUT_OF_RANGE, number, throws_in, whole
from bobing.odds.kinds import Dice, dice_of, length_doubt
from bobing.odds.leftovers import Left, left_at_end, left_doubt, three_dice_settle, untitled_throws
from bobing.odds.spread import chance_error, or_null, quantile_error, sd_error
from bobing.odds.sums import finished, going_terms, mean_of, still
from bobing.odds.terms import Term

SECONDS = 12
"""What a throw takes at a usual table, in seconds."""
PLAYERS_MAX = 500
TIERS_MAX = 12
CAKES_MAX = 150
"""Beyond these, the sums no longer fit: see `OddsError` odds/too_many_cakes."""
THROWS_MAX = 100_000


@dataclass(frozen=True)
class Length:
    """The law of the number of throws of a game. Roll-offs are not counted.

    sheet, players: what is played, and by how many, all from the first throw to the end. cap: the throws after which
    time is up, if any. mean: of the number of throws; error: its standard error, 0 where it is exact. beyond: by n, the
    chance that the game takes more than n throws, up to where it is next to nothing. no_champion: the chance that the
    throws bring no champion; three_dice: that three dice are thrown for the title then. left: by tier, zhuangyuan
    included, the chance that cakes are left on the table, and how many there are on average. doubts: tiers whose `left`
    is simulated, with the reason as a code, or left out. games: how many were simulated, 0 if all is exact. Standard
    errors are nan where a single game was simulated. rules: what is played, for its names.
    """

    sheet: str
    players: int
    cap: int | None
    mean: float
    beyond: Sequence[float] = field(repr=False)
    no_champion: float
    left: Mapping[str, Left]
    three_dice: float = 0.0
    doubts: Mapping[str, str] = field(default_factory=dict[str, str])
    error: float = 0.0
    games: int = 0
    reckoning: Reckoning | None = field(default=None, repr=False, compare=False)
    rules: RuleSet | None = field(default=None, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether all figures are exact: rounded values of sums that are carried out to about 14 digits."""
        return not self.games and not self.doubts

    @property
    def mean_exact(self) -> Fraction:
        """The mean as a fraction; raises OddsError where it is simulated. With a last lap it takes a while."""
        return self._reckoned.mean_exact

    def beyond_exact(self, n: int) -> Fraction:
        """The chance that the game takes more than n throws, as a fraction; raises OddsError where it is simulated.

        >>> from bobing.core.catalogue import find_sheet
        >>> exact_length(find_sheet("S2")).beyond_exact(62)
        Fraction(1, 1)
        """
        return self._reckoned.beyond_exact(whole(n, "throws", 0, THROWS_MAX))

    @property
    def _reckoned(self) -> Reckoning:
        if self.reckoning is None:
            raise OddsError("these figures are simulated; there are no fractions", "odds/not_exact")
        return self.reckoning

    @cached_property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(max(0.0, sum((2 * n + 1) * chance for n, chance in enumerate(self.beyond)) - self.mean**2))

    @cached_property
    def law(self) -> Sequence[float]:
        """By n, the chance that the game takes exactly n throws."""
        return [0.0, *(max(0.0, before - after) for before, after in pairwise([*self.beyond, 0.0]))]

    @property
    def played(self) -> int:
        """How many games the law is taken from; 0 where it is exact."""
        return self.games if "length" in self.doubts else 0

    @cached_property
    def sd_error(self) -> float:
        """The standard error of the standard deviation, 0 where it is exact."""
        return sd_error(self.law, self.mean, self.sd, self.played) if self.played else 0.0

    @property
    def no_champion_error(self) -> float:
        """The standard error of `no_champion`, 0 where it is exact."""
        return chance_error(self.no_champion, self.played) if self.played else 0.0

    def quantile(self, share: float) -> int:
        """The least number of throws that is enough in this share of all games; raises OddsError for what is no share.

        >>> exact_length("S2").quantile(1.5)
        Traceback (most recent call last):
        bobing.core.errors.OddsError: share: give a value from 0 to 1; found 1.5
        """
        most = 1 - number(share, "share", 0, 1)
        return next((n for n, chance in enumerate(self.beyond) if chance <= most), len(self.beyond))

    def quantile_error(self, share: float) -> float:
        """The standard error of a quantile, 0 where it is exact."""
        return quantile_error(self.quantile, share, self.played) if self.played else 0.0

    @property
    def median(self) -> int:
        """Half of all games take no more throws."""
        return self.quantile(0.5)

    @property
    def p90(self) -> int:
        """90 % of all games take no more throws."""
        return self.quantile(0.9)

    @property
    def p95(self) -> int:
        """95 % of all games take no more throws."""
        return self.quantile(0.95)

    @property
    def p99(self) -> int:
        """99 % of all games take no more throws."""
        return self.quantile(0.99)

    def to_json(self) -> dict[str, Any]:
        """Plain data: see `docs/odds.md`."""
        return {
            "sheet": self.sheet,
            "players": self.players,
            "cap": self.cap,
            "exact": self.exact,
            "mean": self.mean,
            "error": or_null(self.error),
            "games": self.games,
            "sd": self.sd,
            "median": self.median,
            "p90": self.p90,
            "p95": self.p95,
            "p99": self.p99,
            "no_champion": self.no_champion,
            "three_dice": self.three_dice,
            "left": {tier: left.to_json() for tier, left in self.left.items()},
            "simulated": dict(self.doubts),
        }

    def _repr_html_(self) -> str:
        from bobing.odds.html import length_html

        return length_html(self)


class Reckoning:
    """The sums behind an exact law, worked out when they are asked for."""

    def __init__(self, rules: RuleSet, players: int, cap: int | None = None) -> None:
        self.rules, self.players, self.cap = rules, players, cap

    @cached_property
    def _dice(self) -> Dice:
        return dice_of(self.rules)

    @cached_property
    def _terms(self) -> Sequence[Term]:
        return going_terms(self._dice, self._dice.cakes, exact=False)

    @cached_property
    def _whole_terms(self) -> Sequence[Term]:
        return going_terms(self._dice, self._dice.cakes, exact=True)

    @cached_property
    def _survives(self) -> Fraction:
        """The chance that a throw does not end the game by itself."""
        return Fraction(THROWS - self._dice.sum(ends=True), THROWS)

    @property
    def _plain(self) -> bool:
        """Whether the game is over with the throw that meets the last need."""
        ending = self.rules.ending
        return self.cap is None and ending.finish == "at-once" and ending.when != "throws"

    @cached_property
    def mean(self) -> float:
        """The mean number of throws."""
        return mean_of(self._terms) if self._plain else sum(self.beyond)

    @cached_property
    def mean_exact(self) -> Fraction:
        """The mean as a fraction. Where a lap is finished or time is up, this may take seconds."""
        if self._plain:
            return sum((term.sign * _whole_mean(term) for term in self._whole_terms), Fraction(0))
        if self.cap is not None or self.rules.ending.when == "throws":
            return sum((self.beyond_exact(n) for n in range(len(self.beyond))), Fraction(0))
        lap = sum((self._survives**i for i in range(self.players)), Fraction(0))
        if self.rules.ending.finish == "equal-turns":
            return lap * sum((term.sign * _whole_laps(term, self.players) for term in self._whole_terms), Fraction(0))
        after = sum((term.sign * _whole_mean(term) for term in self._whole_terms), Fraction(0))
        return lap + self._survives**self.players * after

    @cached_property
    def beyond(self) -> Sequence[float]:
        """By n, the chance that the game takes more than n throws, up to where it is next to nothing."""
        return finished(self.rules, self.players, self.cap, float(self._survives), self._base)

    @cached_property
    def _base(self) -> Sequence[float]:
        return [] if self.rules.ending.when == "throws" else still(self._terms, self._first)

    @cached_property
    def _first(self) -> int:
        """No game is over before so many throws."""
        if self._dice.sum(ends=True) or self.rules.ending.when != "all-gone":
            return 0
        filled = {tier for kind in self._dice.kinds for tier in kind.fills}
        whole = [cakes for tier, cakes in self._dice.cakes.items() if tier not in filled]
        if self.rules.exhausted.then != "nothing":
            return 0
        alone = all(len(kind.hits) < 2 for kind in self._dice.kinds)
        return sum(whole) if alone else max(whole, default=0)

    def beyond_exact(self, n: int) -> Fraction:
        """The chance that the game takes more than n throws, as a fraction."""
        source, rest = _base_place(self.rules, self.players, n)
        if (self.cap is not None and n >= self.cap) or source is None:
            return Fraction(0)
        base = sum((term.sign * _whole_still(term, source) for term in self._whole_terms), Fraction(0))
        return base * self._survives**rest

    @cached_property
    def no_champion(self) -> float:
        """The chance that the throws bring no champion. Where a sheet has three dice thrown then, they come after."""
        dice, rules = self._dice, self.rules
        untitled = untitled_throws(dice, self.players, self.cap)
        grabs = [kind for kind in dice.kinds if "grab" in kind.effects]
        lost = sum(kind.ways for kind in grabs) if rules.liubohei.grab_zhuangyuan == "always" else 0
        closing = dice.sum(title=True) + (sum(kind.ways for kind in grabs if kind.strength is None) if lost else 0)
        found = 1 - closing / THROWS * untitled + lost / THROWS * self.mean
        return found if found > 1e-12 else 0.0

    @cached_property
    def three_dice(self) -> float:
        """The chance that three dice are thrown for the title."""
        return three_dice_settle(self._dice, self.players, self.cap)

    @cached_property
    def doubts(self) -> Mapping[str, str]:
        """The tiers of which it cannot be told exactly what is left, with the reason."""
        found = {tier: left_doubt(self._dice, tier) for tier in self.rules.cakes}
        return {tier: doubt for tier, doubt in found.items() if doubt is not None}

    @cached_property
    def left(self) -> Mapping[str, Left]:
        """By tier, the chance that cakes are left on the table, and how many there are on average."""
        tiers = [tier for tier in self.rules.cakes if tier not in self.doubts]
        return {tier: left_at_end(self._dice, tier, self.players, self.cap) for tier in tiers}


def exact_length(
    rules: RuleSet | str, players: int = 10, *, seconds: float = SECONDS, throws: int | None = None
) -> Length:
    """The exact law of the number of throws of a game of `players`, under a rule set or a named sheet.

    seconds: what a throw takes, for sheets that end by the clock. throws: an end after so many throws in all, whatever
    the sheet says. What is left of a tier may have no exact value: `doubts` names it. Raises OddsError where there is
    no exact law (`odds/not_exact`): then simulate.
    """
    rules = rules_of(rules)
    check_players(rules, players)
    doubt = length_doubt(rules)
    if doubt is not None:
        raise OddsError("this rule set has no exact law of length; simulate it", "odds/not_exact")
    check_size(dice_of(rules).cakes)
    found = Reckoning(rules, players, cap_of(rules, seconds, throws))
    return Length(
        sheet=rules.key,
        players=players,
        cap=found.cap,
        mean=found.mean,
        beyond=found.beyond,
        no_champion=found.no_champion,
        left=found.left,
        three_dice=found.three_dice,
        doubts=found.doubts,
        reckoning=found,
        rules=rules,
    )


def mean_throws(rules: RuleSet | str) -> float:
    """The mean number of throws alone, where no last lap follows and no time is up: by far the quickest figure.

    Where each throw wins in one tier at most, there may be any number of cakes. Raises OddsError.

    >>> round(mean_throws("S2"), 9)
    228.532698122
    """
    rules = rules_of(rules)
    dice = dice_of(rules)
    if fits(dice.cakes) and length_doubt(rules) is None:
        return Reckoning(rules, 2).mean
    from bobing.odds.integral import mean_by_integral

    return mean_by_integral(dice)


def cap_of(rules: RuleSet, seconds: float, throws: int | None) -> int | None:
    """After how many throws time is up."""
    if not 0.1 <= number(seconds, "seconds") <= 3600:
        raise OddsError("a throw takes from 0.1 to 3600 seconds; give a number among them", OUT_OF_RANGE)
    if throws is not None and not 1 <= whole(throws, "throws") <= THROWS_MAX:
        raise OddsError(f"a game is cut off after 1 to {THROWS_MAX} throws; give a number among them", OUT_OF_RANGE)
    caps = [throws] if throws else []
    if rules.ending.minutes:
        caps.append(max(1, throws_in(rules.ending.minutes, seconds)))
    return min(caps, default=None)


def check_players(rules: RuleSet, players: int) -> None:
    """Refuse a number of players that the sheet does not allow."""
    least = rules.setup.seats_min
    if not least <= whole(players, "players") <= PLAYERS_MAX:
        raise OddsError(f"this sheet is for {least} to {PLAYERS_MAX} players; give a number among them", OUT_OF_RANGE)


def fits(cakes: Mapping[str, int]) -> bool:
    """Whether the exact sums reach so far."""
    return sum(cakes.values()) <= CAKES_MAX and len(cakes) <= TIERS_MAX


def check_size(cakes: Mapping[str, int]) -> None:
    """Refuse more tiers or cakes than can be summed up."""
    if not fits(cakes):
        raise OddsError(
            f"exact sums reach to {TIERS_MAX} tiers and {CAKES_MAX} cakes below zhuangyuan; simulate this one",
            "odds/too_many_cakes",
        )


def _base_place(rules: RuleSet, players: int, n: int) -> tuple[int | None, int]:
    """Where `finished` looks for the chance of n: the place before the last lap, and the throws since."""
    ending = rules.ending
    if ending.when == "throws":
        return (n, 0) if n < ending.throws_each * players else (None, 0)
    if ending.finish == "equal-turns":
        return n - n % players, n % players
    if ending.finish == "extra-lap":
        return max(0, n - players), min(n, players)
    return n, 0


def _whole_mean(term: Term) -> Fraction:
    total = 0
    for coef in term.coefs:
        total = total * term.ways + int(coef)
    return Fraction(THROWS * total, term.ways ** len(term.coefs))


def _whole_still(term: Term, n: int) -> Fraction:
    keep = THROWS - term.ways
    hits = range(min(len(term.coefs), n + 1))
    return Fraction(sum(comb(n, k) * int(term.coefs[k]) * keep ** (n - k) for k in hits), THROWS**n)


def _whole_laps(term: Term, players: int) -> Fraction:
    """The sum of `_whole_still` over all n that complete a lap, by the series of 1 / (1 - ((keep + u) / THROWS)^n)."""
    keep, every = THROWS - term.ways, THROWS**players
    gone = every - keep**players
    inner = [comb(players, i) * keep ** (players - i) for i in range(min(players, len(term.coefs)) + 1)]
    powers = list(accumulate([gone] * len(term.coefs), mul, initial=1))
    series = [1]
    for k in range(1, len(term.coefs)):
        series.append(sum(inner[i] * series[k - i] * powers[i - 1] for i in range(1, min(k, players) + 1)))
    total = sum(
        int(coef) * g * powers[len(powers) - 1 - k] for k, (coef, g) in enumerate(zip(term.coefs, series, strict=True))
    )
    return Fraction(every * total, powers[-1] * gone)
