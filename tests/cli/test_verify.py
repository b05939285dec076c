"""`bobing verify`: verdicts, counts, exit codes, three languages."""

import json

import pytest
from click.testing import CliRunner

from bobing.cli import main
from bobing.core.record import read_record
from bobing.fairness.verify import verify_record
from bobing.i18n import text
from support.fair_games import fair_record
from support.forging import rechained


def run(*args):
    return CliRunner().invoke(main, ["verify", *map(str, args)], catch_exceptions=False)


@pytest.fixture
def saved(tmp_path):
    """A file with a proved game without a round of drand, which would take seconds, in which much happens."""
    for seed in range(100):
        data, _ = fair_record(seed, 30)
        if all(part in data for part in (b'"t":"late"', b'"t":"lost"', b'"t":"void"')) and b"52db9ba7" not in data:
            path = tmp_path / "evening.jsonl"
            path.write_bytes(data)
            return path
    raise AssertionError("no such game")


def names(record, seats):
    return ", ".join(record.names.get(seat) or text("en", "verify.seat", n=seat) for seat in seats)


def test_one_line_a_throw_and_what_happened_beside(saved):
    result = run(saved, "--lang", "en")
    record = read_record(saved.read_bytes().splitlines(keepends=True))
    report = verify_record(record)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert len(lines) > len(report.throws)
    for line, one in zip(lines, report.throws, strict=False):
        assert line.split()[:2] == [str(one.n), one.verdict]
        word = "unheard" if one.unheard else one.verdict.lower().replace("-", "_")
        assert line.endswith(f"draw {one.k}  {text('en', f'verify.word_{word}', who=names(record, one.unheard))}")
    came_without = sum(bool(one.unheard) for one in report.throws)
    assert came_without, "somebody came while a phone was away"
    assert text("en", "verify.unheard", n=came_without) in result.output
    assert f"Void attempts: {report.voids}" in result.output
    assert "Came late: seat" in result.output
    assert "Everything that the record claims holds." in result.output


@pytest.mark.parametrize(("lang", "said"), [("zh-Hans", "记录所说的全部成立"), ("zh-Hant", "記錄所說的全部成立")])
def test_it_speaks_chinese(saved, lang, said):
    result = run(saved, "--lang", lang)
    assert (result.exit_code, said in result.output) == (0, True)


def test_json_says_the_same(saved):
    found = json.loads(run(saved, "--json").output)
    record = read_record(saved.read_bytes().splitlines(keepends=True))
    report = verify_record(record)
    assert (found["sound"], found["version"], found["receipt"]) == (True, "record/2", record.last_hash)
    assert [(one["n"], one["verdict"]) for one in found["throws"]] == [(one.n, one.verdict) for one in report.throws]
    assert (found["voids"], found["restarts"], found["lost"]) == (report.voids, report.restarts, list(report.lost))


def test_a_throw_that_was_not_drawn_is_named_with_seat_and_number(saved):
    values = [json.loads(line) for line in saved.read_bytes().splitlines()]
    value = next(value for value in values if value.get("proof"))
    value["proof"]["s"] = "00" * 32
    saved.write_bytes(b"".join(rechained(values)))
    result = run(saved, "--lang", "en")
    assert result.exit_code == 1
    assert f"{value['n']:>5}  FAILED" in result.output
    assert "[fair/wrong_link]" in result.output
    found = json.loads(run(saved, "--json").output)
    first = next(one for one in found["throws"] if one["verdict"] == "FAILED")
    assert (found["sound"], first["n"], first["code"]) == (False, value["n"], "fair/wrong_link")


def test_a_damaged_record_and_a_receipt_that_is_not_in_it(saved):
    assert run(saved, "--receipt", "ab" * 32).exit_code == 1
    assert run(saved, "--receipt", read_record(saved.read_bytes().splitlines(keepends=True)).last_hash).exit_code == 0
    saved.write_bytes(saved.read_bytes().replace(b'"k":1', b'"k":2', 1))
    assert run(saved).exit_code == 1
    assert json.loads(run(saved, "--json").output)["code"] == "record/broken_chain"
    assert run(saved.parent / "nothing.jsonl").exit_code == 2


def test_real_dice_are_claimed_to_be_nothing_else():
    result = run("vectors/games/time-up.jsonl", "--lang", "en")
    assert result.exit_code == 0
    assert "PHYSICAL" in result.output
    assert "Signs to compare" not in result.output
