"""One act, carried out on the working copy of a state."""

from __future__ import annotations

from bobing.core.acts import (
    Back,
    Close,
    Cocked,
    Join,
    Leave,
    Pass,
    PlayAct,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
)
from bobing.core.awards import carry_out_throw
from bobing.core.draft import Draft
from bobing.core.errors import ActRefused
from bobing.core.seating import carry_out_seating, check_seat
from bobing.core.turns import finish_game, finish_turn, finish_undecided, throw_off


def carry_out(draft: Draft, act: PlayAct) -> str | None:
    """Carry out an act on a draft; gives the combination of the dice, if they count. Raises ActRefused."""
    if draft.finished:
        raise ActRefused("the game is over; undo an act to go on", "act/game_over")
    match act:
        case Throw(seat):
            _check_turn(draft, seat)
            combination, ends = carry_out_throw(draft, act)
            finish_turn(draft, ends=ends)
            return combination
        case Spill(seat):
            _check_turn(draft, seat)
            if draft.rules.spill.next_turn == "lost":
                draft.lost_turns |= {seat}
                draft.note("turn-lost", seat)
            finish_turn(draft)
        case Cocked(seat):
            _check_turn(draft, seat)
        case Pass(seat):
            _check_turn(draft, seat)
            finish_turn(draft)
        case RollOff(seat):
            check_seat(draft, seat)
            throw_off(draft, act)
        case TimeUp():
            _time_up(draft)
        case Close():
            finish_game(draft, "closed")
        case Leave() | Back() | Join() | Swap() | Start():
            carry_out_seating(draft, act)
        case _:  # pyright: ignore[reportUnnecessaryComparison] - callers without types come here
            raise ActRefused("this is no act; act_from_json makes one of a JSON object", "act/bad_form")
    return None


def _check_turn(draft: Draft, seat: int) -> None:
    check_seat(draft, seat)
    if draft.rolloff:
        raise ActRefused('a roll-off has to be settled first, with "rolloff"', "act/rolloff_first")
    turn = draft.order[draft.turn]
    if turn != seat:
        raise ActRefused(f"it is the turn of seat {turn}, not of seat {seat}", "act/not_your_turn")


def _time_up(draft: Draft) -> None:
    if not draft.rules.ending.minutes:
        raise ActRefused('this table has no time limit; use "close" to end early', "act/no_time_limit")
    if draft.rolloff:
        raise ActRefused('a roll-off has to be settled first, with "rolloff"', "act/rolloff_first")
    finish_undecided(draft, "time")
