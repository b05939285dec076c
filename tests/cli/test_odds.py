"""`bobing odds` and `bobing rules diff --odds`."""

import json
import sys
from threading import Event

import pytest
from click.testing import CliRunner

from bobing.cli import main
from bobing.cli.patience import patience
from bobing.core.acts import Close, Leave, Throw
from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.record_lines import record_lines
from bobing.odds import overtaken, standing
from bobing.odds.answers import length, shares
from bobing.odds.exact import throw

LANGS = ("zh-Hans", "zh-Hant", "en")


def run(*words):
    return CliRunner().invoke(main, list(words))


def told(*words):
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    assert result.output.count("\n") == 1
    return json.loads(result.output)


def test_a_throw_as_json():
    found = told("odds", "throw", "--rules", "S12")
    assert found == json.loads(json.dumps(throw("S12").to_json()))
    assert (found["throws"], found["combinations"]["chajinhua"], found["bonus"]["yixiu"]) == (46656, 15, 600)


def test_a_length_as_json():
    found = told("odds", "length", "--rules", "S2", "--players", "10")
    assert found["mean"] == pytest.approx(228.5326981215489, abs=1e-9)
    assert (found["median"], found["p90"], found["p95"], found["p99"]) == (217, 328, 370, 473)
    assert found["sd"] == pytest.approx(77.70, abs=0.005)
    assert found["exact"] is True
    assert found == json.loads(json.dumps(length(find_sheet("S2")).to_json()))


def test_shares_as_json():
    found = told("odds", "shares", "--rules", "minnan-alt", "--players", "10")
    assert found["exact"] is True
    assert found["cakes"]["yixiu"][0] == pytest.approx(3.3678, abs=5e-5)
    assert found["champion"][9] == pytest.approx(0.09788, abs=5e-6)
    assert found == json.loads(json.dumps(shares(find_sheet("minnan-alt")).to_json()))


NUMBERS = (
    "odds length --players",
    "odds shares --games",
    "odds length --throws",
    "odds length --seconds",
    "odds length --seed",
    "simulate --players",
    "simulate --games",
    "simulate --seed",
    "simulate --seconds",
    "simulate --spills",
    "simulate --workers",
    "plan --people",
    "plan --people 40 --tables",
    "plan --people 40 --minutes",
    "plan --people 40 --seconds",
    "plan --people 40 --pot",
    "plan --people 40 --price",
    "referee --seats",
    "serve --port",
    "serve --workers",
    "event new Moon --tables",
    "event new Moon --seats",
)


@pytest.mark.parametrize("call", NUMBERS)
def test_numbers_of_calls_are_written_in_the_digits_0_to_9(call):
    tier = "sanhong=" if call.endswith("--price") else ""
    for number in ("１０", "²", "1_0", "٣", " 10 "):
        refused = run(*call.split(), f"{tier}{number}", "--lang", "en")
        if tier and number == " 10 ":
            continue  # spaces around the equals sign of a price are left out
        assert refused.exit_code == 2, refused.output
        line = refused.output.splitlines()[0]
        words = "expected a " if number.isascii() else "write it with the digits 0 to 9; found "
        assert words in line, line


def test_a_number_out_of_its_span_is_told_with_the_span():
    said = ("的整数，写的却是 '0'", "的整數，寫的卻是 '0'", "from 1 to 1,000,000,000,000, found '0'")
    for lang, words in zip(LANGS, said, strict=True):
        assert words in run("odds", "length", "--games", "0", "--lang", lang).output
    too_large = run("plan", "--people", "9", "--pot", "9" * 20, "--lang", "en").output
    assert "pot: give an amount from 0.01 to 10,000,000,000" in too_large
    for lang, words in zip(LANGS, ("的整数", "的整數", "a whole number from -1"), strict=True):
        assert words in run("odds", "length", "--players", "9" * 50, "--lang", lang).output
    assert "play 1 to 1000000000000 games" in run("simulate", "--games", "0", "--lang", "en").output


ALL_ALIKE = 'extends = "minnan"\n[cakes]\nyixiu = 200\n[ending]\nwhen = "throws"\nthrows_each = 6\n'


def test_a_simulated_length_without_spread_is_told_as_simulated(tmp_path):
    house = tmp_path / "office.toml"
    house.write_text(ALL_ALIKE, "utf-8")
    said = run("odds", "length", "--rules", str(house), "--games", "1000", "--lang", "en")
    assert said.exit_code == 0, said.output
    assert "simulated, 1,000 games" in said.output
    said = run("rules", "diff", "S2", str(house), "--odds", "--lang", "en").output
    means, *_, champions, reason = said.splitlines()[-7:]
    assert [line.count("≈") for line in (means, champions, reason)] == [1, 1, 1]
    assert [line.count("±") for line in (means, champions, reason)] == [1, 1, 1]
    assert "Minnan bilingual, with house rules: ≈ simulated, 100,000 games" in reason


