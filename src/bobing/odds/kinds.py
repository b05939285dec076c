"""A rule set as the odds see it: throws that do the same are one kind, with the number of ways in which it comes.

What is taken for granted everywhere in `bobing.odds`: fair dice, no throw is void, everybody stays to the end, nothing
is waived, and where a sheet lets the thrower choose he takes the highest tier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook, ways

TABLE_EFFECTS = ("sweep-table", "sweep-all", "friendly", "grab", "pool")
"""Effects after which no cake below zhuangyuan is left on the table."""
DUITANG_EFFECTS = ("duitang-unwon", "duitang-all", "duitang-all-untitled")


@dataclass(frozen=True, slots=True)
class Kind:
    """Throws that do the same.

    ways: out of 46,656. hits: tiers of which they win a cake each, where one is left. fills: tiers that have none left
    afterwards. strength: among zhuangyuan, or None. combination: of a zhuangyuan throw, else empty. effects: as in the
    scorebook. ends: the game is over.
    """

    ways: int
    hits: tuple[str, ...]
    fills: tuple[str, ...]
    strength: int | None
    combination: str
    effects: tuple[str, ...]
    ends: bool


@dataclass(frozen=True, slots=True)
class Dice:
    """A rule set for counting: its kinds, and the cakes of each tier below zhuangyuan that throws win at once.

    tiers run from high to low; one that is ranked at the end (S15) is not among them.
    """

    rules: RuleSet
    kinds: tuple[Kind, ...]
    cakes: Mapping[str, int]

    def sum(self, *, title: bool | None = None, ends: bool | None = None) -> int:
        """The ways of all kinds that do, or do not, make a zhuangyuan or end the game."""
        return sum(
            kind.ways
            for kind in self.kinds
            if (title is None or (kind.strength is not None) == title) and (ends is None or kind.ends == ends)
        )


def dice_of(rules: RuleSet) -> Dice:
    """The kinds of throws of a rule set, compiled once for each object.

    >>> from bobing.core.catalogue import find_sheet
    >>> [(kind.ways, kind.hits) for kind in dice_of(find_sheet("S12")).kinds if len(kind.hits) == 2]
    [(600, ('sijin', 'yixiu')), (75, ('sijin', 'erju'))]
    """
    found = rules.__dict__.get("_dice")
    if found is None:
        found = rules.__dict__["_dice"] = _compiled(rules)
    return found


def _compiled(rules: RuleSet) -> Dice:
    cakes = {tier: rules.cakes[tier] for tier in rules.lower if tier != rules.ranked_tier}
    found: Counter[tuple[tuple[str, ...], int | None, str, tuple[str, ...]]] = Counter()
    for hand, row in scorebook(rules).rows.items():
        hits = tuple(tier for tier in (row.tier, *row.bonus) if tier in cakes)
        titled = row.strength is not None
        effects = tuple(effect for effect in row.effects if effect not in ("ends", "ranked"))
        ends = ("ends",) if "ends" in row.effects else ()
        found[hits, row.strength, row.combination if titled else "", effects + ends] += ways(hand)
    kinds = tuple(
        Kind(times, hits, _fills(effects, cakes, strength), strength, combination, effects, "ends" in effects)
        for (hits, strength, combination, effects), times in found.items()
        if hits or effects or strength is not None
    )
    return Dice(rules, kinds, cakes)


def _fills(effects: Sequence[str], cakes: Mapping[str, int], strength: int | None) -> tuple[str, ...]:
    if any(effect in TABLE_EFFECTS for effect in effects):
        return tuple(cakes)
    granted = "duitang-unwon" in effects or "duitang-all-untitled" in effects
    granted = granted or ("duitang-all" in effects and strength is not None)
    return ("duitang",) if granted and "duitang" in cakes else ()


def length_doubt(rules: RuleSet) -> str | None:
    """Why the number of throws of this rule set has no exact law here, as a code; None where it has.

    fallback: a lower tier is taken for one that is gone, and beside that a throw wins twice, is chased, or takes all
    duitang, so that the order of throws matters. duitang-back: duitang may come back to the table. duitang-contested:
    whether a chajinhua takes the duitang depends on who has the title. grabbed: the title may be grabbed, and three
    dice are thrown where there is none in the end.
    """
    dice = dice_of(rules)
    duitang = any(effect in kind.effects for kind in dice.kinds for effect in DUITANG_EFFECTS)
    if rules.exhausted.then != "nothing":
        partly = any(kind.fills and not kind.ends for kind in dice.kinds)
        if partly or rules.chase.tiers or any(len(kind.hits) > 1 for kind in dice.kinds) or _titled_hits(dice):
            return "fallback"
    if duitang and rules.title.own_later == "last" and rules.title.lugu_duitang == "returned":
        return "duitang-back"
    if any("duitang-all" in kind.effects for kind in dice.kinds) and not _leads_always(dice):
        return "duitang-contested"
    always = any("grab" in kind.effects for kind in dice.kinds) and rules.liubohei.grab_zhuangyuan == "always"
    if always and rules.ending.undecided == "three-dice":
        return "grabbed"
    return None


def _titled_hits(dice: Dice) -> bool:
    return any(kind.hits and kind.strength is not None for kind in dice.kinds)


def _leads_always(dice: Dice) -> bool:
    """Whether a chajinhua has the title or finds the duitang gone: nothing that lets the game go on is above it."""
    own = max(kind.strength or 0 for kind in dice.kinds if kind.combination == "chajinhua")
    others = [kind for kind in dice.kinds if kind.combination not in ("", "chajinhua") and not kind.ends]
    return dice.rules.title.contest != "first" and all((kind.strength or 0) < own for kind in others)
