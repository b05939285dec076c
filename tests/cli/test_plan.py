"""`bobing plan`: from flags and from a file, in words and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bobing.cli.plan import command


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(command, [*words, "--lang", lang])


def test_flags_lie_over_the_file(tmp_path: Path):
    file = tmp_path / "evening.toml"
    file.write_text("people = 40\ntables = 3\n[prizes]\nyixiu = 3.5\nzhuangyuan = 299\n", "utf-8")
    told = json.loads(run(str(file), "--tables", "4", "--price", "yixiu=1", "--json").output)
    assert told["tables"] == [{"seats": 10, "tables": 4}]
    assert told["cost"]["tiers"] == {
        "zhuangyuan": 4 * 29_900, "duitang": 0, "sanhong": 0, "sijin": 0, "erju": 0, "yixiu": 4 * 32 * 100,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh-Hans", "一局没有状元的机会是48.4 %：10 局里平均有 4.8 局没有。"),
        ("zh-Hant", "還可以這樣"),
        ("en", "with a chance of 48.4 %"),
    ],
)
def test_the_truth_is_told_in_every_language(lang: str, words: str):
    done = run("--people", "100", "--ending", "throws", "--throws-each", "6", "--pot", "5000", lang=lang)
    assert done.exit_code == 0
    assert words in done.output


def test_in_time_is_told_of_one_table_and_of_all():
    told = run("--people", "40", "--minutes", "60").output
    assert "within 60 minutes: one table 84.4 %; all 4 tables 50." in told
    assert "within 60 minutes: 84.4 %" in run("--people", "10", "--minutes", "60").output


@pytest.mark.parametrize(
    ("ending", "lang", "words"),
    [
        (("throws", "--throws-each", "6"), "en", "Throws at a table: 60, about 12 minutes"),
        (("throws", "--throws-each", "6"), "zh-Hans", "每桌掷 60 次，约 12 分钟"),
        (("time", "--minutes", "40"), "en", "Throws at a table: 200 in most cases and never more"),
        (("all-gone",), "en", "90 % within 328"),
    ],
)
def test_a_number_of_throws_that_is_given_is_one_sentence(ending: tuple[str, ...], lang: str, words: str):
    told = run("--people", "10", "--rules", "S2", "--ending", *ending, lang=lang).output
    assert words in told
    assert ("99 %" in told.split("\n\n")[1]) == (ending == ("all-gone",))


def test_one_table_has_no_each():
    assert "1 桌 14 人" in run("--people", "14", "--tables", "1", lang="zh-Hans").output
    assert "2 桌各 7 人" in run("--people", "14", "--tables", "2", lang="zh-Hans").output


def test_all_that_keeps_people_waiting_is_named():
    line = next(line for line in run("--people", "10").output.splitlines() if line.startswith("What keeps you"))
    shares = [float(found) for found in re.findall(r"([\d.]+) %", line)]
    assert sum(shares) == pytest.approx(100, abs=0.3)


def test_refusals(tmp_path: Path):
    assert "[odds/missing_key]" in run().output
    assert "[odds/bad_plan]" in run("--people", "10", "--price", "yixiu").output
    assert "[cli/no_file]" in run(str(tmp_path / "none.toml")).output
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff")
    done = run(str(bad))
    assert (done.exit_code, "[odds/no_toml]" in done.output) == (2, True)
