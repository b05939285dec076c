"""A throw read by a sheet, as `bobing score` tells it.

Imports neither the core nor click, so that a throw can be told at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bobing.i18n import text
from bobing.reason import why

_GLYPHS = "⚀⚁⚂⚃⚄⚅"


class Sheet(NamedTuple):
    """The sheet that a throw was read by: its key, its names by language, the names of the tiers that were won.

    contested: whether a later throw can take the title.
    """

    key: str
    names: Mapping[str, str]
    tiers: Mapping[str, Mapping[str, str]]
    contested: bool


class Scored(NamedTuple):
    """One throw. names: of its combination, by language. place: (rank, number of ranks) among zhuangyuan strengths.
    words: what the sheet prints for the combination, where that is not just its name.

    The others are those of `bobing.core.combinations.Row`.
    """

    roll: str
    combination: str
    tier: str | None
    bonus: Sequence[str]
    strength: int | None
    kicker: int
    effects: Sequence[str]
    names: Mapping[str, str]
    place: tuple[int, int] | None
    words: Sequence[str]
    sheet: Sheet

    def to_json(self) -> dict[str, Any]:
        """The object that `bobing score --json` prints."""
        main = [{"tier": self.tier, "cakes": 1, "bonus": False}] if self.tier else []
        return {
            "roll": self.roll,
            "combination": self.combination,
            "awards": main + [{"tier": tier, "cakes": 1, "bonus": True} for tier in self.bonus],
            "effects": list(self.effects),
            "strength": self.strength,
            "names": dict(self.names),
        }

    def lines(self, lang: str) -> list[str]:
        """The throw in words: the dice, their name, the sheet's word, why, what they win, their rank, what else."""
        say = _Say(lang)
        dice = " ".join(_GLYPHS[int(face) - 1] for face in self.roll)
        lines = [text(lang, "score.head", dice=dice, roll=self.roll), _title(self.names, lang)]
        if self.words:
            lines.append(say("word", text(lang, "score.word", words=text(lang, "score.or").join(self.words))))
        lines.append(say("why", why(self.roll, self.combination, self.kicker, lang, bonus=bool(self.bonus))))
        lines.append(say("wins", _wins(self, lang)))
        if self.place is not None and self.place[1] > 1:
            lines.append(say("rank", text(lang, "score.rank", place=self.place[0], of=self.place[1])))
        lines += [say("also", text(lang, f"score.effect_{effect}", kicker=self.kicker)) for effect in self.effects]
        name = named(self.sheet.names, lang, self.sheet.key)
        lines.append(say("rules", text(lang, "score.sheet", name=name, sheet=self.sheet.key)))
        return lines


def named(names: Mapping[str, str], lang: str, key: str) -> str:
    """The name in a language, else in another, else the key."""
    return names.get(lang) or next(iter(names.values()), key)


class _Say:
    """Puts a label before words."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def __call__(self, label: str, words: str) -> str:
        return text(self.lang, "score.line", label=text(self.lang, f"score.label_{label}"), words=words)


def _title(names: Mapping[str, str], lang: str) -> str:
    other = "zh-Hans" if lang == "en" else "en"
    shown = [named(names, lang, ""), names.get("pinyin"), names.get(other)]
    if lang == "en":
        shown[1:] = [names.get(other), names.get("pinyin")]
    hokkien = names.get("poj")
    shown.append(text(lang, "score.hokkien", name=hokkien) if hokkien else None)
    return "  ".join(name for name in shown if name)


def _wins(scored: Scored, lang: str) -> str:
    def cake(tier: str) -> str:
        return text(lang, "score.cake", tier=named(scored.sheet.tiers.get(tier, {}), lang, tier))

    if scored.tier is None:
        return text(lang, "score.wins_nothing")
    main = cake(scored.tier)
    if scored.strength is not None and scored.sheet.contested:
        main = text(lang, "score.wins_title", cake=main)
    return text(lang, "score.plus").join([main, *map(cake, scored.bonus)])
