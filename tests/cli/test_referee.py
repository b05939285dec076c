"""`bobing referee`: what it answers to each act, what it refuses, and how it ends."""

import json
import os
import random
import select
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bobing.cli.referee import ANSWER, LINE_MAX, command
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import Roll
from bobing.core.game import Game

NOTHING = dict.fromkeys(("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"), 0)


def run(lines, *words, seats=3, rules="S12", lang="en", as_json=True):
    """What the command answers to lines (objects or raw text) on its standard input."""
    raw = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    call = ["--rules", rules, "--seats", str(seats), "--lang", lang, *words, *(["--json"] if as_json else [])]
    return CliRunner().invoke(command, call, input=raw)


def answers(lines, *words, **more):
    return [json.loads(line) for line in run(lines, *words, **more).stdout.splitlines()]


def throw(seat, roll, **more):
    return {"seat": seat, "roll": roll, **more}


def test_an_answer_has_exactly_the_fields_that_scripts_rely_on():
    first, last = answers([throw(0, "222241")])
    assert tuple(first) == ANSWER
    assert first == {
        "n": 1,
        "act": {"seat": 0, "roll": "222241"},
        "combination": "sijin",
        "moves": [
            {"tier": "sijin", "cakes": 1, "from": "table", "to": 0},
            {"tier": "yixiu", "cakes": 1, "from": "table", "to": 0},
        ],
        "title": None,
        "skipped": [],
        "next": 1,
        "finished": False,
    }
    seats = [NOTHING | {"sijin": 1, "yixiu": 1}, NOTHING, NOTHING]
    assert last == {"final": True, "finished": False, "seats": seats, "champion": None}


def test_the_title_names_seat_and_roll():
    assert answers([throw(0, "444412")])[0]["title"] == {"seat": 0, "roll": "444412"}


def test_blank_lines_and_windows_line_ends_are_ignored():
    told = answers([b"\n", b"  \t\r\n", b'{"seat":0,"roll":"123456"}\r\n', b"\n", b'{"undo":1}'])
    assert [answer.get("n") for answer in told] == [1, 2, None]


def test_a_byte_order_mark_at_the_beginning_is_ignored():
    assert answers([b'\xef\xbb\xbf{"seat":0,"roll":"123456"}\r\n'])[0]["n"] == 1


def test_a_refused_act_is_answered_in_its_place_and_the_run_goes_on():
    result = run([throw(0, "122356"), b"\n", throw(0, "122356"), throw(1, "122356")])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert told[1]["refused"] == "act/not_your_turn"
    assert told[1]["line"] == 3
    assert set(told[1]) == {"refused", "line", "message"}
    assert [answer.get("n") for answer in told] == [1, None, 2, None]
    assert result.exit_code == 1
    assert result.stderr == ""


def test_without_refusals_the_exit_code_is_0():
    assert run([throw(0, "122356")]).exit_code == 0
    assert run([]).exit_code == 0


def test_the_start_is_a_seat():
    assert answers([throw(2, "122356")], "--start", "2")[0]["next"] == 0


def test_a_lost_turn_is_used_up_by_itself():
    lines = [{"seat": 0, "spill": True}, throw(1, "122356")]
    told = answers(lines, seats=2, rules="002")
    assert (told[0]["skipped"], told[0]["next"]) == ([], 1)
    assert (told[1]["skipped"], told[1]["next"]) == ([0], 1)


def test_a_grab_hands_out_what_is_left():
    grab = {"zhuangyuan": [1], "duitang": [0, 0], "sanhong": [0] * 4, "sijin": [1] * 8, "erju": [0] * 16}
    grab["yixiu"] = [0, 1] * 16
    told = answers([throw(0, "222222", grab=grab)], seats=2, rules="003T")
    assert told[0]["finished"]
    assert told[-1]["champion"] is None
    assert told[-1]["seats"][1] == NOTHING | {"zhuangyuan": 1, "sijin": 8, "yixiu": 16}


def test_a_late_joiner_has_a_place_in_the_result():
    assert answers([{"join": True}])[-1]["seats"] == [NOTHING] * 4


def test_undo_and_correct():
    told = answers([throw(0, "222241"), throw(1, "123456"), {"undo": 1}, throw(0, "444412"), {"undo": 9}])
    assert told[2]["moves"] == [
        {"tier": "duitang", "cakes": 1, "from": 1, "to": "table"},
        {"tier": "sijin", "cakes": 1, "from": 0, "to": "table"},
        {"tier": "yixiu", "cakes": 1, "from": 0, "to": "table"},
    ]
    assert told[3]["n"] == 4
    assert told[4]["refused"] == "act/no_such_act"


