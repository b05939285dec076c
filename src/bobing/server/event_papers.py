"""The papers of an event as PDF: what each shows, out of how the event stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bobing.amounts import amount
from bobing.drawn import tier_dice
from bobing.i18n import text
from bobing.naming import rules_name
from bobing.paper.errors import PaperRefused
from bobing.paper.press import printed, qr_svg
from bobing.paper.rule_card import rule_card
from bobing.paper.score_sheet import score_sheet
from bobing.paper.slips import prize_slips
from bobing.server.event_exports import money_head
from bobing.server.event_room import EventRoom
from bobing.server.event_views import apart, prize_name
from bobing.server.refusal import refused
from bobing.server.stage_views import stage_name
from bobing.tournament.prizes import rules_of
from bobing.tournament.stages import best_throw, candidates, results, title_of
from bobing.tournament.state import Table, Voucher
from bobing.tournament.tables import seats_now

Data = Mapping[str, Any]
LISTED = ("cards", "sheets", "tables", "slips", "stages", "champions", "certificates", "rows")
"""What papers list; one on which none of it stands would be an empty sheet."""


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants printed. tables: of these alone, all where none is named; links: of the tables' devices.

    handed: with the vouchers of prizes that were handed over already.
    """

    lang: str
    tables: Sequence[int] = ()
    links: Mapping[int, str] = field(default_factory=dict[int, str])
    handed: bool = False


def event_paper(room: EventRoom, what: str, order: Order) -> bytes:
    """One paper as PDF; raises TableRefused for one that there is not, PaperRefused."""
    if what not in PAPERS:
        raise refused("bad_message")
    template, filled = PAPERS[what]
    data = filled(room, order)
    listed = [data[key] for key in LISTED if key in data]
    if listed and not any(listed):
        raise PaperRefused(
            "nothing stands on this paper yet: tables come from the lots, vouchers, results and certificates from "
            "tables that are closed, tickets from a stage of the final; vouchers handed over where they are wanted",
            "paper/nothing",
        )
    return printed(template, data, order.lang)


def tables_of(room: EventRoom, order: Order) -> Iterator[Table]:
    """The tables that an order is about, without those that went into others."""
    for number, table in sorted(room.event.state.tables.items()):
        if table.merged is None and (not order.tables or number in order.tables):
            yield table


def _rules(room: EventRoom, order: Order) -> Data:
    sessions = room.event.state.sessions
    if not sessions:
        raise refused("not_begun")
    return rule_card(sessions[min(sessions)].rules, order.lang, order.links.get(0, ""))


def _cards(room: EventRoom, order: Order) -> Data:
    name = apart(room, order.lang)
    cards = [
        {
            **_table(room, table, order.lang, name),
            "qr": qr_svg(order.links.get(table.number, "")),
            "rules": rules_name(rules_of(room.event.state, table), order.lang),
        }
        for table in tables_of(room, order)
    ]
    return {"title": _title(room), "cards": cards}


def _score(room: EventRoom, order: Order) -> Data:
    name = apart(room, order.lang)
    sheets = [
        score_sheet(
            rules_of(room.event.state, table),
            order.lang,
            [name(guest) for guest in table.seats],
            title=_title(room),
            session=_session(room, table, order.lang),
            table=str(table.number),
        )
        for table in tables_of(room, order)
    ]
    return {"title": _title(room), "sheets": sheets}


def _seating(room: EventRoom, order: Order) -> Data:
    """Who sits where now: whoever went to another table stands there alone."""
    name = apart(room, order.lang)
    tables = [
        _table(room, replace(table, seats=seats_now(room.event.state, table)), order.lang, name)
        for table in tables_of(room, order)
    ]
    return {"title": _title(room), "tables": tables}


def _vouchers(room: EventRoom, order: Order) -> Data:
    states, name = ("open", "absent", *(("handed",) if order.handed else ())), apart(room, order.lang)
    slips = [
        {
            "what": prize_name(room, voucher, order.lang),
            "about": "",
            "dice": _dice_of(room, voucher),
            "name": name(voucher.guest),
            "place": _where(room, voucher, order.lang),
            "number": str(voucher.number),
        }
        for voucher in _owed(room, order)
        if voucher.state in states
    ]
    return {"title": _title(room), "kind": text(order.lang, "paper.voucher"), "slips": slips}


def _prizes(room: EventRoom, order: Order) -> Data:
    """A blank slip for each prize of each table, to be given out there."""
    slips = [
        {**slip, "place": text(order.lang, "paper.at_table", n=table.number)}
        for table in tables_of(room, order)
        for slip in prize_slips(rules_of(room.event.state, table), order.lang)
    ]
    return {"title": _title(room), "kind": text(order.lang, "paper.voucher"), "slips": slips}


def _tickets(room: EventRoom, order: Order) -> Data:
    """For those who play a stage of the final, or who would by now."""
    state, slips, name = room.event.state, list[Data](), apart(room, order.lang)
    for number, stage in sorted(state.stages.items()):
        drawn = {
            guest: text(order.lang, "paper.in_group", group=group, order=place)
            for group, among in enumerate(stage.groups, 1)
            for place, guest in enumerate(among.guests, 1)
        }
        for guest in drawn or candidates(state, number):
            table = state.guests[guest].table
            at = "" if table is None else text(order.lang, "paper.at_table", n=table)
            slips.append(_ticket(stage_name(state, number, order.lang), name(guest), guest, drawn.get(guest, at)))
    return {"title": _title(room), "kind": text(order.lang, "paper.ticket"), "slips": slips}


