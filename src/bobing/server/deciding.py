"""`decide` says what a command leads to; who may give which is looked at first, and nothing is changed."""

from __future__ import annotations

from bobing.core.game import Game
from bobing.server.acting import decide_act, decide_claim
from bobing.server.decision import Chance, Decision, playing, require, verify_lobby, verify_seat
from bobing.server.drawing import drawing, drawn_start, drawn_throw
from bobing.server.opening import resolve, settings_body
from bobing.server.proving import beacon_told, draw_again
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.server.seating import decide_seats
from bobing.wire import messages as wire


def decide(room: Room, command: wire.Command, who: wire.You, chance: Chance) -> Decision:
    """What a command leads to; raises TableRefused, ActRefused, RulesError, FairError. The room stays as it is."""
    match command:
        case wire.Do():
            return decide_act(room, command, who)
        case wire.Confirm():
            return decide_claim(room, command, who)
        case wire.Throw(strength=strength, aim=aim):
            game = drawing(room, command, who)
            return drawn_throw(room, game, command.seat, chance, command.link, strength, aim)
        case wire.StartDice():
            return drawn_start(room, drawing(room, command, who), command.seat, chance, command.link)
        case wire.RenameSeat(seat=seat, name=name):
            verify_seat(room, seat)
            require(who.role == "host" or who.seat == seat)
            return Decision(notes={f"name/{seat}": name})
        case _:
            require(who.role == "host")
            return _decide_host(room, command, chance)


def _decide_host(room: Room, command: wire.Command, chance: Chance) -> Decision:
    match command:
        case wire.SetSettings(settings=settings):
            if room.game and settings.dice != room.settings.dice:
                raise refused("dice_fixed")
            return Decision([{"t": "settings", "settings": settings_body(settings)}])
        case wire.Begin(start=start):
            verify_lobby(room)
            Game.new(room.rules, room.seats, start)
            fair = {"fair": True} if room.settings.dice == "digital" and chance.provable else {}
            return Decision([{"t": "begin", "start": start, **fair}])
        case wire.SetRules(rules=choice):
            verify_lobby(room)
            rules = resolve(choice).to_table()
            chosen = {"sheet": choice.sheet, "house": choice.house}
            return Decision([{"t": "rules", "choice": chosen, "rules": rules}])
        case wire.Rematch(code=code):
            if not playing(room).finished:
                raise refused("not_over")
            if code == room.code:
                raise refused("refused")
            return Decision([{"t": "rematch", "code": code}])
        case wire.DrawAgain():
            return draw_again(room)
        case wire.Beacon(value=value, seat=seat):
            return beacon_told(room, value, seat)
        case _:
            return decide_seats(room, command)
