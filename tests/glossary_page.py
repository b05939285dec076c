"""Writes docs/glossary.md from the glossary: `.venv/bin/python tests/glossary_page.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from bobing.core.glossary import Entry, Word, clashes, entries, fold

PAGE = Path(__file__).parent.parent / "docs" / "glossary.md"

HEAD = """\
# Glossary

What combinations, tiers, acts and customs are called. This page is written from `src/bobing/core/glossary.toml`;
after a change there, run `.venv/bin/python tests/glossary_page.py`.

**†** marks a form that no source prints: a conversion to Traditional characters, a pinyin reading or an English
gloss made for this glossary. 000 alone prints Traditional characters and toned pinyin, so a word of the Simplified
sheets has its mark there even where the characters are the same. Hokkien (POJ) is given only where a source prints
it, in every form printed; 000 sets the tone mark of 博餅 both ways, and both are kept. `bobing.core.glossary` answers
the same from Python.
"""

WORDS_HEAD = """\
## What each sheet calls it

*Titles of the imperial examinations are in italics.* 勃 博 卜 朴 杯 抔 殕 in the names of six alike are spellings of
one Hokkien word and are read as one; `g` stands where sheet 003 lost the character. "Overruled" is what a sheet
itself contradicts further on.
"""

CLASH_HEAD = """\
## Words with more than one meaning

Where no sheet is named, such a word is refused, not guessed, unless one meaning is marked **plain**. A title that a
sheet gives to no combination is a meaning of its own there.
"""

NEW_SHEET = """\
## Adding the words of a new sheet

1. Add the sheet's id to `sheets` at the top of `glossary.toml`.
2. Under each entry, add the place to the word that the sheet prints, or a new line for a new word. An examination
   title goes under `titles` of the combination that the sheet gives it to; where it gives it to none, under `words` of
   the title's own entry.
3. A name that the sheet prints for the first time in Traditional characters, pinyin or Hokkien is no longer
   `derived`.
4. Write this page anew and run `python3 dev.py test`: new clashes appear below, and the test of the known clashes asks
   for a decision.
"""

PARTS = (
    ("Combinations and tiers", ("combination", "group", "tier")),
    ("Titles of the imperial examinations", ("title",)),
    ("The game and its cakes", ("game", "cake")),
    ("Acts", ("action",)),
    ("Customs", ("custom",)),
)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, kinds in PARTS:
        chosen = [entry for entry in entries() if entry.kinds[0] in kinds]
        parts += [
            f"## {title}\n",
            table(("key", "zh-Hans", "zh-Hant", "pinyin", "POJ", "English"), map(name_row, chosen)),
        ]
    parts += [WORDS_HEAD, "".join(map(words_of, filter(lambda entry: entry.words, entries())))]
    parts += [CLASH_HEAD, "".join(map(clash_of, clashes()))]
    parts += ["## Notes\n", "".join(item(f"`{entry.key}`: {entry.note}") for entry in entries() if entry.note)]
    parts.append(NEW_SHEET)
    return "\n".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def name_row(entry: Entry) -> Sequence[str]:
    def cell(lang: str) -> str:
        forms = " / ".join(entry.forms.get(lang, ())) or "–"
        return forms + "†" * (lang in entry.derived)

    return (f"`{entry.key}`", *map(cell, ("zh-Hans", "zh-Hant", "pinyin", "poj", "en")))


def item(text: str, indent: str = "") -> str:
    """An entry of a list, broken into lines."""
    first, more = f"{indent}- ", f"{indent}  "
    return fill(text, 100, initial_indent=first, subsequent_indent=more, break_on_hyphens=False) + "\n"


def words_of(entry: Entry) -> str:
    return item(f"`{entry.key}`") + "".join(item(word_text(word), "  ") for word in entry.words)


def word_text(word: Word) -> str:
    text = f"*{word.text}*" if word.title else word.text
    sheets = dict.fromkeys(place.sheet + " overruled" * place.overruled for place in word.places)
    return f"{text} ({', '.join(sheets)})"


def clash_of(word: str) -> str:
    plain = {entry.key for entry in entries() if word in entry.plain}
    printed = (other.text for entry in entries() for other in entry.words)
    spellings = dict.fromkeys(text for text in printed if fold(text) == fold(word))
    meanings = (f"`{s.key}`{' **plain**' * (s.key in plain)} ({', '.join(s.sheets)})" for s in clashes()[word])
    return item(" / ".join(spellings)) + "".join(item(meaning, "  ") for meaning in meanings)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
