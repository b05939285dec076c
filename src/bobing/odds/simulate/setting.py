"""What is simulated: a rule set, a table, and the seed from which every throw comes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bobing.core.acts import SEATS_MAX
from bobing.core.catalogue import rules_of
from bobing.core.errors import BobingError
from bobing.core.rules import RuleSet, rules_from_table
from bobing.odds.given import number, throws_in, whole

BLOCK = 10_000
"""Games that come from one stream of chance, one after the other. Blocks are what is shared out among workers, so that
the games do not depend on how many there are."""
SEED_MAX = 2**64 - 1
SPILT = 2**32
THROWS_MAX = 100_000
CHOOSE = "give a number among them"


class SimulationError(BobingError):
    """A simulation that cannot be run as asked for."""

    code = "odds/bad_simulation"


@dataclass(frozen=True)
class Setting:
    """One table to simulate. Equal settings give equal games, throw for throw.

    rules: a rule set, or the key or id of a named sheet.
    seconds: what a throw takes, where the rules know a time limit. spills: the chance that a die leaves the bowl.
    throws: all is over after so many, whatever the sheet says; 0 for no such end.
    """

    rules: RuleSet
    seats: int
    seed: int = 0
    seconds: float = 12.0
    spills: float = 0.0
    throws: int = 0

    def __post_init__(self) -> None:
        """Find a named sheet."""
        object.__setattr__(self, "rules", rules_of(self.rules))

    def check(self) -> None:
        """Raise SimulationError where the setting is none, OddsError where a value is no number."""
        for name in ("seats", "seed", "throws"):
            whole(getattr(self, name), name)
        for name in ("seconds", "spills"):
            number(getattr(self, name), name)
        least = self.rules.setup.seats_min
        if not least <= self.seats <= SEATS_MAX:
            raise SimulationError(
                f"this sheet is for {least} to {SEATS_MAX} players; give a number among them", "odds/bad_seats"
            )
        if not 0 <= self.seed <= SEED_MAX:
            raise SimulationError(f"a seed is a whole number from 0 to {SEED_MAX}", "odds/bad_seed")
        if not 0.1 <= self.seconds <= 3600:
            raise SimulationError(f"a throw takes from 0.1 to 3600 seconds; {CHOOSE}", "odds/bad_seconds")
        if not 0 <= self.spills <= 0.9:
            raise SimulationError("the chance of a spilt throw is from 0 to 0.9", "odds/bad_spills")
        if not 0 <= self.throws <= THROWS_MAX:
            raise SimulationError(f"a game is cut off after 1 to {THROWS_MAX} throws; {CHOOSE}", "odds/out_of_range")

    @property
    def cap(self) -> int:
        """How many throws there is time for; 0 where there is no limit."""
        minutes = self.rules.ending.minutes
        caps = [max(1, throws_in(minutes, self.seconds))] if minutes else []
        return min([*caps, self.throws] if self.throws else caps, default=0)

    @property
    def spill(self) -> int:
        """Of 2**32 throws so many are spilt."""
        return round(self.spills * SPILT)

    @cached_property
    def arrays(self) -> tuple[Any, Any]:
        """The compiled rule set."""
        from bobing.odds.simulate.tables import classes_of

        return classes_of(self.rules)

    def to_table(self) -> Mapping[str, Any]:
        """The setting as plain data, for other processes and for files."""
        about = {"seats": self.seats, "seed": self.seed, "cap": self.cap, "spill": self.spill}
        return {"rules": self.rules.digest, "block": BLOCK, **about}

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes get the rule set as text, and compile it once."""
        text = json.dumps(self.rules.to_table())
        return _setting, (text, self.seats, self.seed, self.seconds, self.spills, self.throws)


_known: dict[tuple[Any, ...], Setting] = {}


def _setting(*parts: Any) -> Setting:
    if parts not in _known:
        _known.clear()  # one run at a time is enough
        _known[parts] = Setting(rules_from_table(json.loads(parts[0])), *parts[1:])
    return _known[parts]
