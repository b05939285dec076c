"""Where an event stands: a frozen value. Every act gives a new one and never changes this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from bobing.core.rules import RuleSet
from bobing.tournament.acts import Plan, SetSession, SetStage, StockItem, Won

Notes = tuple[tuple[str, ...], ...]
"""What else came of an act, as codes and their values: `("moved_up", "17")`."""

_K = TypeVar("_K")
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it was set, with its rules read."""

    set: SetSession
    rules: RuleSet
    drawn: bool = False

    @property
    def limit(self) -> int | None:
        """How many may come before others wait; None: any number."""
        return self.set.limit or None


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest. status: on the list, waiting for a place, or withdrawn. here: None until known; False: did not come.

    table: the last one at which the guest sat down, None before.
    """

    number: int
    session: int
    household: int | None = None
    staff: bool = False
    status: Literal["listed", "waiting", "withdrawn"] = "listed"
    here: bool | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a table closed with."""

    won: tuple[Won, ...]
    champion: int | None
    how: str
    n: int
    h: str
    early: bool
    title: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. seats: the guest at each seat; those of an open table never change their number.

    stream: its log, once it has begun; stage: of the final, None for a table of a session; merged: into which table
    its guests went. before: with what it was closed until it was opened again.
    """

    number: int
    session: int
    seats: tuple[int, ...] = ()
    staff: bool = False
    stage: int | None = None
    stream: str | None = None
    head: int | None = None
    referee: int | None = None
    result: Result | None = None
    merged: int | None = None
    before: Result | None = None

    @property
    def status(self) -> Literal["waiting", "open", "closed"]:
        """Whether it has begun, and is over."""
        if self.result is not None or self.merged is not None:
            return "closed"
        return "open" if self.stream is not None else "waiting"


VoucherState = Literal["open", "handed", "absent", "waived", "again", "returned", "recalled", "void"]


@dataclass(frozen=True, slots=True)
class Voucher:
    """One prize that a guest won: at `table`, or in `stage` (the other is None).

    tier: of the table, or the place in the stage as "1", "2", ….
    state: open; handed over; absent (the winner was not there); waived; again (awarded to another: voucher `after`);
    returned; recalled (handed over, but a revision took it back: it has to be returned); void.
    """

    number: int
    guest: int
    tier: str
    item: str
    price: int
    table: int | None = None
    stage: int | None = None
    state: VoucherState = "open"
    desk: str = ""
    to: int | None = None
    before: int | None = None
    after: int | None = None

    @property
    def stands(self) -> bool:
        """Whether the guest is or was entitled to it: counted as awarded."""
        return self.state in ("open", "handed", "absent", "waived")


@dataclass(frozen=True, slots=True)
class Group:
    """One group of a stage: its finalists in the order of play, and what they threw; None: they left instead."""

    guests: tuple[int, ...]
    throws: tuple[tuple[int, str | None], ...] = ()
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the final as it was set, with its rules read and its groups drawn.

    entitled: who had won a seat as they were drawn; old: places are given as in logs of before.
    """

    set: SetStage
    rules: RuleSet
    groups: tuple[Group, ...] = ()
    vouchers: int = 0
    scratched: frozenset[int] = frozenset()
    entitled: tuple[int, ...] = ()
    old: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The whole event. home: which machine has it; None while it is handed over."""

    plan: Plan = field(default_factory=lambda: Plan(""))
    sessions: Mapping[int, Session] = field(default_factory=dict[int, Session])
    stock: tuple[StockItem, ...] = ()
    guests: Mapping[int, Guest] = field(default_factory=dict[int, Guest])
    tables: Mapping[int, Table] = field(default_factory=dict[int, Table])
    vouchers: Mapping[int, Voucher] = field(default_factory=dict[int, Voucher])
    stages: Mapping[int, Stage] = field(default_factory=dict[int, Stage])
    handed_to: str | None = None
    signed_off: bool = False

    def tables_of(self, session: int) -> Iterator[Table]:
        """The tables of a session, without those of the final."""
        return (table for table in self.tables.values() if table.session == session and table.stage is None)

    def is_over(self, session: int) -> bool:
        """Whether the tables of a session have begun and all are closed: nobody can come any more."""
        tables = [table for table in self.tables_of(session) if table.seats]
        return bool(tables) and all(table.status == "closed" for table in tables)

    def listed(self, session: int) -> Iterator[Guest]:
        """Guests of a session who have a place."""
        return (guest for guest in self.guests.values() if guest.session == session and guest.status == "listed")


def put(mapping: Mapping[_K, _V], *entries: tuple[_K, _V]) -> dict[_K, _V]:
    """The mapping with these entries set."""
    return {**mapping, **dict(entries)}
