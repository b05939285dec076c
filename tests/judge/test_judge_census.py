"""The figures known of all 46,656 throws (facts C-1 to C-5), found again by the judge."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

from judge.scoring import Census, all_throws, census, combination_of, score
from judge.sheets import SHEETS, TOP_NAMES

counted = cache(lambda key: census(SHEETS[key]))

pytestmark = pytest.mark.exhaustive


@cache
def combinations(key: str) -> Counter[str]:
    return Counter(combination_of(SHEETS[key], faces) for faces in all_throws())


# zhuangyuan, duitang, sanhong, sijin, erju, yixiu, none, strengths; then the bonus awards
USUAL = (561, 720, 2500, 1875, 9300, 17400, 14300)
BLACKS_NO_TITLE = (556, 720, 2500, 1875, 9300, 17400, 14305)
FIGURES = {
    "000-1": ((561, 920, 2500, 1875, 9300, 17400, 14100), 47, {}),
    "000-2": ((561, 1020, 2400, 1875, 9300, 17400, 14100), 47, {}),
    "001": (USUAL, 47, {}),
    "002": (USUAL, 28, {"yixiu": 600}),
    "002-alt": (USUAL, 28, {}),
    "003T": (BLACKS_NO_TITLE, 23, {}),
    "003T-f": (BLACKS_NO_TITLE, 23, {}),
    "003M": (USUAL, 47, {}),
    "003M-alt": (USUAL, 47, {}),
    "003N": (BLACKS_NO_TITLE, 23, {}),
    "003N-i": (USUAL, 28, {}),
    "S1": (BLACKS_NO_TITLE, 23, {}),
    "S1-p": ((556, 1080, 2500, 1875, 9030, 17400, 14215), 23, {}),
    "S2": (USUAL, 47, {}),
    "S3": ((557, 720, 2500, 1875, 9300, 17400, 14304), 43, {}),
    "S5": (BLACKS_NO_TITLE, 42, {}),
    "S6": (USUAL, 47, {}),
    "S7a": (USUAL, 47, {}),
    "S8": (USUAL, 47, {}),
    "S9": (USUAL, 47, {}),
    "S10": (USUAL, 47, {}),
    "S12": (USUAL, 28, {"yixiu": 600, "erju": 75}),
    "S13": (USUAL, 47, {"yixiu": 630, "erju": 75}),
    "S13-pf": (USUAL, 47, {"yixiu": 630, "erju": 75}),
    "S14": (USUAL, 47, {}),
    "S15": (USUAL, 47, {}),
    "S16": (USUAL, 47, {}),
    "philippines": ((561, 920, 2500, 1875, 9300, 17400, 14100), 47, {}),
}


def test_every_sheet_has_figures():
    assert set(FIGURES) | {"S11"} == set(SHEETS)


@pytest.mark.parametrize("key", FIGURES)
def test_census(key: str):
    (*tiers, none), strengths, bonus = FIGURES[key]
    names = ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu")
    assert counted(key) == Census(
        awards=dict(zip(names, tiers, strict=True)), bonus=bonus, none=none, strengths=strengths
    )
    assert sum(tiers) + none == 46656


def test_census_of_fours_only():
    assert counted("S11") == Census(
        awards={"zhuangyuan": 406, "sanhong": 2500, "erju": 9375, "yixiu": 18750}, bonus={}, none=15625, strengths=1
    )


def test_c1_counts_of_combinations():
    assert combinations("002") == {
        "liubohong": 1,
        "biandijin": 1,
        "liubohei": 4,
        "chajinhua": 15,
        "wuhong": 30,
        "wuzi": 150,
        "sihong": 360,
        "duitang": 720,
        "sanhong": 2500,
        "sijin": 1875,
        "erju": 9300,
        "yixiu": 17400,
        "none": 14300,
    }
    assert combinations("S12")["liubohei"] == 5
    assert combinations("000-1")["sihong"] == 375
    assert combinations("S2")["wuhong"] + combinations("S2")["wuzi"] == 180


def test_c1_wuzi_and_sijin_by_their_fours():
    by_fours = Counter((combination_of(SHEETS["S2"], faces), faces.count(4)) for faces in all_throws())
    assert by_fours["wuzi", 1] == 30
    assert [by_fours["sijin", fours] for fours in (0, 1, 2)] == [1200, 600, 75]


def test_c1_literal_counts_of_fours():
    fours = Counter(faces.count(4) for faces in all_throws())
    assert (fours[1], fours[2], fours[3] + fours[4] + fours[5] + fours[6]) == (18750, 9375, 2906)
    assert fours[1] - 720 - 600 - 30 == 17400
    assert fours[2] - 75 == 9300


def test_c1_two_triples():
    triples = [faces for faces in all_throws() if sorted(Counter(faces).values()) == [3, 3]]
    assert len(triples) == 300
    assert sum(4 in faces for faces in triples) == 100


def test_c2_percentages():
    assert [round(100 * n / 46656, 4) for n in (1, 30, 150, 200, 300, 720, 2400, 2500, 9300, 17400)] == [
        *(0.0021, 0.0643, 0.3215, 0.4287, 0.6430, 1.5432, 5.1440, 5.3584, 19.9331, 37.2942)
    ]
    assert [round(100 * n / 46656, 4) for n in (4, 375, 1875)] == [0.0086, 0.8038, 4.0188]


def test_c3_cakes():
    totals = {key: sum(sheet.cakes.values()) for key, sheet in SHEETS.items()}
    assert totals.pop("S11") == 18
    assert totals.pop("S15") == 72
    assert set(totals.values()) == {63}
    assert (SHEETS["000-1"].cakes["sijin"], SHEETS["000-1"].cakes["sanhong"]) == (4, 8)
    assert (SHEETS["002"].cakes["sijin"], SHEETS["002"].cakes["sanhong"]) == (8, 4)


def test_c4_kickers_and_sums():
    wuhong: Counter[int] = Counter()
    wuzi: Counter[int] = Counter()
    sihong: Counter[int] = Counter()
    for faces in all_throws():
        reading = score(SHEETS["002"], faces)
        tally = {"wuhong": wuhong, "wuzi": wuzi, "sihong": sihong}.get(reading["combination"])
        if tally is not None and reading["strength_key"]:
            tally[reading["strength_key"][-1]] += 1
    assert wuhong == {1: 6, 2: 6, 3: 6, 5: 6, 6: 6}
    assert wuzi == {1: 24, 2: 24, 3: 24, 4: 30, 5: 24, 6: 24}
    assert sihong == dict(zip(range(3, 13), (30, 45, 30, 45, 60, 60, 30, 15, 30, 15), strict=True))


def strength(key: str, roll: str) -> tuple[int, ...]:
    found = score(SHEETS[key], [int(digit) for digit in roll])["strength_key"]
    assert found is not None
    return found


def test_c4_printed_comparisons():
    for key in ("S15", "S16"):
        assert strength(key, "444446") > strength(key, "444445")
        assert strength(key, "444446") > strength(key, "555556") > strength(key, "222224") > strength(key, "222223")
        assert strength(key, "444446") > strength(key, "333335") > strength(key, "222224")
        assert strength(key, "555555") > strength(key, "444446")
    for key in ("S13", "S16"):
        six = [strength(key, face * 6) for face in "6532"]
        assert six == sorted(six, reverse=True)
        assert len(set(six)) == 4


def test_c4_face_first_against_kicker_only():
    assert strength("S2", "666661") > strength("S2", "111116")
    assert strength("002", "666661") < strength("002", "111116")
    assert strength("S2", "222226") < strength("S2", "666665")
    assert strength("002", "222226") > strength("002", "666665")
    wuzi = [faces for faces in all_throws() if combination_of(SHEETS["S2"], faces) == "wuzi"]
    both = [(score(SHEETS["S2"], f)["strength_key"], score(SHEETS["002"], f)["strength_key"]) for f in wuzi]
    differ = reversed_ = 0  # does the first of an ordered pair beat the second
    for (face_a, kicker_a), (face_b, kicker_b) in product(both, both):
        assert face_a
        assert face_b
        assert kicker_a
        assert kicker_b
        differ += (face_a > face_b) != (kicker_a > kicker_b)
        reversed_ += face_a > face_b and kicker_a < kicker_b
    assert (len(wuzi) ** 2, differ, reversed_) == (22500, 10512, 4536)


def test_c4_equal_sums():
    assert strength("002", "444461") == strength("002", "444452")
    assert strength("002", "444413") == strength("002", "444422")


def test_c5_any_zhuangyuan():
    top = combinations("002")
    assert sum(top[name] for name in TOP_NAMES) == 561
    assert round(100 * 561 / 46656, 4) == 1.2024
    assert round(46656 / 561, 1) == 83.2


def test_c5_bonus_totals():
    for key, yixiu, erju in (("S12", 18000, 9375), ("S13", 18030, 9375)):
        found = counted(key)
        assert found["awards"]["yixiu"] + found["bonus"]["yixiu"] == yixiu
        assert found["awards"]["erju"] + found["bonus"]["erju"] == erju


def test_c5_duitang_by_agreement():
    pairs = [faces for faces in all_throws() if sorted(Counter(faces).values()) == [2, 2, 2]]
    assert len(pairs) == 1800
    assert sum(4 in faces for faces in pairs) == 900
    assert sum(set(faces) == {3, 4, 5} for faces in pairs) == 90
    agreed = [faces for faces in pairs if score(SHEETS["S1-p"], faces)["combination"] == "duitang"]
    assert len(agreed) == 360
    assert {score(SHEETS["S1"], faces)["combination"] for faces in agreed} == {"erju", "none"}


def test_c5_sums_of_sanhong():
    sums = Counter(sum(f) - 12 for f in all_throws() if score(SHEETS["S15"], f)["combination"] == "sanhong")
    rolls = (20, 60, 120, 140, 180, 240, 320, 300, 240, 240, 240, 180, 80, 60, 60, 20)
    assert sums == dict(zip(range(3, 19), rolls, strict=True))
    assert sums.total() == 2500


# The order of every sheet, one throw for each step, highest first (Z1 with D-14 to D-19 and E-6 to E-10).
ORDERS = {
    "000-1": "444444 111111 666666 222222 444446 666665 444466 444411",
    "000-2": "444444 111111 666666 222222 444446 666665 444466 444411",
    "001": "444444 111111 666666 222222 444446 666665 444466 444411",
    "002": "444411 444444 111111 666666 222222 444446 111116 666665 444466 444412",
    "002-alt": "444444 444411 111111 666666 222222 444446 111116 666665 444466",
    "003T": "444444 444411 444446 111116 666665 444466",
    "003T-f": "444444 444411 444446 111116 666665 444466",
    "003M": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "003M-alt": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "003N": "444444 444411 444446 111116 666665 444466",
    "003N-i": "444444 666666 222222 111111 444411 444446 111116 666665 444466",
    "S1": "444444 444411 444446 111116 666665 444466",
    "S1-p": "444444 444411 444446 111116 666665 444466",
    "S2": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S3": "444411 444444 111111 444446 666665 111116 444466",
    "S5": "444444 444411 444446 666665 111116 444466",
    "S6": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S7a": "444444 111111 666666 222222 444411 444446 666665 111116 444466",
    "S8": "444444 444411 111111 666666 222222 444446 666665 111116 444466",
    "S9": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S10": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S12": "444444 666666 222222 111111 444411 444446 111116 666665 444466",
    "S13": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S13-pf": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S14": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S15": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "S16": "444411 444444 111111 666666 222222 444446 666665 111116 444466",
    "philippines": "444444 111111 666666 222222 444446 666665 444466 444411",
}


@pytest.mark.parametrize("key", ORDERS)
def test_order(key: str):
    strengths = [strength(key, roll) for roll in ORDERS[key].split()]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)


def test_every_sheet_with_an_order_is_tested():
    assert set(ORDERS) | {"S11"} == set(SHEETS)
