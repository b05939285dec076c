"""The live messages of a table, both ways, and the bodies of the REST calls.

A client sends `hello` first. Every command carries `cmd`, made up by the client and kept until it is acknowledged:
sending it again is harmless. Seats count from 0. Times are milliseconds of wall time.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL = 1
SEATS_MAX = 100

# For Python `$` matches before a last line feed too.
Code = Annotated[str, Meta(pattern=r"^[23456789A-HJKMNP-Z]{8}(?!\n)$", description="the table's code")]
Cmd = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{16,64}(?!\n)$", description="the client's own id of it")]
TOKEN = r"^[0-9A-Za-z_-]{22,64}(?!\n)$"  # noqa: S105 - the form of one
Token = Annotated[str, Meta(pattern=TOKEN)]
SeatNo = Annotated[int, Meta(ge=0, lt=SEATS_MAX)]
Version = Annotated[int, Meta(ge=0, le=10**9)]
Name = Annotated[str, Meta(max_length=400)]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$", description="32 bytes in hex")]
GameId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}(?!\n)$", description="16 bytes in hex: one attempt at a draw")]
DrawNo = Annotated[int, Meta(ge=1, le=65_535)]
Words = dict[str, str]
"""One text in zh-Hans, zh-Hant and en."""


class Settings(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """How a table is run; what the rules do not say.

    dice: real dice typed in, or digital ones. confirm: whether a zhuangyuan throw with real dice is asked for
    twice, or counts once a second person has confirmed it.
    joining: whether the code gives seats. absent_s, absent: after so many seconds without a throw of the seat whose
    turn it is, nothing, a skip, or a digital throw. speed: 0 calm to 3 fast. auto: digital dice throw themselves.
    beacon: what public chance goes into digital dice beside that of the phones (`docs/fairness.md`). spill: of 65,536
    digital throws so many leave the bowl. alarm: tell where real dice are grossly biased.
    """

    dice: Literal["real", "digital"] = "digital"
    confirm: Literal["none", "twice", "two"] = "twice"
    joining: Literal["open", "closed"] = "open"
    absent_s: Annotated[int, Meta(ge=0, le=3600)] = 0
    absent: Literal["nothing", "skip", "throw"] = "nothing"
    speed: Annotated[int, Meta(ge=0, le=3)] = 1
    auto: bool = False
    beacon: Literal["none", "drand", "dice"] = "none"
    spill: Annotated[int, Meta(ge=0, le=6553)] = 0
    alarm: bool = False


class FromClient(Struct, forbid_unknown_fields=True, frozen=True, tag_field="t"):
    """A message of a client."""


class Hello(FromClient, tag="hello", frozen=True):
    """Who I am and what I have seen; the first message of a connection."""

    code: Code
    token: Token
    seen: Version = 0
    protocol: int = PROTOCOL


class Command(FromClient, frozen=True):
    """A message that changes the table, at the version the client saw."""

    cmd: Cmd
    at: Version


class Do(Command, tag="do", frozen=True):
    """An act of the game, in the form of `docs/acts.md`. sure: a zhuangyuan throw was asked for twice."""

    act: dict[str, Any]
    sure: bool = False


class Confirm(Command, tag="confirm", frozen=True):
    """A second person has looked at the throw that waits: it is so, or it was a slip.

    roll: the dice as this person reads them; needed where it is the same device again.
    """

    yes: bool
    roll: Annotated[str, Meta(pattern=r"^[1-6]{6}(?!\n)$")] | None = None


class Throw(Command, tag="throw", frozen=True):
    """Throw digital dice for a seat. link: of the seat's own device.

    strength, aim: of the flick, for the picture alone; aim in degrees to the right of straight ahead.
    """

    seat: SeatNo
    strength: Annotated[int, Meta(ge=0, le=100)] = 50
    aim: Annotated[int, Meta(ge=-90, le=90)] = 0
    link: Hash | None = None


class StartDice(Command, tag="start_dice", frozen=True):
    """Before the first throw: draw two digital dice for a seat, which are counted off to the one that begins."""

    seat: SeatNo
    link: Hash | None = None


class AddSeat(Command, tag="add_seat", frozen=True):
    """A player without a device of their own sits down, last in the order of play."""

    name: Name


class RenameSeat(Command, tag="rename_seat", frozen=True):
    """Another name for a seat."""

    seat: SeatNo
    name: Name


class RemoveSeat(Command, tag="remove_seat", frozen=True):
    """Before the game: take a seat away; the ones behind it move up."""

    seat: SeatNo


class MoveSeat(Command, tag="move_seat", frozen=True):
    """Before the game: put a seat at another place."""

    seat: SeatNo
    to: SeatNo


class SetRules(Command, tag="set_rules", frozen=True):
    """Before the game: other rules, a sheet by key with changes laid on it."""

    rules: RulesChoice


class SetSettings(Command, tag="set_settings", frozen=True):
    """Other settings."""

    settings: Settings


class Begin(Command, tag="begin", frozen=True):
    """Begin the game; `start` is the seat that throws first."""

    start: SeatNo = 0


class FreeSeat(Command, tag="free_seat", frozen=True):
    """Take the device's right to a seat away (a lost phone, an unwanted guest); the seat and its cakes stay."""

    seat: SeatNo


