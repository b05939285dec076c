"""`bobing verify`: who could have chosen each throw of a record, and whether anybody did (`docs/fairness.md`)."""

from __future__ import annotations

import click

from bobing.cli.common import Command, complain, emit, lang_of, lang_option, option, refusal, say
from bobing.cli.record import NOT_SOUND, lines_of, place_of, unsound
from bobing.core.errors import RecordError
from bobing.core.record import Record, read_record
from bobing.fairness.verify import Checked, Report, verify_record
from bobing.i18n import text


@click.command(cls=Command, help="verify")
@click.argument("file")
@option("--receipt", metavar="HASH", help="record_receipt")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, file: str, receipt: str | None, as_json: bool) -> None:
    """Check every digital throw of a record."""
    lang = lang_of(ctx)
    try:
        with lines_of(file) as lines:
            record = read_record(lines)
        place_of(receipt, record)
    except RecordError as bad:
        if as_json:
            emit(unsound(bad))
        else:
            complain(bad, lang)
        ctx.exit(NOT_SOUND)
    report = verify_record(record)
    if as_json:
        emit(_plain(record, report))
    else:
        _tell(record, report, lang)
    ctx.exit(0 if report.sound else NOT_SOUND)


def _plain(record: Record, report: Report) -> dict[str, object]:
    throws = [
        {"n": one.n, "seat": one.seat, "k": one.k, "verdict": one.verdict}
        | ({"code": one.code, "message": one.message} if one.code else {})
        | ({"unheard": list(one.unheard)} if one.unheard else {})
        for one in report.throws
    ]
    faults = [{"after": one.after, "code": one.code, "message": one.message} for one in report.faults]
    return {
        "sound": report.sound,
        "version": record.version,
        "throws": throws,
        "counts": report.counts,
        "faults": faults,
        "attempts": report.attempts,
        "restarts": report.restarts,
        "voids": report.voids,
        "late": list(report.late),
        "lost": list(report.lost),
        "own": list(report.own),
        "undos": report.undos,
        "signs": report.signs,
        "receipt": record.last_hash,
    }


def _tell(record: Record, report: Report, lang: str) -> None:
    for one in report.throws:
        say(_line(record, one, lang))
        if one.code:
            say(f"      {refusal(one.code, one.message, lang)}")
    for fault in report.faults:
        say(text(lang, "verify.fault", n=fault.after, said=refusal(fault.code, fault.message, lang)))
    say()
    counts, unheard = report.counts, sum(bool(one.unheard) for one in report.throws)
    for verdict in ("PROVED-B", "PROVED-A", "PROXY", "PHYSICAL", "FAILED"):
        if counts[verdict]:
            say(f"{verdict:<9} {counts[verdict]:>4}  {text(lang, f'verify.{_key(verdict)}')}")
        if verdict == "PROXY" and unheard:
            say(f"{'':<16}{text(lang, 'verify.unheard', n=unheard)}")
    if report.attempts:
        say(text(lang, "verify.signs", signs=report.signs or "–"))
        numbers = {"restarts": report.restarts, "voids": report.voids, "undos": report.undos}
        say(text(lang, "verify.attempts", **numbers))
        for key, seats in (("late", report.late), ("lost", report.lost)):
            if seats:
                say(text(lang, f"verify.{key}", who=", ".join(_who(record, seat, lang) for seat in seats)))
        if not report.own:
            say(text(lang, "verify.nobody"))
    say(text(lang, "verify.sound" if report.sound else "verify.not_sound"))
    say(text(lang, "record.receipt", h=record.last_hash))


def _line(record: Record, one: Checked, lang: str) -> str:
    k = "" if one.k is None else text(lang, "verify.draw", k=one.k)
    absent = ", ".join(_who(record, seat, lang) for seat in one.unheard)
    word = text(lang, "verify.word_unheard", who=absent) if absent else text(lang, f"verify.word_{_key(one.verdict)}")
    return f"{one.n:>5}  {one.verdict:<8}  {_who(record, one.seat, lang)}  {f'{k}  ' if k else ''}{word}"


def _key(verdict: str) -> str:
    return verdict.lower().replace("-", "_")


def _who(record: Record, seat: int, lang: str) -> str:
    return record.names.get(seat) or text(lang, "verify.seat", n=seat)
