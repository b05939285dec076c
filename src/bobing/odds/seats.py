"""How many cakes of a tier each seat may expect to win by its own throws."""

from __future__ import annotations

from collections.abc import Sequence

from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice, Kind
from bobing.odds.position import Position

NEGLIGIBLE = 1e-16


def cakes_doubt(dice: Dice, tier: str) -> str | None:
    """Why the cakes of a tier have no exact expectation by seat here, as a code; None where they have.

    chase: they change hands. sweep: everything won is taken away by a later throw. split, friendly: cakes won are dealt
    out again. fallback: cakes of a tier are won by throws of higher ones too. at-end: they are handed out when the game
    is over. last-lap: the lap after the champion counts.
    """
    rules, effects = dice.rules, {effect for kind in dice.kinds for effect in kind.effects}
    found = {
        "chase": tier in rules.chase.tiers,
        "sweep": "sweep-all" in effects,
        "friendly": "friendly" in effects,
        "split": "pingfen" in effects,
        "fallback": rules.exhausted.then != "nothing",
        "at-end": tier == rules.ranked_tier or (tier == "duitang" and "duitang-at-end" in effects),
        "taken": tier == "duitang" and bool({"duitang-all", "duitang-all-untitled"} & effects),
        "returned": tier == "duitang" and _returned(dice, effects),
        "last-lap": rules.ending.when == "champion" and rules.ending.finish != "at-once",
    }
    return next((code for code, holds in found.items() if holds), None)


def _returned(dice: Dice, effects: set[str]) -> bool:
    title = dice.rules.title
    return "duitang-unwon" in effects and title.own_later == "last" and title.lugu_duitang == "returned"


def cakes_by_place(dice: Dice, tier: str, position: Position, throws: int | None) -> tuple[Sequence[float], float]:
    """The cakes of `tier` that each place wins from here on average, place 0 being the next to throw; and all eat.

    throws: after so many the game is over whatever is left; None where it has no such end. Chances are followed throw
    by throw, by hits so far, until next to none is left.
    """
    cakes, players = position.cakes.get(tier, 0), position.players
    hit_on, hit, fill, quiet, grabbed, eaten = _meanings(dice, tier)
    going, won, n = [1.0, *[0.0] * (cakes - 1)] if cakes else [], [0.0] * players, 0
    handed = pooled = 0.0
    while sum(going) > NEGLIGIBLE and n != throws:
        alive = sum(going)
        rest = sum((cakes - hits) * chance for hits, chance in enumerate(going))
        won[n % players] += hit * alive + fill * rest
        handed += grabbed * rest
        pooled += eaten * rest
        going = [quiet * here + hit_on * before for here, before in zip(going, [0.0, *going[:-1]], strict=True)]
        n += 1
    return [own + handed / players for own in won], pooled


def _meanings(dice: Dice, tier: str) -> tuple[float, float, float, float, float, float]:
    """Chances of a throw: to hit and go on, to hit, to take all that is left, to leave the tier, that all grab or eat
    what is left."""
    hit_on = hit = fill = grabbed = eaten = touched = 0
    for kind in dice.kinds:
        closes = kind.ends or (kind.strength is not None and dice.rules.ending.when == "champion")
        if tier in kind.fills:
            touched += kind.ways
            fill += kind.ways if _takes(kind) else 0
            grabbed += kind.ways if "grab" in kind.effects else 0
            eaten += kind.ways if "pool" in kind.effects else 0
        elif tier in kind.hits:
            touched += kind.ways
            hit += kind.ways
            hit_on += 0 if closes else kind.ways
        elif closes:
            touched += kind.ways
    return hit_on / THROWS, hit / THROWS, fill / THROWS, 1 - touched / THROWS, grabbed / THROWS, eaten / THROWS


def _takes(kind: Kind) -> bool:
    """Whether what the throw empties goes to the thrower."""
    return not {"grab", "pool", "friendly"} & set(kind.effects)
