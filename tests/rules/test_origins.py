"""Every value of every sheet says where it comes from, and what it says holds together."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bobing.core import catalogue
from bobing.core.catalogue import find_key, find_sheet, sheet_keys
from bobing.core.dimensions import POINTS, differences
from bobing.core.rules import RuleSet, rules_from_table

SHEETS = Path(catalogue.__file__).parent / "sheets"
STATED: Mapping[str, Sequence[str]] = tomllib.loads((Path(__file__).parent / "stated.toml").read_text("utf-8"))

CITE = r"\d{3}:\d+(?:-\d+)?"
FORM = re.compile(
    rf"stated {CITE}(?:, {CITE})*"
    r"|resolved B-2 (?:00\d|S\d+)(?:\(\d+\))?"
    r"|decided (?:D-(?:[1-9]|[1-5]\d|6[0-2])|E-(?:[1-9]|1\d|2[0-5]))"
    r"|default"
    r"|practice Philippines"
)
DEFAULTS = ("decided", "default")
"""What the defaults may rest on: nothing is stated where no sheet speaks."""

LENDING = {"xiamen": ((55, 83), (39, 53), (119, 157))}
"""Parts of 003 that lend their set-up, counts and lore to its three rule sheets."""


def own_table(key: str) -> dict[str, Any]:
    return tomllib.loads((SHEETS / f"{key}.toml").read_text("utf-8"))


def parent_of(key: str) -> RuleSet:
    """What a sheet is laid on: the sheet that it extends, or the defaults."""
    parent = own_table(key).get("extends")
    return find_sheet(parent) if parent else rules_from_table({**own_table("defaults"), "key": "defaults"})


def cites(text: str) -> Iterator[tuple[str, int, int]]:
    """(seed, first line, last line) of every place in a text."""
    for seed, first, last in re.findall(r"(\d{3}):(\d+)(?:-(\d+))?", text):
        yield seed, int(first), int(last or first)


def ranges_of(key: str) -> list[tuple[str, int, int]]:
    """The places that a sheet may cite: its own text, and for the sheets of 003 the parts that lend to them."""
    own = list(cites(find_sheet(key).source))
    lent = [("003", *lines) for family, parts in LENDING.items() if key.startswith(family) for lines in parts]
    return own + lent


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("key", sheet_keys())
def test_every_value_has_an_origin_of_a_known_form(key: str, point: str) -> None:
    origin = find_sheet(key).origins.get(point)
    assert origin, f"{key}: {point} has no origin"
    assert FORM.fullmatch(origin), f"{key}: {point} = {origin!r}"


def test_the_origins_are_about_points() -> None:
    for key in ("defaults", *sheet_keys()):
        assert set(own_table(key)["origins"]) <= set(POINTS), key
    assert set(own_table("defaults")["origins"]) == set(POINTS)


def test_the_defaults_state_nothing() -> None:
    assert {origin.split()[0] for origin in own_table("defaults")["origins"].values()} == set(DEFAULTS)


@pytest.mark.parametrize("key", sheet_keys())
def test_what_a_sheet_changes_has_an_origin_of_its_own(key: str) -> None:
    own = own_table(key)["origins"]
    changed = differences(parent_of(key), find_sheet(key))
    without = {point: list(paths) for point, paths in changed.items() if point not in own}
    assert not without


@pytest.mark.parametrize("key", sheet_keys())
def test_a_sheet_cites_its_own_lines(key: str) -> None:
    allowed = ranges_of(key)
    for point, origin in own_table(key)["origins"].items():
        for seed, first, last in cites(origin):
            within = any(seed == text and low <= first <= last <= high for text, low, high in allowed)
            assert within, f"{key}: {point} = {origin!r}, but its text is {allowed}"


@pytest.mark.parametrize("key", sheet_keys())
def test_a_resolution_is_of_the_sheet_itself(key: str) -> None:
    ids = {alias.upper() for alias in find_sheet(key).aliases} | ids_of_parents(key)
    for point, origin in own_table(key)["origins"].items():
        if origin.startswith("resolved"):
            named = re.sub(r"\(\d+\)", "", origin.removeprefix("resolved B-2 ")).upper()
            assert any(alias.startswith(named) for alias in ids), f"{key}: {point} = {origin!r}"


def ids_of_parents(key: str) -> set[str]:
    parent = own_table(key).get("extends")
    return {alias.upper() for alias in find_sheet(parent).aliases} if parent else set()


@pytest.mark.parametrize("sheet", STATED)
def test_what_a_sheet_states_is_no_default(sheet: str) -> None:
    origins = find_sheet(sheet).origins
    assert not {point for point in STATED[sheet] if origins[point] == "default"}


@pytest.mark.parametrize("key", sheet_keys())
def test_nothing_is_called_stated_that_is_not(key: str) -> None:
    stated = {point for sheet, points in STATED.items() if find_key(sheet) == key for point in points}
    own = own_table(key)["origins"].items()
    called = {point for point, origin in own if origin.startswith("stated")}
    assert called <= stated | ENTAILED.get(key, set())


ENTAILED = {"fours-only": {"K3", "Z3"}}
"""S11 prints four prizes by the number of 4s and no others: that leaves no sijin, and nothing for six 1s."""


@pytest.mark.parametrize(
    "origin",
    ["", "stated", "stated 3:1", "stated 003", "resolved 003", "decided D-63", "decided E-26", "decided F-1", "house"],
)
def test_other_forms_are_none(origin: str) -> None:
    assert not FORM.fullmatch(origin)
