"""A table as a machine without sockets: `decide` says what a command leads to, `apply` folds in what was stored.

Chance comes in as `Chance`, time as numbers; nothing here waits, draws or sends. The log of a table holds, in order:
how it was opened, its lobby, `begin`, and the acts of the game with what proves their dice. Names are notes beside the
log, so that they can be erased.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from bobing.core.act_json import act_from_json, act_to_json
from bobing.core.acts import Act, Back, Close, Cocked, Correct, Join, Leave, RollOff, Spill, Start, Throw, Undo
from bobing.core.catalogue import complete_table, find_key, read_rules
from bobing.core.dice import Roll
from bobing.core.errors import RulesError
from bobing.core.game import Game
from bobing.core.record import PROVED, VERSION, Draws, act_line, fair_line, header_line, proved_act_line
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.scorebook import scorebook
from bobing.core.toml_text import read_toml
from bobing.fairness.acts import start_stands, thrown
from bobing.fairness.beacon import beacon_bytes
from bobing.fairness.chain import server_link
from bobing.fairness.events import Attempt, Event, Loss, Lost, Proof, Ready, SeatReady, Void
from bobing.fairness.forms import event_json, proof_json, read_event, read_proof
from bobing.fairness.grab import drawn_grab
from bobing.fairness.ledger import Ledger
from bobing.fairness.reveal import signs
from bobing.fairness.steps import with_event
from bobing.ports import Dice
from bobing.server.refusal import ConfirmFirst, refused
from bobing.server.tally import Tally, tally_of
from bobing.wire import messages as wire

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: bodies to append to the log, notes to set, seats whose devices lose their right."""

    bodies: Sequence[Body] = ()
    notes: Mapping[str, str | None] | None = None
    free: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """What digital dice come from. dice: those of the machine, for games that began without proof; provable: whether a
    game that begins now is proved; master: the secret of the attempt under way, None where there is none."""

    dice: Dice
    provable: bool = False
    master: bytes | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """How an act came about. digital: the server drew; strength, aim: of the flick, for the picture; at: wall time;
    k: which throw of its seat it was, counted over those that stood then; proof: of its dice."""

    digital: bool
    strength: int
    aim: int
    at: int
    k: int
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A zhuangyuan throw that was typed in and waits for a second person; by: who did, as `host` or `seat/N`."""

    act: Throw | Correct
    by: str

    @property
    def throw(self) -> Throw:
        """The throw in question, also where it stands within a correction."""
        throw = self.act.act if isinstance(self.act, Correct) else self.act
        assert isinstance(throw, Throw), "only throws are claimed"
        return throw


class Room(Struct, frozen=True):
    """The present state of one table. n: its last log entry; act_n: the last entry that was an act of the game.

    ledger: the draws of dice that can be proved, None where they cannot; told: what happened to them, each with the act
    that it stands behind; wanted: why they are to be drawn anew. receipt: the hash of the game's record so far; tally:
    what its throws come to. claim: the throw that waits for a second person. paper: throws were typed in from paper.
    """

    code: str
    n: int
    act_n: int
    rules: RuleSet
    choice: wire.RulesChoice
    settings: wire.Settings
    seats: int
    game: Game | None
    notes: Mapping[str, str]
    drawn: Mapping[int, Drawn]
    opened: int
    rematch: str | None = None
    ledger: Ledger | None = None
    told: tuple[tuple[int, Body], ...] = ()
    wanted: Literal["again", "late"] | None = None
    receipt: str = ""
    claim: Claim | None = None
    tally: Tally = Tally()
    paper: bool = False

    def name(self, seat: int) -> str:
        """The name of a seat; "" where it has none."""
        return self.notes.get(f"name/{seat}", "")

    def guest(self, seat: int) -> int | None:
        """The number at the event of a guest without a name; None for others."""
        number = self.notes.get(f"guest/{seat}")
        return None if number is None or self.name(seat) else int(number)

    def has_device(self, seat: int) -> bool:
        """Whether somebody's own device holds the seat."""
        return f"device/{seat}" in self.notes

    @property
    def host_seat(self) -> int | None:
        """The seat that the host's own device plays, where it plays one."""
        seat = self.notes.get("host_seat")
        return None if seat is None else int(seat)

    @property
    def seat_count(self) -> int:
        """Seats of the lobby or of the game, late joiners included."""
        return len(self.game.state.order) if self.game else self.seats


