"""How much is tried, and calls that may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import settings

from bobing.core.errors import BobingError

Value = TypeVar("Value")


def tries(quick: int) -> settings:
    """So many examples in a quick run, and as many times more in a deep one as other tests have there."""
    return settings(max_examples=quick * settings().max_examples // 100)


def tried(call: Callable[..., Value], *given: object) -> Value | BobingError:
    """What a call gives: its value, or the refusal that it raised. Any other error is one."""
    try:
        return call(*given)
    except BobingError as refused:
        return refused


def says_little(refused: BobingError) -> bool:
    """Whether this is a sentence for people, whatever came in, with a code."""
    return refused.code.count("/") == 1 and 0 < len(str(refused)) < 1_500
