"""The glossary: names in every language, each sheet's own words, and no guessing between meanings."""

from __future__ import annotations

import unicodedata

import pytest

from bobing.core.errors import BobingError
from bobing.core.glossary import (
    LANGUAGES,
    AmbiguousWord,
    Entry,
    GlossaryError,
    NoSuchName,
    UnknownEntry,
    UnknownLanguage,
    UnknownSheet,
    UnknownWord,
    clashes,
    entries,
    entry_of,
    find,
    fold,
    is_printed,
    name,
    names,
    senses,
    sheet_id,
    titles,
    words,
)
from glossary_page import PAGE, page

TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"]
SIXES = ["liubohong", "biandijin", "liubohei"]
COMBINATIONS = ["chajinhua", *SIXES, "wuhong", "wuzi", "sihong", *TIERS[1:], "none"]
ACTS = """
    追饼 追缴 追回 抢状元 带 兼得 禄骨 熄灯抢饼 关灯抢饼 大家吃 平分 骰子出碗 轮空 空一轮 罚停一轮 起博者 按最大论
    状元王中王 状元帽 状元买单 AA制
"""
SIX_SPELLINGS = "勃博卜朴杯抔殕g"


every_entry = pytest.mark.parametrize("entry", entries(), ids=[entry.key for entry in entries()])


# ---- what there is -----------------------------------------------------------------------------------------------


def test_every_combination_and_tier_has_an_entry():
    assert {e.key for e in entries() if "combination" in e.kinds} == set(COMBINATIONS)
    assert [e.key for e in entries() if "tier" in e.kinds] == TIERS


def test_the_acts_and_customs_of_the_sheets_have_an_entry():
    for word in ACTS.split():
        assert {entry_of(sense.key).kinds[0] for sense in senses(word)} <= {"action", "custom"}, word


@pytest.mark.parametrize(
    ("key", "hans", "hant", "english"),
    [
        ("chajinhua", "状元插金花", "狀元插金花", "Golden Flowers"),
        ("liubohong", "六杯红", "六杯紅", "Six Fours"),
        ("biandijin", "遍地锦", "遍地錦", "Six Ones"),
        ("liubohei", "黑六勃", "黑六勃", "Six of a Kind"),
        ("wuhong", "五红", "五紅", "Five Fours"),
        ("wuzi", "五子登科", "五子登科", "Five of a Kind"),
        ("sihong", "四红", "四紅", "Four Fours"),
        ("duitang", "对堂", "對堂", "Straight"),
        ("sanhong", "三红", "三紅", "Three Fours"),
        ("sijin", "四进", "四進", "Four of a Kind"),
        ("erju", "二举", "二舉", "Two Fours"),
        ("yixiu", "一秀", "一秀", "One Four"),
        ("none", "空", "空", "nothing"),
        ("zhuangyuan", "状元", "狀元", "Champion"),
        ("bobing", "博饼", "博餅", "Bo Bing"),
        ("huibing", "会饼", "會餅", "mooncake set"),
        ("chase", "追饼", "追餅", "chase"),
        ("champion_hat", "状元帽", "狀元帽", "champion hat"),
    ],
)
def test_names_to_show(key: str, hans: str, hant: str, english: str):
    assert (name(key, "zh-Hans"), name(key, "zh-Hant"), name(key, "en")) == (hans, hant, english)


@pytest.mark.parametrize("key", ["liubohong", "liubohei", "wuzi"])
def test_the_name_to_show_is_the_spelling_that_most_sheets_print(key: str):
    chinese = [word for word in entry_of(key).words if word.lang == "zh"]
    assert max(chinese, key=lambda word: len(word.sheets)).text == name(key, "zh-Hans")


def test_names_gives_every_language_that_has_one():
    assert names("duitang") == {
        "zh-Hans": "对堂",
        "zh-Hant": "對堂",
        "pinyin": "duìtáng",
        "poj": "tùi-tn̂g",
        "en": "Straight",
    }
    assert "poj" not in names("chajinhua")


# ---- shape of the data -------------------------------------------------------------------------------------------


