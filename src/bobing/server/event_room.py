"""An event as a machine without sockets: `decide` says which acts a command comes to, `apply` folds in what was stored.

The log of an event holds its acts. Names and telephone numbers are notes beside it: `guest/17/name`, `guest/17/phone`,
`guest/17/home`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from bobing.core.acts import Close
from bobing.core.catalogue import find_key
from bobing.core.names import skeleton
from bobing.server.names import clean_name
from bobing.server.opening import resolve, settings_body
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.tournament import acts
from bobing.tournament.acts import Act, act_from_json
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.findings import faster
from bobing.tournament.guest_list import Entry, households, phone_of
from bobing.tournament.guests import session_of
from bobing.tournament.prizes import numbered, rules_of
from bobing.tournament.results import champion_at, title_at, won_at
from bobing.tournament.stages import as_drawn_now, stage_of
from bobing.tournament.tables import still_at, table_of
from bobing.wire import event_messages as wire

PREFIX = "event/"
"""Before the code, in the name of the event's stream."""
DAY_MS = 86_400_000
GIVEN_UP_DAYS = 183
"""An event at which nobody ever played is kept so long after its last act."""
Body = dict[str, Any]
Notes = Mapping[str, str | None]
REGISTRATION = "registration"
_FIELDS = ("name", "phone", "home")
_ALLOWED: Mapping[str, tuple[type, ...]] = {
    "door": (acts.Here, acts.NoShow, acts.Withdraw, acts.Sit, acts.Stand),
    "prizes": (acts.HandOver, acts.Absent, acts.Waive, acts.Return, acts.AwardAgain),
}
"""What other roles than the desk may do of the acts."""


@dataclass(frozen=True, slots=True)
class EventRoom:
    """The present state of one event. n: its last log entry; hall: what the hall screens show, which is not stored."""

    code: str
    n: int
    event: Event
    notes: Mapping[str, str]
    hall: wire.HallView = field(default_factory=wire.HallView)
    calling: frozenset[int] = frozenset()

    @property
    def registering(self) -> bool:
        """Whether guests may put themselves on the list."""
        return REGISTRATION not in self.notes

    def name(self, guest: int) -> str:
        """The name of a guest; "" where it was erased."""
        return self.notes.get(f"guest/{guest}/name", "")

    def name_among(self, guest: int, others: Iterable[int]) -> str:
        """The same; where a namesake is among the others, with the guest number."""
        name = self.name(guest)
        alike = name and any(skeleton(self.name(other)) == skeleton(name) for other in others if other != guest)
        return f"{name} ({guest})" if alike else name

    def namesakes(self) -> frozenset[int]:
        """The guests of whom another of the same session bears the name, as they are told apart on every page."""
        bearing: dict[tuple[int, str], list[int]] = {}
        for number, guest in self.event.state.guests.items():
            if guest.status != "withdrawn" and self.name(number):
                bearing.setdefault((guest.session, skeleton(self.name(number))), []).append(number)
        return frozenset(number for alike in bearing.values() if len(alike) > 1 for number in alike)

    def phone(self, guest: int) -> str:
        """The telephone number of a guest; "" where it is not known."""
        return self.notes.get(f"guest/{guest}/phone", "")


@dataclass(frozen=True, slots=True)
class EventDecision:
    """What a command comes to: acts to append, notes to set, and what the hall shows from now on."""

    acts: Sequence[Act] = ()
    notes: Notes = field(default_factory=dict[str, str | None])
    hall: wire.HallView | None = None
    calling: frozenset[int] | None = None


def load(code: str, bodies: Iterable[Body], notes: Mapping[str, str]) -> EventRoom:
    """The room of a log, in order."""
    event = replay(act_from_json(body["act"]) for body in bodies)
    return EventRoom(code, len(event.log), event, notes)


def played(room: EventRoom, decision: EventDecision) -> EventRoom:
    """The room after the acts of a decision; raises EventRefused where one is not taken, before it is stored."""
    event = room.event
    for act in decision.acts:
        event = event.play(act)
    return replace(room, n=room.n + len(decision.acts), event=event)


def decide(room: EventRoom, command: wire.EventClientMessage, you: wire.EventYou) -> EventDecision:
    """What a command comes to; raises EventRefused, TableRefused, RulesError. Nothing has changed then."""
    decision = _decided(room, command, you)
    played(room, decision)
    return decision


