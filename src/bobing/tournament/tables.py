"""Tables: drawn, filled, opened, closed; who heads and who referees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bobing.tournament.acts import AddTable, Draw, Merge, Open, SetRole, Sit, Split, Stand, Trade
from bobing.tournament.errors import EventRefused
from bobing.tournament.guests import guest_of, session_of, without
from bobing.tournament.lots import even_sizes, seated
from bobing.tournament.state import Guest, Notes, Session, State, Table, put


def table_of(state: State, number: int) -> Table:
    """The table of that number; raises EventRefused (`event/no_table`)."""
    table = state.tables.get(number)
    if table is None:
        raise EventRefused(f"there is no table {number}", "event/no_table")
    return table


def draw(state: State, act: Draw) -> tuple[State, Notes]:
    """Lots give everybody a table and a seat; until a table has begun they may be drawn again."""
    session = session_of(state, act.session)
    if any(table.status != "waiting" for table in state.tables_of(act.session)):
        raise EventRefused("a table of this session has begun; seat the others one by one", "event/table_begun")
    before = {table.number for table in state.tables_of(act.session)}
    kept = {number: table for number, table in state.tables.items() if number not in before}
    _verify_numbers(kept, (*act.tables, *act.staff_tables))
    who = [guest for guest in state.listed(act.session) if act.who == "listed" or guest.here]
    staff = [guest for guest in who if guest.staff and act.staff_tables]
    plain = [guest for guest in who if guest not in staff]
    drawn = {
        **_drawn(session, act, act.tables, plain, staff=False),
        **_drawn(session, act, act.staff_tables, staff, staff=True),
    }
    at = {guest: table.number for table in drawn.values() for guest in table.seats}
    guests = {
        number: replace(guest, table=at.get(number)) if guest.session == act.session else guest
        for number, guest in state.guests.items()
    }
    sessions = put(state.sessions, (act.session, replace(session, drawn=True)))
    return replace(state, tables={**kept, **drawn}, guests=guests, sessions=sessions), ()


def add_table(state: State, act: AddTable) -> tuple[State, Notes]:
    """One more table, still empty."""
    session_of(state, act.session)
    _verify_numbers(state.tables, (act.table,))
    return replace(state, tables=put(state.tables, (act.table, Table(act.table, act.session)))), ()


def sit(state: State, act: Sit) -> tuple[State, Notes]:
    """A guest sits down behind the others, at a table that has begun too.

    Who leaves a table that has begun keeps the seat's number and what was won there, and may come back to it.
    """
    guest, table = guest_of(state, act.guest), table_of(state, act.table)
    if guest.status != "listed":
        raise EventRefused(f"guest {guest.number} has no place in the session", "event/not_listed")
    if table.status == "closed":
        raise EventRefused(f"table {table.number} is closed", "event/table_closed")
    if table.status == "open" and guest.number in table.seats:
        if guest.table == table.number:
            raise EventRefused(f"guest {guest.number} has a seat at table {table.number}", "event/seated")
        back = put(state.guests, (guest.number, replace(guest, table=table.number)))
        return replace(_lifted(state, (guest.number,)), guests=back), ()
    return _seat(_lifted(state, (guest.number,)), table.number, (guest,)), ()


def stand(state: State, act: Stand) -> tuple[State, Notes]:
    """A guest loses the seat at a table that has not begun."""
    guest = _waiting_seat(state, act.guest)
    lifted = _lifted(state, (guest.number,))
    return replace(lifted, guests=put(lifted.guests, (guest.number, replace(guest, table=None)))), ()


def trade(state: State, act: Trade) -> tuple[State, Notes]:
    """Two guests change seats; roles stay with the tables."""
    one, other = (_waiting_seat(state, number) for number in act.guests)
    if one == other:
        raise EventRefused("two different guests change seats", "event/same_guest")
    swapped = {one.number: other.number, other.number: one.number}
    tables = put(
        state.tables,
        *(
            (number, replace(table, seats=tuple(swapped.get(guest, guest) for guest in table.seats)))
            for number, table in state.tables.items()
            if number in (one.table, other.table)
        ),
    )
    guests = put(
        state.guests, (one.number, replace(one, table=other.table)), (other.number, replace(other, table=one.table))
    )
    return replace(state, tables=tables, guests=guests), ()


def set_role(state: State, act: SetRole) -> tuple[State, Notes]:
    """Who heads a table, and who referees it: anybody of the event."""
    table = table_of(state, act.table)
    if act.guest is not None:
        guest_of(state, act.guest)
    changed = replace(table, head=act.guest) if act.role == "head" else replace(table, referee=act.guest)
    return replace(state, tables=put(state.tables, (table.number, changed))), ()


def split(state: State, act: Split) -> tuple[State, Notes]:
    """Some guests go to a new table, before their table begins."""
    table = table_of(state, act.table)
    _verify_numbers(state.tables, (act.new,))
    if table.status != "waiting":
        raise EventRefused(f"table {table.number} has begun; close it, or let guests leave there", "event/table_begun")
    for number in act.guests:
        if number not in table.seats:
            raise EventRefused(f"guest {number} does not sit at table {table.number}", "event/other_table")
    moving = [guest_of(state, number) for number in dict.fromkeys(act.guests)]
    lifted = _lifted(state, act.guests)
    lifted = replace(lifted, tables=put(lifted.tables, (act.new, Table(act.new, table.session, staff=table.staff))))
    return _seat(lifted, act.new, moving), ()


def merge(state: State, act: Merge) -> tuple[State, Notes]:
    """The guests of a table that has not begun, or is closed, sit down at another; what they won stays theirs."""
    table, into = table_of(state, act.table), table_of(state, act.into)
    if table.number == into.number:
        raise EventRefused("a table is merged into another one", "event/same_table")
    if table.status == "open":
        raise EventRefused(f"table {table.number} has begun; close it first", "event/table_begun")
    if into.status == "closed" or table.merged is not None:
        raise EventRefused(f"table {(into if table.merged is None else table).number} is closed", "event/table_closed")
    seats = table.seats if table.result else ()
    emptied = put(state.tables, (table.number, replace(table, seats=seats, merged=into.number)))
    return _seat(replace(state, tables=emptied), into.number, still_at(state, table), crowded=act.sure), ()


def still_at(state: State, table: Table) -> list[Guest]:
    """The guests of a table who have not gone to another since."""
    return [guest for guest in (guest_of(state, number) for number in table.seats) if guest.table == table.number]


def seats_now(state: State, table: Table) -> tuple[int, ...]:
    """Who sits there now, in the order of the seats: of a session's table without those who went to another since."""
    return table.seats if table.stage is not None else tuple(guest.number for guest in still_at(state, table))


