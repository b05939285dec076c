"""A Bo Bing event worked out beforehand: tables, minutes, prizes, money, and what will go wrong.

>>> from bobing.core.catalogue import find_sheet
>>> plan = plan_of(Wish(find_sheet(), people=100, ending="throws", throws_each=6))
>>> plan.tables, round(plan.evening.no_champion, 2), [finding.code for finding in plan.findings]
([(10, 10)], 0.48, ['no-champion', 'prizes-left'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from bobing.core.settings import Item
from bobing.odds.plan.alternatives import Alternative, alternatives_of
from bobing.odds.plan.evening import Evening, evening_of
from bobing.odds.plan.money import Pile, share_pot
from bobing.odds.plan.wish import PlanError, Wish, read_wish, wish_from_table

__all__ = [
    "Alternative",
    "Evening",
    "Finding",
    "Line",
    "Plan",
    "PlanError",
    "Wish",
    "plan_of",
    "read_wish",
    "wish_from_table",
]

CROWDED = 12
LIKELY, UNLIKELY = 0.9, 0.05


class Line(NamedTuple):
    """A line of the shopping list: so many of an item for all tables, what one costs and all of them, in hundredths."""

    tier: str
    item: str
    pieces: int
    price: int
    cost: int


class Finding(NamedTuple):
    """Something that an organiser should know: a code, its values, and whether it is serious."""

    code: str
    values: Mapping[str, Any]
    serious: bool = False


@dataclass(frozen=True)
class Plan:
    """A wish worked out. Figures of one table are those of the largest; what is told of all tables counts each with its
    own size. Money is in hundredths, for all tables."""

    wish: Wish

    @property
    def tables(self) -> Sequence[tuple[int, int]]:
        """How many tables there are of each size, the larger first: (seats, tables)."""
        return sorted(Counter(self.wish.sizes).items(), reverse=True)

    @property
    def evening(self) -> Evening:
        """How the largest table goes."""
        return self.evenings[0][0]

    @cached_property
    def evenings(self) -> Sequence[tuple[Evening, int]]:
        """How a table of each size goes, the larger first, and how many of them there are."""
        wish = self.wish
        return [(evening_of(wish.played, seats, wish.seconds, wish.sets), tables) for seats, tables in self.tables]

    @property
    def games(self) -> int:
        """How many games there are: every table plays every set."""
        return len(self.wish.sizes) * self.wish.sets

    @property
    def some_without_champion(self) -> float:
        """The chance that at least one game of the event has no champion."""
        return 1 - prod((1 - one.no_champion) ** (tables * one.sets) for one, tables in self.evenings)

    @property
    def some_without_champion_error(self) -> float:
        """Its standard error, at most; 0 where it is exact."""
        others = 1 - self.some_without_champion
        return sum(
            tables * one.sets * others / (1 - one.no_champion) * one.no_champion_error
            for one, tables in self.evenings
            if one.no_champion < 1
        )

    @property
    def without_champion(self) -> float:
        """How many games of the event have no champion, on average."""
        return sum(one.no_champion * tables * one.sets for one, tables in self.evenings)

    @property
    def prizes_left(self) -> float:
        """How many prizes of the event are left over, on average."""
        return sum(left.mean * tables * one.sets for one, tables in self.evenings for left in one.law.left.values())

    @property
    def done_in_time(self) -> float | None:
        """The chance that the largest table is through in the minutes there are; None where there is no limit."""
        return self.evening.done_in(self.wish.minutes) if self.wish.minutes else None

    @property
    def all_done_in_time(self) -> float | None:
        """The chance that all tables are, each played for itself."""
        minutes = self.wish.minutes
        return prod(one.done_in(minutes) ** tables for one, tables in self.evenings) if minutes else None

    @property
    def all_done_in_time_error(self) -> float:
        """Its standard error, at most; 0 where it is exact."""
        minutes, every = self.wish.minutes, self.all_done_in_time or 0.0
        return sum(
            tables * every / one.done_in(minutes) * one.done_in_error(minutes) for one, tables in self.evenings if every
        )

    @cached_property
    def shopping(self) -> Sequence[Line]:
        """What has to be bought, tiers high to low."""
        lines: list[Line] = []
        for tier in self.wish.rules.tiers:
            for item in tier.items or (Item("", tier.cakes),):
                pieces = item.count * self.games
                name = "" if item.name == tier.key else item.name  # a price alone names no item
                lines.append(Line(tier.key, name, pieces, item.price, pieces * item.price))
        return lines

    @cached_property
    def cost_by_tier(self) -> Mapping[str, int]:
        """What the prizes of each tier cost."""
        costs = dict.fromkeys(self.wish.rules.cakes, 0)
        for line in self.shopping:
            costs[line.tier] += line.cost
        return costs

    @property
    def cost(self) -> int:
        """What all prizes cost."""
        return sum(self.cost_by_tier.values())

    @property
    def cost_of_table(self) -> int:
        """What the prizes of one table cost; all tables have the same."""
        return self.cost // len(self.wish.sizes)

    @property
    def cost_of_head(self) -> int:
        """What each guest has to give, rounded up, so that all is paid for."""
        return -(-self.cost // self.wish.people)

    @cached_property
    def pot(self) -> Mapping[str, Sequence[Pile]]:
        """The pot shared out: by tier so many prizes of so much; empty without a pot."""
        wish = self.wish
        return share_pot(wish.rules, wish.pot, self.games, wish.coin) if wish.pot else {}

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """What an organiser should know, the serious first."""
        return sorted(self._findings(), key=lambda finding: not finding.serious)

    @cached_property
    def alternatives(self) -> Sequence[Alternative]:
        """The plan as it is, and other ways with their figures."""
        return list(alternatives_of(self.wish))

    def _findings(self) -> Iterator[Finding]:
        wish, none = self.wish, self.without_champion / self.games
        prizes = sum(line.pieces for line in self.shopping)
        if wish.total and wish.total != prizes:
            yield Finding("total", {"said": wish.total, "found": prizes}, serious=True)
        if wish.budget and not self.cost:
            yield Finding("budget-without-prices", {"budget": wish.budget})
        if wish.budget and self.cost > wish.budget:
            yield Finding("over-budget", {"cost": self.cost, "budget": wish.budget}, serious=True)
        if wish.pot and self.cost > wish.pot:
            yield Finding("over-pot", {"cost": self.cost, "pot": wish.pot}, serious=True)
        if none > UNLIKELY / 5:
            values = {"chance": none, "games": self.games, "expected": self.without_champion}
            yield Finding("no-champion", values, serious=none > UNLIKELY)
        one, all_ = self.done_in_time, self.all_done_in_time
        if one is not None and all_ is not None and wish.ending != "time" and all_ < LIKELY:
            tables = len(wish.sizes)
            values = {"minutes": wish.minutes, "chance": 1 - one, "tables": tables, "some": 1 - all_}
            yield Finding("too-long" if tables == 1 else "too-long-some", values, serious=one < 0.5)
        left = self.prizes_left
        if left > 0.5:
            yield Finding("prizes-left", {"n": left, "of": prizes}, serious=left > prizes / 10)
        if wish.sizes[0] > CROWDED:
            tables = -(-wish.people // min(wish.seats, CROWDED))
            values = {"seats": wish.sizes[0], "tables": tables, "better": -(-wish.people // tables)}
            yield Finding("crowded", values)
        if wish.sizes[0] != wish.sizes[-1]:
            yield Finding("uneven", {"large": wish.sizes[0], "small": wish.sizes[-1]})
        if prizes < wish.people:
            yield Finding("few-prizes", {"prizes": prizes, "people": wish.people})

    def to_json(self) -> dict[str, Any]:
        """Plain data: see `docs/plan.md`."""
        wish = self.wish
        return {
            "people": wish.people,
            "rules": wish.rules.key,
            "names": dict(wish.rules.names),
            "currency": wish.currency,
            "tables": [{"seats": seats, "tables": tables} for seats, tables in self.tables],
            "games": self.games,
            "ending": wish.ending,
            "minutes_there": wish.minutes,
            "seconds": wish.seconds,
            "evening": self.evening.to_json(),
            "curve": [list(point) for point in self.evening.curve()],
            "done_in_time": self.done_in_time,
            "all_done_in_time": self.all_done_in_time,
            "some_without_champion": self.some_without_champion,
            "errors": {
                "done_in_time": self.evening.done_in_error(wish.minutes) if wish.minutes else 0.0,
                "all_done_in_time": self.all_done_in_time_error if wish.minutes else 0.0,
                "some_without_champion": self.some_without_champion_error,
            },
            "prizes": sum(line.pieces for line in self.shopping),
            "shopping": [line._asdict() for line in self.shopping],
            "bowls": len(wish.sizes),
            "dice": 6 * len(wish.sizes),
            "cost": {
                "tiers": dict(self.cost_by_tier),
                "table": self.cost_of_table,
                "head": self.cost_of_head,
                "all": self.cost,
            },
            "pot": {tier: [pile._asdict() for pile in piles] for tier, piles in self.pot.items()},
            "findings": [finding._asdict() for finding in self.findings],
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        }

    def _repr_html_(self) -> str:
        from bobing.odds.html import plan_html

        return plan_html(self)


def plan_of(wish: Wish) -> Plan:
    """A wish worked out; raises PlanError where it is none.

    The figures of play raise OddsError or SimulationError when they are asked for and cannot be told.
    """
    wish.check()
    return Plan(wish)
