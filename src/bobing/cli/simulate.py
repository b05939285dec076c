"""`bobing simulate`: very many games, and what comes of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bobing.cli.common import Command, emit, lang_of, lang_option, option, rules_option, say
from bobing.cli.digits import Number, Whole
from bobing.cli.inputs import load_rules
from bobing.core.rules import RuleSet
from bobing.figures import measured, near, percent
from bobing.i18n import text
from bobing.naming import combination_name, rules_name, tier_name
from bobing.odds.simulate import Setting, is_prepared, simulate
from bobing.odds.words import simulated_whole

if TYPE_CHECKING:
    from bobing.odds.simulate.result import Simulation

STOPPED = 130


@click.command(cls=Command, help="simulate")
@rules_option()
@option("--players", "seats", type=Whole(), default=10, metavar="N", help="simulate_players")
@option("--games", type=Whole(), default=100_000, metavar="N", help="simulate_games")
@option("--seed", type=Whole(), default=0, metavar="N", help="simulate_seed")
@option("--seconds", type=Number(), default=12.0, metavar="S", help="simulate_seconds")
@option("--spills", type=Number(), default=0.0, metavar="P", help="simulate_spills")
@option("--workers", type=Whole(1, 1024), metavar="N", help="simulate_workers")
@option("--state", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="simulate_state")
@option("--cluster", metavar="ADDRESS", help="simulate_cluster")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(
    ctx: click.Context, rules_name: str | None, games: int, workers: int | None, state: Path | None,
    cluster: str | None, as_json: bool, **table: Any,
) -> None:  # fmt: skip
    """Play very many games and print what comes of them."""
    setting = Setting(load_rules(rules_name), **table)
    lang = lang_of(ctx)
    setting.check()
    if cluster is None:
        _prepare(lang)
    try:
        with _bar(games, lang) as progress:
            found = simulate(setting, games, workers=workers, state=state, cluster=cluster, progress=progress)
    except KeyboardInterrupt:
        click.echo(text(lang, "simulate.stopped_kept" if state else "simulate.stopped", file=state), err=True)
        ctx.exit(STOPPED)
    if as_json:
        emit(found.to_json())
    else:
        _tell(found, lang)


def _prepare(lang: str) -> None:
    """Say on standard error, where somebody looks at it, that the first run on a machine compiles before it plays."""
    if sys.stderr.isatty() and not is_prepared():
        click.echo(text(lang, "simulate.preparing"), err=True)


@contextmanager
def _bar(games: int, lang: str) -> Generator[Callable[[int], None] | None]:
    """A progress bar on standard error, where somebody looks at it."""
    if not sys.stderr.isatty():
        yield None
        return
    label = text(lang, "simulate.playing")
    with click.progressbar(length=games, label=label, file=sys.stderr, show_pos=True) as bar:
        done = 0

        def progress(now: int) -> None:
            nonlocal done
            bar.update(now - done)
            done = now

        yield progress


def _tell(found: Simulation, lang: str) -> None:
    rules, seats = found.setting.rules, found.setting.seats

    def line(which: str, **values: object) -> None:
        say(text(lang, f"simulate.{which}", **values))

    line("heading", sheet=rules_name(rules, lang), code=rules.key, n=seats, games=f"{found.games:,}")
    mean, error = found.throws
    line("throws", mean=measured(mean, error, 2), sd=measured(found.sd, found.sd_error, 2))
    shares = {"median": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
    line("quantiles", **{
        name: near(f"{found.quantile(share)}", found.quantile_error(share)) for name, share in shares.items()
    })  # fmt: skip
    line("title", none=percent(*found.no_champion), changes=f"{found.title_changes:.2f}")
    _table(found, lang)
    won = [(form, figure) for form, figure in found.won_with.items() if figure[0]]
    if won:
        forms = text(lang, "simulate.and").join(
            f"{_form(rules, form, lang)} {percent(*figure)}" for form, figure in won
        )
        line("won_with", forms=forms)
    for key, value in (("chases", found.chases), ("rolloffs", found.rolloffs)):
        if value:
            line(key, n=f"{value:.2f}")
    say(simulated_whole(found.games, found.setting.seed, lang))


def _table(found: Simulation, lang: str) -> None:
    """A row for each tier: cakes of the first and the last seat, when it is gone, how often it is waited for, left."""
    from bobing.cli.table.cells import pad, width

    rules = found.setting.rules
    columns = ("tier", "first", "last", "gone", "waited", "left")
    rows = [[text(lang, f"simulate.column_{column}") for column in columns]]
    rows += [
        [
            tier_name(rules, tier, lang),
            _mean(found.cakes[tier][0]),
            _mean(found.cakes[tier][-1]),
            f"≈ {found.gone_after[tier]:.1f}",
            percent(*found.last[tier]),
            _mean(found.left[tier]),
        ]
        for tier in rules.cakes
    ]
    rooms = [max(width(row[i]) for row in rows) for i in range(len(columns))]
    for row in rows:
        first, *rest = zip(row, rooms, strict=True)
        say("  " + pad(*first) + "".join("  " + " " * (room - width(cell)) + cell for cell, room in rest))


def _form(rules: RuleSet, form: str, lang: str) -> Any:
    return text(lang, "simulate.three_dice") if form == "three-dice" else combination_name(rules, form, lang)


def _mean(figure: tuple[float, float]) -> str:
    return measured(*figure, 3)
