"""How much is too much: token buckets by key, bounded in number."""

from __future__ import annotations

from collections import OrderedDict

KEYS_MAX = 20_000


class Buckets:
    """For each key `per_minute` tokens a minute, at most `burst` at once. Forgets the keys unused longest."""

    def __init__(self, per_minute: float, burst: float) -> None:
        self._rate_ms, self._burst = per_minute / 60_000, burst
        self._levels: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str, now_ms: int) -> bool:
        """Take a token; False when there is none.

        >>> bucket = Buckets(per_minute=60, burst=2)
        >>> [bucket.take("a", 0), bucket.take("a", 0), bucket.take("a", 0), bucket.take("a", 1000)]
        [True, True, False, True]
        """
        level = self._level(key, now_ms)
        self._put(key, level - 1 if level >= 1 else level, now_ms)
        return level >= 1

    def _level(self, key: str, now_ms: int) -> float:
        level, then = self._levels.get(key, (self._burst, now_ms))
        return min(self._burst, level + max(0, now_ms - then) * self._rate_ms)

    def _put(self, key: str, level: float, now_ms: int) -> None:
        self._levels[key] = (level, now_ms)
        self._levels.move_to_end(key)
        while len(self._levels) > KEYS_MAX:
            self._levels.popitem(last=False)
