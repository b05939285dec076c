"""A plan in words, as commands and notebooks tell it: what is planned, and the other ways with their figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bobing.figures import measured, near
from bobing.i18n import text
from bobing.naming import rules_name

if TYPE_CHECKING:
    from bobing.odds.plan import Plan
    from bobing.odds.plan.alternatives import Alternative


def heading(plan: Plan, lang: str) -> str:
    """How many people, at which tables, by which rules."""
    tables = (text(lang, "plan.tables_of", n=tables, seats=seats) for seats, tables in plan.tables)
    sheet = rules_name(plan.wish.rules, lang)
    return text(lang, "plan.heading", people=plan.wish.people, tables=text(lang, "plan.and").join(tables), sheet=sheet)


def ways(plan: Plan, lang: str) -> Sequence[Sequence[str]]:
    """The plan as it is and other ways: minutes, the chance of no champion, what is left in a game; the heads first."""
    names = ("way", "median", "p90", "p99", "none", "left", *(["in_time"] if plan.wish.minutes else []))
    return [
        [text(lang, f"plan.column_{name}") for name in names],
        *(_way(plan, one, lang) for one in plan.alternatives),
    ]


def _way(plan: Plan, one: Alternative, lang: str) -> Sequence[str]:
    evening, minutes = one.evening, plan.wish.minutes
    values = {**one.values, "sheet": one.values.get("names", {}).get(lang, "")}
    spans = (near(f"{evening.minutes(part):.0f}", evening.minutes_error(part)) for part in (0.5, 0.9, 0.99))
    left = sum(left.mean for left in evening.law.left.values()) * evening.sets
    error = sum(left.mean_error for left in evening.law.left.values()) * evening.sets
    figures = [text(lang, f"plan.way_{one.code}", **values), *spans]
    figures += [share(evening.no_champion, evening.no_champion_error), measured(left, error, 1)]
    return figures if one.in_time is None else [*figures, share(one.in_time, evening.done_in_error(minutes))]


def footnote(plan: Plan, lang: str) -> Sequence[str]:
    """What ≈ and ± mean, where anything is simulated."""
    games = max(one.evening.law.games for one in plan.alternatives)
    return [text(lang, "plan.simulated_games", games=f"{games:,}")] if games else []


def share(chance: float, error: float = 0.0) -> str:
    """A chance as organisers read it; error: its standard error, where it is simulated.

    >>> share(0.4839), share(0.00004), share(0.99996), share(1.0), share(0.4839, 0.0022)
    ('48.4 %', '< 0.1 %', '> 99.9 %', '100 %', '≈ 48.4 % ± 0.22')
    """
    return near(_share(chance), 100 * error)


def _share(chance: float) -> str:
    if chance in (0, 1):
        return f"{100 * chance:.0f} %"
    if chance < 0.0005 or chance > 0.9995:
        return "< 0.1 %" if chance < 0.5 else "> 99.9 %"
    return f"{100 * chance:.1f} %"
