"""Digital dice of a final: the server throws them at a tap. They are recorded, but not proved."""

from __future__ import annotations

from collections.abc import Callable

from bobing.tournament.acts import FinalThrow
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event
from bobing.tournament.finals import Faces
from bobing.tournament.stages import next_of, throwing


def digital_throw(event: Event, number: int, guest: int, throw: Callable[[int], Faces]) -> FinalThrow:
    """The next throw of a guest by the server's dice; raises EventRefused.

    Nobody gets another chance by taking a throw back: where this one fell before, it falls the same way again.
    """
    stage, _, group, due = throwing(event.state, number, guest)
    if not stage.set.digital:
        raise EventRefused("in this stage real dice count; type them in", "event/other_dice")
    if due.guest != guest:
        raise EventRefused(f"guest {due.guest} has to throw now, not {guest}", "event/not_your_turn")
    nth = next_of(group, guest)
    before = (entry.act for entry in event.log if isinstance(entry.act, FinalThrow))
    wanted = (number, guest, nth, due.dice)
    same = (act for act in before if (act.stage, act.guest, act.drawn, len(act.faces)) == wanted)
    return next(same, None) or FinalThrow(number, guest, "".join(map(str, throw(due.dice))), nth)