def verify_registering(room: EventRoom, entry: Entry) -> None:
    """Refuse who cannot put themselves on the list: it is closed, they are on it, or their household is missing.

    Raises EventRefused.
    """
    state = room.event.state
    session = session_of(state, entry.session)
    if not room.registering or state.signed_off or state.is_over(entry.session):
        raise EventRefused("this event takes no more registrations; ask at the door", "event/registration_closed")
    if session.set.household and not entry.household:
        raise EventRefused("say which household you belong to: each may come once", "event/household_needed")
    same_phone = {number for number in state.guests if entry.phone and room.phone(number) == entry.phone}
    if any(one.surely for one in namesakes(room, [replace(entry, name=clean_name(entry.name))], same_phone)):
        raise EventRefused("this guest is on the list already", "event/registered_already")


@dataclass(frozen=True, slots=True)
class Namesake:
    """Who wants to come has the name of a guest of the same session. surely: and the telephone number."""

    entry: Entry
    guest: int
    surely: bool


def namesakes(room: EventRoom, entries: Iterable[Entry], among: Collection[int] | None = None) -> Iterator[Namesake]:
    """Those of the entries who seem to be on the list already. among: these guests; None: all."""
    there: dict[tuple[int, str], list[int]] = {}
    for number in room.event.state.guests if among is None else among:
        guest = room.event.state.guests[number]
        if guest.status != "withdrawn" and room.name(number):
            there.setdefault((guest.session, skeleton(room.name(number))), []).append(number)
    for entry in entries:
        found = there.get((entry.session, skeleton(entry.name)), ())
        same = [number for number in found if entry.phone and room.phone(number) == entry.phone]
        if found:
            yield Namesake(entry, (*same, *found)[0], surely=bool(same))


def enter_guests(room: EventRoom, entries: Sequence[Entry], how: str) -> EventDecision:
    """Guests with names, numbers and households come on the list."""
    taken = _households_of(room)
    homes = list(households(entries, taken))
    first = room.event.next_guest
    new = tuple(
        acts.NewGuest(entry.session, household=home, staff=entry.staff)
        for entry, home in zip(entries, homes, strict=True)
    )
    act = msgspec.convert(
        {"do": "guests", "first": first, "guests": msgspec.to_builtins(new), "how": how}, acts.AddGuests
    )
    notes: dict[str, str | None] = {}
    for number, entry in enumerate(entries, first):
        notes |= _personal(number, clean_name(entry.name), entry.phone, entry.household)
    return EventDecision([act], notes)


def _decided(room: EventRoom, command: wire.EventClientMessage, you: wire.EventYou) -> EventDecision:
    match command:
        case wire.EventAct():
            return EventDecision([_act(room, command, you)])
        case wire.CallReferee(table=number, needed=needed):
            came = you.role == "referee" and not needed
            if you.role != "desk" and not came and not (you.role == "table" and you.table == number):
                raise refused("forbidden")
            return EventDecision(calling=room.calling | {number} if needed else room.calling - {number})
        case wire.EnterGuests(guests=guests, how=how) if you.role in ("desk", "door"):
            return enter_guests(room, [entry_of(guest) for guest in guests], how)
        case wire.NameGuest() if you.role in ("desk", "door"):
            return _renamed(room, command)
        case _ if you.role != "desk":
            raise refused("forbidden")
        case wire.SessionSettings():
            return EventDecision([_session(command)])
        case wire.FasterStage(stage=number):
            return EventDecision([faster(stage_of(room.event.state, number).set)])
        case wire.Registration(open=is_open):
            return EventDecision(notes={REGISTRATION: None if is_open else "closed"})
        case wire.ShowInHall(page=page, stage=stage, notice=notice):
            return EventDecision(hall=wire.HallView(page, stage, notice))
        case _:
            raise refused("bad_message")


def _act(room: EventRoom, command: wire.EventAct, you: wire.EventYou) -> Act:
    """The act that somebody sent, if they may; a stage keeps its sheet where that was asked."""
    act = act_from_json(command.act)
    if you.role != "desk" and not isinstance(act, _ALLOWED.get(you.role, ())):
        raise refused("forbidden")
    _verify_ours(act)
    _verify_told(room, act)
    act = _numbered(room, act)
    stages = room.event.state.stages
    if command.same_sheet and isinstance(act, acts.SetStage) and act.stage in stages:
        return msgspec.structs.replace(act, rules=stages[act.stage].set.rules)
    return act


