"""The value of a setting in words: the texts of `dimensions.toml` put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bobing.core.glossary import entries, name
from bobing.core.reading import choices_of, hints_of
from bobing.core.settings import FORMS, SECTIONS
from bobing.i18n import text


def point_title(lang: str, point: str) -> str:
    """The title of a point of difference. KeyError where there is no such point.

    >>> point_title("en", "E3"), point_title("zh-Hans", "E3")
    ('What six 4s take', '六杯红拿什么')
    """
    return text(lang, f"dimensions.{point}")


def setting_text(lang: str, path: str, value: Any, tier_names: Mapping[str, str] | None = None) -> str:
    """The value of a fixed setting in words. KeyError where the path is none or the value is not allowed.

    path: such as `liubohong.takes`. value: as `RuleSet.to_table` has it. tier_names: what own tiers are called; the
    usual ones have their names in the glossary.

    >>> setting_text("en", "liubohong.takes", "table"), setting_text("zh-Hant", "setup.groups", 5)
    ('all cakes left on the table', '報名的人分成5組')
    >>> setting_text("zh-Hans", "ranks.order", [["liubohong", "wuhong"], ["sihong"]])
    '从大到小：六杯红 = 五红 > 四红'
    """
    stem = f"dimensions.{path.replace('.', '_')}"
    if isinstance(value, bool):
        return text(lang, f"{stem}_{str(value).lower()}")
    if isinstance(value, str):
        return text(lang, f"{stem}_{value}")
    if isinstance(value, int):
        return text(lang, stem, n=value) if value else text(lang, f"{stem}_0")
    if not value:
        return text(lang, f"{stem}_none")
    return text(lang, stem, list=_listed(lang, path, value, tier_names or {}))


def _listed(lang: str, path: str, entries_: Sequence[Any], tier_names: Mapping[str, str]) -> str:
    if any(isinstance(entry, list | tuple) for entry in entries_):
        groups = ([group] if isinstance(group, str) else group for group in entries_)
        return " > ".join(" = ".join(_entry(lang, path, form, tier_names) for form in group) for group in groups)
    return _joint(lang, path).join(_entry(lang, path, entry, tier_names) for entry in entries_)


def _joint(lang: str, path: str) -> str:
    if path == "ranks.order":
        return " > "
    if path.startswith("customs."):
        return "; " if lang == "en" else "；"
    return ", " if lang == "en" else "、"


def _entry(lang: str, path: str, entry: object, tier_names: Mapping[str, str]) -> str:
    section, _, key = path.partition(".")
    choices = choices_of(hints_of(SECTIONS[section])[key])
    if choices and entry not in FORMS:
        return text(lang, f"dimensions.{section}_{key}_{entry}")
    tier = str(entry)
    return tier_names.get(tier) or (name(tier, lang) if tier in _glossary_keys() else tier)


def _glossary_keys() -> Sequence[str]:
    return [entry.key for entry in entries()]
