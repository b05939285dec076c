"""`bobing referee`: reads acts, one JSON object a line, and says at once what each one does."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import click

from bobing.cli.common import (
    REFUSED,
    CallError,
    Command,
    complain,
    emit,
    lang_of,
    lang_option,
    option,
    refusal,
    rules_option,
    say,
    tell,
)
from bobing.cli.digits import Whole
from bobing.cli.inputs import load_rules
from bobing.core.act_json import act_from_json
from bobing.core.canonical import JsonError, strict_json
from bobing.core.consequence import consequence_json, final_json
from bobing.core.errors import ActRefused, BobingError, RollError
from bobing.core.game import Game
from bobing.i18n import text

LINE_MAX = 65_536
_BELOW = " " * 6
ANSWER = ("n", "act", "combination", "moves", "title", "skipped", "next", "finished")
"""What an answer holds, in this order. The game record knows more of an act."""


@click.command(cls=Command, help="referee")
@click.argument("file", metavar="[FILE|-]", default="-")
@rules_option()
@option("--seats", type=Whole(), required=True, help="seats")
@option("--start", type=Whole(), default=0, metavar="SEAT", help="start")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, file: str, rules_name: str | None, seats: int, start: int, as_json: bool) -> None:
    """Referee the acts of a file or of standard input."""
    game = Game.new(load_rules(rules_name), seats, start)
    lang = lang_of(ctx)
    with _opened(file, lang) as stream:
        ctx.exit(referee(game, stream, InJson() if as_json else InWords(lang), lang))


class InJson:
    """Answers with one JSON object a line."""

    def accepted(self, game: Game) -> None:
        """Say what the last act did."""
        told = consequence_json(game)
        emit({key: told[key] for key in ANSWER})

    def refused(self, error: BobingError, line: int) -> None:
        """Say why the act of a line was not taken."""
        emit({"refused": error.code, "line": line, "message": str(error)})

    def final(self, game: Game) -> None:
        """Say how the game stands at the end."""
        emit(final_json(game))


class InWords:
    """Answers in a language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def accepted(self, game: Game) -> None:
        """Say what the last act did, and who is next."""
        from bobing.wording import describe, next_line

        first, *more = describe(game.rules, game.last, game.log[-1].act, game, {}, self.lang)
        turn = next_line(game.rules, game, {}, self.lang)
        tell(f"{game.last.n:>4}  ", first)
        for line in more:
            tell(_BELOW, line)
        if turn:
            tell(_BELOW, f"→ {turn}")

    def refused(self, error: BobingError, line: int) -> None:
        """Say why the act of a line was not taken."""
        why = refusal(error.code, str(error), self.lang)
        tell("   ✗  ", text(self.lang, "cli.refused_line", line=line, why=why))

    def final(self, game: Game) -> None:
        """Say how the game stands at the end."""
        from bobing.wording import standing_lines

        say()
        for line in standing_lines(game.rules, game, {}, self.lang):
            tell("", line)


def referee(game: Game, stream: BinaryIO, answer: InJson | InWords, lang: str) -> int:
    """Play the acts of a stream and answer each; gives the exit code: 0, 1 (an act was refused), 2 (no JSON object)."""
    code = 0
    try:
        for number, value in _objects(stream):
            try:
                game = game.play(act_from_json(value))
            except (ActRefused, RollError) as error:
                answer.refused(error, number)
                code = 1
            else:
                answer.accepted(game)
    except (CallError, JsonError) as error:
        complain(error, lang)
        code = REFUSED
    answer.final(game)
    return code


def _objects(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a stream with the numbers of their lines; raises CallError or JsonError with the number."""
    for number, raw in _lines(stream):
        try:
            value = strict_json(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            raise CallError(f"line {number}: this is no UTF-8 text", "cli/not_text") from None
        except JsonError as error:
            raise JsonError(f"line {number}: {error}", error.code) from None
        if not isinstance(value, dict):
            raise CallError(f"line {number}: an act is a JSON object", "cli/no_object")
        yield number, value


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while raw := _line(stream):
        number += 1
        if len(raw) > LINE_MAX:
            raise CallError(f"line {number}: a line has at most {LINE_MAX} bytes", "cli/line_too_long")
        if raw.strip():
            yield number, raw


def _line(stream: BinaryIO) -> bytes:
    try:
        return stream.readline(LINE_MAX + 1)
    except OSError as error:
        raise CallError(f"cannot read on: {error.strerror or error}", "cli/no_file") from None


@contextmanager
def _opened(file: str, lang: str) -> Generator[BinaryIO]:
    if file == "-":
        if sys.stdin.isatty():
            click.echo(text(lang, "cli.referee_waits"), err=True)
        yield sys.stdin.buffer
    else:
        with _file(file) as stream:
            yield stream


def _file(path: str) -> BinaryIO:
    try:
        return open(path, "rb")  # noqa: PTH123 - the caller closes it
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CallError(f"cannot read {path[-200:]!r}: {why}", "cli/no_file") from None
