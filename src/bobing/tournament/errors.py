"""Refusals of an event."""

from __future__ import annotations

from bobing.core.errors import BobingError


class EventRefused(BobingError):
    """An act that the event does not take. The event stays as it was."""

    code = "event/refused"
