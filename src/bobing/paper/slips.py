"""Slips for the prizes of a table, one for each, to be given out there instead of the prizes themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.drawn import tier_dice
from bobing.i18n import text
from bobing.naming import rules_name, tier_name


def prize_slips(rules: RuleSet, lang: str) -> Iterator[Mapping[str, Any]]:
    """A slip for every prize of one table, high to low; who won it is written on it.

    >>> from bobing.core.catalogue import find_sheet
    >>> len(list(prize_slips(find_sheet("S12"), "en")))
    63
    """
    for tier in rules.tiers:
        name = tier_name(rules, tier.key, lang)
        dice = "" if tier.key == ZHUANGYUAN else tier_dice(rules, tier)[0]
        items = [item.name for item in tier.items for _ in range(item.count)]
        for i in range(tier.cakes):
            item = items[i] if i < len(items) else ""
            blank = {"name": "", "place": "", "number": ""}
            yield {"what": item or name, "about": name if item else "", "dice": dice, **blank}


def slips(rules: RuleSet, lang: str) -> Mapping[str, Any]:
    """What the template `slips` shows of one table's prizes."""
    title = rules_name(rules, lang)
    return {"title": title, "kind": text(lang, "paper.voucher"), "slips": list(prize_slips(rules, lang))}