class Sit(Command, tag="sit", frozen=True):
    """The host plays this seat from the host's own device; null: none of them."""

    seat: SeatNo | None = None


class Rematch(Command, tag="rematch", frozen=True):
    """After the end: the next game of these people is at the table `code`, which the host has made."""

    code: Code


class DrawAgain(Command, tag="draw_again", frozen=True):
    """Draw the dice to come anew, from fresh chance of everybody; counted, and shown to everybody."""


class Beacon(Command, tag="beacon", frozen=True):
    """The public chance that was announced: the signature of the drand round in hex, or the faces of real dice.

    seat: whose, where one seat waits for chance of its own.
    """

    value: Annotated[str, Meta(pattern=r"^([0-9a-f]{96}|[1-6]{1,200})(?!\n)$")]
    seat: SeatNo | None = None


class Commit(FromClient, tag="commit", frozen=True):
    """The head of the chain of links that a seat's own device made for this attempt; it cannot change them any more."""

    seat: SeatNo
    game: GameId
    player: Hash


class Reveal(FromClient, tag="reveal", frozen=True):
    """The first link of that chain, once everybody's heads are known."""

    seat: SeatNo
    game: GameId
    link: Hash


class Link(FromClient, tag="link", frozen=True):
    """The answer to `link_wanted`: the link that goes into draw `k` of the seat."""

    seat: SeatNo
    game: GameId
    k: DrawNo
    link: Hash


class LostLinks(FromClient, tag="lost_links", frozen=True):
    """This device has no links for its seat any more; the dice of the seat come without them from now on."""

    seat: SeatNo


class Ping(FromClient, tag="ping", frozen=True):
    """Still there."""


class RulesChoice(Struct, forbid_unknown_fields=True, frozen=True):
    """A named sheet, and house changes in the form of a rule file without `extends`."""

    sheet: Annotated[str, Meta(max_length=60)] = "minnan"
    house: dict[str, Any] = {}


ClientMessage = (
    Hello
    | Do
    | Confirm
    | Throw
    | StartDice
    | AddSeat
    | RenameSeat
    | RemoveSeat
    | MoveSeat
    | SetRules
    | SetSettings
    | Begin
    | FreeSeat
    | Sit
    | Rematch
    | DrawAgain
    | Beacon
    | Commit
    | Reveal
    | Link
    | LostLinks
    | Ping
)
ForDice = Commit | Reveal | Link | LostLinks
"""What a device says for its seat by itself, without anybody's doing: no commands."""


