"""What calls name to be read: rules, files and pipes, standard input."""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO, TextIO

from bobing.cli.common import CallError
from bobing.core import catalogue
from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet

PIPE_SECONDS = 5
"""How long a named pipe may stay without anything to read."""


def standard_input() -> TextIO:
    """Standard input; raises CallError where it was closed from the start."""
    if is_closed(sys.stdin):
        raise CallError("standard input is closed; name a file, or pipe one in", "cli/no_file")
    return sys.stdin


def is_closed(stream: TextIO) -> bool:
    """Whether a standard stream was closed from the start; `bobing.__main__` puts the null device in its place."""
    return getattr(stream, "name", None) == os.devnull


def open_file(path: str) -> BinaryIO:
    """A file to read; raises CallError where there is none, or a named pipe into which nobody writes."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            _wait_for_writer(descriptor, path)
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(descriptor, True)
        return open(descriptor, "rb")  # noqa: PTH123 - the caller closes it
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CallError(f"cannot read {path[-200:]!r}: {why}", "cli/no_file") from None


def _wait_for_writer(descriptor: int, path: str) -> None:
    from select import select

    if not select([descriptor], [], [], PIPE_SECONDS)[0]:
        os.close(descriptor)
        why = f"nobody wrote into this pipe for {PIPE_SECONDS} seconds"
        raise CallError(f"cannot read {path[-200:]!r}: {why}", "cli/no_file")


def load_rules(name: str | None) -> RuleSet:
    """The rules that a call names: a sheet, a file or a pipe, and the default sheet for None; raises RulesError."""
    if name is None:
        return catalogue.find_sheet()
    if not name.strip():
        raise RulesError("the rules have no name: see `bobing rules list`, or name a file", "rules/unknown_sheet")
    if not _is_pipe(name):
        return catalogue.load_rules(name)
    try:
        with open_file(name) as pipe:
            data = pipe.read(catalogue.FILE_MAX + 1)
        written = data.decode("utf-8-sig")
    except CallError as error:
        raise RulesError(str(error), "rules/no_file") from None
    except UnicodeDecodeError:
        raise RulesError("a rule file is UTF-8 text; save it as UTF-8", "rules/no_toml") from None
    return catalogue.read_rules(written)


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)  # noqa: PTH116 - a path may hold what no file name can
    except (OSError, ValueError):
        return False
