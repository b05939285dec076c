"""Exact chances of throws, of the length of a game, and of who wins what; simulation where there is no exact way.

Each name is fetched when it is first used, so that counting one throw loads little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bobing.odds import plan, simulate
    from bobing.odds.answers import length, overtaken, shares, standing
    from bobing.odds.exact import ThrowOdds, throw
    from bobing.odds.lengths import Length, exact_length, mean_throws
    from bobing.odds.sharing import Shares, exact_shares, exact_standing

_HOMES = {
    "answers": "length overtaken shares standing",
    "exact": "ThrowOdds throw",
    "lengths": "Length exact_length mean_throws",
    "sharing": "Shares exact_shares exact_standing",
}
_PARTS = ("plan", "simulate")
"""Whole modules: a planner, and games simulated as they are wished."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = (
    "Length", "Shares", "ThrowOdds", "exact_length", "exact_shares", "exact_standing", "length", "mean_throws",
    "overtaken", "plan", "shares", "simulate", "standing", "throw",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f"bobing.odds.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'bobing.odds' has no attribute {name!r}")
    return getattr(import_module(f"bobing.odds.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
