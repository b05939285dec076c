"""An event: a frozen value that takes acts, keeps them all, and lets any of them be taken back or put right.

>>> from bobing.core.catalogue import find_sheet
>>> from bobing.tournament.acts import AddGuests, NewGuest, SetSession
>>> event = Event().play(SetSession(1, "evening", find_sheet("S13").to_table(), tables=2))
>>> event.play(AddGuests(event.next_guest, (NewGuest(1), NewGuest(1)))).next_guest
3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from bobing.core.errors import RulesError
from bobing.core.rules import rules_from_table
from bobing.tournament import acts, guests, prizes, stages, tables
from bobing.tournament.acts import Act, Correct, PlainAct, Undo
from bobing.tournament.errors import EventRefused
from bobing.tournament.state import Notes, Session, State, put


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of the log as it was accepted, and what else came of it."""

    act: Act
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Used:
    """The highest numbers that were ever given, in acts that were taken back too: none is given twice."""

    guest: int = 0
    voucher: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """All acts, and where they lead. `play` gives the next value; refused acts raise EventRefused."""

    state: State = field(default_factory=State)
    log: tuple[Entry, ...] = ()
    used: Used = field(default_factory=Used)

    @property
    def next_guest(self) -> int:
        """The number of the next guest."""
        return self.used.guest + 1

    @property
    def next_voucher(self) -> int:
        """The number of the next voucher."""
        return self.used.voucher + 1

    @property
    def struck(self) -> frozenset[int]:
        """The numbers of the acts that were taken back."""
        return frozenset(_struck(self._acts()))

    @property
    def corrected(self) -> frozenset[int]:
        """The numbers of the acts in whose place another stands."""
        struck = self.struck
        return frozenset(act.n for n, act in enumerate(self._acts(), 1) if isinstance(act, Correct) and n not in struck)

    def play(self, act: Act) -> Event:
        """The event after `act`; raises EventRefused."""
        if isinstance(act, acts.FinalThrow) and stages.won_alone(self.state, act):
            raise EventRefused(f"guest {act.guest} was left alone in the tie and has won it", "event/stage_over")
        after = self.taken(act)
        _verify_also(self.state, act.act if isinstance(act, Correct) else act)
        if isinstance(act, Undo | Correct):
            _verify_changed(self.state, after.state)
        return after

    def taken(self, act: Act) -> Event:
        """The event after an act that was accepted once, also by rules that took more; raises EventRefused."""
        self._verify_numbers(act.act if isinstance(act, Correct) else act)
        if isinstance(act, Undo | Correct):
            self._verify_change(act)
            state, notes = _replayed([*self._acts(), act]), ()
            self._verify_begun(state)
        else:
            state, notes = carry_out(self.state, act)
        return Event(state, (*self.log, Entry(act, notes)), _used(self.used, act, state))

    def _acts(self) -> list[Act]:
        return [entry.act for entry in self.log]

    def _verify_change(self, change: Undo | Correct) -> None:
        if self.state.handed_to is not None:
            raise _away(self.state)
        if not 1 <= change.n <= len(self.log):
            raise EventRefused(f"there is no act {change.n}; the last is {len(self.log)}", "event/no_such_act")
        if change.n in self.struck:
            raise EventRefused(f"act {change.n} does not count any more", "event/already_undone")
        changed = self.log[change.n - 1].act
        if self.state.signed_off and not (isinstance(change, Undo) and isinstance(changed, _ALSO_AFTER)):
            raise _signed_off()
        if isinstance(change, Correct) and isinstance(changed, Undo | Correct):
            raise EventRefused(f"act {change.n} is itself a change; undo it instead", "event/not_correctable")
        if isinstance(changed, acts.Open):
            raise EventRefused("a table that has begun goes on; close it instead", "event/table_begun")

    def _verify_begun(self, after: State) -> None:
        """Refuse a change that would put other guests at the seats of a table that has begun."""
        for number, table in self.state.tables.items():
            if table.stream is not None:
                now = after.tables.get(number)
                if now is None or now.seats[: len(table.seats)] != table.seats or now.stream != table.stream:
                    opened = next(n for n, act in _in_force(self._acts()) if _opens(act, number))
                    raise EventRefused(
                        f"act {opened} began table {number} with the guests who sit there; change it at that table",
                        "event/table_begun",
                    )

    def _verify_numbers(self, act: Act) -> None:
        """New numbers go on from the highest that was ever given."""
        match act:
            case acts.AddGuests(first=first) if first != self.next_guest:
                raise EventRefused(f"the next guest is {self.next_guest}", "event/number_used")
            case acts.CloseTable(vouchers=first) | acts.Finalists(vouchers=first) | acts.AwardAgain(new=first):
                if first <= self.used.voucher:
                    raise EventRefused(f"the next voucher is {self.next_voucher}", "event/number_used")
            case _:
                pass


