"""Writes docs/rules/dimensions.md from the sheets: `.venv/bin/python tests/dimensions_page.py`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import starmap
from pathlib import Path
from textwrap import fill
from typing import Any

from bobing.core import catalogue
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dimensions import POINTS, settings_by_point, value_at
from bobing.core.reading import choices_of, hints_of
from bobing.core.rules import RuleSet, rules_from_table, setting_paths
from bobing.core.settings import SECTIONS
from bobing.i18n.settings import point_title, setting_text

PAGE = Path(__file__).parents[1] / "docs" / "rules" / "dimensions.md"
SHEETS = Path(catalogue.__file__).parent / "sheets"

HEAD = """\
# The 52 points on which sheets differ

Each point has one or more settings, which are keys of a rule file (`liubohong.takes` is the key `takes` under
`[liubohong]`). The tables show every value, what it means, and the [sheets](sheets.md) that have it; **default** marks
what a sheet has where it says nothing. A setting that belongs to several points stands under the first.

Where each value comes from stands [at the end](#where-the-values-come-from); `bobing rules show KEY` tells the same of
one sheet.

This page is written from the sheets; after a change there, run `.venv/bin/python tests/dimensions_page.py`.
"""

ORIGINS_HEAD = """\
## Where the values come from

The [origin](decisions.md) of each sheet's value: `stated` with source and line, `resolved` where a sheet contradicts
itself (B-2), `decided` where it leaves a gap (D and E), `practice` where no print says it. A sheet that is not named
has the origin of the sheet that it extends, else the default.
"""

GROUPS = {
    "G": "Before the first throw",
    "K": "Cakes and tiers",
    "C": "Combinations",
    "Z": "The zhuangyuan",
    "E": "What special throws do",
    "X": "Cakes that are gone",
    "N": "Faults and end",
    "U": "Customs",
}


def page() -> str:
    """The whole page."""
    parts, told = [HEAD], set[str]()
    for point in POINTS:
        if point[1:] == "1":
            parts.append(f"## {GROUPS[point[0]]}\n")
        parts += [f"### {point} {point_title('en', point)}\n", f"{point_title('zh-Hans', point)}\n"]
        for path in settings_by_point()[point]:
            if path in told:
                parts.append(f"`{path}`: see {first_point_of(path)}.\n")
            else:
                told.add(path)
                parts.append(table(path))
    parts += [ORIGINS_HEAD, "".join(map(where_from, POINTS))]
    return "\n".join(parts)


def first_point_of(path: str) -> str:
    point = next(point for point in POINTS if path in settings_by_point()[point])
    return f"[{point}](#{anchor(point)})"


def anchor(point: str) -> str:
    heading = f"{point} {point_title('en', point)}".lower()
    return "".join(sign for sign in heading if sign.isalnum() or sign in " -_").replace(" ", "-")


@cache
def own_table(key: str) -> Mapping[str, Any]:
    return tomllib.loads((SHEETS / f"{key}.toml").read_text("utf-8"))


@cache
def defaults() -> RuleSet:
    return rules_from_table({**own_table("defaults"), "key": "defaults"})


@cache
def sheets() -> Sequence[RuleSet]:
    """All sheets in the order of their ids."""
    return sorted(map(find_sheet, sheet_keys()), key=lambda rules: id_order(sheet_id(rules)))


def sheet_id(rules: RuleSet) -> str:
    return rules.aliases[0] if rules.aliases else rules.key


def id_order(name: str) -> tuple[int, int, str]:
    number = "".join(sign for sign in name.partition("-")[0] if sign.isdigit())
    return name[0].isalpha() + (name[0].islower()), int(number or 0), name


# ---- values ------------------------------------------------------------------------------------------------------


def table(path: str) -> str:
    """Every value of one setting with its meaning and its sheets."""
    default = value_at(defaults(), path)
    holders: dict[str, list[str]] = {}
    values: dict[str, Any] = {}
    for value in [default, *options(path)]:
        values.setdefault(key_of(value), value)
        holders.setdefault(key_of(value), [])
    for rules in sheets():
        value = value_at(rules, path)
        values.setdefault(key_of(value), value)
        holders.setdefault(key_of(value), []).append(sheet_id(rules))
    fixed = path in setting_paths()
    head = ["value", "in words", "sheets"] if fixed else ["value", "sheets"]
    lines = [head, ["---"] * len(head)]
    for key, value in values.items():
        mark = " **default**" if key == key_of(default) else ""
        words = [setting_text("en", path, value)] if fixed else []
        lines.append([f"{shown(path, value)}{mark}", *words, who(holders[key], default=bool(mark))])
    return f"`{path}`\n\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def options(path: str) -> Iterator[Any]:
    """The values that the type of a setting names, where it is one choice."""
    if path in setting_paths():
        section, key = path.split(".")
        hint = hints_of(SECTIONS[section])[key]
        if not isinstance(value_at(defaults(), path), list):
            yield from choices_of(hint)


def key_of(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def shown(path: str, value: Any) -> str:
    if value is None:
        return "no such tier"
    if isinstance(value, Mapping):
        return tier_table(path, value) or "none"
    if path == "ranks.order":
        value = [group[0] if len(group) == 1 else group for group in value]
    return f"`{key_of(value)}`"


def tier_table(path: str, value: Mapping[str, Any]) -> str:
    if path == "ranking":
        return " > ".join(value["tiers"])
    return ", ".join(f"{tier} {entry_text(entry)}" for tier, entry in value.items())


def entry_text(entry: Any) -> str:
    if isinstance(entry, Mapping):
        return f"“{entry['en']}”"
    return " and ".join(entry) if isinstance(entry, list) else str(entry)


def who(ids: Sequence[str], *, default: bool) -> str:
    if len(ids) == len(sheets()):
        return "all"
    if default and len(ids) > len(sheets()) // 2:
        return "all others"
    return ", ".join(ids) or "–"


# ---- origins -----------------------------------------------------------------------------------------------------


def where_from(point: str) -> str:
    """The origins of a point by kind and place; a sheet that takes over what it extends is left out."""
    places: dict[str, dict[str, list[str]]] = {kind: {} for kind in ("stated", "resolved", "decided", "practice")}
    for rules in sheets():
        origin = own_table(rules.key)["origins"].get(point)
        if origin:
            kind, _, place = origin.partition(" ")
            places[kind].setdefault(place, []).append(sheet_id(rules))
    told = [f"{kind} {'; '.join(starmap(with_sheets, found.items()))}" for kind, found in places.items() if found]
    told.append(f"default: {defaults().origins[point]}".removesuffix(": default"))
    lines = (fill(each, 100, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False) for each in told)
    return "".join(f"{line}\n" for line in (f"- **{point}** {point_title('en', point)}", *lines))


def with_sheets(place: str, ids: Sequence[str]) -> str:
    return f"{place} ({', '.join(ids)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
