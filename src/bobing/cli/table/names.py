"""Names of players: as typed, and those of players who gave none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bobing.cli.table.cells import plain, width
from bobing.cli.table.commands import clean
from bobing.core.acts import Join
from bobing.core.game import Game
from bobing.i18n import text

NAME_CELLS = 24
_DIGITS = "零一二三四五六七八九"


def number_name(names: Mapping[int, str], seat: int, lang: str) -> str:
    """A player's name, else that of the seat's number."""
    return names.get(seat) or default_name(seat, lang)


def named(game: Game, names: Mapping[int, str], lang: str) -> dict[int, str]:
    """A name for every seat there ever was, those of players who gave none by their numbers."""
    seats = game.seats + sum(isinstance(entry.act, Join) for entry in game.log)
    return {seat: number_name(names, seat, lang) for seat in range(seats)}


def default_name(seat: int, lang: str) -> str:
    """What a player is called who gave no name.

    >>> default_name(0, "zh-Hans"), default_name(11, "zh-Hant"), default_name(20, "zh-Hans"), default_name(1, "en")
    ('一号', '十二號', '二十一号', 'Player 2')
    """
    return text(lang, "play.default_name", n=seat + 1 if lang == "en" else _chinese(seat + 1))


def _chinese(number: int) -> str:
    if number > 99:
        return str(number)
    tens, ones = divmod(number, 10)
    head = "" if not tens else "十" if tens == 1 else _DIGITS[tens] + "十"
    return head + (_DIGITS[ones] if ones else "")


def read_name(typed: str, taken: Iterable[str]) -> str | None:
    r"""A name that can be used; None for one that is empty, invisible, too long, or taken.

    >>> read_name("  小红 ", ["阿明"]), read_name("小红", ["小红"]), read_name("\u200b", [])
    ('小红', None, None)
    """
    name = " ".join(plain(clean(typed)).split())
    if not 1 <= width(name) <= NAME_CELLS or len(name.encode()) > 96:
        return None
    return None if name.casefold() in (other.casefold() for other in taken) else name


def name_fault(typed: str, taken: Iterable[str]) -> str:
    """Which text tells why a name cannot be used.

    >>> name_fault("小红", ["小红"]), name_fault("", [])
    ('name_taken', 'wrong_name')
    """
    return "wrong_name" if read_name(typed, ()) is None or read_name(typed, taken) else "name_taken"


def split_names(typed: str) -> list[str]:
    """Names in one line, with commas between, or else spaces.

    >>> split_names("阿明，小红 老王"), split_names("Anna Maria, Bob")
    (['阿明', '小红', '老王'], ['Anna Maria', 'Bob'])
    """
    line = clean(typed)
    parts = re.split(r"[,，、;；/]+", line)
    if len(parts) == 1 or not line.isascii():
        parts = re.split(r"[\s,，、;；/]+", line)
    return [part.strip() for part in parts if part.strip()]
