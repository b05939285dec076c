"""Acts that people type in: who may do what, and the champion's throw that a second person confirms."""

from __future__ import annotations

from collections.abc import Mapping

from bobing.core.act_json import act_from_json, act_to_json
from bobing.core.acts import Act, Back, Close, Correct, Leave, RollOff, Spill, Start, Throw, Undo
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.scorebook import scorebook
from bobing.server.decision import Decision, playing, require
from bobing.server.refusal import ConfirmFirst, refused
from bobing.server.room import Body, Claim, Room
from bobing.server.seating import host_gone
from bobing.wire import messages as wire


def decide_act(room: Room, command: wire.Do, who: wire.You) -> Decision:
    """What an act that was typed in leads to."""
    game = playing(room)
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
    notes |= host_gone(room, gone)
    typed_in = {"paper": True} if who.paper else {}
    return Decision([{"t": "act", "act": act_to_json(act), **typed_in}], notes, gone)  # who joins next is somebody else


def _settled(game: Game, act: Act) -> bool:
    """Whether dice that stand already stay as they are: what goes beside them needs no second person."""
    return isinstance(act, Correct) and _same_dice(game, act)


def decide_claim(room: Room, command: wire.Confirm, who: wire.You) -> Decision:
    """A second person confirms the throw that waits, or anybody takes it back as a slip.

    Where no other device could do it, the second person types the dice in once more on the same one.
    """
    require(who.role != "watch")
    claim = room.claim
    if claim is None:
        raise refused("no_claim")
    if 0 < command.at < claim.n:  # they looked at another throw
        raise refused("stale")
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
    require(who.role == "seat")
    if isinstance(act, Undo):
        last = game.log[-1].act if game.log else None
        require(act.n == len(game.log) and getattr(last, "seat", None) == who.seat)
        return
    if isinstance(act, Correct):
        require(act.n == len(game.log) and _same_dice(game, act) and getattr(act.act, "seat", None) == who.seat)
        return
    seat = getattr(act, "seat", None)
    own = seat == who.seat
    neighbour = seat is not None and not room.has_device(seat) and not isinstance(act, Leave | Back)
    require(not isinstance(act, Close) and (own or neighbour))


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


def grab_of(room: Room, act: Body) -> Mapping[str, int] | None:
    """The cakes that a throw, or a throw put in the place of an earlier one, hands out in a lights-out grab."""
    game, made = playing(room), act_from_json(act)
    node = game.line
    if isinstance(made, Correct):
        while node.before is not None and node.n != made.n:
            node = node.before
        node, made = node.before or node, made.act
    return Game(game.rules, game.seats, game.start, node).grab_for(made.roll) if isinstance(made, Throw) else None
