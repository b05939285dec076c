"""Lots: a seed that is written down gives everybody's table and seat, the same for all who work it out again.

The stream of numbers is SHA-256 of the tag `bobing/lots/1`, a zero byte, the seed in UTF-8, a zero byte, and a counter
in eight bytes, from 0 on; the first eight bytes of each hash are one number. Shuffling is Fisher-Yates from the end,
with numbers beyond the last whole multiple left out, so that every order is equally likely.

>>> shuffled("moon", range(1, 9))
[4, 6, 1, 5, 7, 8, 2, 3]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, TypeVar

_TAG = b"bobing/lots/1\x00"
_SPAN = 2**64
_T = TypeVar("_T")

Households = Literal["together", "apart", "any"]


class Lots:
    """The stream of a seed."""

    def __init__(self, seed: str) -> None:
        self._head = _TAG + seed.encode() + b"\x00"
        self._count = 0

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        while True:
            digest = sha256(self._head + self._count.to_bytes(8, "big")).digest()
            self._count += 1
            number = int.from_bytes(digest[:8], "big")
            if number < _SPAN - _SPAN % bound:
                return number % bound

    def shuffled(self, things: Iterable[_T]) -> list[_T]:
        """The things in an order drawn by lot."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def shuffled(seed: str, things: Iterable[_T]) -> list[_T]:
    """The things in an order drawn by the lots of a seed."""
    return Lots(seed).shuffled(things)


def even_sizes(people: int, groups: int) -> list[int]:
    """Sizes that differ by one at most, larger ones first.

    >>> even_sizes(40, 3)
    [14, 13, 13]
    """
    least, more = divmod(people, groups)
    return [least + 1] * more + [least] * (groups - more)


def seated(
    seed: str, guests: Mapping[int, int | None], sizes: Sequence[int], households: Households
) -> list[tuple[int, ...]]:
    """The guests of each table in the order of its seats. guests: the household of each, None where not known.

    Households are kept together as far as the sizes allow, or spread over as many tables as can be.
    """
    lots = Lots(seed)
    order = lots.shuffled(sorted(guests))
    if households == "any":
        tables = list(_cut(order, sizes))
    else:
        blocks = _blocks(order, guests)
        places = lots.shuffled(range(len(sizes)))
        fill = _together if households == "together" else _apart
        tables = fill(blocks, sizes, places)
    return [tuple(lots.shuffled(table)) for table in tables]


def _cut(order: Sequence[int], sizes: Iterable[int]) -> Iterator[list[int]]:
    start = 0
    for size in sizes:
        yield list(order[start : start + size])
        start += size


def _blocks(order: Iterable[int], guests: Mapping[int, int | None]) -> list[list[int]]:
    """Households, larger ones first, else as the lots fell."""
    blocks: dict[object, list[int]] = defaultdict(list)
    for guest in order:
        household = guests[guest]
        blocks[("alone", guest) if household is None else household].append(guest)
    return sorted(blocks.values(), key=len, reverse=True)


def _together(blocks: Iterable[list[int]], sizes: Sequence[int], places: Sequence[int]) -> list[list[int]]:
    tables: list[list[int]] = [[] for _ in sizes]
    for block in blocks:
        rest = block
        while rest:
            free = {table: sizes[table] - len(tables[table]) for table in places}
            fitting = [table for table in places if free[table] >= len(rest)]
            table = min(fitting, key=free.__getitem__) if fitting else max(places, key=free.__getitem__)
            tables[table].extend(rest[: free[table]])
            rest = rest[free[table] :]
    return tables


def _apart(blocks: Iterable[list[int]], sizes: Sequence[int], places: Sequence[int]) -> list[list[int]]:
    tables: list[list[int]] = [[] for _ in sizes]
    for block in blocks:
        here: Counter[int] = Counter()
        for guest in block:
            table = min(
                (table for table in places if len(tables[table]) < sizes[table]),
                key=lambda table: (here[table], len(tables[table]) - sizes[table]),
            )
            tables[table].append(guest)
            here[table] += 1
    return tables
