"""Whose turn it is, lost turns, laps, and how a game ends."""

from __future__ import annotations

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
    if draft.rolloff:
        if ends:
            draft.last_place = draft.turn
        return
    if ends:
        finish_game(draft, "effect")
    else:
        _close_or_advance(draft)


def seek_thrower(draft: Draft) -> None:
    """From the present place on, use up lost turns and pass over those who left."""
    while not draft.finished and _passes(draft):
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
        form = draft.claims[draft.title].combination
        with_chajinhua = form == "chajinhua" and draft.rules.chajinhua.duitang == "end"
        if with_chajinhua or (form == "liubohong" and draft.rules.liubohong.duitang_at_end):
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
    draft.rolloff = PendingRollOff(pending.seats, pending.dice, pending.reason, {**pending.thrown, act.seat: act.faces})
    _settle_rolloff(draft)


def leave_rolloff(draft: Draft, seat: int) -> None:
    """A seat that leaves during a roll-off gives it up."""
    pending = draft.rolloff
    if pending and seat in pending.seats:
        thrown = {other: faces for other, faces in pending.thrown.items() if other != seat}
        seats = tuple(other for other in pending.seats if other != seat)
        draft.rolloff = PendingRollOff(seats, pending.dice, pending.reason, thrown)
        _settle_rolloff(draft)


def _settle_rolloff(draft: Draft) -> None:
    pending = draft.rolloff
    assert pending is not None, "called with a roll-off pending"
    if len(pending.seats) > 1 and len(pending.thrown) < len(pending.seats):
        return
    points = {seat: _points(pending.thrown.get(seat, ()), pending.dice) for seat in pending.seats}
    best = [seat for seat in pending.seats if points[seat] == max(points.values())]
    if len(best) > 1:
        draft.rolloff = PendingRollOff(tuple(best), pending.dice, pending.reason, {})
        draft.note("rolloff-again", *best)
        return
    draft.rolloff = None
    winner = best[0]
    draft.note("rolloff-won", winner, points[winner])
    if pending.reason == "tie":
        win_tie(draft, winner)
        _resume(draft)
    else:
        faces = pending.thrown.get(winner, ())
        draft.claims = {**draft.claims, winner: Claim(faces, "three-dice", 0, draft.n)}
        draft.title = winner
        finish_game(draft, pending.reason)


def _resume(draft: Draft) -> None:
    if draft.last_place == draft.turn and draft.rules.ending.finish == "at-once":
        finish_game(draft, "effect")
    else:
        _close_or_advance(draft)


def _points(faces: tuple[int, ...], dice: int) -> int:
    return sum(face for face in faces if dice == 3 or face in RED)


def _close_or_advance(draft: Draft) -> None:
    ending = draft.rules.ending
    fresh = False
    if draft.last_place is None and _is_over(draft):
        if ending.finish == "at-once":
            finish_game(draft, "champion" if ending.when == "champion" and draft.title is not None else "all-gone")
            return
        before_opener = (draft.opener - 1) % len(draft.order)
        draft.last_place = before_opener if ending.finish == "equal-turns" else draft.turn
        fresh = ending.finish == "extra-lap"
        draft.note("last-lap")
    if draft.last_place == draft.turn and not fresh:
        finish_game(draft, "last-lap")
        return
    _step(draft)
    seek_thrower(draft)


def _step(draft: Draft) -> None:
    """Go to the next place; the game may end between two places."""
    draft.turn = (draft.turn + 1) % len(draft.order)
    ending = draft.rules.ending
    if draft.turn == draft.opener:
        draft.lap += 1
        if ending.when == "throws" and draft.lap >= ending.throws_each:
            finish_undecided(draft, "throws")


def _passes(draft: Draft) -> bool:
    """Whether the present place has nobody to throw; uses up a lost turn. Ends the game on its last place."""
    if draft.rolloff:
        return False
    seat = draft.order[draft.turn]
    if seat in draft.away:
        pass
    elif seat in draft.lost_turns:
        draft.lost_turns -= {seat}
        draft.skipped.append(seat)
    else:
        return False
    if draft.last_place == draft.turn:
        finish_game(draft, "last-lap")
        return False
    return True


def _is_over(draft: Draft) -> bool:
    ending = draft.rules.ending
    if ending.when == "throws":
        return False
    gone = not draft.others_left()
    if ending.when == "champion" and draft.title is not None:
        return True
    return gone and (draft.title is not None or ending.without_champion == "stop")
