"""The rule card: any rule set on one page, with dice pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bobing.core.catalogue import HOUSE_KEY, find_sheet
from bobing.core.dimensions import value_at
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN, Tier
from bobing.drawn import DICE, TIES, tier_dice
from bobing.i18n import text
from bobing.i18n.settings import point_title, setting_text
from bobing.naming import combination_name, rules_name, tier_name
from bobing.paper.press import qr_svg
from bobing.points import differing, points_of, told_words

TOLD = ("G4", "Z8", "Z9", "Z10", "Z11", "Z12", "X1", "X2", "X3", "X4", "N1", "N2", "N3", "N4", "N5", "U1")
"""Points that are told in words; the others stand in the pictures."""
_NEEDED = ("G4", "Z8", "X1", "N1", "N3")
"""Points that a table needs, even where the sheet is silent."""


def rule_card(rules: RuleSet, lang: str, address: str = "") -> Mapping[str, Any]:
    """What the template `rules` shows of a rule set. address: of more to read, for the QR."""
    return {
        "title": rules_name(rules, lang),
        "about": _about(rules, lang),
        "differs": _differs(rules, lang),
        "ranks": list(_ranks(rules, lang)),
        "tiers": [_tier(rules, tier, lang) for tier in rules.tiers if tier.key != ZHUANGYUAN],
        "top": _tier(rules, rules.tier(ZHUANGYUAN), lang),
        "points": list(_points(rules, lang)),
        "qr": qr_svg(address),
        "address": address,
    }


def _about(rules: RuleSet, lang: str) -> str:
    """The keys of the sheet, which a house rule file has only where it says one, and how many cakes there are."""
    keys = [key for key in (rules.key, *rules.aliases) if key != HOUSE_KEY]
    cakes = text(lang, "paper.cakes_in_all", n=sum(rules.cakes.values()))
    return "  ·  ".join([", ".join(keys), cakes] if keys else [cakes])


def _differs(rules: RuleSet, lang: str) -> str:
    """In what house rules differ from their sheet; "" for a printed sheet."""
    if rules.source != HOUSE_KEY or not rules.extends:
        return ""
    sheet = find_sheet(rules.extends)
    titles = [point_title(lang, point) for point in differing(sheet, rules)]
    joined = text(lang, "game.comma").join(titles)
    return text(lang, "paper.differs", sheet=rules_name(sheet, lang), points=joined) if titles else ""


def _ranks(rules: RuleSet, lang: str) -> Iterator[Mapping[str, Any]]:
    """The zhuangyuan throws, high to low; `equal` where one is as high as the one above."""
    for place, group in enumerate(rules.ranks.order, 1):
        for i, form in enumerate(group):
            yield {**_form(rules, form, lang), "place": str(place), "equal": i > 0}
    for form in rules.ranks.unranked:
        yield {**_form(rules, form, lang), "place": "", "equal": False}


def _form(rules: RuleSet, form: str, lang: str) -> Mapping[str, Any]:
    path = TIES.get(form)
    effects = next((row.effects for row in scorebook(rules).rows.values() if row.combination == form), ())
    said = [setting_text(lang, path, value_at(rules, path))] if path else []
    said += [text(lang, f"score.effect_{effect}") for effect in effects]
    return {
        "dice": DICE[form],
        "name": combination_name(rules, form, lang),
        "local": combination_name(rules, form, "zh-Hans") if lang == "en" else "",
        "said": text(lang, "rules.semicolon").join(said),
    }


def _tier(rules: RuleSet, tier: Tier, lang: str) -> Mapping[str, Any]:
    return {
        "name": tier_name(rules, tier.key, lang),
        "local": tier_name(rules, tier.key, "zh-Hans") if lang == "en" else "",
        "cakes": tier.cakes,
        "dice": list(tier_dice(rules, tier)),
        "items": [text(lang, "paper.item", n=item.count, name=item.name) for item in tier.items],
        "bonus": _bonus(rules, tier, lang),
    }


def _bonus(rules: RuleSet, tier: Tier, lang: str) -> Sequence[str]:
    """What a throw of this tier wins besides."""
    if tier.key != "sijin":
        return []
    paths = [path for path in ("bonus.sijin_yixiu", "bonus.sijin_erju") if value_at(rules, path)]
    return [setting_text(lang, path, value=True) for path in paths]


def _points(rules: RuleSet, lang: str) -> Iterator[Mapping[str, Any]]:
    joint = text(lang, "rules.semicolon")
    for point in points_of(rules, lang):
        if point.point in TOLD and (point.origin.kind != "default" or point.point in _NEEDED):
            paths = [path for path, value in point.values.items() if value and _matters(rules, point.point, path)]
            words = [said for path in paths if (said := told_words(rules, point.point, path, lang))]
            if words:
                yield {"title": point.title, "said": joint.join(words), "house": point.origin.kind == "house"}


def _matters(rules: RuleSet, point: str, path: str) -> bool:
    """Whether a table that plays by these rules ever meets this."""
    if path.startswith("chase."):
        return bool(rules.chase.tiers) and point != "X1"
    if path == "ending.undecided":
        return bool(rules.ending.throws_each or rules.ending.minutes)
    return value_at(rules, path) != "none"
