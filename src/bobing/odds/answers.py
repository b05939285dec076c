"""Exact answers where there are any, simulated ones where there are none; each says which of the two it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bobing.core.catalogue import rules_of
from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.odds.given import a_game, number, whole
from bobing.odds.kinds import dice_of, length_doubt
from bobing.odds.leftovers import Left
from bobing.odds.lengths import SECONDS, TIERS_MAX, Length, cap_of, check_players, exact_length, fits
from bobing.odds.sharing import Shares, exact_shares, exact_standing, throws_left
from bobing.odds.simulate import GAMES_MAX, need_extra

if TYPE_CHECKING:
    from bobing.odds.simulate.midway import Played
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
    workers: int | None = None,
    tiers: int = TIERS_MAX,
) -> Length:
    """How many throws a game takes; simulated where the rule set has no exact law.

    rules: a rule set, or the key or id of a named sheet. seconds: what a throw takes, for sheets that end by the clock.
    throws: an end after so many throws, whatever the sheet says. games, seed: of a simulation, which needs the
    extra `sim`; workers: its threads, else one for each core. tiers: with more than so many below zhuangyuan
    all is simulated, for exact sums take twice as long with each. Raises OddsError or SimulationError.

    >>> length("S12", players=10).exact
    True
    """
    rules = rules_of(rules)
    if length_doubt(rules) is None and reaches(rules, tiers):
        found = exact_length(rules, players, seconds=seconds, throws=throws)
        if not found.doubts:
            return found
        simulation = _simulated(rules, players, seconds, throws, games, seed, workers)
        left = {**found.left, **{tier: _left(simulation, tier) for tier in found.doubts}}
        return replace(found, left={tier: left[tier] for tier in rules.cakes}, games=simulation.games)
    check_players(rules, players)
    cap = cap_of(rules, seconds, throws)
    simulation = _simulated(rules, players, seconds, throws, games, seed, workers)
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
        rules=rules,
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


def reaches(rules: RuleSet, tiers: int = TIERS_MAX) -> bool:
    """Whether exact sums are worked out, where so many tiers below zhuangyuan are not too many."""
    cakes = dice_of(rules).cakes
    return fits(cakes) and len(cakes) <= whole(tiers, "tiers")


def shares(
    rules: RuleSet | str,
    players: int = 10,
    *,
    seconds: float = SECONDS,
    throws: int | None = None,
    games: int = GAMES,
    seed: int = 0,
    workers: int | None = None,
    tiers: int = TIERS_MAX,
) -> Shares:
    """Who wins what, seat by seat; `doubts` of the answer names what had to be simulated. Arguments as for `length`."""
    rules = rules_of(rules)
    found = known_shares(rules, players, seconds=seconds, throws=throws, tiers=tiers)
    if not found.doubts:
        return found
    return _filled(found, rules, _simulated(rules, players, seconds, throws, games, seed, workers))


def known_shares(
    rules: RuleSet, players: int, *, seconds: float = SECONDS, throws: int | None = None, tiers: int = TIERS_MAX
) -> Shares:
    """What of `shares` is exact; `doubts` names the rest, which may be all."""
    if reaches(rules, tiers):
        return exact_shares(rules, players, seconds=seconds, throws=throws)
    check_players(rules, players)
    return _unknown(rules, players, "many-cakes")


def standing(
    game: Game, *, games: int = GAMES, seed: int = 0, limit: float | None = None, tiers: int = TIERS_MAX
) -> Shares:
    """Who may still win what, seat by seat, from the present state of a game; `doubts` names what was simulated.

    Cakes are those to come: less than none where others may take them. Of zhuangyuan they are those of the end, as
    `champion` is. limit: seconds after which no more games are simulated. Who has left is taken to stay away.
    Raises OddsError where the game is over, or where seats changed so that nothing can be told; SimulationError.

    >>> from bobing.core.catalogue import find_sheet
    >>> standing(Game.new(find_sheet("S14"), seats=4), games=2_000).doubts
    {'duitang': 'chase'}
    """
    whole(games, "games", 1, GAMES_MAX)
    if limit is not None:
        number(limit, "limit")
    found = known_standing(game, tiers=tiers)
    if not found.doubts:
        return found
    need_extra("sim", "numba")
    from bobing.odds.simulate.midway import play_on

    return _filled(found, game.rules, play_on(game, games, seed=seed, cap=throws_left(game) or 0, limit=limit))


def known_standing(game: Game, *, tiers: int = TIERS_MAX) -> Shares:
    """What of `standing` is exact; `doubts` names the rest, which may be all. Raises OddsError where a game is over."""
    state, rules = a_game(game).state, game.rules
    if state.finished:
        raise OddsError("the game is over; there is nothing more to come", "odds/game_over")
    if not reaches(rules, tiers):
        return _unknown(rules, len(state.order), "many-cakes")
    try:
        found = exact_standing(game)
    except OddsError:
        return _unknown(rules, len(state.order), "turns")
    nobody = {} if found.no_champion is not None else {"no_champion": found.doubts["champion"]}
    return replace(found, doubts={**found.doubts, **nobody})


def overtaken(game: Game, found: Shares | None = None) -> float | None:
    """The chance that who leads for the title now does not keep it; None where nobody leads.

    found: what `standing` gave, where it is at hand. Raises as `standing` does.

    >>> from bobing.core.acts import Throw
    >>> from bobing.core.catalogue import find_sheet
    >>> from bobing.core.dice import Roll
    >>> game = Game.new(find_sheet("S2"), seats=4).play(Throw(0, Roll.parse("444411")))
    >>> overtaken(game)  # nothing is higher in this sheet
    0.0
    """
    title = a_game(game).state.title
    found = found or standing(game)
    return None if title is None or not found.champion else max(0.0, 1 - found.champion[title])


def _unknown(rules: RuleSet, players: int, doubt: str) -> Shares:
    doubts = dict.fromkeys((*rules.cakes, "champion", "no_champion"), doubt)
    return Shares(rules.key, players, {}, [], None, doubts, rules=rules)


def _filled(found: Shares, rules: RuleSet, simulation: Simulation | Played) -> Shares:
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


def _simulated(
    rules: RuleSet, players: int, seconds: float, throws: int | None, games: int, seed: int, workers: int | None
) -> Simulation:
    from bobing.odds.simulate import Setting, simulate

    return simulate(Setting(rules, players, seed=seed, seconds=seconds, throws=throws or 0), games, workers=workers)
