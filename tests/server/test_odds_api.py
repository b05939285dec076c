"""What is told of chances."""

import asyncio
import re
from itertools import pairwise
from pathlib import Path

import pytest

from bobing.core.acts import Throw
from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.i18n import LANGUAGES
from bobing.odds.answers import GAMES, length, shares, standing
from bobing.odds.plan.wish import OPTIONAL, SPANS
from bobing.server.odds_api import PLAYERS_MAX, TABLE_GAMES, OddsDesk, install, read_players, rules_odds, table_odds
from bobing.server.plan_api import SETS_MAX, THROWS_EACH_MAX

LIB = Path(__file__).parents[2] / "web" / "src" / "lib"


@pytest.mark.parametrize("key", sheet_keys())
def test_every_sheet_has_its_odds_in_every_language(key):
    told = rules_odds(find_sheet(key), 4)
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
        read_players(players)


def test_the_pages_take_the_numbers_that_the_server_takes():
    said = re.compile(r"(\w+)(?:: Span =|:) \{ least: ([\d_]+), most: ([\d_]+)")
    found = {
        name: (int(least), int(most))
        for file in ("spans.ts", "planning.ts")
        for name, least, most in said.findall((LIB / file).read_text("utf-8"))
    }
    most = {"sets": SETS_MAX, "throws_each": THROWS_EACH_MAX}
    names = ("people", "tables", "sets", "minutes", "seconds", "throws_each")
    spans = {name: (0 if name in OPTIONAL else SPANS[name][0], most.get(name, SPANS[name][1])) for name in names}
    assert found == {"PLAYERS": (2, PLAYERS_MAX), "throwsEach": spans.pop("throws_each"), **spans}


MANY_TIERS = """
extends = "S2"
[ranking]
tiers = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "a", "b"]
[cakes]
a = 1
b = 1
[wins]
a = ["112233"]
b = ["112255"]
"""
CHASED = 'extends = "S9"\n[chase]\ntiers = ["sanhong"]'


@pytest.mark.parametrize(("rules", "doubt"), [(CHASED, "fallback"), (MANY_TIERS, "many-cakes")])
def test_house_rules_without_an_exact_law_say_why_and_are_simulated(rules, doubt):
    rules = read_rules(rules)
    told = rules_odds(rules, 4)
    assert (told.length, told.doubt) == (None, doubt)
    assert told.shares.doubts["champion"] == doubt
    assert set(told.reasons) == {doubt}
    full = rules_odds(rules, 4, simulated=True)
    assert full.doubt == doubt
    assert full.length is not None
    assert full.length.games == full.shares.games > 0
    assert 0 < full.length.error < 2
    assert set(full.shares.cakes) == set(rules.cakes)
    assert len(full.shares.errors["champion"]) == 4
    assert sum(full.shares.champion) == pytest.approx(1, abs=0.01)


def test_what_is_simulated_is_what_the_command_line_tells():
    told = rules_odds(find_sheet("S12"), 5, simulated=True).shares
    wanted = shares("S12", 5).to_json()
    assert told.games == wanted["games"] == GAMES
    assert (told.cakes, told.champion, told.errors) == (wanted["cakes"], wanted["champion"], wanted["errors"])
    chased = read_rules(CHASED)
    law = rules_odds(chased, 4, simulated=True).length
    assert law is not None
    assert law.mean == length(chased, 4).mean


def test_a_table_without_an_exact_title_has_a_simulated_one(monkeypatch):
    monkeypatch.setattr("bobing.server.odds_api.TABLE_S", 600)
    game = Game.new(find_sheet("S12"), 3).play(Throw(0, Roll.parse("444412")))
    told = table_odds(game)
    assert told.champion == []
    assert told.doubts["champion"] == "own-last"
    assert told.reasons["own-last"]["en"].startswith("the last champion throw of a player")
    full = table_odds(game, simulated=True)
    assert full.games == TABLE_GAMES
    assert max(full.errors["champion"]) <= 0.005
    wanted = standing(game, games=TABLE_GAMES)
    assert full.champion == list(wanted.champion)
    assert full.overtaken == pytest.approx(1 - wanted.champion[0])


def test_the_desk_works_out_each_answer_once_in_a_process_aside(monkeypatch):
    desk, rules = OddsDesk(), find_sheet("S12")
    asked, run = [], desk.aside.run
    game = Game.new(rules, 3).play(Throw(0, Roll.parse("444412")))

    async def counted(work, *given):
        asked.append(work)
        return await run(work, *given)

    async def scenario():
        for _ in range(2):
            first, second = await asyncio.gather(*(desk.rules(rules, "3", {"en": name}) for name in ("a", "b")))
            assert (first.names, second.names) == ({"en": "a"}, {"en": "b"})
            assert first.shares == second.shares == rules_odds(rules, 3, simulated=True).shares
        assert len(asked) == 1
        told = await asyncio.gather(*(desk.table("code", game) for _ in range(30)))
        assert all(one == told[0] for one in told)
        assert told[0].games > 0
        assert len(asked) == 2
        await desk.table("code", game.play(Throw(1, Roll.parse("123455"))))
        assert len(asked) == 3
        assert (await desk.table("code", game, simulated=False)).champion == []
        assert (await desk.rules(rules, "3", {}, simulated=False)).shares.games == 0

    monkeypatch.setattr(desk.aside, "run", counted)
    try:
        asyncio.run(scenario())
    finally:
        desk.close()


def test_where_nothing_simulates_the_answer_says_what_to_install(monkeypatch):
    desk, rules = OddsDesk(), find_sheet("S12")

    async def scenario():
        told = await desk.rules(rules, "3", {})
        assert (told.install, told.shares.games) == (install(), 0)
        assert (await desk.table("code", Game.new(rules, 3))).install == install()
        assert (await desk.rules(find_sheet("S2"), "3", {})).install == ""

    monkeypatch.setattr("bobing.odds.simulate.find_spec", lambda _: None)
    asyncio.run(scenario())


def test_a_game_tells_what_may_still_come():
    game = Game.new(find_sheet("S2"), 3).play(Throw(0, Roll.parse("444412")))
    told = table_odds(game)
    assert sum(told.champion) == pytest.approx(1)
    assert told.overtaken == pytest.approx(1 - told.champion[0])
    assert told.thrown == 1
    assert sum(told.cakes["yixiu"]) == pytest.approx(32)
