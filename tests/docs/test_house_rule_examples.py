"""Every example on the page of house rules is a complete file that can be played, and does what the page says of it."""

import re
import tomllib
from pathlib import Path

import pytest

from bobing.core.act_json import act_from_json
from bobing.core.catalogue import read_rules
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.scorebook import scorebook


def blocks_of(page):
    return re.findall(r"^```toml\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


PAGE = Path(__file__).parents[2] / "docs" / "rules" / "house-rules.md"
BLOCKS = blocks_of(PAGE)
EXAMPLES = {tomllib.loads(block)["key"]: block for block in BLOCKS}
IN_CHINESE = Path(__file__).parents[2] / "docs" / "zh" / "house-rules.md"


def tier_of(rules, throw):
    return scorebook(rules).row(Roll.parse(throw)).tier


def strength_of(rules, throw) -> int:
    strength = scorebook(rules).row(Roll.parse(throw)).strength
    assert strength is not None
    return strength


@pytest.mark.parametrize("block", [*BLOCKS, *blocks_of(IN_CHINESE)], ids=lambda block: tomllib.loads(block)["key"])
def test_the_example_is_a_complete_file(block):
    rules = read_rules(block)
    assert rules.key == tomllib.loads(block)["key"]
    assert rules.extends
    assert "house" in rules.origins.values()
    game = Game.new(rules, seats=4)
    for i, throw in enumerate(["123456", "222233", "444123", "122344", "122354", "112235", "444412", "444466"]):
        if not game.finished:
            game = game.play(act_from_json({"seat": i % 4, "roll": throw}))
    assert game.title or game.finished


def test_there_is_an_example_for_every_task():
    assert len(EXAMPLES) == len(BLOCKS), "two examples have the same key"
    headings = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(EXAMPLES) >= len(headings) - 1


def test_a_pattern_wins_its_own_tier_below_what_is_higher():
    rules = read_rules(EXAMPLES["lucky-triples"])
    assert [tier_of(rules, throw) for throw in ("111235", "666124", "666244", "111222", "111123", "222355")] == [
        "triple", "triple", "erju", "triple", "sijin", None,
    ]  # fmt: skip


def test_the_order_puts_equal_forms_side_by_side():
    rules = read_rules(EXAMPLES["six-fours-first"])
    fours, ones, flowers, five = (strength_of(rules, throw) for throw in ("444444", "111111", "444411", "444446"))
    assert fours > ones > flowers > five


def test_only_the_faces_named_are_four_alike():
    rules = read_rules(EXAMPLES["more-duitang"])
    assert [tier_of(rules, throw) for throw in ("111123", "666612", "222213", "333222", "112233", "223344")] == [
        "sijin", "sijin", None, "duitang", "duitang", "duitang",
    ]  # fmt: skip


def test_prizes_are_told_by_name():
    items = {tier.key: [(item.name, item.count, item.price) for item in tier.items] for tier in prize_rules().tiers}
    assert items["duitang"] == [("quilt", 1, 12900), ("kettle", 1, 9900)]
    assert items["sanhong"] == [("cooking oil", 4, 5990)]
    assert items["yixiu"] == []


def prize_rules():
    return read_rules(EXAMPLES["prizes"])


def test_the_whole_office_has_what_the_page_says_of_it():
    rules = read_rules(EXAMPLES["department"])
    assert sum(rules.cakes.values()) == 63
    assert [(item.name, item.count) for item in rules.tier("duitang").items] == [
        ("winter quilt", 1),
        ("summer quilt", 1),
    ]
    (oil,) = rules.tier("sanhong").items
    assert f"{oil.count * oil.price / 100:.2f}" == "239.60"
    assert not any(tier.points for tier in rules.tiers)


@pytest.mark.parametrize("act", [{"spill": True}, {"pass": True}, {"roll": "123556"}])
def test_a_turn_counts_as_a_throw_whatever_came_of_it(act):
    game = Game.new(read_rules(EXAMPLES["six-each"]), seats=2)
    while not game.state.rolloff:
        assert len(game.log) < 12
        game = game.play(act_from_json({"seat": game.next_seat, **act}))
    assert len(game.log) == (6 if act == {"spill": True} else 12)
