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
from operator import add, mul
from typing import Any

from bobing.core.errors import OddsError
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice, dice_of, length_doubt
from bobing.odds.leftovers import left_at_end
from bobing.odds.terms import Going, Term

SECONDS = 12
"""What a throw takes at a usual table, in seconds."""
PLAYERS_MAX = 500
TIERS_MAX = 12
CAKES_MAX = 150
"""Beyond these, the sums no longer fit: see `OddsError` odds/too_many_cakes."""
NEGLIGIBLE = 1e-17
"""Where a law is cut off."""


@dataclass(frozen=True)
class Length:
    """The law of the number of throws of a game. Roll-offs are not counted.

    sheet, players: what is played, and by how many, all from the first throw to the end. cap: the throws after which
    time is up, if any. mean: of the number of throws; error: its standard error, 0 where it is exact. beyond: by n, the
    chance that the game takes more than n throws, up to where it is next to nothing. no_champion: the chance that the
    throws bring no champion; where a sheet has three dice thrown then, they come after. left: by tier, the chance that
    cakes are left on the table, and how many there are on average. games: how many were simulated, 0 if exact.
    """

    sheet: str
    players: int
    cap: int | None
    mean: float
    beyond: Sequence[float] = field(repr=False)
    no_champion: float
    left: Mapping[str, tuple[float, float]]
    error: float = 0.0
    games: int = 0
    reckoning: Reckoning | None = field(default=None, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the figures are exact: rounded values of sums that are carried out to about 14 digits."""
        return not self.games

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
        return self._reckoned.beyond_exact(n)

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

    def quantile(self, share: float) -> int:
        """The least number of throws that is enough in this share of all games."""
        return next((n for n, chance in enumerate(self.beyond) if chance <= 1 - share), len(self.beyond))

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
            "error": self.error,
            "games": self.games,
            "sd": self.sd,
            "median": self.median,
            "p90": self.p90,
            "p95": self.p95,
            "p99": self.p99,
            "no_champion": self.no_champion,
            "left": {tier: {"chance": chance, "mean": mean} for tier, (chance, mean) in self.left.items()},
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
        return _finished(self.rules, self.players, self.cap, float(self._survives), self._base)

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
        base: Sequence[float] = [] if rules.ending.when == "throws" else still(untitled_terms(dice), 0)
        keeps = 1 - (dice.sum(ends=True) + dice.sum(title=True, ends=False)) / THROWS
        untitled = sum(_finished(rules, self.players, self.cap, keeps, base))
        grabs = [kind for kind in dice.kinds if "grab" in kind.effects]
        lost = sum(kind.ways for kind in grabs) if rules.liubohei.grab_zhuangyuan == "always" else 0
        closing = dice.sum(title=True) + (sum(kind.ways for kind in grabs if kind.strength is None) if lost else 0)
        found = 1 - closing / THROWS * untitled + lost / THROWS * self.mean
        return found if found > 1e-12 else 0.0

    @cached_property
    def left(self) -> Mapping[str, tuple[float, float]]:
        """By tier, the chance that cakes are left on the table, and how many there are on average."""
        return {tier: left_at_end(self._dice, tier, self.players, self.cap) for tier in self._dice.cakes}


def exact_length(rules: RuleSet, players: int = 10, *, seconds: float = SECONDS, throws: int | None = None) -> Length:
    """The exact law of the number of throws of a game of `players`.

    seconds: what a throw takes, for sheets that end by the clock. throws: an end after so many throws in all, whatever
    the sheet says. Raises OddsError where there is no exact law (`odds/not_exact`): then simulate.
    """
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
        reckoning=found,
    )


def mean_throws(rules: RuleSet) -> float:
    """The mean number of throws alone, where no last lap follows and no time is up: by far the quickest figure.

    Where each throw wins in one tier at most, there may be any number of cakes. Raises OddsError.

    >>> from bobing.core.catalogue import find_sheet
    >>> round(mean_throws(find_sheet("S2")), 9)
    228.532698122
    """
    dice = dice_of(rules)
    if fits(dice.cakes) and length_doubt(rules) is None:
        return Reckoning(rules, 2).mean
    from bobing.odds.integral import mean_by_integral

    return mean_by_integral(dice)


def cap_of(rules: RuleSet, seconds: float, throws: int | None) -> int | None:
    """After how many throws time is up."""
    if not 0.1 <= seconds <= 3600:
        raise OddsError("a throw takes from 0.1 to 3600 seconds", "odds/out_of_range")
    if throws is not None and not 1 <= throws <= 100_000:
        raise OddsError("a game is cut off after 1 to 100000 throws", "odds/out_of_range")
    caps = [throws] if throws else []
    if rules.ending.minutes:
        caps.append(max(1, int(rules.ending.minutes * 60 / seconds)))
    return min(caps, default=None)


def check_players(rules: RuleSet, players: int) -> None:
    """Refuse a number of players that the sheet does not allow."""
    if not rules.setup.seats_min <= players <= PLAYERS_MAX:
        raise OddsError(f"this sheet is for {rules.setup.seats_min} to {PLAYERS_MAX} players", "odds/out_of_range")


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
    found, live = [1.0] * first, [_Live(term) for term in terms]
    row = [float(comb(first, k)) for k in range(max((len(term.coefs) for term in terms), default=0))]
    while live:
        n, total, alive = len(found), 0.0, list[_Live]()
        for term in live:
            chance = term.at(n, row)
            total += term.sign * chance
            if chance > NEGLIGIBLE or n < term.size:
                alive.append(term)
        found.append(min(1.0, max(0.0, total)))
        if len(alive) < len(live):
            live = alive
            row = row[: max((term.size for term in live), default=0)]
        row = [1.0, *map(add, row, row[1:])]
    return found


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


def _finished(rules: RuleSet, players: int, cap: int | None, survives: float, base: Sequence[float]) -> Sequence[float]:
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


def _base_place(rules: RuleSet, players: int, n: int) -> tuple[int | None, int]:
    """Where `_finished` looks for the chance of n: the place before the last lap, and the throws since."""
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
