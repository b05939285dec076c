"""Prizes: every cake that a guest won is a voucher with a number, from the closing of the table to the hand-over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.tournament.acts import Absent, AwardAgain, CloseTable, HandOver, Reopen, Return, Waive, Won
from bobing.tournament.errors import EventRefused
from bobing.tournament.guests import guest_of
from bobing.tournament.lots import Lots
from bobing.tournament.state import Notes, Result, State, Table, Voucher, VoucherState, put
from bobing.tournament.tables import table_of

Prize = tuple[int, str, str]
"""Who won, in which tier, which item."""
_DEALT_WITH: Sequence[VoucherState] = ("handed", "recalled", "absent", "waived", "again")
"""What somebody at a desk made of a voucher, for its guest."""


def close_table(state: State, act: CloseTable) -> tuple[State, Notes]:
    """A table is closed, or closed again with other results: vouchers follow what its guests hold now."""
    table = table_of(state, act.table)
    if table.status == "waiting" and act.how == "played":
        raise EventRefused(f"table {table.number} has not begun", "event/not_begun")
    if table.merged is not None:
        raise EventRefused(f"table {table.number} went to table {table.merged}", "event/table_closed")
    rules = rules_of(state, table)
    _verify_won(act, table, rules)
    prizes = Counter(
        {(table.seats[won.seat], won.tier, won.item): won.cakes for won in _merged(act.won)},
    )
    vouchers, notes = _revised(state, table, prizes, rules, act)
    if table.stage is not None:
        vouchers, more = _final_prize(replace(state, vouchers=vouchers), table, act)
        notes += more
    result = Result(act.won, act.champion, act.how, act.n, act.h, act.early, act.title)
    return replace(
        state, tables=put(state.tables, (table.number, replace(table, result=result))), vouchers=vouchers
    ), notes


def numbered(state: State, act: CloseTable) -> CloseTable:
    """The act with the voucher of the final's prize: at first the one kept for it, then the next one.

    What was won before and is won after all comes back under its number.
    """
    act, table = msgspec.structs.replace(act, back=True), state.tables.get(act.table)
    kept = None if table is None or act.champion is None else _kept_number(state, table)
    if kept is None or kept not in state.vouchers:
        return msgspec.structs.replace(act, final=kept or 0)
    return msgspec.structs.replace(act, final=act.vouchers, vouchers=act.vouchers + 1)


def reopen(state: State, act: Reopen) -> tuple[State, Notes]:
    """A closed table goes on: what its guests won there does not stand for now."""
    table = table_of(state, act.table)
    if table.merged is not None:
        raise EventRefused(f"table {table.number} went to table {table.merged}", "event/table_closed")
    if table.result is None:
        raise EventRefused(f"table {table.number} is not closed", "event/not_closed")
    final = [won for voucher in _of_game(state, table) for won in _with_after(state, voucher)]
    won_here = [voucher for voucher in state.vouchers.values() if voucher.table == table.number]
    standing = [voucher for voucher in (*won_here, *final) if voucher.stands]
    vouchers, notes = _withdrawn(state, standing, sure=act.sure)
    tables = put(state.tables, (table.number, replace(table, result=None, before=table.result)))
    return replace(state, tables=tables, vouchers=vouchers), notes


def rules_of(state: State, table: Table) -> RuleSet:
    """The rules that a table plays by."""
    return state.sessions[table.session].rules if table.stage is None else state.stages[table.stage].rules


def hand_over(state: State, act: HandOver) -> tuple[State, Notes]:
    """Prizes leave the desk, each once."""
    if act.to is not None:
        guest_of(state, act.to)
    return _changed(state, act.vouchers, ("open", "absent"), "handed", desk=act.desk, to=act.to)


def mark_absent(state: State, act: Absent) -> tuple[State, Notes]:
    """The winners are not there; the prizes wait, or are awarded again as the event declared."""
    return _changed(state, act.vouchers, ("open",), "absent")


def waive(state: State, act: Waive) -> tuple[State, Notes]:
    """The winners do not want them; the prizes go back into the stock."""
    return _changed(state, act.vouchers, ("open", "absent"), "waived")


def take_back(state: State, act: Return) -> tuple[State, Notes]:
    """Prizes came back to the desk, or their winners did who were marked absent: they wait for them again.

    Those of a revision go into the stock.
    """
    vouchers = [_voucher_of(state, number) for number in _each_once(act.vouchers)]
    for voucher in vouchers:
        if voucher.state not in ("handed", "recalled", "absent"):
            raise _wrong_state(voucher)
    changed = [
        replace(voucher, state="returned" if voucher.state == "recalled" else "open", desk="", to=None)
        for voucher in vouchers
    ]
    return replace(state, vouchers=put(state.vouchers, *((voucher.number, voucher) for voucher in changed))), ()


def award_again(state: State, act: AwardAgain) -> tuple[State, Notes]:
    """The prize of an absent winner goes to another guest, where the event declared that it does."""
    voucher = _voucher_of(state, act.voucher)
    if state.plan.absent not in ("again", "lot"):
        raise EventRefused(
            "this event keeps prizes for absent winners or takes them back; change its plan first", "event/kept"
        )
    if (state.plan.absent == "lot") is not bool(act.seed):
        raise EventRefused(
            "lots draw who gets the prize of an absent winner, or the desk names them, as the event declared",
            "event/by_lot",
        )
    if voucher.state != "absent":
        raise EventRefused(f"voucher {voucher.number} is {voucher.state}; mark it absent first", "event/not_absent")
    if guest_of(state, act.guest).number == voucher.guest:
        raise EventRefused("it is awarded to another guest", "event/same_guest")
    if act.seed and drawn_again(state, act.voucher, act.seed) != act.guest:
        raise EventRefused(f"the lots of this seed did not fall on guest {act.guest}", "event/by_lot")
    if act.new in state.vouchers:
        raise EventRefused(f"there is a voucher {act.new} already", "event/taken")
    anew = replace(voucher, number=act.new, guest=act.guest, state="open", before=voucher.number)
    gone = replace(voucher, state="again", after=act.new)
    return replace(state, vouchers=put(state.vouchers, (gone.number, gone), (anew.number, anew))), ()


def verify_there(state: State, guest: int) -> None:
    """Refuse to award a prize again to who has left; raises EventRefused."""
    if guest_of(state, guest).status == "withdrawn":
        raise EventRefused(f"guest {guest} has withdrawn already", "event/withdrawn")


def verify_same(before: Mapping[int, Voucher], after: Mapping[int, Voucher]) -> None:
    """Refuse a change after which a prize that was dealt with is another's, or another prize; raises EventRefused."""
    for number, voucher in before.items():
        now = after.get(number)
        if now is not None and voucher.state in _DEALT_WITH and _what(now) != _what(voucher):
            raise EventRefused(
                f"voucher {number} of guest {voucher.guest} is {voucher.state} and would be guest {now.guest}'s; "
                "take that back first, at the prizes or in the record",
                "event/other_winner",
            )


