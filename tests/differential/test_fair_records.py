"""The page's verifier, run outside a browser, says of random games what these games know of themselves."""

import importlib.util
import json
import os
import subprocess
from pathlib import Path
from random import Random

import pytest

from support.fair_absence import WAYS, cheated
from support.fair_corrections import corrected_records
from support.fair_games import fair_record, grab_record
from support.fair_steering import TRIES, steered
from support.forging import rechained

WEB = Path(__file__).parents[2] / "web"


def _program():
    spec = importlib.util.spec_from_file_location("build", WEB / "build.py")
    assert spec
    assert spec.loader
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build.node_and_npm()[0]


def checked_by_the_page(files):
    """What `web/scripts/check_records.mjs` says of each file, in their order."""
    done = subprocess.run(
        [_program(), "scripts/check_records.mjs", "--any-signature"],
        input="".join(f"{file}\n" for file in files),
        cwd=WEB,
        env={**os.environ, "CI": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("games", [40, pytest.param(1000, marks=pytest.mark.deep)])
def test_random_games_are_proved_throw_by_throw(games, tmp_path):
    known = [fair_record(seed) for seed in range(games)]
    files = [tmp_path / f"{seed}.jsonl" for seed in range(games)]
    for file, (data, _) in zip(files, known, strict=True):
        file.write_bytes(data)
    found = checked_by_the_page(files)
    assert [one.get("faults") for one in found] == [[]] * games
    for one, (_, verdicts) in zip(found, known, strict=True):
        assert [tuple(judged) for judged in one["throws"]] == verdicts, one["file"]
    assert {verdict for _, verdicts in known for *_, verdict, _ in verdicts} == {"PROVED-A", "PROVED-B", "PROXY"}
    assert any(unheard for _, verdicts in known for *_, unheard in verdicts)
    assert all(any(one[what] for one in found) for what in ("restarts", "voids", "late", "lost"))


def test_who_comes_while_honest_phones_are_away_is_not_called_proved(tmp_path):
    ways = [(way, grey) for way in WAYS for grey in (False, True)]
    tables = [cheated(way, 1, grey=grey) for way, grey in ways]
    files = [tmp_path / f"{i}.jsonl" for i in range(len(ways))]
    for file, table in zip(files, tables, strict=True):
        file.write_bytes(table.record())
    for (way, grey), table, found in zip(ways, tables, checked_by_the_page(files), strict=True):
        away = [] if way == "stayed" else [1] if grey or way == "one left" else [1, 2]
        assert found["faults"] == []
        verdict = "PROXY" if away else "PROVED-A"
        assert found["throws"][-1][1:] == [table.late, table.k, verdict, away], (way, grey)


def test_corrections_put_no_dice_where_none_were_drawn(tmp_path):
    known = corrected_records()
    files = [tmp_path / f"{what}.jsonl" for what in known]
    for file, (data, _) in zip(files, known.values(), strict=True):
        file.write_bytes(data)
    for found, (what, (_, verdicts)) in zip(checked_by_the_page(files), known.items(), strict=True):
        assert found["faults"] == [], what
        assert [(n, seat, verdict) for n, seat, _, verdict, _ in found["throws"]] == verdicts, what


def test_a_changed_file_is_refused(tmp_path):
    rng, files = Random(8), []
    for seed in range(12):
        lines = fair_record(seed, 12)[0].splitlines()
        at = rng.choice([i for i, line in enumerate(lines) if not line.startswith(b'{"name"')])  # those prove nothing
        line = bytearray(lines[at])
        line[rng.randrange(len(line))] ^= 1
        lines[at] = bytes(line)
        files.append(tmp_path / f"{seed}.jsonl")
        files[-1].write_bytes(b"".join(one + b"\n" for one in lines))
    assert ["refused" in one for one in checked_by_the_page(files)] == [True] * 12


def test_a_grab_goes_as_the_dice_say(tmp_path):
    values = [json.loads(line) for line in grab_record().splitlines()]
    (tmp_path / "right.jsonl").write_bytes(b"".join(rechained(values)))
    grab = next(value for value in values if value.get("proof"))["act"]["grab"]
    grab["yixiu"] = grab["yixiu"][1:] + grab["yixiu"][:1]
    (tmp_path / "wrong.jsonl").write_bytes(b"".join(rechained(values)))
    right, wrong = checked_by_the_page([tmp_path / "right.jsonl", tmp_path / "wrong.jsonl"])
    assert [one[3] for one in right["throws"]] != ["FAILED"]
    assert [one[3] for one in wrong["throws"]] == ["FAILED"]


def test_nothing_that_is_known_already_serves_again(tmp_path):
    files = [tmp_path / f"{i}.jsonl" for i in range(len(TRIES))]
    for file, what in zip(files, TRIES, strict=True):
        file.write_bytes(steered(what).record())
    faults = [found["faults"] for found in checked_by_the_page(files)]
    early = {"fair/early_beacon": ["time"], "fair/order": ["time"], "fair/wrong_game": ["heads"]}
    assert faults == [early[code] for _, code, _ in TRIES.values()]
