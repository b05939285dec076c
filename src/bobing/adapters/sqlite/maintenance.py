"""Looking after the file of a log, while a server runs on it or not: back up, verify, read."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import apsw

from bobing.adapters.entries import START
from bobing.adapters.sqlite import statements
from bobing.adapters.sqlite.file import open_kept, why
from bobing.adapters.sqlite.sql import first, pragma, run
from bobing.core.canonical import JsonError, canonical_json, strict_json
from bobing.core.chain import link
from bobing.ports import Entry, LogError

_FAULTS_MAX = 20
_PAGE = 500
NO_COUNTS = MappingProxyType({"streams": 0, "events": 0, "entries": 0})
EVENT = "event/"
"""The names of the streams of events begin with this; others are tables."""
_ACTS = "SELECT stream, n, body, h FROM act ORDER BY stream, n"


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a log is not as it was written: entry `n` of a stream, or the file itself where `stream` is None.

    what: `number` (entries are missing), `hash` (the entry or the one before was changed), `file` (SQLite's words are
    in `detail`).
    """

    what: str
    stream: str | None = None
    n: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a log holds, and the first damage of each stream and of the file. events: of the streams; else tables."""

    streams: int
    events: int
    entries: int
    notes: int
    grants: int
    damage: tuple[Damage, ...]


def verify(path: Path) -> Report:
    """Look at the whole file: SQLite's own check, and number and hash of each entry of each stream.

    The chain covers bodies in their order. It cannot show that entries are missing at the end: only who kept a later
    hash can. Raises LogError where the file cannot be opened at all.
    """
    with _opened(path) as connection:
        damage = list(_file_faults(connection))
        counts = dict(NO_COUNTS)
        try:
            damage += chain_faults(run(connection, _ACTS), counts)
            notes, grants = (first(connection, f"SELECT count(*) FROM {table}")[0] for table in ("note", "token"))  # noqa: S608 - no input
        except apsw.Error as fault:
            return Report(**counts, notes=0, grants=0, damage=(*damage, Damage("file", detail=str(fault))))
        return Report(**counts, notes=notes, grants=grants, damage=tuple(damage))


def back_up(path: Path, copy: Path) -> Report:
    """Copy the log into one new file as it stands at one moment, while it is written to, and verify the copy.

    The copy gets its name only when it is whole and on the disk. Raises LogError (`log/exists`, `log/cannot_open`,
    `log/not_saved`).
    """
    if copy.exists():
        raise LogError(f"{copy} exists already; name another file", "log/exists")
    part = copy.with_name(f"{copy.name}.part")
    with _opened(path) as source:
        try:
            part.unlink(missing_ok=True)
            part.touch(mode=0o600, exist_ok=False)
            _copy(source, part)
            part.rename(copy)
            _sync(copy.parent)
        except (OSError, apsw.Error) as fault:
            raise LogError(f"{copy} was not written: {why(fault)}", "log/not_saved") from fault
        finally:
            part.unlink(missing_ok=True)
    return verify(copy)


def read_table(path: Path, stream: str) -> tuple[list[Entry], dict[str, str]]:
    """The entries of one table and the notes beside them (names and the like); raises LogError."""
    with _opened(path) as connection:
        run(connection, "BEGIN")  # both of one moment
        entries: list[Entry] = []
        while page := statements.read(connection, stream, entries[-1].n if entries else 0, _PAGE):
            entries += page
        return entries, statements.notes(connection, stream)


def line_of(entry: Entry) -> bytes:
    r"""An entry as a line of an export: canonical JSON with stream, n, cmd, at, actor, h (hexadecimal), and body where
    the body is canonical JSON itself, else body_base64. Names of players and grants are not among them.

    >>> line_of(Entry("A", 1, "c", 0, "host", b'{"t":"open"}', bytes(32)))[:66]
    b'{"actor":"host","at":0,"body":{"t":"open"},"cmd":"c","h":"00000000'
    >>> line_of(Entry("A", 1, "c", 0, "host", b"\xff", bytes(32)))[:44]
    b'{"actor":"host","at":0,"body_base64":"/w==",'
    """
    try:
        body: Any = strict_json(entry.body.decode())
        told = {"body": body} if canonical_json(body) == entry.body else None
    except (UnicodeDecodeError, JsonError):
        told = None
    told = told or {"body_base64": b64encode(entry.body).decode()}
    kept = {"stream": entry.stream, "n": entry.n, "cmd": entry.cmd, "at": entry.at, "actor": entry.actor}
    return canonical_json({**kept, **told, "h": entry.h.hex()}) + b"\n"


def chain_faults(rows: Iterable[tuple[Any, ...]], counts: dict[str, int]) -> Iterator[Damage]:
    """The first fault of each stream, out of (stream, n, body, h) in order; counts streams and entries on the way."""
    stream, n, h, sound = None, *START, True
    for name, number, body, kept in rows:
        if name != stream:
            stream, n, h, sound = name, *START, True
            counts["streams"] += 1
            counts["events"] += name.startswith(EVENT)
        n, h = n + 1, link(h, body)
        counts["entries"] += 1
        if sound and (number, kept) != (n, h):
            sound = False
            yield Damage("number" if number != n else "hash", name, n)


@contextmanager
def _opened(path: Path) -> Generator[apsw.Connection]:
    connection = open_kept(path)
    try:
        yield connection
    finally:
        connection.close(force=True)


def _copy(source: apsw.Connection, part: Path) -> None:
    """All pages in one go: with a write-ahead log this keeps nobody from writing, and the copy is of one moment."""
    target = apsw.Connection(str(part.absolute()), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        with target.backup("main", source, "main") as copying:
            copying.step()
        pragma(target, "journal_mode", "delete")  # the copy is one file, with no write-ahead log beside it
    finally:
        target.close(force=True)


def _sync(folder: Path) -> None:
    """Let a new name in a folder last, where the system knows how."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _file_faults(connection: apsw.Connection) -> Iterator[Damage]:
    """What SQLite finds wrong with the file."""
    try:
        said = [row[0] for row in run(connection, f"PRAGMA quick_check({_FAULTS_MAX})")]
    except apsw.Error as fault:
        said = [str(fault)]
    if said != ["ok"]:
        yield from (Damage("file", detail=line) for line in said)
