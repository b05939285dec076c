"""The simulation against the core: the same throws, and after each the same table, for every sheet and house rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.rules import RuleSet
from bobing.odds.simulate import kernel as k
from bobing.odds.simulate.blocks import CoreTable, stream_of
from bobing.odds.simulate.midway import memory_at
from bobing.odds.simulate.setting import Setting
from bobing.odds.simulate.tables import FORMS, REASONS, memory_of
from property.house_rules import rule_sets, small_rule_sets
from property.trying import tries

pytestmark = pytest.mark.exhaustive
RARE = ("444411", "444444", "222222", "666666", "111111", "123456", "444433", "333334", "444123", "222244", "222214")


class LoadedTable(CoreTable):
    """A table of the core with dice on which some throws come more often."""

    loaded: np.ndarray

    def _faces(self, dice: int) -> tuple[int, ...]:
        number = self._below(6**dice)
        if dice == 6 and self.game.state.rolloff is None:
            number = int(self.loaded[number])
        return tuple(number // 6**place % 6 + 1 for place in reversed(range(dice)))


def load(share: float, seed: int) -> np.ndarray:
    """Which throw each number stands for, so that this share of them are rare ones."""
    dice = np.random.default_rng(seed)
    numbers = np.arange(k.THROWS)
    rare = np.array([sum((int(face) - 1) * 6 ** (5 - i) for i, face in enumerate(text)) for text in RARE])
    chosen = dice.random(k.THROWS) < share
    numbers[chosen] = dice.choice(rare, chosen.sum())
    return numbers


def check_alike(setting: Setting, loaded: np.ndarray, stop: int = 10_000, anew: int = 0):
    """Play one game on both, and compare the tables after every throw.

    anew: after so many throws each time, the simulation begins anew from where the core stands.
    """
    rules, seats = setting.rules, setting.seats
    throws, rows = setting.arrays
    throws = np.ascontiguousarray(throws[:, loaded])
    memory = memory_of(rules, seats, setting.cap)
    ours, theirs = stream_of(setting.seed, 0), stream_of(setting.seed, 0)
    table = LoadedTable(setting, theirs)
    table.loaded = loaded
    k.deal_out(memory)
    acts = 0
    while not table.game.finished and acts < stop:
        if anew and acts % anew == 0:
            memory, order = memory_at(table.game, setting.cap and setting.cap - table.thrown)
            assert order == tuple(range(seats))
        acts += 1
        table.throw()
        k.play(throws, rows, memory, ours, np.uint64(setting.spill), int(memory[k.ACTS]) + 1)
        told = seen(memory, rules, seats)
        assert told == wanted(table, rules, seats), (acts, table.game.last)
        assert (ours == theirs).all()


def seen(m: np.ndarray, rules: RuleSet, seats: int) -> dict[str, object]:
    tiers, held = len(rules.tiers), m[m[k.HELD] :]
    title = int(m[k.TITLE])
    return {
        "table": m[k.TABLE : k.TABLE + tiers].tolist(),
        "pool": m[k.POOL : k.POOL + tiers].tolist(),
        "held": held[: tiers * seats].reshape(tiers, seats).tolist(),
        "lines": [
            [(int(cake) // 2, bool(cake % 2)) for cake in m[m[k.LINE + tier] : m[k.LINE_END + tier]]]
            for tier in range(tiers)
            if m[k.IN_ORDER + tier]
        ],
        "title": title,
        "form": FORMS[m[m[k.FORM] + title]] if title >= 0 else "",
        "reason": REASONS[m[k.OVER]],
        "throwing off": int(m[k.RIVALS]),
        "seat": -1 if m[k.OVER] else int(m[m[k.RIVAL_SEAT] + m[k.RIVAL]] if m[k.RIVALS] else m[k.SEAT]),
    }


def wanted(table: CoreTable, rules: RuleSet, seats: int) -> dict[str, object]:
    state = table.game.state
    keys = [tier.key for tier in rules.tiers]
    memory = memory_of(rules, seats, 0)
    title = -1 if state.title is None else state.title
    return {
        "table": [state.table[key] for key in keys],
        "pool": [state.pool.get(key, 0) for key in keys],
        "held": [[sum(cake.seat == seat for cake in state.held[key]) for seat in range(seats)] for key in keys],
        "lines": [
            [(cake.seat, cake.granted) for cake in state.held[key]]
            for i, key in enumerate(keys)
            if memory[k.IN_ORDER + i]
        ],
        "title": title,
        "form": state.claims[title].combination if state.title is not None else "",
        "reason": state.finished or "",
        "throwing off": len(state.rolloff.seats) if state.rolloff else 0,
        "seat": -1 if table.game.next_seat is None else table.game.next_seat,
    }


@pytest.mark.parametrize("sheet", sheet_keys())
def test_every_sheet_throw_for_throw(sheet: str):
    rules = find_sheet(sheet)
    for seed, (share, seats, spills) in enumerate([(0, 10, 0.0), (0.1, 3, 0.05), (0.3, 5, 0.0), (0.02, 7, 0.0)]):
        check_alike(Setting(rules, max(seats, rules.setup.seats_min), seed, spills=spills), load(share, seed))


@pytest.mark.parametrize("anew", [1, 17])
@pytest.mark.parametrize("sheet", sheet_keys())
def test_every_sheet_is_played_on_from_the_middle(sheet: str, anew: int):
    rules = find_sheet(sheet)
    for seed, (share, seats, spills) in enumerate([(0.02, 6, 0.0), (0.2, 3, 0.05), (0.3, 5, 0.0)]):
        check_alike(
            Setting(rules, max(seats, rules.setup.seats_min), seed, spills=spills), load(share, seed), anew=anew
        )


@given(
    rules=st.one_of(rule_sets(), small_rule_sets()),
    seats=st.integers(0, 4),
    seed=st.integers(0, 2**32),
    share=st.sampled_from((0.0, 0.05, 0.3)),
    spills=st.sampled_from((0.0, 0.0, 0.1)),
    seconds=st.sampled_from((12, 600)),
    anew=st.sampled_from((0, 1, 5)),
)
@tries(60)
def test_house_rules_throw_for_throw(
    rules: RuleSet, seats: int, seed: int, share: float, spills: float, seconds: int, anew: int
):
    setting = Setting(rules, rules.setup.seats_min + seats, seed, seconds, spills)
    check_alike(setting, load(share, seed), 600, anew)
