"""Acts: what people did. One frozen type for each kind; seats count from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bobing.core.dice import Roll

SEATS_MAX = 500
EFFECT = "effect"
"""In `Throw.waive`: what else the throw does is waived."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A seat threw six dice into the bowl.

    grab: who got the cakes where a lights-out grab happens, by tier. choose: the lower tier taken where the sheet lets
    the player choose. waive: tiers left on the table, or "effect". items: the item chosen in a tier that has several.
    """

    seat: int
    roll: Roll
    grab: Mapping[str, tuple[int, ...]] | None = None
    choose: str | None = None
    waive: tuple[str, ...] = ()
    items: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Spill:
    """At least one die left the bowl; `roll` is what lay there, if anybody noted it."""

    seat: int
    roll: Roll | None = None


@dataclass(frozen=True, slots=True)
class Cocked:
    """A die leans or lies on another: the same seat throws all six again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat's turn goes by without a throw, because nobody sits there now."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat leaves the game. Its cakes stay with it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """A seat that left is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Join:
    """A new player sits down behind seat `after` in the order of play, or last, and has the next free number."""

    after: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players change places. Seats keep their numbers and cakes; only the order of play changes."""

    seats: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Start:
    """Before the first throw: `seat` throws two dice, and the pips are counted off to the seat that begins."""

    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollOff:
    """One throw of a roll-off: six dice for an exact tie, three where time or throws ran out."""

    seat: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The agreed time is over."""


@dataclass(frozen=True, slots=True)
class Close:
    """The table closes the game early."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back act `n` and all later ones."""

    n: int


@dataclass(frozen=True, slots=True)
class Correct:
    """Put `act` in the place of act `n`, keeping the later ones.

    cut: take back from the first later act that becomes impossible, instead of being refused.
    """

    n: int
    act: PlayAct
    cut: bool = False


PlayAct = Throw | Spill | Cocked | Pass | Leave | Back | Join | Swap | Start | RollOff | TimeUp | Close
Act = PlayAct | Undo | Correct
