"""Where a table stands, as far as chances go: what is left, who leads, who is next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN


@dataclass(frozen=True, slots=True)
class Position:
    """A table in the middle of a game.

    cakes: left on the table, by tier. next_seat: who throws now, by place in the order of play. holder: who has the
    title, by place, or None; strength: of the throw that won it. thrown: turns that were had.
    """

    players: int
    cakes: Mapping[str, int]
    next_seat: int = 0
    holder: int | None = None
    strength: int = 0
    thrown: int = 0


def opening(rules: RuleSet, players: int) -> Position:
    """The table before the first throw."""
    return Position(players, dict(rules.cakes))


def position_of(game: Game) -> tuple[Position, tuple[int, ...]]:
    """Where a game stands, and the seat at each place of its order of play.

    Raises OddsError where chances cannot be told from there (`odds/not_exact`): the game is over, a roll-off or a last
    lap is on, somebody has left, or sits out his next turn.
    """
    state = game.state
    lap = state.targets is not None and game.rules.ending.when != "throws"
    if state.finished or state.rolloff or lap or state.away or state.lost_turns:
        raise OddsError(
            "the game is over, or somebody is out of turn; there are no exact chances now", "odds/not_exact"
        )
    claim = None if state.title is None else state.claims[state.title]
    place = {seat: i for i, seat in enumerate(state.order)}
    left = {tier: cakes for tier, cakes in state.table.items() if tier != ZHUANGYUAN}
    position = Position(
        players=len(state.order),
        cakes={ZHUANGYUAN: game.rules.cakes[ZHUANGYUAN], **left},
        next_seat=state.turn,
        holder=None if state.title is None else place[state.title],
        strength=claim.strength if claim else 0,
        thrown=sum(state.turns.values()),
    )
    return position, state.order
