"""The rows that are shipped compiled are those of the sheets."""

import pytest

import scorebooks
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import HANDS, Roll
from bobing.quick import answer, score


def test_the_file_is_that_of_the_sheets():
    written = scorebooks.FILE.read_text("utf-8")
    assert written == scorebooks.as_text(scorebooks.compiled()), "run .venv/bin/python tests/scorebooks.py"


@pytest.mark.parametrize("key", sheet_keys())
def test_a_compiled_row_is_the_reading_of_the_hand(key):
    from bobing.cli.score import score as read

    rules = find_sheet(key)
    for hand in HANDS[::7]:
        quick = score("".join(map(str, hand)), key)
        slow = read(Roll(hand), rules)
        assert quick is not None
        assert quick.to_json() == slow.to_json()
        for lang in ("zh-Hans", "zh-Hant", "en"):
            assert quick.lines(lang) == slow.lines(lang)


@pytest.mark.parametrize("alias", ["S7B", "000", "002-ALT", "Philippines", "003t-f"])
def test_sheets_are_found_by_id_in_any_letter_case(alias):
    found = score("444411", alias)
    assert found is not None
    assert found.sheet.key == find_sheet(alias).key


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--help"],
        ["44441"],
        ["4444111"],
        ["444407"],
        ["44441²"],
        ["４４４４１１"],
        ["444411", "--rules", "nothing"],
        ["444411", "--rules"],
        ["444411", "--rules", "S4"],
        ["444411", "--lang", "fr"],
        ["444411", "--jso"],
        ["444411", "--rules=S2"],
        ["444411", "\0"],
    ],
)
def test_calls_that_are_not_plain_are_left_to_the_full_command_line(words):
    assert answer(words) is None
