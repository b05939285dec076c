"""The number of throws of very many games, without playing them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS, scorebook
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.given import whole
from bobing.odds.simulate.kernel import Ints
from bobing.odds.simulate.setting import SEED_MAX, SimulationError

GAMES_MAX = 10**8
"""So many lengths still fit into memory."""


def lengths(rules: RuleSet, games: int, *, seed: int = 0) -> Ints:
    """How many throws each of so many games takes, drawn without drawing the throws.

    Let throws come at random moments, one a moment on average. Then tiers fill independently of each other; the moment
    at which a tier has its last cake is gamma-distributed; the game ends with the last of them; and beside the throws
    that won, the others until then are Poisson-distributed. That holds where each throw wins in one tier at most, none
    falls to a lower tier, takes more than a cake or ends the game, and all is played until everything is gone and there
    is a champion. Raises SimulationError for other rules.

    >>> from bobing.core.catalogue import find_sheet
    >>> found = lengths(find_sheet("S2"), 50_000)
    >>> abs(float(found.mean()) - 228.5326981) < 4 * 77.7 / 50_000**0.5
    True
    """
    whole(games, "games", 1, GAMES_MAX)
    whole(seed, "seed", 0, SEED_MAX)
    book, ending = scorebook(rules), rules.ending
    plain = all(not row.bonus and not set(row.effects) - {"ranked"} for row in book.rows.values())
    to_the_end = (ending.when, ending.finish, ending.without_champion, ending.minutes) == (
        "all-gone",
        "at-once",
        "play-on",
        0,
    )
    if not plain or not to_the_end or rules.exhausted.then != "nothing":
        raise SimulationError("these rules need whole games; use simulate", "odds/not_plain")
    won, rng = book.census().awards, np.random.default_rng(seed)
    needs = {
        tier: 1 if tier == ZHUANGYUAN else cakes for tier, cakes in rules.cakes.items() if tier != rules.ranked_tier
    }
    cakes = np.array(list(needs.values()), dtype=np.float64)
    waits = np.array([THROWS / won[tier] for tier in needs])
    filled: NDArray[np.float64] = rng.standard_gamma(cakes, (games, len(needs)))
    end: NDArray[np.float64] = (filled * waits).max(axis=1)
    return np.asarray(rng.poisson(end - filled.sum(axis=1)), dtype=np.int64) + int(cakes.sum())
