"""Digital dice: who may ask for them, and what the server draws, with the proof or, in older games, without."""

from __future__ import annotations

from bobing.core.act_json import act_to_json
from bobing.core.acts import Cocked, RollOff, Spill, Start, Throw
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.fairness.acts import start_stands, thrown
from bobing.fairness.chain import server_link
from bobing.fairness.events import Lost, Proof
from bobing.fairness.forms import proof_json
from bobing.fairness.grab import drawn_grab
from bobing.fairness.ledger import Ledger
from bobing.fairness.steps import with_event
from bobing.ports import Dice
from bobing.server.decision import Chance, Decision, fair_body, playing, require
from bobing.server.refusal import refused
from bobing.server.room import Body, Room
from bobing.wire import messages as wire


def drawing(room: Room, command: wire.Throw | wire.StartDice, who: wire.You) -> Game:
    """The game in which dice are to be drawn for a seat, where that may be asked for."""
    game = playing(room)
    if room.settings.dice != "digital":
        raise refused("real")
    if command.at < room.act_n:
        raise refused("stale")
    own = who.role == "host" or who.seat == command.seat
    require(who.role in ("host", "seat") and (own or not room.has_device(command.seat)))
    return game


def drawn_start(room: Room, game: Game, seat: int, chance: Chance, link: str | None) -> Decision:
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
