"""Whatever a file holds, the three verifiers give the same answer: it is refused, or something fails, or all holds."""

from collections import Counter

import pytest

from bobing.core.errors import RecordError
from bobing.core.record import read_record
from bobing.fairness import verify
from bobing.fairness.verify import verify_record
from differential.test_fair_records import checked_by_the_page
from support.malformed import KINDS, malformed
from support.standalone import standalone

ALONE = standalone("verify_standalone")
KNOWS_RULES = ("record/act_refused", "record/other_consequence", "record/bad_rules", "record/bad_header")
"""Only who plays the game again can tell these; the other two know no rules."""


@pytest.fixture(autouse=True)
def signatures_known(monkeypatch):
    monkeypatch.setattr(verify, "verify_beacon", lambda _plan, _beacon: None)
    monkeypatch.setattr(ALONE, "is_signed", lambda _number, _signature: True)


def answer_here(data):
    try:
        report = verify_record(read_record(split(data)))
    except RecordError as bad:
        return "refused", bad.code
    return "sound" if report.sound else "failed", ""


def split(data):
    """Lines end with a line feed, and with nothing else."""
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [line for line in data.split(b"\n")[-1:] if line]


def answer_alone(data):
    try:
        game, _ = ALONE.verify(split(data))
    except ALONE.Wrong:
        return "refused"
    return "failed" if game.faults or any(one[3] == "FAILED" for one in game.results) else "sound"


def answer_of_the_page(found):
    if "refused" in found:
        return "refused"
    return "failed" if found["faults"] or any(one[3] == "FAILED" for one in found["throws"]) else "sound"


@pytest.mark.parametrize("number", [160, pytest.param(6_000, marks=pytest.mark.deep)])
def test_attack_76_three_verifiers_say_the_same_of_what_nobody_should_have_written(number, tmp_path):
    made = list(malformed(number, seed=number))
    files = [tmp_path / f"{i}.jsonl" for i in range(number)]
    for file, (_, data) in zip(files, made, strict=True):
        file.write_bytes(data)
    kinds, differ = Counter[tuple[str, str]](), []
    for (kind, data), file, found in zip(made, files, checked_by_the_page(files), strict=True):
        (here, code), alone, page = answer_here(data), answer_alone(data), answer_of_the_page(found)
        kinds[kind, here] += 1
        if alone != page or (here != alone and code not in KNOWS_RULES):
            differ.append((file.name, kind, here, code, alone, page))
    assert differ == []
    assert {kind for kind, answer in kinds if answer != "sound"} == {name for name, _ in KINDS}
    assert {answer for _, answer in kinds} == {"refused", "failed", "sound"}
