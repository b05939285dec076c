"""The pages on rules say what the sheets say: nothing stale, no sheet or decision left out."""

import re
import tomllib
from pathlib import Path

import pytest

from bobing.core import catalogue
from bobing.core.catalogue import DEFAULT_SHEET, find_key, find_sheet, sheet_keys
from bobing.core.dimensions import differences
from bobing.core.errors import RulesError
from bobing.core.reading import merge
from bobing.core.rules import rules_from_table, setting_paths
from dimensions_page import PAGE, page

RULES = Path(__file__).parents[2] / "docs" / "rules"
SHEETS = Path(catalogue.__file__).parent / "sheets"
ORIGINS = {path.stem: tomllib.loads(path.read_text("utf-8"))["origins"] for path in sorted(SHEETS.glob("*.toml"))}


def rows(name, heading):
    """The cells of the table under a heading, without its head."""
    text = (RULES / name).read_text("utf-8")
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_page_of_points_is_fresh():
    assert PAGE.read_text("utf-8") == page(), "run .venv/bin/python tests/dimensions_page.py"


def test_the_page_of_points_has_every_setting():
    for path in setting_paths():
        assert f"\n`{path}`\n" in page(), path


def test_every_sheet_is_on_the_page():
    listed = {key.strip("`"): ids for key, ids, *_ in rows("sheets.md", "All sheets")}
    assert set(listed) == set(sheet_keys())
    for key, ids in listed.items():
        assert ids == (", ".join(find_sheet(key).aliases) or "–"), key
    assert f"**`{DEFAULT_SHEET}`**" in (RULES / "sheets.md").read_text("utf-8")


def test_what_is_no_sheet_is_told_and_refused():
    told = [name for name, *_ in rows("sheets.md", "Texts that are no sheets of their own")]
    assert told == ["003G", "003P", "003C", "S4", "S7c"]
    for name in told:
        with pytest.raises(RulesError) as refused:
            find_key(name)
        assert refused.value.code == "rules/not_a_sheet"


def codes():
    """Every D, E or B-2 code that an origin names."""
    for key, origins in ORIGINS.items():
        for point, origin in origins.items():
            for code in re.findall(r"[DE]-\d+|B-2 \S+", origin):
                yield pytest.param(code, id=f"{key}-{point}")


@pytest.mark.parametrize("code", list(codes()))
def test_every_origin_is_explained(code):
    text = (RULES / "decisions.md").read_text("utf-8")
    assert f"\n- **{code}** " in text, f"docs/rules/decisions.md does not explain {code}"


def test_every_decision_is_there_once_and_in_order():
    named = re.findall(r"^- \*\*([DE]-\d+)\*\* .{10}", (RULES / "decisions.md").read_text("utf-8"), re.MULTILINE)
    assert named == [f"D-{n}" for n in range(1, 63)] + [f"E-{n}" for n in range(1, 26)]


def test_the_example_of_a_new_sheet_is_one():
    text = (RULES / "new-sheet.md").read_text("utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    defaults = tomllib.loads((SHEETS / "defaults.toml").read_text("utf-8")) | {"key": "defaults"}
    sheet = tomllib.loads(example)
    changed = differences(rules_from_table(defaults), rules_from_table(merge(defaults, sheet)))
    assert set(changed) == {"C5", "C6", "N4"} <= set(sheet["origins"])
    assert sheet["key"] not in sheet_keys()
