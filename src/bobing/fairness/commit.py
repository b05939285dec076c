"""What everybody is bound by before anything is revealed: T0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from bobing.core.canonical import canonical_json
from bobing.fairness.packing import ZEROS, digest, lp, u8, u16, u32

OWN = 1
"""Flag of a seat whose own device has a chain."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of the chains of one seat; `player` is None where it has no device of its own. Seats count from 1."""

    seat: int
    server: bytes
    player: bytes | None

    @property
    def packed(self) -> bytes:
        """The seat in T0."""
        return u16(self.seat) + u8(OWN if self.player else 0) + self.server + (self.player or ZEROS)


def opening_hash(game: bytes, rules: bytes, previous: bytes, links: int, plan: bytes, heads: Sequence[Heads]) -> bytes:
    """T0. rules: the hash that `settings_hash` gives; previous: T0 of the attempt before, or zeros."""
    ordered = sorted(heads, key=lambda one: one.seat)
    seats = b"".join(one.packed for one in ordered)
    return digest("t0", game, rules, previous, u32(links), lp(plan), u16(len(ordered)), seats)


def settings_hash(rules_hash: str, spill: int = 0) -> bytes:
    """What stands in T0 for the rules: their hash, and where dice may leave the bowl, one of that number with it.

    >>> settings_hash("00" * 32) == bytes(32)
    True
    >>> settings_hash("00" * 32, spill=655).hex()[:16]
    '7f44061f27f563d6'
    """
    if not spill:
        return bytes.fromhex(rules_hash)
    return sha256(canonical_json({"rules_hash": rules_hash, "spill": spill})).digest()
