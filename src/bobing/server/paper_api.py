"""The calls that answer with a PDF: rule cards and score sheets of any rules, and the papers of an event."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from bobing.core.catalogue import find_key, find_sheet
from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet
from bobing.i18n import LANGUAGES
from bobing.paper import PAPERS, rules_paper
from bobing.server.refusal import refused
from bobing.server.static import HEADERS
from bobing.spreadsheet.writing import disposition

PDF = "application/pdf"
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,250}(?!\n)")
_PRESS = asyncio.Semaphore(1)


async def rules_pdf(rules: RuleSet, request: Request, public_url: str) -> Response:
    """A paper of a rule set: card, score sheet or slips; raises TableRefused, PaperRefused."""
    what, lang = request.path_params["what"], language_of(request.query_params.get("lang", ""))
    if what not in PAPERS:
        raise refused("bad_message")
    base = address_of(request.query_params.get("address", ""), public_url)
    link = f"{base}/rules/{rules.key}" if base and _is_named(rules) else base
    return await pdf(lambda: rules_paper(what, rules, lang, link), f"bobing-{what}-{rules.key}.pdf")


async def pdf(make: Callable[[], bytes], name: str) -> Response:
    """A PDF as an answer. One is made at a time, beside the loop: it takes the processor, and tables play on."""
    async with _PRESS:
        data = await asyncio.to_thread(make)
    headers = {**HEADERS, "content-disposition": disposition(name), "cache-control": "no-store"}
    return Response(data, media_type=PDF, headers=headers)


def address_of(wanted: str, public_url: str) -> str:
    """Where the QR of a paper leads: the server's own public address, else what the page says it was opened at.

    >>> address_of("http://192.168.1.7:8063", ""), address_of("http://evil.example", "https://table.example")
    ('http://192.168.1.7:8063', 'https://table.example')
    """
    if public_url or not wanted:
        return public_url
    if not _ADDRESS.fullmatch(wanted):
        raise refused("bad_message")
    return wanted


def language_of(wanted: str) -> str:
    """One of our languages; raises TableRefused for another."""
    if wanted and wanted not in LANGUAGES:
        raise refused("bad_message")
    return wanted or "zh-Hans"


def _is_named(rules: RuleSet) -> bool:
    """Whether the page has these very rules among its sheets."""
    try:
        return find_sheet(find_key(rules.key)).digest == rules.digest
    except RulesError:
        return False
