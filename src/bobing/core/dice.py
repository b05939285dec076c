"""Six dice: a *roll* is the six faces in the order they were read, a *hand* the same faces sorted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from bobing.core.errors import RollError

DICE = 6
FACES = (1, 2, 3, 4, 5, 6)
HANDS: tuple[tuple[int, ...], ...] = tuple(combinations_with_replacement(FACES, DICE))
"""All 462 hands, in ascending order."""

_STRICT = {str(face): face for face in FACES}
_KIND = (
    _STRICT
    | dict(zip("１２３４５６", FACES, strict=True))
    | dict(zip("⚀⚁⚂⚃⚄⚅", FACES, strict=True))
    | dict(zip("一二三四五六", FACES, strict=True))
)
_SEPARATORS = frozenset(" \t\u3000,，、-+\ufe0e\ufe0f")
_READ_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Roll:
    """Six faces in throw order, each 1..6.

    >>> str(Roll.parse("444411")), Roll.parse("414141").hand
    ('444411', (1, 1, 1, 4, 4, 4))
    """

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse anything but six faces (`dice/bad_roll`)."""
        if len(self.faces) != DICE or any(type(face) is not int or not 1 <= face <= 6 for face in self.faces):
            raise RollError(f"a roll is six faces from 1 to 6, not {self.faces!r}")

    @classmethod
    def parse(cls, text: str) -> Roll:
        """Read exactly six ASCII digits 1 to 6, as they stand in files and messages; raises RollError."""
        return cls(parse_faces(text, DICE))

    @classmethod
    def read(cls, text: str) -> Roll:
        """Read what a person types: full-width digits, dice glyphs, Chinese numerals, spaces and commas too.

        >>> str(Roll.read(" ４４ ⚃⚃, 1 1 "))
        '444411'
        """
        return cls(read_faces(text, DICE))

    @property
    def hand(self) -> tuple[int, ...]:
        """The faces sorted, low to high."""
        return tuple(sorted(self.faces))

    def __str__(self) -> str:
        return "".join(map(str, self.faces))


def parse_faces(text: str, dice: int) -> tuple[int, ...]:
    """Faces from exactly `dice` ASCII digits 1 to 6; raises RollError."""
    if len(text) == dice and all(sign in _STRICT for sign in text):
        return tuple(_STRICT[sign] for sign in text)
    raise RollError(f"expected {dice} digits from 1 to 6, got {_shown(text)}")


def read_faces(text: str, dice: int) -> tuple[int, ...]:
    """Faces from what a person types (see `Roll.read`); raises RollError with what to do."""
    signs = [sign for sign in text[:_READ_LIMIT].strip() if sign not in _SEPARATORS]
    bad = next((sign for sign in signs if sign not in _KIND), None)
    if bad is not None:
        raise RollError(f"{_shown(bad)} is no die face: type {dice} digits from 1 to 6, such as {'444411'[:dice]}")
    if len(signs) != dice or len(text) > _READ_LIMIT:
        count = "too many" if len(text) > _READ_LIMIT else str(len(signs))
        raise RollError(f"{count} dice: type {dice} digits from 1 to 6, such as {'444411'[:dice]}")
    return tuple(_KIND[sign] for sign in signs)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "…")