REFUSED = {
    "dice/bad_roll": [throw(0, "12345")],
    "act/bad_form": [{"seat": 0}],
    "act/not_your_turn": [throw(1, "123456")],
    "act/unknown_seat": [throw(7, "123456")],
    "act/no_grab": [throw(0, "123456", grab={})],
    "act/no_choice": [throw(0, "123456", choose="yixiu")],
    "act/no_such_item": [throw(0, "123456", item={"duitang": "cup"})],
    "act/nothing_to_waive": [throw(0, "123456", waive="yixiu")],
    "act/no_such_act": [{"undo": 1}],
    "act/already_undone": [{"join": True}, {"undo": 1}, {"undo": 1}],
    "act/not_correctable": [{"join": True}, {"undo": 1}, {"correct": 2, "act": {"seat": 0, "pass": True}}],
    "act/other_seat": [throw(0, "122356"), {"correct": 1, "act": throw(1, "122356")}],
    "act/game_over": [{"close": True}, throw(0, "122356")],
    "act/last_seat": [{"seat": 0, "leave": True}, {"seat": 1, "leave": True}, {"seat": 2, "leave": True}],
    "act/seat_away": [{"seat": 1, "leave": True}, {"swap": [0, 1]}],
    "act/not_away": [{"seat": 1, "back": True}],
    "act/bad_swap": [{"swap": [1, 1]}],
    "act/already_begun": [throw(0, "122356"), {"start": {"seat": 0, "dice": "11"}}],
    "act/no_rolloff": [{"seat": 0, "rolloff": "123456"}],
    "act/no_time_limit": [{"time_up": True}],
    "act/later_impossible": [
        throw(0, "122356"),
        throw(1, "122356"),
        throw(2, "122356"),
        {"correct": 2, "act": throw(1, "222222")},
    ],
}


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_each_refusal_has_its_code(code, lang):
    result = run(REFUSED[code])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert told[-2]["refused"] == code
    assert told[-2]["line"] == len(REFUSED[code])
    assert result.exit_code == 1
    plain = run(REFUSED[code], lang=lang, as_json=False)
    assert plain.exit_code == 1
    assert f"[{code}]" in plain.stdout


def test_a_grab_that_is_missing_or_wrong_is_refused():
    assert answers([throw(0, "222222")], rules="003T")[0]["refused"] == "act/grab_needed"
    assert answers([throw(0, "222222", grab={"yixiu": [0]})], rules="003T")[0]["refused"] == "act/bad_grab"


def test_a_tie_is_thrown_off_first():
    tie = [throw(0, "444412"), throw(1, "444412")]
    assert answers([*tie, throw(2, "122356")], rules="philippines")[2]["refused"] == "act/rolloff_first"
    three = answers([*tie, {"seat": 0, "rolloff": "123"}], rules="philippines")
    assert three[2]["refused"] == "act/wrong_dice"
    told = answers([*tie, {"seat": 0, "rolloff": "444111"}, {"seat": 1, "rolloff": "222333"}], rules="philippines")
    assert told[3]["title"] == {"seat": 0, "roll": "444412"}


STOPPED = {
    "json/bad": b"seat 0 threw 444411\n",
    "json/bad_number": b'{"seat":0.5}\n',
    "json/repeated_key": b'{"seat":0,"seat":1}\n',
    "json/too_deep": b"[" * 5000 + b"]" * 5000 + b"\n",
    "json/bad_text": b'{"seat":0,"roll":"\\ud800"}\n',
    "cli/no_object": b"[1]\n",
    "cli/not_text": b"\xff\xfe{}\n",
    "cli/line_too_long": b'{"seat":0,"roll":"' + b"4" * LINE_MAX + b'"}\n',
}


@pytest.mark.parametrize("code", STOPPED)
def test_a_line_that_is_no_json_object_stops_the_run_with_its_number(code):
    result = run([throw(0, "122356"), b"\n", STOPPED[code], throw(1, "122356")])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(told) == 2
    assert told[-1]["final"]
    assert result.stderr.startswith("bobing: line 3: ")
    assert f"[{code}]" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize(
    "raw", [b"\0" * 1000, b"\x89PNG\r\n\x1a\n\0\0", b"NaN", b"null", b'""', b"{", b'{"a":1e999}', b"7"]
)
def test_garbage_is_refused_without_a_traceback(raw):
    result = run([raw])
    assert result.exit_code == 2
    assert json.loads(result.stdout)["final"]
    assert isinstance(result.exception, SystemExit)


def test_ten_megabytes_on_one_line_are_refused_without_being_read():
    result = run([b"4" * 10_000_000])
    assert (result.exit_code, len(result.stderr) < 200) == (2, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--seats", "1"], "act/bad_seats"),
        (["--seats", "501"], "act/bad_seats"),
        (["--seats", "-3"], "act/bad_seats"),
        (["--seats", "3", "--start", "3"], "act/unknown_seat"),
        (["--seats", "3", "--start", "-1"], "act/unknown_seat"),
        (["--seats", "three"], "cli/bad_call"),
        ([], "cli/bad_call"),
        (["--seats", "3", "--rules", "S4"], "rules/not_a_sheet"),
        (["--seats", "3", "no-such-file"], "cli/no_file"),
        (["--seats", "3", "/"], "cli/no_file"),
        (["--seats", "3", "a", "b"], "cli/bad_call"),
        (["--seats", "9" * 5000], "cli/bad_call"),
    ],
)
def test_a_bad_call_is_refused(words, code):
    result = CliRunner().invoke(command, [*words, "--json", "--lang", "en"], input=b"")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"[{code}]" in result.stderr
    assert len(result.stderr) < 500


