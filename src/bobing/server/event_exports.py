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
from bobing.tournament.totals import Planned, Total, all_planned, by_guest, by_item, totals

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
    """Each item with what was bought of it; in each line planned = in play + not won + won."""
    yield [*_heads(lang, "prize", *_WHERE, "bought", "in_store"), *_money_heads(room, lang)]
    unsaid, items = text(lang, "event.not_entered"), by_item(room.event.state).values()
    for item in items:
        said = (unsaid if item.bought is None else item.bought, unsaid if item.in_store is None else item.in_store)
        yield [_item_name(room, item.item, lang), *_where_they_are(item), *said, *_values(item)]
    whole = _sum(items)
    yield [text(lang, "event.all"), *_where_they_are(whole), "", "", *_values(whole)]


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
    def tier(prize: Voucher | Planned) -> Cell:
        return _item_name(room, prize.tier, lang) if prize.stage is None else _where(room, prize, lang)

    yield from _counts(room, lang, "tier", totals(room.event.state, tier))


def _tables(room: EventRoom, lang: str) -> Rows:
    def table(prize: Voucher | Planned) -> Cell:
        return prize.table or _where(room, prize, lang)

    yield from _counts(room, lang, "table", totals(room.event.state, table))


def _people(room: EventRoom, lang: str) -> Rows:
    """Who won what; what nobody has won by now stands in a line of its own, so that all is there."""
    found: dict[Cell, Total] = {}
    for guest, count in by_guest(room.event.state).items():
        name = _with_number(room, guest, lang)
        found[name] = Total(count.awarded, 0, count.value_awarded, 0, count)
    whole = _sum(totals(room.event.state, lambda _: "").values())
    left, value = whole.planned - whole.count.awarded, whole.value_planned - whole.count.value_awarded
    if left:
        found[text(lang, "event.nobody_yet")] = Total(left, whole.playing, value, whole.value_playing)
    yield from _counts(room, lang, "name", found)


def _with_number(room: EventRoom, guest: int, lang: str) -> str:
    name = room.name(guest)
    return f"{guest} {name}" if name else called(room, guest, lang)


def _counts(room: EventRoom, lang: str, what: str, found: Mapping[Cell, Total]) -> Rows:
    yield [*_heads(lang, what, *_WHERE), *_money_heads(room, lang)]
    for name, total in (*found.items(), (text(lang, "event.all"), _sum(found.values()))):
        yield [name, *_where_they_are(total), *_values(total)]


def _sum(found: Iterable[Total]) -> Total:
    """All of these together."""
    return sum(found, start=Total())


def _where_they_are(total: Total) -> tuple[int, ...]:
    """The numbers below `_WHERE`, as the page of the prizes has them: who is absent does not wait at the desk."""
    count = total.count
    where = count.handed, count.open, count.absent, count.waived
    return total.planned, total.playing, total.unwon, count.awarded, *where, count.recalled


def _values(total: Total) -> tuple[Decimal, ...]:
    """The money below `_VALUES`."""
    value = total.value_planned, total.value_playing, total.value_unwon, total.count.value_awarded
    return tuple(map(_money, (*value, total.count.value_out)))


def _money_heads(room: EventRoom, lang: str) -> list[Cell]:
    return [money_head(room, lang, key) for key in _VALUES]


_WHERE = ("planned", "playing", "unwon", "awarded", "handed", "waiting", "absent", "waived", "recalled")
_VALUES = ("value_planned", "value_playing", "value_unwon", "value_awarded", "value_out")

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


def _where(room: EventRoom, prize: Voucher | Planned, lang: str) -> str:
    if prize.table is not None:
        return text(lang, "event.at_table", n=prize.table)
    if prize.stage is None:
        return text(lang, "event.to_be_drawn")
    return text(lang, "event.at_stage", stage=stage_name(room.event.state, prize.stage, lang), place=prize.tier)


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
    state = room.event.state
    if not currency and any(prize.price for prize in (*state.vouchers.values(), *all_planned(state))):
        currency = text(lang, "event.no_currency")
    return text(lang, "event.in_currency", head=head, currency=currency) if currency else head


def _money(hundredths: int) -> Decimal:
    return Decimal(hundredths).scaleb(-2)
