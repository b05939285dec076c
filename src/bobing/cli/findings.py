"""What a look at this machine came to, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bobing.cli.common import refusal, tell
from bobing.i18n import text, texts
from bobing.i18n.details import detail_in

if TYPE_CHECKING:  # it loads the server, which help does not need
    from bobing.server.checkup import Finding

_MARKS: Mapping[str, str] = {"good": "✓ ", "note": "· ", "warning": "! ", "bad": "✗ "}


def show(finding: Finding, lang: str) -> None:
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
    if "why" in values:  # as the system says it
        why = str(values["why"])
        values = {**values, "why": detail_in(lang, why) or why}
    return text(lang, f"doctor.{finding.code}", **values)


def advice_of(finding: Finding, lang: str) -> str:
    """What to do about it; a refusal says so itself."""
    key = f"{finding.code}_do"
    return text(lang, f"doctor.{key}", **finding.values) if key in texts("doctor") else ""