def _what(voucher: Voucher) -> tuple[int, str, str, int | None, int | None]:
    return voucher.guest, voucher.tier, voucher.item, voucher.table, voucher.stage


def drawn_again(state: State, number: int, seed: str) -> int:
    """On whom the lots of a seed fall for the prize of an absent winner; raises EventRefused (`event/nobody_left`).

    They are drawn among all who have a seat, where the door checks guests in among those who came, but for those whose
    prize it was.
    """
    voucher = _voucher_of(state, number)
    before = {voucher.guest}
    while voucher.before is not None:
        voucher = state.vouchers[voucher.before]
        before.add(voucher.guest)
    seated = [guest for guest in state.guests.values() if guest.table is not None and guest.status == "listed"]
    there = [guest for guest in seated if guest.here] or seated
    among = sorted({guest.number for guest in there} - before)
    if not among:
        raise EventRefused("nobody else has a seat; keep the prize, or take it back", "event/nobody_left")
    return Lots(seed).shuffled(among)[0]


def issued(
    prizes: Iterable[Prize], first: int, prices: dict[tuple[str, str], int], *, table: int | None, stage: int | None
) -> Iterator[Voucher]:
    """Vouchers for these prizes, numbered from `first` on."""
    for number, (guest, tier, item) in enumerate(prizes, first):
        yield Voucher(number, guest, tier, item, prices.get((tier, item), 0), table, stage)


