"""The net change of holdings between two states, as moves."""

from __future__ import annotations

from bobing.core.state import POOL, TABLE, Move, Place, State


def net_moves(before: State, after: State) -> tuple[Move, ...]:
    """The fewest moves that lead from the holdings of one state to those of another, tier by tier."""
    moves: list[Move] = []
    for tier in before.table:
        eaten = before.pool.get(tier) != after.pool.get(tier)  # what is eaten by all has lost its name
        old, new = _holdings(before, tier, named=not eaten), _holdings(after, tier, named=not eaten)
        items = dict.fromkeys(item for item, _ in {**old, **new})
        for item in items:
            places = dict.fromkeys(place for of, place in {**old, **new} if of == item)
            change = {place: new.get((item, place), 0) - old.get((item, place), 0) for place in places}
            moves += _matched(tier, item, change)
    return tuple(moves)


def _holdings(state: State, tier: str, *, named: bool) -> dict[tuple[str | None, Place], int]:
    """Cakes of a tier by item and place; without `named` all items are one."""
    shelf = state.shelf.get(tier) if named else None
    table = {None: state.table[tier]} if shelf is None else shelf
    held: dict[tuple[str | None, Place], int] = {(item, TABLE): count for item, count in table.items()}
    held[None, POOL] = state.pool.get(tier, 0)
    for cake in state.held[tier]:
        item = cake.item if named else None
        held[item, cake.seat] = held.get((item, cake.seat), 0) + 1
    return held


def _matched(tier: str, item: str | None, change: dict[Place, int]) -> list[Move]:
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
            moves.append(Move(tier, cakes, source, target, item))
            lost -= cakes
            gains[0][1] = int(wanted) - cakes
            if gains[0][1] == 0:
                gains.pop(0)
    return moves
