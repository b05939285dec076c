"""Who gets which cake of a lights-out grab where the dice are digital: it comes out of the same dice as the throw."""

from __future__ import annotations

from collections.abc import Mapping

from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.ports import Dice


def drawn_grab(game: Game, roll: Roll, dice: Dice) -> Mapping[str, tuple[int, ...]] | None:
    """The seats that get the cakes, by tier, if `roll` were thrown now; None where it is no grab."""
    needed = game.grab_for(roll)
    if needed is None:
        return None
    there = [seat for seat in game.state.order if seat not in game.state.away]
    return {tier: tuple(there[below(len(there), dice)] for _ in range(cakes)) for tier, cakes in needed.items()}


def below(bound: int, dice: Dice) -> int:
    """A uniform number below `bound`, from dice read as digits to base six; what would favour some is thrown again."""
    size, digits = 1, 0
    while size < bound:
        size, digits = size * 6, digits + 1
    while True:
        value = 0
        for face in dice.throw(digits):
            value = value * 6 + face - 1
        if value < size - size % bound:
            return value % bound