def _results(room: EventRoom, order: Order) -> Data:
    state, name = room.event.state, apart(room, order.lang)
    stages = [
        {"name": stage_name(state, number, order.lang), "places": list(_places(room, number, name))}
        for number in sorted(state.stages, reverse=True)
    ]
    champions = [{"table": str(table.number), "name": name(guest)} for table, guest in _champions(room)]
    counted = {
        "guests": sum(guest.table is not None for guest in state.guests.values()),
        "tables": sum(table.stage is None and table.merged is None for table in state.tables.values()),
        "prizes": sum(voucher.stands for voucher in state.vouchers.values()),
    }
    return {
        "title": _title(room),
        "stages": [stage for stage in stages if stage["places"]],
        "champions": champions,
        "totals": text(order.lang, "paper.totals", **counted),
    }


def _certificates(room: EventRoom, order: Order) -> Data:
    """For the first of the last stage that is decided; where there is no final, for the champion of each table."""
    state, name = room.event.state, apart(room, order.lang)
    for number in sorted(state.stages, reverse=True):
        first = [
            (guest, best_throw(state, number, guest))
            for places in results(state, number)
            if places
            for guest in places[0]
        ]
        if first:
            won = "champion_of_event" if number == max(state.stages) and len(first) == 1 else "first_of_stage"
            what = text(order.lang, f"paper.{won}", stage=stage_name(state, number, order.lang))
            return {
                "title": _title(room),
                "certificates": [_honour(name(guest), what, dice) for guest, dice in first],
            }
    honours = [
        _honour(name(guest), text(order.lang, "paper.champion_of_table", n=table.number), title_of(table))
        for table, guest in _champions(room)
        if not order.tables or table.number in order.tables
    ]
    return {"title": _title(room), "certificates": honours}


def _signoff(room: EventRoom, order: Order) -> Data:
    name = apart(room, order.lang)
    rows = [
        [
            str(voucher.number),
            prize_name(room, voucher, order.lang),
            str(voucher.guest),
            name(voucher.guest),
            _where(room, voucher, order.lang),
            amount(voucher.price) if voucher.price else "",
            f"✓ {voucher.desk}".strip() if voucher.state == "handed" else "",
            "",
        ]
        for voucher in _owed(room, order)
    ]
    heads = [text(order.lang, f"event.col_{key}") for key in ("voucher", "prize", "number", "name", "where")]
    handed = text(order.lang, "event.col_handed")
    last = [money_head(room, order.lang, "price"), handed, text(order.lang, "paper.signature")]
    return {"title": _title(room), "heads": [*heads, *last], "rows": rows}


PAPERS: Mapping[str, tuple[str, Callable[[EventRoom, Order], Data]]] = {
    "rules": ("rules", _rules),
    "cards": ("cards", _cards),
    "score": ("score", _score),
    "seating": ("seating", _seating),
    "prizes": ("slips", _prizes),
    "vouchers": ("slips", _vouchers),
    "tickets": ("slips", _tickets),
    "results": ("results", _results),
    "certificates": ("certificate", _certificates),
    "signoff": ("signoff", _signoff),
}
"""All papers: the template of each, and what fills it."""


def _title(room: EventRoom) -> str:
    return room.event.state.plan.title


def _session(room: EventRoom, table: Table, lang: str) -> str:
    state = room.event.state
    return state.sessions[table.session].set.name if table.stage is None else stage_name(state, table.stage, lang)


def _table(room: EventRoom, table: Table, lang: str, name: Callable[[int], str]) -> Data:
    roles = {table.referee: "referee", table.head: "head"}
    seats = [
        {
            "name": name(guest),
            "role": text(lang, f"paper.{roles[guest]}") if guest in roles else "",
        }
        for guest in table.seats
    ]
    label = text(lang, "paper.at_table", n=table.number)
    return {"number": str(table.number), "label": label, "session": _session(room, table, lang), "seats": seats}


def _owed(room: EventRoom, order: Order) -> Iterable[Voucher]:
    """Vouchers that stand, of the tables that the order is about."""
    vouchers = room.event.state.vouchers.values()
    return (one for one in vouchers if one.stands and (not order.tables or one.table in order.tables))


def _where(room: EventRoom, voucher: Voucher, lang: str) -> str:
    if voucher.table is not None:
        return text(lang, "paper.at_table", n=voucher.table)
    return text(
        lang, "event.at_stage", stage=stage_name(room.event.state, voucher.stage or 0, lang), place=voucher.tier
    )


def _dice_of(room: EventRoom, voucher: Voucher) -> str:
    """The picture of what won a voucher, where it is one."""
    if voucher.table is None or voucher.tier == "zhuangyuan":
        return ""
    rules = rules_of(room.event.state, room.event.state.tables[voucher.table])
    return next(iter(tier_dice(rules, rules.tier(voucher.tier))), "") if voucher.tier in rules.cakes else ""


def _champions(room: EventRoom) -> Iterator[tuple[Table, int]]:
    for _, table in sorted(room.event.state.tables.items()):
        if table.stage is None and table.result is not None and table.result.champion is not None:
            yield table, table.seats[table.result.champion]


def _places(room: EventRoom, number: int, name: Callable[[int], str]) -> Iterator[Data]:
    stage = room.event.state.stages[number]
    for places in results(room.event.state, number):
        for place, (guests, prize) in enumerate(zip(places, stage.set.places, strict=False), 1):
            for guest in guests:
                yield {"place": str(place), "name": name(guest), "prize": prize.item}


def _ticket(stage: str, name: str, guest: int, place: str) -> Data:
    return {"what": stage, "about": "", "dice": "", "name": name, "place": place, "number": str(guest)}


def _honour(name: str, what: str, dice: str) -> Data:
    return {"name": name, "what": what, "dice": dice}