@every_entry
def test_an_entry_is_well_formed(entry: Entry):
    assert {"zh-Hans", "zh-Hant", "en"} <= entry.forms.keys() <= set(LANGUAGES)
    assert set(entry.kinds) <= {"combination", "tier", "title", "group", "game", "cake", "action", "custom"}
    assert entry.kinds
    assert entry.derived <= entry.forms.keys()
    assert all(forms and all(forms) for forms in entry.forms.values())
    assert {entry_of(member).key for member in entry.members} == set(entry.members)
    assert all(fold(word) in map(fold, [w.text for w in entry.words]) for word in entry.plain)


@every_entry
def test_texts_are_normalised(entry: Entry):
    texts = [form for forms in entry.forms.values() for form in forms] + [word.text for word in entry.words]
    assert [text for text in texts if not unicodedata.is_normalized("NFC", text) or text != text.strip()] == []


@every_entry
def test_simplified_and_traditional_are_the_same_word(entry: Entry):
    assert fold(name(entry.key, "zh-Hans")) == fold(name(entry.key, "zh-Hant"))


@every_entry
def test_every_place_names_a_sheet_and_a_line_of_its_source(entry: Entry):
    for word in entry.words:
        assert word.places, word.text
        for place in word.places:
            source, _, line = place.line.partition(":")
            expected = place.sheet[:3] if place.sheet.startswith("0") else "004"
            assert (sheet_id(place.sheet), source) == (place.sheet, expected), place
            assert all(number.isdecimal() for number in line.split("-")), place


@every_entry
def test_no_place_is_given_twice_for_a_word(entry: Entry):
    for word in entry.words:
        assert len(word.places) == len({place.sheet for place in word.places}), word.text


def test_a_simplified_name_is_among_the_words_of_the_sheets_unless_it_is_marked():
    printed = {word.text for entry in entries() for word in entry.words}
    unmarked = {name(entry.key, "zh-Hans") for entry in entries() if is_printed(entry.key, "zh-Hans")}
    assert unmarked <= printed


# ---- what is not printed is marked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "lang"),
    [
        ("chajinhua", "zh-Hant"),
        ("chajinhua", "pinyin"),
        ("biandijin", "zh-Hant"),
        ("wuzi", "zh-Hant"),
        ("huibing", "zh-Hant"),
        ("lugu", "zh-Hant"),
        ("none", "en"),
        ("bazhongqiu", "zh-Hans"),
        ("bazhongqiu", "pinyin"),
    ],
)
def test_what_no_source_prints_is_not_called_printed(key: str, lang: str):
    assert not is_printed(key, lang)


@pytest.mark.parametrize(
    ("key", "lang"), [("sihong", "zh-Hant"), ("liubohei", "pinyin"), ("chajinhua", "en"), ("champion_hat", "pinyin")]
)
def test_what_a_source_prints_is_called_printed(key: str, lang: str):
    assert is_printed(key, lang)


def test_hokkien_is_never_derived():
    assert [entry.key for entry in entries() if "poj" in entry.derived] == []


def test_hokkien_stands_only_where_000_prints_it():
    having = {entry.key for entry in entries() if "poj" in entry.forms}
    assert having & set(COMBINATIONS) == set(COMBINATIONS) - {"chajinhua", "none"}
    assert not [e.key for e in entries() if e.kinds[0] in {"action", "custom", "group"} and e.key in having]


def test_both_tone_marks_of_the_games_name_are_kept():
    assert entry_of("bobing").forms["poj"] == ("poa̍h-piáⁿ", "po̍ah-piáⁿ")
    assert name("bobing", "poj") == "poa̍h-piáⁿ"


def test_every_printed_hokkien_form_is_kept_in_its_order():
    assert entry_of("juren").forms["poj"] == ("kú-lîn", "kú-jîn", "kí-jîn", "kí-lîn")
    assert entry_of("liubohei").forms["poj"] == entry_of("biandijin").forms["poj"] == ("la̍k-pok", "lio̍k-phú-o͘")


