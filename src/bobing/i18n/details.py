"""The details of refusals in Chinese: known English sentences, turned by the patterns of `i18n/details.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from bobing.core import glossary
from bobing.core.glossary import GlossaryError
from bobing.i18n import text, texts

_SLOT = re.compile(r"\{(\w+)\}")
_FITS = {
    "path": r"[^\s:]+",
    "line": r"\d+",
    "count": r"[\d,]+",
    "guest": r"guest \d+",
    "other": r"guest \d+",
    "table": r"\d+",
    "address": r"\S+",
}
_DEPTH_MAX = 8
"""How many details may stand within each other; a sentence of people's own making could hold any number."""
_LENGTH_MAX = 2_000
"""What is longer holds what somebody made up, and trying all patterns on it would take long."""
_Found = tuple[str, tuple[str, ...]] | None


def detail_in(lang: str, detail: str, name: Callable[[int], str] = lambda _: "") -> str | None:
    """A detail in a language, or None where no pattern fits and it is best left in English.

    name: of a guest of an event by number; "" where it is not known.

    >>> detail_in("zh-Hans", "extends: is missing")
    'extends：没有写'
    >>> detail_in("en", "guest 13 has no seat", {13: "Ann"}.__getitem__)
    'Ann (13) has no seat'
    >>> detail_in("zh-Hans", "voucher 3 is to be handed over; mark it absent first")
    '3 号奖券现在是“待领”，请先记为缺席'
    >>> detail_in("zh-Hans", "the sun shines")
    """
    found = _Reading(lang, name).matched(detail)
    return found and found[0]


def patterns_in(detail: str) -> tuple[str, ...]:
    """The keys of the patterns that make up a detail, outermost first; () where it fits none.

    >>> patterns_in("line 2: this is no UTF-8 text")
    ('line', 'not_utf8')
    """
    found = _Reading("en", lambda _: "").matched(detail)
    return found[1] if found else ()


class _Reading:
    """One detail in one language. What stands within it can often be cut out in several ways, and is read once."""

    def __init__(self, lang: str, name: Callable[[int], str]) -> None:
        self._lang, self._name = lang, name
        self._read: dict[tuple[str, int], _Found] = {}

    def matched(self, detail: str, depth: int = 0) -> _Found:
        """The detail in the language, and the keys of its patterns, outermost first; None where none fits."""
        if depth == _DEPTH_MAX or len(detail) > _LENGTH_MAX:
            return None
        if (detail, depth) not in self._read:
            self._read[detail, depth] = self._tried(detail, depth)
        return self._read[detail, depth]

    def _tried(self, detail: str, depth: int) -> _Found:
        for key, pattern in _patterns().items():
            match = pattern.fullmatch(detail)
            if match is None:
                continue
            values, keys = match.groupdict(), (key,)
            if "detail" in values:
                inner = self.matched(values["detail"], depth + 1)
                if inner is None:
                    continue
                values["detail"], keys = inner[0], (key, *inner[1])
            return text(self._lang, f"details.{key}", **self._said(values)), keys
        return None

    def _said(self, values: dict[str, str]) -> dict[str, str]:
        """The values of a pattern as the language says them."""
        lang, said = self._lang, dict(values)
        if "list" in said and lang != "en":
            said["list"] = said["list"].replace(", ", "、")
        for slot in said.keys() & {"guest", "other"}:
            said[slot] = _called(lang, int(said[slot].removeprefix("guest ")), self._name)
        if "state" in said:
            said["state"] = text(lang, f"event.voucher_{_states()[said['state']]}")
        if "prize" in said:
            said["prize"] = _tier(lang, said["prize"])
        return said


def _called(lang: str, number: int, name: Callable[[int], str]) -> str:
    called = name(number)
    return (
        text(lang, "common.guest_called", name=called, n=number) if called else text(lang, "common.guest_n", n=number)
    )


def _tier(lang: str, key: str) -> str:
    """A tier by the name that most sheets have for it; one that a rule file made by its key."""
    try:
        return glossary.name(key, lang)
    except GlossaryError:
        return key


@cache
def _states() -> dict[str, str]:
    """The states of a voucher, by what they are and by what a server has called them in English."""
    states = ("open", "handed", "absent", "waived", "again", "returned", "recalled", "void")
    return {word: state for state in states for word in (state, text("en", f"event.voucher_{state}"))}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {key: _pattern(entry["en"]) for key, entry in texts("details").items()}


def _pattern(template: str) -> re.Pattern[str]:
    parts = _SLOT.split(template)
    fits = {**_FITS, "state": "|".join(map(re.escape, _states()))}
    slots = (f"(?P<{name}>{fits.get(name, '.+')})" for name in parts[1::2])
    fixed = (re.escape(part) for part in parts[::2])
    return re.compile("".join(part for pair in zip(fixed, [*slots, ""], strict=True) for part in pair), re.DOTALL)
