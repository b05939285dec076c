"""The live messages of an event of many tables, and the bodies of its calls. The desk, the door, the prize tables, the
devices of the tables and the hall screens all speak these; each gets what its role may see.

Guests, tables, sessions, stages and vouchers are numbered from 1; seats count from 0. Times are milliseconds.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from bobing.wire.messages import (
    Ack,
    Bye,
    ClaimView,
    Code,
    Command,
    FromClient,
    FromServer,
    Name,
    Ping,
    Pong,
    Refused,
    RulesChoice,
    Token,
    Version,
    Words,
)
from bobing.wire.messages import Settings as TableSettings

Role = Literal["desk", "door", "prizes", "referee", "hall", "table"]
GuestNo = Annotated[int, Meta(ge=1, le=20_000)]
TableNo = Annotated[int, Meta(ge=1, le=1_000)]
Need = Literal["confirm", "referee", "stalled", "no_champion", "finished"]
Text = Annotated[str, Meta(max_length=80)]


class EventHello(FromClient, tag="event_hello", frozen=True):
    """Who I am at the event; the first message of a connection."""

    code: Code
    token: Token
    seen: Version = 0


class EventAct(Command, tag="event_act", frozen=True):
    """An act of the event, in the form of `docs/event-acts.md`.

    same_sheet: a stage that is set again keeps the sheet that it has.
    """

    act: dict[str, Any]
    same_sheet: bool = False


class GuestEntry(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A guest as written at the desk. household: any word that those of one household share."""

    name: Name
    phone: Annotated[str, Meta(max_length=40)] = ""
    household: Text = ""
    session: Annotated[int, Meta(ge=1, le=50)] = 1
    staff: bool = False


class EnterGuests(Command, tag="enter_guests", frozen=True):
    """Guests come on the list; all or none."""

    guests: Annotated[list[GuestEntry], Meta(min_length=1, max_length=5_000)]
    how: Literal["list", "desk"] = "desk"


class NameGuest(Command, tag="name_guest", frozen=True):
    """Another name or telephone number for a guest."""

    guest: GuestNo
    name: Name
    phone: Annotated[str, Meta(max_length=40)] | None = None


class EraseGuests(Command, tag="erase_guests", frozen=True):
    """Names and numbers of guests are deleted for good; an empty list: of all."""

    guests: list[GuestNo] = field(default_factory=list[GuestNo])


class SessionSettings(Command, tag="session_settings", frozen=True):
    """A session with its rules as a sheet and house changes; the rest as in the act `session`."""

    session: Annotated[int, Meta(ge=1, le=50)]
    name: Text
    choice: RulesChoice
    tables: TableNo
    seats: Annotated[int, Meta(ge=2, le=100)] = 10
    limit: Annotated[int, Meta(ge=0, le=20_000)] | None = None
    household: bool = False
    settings: TableSettings = TableSettings(dice="real", joining="closed")
    seconds: Annotated[int, Meta(ge=1, le=600)] = 12


class OpenTables(Command, tag="open_tables", frozen=True):
    """These tables begin; an empty list: all that wait and have guests enough."""

    tables: list[TableNo] = field(default_factory=list[TableNo])


class CloseTables(Command, tag="close_tables", frozen=True):
    """These tables are closed with what their guests hold now. sure: prizes that are out may have to come back.

    paper: what was thrown there was typed in later.
    """

    tables: Annotated[list[TableNo], Meta(min_length=1)]
    sure: bool = False
    paper: bool = False


class MergeTables(Command, tag="merge_tables", frozen=True):
    """The guests of a table go to another; where it plays still it is closed with what they hold now, as by
    `close_tables`: both together or neither.

    paper: what was thrown there was typed in later. sure: even where the other has more guests than seats then.
    """

    table: TableNo
    into: TableNo
    paper: bool = False
    sure: bool = False


class GiveKeys(Command, tag="give_keys", frozen=True):
    """The device of a table that plays is to type in there again, after the desk did."""

    table: TableNo


class ShowInHall(Command, tag="show_in_hall", frozen=True):
    """What the hall screens show: pages of all tables, one stage of the final, totals, or a notice alone."""

    page: Literal["tables", "final", "prizes", "notice"]
    stage: Annotated[int, Meta(ge=0, le=20)] = 0
    notice: Annotated[str, Meta(max_length=200)] = ""


class Registration(Command, tag="registration", frozen=True):
    """Whether guests may register by themselves."""

    open: bool


class ThrowFinal(Command, tag="throw_final", frozen=True):
    """The server throws for the guest whose turn it is, in a stage of digital dice."""

    stage: Annotated[int, Meta(ge=1, le=20)]
    guest: GuestNo


