"""The planner over HTTP: a wish in the query of the address, so that a link holds it. It runs in the process aside, for
some wishes are simulated, and none is to hold up throws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from bobing.core.catalogue import find_sheet
from bobing.core.rules import RuleSet
from bobing.i18n import LANGUAGES
from bobing.naming import tier_name
from bobing.odds.plan import PlanError, Wish, plan_of, wish_from_table

SEATS_MAX, SETS_MAX, THROWS_EACH_MAX, TIERS_MAX = 40, 3, 60, 7
"""What is planned here; the command line plans larger ones, which take longer."""


def plan(query: Mapping[str, str], house: RuleSet | None = None) -> Mapping[str, Any]:
    """The plan for a wish as a query says it, by `house` rules or a named sheet; raises PlanError, RulesError or
    OddsError.

    >>> found = plan({"people": "40", "tables": "3", "prices": "zhuangyuan:299,yixiu:3.50"})
    >>> found["cost"]["all"], found["tables"][0]
    (123300, {'seats': 14, 'tables': 1})
    """
    query = {name: normalize("NFKC", value) for name, value in query.items()}  # people type full-width digits, too
    table: dict[str, Any] = {name: value for name, value in query.items() if name != "prices" and value}
    for name in ("tables", "minutes"):
        if table.get(name) == "0":  # the left end of the slider: as many as are needed, as long as it takes
            del table[name]
    if "three_dice" in table:
        table["three_dice"] = table["three_dice"] == "1"
    prices = query.get("prices", "")
    if prices:
        table["prizes"] = dict(_price(entry) for entry in prices.split(","))
    wish = wish_from_table(table, find_sheet if house is None else lambda _: house)
    _verify_small(wish)
    told = plan_of(wish).to_json()
    names = {tier: {lang: tier_name(wish.rules, tier, lang) for lang in LANGUAGES} for tier in wish.rules.cakes}
    return {**told, "tier_names": names}


def _verify_small(wish: Wish) -> None:
    """Refuse what would keep the processor for longer than somebody waits."""
    if max(wish.sizes) > SEATS_MAX:
        raise PlanError(f"tables: at most {SEATS_MAX} people at a table here; plan more tables", "odds/too_few_tables")
    if len(wish.rules.tiers) > TIERS_MAX:
        raise PlanError(f"tiers: at most {TIERS_MAX} here; `bobing plan` takes more")
    if wish.sets > SETS_MAX:
        raise PlanError(f"sets: at most {SETS_MAX} here; `bobing plan` takes more")
    if wish.ending == "throws" and wish.throws_each > THROWS_EACH_MAX:
        raise PlanError(f"throws_each: at most {THROWS_EACH_MAX} here; `bobing plan` takes more")


def _price(entry: str) -> tuple[str, str]:
    tier, colon, price = entry.partition(":")
    if not colon:
        raise PlanError(f"prices: written tier:amount,tier:amount, found {entry[:40]!r}")
    return tier, price
