"""Checks every digital throw of a record, from the record alone: who could have chosen it, and whether anybody did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bobing.core.acts import Act, Correct, RollOff, Spill, Start, Throw, Undo
from bobing.core.errors import BobingError
from bobing.core.game import Game
from bobing.core.record import Draws, Record
from bobing.fairness.acts import Drawn
from bobing.fairness.beacon import BeaconRefused, verify_beacon
from bobing.fairness.events import Attempt, FairError, Late, Lost, Proof, Ready, SeatAttempt, SeatReady
from bobing.fairness.forms import read_event, read_proof
from bobing.fairness.ledger import Ledger
from bobing.fairness.steps import with_event

Verdict = Literal["PROVED-B", "PROVED-A", "PROXY", "PHYSICAL", "FAILED"]
"""Proved with public chance, proved with the chance of the players' devices, drawn for a seat without a device of its
own or one that came in the absence of others, typed in, and not what was drawn."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One throw: act n, the k-th draw of its seat (None where it claims none), the verdict, and the code of a fault.

    unheard: seats whose devices do not vouch for it, though its own took part: they were away, or lost, when it came.
    """

    n: int
    seat: int
    k: int | None
    verdict: Verdict
    code: str = ""
    message: str = ""
    unheard: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something beside the throws that does not hold, behind act `after`."""

    after: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a record proves. own: seats whose device had a hand in the last attempt; signs: of the last attempt.

    restarts, voids: attempts that were given up; late, lost: seats; undos: acts that were taken back.
    """

    throws: tuple[Checked, ...]
    faults: tuple[Fault, ...]
    attempts: int
    restarts: int
    voids: int
    late: tuple[int, ...]
    lost: tuple[int, ...]
    own: tuple[int, ...]
    undos: int
    signs: str

    @property
    def sound(self) -> bool:
        """Whether everything holds that the record claims."""
        return not self.faults and all(throw.verdict != "FAILED" for throw in self.throws)

    @property
    def counts(self) -> dict[str, int]:
        """Throws by verdict."""
        verdicts: tuple[Verdict, ...] = ("PROVED-B", "PROVED-A", "PROXY", "PHYSICAL", "FAILED")
        return {verdict: sum(throw.verdict == verdict for throw in self.throws) for verdict in verdicts}


def verify_record(record: Record) -> Report:
    """Check every throw of a record that `read_record` has read. Raises BeaconRefused (`fair/no_bls`) where the
    signature of drand cannot be checked here.

    >>> from bobing.core.acts import Roll
    >>> from bobing.core.catalogue import find_sheet
    >>> from bobing.core.record import read_record, record_lines
    >>> game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("444411")))
    >>> verify_record(read_record(record_lines(game))).counts["PHYSICAL"]
    1
    """
    return _Verifier(record).report()


@dataclass(slots=True)
class _Verifier:
    record: Record
    throws: list[Checked] = field(default_factory=list[Checked])
    faults: list[Fault] = field(default_factory=list[Fault])
    late: list[int] = field(default_factory=list[int])
    lost: list[int] = field(default_factory=list[int])
    own: tuple[int, ...] = ()
    proving: bool = False
    forged: bool = False
    started: tuple[Verdict, tuple[int, ...]] = ("PROXY", ())

    def report(self) -> Report:
        game, draws = self.record.game, self.record.draws or Draws()
        ledger, events = Ledger(game.rules.digest), list(draws.events)
        for n in range(len(game.log) + 1):
            if n:
                ledger = self.acted(ledger, n, game.log[n - 1].act, draws.proofs.get(n))
            while events and events[0][0] == n:
                ledger = self.noted(ledger, n, events.pop(0)[1])
        if ledger.stage == "none" and ledger.attempts:
            self.fault(len(game.log), FairError("an attempt failed, and nothing followed", "fair/order"))
        return Report(
            throws=tuple(self.throws),
            faults=tuple(self.faults),
            attempts=ledger.attempts,
            restarts=ledger.restarts,
            voids=ledger.voids,
            late=tuple(self.late),
            lost=tuple(self.lost),
            own=self.own,
            undos=sum(isinstance(entry.act, Undo) for entry in game.log),
            signs=ledger.signs,
        )

    def noted(self, ledger: Ledger, n: int, told: object) -> Ledger:
        """The ledger after an event; as it was where the event does not hold."""
        try:
            event = read_event(told)
            self.proving = self.proving or isinstance(event, Attempt)
            after = with_event(ledger, event, self.game_after(n).state.away)
            if isinstance(event, Ready) and ledger.attempt is not None:
                self.check_beacon(ledger.attempt.plan, event.beacon)
            if isinstance(event, SeatReady):
                alone = ledger.pending[event.seat].alone
                assert alone is not None, "the ledger took it"
                self.check_beacon(alone.plan, event.beacon)
        except BobingError as bad:
            if bad.code == "fair/no_bls":
                raise
            self.fault(n, bad)
            return ledger
        if isinstance(event, Late | SeatAttempt) and event.seat not in ledger.waiting:
            self.late.append(event.seat)
        if isinstance(event, Lost):
            self.lost.append(event.seat)
        if isinstance(event, Ready):
            self.own = tuple(after.own)
        return after

    def check_beacon(self, plan: bytes, beacon: bytes) -> None:
        """Refuse forged public chance; behind the first, none is taken, for a signature costs a second to look at."""
        if self.forged and plan:
            raise BeaconRefused("public chance before this was forged: no more of it is looked at")
        try:
            verify_beacon(plan, beacon)
        except BeaconRefused:
            self.forged = True
            raise

    def acted(self, ledger: Ledger, n: int, act: Act, told: object) -> Ledger:
        """The ledger after an act, and the verdict on its dice."""
        if isinstance(act, Throw | RollOff | Start) or (isinstance(act, Spill) and (act.roll or told is not None)):
            return self.thrown(ledger, n, act, told)
        if told is not None:
            self.fault(n, FairError("nothing is drawn for this act", "fair/bad_form"))
        if isinstance(act, Correct):
            self.corrected(ledger, n, act)
        return ledger.as_stands(self.game_after(n)) if isinstance(act, Undo | Correct) else ledger

    def thrown(self, ledger: Ledger, n: int, act: Drawn, told: object) -> Ledger:
        if told is None:
            self.throws.append(self.typed(ledger, n, act))
            return ledger
        proof = None
        try:
            proof = read_proof(told)
            ledger.verify_act(act, proof, self.game_before(n))
        except FairError as bad:
            self.throws.append(Checked(n, act.seat, proof and proof.k, "FAILED", bad.code, str(bad)))
            fits = proof is not None and bad.code == "fair/other_dice" and not isinstance(act, Start)
            return ledger.with_draw(n, act, proof) if fits and proof else ledger
        again = isinstance(act, Start) and ledger.first is not None  # drawn once, maybe in an earlier attempt
        verdict, unheard = found = self.started if again else _verdict(ledger, proof)
        self.started = found if isinstance(act, Start) else self.started
        self.throws.append(Checked(n, act.seat, proof.k, verdict, unheard=unheard))
        return ledger.with_draw(n, act, proof)

    def typed(self, ledger: Ledger, n: int, act: Drawn) -> Checked:
        """The verdict on dice without a proof."""
        if not self.proving or ledger.stage == "real":
            return Checked(n, act.seat, None, "PHYSICAL")
        return Checked(n, act.seat, None, "FAILED", "fair/no_proof", "this digital throw has no proof")

    def corrected(self, ledger: Ledger, n: int, act: Correct) -> None:
        """A correction leaves proved dice as they fell, and puts no dice where none were drawn."""
        if _dice(self.record.game.log[act.n - 1].act) == _dice(act.act):
            return
        told = self.record.draws.proofs.get(act.n) if self.record.draws else None
        if told is None:
            typed = any(one.n == act.n and one.verdict == "PHYSICAL" for one in self.throws)
            brings = isinstance(act.act, Throw | RollOff | Start) or (isinstance(act.act, Spill) and act.act.roll)
            if brings and not typed:
                assert isinstance(act.act, Drawn), "it brings dice"
                self.throws.append(self.typed(ledger, n, act.act))
            return
        try:
            proof = read_proof(told)
        except FairError:
            return  # told of that act already
        said = f"act {act.n} was drawn, and is replaced by other dice"
        self.throws.append(Checked(n, proof.seat, proof.k, "FAILED", "fair/changed", said))

    def fault(self, n: int, bad: BobingError) -> None:
        self.faults.append(Fault(n, bad.code, str(bad)))

    def game_before(self, n: int) -> Game:
        """The game in which act n was played, as far as its rules look at it."""
        game = self.record.game
        return Game(game.rules, game.seats, game.start, game.log[n - 1].line)

    def game_after(self, n: int) -> Game:
        game = self.record.game
        return self.game_before(n + 1) if n < len(game.log) else game


def _verdict(ledger: Ledger, proof: Proof) -> tuple[Verdict, tuple[int, ...]]:
    """The verdict on a draw that holds, and whose devices do not vouch for it."""
    origin = ledger.origin(proof.seat, proof.k)
    assert origin is not None, "it was drawn"
    if proof.player is None or origin.unheard:
        return "PROXY", origin.unheard if proof.player else ()
    return "PROVED-B" if origin.public else "PROVED-A", ()


def _dice(act: Act) -> tuple[object, ...]:
    """What was drawn for an act, and what kind of act it is."""
    match act:
        case Throw(roll=roll, grab=grab):
            return "throw", roll.faces, grab
        case Spill(roll=roll):
            return "spill", roll.faces if roll else ()
        case RollOff(faces=faces):
            return "rolloff", faces
        case Start(dice=dice):
            return "start", dice
        case _:
            return "none", ()
