"""Simulated answers where there are no exact ones, and how results look in a notebook."""

import pytest

from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.errors import OddsError
from bobing.odds.answers import length, shares
from bobing.odds.exact import throw
from bobing.odds.lengths import exact_length
from bobing.odds.sharing import exact_shares

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
    assert "20,000 games simulated" in found._repr_html_()


def test_shares_are_simulated_where_they_must_be_and_exact_elsewhere():
    rules = find_sheet("S14")
    found, exact = shares(rules, 5, games=20_000), exact_shares(rules, 5)
    assert found.doubts == {"duitang": "chase"}
    assert found.cakes["yixiu"] == exact.cakes["yixiu"]
    assert found.champion == exact.champion
    assert sum(found.cakes["duitang"]) == pytest.approx(2)
    assert len(found.errors["duitang"]) == 5
    assert "simulated (20,000 games): duitang" in found._repr_html_()


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


def test_an_end_by_throws_is_not_simulated():
    with pytest.raises(OddsError) as refused:
        length(read_rules(FALLBACK), throws=60)
    assert refused.value.code == "odds/not_exact"


def test_results_have_a_look_in_notebooks():
    assert "Golden Flowers" in throw("S2")._repr_html_()
    html = exact_length(find_sheet("S2"))._repr_html_()
    assert "<svg" in html
    assert "228.53" in html
    assert html.count("<tr>") == 8
    html = exact_shares(find_sheet("S2"), 4)._repr_html_()
    assert html.count("<tr>") == 5
