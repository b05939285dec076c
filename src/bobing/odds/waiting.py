"""Which tier everybody waits for: the chance of each to be gone last, exactly.

A throw that takes the last cake of tier i finds all other needs met and one cake of i missing. How long a game stays so
on average is a difference of two mean lengths: that with all the cakes of i, and that with one cake less; the same
throws end the one and not the other. Where a throw takes all that is left of i, the second is the length without i.
Times the chance of such a throw, that is the chance that i is last. A throw that meets several needs at once may find
lower ones unmet too; then the highest counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.kinds import Dice, Kind, dice_of
from bobing.odds.sums import mean_of
from bobing.odds.terms import Going

Cakes = tuple[tuple[str, int], ...]


def last_gone(rules: RuleSet) -> Mapping[str, float]:
    """By tier, the chance that it is gone last, of a game that waits for all; with a champion, where it waits for one.

    Exact where the length is (`bobing.odds.kinds.length_doubt`). The sum is 1, less the chance that a throw ends the
    game by itself. Where one throw takes the last of several tiers, the highest of them counts.

    >>> from bobing.core.catalogue import find_sheet
    >>> round(last_gone(find_sheet("S2"))["sijin"], 4)
    0.6564
    """
    found = _ladder(rules) if rules.exhausted.then != "nothing" else _apart(rules)
    return {tier: max(0.0, found.get(tier, 0.0)) for tier in rules.cakes if tier != rules.ranked_tier}


def _apart(rules: RuleSet) -> Mapping[str, float]:
    """Tiers that know nothing of each other, but for throws that bear on several."""
    dice, waits = dice_of(rules), _waits_for_champion(rules)
    needs = {ZHUANGYUAN: 1, **dice.cakes} if waits else dict(dice.cakes)

    @cache
    def mean(cakes: Cakes) -> float:
        return _mean(dice, dict(cakes))

    found = defaultdict[str, float](float)
    for (hits, fills), ways in _classes(dice, waits=waits).items():
        for tier in (hits | fills) & set(needs):
            others = _others(needs, tier, hits, fills)
            less = dict(others) if tier in fills else {**others, tier: needs[tier] - 1}
            together = {**others, tier: needs[tier]}
            stays = mean(tuple(sorted(together.items()))) - mean(tuple(sorted(less.items())))
            found[tier] += ways / THROWS * stays
    return found


def _others(needs: Mapping[str, int], tier: str, hits: frozenset[str], fills: frozenset[str]) -> dict[str, int]:
    """How many cakes of the other tiers must be gone for this to be the highest that a throw takes the last of."""
    others, higher = dict[str, int](), True
    for other, cakes in needs.items():
        if other == tier:
            higher = False
        elif higher or other not in fills:
            others[other] = cakes - (not higher and other in hits)
    return others


def _classes(dice: Dice, *, waits: bool) -> Mapping[tuple[frozenset[str], frozenset[str]], int]:
    """The ways of throws that take one cake of the same tiers, and all cakes of the same."""
    found: Counter[tuple[frozenset[str], frozenset[str]]] = Counter()
    for kind in dice.kinds:
        if not kind.ends:
            title = {ZHUANGYUAN} if waits and kind.strength is not None else set[str]()
            fills = frozenset(kind.fills) | title
            found[frozenset(kind.hits) - fills, fills] += kind.ways
    return found


def _ladder(rules: RuleSet) -> Mapping[str, float]:
    """Where lower tiers are taken: tier i waits for hits of the tiers down to it, and is last where these are.

    With one cake of i less, all tiers from i on have one hit less to wait for; so the difference of the means counts
    i and what is below it, of which the first that waits is last.
    """
    dice, found = dice_of(rules), dict[str, float]()
    whole, below, hit = _mean(dice, _needs(rules, dice)), 0.0, 0
    stays = [whole - _mean(*_one_less(rules, dice, tier)) for tier in dice.cakes]
    for tier, own, lower in zip(dice.cakes, stays, [*stays[1:], below], strict=True):
        hit += sum(kind.ways for kind in dice.kinds if tier in kind.hits and not kind.ends)
        found[tier] = hit / THROWS * (own - lower)
    swept = sum(kind.ways for kind in dice.kinds if kind.fills and not kind.ends)
    assert not swept, "such rules have no exact law"
    if _waits_for_champion(rules):
        found[ZHUANGYUAN] = dice.sum(title=True, ends=False) / THROWS * (whole - _mean(dice, dice.cakes))
    return found


def _one_less(rules: RuleSet, dice: Dice, tier: str) -> tuple[Dice, Mapping[str, int]]:
    """The same with one cake less of a tier; where that was the only one, its hits are those of the next."""
    needs = {**_needs(rules, dice), tier: dice.cakes[tier] - 1}
    if needs[tier]:
        return dice, needs
    tiers = list(dice.cakes)
    after = tiers[tiers.index(tier) + 1 :][:1]

    def fallen(kind: Kind) -> Kind:
        return replace(kind, hits=tuple(after)) if tier in kind.hits else kind

    return replace(dice, kinds=tuple(fallen(kind) for kind in dice.kinds)), needs


def _needs(rules: RuleSet, dice: Dice) -> Mapping[str, int]:
    return {ZHUANGYUAN: 1, **dice.cakes} if _waits_for_champion(rules) else dice.cakes


def _waits_for_champion(rules: RuleSet) -> bool:
    return rules.ending.without_champion != "stop"


def _mean(dice: Dice, needs: Mapping[str, int]) -> float:
    """The mean number of throws until these needs are met."""
    cakes = {tier: needs[tier] for tier in dice.cakes if needs.get(tier)}
    terms = Going(dice, cakes, exact=False).some_left(title=ZHUANGYUAN in needs)
    return mean_of(terms)
