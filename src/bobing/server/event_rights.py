"""What the devices of an event's table may not do: what belongs to the event is decided at its desk. Pure."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import msgspec

from bobing.core.act_json import act_from_json
from bobing.core.acts import Back, Close, Correct, Spill, Throw, TimeUp
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.wire import messages as wire

_MINUTE_MS = 60_000


def verify(room: Room, command: wire.Command, *, known: int, gone: AbstractSet[int], now: int) -> None:
    """Raise TableRefused where a command is the event's. known: so many seats are of guests that the event knows; gone:
    the seats of those who sit at another table now.
    """
    match command:
        case wire.SetSettings(settings=wanted):
            _require(msgspec.structs.replace(wanted, speed=room.settings.speed) == room.settings)
        case wire.RenameSeat(seat=seat):
            _require(seat >= known)
        case wire.Rematch():
            _require(False)
        case wire.Do():
            act = act_from_json(command.act)
            played = act.act if isinstance(act, Correct) else act
            _require(not isinstance(played, Close))
            if isinstance(played, Back) and played.seat in gone:
                raise refused("sits_elsewhere")
            if isinstance(played, TimeUp) and not _is_time_up(room, now):
                raise refused("event_time")
        case _:
            pass


def _is_time_up(room: Room, now: int) -> bool:
    """Whether the agreed minutes are over, counted from the first throw: a table may be opened long before."""
    acts = room.game.log if room.game is not None else ()
    thrown = (room.drawn[n].at for n, line in enumerate(acts, 1) if isinstance(line.act, Throw | Spill))
    return now - next(thrown, now) >= room.rules.ending.minutes * _MINUTE_MS


def _require(the_tables: bool) -> None:  # noqa: FBT001
    if not the_tables:
        raise refused("of_event")
