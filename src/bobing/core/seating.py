"""Who sits where: leaving and coming back, late joiners, changed places, and the throw for who begins."""

from __future__ import annotations

from typing import assert_never

from bobing.core.acts import SEATS_MAX, Back, Join, Leave, Start, Swap
from bobing.core.draft import Draft
from bobing.core.errors import ActRefused
from bobing.core.turns import leave_rolloff, seek_thrower


def carry_out_seating(draft: Draft, act: Leave | Back | Join | Swap | Start) -> None:
    """Carry out a change of seats or of who begins; raises ActRefused."""
    match act:
        case Leave(seat):
            _leave(draft, seat)
        case Back(seat):
            check_seat(draft, seat)
            if seat not in draft.away:
                raise ActRefused(f"seat {seat} has not left", "act/not_away")
            draft.away -= {seat}
        case Join(after):
            _join(draft, after)
        case Swap(seats):
            _swap(draft, *seats)
        case Start(seat, dice):
            _start(draft, seat, sum(dice))
        case _:
            assert_never(act)


def check_seat(draft: Draft, seat: int) -> None:
    """Refuse a seat that the table does not have."""
    if seat not in draft.order:
        raise ActRefused(f"there is no seat {seat}; seats are 0 to {len(draft.order) - 1}", "act/unknown_seat")


def _check_present(draft: Draft, seat: int) -> None:
    check_seat(draft, seat)
    if seat in draft.away:
        raise ActRefused(f'seat {seat} has left; say {{"seat": {seat}, "back": true}} first', "act/seat_away")


def _leave(draft: Draft, seat: int) -> None:
    _check_present(draft, seat)
    if len(draft.away) + 1 == len(draft.order):
        raise ActRefused("the last player cannot leave; close the game instead", "act/last_seat")
    draft.away |= {seat}
    if draft.rolloff:
        leave_rolloff(draft, seat)
    seek_thrower(draft)


def _join(draft: Draft, after: int | None) -> None:
    seat = len(draft.order)
    if seat >= SEATS_MAX:
        raise ActRefused(f"a table has at most {SEATS_MAX} seats", "act/bad_seats")
    if after is not None:
        check_seat(draft, after)
    place = seat if after is None else draft.order.index(after) + 1
    draft.order = (*draft.order[:place], seat, *draft.order[place:])
    draft.turn += place <= draft.turn
    draft.opener += place <= draft.opener
    _credit_turns(draft, seat, place)
    draft.note("joined", seat)


def _credit_turns(draft: Draft, seat: int, place: int) -> None:
    """A late joiner counts as having had the turns that went by; a last lap is for those who were there."""
    gone_by = (place - draft.opener) % len(draft.order) < (draft.turn - draft.opener) % len(draft.order)
    draft.turns = {**draft.turns, seat: draft.lap + gone_by}
    if draft.targets is not None:
        each = draft.rules.ending.throws_each if draft.rules.ending.when == "throws" else draft.turns[seat]
        draft.targets = {**draft.targets, seat: each}


def _swap(draft: Draft, left: int, right: int) -> None:
    _check_present(draft, left)
    _check_present(draft, right)
    if left == right:
        raise ActRefused("two different seats change places", "act/bad_swap")
    if draft.rolloff:
        raise ActRefused('a roll-off has to be settled first, with "rolloff"', "act/rolloff_first")
    other = {left: right, right: left}
    draft.order = tuple(other.get(seat, seat) for seat in draft.order)
    seek_thrower(draft)


def _start(draft: Draft, seat: int, pips: int) -> None:
    _check_present(draft, seat)
    if draft.begun:
        raise ActRefused("the game has begun; the starter is thrown for before", "act/already_begun")
    setup = draft.rules.setup
    step = pips - 1 if setup.counting == setup.direction else 1 - pips
    draft.turn = draft.opener = (draft.order.index(seat) + step) % len(draft.order)
    draft.note("starts", draft.order[draft.turn])
    seek_thrower(draft)