def _revised(
    state: State, table: Table, prizes: Counter[Prize], rules: RuleSet, act: CloseTable
) -> tuple[dict[int, Voucher], Notes]:
    """What is won still keeps its voucher; the rest is withdrawn, and what is new gets new ones."""
    owed, surplus = Counter(prizes), list[Voucher]()
    won = [one for one in state.vouchers.values() if one.table == table.number and one.before is None]
    for voucher in (one for one in won if _counts(state, one, old=not act.back)):
        prize = (voucher.guest, voucher.tier, voucher.item)
        if owed[prize] > 0:
            owed[prize] -= 1
        else:
            surplus += _with_after(state, voucher)
    vouchers, notes = _withdrawn(state, surplus, sure=act.sure)
    if act.back:
        vouchers = put(vouchers, *_brought_back(state, won, owed))
    prices = {(tier.key, item.name): item.price for tier in rules.tiers for item in tier.items}
    new = list(issued(owed.elements(), act.vouchers, prices, table=table.number, stage=None))
    for voucher in new:
        if voucher.number in vouchers:
            raise EventRefused(f"there is a voucher {voucher.number} already", "event/taken")
    return vouchers | {voucher.number: voucher for voucher in new}, notes


def _final_prize(state: State, table: Table, act: CloseTable) -> tuple[dict[int, Voucher], Notes]:
    """The champion of a whole game in a final gets the prize of its place."""
    stage = state.stages[table.stage or 0]
    (place,) = stage.set.places
    champion = None if act.champion is None else table.seats[act.champion]
    own = [one for one in _of_game(state, table) if one.guest == champion]
    kept = [one for one in own if _counts(state, one, old=not act.back)]
    surplus = [won for one in _of_game(state, table) if one not in kept for won in _with_after(state, one)]
    vouchers, notes = _withdrawn(state, [one for one in surplus if one.stands or one.state == "again"], sure=act.sure)
    if champion is None or not place.item or kept or not act.final:
        return vouchers, notes
    if act.back and own:
        owed = Counter([(champion, "1", place.item)])
        vouchers = put(vouchers, *_brought_back(state, own, owed))
        if not owed.total():
            return vouchers, notes
    if act.final in vouchers:
        raise EventRefused(f"there is a voucher {act.final} already", "event/taken")
    (won,) = issued(
        [(champion, "1", place.item)], act.final, {("1", place.item): place.price}, table=None, stage=table.stage
    )
    return put(vouchers, (act.final, won)), notes


def _kept_number(state: State, table: Table) -> int | None:
    """The voucher that was kept for the prize of the whole game at a table of a final."""
    if table.stage is None:
        return None
    stage = state.stages[table.stage]
    return next((stage.vouchers + at for at, group in enumerate(stage.groups) if group.table == table.number), None)


def _of_game(state: State, table: Table) -> list[Voucher]:
    """The prizes of the final that were won in its whole game at a table, without those awarded again."""
    won = (one for one in state.vouchers.values() if table.stage is not None and one.stage == table.stage)
    return [one for one in won if one.before is None and one.guest in table.seats]


def _counts(state: State, voucher: Voucher, *, old: bool = False) -> bool:
    """Whether somebody has the prize of a voucher, that guest or whom it was awarded to again.

    old: as in logs of before it counts also where the one whom it was awarded to has lost it.
    """
    if old:
        return voucher.stands or voucher.state == "again"
    *_, last = _with_after(state, voucher)
    return last.stands


def _brought_back(state: State, won: Iterable[Voucher], owed: Counter[Prize]) -> Iterator[tuple[int, Voucher]]:
    """Of what is owed that which was won before and lost its voucher, which is good again; it is owed no more.

    First what is out already: its guest, or whom it was awarded to again, keeps it.
    """
    lost = [(voucher, [*_with_after(state, voucher)]) for voucher in won if not _counts(state, voucher)]
    for voucher, chain in sorted(lost, key=lambda one: one[1][-1].state != "recalled"):
        prize = (voucher.guest, voucher.tier, voucher.item)
        if owed[prize] > 0:
            owed[prize] -= 1
            *before, last = chain
            yield from ((one.number, replace(one, state="again")) for one in before)
            yield last.number, replace(last, state="handed" if last.state == "recalled" else "open")


def _with_after(state: State, voucher: Voucher) -> Iterator[Voucher]:
    """The voucher, and those under which the same prize was awarded again."""
    yield voucher
    while voucher.after is not None:
        voucher = state.vouchers[voucher.after]
        yield voucher


