"""Until when a certificate holds: the one figure of it that the standard library does not tell of a file."""

from __future__ import annotations

import calendar
import re
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_VERSION, _TWO_DIGITS = 0xA0, 0x17
"""Tags of DER: that of a field that may be left out, and that of a time whose year has two digits."""


def ends(path: Path) -> int:
    """The second since 1970 with which the first certificate of a good PEM file ends."""
    found = _BLOCK.search(path.read_text("ascii", "replace"))
    assert found is not None, "it was loaded before"
    return ends_of(ssl.PEM_cert_to_DER_cert(found[0]))


def ends_of(der: bytes) -> int:
    """The same of a certificate in DER: version, number, algorithm, issuer, then from when until when it holds."""
    ((_, whole),) = _parts(der)
    _, signed = next(_parts(whole))
    fields = [part for part in _parts(signed) if part[0] != _VERSION]
    _, (tag, until) = _parts(fields[3][1])
    text = until.decode("ascii")
    if tag == _TWO_DIGITS:
        text = ("19" if text >= "50" else "20") + text
    return calendar.timegm(time.strptime(text, "%Y%m%d%H%M%SZ"))


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of each part of DER."""
    at = 0
    while at < len(data):
        tag, size, at = data[at], data[at + 1], at + 2
        if size & 0x80:
            more = size & 0x7F
            size, at = int.from_bytes(data[at : at + more], "big"), at + more
        yield tag, data[at : at + size]
        at += size
