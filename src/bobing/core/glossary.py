"""The words of the game: what each combination, tier, act and custom is called, in which language and on which sheet.

The words are data, in `glossary.toml`, read once and only when asked for. What no source prints in the form given is
marked (`Entry.derived`), and a word that sheets use of different things is never resolved by guessing.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bobing.core.errors import BobingError

LANGUAGES = ("zh-Hans", "zh-Hant", "pinyin", "poj", "en")
_LONGEST = 80  # signs; the longest word has 28
_TITLE_ONLY = ("title",)


class GlossaryError(BobingError):
    """A question to the glossary that has no single answer."""

    code = "glossary/error"


class UnknownWord(GlossaryError):
    """No sheet uses the word."""

    code = "glossary/unknown_word"


class AmbiguousWord(GlossaryError):
    """Sheets use the word of different things. `senses` says which, and where."""

    code = "glossary/ambiguous_word"

    def __init__(self, message: str, senses: tuple[Sense, ...]) -> None:
        super().__init__(message)
        self.senses = senses


class UnknownEntry(GlossaryError):
    """There is no entry of that key."""

    code = "glossary/unknown_key"


class UnknownLanguage(GlossaryError):
    """Not one of LANGUAGES."""

    code = "glossary/unknown_language"


class UnknownSheet(GlossaryError):
    """Not the id of a printed sheet."""

    code = "glossary/unknown_sheet"


class NoSuchName(GlossaryError):
    """The entry has no name in that language: no source prints one, and none is made up."""

    code = "glossary/no_name"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a word is printed: the sheet's id and the source with its line, such as 003M and 003:115.

    `overruled`: the same sheet says otherwise further on, and is followed there.
    """

    sheet: str
    line: str
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word as printed, in Chinese ("zh") or English ("en"), with every place; `title`: an examination title."""

    text: str
    lang: str
    places: tuple[Place, ...]
    title: bool = False

    @property
    def sheets(self) -> tuple[str, ...]:
        """The ids of the sheets that use the word so."""
        return tuple(dict.fromkeys(place.sheet for place in self.places if not place.overruled))


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that has a name.

    `kinds`: one or two of combination, tier, title, group, game, cake, action, custom.
    `forms`: language to its names, the one to show first; Hokkien may have several, as printed.
    `derived`: the languages whose form no source prints.
    `plain`: words that mean this entry where no sheet is named.
    `members`: what a group takes in.
    """

    key: str
    kinds: tuple[str, ...]
    forms: Mapping[str, tuple[str, ...]] = field(hash=False)
    words: tuple[Word, ...]
    derived: frozenset[str] = frozenset()
    plain: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word: the key of an entry, and the sheets that use the word so (in the order of `sheets`)."""

    key: str
    sheets: tuple[str, ...]


def entries() -> tuple[Entry, ...]:
    """All entries: combinations, tiers, titles, the game and its cakes, actions, customs.

    >>> [entry.key for entry in entries() if "tier" in entry.kinds]
    ['zhuangyuan', 'duitang', 'sanhong', 'sijin', 'erju', 'yixiu']
    """
    return tuple(_entries().values())


def entry_of(key: str) -> Entry:
    """The entry of a key; raises UnknownEntry."""
    entry = _entries().get(key)
    if entry is None:
        raise UnknownEntry(f"the glossary has no entry {_shown(key)}{_nearest(key, _entries())}")
    return entry


def name(key: str, lang: str) -> str:
    """The name to show in one of LANGUAGES; raises UnknownEntry, UnknownLanguage or NoSuchName.

    >>> name("liubohong", "zh-Hant"), name("liubohong", "en")
    ('六杯紅', 'Six Fours')
    """
    forms = entry_of(key).forms.get(lang)
    if forms is None and lang not in LANGUAGES:
        raise UnknownLanguage(f"{_shown(lang)} is no language of the glossary; it has {', '.join(LANGUAGES)}")
    if forms is None:
        raise NoSuchName(f"no source prints a {lang} name for {key}; show its zh-Hans name instead")
    return forms[0]


def names(key: str) -> dict[str, str]:
    """The name to show in every language that has one; raises UnknownEntry.

    >>> names("sihong")
    {'zh-Hans': '四红', 'zh-Hant': '四紅', 'pinyin': 'sìhóng', 'poj': 'sì-hông', 'en': 'Four Fours'}
    """
    return {lang: forms[0] for lang, forms in entry_of(key).forms.items()}


def is_printed(key: str, lang: str) -> bool:
    """Whether a source prints the name in that very form; raises UnknownEntry.

    >>> is_printed("biandijin", "zh-Hans"), is_printed("biandijin", "zh-Hant")
    (True, False)
    """
    entry = entry_of(key)
    return lang in entry.forms and lang not in entry.derived


def words(key: str, sheet: str, lang: str = "zh") -> tuple[str, ...]:
    """A sheet's own words for an entry, names before titles; () where it has none. `lang` is "zh" or "en".

    Raises UnknownEntry or UnknownSheet.

    >>> words("liubohong", "002"), words("liubohong", "S2"), words("sanhong", "S12")
    (('六杯红',), ('满堂红',), ('三红', '探花'))
    """
    home, entry = sheet_id(sheet), entry_of(key)
    groups = (group for group in entries() if key in group.members)
    return tuple(
        word.text for holder in (entry, *groups) for word in holder.words if word.lang == lang and home in word.sheets
    )


def titles(key: str, sheet: str) -> tuple[str, ...]:
    """The examination titles that a sheet gives to a combination; raises UnknownEntry or UnknownSheet.

    >>> titles("duitang", "S14"), titles("duitang", "S2"), titles("erju", "S11")
    (('榜眼', '探花'), ('榜眼',), ('探花',))
    """
    home = sheet_id(sheet)
    return tuple(word.text for word in entry_of(key).words if word.title and home in word.sheets)


def senses(word: str) -> tuple[Sense, ...]:
    """Every meaning of a word, with the sheets that use it so; raises UnknownWord.

    Names in all languages are known, with or without tone marks, Simplified or Traditional, and the spellings of the
    six-alike names count as one.

    >>> senses("榜眼")[1]
    Sense(key='sanhong', sheets=('S11',))
    """
    found = _index().get(fold(word)) if len(word) <= _LONGEST else None
    if found is None:
        raise UnknownWord(f"no sheet has a word {_shown(word)}{_nearest_word(word)}")
    order = _sheets()
    return tuple(Sense(key, tuple(sheet for sheet in order.values() if sheet in at)) for key, at in found.items())


def find(word: str, sheet: str | None = None) -> tuple[str, ...]:
    """The keys of what a word means: on a sheet that prints it, all it means there; else its one meaning.

    Raises UnknownWord, UnknownSheet, or AmbiguousWord where sheets differ and none is named.

    >>> find("六勃紅"), find("探花", "S14"), find("探花", "S12"), find("六子", "000")
    (('liubohong',), ('duitang',), ('sanhong',), ('biandijin', 'liubohei'))
    """
    home = None if sheet is None else sheet_id(sheet)
    meanings = senses(word)
    here = tuple(sense.key for sense in meanings if home in sense.sheets)
    if here:
        return here
    # A title that a sheet gives to nothing is a meaning on that sheet alone.
    rival = [sense for sense in meanings if entry_of(sense.key).kinds != _TITLE_ONLY] or list(meanings)
    plain = [sense for sense in rival if fold(word) in map(fold, entry_of(sense.key).plain)]
    if len(chosen := plain or rival) == 1:
        return (chosen[0].key,)
    listed = "; ".join(f"{name(s.key, 'zh-Hans')} ({s.key}) in {', '.join(s.sheets)}" for s in meanings if s.sheets)
    raise AmbiguousWord(f"{_shown(word)} has several meanings, name a sheet that prints it: {listed}", meanings)


def clashes() -> Mapping[str, tuple[Sense, ...]]:
    """The Chinese words of the sheets that have more than one meaning, each with its meanings.

    Spellings and scripts that count as one are listed once, under the first that the glossary has.

    >>> [sense.key for sense in clashes()["四点红"]]
    ['sihong', 'red_four']
    """
    printed: dict[str, str] = {}
    for entry in entries():
        for word in entry.words:
            if word.lang == "zh":
                printed.setdefault(fold(word.text), word.text)
    return {text: found for text in printed.values() if len(found := senses(text)) > 1}


def sheet_id(sheet: str) -> str:
    """The id of a printed sheet in any letter case; a small sheet such as 003T-f has the words of its parent.

    >>> sheet_id("s7A"), sheet_id("003t-f"), sheet_id("000-1")
    ('S7a', '003T', '000')
    """
    wanted = sheet.strip().casefold()
    found = _sheets().get(wanted) or _sheets().get(wanted.partition("-")[0])
    if found is None:
        raise UnknownSheet(f"there is no printed sheet {_shown(sheet)}{_nearest(wanted, _sheets())}")
    return found


def fold(word: str) -> str:
    """What is compared when words are looked up: no case, tones, spaces or brackets, one script, one spelling.

    >>> fold("六抔pou红") == fold("六 博 紅") == fold("六g红")
    True
    """
    plain = unicodedata.normalize("NFKD", word).casefold()
    pattern, simplified = _spelling()
    return pattern.sub("六勃", "".join(sign for sign in plain if sign.isalnum()).translate(simplified))


# ---- reading the data --------------------------------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8"))


@cache
def _entries() -> Mapping[str, Entry]:
    return MappingProxyType({key: _read_entry(key, table) for key, table in _data()["entry"].items()})


@cache
def _sheets() -> Mapping[str, str]:
    """Folded sheet ids to printed ones."""
    return MappingProxyType({sheet.casefold(): sheet for sheet in _data()["sheets"]})


@cache
def _spelling() -> tuple[re.Pattern[str], Mapping[int, int]]:
    table = _data()["spelling"]
    # S8 prints the reading into the name: 六抔pou红.
    pattern = re.compile(f"六[{table['six']}](?:pou)?")
    return pattern, MappingProxyType(str.maketrans(table["traditional"], table["simplified"]))


def _read_entry(key: str, table: Mapping[str, Any]) -> Entry:
    written = [(lang, table[lang]) for lang in LANGUAGES if lang in table]
    return Entry(
        key=key,
        kinds=tuple(table["kinds"]),
        forms=MappingProxyType({lang: (form,) if isinstance(form, str) else tuple(form) for lang, form in written}),
        words=(
            *_read_words(table.get("words", {}), "zh"),
            *_read_words(table.get("titles", {}), "zh", title=True),
            *_read_words(table.get("words-en", {}), "en"),
        ),
        derived=frozenset(table.get("derived", ())),
        plain=tuple(table.get("plain", ())),
        members=tuple(table.get("members", ())),
        note=table.get("note", ""),
    )


def _read_words(table: Mapping[str, list[str]], lang: str, *, title: bool = False) -> Iterable[Word]:
    for text, places in table.items():
        yield Word(text, lang, tuple(map(_read_place, places)), title)


def _read_place(text: str) -> Place:
    where, overruled, _ = text.partition(" overruled")
    sheet, _, line = where.rpartition(" ")
    return Place(sheet or line.partition(":")[0], line, bool(overruled))


@cache
def _index() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Folded words to the keys they stand for, with the sheets that use them so."""
    index: dict[str, dict[str, set[str]]] = {}
    for entry in entries():
        for word in entry.words:
            index.setdefault(fold(word.text), {}).setdefault(entry.key, set()).update(word.sheets)
        if entry.kinds != _TITLE_ONLY:
            for form in _all_forms(entry):
                index.setdefault(fold(form), {}).setdefault(entry.key, set())
    for entry in entries():
        if entry.kinds == _TITLE_ONLY:  # its names mean what the sheets give the title to
            given = index.get(fold(entry.forms["zh-Hans"][0]), {entry.key: set[str]()})
            for form in _all_forms(entry):
                index.setdefault(fold(form), {}).update(given)
    return {text: {key: frozenset(at) for key, at in found.items()} for text, found in index.items()}


def _all_forms(entry: Entry) -> Iterable[str]:
    yield entry.key
    for forms in entry.forms.values():
        yield from forms


# ---- saying what was not found -----------------------------------------------------------------------------------


def _nearest_word(word: str) -> str:
    if len(word) > _LONGEST:
        return ""
    texts = [text for e in entries() for text in (*_all_forms(e), *(w.text for w in e.words))]
    shown = {fold(text): text for text in reversed(texts)}
    return _nearest(fold(word), shown, shown)


def _nearest(word: str, known: Iterable[str], shown: Mapping[str, str] | None = None) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word[:_LONGEST], list(known), n=1, cutoff=0.5)
    return f"; did you mean {(shown or {}).get(close[0], close[0])!r}?" if close else ""


def _shown(word: str) -> str:
    return repr(word if len(word) <= _LONGEST else f"{word[:20]}…")
