"""What happens at a table by itself when nobody acts, and how long that waits."""

from __future__ import annotations

from collections.abc import Callable

from bobing.core.act_json import act_to_json
from bobing.core.acts import Pass
from bobing.core.game import Game
from bobing.server import sealing as seals
from bobing.server.decision import Chance, Decision
from bobing.server.drawing import drawn_throw
from bobing.server.room import Room

AUTO_MS = (4000, 2600, 1500, 700)
"""Time between automatic throws, by speed."""
Due = Callable[[Room, Chance, str | None], Decision]
"""What happens then: the act that a room leads to by itself."""


def patience(room: Room) -> int | None:
    """Milliseconds until something happens by itself; None when nothing will."""
    game, settings = room.game, room.settings
    if game is None or game.finished or room.claim is not None or not seals.may_throw(room):
        return None
    if settings.auto and settings.dice == "digital":
        return AUTO_MS[settings.speed]
    if game.state.rolloff and settings.dice == "real":
        return None  # nobody is skipped there, and nobody else throws
    if settings.absent != "nothing" and settings.absent_s and not _all_skipped(game):
        return settings.absent_s * 1000
    return None


def _all_skipped(game: Game) -> bool:
    """Whether a whole lap went by without anybody playing: then nobody is there, and skipping would never end."""
    there = len(game.state.order) - len(game.state.away)
    last = game.log[-there:]
    return len(last) == there and all(isinstance(entry.act, Pass) for entry in last)


def due(room: Room) -> Due:
    """What happens when the patience is at its end."""
    rolls_off = room.game is not None and room.game.state.rolloff is not None  # nobody is skipped there
    throws = room.settings.dice == "digital" and (room.settings.auto or room.settings.absent == "throw" or rolls_off)
    return throw_for_absent if throws else _skip_absent


def throw_for_absent(room: Room, chance: Chance, link: str | None) -> Decision:
    """The dice are thrown for the seat whose turn it is. link: of its own device, where that gave one."""
    assert room.game is not None, "timers run only during a game"
    assert room.game.next_seat is not None, "and only before its end"
    return drawn_throw(room, room.game, room.game.next_seat, chance, link)


def _skip_absent(room: Room, _chance: Chance, _link: str | None) -> Decision:
    assert room.game is not None, "timers run only during a game"
    assert room.game.next_seat is not None, "and only before its end"
    act = Pass(room.game.next_seat)
    room.game.verify(act)
    return Decision([{"t": "act", "act": act_to_json(act)}])
