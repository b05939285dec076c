"""What an organiser has in mind, and how it is written down in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Self, cast

from bobing.amounts import amount
from bobing.core.catalogue import rules_of
from bobing.core.errors import BobingError, RulesError
from bobing.core.reading import merge, nearest, shown
from bobing.core.rules import CAKES_MAX, RuleSet, rules_from_table
from bobing.core.toml_text import read_toml
from bobing.odds.given import number, whole

PEOPLE_MAX, TABLES_MAX, SETS_MAX = 100_000, 10_000, 6
SEATS_USUAL = 10
MONEY_MAX = 10**12
TEXT_MAX = 200
_WRITTEN = re.compile(r"[+-]?(?:[0-9]{1,300}\.?[0-9]{0,300}|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,3})?")
"""Numbers are written in the digits 0 to 9."""
ENDINGS = ("sheet", "all-gone", "champion", "throws", "time")
"""When a table stops: as its sheet says; when all is gone and there is a champion; with the champion; after so many
throws each; when time is up."""
KEYS = ("people", "tables", "rules", "sets", "minutes", "seconds", "ending", "throws_each", "three_dice", "pot", "coin",
        "currency", "total", "budget", "prizes")  # fmt: skip


SPANS: Mapping[str, tuple[int, int]] = {
    "people": (2, PEOPLE_MAX), "tables": (1, TABLES_MAX), "sets": (1, SETS_MAX), "minutes": (1, 1440),
    "seconds": (1, 600), "throws_each": (1, 1000), "total": (1, MONEY_MAX), "pot": (1, MONEY_MAX),
    "coin": (1, 1_000_000), "budget": (1, MONEY_MAX),
}  # fmt: skip
OPTIONAL = ("tables", "minutes", "total", "pot", "budget")
"""What may be left out, and is 0 then."""
MONEY = ("pot", "coin", "budget")


class Written(Decimal):
    """A number of a file that knows how it was written, so that messages can quote it."""

    def __new__(cls, written: str) -> Self:
        """The number that is written."""
        found = super().__new__(cls, written)
        found.written = written
        return found

    written: str

    def __repr__(self) -> str:
        """As it was written."""
        return self.written


class PlanError(BobingError):
    """A plan that cannot be worked out as asked for."""

    code = "odds/bad_plan"


@dataclass(frozen=True)
class Wish:
    """An event as it is meant to be.

    rules: a rule set, or the key or id of a named sheet.
    tables: 0 for as many as the people need. sets: of cakes, played one after the other at each table. minutes: there
    are in all, 0 for any number. seconds: a throw takes. ending: see ENDINGS; throws_each goes with `throws`, minutes
    with `time`. three_dice: where throws or time run out without a champion, three dice settle it. Money is in
    hundredths: `pot` to be shared out, in multiples of `coin`; `budget` that must not be passed. total: the number of
    prizes that the list says it has, all tables together.
    """

    rules: RuleSet
    people: int
    tables: int = 0
    sets: int = 1
    minutes: int = 0
    seconds: float = 12.0
    ending: str = "sheet"
    throws_each: int = 6
    three_dice: bool = False
    pot: int = 0
    coin: int = 1
    budget: int = 0
    total: int = 0
    currency: str = ""

    def __post_init__(self) -> None:
        """Find a named sheet."""
        object.__setattr__(self, "rules", rules_of(self.rules))

    def check(self) -> None:
        """Raise PlanError with the name of the first value that will not do."""
        for name, (low, high) in SPANS.items():
            value = getattr(self, name)
            (number if name == "seconds" else whole)(value, name)
            if not low <= value <= high and not (value == 0 and name in OPTIONAL):
                raise _outside(name, value)
        if not isinstance(self.three_dice, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise PlanError(f"three_dice: true or false, found {shown(self.three_dice)}")
        _text(self.currency, "currency")
        if self.ending not in ENDINGS:
            raise PlanError(f"ending: found {shown(self.ending)}, allowed: {', '.join(ENDINGS)}")
        if self.ending == "time" and not self.minutes:
            raise PlanError("minutes: say how many there are, where time ends the game")
        least = self.rules.setup.seats_min
        if self.people < least * max(1, self.tables):
            raise PlanError(f"people: this sheet needs {least} at a table; plan fewer tables", "odds/too_few_people")
        most = max(self.rules.cakes.values()) * len(self.sizes) * self.sets
        needed = len(self.rules.tiers) * most * self.coin
        if 0 < self.pot < needed:
            raise PlanError(f"pot: give at least {amount(needed)}, so that each prize of the largest tier gets a coin")
        if max(self.sizes) > 500:
            raise PlanError("tables: a table seats at most 500; plan more tables", "odds/too_few_tables")

    @property
    def seats(self) -> int:
        """How many usually sit at a table."""
        return self.rules.setup.seats_usual or SEATS_USUAL

    @cached_property
    def sizes(self) -> Sequence[int]:
        """How many sit at each table, the larger tables first."""
        least = self.rules.setup.seats_min
        wanted = self.tables or -(-self.people // self.seats)
        tables = max(1, min(wanted, self.people // least) if not self.tables else wanted)
        few, more = divmod(self.people, tables)
        return [few + 1] * more + [few] * (tables - more)

    @cached_property
    def played(self) -> RuleSet:
        """The rules with the ending that is wished for."""
        undecided = "three-dice" if self.three_dice else "none"
        none = {"throws_each": 0, "minutes": 0, "undecided": "none"}
        change: Mapping[str, Mapping[str, Any]] = {
            "sheet": {},
            "all-gone": {"when": "all-gone", "without_champion": "play-on", **none},
            "champion": {"when": "champion", "finish": "extra-lap", **none},
            "throws": {**none, "when": "throws", "finish": "at-once", "throws_each": self.throws_each,
                       "undecided": undecided},
            "time": {**none, "when": "all-gone", "minutes": max(1, self.minutes // self.sets), "undecided": undecided},
        }  # fmt: skip
        if not change[self.ending]:
            return self.rules
        return rules_from_table(merge(self.rules.to_table(), {"ending": change[self.ending]}))

    def but(self, **changes: Any) -> Wish:
        """The same with something else."""
        return replace(self, **changes)


def read_wish(text: str, find_rules: Callable[[str], RuleSet]) -> Wish:
    r"""A wish from the text of a TOML file; `find_rules` knows sheets and rule files. Raises PlanError or RulesError.

    >>> from bobing.core.catalogue import find_sheet
    >>> wish = read_wish("people = 40\ntables = 3\n[prizes]\nzhuangyuan = 299.5", find_sheet)
    >>> wish.sizes, wish.rules.tier("zhuangyuan").items[0].price
    ([14, 13, 13], 29950)
    """
    return wish_from_table(wish_table(text), find_rules)


def wish_table(text: str) -> Mapping[str, Any]:
    """The table of a plan file, amounts as they are written; raises PlanError."""
    try:
        return read_toml(text, Written)
    except RulesError as error:
        raise PlanError(str(error), "odds/no_toml") from None


def wish_from_table(table: Mapping[str, Any], find_rules: Callable[[str], RuleSet]) -> Wish:
    """A wish from plain data, as `read_wish`."""
    for key in table:
        if key not in KEYS:
            raise PlanError(f"{shown(key)} is not known{nearest(key, KEYS)}", "odds/unknown_key")
    if "people" not in table:
        raise PlanError("people: say how many come", "odds/missing_key")
    rules = find_rules(_text(table.get("rules", "minnan"), "rules"))
    if "prizes" in table:
        rules = with_prizes(rules, table["prizes"])
    counts = {
        key: _whole(table[key], key)
        for key in ("people", "tables", "sets", "minutes", "throws_each", "total")
        if key in table
    }
    money = {key: cents(table[key], key) for key in MONEY if key in table}
    given: Mapping[str, int] = {**counts, **money}
    for key in OPTIONAL:
        if given.get(key) == 0:
            raise _outside(key, 0)
    other: dict[str, Any] = {key: _text(table[key], key) for key in ("ending", "currency") if key in table}
    if "three_dice" in table:
        if type(table["three_dice"]) is not bool:
            raise PlanError(f"three_dice: true or false, found {shown(table['three_dice'])}")
        other["three_dice"] = table["three_dice"]
    if "seconds" in table:
        other["seconds"] = float(_number(table["seconds"], "seconds"))
    wish = Wish(rules=rules, **counts, **money, **other)
    _check_goes_with(table, wish)
    wish.check()
    if "coin" in table and not wish.pot:
        raise PlanError("coin: goes with pot; give that too, or leave this out")
    return wish


def _check_goes_with(table: Mapping[str, Any], wish: Wish) -> None:
    """Refuse what says how a game ends while another ending is asked for: it would do nothing."""
    idle = {
        "throws_each": ("throws",) if "throws_each" in table else (),
        "three_dice": ("throws", "time") if wish.three_dice else (),
    }
    for key, endings in idle.items():
        if endings and wish.ending not in endings:
            raise PlanError(f"{key}: goes with ending = {', '.join(endings)}; give that too, or leave this out")


def _outside(name: str, value: object) -> PlanError:
    """What to do about a value that is out of its span; money is told as it is written."""
    low, high = SPANS[name]
    if name in MONEY and isinstance(value, int | float):
        return _no_amount(name, f"{value / 100:g}")
    leave = ", or leave it out" if name in OPTIONAL else ""
    return PlanError(f"{name}: give a value from {low:,} to {high:,}{leave}; found {shown(value)}")


def _no_amount(path: str, said: str) -> PlanError:
    low, high = SPANS.get(path, (0, MONEY_MAX))
    span = f"from {low / 100:g} to {high // 100:,}"
    return PlanError(f"{path}: give an amount {span} with at most two decimals; found {said}")


def with_prizes(rules: RuleSet, prizes: object) -> RuleSet:
    """The rules with prizes for some tiers: a price, or a list of `{name, count, price}`.

    The cakes of a tier become as many as its list has pieces.
    """
    if not isinstance(prizes, Mapping):
        raise PlanError(f"prizes: expected a table of tiers, found {shown(prizes)}")
    cakes: dict[str, int] = {}
    items: dict[str, list[dict[str, Any]]] = {}
    for tier, given in cast("Mapping[str, Any]", prizes).items():
        if tier not in rules.cakes:
            raise PlanError(
                f"prizes.{tier[:30]}: there is no such tier{nearest(tier, list(rules.cakes))}", "odds/unknown_key"
            )
        path, count = f"prizes.{tier}", rules.cakes[tier]
        entries: list[Any] = list(cast("list[Any]", given)) if isinstance(given, list) else [given]
        if not entries:
            raise PlanError(f"{path}: name at least one prize, or leave this tier out")
        items[tier] = [_item(entry, path, count if len(entries) == 1 else 1, tier) for entry in entries]
        cakes[tier] = sum(item["count"] for item in items[tier])
        if not 1 <= cakes[tier] <= CAKES_MAX:
            raise PlanError(f"{path}: give a value from 1 to {CAKES_MAX:,}; found {cakes[tier]:,}")
    try:
        return rules_from_table(merge(rules.to_table(), {"cakes": cakes, "prizes": items}))
    except RulesError as error:
        raise PlanError(str(error)) from None


def _item(entry: object, path: str, count: int, tier: str) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        return {"name": tier, "count": count, "price": cents(entry, path)}
    table = cast("Mapping[str, Any]", entry)
    for key in table:
        if key not in ("name", "count", "price"):
            raise PlanError(
                f"{path}: {shown(key)} is not known{nearest(key, ('name', 'count', 'price'))}", "odds/unknown_key"
            )
    return {
        "name": _text(table.get("name", tier), f"{path}.name"),
        "count": _whole(table.get("count", count), f"{path}.count"),
        "price": cents(table.get("price", 0), f"{path}.price"),
    }


def cents(value: object, path: str) -> int:
    """An amount of money, as it is written, in hundredths; raises PlanError.

    >>> cents("299.5", "pot"), cents(5000, "pot")
    (29950, 500000)
    """
    exact = _number(value, path) * 100
    if exact != int(exact) or not 0 <= exact <= MONEY_MAX:
        raise _no_amount(path, shown(value))
    return int(exact)


def _number(value: object, path: str) -> Decimal:
    written = "" if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal) else str(value)
    found = Decimal(written) if _WRITTEN.fullmatch(written) else None
    if found is None:
        said = "write it with the digits 0 to 9; found" if _has_other_digits(written) else "expected a number, found"
        raise PlanError(f"{path}: {said} {shown(value)}")
    if abs(found) > MONEY_MAX:
        raise _no_amount(path, shown(value)) if path not in SPANS or path in MONEY else _outside(path, value)
    return found


def _has_other_digits(written: str) -> bool:
    return any(sign.isdigit() and not sign.isascii() for sign in written)


def _whole(value: object, path: str) -> int:
    found = _number(value, path)
    if found != int(found):
        raise PlanError(f"{path}: expected a whole number, found {shown(value)}")
    return int(found)


def _text(value: object, path: str) -> str:
    if not isinstance(value, str) or len(value) > TEXT_MAX:
        raise PlanError(f"{path}: expected a text of at most {TEXT_MAX} signs, found {shown(value)}")
    return value
