"""The alarm for real dice: it hardly ever cries wolf, however often one looks, and it finds gross bias soon."""

from random import Random

import pytest

from bobing.fairness.alarm import LIMIT, PRIOR, evidence, is_biased


def first_alarm(random, chances, throws):
    """The number of the throw behind which the alarm goes, None where it does not."""
    seen, total, now = [PRIOR] * 7, 6 * PRIOR, 1.0
    for n in range(1, throws + 1):
        for face in random.choices((1, 2, 3, 4, 5, 6), chances, k=6):
            now *= 6 * seen[face] / total
            seen[face] += 1
            total += 1
        if now >= LIMIT:
            return n
    return None


def loaded(chance):
    return [(1 - chance) / 5] * 5 + [chance]


def alarms(chances, throws, games, seed=7):
    random = Random(seed)
    return [first_alarm(random, chances, throws) for _ in range(games)]


def test_it_is_the_bet_worked_out_slowly():
    random = Random(3)
    for chance in (1 / 6, 0.3):
        throws = [random.choices((1, 2, 3, 4, 5, 6), loaded(chance), k=6) for _ in range(60)]
        at = first_alarm_of(throws)
        assert is_biased(throws) == (at is not None)
        assert all(is_biased(throws[:n]) == (at is not None and n >= at) for n in range(1, 60)), "it stays on"


def first_alarm_of(throws):
    for n in range(1, len(throws) + 1):
        worth = 1.0
        seen, total = [PRIOR] * 7, 6 * PRIOR
        for face in (face for faces in throws[:n] for face in faces):
            worth *= 6 * seen[face] / total
            seen[face] += 1
            total += 1
        if worth >= LIMIT:
            return n
    return None


def test_nothing_thrown_is_no_evidence():
    assert evidence([]) == 1


def test_even_dice_seldom_alarm_though_it_is_looked_at_after_every_throw():
    """At most 1 % in an evening of 6,000 faces; 400 evenings give more than 11 with a chance below 0.1 %."""
    assert sum(at is not None for at in alarms([1] * 6, 1_000, 400)) <= 11


@pytest.mark.deep
def test_even_dice_seldom_alarm_in_many_evenings():
    found = sum(at is not None for at in alarms([1] * 6, 1_000, 4_000))
    assert found <= 60, "1 % would be 40; 60 is three deviations more"


def test_grossly_biased_dice_are_found_within_a_thousand_faces():
    found = alarms(loaded(0.25), 167, 200)
    assert sum(at is not None for at in found) >= 190
