"""Refusals of the table itself, beside those of the game."""

from __future__ import annotations

from collections.abc import Mapping

from bobing.core.errors import BobingError, RulesError
from bobing.i18n import LANGUAGES, text, texts
from bobing.i18n.details import detail_in
from bobing.i18n.rule_keys import spelt_out
from bobing.tournament.errors import EventRefused
from bobing.wire.codec import MessageRefused


class TableRefused(BobingError):
    """A command or call that the table does not take. Nothing has changed. values: those of its sentence."""

    code = "table/refused"

    def __init__(self, message: str, code: str | None = None, **values: str) -> None:
        super().__init__(message, code)
        self.values = values


class ConfirmFirst(TableRefused):
    """A champion's throw, which is asked for twice. combination: the key of what it is."""

    def __init__(self, combination: str) -> None:
        super().__init__(text("en", "refusals.table_confirm"), "table/confirm")
        self.combination = combination


def refused(what: str, **values: str) -> TableRefused:
    """The refusal `table/WHAT`, with its English sentence from the catalogue."""
    return TableRefused(text("en", f"refusals.table_{what}", **values), f"table/{what}", **values)


def words_of(error: BobingError) -> Mapping[str, str]:
    """What to do, in every language; keys of rule files stand beside what they are called."""
    said = _words_of(error)
    if not isinstance(error, RulesError) and error.code != "event/bad_rules":
        return said
    return {lang: spelt_out(lang, words) for lang, words in said.items()}


def _words_of(error: BobingError) -> Mapping[str, str]:
    """What to do, as the catalogues have it.

    What was wrong in this very case is told as well, of an event in place of what holds for all such cases; but not of
    acts: those count seats from 0, and players see names.
    """
    key = error.code.replace("/", "_")
    area = next((area for area in ("refusals", "errors") if key in texts(area)), None)
    if area is None:
        return dict.fromkeys(LANGUAGES, str(error))
    values = error.values if isinstance(error, TableRefused) else {}
    said = {lang: text(lang, f"{area}.{key}", **values) for lang in LANGUAGES}
    if isinstance(error, MessageRefused) and error.why:
        why = {lang: detail_in(lang, error.why) or error.why for lang in LANGUAGES}
        return {lang: text(lang, "server.why", said=words, why=why[lang]) for lang, words in said.items()}
    if area == "refusals" or error.code.startswith("act/"):
        return said
    if isinstance(error, EventRefused):
        details = {lang: detail_in(lang, str(error), error.name) for lang in LANGUAGES}
        return {lang: details[lang] or words for lang, words in {**said, "en": str(error)}.items()}
    details = {lang: detail_in(lang, str(error)) for lang in LANGUAGES}
    told = {lang: f"{words}（{details[lang]}）" if details[lang] else words for lang, words in said.items()}
    return {**told, "en": str(error)}
