"""Where the draws of a table stand: who is bound by what, which link comes next, what was drawn.

`Ledger` is a frozen value that takes draws; `steps` makes of it what it is after an event. Both refuse what does not
follow from what was there before. The server keeps one for what it draws next; a verifier keeps one for what was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bobing.core.acts import Start
from bobing.core.game import Game, Node
from bobing.fairness.acts import Drawn, drawn_act, start_stands
from bobing.fairness.chain import led_back, player_before, server_before
from bobing.fairness.commit import Heads
from bobing.fairness.draw import Draw
from bobing.fairness.events import Attempt, Committed, Proof, SeatAttempt, require
from bobing.fairness.late import late_seed
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed
from bobing.fairness.seats import Chains, Lap, Origin, Pending, Seeded

Stage = Literal["none", "reveal", "beacon", "ready", "real"]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The draws of a table under rules with this hash.

    stage: `none` before any attempt, `reveal`, `beacon` and `ready` within one, `real` where the dice are real ones.
    drawn: the draws of this attempt by act; counts: by seat, how many of them are not taken back. pending: seats that
    came late, whose device did, or that lost their links to public chance. heads: of all devices in this attempt;
    games: the ids of all attempts; previous: what the next one is chained to; clock: the last time that was told, in
    ms; round: the last of drand that was named. first: the two dice of the start that were drawn first, whoever throws
    them again.
    """

    rules_hash: str
    stage: Stage = "none"
    attempt: Attempt | None = None
    chains: Mapping[int, Chains] = field(default_factory=dict[int, Chains])
    drawn: Mapping[int, Proof] = field(default_factory=dict[int, Proof])
    counts: Mapping[int, int] = field(default_factory=dict[int, int])
    pending: Mapping[int, Pending] = field(default_factory=dict[int, Pending])
    heads: frozenset[bytes] = frozenset()
    games: frozenset[bytes] = frozenset()
    previous: bytes = ZEROS
    clock: int = 0
    round: int = 0
    links: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    seed: bytes = b""
    signs: str = ""
    attempts: int = 0
    voids: int = 0
    restarts: int = 0
    first: tuple[Proof, tuple[int, ...]] | None = None

    @property
    def own(self) -> list[int]:
        """Seats whose own device takes part."""
        return [seat for seat, chains in sorted(self.chains.items()) if chains.own]

    @property
    def waiting(self) -> list[int]:
        """Seats that may not throw yet."""
        return [seat for seat, chains in sorted(self.chains.items()) if chains.origin is None and self.stage == "ready"]

    def takes_part(self, seat: int) -> bool:
        """Whether the device of a seat takes part, or will once its dice are fixed."""
        pending = self.pending.get(seat)
        return (seat in self.chains and self.chains[seat].own) or (pending is not None and pending.own)

    def may_draw(self, seat: int) -> bool:
        """Whether the next draw of a seat can be made; one that was taken back always can."""
        return self.stage == "ready" and self.origin(seat, self.next_k(seat)) is not None

    def next_k(self, seat: int) -> int:
        """The number of the next draw of a seat."""
        return 1 + self.counts.get(seat, 0)

    def repeated(self, seat: int, k: int) -> Proof | None:
        """The k-th draw of a seat, where it was drawn before and taken back: it comes out as it did."""
        seeded = self._seeded(seat, k)
        return seeded.proof if seeded else None

    def origin(self, seat: int, k: int) -> Origin | None:
        """What the k-th draw of a seat is drawn from, or was; None where it may not draw."""
        seeded, chains = self._seeded(seat, k), self.chains.get(seat)
        return seeded.origin if seeded else chains and chains.origin

    def _seeded(self, seat: int, k: int) -> Seeded | None:
        chains = self.chains.get(seat)
        return chains.draws[k - 1] if chains and 1 <= k <= len(chains.draws) else None

    # ---- what is fixed -----------------------------------------------------------------------------------------------

    def verify_reveal(self, seat: int, link: bytes) -> None:
        """Refuse a first link that does not lead to the head that its seat gave; raises FairError."""
        require(self.is_reveal(seat, link), f"what seat {seat} shows does not lead to its head", "fair/wrong_reveal")

    def is_reveal(self, seat: int, link: bytes) -> bool:
        """Whether a first link leads to the head that its seat gave."""
        bound = self.pending.get(seat) or self.chains.get(seat)
        if bound is None or self.attempt is None:
            return False
        return player_before(self.attempt.game, seat + 1, 1, link) == bound.heads.player

    def seed_with(self, beacon: bytes) -> bytes:
        """J, once everybody has revealed."""
        return seed(self.running("beacon").opening, {seat + 1: self.links.get(seat) for seat in self.chains}, beacon)

    def alone_at(self, seat: int, *, revealed: bool | None = None) -> tuple[Pending, SeatAttempt]:
        """A seat that has an attempt of its own under way, and that; raises FairError where there is none."""
        self.running("ready")
        pending = self.pending.get(seat)
        there = pending is not None and pending.alone is not None and revealed in (None, pending.revealed)
        require(there, "this comes at the wrong time", "fair/order")
        assert pending is not None, "just looked at"
        assert pending.alone is not None, "just looked at"
        return pending, pending.alone

    def seed_alone(self, seat: int, beacon: bytes) -> bytes:
        """J of a seat whose dice are fixed with public chance of their own."""
        pending, alone = self.alone_at(seat, revealed=True)
        return seed(alone.opening, {seat + 1: pending.link}, beacon)

    def lap_done(self, seat: int, away: Collection[int]) -> bool:
        """Whether a late seat waits no longer: who has not drawn what it waits for is away, or has no device now."""
        return not any(self.chains[other].own and other not in away for other in self.unheard(seat))

    def laps(self, seat: int) -> tuple[Lap, ...]:
        """The draws that a late seat waits for, as far as they were drawn with a link."""
        found = ((other, k, self.chains[other].link(k)) for other, k in self.pending[seat].lap.items())
        return tuple((other, k, link) for other, k, link in found if link is not None)

    def unheard(self, seat: int) -> tuple[int, ...]:
        """Seats whose device took part when a late seat came, and whose draw it waits for is not there."""
        heard = {other for other, _, _ in self.laps(seat)}
        return tuple(other for other in self.pending[seat].lap if other not in heard)

    def late_seed_of(self, seat: int, link: bytes | None) -> bytes:
        """J of a late seat."""
        laps = [(other + 1, k, shown) for other, k, shown in self.laps(seat)]
        return late_seed(self.seed, spec_heads(self.pending[seat].heads), link, laps)

    def running(self, stage: Stage) -> Attempt:
        """The attempt that is under way; raises FairError where none is at this stage."""
        require(self.attempt is not None and self.stage == stage, "this comes at the wrong time", "fair/order")
        assert self.attempt is not None, "just looked at"
        return self.attempt

    # ---- draws -------------------------------------------------------------------------------------------------------

    def verify_link(self, seat: int, k: int, player: bytes | None) -> None:
        """Refuse a link of a seat's own device that does not go into its k-th draw; raises FairError."""
        chains, before = self._may_draw(seat, k), self.repeated(seat, k)
        if before is not None:
            require(player == before.player, f"draw {k} of seat {seat} had another link", "fair/other_link")
            return
        attempt = self.running("ready")
        require(k == len(chains.draws) + 1, f"draw {len(chains.draws) + 1} of seat {seat} comes now", "fair/wrong_k")
        require(k <= attempt.links, f"the chain of seat {seat} is used up", "fair/spent")
        if not chains.own:
            require(player is None, f"seat {seat} has no links of its own", "fair/other_link")
            return
        fits = player is not None and led_back(attempt.game, seat + 1, player, k + 1, chains.at) == chains.shown
        require(fits, f"the link of seat {seat} for draw {k} does not lead to the one before", "fair/wrong_link")

    def draw(self, proof: Proof) -> Draw:
        """The dice of a draw, its links verified; raises FairError."""
        chains = self._may_draw(proof.seat, proof.k)
        self.verify_link(proof.seat, proof.k, proof.player)
        attempt = self.running("ready")
        before = self.repeated(proof.seat, proof.k)
        if before is None:
            fits = server_before(attempt.game, proof.seat + 1, proof.k, proof.server) == chains.server
            require(fits, f"the server's link for draw {proof.k} does not lead back", "fair/wrong_link")
        else:
            require(proof == before, f"draw {proof.k} of seat {proof.seat} is not as before", "fair/other_link")
        origin = self.origin(proof.seat, proof.k)
        assert origin is not None, "who may draw has a seed"
        return Draw(attempt.game, origin.seed, proof.seat + 1, proof.k, proof.server, proof.player)

    def _may_draw(self, seat: int, k: int) -> Chains:
        self.running("ready")
        require(self.origin(seat, k) is not None, f"seat {seat} may not draw yet", "fair/not_ready")
        return self.chains[seat]

    def verify_act(self, act: Drawn, proof: Proof, game: Game) -> None:
        """Refuse an act, played in `game`, whose dice are not those of its proof; raises FairError."""
        if isinstance(act, Start) and self.first is not None:
            require(not start_stands(game), "the dice for the start lie there already", "fair/wrong_k")
            require((proof, act.dice) == self.first, "the dice for the start are thrown once", "fair/other_dice")
            return
        require(act.seat == proof.seat, f"this is the proof of seat {proof.seat}", "fair/other_seat")
        require(proof.k == self.next_k(proof.seat), f"draw {self.next_k(proof.seat)} comes now", "fair/wrong_k")
        wanted = drawn_act(act, self.draw(proof), self.running("ready").spill, game)
        require(wanted == act, "the dice are not those that were drawn", "fair/other_dice")

    def with_draw(self, n: int, act: Drawn, proof: Proof) -> Ledger:
        """The ledger after act n was drawn; `verify_act` looks at it before."""
        chains = self.chains.get(proof.seat)
        again = isinstance(act, Start) and self.first is not None
        first = self.first or ((proof, act.dice) if isinstance(act, Start) else None)
        if chains is None or (again and self.repeated(proof.seat, proof.k) != proof):  # drawn in an earlier attempt
            return replace(self, first=first)
        fresh = proof.k > len(chains.draws)
        grown = {**self.chains, proof.seat: chains.with_draw(proof)} if fresh else self.chains
        counts = {**self.counts, proof.seat: self.next_k(proof.seat)}
        return replace(self, first=first, drawn={**self.drawn, n: proof}, counts=counts, chains=grown)

    def as_stands(self, game: Game) -> Ledger:
        """The ledger after an undo or a correction: only draws in the line of play count, and what was taken back comes
        again with the same number and the same dice. An undo that is itself undone brings its draws back."""
        places: set[int] = set()
        node: Node | None = game.line
        while node is not None:
            places.add(node.n)
            node = node.before
        return replace(self, counts=Counter(proof.seat for n, proof in self.drawn.items() if n in places))


def spec_heads(heads: Committed) -> Heads:
    """The heads of a seat as the specification counts it, from 1."""
    return Heads(heads.seat + 1, heads.server, heads.player)
