"""The keys of rule files in words: refusals name them, and who set rules on a page never saw one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from bobing.core.dimensions import settings_by_point
from bobing.core.glossary import name
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN
from bobing.i18n import text
from bobing.i18n.settings import point_title

_KEY = re.compile(
    r"(?P<space> ?)(?<![\w.'])(?P<path>(?P<key>[a-z]\w*(?:\.[a-z]\w*)?)(?:\[\d+\]\.\w+)?)(?![\w'])", re.ASCII
)
_OF_TIERS = ("cakes", "prizes", "wins", "points", "titles", "tier_names")
"""Sections that hold a key for each tier."""


def spelt_out(lang: str, said: str) -> str:
    """A sentence in which each key of a rule file stands beside what it is called; quoted values stay.

    >>> spelt_out("en", "chase.tiers: 'duitang' stands there twice")
    "“Which tiers may be chased” (chase.tiers): 'duitang' stands there twice"
    >>> spelt_out("zh-Hant", "prizes.duitang[1].count：數字超出範圍，這裡有 sanhong")
    '「對堂的獎品」prizes.duitang[1].count：數字超出範圍，這裡有「三紅」sanhong'
    """
    return _KEY.sub(lambda found: _named(lang, found), said)


def _named(lang: str, found: re.Match[str]) -> str:
    title = _titles(lang).get(found["key"])
    if title is None:
        return found[0]
    space = found["space"] if lang == "en" else ""
    return space + text(lang, "rules.key_said", name=title, path=found["path"])


@cache
def _titles(lang: str) -> Mapping[str, str]:
    """What dotted keys are called, what the key alone is called where it could be no plain word, tiers and forms.

    Sections alone are left out: their keys are plain English. A key of several points is called as the one that is
    about least besides.
    """
    points, dotted = settings_by_point(), dict[str, str]()
    for point in sorted(points, key=lambda point: len(points[point])):
        for path in (path for path in points[point] if "." in path):
            dotted.setdefault(path, point_title(lang, point))
    bare = {path.partition(".")[2]: title for path, title in dotted.items() if "_" in path.partition(".")[2]}
    ours = {key: name(key, lang) for key in (ZHUANGYUAN, *FORMS, *HANDS_BELOW)}
    of_tiers = {
        f"{section}.{key}": text(lang, f"rules.key_{section}", tier=tier)
        for section in _OF_TIERS
        for key, tier in ours.items()
    }
    return {**dotted, **bare, **ours, **of_tiers, "ranking.tiers": text(lang, "rules.key_ranking")}
