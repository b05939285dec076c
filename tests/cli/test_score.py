"""`bobing score`, through the full command line and through the short way that plain calls take."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bobing.cli.score import command
from bobing.core.catalogue import sheet_keys
from bobing.quick import answer

HOUSE = """
key = "ours"
extends = "S12"
[names]
zh-Hans = "我家"
[ranking]
tiers = ["zhuangyuan", "lucky", "duitang", "sanhong", "sijin", "erju", "yixiu"]
[cakes]
lucky = 3
[wins]
lucky = ["1122xx"]
[tier_names.lucky]
zh-Hans = "好运"
en = "Lucky"
"""


def run(*words, lang="en"):
    return CliRunner().invoke(command, [*words, "--lang", lang])


def bobing(*words, **more):
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([sys.executable, "-m", "bobing", *words], capture_output=True, env=env, check=False, **more)


def test_json_has_exactly_the_fields_that_scripts_rely_on():
    assert json.loads(run("222241", "--rules", "S12", "--json").output) == {
        "roll": "222241",
        "combination": "sijin",
        "awards": [
            {"tier": "sijin", "cakes": 1, "bonus": False},
            {"tier": "yixiu", "cakes": 1, "bonus": True},
        ],
        "effects": [],
        "strength": None,
        "names": {
            "zh-Hans": "四进", "zh-Hant": "四進", "pinyin": "sìjìn", "poj": "sù-chìn", "en": "Four of a Kind",
        },
    }  # fmt: skip


def test_json_is_one_line_of_plain_characters():
    output = run("444411", "--json").output
    assert output.count("\n") == 1
    assert "状元插金花" in output


@pytest.mark.parametrize(
    ("roll", "sheet", "combination", "awards"),
    [
        ("444411", "002", "chajinhua", ["zhuangyuan"]),
        ("444411", "000", "sihong", ["zhuangyuan"]),
        ("111111", "003T", "liubohei", []),
        ("111111", "002", "biandijin", ["zhuangyuan"]),
        ("123456", "002", "duitang", ["duitang"]),
        ("123456", "S11", "yixiu", ["yixiu"]),
        ("112233", "002", "none", []),
    ],
)
def test_the_combination_is_the_sheets_reading_of_the_hand(roll, sheet, combination, awards):
    said = json.loads(run(roll, "--rules", sheet, "--json").output)
    assert said["combination"] == combination
    assert [award["tier"] for award in said["awards"]] == awards


def test_an_event_without_an_award_has_effects_and_no_strength():
    said = json.loads(run("222222", "--rules", "003T", "--json").output)
    assert (said["awards"], said["effects"], said["strength"]) == ([], ["grab", "ends"], None)


def test_a_higher_zhuangyuan_has_a_higher_strength():
    low, high = (json.loads(run(roll, "--json").output)["strength"] for roll in ("444412", "444466"))
    assert low < high


@pytest.mark.parametrize("words", [["４４４４１１"], ["⚃⚃⚃⚃⚀⚀"], ["4", "4", "4", "4", "1", "1"], ["44 44", "1,1"]])
def test_what_people_type_is_read_kindly(words):
    assert json.loads(run(*words, "--json").output)["roll"] == "444411"


@pytest.mark.parametrize(
    "words",
    [
        ["44441"],
        ["4444111"],
        ["044411"],
        ["744411"],
        ["44441²"],
        ["٤٤٤٤١١"],
        ["4444xx"],
        [""],
        ["4" * 100_000],
        ["4\0"],
    ],
)
def test_what_is_no_roll_is_refused(words):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("bobing: ")
    assert result.stderr.endswith(" [dice/bad_roll]\n")
    assert len(result.stderr) < 300


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["444411", "--rules", "S4"], "rules/not_a_sheet"),
        (["444411", "--rules", "minan"], "rules/unknown_sheet"),
        (["444411", "--rules", "none.toml"], "rules/no_file"),
        (["444411", "--rules", ""], "rules/unknown_sheet"),
        (["444411", "--rules", "."], "rules/unknown_sheet"),
        (["444411", "--rules", "./"], "rules/no_file"),
        (["444411", "--rules", "x" * 5000], "rules/unknown_sheet"),
        (["444411", "--jsn"], "cli/bad_call"),
        (["--json"], "cli/bad_call"),
        (["444411", "--rules"], "cli/bad_call"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_a_bad_call_is_refused_with_a_sentence_and_a_code(words, code, lang):
    result = CliRunner().invoke(command, ["--lang", lang, *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f" [{code}]\n" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unknown_language_is_refused():
    assert run("444411", lang="fr").exit_code == 2


def test_a_refusal_speaks_the_language_of_the_call():
    assert "请写六个 1 到 6 的数字" in run("44441", lang="zh-Hans").stderr
    assert "請寫六個 1 到 6 的數字" in run("44441", lang="zh-Hant").stderr


def test_the_words_tell_dice_name_award_rank_and_sheet():
    lines = run("444432").output.splitlines()
    assert lines[0] == "⚃ ⚃ ⚃ ⚃ ⚂ ⚁   444432"
    assert lines[1] == "Four Fours  四红  sìhóng  Hokkien sì-hông"
    assert lines[2:] == [
        "  word   these rules say 四点红",
        "  dice   4 dice show 4, with 5 on the rest",
        "  wins   1 × Champion, unless a higher throw takes the title",
        "  rank   number 26 of the 28 champion strengths, from the highest",
        "  rules  Minnan bilingual (minnan)",
    ]


@pytest.mark.parametrize(
    ("roll", "sheet", "words"),
    [
        ("555224", "000-1", "nothing"),
        ("555222", "000-1", "two times three alike"),
        ("112233", "S1-p", "three pairs"),
        ("123456", "002", "1 to 6, each once"),
        ("444666", "S15", "the other three dice make 18"),
        ("444444", "003T-f", "the rest is dealt round"),
        ("222222", "S13-pf", "split among the table"),
    ],
)
def test_the_words_say_why_and_what_else(roll, sheet, words):
    output = run(roll, "--rules", sheet).output
    assert words in output or (words == "nothing" and "One Four" in output)


def test_a_house_file_with_a_tier_of_its_own(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE, "utf-8")
    said = json.loads(run("112235", "--rules", str(file), "--json").output)
    assert said["combination"] == "lucky"
    assert said["names"] == {"zh-Hans": "好运", "en": "Lucky"}
    assert "得饼  1个好运" in run("112235", "--rules", str(file), lang="zh-Hans").output
    assert "the dice that the rule file asks for" in run("112235", "--rules", str(file)).output


@pytest.mark.parametrize(
    ("roll", "sheet", "lang", "line"),
    [
        ("444444", "S2", "en", "  word   these rules say 满堂红"),
        ("444444", "S2", "zh-Hans", "  叫法  这份规则写作满堂红"),
        ("123456", "S12", "zh-Hant", "  叫法  這份規則寫作对堂、一条龙、榜眼"),
        ("444444", "002-alt", "en", None),
        ("444444", "S7b", "en", "  word   these rules say 六粒红"),
        ("444444", "S1-p", "en", "  word   these rules say 六粒红"),
        ("444444", "philippines", "en", None),
    ],
)
def test_the_words_tell_what_the_sheet_prints_where_that_is_not_the_name(roll, sheet, lang, line):
    for output in (
        run(roll, "--rules", sheet, lang=lang).output,
        "\n".join(answer([roll, "--rules", sheet, "--lang", lang]) or ()),
    ):
        words = [said for said in output.splitlines() if said.startswith(("  word ", "  叫法"))]
        assert words == ([line] if line else [])


def test_a_house_file_speaks_as_the_sheet_it_extends(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE, "utf-8")
    assert "these rules say 红六勃" in run("444444", "--rules", str(file)).output
    assert "these rules say" not in run("112235", "--rules", str(file)).output


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\0" * 100, b"x" * 10_000_000, b"= = =", b"[cakes]\nyixiu = -1"])
def test_a_file_that_is_no_rule_file_is_refused(tmp_path, content):
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    result = run("444411", "--rules", str(file))
    assert result.exit_code == 2
    assert "[rules/" in result.stderr


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_help_teaches_in_the_language_of_the_call(lang):
    result = run("--help", lang=lang)
    assert result.exit_code == 0
    assert "bobing score 444411" in result.output
    assert {"zh-Hans": "用法：", "zh-Hant": "選項", "en": "Usage:"}[lang] in result.output


@pytest.mark.parametrize("key", ["minnan", "S11"])
@pytest.mark.parametrize("more", [["--json"], ["--lang", "zh-Hant"], []])
def test_the_short_way_prints_what_the_full_command_line_prints(key, more):
    short = bobing("score", "4", "44411", "--rules", key, *more).stdout
    full = bobing("score", "４", "44411", "--rules", key, *more).stdout
    assert short == full != b""


def test_the_short_way_loads_neither_click_nor_the_core():
    done = bobing("score", "444411")
    assert done.returncode == 0
    code = "import sys, bobing.quick as q; q.answer(['444411']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "bobing.quick" in loaded
    assert not {name for name in loaded if name.startswith(("click", "bobing.core", "bobing.cli", "dataclasses"))}


@pytest.mark.parametrize("key", sheet_keys())
def test_every_sheet_tells_every_kind_of_throw(key):
    rolls = "444411 444444 111111 222222 444445 222223 444423 123456 444123 222256 112244 112345 223355 223366 555666"
    for roll in rolls.split():
        for lang in ("zh-Hans", "zh-Hant", "en"):
            result = run(roll, "--rules", key, lang=lang)
            assert result.exit_code == 0, result.output
            assert "{" not in result.output
