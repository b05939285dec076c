"""Where the draws of a table stand: who is bound by what, which link comes next, what was drawn.

`Ledger` is a frozen value that takes what a table wrote down, in order, and refuses what does not follow from what was
there before. The server keeps one for what it draws next; a verifier keeps one for what was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from bobing.core.acts import Start
from bobing.core.game import Game, Node
from bobing.fairness.acts import Drawn, drawn_act, start_stands
from bobing.fairness.beacon import WAIT_S, planned_round, round_time, verify_form
from bobing.fairness.chain import led_back, player_before, server_before
from bobing.fairness.commit import Heads, opening_hash, settings_hash
from bobing.fairness.draw import Draw
from bobing.fairness.events import (
    Attempt,
    Committed,
    Event,
    FairError,
    Late,
    LateReady,
    Lost,
    Proof,
    Ready,
    Real,
    Reveals,
    SeatAttempt,
    SeatEvent,
    SeatReady,
    SeatReveal,
    SeatVoid,
    Void,
)
from bobing.fairness.late import late_seed
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed, signs
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

    # ---- events ------------------------------------------------------------------------------------------------------

    def with_event(self, event: Event, away: Collection[int] = ()) -> Ledger:
        """The ledger after an event; away: seats that left the game. Raises FairError where it does not follow."""
        match event:
            case Attempt():
                return self._attempted(event)
            case Reveals():
                return self._revealed(event)
            case Ready():
                return self._made_ready(event)
            case Void():
                _require(self.stage in ("reveal", "beacon"), "nothing was under way that could fail", "fair/order")
                _require(set(event.missing) <= set(self.own), "a seat without a device reveals nothing", "fair/order")
                return replace(self, stage="none", voids=self.voids + 1)
            case Real():
                return replace(self, stage="real", chains={}, drawn={}, counts={}, pending={})
            case _:
                return self._with_seat_event(event, away)

    def _with_seat_event(self, event: SeatEvent, away: Collection[int]) -> Ledger:
        match event:
            case Late():
                return self._joined(event)
            case LateReady():
                return self._late_made_ready(event, away)
            case SeatAttempt():
                return self._alone(event)
            case SeatReveal():
                return self._alone_revealed(event)
            case SeatReady():
                return self._alone_ready(event)
            case SeatVoid(seat=seat):
                self._alone_at(seat)
                return replace(self, pending=_without(self.pending, seat), voids=self.voids + 1)
            case Lost(seat=seat):
                return self._lost(seat)
            case _:
                assert_never(event)

    def _attempted(self, event: Attempt) -> Ledger:
        _require(event.previous == self.previous, "this attempt does not name the one before it", "fair/wrong_previous")
        _require(event.game not in self.games, "an id was used twice", "fair/wrong_game")
        _require(self.stage in ("none", "ready", "real"), "the attempt before was dropped in silence", "fair/order")
        whys = {"begin"} if self.attempts == 0 else {"void"} if self.stage == "none" else {"again", "spent", "late"}
        _require(event.why in whys, f"this attempt cannot be there because of {event.why}", "fair/order")
        announced = self._announced(event.plan, event.at)
        heads = [spec_heads(one) for one in event.seats]
        rules = settings_hash(self.rules_hash, event.spill)
        t0 = opening_hash(event.game, rules, event.previous, event.links, event.plan, heads)
        _require(t0 == event.opening, "T0 is not the hash of what was fixed", "fair/wrong_t0")
        players = [one.player for one in event.seats if one.player is not None]
        differ = len(set(players)) == len(players) and ZEROS not in players
        _require(differ, "two seats have the same head", "fair/same_head")
        return replace(
            announced,
            stage="reveal",
            attempt=event,
            chains={one.seat: Chains(one, own=one.player is not None) for one in event.seats},
            drawn={},
            counts={},
            pending={},
            heads=frozenset(players),
            games=self.games | {event.game},
            previous=event.opening,
            links={},
            signs="",
            attempts=self.attempts + 1,
            restarts=self.restarts + (event.why in ("again", "spent", "late")),
        )

    def _announced(self, plan: bytes, at: int) -> Ledger:
        """The ledger once a plan was told: its round lies ahead, and behind every one that was named before."""
        told, number = self._told(at), planned_round(plan)
        _require_time(plan, at + WAIT_S * 1000, "the round of drand comes too soon after all was fixed")
        _require(number is None or number > self.round, "this round of drand was named before", "fair/early_beacon")
        return replace(told, round=max(self.round, number or 0))

    def _told(self, at: int) -> Ledger:
        """The ledger at a time, which never falls."""
        _require(at >= self.clock, "this was told at an earlier time than what stands before it", "fair/order")
        return replace(self, clock=at)

    def _revealed(self, event: Reveals) -> Ledger:
        _require(self.stage == "reveal" and not self.links, "nothing is to be revealed now", "fair/order")
        _require(sorted(event.links) == self.own, "all with a device reveal, and no others", "fair/missing_reveal")
        for seat, link in event.links.items():
            self.verify_reveal(seat, link)
        plan = self._running("reveal").plan
        _require_time(plan, event.at + 1, "the round of drand was there before all had revealed")
        return replace(self._told(event.at), stage="beacon", links=dict(event.links))

    def verify_reveal(self, seat: int, link: bytes) -> None:
        """Refuse a first link that does not lead to the head that its seat gave; raises FairError."""
        _require(self.is_reveal(seat, link), f"what seat {seat} shows does not lead to its head", "fair/wrong_reveal")

    def is_reveal(self, seat: int, link: bytes) -> bool:
        """Whether a first link leads to the head that its seat gave."""
        bound = self.pending.get(seat) or self.chains.get(seat)
        if bound is None or self.attempt is None:
            return False
        return player_before(self.attempt.game, seat + 1, 1, link) == bound.heads.player

    def _made_ready(self, event: Ready) -> Ledger:
        attempt = self._running("beacon")
        verify_form(attempt.plan, event.beacon)
        j = self.seed_with(event.beacon)
        _require(event.seed == j, "J is not the hash of what was revealed", "fair/wrong_j")
        _require(event.signs == signs(j), "the six signs are not those of J", "fair/wrong_signs")
        origin = Origin(j, public=bool(attempt.plan))
        chains = {seat: replace(one, origin=origin, shown=self.links.get(seat)) for seat, one in self.chains.items()}
        return replace(self, stage="ready", chains=chains, seed=j, signs=event.signs)

    def seed_with(self, beacon: bytes) -> bytes:
        """J, once everybody has revealed."""
        return seed(self._running("beacon").opening, {seat + 1: self.links.get(seat) for seat in self.chains}, beacon)

    def _joined(self, event: Late) -> Ledger:
        plan = self._running("ready").plan
        _require(not plan, "a seat that comes late gets public chance of its own here", "fair/order")
        chains = self.chains.get(event.seat)
        heads = Committed(event.seat, event.server, event.player)
        newly = chains is not None and chains.heads.player is None and event.player is not None
        _require(chains is None or newly, "this seat takes part already", "fair/order")
        return self._pend(chains, Pending(heads, own=event.player is not None, lap=self._lap(event.seat)))

    def _lap(self, late: int) -> Mapping[int, int]:
        """What a seat that comes now waits for: a draw of every other whose device takes part, or did and was lost."""
        seats = ((seat, one) for seat, one in sorted(self.chains.items()) if seat != late)
        return {seat: one.awaited for seat, one in seats if one.shown is not None}

    def _pend(self, chains: Chains | None, pending: Pending) -> Ledger:
        """The ledger with a seat whose dice are being fixed. The server's chain goes on, where the seat has one."""
        heads, seat = pending.heads, pending.heads.seat
        _require(seat not in self.pending, "the dice of this seat are being fixed already", "fair/order")
        _require(
            heads.player is None or heads.player not in self.heads | {ZEROS}, "a head serves twice", "fair/same_head"
        )
        same = chains is None or chains.heads.server == heads.server
        _require(same, "the server has another head for this seat", "fair/wrong_link")
        bound = replace(chains, heads=heads) if chains else Chains(heads, own=False)
        seen = self.heads if heads.player is None else self.heads | {heads.player}
        return replace(_put(self, seat, bound), pending={**self.pending, seat: pending}, heads=seen)

    def _late_made_ready(self, event: LateReady, away: Collection[int]) -> Ledger:
        self._running("ready")
        pending = self.pending.get(event.seat)
        _require(pending is not None and pending.alone is None, "this seat does not wait", "fair/order")
        assert pending is not None, "just looked at"
        _require(event.laps == self.laps(event.seat), "these are not the draws that were waited for", "fair/wrong_laps")
        _require(self.lap_done(event.seat, away), "not everybody has drawn twice since it came", "fair/too_early")
        _require(
            (event.link is not None) is pending.own, "the seat has to reveal its first link", "fair/missing_reveal"
        )
        if event.link is not None:
            self.verify_reveal(event.seat, event.link)
        _require(event.seed == self.late_seed_of(event.seat, event.link), "J of the late seat differs", "fair/wrong_j")
        return self._seeded_with(event.seat, Origin(event.seed, unheard=self.unheard(event.seat)), event.link)

    def _seeded_with(self, seat: int, origin: Origin, link: bytes | None) -> Ledger:
        """The ledger where the dice of a seat are fixed anew: it draws from this seed from now on."""
        own = self.pending[seat].own
        ready = replace(self.chains[seat], own=own, origin=origin, shown=link, at=1)
        return replace(_put(self, seat, ready), pending=_without(self.pending, seat))

    def _alone(self, event: SeatAttempt) -> Ledger:
        attempt = self._running("ready")
        announced = bool(attempt.plan) and event.plan[:1] == attempt.plan[:1]
        _require(announced, "no public chance of this kind was announced", "fair/bad_plan")
        drand = planned_round(event.plan) is not None
        _require(drand or event.plan == attempt.plan, "fewer dice than were announced", "fair/bad_plan")
        told = self._announced(event.plan, event.at)
        _require(event.previous == self.previous, "this attempt does not name the one before it", "fair/wrong_previous")
        heads, chains = Committed(event.seat, event.server, event.player), self.chains.get(event.seat)
        newly = chains is not None and chains.heads.player is None and event.player is not None
        _require(chains is None or chains.origin is None or newly, "this seat takes part already", "fair/order")
        rules = settings_hash(self.rules_hash, attempt.spill)
        t0 = opening_hash(attempt.game, rules, event.previous, attempt.links, event.plan, [spec_heads(heads)])
        _require(t0 == event.opening, "T0 is not the hash of what was fixed", "fair/wrong_t0")
        pending = Pending(heads, own=event.player is not None, alone=event)
        pended = self._pend(chains, pending)
        return replace(pended, previous=event.opening, clock=told.clock, round=told.round)

    def _alone_at(self, seat: int, *, revealed: bool | None = None) -> tuple[Pending, SeatAttempt]:
        self._running("ready")
        pending = self.pending.get(seat)
        there = pending is not None and pending.alone is not None and revealed in (None, pending.revealed)
        _require(there, "this comes at the wrong time", "fair/order")
        assert pending is not None, "just looked at"
        assert pending.alone is not None, "just looked at"
        return pending, pending.alone

    def _alone_revealed(self, event: SeatReveal) -> Ledger:
        pending, alone = self._alone_at(event.seat, revealed=False)
        _require(
            (event.link is not None) is pending.own, "the seat has to reveal its first link", "fair/missing_reveal"
        )
        if event.link is not None:
            self.verify_reveal(event.seat, event.link)
        _require_time(alone.plan, event.at + 1, "the round of drand was there before all had revealed")
        known = replace(pending, revealed=True, link=event.link)
        return replace(self._told(event.at), pending={**self.pending, event.seat: known})

    def _alone_ready(self, event: SeatReady) -> Ledger:
        pending, alone = self._alone_at(event.seat, revealed=True)
        verify_form(alone.plan, event.beacon)
        _require(event.seed == self.seed_alone(event.seat, event.beacon), "J of the seat differs", "fair/wrong_j")
        return self._seeded_with(event.seat, Origin(event.seed, public=True), pending.link)

    def seed_alone(self, seat: int, beacon: bytes) -> bytes:
        """J of a seat whose dice are fixed with public chance of their own."""
        pending, alone = self._alone_at(seat, revealed=True)
        return seed(alone.opening, {seat + 1: pending.link}, beacon)

    def _lost(self, seat: int) -> Ledger:
        """Without public chance a seat goes on without links; with it, it waits for a chance that nobody knows yet."""
        attempt, pending, chains = self._running("ready"), self.pending.get(seat), self.chains.get(seat)
        if pending is not None and pending.own and pending.alone is None:
            assert chains is not None, "who waits has chains"
            left = {**_without(self.pending, seat), seat: replace(pending, own=False)}
            return replace(self, pending=left if chains.origin is None else _without(self.pending, seat))
        _require(chains is not None and chains.own, "it had no links to lose", "fair/order")
        assert chains is not None, "it has links of its own"
        return _put(self, seat, replace(chains, own=False, origin=None if attempt.plan else chains.origin))

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

    def _running(self, stage: Stage) -> Attempt:
        _require(self.attempt is not None and self.stage == stage, "this comes at the wrong time", "fair/order")
        assert self.attempt is not None, "just looked at"
        return self.attempt

    # ---- draws -------------------------------------------------------------------------------------------------------

    def verify_link(self, seat: int, k: int, player: bytes | None) -> None:
        """Refuse a link of a seat's own device that does not go into its k-th draw; raises FairError."""
        chains, before = self._may_draw(seat, k), self.repeated(seat, k)
        if before is not None:
            _require(player == before.player, f"draw {k} of seat {seat} had another link", "fair/other_link")
            return
        attempt = self._running("ready")
        _require(k == len(chains.draws) + 1, f"draw {len(chains.draws) + 1} of seat {seat} comes now", "fair/wrong_k")
        _require(k <= attempt.links, f"the chain of seat {seat} is used up", "fair/spent")
        if not chains.own:
            _require(player is None, f"seat {seat} has no links of its own", "fair/other_link")
            return
        fits = player is not None and led_back(attempt.game, seat + 1, player, k + 1, chains.at) == chains.shown
        _require(fits, f"the link of seat {seat} for draw {k} does not lead to the one before", "fair/wrong_link")

    def draw(self, proof: Proof) -> Draw:
        """The dice of a draw, its links verified; raises FairError."""
        chains = self._may_draw(proof.seat, proof.k)
        self.verify_link(proof.seat, proof.k, proof.player)
        attempt = self._running("ready")
        before = self.repeated(proof.seat, proof.k)
        if before is None:
            fits = server_before(attempt.game, proof.seat + 1, proof.k, proof.server) == chains.server
            _require(fits, f"the server's link for draw {proof.k} does not lead back", "fair/wrong_link")
        else:
            _require(proof == before, f"draw {proof.k} of seat {proof.seat} is not as before", "fair/other_link")
        origin = self.origin(proof.seat, proof.k)
        assert origin is not None, "who may draw has a seed"
        return Draw(attempt.game, origin.seed, proof.seat + 1, proof.k, proof.server, proof.player)

    def _may_draw(self, seat: int, k: int) -> Chains:
        self._running("ready")
        _require(self.origin(seat, k) is not None, f"seat {seat} may not draw yet", "fair/not_ready")
        return self.chains[seat]

    def verify_act(self, act: Drawn, proof: Proof, game: Game) -> None:
        """Refuse an act, played in `game`, whose dice are not those of its proof; raises FairError."""
        if isinstance(act, Start) and self.first is not None:
            _require(not start_stands(game), "the dice for the start lie there already", "fair/wrong_k")
            _require((proof, act.dice) == self.first, "the dice for the start are thrown once", "fair/other_dice")
            return
        _require(act.seat == proof.seat, f"this is the proof of seat {proof.seat}", "fair/other_seat")
        _require(proof.k == self.next_k(proof.seat), f"draw {self.next_k(proof.seat)} comes now", "fair/wrong_k")
        wanted = drawn_act(act, self.draw(proof), self._running("ready").spill, game)
        _require(wanted == act, "the dice are not those that were drawn", "fair/other_dice")

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


def _put(ledger: Ledger, seat: int, chains: Chains) -> Ledger:
    return replace(ledger, chains={**ledger.chains, seat: chains})


def _without(pending: Mapping[int, Pending], seat: int) -> Mapping[int, Pending]:
    return {other: one for other, one in pending.items() if other != seat}


def _require_time(plan: bytes, ms: int, message: str) -> None:
    """Refuse what comes later than the round of drand that was announced, if one was."""
    number = planned_round(plan)
    _require(number is None or ms <= round_time(number) * 1000, message, "fair/early_beacon")


def _require(holds: bool, message: str, code: str) -> None:  # noqa: FBT001
    if not holds:
        raise FairError(message, code)
