"""The answer of the planner, as `bobing.wire.calls` describes it. Money is in hundredths."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bobing.wire import messages as wire


class Few(Struct, frozen=True):
    """What is enough in half, in 90 % and in 99 % of all cases."""

    median: float
    p90: float
    p99: float


class LeftOver(Struct, frozen=True):
    """The chance that cakes of a tier are left in a game, how many on average, and the standard errors of both: 0 where
    they are exact."""

    chance: float
    mean: float
    chance_error: float
    mean_error: float


class EveningErrors(Struct, frozen=True):
    """Standard errors of an evening's figures, of several sets at most; 0 where they are exact."""

    mean: float
    throws: Few
    minutes: Few
    no_champion: float
    waited: dict[str, float]


class EveningSeen(Struct, frozen=True):
    """A table that plays `sets` games. waited: by tier, the chance that it is the last to be gone. simulated: `length`
    where all is, else the tiers of which what is left is; games: so many were, for each figure; errors: how far they
    may be off."""

    seats: int
    sets: int
    exact: bool
    mean: float
    throws: Few
    minutes: Few
    no_champion: float
    left: dict[str, LeftOver]
    waited: dict[str, float]
    simulated: list[str]
    games: int
    errors: EveningErrors


class TablesOf(Struct, frozen=True):
    """How many tables there are of a size."""

    seats: int
    tables: int


class ShoppingLine(Struct, frozen=True):
    """So many of an item for all tables."""

    tier: str
    item: str
    pieces: int
    price: int
    cost: int


class Costs(Struct, frozen=True):
    """What the prizes cost."""

    tiers: dict[str, int]
    table: int
    head: int
    all: int


class PotPile(Struct, frozen=True):
    """So many prizes of so much each."""

    pieces: int
    each: int


class FindingSeen(Struct, frozen=True):
    """What an organiser should know: a code with its values (docs/plan.md)."""

    code: str
    values: dict[str, Any]
    serious: bool


class WayErrors(Struct, frozen=True):
    """The standard errors of a way; 0 where it is exact."""

    throws: Few
    minutes: Few
    no_champion: float
    left: float
    in_time: float


class AlternativeSeen(Struct, frozen=True):
    """Another way, or the plan as it is, with its figures (docs/plan.md). simulated, games: as those of an evening."""

    code: str
    values: dict[str, Any]
    throws: Few
    minutes: Few
    no_champion: float
    exact: bool
    simulated: list[str]
    games: int
    left: float
    in_time: float | None
    prizes: int
    errors: WayErrors


class PlanErrors(Struct, frozen=True):
    """The standard errors of chances; 0 where they are exact."""

    done_in_time: float
    all_done_in_time: float
    some_without_champion: float


class PlanSeen(Struct, frozen=True):
    """An event worked out. curve: minutes, and the chance that a table is through by then."""

    people: int
    rules: str
    names: wire.Words
    currency: str
    tables: list[TablesOf]
    games: int
    ending: str
    minutes_there: int
    seconds: float
    evening: EveningSeen
    curve: list[tuple[float, float]]
    done_in_time: float | None
    all_done_in_time: float | None
    some_without_champion: float
    errors: PlanErrors
    prizes: int
    shopping: list[ShoppingLine]
    bowls: int
    dice: int
    cost: Costs
    pot: dict[str, list[PotPile]]
    findings: list[FindingSeen]
    alternatives: list[AlternativeSeen]
    tier_names: dict[str, wire.Words]
