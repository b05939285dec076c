"""The library and the one-file verifier of the documents say the same of random games."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from bobing.core.record import read_record
from bobing.fairness import verify
from bobing.fairness.verify import verify_record
from support.fair_games import fair_record
from support.forging import rechained

ALONE = Path(__file__).parents[2] / "docs" / "verify_standalone.py"
VECTORS = Path(__file__).parents[2] / "vectors"


def standalone():
    spec = importlib.util.spec_from_file_location("verify_standalone", ALONE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ALONE_CODE = standalone()


def told_alone(lines):
    game, receipt = ALONE_CODE.verify(lines)
    throws = [(n, seat, k, verdict) for n, seat, k, verdict, _ in game.results]
    return throws, len(game.faults), game.restarts, game.voids, game.late, game.lost, game.signs, receipt


def told_here(lines):
    """What the library says; a round of drand, which the file alone cannot check, counts as level A."""
    record = read_record(lines)
    report = verify_record(record)
    events: Any = record.draws.events if record.draws else ()
    drand = any(event["t"] == "attempt" and event["plan"].startswith("01") for _, event in events)
    level = {"PROVED-B": "PROVED-A"} if drand else {}
    throws = [(one.n, one.seat, one.k, level.get(one.verdict, one.verdict)) for one in report.throws]
    seats = (list(report.late), list(report.lost))
    return throws, len(report.faults), report.restarts, report.voids, *seats, report.signs, record.last_hash


@pytest.fixture(autouse=True)
def signatures_known(monkeypatch):
    monkeypatch.setattr(verify, "verify_beacon", lambda _plan, _beacon: None)


def agree(seeds):
    throws = 0
    for seed in seeds:
        data, verdicts = fair_record(seed)
        lines = data.splitlines(keepends=True)
        here = told_here(lines)
        assert told_alone(lines) == here, seed
        assert here[1] == 0, seed
        found = verify_record(read_record(lines)).throws
        assert verdicts == [(one.n, one.seat, one.k, one.verdict) for one in found], seed
        throws += len(here[0])
    return throws


def test_random_games():
    assert agree(range(25)) > 500


@pytest.mark.deep
def test_a_thousand_random_games():
    assert agree(range(1_000)) > 20_000


def test_games_without_a_proof():
    for path in sorted((VECTORS / "games").glob("*.jsonl")):
        lines = path.read_bytes().splitlines(keepends=True)
        assert told_alone(lines) == told_here(lines)


def test_forged_proofs():
    for seed in range(4):
        values = [json.loads(line) for line in fair_record(seed, 12)[0].splitlines()]
        for i, value in enumerate(values):
            if value.get("proof"):
                forged = rechained([*values[:i], {**value, "proof": {**value["proof"], "k": 99}}, *values[i + 1 :]])
                alone, here = told_alone(forged), told_here(forged)
                failed = [[one[0] for one in told[0] if one[3] == "FAILED"] for told in (alone, here)]
                assert failed[0] == failed[1]
                assert failed[0]


def test_the_vectors_byte_by_byte():
    told = json.loads((VECTORS / "fairness" / "bobing-fair-1.json").read_text("utf-8"))
    game = bytes.fromhex(told["game_id"])
    for case in told["cases"]:
        seed = bytes.fromhex(case["J"])
        assert ALONE_CODE.six_signs(seed) == case["sas"]
        for throw in case["throws"]:
            server, player = bytes.fromhex(throw["s"]), throw["c"] and bytes.fromhex(throw["c"])
            faces, _ = ALONE_CODE.dice(game, seed, throw["seat"], throw["k"], server, player, 0)
            assert faces == throw["faces"]
