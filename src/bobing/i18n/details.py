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
    found = _matched(detail, lang, 0, name)
    return found and found[0]


def patterns_in(detail: str) -> tuple[str, ...]:
    """The keys of the patterns that make up a detail, outermost first; () where it fits none.

    >>> patterns_in("line 2: this is no UTF-8 text")
    ('line', 'not_utf8')
    """
    found = _matched(detail, "en", 0, lambda _: "")
    return found[1] if found else ()


def _matched(detail: str, lang: str, depth: int, name: Callable[[int], str]) -> tuple[str, tuple[str, ...]] | None:
    if depth == _DEPTH_MAX:
        return None
    for key, pattern in _patterns().items():
        match = pattern.fullmatch(detail)
        if match is None:
            continue
        values, keys = match.groupdict(), (key,)
        if "detail" in values:
            inner = _matched(values["detail"], lang, depth + 1, name)
            if inner is None:
                continue
            values["detail"], keys = inner[0], (key, *inner[1])
        if "list" in values and lang != "en":
            values["list"] = values["list"].replace(", ", "、")
        for slot in values.keys() & {"guest", "other"}:
            values[slot] = _called(lang, int(values[slot].removeprefix("guest ")), name)
        if "state" in values:
            values["state"] = text(lang, f"event.voucher_{_states()[values['state']]}")
        if "prize" in values:
            values["prize"] = _tier(lang, values["prize"])
        return text(lang, f"details.{key}", **values), keys
    return None


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
