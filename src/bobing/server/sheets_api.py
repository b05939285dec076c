"""What is told of the named sheets and of single hands outside a table: plain data, ready for JSON.

A text for people comes in all languages at once, `{"zh-Hans": …, "zh-Hant": …, "en": …}`, so that a page can change its
language without asking again. Dice are six signs; `x` is any face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from bobing import quick
from bobing.core import glossary
from bobing.core.catalogue import DEFAULT_SHEET, find_key, find_sheet, sheet_keys
from bobing.core.dimensions import value_at
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN, Tier
from bobing.drawn import DICE, TIES, tier_dice
from bobing.i18n import LANGUAGES, text
from bobing.i18n.settings import setting_text
from bobing.naming import combination_name, tier_name
from bobing.points import Point, differing, origin_words, points_of

Said = Mapping[str, str]
"""A text in every language."""


@cache
def sheets() -> Sequence[Mapping[str, Any]]:
    """All named sheets, the default first. differs: on how many points each differs from the default.

    >>> sheets()[0]["key"], sheets()[0]["cakes"], sheets()[0]["differs"]
    ('minnan', 63, 0)
    """
    return [_brief(find_sheet(key)) for key in sheet_keys()]


@cache
def sheet(name: str) -> Mapping[str, Any]:
    """One sheet by key or id: tiers high to low, zhuangyuan throws high to low, all points; raises RulesError.

    >>> sheet("S12")["key"], [tier["key"] for tier in sheet("S12")["tiers"]][:2]
    ('referee-order', ['zhuangyuan', 'duitang'])
    """
    key = find_key(name)
    return sheet(key) if key != name else sheet_of(find_sheet(key))


def sheet_of(rules: RuleSet) -> Mapping[str, Any]:
    """The same for any rule set, such as a table's own."""
    census = scorebook(rules).census()
    return {
        **_brief(rules),
        "extends": rules.extends,
        "tiers": [_tier(rules, tier, census.awards[tier.key]) for tier in rules.tiers],
        "ranks": [[_form(rules, form, census.combinations) for form in group] for group in rules.ranks.order],
        "unranked": [_form(rules, form, census.combinations) for form in rules.ranks.unranked],
        "nothing": census.none,
        "groups": [{"id": group, "title": _say(f"rules.group_{group}")} for group in "GKCZEXNU"],
        "points": _points(rules),
        "settings": rules.settings(),
    }


def score(roll: str, name: str = DEFAULT_SHEET) -> Mapping[str, Any]:
    """What six digits win under a named sheet, as data and in words; raises RulesError for an unknown sheet.

    >>> score("444411")["combination"], score("444411")["place"], score("123456")["lines"]["en"][1]
    ('chajinhua', [1, 28], 'Straight  对堂  duìtáng  Hokkien tùi-tn̂g')
    """
    key = find_key(name)
    found = quick.score(roll, key)
    if found is None:
        raise KeyError(key)
    return {
        **found.to_json(),
        "sheet": key,
        "kicker": found.kicker,
        "place": list(found.place) if found.place else None,
        "lines": {lang: found.lines(lang) for lang in LANGUAGES},
    }


def _brief(rules: RuleSet) -> Mapping[str, Any]:
    return {
        "key": rules.key,
        "aliases": list(rules.aliases),
        "names": dict(rules.names) or dict.fromkeys(LANGUAGES, rules.key),
        "source": rules.source,
        "default": rules.key == DEFAULT_SHEET,
        "cakes": sum(rules.cakes.values()),
        "seats": {"min": rules.setup.seats_min, "usual": rules.setup.seats_usual},
        "differs": len(differing(find_sheet(DEFAULT_SHEET), rules)),
    }


def _tier(rules: RuleSet, tier: Tier, throws: int) -> Mapping[str, Any]:
    return {
        "key": tier.key,
        "names": _each(lambda lang: tier_name(rules, tier.key, lang)),
        "own": _own_words(rules, tier.key),
        "cakes": tier.cakes,
        "points": tier.points,
        "titles": [_each(lambda lang, title=title: _word(title, lang)) for title in tier.titles],
        "dice": tier_dice(rules, tier),
        "throws": throws,
        "items": [{"name": item.name, "count": item.count, "price": item.price} for item in tier.items],
    }


def _form(rules: RuleSet, form: str, throws: Mapping[str, int]) -> Mapping[str, Any]:
    path = TIES.get(form)
    effects = next((row.effects for row in scorebook(rules).rows.values() if row.combination == form), ())
    return {
        "key": form,
        "names": _each(lambda lang: combination_name(rules, form, lang)),
        "own": _own_words(rules, form),
        "dice": DICE[form],
        "throws": throws.get(form, 0),
        "ties": _each(lambda lang: setting_text(lang, path, value_at(rules, path))) if path else None,
        "effects": [_say(f"score.effect_{effect}") for effect in effects],
    }


def _points(rules: RuleSet) -> Sequence[Mapping[str, Any]]:
    told: Mapping[str, Sequence[Point]] = {lang: list(points_of(rules, lang)) for lang in LANGUAGES}
    other = differing(find_sheet(DEFAULT_SHEET), rules)
    return [
        {
            "id": point.point,
            "group": point.point[0],
            "title": {lang: told[lang][i].title for lang in LANGUAGES},
            "value": {lang: list(told[lang][i].words) for lang in LANGUAGES},
            "origin": {
                "kind": point.origin.kind,
                "where": point.origin.where,
                "words": {lang: origin_words(point.origin, lang) for lang in LANGUAGES},
            },
            "differs": point.point in other,
        }
        for i, point in enumerate(told[LANGUAGES[0]])
    ]


def _own_words(rules: RuleSet, key: str) -> Sequence[str]:
    """What the sheet itself prints for a tier or a combination."""
    if key not in (*FORMS, *HANDS_BELOW, ZHUANGYUAN):
        return []
    try:
        home = next((glossary.sheet_id(alias) for alias in rules.aliases), None)
    except glossary.UnknownSheet:
        return []
    return [] if home is None else list(glossary.words(key, home))


def _word(key: str, lang: str) -> str:
    try:
        return glossary.name(key, lang)
    except glossary.GlossaryError:
        return key


def _say(key: str) -> Said:
    return _each(lambda lang: text(lang, key))


def _each(tell: Callable[[str], str]) -> Said:
    return {lang: tell(lang) for lang in LANGUAGES}