def draws_of(room: Room) -> Draws | None:
    """What proves the dice of a table, for its record."""
    if room.ledger is None:
        return None
    proofs = {n: proof_json(drawn.proof) for n, drawn in room.drawn.items() if drawn.proof}
    return Draws(room.told, proofs)


def opening(choice: wire.RulesChoice, settings: wire.Settings, seats: int) -> Body:
    """The first entry of a table; raises RulesError where the rules cannot be used."""
    rules = resolve(choice)
    chosen = {"sheet": choice.sheet, "house": choice.house}
    return {
        "t": "open",
        "choice": chosen,
        "rules": rules.to_table(),
        "settings": settings_body(settings),
        "seats": seats,
    }


def resolve(choice: wire.RulesChoice) -> RuleSet:
    """The rule set of a choice: the sheet with the house changes laid on it; raises RulesError."""
    from bobing.core.catalogue import find_sheet

    if not choice.house:
        return find_sheet(choice.sheet)
    if "extends" in choice.house:
        raise RulesError("the sheet is named beside the house changes; leave this out", "rules/bad_file", "extends")
    return rules_from_table(complete_table({**choice.house, "extends": choice.sheet}))


def choice_in(text: str) -> wire.RulesChoice:
    r"""The choice of rules that a house rule file makes; raises RulesError where they cannot be used.

    >>> choice_in('extends = "S12"\n[cakes]\nyixiu = 40')
    RulesChoice(sheet='referee-order', house={'cakes': {'yixiu': 40}})
    """
    read_rules(text)
    house = read_toml(text)
    return wire.RulesChoice(find_key(house.pop("extends")), house)


def load(code: str, entries: Sequence[tuple[int, Body, int]], notes: Mapping[str, str]) -> Room:
    """The room of a log: (number, body, wall time) of each entry, in order."""
    (n, first, at), *later = entries
    room = Room(
        code=code,
        n=n,
        act_n=0,
        rules=rules_from_table(first["rules"]),
        choice=wire.RulesChoice(**first["choice"]),
        settings=wire.Settings(**first["settings"]),
        seats=first["seats"],
        game=None,
        notes=notes,
        drawn={},
        opened=at,
    )
    for number, body, when in later:
        room = apply(room, number, body, when)
    return room


def with_notes(room: Room, notes: Mapping[str, str]) -> Room:
    """The room with other notes beside its log."""
    return replace(room, notes=notes)


def apply(room: Room, n: int, body: Body, at: int) -> Room:
    """The room after entry `n`."""
    match body["t"]:
        case "seats":
            return replace(room, n=n, seats=body["seats"])
        case "rules":
            choice = wire.RulesChoice(**body["choice"])
            return replace(room, n=n, rules=rules_from_table(body["rules"]), choice=choice)
        case "settings":
            return replace(room, n=n, settings=wire.Settings(**body["settings"]))
        case "begin":
            return _begun(room, n, Game.new(room.rules, room.seats, body["start"]), fair=body.get("fair", False))
        case "act":
            return _acted(room, n, body, at)
        case "fair":
            return _noted(room, n, body["event"])
        case "claim":
            claimed = act_from_json(body["act"])
            assert isinstance(claimed, Throw | Correct), "only throws are claimed"
            return replace(room, n=n, act_n=n, claim=Claim(claimed, body["by"]))
        case "no_claim":
            return replace(room, n=n, act_n=n, claim=None)
        case "draw_again":
            return replace(room, n=n, wanted=body.get("why", "again"))
        case "rematch":
            return replace(room, n=n, rematch=body["code"])
        case kind:
            raise ValueError(f"unknown entry {kind!r}")


def _begun(room: Room, n: int, game: Game, *, fair: bool) -> Room:
    ledger = Ledger(room.rules.digest) if fair else None
    receipt = header_line(game, PROVED if fair else VERSION).h
    return replace(room, n=n, act_n=n, game=game, ledger=ledger, receipt=receipt)


