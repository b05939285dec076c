"""Answers `bobing score` at once where the call is plain: digits, a named sheet, `--json`, `--lang`.

Loading click and a rule sheet takes several times as long as all the rest. So the rows of the named sheets are shipped
compiled, in `scorebooks.json` (written by `tests/scorebooks.py`, and checked by a test), and calls that are not plain,
help and mistakes included, are left to the full command line, which answers plain calls alike.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from bobing.i18n import LANGUAGES, language
from bobing.scored import Scored, Sheet

DATA = f"{os.path.dirname(__file__)}/scorebooks.json"  # noqa: PTH120 - pathlib is not loaded for this


def answer(words: Sequence[str]) -> list[str] | None:
    """The lines that `bobing score WORDS` prints; None where the call is not plain."""
    call = _plain_call(words)
    if call is None:
        return None
    roll, rules, lang, as_json = call
    scored = score(roll, rules)
    if scored is None:
        return None
    if as_json:
        return [json.dumps(scored.to_json(), ensure_ascii=False)]
    return scored.lines(language(lang, os.environ))


def score(roll: str, sheet: str | None = None) -> Scored | None:
    """Six digits read by a named sheet (its key, or an id in any letter case); None where there is no such sheet."""
    with open(DATA, encoding="utf-8") as file:  # noqa: PTH123
        data: dict[str, Any] = json.load(file)
    wanted = data["default"] if sheet is None else sheet.lower()
    key = wanted if wanted in data["sheets"] else data["ids"].get(wanted)
    if key is None:
        return None
    book = data["sheets"][key]
    numbers = combinations_with_replacement("123456", 6)
    row = data["rows"][book["rows"][list(numbers).index(tuple(sorted(roll)))]]
    combination, tier, bonus, strength, kicker, effects = row
    names = data["names"]
    tiers = {tier: book["tiers"].get(tier) or names[tier] for tier in ([tier] if tier else []) + bonus}
    place = None
    if strength is not None:
        order = book["strengths"]
        place = order.index(strength) + 1, len(order)
    words = book["words"].get(combination, ())
    about = Sheet(key, book["names"], tiers, book["contested"])
    return Scored(roll, combination, tier, bonus, strength, kicker, effects, names[combination], place, words, about)


def _plain_call(words: Sequence[str]) -> tuple[str, str | None, str | None, bool] | None:
    roll, rules, lang, as_json = "", None, None, False
    left = iter(words)
    for word in left:
        if word == "--json":
            as_json = True
        elif word == "--rules":
            rules = next(left, "")
        elif word == "--lang":
            lang = next(left, "")
        else:
            roll += word
    plain = len(roll) == 6 and all(sign in "123456" for sign in roll)
    if not plain or lang not in (None, *LANGUAGES) or (rules is not None and os.path.exists(rules)):  # noqa: PTH110
        return None
    return roll, rules, lang, as_json


def show(lines: Sequence[str]) -> None:
    """Print lines as UTF-8, whatever the locale says of the terminal's letters."""
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode())
    sys.stdout.flush()
