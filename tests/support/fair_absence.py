"""The cheat of the absent: honest phones are marked as away, or their links as lost, and an accomplice of the server
comes then, whose dice hang on the links of accomplices alone. These know all of them beforehand, and choose a chain
that brings lucky dice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bobing.core.acts import Join, Leave, Throw
from bobing.fairness.chain import player_chain
from bobing.fairness.draw import Draw
from bobing.fairness.events import Committed, Late, Lost
from bobing.fairness.late import late_seed
from bobing.fairness.ledger import spec_heads
from support.fair_corrections import Corrected

TRIES = 1_200
"""So many chains are tried for four 4s; in 1 of 36,000 games none has them."""


class Absence(Corrected):
    """Seat 0 is in league with the server, 1 and 2 are honest. grey: seat 2 is not, and begins without a phone."""

    def __init__(self, seed: int, *, grey: bool = False) -> None:
        super().__init__()
        self.random, self.owners = Random(seed), {0, 1} if grey else {0, 1, 2}
        self.late, self.k = (2, 3) if grey else (3, 1)
        self.sealed()
        self.draw()

    def leave(self) -> None:
        """The host marks all who are honest as away."""
        for seat in {1, 2} & self.owners:
            self.play(Leave(seat))

    def leave_one(self) -> None:
        """The host marks one who is honest as away, and the other stays."""
        self.play(Leave(1))

    def lose(self) -> None:
        """The server says that the links of the honest phones are lost."""
        for seat in {1, 2} & self.owners:
            self.tell(Lost(seat, "lost"))

    def stay(self) -> None:
        """Nobody is sent away."""

    def come(self) -> None:
        """The accomplice comes with the best of many chains: to a new seat, or to the grey one."""
        if self.late == 3:
            self.play(Join())
        self.owners.add(self.late)
        self.devices[self.late] = self.luckiest()
        self.wait(Late(self.late, self.server(self.late, 0), self.devices[self.late][0]))

    def luckiest(self) -> list[bytes]:
        """A chain with which the first draw is lucky, if only accomplices throw before it."""
        attempt, chain = self.ledger.attempt, []
        assert attempt is not None, "the dice are sealed"
        known = [(1, 3, self.devices[0][4])]
        for _ in range(TRIES):
            chain = player_chain(self.random.randbytes(32), attempt.game, self.late + 1, self.links)
            heads = spec_heads(Committed(self.late, self.server(self.late, 0), chain[0]))
            j = late_seed(self.ledger.seed, heads, chain[1], known)
            server = self.server(self.late, self.k)
            if Draw(attempt.game, j, self.late + 1, self.k, server, chain[self.k + 1]).throw().count(4) >= 4:
                break
        return chain

    def play_on(self) -> None:
        """Until the accomplice has thrown with its links."""
        thrown = False
        while not thrown:
            seat = self.game.next_seat
            assert seat is not None, "the game is not over"
            pending = self.ledger.pending.get(self.late)
            if pending and self.ledger.lap_done(self.late, self.game.state.away):
                self.late_come_in()
            if self.ledger.may_draw(seat):
                thrown = seat == self.late and seat in self.ledger.own
                self.draw()
            else:
                self.pass_on(seat)

    def is_lucky(self) -> bool:
        """Whether the last throw has what was sought."""
        act = self.game.log[-1].act
        assert isinstance(act, Throw), "it was just thrown"
        return act.roll.faces.count(4) >= 4


WAYS: dict[str, Callable[[Absence], None]] = {
    "left": Absence.leave,
    "one left": Absence.leave_one,
    "lost": Absence.lose,
    "stayed": Absence.stay,
}


def cheated(way: str, seed: int, *, grey: bool = False) -> Absence:
    """The cheat, done in one of the ways at a table."""
    table = Absence(seed, grey=grey)
    WAYS[way](table)
    table.come()
    table.play_on()
    return table
