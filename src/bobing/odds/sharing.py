"""Who wins what: expected cakes by seat and tier, and each seat's chance of the title.

>>> from bobing.core.catalogue import find_sheet
>>> found = exact_shares(find_sheet("S2"), players=10)
>>> [round(found.cakes["yixiu"][seat], 4) for seat in (0, 9)], [round(found.champion[seat], 5) for seat in (0, 9)]
([3.3678, 3.0322], [0.10209, 0.09791])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bobing.core.catalogue import rules_of
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.champion import champion_by_place, champion_doubt, untitled_loss
from bobing.odds.given import a_game, no_such
from bobing.odds.kinds import Dice, dice_of, length_doubt
from bobing.odds.lengths import SECONDS, Reckoning, cap_of, check_players, check_size
from bobing.odds.position import Position, opening, position_of
from bobing.odds.seats import cakes_by_place, cakes_doubt
from bobing.odds.spread import or_null


@dataclass(frozen=True)
class Shares:
    """What each seat may expect, from the first throw or from the middle of a game (`standing`).

    cakes: by tier and seat, what is won on average, zhuangyuan included. champion: by seat, the chance of the title in
    the end; no_champion: that of nobody. pool: by tier, what all eat together, on average, with its standard error;
    empty where a sheet knows no such thing. rules: what is played, for its names. doubts: what has no exact value, with
    the reason as a code; it is simulated (`games` games), or left out where `games` is 0. errors: standard errors of
    what was simulated, by tier, for `champion`, and for `no_champion` (one).
    """

    sheet: str
    players: int
    cakes: Mapping[str, Sequence[float]]
    champion: Sequence[float]
    no_champion: float | None
    doubts: Mapping[str, str] = field(default_factory=dict[str, str])
    games: int = 0
    errors: Mapping[str, Sequence[float]] = field(default_factory=dict[str, Sequence[float]])
    pool: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    rules: RuleSet | None = field(default=None, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return not self.doubts

    def advantage(self, of: str = "champion") -> float:
        """How much more the first seat may expect than an equal share, as a part of it; `of` a tier or the title.

        >>> from bobing.core.catalogue import find_sheet
        >>> round(exact_shares(find_sheet("S2"), players=10).advantage("yixiu"), 4)
        0.0524
        """
        shares = self.champion if of == "champion" else self.cakes.get(of)
        if shares is None:
            raise no_such(of, "of", ["champion", *self.cakes])
        whole = sum(shares)
        return shares[0] * self.players / whole - 1 if whole else 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data: see `docs/odds.md`."""
        return {
            "sheet": self.sheet,
            "players": self.players,
            "exact": self.exact,
            "cakes": {tier: list(shares) for tier, shares in self.cakes.items()},
            "champion": list(self.champion),
            "no_champion": self.no_champion,
            "pool": {tier: {"mean": mean, "error": or_null(error)} for tier, (mean, error) in self.pool.items()},
            "simulated": dict(self.doubts),
            "games": self.games,
            "errors": {name: list(map(or_null, errors)) for name, errors in self.errors.items()},
        }

    def _repr_html_(self) -> str:
        from bobing.odds.html import shares_html

        return shares_html(self)


def exact_shares(
    rules: RuleSet | str, players: int = 10, *, seconds: float = SECONDS, throws: int | None = None
) -> Shares:
    """The shares that have exact values, of a rule set or a named sheet; `doubts` names the others, left out.

    seconds, throws: as for `length`. Raises OddsError.
    """
    rules = rules_of(rules)
    check_players(rules, players)
    check_size(dice_of(rules).cakes)
    cap, doubt = cap_of(rules, seconds, throws), length_doubt(rules)
    found = _from(rules, opening(rules, players), cap)
    if found.no_champion is not None:
        return found
    if doubt is not None:
        return replace(found, doubts={**found.doubts, "no_champion": doubt})
    law = Reckoning(rules, players, cap)  # whether there is a champion is told more often than who
    return replace(found, no_champion=max(0.0, law.no_champion - law.three_dice))


def exact_standing(game: Game) -> Shares:
    """The shares still to come from the present state of a game that have exact values; `doubts` names the others.

    Cakes are those to come, the title and its cakes those of the end. A clock is taken to have run `SECONDS` for each
    throw. Raises OddsError where nothing exact can be told from there, or there are too many cakes.

    >>> from bobing.core.acts import Throw
    >>> from bobing.core.catalogue import find_sheet
    >>> from bobing.core.dice import Roll
    >>> game = Game.new(find_sheet("S2"), seats=4).play(Throw(0, Roll.parse("444412")))
    >>> [round(chance, 3) for chance in exact_standing(game).champion]
    [0.33, 0.224, 0.223, 0.222]
    """
    position, order = position_of(a_game(game))
    check_size(dice_of(game.rules).cakes)
    found = _from(game.rules, position, throws_left(game))
    at = {seat: i for i, seat in enumerate(order)}

    def by_seat(values: Sequence[float]) -> Sequence[float]:
        return [values[at[seat]] for seat in range(position.players)] if values else values

    cakes = {tier: by_seat(values) for tier, values in found.cakes.items()}
    return replace(found, cakes=cakes, champion=by_seat(found.champion))


def throws_left(game: Game) -> int | None:
    """The throws there is still time for, where time is limited and each throw has taken `SECONDS`; at least one."""
    cap = cap_of(game.rules, SECONDS, None)
    return None if cap is None else max(1, cap - sum(game.state.turns.values()))


def _from(rules: RuleSet, position: Position, cap: int | None) -> Shares:
    """Shares by place in the order of play."""
    dice = dice_of(rules)
    left = rules.ending.throws_each * position.players - position.thrown if rules.ending.when == "throws" else None
    horizon = min((n for n in (cap, left) if n is not None), default=None)
    doubts = _doubts(dice, cap)
    cakes: dict[str, Sequence[float]] = {}
    champion, nobody, pool = list[float](), None, dict[str, tuple[float, float]]()
    if "champion" not in doubts:
        found, nobody = champion_by_place(dice, position, horizon)
        champion = _turned(found, position)
        grabbed = untitled_loss(dice, position, horizon, "grab")
        pool[ZHUANGYUAN] = rules.cakes[ZHUANGYUAN] * untitled_loss(dice, position, horizon, "pool"), 0.0
        cakes[ZHUANGYUAN] = [rules.cakes[ZHUANGYUAN] * (chance + grabbed / position.players) for chance in champion]
    for tier in rules.lower:
        if tier not in doubts:
            places, eaten = cakes_by_place(dice, tier, position, horizon)
            cakes[tier], pool[tier] = _turned(places, position), (eaten, 0.0)
    pooled = any("pool" in kind.effects for kind in dice.kinds)
    pool = pool if pooled else {}
    return Shares(rules.key, position.players, cakes, champion, nobody, doubts, pool=pool, rules=rules)


def _doubts(dice: Dice, cap: int | None) -> Mapping[str, str]:
    tiers = {tier: cakes_doubt(dice, tier) for tier in dice.rules.lower}
    title = champion_doubt(dice, cap)
    found = {ZHUANGYUAN: title, **tiers, "champion": title}
    if dice.rules.ending.when == "all-gone" and length_doubt(dice.rules) is not None:
        found = dict.fromkeys(found, length_doubt(dice.rules))
    return {name: doubt for name, doubt in found.items() if doubt is not None}


def _turned(by_place: Sequence[float], position: Position) -> list[float]:
    """Values told from the next thrower on, by place in the order of play."""
    return [by_place[(place - position.next_seat) % position.players] for place in range(position.players)]
