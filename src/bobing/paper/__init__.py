"""What is printed: rule cards, score sheets, and the papers of an event. Plain data go in; PDF comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bobing.core.rules import RuleSet
from bobing.paper.press import printed
from bobing.paper.rule_card import rule_card
from bobing.paper.score_sheet import score_sheet
from bobing.paper.slips import slips

__all__ = ("PAPERS", "rules_paper")

PAPERS: Mapping[str, Callable[[RuleSet, str, str], tuple[str, Mapping[str, Any]]]] = {
    "rules": lambda rules, lang, address: ("rules", rule_card(rules, lang, address)),
    "score": lambda rules, lang, _address: ("score", {"sheets": [score_sheet(rules, lang)]}),
    "prizes": lambda rules, lang, _address: ("slips", slips(rules, lang)),
}
"""Papers that need no event: the template of each, and what fills it."""


def rules_paper(what: str, rules: RuleSet, lang: str, address: str = "") -> bytes:
    """A rule card (`rules`), a score sheet (`score`) or slips for the prizes of one table (`prizes`), as PDF.

    address: where the QR of the card leads; without one it has none. Raises PaperRefused without the extra `paper`.
    """
    template, data = PAPERS[what](rules, lang, address)
    return printed(template, data, lang)
