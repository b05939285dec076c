"""What is told of sheets and hands outside a table."""

import json

import pytest

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import Roll
from bobing.core.dimensions import POINTS
from bobing.core.errors import RulesError
from bobing.core.scorebook import THROWS, scorebook
from bobing.i18n import LANGUAGES
from bobing.server.sheets_api import score, sheet, sheets


def test_the_list_begins_with_the_default_and_names_every_sheet():
    listed = sheets()
    assert [one["key"] for one in listed] == list(sheet_keys())
    assert [one["key"] for one in listed if one["default"]] == ["minnan"]
    assert all(set(one["names"]) == set(LANGUAGES) for one in listed)
    assert [one["differs"] == 0 for one in listed].count(True) == 1


@pytest.mark.parametrize("key", sheet_keys())
def test_a_sheet_is_told_whole_and_in_every_language(key):
    told = sheet(key)
    assert [point["id"] for point in told["points"]] == list(POINTS)
    for said in _texts_in(told):
        assert all(said[lang] for lang in LANGUAGES), said
    assert sum(tier["throws"] for tier in told["tiers"]) + told["nothing"] == THROWS
    assert sum(point["differs"] for point in told["points"]) == told["differs"]
    assert json.loads(json.dumps(told)) == told


def _texts_in(value):
    if isinstance(value, dict):
        if set(value) & set(LANGUAGES):
            yield value
        else:
            for part in value.values():
                yield from _texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts_in(part)


@pytest.mark.parametrize("key", sheet_keys())
def test_what_is_drawn_for_a_tier_wins_it(key):
    rules, told = find_sheet(key), sheet(key)
    for tier in told["tiers"]:
        assert tier["dice"], tier["key"]
        for dice in tier["dice"]:
            assert scorebook(rules).row(_filled(dice)).tier == tier["key"], dice


def _filled(dice):
    """A picture as a throw: free dice show faces that make nothing of themselves."""
    free = iter([face for face in "223561" if face not in dice])
    return Roll.parse("".join(next(free) if sign == "x" else sign for sign in dice))


@pytest.mark.parametrize("key", sheet_keys())
def test_the_champion_throws_stand_in_the_order_in_which_they_beat_each_other(key):
    book = scorebook(find_sheet(key))
    ranks = [[_rank(book, form["dice"]) for form in group] for group in sheet(key)["ranks"]]
    assert all(len(set(group)) == 1 for group in ranks)
    assert [group[0] for group in ranks] == sorted((group[0] for group in ranks), reverse=True)
    assert len({group[0] for group in ranks}) == len(ranks)


def _rank(book, dice):
    """Which group of forms a throw belongs to; what breaks ties within one is left out."""
    strength = book.row(_filled(dice)).strength
    assert strength is not None
    return strength // 100


def test_a_sheet_is_found_by_its_id_and_has_its_own_words():
    told = sheet("s2")
    assert told["key"] == "company-chart"
    assert [form["own"] for group in told["ranks"] for form in group if form["key"] == "liubohong"] == [["满堂红"]]


def test_an_unknown_sheet_is_refused():
    for ask in (sheet, lambda name: score("444411", name)):
        with pytest.raises(RulesError) as refused:
            ask("minna")
        assert refused.value.code == "rules/unknown_sheet"


@pytest.mark.parametrize(
    ("roll", "key"), [("444411", "minnan"), ("333333", "S13"), ("123456", "S11"), ("222444", "000")]
)
def test_a_hand_is_scored_as_the_scorebook_has_it(roll, key):
    row, told = scorebook(find_sheet(key)).row(Roll.parse(roll)), score(roll, key)
    assert (told["combination"], told["strength"], told["kicker"]) == (row.combination, row.strength, row.kicker)
    assert [award["tier"] for award in told["awards"]] == [tier for tier in (row.tier, *row.bonus) if tier]
    assert set(told["lines"]) == set(LANGUAGES)
