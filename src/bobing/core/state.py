"""The state of a game: a frozen value. `Draft` is the working copy on which one act is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bobing.core.dice import Roll

TABLE = "table"
POOL = "pool"
"""Cakes that are eaten by all."""

Place = int | str
"""A seat, "table" or "pool"."""


@dataclass(frozen=True, slots=True)
class Cake:
    """One cake in hand. granted: it came along with a chajinhua. item: its name where the tier has several."""

    seat: int
    granted: bool = False
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The zhuangyuan throw that counts for a seat.

    wins: roll-offs won with it; n: when it was thrown; plain: what else it does was waived.
    """

    roll: Roll | tuple[int, ...]
    combination: str
    strength: int
    n: int
    wins: int = 0
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """`cakes` of a tier went from one place to another."""

    tier: str
    cakes: int
    source: Place
    target: Place
    item: str | None = None


@dataclass(frozen=True, slots=True)
class PendingRollOff:
    """A roll-off that has to be settled before play goes on.

    reason: `tie`, `time` or `throws`; dice: 6, whose red pips count, or 3, whose sum counts; ends: the game is over
    once it is settled.
    """

    seats: tuple[int, ...]
    dice: int
    reason: str
    thrown: Mapping[int, tuple[int, ...]]
    ends: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands.

    order: seats in the order of play; turn, opener: places in it. table, pool: cakes by tier. held: by tier, the cakes
    in hand in the order in which they were got. shelf: items left, by tier. claims: by seat. title: the seat that holds
    it. ranked: (sum, act, seat) of throws that are ranked at the end. lost_turns: seats that sit out their next turn.
    away: seats that left. lap: laps completed.
    turns: had by each seat, lost ones included; targets: how many each seat has in all, once that is known.
    """

    order: tuple[int, ...]
    turn: int
    opener: int
    table: Mapping[str, int]
    pool: Mapping[str, int]
    held: Mapping[str, tuple[Cake, ...]]
    shelf: Mapping[str, Mapping[str, int]]
    claims: Mapping[int, Claim]
    title: int | None
    ranked: tuple[tuple[int, int, int], ...]
    lost_turns: frozenset[int]
    away: frozenset[int]
    lap: int
    begun: bool
    turns: Mapping[int, int]
    targets: Mapping[int, int] | None
    rolloff: PendingRollOff | None
    finished: str | None

    @property
    def next_seat(self) -> int | None:
        """The seat that has to act; None when the game is over."""
        if self.finished:
            return None
        if self.rolloff:
            return next(seat for seat in self.rolloff.seats if seat not in self.rolloff.thrown)
        return self.order[self.turn]

    def holding(self, seat: int) -> dict[str, int]:
        """Cakes in hand of one seat, by tier, high to low; tiers without a cake are left out."""
        counts = {tier: sum(cake.seat == seat for cake in cakes) for tier, cakes in self.held.items()}
        return {tier: count for tier, count in counts.items() if count}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one accepted act.

    n: its number. combination: of the dice, None for acts without counting dice. moves: of cakes, in order; for undo
    and correct the net change. skipped: seats whose lost turn was used up. notes: what else is worth telling, as a code
    and its values (`docs/acts.md` lists them). struck: the acts that this one took back.
    """

    n: int
    combination: str | None
    moves: tuple[Move, ...]
    skipped: tuple[int, ...]
    notes: tuple[tuple[str, ...], ...]
    struck: tuple[int, ...] = ()
