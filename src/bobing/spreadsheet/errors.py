"""Refusals of files."""

from __future__ import annotations

from bobing.core.errors import BobingError


class FileRefused(BobingError):
    """A file that is not read. Nothing of it was taken."""

    code = "file/refused"
