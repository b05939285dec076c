"""Which tier is gone last, against following every state of a small table."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from bobing.core.catalogue import find_sheet
from bobing.core.reading import merge
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.settings import ZHUANGYUAN
from bobing.odds.kinds import Kind, dice_of
from bobing.odds.waiting import last_gone

FEW = {"duitang": 1, "sanhong": 2, "sijin": 2, "erju": 1, "yixiu": 3}


def few(sheet: str, **cakes: int) -> RuleSet:
    rules = find_sheet(sheet)
    cakes = {**FEW, **cakes}
    total = sum(cakes.values()) + rules.cakes[ZHUANGYUAN]
    return rules_from_table(merge(rules.to_table(), {"cakes": cakes, "total": total}))


def followed(rules: RuleSet) -> Counter[str]:
    """The same by the states of a table: what is left of each need, zhuangyuan first."""
    dice = dice_of(rules)
    tiers = [ZHUANGYUAN, *dice.cakes]

    def after(left: tuple[int, ...], kind: Kind) -> tuple[int, ...]:
        rest = dict(zip(tiers, left, strict=True))
        for hit in kind.hits:
            falls = rules.exhausted.then != "nothing"
            lower = tiers[tiers.index(hit) :] if falls else [hit]
            tier = next((tier for tier in lower if rest[tier]), hit)
            rest[tier] = max(0, rest[tier] - 1)
        rest |= dict.fromkeys(kind.fills, 0)
        if kind.strength is not None:
            rest[ZHUANGYUAN] = 0
        return tuple(rest.values())

    @cache
    def chances(left: tuple[int, ...]) -> Counter[str]:
        told, moves = Counter[str](), 0
        for kind in dice.kinds:
            then = after(left, kind)
            if kind.ends:
                moves += kind.ways
            elif then != left:
                moves += kind.ways
                if any(then):
                    for tier, chance in chances(then).items():
                        told[tier] += kind.ways * chance
                else:
                    told[next(tier for tier, n in zip(tiers, left, strict=True) if n)] += kind.ways
        return Counter({tier: ways / moves for tier, ways in told.items()})

    title = rules.ending.without_champion != "stop"
    return chances((int(title), *dice.cakes.values()))


@pytest.mark.parametrize(
    "rules",
    [
        few("company-chart"),
        few("referee-order"),
        few("referee-order", erju=3, yixiu=1),
        few("pictured"),
        few("liubo-ends"),
        few("xiamen-notes"),
        few("fallback-chart"),
        few("fallback-chart", duitang=2, sanhong=1, erju=2),
    ],
    ids=lambda rules: rules.key,
)
def test_who_is_waited_for_is_what_the_states_say(rules: RuleSet):
    told, wanted = last_gone(rules), followed(rules)
    assert {tier: chance for tier, chance in told.items() if tier not in wanted} == {
        tier: pytest.approx(0, abs=1e-12) for tier in told if tier not in wanted
    }
    assert {tier: told[tier] for tier in wanted} == {tier: pytest.approx(wanted[tier], abs=1e-11) for tier in wanted}


def test_without_a_champion_to_wait_for_nobody_waits_for_one():
    rules = rules_from_table(merge(few("company-chart").to_table(), {"ending": {"without_champion": "stop"}}))
    told = last_gone(rules)
    assert told[ZHUANGYUAN] == 0
    assert sum(told.values()) == pytest.approx(1)
