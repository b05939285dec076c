"""A word to who waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Timer

import click

from bobing.i18n import text

SECONDS = 2.0


@contextmanager
def patience(lang: str, seconds: float = SECONDS) -> Generator[None]:
    """Say on standard error, where somebody looks at it, why an answer takes longer than usual."""
    if not sys.stderr.isatty():
        yield
        return
    timer = Timer(seconds, click.echo, [text(lang, "simulate.patience")], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
