"""Refusals of an event."""

from __future__ import annotations

from collections.abc import Callable

from bobing.core.errors import BobingError


class EventRefused(BobingError):
    """An act that the event does not take. The event stays as it was.

    name: of a guest by number, "" where it is not known; whoever knows the names sets it. The message has numbers.
    """

    code = "event/refused"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message, code)
        self.name: Callable[[int], str] = _nobody


def _nobody(_guest: int) -> str:
    return ""
