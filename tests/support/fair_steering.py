"""Tables at which a server and its accomplices try to steer: by the order of play, by delay, by what is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bobing.core.acts import Join, Pass
from bobing.core.catalogue import find_sheet
from bobing.core.game import Game
from bobing.fairness.beacon import beacon_bytes
from bobing.fairness.commit import opening_hash, settings_hash
from bobing.fairness.events import Event, FairError, LateReady, Lost, Ready, Reveals, SeatAttempt
from bobing.fairness.forms import event_json
from bobing.fairness.ledger import spec_heads
from bobing.fairness.reveal import signs
from support.fair_corrections import Corrected
from support.fair_games import SIGNATURE


class Steered(Corrected):
    """A table where whoever comes is told by the test. refused: the code of an event that does not follow; behind: how
    far its clock is set back, in ms."""

    refused, behind = "", 0

    def __init__(self, seats: int = 3, beacon: str = "") -> None:
        super().__init__()
        self.game = Game.new(find_sheet("S12"), seats, 0)
        self.owners, self.beacon = set(range(seats)), beacon

    def fixed(self, why: str = "begin") -> None:
        """All answer at once."""
        self.open(why)
        self.tell(Reveals({seat: self.devices[seat][1] for seat in self.ledger.own}, self.clock + 1_000))
        beacon = beacon_bytes(self.plan, SIGNATURE) if self.beacon else b""
        j = self.ledger.seed_with(beacon)
        self.tell(Ready(beacon, j, signs(j)))

    def come(self) -> int:
        """Somebody comes late with a device."""
        self.play(Join())
        seat = len(self.game.state.order) - 1
        self.owners.add(seat)
        assert self.ledger.attempt is not None, "the dice are sealed"
        self.seal(seat)
        return seat

    def turns(self, *seats: int) -> None:
        """These throw, one after the other; the turns between go by."""
        for seat in seats:
            while self.game.next_seat != seat:
                between = self.game.next_seat
                assert between is not None, "the game is not over"
                self.play(Pass(between))
            self.draw()

    def ready(self, seat: int) -> bytes:
        """A late seat waits no longer; its seed."""
        j = self.ledger.late_seed_of(seat, self.devices[seat][1])
        self.tell(LateReady(seat, self.devices[seat][1], self.ledger.laps(seat), j))
        return j

    @property
    def clock(self) -> int:
        return max(super().clock, self.ledger.clock) - self.behind

    def tell(self, event: Event) -> None:
        """Write an event down, though it does not follow."""
        try:
            super().tell(event)
        except FairError as refused:
            self.refused = refused.code
            self.events.append((len(self.game.log), event_json(event)))


def late_seed_after(first: Sequence[int], second: Sequence[int], ready: Sequence[int] = ()) -> bytes:
    """The seed of a late seat at a table of five, whose others throw in this order, twice. ready: seats that come after
    it, and do not wait any more before it is let in."""
    table = Steered(5)
    table.fixed()
    late = table.come()
    behind = [table.come() for _ in range(3)]
    table.turns(*first, *second)
    for one in ready:
        table.ready(behind[one])
        table.turns(behind[one])
    return table.ready(late)


def _late(table: Steered) -> None:
    """Somebody comes late, and the round of their own attempt stands in the record already."""
    table.play(Join())
    table.owners.add(3)
    _alone(table, 3)


def _lost_on_purpose(table: Steered) -> None:
    """Links are lost, and the chance that is to come instead is known."""
    table.tell(Lost(2, "lost"))
    _alone(table, 2)


def _alone(table: Steered, seat: int) -> None:
    """One seat gets the round that was named last, by the formulas."""
    attempt, previous = table.ledger.attempt, table.ledger.previous
    assert attempt is not None, "the dice are sealed"
    table.devices.pop(seat, None)
    heads, rules = table.heads(attempt.game, seat), settings_hash(table.ledger.rules_hash, table.spill)
    t0 = opening_hash(attempt.game, rules, previous, attempt.links, attempt.plan, [spec_heads(heads)])
    table.tell(SeatAttempt(seat, heads.server, heads.player, attempt.plan, previous, t0, table.clock))


def _anew(table: Steered) -> None:
    """All is drawn anew for the round that was there already."""
    table.round -= 1
    table.open("again")


def _told_earlier(table: Steered) -> None:
    """An attempt that says it was closed before the last was."""
    table.behind = 60_000
    table.open("again")


def _id_again(table: Steered) -> None:
    """The id of the first attempt serves in the third one, and links that are known with it."""
    assert table.ledger.attempt is not None, "the dice are sealed"
    first, made = table.ledger.attempt.game, table.random.randbytes
    table.fixed("again")
    table.draw()
    table.random.randbytes = lambda n: first if n == len(first) else made(n)  # type: ignore[method-assign] - its chance
    table.open("again")


TRIES: dict[str, tuple[str, str, Callable[[Steered], None]]] = {
    "a late seat names a round that is out": ("drand", "fair/early_beacon", _late),
    "a lost seat names a round that is out": ("drand", "fair/early_beacon", _lost_on_purpose),
    "drawn anew for a round that is out": ("drand", "fair/early_beacon", _anew),
    "drawn anew at an earlier time": ("", "fair/order", _told_earlier),
    "an id of an attempt serves again": ("", "fair/wrong_game", _id_again),
}
"""By what is tried: the public chance of the table, the code of the refusal, and what happens once one has thrown."""


def steered(what: str) -> Steered:
    """A table at which this was tried; its last event does not follow."""
    beacon, _, steer = TRIES[what]
    table = Steered(3, beacon)
    table.fixed()
    table.draw()
    steer(table)
    return table
