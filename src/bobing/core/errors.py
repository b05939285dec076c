"""The tree of refusals. The code travels, the sentence is for people; codes never change their meaning."""

from __future__ import annotations


class BobingError(Exception):
    """Anything that bobing refuses.

    `code` is stable and has the form `area/what`; `str(error)` is one English sentence that says what to do.

    >>> try:
    ...     raise RollError("a roll has six dice")
    ... except BobingError as refused:
    ...     print(refused.code, "|", refused)
    dice/bad_roll | a roll has six dice
    """

    code: str = "bobing/error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class RollError(BobingError):
    """Not six faces from 1 to 6."""

    code = "dice/bad_roll"


class RulesError(BobingError):
    """A rule file that cannot be used. `path` is the key it is about, such as `chase.tiers`."""

    code = "rules/bad_file"

    def __init__(self, message: str, code: str | None = None, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message, code)
        self.path = path


class ActRefused(BobingError):
    """An act that the game does not take. The game stays as it was."""

    code = "act/refused"


class RecordError(BobingError):
    """A game record that is damaged or does not replay. `line` counts from 1."""

    code = "record/damaged"

    def __init__(self, message: str, code: str | None = None, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message, code)
        self.line = line


class OddsError(BobingError):
    """A question about chances that cannot be answered as asked."""

    code = "odds/refused"
