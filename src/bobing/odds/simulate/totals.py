"""What is counted over many games: whole numbers alone, so that it does not matter in which order they are added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bobing.odds.simulate.kernel import FIELDS, Ints
from bobing.odds.simulate.tables import FORMS, REASONS

NOBODY = -1


@dataclass(frozen=True)
class Totals:
    """Counts over `games` games.

    lengths: games by number of throws. champions: by seat, last without any. forms, reasons: by number. last: by the
    tier that was gone last, at the end those that did not wait for one. cakes: those in hand, and their squares, by
    tier and seat. tiers: by tier the cakes left, games with some left, cakes eaten by all, the sum of the throws after
    which it was gone, the games in which it was, and the squares of the cakes left and of those eaten.
    """

    games: int
    rolloffs: int
    changes: int
    chases: int
    lengths: Ints
    champions: Ints
    forms: Ints
    reasons: Ints
    last: Ints
    cakes: Ints
    tiers: Ints

    @classmethod
    def nothing(cls, tiers: int, seats: int) -> Totals:
        """No games."""

        def room(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int64)

        counts = room(1), room(seats + 1), room(len(FORMS)), room(len(REASONS)), room(tiers + 1)
        return cls(0, 0, 0, 0, *counts, room(2, tiers, seats), room(7, tiers))

    @classmethod
    def of_games(cls, told: Ints, cakes: Ints, tiers: Ints) -> Totals:
        """The counts of games as the kernel tells them."""
        of: Mapping[str, Ints] = dict(zip(tuple[str, ...](FIELDS), told.T, strict=True))
        seats = cakes.shape[2]

        def count(field: str, size: int) -> Ints:
            return np.bincount(np.where(of[field] == NOBODY, size - 1, of[field]), minlength=size)

        return cls(
            games=len(told),
            rolloffs=int(of["rolloffs"].sum()),
            changes=int(of["changes"].sum()),
            chases=int(of["chases"].sum()),
            lengths=np.bincount(of["throws"]),
            champions=count("champion", seats + 1),
            forms=count("form", len(FORMS)),
            reasons=count("reason", len(REASONS)),
            last=count("last", cakes.shape[1] + 1),
            cakes=cakes,
            tiers=tiers,
        )

    def __add__(self, other: Totals) -> Totals:
        """Both together."""
        return Totals(*(_sum(getattr(self, field.name), getattr(other, field.name)) for field in fields(self)))

    def to_table(self) -> Mapping[str, Any]:
        """As plain numbers and lists."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Totals:
        """From what `to_table` gives; KeyError, TypeError or ValueError from anything else."""
        read: dict[str, Any] = {
            field.name: np.array(table[field.name], dtype=np.int64) if field.type == "Ints" else int(table[field.name])
            for field in fields(cls)
        }
        return cls(**read)


def _sum(left: Any, right: Any) -> Any:
    if isinstance(left, int) or left.shape == right.shape:
        return left + right
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total


def _plain(value: Any) -> Any:
    return value if isinstance(value, int) else value.tolist()
