"""What is to be said, before it is said in a language: texts with their values, made once and put into each.

A phrase holds nothing but texts, numbers and other phrases, so that one which was said before need not be made again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bobing.i18n import LANGUAGES, text


class Phrase(NamedTuple):
    """The text `key` (`area.name`) with its values put in."""

    key: str
    values: tuple[tuple[str, Part], ...] = ()


class Listed(NamedTuple):
    """Several parts with the text `between` between them."""

    parts: tuple[Part, ...]
    between: str


class InEach(NamedTuple):
    """What has a name of its own in each language."""

    hans: str
    hant: str
    en: str


Part = Phrase | Listed | InEach | str | int


@lru_cache(maxsize=8192)  # the same few things happen at every table, again and again
def said(part: Part, lang: str) -> str:
    """A part in a language.

    >>> said(Phrase("game.takes", (("who", "Mei"), ("cakes", Listed(("1 × Straight", "tea"), "game.plus")))), "en")
    'Mei takes 1 × Straight, tea'
    """
    match part:
        case Phrase(key, values):
            return text(
                lang, key, **{name: value if isinstance(value, int) else said(value, lang) for name, value in values}
            )
        case Listed(parts, between):
            return text(lang, between).join(said(one, lang) for one in parts)
        case InEach():
            return part[LANGUAGES.index(lang)]
        case _:
            return str(part)
