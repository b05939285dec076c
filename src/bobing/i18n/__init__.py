"""Every text that people read, in zh-Hans, zh-Hant and en, side by side in one TOML file for each area.

A text may hold `{name}` for a value and `{count|cake|cakes}` for a word that follows a number (English only needs it),
be it a number or one that was written out before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("zh-Hans", "zh-Hant", "en")
_HERE = Path(__file__).parent
_SLOT = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


@cache
def texts(area: str) -> Mapping[str, Mapping[str, str]]:
    """All texts of an area, by key and language."""
    return tomllib.loads((_HERE / f"{area}.toml").read_text(encoding="utf-8"))


def text(lang: str, key: str, **values: object) -> str:
    """The text `area.key` in a language, with its values put in. KeyError where the catalogue lacks it.

    >>> text("en", "common.cakes", n=1), text("zh-Hant", "common.cakes", n=1)
    ('1 cake', '1 塊餅')
    """
    literal, *slots = _cut(lang, key)
    said = [literal]
    for name, one, many, behind in slots:
        value = values[name]
        said.append(str(value) if one is None else one if str(value) == "1" else many)
        said.append(behind)
    return "".join(said)


@cache
def _cut(lang: str, key: str) -> tuple[Any, ...]:
    """A text cut at its slots: what stands before them, then each slot's name and words with what stands behind it."""
    area, _, name = key.partition(".")
    literal, *cut = _SLOT.split(texts(area)[name][lang])
    return literal, *zip(cut[::4], cut[1::4], cut[2::4], cut[3::4], strict=True)


def language(wanted: str | None, environment: Mapping[str, str]) -> str:
    """The language for a wish such as `zh-TW`, else for the locale in the environment, else English.

    >>> language("zh_TW", {}), language(None, {"LANG": "zh_CN.UTF-8"}), language(None, {"LANG": "C"})
    ('zh-Hant', 'zh-Hans', 'en')
    """
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    tag = (wanted or locale).replace("_", "-").split(".")[0].lower()
    if not tag.startswith("zh"):
        return "en"
    return "zh-Hant" if any(part in tag for part in ("hant", "-tw", "-hk", "-mo")) else "zh-Hans"
