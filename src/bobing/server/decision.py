"""What a command leads to, what dice come from, and what has to hold of a table for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bobing.core.game import Game
from bobing.fairness.events import Event
from bobing.fairness.forms import event_json
from bobing.ports import Dice
from bobing.server.refusal import refused
from bobing.server.room import Body, Room


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: bodies to append to the log, notes to set, seats whose devices lose their right."""

    bodies: Sequence[Body] = ()
    notes: Mapping[str, str | None] | None = None
    free: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """What digital dice come from. dice: those of the machine, for games that began without proof; provable: whether a
    game that begins now is proved; master: the secret of the attempt under way, None where there is none."""

    dice: Dice
    provable: bool = False
    master: bytes | None = None


def fair_body(event: Event) -> Body:
    """What happened to the draws as it stands in an entry."""
    return {"t": "fair", "event": event_json(event)}


def playing(room: Room) -> Game:
    """The game of a table that has begun."""
    if room.game is None:
        raise refused("not_begun")
    return room.game


def verify_lobby(room: Room) -> None:
    """Refuse what can only be done before the game begins."""
    if room.game is not None:
        raise refused("begun")


def verify_seat(room: Room, seat: int) -> None:
    """Refuse a seat that the table does not have."""
    if seat >= room.seat_count:
        raise refused("no_seat")


def require(allowed: bool) -> None:  # noqa: FBT001
    """Refuse what somebody may not do."""
    if not allowed:
        raise refused("forbidden")
