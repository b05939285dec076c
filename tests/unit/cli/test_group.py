"""The command group itself: names, refusals, and what it does not load."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from bobing import __version__, cli
from bobing.i18n import LANGUAGES, text


def run(*args):
    return CliRunner().invoke(cli.main, args)


def test_version():
    assert run("--version").output == f"bobing, version {__version__}\n"


def test_help_names_every_command():
    listed = run("--help").output.split("Commands:")[1]
    assert [line.split()[0] for line in listed.splitlines() if line[:3].strip()] == list(cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"main {name}" in result.output


def commands_in(command):
    yield command
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner
            yield from commands_in(inner)


def test_a_list_of_commands_says_a_whole_sentence_of_each():
    told = {f"{one.name} {lang}": text(lang, f"cli.{one.help}") for one in commands_in(cli.main) for lang in LANGUAGES}
    assert len(told) > 3 * len(cli.COMMANDS)
    heads = {name: words.partition("\n")[0] for name, words in told.items()}
    assert {name: head for name, head in heads.items() if not head.endswith((".", "。"))} == {}


def test_a_wrong_name_is_refused_with_the_nearest_right_one():
    result = run("scor")
    assert result.exit_code == 2
    assert "'scor'" in result.output
    assert "score" in result.output


def test_a_file_beside_the_commands_is_not_a_command():
    assert run("__init__").exit_code == 2


def loaded_by(code):
    report = "import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", f"{code}; {report}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_of_it():
    assert {name for name in loaded_by("import bobing") if name.startswith("bobing.")} == set()


def test_the_group_loads_no_command_and_nothing_heavy():
    loaded = loaded_by("import bobing.cli")
    ours = {name for name in loaded if name.startswith("bobing.")}
    assert ours == {"bobing.cli", "bobing.cli.common", "bobing.core", "bobing.core.errors", "bobing.i18n"}
    assert not loaded & {"rich", "textual", "numpy", "asyncio", "importlib.metadata"}
