"""The hash chain of a log: each entry is hashed with the hash of the one before (`bobing-fair/1`, event chain)."""

from __future__ import annotations

from hashlib import sha256

ZERO = bytes(32)
"""What the first entry is chained to."""

_TAG = b"bobing/1/ev\x00"


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of an entry: SHA-256 of the tag, the hash before it, the length of `body` in four bytes, and `body`.

    >>> link(ZERO, b"{}").hex()[:16]
    '58203f9b8b582495'
    """
    return sha256(_TAG + previous + len(body).to_bytes(4, "big") + body).digest()
