"""Every row of docs/attacks.md has tests of its number in the files it names, and every such test has its row."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+) \| .+ \| .+ \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"^def test_attack_(\d\d)_", re.MULTILINE)


def rows():
    """Number and files of each row; `the same` stands for what the row before has first."""
    last = ""
    for number, told in ROW.findall((ROOT / "docs" / "attacks.md").read_text("utf-8")):
        files = re.findall(r"\]\(\.\./([^)]+)\)", told)
        files = [last, *files] if "the same" in told else files
        last = files[0]
        yield int(number), files


ROWS = dict(rows())
TRIED = {path: {int(n) for n in TEST.findall(path.read_text("utf-8"))} for path in (ROOT / "tests").rglob("test_*.py")}


def test_all_rows_are_there():
    assert ROWS.keys() >= {*range(1, 61), *range(62, 76)}


@pytest.mark.parametrize("number", ROWS)
def test_a_row_is_tried(number):
    for file in ROWS[number]:
        assert number in TRIED[ROOT / file], file


def test_every_attack_that_is_tried_has_its_row():
    assert set().union(*TRIED.values()) - ROWS.keys() == set()
