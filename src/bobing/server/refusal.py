"""Refusals of the table itself, beside those of the game."""

from __future__ import annotations

from collections.abc import Mapping

from bobing.core.errors import BobingError
from bobing.i18n import LANGUAGES, text, texts


class TableRefused(BobingError):
    """A command or call that the table does not take. Nothing has changed."""

    code = "table/refused"


def refused(what: str) -> TableRefused:
    """The refusal `table/WHAT`, with its English sentence from the catalogue."""
    return TableRefused(text("en", f"refusals.table_{what}"), f"table/{what}")


def words_of(error: BobingError) -> Mapping[str, str]:
    """What to do, in every language: the sentence of the code, with the English detail where a language has no more."""
    key = error.code.replace("/", "_")
    if key not in texts("refusals"):
        return dict.fromkeys(LANGUAGES, str(error))
    said = {lang: text(lang, f"refusals.{key}") for lang in LANGUAGES}
    return said if error.code.startswith("table/") else {**said, "en": str(error)}
