"""Whose turn it is, lost turns, laps, and how a game ends."""

from __future__ import annotations

from dataclasses import replace

from bobing.core.acts import RollOff
from bobing.core.awards import take_duitang
from bobing.core.draft import Draft, hand_over
from bobing.core.errors import ActRefused
from bobing.core.state import Claim, PendingRollOff
from bobing.core.title import win_tie

RED = (1, 4)


def finish_turn(draft: Draft, *, ends: bool = False) -> None:
    """The throw at the present place is done: end the game where it is over, else pass the dice on."""
    draft.begun = True
    _count_turn(draft)
    if draft.rolloff:
        draft.rolloff = replace(draft.rolloff, ends=ends)
    elif ends:
        finish_game(draft, "effect")
    else:
        _close_or_advance(draft)


def seek_thrower(draft: Draft) -> None:
    """From the present place on, use up lost turns and pass over those who left or have had all their turns."""
    while not draft.finished and not draft.rolloff and _passes(draft):
        if _all_had_their_turns(draft):
            _finish_last_lap(draft)
        else:
            _step(draft)


def finish_undecided(draft: Draft, reason: str) -> None:
    """Time or throws have run out: without a champion the sheet may settle it with three dice each."""
    if draft.title is None and draft.rules.ending.undecided == "three-dice":
        there = tuple(seat for seat in draft.order if seat not in draft.away)
        draft.rolloff = PendingRollOff(there, 3, reason, {})
        draft.note("rolloff", reason, *there)
        _settle_rolloff(draft)
    else:
        finish_game(draft, reason)


def finish_game(draft: Draft, reason: str) -> None:
    """Hand out what waits for the end: ranked cakes, the zhuangyuan cake, and duitang that go with the title."""
    draft.rolloff, draft.finished = None, reason
    ranked = draft.rules.ranked_tier
    if ranked:
        best = sorted(draft.ranked, key=lambda entry: (-entry[0], entry[1]))
        for _, _, seat in best[: draft.table[ranked]]:
            draft.give(ranked, seat)
    hand_over(draft)
    if draft.title is not None and draft.title in draft.claims:
        claim = draft.claims[draft.title]
        with_chajinhua = claim.combination == "chajinhua" and draft.rules.chajinhua.duitang == "end"
        with_liubohong = claim.combination == "liubohong" and draft.rules.liubohong.duitang_at_end
        if (with_chajinhua or with_liubohong) and not claim.plain:
            take_duitang(draft, draft.title)


def throw_off(draft: Draft, act: RollOff) -> None:
    """One throw of a pending roll-off; settles it when all have thrown."""
    pending = draft.rolloff
    if pending is None:
        raise ActRefused("there is nothing to throw off now", "act/no_rolloff")
    if act.seat not in pending.seats or act.seat in pending.thrown:
        waiting = ", ".join(str(seat) for seat in pending.seats if seat not in pending.thrown)
        raise ActRefused(f"seat {act.seat} does not throw now; waiting for {waiting}", "act/not_your_turn")
    if len(act.faces) != pending.dice:
        raise ActRefused(f"this roll-off is thrown with {pending.dice} dice", "act/wrong_dice")
    draft.rolloff = replace(pending, thrown={**pending.thrown, act.seat: act.faces})
    _settle_rolloff(draft)


def leave_rolloff(draft: Draft, seat: int) -> None:
    """A seat that leaves during a roll-off gives it up."""
    pending = draft.rolloff
    if pending and seat in pending.seats:
        thrown = {other: faces for other, faces in pending.thrown.items() if other != seat}
        seats = tuple(other for other in pending.seats if other != seat)
        draft.rolloff = replace(pending, seats=seats, thrown=thrown)
        _settle_rolloff(draft)


def _settle_rolloff(draft: Draft) -> None:
    pending = draft.rolloff
    assert pending is not None, "called with a roll-off pending"
    if len(pending.seats) > 1 and len(pending.thrown) < len(pending.seats):
        return
    points = {seat: _points(pending.thrown.get(seat, ()), pending.dice) for seat in pending.seats}
    best = [seat for seat in pending.seats if points[seat] == max(points.values())]
    if len(best) > 1:
        draft.rolloff = replace(pending, seats=tuple(best), thrown={})
        draft.note("rolloff-again", *best)
        return
    draft.rolloff = None
    winner = best[0]
    draft.note("rolloff-won", winner, points[winner])
    if pending.reason == "tie":
        win_tie(draft, winner)
        if pending.ends:
            finish_game(draft, "effect")
        else:
            _close_or_advance(draft)
    else:
        faces = pending.thrown.get(winner, ())
        draft.claims = {**draft.claims, winner: Claim(faces, "three-dice", 0, draft.n)}
        draft.title = winner
        finish_game(draft, pending.reason)


def _points(faces: tuple[int, ...], dice: int) -> int:
    return sum(face for face in faces if dice == 3 or face in RED)


def _close_or_advance(draft: Draft) -> None:
    if draft.targets is None and _is_over(draft):
        ending = draft.rules.ending
        if ending.finish == "at-once":
            finish_game(draft, "champion" if ending.when == "champion" and draft.title is not None else "all-gone")
            return
        most = max(draft.turns.values())
        draft.targets = {
            seat: most if ending.finish == "equal-turns" else turns + 1 for seat, turns in draft.turns.items()
        }
        draft.note("last-lap")
    if _all_had_their_turns(draft):
        _finish_last_lap(draft)
        return
    _step(draft)
    seek_thrower(draft)


def _finish_last_lap(draft: Draft) -> None:
    if draft.rules.ending.when == "throws":
        finish_undecided(draft, "throws")
    else:
        finish_game(draft, "last-lap")


def _all_had_their_turns(draft: Draft) -> bool:
    """Whether everybody who is there has had as many turns as the rules or the last lap give."""
    targets = draft.targets
    return targets is not None and all(
        draft.turns[seat] >= targets[seat] for seat in draft.order if seat not in draft.away
    )


def _count_turn(draft: Draft) -> None:
    seat = draft.order[draft.turn]
    draft.turns = {**draft.turns, seat: draft.turns[seat] + 1}


def _step(draft: Draft) -> None:
    draft.turn = (draft.turn + 1) % len(draft.order)
    draft.lap += draft.turn == draft.opener


def _passes(draft: Draft) -> bool:
    """Whether nobody throws at the present place; a turn that is lost, or of somebody who left, counts as had."""
    seat = draft.order[draft.turn]
    if seat in draft.away:
        _count_turn(draft)
    elif draft.targets is not None and draft.turns[seat] >= draft.targets[seat]:
        pass
    elif seat in draft.lost_turns:
        draft.lost_turns -= {seat}
        draft.skipped.append(seat)
        _count_turn(draft)
    else:
        return False
    return True


def _is_over(draft: Draft) -> bool:
    ending = draft.rules.ending
    gone = not draft.others_left()
    if ending.when == "champion" and draft.title is not None:
        return True
    return gone and (draft.title is not None or ending.without_champion == "stop")
