"""Writes `docs/errors.md` from the catalogue of refusals; run it when a code is added."""

import re
from pathlib import Path

from bobing.i18n import texts

SLOT = re.compile(r"\{\w+\}")
PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
HEAD = """# Refusals and their codes

Whatever bobing refuses has a stable code, `area/what`, and a sentence that says what to do. The code stays; the
sentence may be worded better. On the command line a refusal ends with exit status 2 (a refused act in
`bobing referee`: 1). In Chinese the sentence comes first, and the detail stands in brackets behind it.

This page is written from the texts; after a change there, run `.venv/bin/python tests/errors_page.py`.
"""
TABLE = "| code | what it means |\n| --- | --- |\n"
AREAS = {
    "cli": ("Command line", "The call itself, or a file that it names; `COMMAND --help` shows how it is written."),
    "dice": ("Dice", "What was given for a throw is no throw."),
    "json": ("JSON", "The text is not the strict JSON that acts, records and messages are written in."),
    "rules": (
        "Rule files",
        "A sheet or a [house rule file](rules/house-rules.md) that cannot be used; the detail names the key.",
    ),
    "act": ("Acts", "The game does not take this [act](acts.md) now, and stays as it was."),
    "record": ("Records", "The [record](record.md) is damaged or does not replay; the detail names the line."),
    "fair": (
        "Provable dice",
        "What is said of digital dice does not hold; see [fairness](fairness.md). `bobing verify` names the throw.",
    ),
    "glossary": ("Words", "A question to the [glossary](glossary.md) that has no one answer; from Python alone."),
    "play": ("A game at the terminal", "`bobing play` cannot begin or go on with a game."),
    "save": ("Saved games", "The file in which `bobing play` keeps a game."),
    "odds": ("Odds", "Chances, simulations and plans that cannot be worked out as asked for."),
    "log": ("The log of tables", "The file in which `bobing serve` keeps its tables; see [hosting](hosting.md)."),
    "bus": ("The bus", "How several processes hear of each other; see [hosting](hosting.md)."),
    "table": ("Tables", "What somebody at a table of `bobing serve` asked for; the page shows the sentence."),
    "file": ("Lists", "A CSV or XLSX file that somebody brought; nothing of it was taken."),
    "event": ("Events", "What a desk of an event of many tables asked for; the event stays as it was."),
    "paper": ("Papers", "What was to be [printed](printing.md)."),
    "settings": ("Settings", "`bobing serve` cannot start with these [settings](settings.md)."),
    "bobing": ("Anything else", "A refusal that has no code of its own."),
}


def codes():
    """Every code of the catalogue, with its English sentence."""
    keys = {key: area for area in ("errors", "refusals") for key in texts(area)}
    return {key.replace("_", "/", 1): SLOT.sub("…", texts(area)[key]["en"]) for key, area in sorted(keys.items())}


def page():
    found = {area: [] for area in AREAS}
    for code, sentence in codes().items():
        found[code.partition("/")[0]].append(f"| `{code}` | {sentence} |\n")
    parts = (f"\n## {title}\n\n{about}\n\n{TABLE}{''.join(found[area])}" for area, (title, about) in AREAS.items())
    return HEAD + "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
