"""Why a throw is what it is called, in a few words: "4 dice show 2". The texts stand in `i18n/score.toml`.

Imports nothing of the core, so that a throw can be told at once.
"""

from __future__ import annotations

from functools import lru_cache

from bobing.i18n import text

_FOURS = ("liubohong", "wuhong", "sihong", "sanhong", "erju", "yixiu")
_ALIKE = ("biandijin", "liubohei", "wuzi", "sijin")
_WITH_KICKER = ("wuhong", "wuzi", "sihong")


@lru_cache(maxsize=4096)
def why(roll: str, combination: str, kicker: int, lang: str, *, bonus: bool = False) -> str:
    """The dice that make a throw what it is called, and with a `bonus` the fours that win a second prize.

    >>> why("222245", "sijin", 0, "en", bonus=True)
    '4 dice show 2, 1 die shows 4'
    """
    if bonus:
        also = text(lang, "score.why_alike", count=roll.count("4"), face=4)
        return text(lang, "score.why_and", why=why(roll, combination, kicker, lang), also=also)
    counts = {face: roll.count(str(face)) for face in range(1, 7)}
    most = max(counts, key=lambda face: counts[face])
    if combination in ("chajinhua", "none"):
        return text(lang, f"score.why_{combination}")
    if combination == "duitang":
        shape = {1: "straight", 2: "pairs", 3: "triples"}[counts[most]]
        return text(lang, f"score.why_{shape}")
    if combination in _FOURS:
        most = 4
    elif combination not in _ALIKE:
        return text(lang, "score.why_pattern")
    key = "why_alike_with" if combination in _WITH_KICKER and counts[most] < 6 else "why_alike"
    return text(lang, f"score.{key}", count=counts[most], face=most, kicker=kicker)
