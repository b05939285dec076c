"""From the words of a call to a table at which people sit: a new game, or one that goes on."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bobing.cli.common import Worded
from bobing.cli.inputs import load_rules, standard_input
from bobing.cli.table.console import Console, Gone, Script, forgive_encoding, open_terminal
from bobing.cli.table.dice import Dice
from bobing.cli.table.loop import run
from bobing.cli.table.save import Save, SaveError, fresh_path, games_folder, last_played_at, read_notes, unfinished
from bobing.cli.table.setup import USUAL_PLAYERS, Plan, ask_dice, ask_plan, ask_resume, players_from, resumed_game
from bobing.cli.table.table import Table
from bobing.core.catalogue import DEFAULT_SHEET, find_sheet
from bobing.core.errors import BobingError, RecordError
from bobing.core.game import Game
from bobing.core.record import Record
from bobing.i18n import text
from bobing.i18n.details import detail_in


class PlayError(Worded):
    """A call of `bobing play` that cannot be carried out, told in the language of the call."""

    code = "play/bad_call"


@dataclass(frozen=True)
class Call:
    """What was asked for; None where it is to be asked. resume: a file, or "" for the newest.

    lang_named: the language was asked for, not only taken from the locale.
    """

    lang: str
    players: str | None = None
    rules: str | None = None
    digital: bool | None = None
    save: Path | None = None
    resume: str | None = None
    script: bool = False
    lang_named: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether nothing says that a new game is meant."""
        return self.players is None and self.rules is None and self.save is None and not self.script


def open_console(call: Call, environment: Mapping[str, str] = os.environ) -> Console:
    """The terminal, or standard input for a script; raises PlayError where there is neither."""
    if call.script:
        forgive_encoding()
        return Script(standard_input(), sys.stdout)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise PlayError(text(call.lang, "play.no_terminal"), "play/no_terminal")
    return open_terminal(environment)


def play(call: Call, console: Console, dice: Dice, environment: Mapping[str, str] = os.environ) -> None:
    """Sit down and play; raises PlayError, RulesError or RecordError where the call cannot be carried out."""
    folder = games_folder(environment)
    try:
        table = _sit_down(call, console, dice, folder)
    except (Gone, KeyboardInterrupt):
        console.say("\n  " + text(call.lang, "play.not_begun"))
        return
    run(table)


def _sit_down(call: Call, console: Console, dice: Dice, folder: Path) -> Table:
    plan = Plan(call.lang, digital=call.digital)
    if call.resume is not None:
        path = _file_to_resume(call, folder)
        plan.lang = _language(call, path)
        return _resumed(plan, console, dice, path)
    if call.is_bare:
        found = unfinished(folder)
        if found:
            plan.lang = _language(call, found[0])
            if ask_resume(console, plan, found[1], last_played_at(found[0])):
                return _resumed(plan, console, dice, found[0])
    return _begun(call, plan, console, dice, folder)


def _language(call: Call, path: Path) -> str:
    """The language asked for, else the one in which the game was played, else that of the locale."""
    return call.lang if call.lang_named else read_notes(path).lang or call.lang


def _file_to_resume(call: Call, folder: Path) -> Path:
    if call.resume:
        return Path(call.resume)
    found = unfinished(folder)
    if found is None:
        raise PlayError(text(call.lang, "play.nothing_to_resume", folder=folder), "play/nothing_to_resume")
    return found[0]


def _resumed(plan: Plan, console: Console, dice: Dice, path: Path) -> Table:
    day, notes = last_played_at(path), read_notes(path)
    try:
        save, record = Save.resume(path)
    except SaveError as bad:
        raise _save_error(plan, path, bad, resuming=True) from None
    except RecordError as bad:
        raise PlayError(plan.say("cannot_resume", why=_why(plan, bad)), bad.code) from None
    if not isinstance(console, Script):
        plan.about = resumed_game(plan, record, day)
        try:
            ask_dice(console, plan, digital=notes.digital)
        except BaseException:
            save.close()
            raise
    digital = notes.digital if plan.digital is None else plan.digital
    table = _table(plan, console, dice, save, record, digital=digital)
    table.tell("resumed", n=len(record.game.log), day=day)
    return table


def _begun(call: Call, plan: Plan, console: Console, dice: Dice, folder: Path) -> Table:
    if call.save is not None and not call.save.parent.is_dir():
        missing = SaveError(f"{call.save.parent}: {os.strerror(errno.ENOENT)}", "save/cannot_open")
        raise _save_error(plan, call.save, missing)
    if call.rules is not None or call.script:
        plan.rules = load_rules(call.rules)
    if call.players is not None or call.script:
        by = plan.rules or find_sheet(DEFAULT_SHEET)
        usual = str(max(USUAL_PLAYERS, by.setup.seats_min))
        plan.names = players_from(usual if call.players is None else call.players, by, call.lang)
    if call.script and plan.digital is None:
        plan.digital = False
    rules = ask_plan(console, plan)
    game = Game.new(rules, len(plan.names or ()))
    names = dict(enumerate(plan.names or ()))
    digital = bool(plan.digital)
    path = call.save or fresh_path(folder, rules.key, datetime.now().astimezone(), digital=digital)
    try:
        save = Save.create(path, game, names, make_folder=call.save is None)
    except SaveError as bad:
        raise _save_error(plan, path, bad) from None
    return _table(plan, console, dice, save, Record(game, names, ()), digital=digital)


def _table(plan: Plan, console: Console, dice: Dice, save: Save, record: Record, *, digital: bool) -> Table:
    save.note(plan.lang, digital=digital)
    return Table(console, dice, save, record.game, record.names, plan.lang, digital=digital)


def _save_error(plan: Plan, path: Path, bad: SaveError, *, resuming: bool = False) -> PlayError:
    if bad.code in ("save/exists", "save/in_use"):
        return PlayError(plan.say(bad.code.replace("/", "_"), path=path), bad.code)
    key = "cannot_resume" if resuming and bad.code == "save/cannot_open" else "save_failed"
    return PlayError(plan.say(key, why=_why(plan, bad)), bad.code)


def _why(plan: Plan, bad: BobingError) -> str:
    return detail_in(plan.lang, str(bad)) or str(bad)
