"""`bobing record`: what people and scripts see of a record, sound or not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bobing.cli import main
from bobing.core.act_json import act_from_json
from bobing.core.acts import Spill, Throw
from bobing.core.canonical import canonical_json
from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.chain import ZERO, link
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.record import record_lines
from golden_games import FOLDER, GAMES

SAMPLE = FOLDER / "minnan-undo-correct.jsonl"
GOLDEN = sorted(FOLDER.glob("*.jsonl"))
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
RECEIPT = json.loads(LINES[-1])["h"]


def run(*words, lang="en", stdin=None):
    return CliRunner().invoke(main, ["record", *map(str, words), "--lang", lang], input=stdin)


@pytest.fixture
def written(tmp_path):
    """A file with these lines."""

    def write(*lines):
        path = tmp_path / "game.jsonl"
        path.write_bytes(b"".join(lines))
        return path

    return write


@pytest.fixture
def cut(written):
    """The sample, its last line not written to the end."""
    return written(*LINES[:-1], LINES[-1][:60])


@pytest.fixture
def damaged(written):
    """The sample with one die changed."""
    return written(*(line.replace(b"441256", b"441255") for line in LINES))


# ---- show -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        (
            "en",
            [
                "Minnan bilingual (minnan), 3 seats, seat 0 begins",
                "✗   4 阿明  ⚃⚃⚃⚃⚄⚅  Four Fours (taken back by 6)",
                f"Receipt: {RECEIPT}",
            ],
        ),
        (
            "zh-Hans",
            [
                "闽南双语规则（minnan），3个座位，0号座先掷",
                "✗   4 阿明  ⚃⚃⚃⚃⚄⚅  四红（已被第6手收回）",
                f"收据：{RECEIPT}",
            ],
        ),
        ("zh-Hant", ["閩南雙語規則（minnan），3個座位，0號座先擲", f"收據：{RECEIPT}"]),
    ],
)
def test_show_tells_the_game(lang, says):
    result = run("show", SAMPLE, lang=lang)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [line for line in says if line not in lines] == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_show_tells_every_golden_game_with_every_act(path, lang):
    result = run("show", path, lang=lang)
    assert result.exit_code == 0
    numbers = [line[1:5].strip() for line in result.output.splitlines() if line[:1] in "✗ " and line[1:5].strip()]
    acts = [line for line in path.read_bytes().splitlines() if json.loads(line).get("n")]
    assert numbers == [str(n) for n in range(1, len(acts) + 1)]
    assert "{" not in result.output


def test_crosses_stand_at_what_is_taken_back_in_the_end():
    crossed = [int(line[1:5]) for line in run("show", SAMPLE).output.splitlines() if line.startswith("✗")]
    assert crossed == [4, 5, 12, 13]


def test_without_names_seats_are_numbered(written):
    output = run("show", written(*(line for line in LINES if not line.startswith(b'{"name"')))).output
    assert "    2 seat 1  ⚃⚃⚃⚃⚀⚁  Four Fours" in output
    assert "小红" not in output


def test_a_game_that_goes_on_says_who_is_next(written):
    *_, champion, following, _ = run("show", written(*LINES[:7])).output.splitlines()
    assert "小红" in champion
    assert "444412" in champion
    assert "阿明" in following
    *_, points, following, _ = run("show", written(*LINES[:4])).output.splitlines()
    assert points == "Tan: no cakes, 0 points"
    assert "阿明" in following


def test_what_is_whole_of_a_cut_record_is_told(cut):
    result = run("show", cut)
    assert result.exit_code == 1
    assert "   16 小红" in result.stdout
    assert "   17 " not in result.stdout
    assert "record/cut_line" in result.stderr


def test_a_damaged_record_is_not_told(damaged):
    result = run("show", damaged)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "bobing: line 9: the hash does not fit: this line or the one before was changed [record/broken_chain]\n"
    )


@pytest.mark.parametrize("sign", ["\u009b", "\x1b", "\u202e", "\x07", "\n"])
def test_commands_to_the_terminal_in_a_strangers_rules_are_not_carried_out(written, sign):
    """A rule set with such signs cannot be made; a forged header with one is refused, and not echoed."""
    values = [json.loads(line) for line in LINES[:1]]
    values[0]["rules"]["names"]["en"] = f"a{sign}2Jb"
    body = canonical_json({key: value for key, value in values[0].items() if key != "h"})
    header = canonical_json({**values[0], "h": link(ZERO, body).hex()}) + b"\n"
    result = run("show", written(header))
    assert result.exit_code == 1
    assert "[record/bad_rules]" in result.stderr
    assert sign not in result.output.removesuffix("\n")


# ---- verify ---------------------------------------------------------------------------------------------------------


def test_verify_says_what_was_checked():
    result = run("verify", SAMPLE)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "The record is sound: 17 acts, 3 seats, rules minnan.",
        "Checked: the form of every line, the hash chain, the rules against their hash, and every act by replay.",
        "Names (3) stand outside the chain and are not proved.",
        "The game is over.",
        f"Rules hash: {json.loads(LINES[0])['rules_hash']}",
        f"Receipt: {RECEIPT}",
    ]


def test_verify_for_scripts():
    assert json.loads(run("verify", SAMPLE, "--json").output) == {
        "sound": True,
        "version": "record/1",
        "rules": "minnan",
        "rules_hash": json.loads(LINES[0])["rules_hash"],
        "seats": 3,
        "acts": 17,
        "struck": [4, 5, 12, 13],
        "names": 3,
        "finished": True,
        "receipt": RECEIPT,
        "receipt_of": None,
    }


def test_verify_names_the_line_and_the_code_of_damage(damaged):
    result = run("verify", damaged, "--json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {
        "sound": False,
        "code": "record/broken_chain",
        "line": 9,
        "message": "line 9: the hash does not fit: this line or the one before was changed",
    }
    assert "记录被改过" in run("verify", damaged, lang="zh-Hans").output


def test_verify_says_how_much_of_a_cut_record_is_whole(cut):
    result = run("verify", cut, "--json")
    assert result.exit_code == 1
    said = json.loads(result.output)
    assert said["code"] == "record/cut_line"
    assert said["whole"] == {
        "acts": 16,
        "bytes": len(b"".join(LINES[:-1])),
        "receipt": json.loads(LINES[-2])["h"],
    }


def test_verify_a_cut_header(written):
    result = run("verify", written(LINES[0][:50]), "--json")
    assert result.exit_code == 1
    assert "whole" not in json.loads(result.output)
    assert run("show", written(LINES[0][:50])).exit_code == 1


@pytest.mark.parametrize(("line", "place"), [(0, 0), (4, 1), (-1, 17)])
def test_a_receipt_is_found(line, place):
    receipt = json.loads(LINES[line])["h"]
    assert json.loads(run("verify", SAMPLE, "--json", "--receipt", receipt).output)["receipt_of"] == place
    said = f"that of act {place}." if place else "that of the header."
    assert f"The receipt given is {said}" in run("verify", SAMPLE, "--receipt", f" {receipt.upper()} ").output


def test_a_receipt_shows_that_lines_are_missing_at_the_end(written):
    short = written(*LINES[:-1])
    assert run("verify", short).exit_code == 0
    result = run("verify", short, "--receipt", RECEIPT, "--json")
    assert (result.exit_code, json.loads(result.output)["code"]) == (1, "record/receipt_missing")


def test_a_receipt_that_is_no_hash_is_a_bad_call():
    result = run("verify", SAMPLE, "--receipt", RECEIPT[:-1])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "64" in result.stderr


# ---- replay ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_replay_for_scripts_gives_what_the_record_holds(path):
    result = run("replay", path, "--json")
    assert result.exit_code == 0
    *acts, final = map(json.loads, result.output.splitlines())
    recorded = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert acts == [{key: value for key, value in entry.items() if key != "h"} for entry in recorded if entry.get("n")]
    golden = GAMES[path.stem]
    assert {**final, "seats": [{t: n for t, n in seat.items() if n} for seat in final["seats"]]} == {
        "final": True,
        "finished": golden.ended is not None,
        "seats": golden.final,
        "champion": golden.champion,
    }


def test_replay_prints_how_the_game_stands():
    result = run("replay", FOLDER / "fallback-choice.jsonl")
    assert result.exit_code == 0
    first, second, champion = result.output.splitlines()
    assert first.startswith("seat 0: ")
    assert all(item in first for item in ("灯笼", "柚子", "月饼"))
    assert second.startswith("seat 1: ")
    assert "茶" in second
    assert champion.startswith("seat 0 ")
    assert "444446" in champion


def test_a_game_that_was_closed_at_once_has_no_champion(written):
    game = Game.new(read_rules('key = "x"\nextends = "S12"\n'), 2).play(act_from_json({"close": True}))
    result = run("replay", written(*record_lines(game)))
    assert result.output.splitlines() == ["seat 0: no cakes", "seat 1: no cakes", "There is no champion"]


def test_points_are_counted_where_the_sheet_has_them():
    """002: 1 for a yixiu, 2 for an erju, 4 for a sijin, 16 for a duitang, 32 for the zhuangyuan."""
    points = [line.rpartition(", ")[2] for line in run("replay", SAMPLE).output.splitlines()[:3]]
    assert points == ["3 points", "49 points", "6 points"]
    assert "points" not in run("replay", FOLDER / "fours-only-whole.jsonl").output


def test_replay_of_a_cut_record_gives_what_is_whole(cut):
    result = run("replay", cut, "--json")
    assert result.exit_code == 1
    assert [json.loads(line).get("n") for line in result.stdout.splitlines()] == [*range(1, 17), None]
    assert "record/cut_line" in result.stderr


def test_a_record_may_come_from_standard_input():
    assert run("verify", "-", stdin=SAMPLE.read_bytes()).exit_code == 0
    assert run("verify", "-", stdin=b"").exit_code == 1


# ---- bad calls and bad files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["show", "verify", "replay"])
def test_what_cannot_be_read_is_a_bad_call(name, tmp_path):
    for file in (tmp_path / "none.jsonl", tmp_path):
        result = run(name, file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert str(file) in result.stderr
    assert run(name).exit_code == 2


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"\0" * 100, b"\xff\xfe{}\n", b"[" * 10_000_000, b"x" * 10_000_000 + b"\n", LINES[0] + b"{}\n" * 9],
    ids=["empty", "blank", "zeros", "utf-16", "nested", "long", "objects"],
)
@pytest.mark.parametrize("name", ["show", "verify", "replay"])
def test_what_is_no_record_does_not_verify(name, content, written):
    result = run(name, written(content))
    assert result.exit_code == 1
    assert "[record/" in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_doubled_line_is_told_with_its_code(written):
    game = Game.new(read_rules('key = "x"\nextends = "S12"\n'), 2).play(act_from_json({"seat": 0, "roll": "123456"}))
    header, act = record_lines(game)
    result = run("verify", written(header, act, act))
    assert result.exit_code == 1
    assert "[record/wrong_number]" in result.output


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("name", ["", "show", "verify", "replay"])
def test_help_teaches(name, lang):
    result = run(*filter(None, [name]), "--help", lang=lang)
    assert result.exit_code == 0
    assert ("FILE" in result.output) if name else ("bobing record verify" in result.output)


def test_the_document_tells_every_code_of_the_command():
    document = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")
    assert "`record/receipt_missing`" in document


# ---- judged by other rules ------------------------------------------------------------------------------------------

FEWER = """extends = "minnan"
[cakes]
sijin = 1
erju = 1
yixiu = 1
sanhong = 0
duitang = 0
"""


def played(written, *rolls, rules="minnan", seats=2):
    game = Game.new(find_sheet(rules), seats)
    for n, roll in enumerate(rolls):
        game = game.play(Throw(n % seats, Roll.parse(roll)))
    return written(*record_lines(game, {0: "Ming", 1: "Hong"}))


def test_a_record_is_judged_by_other_rules_and_stays_as_it_is(written, tmp_path):
    path = played(written, "222213", "222213", "123456", "411236")
    before = path.read_bytes()
    other = tmp_path / "ours.toml"
    other.write_text('extends = "minnan"\n[cakes]\nsijin = 1\n[bonus]\nsijin_yixiu = true\n')
    assert run("replay", path).stdout.splitlines()[:2] == [
        "Ming: 1 × Straight, 1 × Four of a Kind, 20 points",
        "Hong: 1 × Four of a Kind, 1 × One Four, 5 points",
    ]
    judged = run("replay", path, "--rules", other)
    assert judged.stdout.splitlines()[:2] == [
        "Ming: 1 × Straight, 1 × Four of a Kind, 20 points",
        "Hong: 1 × One Four, 1 point",
    ]
    assert (judged.exit_code, path.read_bytes()) == (0, before)


def test_where_other_rules_end_the_game_earlier_that_is_told(written, tmp_path):
    path = played(written, "222213", "441235", "412335", "444412", "123456", "412335")
    other = tmp_path / "fewer.toml"
    other.write_text(FEWER)
    judged = run("replay", path, "--rules", other, lang="zh-Hans")
    assert judged.stdout.splitlines()[-1].endswith("第5手以前就已经结束，从这一手起不再算。")
    assert judged.exit_code == 0
    *_, final = map(json.loads, run("replay", path, "--rules", other, "--json").stdout.splitlines())
    assert final["champion"] == 1


def test_an_act_that_other_rules_do_not_take_ends_it_with_the_reason(written):
    game = Game.new(find_sheet("S12"), 2)
    for act in (Spill(0), Throw(1, Roll.parse("412335")), Throw(0, Roll.parse("412335"))):
        game = game.play(act)
    path = written(*record_lines(game, {}))
    judged = run("replay", path, "--rules", "S14")
    assert "act 3 cannot be" in judged.stdout
    assert judged.stdout.rstrip().endswith("[act/not_your_turn]")
    refused = json.loads(run("replay", path, "--rules", "S14", "--json").stdout.splitlines()[-2])
    assert (refused["refused"], refused["act"], judged.exit_code) == ("act/not_your_turn", 3, 1)
