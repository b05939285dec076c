"""What follows once everybody has shown the first link: the seed J, and six signs of it that every screen shows."""

from __future__ import annotations

from collections.abc import Mapping

from bobing.fairness.packing import ZEROS, digest, lp, u16

_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's


def seed(opening: bytes, reveals: Mapping[int, bytes | None], beacon: bytes = b"") -> bytes:
    """J, from T0 and link 1 of every seat in it (None where the seat has no device of its own)."""
    seats = b"".join(u16(seat) + (link or ZEROS) for seat, link in sorted(reveals.items()))
    return digest("j", opening, u16(len(reveals)), seats, lp(beacon))


def signs(seed: bytes) -> str:
    """The first 30 bits as six signs of Crockford's base 32, for people to compare.

    >>> signs(bytes.fromhex("a4ec29cded"))
    'MKP2KK'
    """
    bits = int.from_bytes(seed[:4], "big") >> 2
    return "".join(_SIGNS[bits >> shift & 31] for shift in range(25, -1, -5))
