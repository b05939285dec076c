"""The command line: `bobing COMMAND`.

Each command is a module of this package with one `click` command named `command`. A module is imported when its
command is used, so that `bobing score` does not wait for what `bobing play` needs.
"""

from importlib import import_module
from importlib.util import find_spec

import click

from bobing import __version__
from bobing.cli.common import Group, Option, lang_option

COMMANDS = (
    *("score", "rules", "referee", "play", "record", "verify", "serve", "db", "doctor"),
    *("odds", "simulate", "plan", "print", "event"),
)


class LazyGroup(Group):
    """A group that imports `bobing.cli.NAME` when NAME is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """Name the commands in the order a newcomer meets them."""
        return [name for name in COMMANDS if find_spec(f"{__name__}.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give the command, or None when there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command


@click.group(cls=LazyGroup, help="bobing", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bobing", cls=Option, help="version")
@lang_option()
def main() -> None:
    """Bo Bing 博饼: score throws, read rule sheets, referee and play whole games."""
