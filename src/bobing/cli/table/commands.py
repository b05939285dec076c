"""What people type at the table, read kindly: letters, words in three languages, dice in any form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bobing.core.dice import read_faces
from bobing.core.errors import RollError

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "undo": ("u", "undo", "back", "撤", "撤销", "撤銷", "收回", "悔"),
    "correct": ("c", "correct", "fix", "改", "更正"),
    "waive": ("w", "waive", "让", "讓", "放弃", "放棄"),
    "out": ("o", "out", "spill", "出", "掉", "掉出", "跳猴"),
    "cocked": ("k", "cocked", "斜", "叠", "疊", "重掷", "重擲"),
    "pass": ("p", "pass", "skip", "过", "過", "缺席"),
    "start": ("s", "start", "先", "定先"),
    "time": ("t", "time", "end", "close", "收", "收桌", "时间到", "時間到"),
    "join": ("j", "join", "入", "入席", "加入"),
    "leave": ("x", "leave", "离", "離", "离席", "離席"),
    "return": ("b", "return", "回", "回来", "回來"),
    "swap": ("e", "swap", "exchange", "换", "換", "换位", "換位"),
    "name": ("n", "name", "rename", "名", "改名"),
    "ledger": ("l", "ledger", "账", "帳", "账本", "帳本"),
    "history": ("h", "history", "史", "记录", "記錄"),
    "rules": ("r", "rules", "规", "規", "规则", "規則"),
    "language": ("g", "lang", "language", "语", "語", "语言", "語言"),
    "help": ("?", "help", "帮", "幫", "帮助", "幫助"),
    "quit": ("q", "quit", "exit", "退", "退出"),
    "throw": ("d", "throw", "roll", "掷", "擲", "博"),
}
"""Each command, its letter first."""

YES = frozenset(("y", "yes", "ok", "是", "好", "对", "對", "行"))
_WORDS = {word: command for command, words in COMMANDS.items() for word in words}
_LATIN = re.compile(r"[a-z?]+")
_NUMBER = re.compile(r"\d{1,9}")
_DIE_SIGNS = frozenset("⚀⚁⚂⚃⚄⚅一二三四五六")
_DICE_MOST = 12
_FULL_WIDTH = {sign: sign - 0xFEE0 for sign in range(0xFF01, 0xFF5F)}


@dataclass(frozen=True, slots=True)
class Typed:
    """A command with what stands behind it. `roll` has the dice as typed, "" is an empty line, "unknown" all else."""

    command: str
    rest: str = ""


def clean(text: str) -> str:
    """What was typed in plain width, without control signs and spaces at the ends. Superscripts stay what they are.

    >>> clean("  ｕ　７ "), clean("²")
    ('u 7', '²')
    """
    kept = "".join(" " if sign.isspace() else sign for sign in text if unicodedata.category(sign) != "Cc")
    return unicodedata.normalize("NFC", kept.translate(_FULL_WIDTH)).strip()


def read_line(text: str) -> Typed:
    """What a line asks for.

    >>> read_line("４４４４１１"), read_line("u7")
    (Typed(command='roll', rest='444411'), Typed(command='undo', rest='7'))
    >>> read_line("改名 2 小红"), read_line("")
    (Typed(command='name', rest='2 小红'), Typed(command='', rest=''))
    """
    line = clean(text)
    if not line:
        return Typed("")
    latin = _LATIN.match(line.casefold())
    word = latin.group() if latin else next((line[:n] for n in (3, 2, 1) if line[:n] in _WORDS), "")
    if word in _WORDS:
        return Typed(_WORDS[word], line[len(word) :].strip())
    if any(sign.isdigit() or sign in _DIE_SIGNS for sign in line):
        return Typed("roll", line)
    return Typed("unknown", line)


def is_yes(text: str) -> bool:
    """Whether an answer is a yes in one of the three languages."""
    return clean(text).casefold() in YES


def dice_typed(text: str) -> int | None:
    """How many dice were typed; None where a sign is no die face.

    >>> dice_typed("4444"), dice_typed("⚃⚃ 7")
    (4, None)
    """
    for count in range(1, _DICE_MOST + 1):
        try:
            read_faces(text, count)
        except RollError:
            continue
        return count
    return None


def numbers(text: str) -> Iterator[int]:
    """The whole numbers in a text, in order."""
    return (int(found) for found in _NUMBER.findall(clean(text)))


def read_share(text: str) -> list[tuple[str, int]] | None:
    """Who got how many: words, each with a number of cakes behind `*`, `x` or `×`; None where that is not to be read.

    >>> read_share("1 3*2 小红x4")
    [('1', 1), ('3', 2), ('小红', 4)]
    """
    shares: list[tuple[str, int]] = []
    for word in re.split(r"[\s,，、;；]+", clean(text)):
        if not word:
            continue
        who, times, count = re.fullmatch(r"(.+?)(?:([*x×X])(\d{1,7}))?", word).groups()  # type: ignore[union-attr]
        shares.append((who, int(count) if times else 1))
    return shares or None