# ---- each sheet's own words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "sheet", "expected"),
    [
        ("liubohong", "000", ("六红", "红六博", "六殕紅")),
        ("liubohong", "002", ("六杯红",)),
        ("liubohong", "003T", ("六朴红",)),
        ("liubohong", "003M", ("六杯红", "六g红")),
        ("liubohong", "003P", ("六勃红",)),
        ("liubohong", "S1", ("六粒红",)),
        ("liubohong", "S2", ("满堂红",)),
        ("liubohong", "S3", ("六合同春",)),
        ("liubohong", "S8", ("六抔红",)),
        ("biandijin", "S13", ("幺点六勃",)),
        ("biandijin", "S5", ("遍地锦", "黑六勃")),
        ("biandijin", "003T", ("六朴黑",)),
        ("biandijin", "003N", ()),
        ("liubohei", "S7a", ("六抔黑",)),
        ("liubohei", "S1", ()),
        ("wuhong", "S9", ("五王",)),
        ("wuhong", "003P", ("五子登科",)),
        ("sihong", "S6", ("四点红",)),
        ("sihong", "S2", ("状元",)),
        ("duitang", "S12", ("对堂", "一条龙", "榜眼")),
        ("duitang", "S6", ("对堂", "榜眼")),
        ("sanhong", "000", ("三红", "会元")),
        ("sanhong", "S11", ("榜眼",)),
        ("erju", "S11", ("探花",)),
        ("yixiu", "S11", ("进士",)),
        ("sijin", "S4", ("四进(士)",)),
    ],
)
def test_words_of_a_sheet(key: str, sheet: str, expected: tuple[str, ...]):
    assert words(key, sheet) == expected


def test_english_words_of_a_sheet():
    assert words("liubohong", "002", "en") == ("Six Reds",)
    assert words("sijin", "000", "en") == ("Four of a Kind", "3rd Place", "4th Place")


def test_a_small_sheet_has_the_words_of_the_sheet_it_extends():
    assert words("liubohong", "003t-F") == words("liubohong", "003T")
    assert words("liubohong", "000-2") == words("liubohong", "000")


@pytest.mark.parametrize("sheet", ["S1", "S3", "S7a", "S8", "S10"])
def test_a_sheet_without_titles_has_none(sheet: str):
    assert [titles(key, sheet) for key in TIERS[1:]] == [()] * 5


@pytest.mark.parametrize("sheet", ["S2", "S5", "S6", "S9", "S12", "S13", "S15", "S16"])
def test_titles_with_tanhua_for_sanhong(sheet: str):
    assert [titles(key, sheet) for key in TIERS[1:]] == [("榜眼",), ("探花",), ("进士",), ("举人",), ("秀才",)]


@pytest.mark.parametrize("sheet", ["003G", "S14"])
def test_titles_with_tanhua_for_duitang(sheet: str):
    assert [titles(key, sheet) for key in TIERS[1:]] == [("榜眼", "探花"), (), ("进士",), ("举人",), ("秀才",)]


def test_titles_of_000_and_of_s11():
    assert [titles(key, "000") for key in TIERS[1:]] == [("榜眼", "探花"), ("会元",), ("进士",), ("举人",), ("秀才",)]
    assert [titles(key, "S11") for key in TIERS[1:]] == [(), ("榜眼",), (), ("探花",), ("进士",)]


def test_a_sheet_that_gives_its_titles_to_nothing_has_them_as_titles():
    assert titles("duitang", "002") == ()
    assert [find(word, "002") for word in ("榜眼", "探花", "进士", "举人", "秀才")] == [
        ("bangyan",),
        ("tanhua",),
        ("jinshi",),
        ("juren",),
        ("xiucai",),
    ]


# ---- finding what a word means -----------------------------------------------------------------------------------


@every_entry
def test_every_key_finds_its_own_entry(entry: Entry):
    if entry.kinds != ("title",):
        assert find(entry.key) == (entry.key,)


@pytest.mark.parametrize("key", [key for key in [*COMBINATIONS, *TIERS] if key != "liubohei"])
def test_the_name_to_show_finds_its_entry_in_every_script(key: str):
    for lang in ("zh-Hans", "zh-Hant", "pinyin", "en"):
        assert find(name(key, lang)) == (key,), lang


