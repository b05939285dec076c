"""Rolls as values, and the two ways to read them: strictly from files, kindly from people."""

from __future__ import annotations

from typing import Any

import pytest

from bobing.core.dice import HANDS, Roll, parse_faces, read_faces
from bobing.core.errors import RollError


@pytest.mark.parametrize("faces", [(), (1, 2, 3, 4, 5), (1,) * 7, (0, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 7), (True,) * 6])
def test_a_roll_is_six_faces(faces: tuple[int, ...]):
    with pytest.raises(RollError, match="six faces"):
        Roll(faces)


def test_faces_are_whole_numbers():
    faces: Any = ("1", "2", "3", "4", "5", "6")
    with pytest.raises(RollError):
        Roll(faces)


def test_every_hand_survives_its_text():
    assert len(HANDS) == 462
    for hand in HANDS:
        assert Roll.parse(str(Roll(hand))).hand == hand


@pytest.mark.parametrize(
    "text", ["444411", " 4 4 4 4 1 1 ", "４４４４１１", "⚃⚃⚃⚃⚀⚀", "四四四四一一", "4,4，4、4-1+1", "⚃️ 444 11"]
)
def test_what_people_type(text: str):
    assert str(Roll.read(text)) == "444411"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "0 dice"),
        ("44441", "5 dice"),
        ("4444111", "7 dice"),
        ("444410", "'0' is no die face"),
        ("444417", "'7' is no die face"),
        ("44441²", "'²' is no die face"),
        ("4 4 4 4 1 one", "'o' is no die face"),
        ("1" * 10_000_000, "too many dice"),
    ],
)
def test_what_people_mistype(text: str, says: str):
    with pytest.raises(RollError, match=says) as refused:
        Roll.read(text)
    assert "444411" in str(refused.value), "says what to type"
    with pytest.raises(RollError, match="expected 6 digits"):
        Roll.parse(text)


def test_other_numbers_of_dice():
    assert parse_faces("46", 2) == read_faces("４ 六", 2) == (4, 6)
    with pytest.raises(RollError, match="such as 44"):
        read_faces("4", 2)
