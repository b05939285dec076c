"""The loop of `bobing play`: show the page, read a line, do what it asks for, until the game or the people are done."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bobing.cli.table import changing, history, pages, seating, throwing
from bobing.cli.table.cells import cut, width
from bobing.cli.table.commands import Typed, numbers, read_line
from bobing.cli.table.console import Gone
from bobing.cli.table.paint import Line
from bobing.cli.table.screen import marked
from bobing.cli.table.table import Table
from bobing.i18n import LANGUAGES

Handler = Callable[[Table, str], None]


def run(table: Table) -> None:
    """Play until the people leave; every act that they saw is in the file by then."""
    try:
        while True:
            typed = _next(table)
            table.notice = ""
            if typed.command == "quit" or (table.at_result and typed.command == ""):
                break
            if table.game.finished and typed.command == "":
                table.at_result = True
            else:
                _carry_out(table, typed)
    except (Gone, KeyboardInterrupt):
        table.console.say("")
    table.save.close()
    path = str(table.save.path.absolute())
    _tell_wide(table, table.say("saved"), [path])
    if not table.game.finished:
        _tell_wide(table, table.say("how_to_resume"), [*started_as(sys.argv[0]), "play", "--resume", path])


def _tell_wide(table: Table, label: str, words: Sequence[str]) -> None:
    """Print what is to be copied: beside its label, else in lines of its own broken at words alone."""
    room = table.console.size()[0] - 1
    quoted = [shlex.quote(word) for word in words] if len(words) > 1 else list(words)
    if width(line := f"  {label}{' '.join(quoted)}") <= room:
        table.console.say(line)
        return
    table.console.say(f"  {label}".rstrip())
    lines, line = list[str](), " "
    for word in quoted:
        if line.strip() and width(f"{line} {word} \\") > room:
            lines.append(f"{line} \\")
            line = "   "
        line += f" {word}"
    for text in (*lines, line):
        table.console.say(text)


def started_as(program: str) -> list[str]:
    """The words that start bobing again: its name where the shell finds it, else the file it was started from.

    >>> started_as("/nowhere/bobing"), started_as("/usr/bin/pytest")
    (['/nowhere/bobing'], ['bobing'])
    """
    path = Path(program)
    if path.name == "__main__.py":
        return [sys.executable, "-m", "bobing"]
    found = shutil.which("bobing")
    if path.stem != "bobing" or (found and Path(found).resolve() == path.resolve()):
        return ["bobing"]
    return [str(path.absolute())]


def _next(table: Table) -> Typed:
    scene = table.scene()
    limit = table.game.rules.ending.minutes
    if limit and scene.minutes >= limit and not scene.notice and not table.game.finished:
        table.tell("time_reminder", limit=limit)
    return read_line(table.next_line())


def _carry_out(table: Table, typed: Typed) -> None:
    handler = _HANDLERS.get(typed.command)
    if handler is None:
        table.tell("wrong_line", line=typed.rest[:20])
    elif typed.command == "" and not table.digital:
        table.tell("wrong_empty")
    else:
        handler(table, typed.rest)


def _ledger(table: Table, _rest: str) -> None:
    _leaf(table, table.say("page_ledger"), lambda: pages.ledger_lines(table.scene()))


def _history(table: Table, rest: str) -> None:
    n = next(numbers(rest), len(table.game.log))
    _leaf(table, table.say("page_history"), lambda: history.history_lines(table.scene()), at=n - 1)


def _rules(table: Table, _rest: str) -> None:
    scene = table.scene()
    title = table.say("page_rules", sheet=scene.sheet())
    _leaf(table, title, lambda: pages.rules_lines(table.game.rules, table.lang, scene.cells))


def _help(table: Table, _rest: str) -> None:
    _leaf(table, table.say("page_help"), lambda: pages.help_lines(table.scene()))


def _leaf(table: Table, title: str, make: Callable[[], Sequence[Line]], at: int = 0) -> None:
    """Show lines page by page until people go back to the table; a throw or command typed there is carried out."""
    lines = make()
    scene = table.scene()
    page = at // max(1, pages.page_room(scene))
    while True:
        shown, page, count = pages.page_of(scene, title, lines, page)
        keys = scene.say("keys_page" if count > 1 else "keys_only_page")
        typed = table.ask_on([*shown, [], marked(cut("  " + keys, scene.cells))])
        if typed not in {"-", "+"}:
            break
        page += 1 if typed == "+" else -1
    if read_line(typed).command not in {"", "quit"}:
        table.typed_ahead = typed


def _language(table: Table, rest: str) -> None:
    """The next language, or the one named."""
    named: Mapping[str, str] = {
        "en": "en",
        "english": "en",
        "简": "zh-Hans",
        "繁": "zh-Hant",
        **{lang.casefold(): lang for lang in LANGUAGES},
    }
    following = LANGUAGES[(LANGUAGES.index(table.lang) + 1) % len(LANGUAGES)]
    table.lang = named.get(rest.casefold(), following)
    table.save.note(table.lang, digital=table.digital)


_HANDLERS: Mapping[str, Handler] = {
    "": throwing.throw,
    "roll": throwing.throw,
    "throw": throwing.throw,
    "out": throwing.out,
    "cocked": throwing.cocked,
    "start": throwing.start,
    "undo": changing.undo,
    "correct": changing.correct,
    "waive": changing.waive,
    "pass": seating.pass_turn,
    "leave": seating.leave,
    "return": seating.come_back,
    "join": seating.join,
    "swap": seating.swap,
    "name": seating.rename,
    "time": seating.end_table,
    "ledger": _ledger,
    "history": _history,
    "rules": _rules,
    "language": _language,
    "help": _help,
}
