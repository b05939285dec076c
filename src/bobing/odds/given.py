"""What is asked for, looked at before it is reckoned with: whatever does not fit is refused as `odds/out_of_range`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from numbers import Real
from typing import TYPE_CHECKING

from bobing.core.errors import OddsError
from bobing.core.reading import nearest, shown

if TYPE_CHECKING:
    from bobing.core.game import Game

OUT_OF_RANGE = "odds/out_of_range"


def whole(value: object, name: str, low: int | None = None, high: int | None = None) -> int:
    """A whole number as it was given, from `low` to `high`; raises OddsError for anything else.

    >>> whole(3, "players", 2, 10)
    3
    >>> whole(3.0, "players")
    Traceback (most recent call last):
    bobing.core.errors.OddsError: players: expected a whole number, found 3.0
    """
    if type(value) is not int:
        raise OddsError(f"{name}: expected a whole number, found {shown(value)}", OUT_OF_RANGE)
    if (low is not None and value < low) or (high is not None and value > high):
        raise _outside(name, value, low, high)
    return value


def number(value: object, name: str, low: float = -inf, high: float = inf) -> float:
    """A number as it was given, from `low` to `high`; raises OddsError for anything else.

    >>> number(-0.5, "share", 0, 1)
    Traceback (most recent call last):
    bobing.core.errors.OddsError: share: give a value from 0 to 1; found -0.5
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise OddsError(f"{name}: expected a number, found {shown(value)}", OUT_OF_RANGE)
    found = float(value)
    if not low <= found <= high:  # NaN is nowhere between
        raise _outside(name, value, low, high)
    return found


def throws_in(minutes: float, seconds: float) -> int:
    """How many whole throws of so many seconds there is time for, reckoned with the numbers as they are written.

    >>> throws_in(45, 2.7), 45 * 60 / 2.7
    (1000, 999.9999999999999)
    """
    return int(Fraction(f"{minutes}") * 60 / Fraction(f"{seconds}"))


def _outside(name: str, value: object, low: float | None, high: float | None) -> OddsError:
    return OddsError(f"{name}: give a value from {low:,} to {high:,}; found {shown(value)}", OUT_OF_RANGE)


def a_game(value: object) -> Game:
    """A game as it was given; raises OddsError for anything else."""
    from bobing.core.game import Game

    if not isinstance(value, Game):
        raise OddsError(f"game: expected a game, found {shown(value)}", OUT_OF_RANGE)
    return value


def no_such(value: object, name: str, known: Sequence[str]) -> OddsError:
    """The refusal of a word that is none of those known here."""
    return OddsError(f"{name}: {shown(value)} is not known{nearest(f'{value}', known)}", OUT_OF_RANGE)
