"""`bobing record`: tells, verifies and replays a game record (`docs/record.md`)."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from bobing.cli.common import CallError, Command, Group, complain, emit, lang_of, lang_option, option, refusal, say
from bobing.cli.inputs import load_rules, open_file, standard_input
from bobing.cli.other_rules import Judged, judged, judged_lines
from bobing.cli.transcript import sound_lines, transcript
from bobing.core.consequence import consequence_json, final_json
from bobing.core.errors import RecordError
from bobing.core.record import LINE_MAX, CutLineError, Record, read_record

NOT_SOUND = 1


@click.group(cls=Group, help="record")
@lang_option()
def command() -> None:
    """Tell, verify and replay game records."""


@command.command(cls=Command, help="record_show")
@click.argument("file")
@lang_option()
@click.pass_context
def show(ctx: click.Context, file: str) -> None:
    """Print a record as a transcript that people read."""
    record, cut = read_game(ctx, file)
    _say_all(transcript(record, lang_of(ctx)))
    _finish(ctx, cut)


@command.command(cls=Command, help="record_verify")
@click.argument("file")
@option("--receipt", metavar="HASH", help="record_receipt")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def verify(ctx: click.Context, file: str, receipt: str | None, as_json: bool) -> None:
    """Say whether a record is sound, and what was checked."""
    lang = lang_of(ctx)
    try:
        with lines_of(file) as lines:
            record = read_record(lines)
        place = place_of(receipt, record)
    except RecordError as bad:
        if as_json:
            emit(unsound(bad))
        else:
            say(refusal(bad.code, str(bad), lang))
        ctx.exit(NOT_SOUND)
    if as_json:
        emit(_sound(record, place))
    else:
        _say_all(sound_lines(record, place, lang))


@command.command(cls=Command, help="record_replay")
@click.argument("file")
@option("--rules", "rules_name", metavar="KEY|FILE", help="record_rules")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def replay(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """Play a record again and print how the game stands, by its own rules or by others."""
    rules = None if rules_name is None else load_rules(rules_name)
    record, cut = read_game(ctx, file)
    other = Judged(record) if rules is None else judged(record, rules)
    if as_json:
        _replay_json(other)
    else:
        _say_all(judged_lines(other, lang_of(ctx)))
    _finish(ctx, cut)
    if other.refused:
        ctx.exit(NOT_SOUND)


def _replay_json(other: Judged) -> None:
    game = other.record.game
    for n in range(1, len(game.log) + 1):
        emit(consequence_json(game, n))
    if other.refused:
        emit({"refused": other.refused.code, "act": other.at, "message": str(other.refused)})
    emit(final_json(game))


# ---- reading --------------------------------------------------------------------------------------------------------


@contextmanager
def lines_of(file: str) -> Generator[Iterator[bytes]]:
    """The lines of a file, or of standard input for `-`; never more of one line than a record may have."""
    try:
        with standard_input().buffer if file == "-" else open_file(file) as stream:
            yield iter(lambda: stream.readline(LINE_MAX + 1), b"")
    except OSError as bad:
        raise CallError(f"{file}: {bad.strerror or bad}", "cli/no_file") from None


def read_game(ctx: click.Context, file: str) -> tuple[Record, CutLineError | None]:
    """A record, or what is whole of one whose last line is cut; ends the command with exit code 1 for any other."""
    try:
        with lines_of(file) as lines:
            return read_record(lines), None
    except RecordError as bad:
        if isinstance(bad, CutLineError) and bad.record is not None:
            return bad.record, bad
        _refuse(ctx, bad)


def _finish(ctx: click.Context, cut: CutLineError | None) -> None:
    if cut is not None:
        _refuse(ctx, cut)


def _refuse(ctx: click.Context, bad: RecordError) -> NoReturn:
    complain(bad, lang_of(ctx))
    ctx.exit(NOT_SOUND)


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


# ---- what verify says -----------------------------------------------------------------------------------------------


def place_of(receipt: str | None, record: Record) -> int | None:
    """The number of the act that the receipt stands at or behind (0: the header), None where none was given."""
    if receipt is None:
        return None
    wanted = receipt.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", wanted):
        raise CallError("a receipt is a hash: 64 digits 0-9 and a-f", "cli/bad_call")
    if wanted in record.between:
        return record.between[wanted]
    if wanted not in record.hashes:
        raise RecordError(
            "no act of this record has the hash of the receipt: acts are missing at the end, or it is another game",
            "record/receipt_missing",
        )
    return record.hashes.index(wanted)


def _sound(record: Record, place: int | None) -> dict[str, object]:
    game = record.game
    return {
        "sound": True,
        "version": record.version,
        "rules": game.rules.key,
        "rules_hash": game.rules.digest,
        "seats": game.seats,
        "acts": len(game.log),
        "struck": sorted(game.struck),
        "names": len(record.names),
        "finished": game.finished,
        "receipt": record.last_hash,
        "receipt_of": place,
    }


def unsound(bad: RecordError) -> dict[str, object]:
    """What `--json` prints for a record that is damaged."""
    whole: dict[str, object] = {}
    if isinstance(bad, CutLineError) and bad.record is not None:
        whole = {"whole": {"acts": len(bad.record.game.log), "bytes": bad.whole, "receipt": bad.record.last_hash}}
    return {"sound": False, "code": bad.code, "line": bad.line, "message": str(bad), **whole}
