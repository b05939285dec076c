"""Where every prize is: totals by item, tier, table and guest that agree with each other and with the stock."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from operator import add
from typing import TypeVar

from bobing.core.rules import RuleSet
from bobing.tournament.prizes import rules_of
from bobing.tournament.state import State, Voucher

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Count:
    """How many prizes are where, and what those that were won and those that are out have cost, in hundredths of the
    currency.

    open, absent: wait at the desk. handed: out. recalled: out, and to be returned. waived: won but not wanted.
    """

    open: int = 0
    handed: int = 0
    absent: int = 0
    waived: int = 0
    recalled: int = 0
    value_awarded: int = 0
    value_out: int = 0

    def __add__(self, other: Count) -> Count:
        """Both together."""
        return Count(*map(add, astuple(self), astuple(other)))

    @property
    def awarded(self) -> int:
        """Won by somebody, whether or not it was handed over."""
        return self.open + self.handed + self.absent + self.waived

    @property
    def out(self) -> int:
        """Away from the desk."""
        return self.handed + self.recalled


@dataclass(frozen=True, slots=True)
class Planned:
    """So many prizes of a kind that may be won: at `table`, in `stage`, or at tables that lots will draw (neither).

    playing: of those, at a table that is not closed or a stage that is not decided. item: "" where it has no name.
    """

    tier: str
    item: str
    price: int
    count: int
    playing: int
    table: int | None = None
    stage: int | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """Prizes of one kind, wherever they are: planned = playing + unwon + awarded, in pieces and in money.

    planned: prizes of all tables, also of those that lots will draw, and finals; playing: of those, at tables not
    closed and stages not decided; unwon: left at closed tables; count: where those awarded are.
    """

    planned: int = 0
    playing: int = 0
    value_planned: int = 0
    value_playing: int = 0
    count: Count = Count()

    def __add__(self, other: Total) -> Total:
        """Both together."""
        return Total(
            self.planned + other.planned,
            self.playing + other.playing,
            self.value_planned + other.value_planned,
            self.value_playing + other.value_playing,
            self.count + other.count,
        )

    @property
    def unwon(self) -> int:
        """Not won by anybody, and no longer to be won."""
        return self.planned - self.playing - self.count.awarded

    @property
    def value_unwon(self) -> int:
        """What those have cost."""
        return self.value_planned - self.value_playing - self.count.value_awarded


@dataclass(frozen=True, slots=True)
class ItemTotal(Total):
    """One item of the event. bought: as the stock says, None where it was not said."""

    item: str = ""
    bought: int | None = None

    @property
    def in_store(self) -> int | None:
        """What has to lie at the desk now."""
        return None if self.bought is None else self.bought - self.count.out

    @property
    def short(self) -> int:
        """How many pieces too few were bought for all that may be won."""
        return 0 if self.bought is None else max(0, self.planned - self.bought)


def item_of(prize: Voucher | Planned) -> str:
    """The name of the prize: the item, or the tier where it has none."""
    return prize.item or prize.tier


def by_item(state: State) -> dict[str, ItemTotal]:
    """All items, those of the sheets first."""
    found, bought = totals(state, item_of), {item.name: item.count for item in state.stock}
    return {
        item: _of_item(found.get(item, Total()), item, bought.get(item))
        for item in (*found, *(name for name in bought if name not in found))
    }


def _of_item(total: Total, item: str, bought: int | None) -> ItemTotal:
    values = total.planned, total.playing, total.value_planned, total.value_playing, total.count
    return ItemTotal(*values, item, bought)


def totals(state: State, key: Callable[[Voucher | Planned], _Key]) -> dict[_Key, Total]:
    """All prizes by a key of theirs; those that nobody can win but somebody has stand behind the others."""
    planned, playing, value, at_stake = (Counter[_Key]() for _ in range(4))
    for one in all_planned(state):
        planned[key(one)] += one.count
        playing[key(one)] += one.playing
        value[key(one)] += one.count * one.price
        at_stake[key(one)] += one.playing * one.price
    counts = tally(state.vouchers.values(), key)
    return {
        name: Total(planned[name], playing[name], value[name], at_stake[name], counts.get(name, Count()))
        for name in dict.fromkeys((*planned, *counts))
    }


def all_planned(state: State) -> Iterator[Planned]:
    """All prizes that may be won, or could have been: of tables to be drawn, of tables, and of the final."""
    yield from _to_be_drawn(state)
    for table in state.tables.values():
        if table.merged is not None:  # what was not won there lies at the desk, for another table
            for won in (one for one in state.vouchers.values() if one.table == table.number and one.stands):
                yield Planned(won.tier, won.item, won.price, 1, 0, table.number)
            continue
        for tier, item, price, count in _items_of(rules_of(state, table)):
            yield Planned(tier, item, price, count, 0 if table.result else count, table.number)
    for number, stage in state.stages.items():
        for place, prize in enumerate(stage.set.places, 1):
            if prize.item:
                count, tier = prize.count * stage.set.groups, str(place)
                won = (one for one in state.vouchers.values() if one.stage == number and not one.before)
                decided = sum(
                    (one.stands or one.state == "again") and (one.tier, one.item) == (tier, prize.item) for one in won
                )
                yield Planned(tier, prize.item, prize.price, count, count - decided, stage=number)


def by_table(state: State) -> dict[int, Count]:
    """Prizes of each table."""
    return {table: count for table, count in tally(state.vouchers.values(), lambda v: v.table).items() if table}


def by_tier(state: State) -> dict[str, Count]:
    """Prizes of each tier of the tables."""
    return tally((v for v in state.vouchers.values() if v.table is not None), lambda voucher: voucher.tier)


def by_guest(state: State) -> dict[int, Count]:
    """Prizes of each guest who won any."""
    return tally(state.vouchers.values(), lambda voucher: voucher.guest)


def tally(vouchers: Iterable[Voucher], key: Callable[[Voucher], _Key]) -> dict[_Key, Count]:
    """Counts of vouchers by a key of theirs."""
    states: Mapping[_Key, Counter[str]] = defaultdict(Counter)
    values, won = Counter[_Key](), Counter[_Key]()
    for voucher in vouchers:
        states[key(voucher)][voucher.state] += 1
        if voucher.stands:
            won[key(voucher)] += voucher.price
        if voucher.state in ("handed", "recalled"):
            values[key(voucher)] += voucher.price
    return {
        entry: Count(
            open=found["open"],
            handed=found["handed"],
            absent=found["absent"],
            waived=found["waived"],
            recalled=found["recalled"],
            value_awarded=won[entry],
            value_out=values[entry],
        )
        for entry, found in states.items()
    }


def _to_be_drawn(state: State) -> Iterator[Planned]:
    """The prizes of tables that a session will have once its lots are drawn: they are bought before."""
    for number, session in state.sessions.items():
        there = sum(table.session == number and table.stage is None for table in state.tables.values())
        missing = max(0, session.set.tables - there)
        if missing and not session.drawn:
            for tier, item, price, count in _items_of(session.rules):
                yield Planned(tier, item, price, count * missing, count * missing)


def _items_of(rules: RuleSet) -> Iterator[tuple[str, str, int, int]]:
    """Tier, item, price and number of the prizes of a table; those without a name of their own have item ""."""
    for tier in rules.tiers:
        named = sum(item.count for item in tier.items)
        yield from ((tier.key, item.name, item.price, item.count) for item in tier.items)
        if tier.cakes > named:
            yield tier.key, "", 0, tier.cakes - named
