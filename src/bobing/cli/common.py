"""What the commands share: the language option, help in three languages, refusals with exit code 2, JSON output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import IO, Any

import click

from bobing.core.errors import BobingError
from bobing.i18n import LANGUAGES, language, text, texts

REFUSED = 2
_LANG = "bobing.lang"
_SAID_MAX = 300


class CallError(BobingError):
    """A call of the command line that cannot be carried out."""

    code = "cli/bad_call"


class Worded(BobingError):
    """A refusal that has its whole sentence in the language of whoever reads it, and needs no general one before it."""

    def words(self, lang: str) -> str:
        """The sentence in a language."""
        del lang
        return str(self)


def option(*names: str, **attributes: Any) -> Any:
    """A click option whose help is the text `cli.HELP` in the language of the call."""
    return click.option(*names, cls=Option, **attributes)


def lang_option() -> Any:
    """The option `--lang`; without it the locale decides. `lang_of` gives the language."""
    return option("--lang", type=click.Choice(LANGUAGES), expose_value=False, help="lang")


def rules_option() -> Any:
    """The option `--rules KEY|FILE`."""
    return option("--rules", "rules_name", metavar="KEY|FILE", help="rules")


def lang_of(ctx: click.Context) -> str:
    """The language of the call: that of `--lang`, else that of the locale."""
    found: str | None = ctx.meta.get(_LANG)
    return found or language(None, os.environ)


def emit(value: object) -> None:
    """Print one JSON object on one line of UTF-8, and send it off at once."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def say(line: str = "") -> None:
    """Print one line of text, and send it off at once."""
    click.echo(line)
    sys.stdout.flush()


def tell(mark: str, words: str) -> None:
    """Print words behind a mark; in a terminal they are broken to its width and stay to the right of the mark."""
    if not sys.stdout.isatty():
        say(f"{mark}{words}")
        return
    from shutil import get_terminal_size

    from bobing.cli.table.cells import width, wrap

    room = max(20, get_terminal_size().columns - width(mark) - 1)
    for piece in wrap(words, room):
        say(f"{mark}{piece}")
        mark = " " * width(mark)


def complain(error: BobingError, lang: str) -> None:
    """Print a refusal on standard error: `bobing: SENTENCE [CODE]`."""
    said = f"{error.words(lang)} [{error.code}]" if isinstance(error, Worded) else refusal(error.code, str(error), lang)
    click.echo(f"bobing: {said}", err=True)


def refusal(code: str, detail: str, lang: str) -> str:
    """What a refusal says in a language: the detail, in Chinese behind a general sentence.

    >>> refusal("dice/bad_roll", "5 dice: type 6 digits", "en")
    '5 dice: type 6 digits [dice/bad_roll]'
    >>> refusal("act/unknown_seat", "there is no seat 7; seats are 0 to 3", "zh-Hans")
    '没有这个座位；座位从 0 数起（没有7号座，座位是0到3号） [act/unknown_seat]'
    """
    from bobing.i18n.details import detail_in

    key = code.replace("/", "_")
    if lang == "en" or key not in texts("errors"):
        return f"{detail} [{code}]"
    return f"{text(lang, f'errors.{key}')}（{detail_in(lang, detail) or detail}） [{code}]"


class _Formatter(click.HelpFormatter):
    """Help whose headings end as their language has it."""

    def write_heading(self, heading: str) -> None:
        """A heading on a line of its own."""
        self.write(f"{'':>{self.current_indent}}{heading}\n")


class _Context(click.Context):
    formatter_class = _Formatter


class Option(click.Option):
    """An option with its help in the language of the call."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What help shows of the option."""
        record = super().get_help_record(ctx)
        return record and (record[0], text(lang_of(ctx), f"cli.{self.help}"))


class _Speaking(click.Command):
    """A command that speaks the language of the call, and refuses with a sentence, a code and exit code 2.

    Its help is the text `cli.HELP`, whose first line is the short help.
    """

    context_class = _Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the language before anything else is said."""
        spoken = _spoken(args)
        if spoken in LANGUAGES:
            ctx.meta[_LANG] = spoken
        try:
            return super().parse_args(ctx, args)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise Misused(error, ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out the command; a refusal becomes a line on standard error and exit code 2."""
        for stream in (sys.stdout, sys.stderr):
            _tolerate(stream)
        try:
            return super().invoke(ctx)
        except BobingError as error:
            complain(error, lang_of(ctx))
            ctx.exit(REFUSED)

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - the signature is click's
        """What a list of commands shows."""
        ctx = click.get_current_context(silent=True)
        lang = lang_of(ctx) if ctx else language(None, os.environ)
        return text(lang, f"cli.{self.help}").partition("\n")[0]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How the command is called."""
        lang = lang_of(ctx)
        words = {"[OPTIONS]": text(lang, "cli.some_options"), "COMMAND [ARGS]...": text(lang, "cli.a_command")}
        pieces = (words.get(piece, piece) for piece in self.collect_usage_pieces(ctx))
        prefix = text(lang, "cli.usage")
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix if prefix.endswith("：") else f"{prefix} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the command does, with examples as they stand."""
        for line in ("", *text(lang_of(ctx), f"cli.{self.help}").strip().split("\n")):
            formatter.write(f"  {line}\n" if line else "\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, each with its help."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [record for param in options if (record := param.get_help_record(ctx))]
        with formatter.section(text(lang_of(ctx), "cli.options")):
            formatter.write_dl(records)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option `--help`, which explains itself in the language of the call too."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = text(lang_of(ctx), "cli.help")
        return found


class Command(_Speaking):
    """A command; see `_Speaking`."""


class Group(_Speaking, click.Group):
    """A group of commands; see `_Speaking`."""

    command_class = Command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options and the commands."""
        super().format_options(ctx, formatter)
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        commands = [(name, command.get_short_help_str()) for name, command in found if command]
        with formatter.section(text(lang_of(ctx), "cli.commands")):
            formatter.write_dl(commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out the command named; without one, print the help."""
        try:
            return super().invoke(ctx)
        except Misused:
            raise
        except click.UsageError:
            if ctx.invoked_subcommand is not None:
                raise
            raise click.exceptions.NoArgsIsHelpError(ctx) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with; a wrong name is refused with the nearest right ones."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            near = click.NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx)
            raise Misused(near, ctx) from None
        except click.UsageError as error:
            raise Misused(error, ctx) from None


class Misused(click.UsageError):
    """A call that click refuses, told as every other refusal."""

    def __init__(self, error: click.UsageError, ctx: click.Context) -> None:
        said = error.format_message()
        super().__init__(said if len(said) <= _SAID_MAX else f"{said[:_SAID_MAX]}…", ctx)
        self.at = error.ctx or ctx

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the refusal, and where to read more."""
        lang = lang_of(self.at)
        _tolerate(sys.stderr)
        click.echo(f"bobing: {refusal(CallError.code, self.message, lang)}", file=file, err=True)
        click.echo(text(lang, "cli.see_help", command=self.at.command_path), file=file, err=True)


def _spoken(args: Sequence[str]) -> str | None:
    """The language that the words of a call ask for, before they are parsed."""
    for i, word in enumerate(args):
        if word == "--lang":
            return args[i + 1] if i + 1 < len(args) else None
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None


def _tolerate(stream: object) -> None:
    """Let a stream print what its encoding lacks as `?` rather than fail."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
