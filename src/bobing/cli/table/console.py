"""The terminal, or a script in its place: shows pages, asks for lines."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import FrameType
from typing import Protocol, TextIO

from bobing.cli.table.paint import PLAIN, Line, colours, line, paint

LINE_MAX = 4096
"""Signs of one typed line; what is longer was not meant."""


class Gone(Exception):
    """Nobody types any more: end of input, Ctrl-C, or the terminal was closed."""


class Console(Protocol):
    """Where pages are shown and lines are asked for."""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        ...

    def show(self, page: Sequence[Line]) -> None:
        """Show a page in the place of the one before."""
        ...

    def ask(self, prompt: str) -> str:
        """A typed line; raises Gone."""
        ...

    def say(self, sentence: str) -> None:
        """Print a sentence that stays."""
        ...

    def play(self, pages: Iterable[Sequence[Line]], seconds: float) -> None:
        """Show pages that move, so many seconds each; nothing where nobody looks."""
        ...


class Terminal:
    """A real terminal: each page is drawn over the one before, in as many colours as there are."""

    def __init__(self, environment: Mapping[str, str], out: TextIO) -> None:
        self._out = out
        self._depth = colours(environment, terminal=True)
        self._shown = False
        self._moves = environment.get("TERM", "") not in {"", "dumb"}
        with contextlib.suppress(ImportError):
            import_module("readline")  # editing of typed lines, Chinese ones too

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        columns, rows = shutil.get_terminal_size((80, 24))
        return columns, rows

    def show(self, page: Sequence[Line]) -> None:
        """Draw the page from the top, in one write so that nothing flickers."""
        lines = [paint(spans, self._depth) for spans in page]
        if self._moves:
            # The first page scrolls away what the shell showed before, rather than write over it.
            text = "\n" * (0 if self._shown else self.size()[1])
            text += "\x1b[H" + "".join(f"{text}\x1b[K\n" for text in lines) + "\x1b[J"
        else:
            text = "\n".join(["", *lines, ""])
        self._shown = True
        self._out.write(text)
        self._out.flush()

    def ask(self, prompt: str) -> str:
        """A typed line; raises Gone."""
        try:
            return input(prompt)[:LINE_MAX]
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            raise Gone from None

    def say(self, sentence: str) -> None:
        """Print a sentence that stays."""
        with contextlib.suppress(OSError):
            print(sentence, file=self._out, flush=True)

    def play(self, pages: Iterable[Sequence[Line]], seconds: float) -> None:
        """Show pages that move; keys pressed meanwhile are forgotten, so that impatience throws no dice."""
        try:
            for page in pages:
                self.show(page)
                time.sleep(seconds)
        except KeyboardInterrupt:
            raise Gone from None
        with contextlib.suppress(ImportError, OSError):
            termios = import_module("termios")
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


class Script:
    """Lines from a file or pipe: pages are printed one below the other, typed lines are echoed, nothing is coloured."""

    def __init__(self, source: TextIO, out: TextIO, size: tuple[int, int] = (80, 24)) -> None:
        self._source, self._out, self._size = source, out, size

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self._size

    def show(self, page: Sequence[Line]) -> None:
        """Print the page."""
        self._out.write("\n".join([*(paint(spans, PLAIN) for spans in page), ""]))
        self._out.flush()

    def ask(self, prompt: str) -> str:
        """The next line; raises Gone at the end. Of an overlong line only the beginning is kept."""
        text = self._source.readline(LINE_MAX)
        if not text:
            raise Gone
        if not text.endswith("\n"):
            while (more := self._source.readline(LINE_MAX)) and not more.endswith("\n"):
                pass
        self.say(prompt + text.rstrip("\n"))
        return text

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        self._out.write(paint(line(sentence), PLAIN) + "\n")
        self._out.flush()

    def play(self, pages: Iterable[Sequence[Line]], seconds: float) -> None:
        """Nobody looks."""


def open_terminal(environment: Mapping[str, str] = os.environ) -> Terminal:
    """The terminal of this process. A terminal that closes, or a request to stop, ends the game in good order."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise Gone

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started us may have ignored it
    forgive_encoding()
    return Terminal(environment, sys.stdout)


def forgive_encoding() -> None:
    """Let signs that the terminal cannot write, or typed bytes that are no text, turn into question marks."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
