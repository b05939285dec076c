"""Whole games with random throws, and how many acts a game may need."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from bobing.core.acts import Act, RollOff, Spill, Throw
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS, scorebook


def throws_expected(rules: RuleSet) -> Fraction:
    """At most so many throws are needed on average: as if the tiers were filled one after the other."""
    won = scorebook(rules).census().awards
    return sum((Fraction(tier.cakes * THROWS, won[tier.key]) for tier in rules.tiers), Fraction(0))


def bound(rules: RuleSet, seats: int) -> int:
    """A number of acts that no game reaches in a thousand years: the chance is below e^-20."""
    per_seat = rules.ending.throws_each + 4
    return 100 + 20 * int(throws_expected(rules)) + 2 * seats * per_seat


def random_roll(dice: Random) -> Roll:
    return Roll(tuple(dice.choices((1, 2, 3, 4, 5, 6), k=6)))


def random_act(game: Game, dice: Random) -> Act:
    """What the seat that has to act may do: nearly always a throw."""
    seat = game.next_seat
    assert seat is not None, "the game is over"
    if game.state.rolloff:
        return RollOff(seat, tuple(dice.choices((1, 2, 3, 4, 5, 6), k=game.state.rolloff.dice)))
    if dice.random() < 0.02:
        return Spill(seat)
    roll = random_roll(dice)
    return Throw(seat, roll, random_grab(game, roll, dice))


def random_grab(game: Game, roll: Roll, dice: Random) -> dict[str, tuple[int, ...]] | None:
    """Who gets which cakes if `roll` is a lights-out throw; else None."""
    left = game.grab_for(roll)
    if not left:
        return None
    there = [seat for seat in game.state.order if seat not in game.state.away]
    return {tier: tuple(dice.choices(there, k=cakes)) for tier, cakes in left.items()}


def play_out(rules: RuleSet, seats: int, dice: Random) -> Game:
    """A whole game; fails where it takes more acts than any game may."""
    game = Game.new(rules, seats, dice.randrange(seats))
    for _ in range(bound(rules, seats)):
        if game.finished:
            return game
        game = game.play(random_act(game, dice))
    raise AssertionError(f"no end after {len(game.log)} acts: {rules.settings()}")