def _acted(room: Room, n: int, body: Body, at: int) -> Room:
    assert room.game is not None, "acts come after begin"
    act, told = act_from_json(body["act"]), body.get("proof")
    game, proof = room.game.play(act), None if told is None else read_proof(told)
    place, changed = len(game.log), isinstance(act, Undo | Correct)
    flick = body.get("strength", 50), body.get("aim", 0)
    drawn = Drawn(body.get("digital", False), *flick, at, body.get("k", 0), proof)
    line = act_line(game, room.receipt) if room.ledger is None else proved_act_line(game, room.receipt, told)
    return replace(
        room,
        n=n,
        act_n=n,
        game=game,
        drawn={**room.drawn, place: drawn},
        tally=tally_of(game) if changed else room.tally.with_node(game.line),
        ledger=_drawn_on(room.ledger, game, proof),
        wanted="late" if isinstance(act, Join) and _came_before(room) else room.wanted,
        receipt=line.h,
        claim=None if "seen" in body else room.claim,
        paper=room.paper or "paper" in body,
    )


def _drawn_on(ledger: Ledger | None, game: Game, proof: Proof | None) -> Ledger | None:
    """The ledger after the last act of a game."""
    act = game.log[-1].act
    if ledger is not None and proof is not None:
        assert isinstance(act, Throw | RollOff | Spill | Start), "only dice are drawn"
        ledger = ledger.with_draw(len(game.log), act, proof)
    if ledger is not None and isinstance(act, Undo | Correct):
        ledger = ledger.as_stands(game)
    return ledger


def _came_before(room: Room) -> bool:
    """Whether the number of the seat that joins next was somebody's before, whose coming was undone."""
    return room.ledger is not None and room.seat_count in room.ledger.chains


def _noted(room: Room, n: int, told: Body) -> Room:
    assert room.game is not None, "draws are of a game"
    assert room.ledger is not None, "and of one that can be proved"
    event, game = read_event(told), room.game
    return replace(
        room,
        n=n,
        ledger=with_event(room.ledger, event, game.state.away),
        told=(*room.told, (len(game.log), told)),
        wanted=None if isinstance(event, Attempt) else room.wanted,
        receipt=fair_line(told, room.receipt).h,
    )


def fair_body(event: Event) -> Body:
    """What happened to the draws as it stands in an entry."""
    return {"t": "fair", "event": event_json(event)}


def links_lost(seat: int, why: Loss) -> Decision:
    """The links of a seat's own device are gone, or do not come."""
    return Decision([fair_body(Lost(seat, why))])


def decide(room: Room, command: wire.Command, who: wire.You, chance: Chance) -> Decision:
    """What a command leads to; raises TableRefused, ActRefused, RulesError, FairError. The room stays as it is."""
    match command:
        case wire.Do():
            return _decide_act(room, command, who)
        case wire.Confirm():
            return _decide_claim(room, command, who)
        case wire.Throw(strength=strength, aim=aim):
            game = drawing(room, command, who)
            return drawn_throw(room, game, command.seat, chance, command.link, strength, aim)
        case wire.StartDice():
            return _drawn_start(room, drawing(room, command, who), command.seat, chance, command.link)
        case wire.RenameSeat(seat=seat, name=name):
            _check_seat(room, seat)
            _require(who.role == "host" or who.seat == seat)
            return Decision(notes={f"name/{seat}": name})
        case _:
            _require(who.role == "host")
            return _decide_host(room, command, chance)


def _decide_host(room: Room, command: wire.Command, chance: Chance) -> Decision:
    match command:
        case wire.SetSettings(settings=settings):
            if room.game and settings.dice != room.settings.dice:
                raise refused("dice_fixed")
            return Decision([{"t": "settings", "settings": settings_body(settings)}])
        case wire.Begin(start=start):
            _in_lobby(room)
            Game.new(room.rules, room.seats, start)
            fair = {"fair": True} if room.settings.dice == "digital" and chance.provable else {}
            return Decision([{"t": "begin", "start": start, **fair}])
        case wire.SetRules(rules=choice):
            _in_lobby(room)
            rules = resolve(choice).to_table()
            chosen = {"sheet": choice.sheet, "house": choice.house}
            return Decision([{"t": "rules", "choice": chosen, "rules": rules}])
        case wire.Rematch(code=code):
            if not _playing(room).finished:
                raise refused("not_over")
            if code == room.code:
                raise refused("refused")
            return Decision([{"t": "rematch", "code": code}])
        case wire.DrawAgain():
            return _draw_again(room)
        case wire.Beacon(value=value, seat=seat):
            return _beacon_told(room, value, seat)
        case _:
            return _decide_seats(room, command)


