"""What the server draws at a tap: digital dice of a final, and who gets a prize again. Recorded, but not proved."""

from __future__ import annotations

from collections.abc import Callable

from bobing.tournament.acts import AwardAgain, FinalThrow
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event
from bobing.tournament.finals import Faces
from bobing.tournament.prizes import drawn_again
from bobing.tournament.stages import next_of, throwing


def digital_throw(event: Event, number: int, guest: int, throw: Callable[[int], Faces]) -> FinalThrow:
    """The next throw of a guest by the server's dice; raises EventRefused.

    Nobody gets another chance by taking a throw back: where this one fell before, it falls the same way again.
    """
    stage, _, group, due = throwing(event.state, number, guest)
    if not stage.set.digital:
        raise EventRefused("in this stage real dice count; type them in", "event/other_dice")
    if due.guest != guest:
        raise EventRefused(f"guest {due.guest} has to throw now, not guest {guest}", "event/not_your_turn")
    nth = next_of(group, guest)
    before = (entry.act for entry in event.log if isinstance(entry.act, FinalThrow))
    wanted = (number, guest, nth, due.dice)
    same = (act for act in before if (act.stage, act.guest, act.drawn, len(act.faces)) == wanted)
    return next(same, None) or FinalThrow(number, guest, "".join(map(str, throw(due.dice))), nth)


def award_by_lot(event: Event, voucher: int, seed: str) -> AwardAgain:
    """The prize of an absent winner goes to whom the lots of a fresh seed draw; raises EventRefused.

    Nobody draws until they like it: where lots were drawn for this voucher before, their seed stays.
    """
    before = (entry.act for entry in event.log if isinstance(entry.act, AwardAgain))
    seed = next((act.seed for act in before if act.voucher == voucher and act.seed), seed)
    return AwardAgain(voucher, drawn_again(event.state, voucher, seed), event.next_voucher, seed)