class FromServer(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """A message of the server."""


class Seat(Struct, frozen=True, omit_defaults=True):
    """One seat as everybody sees it. device: somebody's own holds it; online: it is there now, None if not known.

    guest: the number at the event of who sits there without a name, which was erased. items: of tiers whose
    prizes have names, which of them the seat holds, and how many.
    """

    name: str
    held: dict[str, int]
    items: dict[str, dict[str, int]] = {}
    guest: int | None = None
    points: int = 0
    throws: int = 0
    away: bool = False
    lost_turn: bool = False
    device: bool = False
    online: bool | None = False


class TitleView(Struct, frozen=True, omit_defaults=True):
    """Who holds the title of zhuangyuan, with which dice, and why, in words."""

    seat: int
    roll: str
    combination: str
    words: Words


class RollOffView(Struct, frozen=True):
    """A roll-off under way: who throws with how many dice, and what was thrown."""

    seats: list[int]
    dice: int
    reason: str
    thrown: dict[str, str]


class OwnChance(Struct, frozen=True):
    """A seat that waits for public chance of its own, and which was announced."""

    seat: int
    plan: str


class Unheard(Struct, frozen=True):
    """A seat that these devices do not vouch for, though its own takes part.

    It came late while they were away, or had lost their links.
    """

    seat: int
    devices: list[int]


class FairView(Struct, frozen=True, omit_defaults=True):
    """How digital dice are proved now (`docs/fairness.md`).

    stage: `commit` and `reveal` wait for the devices of the seats `asked`, `beacon` for public chance, `ready` for
    nobody. game: the id of the attempt; links: the length of the chains. own: seats whose own device takes part; late:
    seats that came later and wait until everybody else has thrown, or for public chance; alone: those that lack nothing
    but that; unheard: those that not all devices vouch for; k: by seat, the number of its next draw. restarts, voids:
    attempts before this one that were given up after their dice were fixed, or that a device did not let come about.
    deadline: when those asked are waited for no longer.
    """

    stage: Literal["commit", "reveal", "beacon", "ready"]
    game: str
    links: int
    asked: list[int] = []
    t0: str = ""
    sas: str = ""
    plan: str = ""
    own: list[int] = []
    late: list[int] = []
    alone: list[OwnChance] = []
    unheard: list[Unheard] = []
    k: list[int] = []
    restarts: int = 0
    voids: int = 0
    deadline: int | None = None


class ClaimView(Struct, frozen=True, omit_defaults=True):
    """A zhuangyuan throw that waits until a second person confirms it.

    by: who typed it in, as `host` or `seat/N`. n: in which entry of the table's log. again: whether the same device may
    confirm it by typing the dice in once more, because no other device plays here.
    """

    seat: int
    roll: str
    words: Words
    by: str
    n: int
    again: bool = False


class View(Struct, frozen=True, omit_defaults=True):
    """The whole present state of a table; small enough to go out with every change.

    order: seats in the order of play. table, pool: cakes left, and cakes eaten by all, by tier. next: the seat that
    acts. tally: throws so far by combination. deadline: when an absent seat is skipped or thrown for. rematch: the code
    of the table of the next game. host: the seat that the host's own device plays. fair: how digital dice are proved,
    where they are. receipt: the hash of the game's record so far. biased: real dice fall so unevenly that it is hardly
    chance. claim: a throw that waits for a second person.
    """

    phase: Literal["lobby", "play", "over"]
    seats: list[Seat]
    order: list[int]
    table: dict[str, int]
    settings: Settings
    pool: dict[str, int] = {}
    next: int | None = None
    title: TitleView | None = None
    rolloff: RollOffView | None = None
    finished: str | None = None
    begun: bool = False
    tally: dict[str, int] = {}
    deadline: int | None = None
    rematch: str | None = None
    host: int | None = None
    fair: FairView | None = None
    receipt: str = ""
    biased: bool = False
    claim: ClaimView | None = None


class TierView(Struct, frozen=True, omit_defaults=True):
    """One tier: its cakes, names, points of a cake, items, and how many of the 46,656 throws win it."""

    key: str
    cakes: int
    names: Words
    throws: int
    points: int = 0
    items: list[dict[str, Any]] = []


class RulesView(Struct, frozen=True, omit_defaults=True):
    """The rules of a table: what a player sees of them, and the counts of its census."""

    key: str
    names: Words
    digest: str
    tiers: list[TierView]
    combinations: dict[str, int]
    seats_min: int
    direction: str
    minutes: int = 0
    choice: RulesChoice | UnsetType = UNSET


class Proof(Struct, frozen=True):
    """What a digital draw is recomputed from: the seat's k-th draw, the server's link, and the device's, if any."""

    seat: int
    k: int
    s: str
    c: str | None


class FairEvent(Struct, frozen=True):
    """What happened to the proof of digital dice, behind so many acts, in the form of `docs/record.md`."""

    after: int
    event: dict[str, Any]


class Line(Struct, frozen=True, omit_defaults=True):
    """One act in the history.

    words: what happened; why: what makes the throw what it is called; counting: the places in `roll`, from 0, of the
    dice that do; title: what it meant for the title, nothing where that was not at stake; struck: it was taken back;
    took: the acts that it took back itself; first: the act as it was played, where a correction changed it since;
    digital: the server drew the dice.
    choices, items: the lower tiers and the items that could be taken instead, by a correction of this act with the same
    dice.
    """

    n: int
    act: dict[str, Any]
    words: dict[str, list[str]]
    at: int
    seat: int | None = None
    roll: str | None = None
    combination: str | None = None
    moves: list[dict[str, Any]] = []
    digital: bool = False
    strength: int = 50
    aim: int = 0
    struck: bool = False
    took: list[int] = []
    first: dict[str, Any] | None = None
    why: Words = {}
    counting: list[int] = []
    title: dict[str, list[str]] = {}
    choices: list[str] = []
    items: dict[str, list[str]] = {}
    proof: Proof | None = None


class You(Struct, frozen=True, omit_defaults=True):
    """What the token lets this client do. referee: of the event, who confirms throws and does nothing else.

    paper: the host who types in what was thrown before and stands on paper: nobody can look into that bowl again.
    """

    role: Literal["host", "seat", "watch", "referee"]
    seat: int | None = None
    paper: bool = False


class Welcome(FromServer, tag="welcome", frozen=True):
    """Everything, after `hello`. missed: one line on what happened since act `seen`."""

    code: str
    n: int
    you: You
    title: str
    rules: RulesView
    view: View
    lines: list[Line]
    now: int
    missed: Words | None = None
    fair: list[FairEvent] = []
    protocol: int = PROTOCOL


class News(FromServer, tag="news", frozen=True):
    """Entry `n` of the table was added: its line, where it is an act of the game, and the state after it.

    fair: what came with it for the proof of the dice.
    """

    n: int
    view: View
    line: Line | None = None
    rules: RulesView | None = None
    fair: list[FairEvent] = []


class Anew(FromServer, tag="anew", frozen=True):
    """The history changed behind the last line (undo, correction): all lines, and the state."""

    n: int
    view: View
    lines: list[Line]
    fair: list[FairEvent] = []


class Ack(FromServer, tag="ack", frozen=True):
    """The command is carried out and stored as entry `n`."""

    cmd: str
    n: int


class Refused(FromServer, tag="refused", frozen=True):
    """The command is not carried out: a stable code, and what to do, in three languages.

    needs: the cakes that a lights-out grab hands out, where the act has to say who got them.
    combination: of a champion's throw that is asked for twice, what it is.
    """

    code: str
    words: Words
    cmd: str | None = None
    n: int = 0
    needs: dict[str, int] = {}
    combination: str = ""


class Presence(FromServer, tag="presence", frozen=True):
    """Which seats' own devices are there now."""

    online: list[int]


class Late(FromServer, tag="late", frozen=True):
    """Whether what is shown comes up to two seconds late, because word between the servers is lost; throws are not."""

    late: bool


class WonHere(Struct, frozen=True):
    """A prize that was won at a table of an event. voucher: its number at the prize desk; seat: who won it."""

    voucher: int
    seat: int
    prize: Words
    state: Literal["open", "handed", "absent", "waived"]


class AtEvent(FromServer, tag="at_event", frozen=True):
    """Which table of which event this is, behind the welcome and whenever it changes.

    stage: the name of the stage of the final that is played here; closed: the event's desk has closed the table, with
    these prizes, before the game was over where that was `early`; results: typed in at the desk alone; points: what
    each seat's cakes came to then, where the sheet gives points, that of the title among them.
    """

    event: Code
    title: str
    table: int
    stage: Words = {}
    closed: bool = False
    early: bool = False
    results: bool = False
    prizes: list[WonHere] = []
    points: list[int] = []


class LinkWanted(FromServer, tag="link_wanted", frozen=True):
    """Somebody throws for a seat, or the dice throw themselves: its device answers with `link`."""

    seat: int
    game: str
    k: int


class Pong(FromServer, tag="pong", frozen=True):
    """Answer to `ping`."""

    now: int


class Bye(FromServer, tag="bye", frozen=True):
    """The connection ends: `replaced` by another of the same token, `revoked`, `slow`, or `shut_down`."""

    why: str


ServerMessage = Welcome | News | Anew | Ack | Refused | Presence | Late | AtEvent | LinkWanted | Pong | Bye


class NewTable(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/tables: make a table. host: the seat among the players that the host's own device plays."""

    rules: RulesChoice = RulesChoice()
    settings: Settings = Settings()
    players: Annotated[list[Name], Meta(max_length=SEATS_MAX)] = []
    title: Name = ""
    host: SeatNo | None = None


class Names(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/names/check: names of players, as they would be given."""

    players: Annotated[list[Name], Meta(max_length=SEATS_MAX)]


class NewTableMade(Struct, frozen=True):
    """Its answer: the code, and the host's token."""

    code: str
    token: str


class Joining(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/tables/CODE/join: take a new seat, a free one, or look on."""

    name: Name = ""
    seat: SeatNo | None = None
    watch: bool = False


class Joined(Struct, frozen=True):
    """Its answer: a token, and the seat it holds."""

    token: str
    seat: int | None


class Inviting(Struct, forbid_unknown_fields=True, frozen=True):
    """POST /api/tables/CODE/links: a token for another device. The host may ask for any, a seat for its own.

    One for the host hands the table over: who comes in by it first is the host, and nobody else is any more.
    """

    role: Literal["host", "seat", "watch"]
    seat: SeatNo | None = None


class Invited(Struct, frozen=True):
    """Its answer."""

    token: str
