"""The 52 points of a rule set in words: what each is called, how the sheet decides it, and where that comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bobing.core.dimensions import POINTS, settings_by_point, value_at
from bobing.core.glossary import entries, name
from bobing.core.rules import RuleSet
from bobing.i18n import text, texts
from bobing.i18n.settings import point_title, setting_text
from bobing.naming import tier_name

ORIGINS = ("stated", "resolved", "decided", "practice", "default", "house")


class Origin(NamedTuple):
    """Where a value comes from: one of ORIGINS, and the sheet and line, or the number of the decision."""

    kind: str
    where: str


class Point(NamedTuple):
    """One point of difference as a rule set decides it; `words` says it in a language, a sentence for each setting."""

    point: str
    title: str
    values: Mapping[str, object]
    words: Sequence[str]
    origin: Origin


def points_of(rules: RuleSet, lang: str) -> Iterator[Point]:
    """All points of a rule set, in their order."""
    for point in POINTS:
        values = {path: value_at(rules, path) for path in paths_of(point, rules)}
        words = [said for path in values if (said := told_words(rules, point, path, lang)) is not None]
        yield Point(point, point_title(lang, point), values, words, origin_of(rules, point))


def origin_of(rules: RuleSet, point: str) -> Origin:
    """Where the value of a point comes from."""
    kind, _, where = rules.origins[point].partition(" ")
    return Origin(kind, where)


def origin_words(origin: Origin, lang: str) -> str:
    """An origin in words."""
    return text(lang, f"rules.origin_{origin.kind}", where=origin.where).strip()


def differing(left: RuleSet, right: RuleSet) -> Mapping[str, Sequence[str]]:
    """The paths in which two rule sets differ, by point; points that are the same are left out."""
    paths = {point: paths_of(point, left, right) for point in POINTS}
    every = {path for found in paths.values() for path in found}
    unlike = {path for path in every if value_at(left, path) != value_at(right, path)}
    return {point: found for point in POINTS if (found := [path for path in paths[point] if path in unlike])}


def paths_of(point: str, *rule_sets: RuleSet) -> Sequence[str]:
    """The settings of a point. What wins a tier that has no point of its own belongs to K1; K2 is the total alone."""
    paths = [path for path in settings_by_point()[point] if (point, path) != ("K2", "cakes")]
    if point == "K1":
        elsewhere = {path for paths in settings_by_point().values() for path in paths}
        own = {f"wins.{key}": None for rules in rule_sets for key in rules.lower}
        paths += [path for path in own if path not in elsewhere]
    return paths


def told_words(rules: RuleSet, point: str, path: str, lang: str) -> str | None:
    """The value of a setting in words, where it is worth telling under a point."""
    section, _, key = path.partition(".")
    value = value_at(rules, path)
    if (section in ("tier_names", "prizes") and not value) or (point == "K1" and section == "wins" and value == [key]):
        return None
    return value_words(rules, path, lang)


def value_words(rules: RuleSet, path: str, lang: str) -> str:
    """The value of a setting in words."""
    section, _, key = path.partition(".")
    value: Any = value_at(rules, path)
    match section:
        case "cakes" | "points":
            return _counts(rules, section, value, lang)
        case "total":
            return text(lang, "common.cakes", n=value)
        case "ranking":
            return " > ".join(tier_name(rules, tier, lang) for tier in value["tiers"] if tier in rules.cakes)
        case "titles":
            titles = {tier: _listed((_word(title, lang) for title in value[tier]), lang) for tier in value}
            return _by_tier(rules, titles, lang) or text(lang, "rules.no_titles")
        case "tier_names":
            names = {tier: tier_name(rules, tier, lang) for tier in value}
            return _by_tier(rules, names, lang) or text(lang, "rules.no_names")
        case "prizes":
            items = {tier: _listed((f"{i['count']} × {i['name']}" for i in value[tier]), lang) for tier in value}
            return _by_tier(rules, items, lang) or text(lang, "rules.no_prizes")
        case "wins":
            return _wins(rules, key, value, lang)
        case _:
            return setting_text(lang, path, value, {tier: tier_name(rules, tier, lang) for tier in rules.cakes})


def _counts(rules: RuleSet, section: str, value: Mapping[str, int], lang: str) -> str:
    counts = [text(lang, "rules.count", name=tier_name(rules, tier, lang), n=n) for tier, n in value.items() if n]
    return _listed(counts, lang) or text(lang, f"rules.no_{section}")


def _wins(rules: RuleSet, tier: str, value: Sequence[str] | None, lang: str) -> str:
    if tier not in rules.cakes:
        return text(lang, "rules.no_tier", tier=_word(tier, lang))
    known = texts("rules")
    won = text(lang, "rules.or").join(
        text(lang, f"rules.win_{entry}") if f"win_{entry}" in known else entry for entry in value or ()
    )
    return text(lang, "rules.won_by", tier=tier_name(rules, tier, lang), won=won)


def _by_tier(rules: RuleSet, texts: Mapping[str, str], lang: str) -> str | None:
    joint = text(lang, "rules.semicolon")
    told = [text(lang, "rules.of_tier", tier=_tier_word(rules, tier, lang), what=what) for tier, what in texts.items()]
    return joint.join(told) or None


def _tier_word(rules: RuleSet, tier: str, lang: str) -> str:
    return _word(tier, lang) if _is_word(tier) else tier_name(rules, tier, lang)


def _listed(words: Iterable[str], lang: str) -> str:
    return text(lang, "game.comma").join(words)


def _word(key: str, lang: str) -> str:
    return name(key, lang) if _is_word(key) else key


def _is_word(key: str) -> bool:
    return any(entry.key == key for entry in entries())
