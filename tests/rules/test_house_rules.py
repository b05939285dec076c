"""House rule files: what is refused and how it is said, and that nothing else ever comes out."""

from __future__ import annotations

import datetime as dt
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bobing.core.acts import Throw
from bobing.core.catalogue import FILE_MAX, complete_table, find_sheet, load_rules, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused, RulesError
from bobing.core.game import Game
from bobing.core.reading import choices_of, hints_of
from bobing.core.rules import TOP_KEYS, RuleSet, rules_from_table
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, SECTIONS

USUAL = '"zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"'


def refused(text: str) -> RulesError:
    with pytest.raises(RulesError) as caught:
        read_rules(text if "extends" in text else f'extends = "minnan"\n{text}')
    return caught.value


def test_a_file_says_which_sheet_it_changes():
    for text in ("", 'key = "mine"\n', "[cakes]\nyixiu = 40\n"):
        with pytest.raises(RulesError) as caught:
            read_rules(text)
        assert (caught.value.code, caught.value.path) == ("rules/missing_key", "extends")


# ---- where it is wrong, what was found, what is allowed, and the nearest known name

BAD = {
    "a section that is not known": ("[chse]\n", "rules/unknown_key", "chse", ["did you mean 'chase'?"]),
    "a key that is not known": ("[chase]\nteirs = []\n", "rules/unknown_key", "chase.teirs", ["did you mean 'tiers'?"]),
    "a key far from any": ("[spill]\nxyz = 1\n", "rules/unknown_key", "spill.xyz", ["known here: award, next_turn"]),
    "a word that is not known": (
        '[liubohong]\ntakes = "tabel"\n',
        "rules/unknown_value",
        "liubohong.takes",
        ["found 'tabel'", "allowed: 'rank', 'table', 'all', 'friendly'", "did you mean 'table'?"],
    ),
    "a number for a word": (
        "[title]\nequal = 3\n",
        "rules/unknown_value",
        "title.equal",
        ["found 3", "'first', 'last'"],
    ),
    "a word for yes or no": (
        '[bonus]\nsijin_yixiu = "yes"\n',
        "rules/unknown_value",
        "bonus.sijin_yixiu",
        ["found 'yes'", "allowed: true, false"],
    ),
    "a number for yes or no": (
        "[customs]\nhat = 1\n",
        "rules/unknown_value",
        "customs.hat",
        ["found 1", "true, false"],
    ),
    "a number out of range": (
        "[setup]\nseats_min = 1\n",
        "rules/out_of_range",
        "setup.seats_min",
        ["whole number from 2 to 500", "found 1"],
    ),
    "a slip of the pen": ("[cakes]\nyixui = 60\n", "rules/tier_not_ranked", "cakes.yixui", ["did you mean 'yixiu'?"]),
    "a number in quotes": ('[cakes]\nerju = "40"\n', "rules/wrong_type", "cakes.erju", ["without quotes"]),
    "yes": ("[bonus]\nsijin_yixiu = yes\n", "rules/no_toml", "", ["sijin_yixiu = yes", "write true or false"]),
    "Chinese quotes": ("[title]\nequal = “last”\n", "rules/no_toml", "", ["write straight quotes"]),
    "a Chinese key": ("[cakes]\n一秀 = 60\n", "rules/no_toml", "", ["keys are plain letters, such as yixiu"]),
    "a word without quotes": ("[title]\nequal = last\n", "rules/no_toml", "", ["put the word in quotes"]),
    "a fraction": ("[cakes]\nyixiu = 1.5\n", "rules/wrong_type", "cakes.yixiu", ["whole number", "found 1.5"]),
    "less than none": ("[cakes]\nyixiu = -1\n", "rules/out_of_range", "cakes.yixiu", ["from 0", "found -1"]),
    "true for a number": ("[cakes]\nyixiu = true\n", "rules/wrong_type", "cakes.yixiu", ["found True"]),
    "an entry of a list": (
        '[chase]\ntiers = ["duitan"]\n',
        "rules/unknown_value",
        "chase.tiers[0]",
        ["found 'duitan'", "'duitang'", "did you mean 'duitang'?"],
    ),
    "a face that is none": (
        "[hands]\nsijin_faces = [1, 4]\n",
        "rules/unknown_value",
        "hands.sijin_faces[1]",
        ["found 4", "allowed: 1, 2, 3, 5, 6"],
    ),
    "a word for a list": ('[chase]\ntiers = "duitang"\n', "rules/wrong_type", "chase.tiers", ["a list", "'duitang'"]),
    "a word for a table": ('chase = "all"\n', "rules/wrong_type", "chase", ["expected a table", "found 'all'"]),
    "a form twice": (
        '[ranks]\norder = ["sihong", ["wuhong", "sihong"]]\n',
        "rules/repeated",
        "ranks.order",
        ["'sihong' stands there twice"],
    ),
    "a form in a group": (
        '[ranks]\norder = ["sihong", ["wuhonk"]]\n',
        "rules/unknown_value",
        "ranks.order[1][0]",
        ["did you mean 'wuhong'?"],
    ),
    "a sheet that is not known": (
        'extends = "minan"\n',
        "rules/unknown_sheet",
        "",
        ["there is no sheet 'minan'", "did you mean 'minnan'?"],
    ),
    "a text that is no sheet": ('extends = "S4"\n', "rules/not_a_sheet", "", ["no rules of play survive"]),
    "a number for a sheet": ("extends = 2\n", "rules/wrong_type", "extends", ["found 2"]),
    "a language that is not known": ('[names]\nfr = "x"\n', "rules/unknown_key", "names.fr", ["zh-Hans, zh-Hant, en"]),
    "no name": ('key = ""\n', "rules/wrong_type", "key", ["not empty"]),
    "a sign that upsets terminals": ('key = "a\\u001b[31m"\n', "rules/wrong_type", "key", [r"'a\x1b[31m'"]),
    "a sign that turns the direction": ('key = "a\\u202eb"\n', "rules/wrong_type", "key", [r"'a\u202eb'"]),
    "an origin of nothing": ('[origins]\nZ13 = "mine"\n', "rules/unknown_key", "origins.Z13", ["did you mean 'Z3'?"]),
    "a throw that is none": (
        '[wins]\nsanhong = ["44x"]\n',
        "rules/unknown_value",
        "wins.sanhong",
        ["found '44x'", "'1122xx'"],
    ),
    "a zhuangyuan throw for a lower tier": (
        '[wins]\nsanhong = ["sihong"]\n',
        "rules/unknown_value",
        "wins.sanhong",
        ["ranks.order"],
    ),
    "throws for the zhuangyuan": (
        '[wins]\nzhuangyuan = ["1122xx"]\n',
        "rules/unknown_key",
        "wins.zhuangyuan",
        ["ranks"],
    ),
    "a tier that was not made": ('[wins]\npairs = ["1122xx"]\n', "rules/unknown_key", "wins.pairs", ["known here"]),
    "a tier without a place": ("[cakes]\npairs = 3\n", "rules/tier_not_ranked", "cakes.pairs", ["ranking.tiers"]),
    "a tier without cakes": (
        f"[ranking]\ntiers = [{USUAL}, 'pairs']\n",
        "rules/unknown_value",
        "ranking.tiers",
        ["'pairs'", "[cakes]"],
    ),
    "a tier twice": (f'[ranking]\ntiers = [{USUAL}, "yixiu"]\n', "rules/repeated", "ranking.tiers", ["twice"]),
    "a lower tier on top": (
        '[ranking]\ntiers = ["duitang", "zhuangyuan", "sanhong", "sijin", "erju", "yixiu"]\n',
        "rules/no_zhuangyuan",
        "ranking.tiers",
        ["the first tier is zhuangyuan"],
    ),
    "no zhuangyuan cake": ("[cakes]\nzhuangyuan = 0\n", "rules/no_zhuangyuan", "ranking.tiers", ["at least one cake"]),
    "a tier with an odd name": ('[cakes]\n"p!" = 3\n', "rules/bad_tier_key", "cakes.p!", ["letters, digits"]),
    "a tier named like a throw": ("[cakes]\nliubohei = 3\n", "rules/bad_tier_key", "cakes.liubohei", ["otherwise"]),
    "a tier named effect": ("[cakes]\neffect = 3\n", "rules/bad_tier_key", "cakes.effect", ["something else"]),
    "too many tiers": (
        "[cakes]\n" + "".join(f"t{i} = 1\n" for i in range(20)),
        "rules/out_of_range",
        "cakes",
        ["at most 20 tiers"],
    ),
    "lines that do not add up": (
        "total = 64\n",
        "rules/total_mismatch",
        "total",
        ["add up to 63 (1 + 2 + 4 + 8 + 16 + 32), not 64"],
    ),
    "items that do not add up": (
        '[[prizes.sijin]]\nname = "soap"\ncount = 5\n',
        "rules/items_do_not_add_up",
        "prizes.sijin",
        ["the items are 5, but the tier has 8 cakes"],
    ),
    "items of a tier without cakes": (
        (
            '[cakes]\nsijin = 0\n[ranking]\ntiers = ["zhuangyuan", "duitang", "sanhong", "erju", "yixiu"]\n'
            '[[prizes.sijin]]\nname = "soap"\ncount = 5\n'
        ),
        "rules/items_do_not_add_up",
        "prizes.sijin",
        ["0 cakes"],
    ),
    "an item without a name": (
        '[[prizes.sijin]]\nname = " "\n',
        "rules/wrong_type",
        "prizes.sijin[0].name",
        ["not empty"],
    ),
    "two items of one name": (
        '[[prizes.sijin]]\nname = "a"\ncount = 4\n[[prizes.sijin]]\nname = "a"\ncount = 4\n',
        "rules/repeated",
        "prizes.sijin",
        ["same name"],
    ),
    "an item with a word for its number": (
        '[[prizes.sijin]]\nname = "a"\ncount = "all"\n',
        "rules/wrong_type",
        "prizes.sijin[0].count",
        ["found 'all'"],
    ),
    "an item with a key too many": (
        '[[prizes.sijin]]\nname = "a"\ncuont = 8\n',
        "rules/unknown_key",
        "prizes.sijin[0].cuont",
        ["did you mean 'count'?"],
    ),
    "no TOML": ("this is not\n", "rules/no_toml", "", ["no TOML", "line 2"]),
    "a chase of the zhuangyuan": (
        '[chase]\ntiers = ["zhuangyuan"]\n',
        "rules/unknown_value",
        "chase.tiers[0]",
        ["found 'zhuangyuan'", "allowed: 'duitang', 'sanhong', 'sijin', 'erju', 'yixiu'"],
    ),
    "the name of a printed sheet": ('key = "S12"\n', "rules/taken_key", "key", ["choose another"]),
    "an alias": ('aliases = ["mine"]\n', "rules/unknown_key", "aliases", ["leave this out"]),
    "a pattern twice": (
        '[wins]\nduitang = ["duitang", "112233", "112233"]\n',
        "rules/repeated",
        "wins.duitang",
        ["stands there twice"],
    ),
    "a number without end": (
        "[setup]\nseats_min = 0x" + "f" * 5000 + "\n",
        "rules/out_of_range",
        "setup.seats_min",
        [],
    ),
    "a key without end": (".".join("a" * 5000) + " = 1\n", "rules/no_toml", "", ["at most"]),
    "a key at the limit": ("key." + ".".join("a" * 150) + " = 1\n", "rules/wrong_type", "key", ["found {"]),
    "arrays without end": ("key = " + "[" * 5000 + "]" * 5000 + "\n", "rules/no_toml", "", []),
    "a key of strange signs": ('"a\\u001b\\nb" = 1\n', "rules/unknown_key", r"'a\x1b\nb'", []),
    "a very long key": ("a" * 9000 + " = 1\n", "rules/unknown_key", "'" + "a" * 58 + "…", []),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_with_the_place_and_the_reason(case: str):
    text, code, path, words = BAD[case]
    error = refused(text)
    assert (error.code, error.path) == (code, path)
    for word in words:
        assert word in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 1000
    assert str(error).startswith(path)


def test_files_are_refused_with_a_reason(tmp_path: Path):
    missing = tmp_path / "nothing.toml"
    latin = tmp_path / "latin.toml"
    latin.write_bytes('key = "é"'.encode("latin-1"))
    large = tmp_path / "large.toml"
    large.write_text("#" * (FILE_MAX + 1))
    for path, code in (
        (missing, "rules/no_file"),
        (tmp_path / "there" / "house.toml", "rules/no_file"),
        (latin, "rules/no_toml"),
        (large, "rules/too_large"),
    ):
        with pytest.raises(RulesError) as caught:
            load_rules(str(path))
        assert caught.value.code == code
    assert refused("#" * (FILE_MAX + 1)).code == "rules/too_large"


def test_a_file_is_read_with_or_without_a_mark_and_line_ends_of_any_kind(tmp_path: Path):
    path = tmp_path / "house.toml"
    path.write_bytes('\ufeffkey = "mine"\r\nextends = "S12"\r\n[cakes]\r\nyixiu = 40\r\n'.encode())
    rules = load_rules(str(path))
    assert (rules.key, rules.extends, rules.cakes["yixiu"]) == ("mine", "S12", 40)


# ---- what cannot be played

IMPOSSIBLE = {
    "a chase of a tier that is handed out by sum": (
        'extends = "S15"\n[chase]\ntiers = ["sanhong"]\n',
        "chase.tiers",
        "nobody holds it before",
    ),
    "a tie that is never thrown off": (
        '[title]\nequal = "red-pips"\ncontest = "first"\n',
        "title.equal",
        "no tie is ever thrown off",
    ),
    "an effect of no face": ('extends = "S12"\n[liubohei]\nfaces = []\n', "liubohei.faces", "name the faces"),
    "a last lap of counted throws": (
        '[ending]\nwhen = "throws"\nthrows_each = 6\nfinish = "extra-lap"\n',
        "ending.finish",
        "must be 'at-once'",
    ),
    "a tier that a higher reading takes": (
        '[wins]\nerju = ["yixiu"]\n',
        "wins.yixiu",
        "no throw wins this tier",
    ),
    "a tier without a throw": ("[wins]\nyixiu = []\n", "wins.yixiu", "no throw wins this tier"),
    "no face for 四进": ("[hands]\nsijin_faces = []\n", "wins.sijin", "no throw wins this tier"),
    "a pattern that is always a zhuangyuan": (
        f'[cakes]\nmine = 1\n[ranking]\ntiers = [{USUAL}, "mine"]\n[wins]\nmine = ["4444xx"]\n',
        "wins.mine",
        "no throw wins this tier",
    ),
    "no zhuangyuan throw": ("[ranks]\norder = []\n", "ranks.order", "no throw is a zhuangyuan"),
    "ranked and not": ('[ranks]\nunranked = ["sihong"]\n', "ranks.unranked", "either ranks or it does not"),
    "fewer usual seats than the least": (
        "[setup]\nseats_min = 6\nseats_usual = 5\n",
        "setup.seats_usual",
        "below seats_min, which is 6",
    ),
    "a bonus of a tier that is not there": (
        (
            '[cakes]\nyixiu = 0\n[bonus]\nsijin_yixiu = true\n[ranking]\ntiers = ["zhuangyuan", "duitang", "sanhong", '
            '"sijin", "erju"]\n'
        ),
        "bonus.sijin_yixiu",
        "no tier 'yixiu'",
    ),
    "a sum of a tier that is not there": (
        (
            'extends = "S16"\n[cakes]\nsanhong = 0\n[sanhong]\naward = "ranked"\n[ranking]\ntiers = ["zhuangyuan", '
            '"duitang", "sijin", "erju", "yixiu"]\n'
        ),
        "sanhong.award",
        "no tier 'sanhong'",
    ),
    "an effect of a throw that is not known": (
        'extends = "000"\n[chajinhua]\nduitang = "all"\n',
        "chajinhua.duitang",
        "does not know chajinhua: add it to ranks.order or ranks.unranked",
    ),
    "a sweep of a throw that is not known": (
        '[ranks]\norder = ["sihong"]\n[liubohong]\ntakes = "all"\n',
        "liubohong.takes",
        "does not know liubohong",
    ),
    "an ending throw that is not known": (
        '[ranks]\norder = ["sihong"]\n[liubohong]\nends = true\n',
        "liubohong.ends",
        "does not know liubohong",
    ),
    "lights out of a throw that is not known": (
        '[ranks]\norder = ["sihong"]\n[liubohei]\neffect = "pool"\n',
        "liubohei.effect",
        "does not know liubohei",
    ),
    "six 1s that are not known": (
        'extends = "S12"\n[biandijin]\ntakes = "table"\n',
        "biandijin.takes",
        "does not know biandijin",
    ),
    "a split by a throw that is not known": (
        'extends = "S12"\n[pingfen]\nby = ["biandijin"]\n',
        "pingfen.by",
        "does not know biandijin",
    ),
    "duitang that are not there": (
        'extends = "S11"\n[ranks]\norder = ["chajinhua", "sihong"]\n[chajinhua]\nduitang = "all"\n',
        "chajinhua.duitang",
        "no tier 'duitang'",
    ),
    "a friendly sweep without a rank": (
        'extends = "003T-f"\n[ranks]\norder = ["sihong"]\nunranked = ["liubohong", "liubohei", "chajinhua"]\n',
        "liubohong.takes",
        "must stand in ranks.order",
    ),
    "an ending that never comes": ('[ending]\nwhen = "throws"\n', "ending.throws_each", "how many throws"),
    "a number of throws that ends nothing": ("[ending]\nthrows_each = 6\n", "ending.when", "this must be 'throws'"),
    "a settlement that never comes": (
        '[ending]\nundecided = "three-dice"\n',
        "ending.undecided",
        "set ending.minutes",
    ),
    "a cake that is handed over and grabbed": (
        'extends = "S5"\n[title]\nhandover = "at-once"\n[liubohei]\ngrab_zhuangyuan = "always"\n',
        "liubohei.grab_zhuangyuan",
        "handed over at once",
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_cannot_be_played_is_refused_with_the_reason(case: str):
    text, path, reason = IMPOSSIBLE[case]
    error = refused(text)
    assert (error.code, error.path) == ("rules/impossible", path)
    assert reason in str(error)


def test_a_chase_on_a_tier_that_does_not_exist_is_refused():
    """000 chases 对堂; a house that gives no 对堂 has to say what it chases instead."""
    text = (
        'extends = "000"\n[cakes]\nduitang = 0\n[ranking]\n'
        'tiers = ["zhuangyuan", "sijin", "sanhong", "erju", "yixiu"]\n'
    )
    error = refused(text)
    assert (error.code, error.path) == ("rules/unknown_value", "chase.tiers[0]")
    assert "'sanhong'" in str(error)
    assert "duitang" not in read_rules(text + '[chase]\ntiers = ["sanhong"]\n').cakes


def test_extending_keeps_the_rest_and_marks_what_was_changed():
    rules = read_rules('key = "mine"\nextends = "S12"\n[liubohei]\neffect = "grab"\n[cakes]\nyixiu = 40\n')
    parent = find_sheet("S12")
    changed = {"liubohei", "cakes"}
    assert {name for name, table in rules.settings().items() if table != parent.settings()[name]} == changed
    assert (rules.key, rules.extends, rules.source, rules.aliases) == ("mine", "S12", "house", ())
    assert rules.origins["E5"] == "house"
    assert rules.origins["K1"] == "house"
    assert rules.origins["Z1"] == parent.origins["Z1"]


@pytest.mark.parametrize("key", sheet_keys())
def test_a_sheet_can_be_extended_by_nothing_and_read_back(key: str):
    same = read_rules(f'key = "same"\nextends = "{key}"\n')
    assert same.digest == find_sheet(key).digest
    assert rules_from_table(same.to_table()) == same


def test_forms_that_share_a_rank_are_equal_whatever_they_show():
    """Faces and kickers compare only within a form that stands alone."""
    shared = '["liubohong", ["biandijin", "liubohei"], ["wuhong", "wuzi"], ["chajinhua", "sihong"]]'
    rules = read_rules(f'extends = "S13"\n[ranks]\norder = {shared}\n')
    strengths = {row.strength for row in scorebook(rules).rows.values() if row.strength is not None}
    assert len(strengths) == 4
    alone = read_rules('extends = "S13"\n[ranks]\norder = ["liubohei", ["wuhong", "wuzi"], "sihong"]\n')
    assert scorebook(alone).census().strengths == 5 + 1 + 11


# ---- nothing but RulesError comes out

TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "mine"]
WORDS = sorted(
    {*TOP_KEYS, *FORMS, *TIERS, "name", "count", "price", "tiers", "1122xx", "zh-Hans", "S15", "none"}
    | {key for kind in SECTIONS.values() for key in hints_of(kind)}
    | {str(choice) for kind in SECTIONS.values() for hint in hints_of(kind).values() for choice in choices_of(hint)}
)
words = st.sampled_from(WORDS)
scalars = (
    words
    | st.integers()
    | st.booleans()
    | st.floats()
    | st.text(max_size=8)
    | st.just(dt.date(2026, 9, 25))
    | st.integers(0, 7)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(words | st.text(max_size=4), inner, max_size=5),
    max_leaves=12,
)


def made(table: dict[str, Any]) -> RuleSet | None:
    """The rule set, or None where it was refused; anything else but a RulesError comes through."""
    try:
        rules = rules_from_table(complete_table(table))
    except RulesError:
        return None
    assert len(rules.digest) == 64
    assert rules_from_table(rules.to_table()) == rules
    return rules


@given(st.dictionaries(words | st.text(max_size=6), values, max_size=6))
def test_any_table_is_read_or_refused(table: dict[str, Any]):
    made(table)


@given(st.sampled_from(sorted(find_sheet("S12").to_table())), words, values, st.booleans())
def test_any_value_in_any_place_is_read_or_refused(section: str, key: str, value: object, whole: bool):
    made({section: value if whole else {key: value}})


@given(st.data())
def test_any_value_for_any_known_key_is_read_or_refused(data: st.DataObject):
    table = find_sheet(data.draw(st.sampled_from(sheet_keys()))).to_table()
    section = data.draw(st.sampled_from([name for name, value in table.items() if isinstance(value, dict) and value]))
    key = data.draw(st.sampled_from(sorted(table[section])))
    table[section][key] = data.draw(values)
    made({**table, "extends": "minnan"})


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str):
    with suppress(RulesError):
        read_rules(text)


FRAGMENTS = """
[cakes]
[chase]
[[prizes.sijin]]
[ranks]
[wins]
[title]
[names]
yixiu = 4
tiers = []
tiers = ["duitang"]
order = [["sihong"], "wuhong"]
equal = "last"
key = "x"
extends = "S9"
a.b = 1
name = "soap"
count = 8
yixiu = ["1xxxxx"]
equal
= 3
[
"
#
x = 1979-05-27
y = nan
"""
LINES = st.sampled_from(FRAGMENTS.splitlines())


@given(st.lists(LINES | st.text(max_size=10), max_size=10))
def test_any_lines_are_read_or_refused(lines: list[str]):
    with suppress(RulesError):
        read_rules("\n".join(lines))


# ---- what is accepted can be played

OPEN = [
    (section, key, choices_of(hint))
    for section, kind in SECTIONS.items()
    if section not in ("setup", "customs", "final")
    for key, hint in hints_of(kind).items()
    if choices_of(hint) and key not in ("order", "unranked")
]
SEVERAL = ("sijin_faces", "faces", "by")


@st.composite
def houses(draw: st.DrawFn) -> dict[str, Any]:
    """A house file that sets some keys to allowed values, whether or not they fit together."""
    table: dict[str, Any] = {"extends": draw(st.sampled_from(sheet_keys()))}
    for section, key, choices in draw(st.lists(st.sampled_from(OPEN), max_size=8, unique_by=lambda one: one[:2])):
        one = st.sampled_from(list(choices))
        table.setdefault(section, {})[key] = draw(st.lists(one, unique=True, max_size=4) if key in SEVERAL else one)
    if draw(st.booleans()):
        forms = draw(st.permutations(FORMS))
        cut = draw(st.integers(3, len(forms)))
        table["ranks"] = table.get("ranks", {}) | {"order": list(forms[:cut]), "unranked": list(forms[cut:])}
    if draw(st.booleans()):
        table["chase"] = table.get("chase", {}) | {"tiers": draw(st.lists(st.sampled_from(TIERS[1:5]), unique=True))}
    if draw(st.booleans()):
        table["cakes"] = {tier: draw(st.integers(1, 3)) for tier in TIERS[1:6]}
    if table.get("ending", {}).get("when") == "throws":
        table["ending"]["throws_each"] = draw(st.integers(1, 5))
    return table


RARE = ["444411", "444444", "222222", "666666", "111111", "123456", "444433", "333334", "444123", "222244", "441235"]


def played(rules: RuleSet, dice: random.Random) -> Game:
    """A game with many rare throws; every cake is somewhere, and everything that is shown can be asked for."""
    game = Game.new(rules, max(3, rules.setup.seats_min))
    total = sum(rules.cakes.values())
    for _ in range(150):
        seat = game.next_seat
        if seat is None:
            break
        if game.state.rolloff:
            faces = "".join(str(dice.randint(1, 6)) for _ in range(game.state.rolloff.dice))
            game = game.play(act_of({"seat": seat, "rolloff": faces}))
            continue
        roll = Roll.parse(
            dice.choice(RARE) if dice.random() < 0.3 else "".join(str(dice.randint(1, 6)) for _ in range(6))
        )
        needed = game.grab_for(roll)
        grab = (
            {tier: tuple(dice.randrange(3) for _ in range(n)) for tier, n in needed.items()}
            if needed is not None
            else None
        )
        waive = tuple(dice.sample(["zhuangyuan", "effect", "yixiu"], 1)) if dice.random() < 0.1 else ()
        throw = Throw(seat, roll, grab=grab, waive=waive)
        try:
            game = game.play(throw)
        except ActRefused:  # nothing to waive, or what is waived changes what is to be grabbed
            game = game.play(Throw(seat, roll, grab=grab))
        state = game.state
        assert sum(state.table.values()) + sum(state.pool.values()) + sum(map(len, state.held.values())) == total
        assert min(state.table.values()) >= 0
        assert (game.title is None) == (state.title is None)
        assert game.finished == (game.next_seat is None)
    return game


def act_of(value: dict[str, Any]):
    from bobing.core.act_json import act_from_json

    return act_from_json(value)


@pytest.mark.exhaustive
@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(houses(), st.randoms(use_true_random=False))
def test_any_house_that_is_accepted_can_be_played(table: dict[str, Any], dice: random.Random):
    rules = made(table)
    if rules is not None:
        played(rules, dice)
