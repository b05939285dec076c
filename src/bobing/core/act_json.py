"""The JSON form of acts, read strictly and written back (`docs/acts.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never, cast

from bobing.core.acts import (
    SEATS_MAX,
    Act,
    Back,
    Close,
    Cocked,
    Correct,
    Join,
    Leave,
    Pass,
    PlayAct,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
    Undo,
)
from bobing.core.dice import Roll, parse_faces
from bobing.core.errors import ActRefused

BAD_ACT = "act/bad_form"


def act_from_json(value: object) -> Act:
    """An act from its JSON object, strictly; raises ActRefused (`act/bad_form`, `dice/bad_roll`) with what is wrong.

    >>> act_from_json({"seat": 0, "roll": "444411"})
    Throw(seat=0, roll=Roll(faces=(4, 4, 4, 4, 1, 1)), grab=None, choose=None, waive=(), items={})
    """
    form = _Form(value)
    act = _change(form) or _play_act(form)
    form.finish()
    return act


def _change(form: _Form) -> Act | None:
    if form.has("undo"):
        return Undo(form.number("undo", 1, 10**9))
    if form.has("correct"):
        if not form.has("act"):
            raise ActRefused('"correct" needs the act that takes its place: {"correct": 7, "act": {…}}', BAD_ACT)
        inner = act_from_json(form.take("act"))
        if isinstance(inner, Undo | Correct):
            raise ActRefused("a correction puts a throw or another act of play in the place of act n", BAD_ACT)
        return Correct(form.number("correct", 1, 10**9), inner, form.flag("cut", optional=True))
    return None


def _play_act(form: _Form) -> PlayAct:
    for key, read in (("start", _start), ("join", _join), ("swap", _swap)):
        if form.has(key):
            return read(form)
    for key, kind in (("time_up", TimeUp), ("close", Close)):
        if form.has(key):
            form.flag(key)
            return kind()
    if not form.has("seat"):
        raise ActRefused('an act names its "seat", or is "start", "join", "swap", …; see docs/acts.md', BAD_ACT)
    return _seat_act(form, form.seat())


def _seat_act(form: _Form, seat: int) -> PlayAct:
    for key, at_seat in (("cocked", Cocked), ("pass", Pass), ("leave", Leave), ("back", Back)):
        if form.has(key):
            form.flag(key)
            return at_seat(seat)
    if form.has("rolloff"):
        return RollOff(seat, form.faces("rolloff", None))
    if form.has("spill"):
        form.flag("spill")
        return Spill(seat, Roll(form.faces("roll", 6)) if form.has("roll") else None)
    if form.has("roll"):
        return _throw(form, seat)
    raise ActRefused('an act has "roll", "spill" or another kind of act beside "seat"; see docs/acts.md', BAD_ACT)


def _start(form: _Form) -> Start:
    inner = _Form(form.take("start"))
    start = Start(inner.seat(), inner.faces("dice", 2))
    inner.finish()
    return start


def _swap(form: _Form) -> Swap:
    pair = _list(form.take("swap"))
    if pair is None or len(pair) != 2:
        raise ActRefused('"swap" is two seats, such as [0, 3]', BAD_ACT)
    return Swap((_seat(pair[0]), _seat(pair[1])))


def _join(form: _Form) -> Join:
    value = form.take("join")
    if value is True:
        return Join()
    if _table(value) is None:
        raise ActRefused('"join" is true, or {"after": 3} to sit behind seat 3', BAD_ACT)
    inner = _Form(value)
    join = Join(inner.number("after", 0, SEATS_MAX - 1))
    inner.finish()
    return join


def _throw(form: _Form, seat: int) -> Throw:
    return Throw(
        seat=seat,
        roll=Roll(form.faces("roll", 6)),
        grab=_grab(form.take("grab")) if form.has("grab") else None,
        choose=form.text("choose") if form.has("choose") else None,
        waive=_waive(form.take("waive", ())),
        items=_items(form.take("item", {})),
    )


def _waive(value: object) -> tuple[str, ...]:
    entries = [value] if isinstance(value, str) else _list(value)
    if entries is None or not all(isinstance(entry, str) for entry in entries):
        raise ActRefused('"waive" is a tier, "effect", or a list of them', BAD_ACT)
    return tuple(map(str, entries))


def _grab(value: object) -> Mapping[str, tuple[int, ...]]:
    table = _table(value)
    seats_by_tier = {tier: _list(seats) for tier, seats in table.items()} if table is not None else {"": None}
    grab = {tier: tuple(map(_seat, seats)) for tier, seats in seats_by_tier.items() if seats is not None}
    if len(grab) != len(seats_by_tier):
        raise ActRefused('"grab" is a table of seats by tier, such as {"yixiu": [0, 2]}', BAD_ACT)
    return grab


def _items(value: object) -> Mapping[str, str]:
    table = _table(value)
    if table is None or not all(isinstance(name, str) for name in table.values()):
        raise ActRefused('"item" is a table of item names by tier', BAD_ACT)
    return {tier: str(name) for tier, name in table.items()}


def _table(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _list(value: object) -> Sequence[object] | None:
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else None


def _seat(value: object) -> int:
    if type(value) is not int or not 0 <= value < SEATS_MAX:
        raise ActRefused(f"a seat is a whole number from 0 to {SEATS_MAX - 1}", BAD_ACT)
    return value


class _Form:
    """Reads one JSON object key by key, and refuses what is left over."""

    def __init__(self, value: object) -> None:
        table = _table(value)
        if table is None:
            raise ActRefused("an act is a JSON object", BAD_ACT)
        self.left: dict[str, Any] = dict(table)

    def has(self, key: str) -> bool:
        return key in self.left

    def take(self, key: str, otherwise: object = None) -> Any:
        return self.left.pop(key, otherwise)

    def flag(self, key: str, *, optional: bool = False) -> bool:
        value = self.take(key, otherwise=False if optional else None)
        if value is not True and not (optional and value is False):
            raise ActRefused(f'"{key}" is true, or not there', BAD_ACT)
        return value

    def number(self, key: str, low: int, high: int) -> int:
        value = self.take(key)
        if type(value) is not int or not low <= value <= high:
            raise ActRefused(f'"{key}" is a whole number from {low}', BAD_ACT)
        return value

    def seat(self) -> int:
        return _seat(self.take("seat"))

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str):
            raise ActRefused(f'"{key}" is a text', BAD_ACT)
        return value

    def faces(self, key: str, dice: int | None) -> tuple[int, ...]:
        text = self.text(key)
        if dice is None and len(text) not in (3, 6):
            raise ActRefused(f'"{key}" is three or six digits from 1 to 6', BAD_ACT)
        return parse_faces(text, dice or len(text))

    def finish(self) -> None:
        for key in self.left:
            raise ActRefused(f'"{key[:40]}" does not belong in this act; see docs/acts.md', BAD_ACT)


def act_to_json(act: Act) -> dict[str, Any]:
    """The JSON object of an act; `act_from_json` reads it back.

    >>> act_to_json(Spill(1)), act_to_json(Undo(7))
    ({'seat': 1, 'spill': True}, {'undo': 7})
    """
    match act:
        case Throw():
            return _throw_json(act)
        case Spill(seat, roll):
            return {"seat": seat, "spill": True} | ({"roll": str(roll)} if roll else {})
        case Undo(n):
            return {"undo": n}
        case Correct(n, inner, cut):
            return {"correct": n, "act": act_to_json(inner)} | ({"cut": True} if cut else {})
        case _:
            return _seating_json(act)


def _seating_json(act: Cocked | Pass | Leave | Back | Join | Swap | Start | RollOff | TimeUp | Close) -> dict[str, Any]:
    match act:
        case Cocked(seat) | Pass(seat) | Leave(seat) | Back(seat):
            return {"seat": seat, type(act).__name__.lower(): True}
        case Join(after):
            return {"join": True if after is None else {"after": after}}
        case Swap(seats):
            return {"swap": list(seats)}
        case Start(seat, dice):
            return {"start": {"seat": seat, "dice": "".join(map(str, dice))}}
        case RollOff(seat, faces):
            return {"seat": seat, "rolloff": "".join(map(str, faces))}
        case TimeUp():
            return {"time_up": True}
        case Close():
            return {"close": True}
        case _:
            assert_never(act)


def _throw_json(act: Throw) -> dict[str, Any]:
    value: dict[str, Any] = {"seat": act.seat, "roll": str(act.roll)}
    if act.grab is not None:
        value["grab"] = {tier: list(seats) for tier, seats in act.grab.items()}
    if act.choose is not None:
        value["choose"] = act.choose
    if act.waive:
        value["waive"] = list(act.waive)
    if act.items:
        value["item"] = dict(act.items)
    return value