def _draw_again(room: Room) -> Decision:
    """Everything that is to come is drawn anew. An attempt that is under way comes to nothing, which is counted."""
    ledger = _proving(room)
    if _playing(room).finished:
        raise refused("over")
    void = [fair_body(Void(()))] if ledger.stage in ("reveal", "beacon") else []
    return Decision([*void, {"t": "draw_again"}])


def _beacon_told(room: Room, value: str, seat: int | None) -> Decision:
    """The public chance is there: the seed follows from it. The host has verified it before."""
    ledger = _proving(room)
    plan = awaited_plan(ledger, seat)
    if plan is None:
        raise refused("no_beacon")
    beacon = beacon_bytes(plan, value)
    if seat is not None:
        return Decision([fair_body(SeatReady(seat, beacon, ledger.seed_alone(seat, beacon)))])
    seed = ledger.seed_with(beacon)
    return Decision([fair_body(Ready(beacon, seed, signs(seed)))])


def awaited_plan(ledger: Ledger, seat: int | None) -> bytes | None:
    """The public chance that is waited for, by everybody or by one seat; None where none is."""
    if seat is None:
        return ledger.attempt.plan if ledger.stage == "beacon" and ledger.attempt else None
    pending = ledger.pending.get(seat)
    return pending.alone.plan if pending and pending.alone and pending.revealed else None


def _proving(room: Room) -> Ledger:
    _playing(room)
    if room.ledger is None or room.settings.dice != "digital":
        raise refused("no_proof")
    return room.ledger


def _decide_seats(room: Room, command: wire.Command) -> Decision:
    match command:
        case wire.AddSeat(name=name):
            return seat_added(room, name)
        case wire.Sit(seat=seat):
            return _host_sits(room, seat)
        case wire.FreeSeat(seat=seat):
            _check_seat(room, seat)
            return Decision(notes={f"device/{seat}": None, **_host_gone(room, [seat])}, free=[seat])
        case wire.RemoveSeat(seat=seat):
            _check_seat(room, seat)
            return _rearranged(room, [other for other in range(room.seats) if other != seat])
        case wire.MoveSeat(seat=seat, to=to):
            _check_seat(room, seat)
            _check_seat(room, to)
            order = [other for other in range(room.seats) if other != seat]
            return _rearranged(room, [*order[:to], seat, *order[to:]])
        case _:
            raise refused("refused")


def _host_sits(room: Room, seat: int | None) -> Decision:
    """The host plays this seat from the host's own device, and no other; whoever held it loses it."""
    notes: dict[str, str | None] = {"host_seat": None}
    if room.host_seat is not None:
        notes[f"device/{room.host_seat}"] = None
    if seat is None:
        return Decision(notes=notes)
    _check_seat(room, seat)
    return Decision(notes={**notes, "host_seat": str(seat), f"device/{seat}": "1"}, free=[seat])


def _host_gone(room: Room, seats: Collection[int]) -> dict[str, str | None]:
    """The note to erase where the host's own seat is among those that are taken away."""
    return {"host_seat": None} if room.host_seat in seats else {}


def called(name: str, seat: int, guest: int | None) -> dict[str, str | None]:
    """The note that says what a seat is called: by its name, or by the number of a guest of an event who has none."""
    if name:
        return {f"name/{seat}": name}
    return {} if guest is None else {f"guest/{seat}": str(guest)}


