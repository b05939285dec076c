"""Where the draws of a table stand: who is bound by what, which link comes next, what was drawn.

`Ledger` is a frozen value that takes what a table wrote down, in order, and refuses what does not follow from what was
there before. The server keeps one for what it draws next; a verifier keeps one for what was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from bobing.core.acts import Act, RollOff, Spill, Start, Throw
from bobing.core.game import Game, Node
from bobing.fairness.beacon import WAIT_S, planned_round, round_time, verify_form
from bobing.fairness.chain import player_before, server_before
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
    Void,
)
from bobing.fairness.grab import drawn_grab
from bobing.fairness.late import late_seed
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed, signs

Stage = Literal["none", "reveal", "beacon", "ready", "real"]
Lap = tuple[int, int, bytes]
Drawn = Throw | RollOff | Spill | Start


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of one seat. own: whether its device takes part still; seed: None as long as a late seat waits.

    shown: the last link of its device that is known; draws: what was drawn so far, the first first.
    """

    heads: Committed
    own: bool
    seed: bytes | None = None
    shown: bytes | None = None
    draws: tuple[Proof, ...] = ()
    late: bool = False

    @property
    def server(self) -> bytes:
        """The last link of the server that is known."""
        return self.draws[-1].server if self.draws else self.heads.server


