"""Writes src/bobing/scorebooks.json, the compiled rows of the named sheets: `.venv/bin/python tests/scorebooks.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bobing
from bobing.cli.score import own_words
from bobing.core.catalogue import DEFAULT_SHEET, find_sheet, sheet_keys
from bobing.core.glossary import names
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN

NAMED = (*FORMS, *HANDS_BELOW, ZHUANGYUAN, "none")
FILE = Path(bobing.__file__).with_name("scorebooks.json")


def compiled() -> dict[str, Any]:
    """What the file holds: the distinct rows, and for each sheet the number of the row of each hand."""
    rows: dict[str, int] = {}
    sheets: dict[str, Any] = {}
    ids: dict[str, str] = {}
    for key in sheet_keys():
        rules = find_sheet(key)
        ids |= {alias.lower(): key for alias in rules.aliases}
        book = [
            [row.combination, row.tier, list(row.bonus), row.strength, row.kicker, list(row.effects)]
            for row in scorebook(rules).rows.values()
        ]
        sheets[key] = {
            "names": dict(rules.names),
            "cakes": dict(rules.cakes),
            "tiers": {tier.key: dict(tier.names) for tier in rules.tiers if tier.names},
            "words": {key: words for key in NAMED if (words := own_words(key, rules))},
            "contested": rules.title.contest != "first",
            "strengths": sorted({row[3] for row in book if row[3] is not None}, reverse=True),
            "rows": [rows.setdefault(json.dumps(row), len(rows)) for row in book],
        }
    return {
        "default": DEFAULT_SHEET,
        "ids": ids,
        "names": {key: names(key) for key in NAMED},
        "rows": [json.loads(row) for row in rows],
        "sheets": sheets,
    }


def as_text(data: dict[str, Any]) -> str:
    """The file's text: one line for each row and for each sheet."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    heads = [f"{line(key)}: {line(data[key])}" for key in ("default", "ids", "names")]
    rows = ",\n".join(map(line, data["rows"]))
    sheets = ",\n".join(f"{line(key)}: {line(sheet)}" for key, sheet in data["sheets"].items())
    return "{" + ",\n".join(heads) + f',\n"rows": [\n{rows}\n],\n"sheets": {{\n{sheets}\n}}}}\n'


if __name__ == "__main__":
    FILE.write_text(as_text(compiled()), encoding="utf-8")