def test_acts_are_read_from_a_file(tmp_path):
    file = tmp_path / "acts.jsonl"
    file.write_text('{"seat":0,"roll":"123456"}', "utf-8")
    assert answers([], str(file))[0]["n"] == 1
    assert answers([throw(0, "123456")], "-")[0]["n"] == 1


def test_each_answer_is_sent_before_the_next_act_is_read():
    call = [sys.executable, "-m", "bobing", "referee", "--seats", "2", "--json"]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ)) as process:
        assert process.stdin
        assert process.stdout
        for n, seat in ((1, 0), (2, 1)):
            process.stdin.write(json.dumps(throw(seat, "122356")).encode() + b"\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 20)[0], "no answer within 20 s"
            assert json.loads(process.stdout.readline())["n"] == n
        process.stdin.close()
        assert json.loads(process.stdout.readline())["final"]
    assert process.returncode == 0


def test_a_reader_that_goes_away_is_no_traceback():
    acts = (json.dumps(throw(n % 2, "122356")) + "\n" for n in range(5000))
    call = f"{sys.executable} -m bobing referee --seats 2 --json | head -n 1"
    done = subprocess.run(call, shell=True, input="".join(acts).encode(), capture_output=True, check=False)
    assert json.loads(done.stdout)["n"] == 1
    assert done.stderr == b""


def whole_game(key, seed, seats=4):
    """The acts of a whole game with throws, spills and roll-offs as they fall."""
    dice, game = random.Random(seed), Game.new(find_sheet(key), seats)
    from bobing.core.act_json import act_to_json
    from bobing.core.acts import RollOff, Spill, Throw

    while not game.finished:
        seat = game.next_seat
        assert seat is not None
        faces = tuple(dice.randint(1, 6) for _ in range(6))
        if game.state.rolloff:
            act = RollOff(seat, faces[: game.state.rolloff.dice])
        elif dice.random() < 0.02:
            act = Spill(seat)
        else:
            roll = Roll((dice.choice((1, 2, 4)),) * 6) if dice.random() < 0.01 else Roll(faces)
            needed = game.grab_for(roll)
            hands = None if needed is None else {
                tier: tuple(dice.randrange(seats) for _ in range(cakes)) for tier, cakes in needed.items()
            }  # fmt: skip
            act = Throw(seat, roll, grab=hands)
        game = game.play(act)
        yield act_to_json(act)


@pytest.mark.parametrize("key", sheet_keys())
def test_a_whole_game_is_refereed_under_every_sheet_and_told_in_every_language(key):
    acts = list(whole_game(key, key))
    told = answers(acts, seats=4, rules=key)
    *each, last = told
    assert [answer["n"] for answer in each] == list(range(1, len(acts) + 1))
    assert [answer["act"] for answer in each] == acts
    assert last["finished"]
    rules = find_sheet(key)
    held = [seat.get(tier.key, 0) for seat in last["seats"] for tier in rules.tiers]
    assert sum(held) <= sum(rules.cakes.values())
    for lang in ("zh-Hans", "zh-Hant", "en"):
        plain = run(acts, seats=4, rules=key, lang=lang, as_json=False)
        assert plain.exit_code == 0
        assert "{" not in plain.stdout


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 600) | st.sampled_from(["444411", "222222", "yixiu", "effect", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["seat", "dice", "yixiu"]), inner),
    max_leaves=6,
)
keys = st.sampled_from(
    [
        *("seat", "roll", "spill", "cocked", "pass", "leave", "back", "join", "swap", "start", "rolloff", "time_up"),
        *("close", "undo", "correct", "act", "cut", "grab", "choose", "waive", "item"),
    ]
)  # fmt: skip


@given(st.lists(st.dictionaries(keys, json_values, max_size=4), max_size=6))
def test_no_object_makes_it_fail(lines):
    result = run(lines, seats=2, rules="003T")
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code in (0, 1)
    assert json.loads(result.stdout.splitlines()[-1])["final"]
    plain = run(lines, seats=2, rules="003T", lang="zh-Hant", as_json=False)
    assert plain.exit_code == result.exit_code, plain.exception


@given(st.lists(st.binary(max_size=60), max_size=3))
def test_no_bytes_make_it_fail(raw):
    result = run([b"\n".join(raw)])
    assert isinstance(result.exception, SystemExit | None)
    assert result.exit_code in (0, 1, 2)
    assert json.loads(result.stdout.splitlines()[-1])["final"]


def test_the_standing_names_the_items(tmp_path):
    house = tmp_path / "quilts.toml"
    kinds = "".join(f'[[prizes.duitang]]\nname = "{name}"\ncount = 1\n' for name in ("silk", "cotton"))
    house.write_text(f'key = "quilts"\nextends = "S12"\n{kinds}', "utf-8")
    told = run([throw(0, "123456", item={"duitang": "cotton"})], rules=str(house), as_json=False)
    assert "seat 0: 1 × Straight (cotton)" in told.output