def open_table(state: State, act: Open) -> tuple[State, Notes]:
    """A table begins with those who sit there."""
    table = table_of(state, act.table)
    if table.status != "waiting":
        raise EventRefused(f"table {table.number} has begun already", "event/table_begun")
    if any(other.stream == act.stream for other in state.tables.values()):
        raise EventRefused("another table plays in this stream", "event/taken")
    session = session_of(state, table.session)
    rules = session.rules if table.stage is None else state.stages[table.stage].rules
    if len(table.seats) < rules.setup.seats_min:
        raise EventRefused(
            f"table {table.number} has {len(table.seats)} guests; this sheet is for {rules.setup.seats_min} or more",
            "event/too_few",
        )
    return replace(state, tables=put(state.tables, (table.number, replace(table, stream=act.stream)))), ()


def _drawn(
    session: Session, act: Draw, numbers: tuple[int, ...], guests: list[Guest], *, staff: bool
) -> dict[int, Table]:
    if not numbers:
        return {}
    sizes = even_sizes(len(guests), len(numbers))
    if sizes[0] > session.set.seats:
        raise EventRefused(
            f"{len(guests)} guests at {len(numbers)} tables are {sizes[0]} at one; {session.set.seats} have room",
            "event/too_many",
        )
    least = session.rules.setup.seats_min
    if sizes[-1] < least:
        raise EventRefused(
            f"{len(guests)} guests at {len(numbers)} tables are {sizes[-1]} at one; the sheet wants {least} or more",
            "event/too_few",
        )
    households = {guest.number: guest.household for guest in guests}
    seed = f"{act.seed}/staff" if staff else act.seed
    seats = seated(seed, households, sizes, act.households)
    return {number: Table(number, act.session, row, staff=staff) for number, row in zip(numbers, seats, strict=True)}


def verify_no_final(state: State, *numbers: int) -> None:
    """Refuse to change who sits at a table of a final; raises EventRefused."""
    for table in (table_of(state, number) for number in numbers):
        if table.stage is not None:
            raise EventRefused(
                f"table {table.number} plays the final: its seats are those of the finalists; change them there",
                "event/of_final",
            )


def _verify_numbers(tables: Collection[int], numbers: tuple[int, ...]) -> None:
    for number in numbers:
        if number in tables or numbers.count(number) > 1:
            raise EventRefused(f"there is a table {number} already; take another number", "event/taken")


def _waiting_seat(state: State, number: int) -> Guest:
    guest = guest_of(state, number)
    if guest.table is None:
        raise EventRefused(f"guest {number} has no seat", "event/no_seat")
    if state.tables[guest.table].status != "waiting":
        raise EventRefused(f"table {guest.table} has begun; change places there", "event/table_begun")
    return guest


def _lifted(state: State, guests: Iterable[int]) -> State:
    """Without these guests at tables that have not begun."""
    gone = set(guests)
    changed = [
        (table.number, without(table, gone))
        for table in state.tables.values()
        if table.status == "waiting" and gone & set(table.seats)
    ]
    return replace(state, tables=put(state.tables, *changed))


def _seat(state: State, number: int, guests: Iterable[Guest], *, crowded: bool = False) -> State:
    """Guests sit down behind those who sit there; crowded: also where a table that waits has no room for them."""
    guests = tuple(guests)
    table = state.tables[number]
    seats = (*table.seats, *(guest.number for guest in guests))
    if not crowded and table.status == "waiting" and len(seats) > session_of(state, table.session).set.seats:
        raise EventRefused(f"table {number} has no room for {len(seats)}", "event/too_many")
    tables = put(state.tables, (number, replace(table, seats=seats)))
    return replace(
        state,
        tables=tables,
        guests=put(state.guests, *((guest.number, replace(guest, table=number)) for guest in guests)),
    )
