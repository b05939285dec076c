"""Every decision has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

DECISIONS = {f"D_{number:02}" for number in range(1, 63)} | {f"E_{number:02}" for number in range(1, 26)}


def test_every_decision_has_a_test_of_its_own():
    """D-1 to D-62 and E-1 to E-25, each with a sentence that says what was decided."""
    tests: dict[str, int] = {}
    for path in Path(__file__).parent.glob("test_decisions_*.py"):
        for number in re.findall(
            r'^def test_([DE]_\d\d)_\w+\([^)]*\):\n    """', path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            tests[number] = tests.get(number, 0) + 1
    assert set(tests) == DECISIONS