def seat_added(room: Room, name: str, *, device: bool = False, guest: int | None = None) -> Decision:
    """A new seat, in the lobby or as a late joiner; its number is `room.seat_count`."""
    seat = room.seat_count
    if seat >= wire.SEATS_MAX:
        raise refused("full")
    notes = called(name, seat, guest)
    if device:
        notes[f"device/{seat}"] = "1"
    if room.game is None:
        return Decision([{"t": "seats", "seats": seat + 1}], notes)
    room.game.verify(Join())
    return Decision([{"t": "act", "act": act_to_json(Join())}], notes)


def _rearranged(room: Room, order: Sequence[int]) -> Decision:
    """Seats of the lobby in another order; devices follow only where the number stays, so those that move are freed,
    and with them the links to them that were not used yet. The host's own device follows everywhere."""
    _in_lobby(room)
    notes: dict[str, str | None] = {}
    for new, old in enumerate(order):
        notes[f"name/{new}"] = room.name(old)
    for gone in range(len(order), room.seats):
        notes[f"name/{gone}"] = None
    moved = [seat for seat in range(room.seats) if seat >= len(order) or order[seat] != seat]
    notes |= {f"device/{seat}": None for seat in moved if room.has_device(seat)}
    if room.host_seat in order:
        at = order.index(room.host_seat)
        notes |= {"host_seat": str(at), f"device/{at}": "1"}
    else:
        notes |= _host_gone(room, range(room.seats))
    return Decision([{"t": "seats", "seats": len(order)}], notes, moved)


def _decide_act(room: Room, command: wire.Do, who: wire.You) -> Decision:
    game = _playing(room)
    if command.at < room.act_n:
        raise refused("stale")
    if room.claim is not None:
        raise refused("unconfirmed")
    act = act_from_json(command.act)
    _check_right(room, game, act, who)
    if room.settings.dice == "digital":
        _check_undrawn(room, game, act)
    after = game.play(act)
    throw = act.act if isinstance(act, Correct) else act
    real = isinstance(throw, Throw) and room.settings.dice == "real"
    asked = room.settings.confirm if real and not who.paper else "none"
    if (
        isinstance(throw, Throw)
        and asked != "none"
        and (row := scorebook(room.rules).row(throw.roll)).strength is not None
    ):
        if asked == "two" and not _settled(game, act):
            return Decision([{"t": "claim", "act": act_to_json(act), "by": actor_of(who)}])
        if asked == "twice" and not command.sure:
            raise ConfirmFirst(row.combination)
    gone = range(len(after.state.order), room.seat_count)
    notes: dict[str, str | None] = {f"{note}/{seat}": None for seat in gone for note in ("name", "device")}
    notes |= _host_gone(room, gone)
    typed_in = {"paper": True} if who.paper else {}
    return Decision([{"t": "act", "act": act_to_json(act), **typed_in}], notes, gone)  # who joins next is somebody else


def _settled(game: Game, act: Act) -> bool:
    """Whether dice that stand already stay as they are: what goes beside them needs no second person."""
    return isinstance(act, Correct) and _same_dice(game, act)


def _decide_claim(room: Room, command: wire.Confirm, who: wire.You) -> Decision:
    """A second person confirms the throw that waits, or anybody takes it back as a slip.

    Where no other device could do it, the second person types the dice in once more on the same one.
    """
    _require(who.role != "watch")
    claim = room.claim
    if claim is None:
        raise refused("no_claim")
    if not command.yes:
        return Decision([{"t": "no_claim", "by": actor_of(who)}])
    if command.roll is not None and Roll.parse(command.roll).hand != claim.throw.roll.hand:
        raise refused("other_dice")
    if actor_of(who) == claim.by and not (command.roll and alone(room, claim)):
        raise refused("second_person")
    return Decision([{"t": "act", "act": act_to_json(claim.act), "seen": actor_of(who)}])


def alone(room: Room, claim: Claim) -> bool:
    """Whether no device but the one that typed a throw in could confirm it."""
    others = (seat for seat in range(room.seat_count) if seat != room.host_seat)
    return claim.by == "host" and not any(room.has_device(seat) for seat in others)


def actor_of(who: wire.You) -> str:
    """Who does something, as it stands in the log."""
    return f"seat/{who.seat}" if who.role == "seat" else who.role


