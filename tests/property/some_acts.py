"""Random acts: such as fit a game as it stands, and any at all."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bobing.core.acts import (
    Act,
    Back,
    Close,
    Cocked,
    Correct,
    Join,
    Leave,
    Pass,
    PlayAct,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
    Undo,
)
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.scorebook import scorebook

RARE = ("444411", "444444", "222222", "666666", "111111", "444443", "444446", "444455", "444422", "333334", "333335")
PLAIN = ("123456", "334455", "222333", "444123", "444555", "222244", "222214", "222213", "441235", "412235", "112235")

faces = st.integers(1, 6)
rolls = st.one_of(
    st.tuples(*[faces] * 6).map(Roll),
    st.sampled_from(PLAIN).map(Roll.parse),
    st.sampled_from(PLAIN).map(Roll.parse),
    st.sampled_from(RARE).map(Roll.parse),
)
tiers = st.sampled_from(("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "own", "effect", "一秀"))


def throws(game: Game, seat: int) -> st.SearchStrategy[Throw]:
    """A throw of a seat that mostly fits: what a grab needs is there, and now and then a choice, a waiver, an item."""
    return rolls.flatmap(lambda roll: _throws_of(game, seat, roll))


def _throws_of(game: Game, seat: int, roll: Roll) -> st.SearchStrategy[Throw]:
    row, state = scorebook(game.rules).row(roll), game.state
    there = [other for other in state.order if other not in state.away]
    needed = game.grab_for(roll) if game.next_seat is not None else None
    grab = st.none()
    if needed:
        grab = st.fixed_dictionaries(
            {tier: st.lists(st.sampled_from(there), min_size=n, max_size=n).map(tuple) for tier, n in needed.items()}
        )
    waivable = [tier for tier in (row.tier, *row.bonus) if tier] + (["effect"] if row.effects else [])
    shelves = {tier: sorted(item for item, count in shelf.items() if count) for tier, shelf in state.shelf.items()}
    items = {tier: st.sampled_from(shelves[tier]) for tier in (row.tier, *row.bonus) if tier and shelves.get(tier)}
    empty = row.tier is not None and not state.table[row.tier]
    lower = [tier for tier in game.rules.lower if state.table[tier]]
    return st.builds(
        Throw,
        st.just(seat),
        st.just(roll),
        grab=grab,
        choose=st.one_of(st.none(), st.sampled_from(lower)) if empty and lower else st.none(),
        waive=_seldom((), st.lists(st.sampled_from(waivable), unique=True).map(tuple)) if waivable else st.just(()),
        items=_seldom({}, st.fixed_dictionaries({}, optional=items)) if items else st.just({}),
    )


def _seldom(usual: Any, other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 3).flatmap(lambda chance: other if chance == 0 else st.just(usual))


seats = st.one_of(st.integers(0, 6), st.integers(0, 499))
play_acts: st.SearchStrategy[PlayAct] = st.one_of(
    st.builds(
        Throw,
        seats,
        rolls,
        st.none() | st.dictionaries(tiers, st.lists(seats, max_size=3).map(tuple), max_size=2),
        st.none() | tiers,
        st.lists(tiers, max_size=2).map(tuple),
        st.dictionaries(tiers, st.text(max_size=5), max_size=2),
    ),
    st.builds(Spill, seats, st.none() | rolls),
    st.builds(Cocked, seats),
    st.builds(Pass, seats),
    st.builds(Leave, seats),
    st.builds(Back, seats),
    st.builds(Join, st.none() | seats),
    st.builds(Swap, st.tuples(seats, seats)),
    st.builds(Start, seats, st.tuples(faces, faces)),
    st.builds(RollOff, seats, st.tuples(faces, faces, faces) | st.tuples(*[faces] * 6)),
    st.just(TimeUp()),
    st.just(Close()),
)
acts: st.SearchStrategy[Act] = st.one_of(
    play_acts,
    st.builds(Undo, st.integers(1, 40)),
    st.builds(Correct, st.integers(1, 40), play_acts, st.booleans()),
)
"""Any act at all; most of them fit no game."""
