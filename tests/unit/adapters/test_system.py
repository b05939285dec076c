"""The system's dice and clock."""

import secrets
import time
from collections import Counter

import pytest

from bobing.adapters.system import SystemClock, SystemDice
from support.dice import ScriptedDice


def test_faces_come_from_the_secure_source(monkeypatch):
    asked = []

    def randbelow(limit):
        asked.append(limit)
        return len(asked) % limit

    monkeypatch.setattr(secrets, "randbelow", randbelow)
    assert SystemDice().throw() == (2, 3, 4, 5, 6, 1)
    assert asked == [6] * 6


def test_all_faces_come_up_alike():
    """60,000 faces; each comes within nine standard deviations of its share."""
    counts = Counter(face for _ in range(10_000) for face in SystemDice().throw())
    assert counts.keys() == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 10_000) < 9 * (60_000 * 5 / 36) ** 0.5 for count in counts.values())


@pytest.mark.parametrize("dice", [0, 1, 6, 12])
def test_so_many_dice_are_thrown(dice):
    assert len(SystemDice().throw(dice)) == dice


def test_the_clock_runs_in_milliseconds():
    clock = SystemClock()
    wall, monotonic = clock.wall_ms(), clock.monotonic_ms()
    time.sleep(0.02)
    assert abs(clock.wall_ms() / 1000 - time.time()) < 1
    assert 20 <= clock.monotonic_ms() - monotonic < 10_000
    assert wall > 1_700_000_000_000


def test_scripted_dice_stop_loudly():
    dice = ScriptedDice("444411", "12")
    assert dice.throw() == (4, 4, 4, 4, 1, 1)
    with pytest.raises(AssertionError, match="2 dice here, 6 are thrown"):
        dice.throw()
    with pytest.raises(AssertionError, match="no throw left"):
        dice.throw()
