"""Simulated answers where there are no exact ones, and how results look in a notebook."""

import json
import re
from math import isnan, nan

import pytest

import bobing.odds
from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.errors import OddsError, RulesError
from bobing.odds.answers import length, overtaken, shares, standing
from bobing.odds.exact import throw
from bobing.odds.lengths import exact_length, mean_throws
from bobing.odds.sharing import exact_shares, exact_standing
from bobing.odds.simulate import Setting, simulate

FALLBACK = 'extends = "S9"\n[bonus]\nsijin_yixiu = true'


def test_a_law_that_is_simulated_says_so_and_is_near():
    found = length(read_rules(FALLBACK), games=20_000)
    assert not found.exact
    assert found.games == 20_000
    assert abs(found.mean - 177.484) < 5 * found.error
    assert found.beyond[0] == 1
    assert sum(found.law) == pytest.approx(1)
    with pytest.raises(OddsError):
        found.mean_exact  # noqa: B018
    html = found._repr_html_()
    assert "simulated, 20,000 games" in html
    assert all("±" in row for row in html.split("<tr>")[2:])
    assert min(found.sd_error, found.quantile_error(0.9), found.no_champion_error) > 0


def test_one_game_says_nothing_about_its_error():
    found = length(read_rules(FALLBACK), games=1)
    assert all(map(isnan, (found.error, found.sd_error, found.quantile_error(0.5), found.no_champion_error)))
    assert found.to_json()["error"] is None
    assert "from which no standard error can be told" in found._repr_html_()
    played = simulate(Setting(find_sheet("S12"), 4), 1)
    assert isnan(played.throws[1])
    assert json.dumps(played.to_json(), allow_nan=False)
    assert json.dumps(shares("S12", 4, games=1).to_json(), allow_nan=False)


@pytest.mark.parametrize("value", [-1, 2, nan, "0.5", None, True])
def test_what_is_no_share_is_refused_with_a_code(value):
    for ask in (length("S2", 4).quantile, simulate(Setting(find_sheet("S2"), 4), 10).quantile):
        with pytest.raises(OddsError) as refused:
            ask(value)
        assert refused.value.code == "odds/out_of_range"


def plan_for(rules):
    return bobing.odds.plan.Wish(rules, people=10)


def ask_for(of):
    return shares("S2", 4).advantage(of)


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        *((throw("S2").chance, value) for value in (-1, 46_657, 1.0, "1", None)),
        (throw("S2").cakes, "x"),
        (ask_for, "x"),
        (exact_length("S2").beyond_exact, -1),
        *((standing, value) for value in (None, "x")),
        (overtaken, None),
        (exact_standing, None),
        *((lambda tiers: shares("S2", tiers=tiers), value) for value in ("x", None)),
        *((lambda seconds: length("S2", seconds=seconds), value) for value in ("x", nan, None)),
        *((lambda seed: simulate(Setting(find_sheet("S2"), 4, seed), 10), value) for value in (0.5, "x", None)),
        *((lambda games: simulate(Setting(find_sheet("S2"), 4), games), value) for value in (1.5, "x", None)),
    ],
)
def test_what_is_no_question_is_refused_with_a_code(ask, value):
    with pytest.raises(OddsError) as refused:
        ask(value)
    assert refused.value.code == "odds/out_of_range"


def test_shares_are_simulated_where_they_must_be_and_exact_elsewhere():
    rules = find_sheet("S14")
    found, exact = shares(rules, 5, games=20_000), exact_shares(rules, 5)
    assert found.doubts == {"duitang": "chase"}
    assert found.cakes["yixiu"] == exact.cakes["yixiu"]
    assert found.champion == exact.champion
    assert sum(found.cakes["duitang"]) == pytest.approx(2)
    assert len(found.errors["duitang"]) == 5
    html = found._repr_html_()
    assert "Straight: simulated, 20,000 games" in html
    assert html.count("±") == 6, "five seats, and below them how far they may be off"


CAPPED = {
    "throws": '[ending]\nwhen = "throws"\nthrows_each = 6',
    "three dice": '[ending]\nwhen = "throws"\nthrows_each = 6\nundecided = "three-dice"',
    "all gone": '[ending]\nwithout_champion = "stop"',
    "time": '[ending]\nminutes = 5\nundecided = "three-dice"',
}


@pytest.mark.parametrize("ending", CAPPED)
@pytest.mark.parametrize("sheet", ["S12", "S9", "S14", "S5", "philippines"])
def test_whether_there_is_a_champion_is_exact_where_who_it_is_must_be_simulated(sheet, ending):
    rules = read_rules(f'extends = "{find_sheet(sheet).key}"\n{CAPPED[ending]}')
    found, law = exact_shares(rules, 4), exact_length(rules, 4)
    assert found.no_champion is not None
    assert found.no_champion == pytest.approx(law.no_champion - law.three_dice, abs=1e-12)
    assert "no_champion" not in found.doubts
    played = simulate(Setting(rules, 4, seed=5), 20_000).no_champion
    assert abs(found.no_champion - played[0]) < 4 * played[1]


def test_whether_there_is_a_champion_is_simulated_with_its_error_where_there_is_no_law():
    found = shares(read_rules(FALLBACK), 4, throws=24, games=2_000)
    told = found.to_json()
    assert told["simulated"]["no_champion"] == "fallback"
    assert told["errors"]["no_champion"] == [pytest.approx((0.748 * 0.252 / 2000) ** 0.5, rel=0.1)]
    assert exact_shares(read_rules(FALLBACK), 4).no_champion is None


