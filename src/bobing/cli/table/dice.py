"""Where digital dice fall. Nothing else in `bobing play` draws."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from bobing.core.acts import RollOff, Start, Throw
from bobing.core.game import Game, Node


class Dice(Protocol):
    """Something that throws dice."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many faces, each 1 to 6."""
        ...

    def below(self, limit: int) -> int:
        """A whole number from 0 up to but not with `limit`, each as likely."""
        ...


class SystemDice:
    """Dice from the randomness of the operating system."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many faces, each 1 to 6."""
        return tuple(secrets.randbelow(6) + 1 for _ in range(dice))

    def below(self, limit: int) -> int:
        """A whole number from 0 up to but not with `limit`."""
        return secrets.randbelow(limit)


class ScriptedDice:
    """Dice that fall as told, and stop loudly when nothing more was told.

    >>> ScriptedDice(["444411"]).throw(6)
    (4, 4, 4, 4, 1, 1)
    """

    def __init__(self, rolls: Iterable[str], numbers: Iterable[int] = ()) -> None:
        self._rolls, self._numbers = iter(rolls), iter(numbers)

    def throw(self, dice: int) -> tuple[int, ...]:
        """The next faces told; AssertionError where they are not so many."""
        faces = tuple(map(int, next(self._rolls)))
        assert len(faces) == dice, f"{dice} dice were to be thrown, {faces} were told"
        return faces

    def below(self, limit: int) -> int:
        """The next number told, else 0."""
        return next(self._numbers, 0) % limit


def owed(game: Game, dice: int) -> tuple[int, ...] | None:
    """The faces that the next throw of so many dice has to show, because they fell before and were taken back.

    Taking back is no second chance: the k-th throw of a game keeps its faces for good. None where dice have to be
    thrown.
    """
    fallen: list[tuple[int, ...]] = []
    known: dict[int, int] = {}
    for entry in game.log:
        faces = faces_of(entry.act)
        if len(faces) == dice and _thrown(entry.line, dice, known) == len(fallen):
            fallen.append(faces)
    thrown = _thrown(game.line, dice, known)
    return fallen[thrown] if thrown < len(fallen) else None


def _thrown(line: Node, dice: int, known: dict[int, int]) -> int:
    """How many throws of so many dice a line of play holds; `known` remembers it for each node on the way."""
    fresh: list[Node] = []
    node: Node | None = line
    while node is not None and id(node) not in known:
        fresh.append(node)
        node = node.before
    count = 0 if node is None else known[id(node)]
    for later in reversed(fresh):
        count += len(faces_of(later.act)) == dice
        known[id(later)] = count
    return count


def faces_of(act: object) -> tuple[int, ...]:
    """The faces of an act that throws dice; () for others."""
    match act:
        case Throw(roll=roll):
            return roll.faces
        case RollOff(faces=faces):
            return faces
        case Start(dice=dice):
            return dice
        case _:
            return ()


def deal(needed: Mapping[str, int], seats: Sequence[int], dice: Dice) -> dict[str, tuple[int, ...]]:
    """A grab dealt by lot: each cake to one of the seats, each as likely."""
    return {tier: tuple(sorted(seats[dice.below(len(seats))] for _ in range(count))) for tier, count in needed.items()}
