"""Everything that reads what people send, before bytes that are steered to where it branches."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def seeds():
    """What the readers know already: which of them, as a byte, and a text for it."""
    vectors = TESTS.parent / "vectors"
    for name in ("accepted", "refused"):
        for sample in map(json.loads, (vectors / "messages" / f"{name}.jsonl").read_text("utf-8").splitlines()):
            yield b"\0" + sample.get("text", json.dumps(sample.get("json"))).encode("utf-8", "replace")
    for path in (vectors / "games").glob("*.jsonl"):
        lines = path.read_bytes().splitlines(keepends=True)
        yield b"\5" + b"".join(lines[:6])
        yield from (b"\2" + json.dumps(json.loads(told).get("act", {})).encode() for told in lines[1:20])
    yield from (
        b"\1[1,{}]",
        b'\3{"sheet":"S12","house":{"cakes":{"yixiu":3}}}',
        b"\x04444411",
        "\6小明 👨‍👩‍👧".encode(),
    )


@pytest.mark.parametrize("runs", [5_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
def test_a_reader_gives_a_value_or_a_refusal(tmp_path, runs):
    if find_spec("atheris") is None:
        pytest.skip("atheris is not made for this system: readers meet no steered bytes here")
    known = tmp_path / "known"
    known.mkdir()
    for i, seed in enumerate(seeds()):
        (known / str(i)).write_bytes(seed)
    words = [sys.executable, "-m", "support.decoders", str(known), f"-atheris_runs={runs}", "-seed=63", "-max_len=4096"]
    done = subprocess.run(
        [*words, f"-artifact_prefix={tmp_path}/"],
        check=False,
        capture_output=True,
        text=True,
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": "."},
        timeout=3_000,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert f"Done {runs} " in done.stderr, done.stderr[-500:]
