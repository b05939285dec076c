"""Names that people give themselves: kept as written, but nothing that hides, reorders or imitates."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

GRAPHEMES_MAX = 40
BYTES_MAX = 90
"""Thirty Chinese characters; a record has room for them with a number behind, for one who bears the same name."""
_MARKS_MAX = 2
_JOINERS = frozenset("\u200d\ufe0f")
_BLANK = frozenset("\u3164\u115f\u1160\uffa0\u2800")


@dataclass(frozen=True, slots=True)
class Told:
    """A name as it is shown, and what is wrong with it. sign: which cannot be used, such as U+001B."""

    name: str
    fault: Literal["", "empty", "long", "bad"] = ""
    sign: str = ""


def told_name(text: str) -> Told:
    r"""The name without signs that nobody sees, or why it is none.

    >>> told_name("  小 明\u202e "), told_name("a\x1bb"), told_name("Maria Concepción de la Cruz").fault
    (Told(name='小 明', fault='', sign=''), Told(name='a\x1bb', fault='bad', sign='U+001B'), '')
    """
    whole = "".join(sign for sign in unicodedata.normalize("NFC", text) if not _is_hidden(sign)).strip()
    control = next(filter(_is_control, whole), "")
    if control:
        return Told(whole, "bad", _code(control))
    name = " ".join(whole.split())
    if all(map(is_invisible, name)):
        return Told(name, "empty")
    letters = _graphemes(name)
    bad = [*(sign for sign in name if _is_bad(sign)), *(mark for letter in letters for mark in _heap(letter))]
    if bad:
        return Told(name, "bad", _code(bad[0]))
    folded = len(unicodedata.normalize("NFKC", name))
    if max(len(name.encode()), folded) > BYTES_MAX or len(letters) > GRAPHEMES_MAX:
        return Told(name, "long")
    return Told(name)


def is_invisible(sign: str) -> bool:
    """Whether nothing is seen of a sign by itself."""
    return sign in _BLANK or sign.isspace() or unicodedata.category(sign) in ("Cf", "Cc", "Mn", "Me", "Zl", "Zp")


def skeleton(name: str) -> str:
    """What a name looks like: folded width, case, marks and look-alike letters."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign) and not is_invisible(sign))
    return plain.translate(_LOOK_ALIKES)


_LOOK_ALIKES = str.maketrans("авекмнорстухіјѕԁοαερυικνω0", "abekmhopctyxijsdoaepuikvwo")


def _code(sign: str) -> str:
    return f"U+{ord(sign):04X}"


def _is_hidden(sign: str) -> bool:
    """Marks of direction, zero-width signs: dropped. Joiners and the tags of flags belong to emoji and stay."""
    return unicodedata.category(sign) == "Cf" and sign not in _JOINERS and not "\U000e0020" <= sign <= "\U000e007f"


def _is_control(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Zl", "Zp")


def _is_bad(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cs", "Co", "Cn") or sign in _BLANK


def _graphemes(name: str) -> list[str]:
    """Roughly what people count as letters: marks, joiners and what a joiner binds stay with the sign before."""
    clusters: list[str] = []
    for sign in name:
        binds = (
            unicodedata.category(sign) in ("Mn", "Me", "Mc")
            or sign in _JOINERS
            or "\U0001f3fb" <= sign <= "\U0001f3ff"
            or "\U000e0020" <= sign <= "\U000e007f"
        )
        if clusters and (binds or clusters[-1].endswith("\u200d")):
            clusters[-1] += sign
        else:
            clusters.append(sign)
    return clusters


def _heap(letter: str) -> list[str]:
    """The marks that are too many on a letter."""
    marks = [sign for sign in letter if unicodedata.category(sign) in ("Mn", "Me") and sign not in _JOINERS]
    return marks[_MARKS_MAX:]
