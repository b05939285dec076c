"""`bobing-fair/1` byte by byte, against vectors on which implementations in several languages agree."""

import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bobing.core.chain import ZERO, link
from bobing.fairness.beacon import BeaconRefused, beacon_bytes, dice_plan, drand_plan, verify_beacon
from bobing.fairness.chain import player_before, player_chain, server_before, server_end, server_link
from bobing.fairness.commit import Heads, opening_hash
from bobing.fairness.draw import Draw, face
from bobing.fairness.late import late_seed
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed, signs

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "fairness" / "bobing-fair-1.json").read_text("utf-8"))
GAME, MASTER, RULES = (bytes.fromhex(VECTORS[key]) for key in ("game_id", "master", "rules_hash"))
LINKS, SEATS, CASES = VECTORS["L"], VECTORS["seats"], VECTORS["cases"]


def raw(text) -> Any:
    return None if text is None else bytes.fromhex(text)


def own(seat):
    end = raw(next(one["player_end"] for one in SEATS if one["seat"] == seat))
    return player_chain(end, GAME, seat, LINKS) if end else None


def heads():
    return [Heads(one["seat"], raw(one["server_commit"]), raw(one["player_commit"])) for one in SEATS]


def test_the_texts_that_the_vectors_are_made_of():
    assert sha256(b"vec/game").digest()[:16] == GAME
    assert sha256(b"vec/master").digest() == MASTER
    assert sha256(b"vec/rules").digest() == RULES


@pytest.mark.parametrize("one", SEATS, ids=lambda one: f"seat {one['seat']}")
def test_chains(one):
    seat = one["seat"]
    assert (
        server_end(MASTER, GAME, seat).hex() == one["server_end"] == server_link(MASTER, GAME, seat, LINKS, LINKS).hex()
    )
    assert server_link(MASTER, GAME, seat, 0, LINKS).hex() == one["server_commit"]
    chain = own(seat)
    if chain is None:
        assert one["player_commit"] is None
        return
    assert len(chain) == LINKS + 2
    assert chain[0].hex() == one["player_commit"]
    assert chain[-1].hex() == one["player_end"]
    assert all(player_before(GAME, seat, i, chain[i]) == chain[i - 1] for i in range(1, LINKS + 2))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["beacon"])
def test_opening_seed_and_throws(case):
    plan, beacon = raw(case["plan"]), raw(case["beacon_bytes"])
    opening = opening_hash(GAME, RULES, ZEROS, LINKS, plan, heads()[::-1])
    assert opening.hex() == case["T0"]
    reveals = {one["seat"]: chain[1] if (chain := own(one["seat"])) else None for one in SEATS}
    j = seed(opening, reveals, beacon)
    assert (j.hex(), signs(j)) == (case["J"], case["sas"])
    for throw in case["throws"]:
        seat, k = throw["seat"], throw["k"]
        server = server_link(MASTER, GAME, seat, k, LINKS)
        player = chain[k + 1] if (chain := own(seat)) else None
        assert (server, player) == (raw(throw["s"]), raw(throw["c"]))
        assert server_before(GAME, seat, k, server) == server_link(MASTER, GAME, seat, k - 1, LINKS)
        draw = Draw(GAME, j, seat, k, server, player)
        assert [draw.block(i).hex() for i in range(len(throw["digests"]))] == throw["digests"]
        assert "".join(map(str, draw.throw())) == throw["faces"]


def test_a_byte_that_is_passed_over():
    told = VECTORS["reject_vector"]
    j = raw(CASES[0]["J"])
    draw = Draw(GAME, j, told["seat"], told["k"], raw(told["s"]), None)
    assert draw.block(0).hex() == told["digest0"]
    assert max(draw.block(0)[:7]) >= 252
    assert "".join(map(str, draw.throw())) == told["faces"]


def test_a_late_seat():
    told, j = VECTORS["late"], raw(CASES[0]["J"])
    head = Heads(told["seat"], raw(told["server_commit"]), raw(told["player_commit"]))
    assert player_before(GAME, told["seat"], 1, raw(told["c1"])) == head.player
    late = late_seed(j, head, raw(told["c1"]), [(seat, k, raw(shown)) for seat, k, shown in told["links"]])
    assert late.hex() == told["J"]
    first = told["throw1"]
    faces = Draw(GAME, late, told["seat"], 1, raw(first["s"]), raw(first["c"])).throw()
    assert "".join(map(str, faces)) == first["faces"]


def test_the_chain_of_entries():
    h = ZERO
    for told in VECTORS["event_chain"]:
        h = link(h, told["canonical"].encode())
        assert h.hex() == told["h"]


def test_every_byte_stands_for_a_face_or_for_none():
    """A plain `byte % 6` would favour 1 to 4 by 1.6 %: statistics would need 146,386 faces to see it."""
    counts = Counter(face(byte) for byte in range(256))
    assert counts == {1: 42, 2: 42, 3: 42, 4: 42, 5: 42, 6: 42, None: 4}
    assert [byte for byte in range(256) if face(byte) is None] == [252, 253, 254, 255]
    assert all(face(byte) == byte % 6 + 1 for byte in range(252))


def test_a_spill_is_the_two_bytes_behind_the_six_faces_and_read_only_where_there_can_be_one():
    for k in range(1, 200):
        draw, twin = (Draw(GAME, ZEROS, 1, k, bytes([k]) * 32, None) for _ in range(2))
        block = draw.block(0)
        last = [i for i, byte in enumerate(block) if face(byte)][5]
        number = int.from_bytes(block[last + 1 : last + 3], "big")
        assert draw.throw() == twin.throw()
        assert not draw.spills(0)
        assert draw.throw(1) == (next(filter(None, map(face, block[last + 1 :]))),), "no byte was read"
        assert twin.spills(number + 1)
        assert twin.throw(1) == (next(filter(None, map(face, block[last + 3 :]))),), "two bytes were read"
    assert not Draw(GAME, ZEROS, 1, 1, bytes(32), None).spills(1)


DRAND = next(case for case in CASES if case["beacon"] == "drand")
SIGNATURE = DRAND["beacon_bytes"][86:]


def test_a_round_of_drand_is_checked_offline():
    plan = drand_plan(657413)
    assert plan.hex() == DRAND["plan"]
    beacon = beacon_bytes(plan, SIGNATURE)
    assert beacon.hex() == DRAND["beacon_bytes"]
    limit = sys.getrecursionlimit()
    verify_beacon(plan, beacon)
    assert sys.getrecursionlimit() == limit, "what reads JSON relies on it"


def forged(text):
    return [("another round", drand_plan(657414), text)] + [
        (f"another {what}", drand_plan(657413), value)
        for what, value in {
            "signature": text[:-1] + "a",
            "point": "aa" * 48,
            "infinity": "c0" + "00" * 47,
            "sign of y": f"{int(text[0], 16) ^ 2:x}{text[1:]}",
            "length": text[:-2],
            "text": "zz" * 48,
        }.items()
    ]


@pytest.mark.parametrize(
    ("what", "plan", "value"), forged(SIGNATURE), ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_forged_signature_is_refused(what, plan, value):
    with pytest.raises(BeaconRefused):
        verify_beacon(plan, beacon_bytes(plan, value))


@pytest.mark.parametrize("value", ["", "36245", "3624511", "362457", "36２451", SIGNATURE])
def test_faces_have_to_be_as_many_as_announced(value):
    verify_beacon(dice_plan(6), beacon_bytes(dice_plan(6), "362451"))
    with pytest.raises(BeaconRefused):
        beacon_bytes(dice_plan(6), value)
