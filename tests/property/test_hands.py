"""What a hand is worth under any rule set: one row, whatever the order of the dice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bobing.core.combinations import NONE, Row, read_hand
from bobing.core.dice import HANDS, Roll
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.scorebook import THROWS, scorebook, ways
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN
from property.house_rules import rule_sets
from property.some_acts import rolls
from property.trying import tries


@given(rules=rule_sets(), roll=rolls, data=st.data())
def test_the_order_of_the_dice_does_not_matter(rules: RuleSet, roll: Roll, data: st.DataObject):
    other = Roll(tuple(data.draw(st.permutations(roll.faces))))
    assert scorebook(rules).row(other) == scorebook(rules).row(roll) == read_hand(roll.hand, rules)


@given(rules=rule_sets())
@tries(40)
def test_every_throw_has_one_row_that_makes_sense(rules: RuleSet):
    book = scorebook(rules)
    assert set(book.rows) == set(HANDS)
    for row in book.rows.values():
        check_row(row, rules)
    census = book.census()
    assert sum(census.awards.values()) + census.none == sum(census.combinations.values()) == THROWS
    assert sum(map(ways, HANDS)) == THROWS
    assert all(census.awards.values()), "a tier that no throw wins is refused"


def check_row(row: Row, rules: RuleSet):
    assert row.combination in {*FORMS, *HANDS_BELOW, *rules.lower, NONE}
    assert row.tier in {None, *rules.cakes}
    assert (row.tier == ZHUANGYUAN) == (row.strength is not None)
    assert row.strength is None or row.strength > 0
    assert set(row.bonus) <= {"yixiu", "erju"} & set(rules.lower)
    assert row.tier not in row.bonus
    if row.combination == NONE:
        assert row == Row(NONE, None, (), None, 0, ())


@given(rules=rule_sets())
@tries(40)
def test_a_rule_set_survives_its_table(rules: RuleSet):
    again = rules_from_table(rules.to_table())
    assert again == rules
    assert again.digest == rules.digest
    assert again.to_table() == rules.to_table()
