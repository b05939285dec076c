"""Records as somebody would write them who forges them with care."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bobing.core.canonical import canonical_json
from bobing.core.chain import ZERO, link


def rechained(values: Iterable[dict[str, Any]]) -> list[bytes]:
    """The lines of a record with all hashes worked out anew."""
    last, lines = ZERO, list[bytes]()
    for value in values:
        told = value
        if "name" not in told:
            told = {key: entry for key, entry in told.items() if key != "h"}
            last = link(last, canonical_json(told))
            told["h"] = last.hex()
        lines.append(canonical_json(told) + b"\n")
    return lines
