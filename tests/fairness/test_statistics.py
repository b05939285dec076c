"""Dice drawn from links fall as fair dice do. The map of bytes is proved elsewhere; this looks for coarser faults."""

from collections import Counter
from itertools import combinations_with_replacement, pairwise
from math import erfc, factorial, prod, sqrt

import pytest

from bobing.fairness.chain import server_before, server_link
from bobing.fairness.draw import Draw

LEVEL = 0.01


def throws_drawn(number, links=250):
    """So many throws of seats that take turns, from one master and device links made of numbers."""
    made = 0
    while made < number:
        game = made.to_bytes(16, "big")
        chain = [server_link(bytes(32), game, 1, links, links)]
        for k in range(links, 0, -1):
            yield Draw(game, bytes(32), 1, k, chain[-1], k.to_bytes(32, "big")).throw()
            chain.append(server_before(game, 1, k, chain[-1]))
            made += 1


def chi_square(counts, expected):
    return sum((count - wanted) ** 2 / wanted for count, wanted in zip(counts, expected, strict=True))


def tail(statistic, degrees):
    """The chance of so large a chi-square, by Wilson and Hilferty; exact enough near the level here."""
    z = ((statistic / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))
    return erfc(z / sqrt(2)) / 2


def hands():
    """All 462 hands with how many of the 46,656 throws show them."""
    found = {}
    for hand in combinations_with_replacement(range(1, 7), 6):
        found[hand] = factorial(6) // prod(factorial(hand.count(face)) for face in range(1, 7))
    return found


def p_values(number):
    faces, places = Counter(), [Counter() for _ in range(6)]
    pairs, following, seen, runs, before = Counter(), Counter(), Counter(), 0, None
    for throw in throws_drawn(number):
        faces.update(throw)
        for place, face in zip(places, throw, strict=True):
            place[face] += 1
        pairs.update(pairwise(throw))
        if before is not None:
            following[before[-1], throw[0]] += 1
        seen[tuple(sorted(throw))] += 1
        runs += sum(a != b for a, b in pairwise(throw))
        before = throw
    six = range(1, 7)
    exact = hands()
    p = {
        "faces": tail(chi_square([faces[face] for face in six], [number] * 6), 5),
        "pairs": tail(chi_square([pairs[a, b] for a in six for b in six], [number * 5 / 36] * 36), 35),
        "throw to throw": tail(chi_square([following[a, b] for a in six for b in six], [(number - 1) / 36] * 36), 35),
        "hands": tail(
            chi_square([seen[hand] for hand in exact], [number * ways / 46_656 for ways in exact.values()]), 461
        ),
        "runs": tail(((runs - number * 25 / 6) / sqrt(number * 5 * 5 / 36)) ** 2, 1),
    }
    for at, place in enumerate(places, 1):
        p[f"die {at}"] = tail(chi_square([place[face] for face in six], [number / 6] * 6), 5)
    return p


def rejected(p):
    """Holm: the names of the tests that fail together at the level."""
    failed = []
    for done, (name, value) in enumerate(sorted(p.items(), key=lambda one: one[1])):
        if value > LEVEL / (len(p) - done):
            break
        failed.append(name)
    return failed


def test_thirty_thousand_throws():
    p = p_values(30_000)
    assert rejected(p) == [], p


@pytest.mark.deep
def test_a_million_throws():
    p = p_values(1_000_000)
    assert rejected(p) == [], p


def test_loaded_dice_would_fail():
    """What the tests above would see: one face in sixty too many."""
    counts = [10_000 + 200, *[10_000 - 40] * 5]
    assert rejected({"faces": tail(chi_square(counts, [10_000] * 6), 5), "other": 0.5}) == []
    counts = [10_000 + 500, *[10_000 - 100] * 5]
    assert rejected({"faces": tail(chi_square(counts, [10_000] * 6), 5), "other": 0.5}) == ["faces"]
