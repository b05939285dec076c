"""Changes to records of proved games, with and without fresh hashes: none is taken for sound."""

import copy
import hashlib
import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from bobing.core.canonical import canonical_json
from bobing.core.errors import RecordError
from bobing.core.record import read_record
from bobing.fairness import verify
from bobing.fairness.beacon import BeaconRefused, verify_beacon
from bobing.fairness.verify import verify_record
from support import fair_games
from support.fair_games import fair_record
from support.forging import rechained
from support.standalone import standalone

SEEDS = (0, 2, 4, 5, 9, 11)
ALONE = standalone("verify_standalone")


@pytest.fixture(autouse=True)
def signatures_known(monkeypatch):
    """The one signature of drand that the records hold is checked once; here whatever differs from it is forged."""
    real = verify_beacon

    def known(plan, beacon):
        if plan[:1] == b"\x01" and beacon[43:].hex() != SIGNATURE:
            real(plan, beacon)

    monkeypatch.setattr(verify, "verify_beacon", known)


SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"


def lines_of(seed):
    return fair_record(seed, 24)[0].splitlines(keepends=True)


def verdict(lines):
    """sound, failed, or damaged."""
    try:
        record = read_record(lines)
    except RecordError:
        return "damaged"
    return "sound" if verify_record(record).sound else "failed"


