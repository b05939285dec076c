"""The chains of one seat: whose they are, what of them is known, and what was drawn with them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bobing.fairness.events import Committed, Proof, SeatAttempt

Lap = tuple[int, int, bytes]
"""A throw of another seat since a late one came: seat, k, link."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """One draw and the seed that it was drawn from; public: public chance, announced beforehand, went into that."""

    proof: Proof
    seed: bytes
    public: bool


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of one seat. own: whether its device takes part; seed: None as long as the seat may not draw.

    shown, at: the last link of its device that is known, and its number; draws: what was drawn so far, the first first.
    """

    heads: Committed
    own: bool
    seed: bytes | None = None
    public: bool = False
    shown: bytes | None = None
    at: int = 1
    draws: tuple[Seeded, ...] = ()

    @property
    def server(self) -> bytes:
        """The last link of the server that is known."""
        return self.draws[-1].proof.server if self.draws else self.heads.server

    def with_draw(self, proof: Proof) -> Chains:
        """These chains once one more was drawn."""
        assert self.seed is not None, "it was drawn from one"
        draws = (*self.draws, Seeded(proof, self.seed, self.public))
        if proof.player is None:
            return replace(self, draws=draws)
        return replace(self, draws=draws, shown=proof.player, at=proof.k + 1)


@dataclass(frozen=True, slots=True)
class Pending:
    """A seat whose dice are being fixed while the others play. own: whether its device takes part in that.

    laps: what others have thrown since; alone: its own attempt, where public chance was announced; revealed: whether
    everything of that is known but the public chance; link: the first of its device.
    """

    heads: Committed
    own: bool
    laps: tuple[Lap, ...] = ()
    alone: SeatAttempt | None = None
    revealed: bool = False
    link: bytes | None = None
