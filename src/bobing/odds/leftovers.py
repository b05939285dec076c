"""What is left on the table when a game is over, tier by tier.

A tier is followed throw by throw, by the hits that it got; who else wins what need not be known. Two things make more
of it. Where a lower tier is taken for one that is gone, the hits of all tiers down to it are counted together, and
`_spread` says what so many hits leave. Where a champion is given duitang at the end, games are told apart by the
highest zhuangyuan that was thrown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import NamedTuple

from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.kinds import Dice, Kind
from bobing.odds.spread import or_null
from bobing.odds.sums import finished, going_terms, still, untitled_terms
from bobing.odds.terms import Term

NEGLIGIBLE = 1e-15
ROUNDING = 1e-12


class Left(NamedTuple):
    """The chance that cakes of a tier are left, how many on average, and standard errors of both: 0 where exact."""

    chance: float
    mean: float
    chance_error: float = 0.0
    mean_error: float = 0.0

    def to_json(self) -> dict[str, float | None]:
        """Plain data; an error that cannot be told is null."""
        return {name: or_null(value) for name, value in self._asdict().items()}


def left_doubt(dice: Dice, tier: str) -> str | None:
    """Why what is left of a tier has no exact value here, as a code; None where it has.

    at-end: who ends up with the title takes it, and that is not simply the highest throw. sweep, last-lap: it is handed
    out at the end, and a throw may empty the table before, or a last lap is played.
    """
    rules = dice.rules
    if tier == "duitang" and _levels(dice) and not _highest_wins(dice):
        return "at-end"
    if tier == rules.ranked_tier:
        if any(kind.fills and not kind.ends for kind in dice.kinds) or dice.sum(ends=True):
            return "sweep"
        if rules.ending.finish != "at-once":
            return "last-lap"
    return None


def left_at_end(dice: Dice, tier: str, players: int, cap: int | None) -> Left:
    """What is left of a tier that has no doubt (`left_doubt`), zhuangyuan included."""
    if tier == ZHUANGYUAN:
        chance = title_left(dice, players, cap)
        return Left(chance, dice.rules.cakes[tier] * chance)
    if tier == dice.rules.ranked_tier:
        return _ranked(dice, players, cap)
    walk = _Walk(dice, tier, players, cap)
    chance, mean = walk.left()
    if chance and tier == "duitang":
        for low, high in _levels(dice):
            for bound, sign in ((high, -1), (low, 1)):
                some, many = walk.left(bound)
                chance, mean = chance + sign * some, mean + sign * many
    return Left(chance, mean) if chance > ROUNDING else Left(0.0, 0.0)


def title_left(dice: Dice, players: int, cap: int | None) -> float:
    """The chance that the cake of the zhuangyuan stays on the table: nobody has won, grabbed or eaten it."""
    ending = dice.rules.ending
    lost = [{"grab", "pool"} & set(kind.effects) and kind.strength is None for kind in dice.kinds]
    taken = tuple(replace(kind, strength=0) if gone else kind for kind, gone in zip(dice.kinds, lost, strict=True))
    seen = replace(dice, kinds=taken)
    waits = cap is None and ending.when == "all-gone" and ending.without_champion == "play-on"
    if waits and not seen.sum(title=False, ends=True):
        return 0.0
    untitled = _untitled(seen, players)
    horizon = _horizon(dice.rules, players, cap)
    left = 1 - seen.sum(title=True) / THROWS * sum(untitled[:horizon])
    if ending.undecided == "three-dice":
        left -= _at(untitled, horizon)
    return left if left > ROUNDING else 0.0


def three_dice_settle(dice: Dice, players: int, cap: int | None) -> float:
    """The chance that throws or time run out without a zhuangyuan, and three dice are thrown for the title."""
    if dice.rules.ending.undecided != "three-dice":
        return 0.0
    return _at(_untitled(dice, players), _horizon(dice.rules, players, cap))


def untitled_throws(dice: Dice, players: int, cap: int | None) -> float:
    """How many throws are made on average while nobody is zhuangyuan, the one that makes somebody it included."""
    return sum(_untitled(dice, players)[: _horizon(dice.rules, players, cap)])


def _untitled(dice: Dice, players: int) -> Sequence[float]:
    """By n, the chance that the game goes on after n throws without a zhuangyuan; up to all throws that are counted."""
    ending = dice.rules.ending
    keeps = 1 - (dice.sum(ends=True) + dice.sum(title=True, ends=False)) / THROWS
    if ending.when == "throws":
        return [keeps**n for n in range(ending.throws_each * players + 1)]
    return finished(dice.rules, players, None, keeps, still(untitled_terms(dice), 0))


def _horizon(rules: RuleSet, players: int, cap: int | None) -> int | None:
    """After how many throws all is over, whatever is left."""
    counted = rules.ending.throws_each * players if rules.ending.when == "throws" else None
    return min((n for n in (cap, counted) if n is not None), default=None)


def _at(chances: Sequence[float], n: int | None) -> float:
    return chances[n] if n is not None and n < len(chances) else 0.0


def _ranked(dice: Dice, players: int, cap: int | None) -> Left:
    """The tier that is handed out at the end: a cake for each throw of it, as long as there are any.

    Among its throws the game goes on as if there were none. With g[k] for the throws that are made after k of them, on
    average, the game ends with k of them with the chance p (g[k - 1] - g[k]), where p is that of one such throw.
    """
    rules, tier = dice.rules, dice.rules.ranked_tier
    assert tier is not None, "asked only where there is one"
    ways, cakes = _ranked_ways(dice), rules.cakes[tier]
    terms = [Term(term.sign, term.ways + ways, term.coefs) for term in going_terms(dice, dice.cakes, exact=False)]
    horizon, others, p = _horizon(rules, players, cap), still(terms, 0), ways / THROWS
    made = list[float]()
    for k in range(cakes):
        last = len(others) + k if horizon is None else min(horizon, len(others) + k)
        made.append(p**k * sum(comb(n, k) * others[n - k] for n in range(k, last)))
    ends = [(k == 0) + p * ((made[k - 1] if k else 0.0) - made[k]) for k in range(cakes)]
    return Left(sum(ends), sum((cakes - k) * chance for k, chance in enumerate(ends)))


def _ranked_ways(dice: Dice) -> int:
    from bobing.core.scorebook import scorebook, ways

    return sum(ways(hand) for hand, row in scorebook(dice.rules).rows.items() if "ranked" in row.effects)


def _levels(dice: Dice) -> Sequence[tuple[int, int]]:
    """The strengths whose champion takes the duitang at the end: each run of them from above `low` up to `high`."""
    strengths = sorted({kind.strength for kind in dice.kinds if kind.strength is not None})
    taking = {kind.strength for kind in dice.kinds if "duitang-at-end" in kind.effects}
    return [(low, high) for low, high in zip([-1, *strengths], strengths, strict=False) if high in taking]


def _highest_wins(dice: Dice) -> bool:
    """Whether the title goes with the highest throw, and equal ones do the same in the end."""
    title, taking = dice.rules.title, set[int | None]()
    others = set[int | None]()
    for kind in dice.kinds:
        (taking if "duitang-at-end" in kind.effects else others).add(kind.strength)
    return title.contest == "highest" and title.own_later == "best" and not taking & others


@dataclass(slots=True)
class _Step:
    """What one throw does to a tier: chances that it is hit or emptied, and that the throw has a further meaning."""

    hit: float = 0.0
    fill: float = 0.0
    quiet: float = 0.0

    def add(self, kind: Kind, tiers: Iterable[str], tier: str) -> None:
        """Count a kind of throws."""
        if tier in kind.fills:
            self.fill += kind.ways / THROWS
        elif set(tiers) & set(kind.hits):
            self.hit += kind.ways / THROWS
        else:
            self.quiet += kind.ways / THROWS

    def on(self, chances: list[float]) -> list[float]:
        """The chances by hits after a throw of this meaning, of those where cakes are left."""
        return [
            self.quiet * here + self.hit * before for here, before in zip(chances, [0.0, *chances[:-1]], strict=True)
        ]


class _Walk:
    """One tier from the first throw to the end of the game."""

    def __init__(self, dice: Dice, tier: str, players: int, cap: int | None) -> None:
        self.dice, self.tier, self.players = dice, tier, players
        self.horizon = _horizon(dice.rules, players, cap)
        falls = dice.rules.exhausted.then != "nothing"
        tiers = list(dice.cakes)
        self.tiers = tiers[: tiers.index(tier) + 1] if falls else [tier]
        cakes = dice.cakes[tier]
        self.leaves = _spread(dice, self.tiers) if falls else [(1.0, float(cakes - hits)) for hits in range(cakes)]
        """By hits, the chance that they leave something, and how much on average."""

    def left(self, bound: int | None = None) -> tuple[float, float]:
        """The chance that cakes are left and how many on average; of games without a zhuangyuan above `bound`."""
        goes, closes, stops = self._steps(bound)
        endless = self.horizon is None and not (closes.quiet + closes.hit or stops.quiet + stops.hit)
        if endless:
            return 0.0, 0.0
        chances = _walked(
            len(self.leaves), (goes, closes, stops), self.horizon, self.players, self.dice.rules.ending.finish
        )
        pairs = list(zip(chances, self.leaves, strict=True))
        return sum(chance * some for chance, (some, _) in pairs), sum(chance * many for chance, (_, many) in pairs)

    def _steps(self, bound: int | None) -> tuple[_Step, _Step, _Step]:
        champion = self.dice.rules.ending.when == "champion"
        stops, closes, goes = _Step(), _Step(), _Step()
        for kind in self.dice.kinds:
            if bound is None or kind.strength is None or kind.strength <= bound:
                meaning = stops if kind.ends else closes if kind.strength is not None and champion else goes
                meaning.add(kind, self.tiers, self.tier)
        goes.quiet += 1 - self.dice.sum() / THROWS
        return goes, closes, stops


def _spread(dice: Dice, tiers: Sequence[str]) -> Sequence[tuple[float, float]]:
    """What so many hits of these tiers leave of the last, where what a tier is short of is taken from the next.

    `over` holds, by hits of the tiers so far, the chances of how many of them had to look further down.
    """
    size = sum(dice.cakes[tier] for tier in tiers)
    over, seen, left = [[1.0] if not hits else [] for hits in range(size)], 0, list[list[tuple[int, float]]]()
    for tier in tiers:
        cakes = dice.cakes[tier]
        own = sum(kind.ways for kind in dice.kinds if tier in kind.hits and not kind.ends)
        share = own / (seen + own) if own else 0.0
        arrived = [_arrived(over, hits, share) for hits in range(size)]
        over = [[sum(row[: cakes + 1]), *row[cakes + 1 :]] for row in arrived]
        seen += own
        left = [[(cakes - n, chance) for n, chance in enumerate(row[:cakes])] for row in arrived]
    return [(sum(chance for _, chance in row), sum(many * chance for many, chance in row)) for row in left]


def _arrived(over: Sequence[Sequence[float]], hits: int, share: float) -> list[float]:
    """By number, the chance that of so many hits so many come to a tier: its own, and those gone past one above it."""
    found = [0.0] * (hits + 1)
    for own in range(hits + 1):
        chance = comb(hits, own) * share**own * (1 - share) ** (hits - own)
        for more, weight in enumerate(over[hits - own]):
            found[own + more] += chance * weight
    return found


def _walked(
    size: int, steps: tuple[_Step, _Step, _Step], horizon: int | None, players: int, finish: str
) -> Sequence[float]:
    """By hits below `size`, the chance that so many were made by the end, and nothing emptied the tier.

    Chances are followed throw by throw; `over` waits for the end of the lap in which the game is decided.
    """
    goes, closes, stops = steps
    any_title = _Step(goes.hit + closes.hit, goes.fill + closes.fill, goes.quiet + closes.quiet)
    going, over, left = [1.0, *[0.0] * (size - 1)], [0.0] * size, [0.0] * size
    waiting: list[list[float]] = []
    n = 0
    while sum(going) + sum(over) > NEGLIGIBLE and n != horizon:
        n += 1
        stopped = stops.on([a + b for a, b in zip(going, over, strict=True)])
        over, decided, going = any_title.on(over), closes.on(going), goes.on(going)
        left = [a + b for a, b in zip(left, stopped, strict=True)]
        if finish == "at-once":
            left = [a + b for a, b in zip(left, decided, strict=True)]
        elif finish == "equal-turns":
            over = [a + b for a, b in zip(over, decided, strict=True)]
            if n % players == 0:
                left, over = [a + b for a, b in zip(left, over, strict=True)], [0.0] * size
        else:
            waiting = [any_title.on(chances) for chances in waiting]
            waiting.append(decided)
            over = [a + b for a, b in zip(over, decided, strict=True)]
            if len(waiting) > players:
                done = waiting.pop(0)
                left = [a + b for a, b in zip(left, done, strict=True)]
                over = [a - b for a, b in zip(over, done, strict=True)]
    if n == horizon:
        left = [a + b + c for a, b, c in zip(left, going, over, strict=True)]
    return left
