"""Exact odds and simulated games, two ways to the same figures, for every sheet."""

from __future__ import annotations

import pytest

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.odds.lengths import exact_length
from bobing.odds.sharing import exact_shares
from bobing.odds.simulate import Setting, simulate
from bobing.odds.waiting import last_gone

pytestmark = pytest.mark.exhaustive
SEATS, GAMES = 6, 40_000


@pytest.mark.parametrize("sheet", sheet_keys())
def test_both_agree_within_four_standard_errors(sheet: str):
    rules = find_sheet(sheet)
    law, shares, found = exact_length(rules, SEATS), exact_shares(rules, SEATS), simulate(Setting(rules, SEATS), GAMES)
    pairs = {"mean": (law.mean, found.throws), "no champion": (law.no_champion, found.no_champion)}
    if shares.champion:
        pairs["champion"] = shares.champion[0], found.champion[0]
    pairs |= {tier: (cakes[0], found.cakes[tier][0]) for tier, cakes in shares.cakes.items() if cakes}
    pairs |= {f"{tier} last": (chance, found.last[tier]) for tier, chance in last_gone(rules).items()}
    for name, (exact, (value, error)) in pairs.items():
        assert abs(value - exact) <= 4 * error + 1e-9, (name, exact, value, error)
