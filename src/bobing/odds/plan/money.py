"""Money in whole hundredths: what prizes cost, and a pot shared out so that nothing is lost in rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bobing.core.rules import RuleSet


class Pile(NamedTuple):
    """So many prizes of so much each."""

    pieces: int
    each: int


def share_evenly(whole: int, parts: int) -> Sequence[int]:
    """A whole number in almost equal whole parts, the larger ones first.

    >>> share_evenly(500_000, 6)
    [83334, 83334, 83333, 83333, 83333, 83333]
    """
    least, more = divmod(whole, parts)
    return [least + 1] * more + [least] * (parts - more)


def piles(amount: int, prizes: int) -> Sequence[Pile]:
    """An amount in so many prizes that are as equal as whole coins allow, the larger first.

    >>> piles(83_333, 32)
    [Pile(pieces=5, each=2605), Pile(pieces=27, each=2604)]
    """
    least, more = divmod(amount, prizes)
    return [pile for pile in (Pile(more, least + 1), Pile(prizes - more, least)) if pile.pieces]


def share_pot(rules: RuleSet, pot: int, tables: int, coin: int = 1) -> Mapping[str, Sequence[Pile]]:
    """A pot of all tables in equal parts for the tiers, each in equal prizes, in multiples of `coin`.

    Higher tiers get what does not divide evenly; what is less than a coin goes to the zhuangyuan prizes. All prizes
    together are the pot, to the last hundredth.

    >>> from bobing.core.catalogue import find_sheet
    >>> found = share_pot(find_sheet(), 500_000, tables=1)
    >>> found["zhuangyuan"], sum(pile.pieces * pile.each for tier in found.values() for pile in tier)
    ([Pile(pieces=1, each=83334)], 500000)
    """
    coins, rest = divmod(pot, coin)
    parts = share_evenly(coins, len(rules.tiers))
    shared: dict[str, Sequence[Pile]] = {}
    for tier, part in zip(rules.tiers, parts, strict=True):
        shared[tier.key] = [Pile(pieces, each * coin) for pieces, each in piles(part, tier.cakes * tables)]
    top = rules.tiers[0].key
    if rest:
        first, *others = shared[top]
        kept = [Pile(first.pieces - 1, first.each)] if first.pieces > 1 else []
        shared[top] = [Pile(1, first.each + rest), *kept, *others]
    return shared