@pytest.mark.parametrize("spelling", SIX_SPELLINGS)
def test_spellings_of_the_six_alike_names_are_one(spelling: str):
    assert find(f"六{spelling}红") == find(f"六{spelling}紅") == find(f"红六{spelling}") == ("liubohong",)
    assert find(f"六{spelling}黑", "002") == find(f"黑六{spelling}", "S13") == ("liubohei",)
    assert find(f"六{spelling}黑", "003T") == find(f"黑六{spelling}", "S12") == ("biandijin", "liubohei")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("六抔pou红", "liubohong"),
        (" 六 杯 红 ", "liubohong"),
        ("“六抔红”", "liubohong"),
        ("六Ｇ红", "liubohong"),
        ("滿堂紅", "liubohong"),
        ("幺點六博", "biandijin"),
        ("一條龍", "duitang"),
        ("Duìtáng", "duitang"),
        ("dui tang", "duitang"),
        ("tui-tng", "duitang"),
        ("saⁿ-âng", "sanhong"),
        ("six   fours", "liubohong"),
        ("Lights-out", "lights_out"),
        ("熄燈搶餅", "lights_out"),
        ("poah-pian", "bobing"),
        ("会元", "sanhong"),
        ("huiyuan", "sanhong"),
        ("會餅", "huibing"),
        ("aa制", "split_costs"),
        ("举人", "erju"),
        ("秀才", "yixiu"),
        ("状元", "zhuangyuan"),
        ("五子登科", "wuzi"),
        ("六合同春", "liuhetongchun"),
    ],
)
def test_what_people_type_is_read_kindly(typed: str, key: str):
    assert find(typed) == (key,)


AMBIGUOUS = [
    "探花",
    "榜眼",
    "进士",
    "進士",
    "tanhua",
    "póng-gán",
    "六子",
    "六博",
    "六卜",
    "黑六勃",
    "黑六博",
    "六朴黑",
    "六杯黑",
]


@pytest.mark.parametrize("word", [*AMBIGUOUS, "带", "四点红", "3rd Place", "la̍k-pok"])
def test_an_ambiguous_word_is_never_guessed(word: str):
    with pytest.raises(AmbiguousWord) as refused:
        find(word)
    assert refused.value.code == "glossary/ambiguous_word"
    assert refused.value.senses == senses(word)
    assert len(refused.value.senses) > 1


def test_the_refusal_of_an_ambiguous_word_tells_what_to_do():
    with pytest.raises(
        AmbiguousWord, match=r"name a sheet that prints it: .*三红 \(sanhong\) in S2, S5, S6.*erju\) in S11"
    ):
        find("探花")


@pytest.mark.parametrize(
    ("word", "sheet", "expected"),
    [
        ("探花", "000", ("duitang",)),
        ("探花", "003T", ("duitang",)),
        ("探花", "S5", ("sanhong",)),
        ("探花", "S6", ("sanhong",)),
        ("探花", "S11", ("erju",)),
        ("榜眼", "S11", ("sanhong",)),
        ("榜眼", "S2", ("duitang",)),
        ("进士", "S11", ("yixiu",)),
        ("进士", "S9", ("sijin",)),
        ("六子", "000", ("biandijin", "liubohei")),
        ("黑六勃", "S5", ("biandijin", "liubohei")),
        ("黑六勃", "S13", ("liubohei",)),
        ("状元", "S2", ("sihong", "zhuangyuan")),
        ("状元", "S12", ("zhuangyuan",)),
        ("五子登科", "S14", ("wuhong", "wuzi")),
        ("五子登科", "002", ("wuzi",)),
        ("四点红", "S16", ("sihong",)),
        ("四点红", "S7a", ("red_four",)),
        ("带", "S12", ("kicker", "bonus")),
        ("3rd Place", "000", ("sanhong", "sijin")),
    ],
)
def test_with_the_sheet_the_word_means_what_the_sheet_means(word: str, sheet: str, expected: tuple[str, ...]):
    assert find(word, sheet) == expected


def test_on_a_sheet_that_does_not_print_the_word_it_has_its_one_meaning_or_none():
    assert find("满堂红", "002") == ("liubohong",)
    assert find("状元", "003G") == ("zhuangyuan",)
    with pytest.raises(AmbiguousWord):
        find("探花", "S3")