def _numbered(room: EventRoom, act: Act) -> Act:
    """The act with the voucher of the final's prize, which the server alone numbers; put right, it keeps its own.

    Prizes and places are given as they are now, and not as in logs of before.
    """
    if isinstance(act, acts.CloseTable):
        return numbered(room.event.state, act)
    if isinstance(act, acts.Finalists):
        return as_drawn_now(room.event.state, act)
    if isinstance(act, acts.Correct):
        before = room.event.log[act.n - 1].act if act.n <= len(room.event.log) else None
        if isinstance(act.act, acts.CloseTable):
            final = before.final if isinstance(before, acts.CloseTable) else 0
            return msgspec.structs.replace(act, act=msgspec.structs.replace(act.act, final=final, back=True))
        if isinstance(act.act, acts.Finalists):
            return msgspec.structs.replace(act, act=as_drawn_now(room.event.state, act.act))
    return act


def _verify_ours(act: Act) -> None:
    """Refuse what the server alone may say: which stream a table is, and what was played there."""
    inner = act.act if isinstance(act, acts.Correct) else act
    played = isinstance(inner, acts.CloseTable) and inner.how == "played"
    drawn = (isinstance(inner, acts.FinalThrow) and inner.drawn) or (isinstance(inner, acts.AwardAgain) and inner.seed)
    if played or drawn or isinstance(inner, acts.Open | acts.HandOff | acts.TakeOver):
        raise refused("forbidden")


def _verify_told(room: EventRoom, act: Act) -> None:
    """Refuse what was left out where it was typed in: the name of the event, the prize of a champion."""
    inner = act.act if isinstance(act, acts.Correct) else act
    if isinstance(inner, acts.Plan):
        verify_title(inner.title)
    if isinstance(inner, acts.Merge):
        verify_merge(room, inner.table, inner.into, sure=inner.sure)
    if isinstance(inner, acts.Substitute):
        _verify_named(room, inner.guest)
    if isinstance(inner, acts.CloseTable) and inner.how == "results" and inner.champion is not None:
        table = room.event.state.tables.get(inner.table)
        titled = table is not None and rules_of(room.event.state, table).cakes.get("zhuangyuan", 0) > 0
        if titled and not any(won.tier == "zhuangyuan" and won.seat == inner.champion for won in inner.won):
            raise EventRefused(
                f"the champion of table {inner.table} has no champion's prize in these results; add it, or leave the "
                "champion out",
                "event/champion_unpaid",
            )


def verify_merge(room: EventRoom, number: int, other: int, *, sure: bool) -> None:
    """Refuse a merged table with more guests than it has seats, unless somebody is sure; raises EventRefused."""
    state = room.event.state
    table, into = table_of(state, number), table_of(state, other)
    if sure:
        return
    guests, seats = len(still_at(state, table)) + len(still_at(state, into)), session_of(state, into.session).set.seats
    if guests > seats:
        raise EventRefused(
            f"{guests} guests would sit at table {into.number}, which has {seats} seats; take another table, or say "
            "that they find room",
            "event/over_seats",
        )


def _verify_named(room: EventRoom, guest: int) -> None:
    """Refuse to call somebody to a final who cannot be called any more."""
    if guest in room.event.state.guests and not room.name(guest):
        raise EventRefused(
            f"the name of guest {guest} was erased, so nobody can call them; take somebody else", "event/erased"
        )


def verify_title(title: str) -> None:
    """Refuse an event without a name; raises EventRefused."""
    if not title.strip():
        raise EventRefused("give the event a name", "event/no_name")


def erasure(notes: Mapping[str, str], guests: Collection[int]) -> Notes:
    """Notes that forget these guests, or all where none is named."""
    wanted = {f"guest/{guest}/{key}" for guest in guests for key in _FIELDS}
    return {key: None for key in notes if key.startswith("guest/") and (not guests or key in wanted)}


def verify_erasable(room: EventRoom) -> None:
    """Refuse to erase here what another machine has too, and would bring back; raises EventRefused."""
    to = room.event.state.handed_to
    if to is not None:
        raise EventRefused(
            f"this event went to {to or 'another machine'}, with all names; nothing was erased here: erase them there",
            "event/erase_there",
        )


