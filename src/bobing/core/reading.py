"""Turns the tables of a rule file into typed sections, and says exactly where a value is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from bobing.core.errors import RulesError
from bobing.core.settings import ANY_TIER, Between

Table = dict[str, Any]
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that no name needs and that upset a terminal or a file: controls, turns of direction, half surrogates."""


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> Table:
    """`over` laid on `base`: tables key by key, everything else replaced.

    >>> merge({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"y": 3}, "b": [2]})
    {'a': {'x': 1, 'y': 3}, 'b': [2]}
    """
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(cast("Table", below), cast("Table", value)) if both else value
    return merged


def read_section(kind: type, table: object, path: str, tiers: Sequence[str]) -> Any:
    """One section dataclass from its table; raises RulesError with the path of the key that is wrong."""
    values = as_table(table, path)
    hints = hints_of(kind)
    check_keys(values, hints, path)
    missing = next((name for name in hints if name not in values), None)
    if missing:
        raise RulesError("is missing", "rules/missing_key", f"{path}.{missing}")
    return kind(**{name: _read(hint, values[name], f"{path}.{name}", tiers) for name, hint in hints.items()})


@cache
def hints_of(kind: type) -> Mapping[str, Any]:
    """The annotated types of a section, by key."""
    return get_type_hints(kind, include_extras=True)


def dimensions_of(hint: Any) -> tuple[str, ...]:
    """The points of difference that a key belongs to, such as ('E3',)."""
    return tuple(extra for extra in hint.__metadata__ if isinstance(extra, str) and extra != ANY_TIER)


def choices_of(hint: Any) -> tuple[object, ...]:
    """The allowed values of a key, or of each entry of its list; () where any fitting value will do."""
    inner = get_args(hint)[0]
    if get_origin(inner) is tuple:
        inner = get_args(inner)[0]
    if get_origin(inner) is tuple:
        inner = get_args(inner)[0]
    if inner is bool:
        return (True, False)
    return get_args(inner) if get_origin(inner) is Literal else ()


def as_table(value: object, path: str) -> Mapping[str, Any]:
    """`value` as a table; raises RulesError."""
    if not isinstance(value, Mapping):
        raise RulesError(f"expected a table, found {shown(value)}", "rules/wrong_type", path)
    return cast("Mapping[str, Any]", value)


def check_keys(table: Mapping[str, Any], known: Mapping[str, Any] | Sequence[str], path: str) -> None:
    """Refuse a key that is not known, with the nearest one that is."""
    for key in table:
        if key not in known:
            raise RulesError(
                f"is not known{nearest(key, known)}",
                "rules/unknown_key",
                f"{path}.{spelt(key)}" if path else spelt(key),
            )


def nearest(word: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    """A sentence tail that names the nearest known word, or lists what is known."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else f"; known here: {', '.join(known)}"


def as_text(value: object, path: str, limit: int = 200, *, filled: bool = False) -> str:
    """A short text without control characters, `filled` where it may not be empty; raises RulesError."""
    if not isinstance(value, str) or len(value) > limit or _UNFIT.search(value) or (filled and not value.strip()):
        wanted = "a text" if not filled else "a text that is not empty,"
        raise RulesError(f"expected {wanted} of at most {limit} signs, found {shown(value)}", "rules/wrong_type", path)
    return value


def as_count(value: object, path: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`; raises RulesError."""
    if type(value) is not int:
        advice = ", without quotes" if isinstance(value, str) else ""
        raise RulesError(f"expected a whole number{advice}, found {shown(value)}", "rules/wrong_type", path)
    if not low <= value <= high:
        raise RulesError(
            f"expected a whole number from {low} to {high}, found {shown(value)}", "rules/out_of_range", path
        )
    return value


def as_list(value: object, path: str, limit: int = 100) -> Sequence[object]:
    """A list of at most `limit` entries; raises RulesError."""
    entries = cast("Sequence[object]", value) if isinstance(value, list | tuple) else None
    if entries is None or len(entries) > limit:
        found = shown(cast("object", value))
        raise RulesError(f"expected a list of at most {limit} entries, found {found}", "rules/wrong_type", path)
    return entries


def shown(value: object) -> str:
    """A value as a message quotes it, cut to a readable length; never fails.

    >>> shown("ten"), shown(16**5000)
    ("'ten'", 'a value too large to show')
    """
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return "a value too large to show"
    return text if len(text) <= 60 else text[:59] + "…"


def spelt(key: str) -> str:
    """A key as a path shows it: as it is, or quoted where it is long or holds unfit signs."""
    return key if len(key) <= 60 and not _UNFIT.search(key) else shown(key)


def _read(hint: Any, value: object, path: str, tiers: Sequence[str]) -> object:
    inner = get_args(hint)[0]
    if inner is bool:
        return _one_of(value, (True, False), path)
    if inner is int:
        span = next(extra for extra in hint.__metadata__ if isinstance(extra, Between))
        return as_count(value, path, span.low, span.high)
    if get_origin(inner) is Literal:
        return _one_of(value, get_args(inner), path)
    entry = get_args(inner)[0]
    if get_origin(entry) is tuple:
        return _groups(value, get_args(get_args(entry)[0]), path)
    return _many_of(value, tiers if ANY_TIER in hint.__metadata__ else get_args(entry), path)


def _one_of(value: object, allowed: Sequence[object], path: str) -> object:
    for choice in allowed:
        if value == choice and type(value) is type(choice):
            return choice
    words = [choice for choice in allowed if isinstance(choice, str)]
    close = get_close_matches(value, words, n=1, cutoff=0.6) if isinstance(value, str) else []
    hint = f"; did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(str(choice).lower() if isinstance(choice, bool) else repr(choice) for choice in allowed)
    raise RulesError(f"found {shown(value)}, allowed: {listed or 'nothing here'}{hint}", "rules/unknown_value", path)


def _many_of(value: object, allowed: Sequence[object], path: str) -> tuple[object, ...]:
    entries = tuple(_one_of(entry, allowed, f"{path}[{i}]") for i, entry in enumerate(as_list(value, path)))
    _refuse_repeats(entries, path)
    return entries


def _groups(value: object, allowed: Sequence[object], path: str) -> tuple[tuple[object, ...], ...]:
    groups = tuple(
        _many_of(cast("object", entry), allowed, f"{path}[{i}]")
        if isinstance(entry, list | tuple)
        else (_one_of(entry, allowed, f"{path}[{i}]"),)
        for i, entry in enumerate(as_list(value, path))
    )
    _refuse_repeats([form for group in groups for form in group], path)
    return groups


def _refuse_repeats(entries: Sequence[object], path: str) -> None:
    repeated = next((entry for i, entry in enumerate(entries) if entry in entries[:i]), None)
    if repeated is not None:
        raise RulesError(f"{shown(repeated)} stands there twice", "rules/repeated", path)
