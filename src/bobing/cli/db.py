"""`bobing db`: backs up, verifies and exports the log of the tables, while the server runs or not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bobing.adapters import is_postgres, sqlite_path, url_of
from bobing.cli.common import CallError, Command, Group, emit, lang_of, lang_option, option, say
from bobing.i18n import text
from bobing.ports import Entry, LogError

if TYPE_CHECKING:  # it loads SQLite, which help does not need
    from bobing.adapters.sqlite.maintenance import Damage, Report

NOT_SOUND = 1


def db_option() -> Any:
    """The option `--db`, else BOBING_DB as the server reads it."""
    return option("--db", metavar="FILE|URL", envvar="BOBING_DB", help="db_db")


@click.group(cls=Group, help="db")
@lang_option()
def command() -> None:
    """Back up, verify and export the log."""


@command.command(cls=Command, help="db_backup")
@click.argument("copy", type=click.Path(path_type=Path))
@db_option()
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def backup(ctx: click.Context, copy: Path, db: str | None, as_json: bool) -> None:
    """Copy the log into one file, and verify the copy."""
    from bobing.adapters.sqlite.maintenance import back_up

    _tell(ctx, str(copy), back_up(sqlite_path(_url_of(db)), copy), as_json=as_json)


@command.command(cls=Command, help="db_verify")
@db_option()
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def verify(ctx: click.Context, db: str | None, as_json: bool) -> None:
    """Say whether the log is as it was written; exit code 1 where it is not."""
    from bobing.adapters import looking

    url = _url_of(db)
    _tell(ctx, _name_of(url), looking.verify(url), as_json=as_json)


@command.command(cls=Command, help="db_copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def copy(ctx: click.Context, source: str, target: str, as_json: bool) -> None:
    """Copy a whole log into an empty one, SQLite or PostgreSQL, and verify the copy."""
    from bobing.adapters.moving import copy as moved_to

    moved = moved_to(url_of(source), url_of(target))
    if as_json:
        heads = {stream: {"n": n, "h": h} for stream, (n, h) in moved.heads.items()}
        counts = _counts(len(heads), moved.events, moved.entries)
        emit({**counts, "heads": heads, "filled": moved.filled})
        return
    lang = lang_of(ctx)
    if moved.filled:
        say(text(lang, "db.filled", file=_name_of(url_of(target))))
    if moved.heads:
        say(text(lang, "db.copied", counts=_told(lang, _counts(len(moved.heads), moved.events, moved.entries))))
    else:
        say(text(lang, "db.copied_nothing", file=_name_of(url_of(source))))


@command.command(cls=Command, help="db_export")
@click.argument("stream", metavar="TABLE")
@db_option()
@option("--entries", is_flag=True, help="db_entries")
@lang_option()
@click.pass_context
def export(ctx: click.Context, stream: str, db: str | None, entries: bool) -> None:
    """Print the game record of one table, or its entries in the log as they stand, as JSON lines; exit code 1 where
    these are not as they were written.
    """
    from bobing.adapters import looking
    from bobing.adapters.sqlite.maintenance import line_of

    url = _url_of(db)
    kept, notes = looking.read_table(url, stream)
    if not kept:
        raise CallError(
            f"{_name_of(url)} has no table {stream!r}; its code has eight signs, in capitals", "cli/no_table"
        )
    damage = looking.damage_of(kept)
    for line in map(line_of, kept) if entries else _record(kept, notes, damage):
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
    if damage:
        click.echo(_damage_line(damage, lang_of(ctx)), err=True)
        ctx.exit(NOT_SOUND)


def _record(entries: Sequence[Entry], notes: Mapping[str, str], damage: Damage | None) -> Iterator[bytes]:
    """The lines of the record of a table's game. Its hashes are made anew, so a damaged log would look sound in it."""
    from bobing.server import room
    from bobing.server.recorded import record_of

    stream = entries[0].stream
    if stream.startswith("event/"):
        raise CallError(f"{stream!r} is an event, which has no record; --entries prints what is kept of it")
    if damage:
        said = f"entry {damage.n} of {stream!r} is damaged, so there is no record of it"
        raise LogError(f"{said}; bobing db verify says more, and a backup may be whole", "log/damaged")
    table = room.load(stream, [(entry.n, json.loads(entry.body), entry.at) for entry in entries], notes)
    yield from record_of(table)


def _url_of(db: str | None) -> str:
    """The URL of the store that `--db` names, as a path or as the URL that the server takes."""
    if not db:
        raise CallError("name the log: --db FILE, or BOBING_DB as for the server", "cli/no_db")
    return url_of(db)


def _name_of(url: str) -> str:
    """A store as people are told of it: the path of a file; the URL of a database may hold a password."""
    return "PostgreSQL" if is_postgres(url) else str(sqlite_path(url))


def _counts(streams: int, events: int, entries: int) -> dict[str, int]:
    return {"streams": streams, "tables": streams - events, "events": events, "entries": entries}


def _told(lang: str, counts: Mapping[str, int]) -> str:
    """How much there is; events are told where there are any."""
    return text(lang, "db.counts_events" if counts["events"] else "db.counts", **counts)


def _tell(ctx: click.Context, name: str, report: Report, *, as_json: bool) -> None:
    counts = _counts(report.streams, report.events, report.entries)
    if as_json:
        damage = [asdict(found) for found in report.damage]
        more = {"notes": report.notes, "grants": report.grants, "damage": damage}
        emit({"file": name, "sound": not report.damage, **counts, **more})
    else:
        lang = lang_of(ctx)
        for found in report.damage:
            say(_damage_line(found, lang))
        say(text(lang, "db.damaged" if report.damage else "db.sound", file=name, counts=_told(lang, counts)))
    if report.damage:
        ctx.exit(NOT_SOUND)


def _damage_line(found: Damage, lang: str) -> str:
    code = (found.stream or "").removeprefix("event/")
    stream = text(lang, "db.table" if code == found.stream else "db.event", code=code)
    return text(lang, f"db.damage_{found.what}", stream=stream, n=found.n, detail=found.detail)
