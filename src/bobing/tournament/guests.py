"""Guests: on the list, waiting, at the door."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bobing.tournament.acts import GUESTS_MAX, AddGuests, Here, NewGuest, NoShow, Withdraw
from bobing.tournament.errors import EventRefused
from bobing.tournament.state import Guest, Notes, Session, State, Table, put


def guest_of(state: State, number: int) -> Guest:
    """The guest of that number; raises EventRefused (`event/no_guest`)."""
    guest = state.guests.get(number)
    if guest is None:
        raise EventRefused(f"there is no guest {number}", "event/no_guest")
    return guest


def session_of(state: State, number: int) -> Session:
    """The session of that number; raises EventRefused (`event/no_session`)."""
    session = state.sessions.get(number)
    if session is None:
        raise EventRefused(f"there is no session {number}; set it first", "event/no_session")
    return session


def add_guests(state: State, act: AddGuests) -> tuple[State, Notes]:
    """Guests get numbers; those beyond the limit of their session wait."""
    guests, notes = dict(state.guests), list[tuple[str, ...]]()
    taken = {session: sum(1 for _ in state.listed(session)) for session in state.sessions}
    homes = {(guest.session, guest.household) for guest in guests.values() if guest.status != "withdrawn"}
    if act.first + len(act.guests) - 1 > GUESTS_MAX:
        raise EventRefused(f"an event has room for {GUESTS_MAX} guests", "event/too_many")
    for number, new in enumerate(act.guests, act.first):
        session = session_of(state, new.session)
        if number in guests:
            raise EventRefused(f"guest {number} is on the list already; go on from {max(guests) + 1}", "event/taken")
        _verify_household(session, new, homes, f"guest {number}: " if len(act.guests) > 1 else "")
        homes.add((new.session, new.household))
        full = act.how != "table" and session.limit is not None and taken[new.session] >= session.limit
        if full:
            notes.append(("waits", str(number)))
        else:
            taken[new.session] += 1
        status = "waiting" if full else "listed"
        guests[number] = Guest(number, new.session, new.household, staff=new.staff, status=status)
    return replace(state, guests=guests), tuple(notes)


def withdraw(state: State, act: Withdraw) -> tuple[State, Notes]:
    """A guest gives the place back."""
    guest = guest_of(state, act.guest)
    if guest.status == "withdrawn":
        raise EventRefused(f"guest {guest.number} has withdrawn already", "event/withdrawn")
    leave_seat(state, guest)
    left = replace(state, guests=put(state.guests, (guest.number, replace(guest, status="withdrawn", table=None))))
    return move_up(_without_seat(left, guest), guest.session)


def come(state: State, act: Here) -> tuple[State, Notes]:
    """Guests come in; who waits may come in too, and gets a place where there is one."""
    changed = list[tuple[int, Guest]]()
    for number in act.guests:
        guest = guest_of(state, number)
        if guest.status == "withdrawn":
            raise EventRefused(f"guest {number} has withdrawn; add them anew", "event/withdrawn")
        changed.append((number, replace(guest, here=True if act.there else None)))
    return replace(state, guests=put(state.guests, *changed)), ()


def miss(state: State, act: NoShow) -> tuple[State, Notes]:
    """Guests did not come: their places go to those who wait."""
    guests = [guest_of(state, number) for number in act.guests]
    for guest in guests:
        if guest.here:
            raise EventRefused(f"guest {guest.number} came in at the door; take that back first", "event/is_here")
        leave_seat(state, guest)
    gone = [(guest.number, replace(guest, here=False, status="withdrawn", table=None)) for guest in guests]
    state = replace(state, guests=put(state.guests, *gone))
    for guest in guests:
        state = _without_seat(state, guest)
    notes: Notes = ()
    for session in sorted({guest.session for guest in guests}):
        state, more = move_up(state, session)
        notes += more
    return state, notes


def move_up(state: State, session: int) -> tuple[State, Notes]:
    """Those who wait get the free places, in the order in which they came on the list."""
    limit = session_of(state, session).limit
    waiting = [guest for guest in state.guests.values() if guest.session == session and guest.status == "waiting"]
    free = len(waiting) if limit is None else limit - sum(1 for _ in state.listed(session))
    moved = sorted(waiting, key=lambda guest: guest.number)[: max(free, 0)]
    guests = put(state.guests, *((guest.number, replace(guest, status="listed")) for guest in moved))
    return replace(state, guests=guests), tuple(("moved_up", str(guest.number)) for guest in moved)


def leave_seat(state: State, guest: Guest) -> None:
    """Refuse where the guest sits at a table that has begun: there it is the table that says who left."""
    if guest.table is not None and state.tables[guest.table].status == "open":
        raise EventRefused(
            f"guest {guest.number} plays at table {guest.table}; let them leave there", "event/table_begun"
        )


def _without_seat(state: State, guest: Guest) -> State:
    table = None if guest.table is None else state.tables[guest.table]
    if table is None or table.status != "waiting":
        return state
    return replace(state, tables=put(state.tables, (table.number, without(table, (guest.number,)))))


def without(table: Table, guests: Iterable[int]) -> Table:
    """The table without these guests, their roles included."""
    gone = set(guests)
    return replace(
        table,
        seats=tuple(guest for guest in table.seats if guest not in gone),
        head=None if table.head in gone else table.head,
        referee=None if table.referee in gone else table.referee,
    )


def _verify_household(session: Session, new: NewGuest, homes: set[tuple[int, int | None]], whose: str) -> None:
    if session.set.household and new.household and (new.session, new.household) in homes:
        raise EventRefused(
            f"{whose}one of this household is on the list of session {new.session} already",
            "event/household",
        )
