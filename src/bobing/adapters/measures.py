"""What a store's writing comes to, counted in its thread and read from others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from threading import Lock

from bobing.ports import Spread, Writes

SIZES = (1, 2, 5, 10, 50, 200)
SECONDS = (0.005, 0.02, 0.1, 0.5, 2, 10)


class Spreading:
    """A spread that grows.

    >>> spreading = Spreading((1, 5))
    >>> for value in (1, 2, 9):
    ...     spreading.add(value)
    >>> spreading.now
    Spread(bounds=(1, 5), counts=(1, 2, 3), total=12.0)
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds, self._counts, self._total = tuple(bounds), [0] * (len(bounds) + 1), 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._total += value

    @property
    def now(self) -> Spread:
        """All that was counted."""
        sums = [0]
        for count in self._counts:
            sums.append(sums[-1] + count)
        return Spread(self._bounds, tuple(sums[1:]), self._total)


class Measures:
    """Groups of requests that one thread makes durable, and how long each takes."""

    def __init__(self) -> None:
        self._sizes, self._seconds = Spreading(SIZES), Spreading(SECONDS)
        self._lock = Lock()

    def add(self, size: int, seconds: float) -> None:
        """Count a group."""
        with self._lock:
            self._sizes.add(size)
            self._seconds.add(seconds)

    def now(self, waiting: int) -> Writes:
        """All of them, and how many requests wait."""
        with self._lock:
            return Writes(waiting, self._sizes.now, self._seconds.now)
