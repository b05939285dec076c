"""Records of proved games in which the host corrected what was done before, rightly or as a cheat would."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bobing.core.acts import Cocked, Correct, Join, Leave, Pass, PlayAct, Spill, Start, Throw, Undo
from bobing.core.catalogue import find_sheet
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.fairness.acts import drawn_act, thrown
from bobing.fairness.beacon import beacon_bytes
from bobing.fairness.events import LateReady, Proof, Ready, Reveals
from bobing.fairness.forms import proof_json
from bobing.fairness.reveal import signs
from support.fair_games import FACES, FairTable

LUCKY = Roll.parse("444411")
Told = list[tuple[int, int, str]]
"""Number of the act, seat, and what a verifier has to say."""


class Corrected(FairTable):
    """A table of three whose devices all take part, and where nothing happens by chance but the dice."""

    def __init__(self) -> None:
        super().__init__(Random(1), 50, find_sheet("S12"))
        self.game = Game.new(find_sheet("S12"), 3, 0)
        self.owners, self.links, self.spill, self.beacon = {0, 1, 2}, 12, 0, ""

    def sealed(self, why: str = "begin") -> None:
        """All answer at once."""
        self.open(why)
        self.tell(Reveals({seat: self.devices[seat][1] for seat in self.ledger.own}, self.clock + 1_000))
        beacon = beacon_bytes(self.plan, FACES) if self.beacon else b""
        j = self.ledger.seed_with(beacon)
        self.tell(Ready(beacon, j, signs(j)))

    def next_proof(self) -> Proof:
        seat = self.game.next_seat
        assert seat is not None, "the game is not over"
        k = self.ledger.next_k(seat)
        return self.ledger.repeated(seat, k) or Proof(seat, k, self.server(seat, k), self.player(seat, k))

    def draw(self) -> None:
        """The seat whose turn it is throws."""
        proof = self.next_proof()
        self.play(thrown(proof.seat, self.ledger.draw(proof), 0, self.game), proof)

    def correct(self, n: int, act: PlayAct) -> None:
        self.play(Correct(n, act))
        self.ledger = self.ledger.as_stands(self.game)


def thrown_by_hand(before: Callable[[int], PlayAct], after: PlayAct) -> tuple[bytes, Told]:
    """What was no throw becomes one, with dice that nobody drew."""
    table = Corrected()
    table.sealed()
    table.draw()
    table.play(before(1))
    table.correct(2, after)
    return table.record(), [(1, 0, "PROVED-A"), (3, 1, "FAILED")]


def spilt_by_hand() -> tuple[bytes, Told]:
    """The faces stay, and yet they are said to have left the bowl."""
    table = Corrected()
    table.sealed()
    table.draw()
    throw = table.game.log[0].act
    assert isinstance(throw, Throw), "it was just thrown"
    table.correct(1, Spill(0, throw.roll))
    return table.record(), [(1, 0, "PROVED-A"), (2, 0, "FAILED")]


def gone_after_all() -> tuple[bytes, Told]:
    """A turn that went by was of somebody who had left: whoever comes late does not wait for that seat, whose device
    does not vouch for those dice then."""
    table = Corrected()
    table.sealed()
    table.draw()
    table.play(Pass(1))
    table.correct(2, Leave(1))
    table.play(Join())
    table.owners.add(3)
    table.seal(3)
    table.draw()
    table.pass_on(3)
    table.draw()
    table.draw()
    table.pass_on(3)
    table.draw()
    link = table.devices[3][1]
    table.tell(LateReady(3, link, table.ledger.laps(3), table.ledger.late_seed_of(3, link)))
    table.draw()
    table.draw()
    proved = ((1, 0), (5, 2), (7, 0), (8, 2), (10, 0), (11, 2))
    return table.record(), [*((n, seat, "PROVED-A") for n, seat in proved), (12, 3, "PROXY")]


def typed_before() -> tuple[bytes, Told]:
    """Real dice, before any were drawn, were typed in wrongly: nothing is claimed of them."""
    table = Corrected()
    table.play(Throw(0, Roll.parse("123456")))
    table.play(Pass(1))
    table.correct(1, Throw(0, LUCKY))
    table.correct(2, Throw(1, LUCKY))
    table.sealed()
    table.draw()
    return table.record(), [(1, 0, "PHYSICAL"), (4, 1, "PHYSICAL"), (5, 2, "PROVED-A")]


def begun_before() -> tuple[bytes, Told]:
    """The dice for who begins fell before public chance was announced: they lie there as they lay."""
    table = Corrected()
    table.sealed()
    proof = table.next_proof()
    start = drawn_act(Start(0, (1, 1)), table.ledger.draw(proof), 0, table.game)
    table.play(start, proof)
    table.play(Undo(1))
    table.ledger = table.ledger.as_stands(table.game)
    table.beacon = "dice"
    table.sealed("again")
    table.play(start, proof)
    table.verdicts.clear()
    table.draw()
    first = table.game.log[-1].act
    assert isinstance(first, Throw), "it was just thrown"
    return table.record(), [(1, 0, "PROVED-A"), (3, 0, "PROVED-A"), (4, first.seat, "PROVED-B")]


def begun_twice() -> tuple[bytes, Told]:
    """The dice for who begins lie there, and another seat counts off from itself with them."""
    table = Corrected()
    table.sealed()
    proof = table.next_proof()
    start = drawn_act(Start(0, (1, 1)), table.ledger.draw(proof), 0, table.game)
    assert isinstance(start, Start), "a start stays one"
    table.play(start, proof)
    table.play(Start(1, start.dice))
    table.proofs[2] = proof_json(proof)
    table.draw()
    first = table.game.log[-1].act
    assert isinstance(first, Throw), "it was just thrown"
    return table.record(), [(1, 0, "PROVED-A"), (2, 1, "FAILED"), (3, first.seat, "PROVED-A")]


def corrected_records() -> dict[str, tuple[bytes, Told]]:
    """Records by what happened in them, each with what a verifier has to say of its throws."""
    return {
        "a turn that went by": thrown_by_hand(Pass, Throw(1, LUCKY)),
        "a die that leant": thrown_by_hand(Cocked, Throw(1, LUCKY)),
        "a die that left the bowl": thrown_by_hand(Spill, Throw(1, LUCKY)),
        "a seat that left": thrown_by_hand(Leave, Throw(1, LUCKY)),
        "dice beside a spill": thrown_by_hand(Pass, Spill(1, LUCKY)),
        "spilt by hand": spilt_by_hand(),
        "gone after all": gone_after_all(),
        "typed before": typed_before(),
        "begun before": begun_before(),
        "begun twice": begun_twice(),
    }
