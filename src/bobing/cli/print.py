"""`bobing print`: rule cards, score sheets and slips for prizes, as PDF."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bobing.cli.common import CallError, Command, emit, lang_of, lang_option, option, rules_option, say
from bobing.cli.inputs import load_rules
from bobing.i18n import text

PAPERS = ("rules", "score", "prizes")
"""As `bobing.paper.PAPERS`, which would load all that prints."""


@click.command(cls=Command, help="print")
@click.argument("what", type=click.Choice(PAPERS))
@rules_option()
@option("--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="print_output")
@option("--address", metavar="URL", default="", help="print_address")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(
    ctx: click.Context, what: str, rules_name: str | None, output: Path | None, address: str, as_json: bool
) -> None:
    """Write a paper that needs no event as PDF."""
    from bobing.paper import rules_paper

    lang, rules = lang_of(ctx), load_rules(rules_name)
    if len(address) > 300:
        raise CallError("the address is too long for a QR; 300 signs at most")
    name = output or Path(f"bobing-{what}-{''.join(c for c in rules.key if c.isalnum() or c in '-_') or 'ours'}.pdf")
    write_pdf(name, rules_paper(what, rules, lang, address))
    tell_written(name, lang, as_json=as_json)


def tell_written(name: Path, lang: str, *, as_json: bool) -> None:
    """Say where it lies; nothing where it went to standard output."""
    if str(name) == "-":
        return
    if as_json:
        emit({"file": str(name)})
    else:
        say(text(lang, "paper.written", file=name))


def write_pdf(name: Path, data: bytes) -> None:
    """Write to a file, or for `-` to standard output; raises CallError."""
    if str(name) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        name.write_bytes(data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or os.strerror(0)
        raise CallError(f"cannot write {str(name)[-200:]!r}: {why}", "cli/no_file") from None
