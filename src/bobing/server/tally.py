"""What the throws of a game come to so far, kept up act by act instead of counted anew with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bobing.core.acts import Throw
from bobing.core.game import Game, Node


@dataclass(frozen=True, slots=True)
class Tally:
    """Of what stands: throws of each seat, and how often each combination came."""

    throws: Mapping[int, int] = field(default_factory=dict[int, int])
    combinations: Mapping[str, int] = field(default_factory=dict[str, int])

    def with_node(self, node: Node) -> Tally:
        """The tally after one more act in the line of play."""
        act, combination = node.act, node.result.combination
        throws, combinations = self.throws, self.combinations
        if isinstance(act, Throw):
            throws = {**throws, act.seat: throws.get(act.seat, 0) + 1}
        if combination:
            combinations = {**combinations, combination: combinations.get(combination, 0) + 1}
        return Tally(throws, combinations)


def tally_of(game: Game) -> Tally:
    """The tally of a whole game."""
    tally = Tally()
    for node in standing(game):
        tally = tally.with_node(node)
    return tally


def standing(game: Game) -> Sequence[Node]:
    """The acts in the line of play, in order."""
    nodes: list[Node] = []
    node: Node | None = game.line
    while node is not None and node.act is not None:
        nodes.append(node)
        node = node.before
    return nodes[::-1]
