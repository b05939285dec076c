"""Acts of an event: what people did at its desk and its tables. One frozen type for each kind.

Guests, tables, vouchers, sessions and stages are numbered from 1, as people read them out; seats count from 0. Nothing
here names a person: names and telephone numbers stand beside the log, where they can be erased.

>>> act_from_json({"do": "here", "guests": [3, 4]})
Here(guests=(3, 4), there=True)
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from bobing.tournament.errors import EventRefused

GUESTS_MAX = 20_000
TABLES_MAX = 1_000
VOUCHERS_MAX = 1_000_000
STAGES_MAX = 20
PRICE_MAX = 10**12

Number = Annotated[int, Meta(ge=1, le=VOUCHERS_MAX)]
GuestNo = Annotated[int, Meta(ge=1, le=GUESTS_MAX)]
TableNo = Annotated[int, Meta(ge=1, le=TABLES_MAX)]
SessionNo = Annotated[int, Meta(ge=1, le=50)]
StageNo = Annotated[int, Meta(ge=1, le=STAGES_MAX)]
SeatNo = Annotated[int, Meta(ge=0, lt=100)]
Label = Annotated[str, Meta(max_length=80)]
Price = Annotated[int, Meta(ge=0, le=PRICE_MAX, description="in hundredths of the currency")]
Faces = Annotated[str, Meta(pattern=r"^[1-6]{3}([1-6]{3})?(?!\n)$", description="three or six dice")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$", description="32 bytes in hex")]
Guests = Annotated[tuple[GuestNo, ...], Meta(max_length=GUESTS_MAX)]
Vouchers = Annotated[tuple[Number, ...], Meta(min_length=1, max_length=10_000)]


class EventAct(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """One act of an event."""


class Plan(EventAct, frozen=True, tag="plan"):
    """What holds for the whole event.

    absent: what becomes of a prize whose winner is not there: kept for them, awarded again to whom the desk names or to
    whom lots draw, or back into the stock.
    keep_days: so many days after the event guest data are deleted.
    """

    title: Label
    currency: Annotated[str, Meta(max_length=8)] = ""
    absent: Literal["keep", "again", "lot", "stock"] = "keep"
    keep_days: Annotated[int, Meta(ge=0, le=3650)] = 30


class SetSession(EventAct, frozen=True, tag="session"):
    """One session: its rules in full, how many tables of how many seats, and who may come.

    limit: guests beyond it wait; 0 or None: any number may come. household: one guest of each household only. seconds:
    for one throw, for what the planner says. choice, settings: the sheet with its house changes, and how tables are
    run, for whoever opens them.
    """

    session: SessionNo
    name: Label
    rules: dict[str, Any]
    tables: TableNo
    seats: Annotated[int, Meta(ge=2, le=100)] = 10
    limit: Annotated[int, Meta(ge=0, le=GUESTS_MAX)] | None = None
    household: bool = False
    seconds: Annotated[int, Meta(ge=1, le=600)] = 12
    choice: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class StockItem(Struct, frozen=True, forbid_unknown_fields=True):
    """So many pieces of an item that were bought, and what one cost."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    count: Annotated[int, Meta(ge=0, le=VOUCHERS_MAX)]
    price: Price = 0