def test_what_was_never_seen_has_a_bound_and_no_error_of_nothing():
    found = simulate(Setting(find_sheet("S12"), 4), 5)
    assert {error for chance, error in found.champion if chance in (0, 1)} == {0.3}  # two of them: 3 / 5
    assert all(error for seats in found.cakes.values() for _, error in seats)


def test_a_champion_that_is_simulated_agrees_with_the_exact_one_of_a_sheet_alike():
    """Equal throws thrown off by chance make hardly any difference to seats far apart."""
    found = shares(read_rules('extends = "S2"\n[title]\nequal = "red-pips"'), 2, games=20_000)
    near = exact_shares(find_sheet("S2"), 2).champion
    for chance, error, other in zip(found.champion, found.errors["champion"], near, strict=True):
        assert abs(chance - other) < 5 * error + 0.005


def test_more_cakes_than_exact_sums_reach_are_simulated():
    rules = read_rules('extends = "S2"\n[cakes]\nyixiu = 200')
    assert not length(rules, games=2_000).exact
    assert sum(shares(rules, 4, games=2_000).cakes["yixiu"]) == pytest.approx(200)


@pytest.mark.parametrize("sheet", ["S12", "philippines"])
def test_shares_of_a_game_cut_off_are_simulated_where_they_must_be(sheet):
    found = shares(sheet, 6, throws=60, games=20_000)
    assert found.doubts.keys() == {"zhuangyuan", "champion"}
    assert found.no_champion is not None  # exact, beside titles that are not
    assert abs(sum(found.champion) + found.no_champion - 1) < 4 * (found.no_champion / 20_000) ** 0.5
    assert found.no_champion == pytest.approx(exact_length(sheet, 6, throws=60).no_champion, abs=0.015)


def test_what_is_left_is_simulated_where_nothing_else_has_to_be():
    """A champion who is given duitang at the end, while of each player's zhuangyuan throws the last counts."""
    found = length(read_rules('extends = "S14"\n[title]\nown_later = "last"'), throws=60, games=20_000)
    assert (found.doubts, found.exact, found.mean) == ({"duitang": "at-end"}, False, 60)
    near = exact_length("S14", throws=60).left["duitang"]
    left = found.left["duitang"]
    assert abs(left.mean - near.mean) < 5 * left.mean_error + 0.01
    assert 0 < left.chance_error < 0.01
    assert found.left["yixiu"] == exact_length("S14", throws=60).left["yixiu"]


def test_what_all_eat_has_its_place_among_the_shares():
    """With six fours everybody has something of what is left, and the game is over."""
    found = shares("S12", 5, games=20_000)
    for tier, cakes in find_sheet("S12").cakes.items():
        left = exact_length("S12", 5).left[tier].mean
        whole = sum(found.cakes[tier]) + found.pool[tier][0] + left
        assert whole == pytest.approx(cakes, abs=0.002), tier
    assert found.pool["yixiu"][0] > 0.1
    assert not shares("S2", 5).pool


@pytest.mark.parametrize("ask", [exact_length, exact_shares, length, shares])
def test_a_named_sheet_may_be_asked_for_by_its_key(ask):
    assert ask("S2", 4) == ask(find_sheet("S2"), 4)
    for players in ("4", 4.0, True, None):
        with pytest.raises(OddsError) as refused:
            ask("S2", players)
        assert refused.value.code == "odds/out_of_range"


@pytest.mark.parametrize("ask", [throw, length, shares, exact_length, exact_shares, mean_throws, plan_for])
@pytest.mark.parametrize("rules", [5, None, ["S2"]])
def test_what_is_no_rule_set_is_refused_with_a_code(ask, rules):
    with pytest.raises(RulesError) as refused:
        ask(rules)
    assert refused.value.code == "rules/wrong_type"


def test_the_public_names_are_listed():
    assert {"length", "shares", "throw", "exact_length", "plan", "simulate"} <= set(dir(bobing.odds))
    assert bobing.odds.simulate.simulate(bobing.odds.simulate.Setting(find_sheet("S2"), 4), 10).games == 10
    assert bobing.odds.plan.plan_of(bobing.odds.plan.Wish(find_sheet("S2"), people=40)).games == 4


def test_results_have_a_look_in_notebooks():
    assert "Golden Flowers" in throw("S2")._repr_html_()
    html = exact_length(find_sheet("S2"))._repr_html_()
    assert "<svg" in html
    assert "228.53" in html
    assert html.count("<tr>") == 8
    html = exact_shares(find_sheet("S2"), 4)._repr_html_()
    assert html.count("<tr>") == 5
    assert "no champion" not in html
    assert "<p>no champion thrown: 48.39 %</p>" in exact_shares("S2", 4, throws=60)._repr_html_()
    assert "Company prize chart, 4 players" in html


def test_notebooks_speak_the_language_of_the_locale(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")
    played = simulate(Setting(find_sheet("S12"), 4), 1000)
    for result in (throw("S2"), exact_length("S2"), shares("S14", 4, games=1000), played):
        words = re.sub("<[^>]*>", "", result._repr_html_())
        assert "擲" in words or "餅" in words
        assert not re.search("[a-z]{4}", words.replace("referee-order", "")), words
