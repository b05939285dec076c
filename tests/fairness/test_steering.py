"""What a server and its accomplices can still choose once the dice are fixed: nothing that the dice hang on."""

from itertools import permutations

import pytest

from bobing.core.acts import Undo
from bobing.core.record import read_record
from bobing.fairness import verify
from bobing.fairness.verify import verify_record
from support.fair_steering import TRIES, Steered, late_seed_after, steered
from support.standalone import standalone

ALONE = standalone("verify_standalone")


@pytest.fixture(autouse=True)
def signatures_known(monkeypatch):
    monkeypatch.setattr(verify, "verify_beacon", lambda _plan, _beacon: None)
    monkeypatch.setattr(ALONE, "is_signed", lambda _number, _signature: True)


def test_the_seed_of_a_late_seat_does_not_hang_on_the_order_of_play():
    plain = late_seed_after(range(5), range(5))
    assert {late_seed_after((0, *order), range(5)) for order in permutations(range(1, 5))} == {plain}
    assert late_seed_after(range(5), (4, 3, 2, 1, 0)) == plain


def test_nor_on_who_else_came_in_before_it_is_let_in():
    ways = [ready for n in range(4) for ready in permutations(range(3), n)]
    assert len({late_seed_after(range(5), range(5), ready) for ready in ways}) == 1


def test_nor_on_a_link_that_may_have_left_a_phone_before_it_came():
    """Draws that were taken back count, for their links are known."""
    table = Steered()
    table.fixed()
    table.turns(0, 1, 2, 0)
    table.play(Undo(4))
    table.ledger = table.ledger.as_stands(table.game)
    late = table.come()
    assert table.ledger.pending[late].lap == {0: 4, 1: 3, 2: 3}
    table.turns(0, 1, 2, 0, 1, 2)
    assert not table.ledger.lap_done(late, ())
    table.turns(0, 1, 2)
    assert [lap[:2] for lap in table.ledger.laps(late)] == [(0, 4), (1, 3), (2, 3)]
    table.ready(late)
    table.turns(late)
    lines = table.record().splitlines(keepends=True)
    assert verify_record(read_record(lines)).sound
    assert not ALONE.verify(lines)[0].faults


@pytest.mark.parametrize("what", TRIES)
def test_no_verifier_takes(what):
    table = steered(what)
    assert table.refused == TRIES[what][1]
    lines = table.record().splitlines(keepends=True)
    assert [fault.code for fault in verify_record(read_record(lines)).faults] == [table.refused]
    assert len(ALONE.verify(lines)[0].faults) == 1
