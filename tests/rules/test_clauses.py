"""Every clause that a printed sheet states, tested under the name of sheet and point.

`stated.toml` says which points a sheet states, `clauses.toml` has the games and throws that show what it says there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bobing.core.act_json import act_from_json
from bobing.core.catalogue import complete_table, find_key, find_sheet, sheet_keys
from bobing.core.combinations import Row
from bobing.core.dice import Roll
from bobing.core.dimensions import POINTS, value_at
from bobing.core.errors import ActRefused, BobingError, RulesError
from bobing.core.game import Game
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN

HERE = Path(__file__).parent
STATED: Mapping[str, Sequence[str]] = tomllib.loads((HERE / "stated.toml").read_text("utf-8"))
CLAUSES: Mapping[str, Any] = tomllib.loads((HERE / "clauses.toml").read_text("utf-8"))
CASES: Sequence[Mapping[str, Any]] = CLAUSES["case"]
CHECKS = {"tables", "too_small", "shows", "throws", "order", "census", "cakes", "total", "lower_total"}
CHECKS |= {"play", "games", "holds", "points"}
ONE_CAKE = {"yixiu": "122354", "erju": "122344", "sijin": "222233", "sanhong": "444123", "duitang": "123456"}


CELLS: Sequence[tuple[str, str]] = [(sheet, point) for sheet, points in STATED.items() for point in points]


def cases_of(sheet: str, point: str) -> list[Mapping[str, Any]]:
    return [case for case in CASES if case["point"] == point and sheet in case["sheets"].split()]


@pytest.mark.parametrize(("sheet", "point"), CELLS, ids=lambda word: word)
def test_clause(sheet: str, point: str) -> None:
    cases = cases_of(sheet, point)
    assert cases, f"{sheet} states {point}, but clauses.toml has no case for it"
    for case in cases:
        check(case, rules_for(sheet, case))


def test_the_cases_are_about_what_is_stated() -> None:
    stated = set(CELLS)
    for case in CASES:
        assert case["says"]
        assert CHECKS & set(case), case["says"]
        assert set(case) <= CHECKS | {"point", "sheets", "says", "house", "seats"}, case["says"]
        for sheet in case["sheets"].split():
            assert (sheet, case["point"]) in stated, (sheet, case["point"], case["says"])


def test_every_sheet_states_something() -> None:
    assert {find_key(sheet) for sheet in STATED} == set(sheet_keys())
    assert {point for _, point in CELLS} <= set(POINTS)


# ---- one case ----------------------------------------------------------------------------------------------------


def rules_for(sheet: str, case: Mapping[str, Any]) -> RuleSet:
    house = case.get("house")
    if house is None:
        return find_sheet(sheet)
    settings = CLAUSES["houses"][house] if isinstance(house, str) else house
    # A house has one cake in every lower tier that the sheet has; it makes no new tier.
    cakes = {tier: count for tier, count in settings.get("cakes", {}).items() if tier in find_sheet(sheet).cakes}
    changed = {**settings, "cakes": cakes} if cakes else settings
    return rules_from_table(complete_table({"extends": find_key(sheet), **changed}))


def check(case: Mapping[str, Any], rules: RuleSet) -> None:
    seats = case.get("seats", 3)
    for size in case.get("tables", ()):
        assert Game.new(rules, size).next_seat == 0
    for size in case.get("too_small", ()):
        with pytest.raises(ActRefused) as refused:
            Game.new(rules, size)
        assert refused.value.code == "act/bad_seats"
    for path, value in case.get("shows", {}).items():
        assert_shown(value_at(rules, path), value)
    for line in case.get("throws", ()):
        assert_scored(rules, line)
    if "order" in case:
        assert_order(rules, case["order"])
    for tier, throws in case.get("census", {}).items():
        assert scorebook(rules).census().awards[tier] == throws, tier
    assert_cakes(rules, case)
    for lines in case.get("games", ()):
        play(Game.new(rules, seats), lines)
    game = play(Game.new(rules, seats), case.get("play", ()))
    for seat, cakes in enumerate(case.get("holds", ())):
        held = game.state.holding(seat)
        assert {f"{tier} {count}" for tier, count in held.items()} == set(cakes.split(", ")), seat
    if "points" in case:
        assert game.finished
        assert [points_of(game, seat) for seat in range(seats)] == case["points"]


def assert_shown(found: Any, wanted: Any) -> None:
    if isinstance(wanted, list):
        assert sorted(found) == sorted(wanted)
    else:
        assert found == wanted


def assert_scored(rules: RuleSet, line: str) -> None:
    throw, combination, awards = re.fullmatch(r"(\d{6}) (\w+): (.+)", line).groups()  # type: ignore[union-attr]
    row = row_of(rules, throw)
    found = [row.tier or "nothing", *(f"{tier} bonus" for tier in row.bonus)]
    assert (row.combination, found) == (combination, awards.split(", ")), line


def assert_order(rules: RuleSet, order: str) -> None:
    throws, signs = re.findall(r"\d{6}", order), re.findall(r"[>=]", order)
    assert len(signs) == len(throws) - 1 > 0, order
    for (higher, lower), sign in zip(pairwise(throws), signs, strict=True):
        left, right = row_of(rules, higher).strength, row_of(rules, lower).strength
        assert left is not None, higher
        assert right is not None, lower
        assert (left > right) if sign == ">" else (left == right), f"{higher} {sign} {lower}"


def assert_cakes(rules: RuleSet, case: Mapping[str, Any]) -> None:
    table = Game.new(rules, 2).state.table
    for tier, cakes in case.get("cakes", {}).items():
        assert table[tier] == cakes, tier
        if tier not in {ZHUANGYUAN, rules.ranked_tier}:
            assert_won_and_gone(rules, tier)
    if "lower_total" in case:
        assert sum(table.values()) - table[ZHUANGYUAN] == case["lower_total"]
    if "total" in case:
        assert sum(table.values()) == case["total"]
        assert rules_from_table(rules.to_table() | {"total": case["total"]}).cakes == rules.cakes
        with pytest.raises(RulesError) as refused:
            rules_from_table(rules.to_table() | {"total": case["total"] + 1})
        assert refused.value.code == "rules/total_mismatch"


def assert_won_and_gone(rules: RuleSet, tier: str) -> None:
    """As many throws of a tier as it has cakes win one each, and the next takes none from the table."""
    game = Game.new(rules, 2)
    for i in range(rules.cakes[tier]):
        game = game.play(act_from_json({"seat": i % 2, "roll": ONE_CAKE[tier]}))
        assert moves_of(game) == [f"{tier} 1 table>{i % 2}"]
    after = game.play(act_from_json({"seat": rules.cakes[tier] % 2, "roll": ONE_CAKE[tier]}))
    assert not [move for move in moves_of(after) if "table" in move and move.startswith(tier)]


def row_of(rules: RuleSet, throw: str) -> Row:
    return scorebook(rules).row(Roll.parse(throw))


def points_of(game: Game, seat: int) -> int:
    return sum(game.rules.tier(tier).points * cakes for tier, cakes in game.state.holding(seat).items())


# ---- a game ------------------------------------------------------------------------------------------------------


def play(game: Game, lines: Sequence[str]) -> Game:
    for line in lines:
        act, _, expected = (part.strip() for part in line.partition("->"))
        wanted = [part.strip() for part in expected.split("|") if part.strip()]
        after, code = played(game, act)
        if after is None:
            assert wanted == [f"refused {code}"], line
            continue
        for part in wanted:
            assert_happened(after, part, line)
        game = after
    return game


def played(game: Game, act: str) -> tuple[Game | None, str]:
    """The game after an act, or None with the code of its refusal."""
    try:
        return game.play(act_from_json(act_of(act))), ""
    except BobingError as refused:
        return None, refused.code


def act_of(text: str) -> dict[str, Any]:
    """The JSON object of an act in a line such as `1 666666 grab yixiu=0,2 erju=1`."""
    words = text.split()
    if words[0] == "start":
        return {"start": {"seat": int(words[1]), "dice": words[2]}}
    act: dict[str, Any] = {"seat": int(words[0])}
    if words[1] == "spill":
        return act | {"spill": True} | ({"roll": words[2]} if words[2:] else {})
    if words[1] == "rolloff":
        return act | {"rolloff": words[2]}
    act["roll"] = words[1]
    if "choose" in words:
        act["choose"] = words[words.index("choose") + 1]
    if "grab" in words:
        grabbed = (word.split("=") for word in words[words.index("grab") + 1 :])
        act["grab"] = {tier: [int(seat) for seat in seats.split(",")] for tier, seats in grabbed}
    return act


def assert_happened(game: Game, wanted: str, line: str) -> None:
    word, *values = wanted.split()
    match word:
        case "next":
            assert [game.next_seat, game.finished] == [int(values[0]), False], line
        case "over":
            assert game.finished, line
        case "skips":
            assert list(game.last.skipped) == [int(value) for value in values], line
        case "title":
            assert title_of(game)[: len(values)] == values, line
        case "nothing":
            assert moves_of(game) == [], line
        case _:
            assert sorted(moves_of(game)) == sorted(re.split(r",\s*", wanted)), line


def title_of(game: Game) -> list[str]:
    if game.title is None:
        return ["-"]
    seat, claim = game.title
    return [str(seat), str(claim.roll)]


def moves_of(game: Game) -> list[str]:
    return [f"{move.tier} {move.cakes} {move.source}>{move.target}" for move in game.last.moves]


# ---- the checks themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        {"throws": ["222241 sijin: sijin"]},
        {"throws": ["222241 erju: sijin, yixiu bonus"]},
        {"order": "444411 > 444444"},
        {"order": "666665 = 111112"},
        {"census": {"duitang": 721}},
        {"cakes": {"duitang": 3}},
        {"total": 62},
        {"lower_total": 63},
        {"shows": {"setup.direction": "clockwise"}},
        {"shows": {"chase.tiers": ["duitang"]}},
        {"play": ["0 123456 -> nothing"]},
        {"games": [["0 123456"], ["0 123456 -> nothing"]]},
        {"play": ["0 123456 -> duitang 1 table>1"]},
        {"play": ["0 123456 -> next 2"]},
        {"play": ["0 123456 -> over"]},
        {"play": ["0 123456 -> title 0"]},
        {"play": ["0 123456 -> skips 1"]},
        {"play": ["0 123456 -> refused act/grab_needed"]},
        {"play": ["1 123456 -> next 2"]},
        {"play": ["0 123456"], "holds": ["duitang 2"]},
        {"play": ["0 444444"], "points": [32, 0, 0]},
        {"play": ["0 444461 -> title 0 444452"]},
    ],
    ids=str,
)
def test_a_wrong_case_fails(case: Mapping[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check(case, find_sheet("S12"))