def replay(log: Iterable[Act]) -> Event:
    """The event after all acts, in order; raises EventRefused at the first that is not taken.

    Only what changes other acts looks at all before it, so the log is put together once, and not anew for each act.
    """
    event, entries = Event(), list[Entry]()
    for act in log:
        before = tuple(entries) if isinstance(act, Undo | Correct) else ()
        event = replace(event, log=before).taken(act)
        entries.append(event.log[-1])
    return replace(event, log=tuple(entries))


def _verify_also(state: State, act: Act) -> None:
    """Refuse what was taken once, and stands in logs."""
    match act:
        case acts.Sit(table=table) | acts.Split(table=table):
            tables.verify_no_final(state, table)
        case acts.Merge():
            tables.verify_no_final(state, act.table, act.into)
        case acts.AwardAgain():
            prizes.verify_there(state, act.guest)
        case acts.Substitute():
            stages.verify_substitute(state, act)
            stages.verify_may_play(state, (act.guest,))
        case acts.Finalists():
            stages.verify_may_play(state, stages.extra_seats(state, act))
        case _:
            pass


def _verify_changed(before: State, after: State) -> None:
    """Refuse a change of what was that leaves nobody with the event, or that nobody at the desk would notice."""
    if after.handed_to is not None:
        said = "then no computer would have the event; to move it, hand it over anew"
        raise EventRefused(said, "event/nobody_has_it")
    prizes.verify_same(before.vouchers, after.vouchers)
    stages.verify_same_places(before.stages, after.stages)


def carry_out(state: State, act: PlainAct) -> tuple[State, Notes]:
    """The state after one act of play, and what else came of it."""
    if state.handed_to is not None and not isinstance(act, acts.TakeOver):
        raise _away(state)
    if state.signed_off and not isinstance(act, acts.HandOver | acts.Return | acts.Absent | acts.HandOff):
        raise _signed_off()
    return _HANDLERS[type(act)](state, act)


_ALSO_AFTER = (acts.SignOff, acts.HandOver, acts.Return, acts.Absent, Undo)
"""Acts that can be taken back while the event is signed off: that itself, and what is done after it."""


def _away(state: State) -> EventRefused:
    there = state.handed_to or "another machine"
    return EventRefused(f"this event goes on at {there}; take it back to go on here", "event/not_here")


def _signed_off() -> EventRefused:
    return EventRefused("this event is signed off; take that back to change it", "event/signed_off")


def _plan(state: State, act: acts.Plan) -> tuple[State, Notes]:
    return replace(state, plan=act), ()


def _session(state: State, act: acts.SetSession) -> tuple[State, Notes]:
    try:
        rules = rules_from_table(act.rules)
    except RulesError as bad:
        raise EventRefused(f"these rules cannot be used: {bad}", "event/bad_rules") from None
    before = state.sessions.get(act.session)
    begun = any(table.status != "waiting" for table in state.tables_of(act.session))
    if begun and before is not None and rules.digest != before.rules.digest:
        raise EventRefused("a table of this session has begun; its rules stay", "event/table_begun")
    session = Session(act, rules, drawn=before is not None and before.drawn)
    return guests.move_up(replace(state, sessions=put(state.sessions, (act.session, session))), act.session)


def _stock(state: State, act: acts.SetStock) -> tuple[State, Notes]:
    names = [item.name for item in act.items]
    for name in names:
        if names.count(name) > 1:
            raise EventRefused(f"{name!r} stands in the stock twice; put them together", "event/twice")
    return replace(state, stock=act.items), ()


