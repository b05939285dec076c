"""Dice out of bytes: 252 of the 256 values of a byte stand for faces, 42 for each; the other four are passed over."""

from __future__ import annotations

from collections.abc import Iterator

from bobing.fairness.packing import ZEROS, keyed, u16, u32

FAIR_BYTES = 252


def face(byte: int) -> int | None:
    """The face that a byte stands for, None where it is passed over."""
    return byte % 6 + 1 if byte < FAIR_BYTES else None


class Draw:
    """One draw of a seat: dice in the order in which they fall. It is a `bobing.ports.Dice`.

    k: the seat's k-th draw; server: link k of the server's chain for it; player: link k+1 of its own device, or None.

    >>> Draw(bytes(16), bytes(32), 1, 1, bytes(32), None).throw()
    (5, 6, 1, 6, 3, 1)
    """

    def __init__(self, game: bytes, seed: bytes, seat: int, k: int, server: bytes, player: bytes | None) -> None:
        self._key = server
        self._parts = (game, seed, u16(seat), u32(k), player or ZEROS)
        self._bytes = self._stream()

    def throw(self, dice: int = 6) -> tuple[int, ...]:
        """So many faces, those that come next."""
        faces: list[int] = []
        while len(faces) < dice:
            fallen = face(next(self._bytes))
            if fallen is not None:
                faces.append(fallen)
        return tuple(faces)

    def spills(self, q: int) -> bool:
        """Whether the dice leave the bowl, asked behind the six faces; no byte is read where that cannot be."""
        if not q:
            return False
        high, low = next(self._bytes), next(self._bytes)
        return high * 256 + low < q

    def block(self, j: int) -> bytes:
        """Block j of the stream: 32 bytes, of which one nearly always suffices."""
        return keyed(self._key, "throw", *self._parts, u32(j))

    def _stream(self) -> Iterator[int]:
        j = 0
        while True:
            yield from self.block(j)
            j += 1
