"""The command `bobing` itself: help, wrong calls, the language before the command, closed and full streams, pipes."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bobing import __version__
from bobing.cli import COMMANDS, inputs, main
from bobing.core.acts import SEATS_MAX
from bobing.i18n import LANGUAGES, text
from golden_games import FOLDER

BOBING = shlex.quote(str(Path(sys.executable).with_name("bobing")))
GAME = FOLDER / "minnan-undo-correct.jsonl"


def run(*words):
    return CliRunner(env={"LC_ALL": "C"}).invoke(main, words, prog_name="bobing")


def shell(line, folder):
    """A line for the shell, in which `bobing` is the command as it is installed."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(folder)}
    line = f'bobing() {{ {BOBING} "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


# ---- help and wrong calls -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("rules",), ("record",), ("db",)])
def test_a_group_without_a_command_prints_its_whole_help(words):
    bare, asked = run(*words), run(*words, "--help")
    assert (bare.exit_code, asked.exit_code) == (2, 0)
    assert bare.stderr == asked.stdout
    assert "cli/bad_call" not in bare.stderr
    assert "…" not in bare.stderr


@pytest.mark.parametrize("words", [(), ("rules",), ("record",)])
def test_a_group_with_a_language_alone_prints_its_help_in_it(words):
    assert "用法：" in run(*words, "--lang", "zh-Hans").stderr
    assert "選項" in run(*words, "--lang", "zh-Hant").stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_names_every_command(lang):
    output = run("--lang", lang, "--help").output
    assert [name for name in COMMANDS if f"\n  {name} " not in output] == []
    assert ("Usage:" in output) == (lang == "en")


def test_the_version_is_told():
    assert __version__ in run("--version").output


@pytest.mark.parametrize("group", [(), ("rules",)])
def test_an_unknown_command_is_refused_with_a_sentence_and_a_code(group):
    result = run(*group, "foo")
    assert result.exit_code == 2
    path = " ".join(("bobing", *group))
    assert result.stderr == f"bobing: No such command 'foo'. [cli/bad_call]\nTry: {path} --help\n"


def test_the_nearest_command_is_named():
    assert "'rules'" in run("rulse").stderr
    assert "'census'" in run("rules", "cenus").stderr


@pytest.mark.parametrize(
    "words", [("--lang", "zh-Hans", "foo"), ("foo", "--lang", "zh-Hans"), ("--lang=zh-Hans", "foo")]
)
def test_an_unknown_command_is_refused_in_the_language_of_the_call(words):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("bobing: 命令写得不对")
    assert "[cli/bad_call]\n用法见：" in result.stderr


def test_the_language_may_stand_before_the_command():
    behind = run("score", "444411", "--lang", "zh-Hans")
    assert run("--lang", "zh-Hans", "score", "444411").output == behind.output
    assert "得饼" in behind.output


def test_the_language_behind_the_command_counts_more():
    assert "  wins " in run("--lang", "zh-Hans", "score", "444411", "--lang", "en").output


def test_an_unknown_language_before_the_command_is_refused():
    result = run("--lang", "fr", "score", "444411")
    assert result.exit_code == 2
    assert "[cli/bad_call]" in result.stderr


# ---- rules that nobody named ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("empty", ["''", "' '"])
@pytest.mark.parametrize(
    "call",
    [
        "bobing score 444411 --rules {}",
        "bobing referee --seats 3 --rules {}",
        "bobing play --script --rules {}",
        "bobing rules show {}",
        "bobing rules check {}",
    ],
)
def test_empty_rules_are_not_the_default_sheet(call, empty, tmp_path):
    done = shell(f"{call.format(empty)} </dev/null", tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.endswith(" [rules/unknown_sheet]\n")
    assert len(done.stderr) < 200


# ---- streams that are closed or full --------------------------------------------------------------------------------


def test_closed_input_is_a_game_without_acts(tmp_path):
    done = shell("bobing referee --seats 2 --json <&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["final"] is True


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("bobing record verify -", "cli/no_file"),
        ("bobing record show -", "cli/no_file"),
        ("bobing play --script", "cli/no_file"),
        ("bobing play", "play/no_terminal"),
    ],
)
def test_closed_input_is_refused_where_something_has_to_be_read(call, code, tmp_path):
    done = shell(f"{call} <&-", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bobing: ")
    assert done.stderr.endswith(f" [{code}]\n")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("call", "key", "code"),
    [
        ("play", "no_terminal", "play/no_terminal"),
        ("play --script --players 1", "wrong_players", "play/bad_players"),
        ("play --script --resume", "nothing_to_resume", "play/nothing_to_resume"),
        ("play --script --save here.jsonl", "save_exists", "save/exists"),
    ],
)
def test_what_is_refused_in_the_language_of_the_call_is_said_once(lang, call, key, code, tmp_path):
    (tmp_path / "here.jsonl").touch()
    done = shell(f"bobing {call} --lang {lang} </dev/null", tmp_path)
    values = {"low": 2, "high": SEATS_MAX, "folder": tmp_path / "bobing" / "games", "path": "here.jsonl"}
    assert (done.returncode, done.stderr) == (2, f"bobing: {text(lang, f'play.{key}', **values)} [{code}]\n")


def test_input_that_cannot_be_read_stops_the_referee_with_the_final_line(tmp_path):
    done = shell("bobing referee --seats 2 --json 0>only-written", tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["final"] is True
    assert done.stderr.endswith(" [cli/no_file]\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a file that is always full")
@pytest.mark.parametrize("call", ["bobing score 444411", "bobing rules list", "bobing --help"])
def test_a_full_disk_is_told(call, tmp_path):
    done = shell(f"{call} >/dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("bobing: ")
    assert done.stderr.endswith(" [cli/no_output]\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("call", ["bobing score 444411", "bobing rules list"])
def test_closed_output_is_told(call, tmp_path):
    done = shell(f"{call} >&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, "bobing: standard output is closed [cli/no_output]\n")
    assert shell(f"{call} >&- 2>&-", tmp_path).returncode == 2


def test_a_reader_that_goes_away_is_no_fault_to_tell_of(tmp_path):
    done = shell("bobing rules show S12 | head -n 1; exit ${PIPESTATUS[0]}", tmp_path)
    assert (done.returncode, done.stderr) == (1, "")


# ---- pipes in the place of files ------------------------------------------------------------------------------------


def test_what_another_command_writes_is_read_as_a_file(tmp_path):
    assert shell(f"bobing record verify <(cat {shlex.quote(str(GAME))})", tmp_path).returncode == 0
    done = shell("""bobing rules check --json <(printf 'extends = "S12"\n[cakes]\nyixiu = 40\n')""", tmp_path)
    assert json.loads(done.stdout)["extends"] == "S12"
    done = shell("mkfifo p; printf '\\xff\\n' >p & bobing rules check p", tmp_path)
    assert "[rules/no_toml]" in done.stderr


def test_a_pipe_that_nobody_writes_into_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "PIPE_SECONDS", 0.1)
    pipe = tmp_path / "p.toml"
    os.mkfifo(pipe)
    for words, code in ((("rules", "check"), "rules/no_file"), (("record", "verify"), "cli/no_file")):
        result = run(*words, str(pipe))
        assert result.exit_code == 2
        assert "nobody wrote into this pipe" in result.stderr
        assert f"[{code}]" in result.stderr
