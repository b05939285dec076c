"""What people see of an event, by their role; and what has changed between two states of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar, cast

from bobing.i18n import LANGUAGES, text
from bobing.naming import combination_name, tier_name
from bobing.ports import Entry as LogEntry
from bobing.server import views
from bobing.server.event_room import EventRoom
from bobing.server.room import Room
from bobing.server.stage_views import stage_name, stage_view
from bobing.tournament.acts import act_to_json
from bobing.tournament.findings import findings
from bobing.tournament.guest_list import masked
from bobing.tournament.guests import guest_of
from bobing.tournament.prizes import rules_of
from bobing.tournament.state import Guest, Session, State, Table, Voucher
from bobing.tournament.totals import Count, by_item
from bobing.wire import event_messages as wire
from bobing.wire import messages

STALLED_MS = 180_000
"""A table at which nobody threw for so long may need somebody."""
_V = TypeVar("_V")
_W = TypeVar("_W")


def event_view(room: EventRoom) -> wire.EventView:
    """What is small, and told whole each time."""
    state = room.event.state
    return wire.EventView(
        title=state.plan.title,
        currency=state.plan.currency,
        absent=state.plan.absent,
        keep_days=state.plan.keep_days,
        sessions={number: _session(session) for number, session in state.sessions.items()},
        stages={number: stage_view(state, number) for number in state.stages},
        items=[_item(total) for total in by_item(state).values()],
        hall=room.hall,
        next_guest=room.event.next_guest,
        next_voucher=room.event.next_voucher,
        handed_to=state.handed_to,
        signed_off=state.signed_off,
        registration=room.registering,
        findings=[wire.FindingView(one.code, dict(one.values), one.serious) for one in findings(state)],
    )


def called(room: EventRoom, guest: int, lang: str, among: Iterable[int] = ()) -> str:
    """A guest's name, or what one is called whose name was erased: the same at every place. Where a namesake is among
    others, with the number.
    """
    return room.name_among(guest, among) or text(lang, "common.guest_n", n=guest)


def apart(room: EventRoom, lang: str) -> Callable[[int], str]:
    """What each guest is called, namesakes with their numbers, as the pages call them: for lists and papers."""
    namesakes = room.namesakes()

    def name(guest: int) -> str:
        if guest in namesakes:
            return text(lang, "common.guest_called", name=room.name(guest), n=guest)
        return called(room, guest, lang)

    return name


def guests(room: EventRoom, *, hall: bool) -> dict[int, wire.GuestView]:
    """All guests; for hall screens without telephone numbers."""
    return {number: guest_view(room, guest, hall=hall) for number, guest in room.event.state.guests.items()}


def guest_view(room: EventRoom, guest: Guest, *, hall: bool) -> wire.GuestView:
    """One guest."""
    return wire.GuestView(
        name=room.name(guest.number),
        session=guest.session,
        status=guest.status,
        here=guest.here,
        phone="" if hall else masked(room.notes.get(f"guest/{guest.number}/phone", "")),
        household=None if hall else guest.household,
        staff=guest.staff,
        table=guest.table,
    )


def front(room: EventRoom) -> wire.EventFront:
    """What everybody may know of an event."""
    state = room.event.state
    return wire.EventFront(
        title=state.plan.title,
        open=_takes_guests(room),
        away=state.handed_to is not None,
        sessions={number: _open_session(state, number) for number in state.sessions if not state.is_over(number)},
        keep_days=state.plan.keep_days,
    )


def _takes_guests(room: EventRoom) -> bool:
    state = room.event.state
    here = state.handed_to is None and not state.signed_off
    return here and room.registering and any(not state.is_over(one) for one in state.sessions)


def _open_session(state: State, number: int) -> wire.OpenSession:
    session = state.sessions[number].set
    listed = sum(1 for _ in state.listed(number))
    waiting = sum(guest.session == number and guest.status == "waiting" for guest in state.guests.values())
    limit = state.sessions[number].limit
    free = None if limit is None else max(0, limit - listed)
    return wire.OpenSession(session.name, free, waiting, session.household)


def mine(room: EventRoom, number: int) -> wire.MyView:
    """What a guest sees of the event: their own place, and their own prizes."""
    state = room.event.state
    guest = guest_of(state, number)
    table = None if guest.table is None else state.tables[guest.table]
    waiting = (other for other in state.guests.values() if other.status == "waiting" and other.session == guest.session)
    return wire.MyView(
        title=state.plan.title,
        guest=number,
        name=room.name(number),
        session=state.sessions[guest.session].set.name,
        status=guest.status,
        here=guest.here,
        before=sum(other.number < number for other in waiting) if guest.status == "waiting" else 0,
        limited=state.sessions[guest.session].limit is not None,
        table=guest.table,
        seat=table.seats.index(number) if table and number in table.seats else None,
        playing=table.status if table else None,
        prizes=[_my_prize(room, voucher) for voucher in state.vouchers.values() if voucher.guest == number],
        keep_days=state.plan.keep_days,
        away=state.handed_to is not None,
        over=state.signed_off,
    )


def _my_prize(room: EventRoom, voucher: Voucher) -> wire.MyPrize:
    prize = {lang: prize_name(room, voucher, lang) for lang in LANGUAGES}
    return wire.MyPrize(voucher.number, prize, voucher.state, voucher.table)


def prize_name(room: EventRoom, voucher: Voucher, lang: str) -> str:
    """What a voucher is for: the item, else the tier by its name."""
    if voucher.item or voucher.table is None:
        return voucher.item
    return tier_name(rules_of(room.event.state, room.event.state.tables[voucher.table]), voucher.tier, lang)


def table_view(table: Table) -> wire.EventTableView:
    """One table."""
    result = table.result
    return wire.EventTableView(
        session=table.session,
        seats=list(table.seats),
        status=table.status,
        code=table.stream or "",
        head=table.head,
        referee=table.referee,
        stage=table.stage,
        staff=table.staff,
        champion=None if result is None or result.champion is None else table.seats[result.champion],
        how="" if result is None else result.how,
        early=result is not None and result.early,
        merged=table.merged,
        typed=_typed(table),
    )


def _typed(table: Table) -> wire.TypedResults | None:
    result = table.result or table.before
    if result is None or result.how != "results":
        return None
    won = [wire.TypedWon(one.seat, one.tier, one.cakes, one.item) for one in result.won]
    return wire.TypedResults(won, result.champion, result.title)


def at_event(room: EventRoom, number: int) -> messages.AtEvent:
    """What the devices of a table are told of its event."""
    state = room.event.state
    table = state.tables[number]
    return messages.AtEvent(
        event=room.code,
        title=state.plan.title,
        table=number,
        stage={} if table.stage is None else {lang: stage_name(state, table.stage, lang) for lang in LANGUAGES},
        closed=table.status == "closed",
        early=table.result is not None and table.result.early,
        results=table.result is not None and table.result.how == "results",
        prizes=list(_won_here(room, table)),
        points=_points(state, table),
    )


def _points(state: State, table: Table) -> list[int]:
    """What the cakes of each seat came to as the table was closed."""
    if table.result is None:
        return []
    rules, won = rules_of(state, table), table.result.won
    return [
        sum(rules.points({one.tier: one.cakes}) for one in won if one.seat == seat) for seat in range(len(table.seats))
    ]


def _won_here(room: EventRoom, table: Table) -> Iterator[messages.WonHere]:
    for voucher in room.event.state.vouchers.values():
        if voucher.table == table.number and voucher.stands and voucher.guest in table.seats:
            prize = {lang: prize_name(room, voucher, lang) for lang in LANGUAGES}
            state = cast("Literal['open', 'handed', 'absent', 'waived']", voucher.state)
            yield messages.WonHere(voucher.number, table.seats.index(voucher.guest), prize, state)


def told_anew(before: EventRoom, after: EventRoom) -> Iterator[int]:
    """Tables that have begun and whose devices are to hear that something of the event has changed for them."""
    old, new = before.event.state, after.event.state
    changed = _changed(old.tables, new.tables).keys()
    changed |= {voucher.table for voucher in _changed(old.vouchers, new.vouchers).values()}
    renamed = old.plan.title != new.plan.title
    return (number for number, table in new.tables.items() if table.stream and (renamed or number in changed))


def voucher_view(voucher: Voucher) -> wire.VoucherView:
    """One voucher."""
    return wire.VoucherView(
        guest=voucher.guest,
        tier=voucher.tier,
        state=voucher.state,
        item=voucher.item,
        price=voucher.price,
        table=voucher.table,
        stage=voucher.stage,
        desk=voucher.desk,
        to=voucher.to,
        before=voucher.before,
        after=voucher.after,
    )


def news(before: EventRoom, after: EventRoom, *, hall: bool) -> wire.EventNews:
    """What has changed, by the numbers of what is another value now."""
    old, new = before.event.state, after.event.state
    named = {int(key.split("/")[1]) for key in _changed_keys(before.notes, after.notes) if key.startswith("guest/")}
    people = _changed(old.guests, new.guests) | {number: new.guests[number] for number in named if number in new.guests}
    gone = {
        kind: [number for number in earlier if number not in later]
        for kind, earlier, later in (
            ("guests", old.guests, new.guests),
            ("tables", old.tables, new.tables),
            ("vouchers", old.vouchers, new.vouchers),
        )
    }
    latest = after.event.log[len(before.event.log) :]
    return wire.EventNews(
        n=after.n,
        view=event_view(after),
        guests={number: guest_view(after, guest, hall=hall) for number, guest in people.items()},
        tables=_seen(_changed(old.tables, new.tables), table_view),
        vouchers=_seen(_changed(old.vouchers, new.vouchers), voucher_view),
        gone={kind: numbers for kind, numbers in gone.items() if numbers},
        notes=[list(note) for entry in latest for note in entry.notes],
    )


def log_line(room: EventRoom, entry: LogEntry) -> wire.LogLine:
    """One act of the log, as the desk reads it back."""
    played = room.event.log[entry.n - 1]
    return wire.LogLine(
        n=entry.n,
        at=entry.at,
        by=entry.actor,
        act=act_to_json(played.act),
        struck=entry.n in room.event.struck,
        corrected=entry.n in room.event.corrected,
        notes=[list(note) for note in played.notes],
    )


def board_row(room: Room, now: int, *, calling: bool) -> wire.BoardRow:
    """How an ordinary table stands, as the board shows it."""
    game = room.game
    last = room.drawn[max(room.drawn)].at if room.drawn else room.opened
    if game is None:
        return wire.BoardRow(left=dict(room.rules.cakes), last=last)
    title = game.title
    needs: list[Any] = [*(["confirm"] if room.claim else []), *(["referee"] if calling else [])]
    if game.finished:
        needs.append("finished")
    elif now - last > STALLED_MS:
        needs.append("stalled")
    if title is None and not any(count for tier, count in game.state.table.items() if tier != "zhuangyuan"):
        needs.append("no_champion")
    return wire.BoardRow(
        left=dict(game.state.table),
        throws=sum(room.tally.throws.values()),
        last=last,
        turn=game.next_seat,
        champion=None if title is None else title[0],
        combination=None
        if title is None
        else {lang: combination_name(room.rules, title[1].combination, lang) for lang in LANGUAGES},
        finished=game.finished,
        needs=needs,
        claim=views.claim_view(room),
    )


def _session(session: Session) -> wire.SessionView:
    choice = messages.RulesChoice(**session.set.choice) if session.set.choice else messages.RulesChoice()
    rules = session.rules
    return wire.SessionView(
        name=session.set.name,
        tables=session.set.tables,
        seats=session.set.seats,
        rules=views.rules_names(rules),
        choice=choice,
        tiers=[
            {
                "key": tier.key,
                "cakes": tier.cakes,
                "names": {lang: tier_name(rules, tier.key, lang) for lang in LANGUAGES},
                "items": [{"name": item.name, "count": item.count, "price": item.price} for item in tier.items],
            }
            for tier in rules.tiers
        ],
        settings=messages.Settings(**session.set.settings) if session.set.settings else messages.Settings(),
        limit=session.limit,
        household=session.set.household,
        seconds=session.set.seconds,
        drawn=session.drawn,
    )


def _item(total: Any) -> wire.ItemView:
    count: Count = total.count
    return wire.ItemView(
        item=total.item,
        planned=total.planned,
        playing=total.playing,
        unwon=total.unwon,
        bought=total.bought,
        in_store=total.in_store,
        short=total.short,
        open=count.open,
        handed=count.handed,
        absent=count.absent,
        waived=count.waived,
        recalled=count.recalled,
        value_out=count.value_out,
    )


def _changed(before: Mapping[int, _V], after: Mapping[int, _V]) -> dict[int, _V]:
    return {number: value for number, value in after.items() if before.get(number) is not value}


def _seen(values: Mapping[int, _V], view: Callable[[_V], _W]) -> dict[int, _W]:
    return {number: view(value) for number, value in values.items()}


def _changed_keys(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    if before is after:
        return set()
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
