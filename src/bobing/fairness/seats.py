"""The chains of one seat: whose they are, what of them is known, and what was drawn with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bobing.fairness.events import Committed, Proof, SeatAttempt

Lap = tuple[int, int, bytes]
"""A draw of another seat that goes into the seed of a late one: seat, k, link."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a seat draws from. seed: its J; public: whether public chance, announced beforehand, went into that.

    unheard: seats whose device took part when this seat came, and whose link is not in its J: away, or lost.
    """

    seed: bytes
    public: bool = False
    unheard: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seeded:
    """One draw, and what it was drawn from."""

    proof: Proof
    origin: Origin


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of one seat. own: whether its device takes part; origin: None as long as the seat may not draw.

    shown, at: the last link of its device that is known, and its number, None where none ever took part; draws: what
    was drawn so far, the first first.
    """

    heads: Committed
    own: bool
    origin: Origin | None = None
    shown: bytes | None = None
    at: int = 1
    draws: tuple[Seeded, ...] = ()

    @property
    def awaited(self) -> int:
        """The draw that a seat which comes now waits for: the link of the next one may have left the device already,
        and be held back; that of the second cannot have."""
        return len(self.draws) + 2

    def link(self, k: int) -> bytes | None:
        """The link of its device that draw k brought."""
        return self.draws[k - 1].proof.player if k <= len(self.draws) else None

    @property
    def server(self) -> bytes:
        """The last link of the server that is known."""
        return self.draws[-1].proof.server if self.draws else self.heads.server

    def with_draw(self, proof: Proof) -> Chains:
        """These chains once one more was drawn."""
        assert self.origin is not None, "it was drawn from one"
        draws = (*self.draws, Seeded(proof, self.origin))
        if proof.player is None:
            return replace(self, draws=draws)
        return replace(self, draws=draws, shown=proof.player, at=proof.k + 1)


@dataclass(frozen=True, slots=True)
class Pending:
    """A seat whose dice are being fixed while the others play. own: whether its device takes part in that.

    lap: by seat whose device takes part, the draw that is waited for, fixed when this seat came; alone: its own
    attempt, where public chance was announced; revealed: whether everything of that is known but the public chance;
    link: the first of its device.
    """

    heads: Committed
    own: bool
    lap: Mapping[int, int] = field(default_factory=dict[int, int])
    alone: SeatAttempt | None = None
    revealed: bool = False
    link: bytes | None = None