def _hand_off(state: State, act: acts.HandOff) -> tuple[State, Notes]:
    return replace(state, handed_to=act.to), ()


def _take_over(state: State, act: acts.TakeOver) -> tuple[State, Notes]:
    if state.handed_to is None:
        raise EventRefused("this event was not handed over; it goes on here", "event/is_here")
    return replace(state, handed_to=None), (("taken_over", act.machine),)


def _sign_off(state: State, act: acts.SignOff) -> tuple[State, Notes]:
    del act
    begun = [table.number for table in state.tables.values() if table.status == "open"]
    if begun:
        raise EventRefused(f"table {begun[0]} still plays; close it first", "event/table_begun")
    return replace(state, signed_off=True), ()


_HANDLERS: dict[type, Callable[[State, Any], tuple[State, Notes]]] = {
    acts.Plan: _plan,
    acts.SetSession: _session,
    acts.SetStock: _stock,
    acts.AddGuests: guests.add_guests,
    acts.Withdraw: guests.withdraw,
    acts.Here: guests.come,
    acts.NoShow: guests.miss,
    acts.Draw: tables.draw,
    acts.AddTable: tables.add_table,
    acts.Sit: tables.sit,
    acts.Stand: tables.stand,
    acts.Trade: tables.trade,
    acts.SetRole: tables.set_role,
    acts.Split: tables.split,
    acts.Merge: tables.merge,
    acts.Open: tables.open_table,
    acts.CloseTable: prizes.close_table,
    acts.Reopen: prizes.reopen,
    acts.HandOver: prizes.hand_over,
    acts.Absent: prizes.mark_absent,
    acts.AwardAgain: prizes.award_again,
    acts.Waive: prizes.waive,
    acts.Return: prizes.take_back,
    acts.SetStage: stages.set_stage,
    acts.Finalists: stages.draw_finalists,
    acts.Substitute: stages.substitute,
    acts.FinalThrow: stages.throw,
    acts.Scratch: stages.scratch,
    acts.HandOff: _hand_off,
    acts.TakeOver: _take_over,
    acts.SignOff: _sign_off,
}


def _struck(log: list[Act]) -> set[int]:
    """The acts that an undo took back that was not taken back itself."""
    struck = set[int]()
    for n, act in reversed(list(enumerate(log, 1))):
        if isinstance(act, Undo) and n not in struck:
            struck.add(act.n)
    return struck


def _in_force(log: list[Act]) -> list[tuple[int, PlainAct]]:
    """The acts that count, with their numbers: what was undone is left out, what was corrected replaced."""
    struck = _struck(log)
    counting = [(n, act) for n, act in enumerate(log, 1) if n not in struck]
    corrected = {act.n: act.act for _, act in counting if isinstance(act, Correct)}
    return [(n, corrected.get(n, act)) for n, act in counting if not isinstance(act, Undo | Correct)]


def _replayed(log: list[Act]) -> State:
    """The state of a changed log; raises EventRefused where a later act becomes impossible."""
    state = State()
    for n, act in _in_force(log):
        try:
            state, _ = carry_out(state, act)
        except EventRefused as refused:
            raise EventRefused(
                f"act {n} would become impossible ({refused}); take that back first", "event/later_impossible"
            ) from None
    return state


def _opens(act: Act, table: int) -> bool:
    return isinstance(act, acts.Open) and act.table == table


def _used(used: Used, act: Act, state: State) -> Used:
    inner = act.act if isinstance(act, Correct) else act
    if isinstance(inner, acts.AddGuests):
        return replace(used, guest=max(used.guest, inner.first + len(inner.guests) - 1))
    if isinstance(inner, acts.CloseTable | acts.AwardAgain):
        return replace(used, voucher=max(used.voucher, *state.vouchers, 0))
    if isinstance(inner, acts.Finalists):
        stage = state.stages[inner.stage].set
        reserved = sum(place.count for place in stage.places) * stage.groups
        return replace(used, voucher=max(used.voucher, inner.vouchers + reserved - 1))
    return used
