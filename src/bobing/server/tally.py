"""What the throws of a game come to so far, kept up act by act instead of counted anew with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bobing.core.acts import Throw
from bobing.core.game import Game, Node
from bobing.core.state import Move

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Tally:
    """Of what stands: throws of each seat, how often each combination came, and cakes in hand by seat and tier.

    items: of tiers whose prizes have names, how many of each a seat holds.
    """

    throws: Mapping[int, int] = field(default_factory=dict[int, int])
    combinations: Mapping[str, int] = field(default_factory=dict[str, int])
    held: Mapping[int, Mapping[str, int]] = field(default_factory=dict[int, Mapping[str, int]])
    items: Mapping[int, Mapping[tuple[str, str], int]] = field(default_factory=dict[int, Mapping[tuple[str, str], int]])

    def with_node(self, node: Node) -> Tally:
        """The tally after one more act in the line of play."""
        act, combination = node.act, node.result.combination
        throws, combinations = self.throws, self.combinations
        if isinstance(act, Throw):
            throws = {**throws, act.seat: throws.get(act.seat, 0) + 1}
        if combination:
            combinations = {**combinations, combination: combinations.get(combination, 0) + 1}
        moves = node.result.moves
        named = [move for move in moves if move.item is not None]
        held = _moved(self.held, moves, lambda move: move.tier) if moves else self.held
        items = _moved(self.items, named, lambda move: (move.tier, move.item or "")) if named else self.items
        return Tally(throws, combinations, held, items)

    def holding(self, seat: int, tiers: Iterable[str]) -> dict[str, int]:
        """Cakes in hand of one seat by tier, in the order of `tiers`; those without a cake are left out."""
        held = self.held.get(seat, {})
        return {tier: held[tier] for tier in tiers if held.get(tier)}

    def items_of(self, seat: int) -> dict[str, dict[str, int]]:
        """Of tiers whose prizes have names, which of them are in hand, and how many."""
        found: dict[str, dict[str, int]] = {}
        for (tier, item), count in self.items.get(seat, {}).items():
            if count:
                found.setdefault(tier, {})[item] = count
        return found


def _moved(
    held: Mapping[int, Mapping[Key, int]], moves: Iterable[Move], key: Callable[[Move], Key]
) -> Mapping[int, Mapping[Key, int]]:
    after = dict(held)
    for move in moves:
        what = key(move)
        for place, cakes in ((move.source, -move.cakes), (move.target, move.cakes)):
            if isinstance(place, int):
                hand = after.get(place, {})
                after[place] = {**hand, what: hand.get(what, 0) + cakes}
    return after


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
