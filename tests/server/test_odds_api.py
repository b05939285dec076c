"""What is told of chances."""

from itertools import pairwise

import pytest

from bobing.core.acts import Throw
from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.errors import OddsError, RulesError
from bobing.core.game import Game
from bobing.i18n import LANGUAGES
from bobing.server.odds_api import house_odds, sheet_odds, table_odds


@pytest.mark.parametrize("key", sheet_keys())
def test_every_sheet_has_its_odds_in_every_language(key):
    told = sheet_odds(key, "4")
    assert sum(one.ways for one in told.combinations) == told.throws
    assert all(set(one.names) == set(LANGUAGES) for one in (*told.combinations, *told.tiers))
    assert all(len(one.dice) == 6 for one in told.combinations if one.key != "none")
    assert told.length is not None
    assert told.shares is not None
    over = [chance for _, chance in told.length.curve]
    assert all(before <= after + 1e-12 for before, after in pairwise(over))
    assert over[0] < 0.001
    assert over[-1] > 0.998
    assert set(told.shares.cakes) | set(told.shares.doubts) >= {one.key for one in told.tiers}
    assert set(told.reasons) == set(told.shares.doubts.values())
    assert all(reason.keys() == set(LANGUAGES) for reason in told.reasons.values())


@pytest.mark.parametrize("players", ["1", "31", "x", "", "²", "9" * 9])
def test_a_number_of_players_that_is_none_is_refused(players):
    with pytest.raises(OddsError):
        sheet_odds("minnan", players)


def test_a_sheet_that_is_none_is_refused():
    with pytest.raises(RulesError):
        sheet_odds("S99", "10")


def test_house_rules_without_an_exact_law_say_why():
    rules = read_rules('extends = "S9"\n[chase]\ntiers = ["sanhong"]')
    told = house_odds(rules, "4", rules.names)
    assert (told.length, told.doubt) == (None, "fallback")
    assert told.reasons["fallback"]["en"] == "a lower prize is taken where one is gone"
    eight = '"zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "a", "b"'
    wins = '[cakes]\na = 1\nb = 1\n[wins]\na = ["112233"]\nb = ["112255"]'
    rules = read_rules(f'extends = "S2"\n[ranking]\ntiers = [{eight}]\n{wins}')
    told = house_odds(rules, "4", rules.names)
    assert (told.length, told.shares, told.doubt) == (None, None, "many-tiers")
    assert "7 tiers" in told.reasons["many-tiers"]["en"]


def test_a_table_without_an_exact_title_says_why():
    told = table_odds(Game.new(find_sheet("S12"), 3))
    assert told.champion == []
    assert told.doubts["champion"] == "own-last"
    assert told.reasons["own-last"]["en"].startswith("the last champion throw of a player")


def test_a_game_tells_what_may_still_come():
    game = Game.new(find_sheet("S2"), 3).play(Throw(0, Roll.parse("444412")))
    told = table_odds(game)
    assert sum(told.champion) == pytest.approx(1)
    assert told.overtaken == pytest.approx(1 - told.champion[0])
    assert told.thrown == 1
    assert sum(told.cakes["yixiu"]) == pytest.approx(32)
