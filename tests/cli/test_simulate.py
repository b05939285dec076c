"""`bobing simulate`: figures as text and as JSON, refusals, a stop."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from bobing.cli.simulate import _prepare, command
from bobing.odds.simulate import is_prepared
from bobing.odds.simulate.kernel import play_block


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(command, [*words, "--lang", lang])


def test_json_has_the_figures_with_their_errors():
    told = json.loads(run("--rules", "S12", "--players", "4", "--games", "20000", "--seed", "3", "--json").output)
    assert (told["rules"], told["players"], told["games"], told["seed"], told["exact"]) == (
        "referee-order",
        4,
        20000,
        3,
        False,
    )
    assert {"mean", "sd", "median", "p90", "p95", "p99", "error"} <= told.keys()
    assert set(told["cakes"]) == {"zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"}
    assert [len(seats) for seats in told["cakes"].values()] == [4] * 6
    assert sum(chance for chance, _ in told["champion"]) == pytest.approx(1 - told["no_champion"][0])
    assert sum(chance for chance, _ in told["ended_by"].values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh-Hans", "先手得"),
        ("zh-Hant", "擲"),
        ("en", "Simulated, not exact, standard errors behind ±; seed 0 gives the same again."),
    ],
)
def test_text_in_every_language(lang: str, words: str):
    done = run("--rules", "five-groups", "--games", "10000", lang=lang)
    assert done.exit_code == 0
    assert words in done.output


def test_every_figure_has_its_standard_error():
    lines = run("--rules", "S12", "--games", "2000").output.splitlines()
    assert lines[1].count("±") == 2
    assert lines[2].count("±") == 4
    assert {line.count("±") for line in lines[5:11]} == {4}


def test_one_game_says_that_it_has_none():
    said = run("--games", "1").output
    assert "1 game simulated" in said
    assert "from one game no standard error can be told" in said
    assert "±" not in said


@pytest.mark.parametrize(("kept", "said"), [(False, ["Preparing"]), (True, [])])
def test_who_waits_for_the_first_run_is_told_at_once(monkeypatch: pytest.MonkeyPatch, kept: bool, said: list[str]):
    heard: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("bobing.cli.simulate.is_prepared", lambda: kept)
    monkeypatch.setattr("bobing.cli.simulate.click.echo", lambda line, err: heard.append(line.split("…")[0]))
    _prepare("en")
    assert heard == said


def test_what_was_compiled_once_is_at_hand_and_elsewhere_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    run("--games", "10")
    assert is_prepared()
    monkeypatch.setattr(play_block, "_cache", SimpleNamespace(cache_path=str(tmp_path)))
    assert not is_prepared()


def test_refusals():
    assert run("--players", "1").exit_code == 2
    assert "[odds/bad_seats]" in run("--players", "1").output
    assert "[odds/bad_games]" in run("--games", "0").output
    assert "没有这" not in run("--spills", "1", lang="zh-Hans").output
    assert "[odds/bad_spills]" in run("--spills", "1", lang="zh-Hans").output


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches a child process otherwise there")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path):
    state = tmp_path / "long.json"
    call = [sys.executable, "-m", "bobing", "simulate", "--lang", "en", "--games", "1000000000", "--state", str(state)]
    with subprocess.Popen(call, stderr=subprocess.PIPE) as long:
        for _ in range(600):
            if state.exists():
                break
            time.sleep(0.1)
        long.send_signal(signal.SIGINT)
        try:
            _, said = long.communicate(timeout=60)
        finally:
            long.kill()
    assert long.returncode == 130
    assert b"the same command goes on" in said
    assert json.loads(state.read_text())["totals"]["games"] > 0
