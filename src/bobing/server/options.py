"""What a rule sheet can decide, setting by setting, with every value in words: what a form for house changes needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, get_args, get_origin

from bobing.core.dimensions import POINTS, settings_by_point
from bobing.core.glossary import name
from bobing.core.reading import choices_of, hints_of
from bobing.core.settings import ANY_TIER, FORMS, SECTIONS, Between
from bobing.i18n import LANGUAGES, text
from bobing.i18n.settings import point_title, setting_text

_AT: Mapping[str, str] = {"chase.tiers": "X2"}
"""Settings that are better asked for under another point than their first."""


@cache
def settings_known() -> Sequence[Mapping[str, Any]]:
    """The points that have settings to choose, each setting under the first point it belongs to.

    kind: `choice` (options say the value and its words), `count` (low to high), `list` (any of the options), `tiers`
    (any tiers below zhuangyuan), or `order` (options in groups, those of one group being equal).

    >>> found = {setting["path"]: setting for point in settings_known() for setting in point["settings"]}
    >>> found["spill.next_turn"]["kind"], [option["value"] for option in found["spill.next_turn"]["options"]]
    ('choice', ['played', 'lost'])
    """
    told: set[str] = set()
    points: list[Mapping[str, Any]] = []
    for point in POINTS:
        paths = [path for path in settings_by_point()[point] if path not in told and _AT.get(path, point) == point]
        told.update(paths)
        settings = [setting for path in paths if (setting := _setting(path)) is not None]
        if settings:
            title = {lang: point_title(lang, point) for lang in LANGUAGES}
            group = {lang: text(lang, f"rules.group_{point[0]}") for lang in LANGUAGES}
            points.append({"id": point, "title": title, "group": group, "settings": settings})
    return points


def _setting(path: str) -> Mapping[str, Any] | None:
    """One setting; None for what is none, but a part of a rule file by itself."""
    section, _, key = path.partition(".")
    if section not in SECTIONS or not key:
        return None
    if path == "ranks.order":
        return {"path": path, "kind": "order", "options": [{"value": form, "words": _called(form)} for form in FORMS]}
    hint = hints_of(SECTIONS[section])[key]
    inner, many = get_args(hint)[0], get_origin(get_args(hint)[0]) is tuple
    between = next((extra for extra in hint.__metadata__ if isinstance(extra, Between)), None)
    if between is not None:
        return {"path": path, "kind": "count", "low": between.low, "high": between.high}
    if ANY_TIER in hint.__metadata__:
        return {"path": path, "kind": "tiers"}
    choices = choices_of(hint)
    if not choices or (many and inner is tuple):
        return None
    options = [{"value": value, "words": _words(path, value, many=many)} for value in choices]
    return {"path": path, "kind": "list" if many else "choice", "options": options}


def _called(word: str) -> Mapping[str, str]:
    return {lang: name(word, lang) for lang in LANGUAGES}


def _words(path: str, value: Any, *, many: bool) -> Mapping[str, str]:
    if many and isinstance(value, int):
        return dict.fromkeys(LANGUAGES, str(value))
    return {lang: setting_text(lang, path, [value] if many else value) for lang in LANGUAGES}
