"""`bobing play`: a whole game at the terminal."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from bobing.cli.common import Command, lang_of, lang_option, option

DICE = ("real", "digital")


@click.command(cls=Command, help="play")
@option("--players", metavar="N|NAMES", help="play_players")
@option("--rules", "rules_name", metavar="KEY|FILE", help="rules")
@option("--dice", type=click.Choice(DICE), help="play_dice")
@option("--save", "path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="play_save")
@option("--resume", is_flag=False, flag_value="", metavar="[FILE]", help="play_resume")
@option("--script", is_flag=True, help="play_script")
@lang_option()
@click.pass_context
def command(
    ctx: click.Context, players: str | None, rules_name: str | None, dice: str | None, path: Path | None,
    resume: str | None, script: bool,
) -> None:  # fmt: skip
    """Play a whole game: real dice typed in, or digital ones; every act is saved before it is shown."""
    from bobing.cli.table.dice import SystemDice
    from bobing.cli.table.session import Call, open_console, play

    digital = None if dice is None else dice == "digital"
    call = Call(lang_of(ctx), players, rules_name, digital, path, resume, script, _language_named(ctx))
    play(call, open_console(call), SystemDice())


def _language_named(ctx: click.Context | None) -> bool:
    """Whether `--lang` was given, to this command or before it."""
    while ctx is not None:
        if ctx.get_parameter_source("lang") is ParameterSource.COMMANDLINE:
            return True
        ctx = ctx.parent
    return False
