"""Which dice make a throw what it is called, and the settings that a rule set has."""

from __future__ import annotations

import pytest

from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.dice import Roll
from bobing.core.rules import rules_from_table, setting_paths
from bobing.core.scorebook import scorebook

MINE = 'extends = "minnan"\n'
PATTERN = f'{MINE}[wins]\nerju = ["erju", "1122xx"]\n'


@pytest.mark.parametrize(
    ("roll", "combination", "counting"),
    [
        ("123345", "yixiu", "4"),
        ("222441", "erju", "44"),
        ("454545", "sanhong", "444"),
        ("441244", "sihong", "4444"),
        ("555551", "wuzi", "55555"),
        ("233332", "sijin", "3333"),
        ("412356", "duitang", "412356"),
        ("444411", "chajinhua", "444411"),
        ("666666", "liubohei", "666666"),
        ("123356", "none", ""),
    ],
)
def test_the_dice_that_make_a_throw_what_it_is_called(roll: str, combination: str, counting: str):
    book, thrown = scorebook(find_sheet("S12")), Roll.parse(roll)
    assert book.row(thrown).combination == combination
    assert "".join(str(thrown.faces[place]) for place in book.counting(thrown)) == counting
    assert book.counting(thrown) == book.counting(thrown), "looked up the second time"


def test_the_dice_of_a_pattern_and_of_a_second_prize_count_too():
    book = scorebook(read_rules(PATTERN))
    assert book.counting(Roll.parse("112235")) == (0, 1, 2, 3)
    book = scorebook(read_rules(f"{MINE}[bonus]\nsijin_yixiu = true"))
    assert book.row(Roll.parse("222241")).bonus
    assert book.counting(Roll.parse("222241")) == (0, 1, 2, 3, 4)


def test_rules_that_play_alike_share_one_scorebook():
    mine, named = read_rules(MINE), find_sheet("minnan")
    assert mine.key != named.key, "what it is called plays no part"
    assert scorebook(mine) is scorebook(named) is scorebook(rules_from_table(mine.to_table()))
    assert scorebook(mine) is not scorebook(read_rules(PATTERN))


def test_every_setting_is_one_of_the_rules_and_stands_once():
    paths = setting_paths()
    assert len(set(paths)) == len(paths)
    for path in paths:
        section, _, key = path.partition(".")
        assert hasattr(getattr(find_sheet(), section), key)
