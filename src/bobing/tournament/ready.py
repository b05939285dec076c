"""Finals that are ready-made: those of the printed sheets, and stages that events of many tables have used.

Each is a list of acts `stage`, for the organiser to change: the items are what the sheet prints, where it prints one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from bobing.core.catalogue import find_sheet
from bobing.tournament.acts import FinalPlace, SetStage

READY = ("S6", "S9", "S11", "1-2-4", "88-8-1", "882-126-9-5-1")
"""The keys, in the order in which they are offered."""


def ready_final(key: str) -> Sequence[SetStage]:
    """The stages of a ready-made final; KeyError where there is none of that key.

    >>> [(stage.format, stage.groups, stage.places[0].count) for stage in ready_final("88-8-1")]
    [('sum', 8, 1), ('sum', 1, 1)]
    """
    return _ready()[key]


def _after(stages: Sequence[tuple[int, int]]) -> tuple[SetStage, ...]:
    """Stages of three dice each, by groups and winners of each group."""
    return tuple(
        SetStage(number, "", "sum", (FinalPlace(winners),), "stage" if number > 1 else "champions", groups)
        for number, (groups, winners) in enumerate(stages, 1)
    )


@cache
def _ready() -> Mapping[str, Sequence[SetStage]]:
    s6, s9, s11 = (find_sheet(name).to_table() for name in ("S6", "S9", "S11"))
    return {
        # S6 004:124: champions of tables throw three dice, the higher sum has the prize of the last champion.
        "S6": (SetStage(1, "", "sum", (FinalPlace(1),), rules=s6),),
        # S9 004:170, 211: one winner of all tables, a card of 500. Whose title is the highest; ties throw again (E-20).
        "S9": (SetStage(1, "", "highest", (FinalPlace(1, "500元购物卡", 50_000),), rules=s9, held=True),),
        # S11 004:227-231: champions play on at two tables; who is first to throw a zhuangyuan has its special prize.
        "S11": (SetStage(1, "", "first", (FinalPlace(1, "特等奖"),), groups=2, rules=s11),),
        "1-2-4": (SetStage(1, "", "sum", (FinalPlace(1), FinalPlace(2), FinalPlace(4))),),
        "88-8-1": _after([(8, 1), (1, 1)]),
        "882-126-9-5-1": _after([(126, 1), (9, 1), (1, 5), (1, 1)]),
    }