def is_to_be_erased(room: EventRoom, silent_ms: int) -> bool:
    """Whether guest data were kept long enough, so many milliseconds after the last act.

    An event is over when it is signed off, or when tables have begun and nothing has happened for a day; one at which
    nobody ever played is given up after half a year.
    """
    state, days = room.event.state, silent_ms / DAY_MS
    if state.signed_off:
        return days >= state.plan.keep_days
    begun = any(table.status != "waiting" for table in state.tables.values())
    return days >= (max(state.plan.keep_days, 1) if begun else GIVEN_UP_DAYS)


def closing(room: EventRoom, number: int, playing: Room, *, sure: bool, paper: bool = False) -> EventDecision:
    """A table is closed with what is held there; those who sat down by themselves become guests of the event."""
    game = playing.game
    assert game is not None, "a table of an event has begun"
    if playing.claim is not None:
        raise unconfirmed(number)
    ended = game.play(Close()) if game.can(Close()) else game  # whoever leads when a table ends early has won the title
    came = sat_down(room, number, playing)
    return EventDecision(
        [
            *came.acts,
            numbered(
                room.event.state,
                acts.CloseTable(
                    number,
                    won=won_at(ended),
                    champion=champion_at(ended),
                    vouchers=room.event.next_voucher,
                    how="paper" if paper or playing.paper else "played",
                    n=playing.n,
                    h=playing.receipt,
                    early=not game.finished,
                    sure=sure,
                    title=title_at(ended),
                ),
            ),
        ],
        came.notes,
    )


def unconfirmed(number: int) -> EventRefused:
    """The refusal while a champion's throw waits at a table."""
    return EventRefused(
        f"a champion's throw at table {number} waits for a second person; confirm it first", "event/unconfirmed"
    )


def sat_down(room: EventRoom, number: int, playing: Room) -> EventDecision:
    """Those who sat down at a table by themselves become guests of the event."""
    table = room.event.state.tables[number]
    extra, first = range(len(table.seats), playing.seat_count), room.event.next_guest
    if not extra:
        return EventDecision()
    added = acts.AddGuests(first, tuple(acts.NewGuest(table.session) for _ in extra), "table")
    names = {f"guest/{first + i}/name": clean_name(playing.name(seat) or "?") for i, seat in enumerate(extra)}
    return EventDecision([added, *(acts.Sit(first + i, number) for i in range(len(extra)))], names)


def _session(command: wire.SessionSettings) -> acts.SetSession:
    rules = resolve(command.choice)
    return acts.SetSession(
        session=command.session,
        name=" ".join(command.name.split()),
        rules=rules.to_table(),
        tables=command.tables,
        seats=command.seats,
        limit=command.limit,
        household=command.household,
        seconds=command.seconds,
        choice={"sheet": find_key(command.choice.sheet), "house": command.choice.house},
        settings=settings_body(command.settings),
    )


def entry_of(guest: wire.GuestEntry) -> Entry:
    """A guest as the list keeps them; raises EventRefused (`event/bad_phone`)."""
    return Entry(guest.name, _phone(guest.phone), _plain(guest.household), guest.session, guest.staff)


def _phone(text: str) -> str:
    phone, bad = phone_of(text)
    if bad:
        raise EventRefused(
            "this is no telephone number; write 5 to 15 digits, with + before the country", "event/bad_phone"
        )
    return phone


def _plain(text: str) -> str:
    """A word without signs that cannot be seen."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _renamed(room: EventRoom, command: wire.NameGuest) -> EventDecision:
    if command.guest not in room.event.state.guests:
        raise EventRefused(f"there is no guest {command.guest}", "event/no_guest")
    notes: dict[str, str | None] = {f"guest/{command.guest}/name": clean_name(command.name)}
    if command.phone is not None:
        notes[f"guest/{command.guest}/phone"] = _phone(command.phone) or None
    return EventDecision(notes=notes)


def _personal(number: int, name: str, phone: str, home: str) -> dict[str, str | None]:
    values = {"name": name, "phone": phone, "home": home}
    return {f"guest/{number}/{key}": value for key, value in values.items() if value}


def _households_of(room: EventRoom) -> dict[str, int]:
    """The number of each household that has one."""
    known: dict[str, int] = {}
    for number, guest in room.event.state.guests.items():
        home = room.notes.get(f"guest/{number}/home")
        if home and guest.household:
            known[home.casefold()] = guest.household
    highest = max((guest.household or 0 for guest in room.event.state.guests.values()), default=0)
    return known | {"\0": highest} if highest else known
