"""The planner: what it says of known events, that money adds up, and what it refuses."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.errors import BobingError
from bobing.core.reading import merge
from bobing.core.rules import rules_from_table
from bobing.i18n import LANGUAGES, texts
from bobing.odds.lengths import exact_length
from bobing.odds.plan import Plan, PlanError, Wish, plan_of, read_wish
from bobing.odds.plan.evening import SHARES, SIMULATED, evening_of
from bobing.odds.plan.money import share_pot
from bobing.odds.plan.wish import ENDINGS
from bobing.odds.waiting import last_gone
from property.trying import tries

MINNAN = find_sheet()


def plan(text: str) -> Plan:
    return plan_of(read_wish(text, find_sheet))


def codes(found: Plan) -> list[str]:
    return [finding.code for finding in found.findings]


def test_six_throws_each_leave_half_of_the_tables_without_a_champion():
    found = plan('people = 100\nending = "throws"\nthrows_each = 6')
    assert found.evening.no_champion == pytest.approx((46_095 / 46_656) ** 60)
    assert found.some_without_champion == pytest.approx(1 - (1 - 0.4839260718) ** 10)
    assert codes(found)[0] == "no-champion"
    assert (
        plan('people = 100\nending = "throws"\nthrees_dice = true'.replace("threes", "three")).evening.no_champion == 0
    )


def test_a_table_takes_43_minutes_by_the_median():
    told = plan("people = 10\nrules = 'S2'").to_json()
    assert told["evening"]["throws"] == {"median": 217, "p90": 328, "p99": 473}
    assert told["evening"]["minutes"]["median"] == pytest.approx(43.4)
    assert max(told["evening"]["waited"], key=told["evening"]["waited"].get) == "sijin"


def test_forty_people_in_three_groups_whose_list_does_not_add_up():
    found = plan("people = 40\ntables = 3\ntotal = 151\nminutes = 45")
    assert found.tables == [(14, 1), (13, 2)]
    assert codes(found) == ["total", "too-long-some", "crowded", "uneven"]
    assert found.findings[0].values == {"said": 151, "found": 189}
    assert found.findings[2].values == {"seats": 14, "tables": 4, "better": 10}, "and what to do about it"


def test_in_time_is_told_of_one_table_and_of_all():
    one, four = plan("people = 10\nminutes = 60"), plan("people = 40\nminutes = 60")
    assert one.all_done_in_time == one.done_in_time == four.done_in_time == pytest.approx(0.844, abs=0.001)
    assert four.all_done_in_time == pytest.approx(0.844**4, abs=0.003)
    assert (codes(one), codes(four)) == (["too-long"], ["too-long-some"])
    assert plan("people = 40").all_done_in_time is None


def test_what_is_told_of_all_tables_counts_each_with_its_own_size():
    found = plan('people = 5\ntables = 2\nending = "throws"\nthrows_each = 3\nminutes = 1\nseconds = 8')
    three, two = (exact_length(MINNAN, seats, throws=3 * seats) for seats in (3, 2))
    told = {finding.code: finding.values for finding in found.findings}
    assert found.some_without_champion == pytest.approx(1 - (1 - three.no_champion) * (1 - two.no_champion))
    none = three.no_champion + two.no_champion
    assert told["no-champion"] == pytest.approx({"chance": none / 2, "games": 2, "expected": none})
    left = sum(one.mean for law in (three, two) for one in law.left.values())
    assert told["prizes-left"]["n"] == pytest.approx(left)
    assert (found.done_in_time, found.all_done_in_time) == (0, 0), "the larger takes 9 throws, and there is time for 7"
    in_time = plan("people = 5\ntables = 2\nminutes = 50")
    (large, _), (small, _) = in_time.evenings
    assert in_time.all_done_in_time == pytest.approx(large.done_in(50) * small.done_in(50))


def test_a_way_with_the_same_figures_is_no_choice():
    ways = plan("people = 40\nminutes = 60").alternatives
    assert len({way.figures for way in ways}) == len(ways) > 4
    assert "more-tables" not in {way.code for way in ways}  # it takes as long, for more prizes


def test_prizes_cost_what_they_cost():
    found = plan(
        'people = 20\ntables = 2\nbudget = 500\ncurrency = "CNY"\n[prizes]\nsanhong = 12.5\n'
        'zhuangyuan = [{name = "cooker", count = 1, price = "199.90"}]\n'
        'duitang = [{name = "oil", count = 2, price = 40}, {name = "quilt", count = 1, price = 90}]'
    )
    assert [line for line in found.shopping if line.cost] == [
        ("zhuangyuan", "cooker", 2, 19_990, 39_980),
        ("duitang", "oil", 4, 4_000, 16_000),
        ("duitang", "quilt", 2, 9_000, 18_000),
        ("sanhong", "", 8, 1_250, 10_000),
    ]
    assert (found.cost, found.to_json()["cost"]["table"], found.to_json()["cost"]["head"]) == (83_980, 41_990, 4_199)
    assert codes(found) == ["over-budget"]


def test_what_each_guest_gives_pays_for_all():
    found = plan("people = 3\n[prizes]\nzhuangyuan = 100")
    assert found.to_json()["cost"]["head"] == 3_334


@given(
    sheet=st.sampled_from(sheet_keys()),
    pot=st.integers(0, 10**9),
    tables=st.integers(1, 50),
    coin=st.sampled_from((1, 5, 10, 100, 500, 10_000)),
)
@tries(100)
def test_a_pot_is_shared_out_to_the_last_hundredth(sheet: str, pot: int, tables: int, coin: int):
    rules = find_sheet(sheet)
    shared = share_pot(rules, pot, tables, coin)
    for tier, piles in shared.items():
        assert sum(pile.pieces for pile in piles) == rules.cakes[tier] * tables
    assert sum(pile.pieces * pile.each for piles in shared.values() for pile in piles) == pot
    sums = [sum(pile.pieces * pile.each for pile in piles) for piles in shared.values()]
    assert max(sums) - min(sums) < 2 * coin
    assert all(pile.each % coin == 0 for tier, piles in shared.items() for pile in piles if tier != "zhuangyuan")


@given(
    people=st.integers(2, 400),
    tables=st.integers(0, 30),
    ending=st.sampled_from(ENDINGS),
    minutes=st.sampled_from((0, 20, 90)),
    sheet=st.sampled_from(sheet_keys()),
)
@tries(10)
def test_every_plan_is_whole(people: int, tables: int, ending: str, minutes: int, sheet: str):
    wish = Wish(find_sheet(sheet), people, tables, minutes=minutes, ending=ending)
    try:
        told = plan_of(wish).to_json()
    except BobingError as refused:
        assert refused.code in ("odds/bad_plan", "odds/too_few_people")  # noqa: PT017 - a refusal is an answer
        return
    assert sum(entry["seats"] * entry["tables"] for entry in told["tables"]) == people
    assert told["alternatives"][0]["code"] == "as-planned"
    assert sum(told["evening"]["waited"].values()) in (0, pytest.approx(1, abs=0.03))
    minutes_told = told["evening"]["minutes"]
    assert minutes_told["median"] <= minutes_told["p90"] <= minutes_told["p99"]
    done = [chance for _, chance in told["curve"]]
    assert done == sorted(done)
    for lang in LANGUAGES:
        for finding in told["findings"]:
            assert lang in texts("plan")[f"finding_{finding['code']}"]
        for alternative in told["alternatives"]:
            assert lang in texts("plan")[f"way_{alternative['code']}"]


def test_two_sets_take_the_sum_of_two_games():
    one, two = evening_of(MINNAN, 10, 12), evening_of(MINNAN, 10, 12, sets=2)
    law = exact_length(MINNAN, 10).law
    n = two.throws(0.9)
    within = sum(a * sum(law[: n + 1 - i]) for i, a in enumerate(law[: n + 1]))
    assert 0.9 <= within < 0.91
    assert one.done_in(43.4) == pytest.approx(1 - one.law.beyond[217])


def test_who_is_waited_for_is_simulated_where_the_length_is():
    table = find_sheet("fallback-chart").to_table()
    rules = rules_from_table(merge(table, {"chase": {"tiers": ["sanhong"]}}))
    evening = evening_of(rules, 8, 12)
    assert not evening.law.exact
    assert sum(evening.waited.values()) == pytest.approx(1)
    assert max(evening.waited, key=lambda tier: evening.waited[tier]) == "sijin"
    assert evening.to_json()["simulated"][0] == "length"
    told = evening.to_json()
    assert told["games"] == SIMULATED
    for name, share in SHARES.items():  # the textbook: the error of the share by the density there
        at, wide = evening.throws(share), 12
        density = sum(evening.law.law[at - wide : at + wide]) / (2 * wide)
        wanted = sqrt(share * (1 - share) / SIMULATED) / density * 12 / 60
        assert told["errors"]["minutes"][name] == pytest.approx(wanted, rel=0.5, abs=0.1)
        assert told["errors"]["minutes"][name] > 0


def test_where_only_what_is_left_is_simulated_the_rest_is_exact_and_says_so():
    ending = {"ending": {"without_champion": "stop"}, "title": {"own_later": "last"}}
    rules = rules_from_table(merge(find_sheet("S14").to_table(), ending))
    evening = evening_of(rules, 8, 12)
    assert evening.to_json()["simulated"] == ["duitang"]
    assert evening.law.error == 0
    assert evening.waited == last_gone(rules)
    assert set(evening.to_json()["errors"]["minutes"].values()) == {0.0}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("people = 1", "odds/bad_plan"),
        ("people = 3\ntables = 2", "odds/too_few_people"),
        ("people = 600\ntables = 1", "odds/too_few_tables"),
        ("tables = 2", "odds/missing_key"),
        ("people = 10\nseats = 3", "odds/unknown_key"),
        ("people = 10.5", "odds/bad_plan"),
        ("people = true", "odds/bad_plan"),
        ("people = 10\nending = 'never'", "odds/bad_plan"),
        ("people = 10\nending = 'time'", "odds/bad_plan"),
        ("people = 10\npot = 3.333", "odds/bad_plan"),
        ("people = 10\npot = nan", "odds/bad_plan"),
        ("people = 10\npot = -1", "odds/bad_plan"),
        ("people = 10\nthree_dice = 1", "odds/bad_plan"),
        ("people = 10\nrules = 7", "odds/bad_plan"),
        ("people = 10\nrules = 'nowhere'", "rules/unknown_sheet"),
        ("people = 10\nprizes = 3", "odds/bad_plan"),
        ("people = 10\n[prizes]\nerjv = 3", "odds/unknown_key"),
        ("people = 10\n[prizes]\nerju = [{cost = 3}]", "odds/unknown_key"),
        ("people = 10\n[prizes]\nerju = [{count = 0, price = 3}]", "odds/bad_plan"),
        ("people = 10\nthrows_each = 4", "odds/bad_plan"),
        ("people = 10\nthrows_each = 4\nending = 'time'\nminutes = 30", "odds/bad_plan"),
        ("people = 10\nthree_dice = true", "odds/bad_plan"),
        ("people = 10\ncoin = 0.05", "odds/bad_plan"),
        ("people = 10\n[prizes]\nyixiu = []", "odds/bad_plan"),
        ("people =", "odds/no_toml"),
    ],
)
def test_what_is_no_plan_is_refused(text: str, code: str):
    with pytest.raises(BobingError) as refused:
        plan(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("coin = 0", "coin: give an amount from 0.01 to 10,000 with at most two decimals; found 0"),
        ("pot = -5", "pot: give an amount from 0.01 to 10,000,000,000 with at most two decimals; found -5"),
        (
            "prizes = { yixiu = -1 }",
            "prizes.yixiu: give an amount from 0 to 10,000,000,000 with at most two decimals; found -1",
        ),
        ("pot = 0.5", "pot: give at least 1.92, so that each prize of the largest tier gets a coin"),
        ("minutes = 0", "minutes: give a value from 1 to 1,440, or leave it out; found 0"),
        ("tables = 0", "tables: give a value from 1 to 10,000, or leave it out; found 0"),
        ("budget = 0", "budget: give an amount from 0.01 to 10,000,000,000 with at most two decimals; found 0"),
        ("currency = nan", "currency: expected a text of at most 200 signs, found nan"),
        (
            f'currency = "{"x" * 201}"',
            f"currency: expected a text of at most 200 signs, found '{'x' * 58}…",
        ),
        ("prizes = [1.50]", "prizes: expected a table of tiers, found [1.50]"),
        ("minutes = inf", "minutes: expected a number, found inf"),
        (
            f"pot = {'9' * 50}",
            f"pot: give an amount from 0.01 to 10,000,000,000 with at most two decimals; found {'9' * 50}",
        ),
        ("coin = 0.05", "coin: goes with pot; give that too, or leave this out"),
        ("prizes = { yixiu = [] }", "prizes.yixiu: name at least one prize, or leave this tier out"),
        ("sets = 9", "sets: give a value from 1 to 6; found 9"),
        ("throws_each = 4", "throws_each: goes with ending = throws; give that too, or leave this out"),
        ("three_dice = true", "three_dice: goes with ending = throws, time; give that too, or leave this out"),
    ],
)
def test_a_refusal_says_what_to_do(text: str, sentence: str):
    with pytest.raises(PlanError) as refused:
        plan(f"people = 10\n{text}")
    assert str(refused.value) == sentence


def test_a_budget_without_prices_compares_nothing_and_says_so():
    assert codes(plan("people = 10\nbudget = 50")) == ["budget-without-prices"]
    assert codes(plan("people = 10\nbudget = 50\n[prizes]\nyixiu = 1")) == []


def test_a_plan_that_is_built_in_python_is_refused_for_what_is_no_number():
    text: Any = "10"
    for wish in (Wish(MINNAN, text), Wish(MINNAN, 10, minutes=text), Wish(MINNAN, 10, seconds=text)):
        with pytest.raises(BobingError) as refused:
            plan_of(wish)
        assert refused.value.code == "odds/out_of_range"


def test_what_is_simulated_has_its_standard_errors():
    rules = rules_from_table(merge(find_sheet("S9").to_table(), {"bonus": {"sijin_yixiu": True}}))
    one, two = evening_of(rules, 8, 12), evening_of(rules, 8, 12, sets=2)
    told = one.to_json()
    assert told["games"] == 50_000
    assert 0.5 <= told["errors"]["throws"]["p99"] < 6
    assert told["errors"]["waited"]["sijin"] == pytest.approx(
        (one.waited["sijin"] * (1 - one.waited["sijin"]) / 5e4) ** 0.5
    )
    assert two.done_in_error(60) > one.done_in_error(60) > 0
    found = plan_of(Wish(rules, people=16, minutes=60))
    assert found.all_done_in_time_error == pytest.approx(2 * one.done_in(60) * one.done_in_error(60))
    assert found.some_without_champion_error == pytest.approx(2 * one.no_champion_error)
    assert "±" in found._repr_html_()
    assert {*evening_of(MINNAN, 8, 12).to_json()["errors"]["throws"].values()} == {0}


def test_a_throw_that_ends_the_game_leaves_nothing_for_three_dice_to_settle():
    """Six ones end such a game at once, in some games with no zhuangyuan yet; three dice are for the others."""
    found = plan("people = 10\nrules = '003N'\nending = 'throws'\nthree_dice = true")
    law = found.evening.law
    assert law.three_dice == pytest.approx(law.no_champion, abs=0.01)
    assert 0 < found.evening.no_champion < 0.01
    assert found.evening.law.left["zhuangyuan"].chance == 0


def test_a_notebook_shows_the_other_ways():
    shown = plan("people = 40\ntables = 3")._repr_html_()
    assert shown.startswith("<table")
    assert shown.count("<tr") > 5
    assert "40 people, 1 table of 14, 2 tables of 13, Minnan bilingual" in shown
    assert "until a champion, and a lap" in shown
    assert "≈" not in shown
