"""The tables of vectors/ are those of the engine, and the judge reads the sheets to the same tables."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import score_vectors
from bobing.core.catalogue import find_key, sheet_keys
from bobing.core.dice import HANDS
from judge.scoring import census, score
from judge.sheets import SHEETS

FILES = score_vectors.files()


def rows(path: str) -> list[list[str]]:
    """The words of each line that is no heading, as any reader of the file finds them."""
    text = (score_vectors.FOLDER / path).read_text("utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def test_there_is_a_file_for_each_sheet_and_no_other():
    found = {str(path.relative_to(score_vectors.FOLDER)) for path in score_vectors.FOLDER.glob("[cs]*/*.txt")}
    assert found == set(FILES)
    assert len(FILES) == 2 * len(sheet_keys())


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_current(path: str):
    written = (score_vectors.FOLDER / path).read_text("utf-8")
    assert written == FILES[path], "run .venv/bin/python tests/score_vectors.py"


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_judge_gives_the_same_scores(sheet: str):
    found = rows(f"scores/{find_key(sheet)}.txt")
    assert [row[0] for row in found] == ["".join(map(str, hand)) for hand in HANDS]
    ranked: list[tuple[Any, int]] = []
    for hand, combination, tier, bonus, strength in found:
        reading = score(SHEETS[sheet], [int(face) for face in hand])
        awards = [(tier, False)] * (tier != "-") + [(bonus, True)] * (bonus != "-")
        assert combination == reading["combination"]
        assert awards == [(award["tier"], award["bonus"]) for award in reading["awards"]]
        assert (strength == "-") == (reading["strength_key"] is None)
        if strength != "-":
            ranked.append((reading["strength_key"], int(strength)))
    for (low, low_found), (high, high_found) in pairwise(sorted(ranked)):
        assert (low < high) == (low_found < high_found)
        assert low_found <= high_found


@pytest.mark.exhaustive
@pytest.mark.parametrize("sheet", SHEETS)
def test_the_judge_counts_the_same_census(sheet: str):
    counted = census(SHEETS[sheet])
    found = {words[0]: words[1:] for words in rows(f"census/{find_key(sheet)}.txt") if len(words) == 4}
    none = found.pop("none")
    assert {tier: int(words[1]) for tier, words in found.items()} == counted["awards"]
    assert {tier: int(words[0]) for tier, words in found.items()} == dict(SHEETS[sheet].cakes)
    assert {tier: int(words[2]) for tier, words in found.items() if words[2] != "-"} == counted["bonus"]
    assert int(none[1]) == counted["none"]
