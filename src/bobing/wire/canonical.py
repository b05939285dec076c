"""Canonical JSON by the writer of the wire: the same bytes as the core's own, which needs nothing installed, in a tenth
of the time. A throw is written down twice: as its entry of the log, and as its line of the record.
"""

from __future__ import annotations

import msgspec

from bobing.core.canonical import refuse_floats

_WRITER = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """`value` as `bobing.core.canonical.canonical_json` writes it; floats are refused.

    >>> canonical({"b": [1, True, None], "a": "饼"}).decode()
    '{"a":"饼","b":[1,true,null]}'
    """
    refuse_floats(value)
    return _WRITER.encode(value)
