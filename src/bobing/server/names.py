"""Names that people give themselves, as a table or an event takes them."""

from __future__ import annotations

from collections.abc import Collection

from bobing.core.names import skeleton, told_name
from bobing.server.refusal import refused

_RESERVED = frozenset({"主持人", "系统", "系統", "host", "system", "table"})


def clean_name(text: str, taken: Collection[str] = ()) -> str:
    """The name as it is shown; raises TableRefused (`table/name_empty`, `name_long`, `name_bad`, `name_reserved`).

    A name that looks like one that is taken gets a number.

    >>> clean_name("  小明 "), clean_name("小明", ["小明"])
    ('小明', '小明 2')
    """
    told = told_name(text)
    if told.fault:
        raise refused(f"name_{told.fault}", sign=told.sign)
    if skeleton(told.name) in _RESERVED:
        raise refused("name_reserved")
    return _numbered(told.name, {skeleton(other) for other in taken})


def _numbered(name: str, taken: set[str]) -> str:
    if skeleton(name) not in taken:
        return name
    number = 2
    while skeleton(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"
