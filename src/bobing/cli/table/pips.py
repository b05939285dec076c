"""Dice drawn large: five lines, six dice in 47 cells, the 1 and the 4 in red as on Chinese dice."""

from __future__ import annotations

from collections.abc import Sequence

from bobing.cli.table.paint import Line, Span

RED = (1, 4)
DICE_CELLS = 47
_PIPS = {
    0: ("     ", "     ", "     "),
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def big_dice(faces: Sequence[int]) -> list[Line]:
    """Five lines that show the faces side by side; 0 is a die without pips."""
    rows: list[Line] = []
    for row in range(5):
        spans: Line = []
        for i, face in enumerate(faces):
            if i:
                spans.append(Span(" "))
            spans += _die_row(face, row)
        rows.append(spans)
    return rows


def _die_row(face: int, row: int) -> Line:
    if row in (0, 4):
        return [Span("╭─────╮" if row == 0 else "╰─────╯", "die")]
    pips = Span(_PIPS[face][row - 1], "pip-red" if face in RED else "pip")
    return [Span("│", "die"), pips, Span("│", "die")]


def bowl() -> list[Line]:
    """Five lines: the empty bowl, before the first throw."""
    drawn = (
        "╭─────────────────────────────────────────────╮",
        "╰╮   ❀        ❀        ❀        ❀        ❀   ╭╯",
        " ╰─╮                                       ╭─╯ ",
        "   ╰──────╮                         ╭──────╯   ",
        "          ╰─────────────────────────╯          ",
    )
    return [[Span(text, "frame")] for text in drawn]
