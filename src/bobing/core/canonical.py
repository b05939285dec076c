"""Strict JSON in, canonical JSON out: sorted keys, no spaces, UTF-8, no floats, no repeated keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, cast

from bobing.core.errors import BobingError

DEPTH_MAX = 40
_LARGEST = 2**53 - 1  # whole numbers that every reader of JSON keeps exactly


class JsonError(BobingError):
    """Text that is not the strict JSON this project exchanges."""

    code = "json/bad"


def canonical_json(value: object) -> bytes:
    """`value` as canonical JSON bytes; floats are refused.

    >>> canonical_json({"b": [1, True, None], "a": "饼"}).decode()
    '{"a":"饼","b":[1,true,null]}'
    """
    refuse_floats(value)
    return _CANONICAL.encode(value).encode()


def strict_json(text: str) -> Any:
    """Read JSON without repeated keys, floats, NaN, huge numbers, lone surrogates or deep nesting; raises JsonError.

    >>> strict_json('{"seat":0}')
    {'seat': 0}
    """
    try:
        value = _STRICT.decode(text)
    except RecursionError:
        raise JsonError("this JSON is nested too deeply", "json/too_deep") from None
    except json.JSONDecodeError as bad:
        raise JsonError(f"this is no JSON: {bad.msg} at sign {bad.pos + 1}") from None
    _check_texts(value, 0)
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise JsonError(f"the key {twice[:40]!r} stands there twice", "json/repeated_key")
    return table


def _no_constant(text: str) -> Any:
    raise JsonError(f"{text} is no number", "json/bad_number")


def _no_float(text: str) -> Any:
    raise JsonError(f"{text[:20]} is not a whole number in plain digits", "json/bad_number")


def _small_int(text: str) -> int:
    if len(text) > 17 or text == "-0" or abs(int(text)) > _LARGEST:
        raise JsonError(f"{text[:20]} is out of range", "json/bad_number")
    return int(text)


def _check_texts(value: object, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise JsonError("this JSON is nested too deeply", "json/too_deep")
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE.search(value):
            raise JsonError("a text holds half a surrogate pair", "json/bad_text")
    elif isinstance(value, dict):
        for key, entry in cast("dict[str, object]", value).items():
            _check_texts(key, depth)
            _check_texts(entry, depth + 1)
    elif isinstance(value, list):
        for entry in cast("list[object]", value):
            _check_texts(entry, depth + 1)


def refuse_floats(value: object) -> None:
    """Raise TypeError where there is a float in a value: readers of JSON do not agree on how one is written."""
    if isinstance(value, float):
        raise TypeError("canonical JSON holds no floats")
    inside: Iterable[object] = ()
    if isinstance(value, dict):
        inside = cast("dict[str, object]", value).values()
    elif isinstance(value, (list, tuple)):
        inside = cast("list[object]", value)
    for entry in inside:
        if type(entry) not in _PLAIN:
            refuse_floats(entry)


_PLAIN = frozenset((str, int, bool, type(None)))
_SURROGATE = re.compile("[\ud800-\udfff]")
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_STRICT = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_no_constant, parse_float=_no_float, parse_int=_small_int
)