def _withdrawn(state: State, vouchers: Iterable[Voucher], *, sure: bool) -> tuple[dict[int, Voucher], Notes]:
    """These do not stand any more: void, or to be recalled where the prize is out already."""
    vouchers = list(vouchers)
    out = [voucher for voucher in vouchers if voucher.state == "handed"]
    if out and not sure:
        numbers = ", ".join(str(voucher.number) for voucher in out[:10])
        raise EventRefused(
            f"prizes were handed over already (voucher {numbers}); say that you are sure to recall them",
            "event/handed_out",
        )
    changed = [replace(voucher, state="recalled" if voucher in out else "void") for voucher in vouchers]
    return put(state.vouchers, *((voucher.number, voucher) for voucher in changed)), tuple(
        ("recalled", str(voucher.number)) for voucher in out
    )


def _changed(
    state: State,
    numbers: tuple[int, ...],
    before: tuple[VoucherState, ...],
    after: VoucherState,
    *,
    desk: str = "",
    to: int | None = None,
) -> tuple[State, Notes]:
    vouchers = [_voucher_of(state, number) for number in _each_once(numbers)]
    for voucher in vouchers:
        if voucher.state not in before:
            raise _wrong_state(voucher)
    changed = ((voucher.number, replace(voucher, state=after, desk=desk, to=to)) for voucher in vouchers)
    return replace(state, vouchers=put(state.vouchers, *changed)), ()


def _wrong_state(voucher: Voucher) -> EventRefused:
    code = "event/already_handed" if voucher.state == "handed" else "event/voucher_state"
    where = f" at {voucher.desk}" if voucher.desk and voucher.state == "handed" else ""
    return EventRefused(f"voucher {voucher.number} is {voucher.state}{where}; nothing was changed", code)


def _voucher_of(state: State, number: int) -> Voucher:
    voucher = state.vouchers.get(number)
    if voucher is None:
        raise EventRefused(f"there is no voucher {number}", "event/no_voucher")
    return voucher


def _each_once(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(numbers)) < len(numbers):
        raise EventRefused("a voucher stands in this list twice; read them again", "event/twice")
    return numbers


def _merged(won: Iterable[Won]) -> list[Won]:
    """Entries for the same seat, tier and item as one."""
    cakes = Counter[tuple[int, str, str]]()
    for entry in won:
        cakes[entry.seat, entry.tier, entry.item] += entry.cakes
    return [Won(seat, tier, count, item) for (seat, tier, item), count in cakes.items()]


def _verify_won(act: CloseTable, table: Table, rules: RuleSet) -> None:
    """Seats that there are, tiers of the sheet, and not more cakes than it has."""
    for seat in (*(won.seat for won in act.won), *(() if act.champion is None else (act.champion,))):
        if seat >= len(table.seats):
            raise EventRefused(
                f"table {table.number} has {len(table.seats)} seats, counted from 0, and no seat {seat}",
                "event/no_seat",
            )
    cakes, items = Counter[str](), Counter[tuple[str, str]]()
    for won in act.won:
        if won.tier not in rules.cakes:
            raise EventRefused(f"this sheet has no tier {won.tier!r}", "event/no_tier")
        cakes[won.tier] += won.cakes
        items[won.tier, won.item] += won.cakes
    for tier, count in cakes.items():
        if count > rules.cakes[tier]:
            raise EventRefused(f"{tier}: {count} were won, but there are {rules.cakes[tier]}", "event/too_many_cakes")
    _verify_items(items, rules)
    holds = any(won.tier == ZHUANGYUAN for won in act.won)
    if holds and act.champion is None:
        raise EventRefused("somebody holds the zhuangyuan cake; say who is the champion", "event/no_champion")


def _verify_items(items: Counter[tuple[str, str]], rules: RuleSet) -> None:
    for (tier, item), count in items.items():
        stock = {entry.name: entry.count for entry in rules.tier(tier).items}
        if item and item not in stock:
            raise EventRefused(f"{tier} has no prize called {item!r}", "event/no_item")
        if len(stock) > 1 and not item:
            raise EventRefused(f"{tier} has several prizes; say which of them was taken", "event/which_item")
        if item and count > stock[item]:
            raise EventRefused(f"{item}: {count} were taken, but there are {stock[item]}", "event/too_many_cakes")