class AwardByLot(Command, tag="award_by_lot", frozen=True):
    """Lots draw who gets the prize of an absent winner, where the event declared that."""

    voucher: Annotated[int, Meta(ge=1)]


class FasterStage(Command, tag="faster_stage", frozen=True):
    """A stage that drags is set to the faster format that the findings name."""

    stage: Annotated[int, Meta(ge=1, le=20)]


class CallReferee(Command, tag="call_referee", frozen=True):
    """A table needs the referee, or needs them no more."""

    table: TableNo
    needed: bool = True


class ConfirmThrow(Command, tag="confirm_throw", frozen=True):
    """The desk or a referee has looked at the champion's throw that waits at a table: it is so, or it was a slip.

    claim: which one they looked at, the `n` of the claim; 0: whichever waits.
    """

    table: TableNo
    yes: bool
    claim: Annotated[int, Meta(ge=0, le=10**9)] = 0


class EndLinks(Command, tag="end_links", frozen=True):
    """All links of a role end, and with them the right of the devices that came by them; of the desk all but this one.

    table: of the devices of one table, which keep its score no more.
    """

    role: Role
    table: TableNo | None = None


EventClientMessage = (
    EventHello
    | EventAct
    | EnterGuests
    | NameGuest
    | EraseGuests
    | SessionSettings
    | OpenTables
    | CloseTables
    | MergeTables
    | GiveKeys
    | ShowInHall
    | CallReferee
    | ThrowFinal
    | AwardByLot
    | FasterStage
    | Registration
    | ConfirmThrow
    | EndLinks
    | Ping
)


class EventYou(Struct, frozen=True, omit_defaults=True):
    """What the token lets this client do. table: for a device of a table."""

    role: Role
    table: int | None = None


class GuestView(Struct, frozen=True, omit_defaults=True):
    """A guest. phone: its last digits alone, and not for hall screens."""

    name: str
    session: int
    status: Literal["listed", "waiting", "withdrawn"]
    here: bool | None = None
    phone: str = ""
    household: int | None = None
    staff: bool = False
    table: int | None = None


class TypedWon(Struct, frozen=True, omit_defaults=True):
    """Prizes of a tier that a seat won, as the results that were typed in say."""

    seat: int
    tier: str
    cakes: int
    item: str = ""


class TypedResults(Struct, frozen=True, omit_defaults=True):
    """The results that were typed in for a table, without its throws. champion: the seat; title: the throw."""

    won: list[TypedWon]
    champion: int | None = None
    title: str = ""


class EventTableView(Struct, frozen=True, omit_defaults=True):
    """A table of the event. code: of its ordinary table, once it has begun. champion: the guest, when it is closed.

    typed: the results that were typed in, also those from before it was opened again.
    """

    session: int
    seats: list[int]
    status: Literal["waiting", "open", "closed"]
    code: str = ""
    head: int | None = None
    referee: int | None = None
    stage: int | None = None
    staff: bool = False
    champion: int | None = None
    how: str = ""
    early: bool = False
    merged: int | None = None
    typed: TypedResults | None = None


class VoucherView(Struct, frozen=True, omit_defaults=True):
    """A prize of a guest. tier: of the table's sheet, or the place in a stage."""

    guest: int
    tier: str
    state: str
    item: str = ""
    price: int = 0
    table: int | None = None
    stage: int | None = None
    desk: str = ""
    to: int | None = None
    before: int | None = None
    after: int | None = None


class SessionView(Struct, frozen=True, omit_defaults=True):
    """A session. tiers: keys, names and cakes, high to low."""

    name: str
    tables: int
    seats: int
    rules: Words
    choice: RulesChoice
    tiers: list[dict[str, Any]]
    settings: TableSettings
    limit: int | None = None
    household: bool = False
    seconds: int = 12
    drawn: bool = False


class StageThrow(Struct, frozen=True, omit_defaults=True):
    """A throw of a stage; without faces: its guest has left.

    again: for which tie it was, from 1; 0: for none. sum, or hand: what the dice are by the stage's rules, named in its
    `hands`. counts: the best of its guest so far in this bout, if it is worth anything.
    """

    guest: int
    faces: str | None
    again: int = 0
    sum: int | None = None
    hand: str = ""
    counts: bool = False


class GroupView(Struct, frozen=True, omit_defaults=True):
    """A group of a stage: its guests in order, their throws, whose throw is due with how many dice, or the places.

    again: it is due because of a tie, for the first, second, … time, among those in `tied`. next: who throws after
    that, unless it is decided then. ahead: who leads. places: while a throw is due those that are certain by now.
    """

    guests: list[int]
    throws: list[StageThrow]
    due: int | None = None
    dice: int = 0
    again: int = 0
    tied: list[int] = field(default_factory=list[int])
    next: int | None = None
    ahead: list[int] = field(default_factory=list[int])
    places: list[list[int]] = field(default_factory=list[list[int]])
    table: int | None = None


