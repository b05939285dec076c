"""What came of an act, as plain data: the one form in which the record and the referee write it down."""

from __future__ import annotations

from typing import Any

from bobing.core.act_json import act_to_json
from bobing.core.game import Game
from bobing.core.state import Move, State


def consequence_json(game: Game, n: int | None = None) -> dict[str, Any]:
    """Act `n` of a game (else the last) with all that came of it; IndexError where there is no such act.

    `title` is null or who holds it then, with the dice that won it; `next` is the seat that has to act; `struck` are
    the acts that this one took back; `notes` say in codes what else is worth telling.

    >>> from bobing.core.acts import Roll, Spill, Throw
    >>> from bobing.core.catalogue import find_sheet
    >>> game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("444411")))
    >>> consequence_json(game)["title"], consequence_json(game)["next"]
    ({'seat': 0, 'roll': '444411'}, 1)
    """
    number = len(game.log) if n is None else n
    if not 1 <= number <= len(game.log):
        raise IndexError(number)
    entry = game.log[number - 1]
    after = (game.log[number].line if number < len(game.log) else game.line).state
    return {
        "n": number,
        "act": act_to_json(entry.act),
        "combination": entry.result.combination,
        "moves": [move_json(move) for move in entry.result.moves],
        "title": _title_json(after),
        "skipped": list(entry.result.skipped),
        "struck": list(entry.result.struck),
        "notes": [list(note) for note in entry.result.notes],
        "next": after.next_seat,
        "finished": after.finished is not None,
    }


def final_json(game: Game) -> dict[str, Any]:
    """How a game stands: whether it is over, the cakes of every seat by tier, and who holds the title."""
    none = dict.fromkeys(game.rules.cakes, 0)
    seats = [none | game.state.holding(seat) for seat in range(len(game.state.order))]
    return {"final": True, "finished": game.finished, "seats": seats, "champion": game.state.title}


def move_json(move: Move) -> dict[str, Any]:
    """One move of cakes as it is written down."""
    item = {} if move.item is None else {"item": move.item}
    return {"tier": move.tier, "cakes": move.cakes, "from": move.source, "to": move.target, **item}


def _title_json(state: State) -> dict[str, Any] | None:
    if state.title is None:
        return None
    roll = state.claims[state.title].roll
    return {"seat": state.title, "roll": "".join(map(str, roll)) if isinstance(roll, tuple) else str(roll)}