def _check_right(room: Room, game: Game, act: Act, who: wire.You) -> None:
    """The host may do everything; a seat acts for itself and neighbours without a device, undoes its last act, and
    chooses what its last throw takes."""
    if who.role == "host":
        return
    _require(who.role == "seat")
    if isinstance(act, Undo):
        last = game.log[-1].act if game.log else None
        _require(act.n == len(game.log) and getattr(last, "seat", None) == who.seat)
        return
    if isinstance(act, Correct):
        _require(act.n == len(game.log) and _same_dice(game, act) and getattr(act.act, "seat", None) == who.seat)
        return
    seat = getattr(act, "seat", None)
    own = seat == who.seat
    neighbour = seat is not None and not room.has_device(seat) and not isinstance(act, Leave | Back)
    _require(not isinstance(act, Close) and (own or neighbour))


def _check_undrawn(room: Room, game: Game, act: Act) -> None:
    """With digital dice nobody says what was thrown; a correction may only change what goes beside the same dice."""
    corrects = isinstance(act, Correct)
    if corrects and _same_dice(game, act):
        return
    played, drawn = (act.act, room.drawn.get(act.n)) if corrects else (act, None)
    brings = isinstance(played, Throw | RollOff | Start) or (isinstance(played, Spill) and played.roll and room.ledger)
    if brings or (drawn and drawn.proof):
        raise refused("digital")


def _same_dice(game: Game, act: Correct) -> bool:
    """Whether a correction leaves what was drawn as it fell and only changes what goes beside it."""
    before = game.log[act.n - 1].act if act.n <= len(game.log) else None
    if not isinstance(before, Throw) or not isinstance(act.act, Throw):
        return False
    return (before.roll, before.grab) == (act.act.roll, act.act.grab)


def drawing(room: Room, command: wire.Throw | wire.StartDice, who: wire.You) -> Game:
    """The game in which dice are to be drawn for a seat, where that may be asked for."""
    game = _playing(room)
    if room.settings.dice != "digital":
        raise refused("real")
    if command.at < room.act_n:
        raise refused("stale")
    own = who.role == "host" or who.seat == command.seat
    _require(who.role in ("host", "seat") and (own or not room.has_device(command.seat)))
    return game


def _drawn_start(room: Room, game: Game, seat: int, chance: Chance, link: str | None) -> Decision:
    """Two dice for who begins. Thrown again they fall as before, whoever throws: nobody draws until it suits."""
    game.verify(Start(seat, (1, 1)))  # before anything is drawn
    if start_stands(game):
        raise refused("start_thrown")
    if room.ledger is None:
        before = next((entry.act for entry in game.log if isinstance(entry.act, Start)), None)
        act = Start(seat, before.dice if before else chance.dice.throw(2))
        return Decision([{"t": "act", "act": act_to_json(act), "digital": True}])
    if room.ledger.first is not None:
        proof, dice = room.ledger.first
        return Decision([_drawn_body(Start(seat, dice), proof)])
    ledger, lost = _without_links(_ready(room), seat, link)
    proof = _next_proof(ledger, seat, chance, link)
    return Decision([*lost, _drawn_body(Start(seat, ledger.draw(proof).throw(2)), proof)])


def drawn_throw(
    room: Room, game: Game, seat: int, chance: Chance, link: str | None = None, strength: int = 50, aim: int = 0
) -> Decision:
    """A digital throw of a seat: the dice are drawn here, whatever they then win. link: of the seat's own device."""
    pending = game.state.rolloff
    if seat != game.next_seat:  # the game says why not, before anything is drawn
        game.verify(RollOff(seat, (1,) * pending.dice) if pending else Cocked(seat))
    flick: Body = {"strength": strength, "aim": aim}
    if room.ledger is None:
        return _plain_throw(room, game, seat, flick, chance.dice)
    ledger, lost = _without_links(_ready(room), seat, link)
    proof = _next_proof(ledger, seat, chance, link)
    draw = ledger.draw(proof)
    assert ledger.attempt is not None, "it is ready"
    act = RollOff(seat, draw.throw(pending.dice)) if pending else thrown(seat, draw, ledger.attempt.spill, game)
    return Decision([*lost, _drawn_body(act, proof) | flick])