class StageView(Struct, frozen=True, omit_defaults=True):
    """A stage of the final. name: as the organiser typed it, or ""; called: that, or what the stage is.

    next: who would play it. laps: how often each throws in half of all cases; expected: how many guests it will have,
    where that is known; hands: the names of what was thrown.
    """

    name: str
    called: Words
    format: str
    source: str
    places: list[dict[str, Any]]
    groups: list[GroupView]
    laps: int
    next: list[int] = field(default_factory=list[int])
    target: str = "zhuangyuan"
    throws: int = 1
    dice: int = 3
    of_groups: int = 1
    held: bool = False
    digital: bool = False
    expected: int | None = None
    rules: Words | None = None
    hands: dict[str, Words] = field(default_factory=dict[str, Words])


class FindingView(Struct, frozen=True, omit_defaults=True):
    """What does not fit together in the event, as `bobing.tournament.findings` finds it."""

    code: str
    values: dict[str, Any]
    serious: bool = False


class ItemView(Struct, frozen=True, omit_defaults=True):
    """Where the pieces of one item are."""

    item: str
    planned: int
    playing: int = 0
    unwon: int = 0
    bought: int | None = None
    in_store: int | None = None
    short: int = 0
    open: int = 0
    handed: int = 0
    absent: int = 0
    waived: int = 0
    recalled: int = 0
    value_out: int = 0


class BoardRow(Struct, frozen=True, omit_defaults=True):
    """A table that plays, as the board shows it. left: cakes by tier; needs: what it wants attention for.

    champion: the seat and its combination; last: when somebody threw last; turn: whose turn it is.
    claim: a throw that waits for a second person.
    """

    left: dict[str, int]
    throws: int = 0
    last: int | None = None
    turn: int | None = None
    champion: int | None = None
    combination: Words | None = None
    finished: bool = False
    needs: list[Need] = field(default_factory=list[Need])
    said: Words | None = None
    claim: ClaimView | None = None


class HallView(Struct, frozen=True, omit_defaults=True):
    """What the hall screens show."""

    page: Literal["tables", "final", "prizes", "notice"] = "tables"
    stage: int = 0
    notice: str = ""


class EventView(Struct, frozen=True, omit_defaults=True):
    """What is small, and told whole each time."""

    title: str
    currency: str
    absent: str
    keep_days: int
    sessions: dict[int, SessionView]
    stages: dict[int, StageView]
    items: list[ItemView]
    hall: HallView
    next_guest: int
    next_voucher: int
    handed_to: str | None = None
    signed_off: bool = False
    registration: bool = True
    findings: list[FindingView] = field(default_factory=list[FindingView])


class EventWelcome(FromServer, tag="event_welcome", frozen=True):
    """Everything that the role may see, after `event_hello`."""

    code: str
    n: int
    you: EventYou
    view: EventView
    guests: dict[int, GuestView]
    tables: dict[int, EventTableView]
    vouchers: dict[int, VoucherView]
    board: dict[int, BoardRow]
    now: int


class EventNews(FromServer, tag="event_news", frozen=True):
    """What has changed: entries to put in the place of those of the same number, and numbers that are gone.

    notes: what else came of it, such as who moved up.
    """

    n: int
    view: EventView
    guests: dict[int, GuestView] = field(default_factory=dict[int, GuestView])
    tables: dict[int, EventTableView] = field(default_factory=dict[int, EventTableView])
    vouchers: dict[int, VoucherView] = field(default_factory=dict[int, VoucherView])
    gone: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    notes: list[list[str]] = field(default_factory=list[list[str]])


class BoardNews(FromServer, tag="board", frozen=True):
    """Rows of the board that have changed, at most twice a second."""

    rows: dict[int, BoardRow]
    now: int


class Seated(FromServer, tag="seated", frozen=True):
    """To a device of a table: it has begun, here is how to go there."""

    table: int
    code: str
    token: str


EventServerMessage = EventWelcome | EventNews | BoardNews | Seated | Ack | Refused | Pong | Bye


