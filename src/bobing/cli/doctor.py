"""`bobing doctor`: looks over this machine before people come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from bobing.cli.common import Command, emit, lang_of, lang_option, option, say
from bobing.cli.findings import advice_of, show, words_of
from bobing.cli.serve import settings_of, settings_options
from bobing.i18n import text

if TYPE_CHECKING:  # it loads the server, which help does not need
    from bobing.server.checkup import Finding

ILL = 1


@click.command(cls=Command, help="doctor")
@settings_options
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, here: bool, host: str | None, as_json: bool, **flags: object) -> None:
    """Look over everything; exit code 1 where something is bad."""
    from bobing.server.checkup import examine

    settings = settings_of(here=here, host=host, **flags)
    lang = lang_of(ctx)
    found: list[Finding] = []
    for finding in examine(settings):
        found.append(finding)
        if not as_json:
            show(finding, lang)
    states = [finding.state for finding in found]
    if as_json:
        emit({"sound": "bad" not in states, "findings": [_told(finding, lang) for finding in found]})
    else:
        say()
        what = "bad" if "bad" in states else "warned" if "warning" in states else "sound"
        say(text(lang, f"doctor.{what}", bad=states.count("bad"), warnings=states.count("warning")))
    if "bad" in states:
        ctx.exit(ILL)


def _told(finding: Finding, lang: str) -> Mapping[str, object]:
    said = {"check": finding.check, "state": finding.state, "code": finding.code, "values": dict(finding.values)}
    return {**said, "words": words_of(finding, lang), "advice": advice_of(finding, lang)}