def _drawn_body(act: Throw | Spill | RollOff | Start, proof: Proof) -> Body:
    return {"t": "act", "act": act_to_json(act), "digital": True, "k": proof.k, "proof": proof_json(proof)}


def _ready(room: Room) -> Ledger:
    """The ledger, where dice may be drawn now."""
    if room.ledger is None or room.ledger.stage != "ready" or room.wanted is not None:
        raise refused("not_ready")
    return room.ledger


def _without_links(ledger: Ledger, seat: int, link: str | None) -> tuple[Ledger, list[Body]]:
    """The ledger, and what is written down where the seat's own device did not give the link that the draw needs."""
    k = ledger.next_k(seat)
    if link is not None or seat not in ledger.own or ledger.repeated(seat, k) is not None:
        return ledger, []
    lost = Lost(seat, "absent")
    if ledger.attempt and ledger.attempt.plan:
        raise refused("not_ready")  # it waits for public chance of its own; the host writes that down
    return with_event(ledger, lost), [fair_body(lost)]


def _next_proof(ledger: Ledger, seat: int, chance: Chance, link: str | None) -> Proof:
    """The proof of the next draw of a seat; one that was taken back comes out as it did. Raises FairError."""
    k = ledger.next_k(seat)
    before = ledger.repeated(seat, k)
    if before is not None:
        return before
    player = bytes.fromhex(link) if link is not None else None
    ledger.verify_link(seat, k, player)
    if chance.master is None or ledger.attempt is None:
        raise refused("not_ready")
    server = server_link(chance.master, ledger.attempt.game, seat + 1, k, ledger.attempt.links)
    return Proof(seat, k, server, player)


def _plain_throw(room: Room, game: Game, seat: int, flick: Body, dice: Dice) -> Decision:
    pending = game.state.rolloff
    act: Throw | RollOff
    k = 1 + _throws_standing(room, game, seat)
    if pending:
        act = RollOff(seat, dice.throw(pending.dice))
    else:
        roll = _same_as_before(room, game, seat, k) or Roll(dice.throw())
        act = Throw(seat, roll, grab=drawn_grab(game, roll, dice))
    return Decision([{"t": "act", "act": act_to_json(act), "digital": True, **flick, "k": k}])


def _same_as_before(room: Room, game: Game, seat: int, k: int) -> Roll | None:
    """The dice of a throw that was taken back: thrown again by the same seat as its k-th, they fall alike."""
    for n, drawn in room.drawn.items():
        act = game.log[n - 1].act
        if drawn.k == k and isinstance(act, Throw) and act.seat == seat:
            return act.roll
    return None


def _throws_standing(room: Room, game: Game, seat: int) -> int:
    """How many digital throws of a seat stand, those taken back left out."""
    return sum(
        drawn.digital and n not in game.struck and isinstance(act, Throw | RollOff) and act.seat == seat
        for n, drawn in room.drawn.items()
        for act in [game.log[n - 1].act]
    )


def grab_of(room: Room, act: Body) -> Mapping[str, int] | None:
    """The cakes that a throw, or a throw put in the place of an earlier one, hands out in a lights-out grab."""
    game, made = _playing(room), act_from_json(act)
    node = game.line
    if isinstance(made, Correct):
        while node.before is not None and node.n != made.n:
            node = node.before
        node, made = node.before or node, made.act
    return Game(game.rules, game.seats, game.start, node).grab_for(made.roll) if isinstance(made, Throw) else None


def _playing(room: Room) -> Game:
    if room.game is None:
        raise refused("not_begun")
    return room.game


def _in_lobby(room: Room) -> None:
    if room.game is not None:
        raise refused("begun")


def _check_seat(room: Room, seat: int) -> None:
    if seat >= room.seat_count:
        raise refused("no_seat")


def _require(allowed: bool) -> None:  # noqa: FBT001
    if not allowed:
        raise refused("forbidden")


def settings_body(settings: wire.Settings) -> Body:
    """Settings as they stand in an entry."""
    return {name: getattr(settings, name) for name in settings.__struct_fields__}
