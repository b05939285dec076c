"""What is left on the table of one tier when a game ends before everything is gone."""

from __future__ import annotations

from dataclasses import dataclass

from bobing.core.scorebook import THROWS
from bobing.odds.kinds import Dice, Kind

NEGLIGIBLE = 1e-15


@dataclass(slots=True)
class _Step:
    """What one throw does to a tier: chances that it is hit or emptied, and that the throw has a further meaning."""

    hit: float = 0.0
    fill: float = 0.0
    quiet: float = 0.0

    def add(self, kind: Kind, tier: str) -> None:
        """Count a kind of throws."""
        if tier in kind.fills:
            self.fill += kind.ways / THROWS
        elif tier in kind.hits:
            self.hit += kind.ways / THROWS
        else:
            self.quiet += kind.ways / THROWS

    def on(self, chances: list[float]) -> list[float]:
        """The chances by hits after a throw of this meaning, of those where cakes are left."""
        return [
            self.quiet * here + self.hit * before for here, before in zip(chances, [0.0, *chances[:-1]], strict=True)
        ]


def left_at_end(dice: Dice, tier: str, players: int, cap: int | None) -> tuple[float, float]:
    """The chance that cakes of `tier` are left when the game ends, and how many are left on average."""
    ending = dice.rules.ending
    stops, closes, goes = _Step(), _Step(), _Step()
    for kind in dice.kinds:
        meaning = stops if kind.ends else closes if kind.strength is not None and ending.when == "champion" else goes
        meaning.add(kind, tier)
    goes.quiet += 1 - dice.sum() / THROWS
    last = ending.throws_each * players if ending.when == "throws" else None
    horizon = min((n for n in (cap, last) if n is not None), default=None)
    if horizon is None and not (closes.quiet + closes.hit or stops.quiet + stops.hit):
        return 0.0, 0.0
    return _walked(dice.cakes[tier], (goes, closes, stops), horizon, players, ending.finish)


def _walked(
    cakes: int, steps: tuple[_Step, _Step, _Step], horizon: int | None, players: int, finish: str
) -> tuple[float, float]:
    """Follow the chances by hits throw by throw; `over` waits for the end of the lap in which the game is decided."""
    goes, closes, stops = steps
    any_title = _Step(goes.hit + closes.hit, goes.fill + closes.fill, goes.quiet + closes.quiet)
    going, over, left = [1.0, *[0.0] * (cakes - 1)], [0.0] * cakes, [0.0] * cakes
    waiting: list[list[float]] = []
    n = 0
    while sum(going) + sum(over) > NEGLIGIBLE and n != horizon:
        n += 1
        stopped = stops.on([a + b for a, b in zip(going, over, strict=True)])
        over, decided, going = any_title.on(over), closes.on(going), goes.on(going)
        left = [a + b for a, b in zip(left, stopped, strict=True)]
        if finish == "at-once":
            left = [a + b for a, b in zip(left, decided, strict=True)]
        elif finish == "equal-turns":
            over = [a + b for a, b in zip(over, decided, strict=True)]
            if n % players == 0:
                left, over = [a + b for a, b in zip(left, over, strict=True)], [0.0] * cakes
        else:
            waiting = [any_title.on(chances) for chances in waiting]
            waiting.append(decided)
            over = [a + b for a, b in zip(over, decided, strict=True)]
            if len(waiting) > players:
                done = waiting.pop(0)
                left = [a + b for a, b in zip(left, done, strict=True)]
                over = [a - b for a, b in zip(over, done, strict=True)]
    if n == horizon:
        left = [a + b + c for a, b, c in zip(left, going, over, strict=True)]
    return sum(left), sum((cakes - hits) * chance for hits, chance in enumerate(left))
