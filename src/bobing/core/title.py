"""Who holds the title of zhuangyuan: claims, ties, and a holder who falls by his own later throw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bobing.core.combinations import Row
from bobing.core.dice import Roll
from bobing.core.draft import Draft, hand_over
from bobing.core.state import TABLE, Claim, PendingRollOff


def claim_title(draft: Draft, seat: int, roll: Roll, row: Row, *, plain: bool = False) -> None:
    """A zhuangyuan throw counts for its seat, and the title goes where it belongs (dimensions Z8 to Z12)."""
    assert row.strength is not None, "only a zhuangyuan throw claims the title"
    holder = draft.title
    new = Claim(roll, row.combination, row.strength, draft.n, plain=plain)
    if holder is not None and _out_of_reach(draft, holder):
        draft.note("title-kept", holder, "out-of-reach")
    elif not _counts(draft, seat, new):
        draft.note("title-own-better", seat)
    else:
        draft.claims = {**draft.claims, seat: new}
        _settle(draft, seat)


def give_title(draft: Draft, seat: int, roller: int) -> None:
    """Hand the title to `seat`; `roller` is who threw."""
    before, draft.title = draft.title, seat
    if before == seat:
        draft.note("title-kept" if seat != roller else "title-held", seat, *(_why_kept(draft, seat, roller)))
        return
    draft.note("title-taken", seat, *([] if before is None else [before]))
    if before == roller and draft.claims[roller].strength < draft.claims[seat].strength:
        _fall(draft, roller)
    if draft.rules.title.handover == "at-once":
        hand_over(draft)


def _out_of_reach(draft: Draft, holder: int) -> bool:
    contest = draft.rules.title.contest
    return contest == "first" or (
        contest == "highest-but-chajinhua" and draft.claims[holder].combination == "chajinhua"
    )


def _counts(draft: Draft, seat: int, new: Claim) -> bool:
    """Whether a new throw replaces the seat's earlier one: the last does (Z9), else a higher one (E-22)."""
    own, title = draft.claims.get(seat), draft.rules.title
    if own is None or title.own_later == "last" or new.strength > own.strength:
        return True
    return title.equal != "first" and new.strength == own.strength and draft.title != seat


def _settle(draft: Draft, roller: int) -> None:
    leader = max(draft.claims, key=lambda seat: _precedence(draft, seat))
    rivals = _tied_rivals(draft, roller, draft.claims[leader].strength)
    if rivals:
        draft.rolloff = PendingRollOff(tuple(rivals), 6, "tie", {})
        draft.note("rolloff", "tie", *rivals)
        if draft.title in rivals:
            return
    give_title(draft, leader, roller)


def _precedence(draft: Draft, seat: int) -> tuple[int, int, int]:
    claim = draft.claims[seat]
    return claim.strength, claim.wins, claim.n if draft.rules.title.equal == "last" else -claim.n


def _tied_rivals(draft: Draft, roller: int, top: int) -> Sequence[int]:
    """The seats that must throw off an exact tie at the top; none where the sheet settles it by order.

    Who lost an earlier roll-off is out of it, until he throws as high again.
    """
    if draft.rules.title.equal != "red-pips":
        return ()
    tied = {seat: claim.wins for seat, claim in draft.claims.items() if claim.strength == top}
    others = [seat for seat in tied if seat != roller]
    rivals = [seat for seat in others if tied[seat] == max(tied[other] for other in others)]
    if draft.title in rivals:
        rivals = [draft.title] if roller in tied else []
    if roller in tied:
        rivals.append(roller)
    there = [seat for seat in rivals if seat not in draft.away]
    return there if len(there) > 1 else ()


def _why_kept(draft: Draft, holder: int, roller: int) -> Sequence[str]:
    if holder == roller:
        return ()
    return ("equal" if draft.claims[roller].strength == draft.claims[holder].strength else "lower",)


def _fall(draft: Draft, seat: int) -> None:
    """禄骨: the holder threw lower and another leads; his duitang from a chajinhua stay or go back (Z10)."""
    draft.note("lugu", seat)
    if draft.rules.title.lugu_duitang == "returned" and "duitang" in draft.held:
        granted = [i for i in draft.positions("duitang", seat) if draft.held["duitang"][i].granted]
        draft.take("duitang", granted, TABLE)


def win_tie(draft: Draft, winner: int) -> None:
    """The winner of a tie's roll-off leads all claims of the same strength."""
    strength = draft.claims[winner].strength
    wins = 1 + max(claim.wins for claim in draft.claims.values() if claim.strength == strength)
    draft.claims = {**draft.claims, winner: replace(draft.claims[winner], wins=wins)}
    before, draft.title = draft.title, winner
    if before != winner:
        draft.note("title-taken", winner, *([] if before is None else [before]))
        if draft.rules.title.handover == "at-once":
            hand_over(draft)
    else:
        draft.note("title-kept", winner, "rolloff")