@dataclass(frozen=True, slots=True)
class Ledger:
    """The draws of a table under rules with this hash.

    stage: `none` before any attempt, `reveal`, `beacon` and `ready` within one, `real` where the dice are real ones.
    drawn: the draws of this attempt by act; counts: by seat, how many of them are not taken back. laps: for each late
    seat that waits, what others have thrown since. first: the two dice of the start that were drawn first, whoever
    throws them again.
    """

    rules_hash: str
    stage: Stage = "none"
    attempt: Attempt | None = None
    chains: Mapping[int, Chains] = field(default_factory=dict[int, Chains])
    drawn: Mapping[int, Proof] = field(default_factory=dict[int, Proof])
    counts: Mapping[int, int] = field(default_factory=dict[int, int])
    laps: Mapping[int, tuple[Lap, ...]] = field(default_factory=dict[int, tuple[Lap, ...]])
    links: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    signs: str = ""
    attempts: int = 0
    voids: int = 0
    restarts: int = 0
    first: tuple[Proof, tuple[int, ...]] | None = None

    @property
    def previous(self) -> bytes:
        """What the next attempt is chained to."""
        return self.attempt.opening if self.attempt else ZEROS

    @property
    def own(self) -> list[int]:
        """Seats whose own device takes part."""
        return [seat for seat, chains in sorted(self.chains.items()) if chains.own]

    @property
    def waiting(self) -> list[int]:
        """Late seats that may not throw yet."""
        return [seat for seat, chains in sorted(self.chains.items()) if chains.seed is None and chains.late]

    def next_k(self, seat: int) -> int:
        """The number of the next draw of a seat."""
        return 1 + self.counts.get(seat, 0)

    def repeated(self, seat: int, k: int) -> Proof | None:
        """The k-th draw of a seat, where it was drawn before and taken back: it comes out as it did."""
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
            case Late():
                return self._joined(event)
            case LateReady():
                return self._late_made_ready(event, away)
            case Lost(seat=seat):
                chains = self.chains.get(seat)
                _require(self.stage == "ready" and seat in self.own, "it had no links to lose", "fair/order")
                assert chains is not None, "it has links of its own"
                return _put(self, seat, replace(chains, own=False))
            case Real():
                return replace(self, stage="real", chains={}, drawn={}, counts={}, laps={})
            case _:
                assert_never(event)

    def _attempted(self, event: Attempt) -> Ledger:
        _require(event.previous == self.previous, "this attempt does not name the one before it", "fair/wrong_previous")
        _require(self.attempt is None or event.game != self.attempt.game, "an id was used twice", "fair/wrong_game")
        _require(self.stage in ("none", "ready", "real"), "the attempt before was dropped in silence", "fair/order")
        whys = {"begin"} if self.attempts == 0 else {"void"} if self.stage == "none" else {"again", "spent", "late"}
        _require(event.why in whys, f"this attempt cannot be there because of {event.why}", "fair/order")
        number = planned_round(event.plan)
        in_time = number is None or event.at + WAIT_S * 1000 <= round_time(number) * 1000
        _require(in_time, "the round of drand comes too soon after everything was fixed", "fair/early_beacon")
        heads = [spec_heads(one) for one in event.seats]
        rules = settings_hash(self.rules_hash, event.spill)
        t0 = opening_hash(event.game, rules, event.previous, event.links, event.plan, heads)
        _require(t0 == event.opening, "T0 is not the hash of what was fixed", "fair/wrong_t0")
        players = [one.player for one in event.seats if one.player is not None]
        differ = len(set(players)) == len(players) and ZEROS not in players
        _require(differ, "two seats have the same head", "fair/same_head")
        return replace(
            self,
            stage="reveal",
            attempt=event,
            chains={one.seat: Chains(one, own=one.player is not None) for one in event.seats},
            drawn={},
            counts={},
            laps={},
            links={},
            signs="",
            attempts=self.attempts + 1,
            restarts=self.restarts + (event.why in ("again", "spent", "late")),
        )

    def _revealed(self, event: Reveals) -> Ledger:
        _require(self.stage == "reveal" and not self.links, "nothing is to be revealed now", "fair/order")
        _require(sorted(event.links) == self.own, "all with a device reveal, and no others", "fair/missing_reveal")
        for seat, link in event.links.items():
            self.verify_reveal(seat, link)
        number = planned_round(self._running("reveal").plan)
        in_time = number is None or event.at < round_time(number) * 1000
        _require(in_time, "the round of drand was there before all had revealed", "fair/early_beacon")
        return replace(self, stage="beacon", links=dict(event.links))

    def verify_reveal(self, seat: int, link: bytes) -> None:
        """Refuse a first link that does not lead to the head that its seat gave; raises FairError."""
        _require(self.is_reveal(seat, link), f"what seat {seat} shows does not lead to its head", "fair/wrong_reveal")

    def is_reveal(self, seat: int, link: bytes) -> bool:
        """Whether a first link leads to the head that its seat gave."""
        chains = self.chains.get(seat)
        if chains is None or self.attempt is None:
            return False
        return player_before(self.attempt.game, seat + 1, 1, link) == chains.heads.player

    def _made_ready(self, event: Ready) -> Ledger:
        attempt = self._running("beacon")
        verify_form(attempt.plan, event.beacon)
        j = self.seed_with(event.beacon)
        _require(event.seed == j, "J is not the hash of what was revealed", "fair/wrong_j")
        _require(event.signs == signs(j), "the six signs are not those of J", "fair/wrong_signs")
        chains = {seat: replace(one, seed=j, shown=self.links.get(seat)) for seat, one in self.chains.items()}
        return replace(self, stage="ready", chains=chains, signs=event.signs)

    def seed_with(self, beacon: bytes) -> bytes:
        """J, once everybody has revealed."""
        return seed(self._running("beacon").opening, {seat + 1: self.links.get(seat) for seat in self.chains}, beacon)

    def _joined(self, event: Late) -> Ledger:
        self._running("ready")
        _require(event.seat not in self.chains, "this seat takes part already", "fair/order")
        known = {chains.heads.player for chains in self.chains.values()}
        fresh = event.player is None or (event.player not in known and event.player != ZEROS)
        _require(fresh, "two seats have the same head", "fair/same_head")
        heads = Committed(event.seat, event.server, event.player)
        added = Chains(heads, own=event.player is not None, late=True)
        return replace(self, chains={**self.chains, event.seat: added}, laps={**self.laps, event.seat: ()})

    def _late_made_ready(self, event: LateReady, away: Collection[int]) -> Ledger:
        self._running("ready")
        chains = self.chains.get(event.seat)
        _require(chains is not None and event.seat in self.laps, "this seat does not wait", "fair/order")
        assert chains is not None, "just looked at"
        _require(event.laps == self.laps[event.seat], "these are not the throws since the seat came", "fair/wrong_laps")
        _require(self.lap_done(event.seat, away), "not everybody has thrown since the seat came", "fair/too_early")
        _require((event.link is not None) is chains.own, "the seat has to reveal its first link", "fair/missing_reveal")
        if event.link is not None:
            self.verify_reveal(event.seat, event.link)
        _require(event.seed == self.late_seed_of(event.seat, event.link), "J of the late seat differs", "fair/wrong_j")
        ready = replace(chains, seed=event.seed, shown=event.link)
        return replace(_put(self, event.seat, ready), laps=_without(self.laps, event.seat))

    def lap_done(self, seat: int, away: Collection[int]) -> bool:
        """Whether everybody whose device takes part, and who is there, has thrown since a late seat came."""
        thrown = {other for other, _, _ in self.laps[seat]}
        others = (other for other in self.own if other != seat and other not in away and other not in self.laps)
        return all(other in thrown for other in others)

    def late_seed_of(self, seat: int, link: bytes | None) -> bytes:
        """J of a late seat."""
        laps = [(other + 1, k, shown) for other, k, shown in self.laps[seat]]
        return late_seed(self._seed, spec_heads(self.chains[seat].heads), link, laps)

    @property
    def _seed(self) -> bytes:
        """J of the attempt, which those have who were there from its beginning."""
        found = next((one.seed for one in self.chains.values() if not one.late), None)
        _require(found is not None, "nobody was there from the beginning", "fair/order")
        assert found is not None, "just looked at"
        return found

    def _running(self, stage: Stage) -> Attempt:
        _require(self.attempt is not None and self.stage == stage, "this comes at the wrong time", "fair/order")
        assert self.attempt is not None, "just looked at"
        return self.attempt

    # ---- draws -------------------------------------------------------------------------------------------------------

    def verify_link(self, seat: int, k: int, player: bytes | None) -> None:
        """Refuse a link of a seat's own device that does not go into its k-th draw; raises FairError."""
        chains = self._may_draw(seat)
        before = self.repeated(seat, k)
        if before is not None:
            _require(player == before.player, f"draw {k} of seat {seat} had another link", "fair/other_link")
            return
        attempt = self._running("ready")
        _require(k == len(chains.draws) + 1, f"draw {len(chains.draws) + 1} of seat {seat} comes now", "fair/wrong_k")
        _require(k <= attempt.links, f"the chain of seat {seat} is used up", "fair/spent")
        if not chains.own:
            _require(player is None, f"seat {seat} has no links of its own", "fair/other_link")
            return
        fits = player is not None and player_before(attempt.game, seat + 1, k + 1, player) == chains.shown
        _require(fits, f"the link of seat {seat} for draw {k} does not lead to the one before", "fair/wrong_link")

    def draw(self, proof: Proof) -> Draw:
        """The dice of a draw, its links verified; raises FairError."""
        chains = self._may_draw(proof.seat)
        self.verify_link(proof.seat, proof.k, proof.player)
        attempt = self._running("ready")
        before = self.repeated(proof.seat, proof.k)
        if before is None:
            fits = server_before(attempt.game, proof.seat + 1, proof.k, proof.server) == chains.server
            _require(fits, f"the server's link for draw {proof.k} does not lead back", "fair/wrong_link")
        else:
            _require(proof == before, f"draw {proof.k} of seat {proof.seat} is not as before", "fair/other_link")
        assert chains.seed is not None, "who may draw has a seed"
        return Draw(attempt.game, chains.seed, proof.seat + 1, proof.k, proof.server, proof.player)

    def _may_draw(self, seat: int) -> Chains:
        self._running("ready")
        chains = self.chains.get(seat)
        _require(chains is not None and chains.seed is not None, f"seat {seat} may not draw yet", "fair/not_ready")
        assert chains is not None, "just looked at"
        return chains

    def verify_act(self, act: Drawn, proof: Proof, game: Game) -> None:
        """Refuse an act, played in `game`, whose dice are not those of its proof; raises FairError."""
        if isinstance(act, Start) and self.first is not None:
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
        if chains is None or (again and proof not in chains.draws):  # drawn in an earlier attempt
            return replace(self, first=first)
        grown, laps = self.chains, self.laps
        if proof.k > len(chains.draws):
            shown = proof.player or chains.shown
            grown = {**grown, proof.seat: replace(chains, draws=(*chains.draws, proof), shown=shown)}
            laps = self._laps_with(proof)
        counts = {**self.counts, proof.seat: self.next_k(proof.seat)}
        return replace(self, first=first, drawn={**self.drawn, n: proof}, counts=counts, chains=grown, laps=laps)

    def as_stands(self, game: Game) -> Ledger:
        """The ledger after an undo or a correction: only draws in the line of play count, and what was taken back comes
        again with the same number and the same dice. An undo that is itself undone brings its draws back."""
        places: set[int] = set()
        node: Node | None = game.line
        while node is not None:
            places.add(node.n)
            node = node.before
        return replace(self, counts=Counter(proof.seat for n, proof in self.drawn.items() if n in places))

    def _laps_with(self, proof: Proof) -> Mapping[int, tuple[Lap, ...]]:
        if proof.player is None:
            return self.laps
        lap = (proof.seat, proof.k, proof.player)
        return {
            seat: laps if any(other == proof.seat for other, _, _ in laps) else (*laps, lap)
            for seat, laps in self.laps.items()
        }


