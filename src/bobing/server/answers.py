"""What a command is answered with, and by what one that comes again is known."""

from __future__ import annotations

import hashlib

import msgspec

from bobing.core.errors import BobingError
from bobing.server.acting import grab_of
from bobing.server.refusal import ConfirmFirst, refused, words_of
from bobing.server.room import Room
from bobing.server.table import Member, Table, encode
from bobing.wire import messages as wire

Answer = wire.Ack | wire.Refused


def digest_of(command: wire.Command) -> str:
    """By what a repeated command is known to be the same."""
    return hashlib.sha256(msgspec.json.encode(command, order="deterministic")).hexdigest()[:32]


def refusal_of(error: BobingError, cmd: str | None, n: int, needs: dict[str, int] | None = None) -> wire.Refused:
    """The answer to a command that is refused."""
    combination = error.combination if isinstance(error, ConfirmFirst) else ""
    return wire.Refused(error.code, dict(words_of(error)), cmd, n, needs=needs or {}, combination=combination)


def answer(said: Answer, member: Member | None) -> Answer:
    """An answer, on its way to who asked for it, where that is a connection."""
    if member is not None:
        member.send(encode(said))
    return said


def answered_before(table: Table, cmd: str, key: str, request: str) -> Answer:
    """The answer to a command that is in the log already: as the first time, where it is the same."""
    asked, n = table.commands[key]
    if asked != request:
        return refusal_of(refused("other_body"), cmd, table.room.n)
    return wire.Ack(cmd, n)


def needs_of(error: BobingError, room: Room, command: wire.Command) -> dict[str, int]:
    """What a lights-out grab hands out, for the form that asks who got it."""
    if error.code not in ("act/grab_needed", "act/bad_grab") or not isinstance(command, wire.Do):
        return {}
    return dict(grab_of(room, command.act) or {})
