"""Colours: porcelain, cobalt, red and gold, as much of them as the terminal has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bobing.cli.table.cells import plain, width

PLAIN, FEW, MANY = 0, 16, 256
"""How many colours: none, the sixteen, or the 256."""

_STYLES: Mapping[str, tuple[str, str]] = {
    # name: (with 256 colours, with 16)
    "title": ("1;38;5;231;48;5;25", "1;37;44"),
    "title-dim": ("38;5;153;48;5;25", "37;44"),
    "frame": ("38;5;32", "34"),
    "head": ("38;5;32", "36"),
    "dim": ("38;5;245", "2"),
    "strong": ("1", "1"),
    "red": ("1;38;5;196", "1;31"),
    "gold": ("1;38;5;178", "1;33"),
    "turn": ("1;38;5;39", "1;36"),
    "key": ("1;38;5;39", "1;36"),
    "warn": ("38;5;203", "31"),
    "die": ("38;5;25;48;5;255", "34;47"),
    "pip": ("1;38;5;236;48;5;255", "30;47"),
    "pip-red": ("1;38;5;160;48;5;255", "31;47"),
}


class Span(NamedTuple):
    """A piece of a line in one style; the style "" is the terminal's own."""

    text: str
    style: str = ""


Line = list[Span]


def line(*pieces: str | Span) -> Line:
    """A line from pieces; what is no Span has no style."""
    return [piece if isinstance(piece, Span) else Span(piece) for piece in pieces]


def line_width(spans: Iterable[Span]) -> int:
    """Cells that a line takes."""
    return sum(width(plain(span.text)) for span in spans)


def colours(environment: Mapping[str, str], *, terminal: bool) -> int:
    """How many colours to use: none without a terminal, with NO_COLOR, or on a dumb one.

    >>> colours({"TERM": "xterm-256color"}, terminal=True), colours({"NO_COLOR": "1"}, terminal=True)
    (256, 0)
    """
    term = environment.get("TERM", "")
    if not terminal or environment.get("NO_COLOR") or term in {"", "dumb"}:
        return PLAIN
    return MANY if "256" in term or "direct" in term or environment.get("COLORTERM") else FEW


def paint(spans: Iterable[Span], depth: int) -> str:
    r"""The line as text for the terminal. Control signs in the pieces are left out, whoever wrote them.

    >>> paint([Span("状元", "gold")], 256), paint([Span("状元\n", "gold")], 0)
    ('\x1b[1;38;5;178m状元\x1b[0m', '状元')
    """
    out: list[str] = []
    for text, style in spans:
        shown = plain(text)
        code = _STYLES[style][depth == FEW] if style and depth else ""
        out.append(f"\x1b[{code}m{shown}\x1b[0m" if code and shown else shown)
    return "".join(out).rstrip() if not depth else "".join(out)