class SetStock(EventAct, frozen=True, tag="stock"):
    """What was bought, in place of what was said before."""

    items: Annotated[tuple[StockItem, ...], Meta(max_length=1_000)]


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guest of a session. household: a number that those of one household share; staff: of the organiser."""

    session: SessionNo
    household: Annotated[int, Meta(ge=1, le=GUESTS_MAX)] | None = None
    staff: bool = False


class AddGuests(EventAct, frozen=True, tag="guests"):
    """Guests from a list, of the door, by themselves, or found at a table; they are numbered from `first` on."""

    first: GuestNo
    guests: Annotated[tuple[NewGuest, ...], Meta(min_length=1, max_length=GUESTS_MAX)]
    how: Literal["list", "self", "desk", "table"] = "desk"


class Withdraw(EventAct, frozen=True, tag="withdraw"):
    """A guest will not come, or stay; the first who waits moves up."""

    guest: GuestNo


class Here(EventAct, frozen=True, tag="here"):
    """Guests came in at the door; or with `there` false: that was a mistake."""

    guests: Annotated[Guests, Meta(min_length=1)]
    there: bool = True


class NoShow(EventAct, frozen=True, tag="no_show"):
    """Guests did not come; those who wait move up."""

    guests: Annotated[Guests, Meta(min_length=1)]


class Draw(EventAct, frozen=True, tag="draw"):
    """Lots draw the tables and seats of a session from a seed (`bobing.tournament.lots`).

    tables: their numbers. who: those who are here, or all on the list. households: kept together, apart, or as it
    falls. Staff get tables of their own: `staff_tables`.
    """

    session: SessionNo
    seed: Annotated[str, Meta(min_length=1, max_length=200)]
    tables: Annotated[tuple[TableNo, ...], Meta(min_length=1, max_length=TABLES_MAX)]
    staff_tables: Annotated[tuple[TableNo, ...], Meta(max_length=TABLES_MAX)] = ()
    who: Literal["here", "listed"] = "here"
    households: Literal["together", "apart", "any"] = "any"


class AddTable(EventAct, frozen=True, tag="table"):
    """One more table of a session, still empty."""

    table: TableNo
    session: SessionNo


class Sit(EventAct, frozen=True, tag="sit"):
    """A guest sits down at a table, behind those who sit there; who sat elsewhere moves."""

    guest: GuestNo
    table: TableNo


class Stand(EventAct, frozen=True, tag="stand"):
    """A guest loses the seat at a table that has not begun."""

    guest: GuestNo


class Trade(EventAct, frozen=True, tag="trade"):
    """Two guests change seats, at tables that have not begun."""

    guests: tuple[GuestNo, GuestNo]


class SetRole(EventAct, frozen=True, tag="role"):
    """A guest is the head of a table (桌长) or its referee (裁判); None: nobody is."""

    table: TableNo
    role: Literal["head", "referee"]
    guest: GuestNo | None


class Split(EventAct, frozen=True, tag="split"):
    """Some guests of a table that has not begun go to a new one."""

    table: TableNo
    new: TableNo
    guests: Annotated[Guests, Meta(min_length=1)]


class Merge(EventAct, frozen=True, tag="merge"):
    """The guests of a table go to another; the table must not have begun, or be closed.

    sure: even where the other then has more guests than its session has seats.
    """

    table: TableNo
    into: TableNo
    sure: bool = False


class Open(EventAct, frozen=True, tag="open"):
    """A table begins: it is the stream `stream` of the log, an ordinary table."""

    table: TableNo
    stream: Annotated[str, Meta(min_length=1, max_length=64)]


class Won(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """So many cakes of a tier that a seat holds at the end; item: where the tier has several."""

    seat: SeatNo
    tier: Annotated[str, Meta(min_length=1, max_length=80)]
    cakes: Annotated[int, Meta(ge=1, le=VOUCHERS_MAX)]
    item: Label = ""


class CloseTable(EventAct, frozen=True, tag="close"):
    """A table is closed with who holds what; vouchers are numbered from `vouchers` on.

    how: played with the table's log at entry `n` with hash `h`, typed in from paper throw by throw, or results alone.
    Closing again is a revision: what is the same stays, what is not is recalled. final: the voucher of the prize that
    the champion of a whole game wins in a final; 0: none is given, as in logs of before there was one. back: what was
    void or recalled and is won after all is back under its number; without, as in logs of before, it gets a new one.
    """

    table: TableNo
    won: Annotated[tuple[Won, ...], Meta(max_length=10_000)]
    champion: SeatNo | None
    vouchers: Number
    how: Literal["played", "paper", "results"] = "played"
    n: Annotated[int, Meta(ge=0, le=10**9)] = 0
    h: Hash = "0" * 64
    early: bool = False
    sure: bool = False
    title: Annotated[
        str, Meta(pattern=r"^([1-6]{3}|[1-6]{6})?(?!\n)$", description="with which the champion holds the title")
    ] = ""
    final: Annotated[int, Meta(ge=0, le=VOUCHERS_MAX)] = 0
    back: bool = False


class Reopen(EventAct, frozen=True, tag="reopen"):
    """A closed table goes on: its vouchers are void; those handed over (with `sure`) are recalled."""

    table: TableNo
    sure: bool = False


class HandOver(EventAct, frozen=True, tag="hand"):
    """Prizes are handed over at a desk. to: a guest who takes them for the winner."""

    vouchers: Vouchers
    desk: Label = ""
    to: GuestNo | None = None


class Absent(EventAct, frozen=True, tag="absent"):
    """The winners of these are not there."""

    vouchers: Vouchers


class AwardAgain(EventAct, frozen=True, tag="again"):
    """The prize of an absent winner goes to another guest, under a new voucher.

    seed: of the lots that drew the guest (`bobing.tournament.prizes.drawn_again`), where the event declared lots.
    """

    voucher: Number
    guest: GuestNo
    new: Number
    seed: Annotated[str, Meta(max_length=200)] = ""


class Waive(EventAct, frozen=True, tag="waive"):
    """The winners do not want these."""

    vouchers: Vouchers


class Return(EventAct, frozen=True, tag="return"):
    """Prizes that were handed over came back; or winners who were marked absent are there."""

    vouchers: Vouchers


class FinalPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place in a final: how many guests get it, and what each wins ("" for nothing but the way on)."""

    count: Annotated[int, Meta(ge=1, le=GUESTS_MAX)]
    item: Label = ""
    price: Price = 0


