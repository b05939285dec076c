"""The score sheet: one table on paper, when nothing else works. What is written there can be typed in afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bobing.core.rules import RuleSet
from bobing.i18n import text
from bobing.naming import combination_name, rules_name, tier_name

ROWS = 12
"""Seats of a sheet that nobody is named on."""


def score_sheet(
    rules: RuleSet, lang: str, names: Sequence[str] = (), *, title: str = "", session: str = "", table: str = ""
) -> Mapping[str, Any]:
    """One sheet of the template `score`, which takes a list `sheets`. Without names the seats are blank."""
    order = " > ".join(" = ".join(combination_name(rules, form, lang) for form in group) for group in rules.ranks.order)
    return {
        "title": title or rules_name(rules, lang),
        "session": session,
        "table": table,
        "seats": list(names),
        "rows": 0 if names else ROWS,
        "tiers": [{"name": tier_name(rules, tier.key, lang), "cakes": tier.cakes} for tier in rules.tiers],
        "order": text(lang, "paper.high_to_low", order=order),
        "how": [text(lang, f"paper.how_{n}") for n in range(1, 5)],
    }
