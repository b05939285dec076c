"""The seed of a seat that came when J was known already: it hangs on what everybody else has still to show."""

from __future__ import annotations

from collections.abc import Sequence

from bobing.fairness.commit import Heads
from bobing.fairness.packing import ZEROS, digest, u16, u32


def late_seed(seed: bytes, heads: Heads, reveal: bytes | None, laps: Sequence[tuple[int, int, bytes]]) -> bytes:
    """J of a late seat. laps: (seat, k, link k+1) of the second draw, after it came, of every seat whose device took
    part then, by rising seat."""
    links = b"".join(u16(seat) + u32(k) + link for seat, k, link in laps)
    return digest("late", seed, heads.packed, reveal or ZEROS, u16(len(laps)), links)
