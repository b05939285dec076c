"""One throw: every count that printed sheets state and that was checked, and two other programs' counts."""

from collections import Counter
from fractions import Fraction
from typing import Any

import icepool
import pytest
from dyce import H, P

from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.errors import RulesError
from bobing.core.scorebook import scorebook
from bobing.odds.exact import THROWS, throw

COUNTS = {
    "S2": {"liubohong": 1, "biandijin": 1, "liubohei": 4, "chajinhua": 15, "wuhong": 30, "wuzi": 150, "sihong": 360,
           "duitang": 720, "sanhong": 2500, "sijin": 1875, "erju": 9300, "yixiu": 17400, "none": 14300},
    "000-1": {"sihong": 375, "duitang": 920, "sanhong": 2500, "none": 14100},
    "000-2": {"sihong": 375, "duitang": 1020, "sanhong": 2400, "none": 14100},
    "S12": {"liubohei": 5, "wuzi": 150, "sijin": 1875},
    "S11": {"sanhong": 2500, "erju": 9375, "yixiu": 18750, "none": 15625, "sihong": 406},
}  # fmt: skip
STRENGTHS = {"002": 28, "S12": 28, "003M": 47, "S14": 47, "S8": 47, "S1": 23, "S16": 47}
SIHONG = {3: 30, 4: 45, 5: 30, 6: 45, 7: 60, 8: 60, 9: 30, 10: 15, 11: 30, 12: 15}
WUZI = {1: 24, 2: 24, 3: 24, 4: 30, 5: 24, 6: 24}


@pytest.mark.parametrize("sheet", COUNTS)
def test_the_counts_of_combinations(sheet):
    found = throw(sheet)
    assert {name: found.combinations.get(name) for name in COUNTS[sheet]} == COUNTS[sheet]


@pytest.mark.parametrize("sheet", STRENGTHS)
def test_the_number_of_strengths(sheet):
    found = throw(sheet).strengths
    assert len(found) == STRENGTHS[sheet]
    assert [entry.strength for entry in found] == sorted((entry.strength for entry in found), reverse=True)


def test_any_zhuangyuan():
    assert throw("S2").awards["zhuangyuan"] == throw("S2").strengths[-1].at_least == 561
    assert throw("S1").awards["zhuangyuan"] == 556
    assert throw("S2").chance(561) == Fraction(187, 15552)


def test_what_comes_beside_the_first_prize():
    assert (throw("S12").cakes("yixiu"), throw("S12").cakes("erju")) == (18000, 9375)
    assert (throw("S13").cakes("yixiu"), throw("S13").cakes("erju")) == (18030, 9375)


def test_what_breaks_ties():
    s2 = throw("002").strengths
    assert {entry.kicker: entry.ways for entry in s2 if entry.combination == "sihong"} == SIHONG
    assert {entry.kicker: entry.ways for entry in s2 if entry.combination == "wuzi"} == WUZI
    assert {entry.kicker: entry.ways for entry in s2 if entry.combination == "wuhong"} == dict.fromkeys(
        (1, 2, 3, 5, 6), 6
    )


@pytest.mark.parametrize(("pairs", "more"), [("334455", 90), ("consecutive", 360), ("any", 1800)])
def test_three_pairs_by_agreement(pairs, more):
    rules = read_rules(f'extends = "S1"\n[hands]\nthree_pairs = "{pairs}"')
    found, plain = throw(rules), throw("S1")
    assert found.combinations["duitang"] == 720 + more
    if pairs == "any":
        assert plain.combinations["erju"] - found.combinations["erju"] == 900
        assert plain.none - found.none == 900


@pytest.mark.parametrize("sheet", sheet_keys())
def test_shipped_rows_and_compiled_ones_count_alike(sheet):
    found = throw(sheet)
    assert found == throw(find_sheet(sheet))
    assert sum(found.combinations.values()) == THROWS
    assert sum(found.awards.values()) + found.none == THROWS
    assert sum(entry.ways for entry in found.strengths) == found.awards["zhuangyuan"]
    assert all(type(n) is int for n in (*found.combinations.values(), *found.awards.values(), found.none))


def icepool_counts(rows):
    """How icepool counts the throws of each row."""
    found = Counter()
    hands: Any = icepool.d6.pool(6).expand()
    for hand, count in hands.items():
        found[rows[hand]] += count
    return found


def dyce_counts(rows):
    """How dyce counts them."""
    found = Counter()
    for roll, count in P(*[H(6)] * 6).rolls_with_counts():
        found[rows[tuple(sorted(map(int, roll)))]] += int(count)
    return found


@pytest.mark.parametrize("counted", [icepool_counts, dyce_counts])
@pytest.mark.parametrize("sheet", sheet_keys())
def test_other_programs_count_alike(sheet, counted):
    rules, found = find_sheet(sheet), throw(sheet)
    rows = {
        hand: (row.combination, row.tier or "", row.bonus, row.strength or 0)
        for hand, row in scorebook(rules).rows.items()
    }
    totals = counted(rows)
    combinations, awards, strengths = Counter(), Counter(), Counter()
    for (combination, tier, _, strength), ways in totals.items():
        combinations[combination] += ways
        awards[tier] += ways
        strengths[strength] += ways
    assert found.combinations == combinations
    assert {**found.awards, "": found.none} == awards
    assert {entry.strength: entry.ways for entry in found.strengths} | {0: strengths[0]} == strengths


def test_a_name_that_is_none_is_refused():
    with pytest.raises(RulesError):
        throw("S99")


def test_counting_a_named_sheet_loads_little():
    import subprocess
    import sys

    code = "import sys; from bobing.odds.exact import throw; throw('S12'); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "click", "tomllib", "dataclasses", "bobing.core.rules"} & set(loaded)
