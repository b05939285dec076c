"""What a table writes down of its draws beside the acts, and what each digital act is recomputed from.

Seats count from 0. `forms` writes all of it as a record has it, and reads it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bobing.core.errors import BobingError

GAME = 16
"""Bytes of the id of an attempt."""
LINKS_MAX = 65_535
Why = Literal["begin", "void", "again", "spent", "late"]
Loss = Literal["lost", "freed", "absent"]


class FairError(BobingError):
    """What a record says of its draws does not hold."""

    code = "fair/not_proved"


def require(holds: bool, message: str, code: str) -> None:  # noqa: FBT001
    """Refuse what does not hold; raises FairError."""
    if not holds:
        raise FairError(message, code)


@dataclass(frozen=True, slots=True)
class Committed:
    """The heads of a seat's chains; player: of its own device, None without one."""

    seat: int
    server: bytes
    player: bytes | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """Everything is fixed before anything is revealed.

    why: the game begins, a reveal was missing, somebody wanted it so, a chain was used up, or a seat came anew. game:
    its id, for every attempt another; previous, opening: T0 of the attempt before and of this one; at: wall time in ms.
    """

    why: Why
    game: bytes
    links: int
    plan: bytes
    previous: bytes
    spill: int
    seats: tuple[Committed, ...]
    opening: bytes
    at: int


@dataclass(frozen=True, slots=True)
class Reveals:
    """The first link of every seat with a device of its own."""

    links: Mapping[int, bytes]
    at: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The seed is known, and with it, to those who hold the links, all that is to come."""

    beacon: bytes
    seed: bytes
    signs: str


@dataclass(frozen=True, slots=True)
class Void:
    """The attempt comes to nothing: these seats did not reveal; none where the public chance did not come."""

    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Late:
    """A seat came when the seed was known, and may not throw yet; or a device came to a seat that had none."""

    seat: int
    server: bytes
    player: bytes | None


@dataclass(frozen=True, slots=True)
class LateReady:
    """All whose devices took part when it came have drawn twice since, so nobody could foretell the seed of the late
    seat. laps: seat, k and link of the second of these draws."""

    seat: int
    link: bytes | None
    laps: tuple[tuple[int, int, bytes], ...]
    seed: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """A seat's own links are gone, were taken away, or did not come: its dice go on without them."""

    seat: int
    why: Loss


@dataclass(frozen=True, slots=True)
class SeatAttempt:
    """Where public chance was announced: the dice of one seat are fixed with a chance of their own while the others
    play. It came late, its device did, or it lost its links."""

    seat: int
    server: bytes
    player: bytes | None
    plan: bytes
    previous: bytes
    opening: bytes
    at: int


@dataclass(frozen=True, slots=True)
class SeatReveal:
    """The first link of its device, None without one; from here on that seat waits for its public chance alone."""

    seat: int
    link: bytes | None
    at: int


@dataclass(frozen=True, slots=True)
class SeatReady:
    """The public chance of a seat is there, and with it its own seed."""

    seat: int
    beacon: bytes
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeatVoid:
    """The attempt of one seat comes to nothing: its device did not reveal."""

    seat: int


@dataclass(frozen=True, slots=True)
class Real:
    """From here on the dice are real ones."""


SeatEvent = Late | LateReady | SeatAttempt | SeatReveal | SeatReady | SeatVoid | Lost
"""What happens to one seat while the others play."""
Event = Attempt | Reveals | Ready | Void | SeatEvent | Real


@dataclass(frozen=True, slots=True)
class Proof:
    """What a draw is recomputed from: the k-th of a seat, link k of the server, link k+1 of its own device or None."""

    seat: int
    k: int
    server: bytes
    player: bytes | None
