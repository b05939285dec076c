"""The named sheets, and rule files that people write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, cast

from bobing.core.errors import RulesError
from bobing.core.reading import Table, merge, shown
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.toml_text import TEXT_MAX, read_toml

DEFAULT_SHEET = "minnan"
HOUSE_KEY = "house"
"""The key of a house rule file that has none of its own."""
FILE_MAX = TEXT_MAX
NEAR_IT = 4
"""How many sheets are suggested for a name that none has."""
_SHEETS = Path(__file__).parent / "sheets"
_NOT_SHEETS: Mapping[str, str] = {
    "003g": "it tells how to play, without an order of zhuangyuan; its set-up is in the three xiamen sheets",
    "003p": "it only counts throws; its counts are checked in every census",
    "003c": "it tells of customs and the cake set; they are in the glossary and in the three xiamen sheets",
    "s4": "no rules of play survive in it; its lore is that of the three xiamen sheets",
    "s7c": "it is the beginning of xiamen-tradition, cut off",
}


@cache
def sheet_keys() -> Sequence[str]:
    """The main keys of all named sheets, the default first, then by alphabet.

    >>> sheet_keys()[0], len(sheet_keys())
    ('minnan', 29)
    """
    keys = sorted(path.stem for path in _SHEETS.glob("*.toml") if path.stem != "defaults")
    return (DEFAULT_SHEET, *(key for key in keys if key != DEFAULT_SHEET))


def find_key(name: str) -> str:
    """The main key for a key or a sheet id in any letter case; raises RulesError with the nearest known ones.

    >>> find_key("s12"), find_key("000"), find_key("Minnan")
    ('referee-order', 'wiki-table', 'minnan')
    """
    wanted = name.strip().lower()
    if wanted in sheet_keys():
        return wanted
    if wanted in _NOT_SHEETS:
        raise RulesError(f"{name} is no rule sheet of its own: {_NOT_SHEETS[wanted]}", "rules/not_a_sheet")
    key = _aliases().get(wanted)
    if key is None:
        raise RulesError(
            f"there is no sheet {shown(name)}{_near_it(wanted)}; see `bobing rules list`", "rules/unknown_sheet"
        )
    return key


def _near_it(wanted: str) -> str:
    """A sentence tail with the sheets that may have been meant."""
    known = [*sheet_keys(), *_aliases()]
    if best := get_close_matches(wanted, known, n=1, cutoff=0.8):
        return f"; did you mean {best[0]!r}?"
    parts = [key for key in sheet_keys() if wanted and (wanted in key or wanted in " ".join(_names(key)))]
    found = list(dict.fromkeys([*parts, *get_close_matches(wanted, known, n=NEAR_IT, cutoff=0.5)]))[:NEAR_IT]
    return f"; near it: {', '.join(found)}" if found else ""


def _names(key: str) -> Sequence[str]:
    return [name.lower() for name in _parsed(key).get("names", {}).values()]


def find_sheet(name: str = DEFAULT_SHEET) -> RuleSet:
    """A named sheet by key or id; raises RulesError.

    >>> find_sheet("S12").key
    'referee-order'
    """
    return _named(find_key(name))


def rules_of(rules: RuleSet | str) -> RuleSet:
    """A rule set as it is, or the named sheet of that key or id; raises RulesError."""
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(cast("object", rules), str):
        raise RulesError(
            f"expected a rule set or the key of a sheet, found {shown(rules)}", "rules/wrong_type", "rules"
        )
    return find_sheet(rules)


@cache
def _named(key: str) -> RuleSet:
    return rules_from_table(_sheet_table(key))


def load_rules(name_or_path: str) -> RuleSet:
    """A named sheet, or the rule file at a path (what ends in .toml or exists as a file); raises RulesError."""
    path = Path(name_or_path)
    if name_or_path.endswith(".toml") or ("/" in name_or_path) or _is_file(path):
        return read_rules(_file_text(path))
    return find_sheet(name_or_path)


def read_rules(text: str) -> RuleSet:
    r"""A rule set from the text of a house rule file; raises RulesError with the path of the key that is wrong.

    >>> read_rules('key = "mine"\nextends = "S12"\n[cakes]\nyixiu = 40').cakes["yixiu"]
    40
    """
    house = read_toml(text)
    if "extends" not in house:
        raise RulesError('say which sheet this changes, such as extends = "minnan"', "rules/missing_key", "extends")
    return rules_from_table(complete_table(house))


def complete_table(house: Mapping[str, Any]) -> Table:
    """A house table laid on the sheet that it `extends`, with `house` as the origin of every point it touches."""
    parent = house.get("extends", DEFAULT_SHEET)
    if not isinstance(parent, str):
        raise RulesError(f"expected the key of a sheet, found {shown(parent)}", "rules/wrong_type", "extends")
    _check_own_name(house)
    base = _sheet_table(find_key(parent))
    base["aliases"], base["names"], base["source"] = [], {}, "house"
    merged = merge(base, {"key": HOUSE_KEY, **house, "extends": parent})
    if isinstance(merged.get("origins"), Mapping):
        merged["origins"] = {**merged["origins"], **dict.fromkeys(_touched(house), "house")}
    return merged


def _check_own_name(house: Mapping[str, Any]) -> None:
    """A house rule file does not pass for a named sheet."""
    key = house.get("key")
    if isinstance(key, str) and key.strip().lower() in {*sheet_keys(), *_aliases()}:
        raise RulesError(f"{shown(key)} is the name of a printed sheet; choose another", "rules/taken_key", "key")
    if "aliases" in house:
        raise RulesError("only printed sheets have aliases; leave this out", "rules/unknown_key", "aliases")


def _touched(house: Mapping[str, Any]) -> Sequence[str]:
    from bobing.core.dimensions import points_of

    return [
        point
        for section, table in house.items()
        if isinstance(table, Mapping)
        for key in cast("Table", table)
        for point in points_of(section, key)
    ]


def _sheet_table(key: str) -> Table:
    own = _parsed(key)
    base = _sheet_table(find_key(own["extends"])) if "extends" in own else _parsed("defaults")
    return merge(base, own)


@cache
def _parsed(stem: str) -> Table:
    return tomllib.loads((_SHEETS / f"{stem}.toml").read_text(encoding="utf-8"))


@cache
def _aliases() -> Mapping[str, str]:
    """Sheet ids to main keys, read from the head of each file without parsing the rest."""
    found: dict[str, str] = {}
    for key in sheet_keys():
        head = (_SHEETS / f"{key}.toml").read_text(encoding="utf-8")[:400]
        line = re.search(r"^aliases = \[(.*)\]$", head, re.MULTILINE)
        for alias in re.findall(r'"([^"]+)"', line.group(1) if line else ""):
            found[alias.lower()] = key
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _file_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_MAX + 1)
    except OSError as bad:
        raise RulesError(f"cannot read {shown(str(path))}: {bad.strerror}", "rules/no_file") from None
    if len(data) > FILE_MAX:
        raise RulesError(f"a rule file has at most {FILE_MAX} bytes", "rules/too_large")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulesError("a rule file is UTF-8 text; save it as UTF-8", "rules/no_toml") from None
