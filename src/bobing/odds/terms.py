"""How likely it is that a game still goes on after n throws, as a short signed sum.

*Goes on* means that some of several needs is not met: cakes left in a tier, no zhuangyuan yet. By inclusion and
exclusion over sets S of needs, the chance is a signed sum of the chances that all of S is unmet, and each of those is

    sum over k of  C(n, k) * a[k] * (46656 - W)^(n - k) / 46656^n

where W counts the ways of all throws that bear on S (or end the game), and a[k] the sequences of k throws that hit S
and leave all of it unmet. A `Term` is one such summand. Where a lower tier is taken for one that is gone (X1), tiers
1 to j are gone as soon as, for each i up to j, tiers 1 to i were hit as often as they had cakes together; then one term
for each tier is enough.

Everything is whole numbers, or floats where `Term.coefs` are wanted as a[k] / 46656^k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from math import comb, factorial, prod
from operator import add, mul
from typing import NamedTuple

from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice

_FACTORIALS = [float(factorial(k)) for k in range(171)]


class Term(NamedTuple):
    """One summand: its sign, the ways W that bear on it, a[k] by k, and the set S as bits; 0 on a ladder of tiers."""

    sign: int
    ways: int
    coefs: Sequence[float]
    needs: int = 0


class Going:
    """The signed sums of one table: what is left there, and which needs keep the game going.

    cakes: cakes left by tier, tiers without any left out. exact: whole numbers rather than floats.
    """

    def __init__(self, dice: Dice, cakes: Mapping[str, int], *, exact: bool) -> None:
        self.dice, self.exact = dice, exact
        self.cakes = {tier: left for tier, left in cakes.items() if left}
        self.bits = {tier: 1 << i for i, tier in enumerate(sorted(self.cakes, key=lambda key: -self.cakes[key]))}
        self.title = 1 << len(self.bits)
        self.left = [0] * (len(self.bits) + 1)
        for tier, bit in self.bits.items():
            self.left[bit.bit_length() - 1] = self.cakes[tier]
        self.classes: dict[tuple[int, int], int] = {}
        self.ending = 0
        for kind in dice.kinds:
            if kind.ends:
                self.ending += kind.ways
                continue
            hits = sum(self.bits.get(self._taken(tier), 0) for tier in kind.hits)
            fills = sum(self.bits.get(tier, 0) for tier in kind.fills) | (
                self.title if kind.strength is not None else 0
            )
            if hits or fills:
                self.classes[hits, fills] = self.classes.get((hits, fills), 0) + kind.ways
        self._made: dict[tuple[tuple[tuple[int, int], ...], ...], Sequence[float]] = {}

    def _taken(self, tier: str) -> str:
        """The tier that a hit takes from: where lower ones are taken, the next below that has some left."""
        if tier in self.cakes or self.dice.rules.exhausted.then == "nothing":
            return tier
        order = list(self.dice.cakes)
        below = order[order.index(tier) + 1 :] if tier in order else []
        return next((other for other in below if other in self.cakes), tier)

    def some_left(self, *, title: bool, untitled: bool = False) -> list[Term]:
        """That cakes are left, or with `title` that nobody is zhuangyuan yet; `untitled`: and nobody is, besides."""
        forced = self.title if untitled else 0
        if self.dice.rules.exhausted.then != "nothing":
            terms = list(self._ladder(forced))
            if title:
                terms.append(self.term(self.title, 1))
                terms += [Term(-term.sign, term.ways, term.coefs) for term in self._ladder(self.title)]
            return terms
        top = self.title << 1 if title else self.title
        return [self.term(needs | forced, 1 if needs.bit_count() % 2 else -1) for needs in range(1, top)]

    def term(self, needs: int, sign: int = 1) -> Term:
        """That all of these needs (bits) are unmet and nothing has ended the game."""
        ways, groups = self.ending, dict[int, int]()
        for (hits, fills), times in self.classes.items():
            if fills & needs:
                ways += times
            elif hits & needs:
                ways += times
                groups[hits & needs] = groups.get(hits & needs, 0) + times
        return Term(sign, ways, self._counted(_clusters(groups)), needs)

    def _ladder(self, forced: int) -> Iterator[Term]:
        """Where lower tiers are taken: tier j is the first that is not gone, so that tiers 1 to j got all hits."""
        ways = self.ending + sum(times for (_, fills), times in self.classes.items() if fills & forced)
        size, gone = sum(self.cakes.values()), 0
        reached: list[float] = [1, *[0] * (size - 1)]
        for tier, left in self.cakes.items():
            hit = sum(times for (hits, _), times in self.classes.items() if hits & self.bits[tier])
            powers = [hit**j if self.exact else (hit / THROWS) ** j for j in range(size)]
            reached = [sum(comb(k, i) * reached[i] * powers[k - i] for i in range(gone, k + 1)) for k in range(size)]
            ways, gone = ways + hit, gone + left
            yield Term(1, ways, reached[:gone])
            reached[:gone] = [0] * gone

    def _counted(self, clusters: tuple[tuple[tuple[int, int], ...], ...]) -> Sequence[float]:
        """a[k] of clusters of hits that have no tier in common."""
        coefs = self._product(clusters)
        if not self.exact:
            return list(map(mul, coefs, _FACTORIALS))
        scale = prod(factorial(left - 1) for cluster in clusters for left in self._lefts(cluster))
        scale *= prod(factorial(self._most(hits)) for cluster in clusters for hits, _ in cluster if hits & (hits - 1))
        return [int(coef) * factorial(k) // scale for k, coef in enumerate(coefs)]

    def _product(self, clusters: tuple[tuple[tuple[int, int], ...], ...]) -> Sequence[float]:
        """The coefficients of the generating function, a[k] / k!, times the factorials that keep them whole."""
        if not clusters:
            return [1]
        made = self._made.get(clusters)
        if made is None:
            rooms = {bit: self.left[bit.bit_length() - 1] for hits, _ in clusters[-1] for bit in _bits(hits)}
            last = self._expanded(clusters[-1], rooms)
            made = self._made[clusters] = _times(self._product(clusters[:-1]), last) if clusters[:-1] else last
        return made

    def _expanded(self, cluster: tuple[tuple[int, int], ...], rooms: Mapping[int, int]) -> Sequence[float]:
        """The same of one cluster, which leaves every tier of it short of `rooms`: its shared hits one by one."""
        shared = next(((hits, ways) for hits, ways in cluster if hits & (hits - 1)), None)
        if shared is None:
            single = dict(cluster)
            parts = [self._short(single.get(bit, 0), room, bit) for bit, room in rooms.items()]
            return reduce(_times, parts)
        hits, ways = shared
        rest = tuple(entry for entry in cluster if entry[0] != hits)
        most, total = self._most(hits), [0.0 if not self.exact else 0]
        factor = factorial(most) if self.exact else 1.0
        for n in range(min(rooms[bit] for bit in _bits(hits))):
            inner = self._expanded(rest, {bit: room - n * bool(bit & hits) for bit, room in rooms.items()})
            total = _plus(total, [0] * n + [factor * coef for coef in inner])
            factor = factor * ways // (n + 1) if self.exact else factor * ways / THROWS / (n + 1)
        return total

    def _short(self, ways: int, room: int, bit: int) -> Sequence[float]:
        """(p x)^j / j! for the j below `room`, in whole numbers times (left - 1)!."""
        if self.exact:
            top = factorial(self.left[bit.bit_length() - 1] - 1)
            return [top * ways**j // factorial(j) for j in range(room)]
        p, power, found = ways / THROWS, 1.0, list[float]()
        for j in range(room):
            found.append(power)
            power *= p / (j + 1)
        return found

    def _lefts(self, cluster: tuple[tuple[int, int], ...]) -> Sequence[int]:
        bits = {bit for hits, _ in cluster for bit in _bits(hits)}
        return [self.left[bit.bit_length() - 1] for bit in bits]

    def _most(self, hits: int) -> int:
        """How often a shared hit can come at most while its tiers are short."""
        return min(self.left[bit.bit_length() - 1] for bit in _bits(hits)) - 1


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _clusters(groups: Mapping[int, int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Hits in clusters that have no tier in common, in a steady order."""
    clusters: list[tuple[int, list[tuple[int, int]]]] = []
    for hits, ways in sorted(groups.items()):
        joined, apart = (hits, [(hits, ways)]), list[tuple[int, list[tuple[int, int]]]]()
        for mask, entries in clusters:
            if mask & hits:
                joined = (joined[0] | mask, entries + joined[1])
            else:
                apart.append((mask, entries))
        clusters = [*apart, joined]
    return tuple(tuple(entries) for _, entries in clusters)


def _times(left: Sequence[float], right: Sequence[float]) -> list[float]:
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    product: list[float] = [0] * (len(long) + len(short) - 1)
    for i, factor in enumerate(short):
        for j, coef in enumerate(long, i):
            product[j] += factor * coef
    return product


def _plus(left: Sequence[float], right: Sequence[float]) -> list[float]:
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    return [*map(add, long, short), *long[len(short) :]]