def test_one_simulated_game_has_no_standard_error(tmp_path):
    house = tmp_path / "office.toml"
    house.write_text('extends = "S9"\n[bonus]\nsijin_yixiu = true', "utf-8")
    words = ("odds", "length", "--rules", str(house), "--games", "1")
    said = run(*words, "--lang", "en").output
    assert "1 game, from which no standard error can be told" in said
    assert "±" not in said
    assert told(*words)["error"] is None


def test_every_quantile_has_its_line(tmp_path):
    house = tmp_path / "six.toml"
    house.write_text('extends = "S2"\n[ending]\nwhen = "throws"\nthrows_each = 6', "utf-8")
    said = run("odds", "length", "--rules", str(house), "--lang", "en").output
    assert [line.split()[0] for line in said.splitlines() if "of games" in line] == ["50", "90", "95", "99", "99.9"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("what", [("throw",), ("length", "--throws", "60"), ("shares", "--players", "3")])
def test_every_language_tells_it(what, lang):
    result = run("odds", *what, "--lang", lang)
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) > 4


def test_a_table_of_six_throws_each(tmp_path):
    rules = tmp_path / "ours.toml"
    rules.write_text('extends = "S2"\n[ending]\nwhen = "throws"\nthrows_each = 6')
    found = told("odds", "length", "--rules", str(rules), "--players", "10")
    assert found["no_champion"] == pytest.approx((1 - 561 / 46656) ** 60)
    assert found["left"]["sijin"]["chance"] > 0.99


def test_two_sheets_compared():
    found = told("rules", "diff", "S2", "000", "--odds")["odds"]
    assert found["combinations"]["duitang"] == [720, 920]
    assert [one["sheet"] for one in found["length"]] == ["company-chart", "wiki-table"]
    plain = run("rules", "diff", "S2", "000", "--odds", "--lang", "en").output
    assert "920" in plain
    assert "186.75" in plain
    assert "all the same" in run("rules", "diff", "S2", "S9", "--odds", "--lang", "en").output


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("length", "--players", "1"), "odds/out_of_range"),
        (("shares", "--seconds", "0"), "odds/out_of_range"),
        (("length", "--throws", "-3"), "odds/out_of_range"),
        (("throw", "--rules", "S99"), "rules/unknown_sheet"),
    ],
)
def test_what_cannot_be_told_is_refused(words, code):
    result = run("odds", *words, "--lang", "en")
    assert result.exit_code == 2
    assert code in result.output


def test_the_middle_of_a_game(tmp_path):
    game = Game.new(find_sheet("S2"), seats=3).play(Throw(0, Roll.parse("444412"))).play(Throw(1, Roll.parse("123456")))
    file = tmp_path / "evening.jsonl"
    file.write_bytes(b"".join(record_lines(game, {0: "小明", 1: "小红", 2: "An"})))
    found = told("odds", "table", str(file))
    assert found["champion"] == pytest.approx(standing(game).champion)
    assert found["overtaken"] == pytest.approx(1 - found["champion"][0])
    for lang in LANGS:
        plain = run("odds", "table", str(file), "--lang", lang).output
        assert "小明" in plain.splitlines()[-2], plain
        assert f"{100 * found['overtaken']:.1f}"[:3] in plain.splitlines()[-2]


def test_that_nobody_may_be_champion_is_told_in_the_middle_of_a_game_too(tmp_path):
    rules = read_rules('extends = "S2"\n[ending]\nminutes = 20')
    game = Game.new(rules, seats=3).play(Throw(0, Roll.parse("123456")))
    file = tmp_path / "evening.jsonl"
    file.write_bytes(b"".join(record_lines(game)))
    nobody = (1 - 561 / 46_656) ** 99
    assert told("odds", "table", str(file))["no_champion"] == pytest.approx(nobody)
    assert f"\n  no champion thrown: {100 * nobody:.2f} %\n" in run("odds", "table", str(file), "--lang", "en").output
    file.write_bytes(b"".join(record_lines(game.play(Throw(1, Roll.parse("444412"))))))
    assert "no champion" not in run("odds", "table", str(file), "--lang", "en").output