def places(value, path=()):
    """All places of plain values in a JSON value."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from places(entry, (*path, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from places(entry, (*path, i))
    else:
        yield path


def changed(value, path, random):
    """A copy with another plain value at a place."""
    other = copy.deepcopy(value)
    inner = other
    for key in path[:-1]:
        inner = inner[key]
    old = inner[path[-1]]
    inner[path[-1]] = another(old, random)
    return other


def another(old, random):
    if isinstance(old, bool) or old is None:
        return not old
    if isinstance(old, int):
        return old + random.choice((1, -1, 7))
    if not old:
        return "00"
    at = random.randrange(len(old))
    signs = "0123456789abcdef" if len(old) > 6 else "123456"
    return old[:at] + random.choice([sign for sign in signs if sign != old[at]]) + old[at + 1 :]


def test_what_is_changed_is_sound_before():
    assert [verdict(lines_of(seed)) for seed in SEEDS] == ["sound"] * len(SEEDS)


def test_attack_43_no_change_of_a_byte_or_a_line_is_taken():
    """Without fresh hashes: bytes, lines taken out, doubled and put elsewhere."""
    random, tried = Random(1), 0
    for seed in SEEDS:
        lines = lines_of(seed)
        chained = [i for i, line in enumerate(lines) if not line.startswith(b'{"name"')]
        for _ in range(250):
            i = random.choice(chained)
            at = random.randrange(len(lines[i]) - 1)
            sign = random.choice([byte for byte in b'0123456789abcdef,:{}[]"x' if byte != lines[i][at]])
            line = lines[i][:at] + bytes([sign]) + lines[i][at + 1 :]
            assert verdict([*lines[:i], line, *lines[i + 1 :]]) == "damaged", (seed, i, at, sign)
            tried += 1
        for i in chained[:-1]:
            assert verdict([*lines[:i], *lines[i + 1 :]]) == "damaged"
            assert verdict([*lines[: i + 1], *lines[i:]]) == "damaged"
            assert verdict([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]) == "damaged"
            tried += 3
    assert tried >= 2_000


def is_said(values, i, path):
    """What is said and not proved, for no throw follows from it: times and reasons, which device did not answer, a seat
    that came late and did not throw yet. Whoever kept a receipt sees that it was changed all the same."""
    event = values[i].get("fair", {})
    later = [value.get("fair", {}) for value in values[i + 1 :]]
    its = [one["t"] for one in later if one.get("t") in ("late", "late_ready") and one["seat"] == event.get("seat")]
    waits = event.get("t") == "late" and its[:1] != ["late_ready"]
    return path[-1] in ("at", "why") or event.get("t") in ("void", "lost") or waits


def forged_sound(seeds, every):
    """How many changes of plain values with fresh hashes were tried, and those that were taken for sound."""
    random, taken, tried = Random(2), [], 0
    for seed in seeds:
        values = [json.loads(line) for line in lines_of(seed)]
        for i, value in enumerate(values):
            parts = {key: value[key] for key in ("fair", "proof") if value.get(key)}
            for path in list(places(parts))[random.randrange(every) :: every]:
                if is_said(values, i, path):
                    continue
                tried += 1
                if verdict(rechained([*values[:i], changed(value, path, random), *values[i + 1 :]])) == "sound":
                    taken.append((seed, i, path))
    return tried, taken


def test_no_change_with_fresh_hashes_is_taken_where_a_proof_stands():
    """Plain values of events, proofs and dice, changed by somebody who makes the chain anew."""
    tried, taken = forged_sound(SEEDS, 5)
    assert tried > 150
    assert taken == []


@pytest.mark.deep
def test_no_change_of_any_value_with_fresh_hashes_is_taken():
    tried, taken = forged_sound(range(30), 1)
    assert tried > 4_000
    assert taken == []


def test_attack_43_no_other_dice_are_taken_though_everything_that_follows_is_made_anew():
    """Other dice in an act; its consequences, all later lines and hashes as they would then be."""
    from bobing.core.act_json import act_from_json
    from bobing.core.errors import ActRefused
    from bobing.core.game import Game
    from bobing.core.record import record_lines

    random, tried = Random(3), Counter()
    for seed in SEEDS:
        lines = lines_of(seed)
        record: Any = read_record(lines)
        proofs = record.draws.proofs
        for n, entry in enumerate(record.game.log, 1):
            act = json.loads(next(line for line in lines if f'"n":{n},'.encode() in line))["act"]
            if "roll" not in act or n not in proofs:
                continue
            forged = act | {"roll": another(act["roll"], random)}
            game = Game.new(record.game.rules, record.game.seats, record.game.start)
            try:
                for m, other in enumerate(record.game.log, 1):
                    game = game.play(act_from_json(forged) if m == n else other.act)
            except ActRefused:
                tried["refused"] += 1
                continue
            found = verify_record(read_record(record_lines(game, {}, record.draws)))
            failed = [(one.seat, one.n) for one in found.throws if one.verdict == "FAILED"]
            assert (entry.act.seat, n) in failed
            tried["failed"] += 1
    assert tried["failed"] >= 50


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_missing_at_the_end_show_by_a_receipt(seed):
    lines = lines_of(seed)
    whole = read_record(lines)
    receipt = whole.last_hash
    for end in range(2, len(lines)):
        part = read_record(lines[:end])
        assert receipt not in part.hashes
        assert receipt not in part.between


def test_a_proof_taken_away_is_no_real_throw():
    values = [json.loads(line) for line in lines_of(0)]
    for i, value in enumerate(values):
        if value.get("proof"):
            assert verdict(rechained([*values[:i], {**value, "proof": None}, *values[i + 1 :]])) == "failed"


def test_attack_44_a_forged_beacon_with_everything_made_anew_is_refused_for_its_signature(monkeypatch):
    """J, the six signs and all dice follow from another signature, but drand did not make it."""
    drand = next(seed for seed in range(40) if b"52db9ba7" in fair_record(seed, 1)[0])
    monkeypatch.setattr(fair_games, "SIGNATURE", SIGNATURE[:-1] + "a")
    report = verify_record(read_record(fair_record(drand, 8)[0].splitlines(keepends=True)))
    assert {fault.code for fault in report.faults} >= {"fair/bad_beacon"}
    assert {one.verdict for one in report.throws} == {"FAILED"}
    monkeypatch.setattr(verify, "verify_beacon", lambda _plan, _beacon: None)
    assert verify_record(read_record(fair_record(drand, 8)[0].splitlines(keepends=True))).sound, "nothing else tells"


def test_behind_a_forged_signature_no_other_is_looked_at(monkeypatch):
    """Each takes a second: a file of nothing but forged ones would keep whoever checks it busy for hours."""
    looked_at: list[bytes] = []

    def forged(_plan, beacon):
        looked_at.append(beacon)
        raise BeaconRefused("forged")

    monkeypatch.setattr(verify, "verify_beacon", forged)
    monkeypatch.setattr(ALONE, "is_signed", lambda _round, signature: looked_at.append(signature))
    many = next(data for seed in range(40) if (data := lines_of(seed)) and ready_with_drand(data) > 1)
    report = verify_record(read_record(many))
    assert [fault.code for fault in report.faults].count("fair/bad_beacon") > 1
    assert not report.counts["PROVED-B"]
    assert len(looked_at) == 1
    assert ALONE.verify(many)[0].faults
    assert len(looked_at) == 2


def ready_with_drand(lines):
    return sum(b'ready"' in line and b'"beacon":"01' in line for line in lines)


def test_the_rules_that_a_proof_is_bound_to_are_those_of_the_record():
    values = [json.loads(line) for line in lines_of(1)]
    rules = values[0]["rules"]
    rules["setup"]["seats_usual"] = rules["setup"].get("seats_usual", 6) + 1
    labels = ("key", "aliases", "names", "source", "extends", "origins")
    settings = {key: entry for key, entry in rules.items() if key not in labels}
    values[0]["rules_hash"] = hashlib.sha256(canonical_json(settings)).hexdigest()
    assert verdict(rechained(values)) in ("failed", "damaged")
