"""Who sits where: seats that are added, freed, moved and taken away, and the seat that the host plays."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from bobing.core.act_json import act_to_json
from bobing.core.acts import Join
from bobing.server.decision import Decision, verify_lobby, verify_seat
from bobing.server.names import clean_name
from bobing.server.refusal import refused
from bobing.server.room import Room
from bobing.wire import messages as wire


def decide_seats(room: Room, command: wire.Command) -> Decision:
    """What the host does with seats."""
    match command:
        case wire.AddSeat(name=name):
            return seat_added(room, name)
        case wire.Sit(seat=seat):
            return _host_sits(room, seat)
        case wire.FreeSeat(seat=seat):
            verify_seat(room, seat)
            return Decision(notes={f"device/{seat}": None, **host_gone(room, [seat])}, free=[seat])
        case wire.RemoveSeat(seat=seat):
            verify_seat(room, seat)
            return _rearranged(room, [other for other in range(room.seats) if other != seat])
        case wire.MoveSeat(seat=seat, to=to):
            verify_seat(room, seat)
            verify_seat(room, to)
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
    verify_seat(room, seat)
    return Decision(notes={**notes, "host_seat": str(seat), f"device/{seat}": "1"}, free=[seat])


def host_gone(room: Room, seats: Collection[int]) -> dict[str, str | None]:
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
    verify_lobby(room)
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
        notes |= host_gone(room, range(room.seats))
    return Decision([{"t": "seats", "seats": len(order)}], notes, moved)


def seat_taken(room: Room, joining: wire.Joining) -> Decision:
    """Somebody sits down on a seat that nobody's device holds."""
    seat = joining.seat
    if seat is None or seat >= room.seat_count:
        raise refused("no_seat")
    if room.has_device(seat):
        raise refused("taken")
    notes: dict[str, str | None] = {f"device/{seat}": "1"}
    if joining.name.strip():
        notes[f"name/{seat}"] = clean_name(joining.name, [room.name(i) for i in range(room.seat_count) if i != seat])
    return Decision(notes=notes, free=[seat])  # a link to it that nobody used yet would seat two


def cleaned(command: wire.Command, room: Room) -> wire.Command:
    """The command with its name cleaned."""
    if isinstance(command, wire.AddSeat | wire.RenameSeat):
        own = command.seat if isinstance(command, wire.RenameSeat) else -1
        taken = [room.name(seat) for seat in range(room.seat_count) if seat != own]
        return replace(command, name=clean_name(command.name, taken))
    return command