def test_the_middle_of_a_game_is_simulated_where_it_has_no_exact_value(tmp_path):
    file = tmp_path / "evening.jsonl"
    game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("444412")))
    for sheet, doubted in ((game, "Champion, title"), (Game.new(find_sheet("S9"), seats=3), "One Four")):
        file.write_bytes(b"".join(record_lines(sheet)))
        words = ("odds", "table", str(file), "--games", "2000", "--seed", "3")
        lines = run(*words, "--lang", "en").output.splitlines()
        assert any("simulated, 2,000 games" in line and doubted in line and "since" in line for line in lines), lines
        assert told(*words) == {
            **standing(sheet, games=2000, seed=3).to_json(),
            "overtaken": overtaken(sheet, standing(sheet, games=2000, seed=3)),
            "install": "",
        }
    file.write_bytes(b"".join(record_lines(game)))
    assert " ± " in run(*words, "--lang", "en").output


def test_where_nothing_simulates_the_middle_of_a_game_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("bobing.odds.simulate.find_spec", lambda _: None)
    file = tmp_path / "evening.jsonl"
    file.write_bytes(b"".join(record_lines(Game.new(find_sheet("S12"), seats=3))))
    lines = run("odds", "table", str(file), "--lang", "en").output.splitlines()
    assert any("left out: Champion, title" in line and "since" in line for line in lines), lines
    assert lines[-1].startswith("  To have them simulated, run: ")
    found = told("odds", "table", str(file))
    assert (found["champion"], found["games"]) == ([], 0)
    assert found["install"] in lines[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--rules", "S2", "--players", "4"),
            "25.17 % of games: 0.17 percentage points more than an equal share, 25.00 %",
        ),
        (
            ("--rules", "philippines", "--players", "10", "--throws", "60", "--games", "2000"),
            "no difference that shows",
        ),
        (("--rules", "S12", "--players", "3", "--games", "2000"), "Eaten by all, on average: "),
        (
            ("--rules", "S12", "--players", "3", "--games", "2000"),
            "since the last champion throw of a player counts",
        ),
    ],
)
def test_shares_say_plainly_what_they_are_worth(words, said):
    assert said in run("odds", "shares", *words, "--lang", "en").output


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (("--rules", "S2"), "exact"),
        (("--rules", "S12"), "all else is exact"),
        (("--rules", "S9", "--throws", "24"), "all else is exact"),  # whether there is a champion
    ],
)
def test_what_is_exact_is_said_where_something_is(words, last):
    told = run("odds", "shares", *words, "--players", "4", "--games", "1000", "--lang", "en").output
    assert told.splitlines()[-1].strip() == last


@pytest.mark.parametrize("throws", [(), ("--throws", "24")])
def test_nothing_is_called_exact_where_all_is_simulated(tmp_path, throws):
    rules = tmp_path / "ours.toml"
    rules.write_text('extends = "S9"\n[bonus]\nsijin_yixiu = true\n[title]\nequal = "red-pips"')
    words = ("odds", "shares", "--rules", str(rules), "--players", "4", "--games", "1000", *throws)
    told = run(*words, "--lang", "en").output
    assert "simulated, 1,000 games" in told
    assert "exact" not in told
    assert "精确" not in run(*words, "--lang", "zh-Hans").output


def test_a_cake_of_the_title_that_nobody_wins_is_left():
    found = told("odds", "length", "--rules", "S2", "--throws", "60")
    assert found["left"]["zhuangyuan"]["chance"] == pytest.approx(found["no_champion"])
    assert (
        "Champion left over: 48.39 %" in run("odds", "length", "--rules", "S2", "--throws", "60", "--lang", "en").output
    )


def test_a_game_that_is_over_has_no_odds(tmp_path):
    game = Game.new(find_sheet("S2"), seats=2).play(Leave(1))
    file = tmp_path / "over.jsonl"
    file.write_bytes(b"".join(record_lines(game)))
    result = run("odds", "table", str(file), "--lang", "zh-Hans")
    assert result.exit_code
    assert "从这里算不出机会" in result.output
    file.write_bytes(b"".join(record_lines(Game.new(find_sheet("S2"), seats=2).play(Close()))))
    assert "已经结束" in run("odds", "table", str(file), "--lang", "zh-Hans").output


@pytest.mark.parametrize(("looked_at", "said"), [(True, 1), (False, 0)])
def test_who_waits_at_a_terminal_is_told_why(monkeypatch, looked_at, said):
    heard, told = [], Event()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: looked_at, raising=False)
    monkeypatch.setattr("bobing.cli.patience.click.echo", lambda line, err: (heard.append((line, err)), told.set()))
    with patience("en", seconds=0):
        assert told.wait(60 if looked_at else 0) is looked_at
    assert len(heard) == said
    assert all(err and "first simulation compiles" in line for line, err in heard)
