"""The net change of holdings between two states, as moves."""

from __future__ import annotations

from bobing.core.state import POOL, TABLE, Move, Place, State


def net_moves(before: State, after: State) -> tuple[Move, ...]:
    """The fewest moves that lead from the holdings of one state to those of another, tier by tier."""
    moves: list[Move] = []
    for tier in before.table:
        old, new = _holdings(before, tier), _holdings(after, tier)
        change = {place: new.get(place, 0) - old.get(place, 0) for place in {**old, **new}}
        moves += _matched(tier, change)
    return tuple(moves)


def _holdings(state: State, tier: str) -> dict[Place, int]:
    held: dict[Place, int] = {TABLE: state.table[tier], POOL: state.pool.get(tier, 0)}
    for cake in state.held[tier]:
        held[cake.seat] = held.get(cake.seat, 0) + 1
    return held


def _matched(tier: str, change: dict[Place, int]) -> list[Move]:
    order = sorted(
        change, key=lambda place: (isinstance(place, int), place if isinstance(place, int) else place == POOL)
    )
    gains = [[place, change[place]] for place in order if change[place] > 0]
    moves: list[Move] = []
    for source in order:
        lost = -change[source]
        while lost > 0:
            target, wanted = gains[0]
            cakes = min(lost, int(wanted))
            moves.append(Move(tier, cakes, source, target))
            lost -= cakes
            gains[0][1] = int(wanted) - cakes
            if gains[0][1] == 0:
                gains.pop(0)
    return moves
