"""Lists of an event to take away: guests, seats, prizes, the finance sheet, one for each row of what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from bobing.core.rules import RuleSet
from bobing.i18n import text
from bobing.naming import tier_name
from bobing.server.event_room import EventRoom
from bobing.server.event_views import apart, called, prize_name
from bobing.server.refusal import refused
from bobing.server.stage_views import stage_name
from bobing.spreadsheet.writing import Cell, csv_bytes, xlsx_bytes
from bobing.tournament.guest_list import masked
from bobing.tournament.state import Voucher
from bobing.tournament.tables import seats_now
from bobing.tournament.totals import Count, by_guest, by_item, by_table, by_tier, tally

Rows = Iterator[list[Cell]]
CSV, XLSX = "text/csv; charset=utf-8", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def export(room: EventRoom, what: str, form: str, lang: str, *, full: bool) -> tuple[bytes, str]:
    """One list as CSV or XLSX, and its media type; raises TableRefused for a list that there is not.

    full: with whole telephone numbers, for the desk alone.
    """
    if what not in EXPORTS:
        raise refused("bad_message")
    shown = room if full else _masked(room)
    if form == "csv":
        return csv_bytes(EXPORTS[what](shown, lang)), CSV
    lists = FINANCE if what == "finance" else (what,)
    return xlsx_bytes({text(lang, f"event.export_{one}"): EXPORTS[one](shown, lang) for one in lists}), XLSX


def _masked(room: EventRoom) -> EventRoom:
    """The event with the last digits of telephone numbers alone."""
    notes = {key: masked(text) if key.endswith("/phone") else text for key, text in room.notes.items()}
    return replace(room, notes=notes)


def _guests(room: EventRoom, lang: str) -> Rows:
    yield _heads(lang, "number", "name", "phone", "household", "session", "status", "here", "table")
    for number, guest in room.event.state.guests.items():
        yield [
            number,
            room.name(number),
            room.notes.get(f"guest/{number}/phone", ""),
            room.notes.get(f"guest/{number}/home", ""),
            guest.session,
            text(lang, f"event.guest_{guest.status}"),
            "" if guest.here is None else text(lang, f"event.{'here' if guest.here else 'not_here'}"),
            guest.table or "",
        ]


def _seats(room: EventRoom, lang: str) -> Rows:
    yield _heads(lang, "table", "seat", "number", "name", "role")
    state, name = room.event.state, apart(room, lang)
    for table in (table for table in state.tables.values() if table.merged is None):
        now = seats_now(state, table)
        for seat, guest in ((seat, guest) for seat, guest in enumerate(table.seats, 1) if guest in now):
            role = "head" if guest == table.head else "referee" if guest == table.referee else ""
            yield [table.number, seat, guest, name(guest), text(lang, f"event.{role}") if role else ""]


def _prizes(room: EventRoom, lang: str) -> Rows:
    yield [
        *_heads(lang, "voucher", "where", "prize", "number", "name"),
        money_head(room, lang, "price"),
        *_heads(lang, "state", "desk", "taken_by", "instead_of"),
    ]
    name = apart(room, lang)
    for voucher in room.event.state.vouchers.values():
        yield [
            voucher.number,
            _where(room, voucher, lang),
            prize_name(room, voucher, lang),
            voucher.guest,
            name(voucher.guest),
            _money(voucher.price),
            text(lang, f"event.voucher_{voucher.state}"),
            voucher.desk,
            name(voucher.to) if voucher.to else "",
            voucher.before or "",
        ]


def _finance(room: EventRoom, lang: str) -> Rows:
    heads = ("prize", "planned", *_WHERE, "unwon", "bought", "in_store")
    yield [*_heads(lang, *heads), money_head(room, lang, "value_out")]
    unsaid = text(lang, "event.not_entered")
    for total in by_item(room.event.state).values():
        count = total.count
        yield [
            _item_name(room, total.item, lang),
            total.planned,
            *_where_they_are(count),
            total.unwon,
            unsaid if total.bought is None else total.bought,
            unsaid if total.in_store is None else total.in_store,
            _money(count.value_out),
        ]


def _signoff(room: EventRoom, lang: str) -> Rows:
    """One line for each prize that somebody won, with room for a signature."""
    yield _heads(lang, "voucher", "where", "number", "name", "prize", "state", "signature")
    name = apart(room, lang)
    for voucher in room.event.state.vouchers.values():
        if voucher.state != "void":
            prize, state = prize_name(room, voucher, lang), text(lang, f"event.voucher_{voucher.state}")
            yield [
                voucher.number,
                _where(room, voucher, lang),
                voucher.guest,
                name(voucher.guest),
                prize,
                state,
                "",
            ]


def _tiers(room: EventRoom, lang: str) -> Rows:
    found = by_tier(room.event.state).items()
    counts = [(_item_name(room, tier, lang), count) for tier, count in found]
    yield from _counts(room, lang, "tier", [*counts, *_finals(room, lang)])


def _tables(room: EventRoom, lang: str) -> Rows:
    counts: list[tuple[Cell, Count]] = list(by_table(room.event.state).items())
    yield from _counts(room, lang, "table", [*counts, *_finals(room, lang)])


def _people(room: EventRoom, lang: str) -> Rows:
    found = by_guest(room.event.state).items()
    yield from _counts(room, lang, "name", ((_with_number(room, guest, lang), count) for guest, count in found))


def _with_number(room: EventRoom, guest: int, lang: str) -> str:
    name = room.name(guest)
    return f"{guest} {name}" if name else called(room, guest, lang)


def _finals(room: EventRoom, lang: str) -> Iterator[tuple[Cell, Count]]:
    """Prizes of the final, which belong to no table, by stage and place."""
    won = (voucher for voucher in room.event.state.vouchers.values() if voucher.table is None)
    yield from tally(won, lambda voucher: _where(room, voucher, lang)).items()


def _counts(room: EventRoom, lang: str, what: str, counts: Iterable[tuple[Cell, Count]]) -> Rows:
    heads = _heads(lang, what, *_WHERE)
    yield [*heads, money_head(room, lang, "value_out")]
    for name, count in counts:
        yield [name, *_where_they_are(count), _money(count.value_out)]


def _where_they_are(count: Count) -> tuple[int, ...]:
    """The numbers below `_WHERE`, as the page of the prizes has them: who is absent does not wait at the desk."""
    return count.awarded, count.handed, count.open, count.absent, count.waived, count.recalled


_WHERE = ("awarded", "handed", "waiting", "absent", "waived", "recalled")

EXPORTS: Mapping[str, Callable[[EventRoom, str], Rows]] = {
    "guests": _guests,
    "seats": _seats,
    "prizes": _prizes,
    "finance": _finance,
    "tiers": _tiers,
    "tables": _tables,
    "people": _people,
    "signoff": _signoff,
}
FINANCE = ("finance", "tiers", "tables", "people", "prizes")
"""The sheets of the workbook for finance: the same prizes, added up in each way, and one by one."""


def _where(room: EventRoom, voucher: Voucher, lang: str) -> str:
    if voucher.table is not None:
        return text(lang, "event.at_table", n=voucher.table)
    return text(
        lang, "event.at_stage", stage=stage_name(room.event.state, voucher.stage or 0, lang), place=voucher.tier
    )


def _item_name(room: EventRoom, item: str, lang: str) -> str:
    """An item that has no name of its own is called as its tier, by the first sheet that has it."""
    for rules in _sheets(room):
        if item in rules.cakes:
            return tier_name(rules, item, lang)
    return item


def _sheets(room: EventRoom) -> Iterable[RuleSet]:
    return (session.rules for session in room.event.state.sessions.values())


def _heads(lang: str, *keys: str) -> list[Cell]:
    return [text(lang, f"event.col_{key}") for key in keys]


def money_head(room: EventRoom, lang: str, key: str) -> str:
    """The head of a column of money, with the currency, for its cells are figures that can be added up.

    Where nobody said which it is, that is said, if there is any money at all.
    """
    head, currency = text(lang, f"event.col_{key}"), room.event.state.plan.currency
    if not currency and any(voucher.price for voucher in room.event.state.vouchers.values()):
        currency = text(lang, "event.no_currency")
    return text(lang, "event.in_currency", head=head, currency=currency) if currency else head


def _money(hundredths: int) -> Decimal:
    return Decimal(hundredths).scaleb(-2)