def drawn_act(act: Drawn, dice: Draw, spill: int, game: Game) -> Act:
    """What the act has to be, as the dice fell: a throw, a spill with the dice beside it, a roll-off, a start."""
    match act:
        case Start():
            return replace(act, dice=dice.throw(len(act.dice)))
        case RollOff():
            return replace(act, faces=dice.throw(len(act.faces)))
        case Throw() | Spill():
            return thrown(act.seat, dice, spill, game, act)


def thrown(seat: int, dice: Draw, spill: int, game: Game, like: Throw | Spill | None = None) -> Throw | Spill:
    """The throw of a seat as the dice fall. like: a throw whose choices, which are its player's, are kept."""
    from bobing.core.dice import Roll

    roll = Roll(dice.throw())
    if dice.spills(spill):
        return Spill(seat, roll)
    grab = drawn_grab(game, roll, dice)
    return replace(like, roll=roll, grab=grab) if isinstance(like, Throw) else Throw(seat, roll, grab=grab)


def spec_heads(heads: Committed) -> Heads:
    """The heads of a seat as the specification counts it, from 1."""
    return Heads(heads.seat + 1, heads.server, heads.player)


def _put(ledger: Ledger, seat: int, chains: Chains) -> Ledger:
    return replace(ledger, chains={**ledger.chains, seat: chains})


def _without(laps: Mapping[int, tuple[Lap, ...]], seat: int) -> Mapping[int, tuple[Lap, ...]]:
    return {other: thrown for other, thrown in laps.items() if other != seat}


def _require(holds: bool, message: str, code: str) -> None:  # noqa: FBT001
    if not holds:
        raise FairError(message, code)
