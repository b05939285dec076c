"""Public chance that nobody at the table has a hand in: a round of drand, or real dice thrown before everybody.

A plan says beforehand which it will be and goes into T0; the beacon itself goes into J.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from typing import Any

from bobing.core.errors import BobingError
from bobing.fairness.packing import lp, u16, u64

QUICKNET = bytes.fromhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")
"""The chain of drand that is used: a round every three seconds."""
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
"""Its public key."""
GENESIS_S, PERIOD_S = 1_692_803_367, 3
WAIT_S = 30
"""A round is taken that comes so much after T0 is closed."""
FACES = 30
"""Real dice that are thrown where there is no internet: 77 bits."""
_DRAND, _DICE = b"\x01", b"\x02"
_SIGNATURE = 48
_HASH_TO_CURVE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class BeaconRefused(BobingError):
    """Not the public chance that was announced."""

    code = "fair/bad_beacon"


def round_time(number: int) -> int:
    """When a round of drand comes, in seconds since 1970.

    >>> round_time(657413)
    1694775603
    """
    return GENESIS_S + PERIOD_S * (number - 1)


def round_after(second: int) -> int:
    """The first round that comes at this time or later."""
    return 1 + max(0, -(-(second - GENESIS_S) // PERIOD_S))


def drand_plan(number: int) -> bytes:
    """The plan for a round of drand."""
    return _DRAND + QUICKNET + u64(number)


def dice_plan(faces: int = FACES) -> bytes:
    """The plan for so many faces of real dice."""
    return _DICE + u16(faces)


def planned_round(plan: bytes) -> int | None:
    """The round of drand that a plan names; None for another plan. Raises BeaconRefused for what is no plan."""
    if plan[:1] == _DRAND and plan[1:33] == QUICKNET and len(plan) == 41:
        return int.from_bytes(plan[33:], "big")
    if plan == b"" or (plan[:1] == _DICE and len(plan) == 3 and plan[1:] != b"\0\0"):
        return None
    raise BeaconRefused("this plan for public chance is of no known kind", "fair/bad_plan")


def beacon_bytes(plan: bytes, value: str) -> bytes:
    """The beacon that a plan asks for, from what people type: a signature in hex, or faces; raises BeaconRefused.

    >>> beacon_bytes(dice_plan(6), "362451").hex()
    '020006333632343531'
    """
    number = planned_round(plan)
    try:
        beacon = plan + lp(bytes.fromhex(value)) if number is not None else _DICE + lp(value.encode("ascii"))
    except ValueError:
        raise BeaconRefused("type the 96 signs 0-9, a-f of the signature, or the faces as digits") from None
    verify_form(plan, beacon)
    return beacon


def verify_form(plan: bytes, beacon: bytes) -> None:
    """Refuse a beacon that is not of the kind, round and length that its plan says; no signature is checked here."""
    number = planned_round(plan)
    if not plan:
        if beacon:
            raise BeaconRefused("no public chance was announced")
    elif number is not None:
        if beacon[:41] != plan or len(beacon) != 43 + _SIGNATURE or beacon[41:43] != u16(_SIGNATURE):
            raise BeaconRefused(f"this is not the signature of drand round {number}")
    else:
        faces = int.from_bytes(plan[1:], "big")
        if beacon[:3] != plan or len(beacon) != 3 + faces or any(face not in b"123456" for face in beacon[3:]):
            raise BeaconRefused(f"{faces} digits from 1 to 6 were announced")


def verify_beacon(plan: bytes, beacon: bytes) -> None:
    """Refuse what is not the beacon of the plan, a forged signature of drand included; raises BeaconRefused.

    The signature needs the extra `bobing[beacon]`; without it a round of drand is refused as `fair/no_bls`.
    """
    verify_form(plan, beacon)
    number = planned_round(plan)
    if number is not None and not _is_signed(number, beacon[43:]):
        raise BeaconRefused(f"drand did not sign this as round {number}; copy the signature again")


def _is_signed(number: int, signature: bytes) -> bool:
    """Whether the network signed a round: BLS over BLS12-381, signatures in G1, messages hashed as RFC 9380 says."""
    limit = sys.getrecursionlimit()
    try:
        from py_ecc.bls.g2_primitives import subgroup_check
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.bls.point_compression import decompress_G1, decompress_G2
        from py_ecc.bls.typing import G1Compressed, G2Compressed
        from py_ecc.optimized_bls12_381.optimized_curve import G2, is_inf
        from py_ecc.optimized_bls12_381.optimized_pairing import pairing
    except ImportError:
        raise BeaconRefused("checking drand needs a package: pip install 'bobing[beacon]'", "fair/no_bls") from None
    finally:
        sys.setrecursionlimit(limit)  # the package raises it when it is imported, and deep JSON would end the process
    try:
        point = decompress_G1(G1Compressed(int.from_bytes(signature, "big")))
    except ValueError:
        return False
    if is_inf(point) or not subgroup_check(point):
        return False
    high, low = (int.from_bytes(half, "big") for half in (PUBLIC_KEY[:48], PUBLIC_KEY[48:]))
    key = decompress_G2(G2Compressed((high, low)))
    hasher: Any = sha256  # the library's annotation asks for a hash and takes what makes one
    message = hash_to_G1(sha256(u64(number)).digest(), _HASH_TO_CURVE, hasher)
    return bool(pairing(key, message) == pairing(G2, point))
