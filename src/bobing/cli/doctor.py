"""`bobing doctor`: looks over this machine before people come."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from bobing.cli.common import Command, emit, lang_of, lang_option, option, refusal, say, tell
from bobing.i18n import text, texts

if TYPE_CHECKING:  # it loads the server, which help does not need
    from bobing.server.checkup import Finding

ILL = 1
_MARKS: Mapping[str, str] = {"good": "✓ ", "note": "· ", "warning": "! ", "bad": "✗ "}


@click.command(cls=Command, help="doctor")
@option("--host", metavar="ADDRESS", help="serve_host")
@option("--port", type=int, metavar="NUMBER", help="serve_port")
@option("--db", metavar="URL", help="serve_db")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, host: str | None, port: int | None, db: str | None, as_json: bool) -> None:
    """Look over everything; exit code 1 where something is bad."""
    from bobing.cli.serve import default_db
    from bobing.server.checkup import examine
    from bobing.server.settings import settings_from

    settings = settings_from(os.environ, host=host, port=port, db=db)
    settings = settings_from({}, **{**settings.as_dict(), "db": settings.db or default_db()})
    lang = lang_of(ctx)
    found: list[Finding] = []
    for finding in examine(settings):
        found.append(finding)
        if not as_json:
            _show(finding, lang)
    states = [finding.state for finding in found]
    if as_json:
        emit({"sound": "bad" not in states, "findings": [_told(finding, lang) for finding in found]})
    else:
        say()
        what = "bad" if "bad" in states else "warned" if "warning" in states else "sound"
        say(text(lang, f"doctor.{what}", bad=states.count("bad"), warnings=states.count("warning")))
    if "bad" in states:
        ctx.exit(ILL)


def _show(finding: Finding, lang: str) -> None:
    """What was found behind its mark, and below it what to do."""
    mark = _MARKS[finding.state]
    tell(mark, words_of(finding, lang))
    if advice := advice_of(finding, lang):
        tell("  → ", advice)


def words_of(finding: Finding, lang: str) -> str:
    """What was found, in words."""
    values = finding.values
    if finding.code == "refused":
        return refusal(str(values["code"]), str(values["detail"]), lang)
    if "extra" in values:
        values = {**values, "what": text(lang, f"doctor.extra_{values['extra']}")}
    return text(lang, f"doctor.{finding.code}", **values)


def advice_of(finding: Finding, lang: str) -> str:
    """What to do about it; a refusal says so itself."""
    key = f"{finding.code}_do"
    return text(lang, f"doctor.{key}", **finding.values) if key in texts("doctor") else ""


def _told(finding: Finding, lang: str) -> Mapping[str, object]:
    said = {"check": finding.check, "state": finding.state, "code": finding.code, "values": dict(finding.values)}
    return {**said, "words": words_of(finding, lang), "advice": advice_of(finding, lang)}
