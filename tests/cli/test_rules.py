"""`bobing rules`: list, show, diff, check, census."""

import json

import pytest
from click.testing import CliRunner

from bobing.cli.rules import command
from bobing.core.catalogue import DEFAULT_SHEET, find_sheet, sheet_keys
from bobing.core.dimensions import POINTS, differences
from bobing.points import ORIGINS, points_of

LANGS = ("zh-Hans", "zh-Hant", "en")
OWN_TIER = """
extends = "S12"
[ranking]
tiers = ["zhuangyuan", "lucky", "duitang", "sanhong", "sijin", "erju", "yixiu"]
[cakes]
lucky = 3
[wins]
lucky = ["PATTERN"]
[tier_names.lucky]
zh-Hans = "好运"
[[prizes.lucky]]
name = "杯子"
count = 2
[[prizes.lucky]]
name = "碗"
count = 1
"""


def run(*words, lang="en"):
    return CliRunner().invoke(command, [*words, "--lang", lang])


def told(*words, lang="en"):
    result = run(*words, "--json", lang=lang)
    assert result.exit_code == 0, result.output
    assert result.output.count("\n") == 1
    return json.loads(result.output)


def file(tmp_path, text, name="ours.toml"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def test_list_names_every_sheet_with_its_ids():
    listed = told("list")
    assert listed["default"] == DEFAULT_SHEET
    assert [sheet["key"] for sheet in listed["sheets"]] == list(sheet_keys())
    ids = {alias for sheet in listed["sheets"] for alias in sheet["ids"]}
    assert {"000", "000-1", "003T-f", "S7b", "S16"} <= ids


@pytest.mark.parametrize("lang", LANGS)
def test_list_fits_a_terminal(lang):
    from bobing.cli.table.cells import width

    lines = run("list", lang=lang).output.splitlines()
    assert len(lines) == len(sheet_keys())
    assert max(map(width, lines)) <= 79


@pytest.mark.parametrize("key", sheet_keys())
def test_show_tells_all_points_with_values_and_origin(key):
    shown = told("show", key)
    assert tuple(shown["points"]) == POINTS
    for point in shown["points"].values():
        assert point["words"]
        assert point["origin"]["kind"] in ORIGINS
        assert point["values"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", sheet_keys())
def test_show_says_every_sheet_in_every_language(key, lang):
    output = run("show", key, lang=lang).output
    assert [line.split()[0] for line in output.splitlines() if line[:1] in "GKCZEXNU" and line[1:2].isdigit()] == [
        *POINTS
    ]
    assert "{" not in output
    assert not {word for word in output.split() if word.startswith(("dimensions.", "rules."))}


def test_an_origin_names_sheet_and_line():
    assert told("show", "002")["points"]["E3"]["origin"] == {"kind": "stated", "where": "002:33"}
    assert "E3   What six 4s take  [stated 002:33]" in run("show", "002").output
    assert "[原文 002:33]" in run("show", "002", lang="zh-Hans").output


def test_show_tells_what_wins_the_tiers_of_a_house_file(tmp_path):
    output = run("show", file(tmp_path, OWN_TIER.replace("PATTERN", "1122xx")), lang="zh-Hans").output
    assert "好运：1122xx" in output
    assert "好运：2 × 杯子、1 × 碗" in output
    assert "[自家规则]" in output


def test_diff_goes_by_point():
    told_points = told("diff", "002", "002-alt")["points"]
    assert set(told_points) == set(differences(find_sheet("002"), find_sheet("002-alt"))) - {"K2"}
    assert told_points["N4"]["values"] == {"spill.next_turn": ["lost", "played"]}
    output = run("diff", "002", "002-alt").output
    assert "N4   The turn after a die left the bowl\n     002      is lost as well" in output


def test_diff_of_a_sheet_with_itself_is_empty():
    assert told("diff", "s7B", "S1")["points"] == {}
    assert run("diff", "S1", "S1").output == "No point differs\n"


def test_diff_sees_what_wins_a_tier_of_its_own(tmp_path):
    left = file(tmp_path, OWN_TIER.replace("PATTERN", "1122xx"), "left.toml")
    right = file(tmp_path, OWN_TIER.replace("PATTERN", "3344xx"), "right.toml")
    assert told("diff", left, right)["points"]["K1"]["values"] == {"wins.lucky": [["1122xx"], ["3344xx"]]}
    assert "right.toml  lucky: 3344xx" in run("diff", left, right).output.replace("好运", "lucky")


def test_check_says_what_a_file_changes(tmp_path):
    path = file(tmp_path, 'extends = "S12"\n[liubohong]\ntakes = "all"\n')
    checked = told("check", path)
    assert checked["ok"]
    assert checked["extends"] == "S12"
    assert checked["points"]["E3"]["values"] == {"liubohong.takes": ["table", "all"]}
    output = run("check", path).output
    assert output.startswith("house can be used. Beside Referee rules (referee-order):\n")
    assert "ours.toml      every cake, also those already won  [house rule]" in output
    assert output.endswith("1 point differs\n")


BAD = {
    "rules/unknown_key": ("[liubohong]\ntake = 1", "liubohong.take", "takes"),
    "rules/unknown_value": ('[liubohong]\ntakes = "al"', "liubohong.takes", "'all'"),
    "rules/wrong_type": ("liubohong = 3", "liubohong", "a table"),
    "rules/out_of_range": ("[cakes]\nyixiu = -1", "cakes.yixiu", "from 0"),
    "rules/repeated": ("[hands]\nsijin_faces = [1, 1]", "hands.sijin_faces", "twice"),
    "rules/unknown_sheet": ('extends = "S99"', "", "did you mean"),
    "rules/not_a_sheet": ('extends = "S4"', "", "no rule sheet of its own"),
    "rules/impossible": ("[cakes]\nyixiu = 0", "bonus.sijin_yixiu", "no tier 'yixiu'"),
    "rules/total_mismatch": ("total = 64", "total", "63"),
    "rules/no_zhuangyuan": ("[cakes]\nzhuangyuan = 0", "ranking.tiers", "zhuangyuan"),
    "rules/tier_not_ranked": ("[cakes]\nlucky = 1", "cakes.lucky", "lucky"),
    "rules/bad_tier_key": ('[cakes]\n"a b" = 1', "cakes.a b", "letters"),
    "rules/items_do_not_add_up": (
        '[[prizes.duitang]]\nname = "cup"\ncount = 1\n[[prizes.duitang]]\nname = "bowl"\ncount = 3',
        "prizes.duitang",
        "4",
    ),
    "rules/no_toml": ("= 1", "", "no TOML"),
}


@pytest.mark.parametrize("code", BAD)
def test_a_file_that_cannot_be_used_is_refused_with_path_and_reason(tmp_path, code):
    text, path, word = BAD[code]
    bad = file(tmp_path, text if "extends" in text else f'extends = "minnan"\n{text}')
    result = run("check", bad)
    assert result.exit_code == 2
    assert result.stderr.endswith(f" [{code}]\n")
    assert path in result.stderr
    assert word in result.stderr
    assert result.stdout == ""
    as_json = run("check", bad, "--json")
    assert as_json.exit_code == 2
    said = json.loads(as_json.stdout)
    assert (said["ok"], said["code"]) == (False, code)
    assert said["path"] in (path, "extends")
    for lang in ("zh-Hans", "zh-Hant"):
        assert "（" in run("check", bad, lang=lang).stderr


@pytest.mark.parametrize(
    "words", [["show"], ["show", "S4"], ["diff", "002"], ["shwo"], ["census", "x.toml"], ["check", "/"]]
)
def test_a_bad_call_is_refused(words):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("bobing: ")
    assert "Traceback" not in result.stderr


def test_census_has_exactly_the_fields_that_scripts_rely_on():
    counted = told("census", "S12")
    assert counted == {
        "awards": {"zhuangyuan": 561, "duitang": 720, "sanhong": 2500, "sijin": 1875, "erju": 9300, "yixiu": 17400},
        "bonus": {"yixiu": 600, "erju": 75},
        "none": 14300,
        "strengths": counted["strengths"],
    }
    assert list(told("census", "S11")["awards"]) == ["zhuangyuan", "sanhong", "erju", "yixiu"]


@pytest.mark.parametrize("key", sheet_keys())
def test_census_counts_every_throw_once(key):
    counted = told("census", key)
    assert sum(counted["awards"].values()) + counted["none"] == 6**6


@pytest.mark.parametrize("lang", LANGS)
def test_census_in_words(lang):
    output = run("census", "S12", lang=lang).output
    assert "17400" in output
    assert "37.294 %" in output


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", [[], ["list"], ["show"], ["diff"], ["check"], ["census"]])
def test_help_in_every_language(words, lang):
    result = CliRunner().invoke(command, [*words, "--lang", lang, "--help"])
    assert result.exit_code == 0
    assert {"zh-Hans": "选项", "zh-Hant": "選項", "en": "Options"}[lang] in result.output


def test_every_setting_stands_under_a_point():
    from bobing.core.rules import setting_paths

    rules = find_sheet("S12")
    shown = {path for point in points_of(rules, "en") for path in point.values}
    assert set(setting_paths()) <= shown


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Straight has no cakes; its throws now win: One Four (720 of 46,656)"),
        ("zh-Hans", "对堂没有饼了；原来的那些掷法现在得：一秀（720种）"),
        ("zh-Hant", "對堂沒有餅了；原來的那些擲法現在得：一秀（720種）"),
    ],
)
def test_check_tells_what_the_throws_of_a_tier_without_cakes_win_now(tmp_path, lang, said):
    ours = file(tmp_path, 'extends = "minnan"\n[cakes]\nduitang = 0')
    assert said in run("check", ours, lang=lang).output
    assert told("check", ours)["fallen"] == {"duitang": {"yixiu": 720}}
    plain = file(tmp_path, 'extends = "minnan"\n[spill]\nnext_turn = "played"')
    assert told("check", plain)["fallen"] == {}
