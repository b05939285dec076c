"""Numbers as calls write them: in the digits 0 to 9 alone."""

from __future__ import annotations

import re
from typing import Any

import click

from bobing.core.reading import shown

MOST = 10**18
_WHOLE = re.compile(r"[+-]?[0-9]{1,1000}")
_ANY = re.compile(r"[+-]?(?:[0-9]{1,300}\.?[0-9]{0,300}|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,2})?")


class Number(click.types.FloatParamType):
    """A number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that is written; refused where it is none."""
        written = str(value)
        if not _ANY.fullmatch(written):
            self.fail(_no_digits(written) or f"expected a number, found {shown(written)}", param, ctx)
        return float(written)


class Whole(click.types.IntParamType):
    """A whole number from `low` to `high`."""

    def __init__(self, low: int = -MOST, high: int = MOST) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that is written; refused where it is none, or another."""
        written = str(value)
        found = whole(written)
        if found is None or not self.low <= found <= self.high:
            span = f" from {self.low:,} to {self.high:,}" if self.low > -MOST or found is not None else ""
            said = f"expected a whole number{span}, found {shown(written)}"
            self.fail(_no_digits(written) or said, param, ctx)
        return found


def whole(word: str) -> int | None:
    """The whole number that a word writes, or None.

    >>> whole("10"), whole("-3"), whole("１０"), whole("1_0"), whole(" 10"), whole("²")
    (10, -3, None, None, None, None)
    """
    return int(word) if _WHOLE.fullmatch(word) else None


def _no_digits(word: str) -> str:
    """What to say of a word with digits that are not those of ASCII."""
    if not any(sign.isdigit() and not sign.isascii() for sign in word):
        return ""
    return f"write it with the digits 0 to 9; found {shown(word)}"
