"""The dice and the clock of the machine."""

from __future__ import annotations

import secrets
import time


class SystemDice:
    """Dice from the operating system's source of chance: independent, uniform, not to be foretold."""

    def throw(self, dice: int = 6) -> tuple[int, ...]:
        """So many faces, each 1..6.

        >>> len(SystemDice().throw()), set(SystemDice().throw(2)) <= {1, 2, 3, 4, 5, 6}
        (6, True)
        """
        return tuple(secrets.randbelow(6) + 1 for _ in range(dice))


class SystemClock:
    """The machine's clocks."""

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back, whoever sets the wall clock."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
