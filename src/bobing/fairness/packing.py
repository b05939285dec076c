"""How numbers and texts become the bytes that are hashed. Numbers are big-endian, hashes SHA-256."""

from __future__ import annotations

import hmac
from hashlib import sha256

HASH = 32
ZEROS = bytes(HASH)
"""Stands where there is nothing to hash."""


def tag(name: str) -> bytes:
    r"""What every hash begins with, so that none can pass for one of another kind.

    >>> tag("t0")
    b'bobing/1/t0\x00'
    """
    return b"bobing/1/" + name.encode("ascii") + b"\0"


def u8(number: int) -> bytes:
    """A number in one byte."""
    return number.to_bytes(1, "big")


def u16(number: int) -> bytes:
    """A number in two bytes."""
    return number.to_bytes(2, "big")


def u32(number: int) -> bytes:
    """A number in four bytes."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """A number in eight bytes."""
    return number.to_bytes(8, "big")


def lp(text: bytes) -> bytes:
    r"""Bytes behind their length in two bytes.

    >>> lp(b"abc")
    b'\x00\x03abc'
    """
    return u16(len(text)) + text


def digest(name: str, *parts: bytes) -> bytes:
    """SHA-256 of a tag and what follows it."""
    return sha256(tag(name) + b"".join(parts)).digest()


def keyed(key: bytes, name: str, *parts: bytes) -> bytes:
    """HMAC-SHA256 of a tag and what follows it."""
    return hmac.digest(key, tag(name) + b"".join(parts), sha256)
