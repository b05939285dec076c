"""A table as a machine without sockets: `decide` says what a command leads to, `apply` folds in what was stored.

Chance comes in as `Dice`, time as numbers; nothing here waits, draws or sends. The log of a table holds, in order: how
it was opened, its lobby, `begin`, and the acts of the game. Names are notes beside the log, so that they can be erased.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bobing.core.act_json import act_from_json, act_to_json
from bobing.core.acts import Act, Back, Close, Cocked, Correct, Join, Leave, RollOff, Start, Throw, Undo
from bobing.core.catalogue import complete_table, find_key, read_rules
from bobing.core.dice import Roll
from bobing.core.errors import RulesError
from bobing.core.game import Game
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.scorebook import scorebook
from bobing.core.toml_text import read_toml
from bobing.ports import Dice
from bobing.server.refusal import refused
from bobing.wire import messages as wire

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: bodies to append to the log, notes to set, seats whose devices lose their right."""

    bodies: Sequence[Body] = ()
    notes: Mapping[str, str | None] | None = None
    free: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """How an act came about. digital: the server drew; strength, aim: of the flick, for the picture; at: wall time;
    k: which throw of its seat it was, counted over those that stood then."""

    digital: bool
    strength: int
    aim: int
    at: int
    k: int


@dataclass(frozen=True, slots=True)
class Room:
    """The present state of one table. n: its last log entry; act_n: the last entry that was an act of the game."""

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

    def name(self, seat: int) -> str:
        """The name of a seat; "" where it has none."""
        return self.notes.get(f"name/{seat}", "")

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


def apply(room: Room, n: int, body: Body, at: int) -> Room:
    """The room after entry `n`."""
    room = replace(room, n=n)
    match body["t"]:
        case "seats":
            return replace(room, seats=body["seats"])
        case "rules":
            return replace(room, rules=rules_from_table(body["rules"]), choice=wire.RulesChoice(**body["choice"]))
        case "settings":
            return replace(room, settings=wire.Settings(**body["settings"]))
        case "begin":
            return replace(room, act_n=n, game=Game.new(room.rules, room.seats, body["start"]))
        case "act":
            assert room.game is not None, "acts come after begin"
            game = room.game.play(act_from_json(body["act"]))
            drawn = Drawn(
                body.get("digital", False), body.get("strength", 50), body.get("aim", 0), at, body.get("k", 0)
            )
            return replace(room, act_n=n, game=game, drawn={**room.drawn, len(game.log): drawn})
        case "rematch":
            return replace(room, rematch=body["code"])
        case kind:
            raise ValueError(f"unknown entry {kind!r}")


def decide(room: Room, command: wire.Command, who: wire.You, dice: Dice) -> Decision:
    """What a command leads to; raises TableRefused, ActRefused, RulesError. The room stays as it is."""
    match command:
        case wire.Do():
            return _decide_act(room, command, who)
        case wire.Throw(strength=strength, aim=aim):
            return drawn_throw(room, _drawing(room, command, who), command.seat, dice, strength, aim)
        case wire.StartDice():
            return _drawn_start(_drawing(room, command, who), command.seat, dice)
        case wire.RenameSeat(seat=seat, name=name):
            _check_seat(room, seat)
            _require(who.role == "host" or who.seat == seat)
            return Decision(notes={f"name/{seat}": name})
        case _:
            _require(who.role == "host")
            return _decide_host(room, command)


def _decide_host(room: Room, command: wire.Command) -> Decision:
    match command:
        case wire.SetSettings(settings=settings):
            if room.game and settings.dice != room.settings.dice:
                raise refused("dice_fixed")
            return Decision([{"t": "settings", "settings": settings_body(settings)}])
        case wire.Begin(start=start):
            _in_lobby(room)
            Game.new(room.rules, room.seats, start)
            return Decision([{"t": "begin", "start": start}])
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
        case _:
            return _decide_seats(room, command)


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


