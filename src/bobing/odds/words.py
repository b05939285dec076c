"""Chances in words: what is exact, and what is simulated, why, and how far it may be off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from bobing.core.rules import RuleSet
from bobing.figures import few, percent
from bobing.i18n import text
from bobing.naming import tier_name
from bobing.odds.lengths import Length
from bobing.odds.sharing import Shares

OTHERS: Mapping[str, str] = {"champion": "title", "no_champion": "nobody"}
"""What is in doubt beside tiers, by the text that names it."""


def why(doubt: str, lang: str) -> str:
    """Why something has no exact value, in words."""
    return text(lang, f"odds.why_{doubt}")


def called(rules: RuleSet, name: str, lang: str) -> str:
    """What is called so in an answer: a tier, the title, or that nobody has it."""
    return text(lang, f"odds.{OTHERS[name]}") if name in OTHERS else tier_name(rules, name, lang)


def by_reason(rules: RuleSet, doubts: Mapping[str, str], lang: str) -> Mapping[str, tuple[Sequence[str], str]]:
    """By reason, what is in doubt: the keys, and their names in words."""
    found = dict[str, list[str]]()
    for name, doubt in doubts.items():
        found.setdefault(doubt, []).append(name)
    comma = text(lang, "game.comma")
    return {doubt: (names, comma.join(called(rules, name, lang) for name in names)) for doubt, names in found.items()}


def of_length(rules: RuleSet, found: Length, lang: str) -> Sequence[str]:
    """Which figures of a length are exact, and which are simulated."""
    if "length" in found.doubts:
        return [simulated_length(found, lang)]
    errors = {tier: found.left[tier].mean_error for tier in found.doubts}
    told = simulated_parts(rules, found.doubts, errors, found.games, lang)
    return [*told, text(lang, "odds.else_exact" if found.doubts else "odds.exact").strip()]


def simulated_length(found: Length, lang: str) -> str:
    """That a length is simulated, from how many games, and why."""
    key = "odds.simulated" if found.games > 1 else "odds.simulated_once"
    return text(lang, key, games=f"{found.games:,}", reason=why(found.doubts["length"], lang)).strip()


def simulated_whole(games: int, seed: int, lang: str) -> str:
    """That all of an answer is simulated, and what gives the same again."""
    return text(lang, "simulate.exactly" if games > 1 else "simulate.once", seed=seed)


def of_nobody(found: Shares, lang: str) -> Sequence[str]:
    """The chance that nobody is champion at the end, where there is one."""
    if not found.no_champion:
        return []
    error = found.errors.get("no_champion", [0.0])[0]
    return [text(lang, "odds.no_champion", chance=percent(found.no_champion, error)).strip()]


def of_shares(rules: RuleSet, found: Shares, lang: str) -> Sequence[str]:
    """Which shares are exact, which are simulated, and which are left out because nothing simulated them."""
    if not found.games:
        left_out = by_reason(rules, found.doubts, lang).items()
        told = [text(lang, "odds.left_out", names=names, reason=why(doubt, lang)) for doubt, (_, names) in left_out]
    else:
        errors = {name: max(errors) for name, errors in found.errors.items()}
        told = list(simulated_parts(rules, found.doubts, errors, found.games, lang))
    known = {*found.cakes, "champion", *(["no_champion"] if found.no_champion else [])}
    if known > found.doubts.keys() and (found.games or not found.doubts):
        told.append(text(lang, "odds.else_exact" if found.doubts else "odds.exact"))
    return [line.strip() for line in told]


def simulated_parts(
    rules: RuleSet, doubts: Mapping[str, str], errors: Mapping[str, float], games: int, lang: str
) -> Sequence[str]:
    """What is simulated and why, with the largest standard error of each."""
    told = list[str]()
    for doubt, (names, said) in by_reason(rules, doubts, lang).items():
        error = max(errors[name] for name in names)
        key = "odds.simulated_parts" if games > 1 else "odds.simulated_parts_once"
        values = {"names": said, "reason": why(doubt, lang), "games": f"{games:,}"}
        told.append(text(lang, key, **values, error="" if isnan(error) else few(error)).strip())
    return told