class NewEvent(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events: make an event."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]


class NewEventMade(Struct, frozen=True):
    """Its code and the token of its desk."""

    code: str
    token: str


class Pass(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/passes: a token for another device, or for a guest's own page."""

    role: Role | Literal["guest"]
    table: TableNo | None = None
    guest: GuestNo | None = None


class HandingOver(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/handover: to which machine the event goes, as people call it."""

    to: Annotated[str, Meta(max_length=80)] = ""


class TakingBack(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/takeback. sure: nobody goes on at the other machine."""

    machine: Annotated[str, Meta(max_length=80)] = ""
    sure: bool = False


class TakenBack(Struct, frozen=True):
    """The event goes on here."""

    code: str


class Printing(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/{what}.pdf: a paper. tables: those alone, else all. handed: with the vouchers of prizes
    that were handed over already.

    address: where the page was opened, such as http://192.168.1.7:8063, for the QRs; the server's public address stands
    before it, and without either there are none.
    """

    lang: Literal["zh-Hans", "zh-Hant", "en"] = "zh-Hans"
    address: Annotated[str, Meta(max_length=300)] = ""
    tables: list[TableNo] = field(default_factory=list[TableNo])
    handed: bool = False


class Entering(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/tables/{table}: go to a table that has begun, to look on or to type in for it: its own
    device what is thrown there, the desk what stands on paper.
    """

    typing: bool = False


class LogLine(Struct, frozen=True, omit_defaults=True):
    """One act of the event's log. struck: it was taken back; correct: another stands in its place."""

    n: int
    at: int
    by: str
    act: dict[str, Any]
    struck: bool = False
    corrected: bool = False
    notes: list[list[str]] = field(default_factory=list[list[str]])


class LogRead(Struct, frozen=True):
    """Acts of an event, the newest first; `more` says that there are older ones."""

    lines: list[LogLine]
    more: bool


class ReadyFinal(Struct, frozen=True):
    """A final that is ready-made: its key, and its stages as acts `stage`."""

    key: str
    stages: list[dict[str, Any]]


class Finals(Struct, frozen=True):
    """All finals that are ready-made."""

    finals: list[ReadyFinal]


class Registering(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/guests: a guest registers by themselves.

    cmd: an id, so that what is sent again counts once.
    """

    name: Name
    phone: Annotated[str, Meta(max_length=40)] = ""
    household: Text = ""
    session: Annotated[int, Meta(ge=1, le=50)] = 1
    cmd: Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]{16,64})?(?!\n)$")] = ""


class Registered(Struct, frozen=True):
    """The guest's number, whether they have a place or wait behind how many, and the token of their own page."""

    guest: int
    status: Literal["listed", "waiting"]
    token: str
    before: int = 0


class OpenSession(Struct, frozen=True):
    """A session as those see it who may register. free: places left, None where there is no limit; waiting: guests.

    household: one guest of each household alone may come.
    """

    name: str
    free: int | None
    waiting: int
    household: bool


class EventFront(Struct, frozen=True):
    """GET /api/events/{code}: what everybody may know of an event. open: whether guests may register by themselves.

    away: it goes on at another machine.
    """

    title: str
    open: bool
    away: bool
    sessions: dict[int, OpenSession]
    keep_days: int


class Leaving(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/events/{code}/me/leave: a guest gives the place back. erase: what is kept of them is deleted too."""

    erase: bool = False


class MyPrize(Struct, frozen=True):
    """A prize of a guest: its voucher, what it is, and where it stands."""

    voucher: int
    prize: Words
    state: str
    table: int | None


class MyView(Struct, frozen=True):
    """GET /api/events/{code}/me: a guest's own page. seat: counts from 0; before: how many wait before them.

    limited: whether the session has so many places and no more, so that being listed is having one. away: the event
    goes on at another machine, and nothing changes here any more. over: it is signed off.
    """

    title: str
    guest: int
    name: str
    session: str
    status: Literal["listed", "waiting", "withdrawn"]
    here: bool | None
    before: int
    limited: bool
    table: int | None
    seat: int | None
    playing: Literal["waiting", "open", "closed"] | None
    prizes: list[MyPrize]
    keep_days: int
    away: bool
    over: bool


class Fault(Struct, frozen=True):
    """What is wrong with a line of a list."""

    line: int
    code: str
    words: Words
    value: str = ""


class LeftOut(Struct, frozen=True):
    """A column of a list of which nothing is taken, counted from 1, and what the list calls it."""

    column: int
    name: str = ""


class SameName(Struct, frozen=True):
    """A line of a list with the name of a guest who is on the list of the event; it may be somebody else."""

    line: int
    name: str
    guest: int


class ListRead(Struct, frozen=True):
    """A guest list that was read: who is in it, or every line that is wrong. left_out: columns that are not taken.

    same_name: who bears the name of somebody on the list already.
    """

    guests: list[GuestEntry]
    faults: list[Fault]
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    same_name: list[SameName] = field(default_factory=list[SameName])
