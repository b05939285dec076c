"""A table as a value without sockets: what its log says of it, folded in entry by entry by `apply`.

Nothing here waits, draws or sends; `deciding` says what a command leads to. The log of a table holds, in order: how it
was opened, its lobby, `begin`, and the acts of the game with what proves their dice. Names are notes beside the log, so
that they can be erased.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from bobing.core.act_json import act_from_json
from bobing.core.acts import Correct, Join, RollOff, Spill, Start, Throw, Undo
from bobing.core.game import Game
from bobing.core.record import PROVED, VERSION, Draws, act_line, fair_line, header_line, proved_act_line
from bobing.core.rules import RuleSet, rules_from_table
from bobing.fairness.events import Attempt, Proof
from bobing.fairness.forms import proof_json, read_event, read_proof
from bobing.fairness.ledger import Ledger
from bobing.fairness.steps import with_event
from bobing.server.tally import Tally, tally_of
from bobing.wire import messages as wire
from bobing.wire.canonical import canonical

Body = dict[str, Any]


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
    """A zhuangyuan throw that was typed in and waits for a second person; by: who did, as `host` or `seat/N`; n: the
    entry in which it was.
    """

    act: Throw | Correct
    by: str
    n: int = 0

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
            return replace(room, n=n, act_n=n, claim=Claim(claimed, body["by"], n))
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
    if room.ledger is None:
        line = act_line(game, room.receipt, write=canonical)
    else:
        line = proved_act_line(game, room.receipt, told, write=canonical)
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
