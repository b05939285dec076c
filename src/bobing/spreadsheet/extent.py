"""How far the cells of a sheet reach. Who reads it makes room for all between the first cell and the last, used or not:
a file of a few lines could ask for more memory than there is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

_TOKEN_MAX = 2**18
"""Bytes of one tag; the parser holds on to what it has not seen the end of."""
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class Extent:
    """Counts the rows and columns of a part that comes piece by piece, as its reader will: a row or cell that does not
    say its place stands behind the one before. A cell that holds nothing does not count.

    rows, columns: up to the last one. Parts that are no XML have none; `broken` says so.

    >>> extent = Extent()
    >>> extent.feed(b"<sheetData><row><c/><c r='C1'><v>1</v></c></row><row r='7'><c><v>1</v></c></row></sheetData>")
    >>> extent.rows, extent.columns, extent.broken
    (7, 3, False)
    """

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self.broken = False
        self._row = self._column = self._fed = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._cell: tuple[int, int] | None = None

    def feed(self, piece: bytes, *, last: bool = False) -> None:
        """Read on. last: nothing follows."""
        if self.broken:
            return
        self._fed += len(piece)
        try:
            self._parser.Parse(piece, last)
            self.broken = self._fed - self._parser.CurrentByteIndex > _TOKEN_MAX
        except (expat.ExpatError, ValueError):
            self.broken = True
        if self.broken:
            self._parser = expat.ParserCreate()  # what it held is let go

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        place = attributes.get("r")
        match name.rpartition(" ")[2]:
            case "row":
                self._row = self._row if place is None else int(place) - 1
            case "c":
                self._cell = (self._row, self._column) if place is None else _place(place)
                self._column = self._cell[1] + 1
            case _ if self._cell is not None:
                self.rows, self.columns = max(self.rows, self._cell[0] + 1), max(self.columns, self._cell[1] + 1)
            case _:
                pass

    def _end(self, name: str) -> None:
        match name.rpartition(" ")[2]:
            case "row":
                self._row, self._column = self._row + 1, 0
            case "c":
                self._cell = None
            case _:
                pass


def _place(text: str) -> tuple[int, int]:
    """Row and column of a cell, from 0; raises ValueError.

    >>> _place("A1"), _place("AB20")
    ((0, 0), (19, 27))
    """
    found = _PLACE.fullmatch(text.upper())
    if found is None:
        raise ValueError(text)
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]) - 1, column - 1
