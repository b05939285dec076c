"""The texts: all three languages, the same slots, the right characters, and every code of a refusal."""

import re
from pathlib import Path

import pytest

import bobing
from bobing.core.catalogue import read_rules
from bobing.core.errors import RulesError
from bobing.i18n import LANGUAGES, language, text, texts
from bobing.server.refusal import words_of

PACKAGE = Path(bobing.__file__).parent
AREAS = sorted(path.stem for path in (PACKAGE / "i18n").glob("*.toml"))
SLOT = re.compile(r"\{(\w+)(?:\|[^|{}]*\|[^|{}]*)?\}")
KEYS = [(area, key) for area in AREAS for key in texts(area)]
# Characters of one script only that these texts could meet; pairs that one script shares with the other are left out.
SIMPLIFIED = (
    "饼状对红进举会锦点满条龙顺试乌缴抢带几轮罚灯关买单禄论个们这还没说开时间为从给让谁马后动发应该当样经过"
    "门问题选择规则颗两块级别总错误误写读请换离转归顶与电脑显断续终结戏输赢胜负数码线检验记录损坏邻连东无"
)
TRADITIONAL = (
    "餅狀對紅進舉會錦點滿條龍順試烏繳搶帶幾輪罰燈關買單祿論個們這還沒說開時間為從給讓誰馬後動發應該當樣經過"
    "門問題選擇規則顆兩塊級別總錯誤誤寫讀請換離轉歸頂與電腦顯斷續終結戲輸贏勝負數碼線檢驗記錄損壞鄰連東無"
)


@pytest.mark.parametrize("area", AREAS)
def test_every_text_has_all_languages_and_nothing_else(area):
    wrong = {key: set(entry) ^ set(LANGUAGES) for key, entry in texts(area).items() if set(entry) != set(LANGUAGES)}
    assert not wrong
    empty = [key for key, entry in texts(area).items() if not all(said.strip() for said in entry.values())]
    assert not empty


@pytest.mark.parametrize("area", AREAS)
def test_the_languages_of_a_text_have_the_same_slots(area):
    for key, entry in texts(area).items():
        slots = {lang: set(SLOT.findall(said)) for lang, said in entry.items()}
        chinese = slots["zh-Hans"]
        assert slots["zh-Hant"] == chinese, key
        # English may leave out a value that its sentence does not need, and the other way round, in these alone.
        assert slots["en"] == chinese or key in {"title_kept_lower", "title_kept_equal", "later_act_why"}, key


def test_the_two_character_lists_are_pairs():
    assert len(SIMPLIFIED) == len(TRADITIONAL)


@pytest.mark.parametrize(("lang", "foreign", "own"), [
    ("zh-Hant", SIMPLIFIED, TRADITIONAL),
    ("zh-Hans", TRADITIONAL, SIMPLIFIED),
])  # fmt: skip
def test_chinese_texts_keep_to_their_script(lang, foreign, own):
    strangers = set(foreign) - set(own)
    assert len(strangers) > 60
    chinese = {(area, key): re.sub(r"[!-~]+", "", texts(area)[key][lang]) for area, key in KEYS}
    wrong = {where: found for where, said in chinese.items() if (found := strangers & set(said))}
    assert not wrong


def test_english_texts_hold_no_chinese_but_names():
    wrong = [(area, key) for area, key in KEYS if re.search(r"[，。；：（）、]", texts(area)[key]["en"])]
    assert not wrong


def test_every_code_of_a_refusal_has_a_sentence():
    sources = [*(PACKAGE / "core").glob("*.py"), *(PACKAGE / "cli").rglob("*.py")]
    sources += [*(PACKAGE / "tournament").glob("*.py"), *(PACKAGE / "spreadsheet").glob("*.py")]
    code = re.compile(r'"((?:act|bobing|cli|dice|event|file|glossary|json|record|rules)/[a-z_]+)"')
    codes = {found for source in sources for found in code.findall(source.read_text("utf-8"))} - {"record/1"}
    assert len(codes) > 70
    assert {found for found in codes if found.replace("/", "_") not in texts("errors")} == set()


def test_no_sentence_is_left_without_its_code():
    everything = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    assert [key for key in texts("errors") if key.replace("_", "/", 1) not in everything] == []


COUNTED = (
    "acts cakes connections days entries faces finalists games groups guests minutes people players points prizes "
    "seats seconds sets strengths tables throws times vouchers winners"
)
BETWEEN = "(?:percentage |champion |more )?"
PLURAL = re.compile(rf"{{(?!who}}|name}}|share}}|chance}})\w+}} {BETWEEN}(?:{COUNTED.replace(' ', '|')})\b")


@pytest.mark.parametrize("area", [area for area in AREAS if area != "details"])
def test_a_counted_word_is_singular_after_one(area):
    wrong = {key: entry["en"] for key, entry in texts(area).items() if PLURAL.search(entry["en"])}
    assert not wrong


def test_a_number_chooses_the_word_that_follows_it():
    assert text("en", "common.cakes", n=1) == text("en", "common.cakes", n="1") == "1 cake"
    assert text("en", "common.cakes", n=0) == "0 cakes"


@pytest.mark.parametrize(
    ("wanted", "environment", "expected"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("zh-Hant", {}, "zh-Hant"),
        (None, {"LC_ALL": "zh_TW.UTF-8", "LANG": "en_US"}, "zh-Hant"),
        (None, {"LC_ALL": "", "LANG": "zh_HK"}, "zh-Hant"),
        (None, {"LC_MESSAGES": "zh_SG.GBK"}, "zh-Hans"),
        (None, {"LANG": "POSIX"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_that_of_the_wish_else_that_of_the_locale(wanted, environment, expected):
    assert language(wanted, environment) == expected


def test_a_rule_file_is_refused_with_what_its_keys_are_called():
    with pytest.raises(RulesError) as info:
        read_rules('extends = "minnan"\n[title]\nequal = "red-pips"\ncontest = "first"')
    words = words_of(info.value)
    assert words["en"].startswith("“Equal throws” (title.equal): the first “Champion” (zhuangyuan) keeps the title")
    assert "「搶狀元」title.contest" in words["zh-Hant"]
    with pytest.raises(RulesError) as info:
        read_rules('extends = "minnan"\n[cakes]\nyixiu = 3\n[prizes]\nyixiu = [{ name = "cup", count = 2 }]')
    words = words_of(info.value)
    assert words["en"] == "“Prizes of One Four” (prizes.yixiu): the items are 2, but the tier has 3 cakes"
    assert "“一秀的奖品”prizes.yixiu" in words["zh-Hans"]
