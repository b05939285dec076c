"""Writes vectors/census and vectors/scores, truth for any language: `.venv/bin/python tests/score_vectors.py`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.combinations import NONE
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS, scorebook
from bobing.core.settings import FORMS, HANDS_BELOW

FOLDER = Path(__file__).parents[1] / "vectors"
SCORES_HEAD = ("# hand", "combination", "tier", "bonus", "strength")


def files() -> Mapping[str, str]:
    """The text of every file, by its path below vectors/."""
    texts: dict[str, str] = {}
    for key in sheet_keys():
        texts[f"census/{key}.txt"] = census_text(find_sheet(key))
        texts[f"scores/{key}.txt"] = scores_text(find_sheet(key))
    return texts


def census_text(rules: RuleSet) -> str:
    """How many of all throws win what, as a table that a person can read."""
    census = scorebook(rules).census()
    lines = [f"# {rules.key} ({', '.join(rules.aliases) or '-'}): all {THROWS} throws, each counted once"]
    lines.append(aligned("# tier", "cakes", "throws", "bonus"))
    lines += [
        aligned(tier.key, tier.cakes, census.awards[tier.key], census.bonus.get(tier.key, "-")) for tier in rules.tiers
    ]
    lines.append(aligned(NONE, "-", census.none, "-"))
    lines += ["", aligned("# combination", "throws")]
    names = [*FORMS, *HANDS_BELOW, *(tier for tier in rules.lower if tier not in HANDS_BELOW), NONE]
    lines += [aligned(name, census.combinations[name]) for name in names if name in census.combinations]
    lines += ["", aligned("# strengths", census.strengths)]
    return "\n".join(lines) + "\n"


def scores_text(rules: RuleSet) -> str:
    """One line for each hand: sorted faces, combination, main tier, tier of the bonus, strength among zhuangyuan."""
    lines = ["{:6} {:11} {:10} {:5} {:>8}".format(*SCORES_HEAD)]
    for hand, row in scorebook(rules).rows.items():
        (bonus,) = row.bonus or ("-",)
        strength = "-" if row.strength is None else row.strength
        line = f"{''.join(map(str, hand)):6} {row.combination:11} {row.tier or '-':10} {bonus:5} {strength:>8}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def aligned(name: str, *numbers: object) -> str:
    return f"{name:14}" + "".join(f"{number:>8}" for number in numbers)


if __name__ == "__main__":
    for path, text in files().items():
        target = FOLDER / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
