"""What an act has to be, as the dice of its draw fell."""

from __future__ import annotations

from dataclasses import replace

from bobing.core.acts import Act, RollOff, Spill, Start, Throw
from bobing.core.dice import Roll
from bobing.core.game import Game, Node
from bobing.fairness.draw import Draw
from bobing.fairness.grab import drawn_grab

Drawn = Throw | RollOff | Spill | Start


def start_stands(game: Game) -> bool:
    """Whether the dice for who begins were thrown and nobody took them back."""
    node: Node | None = None if game.state.begun else game.line
    while node is not None:
        if isinstance(node.act, Start):
            return True
        node = node.before
    return False


def drawn_act(act: Drawn, dice: Draw, spill: int, game: Game) -> Act:
    """What the act has to be, as the dice fell: a throw, a spill with the dice beside it, a roll-off, a start."""
    match act:
        case Start():
            return replace(act, dice=dice.throw(len(act.dice)))
        case RollOff():
            return replace(act, faces=dice.throw(len(act.faces)))
        case Throw() | Spill():
            return thrown(act.seat, dice, spill, game, act)


def thrown(seat: int, dice: Draw, spill: int, game: Game, like: Throw | Spill | None = None) -> Throw | Spill:
    """The throw of a seat as the dice fall. like: a throw whose choices, which are its player's, are kept."""
    roll = Roll(dice.throw())
    if dice.spills(spill):
        return Spill(seat, roll)
    grab = drawn_grab(game, roll, dice)
    return replace(like, roll=roll, grab=grab) if isinstance(like, Throw) else Throw(seat, roll, grab=grab)
