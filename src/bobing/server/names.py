"""Names that people give themselves: kept as written, but nothing that hides, reorders or imitates."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from bobing.server.refusal import refused

GRAPHEMES_MAX = 24
BYTES_MAX = 96
_MARKS_MAX = 2
_JOINERS = frozenset("\u200d\ufe0f")
_BLANK = frozenset("\u3164\u115f\u1160\uffa0\u2800")
_RESERVED = frozenset({"主持人", "系统", "系統", "host", "system", "table"})


def clean_name(text: str, taken: Collection[str] = ()) -> str:
    """The name as it is shown; raises TableRefused (`table/name_empty`, `name_bad`, `name_reserved`).

    A name that looks like one that is taken gets a number.

    >>> clean_name("  小明 "), clean_name("小明", ["小明"])
    ('小明', '小明 2')
    """
    whole = "".join(sign for sign in unicodedata.normalize("NFC", text) if not _is_hidden(sign)).strip()
    if any(_is_control(sign) for sign in whole):
        raise refused("name_bad")
    name = " ".join(whole.split())
    visible = [sign for sign in name if not _is_invisible(sign)]
    if not visible:
        raise refused("name_empty")
    if len(name.encode("utf-8", "replace")) > BYTES_MAX or len(_graphemes(name)) > GRAPHEMES_MAX:
        raise refused("name_bad")
    if any(_is_bad(sign) for sign in name) or any(_marks(cluster) > _MARKS_MAX for cluster in _graphemes(name)):
        raise refused("name_bad")
    if len(unicodedata.normalize("NFKC", name)) > BYTES_MAX:
        raise refused("name_bad")
    if skeleton(name) in _RESERVED:
        raise refused("name_reserved")
    return _numbered(name, {skeleton(other) for other in taken})


def skeleton(name: str) -> str:
    """What a name looks like: folded width, case, marks and look-alike letters."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign) and not _is_invisible(sign))
    return plain.translate(_LOOK_ALIKES)


_LOOK_ALIKES = str.maketrans("авекмнорстухіјѕԁοαερυικνω0", "abekmhopctyxijsdoaepuikvwo")


def _numbered(name: str, taken: set[str]) -> str:
    if skeleton(name) not in taken:
        return name
    number = 2
    while skeleton(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


def _is_invisible(sign: str) -> bool:
    return sign in _BLANK or sign.isspace() or unicodedata.category(sign) in ("Cf", "Cc", "Mn", "Me", "Zl", "Zp")


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
            unicodedata.category(sign) in ("Mn", "Me", "Mc") or sign in _JOINERS or "\U0001f3fb" <= sign <= "\U0001f3ff"
        )
        if clusters and (binds or clusters[-1].endswith("\u200d")):
            clusters[-1] += sign
        else:
            clusters.append(sign)
    return clusters


def _marks(cluster: str) -> int:
    return sum(unicodedata.category(sign) in ("Mn", "Me") and sign not in _JOINERS for sign in cluster)
