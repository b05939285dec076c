"""Exact answers where there are any, simulated ones where there are none; each says which of the two it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bobing.core.errors import OddsError
from bobing.core.rules import RuleSet
from bobing.odds.kinds import dice_of, length_doubt
from bobing.odds.lengths import SECONDS, Length, cap_of, check_players, exact_length, fits
from bobing.odds.sharing import Shares, exact_shares

if TYPE_CHECKING:
    from bobing.odds.simulate.result import Simulation

GAMES = 100_000
"""How many games are simulated where there is no exact way."""


def length(
    rules: RuleSet,
    players: int = 10,
    *,
    seconds: float = SECONDS,
    throws: int | None = None,
    games: int = GAMES,
    seed: int = 0,
) -> Length:
    """How many throws a game takes; simulated where the rule set has no exact law.

    seconds: what a throw takes, for sheets that end by the clock. throws: an end after so many throws, whatever the
    sheet says. games, seed: of a simulation, which needs the extra `sim`. Raises OddsError or SimulationError.

    >>> from bobing.core.catalogue import find_sheet
    >>> length(find_sheet("S12"), players=10).exact
    True
    """
    if length_doubt(rules) is None and fits(dice_of(rules).cakes):
        return exact_length(rules, players, seconds=seconds, throws=throws)
    found = _simulated(rules, players, seconds, throws, games, seed)
    counts, beyond, left = found.totals.lengths.tolist(), list[float](), found.games
    for count in counts[:-1]:
        left -= count
        beyond.append(left / found.games)
    tiers = dice_of(rules).cakes
    return Length(
        sheet=rules.key,
        players=players,
        cap=cap_of(rules, seconds, None),
        mean=found.mean,
        beyond=beyond,
        no_champion=found.no_champion[0],
        left={tier: (found.some_left[tier][0], found.left[tier]) for tier in tiers},
        error=found.throws[1],
        games=found.games,
    )


def shares(
    rules: RuleSet,
    players: int = 10,
    *,
    seconds: float = SECONDS,
    throws: int | None = None,
    games: int = GAMES,
    seed: int = 0,
) -> Shares:
    """Who wins what, seat by seat; `doubts` of the answer names what had to be simulated. Arguments as for `length`."""
    if fits(dice_of(rules).cakes):
        found = exact_shares(rules, players, seconds=seconds, throws=throws)
    else:
        check_players(rules, players)
        names = (*rules.cakes, "champion")
        found = Shares(rules.key, players, {}, [], None, dict.fromkeys(names, "many-cakes"))
    return _filled(found, rules, _simulated(rules, players, seconds, throws, games, seed)) if found.doubts else found


def _filled(found: Shares, rules: RuleSet, simulation: Simulation) -> Shares:
    """Shares whose doubtful figures are taken from a simulation."""
    figures: dict[str, Sequence[tuple[float, float]]] = {**simulation.cakes, "champion": simulation.champion}
    means, errors = dict[str, Sequence[float]](), dict[str, Sequence[float]]()
    for name in found.doubts:
        means[name], errors[name] = zip(*figures[name], strict=True)
    cakes: Mapping[str, Sequence[float]] = {**found.cakes, **means}
    return replace(
        found,
        cakes={tier: cakes[tier] for tier in rules.cakes},
        champion=means.get("champion", found.champion),
        no_champion=simulation.no_champion[0] if found.no_champion is None else found.no_champion,
        games=simulation.games,
        errors=errors,
    )


def _simulated(rules: RuleSet, players: int, seconds: float, throws: int | None, games: int, seed: int) -> Simulation:
    from bobing.odds.simulate import Setting, simulate

    if throws is not None:
        raise OddsError(
            "these rules have no exact answer for an end after so many throws; set ending.minutes instead",
            "odds/not_exact",
        )
    return simulate(Setting(rules, players, seed=seed, seconds=seconds), games)
