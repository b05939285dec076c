"""Where every prize is: totals by item, tier, table and guest that agree with each other and with the stock."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bobing.core.rules import RuleSet
from bobing.tournament.prizes import rules_of
from bobing.tournament.state import State, Voucher

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Count:
    """How many prizes are where, and what those that are out have cost, in hundredths of the currency.

    open, absent: wait at the desk. handed: out. recalled: out, and to be returned. waived: won but not wanted.
    """

    open: int = 0
    handed: int = 0
    absent: int = 0
    waived: int = 0
    recalled: int = 0
    value_out: int = 0

    @property
    def awarded(self) -> int:
        """Won by somebody, whether or not it was handed over."""
        return self.open + self.handed + self.absent + self.waived

    @property
    def out(self) -> int:
        """Away from the desk."""
        return self.handed + self.recalled


@dataclass(frozen=True, slots=True)
class ItemTotal:
    """One item of the event. The numbers agree: planned = playing + unwon + awarded, once a table is closed.

    planned: prizes of all tables, also of those that lots will draw, and finals; playing: of those, at tables not
    closed and stages not decided; unwon: left at closed tables; bought: as the stock says, None where it was not said;
    count: where those awarded are.
    """

    item: str
    planned: int
    playing: int
    unwon: int
    bought: int | None
    count: Count

    @property
    def in_store(self) -> int | None:
        """What has to lie at the desk now."""
        return None if self.bought is None else self.bought - self.count.out

    @property
    def short(self) -> int:
        """How many pieces too few were bought for all that may be won."""
        return 0 if self.bought is None else max(0, self.planned - self.bought)


def item_of(voucher: Voucher) -> str:
    """The name of the prize: the item, or the tier where it has none."""
    return voucher.item or voucher.tier


def by_item(state: State) -> dict[str, ItemTotal]:
    """All items, those of the sheets first."""
    planned = Counter[str](_to_be_drawn(state))
    playing = Counter[str](planned)
    for table in state.tables.values():
        if table.merged is not None:  # what was not won there lies at the desk, for another table
            planned.update(item_of(v) for v in state.vouchers.values() if v.table == table.number and v.stands)
            continue
        for item, count in _items_of(rules_of(state, table)):
            planned[item] += count
            if table.result is None:
                playing[item] += count
    for number, stage in state.stages.items():
        for place in stage.set.places:
            if place.item:
                planned[place.item] += place.count * stage.set.groups
                won = (
                    v for v in state.vouchers.values() if v.stage == number and v.item == place.item and not v.before
                )
                decided = sum(v.stands or v.state == "again" for v in won)
                playing[place.item] += place.count * stage.set.groups - decided
    counts = tally(state.vouchers.values(), item_of)
    bought = {item.name: item.count for item in state.stock}
    return {
        item: ItemTotal(
            item,
            planned[item],
            playing[item],
            planned[item] - playing[item] - counts.get(item, Count()).awarded,
            bought.get(item),
            counts.get(item, Count()),
        )
        for item in (*planned, *(name for name in (*counts, *bought) if name not in planned))
    }


def by_table(state: State) -> dict[int, Count]:
    """Prizes of each table."""
    return {table: count for table, count in tally(state.vouchers.values(), lambda v: v.table).items() if table}


def by_guest(state: State) -> dict[int, Count]:
    """Prizes of each guest who won any."""
    return tally(state.vouchers.values(), lambda voucher: voucher.guest)


def by_tier(state: State) -> dict[str, Count]:
    """Prizes of each tier of the tables."""
    return tally((v for v in state.vouchers.values() if v.table is not None), lambda voucher: voucher.tier)


def tally(vouchers: Iterable[Voucher], key: Callable[[Voucher], _Key]) -> dict[_Key, Count]:
    """Counts of vouchers by a key of theirs."""
    states: Mapping[_Key, Counter[str]] = defaultdict(Counter)
    values = Counter[_Key]()
    for voucher in vouchers:
        states[key(voucher)][voucher.state] += 1
        if voucher.state in ("handed", "recalled"):
            values[key(voucher)] += voucher.price
    return {
        entry: Count(
            open=found["open"],
            handed=found["handed"],
            absent=found["absent"],
            waived=found["waived"],
            recalled=found["recalled"],
            value_out=values[entry],
        )
        for entry, found in states.items()
    }


def _to_be_drawn(state: State) -> dict[str, int]:
    """The prizes of tables that a session will have once its lots are drawn: they are bought before."""
    wanted = Counter[str]()
    for number, session in state.sessions.items():
        there = sum(table.session == number and table.stage is None for table in state.tables.values())
        for item, count in () if session.drawn else _items_of(session.rules):
            wanted[item] += count * max(0, session.set.tables - there)
    return wanted


def _items_of(rules: RuleSet) -> Iterator[tuple[str, int]]:
    for tier in rules.tiers:
        named = sum(item.count for item in tier.items)
        yield from ((item.name, item.count) for item in tier.items)
        if tier.cakes > named:
            yield tier.key, tier.cakes - named