class SetStage(EventAct, frozen=True, tag="stage"):
    """A stage of the final.

    source: champions of tables, winners of the stage before, or guests that are named. groups: that play beside each
    other, each for all places. format: three dice or six by sum; the highest of `throws`; the first to throw `target`;
    the first and one more lap; a whole game. rules: for the order of the throws; None: those of the first session.
    held: the throw with which each holds the title of their table counts as the first one; three dice that settled a
    title are below every throw. digital: the server throws
    the dice, for a whole game those of its table; else real ones are typed in.
    """

    stage: StageNo
    name: Label
    format: Literal["sum", "highest", "first", "first-lap", "game"]
    places: Annotated[tuple[FinalPlace, ...], Meta(min_length=1, max_length=10)]
    source: Literal["champions", "stage", "named"] = "champions"
    groups: TableNo = 1
    dice: Literal[3, 6] = 3
    throws: Annotated[int, Meta(ge=1, le=20)] = 1
    target: Literal["zhuangyuan", "duitang"] = "zhuangyuan"
    rules: dict[str, Any] | None = None
    held: bool = False
    digital: bool = False


class Finalists(EventAct, frozen=True, tag="finalists"):
    """Who plays a stage; lots draw groups and order. tables: for whole games, their numbers.

    reading: 1: each place is thrown for, and of equals nobody who has left is before who is there; 0: as logs of before
    have it, in which the last who were left filled all places. entitled: who had won a seat by then.
    """

    stage: StageNo
    guests: Annotated[Guests, Meta(min_length=1)]
    seed: Annotated[str, Meta(min_length=1, max_length=200)]
    vouchers: Number
    tables: Annotated[tuple[TableNo, ...], Meta(max_length=TABLES_MAX)] = ()
    reading: Literal[0, 1] = 0
    entitled: Guests = ()


class Substitute(EventAct, frozen=True, tag="substitute"):
    """Another guest takes the place of a finalist who has not thrown."""

    stage: StageNo
    out: GuestNo
    guest: GuestNo


class FinalThrow(EventAct, frozen=True, tag="final"):
    """One throw of a stage, by the guest whose turn it is in the group.

    drawn: the server threw it, and it is the guest's first, second, … in this stage; 0: real dice, typed in.
    """

    stage: StageNo
    guest: GuestNo
    faces: Faces
    drawn: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Scratch(EventAct, frozen=True, tag="scratch"):
    """A finalist leaves the stage; what they still had to throw counts nothing."""

    stage: StageNo
    guest: GuestNo


class HandOff(EventAct, frozen=True, tag="hand_off"):
    """The event goes on at another machine; this one takes nothing more."""

    to: Label


class TakeOver(EventAct, frozen=True, tag="take_over"):
    """This machine goes on with the event."""

    machine: Label


class SignOff(EventAct, frozen=True, tag="sign_off"):
    """The event is over and accounted for."""


class Undo(EventAct, frozen=True, tag="undo"):
    """Act `n` was a mistake; those after it stay."""

    n: Annotated[int, Meta(ge=1, le=10**9)]


class Correct(EventAct, frozen=True, tag="correct"):
    """`act` stands in the place of act `n`; those after it stay."""

    n: Annotated[int, Meta(ge=1, le=10**9)]
    act: PlainAct


PlainAct = (
    Plan
    | SetSession
    | SetStock
    | AddGuests
    | Withdraw
    | Here
    | NoShow
    | Draw
    | AddTable
    | Sit
    | Stand
    | Trade
    | SetRole
    | Split
    | Merge
    | Open
    | CloseTable
    | Reopen
    | HandOver
    | Absent
    | AwardAgain
    | Waive
    | Return
    | SetStage
    | Finalists
    | Substitute
    | FinalThrow
    | Scratch
    | HandOff
    | TakeOver
    | SignOff
)
Act = PlainAct | Undo | Correct


def act_from_json(value: object) -> Act:
    """An act from its JSON object, strictly; raises EventRefused (`event/bad_form`)."""
    try:
        return msgspec.convert(value, Act, strict=True)
    except msgspec.ValidationError as bad:
        raise EventRefused(f"this act has not the right form: {bad}", "event/bad_form") from None
    except RecursionError:
        raise EventRefused("this act has not the right form: it is nested too deeply", "event/bad_form") from None


def act_to_json(act: Act) -> dict[str, Any]:
    """The JSON object of an act; `act_from_json` gives the act back."""
    return msgspec.to_builtins(act)
