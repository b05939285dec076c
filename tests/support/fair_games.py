"""Random games with provable dice, as records: everything that can happen to the proof of a draw happens in some."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bobing.core.acts import Act, Back, Join, Leave, Pass, RollOff, Start, Undo
from bobing.core.catalogue import find_sheet
from bobing.core.game import Game
from bobing.core.record import Draws, record_lines
from bobing.core.rules import RuleSet
from bobing.fairness.acts import Drawn, drawn_act, thrown
from bobing.fairness.beacon import beacon_bytes, dice_plan, drand_plan, round_time
from bobing.fairness.chain import player_chain, server_link
from bobing.fairness.commit import opening_hash, settings_hash
from bobing.fairness.events import (
    Attempt,
    Committed,
    Event,
    Late,
    LateReady,
    Lost,
    Proof,
    Ready,
    Reveals,
    SeatAttempt,
    SeatReady,
    SeatReveal,
    SeatVoid,
    Void,
)
from bobing.fairness.forms import event_json, proof_json
from bobing.fairness.ledger import Ledger, spec_heads
from bobing.fairness.reveal import signs
from bobing.fairness.steps import with_event

SHEETS = ("minnan", "S11", "S12", "xiamen-tradition", "philippines", "xiamen-modern")
ROUND = 657_413
SIGNATURE = (
    "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"  # of that round
)
FACES = "362451" * 5


Verdict = tuple[int, int, int, str, list[int]]
"""Number of the act, seat, which draw of the seat, what a verifier has to say, and seats whose devices do not vouch."""


def fair_record(seed: int, throws: int = 60, rules: RuleSet | None = None) -> tuple[bytes, list[Verdict]]:
    """The record of a random game with at most about so many draws, and what is proved of each of its throws.

    rules: else those of some sheet.
    """
    table = FairTable(Random(seed), throws, rules)
    return table.played(), table.verdicts


@dataclass
class FairTable:
    """A table that deals provable dice; its devices are here too, and their secrets."""

    random: Random
    throws: int
    rules: RuleSet | None = None
    game: Game = field(init=False)
    ledger: Ledger = field(init=False)
    events: list[tuple[int, object]] = field(default_factory=list[tuple[int, object]])
    proofs: dict[int, object] = field(default_factory=dict[int, object])
    verdicts: list[Verdict] = field(default_factory=list["Verdict"])
    devices: dict[int, list[bytes]] = field(default_factory=dict[int, list[bytes]])
    owners: set[int] = field(default_factory=set[int])
    took_part: set[int] = field(default_factory=set[int])
    waited_for: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    unheard: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    drawn: dict[Proof, tuple[str, list[int]]] = field(default_factory=dict[Proof, tuple[str, list[int]]])
    master: bytes = b""
    round: int = ROUND - 1

    def __post_init__(self) -> None:
        rules = self.rules or find_sheet(self.random.choice(SHEETS))
        seats = max(rules.setup.seats_min, self.random.randint(2, 5))
        self.game = Game.new(rules, seats, self.random.randrange(seats))
        self.ledger = Ledger(rules.digest)
        self.owners = {seat for seat in range(seats) if self.random.random() < 0.75}
        self.links = self.random.choice([4, 12, 256])
        self.spill = self.random.choice([0, 0, 0, 3000])
        self.beacon = self.random.choice(["", "", "drand", "dice"])

    def played(self) -> bytes:
        """Play, and write it down."""
        self.attempt("begin")
        draws = 0
        while not self.game.finished and draws < self.throws:
            draws += self.step()
        return self.record()

    def record(self) -> bytes:
        text = record_lines(self.game, {0: "阿明"}, Draws(tuple(self.events), self.proofs))
        return b"".join(text)

    def step(self) -> bool:
        """One thing that happens; whether it was a draw."""
        chance = self.random.random()
        if chance < 0.04 and self.game.log:
            self.undo()
        elif chance < 0.06 and self.ledger.own:
            self.tell(Lost(self.random.choice(self.ledger.own), self.random.choice(("lost", "freed", "absent"))))
        elif chance < 0.09 and self.game.can(Join()):
            self.join()
        elif chance < 0.10:
            self.attempt("again")
        elif chance < 0.14:
            self.go_or_come()
        else:
            return self.throw()
        return False

    # ---- sealing -----------------------------------------------------------------------------------------------------

    def attempt(self, why: str) -> None:
        """Seal the dice; now and then a device does not answer, and it is done again."""
        while True:
            self.open(why)
            if self.ledger.own and self.random.random() < 0.2:
                silent = self.random.choice(self.ledger.own)
                self.owners.discard(silent)
                self.tell(Void((silent,)))
                why = "void"
                continue
            self.tell(Reveals({seat: self.devices[seat][1] for seat in self.ledger.own}, self.clock + 1_000))
            self.took_part = set(self.ledger.own)
            beacon = beacon_bytes(self.plan, {"drand": SIGNATURE, "dice": FACES}[self.beacon]) if self.beacon else b""
            j = self.ledger.seed_with(beacon)
            return self.tell(Ready(beacon, j, signs(j)))

    @property
    def plan(self) -> bytes:
        return {"": b"", "drand": drand_plan(self.round), "dice": dice_plan(len(FACES))}[self.beacon]

    @property
    def clock(self) -> int:
        return round_time(self.round) * 1000 - 40_000

    def open(self, why: str) -> None:
        game, self.master = self.random.randbytes(16), self.random.randbytes(32)
        self.devices, self.took_part, self.unheard = {}, set(), {}
        self.round += 1
        seats = tuple(self.heads(game, seat) for seat in range(len(self.game.state.order)))
        rules = settings_hash(self.ledger.rules_hash, self.spill)
        previous = self.ledger.previous
        t0 = opening_hash(game, rules, previous, self.links, self.plan, [spec_heads(one) for one in seats])
        self.tell(Attempt(why, game, self.links, self.plan, previous, self.spill, seats, t0, self.clock))  # type: ignore[arg-type] - one of them

    def heads(self, game: bytes, seat: int) -> Committed:
        if seat in self.owners:
            self.devices[seat] = player_chain(self.random.randbytes(32), game, seat + 1, self.links)
        player = self.devices[seat][0] if seat in self.devices else None
        return Committed(seat, server_link(self.master, game, seat + 1, 0, self.links), player)

    def tell(self, event: Event) -> None:
        self.ledger = with_event(self.ledger, event, self.game.state.away)
        self.events.append((len(self.game.log), event_json(event)))

    # ---- playing -----------------------------------------------------------------------------------------------------

    def throw(self) -> bool:
        """The seat whose turn it is draws; where it cannot, what has to come first is done."""
        seat, attempt = self.game.next_seat, self.ledger.attempt
        assert seat is not None, "the game is not over"
        assert attempt is not None, "the dice are sealed"
        if seat not in self.ledger.chains:  # an undo brought it back
            self.sit(seat)
        self.late_come_in()
        self.phone_comes()
        if not self.ledger.may_draw(seat):
            self.pass_on(seat)
            return False
        k = self.ledger.next_k(seat)
        if self.ledger.repeated(seat, k) is None and k > self.links:
            self.attempt("spent")
            return False
        proof = self.ledger.repeated(seat, k) or Proof(seat, k, self.server(seat, k), self.player(seat, k))
        act = self.act(seat, proof)
        if not self.game.can(act):
            self.pass_on(seat)
            return False
        self.ledger.verify_act(act, proof, self.game)
        self.play(act, proof)
        return True

    def act(self, seat: int, proof: Proof) -> Drawn:
        attempt = self.ledger.attempt
        assert attempt is not None, "the dice are sealed"
        pending, dice = self.game.state.rolloff, self.ledger.draw(proof)
        if pending:
            return RollOff(seat, dice.throw(pending.dice))
        start = Start(seat, (1, 1))
        if not self.game.log and self.random.random() < 0.3 and self.game.can(start):
            act = drawn_act(start, dice, attempt.spill, self.game)
            assert isinstance(act, Start), "a start stays one"
            return act
        return thrown(seat, dice, attempt.spill, self.game)

    def server(self, seat: int, k: int) -> bytes:
        assert self.ledger.attempt is not None, "the dice are sealed"
        return server_link(self.master, self.ledger.attempt.game, seat + 1, k, self.links)

    def player(self, seat: int, k: int) -> bytes | None:
        return self.devices[seat][k + 1] if seat in self.ledger.own else None

    def play(self, act: Act, proof: Proof | None = None) -> None:
        self.game = self.game.play(act)
        n = len(self.game.log)
        if proof is not None:
            assert isinstance(act, Drawn), "only these are drawn"
            self.proofs[n] = proof_json(proof)
            self.verdicts.append((n, proof.seat, proof.k, *self.drawn.setdefault(proof, self.proved(proof))))
            self.ledger = self.ledger.with_draw(n, act, proof)

    def proved(self, proof: Proof) -> tuple[str, list[int]]:
        """What is proved of a fresh draw."""
        unheard = self.unheard.get(proof.seat, []) if proof.player else []
        if proof.player is None or unheard:
            return "PROXY", unheard
        return "PROVED-B" if self.beacon else "PROVED-A", []

    def undo(self) -> None:
        n = self.random.randrange(max(1, len(self.game.log) - 4), len(self.game.log) + 1)
        if not self.game.can(Undo(n)):
            return
        self.play(Undo(n))
        self.ledger = self.ledger.as_stands(self.game)

    def pass_on(self, seat: int) -> None:
        self.play(Pass(seat) if self.game.can(Pass(seat)) else Leave(seat))

    def go_or_come(self) -> None:
        seat = self.random.randrange(len(self.game.state.order))
        act = Back(seat) if seat in self.game.state.away else Leave(seat)
        if self.game.can(act) and len(self.game.state.order) - len(self.game.state.away) > 2:
            self.play(act)

    def join(self) -> None:
        """Somebody comes late, with a device or without."""
        self.play(Join())
        seat = len(self.game.state.order) - 1
        if seat not in self.ledger.chains:  # where it is, it sat there before an undo
            self.sit(seat)

    def sit(self, seat: int) -> None:
        """A seat that did not take part in the sealing comes in."""
        if self.random.random() < 0.7:
            self.owners.add(seat)
        self.seal(seat)

    def phone_comes(self) -> None:
        """A device comes to a seat that had none, now and then; who lost their links to public chance gets new ones."""
        for seat, chains in self.ledger.chains.items():
            if seat in self.ledger.pending:
                continue
            if chains.origin is None:
                self.owners.discard(seat)
                self.owners |= {seat} if self.random.random() < 0.7 else set()
                return self.seal(seat)
            if chains.heads.player is None and self.random.random() < 0.03:
                self.owners.add(seat)
                return self.seal(seat)
        return None

    def seal(self, seat: int) -> None:
        """The dice of one seat are fixed while the others play."""
        attempt = self.ledger.attempt
        assert attempt is not None, "the dice are sealed"
        self.devices.pop(seat, None)
        heads = self.heads(attempt.game, seat)
        if not self.beacon:
            return self.wait(Late(seat, heads.server, heads.player))
        self.round += 1
        previous, rules = self.ledger.previous, settings_hash(self.ledger.rules_hash, self.spill)
        t0 = opening_hash(attempt.game, rules, previous, self.links, self.plan, [spec_heads(heads)])
        self.tell(SeatAttempt(seat, heads.server, heads.player, self.plan, previous, t0, self.clock))
        if self.random.random() < 0.2:
            return self.tell(SeatVoid(seat))
        link = self.devices[seat][1] if heads.player else None
        return self.tell(SeatReveal(seat, link, self.clock + 1_000))

    def wait(self, late: Late) -> None:
        """Who came late waits for all whose devices took part by then."""
        self.waited_for[late.seat] = self.took_part - {late.seat}
        self.tell(late)

    def late_come_in(self) -> None:
        for seat, pending in list(self.ledger.pending.items()):
            if pending.alone:
                if self.random.random() < 0.3:
                    beacon = beacon_bytes(pending.alone.plan, {"drand": SIGNATURE, "dice": FACES}[self.beacon])
                    self.tell(SeatReady(seat, beacon, self.ledger.seed_alone(seat, beacon)))
            elif self.ledger.lap_done(seat, self.game.state.away):
                link = self.devices[seat][1] if pending.own else None
                laps = self.ledger.laps(seat)
                self.unheard[seat] = sorted(self.waited_for[seat] - {other for other, _, _ in laps})
                self.took_part |= {seat} if pending.own else set()
                self.tell(LateReady(seat, link, laps, self.ledger.late_seed_of(seat, link)))


def grab_record() -> bytes:
    """A record of one throw, six threes, in which the light goes out and everybody grabs."""
    table = FairTable(Random(25_839), 1, find_sheet("xiamen-tradition"))
    table.links = 4
    table.attempt("begin")
    seat = table.game.next_seat
    assert seat is not None, "the game begins"
    proof = Proof(seat, 1, table.server(seat, 1), table.player(seat, 1))
    table.play(thrown(seat, table.ledger.draw(proof), 0, table.game), proof)
    return table.record()