def test_the_clashes_are_those_that_were_decided_on():
    assert {text: tuple(sense.key for sense in found) for text, found in clashes().items()} == {
        "探花": ("duitang", "sanhong", "erju", "tanhua"),
        "榜眼": ("duitang", "sanhong", "bangyan"),
        "进士": ("sijin", "yixiu", "jinshi"),
        "举人": ("erju", "juren"),
        "秀才": ("yixiu", "xiucai"),
        "状元": ("sihong", "zhuangyuan"),
        "五子登科": ("wuhong", "wuzi"),
        "四点红": ("sihong", "red_four"),
        "带": ("kicker", "bonus"),
        "六子": ("biandijin", "liubohei"),
        "六博": ("biandijin", "liubohei"),
        "六殕烏": ("biandijin", "liubohei"),
        "黑六勃": ("biandijin", "liubohei"),
        "六朴黑": ("biandijin", "liubohei"),
    }


def test_the_meanings_of_tanhua_by_sheet():
    by_key = {sense.key: sense.sheets for sense in senses("探花")}
    assert by_key == {
        "duitang": ("000", "003T", "003G", "S14"),
        "sanhong": ("S2", "S5", "S6", "S9", "S12", "S13", "S15", "S16"),
        "erju": ("S11",),
        "tanhua": ("002",),
    }


def test_black_six_takes_in_six_ones_on_the_sheets_that_say_so():
    taking_in = {
        sheet for word in ("黑六勃", "六勃黑") for s in senses(word) if s.key == "biandijin" for sheet in s.sheets
    }
    assert taking_in == {"003T", "S5", "S12"}


# ---- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["", "!!!", "\u0301", "\ud800", "麻将", "444411", "x" * 81, "红" * 10_000_000])
def test_an_unknown_word_is_refused(word: str):
    with pytest.raises(UnknownWord) as refused:
        find(word)
    assert refused.value.code == "glossary/unknown_word"
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("word", "near"),
    [("五子登克", "五子登科"), ("状元插金化", "状元插金花"), ("Six Fuors", "Six Fours"), ("liubohog", "liubohong")],
)
def test_an_unknown_word_is_answered_with_the_nearest(word: str, near: str):
    with pytest.raises(UnknownWord, match=f"did you mean '{near}'"):
        find(word)


def test_an_unknown_key_is_refused_with_the_nearest():
    for ask in (lambda: name("dutang", "en"), lambda: names("dutang"), lambda: words("dutang", "002")):
        with pytest.raises(UnknownEntry, match="did you mean 'duitang'") as refused:
            ask()
        assert refused.value.code == "glossary/unknown_key"


def test_an_unknown_language_is_refused():
    with pytest.raises(UnknownLanguage, match="zh-Hans, zh-Hant") as refused:
        name("duitang", "fr")
    assert refused.value.code == "glossary/unknown_language"


def test_a_name_that_does_not_exist_is_refused():
    with pytest.raises(NoSuchName, match="no source prints a poj name") as refused:
        name("chajinhua", "poj")
    assert refused.value.code == "glossary/no_name"


@pytest.mark.parametrize("sheet", ["", "S17", "002x", "-", "x" * 1000])
def test_an_unknown_sheet_is_refused(sheet: str):
    for ask in (lambda: find("对堂", sheet), lambda: words("duitang", sheet), lambda: titles("duitang", sheet)):
        with pytest.raises(UnknownSheet) as refused:
            ask()
        assert refused.value.code == "glossary/unknown_sheet"


def test_the_codes_are_different_and_in_the_glossarys_area():
    kinds = [GlossaryError, *GlossaryError.__subclasses__()]
    assert len({kind.code for kind in kinds}) == len(kinds) == 7
    assert all(issubclass(kind, BobingError) and kind.code.startswith("glossary/") for kind in kinds)


# ---- values ------------------------------------------------------------------------------------------------------


def test_the_data_is_read_once_and_cannot_be_changed():
    assert entry_of("duitang") is entry_of("duitang")
    assert len({hash(entry) for entry in entries()}) == len(entries())
    with pytest.raises(TypeError):
        entry_of("duitang").forms["en"] = ("x",)  # type: ignore[index]
    names("duitang")["en"] = "x"
    assert name("duitang", "en") == "Straight"


def test_the_page_is_fresh():
    assert PAGE.read_text(encoding="utf-8") == page(), "run .venv/bin/python tests/glossary_page.py"
