"""Refusals of what is to be printed."""

from __future__ import annotations

from bobing.core.errors import BobingError


class PaperRefused(BobingError):
    """A paper that cannot be made."""

    code = "paper/refused"
