"""Events and proofs as a record has them (`docs/record.md`): written, and read back strictly. Seats count from 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast, get_args

from bobing.core.acts import SEATS_MAX
from bobing.fairness.events import (
    GAME,
    LINKS_MAX,
    Attempt,
    Committed,
    Event,
    FairError,
    Late,
    LateReady,
    Loss,
    Lost,
    Proof,
    Ready,
    Real,
    Reveals,
    SeatAttempt,
    SeatEvent,
    SeatReady,
    SeatReveal,
    SeatVoid,
    Void,
    Why,
)
from bobing.fairness.packing import HASH


def proof_json(proof: Proof) -> dict[str, Any]:
    """A proof as it stands in a record."""
    return {"seat": proof.seat, "k": proof.k, "s": proof.server.hex(), "c": _hex(proof.player)}


def read_proof(value: object) -> Proof:
    """A proof from its JSON; raises FairError (`fair/bad_form`)."""
    form = _Form(value, "seat", "k", "s", "c")
    return Proof(form.seat("seat"), form.number("k", 1, LINKS_MAX), form.hash("s"), form.maybe_hash("c"))


def event_json(event: Event) -> dict[str, Any]:
    """An event as it stands in a record."""
    match event:
        case Attempt():
            return {
                "t": "attempt",
                "why": event.why,
                "game": event.game.hex(),
                "links": event.links,
                "plan": event.plan.hex(),
                "prev": event.previous.hex(),
                "spill": event.spill,
                "seats": [_heads_json(one) for one in event.seats],
                "t0": event.opening.hex(),
                "at": event.at,
            }
        case Reveals(links, at):
            shown = [{"seat": seat, "link": link.hex()} for seat, link in sorted(links.items())]
            return {"t": "reveals", "links": shown, "at": at}
        case Ready(beacon, seed, signs):
            return {"t": "ready", "beacon": beacon.hex(), "j": seed.hex(), "sas": signs}
        case Void(missing):
            return {"t": "void", "missing": list(missing)}
        case Real():
            return {"t": "real"}
        case _:
            return _seat_event_json(event)


def _seat_event_json(event: SeatEvent) -> dict[str, Any]:
    match event:
        case Late(seat, server, player):
            return {"t": "late", **_heads_json(Committed(seat, server, player))}
        case LateReady(seat, link, laps, seed):
            links = [{"seat": other, "k": k, "link": shown.hex()} for other, k, shown in laps]
            return {"t": "late_ready", "seat": seat, "link": _hex(link), "links": links, "j": seed.hex()}
        case SeatAttempt():
            return {
                "t": "seat_attempt",
                **_heads_json(Committed(event.seat, event.server, event.player)),
                "plan": event.plan.hex(),
                "prev": event.previous.hex(),
                "t0": event.opening.hex(),
                "at": event.at,
            }
        case SeatReveal(seat, link, at):
            return {"t": "seat_reveal", "seat": seat, "link": _hex(link), "at": at}
        case SeatReady(seat, beacon, seed):
            return {"t": "seat_ready", "seat": seat, "beacon": beacon.hex(), "j": seed.hex()}
        case SeatVoid(seat):
            return {"t": "seat_void", "seat": seat}
        case Lost(seat, why):
            return {"t": "lost", "seat": seat, "why": why}


def read_event(value: object) -> Event:
    """An event from its JSON; raises FairError (`fair/bad_form`)."""
    kind = _table(value).get("t")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise _bad("no event of a draw is called so")
    return reader(value)


def _attempt(value: object) -> Attempt:
    form = _Form(value, "t", "why", "game", "links", "plan", "prev", "spill", "seats", "t0", "at")
    seats = tuple(_committed(_Form(one, "seat", "server", "player")) for one in form.items("seats"))
    _ascending([one.seat for one in seats])
    return Attempt(
        why=form.choice("why", get_args(Why)),
        game=form.raw("game", GAME),
        links=form.number("links", 1, LINKS_MAX - 1),
        plan=form.raw("plan"),
        previous=form.hash("prev"),
        spill=form.number("spill", 0, 6_553),
        seats=seats,
        opening=form.hash("t0"),
        at=form.number("at", 0, 10**15),
    )


def _reveals(value: object) -> Reveals:
    form = _Form(value, "t", "links", "at")
    shown = [_Form(one, "seat", "link") for one in form.items("links")]
    _ascending([one.seat("seat") for one in shown])
    return Reveals({one.seat("seat"): one.hash("link") for one in shown}, form.number("at", 0, 10**15))


def _ready(value: object) -> Ready:
    form = _Form(value, "t", "beacon", "j", "sas")
    return Ready(form.raw("beacon"), form.hash("j"), form.text("sas"))


def _void(value: object) -> Void:
    missing = _Form(value, "t", "missing").items("missing")
    seats = tuple(_seat(one) for one in missing)
    _ascending(seats)
    return Void(seats)


def _late(value: object) -> Late:
    heads = _committed(_Form(value, "t", "seat", "server", "player"))
    return Late(heads.seat, heads.server, heads.player)


def _late_ready(value: object) -> LateReady:
    form = _Form(value, "t", "seat", "link", "links", "j")
    laps = [_Form(one, "seat", "k", "link") for one in form.items("links")]
    read = tuple((one.seat("seat"), one.number("k", 1, LINKS_MAX), one.hash("link")) for one in laps)
    return LateReady(form.seat("seat"), form.maybe_hash("link"), read, form.hash("j"))


def _seat_attempt(value: object) -> SeatAttempt:
    form = _Form(value, "t", "seat", "server", "player", "plan", "prev", "t0", "at")
    heads = _committed(form)
    fixed = form.raw("plan"), form.hash("prev"), form.hash("t0"), form.number("at", 0, 10**15)
    return SeatAttempt(heads.seat, heads.server, heads.player, *fixed)


def _seat_reveal(value: object) -> SeatReveal:
    form = _Form(value, "t", "seat", "link", "at")
    return SeatReveal(form.seat("seat"), form.maybe_hash("link"), form.number("at", 0, 10**15))


def _seat_ready(value: object) -> SeatReady:
    form = _Form(value, "t", "seat", "beacon", "j")
    return SeatReady(form.seat("seat"), form.raw("beacon"), form.hash("j"))


def _seat_void(value: object) -> SeatVoid:
    return SeatVoid(_Form(value, "t", "seat").seat("seat"))


def _lost(value: object) -> Lost:
    form = _Form(value, "t", "seat", "why")
    return Lost(form.seat("seat"), form.choice("why", get_args(Loss)))


def _real(value: object) -> Real:
    _Form(value, "t")
    return Real()


_READERS: Mapping[str, Callable[[object], Event]] = {
    "attempt": _attempt,
    "reveals": _reveals,
    "ready": _ready,
    "void": _void,
    "late": _late,
    "late_ready": _late_ready,
    "seat_attempt": _seat_attempt,
    "seat_reveal": _seat_reveal,
    "seat_ready": _seat_ready,
    "seat_void": _seat_void,
    "lost": _lost,
    "real": _real,
}


class _Form:
    """One JSON object with exactly these keys."""

    def __init__(self, value: object, *keys: str) -> None:
        self._values = _table(value)
        if sorted(self._values) != sorted(keys):
            raise _bad(f"an object with {', '.join(keys)} should stand here")

    def seat(self, key: str) -> int:
        return _seat(self._values[key])

    def number(self, key: str, low: int, high: int) -> int:
        value = self._values[key]
        if type(value) is not int or not low <= value <= high:
            raise _bad(f'"{key}" is a whole number from {low} to {high}')
        return value

    def text(self, key: str) -> str:
        value = self._values[key]
        if not isinstance(value, str):
            raise _bad(f'"{key}" is a text')
        return value

    def choice(self, key: str, choices: tuple[Any, ...]) -> Any:
        value = self._values[key]
        if value not in choices:
            raise _bad(f'"{key}" is one of {", ".join(choices)}')
        return value

    def raw(self, key: str, length: int | None = None) -> bytes:
        text = self.text(key)
        if len(text) % 2 or set(text) - set("0123456789abcdef") or length not in (None, len(text) // 2):
            raise _bad(f'"{key}" is hex in lower case' + (f", {2 * length} digits" if length else ""))
        return bytes.fromhex(text)

    def hash(self, key: str) -> bytes:
        return self.raw(key, HASH)

    def maybe_hash(self, key: str) -> bytes | None:
        return None if self._values[key] is None else self.hash(key)

    def items(self, key: str) -> Sequence[object]:
        value = self._values[key]
        if not isinstance(value, list):
            raise _bad(f'"{key}" is a list')
        return cast("Sequence[object]", value)


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _committed(form: _Form) -> Committed:
    return Committed(form.seat("seat"), form.hash("server"), form.maybe_hash("player"))


def _seat(value: object) -> int:
    if type(value) is not int or not 0 <= value < SEATS_MAX:
        raise _bad(f"a seat is a whole number from 0 to {SEATS_MAX - 1}")
    return value


def _ascending(seats: Sequence[int]) -> None:
    if list(seats) != sorted(set(seats)):
        raise _bad("seats stand once each, in rising order")


def _heads_json(heads: Committed) -> dict[str, Any]:
    return {"seat": heads.seat, "server": heads.server.hex(), "player": _hex(heads.player)}


def _hex(value: bytes | None) -> str | None:
    return value.hex() if value is not None else None


def _bad(message: str) -> FairError:
    return FairError(message, "fair/bad_form")
