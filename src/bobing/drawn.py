"""How the combinations of a rule set are drawn as dice. A picture is six signs; `x` is any face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN, Tier

DICE: Mapping[str, str] = {
    "chajinhua": "444411",
    "liubohong": "444444",
    "biandijin": "111111",
    "liubohei": "666666",
    "wuhong": "44444x",
    "wuzi": "55555x",
    "sihong": "4444xx",
    "duitang": "123456",
    "sanhong": "444xxx",
    "sijin": "2222xx",
    "erju": "44xxxx",
    "yixiu": "4xxxxx",
}
"""How each combination is drawn."""
TIES: Mapping[str, str] = {
    "liubohei": "ranks.liubohei_by",
    "wuzi": "ranks.wuzi_by",
    "wuhong": "ranks.wuhong_by",
    "sihong": "ranks.sihong_by",
}
"""Which setting says what decides between two throws of one form."""


def tier_dice(rules: RuleSet, tier: Tier) -> Sequence[str]:
    """The pictures of all that wins a tier.

    >>> from bobing.core.catalogue import find_sheet
    >>> tier_dice(find_sheet("S12"), find_sheet("S12").tier("duitang"))
    ['123456']
    """
    wins = [form for group in rules.ranks.order for form in group] if tier.key == ZHUANGYUAN else tier.wins
    return [dice for win in wins for dice in drawn(rules, win)]


def drawn(rules: RuleSet, win: str) -> Sequence[str]:
    """The pictures of what wins: one, but for the combinations that sheets widen."""
    if win != "duitang":
        return [DICE.get(win, win)]
    triples = {"none": [], "without-fours": ["222666"], "with-fours": ["222666", "444555"]}[rules.hands.two_triples]
    pairs = {"none": [], "334455": ["334455"], "consecutive": ["334455"], "any": ["115566"]}[rules.hands.three_pairs]
    return [DICE[win], *triples, *pairs]
