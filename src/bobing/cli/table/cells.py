"""How many cells of a terminal a text takes: Chinese signs take two, combining marks none."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
_NOT_FIRST = frozenset("，。、；：！？）」』》”’…·,.;:!?)]")


@lru_cache(maxsize=4096)
def _cells(sign: str) -> int:
    if unicodedata.category(sign) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def plain(text: str) -> str:
    r"""The text without control signs and without marks that turn the direction of writing.

    >>> plain("a\x1b[2Jb\u202ec")
    'a[2Jbc'
    """
    if text.isprintable():
        return text
    return "".join(sign for sign in text if unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Zl", "Zp"})


def width(text: str) -> int:
    r"""Cells that a text takes.

    >>> width("状元 x"), width("é"), width("e\u0301")
    (6, 1, 1)
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, cells: int) -> str:
    """The text in at most so many cells, with an ellipsis where something was left out.

    >>> cut("欧阳小明明", 7), cut("小明", 7), cut("小明", 1)
    ('欧阳小…', '小明', '…')
    """
    if width(text) <= cells:
        return text
    kept, used = "", 0
    for sign in text:
        if used + _cells(sign) > cells - 1:
            break
        kept, used = kept + sign, used + _cells(sign)
    return (kept + ELLIPSIS) if cells > 0 else ""


def pad(text: str, cells: int, align: str = "<") -> str:
    """The text cut or filled up to exactly so many cells; align is "<", ">" or "^".

    >>> pad("一秀", 6), pad("一秀", 6, ">"), pad("一秀", 7, "^")
    ('一秀  ', '  一秀', ' 一秀  ')
    """
    text = cut(text, cells)
    room = cells - width(text)
    left = 0 if align == "<" else room if align == ">" else room // 2
    return " " * left + text + " " * (room - left)


def page_cells(columns: int) -> int:
    """How wide a page is in a terminal of so many columns: from 60, as beside an editor, to 100.

    >>> page_cells(40), page_cells(80), page_cells(200)
    (60, 80, 100)
    """
    return max(60, min(columns, 100))


def wrap(text: str, cells: int) -> list[str]:
    """The text in lines of at most so many cells: broken at spaces or between Chinese signs, never before a full stop.

    >>> wrap("小红博得四进。", 12), wrap("one and two", 7)
    (['小红博得四', '进。'], ['one and', 'two'])
    """
    lines: list[str] = []
    line = ""
    for word in _words(text):
        if width(line + word.rstrip()) > cells and line:
            lines.append(line.rstrip())
            line = ""
        piece = word.lstrip() if not line else word
        while width(piece) > cells:
            head = _head(piece, cells)
            lines.append(head)
            piece = piece[len(head) :]
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _head(text: str, cells: int) -> str:
    used = 0
    for i, sign in enumerate(text):
        used += _cells(sign)
        if used > cells:
            return text[: max(i, 1)]
    return text


def _words(text: str) -> list[str]:
    """Pieces between which a line may break; a space stays with the piece before it."""
    words: list[str] = []
    for sign in text:
        glue = sign in _NOT_FIRST or sign == " " or not _cells(sign)
        wide = _cells(sign) == 2
        last = words[-1] if words else ""
        if last and (glue or not (wide or last.endswith(" ") or _cells(last[-1]) == 2)):
            words[-1] += sign
        else:
            words.append(sign)
    return words
