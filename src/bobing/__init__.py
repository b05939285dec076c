"""Bo Bing 博饼: six dice, 63 cakes, one zhuangyuan.

    >>> from bobing import Game, Roll, Throw, find_sheet
    >>> game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("222241")))
    >>> game.last.combination, game.next_seat
    ('sijin', 1)

What this package offers under its own name is described in `docs/api.md` and stays stable; modules below it may change.
Importing `bobing` loads nothing: each name is fetched when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bobing.core.act_json import act_from_json, act_to_json
    from bobing.core.acts import (
        Back,
        Close,
        Cocked,
        Correct,
        Join,
        Leave,
        Pass,
        RollOff,
        Spill,
        Start,
        Swap,
        Throw,
        TimeUp,
        Undo,
    )
    from bobing.core.catalogue import find_sheet, load_rules, read_rules, sheet_keys
    from bobing.core.combinations import Row, read_hand
    from bobing.core.consequence import consequence_json, final_json
    from bobing.core.dice import Roll
    from bobing.core.dimensions import differences
    from bobing.core.errors import ActRefused, BobingError, RecordError, RollError, RulesError
    from bobing.core.game import Game, replay
    from bobing.core.record import read_record, record_lines
    from bobing.core.rules import RuleSet
    from bobing.core.scorebook import Scorebook, scorebook
    from bobing.core.state import Claim, Move, Result, State

_HOMES = {
    "act_json": "act_from_json act_to_json",
    "acts": "Back Close Cocked Correct Join Leave Pass RollOff Spill Start Swap Throw TimeUp Undo",
    "catalogue": "find_sheet load_rules read_rules sheet_keys",
    "combinations": "Row read_hand",
    "consequence": "consequence_json final_json",
    "dice": "Roll",
    "dimensions": "differences",
    "errors": "ActRefused BobingError RecordError RollError RulesError",
    "game": "Game replay",
    "record": "read_record record_lines",
    "rules": "RuleSet",
    "scorebook": "Scorebook scorebook",
    "state": "Claim Move Result State",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = (
    "ActRefused", "Back", "BobingError", "Claim", "Close", "Cocked", "Correct", "Game", "Join", "Leave", "Move", "Pass",
    "RecordError", "Result", "Roll", "RollError", "RollOff", "Row", "RuleSet", "RulesError", "Scorebook", "Spill",
    "Start", "State", "Swap", "Throw", "TimeUp", "Undo", "act_from_json", "act_to_json", "consequence_json",
    "differences", "final_json", "find_sheet", "load_rules", "read_hand", "read_record", "read_rules", "record_lines",
    "replay", "scorebook", "sheet_keys",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'bobing' has no attribute {name!r}")
    value = getattr(import_module(f"bobing.core.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
