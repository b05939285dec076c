"""Dice that throw what a test says."""

from __future__ import annotations

from collections.abc import Iterable


class ScriptedDice:
    """Throws a list of throws, each as text, then stops loudly.

    >>> dice = ScriptedDice("444411", "12")
    >>> dice.throw(), dice.throw(2)
    ((4, 4, 4, 4, 1, 1), (1, 2))
    >>> dice.throw()
    Traceback (most recent call last):
    AssertionError: the script has no throw left
    """

    def __init__(self, *throws: str) -> None:
        self._throws = list(throws)

    @property
    def left(self) -> int:
        """How many throws the script still has."""
        return len(self._throws)

    def add(self, throws: Iterable[str]) -> None:
        """Put throws behind those that are left."""
        self._throws.extend(throws)

    def throw(self, dice: int = 6) -> tuple[int, ...]:
        """The next throw of the script, which has to be one of so many dice."""
        assert self._throws, "the script has no throw left"
        faces = tuple(int(face) for face in self._throws.pop(0))
        assert len(faces) == dice, f"the script has {len(faces)} dice here, {dice} are thrown"
        return faces
