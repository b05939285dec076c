"""What one throw of six dice brings: whole numbers of the 46,656 throws, never floats.

>>> odds = throw("S12")
>>> odds.combinations["chajinhua"], odds.awards["sijin"], odds.bonus["yixiu"], len(odds.strengths)
(15, 1875, 600, 28)
>>> odds.chance(odds.combinations["chajinhua"])
Fraction(5, 15552)

A named sheet is counted from the rows that are shipped compiled; nothing else of `bobing` is imported then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from bobing.core.combinations import Row
    from bobing.core.rules import RuleSet

THROWS = 6**6
_ORDERS = (1, 1, 2, 6, 24, 120, 720)
_Read = tuple[str, str | None, tuple[str, ...], int | None, int]
"""Combination, tier, bonus, strength, kicker."""


class Strength(NamedTuple):
    """Zhuangyuan throws that are worth the same: how many there are, and how many are at least as high.

    hand: one of them, as six digits; kicker: the points that break ties among its combination.
    """

    strength: int
    combination: str
    kicker: int
    hand: str
    ways: int
    at_least: int


class ThrowOdds(NamedTuple):
    """All 46,656 throws of a rule set, counted. Every figure is a number of throws.

    combinations: by name, rarest first, with `none`. awards: by tier, what its throws win as their first prize. bonus:
    by tier, what comes beside it (兼得). none: throws without a first prize. strengths: of zhuangyuan, highest first.
    """

    sheet: str
    combinations: Mapping[str, int]
    awards: Mapping[str, int]
    bonus: Mapping[str, int]
    none: int
    strengths: Sequence[Strength]

    def chance(self, ways: int) -> Fraction:
        """A number of throws, from none to all 46,656, as a chance; raises OddsError for anything else."""
        from fractions import Fraction

        from bobing.odds.given import whole

        return Fraction(whole(ways, "ways", 0, THROWS), THROWS)

    def cakes(self, tier: str) -> int:
        """The throws that win a cake of a tier, as first prize or beside it; raises OddsError for no tier."""
        if tier not in self.awards:
            from bobing.odds.given import no_such

            raise no_such(tier, "tier", list(self.awards))
        return self.awards[tier] + self.bonus.get(tier, 0)

    def to_json(self) -> dict[str, Any]:
        """Plain data: see `docs/odds.md`."""
        strengths = [entry._asdict() for entry in self.strengths]
        return {"throws": THROWS, "exact": True, **self._asdict(), "strengths": strengths}

    def _repr_html_(self) -> str:
        from bobing.odds.html import throw_html

        return throw_html(self)


def throw(rules: RuleSet | str) -> ThrowOdds:
    """The exact odds of one throw, under a rule set or a named sheet; raises RulesError for an unknown sheet."""
    if isinstance(rules, str):
        return _shipped(rules)
    from bobing.core.catalogue import rules_of
    from bobing.core.scorebook import scorebook

    rules = rules_of(rules)
    rows: Iterable[Row] = scorebook(rules).rows.values()
    read: Iterable[_Read] = ((row.combination, row.tier, row.bonus, row.strength, row.kicker) for row in rows)
    return _counted(rules.key, [tier.key for tier in rules.tiers], read)


def _shipped(name: str) -> ThrowOdds:
    import json
    from os.path import dirname

    with open(f"{dirname(dirname(__file__))}/scorebooks.json", encoding="utf-8") as file:  # noqa: PTH120, PTH123
        data = json.load(file)
    wanted = name.strip().lower()
    key = wanted if wanted in data["sheets"] else data["ids"].get(wanted)
    if key is None:
        from bobing.core.catalogue import find_key

        key = find_key(name)
    book = data["sheets"][key]
    rows: list[_Read] = [(row[0], row[1], tuple(row[2]), row[3], row[4]) for row in data["rows"]]
    places: list[int] = book["rows"]
    return _counted(key, book["cakes"], (rows[place] for place in places))


def _counted(sheet: str, tiers: Iterable[str], read: Iterable[_Read]) -> ThrowOdds:
    """Count the readings of the 462 hands, which come in ascending order."""
    counts, last = dict[_Read, int](), dict[_Read, int]()
    for place, (reading, ways) in enumerate(zip(read, _all_ways(), strict=True)):
        counts[reading] = counts.get(reading, 0) + ways
        last[reading] = place
    awards, bonus = dict.fromkeys(tiers, 0), dict[str, int]()
    combinations, strengths, shown = dict[str, int](), dict[int, int](), dict[int, tuple[str, int, str]]()
    none, hands = 0, _hands()
    for reading, ways in counts.items():
        combination, tier, beside, strength, kicker = reading
        combinations[combination] = combinations.get(combination, 0) + ways
        if tier is None:
            none += ways
        else:
            awards[tier] += ways
        for other in beside:
            bonus[other] = bonus.get(other, 0) + ways
        if strength is not None:
            strengths[strength] = strengths.get(strength, 0) + ways
            shown[strength] = combination, kicker, _digits(hands[last[reading]])
    rarest_first = sorted(combinations.items(), key=lambda entry: (entry[0] == "none", entry[1]))
    return ThrowOdds(sheet, dict(rarest_first), awards, bonus, none, _ranked(strengths, shown))


@cache
def _hands() -> Sequence[tuple[int, ...]]:
    return list(combinations_with_replacement((1, 2, 3, 4, 5, 6), 6))


@cache
def _all_ways() -> Sequence[int]:
    """How many throws show each hand."""
    found = list[int]()
    for hand in _hands():
        ways = 720
        for face in set(hand):
            ways //= _ORDERS[hand.count(face)]
        found.append(ways)
    return found


def _ranked(strengths: Mapping[int, int], shown: Mapping[int, tuple[str, int, str]]) -> Sequence[Strength]:
    found, above = list[Strength](), 0
    for strength in sorted(strengths, reverse=True):
        above += strengths[strength]
        found.append(Strength(strength, *shown[strength], strengths[strength], above))
    return found


def _digits(hand: Sequence[int]) -> str:
    """A hand as six digits, the face of which there are most first."""
    return "".join(map(str, sorted(hand, key=lambda face: (-hand.count(face), face))))
