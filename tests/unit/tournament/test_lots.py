"""Lots: the written algorithm, worked out a second time, and what it promises."""

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

from bobing.tournament.lots import Lots, even_sizes, seated, shuffled


def worked_out_by_hand(seed, things):
    """The order of the things, step by step as the page of the module says."""
    order, counter = list(things), 0
    for last in reversed(range(1, len(order))):
        bound = last + 1
        while True:
            data = b"bobing/lots/1" + b"\0" + seed.encode("utf-8") + b"\0" + counter.to_bytes(8, "big")
            number = int(sha256(data).hexdigest()[:16], 16)
            counter += 1
            if number // bound < 2**64 // bound:
                break
        order[number % bound], order[last] = order[last], order[number % bound]
    return order


@pytest.mark.parametrize("seed", ["", "moon", "月亮", "a" * 200])
def test_the_order_is_the_written_one(seed):
    assert shuffled(seed, range(50)) == worked_out_by_hand(seed, range(50))


def test_every_order_is_about_equally_likely():
    counts = Counter(tuple(shuffled(f"seed {i}", "abc")) for i in range(6000))
    assert set(counts) == set(permutations("abc"))
    # chi-square with 5 degrees of freedom: 20.5 is passed once in a thousand
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_numbers_stay_below_the_bound():
    lots = Lots("x")
    assert {lots.below(7) for _ in range(300)} == set(range(7))
    assert all(lots.below(2**63 + 1) <= 2**63 for _ in range(20))


@pytest.mark.parametrize(("people", "groups", "sizes"), [(40, 3, [14, 13, 13]), (10, 5, [2] * 5), (3, 4, [1, 1, 1, 0])])
def test_sizes_differ_by_one_at_most(people, groups, sizes):
    assert even_sizes(people, groups) == sizes


FAMILIES = {guest: guest // 4 + 1 for guest in range(1, 41)}


@pytest.mark.parametrize("households", ["together", "apart", "any"])
def test_everybody_sits_once_and_tables_are_full(households):
    for seed in ("a", "b", "c"):
        tables = seated(seed, FAMILIES, [14, 13, 13], households)
        assert [len(table) for table in tables] == [14, 13, 13]
        assert sorted(guest for table in tables for guest in table) == sorted(FAMILIES)


def test_households_sit_together_where_they_fit():
    tables = seated("moon", {n: (n - 1) // 4 for n in range(1, 41)}, [16, 12, 12], "together")
    assert all(len({(guest - 1) // 4 for guest in table}) * 4 == len(table) for table in tables)


def test_households_sit_apart_where_there_are_tables_enough():
    tables = seated("moon", {n: (n - 1) // 4 for n in range(1, 41)}, [10] * 4, "apart")
    assert all(Counter((guest - 1) // 4 for guest in table).most_common(1)[0][1] == 1 for table in tables)


def test_guests_of_no_household_count_as_alone():
    tables = seated("moon", dict.fromkeys(range(1, 9)), [4, 4], "together")
    assert sorted(guest for table in tables for guest in table) == list(range(1, 9))
    assert tables != [(1, 2, 3, 4), (5, 6, 7, 8)]