def seat_added(room: Room, name: str, *, device: bool = False) -> Decision:
    """A new seat, in the lobby or as a late joiner; its number is `room.seat_count`."""
    seat = room.seat_count
    if seat >= wire.SEATS_MAX:
        raise refused("full")
    notes: dict[str, str | None] = {f"name/{seat}": name}
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
    act = act_from_json(command.act)
    _check_right(room, game, act, who)
    if room.settings.dice == "digital":
        _check_undrawn(game, act)
    after = game.play(act)
    throw = act.act if isinstance(act, Correct) else act
    if isinstance(throw, Throw) and room.settings.confirm == "twice" and room.settings.dice == "real":
        row = scorebook(room.rules).row(throw.roll)
        if row.strength is not None and not command.sure:
            raise refused("confirm")
    gone = range(len(after.state.order), room.seat_count)
    notes: dict[str, str | None] = {f"{note}/{seat}": None for seat in gone for note in ("name", "device")}
    notes |= _host_gone(room, gone)
    return Decision([{"t": "act", "act": act_to_json(act)}], notes, gone)  # whoever joins next is somebody else


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


def _check_undrawn(game: Game, act: Act) -> None:
    """With digital dice nobody says what was thrown; a correction may only change what goes beside the same dice."""
    if isinstance(act, Throw | RollOff | Start):
        raise refused("digital")
    if isinstance(act, Correct) and isinstance(act.act, Throw | RollOff | Start) and not _same_dice(game, act):
        raise refused("digital")


def _same_dice(game: Game, act: Correct) -> bool:
    """Whether a correction leaves the dice as they fell and only changes what goes beside them."""
    before = game.log[act.n - 1].act if act.n <= len(game.log) else None
    return isinstance(before, Throw) and isinstance(act.act, Throw) and before.roll == act.act.roll


def _drawing(room: Room, command: wire.Throw | wire.StartDice, who: wire.You) -> Game:
    """The game in which dice are to be drawn for a seat, where that may be asked for."""
    game = _playing(room)
    if room.settings.dice != "digital":
        raise refused("real")
    if command.at < room.act_n:
        raise refused("stale")
    own = who.role == "host" or who.seat == command.seat
    _require(who.role != "watch" and (own or not room.has_device(command.seat)))
    return game


def _drawn_start(game: Game, seat: int, dice: Dice) -> Decision:
    """Two dice for who begins. Thrown again they fall as before, whoever throws: nobody draws until it suits."""
    game.verify(Start(seat, (1, 1)))  # before anything is drawn
    before = next((entry.act for entry in game.log if isinstance(entry.act, Start)), None)
    act = Start(seat, before.dice if before else dice.throw(2))
    return Decision([{"t": "act", "act": act_to_json(act), "digital": True}])


def drawn_throw(room: Room, game: Game, seat: int, dice: Dice, strength: int = 50, aim: int = 0) -> Decision:
    """A digital throw of a seat: the dice are drawn here, whatever they then win."""
    pending = game.state.rolloff
    game.verify(RollOff(seat, (1,) * pending.dice) if pending else Cocked(seat))  # before anything is drawn
    act: Throw | RollOff
    k = 1 + _throws_standing(room, game, seat)
    if pending:
        act = RollOff(seat, dice.throw(pending.dice))
    else:
        roll = _same_as_before(room, game, seat, k) or Roll(dice.throw())
        act = Throw(seat, roll, grab=_drawn_grab(game, roll, dice))
    game.play(act)
    flick = {"strength": strength, "aim": aim}
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


def _drawn_grab(game: Game, roll: Roll, dice: Dice) -> Mapping[str, tuple[int, ...]] | None:
    needed = game.grab_for(roll)
    if needed is None:
        return None
    there = [seat for seat in game.state.order if seat not in game.state.away]
    return {tier: tuple(there[_below(len(there), dice)] for _ in range(cakes)) for tier, cakes in needed.items()}


def _below(bound: int, dice: Dice) -> int:
    """A uniform number below `bound`, from dice."""
    size, digits = 1, 0
    while size < bound:
        size, digits = size * 6, digits + 1
    while True:
        value = 0
        for face in dice.throw(digits):
            value = value * 6 + face - 1
        if value < size - size % bound:
            return value % bound


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
