"""What else could be done with the same people: each with its own figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bobing.core.catalogue import find_sheet
from bobing.core.errors import BobingError
from bobing.core.reading import merge
from bobing.core.rules import RuleSet, rules_from_table
from bobing.odds.plan.evening import Evening, evening_of
from bobing.odds.plan.wish import Wish

OTHER_SHEETS = ("fallback-chart", "referee-order", "minnan")
"""Sheets that differ in how long they take: of the first, a lower tier is taken where one is gone."""


@dataclass(frozen=True)
class Alternative:
    """Another way: `code` says what is changed, `values` with what; the figures are those of the largest table.

    in_time: the chance to be through in the minutes there are; None where there is no limit. in_time_error: its
    standard error, 0 where it is exact.
    """

    code: str
    values: Mapping[str, Any]
    evening: Evening
    in_time: float | None
    in_time_error: float
    prizes: int
    """How many prizes all tables need together."""

    @property
    def figures(self) -> tuple[float, ...]:
        """What is told of it, as it is read: two ways that agree in this are no choice."""
        told = self.to_json()
        minutes = (round(value) for value in told["minutes"].values())
        chances = (round(value, 3) for value in (told["no_champion"], told["in_time"] or 0.0))
        return (*minutes, *chances, round(told["left"], 1))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        told = self.evening.to_json()
        left = sum(entry["mean"] for entry in told["left"].values()) * self.evening.sets
        left_error = sum(entry["mean_error"] for entry in told["left"].values()) * self.evening.sets
        names = ("throws", "minutes", "no_champion", "exact", "simulated", "games")
        errors = {name: told["errors"][name] for name in ("throws", "minutes", "no_champion")}
        return {
            "code": self.code, "values": dict(self.values), **{name: told[name] for name in names}, "left": left,
            "in_time": self.in_time, "prizes": self.prizes,
            "errors": {**errors, "left": left_error, "in_time": self.in_time_error},
        }  # fmt: skip


def alternatives_of(wish: Wish) -> Iterator[Alternative]:
    """The plan as it is (`as-planned`), then other endings, fewer or more cakes, more tables, other sheets.

    A way with the figures of one before it is left out.
    """
    own = wish.played.digest
    seen = {(own, wish.sizes[0], wish.sets)}
    told: set[tuple[float, ...]] = set()
    planned: tuple[str, Mapping[str, Any], Wish] = ("as-planned", {}, wish)
    for code, values, other in (planned, *_others(wish)):
        try:
            other.check()
            key = other.played.digest, other.sizes[0], other.sets
            if code != "as-planned" and key in seen:
                continue
            seen.add(key)
            evening = evening_of(other.played, other.sizes[0], other.seconds, other.sets)
        except BobingError:
            continue  # the sheet does not go with this ending, or there are too few people
        prizes = sum(other.rules.cakes.values()) * len(other.sizes) * other.sets
        in_time = evening.done_in(wish.minutes) if wish.minutes else None
        in_time_error = evening.done_in_error(wish.minutes) if wish.minutes else 0.0
        found = Alternative(code, values, evening, in_time, in_time_error, prizes)
        if found.figures not in told:
            told.add(found.figures)
            yield found


def _others(wish: Wish) -> Iterator[tuple[str, Mapping[str, Any], Wish]]:
    yield "until-gone", {}, wish.but(ending="all-gone")
    yield "until-champion", {}, wish.but(ending="champion")
    if wish.minutes:
        yield "stop-on-time", {}, wish.but(ending="time", three_dice=False)
        yield "stop-three-dice", {}, wish.but(ending="time", three_dice=True)
    if wish.ending == "throws":
        yield "throws-three-dice", {"n": wish.throws_each}, wish.but(three_dice=True)
        yield "more-throws", {"n": 2 * wish.throws_each}, wish.but(throws_each=2 * wish.throws_each)
    yield "half-set", {}, wish.but(rules=half_set(wish.rules))
    if wish.sets < 6:
        yield "more-sets", {"n": wish.sets + 1}, wish.but(sets=wish.sets + 1)
    tables = len(wish.sizes) + 1
    if wish.people >= 4 * tables:
        yield "more-tables", {"n": tables}, wish.but(tables=tables)
    for key in OTHER_SHEETS:
        sheet = find_sheet(key)
        if sheet.cakes == wish.rules.cakes and key not in (wish.rules.key, wish.rules.extends):
            yield "other-sheet", {"sheet": key, "names": dict(sheet.names)}, wish.but(rules=sheet)


def half_set(rules: RuleSet) -> RuleSet:
    """The rules with half the cakes in each tier below zhuangyuan, at least one, and without named items."""
    table = rules.to_table()
    table["prizes"] = {}
    return rules_from_table(merge(table, {"cakes": {tier: (rules.cakes[tier] + 1) // 2 for tier in rules.lower}}))
