"""Who holds the title, read once more from the throws that stand: a few lines that a person can check."""

from __future__ import annotations

from collections.abc import Sequence

from bobing.core.acts import Act, Throw
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN

Claim = tuple[int, int]
"""Strength, and when it was thrown."""


def champion(rules: RuleSet, acts: Sequence[Act]) -> int | None:
    """The seat with the highest zhuangyuan throw; of equal ones the first, or the last where the sheet says so.

    Only for sheets that settle a tie by order.
    """
    assert rules.title.equal != "red-pips"
    best: dict[int, Claim] = {}
    title: int | None = None
    chajinhua: set[int] = set()
    for n, act in enumerate(acts):
        if not isinstance(act, Throw):
            continue
        row = scorebook(rules).row(act.roll)
        if row.strength is not None and ZHUANGYUAN not in act.waive and not _settled(rules, title, chajinhua):
            claim = (row.strength, n if rules.title.equal == "last" else -n)
            if rules.title.own_later == "last" or act.seat not in best or claim > best[act.seat]:
                best[act.seat] = claim
                chajinhua = (chajinhua - {act.seat}) | ({act.seat} if row.combination == "chajinhua" else set())
            title = max(best, key=lambda seat: best[seat])
        if act.grab and act.grab.get(ZHUANGYUAN):
            title, best = None, {}
    return title


def _settled(rules: RuleSet, title: int | None, chajinhua: set[int]) -> bool:
    """Whether nobody can take the title any more."""
    if title is None or rules.title.contest == "highest":
        return False
    return rules.title.contest == "first" or title in chajinhua


def strongest(rules: RuleSet, acts: Sequence[Act]) -> set[int]:
    """The seats that threw the highest zhuangyuan of all."""
    thrown = [
        (row.strength, act.seat)
        for act in acts
        if isinstance(act, Throw) and ZHUANGYUAN not in act.waive
        if (row := scorebook(rules).row(act.roll)).strength is not None
    ]
    top = max(thrown, default=(0, 0))[0]
    return {seat for strength, seat in thrown if strength == top}
