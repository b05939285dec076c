"""Exact answers where there are any, simulated ones where there are none; each says which of the two it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bobing.core.catalogue import rules_of
from bobing.core.rules import RuleSet
from bobing.odds.kinds import dice_of, length_doubt
from bobing.odds.leftovers import Left
from bobing.odds.lengths import SECONDS, Length, cap_of, check_players, exact_length, fits
from bobing.odds.sharing import Shares, exact_shares

if TYPE_CHECKING:
    from bobing.odds.simulate.result import Simulation

GAMES = 100_000
"""How many games are simulated where there is no exact way."""


def length(
    rules: RuleSet | str,
    players: int = 10,
    *,
    seconds: float = SECONDS,
    throws: int | None = None,
    games: int = GAMES,
    seed: int = 0,
) -> Length:
    """How many throws a game takes; simulated where the rule set has no exact law.

    rules: a rule set, or the key or id of a named sheet. seconds: what a throw takes, for sheets that end by the clock.
    throws: an end after so many throws, whatever the sheet says. games, seed: of a simulation, which needs the
    extra `sim`. Raises OddsError or SimulationError.

    >>> length("S12", players=10).exact
    True
    """
    rules = rules_of(rules)
    if length_doubt(rules) is None and fits(dice_of(rules).cakes):
        found = exact_length(rules, players, seconds=seconds, throws=throws)
        if not found.doubts:
            return found
        simulation = _simulated(rules, players, seconds, throws, games, seed)
        left = {**found.left, **{tier: _left(simulation, tier) for tier in found.doubts}}
        return replace(found, left={tier: left[tier] for tier in rules.cakes}, games=simulation.games)
    check_players(rules, players)
    cap = cap_of(rules, seconds, throws)
    simulation = _simulated(rules, players, seconds, throws, games, seed)
    three_dice = simulation.won_with["three-dice"][0]
    return Length(
        sheet=rules.key,
        players=players,
        cap=cap,
        mean=simulation.mean,
        beyond=_beyond(simulation),
        no_champion=simulation.no_champion[0] + three_dice,
        left={tier: _left(simulation, tier) for tier in rules.cakes},
        three_dice=three_dice,
        doubts=dict.fromkeys(("length", *rules.cakes), length_doubt(rules) or "many-cakes"),
        error=simulation.throws[1],
        games=simulation.games,
    )


def _beyond(simulation: Simulation) -> Sequence[float]:
    """By n, the share of the games that took more than n throws."""
    found, going = list[float](), simulation.games
    for count in simulation.totals.lengths.tolist()[:-1]:
        going -= count
        found.append(going / simulation.games)
    return found


def _left(simulation: Simulation, tier: str) -> Left:
    (chance, chance_error), (mean, mean_error) = simulation.some_left[tier], simulation.left[tier]
    return Left(chance, mean, chance_error, mean_error)


def shares(
    rules: RuleSet | str,
    players: int = 10,
    *,
    seconds: float = SECONDS,
    throws: int | None = None,
    games: int = GAMES,
    seed: int = 0,
) -> Shares:
    """Who wins what, seat by seat; `doubts` of the answer names what had to be simulated. Arguments as for `length`."""
    rules = rules_of(rules)
    if fits(dice_of(rules).cakes):
        found = exact_shares(rules, players, seconds=seconds, throws=throws)
    else:
        check_players(rules, players)
        names = (*rules.cakes, "champion", "no_champion")
        found = Shares(rules.key, players, {}, [], None, dict.fromkeys(names, "many-cakes"))
    return _filled(found, rules, _simulated(rules, players, seconds, throws, games, seed)) if found.doubts else found


def _filled(found: Shares, rules: RuleSet, simulation: Simulation) -> Shares:
    """Shares whose doubtful figures are taken from a simulation."""
    figures: dict[str, Sequence[tuple[float, float]]] = {
        **simulation.cakes, "champion": simulation.champion, "no_champion": [simulation.no_champion],
    }  # fmt: skip
    means, errors = dict[str, Sequence[float]](), dict[str, Sequence[float]]()
    for name in found.doubts:
        means[name], errors[name] = zip(*figures[name], strict=True)
    cakes: Mapping[str, Sequence[float]] = {**found.cakes, **means}
    return replace(
        found,
        cakes={tier: cakes[tier] for tier in rules.cakes},
        champion=means.get("champion", found.champion),
        no_champion=means["no_champion"][0] if "no_champion" in means else found.no_champion,
        games=simulation.games,
        errors=errors,
        pool={tier: found.pool.get(tier, simulation.pool[tier]) for tier in rules.cakes} if _eats(rules) else {},
    )


def _eats(rules: RuleSet) -> bool:
    """Whether a throw leaves what is on the table to be eaten by all."""
    return any("pool" in kind.effects for kind in dice_of(rules).kinds)


def _simulated(rules: RuleSet, players: int, seconds: float, throws: int | None, games: int, seed: int) -> Simulation:
    from bobing.odds.simulate import Setting, simulate

    return simulate(Setting(rules, players, seed=seed, seconds=seconds, throws=throws or 0), games)
