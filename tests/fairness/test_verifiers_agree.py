"""The library and the one-file verifier of the documents say the same of random games."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bobing.core.act_json import act_from_json
from bobing.core.catalogue import find_sheet
from bobing.core.errors import ActRefused
from bobing.core.game import Game
from bobing.core.record import read_record
from bobing.fairness import verify
from bobing.fairness.verify import verify_record
from support import fair_games
from support.fair_absence import cheated
from support.fair_corrections import corrected_records
from support.fair_games import ROUND, SIGNATURE, fair_record, grab_record
from support.forging import rechained
from support.standalone import standalone

VECTORS = Path(__file__).parents[2] / "vectors"


ALONE_CODE, DRAND = standalone("verify_standalone"), standalone("drand_standalone")


def told_alone(lines):
    game, receipt = ALONE_CODE.verify(lines)
    throws = [(n, seat, k, verdict, seats_in(why)) for n, seat, k, verdict, why in game.results]
    return throws, len(game.faults), game.restarts, game.voids, game.late, game.lost, game.signs, receipt


def seats_in(why):
    """The seats whose devices do not vouch for a draw, as the one file says it."""
    said = re.search(r"seats (\[.*?\])", why)
    return json.loads(said[1]) if said else []


def told_here(lines):
    record = read_record(lines)
    report = verify_record(record)
    throws = [(one.n, one.seat, one.k, one.verdict, list(one.unheard)) for one in report.throws]
    seats = (list(report.late), list(report.lost))
    return throws, len(report.faults), report.restarts, report.voids, *seats, report.signs, record.last_hash


@pytest.fixture(autouse=True)
def signatures_known(monkeypatch):
    monkeypatch.setattr(verify, "verify_beacon", lambda _plan, _beacon: None)
    monkeypatch.setattr(ALONE_CODE, "is_signed", lambda _number, _signature: True)


def agree(seeds):
    throws = 0
    for seed in seeds:
        data, verdicts = fair_record(seed)
        lines = data.splitlines(keepends=True)
        here = told_here(lines)
        assert told_alone(lines) == here, seed
        assert here[1] == 0, seed
        found = verify_record(read_record(lines)).throws
        assert verdicts == [(one.n, one.seat, one.k, one.verdict, list(one.unheard)) for one in found], seed
        throws += len(here[0])
    return throws


def test_random_games():
    assert agree(range(25)) > 500


@pytest.mark.deep
def test_a_thousand_random_games():
    assert agree(range(1_000)) > 20_000


def test_corrections_put_no_dice_where_none_were_drawn():
    for what, (data, known) in corrected_records().items():
        lines = data.splitlines(keepends=True)
        alone, here = told_alone(lines), told_here(lines)
        assert [(n, seat, verdict) for n, seat, _, verdict, _ in here[0]] == known, what
        assert [(n, seat, verdict) for n, seat, _, verdict, _ in alone[0]] == known, what
        assert alone[1:] == here[1:], what
        assert here[1] == 0, what


@pytest.mark.parametrize("change", [{"undo": 1}, {"correct": 1, "act": {"seat": 0, "pass": True}}])
def test_a_change_is_corrected_into_nothing(change):
    acts = [{"seat": 0, "roll": "123456"}, change, {"correct": 2, "act": {"seat": 0, "roll": "444411"}}]
    rest = dict.fromkeys(("combination", "finished", "moves", "next", "notes", "proof", "skipped", "title"))
    header = json.loads(fair_record(0, 1)[0].splitlines()[0])
    lines = [{"act": act, "n": n, "struck": [], **rest} for n, act in enumerate(acts, 1)]
    assert not ALONE_CODE.verify(rechained([header, *lines[:2]]))[0].faults
    assert [n for n, _ in ALONE_CODE.verify(rechained([header, *lines]))[0].faults] == [3]
    game = Game.new(find_sheet("S12"), 3).play(act_from_json(acts[0])).play(act_from_json(change))
    with pytest.raises(ActRefused, match="itself a change"):
        game.play(act_from_json(acts[2]))


def test_who_begins_is_not_thrown_for_once_the_game_has_begun():
    """Else a draw that does not suit could be used up so."""
    data, _ = fair_record(0, 12)
    lines = [json.loads(line) for line in data.splitlines()]
    thrown = next(line for line in lines if line.get("proof") and "roll" in line["act"])
    seat, k = thrown["proof"]["seat"], thrown["proof"]["k"]
    act = {"start": {"seat": seat, "dice": thrown["act"]["roll"][:2]}}
    late = {**thrown, "act": act, "n": thrown["n"] + 1, "proof": {**thrown["proof"], "k": k + 1}}
    first = [line for line in lines[: lines.index(thrown) + 1] if "name" not in line]
    [*_, (_, _, _, verdict, why)] = ALONE_CODE.verify(rechained([*first, late]))[0].results
    assert verdict == "FAILED"
    assert "the game had begun" in why


def test_games_without_a_proof():
    for path in sorted((VECTORS / "games").glob("*.jsonl")):
        lines = path.read_bytes().splitlines(keepends=True)
        assert told_alone(lines) == told_here(lines)


def test_undos_cost_no_more_in_a_long_record(monkeypatch):
    """A file of megabytes keeps nobody busy: what an undo takes back, however much, is found in a few steps."""
    steps = 0

    class Counted(ALONE_CODE.Place):
        @property
        def before(self):
            nonlocal steps
            steps += 1
            return self._before

        @before.setter
        def before(self, place):
            self._before = place

    monkeypatch.setattr(ALONE_CODE, "Place", Counted)
    header, *_ = (json.loads(line) for line in fair_record(0)[0].splitlines())
    passes = [{"seat": 0, "pass": True}] * 2_000
    undos = [{"undo": 1} if i % 2 == 0 else {"undo": len(passes) + i} for i in range(2_000)]  # all of it, and back
    rest = dict.fromkeys(("combination", "finished", "moves", "next", "notes", "proof", "skipped", "title"))
    acts = [{"act": act, "n": n, "struck": [], **rest} for n, act in enumerate([*passes, *undos, {"undo": 2_000}], 1)]
    game, _ = ALONE_CODE.verify(rechained([header, *acts]))
    assert (game.faults, game.line.n) == ([], 1_999)
    assert steps < 30 * len(acts)


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
            faces, *_ = ALONE_CODE.dice(game, seed, throw["seat"], throw["k"], server, player, 0)
            assert faces == throw["faces"]


def test_drand_alone_knows_what_the_network_signed():
    signature = bytes.fromhex(SIGNATURE)
    assert DRAND.is_signed(ROUND, signature)
    assert not DRAND.is_signed(ROUND + 1, signature)
    other = DRAND.multiple(2, DRAND.point(signature))
    assert not DRAND.is_signed(ROUND, packed(other)), "a point of the group, and not signed"
    for bad in (bytes(48), b"\xc0" + bytes(47), b"\xff" * 48, signature[:47], signature + b"0"):
        assert not DRAND.is_signed(ROUND, bad)


def packed(point):
    x, y = point
    return (x | (5 if y > DRAND.P - y else 4) << 381).to_bytes(48, "big")


def test_drand_alone_takes_no_point_of_another_group():
    """Points of the curve that are not in the group of the signatures: most are of that kind."""
    found = [DRAND.root(x**3 + 4) and (x, DRAND.root(x**3 + 4)) for x in range(1, 12)]
    strangers = [point for point in found if point]
    assert strangers
    assert not any(DRAND.point(packed(point)) for point in strangers)


@pytest.mark.parametrize("seed", range(4))
def test_drand_alone_hashes_as_another_library_does(seed):
    from hashlib import sha256

    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.optimized_bls12_381.optimized_curve import normalize

    message = bytes([seed]) * 32
    hasher: Any = sha256
    there = normalize(hash_to_G1(message, DRAND.DOMAIN, hasher))
    assert DRAND.hashed(message) == tuple(int(value) for value in there)


def test_without_drand_beside_it_the_one_file_calls_nothing_proved_b(monkeypatch):
    monkeypatch.setattr(ALONE_CODE, "is_signed", None)
    seeds = [seed for seed in range(40) if b'"plan":"01' in fair_record(seed, 6)[0]][:2]
    for seed in seeds:
        game, _ = ALONE_CODE.verify(fair_record(seed)[0].splitlines(keepends=True))
        assert {"PROVED-A"} <= {result[3] for result in game.results} <= {"PROVED-A", "PROXY"}
        assert "not checked" in game.note
        assert not game.faults
    assert len(seeds) == 2


def test_a_forged_round_of_drand_is_told_by_the_one_file(monkeypatch):
    monkeypatch.setattr(ALONE_CODE, "is_signed", DRAND.is_signed)
    seed = next(seed for seed in range(40) if b'"plan":"01' in fair_record(seed, 6)[0])
    game, _ = ALONE_CODE.verify(fair_record(seed, 6)[0].splitlines(keepends=True))
    assert "PROVED-B" in {result[3] for result in game.results}
    monkeypatch.setattr(fair_games, "SIGNATURE", SIGNATURE[:-2] + "00")  # and J, the signs and all dice as they follow
    game, _ = ALONE_CODE.verify(fair_record(seed, 6)[0].splitlines(keepends=True))
    assert "drand did not sign this" in str(game.faults)


def test_a_grab_goes_as_the_dice_say():
    values = [json.loads(line) for line in grab_record().splitlines()]
    thrown = next(value for value in values if value.get("proof"))
    grab = thrown["act"]["grab"]
    assert len(grab["yixiu"]) == 32
    assert ALONE_CODE.verify(rechained(values))[0].results[0][3] in ("PROVED-A", "PROVED-B", "PROXY")
    assert verify_record(read_record(rechained(values))).sound
    grab["yixiu"] = grab["yixiu"][1:] + grab["yixiu"][:1]
    results = ALONE_CODE.verify(rechained(values))[0].results
    assert (results[0][3], results[0][4]) == ("FAILED", "others got the cakes of the grab")
    assert verify_record(read_record(rechained(values))).throws[0].verdict == "FAILED"


def test_the_vector_of_who_came_while_another_was_away():
    data = (VECTORS / "fairness" / "came-in-absence.jsonl").read_bytes()
    assert data == cheated("one left", 1).record(), "the format changed: write it anew, and say so"
    lines = data.splitlines(keepends=True)
    assert told_alone(lines) == told_here(lines)
    assert told_here(lines)[:2] == ([*told_here(lines)[0][:-1], (11, 3, 1, "PROXY", [1])], 0)
