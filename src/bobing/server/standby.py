"""A running event in one file: packed where it is handed over, read and checked where it is taken over.

The file is gzip over JSON lines: a head, one line for each stream (the event, then its tables) with entries, notes,
secrets and the hashes of tokens, and an end with the hash of all before it. Whoever has it has the event.
"""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from bobing.core.chain import ZERO, link
from bobing.core.errors import BobingError
from bobing.ports import Entry, Grant, Log, NewEntry
from bobing.server import event_room
from bobing.server.event_room import EventRoom
from bobing.tournament.errors import EventRefused

FORM = "bobing-event/1"
FILE_MAX = 16 * 2**20
"""Bytes of such a file; an event of 110 tables has some two million."""
UNPACKED_MAX = 128 * 2**20
ACTS_MAX = 50_000
"""Acts of an event in such a file; one of 110 tables has some ten thousand."""


class _NotWhole(Exception):
    """What of a file is missing or was changed."""


class PackedGrant(Struct, frozen=True, forbid_unknown_fields=True):
    """What a token allows. hash: of the token, in hex."""

    hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]
    role: str
    seat: int | None
    made: int


class PackedEntry(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """An entry of the log; its body is JSON text."""

    cmd: str
    at: int
    actor: str
    body: str


class Stream(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="stream"):
    """One stream with all that stands beside it. secrets: in base64."""

    stream: str
    entries: list[PackedEntry]
    notes: dict[str, str]
    secrets: dict[str, str]
    grants: list[PackedGrant]

    def chain(self) -> list[bytes]:
        """The hash of each entry."""
        hashes = [ZERO]
        for entry in self.entries:
            hashes.append(link(hashes[-1], entry.body.encode()))
        return hashes[1:]


class Head(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="head"):
    """What the file is."""

    form: Literal["bobing-event/1"]
    code: str
    streams: int


class End(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="end"):
    """The hash of all lines before it: a file that was cut off or changed is no event."""

    sha256: str


class Packed(Struct, frozen=True):
    """A file that was read and found whole: the event as it was handed over, its stream and those of its tables."""

    room: EventRoom
    event: Stream
    tables: list[Stream]


async def packed(log: Log, room: EventRoom, name: str) -> bytes:
    """The file of an event that was handed over. name: of its stream."""
    streams = [name, *(table.stream for table in room.event.state.tables.values() if table.stream is not None)]
    lines = [msgspec.json.encode(Head(FORM, room.code, len(streams)))]
    lines += [msgspec.json.encode(await _stream(log, stream)) for stream in streams]
    whole = b"".join(line + b"\n" for line in lines)
    end = msgspec.json.encode(End(sha256(whole).hexdigest()))
    return gzip.compress(whole + end + b"\n", 6, mtime=0)


def unpacked(data: bytes, prefix: str) -> Packed:
    """Read a file; raises EventRefused (`event/bad_handover`) where it is not whole or not of one event.

    prefix: of the names of event streams.
    """
    try:
        head, streams = _lines(_inflated(data))
        event, *tables = streams
        if len(event.entries) > ACTS_MAX:
            raise _NotWhole("it has more acts than any event")
        bodies = [json.loads(entry.body) for entry in event.entries]
        room = event_room.load(head.code, bodies, event.notes)
        named = [table.stream for table in room.event.state.tables.values() if table.stream is not None]
    except _NotWhole as bad:
        raise _damaged(str(bad)) from None
    except zlib.error:
        raise _damaged("it is not packed as such a file is") from None
    except BobingError:
        raise _damaged("its acts do not follow from each other") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged("lines of it cannot be read") from None
    if event.stream != prefix + head.code or [table.stream for table in tables] != named:
        raise _damaged("it has other streams than its event")
    if any(table.notes.get("event") != head.code for table in tables):
        raise _damaged("a table in it is of another event")
    return Packed(room, event, tables)


async def unpack(log: Log, stream: Stream, last: Sequence[NewEntry] = ()) -> None:
    """Put a stream into the log, behind what is there of it already; `last` goes behind its end with it.

    Raises EventRefused (`event/forked`) where the log went on otherwise, LostRace.
    """
    there = await log.read(stream.stream)
    verify_prefix(there, stream)
    new = [NewEntry(entry.cmd, entry.at, entry.actor, entry.body.encode()) for entry in stream.entries[len(there) :]]
    for key in await log.secrets(stream.stream):
        if key not in stream.secrets:
            await log.keep_secret(stream.stream, key, None)
    for key, secret in stream.secrets.items():
        await log.keep_secret(stream.stream, key, b64decode(secret))
    await log.revoke(stream.stream)
    for grant in stream.grants:
        await log.grant(bytes.fromhex(grant.hash), Grant(stream.stream, grant.role, grant.seat, grant.made))
    gone = dict.fromkeys((await log.notes(stream.stream)).keys() - stream.notes.keys())
    if new or last:
        await log.append(stream.stream, len(there), [*new, *last], notes={**stream.notes, **gone})
    else:
        await log.set_notes(stream.stream, {**stream.notes, **gone})


def verify_prefix(there: Sequence[Entry], stream: Stream) -> None:
    """Refuse what went on here after it was handed over, or is another event."""
    hashes = stream.chain()
    for entry, h in zip(there, hashes, strict=False):
        if entry.h != h:
            raise forked(stream.stream, entry.n)
    if len(there) > len(hashes):
        raise forked(stream.stream, len(hashes) + 1)


def forked(stream: str, n: int) -> EventRefused:
    """The refusal where two machines went on with one event."""
    said = (
        f"this event went on here too: {stream} differs from entry {n} on; go on at one machine, "
        "and type into it what was played at the other"
    )
    return EventRefused(said, "event/forked")


def went_away(to: str) -> EventRefused:
    """The refusal where an event is taken back that may go on where it went."""
    said = (
        f"the event went to {to or 'another machine'}; if it goes on there as well, there will be two of it: take it "
        "back only where nobody opened it there"
    )
    return EventRefused(said, "event/handed_over")


def never_handed_over() -> EventRefused:
    """The refusal of a file whose event goes on where it was made."""
    return EventRefused("this file is of an event that was not handed over; make it anew", "event/bad_handover")


def _damaged(why: str) -> EventRefused:
    said = f"this is no whole file of an event that was handed over ({why}); copy it once more from the first machine"
    return EventRefused(said, "event/bad_handover")


async def _stream(log: Log, name: str) -> Stream:
    entries: list[PackedEntry] = []
    while page := await log.read(name, len(entries)):
        entries += [PackedEntry(entry.cmd, entry.at, entry.actor, entry.body.decode()) for entry in page]
    secrets = {key: b64encode(secret).decode() for key, secret in (await log.secrets(name)).items()}
    grants = [PackedGrant(token.hex(), one.role, one.seat, one.made) for token, one in await log.grants(name)]
    return Stream(name, entries, dict(await log.notes(name)), secrets, grants)


def _inflated(data: bytes) -> bytes:
    inflating = zlib.decompressobj(wbits=31)
    whole = inflating.decompress(data, UNPACKED_MAX)
    if inflating.unconsumed_tail or not inflating.eof or inflating.unused_data:
        raise _NotWhole("it is cut off, or far too large")
    return whole


def _lines(whole: bytes) -> tuple[Head, list[Stream]]:
    cut = whole.rstrip(b"\n").rfind(b"\n") + 1
    end = msgspec.json.decode(whole[cut:], type=End)
    if end.sha256 != sha256(whole[:cut]).hexdigest():
        raise _NotWhole("it was changed on its way")
    first, *rest = _split(whole[:cut])
    head = msgspec.json.decode(first, type=Head)
    streams = [msgspec.json.decode(line, type=Stream) for line in rest]
    if not streams or len(streams) != head.streams:
        raise _NotWhole("streams are missing")
    return head, streams


def _split(lines: bytes) -> Iterator[bytes]:
    return (line for line in lines.split(b"\n") if line)
