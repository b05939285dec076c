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
from bobing.i18n import text
from bobing.naming import combination_name, rules_name, tier_name
from bobing.odds.simulate import Setting, simulate

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
    line("throws", mean=f"{mean:.2f}", error=f"{error:.2f}", sd=f"{found.sd:.2f}")
    line(
        "quantiles",
        median=found.quantile(0.5),
        p90=found.quantile(0.9),
        p95=found.quantile(0.95),
        p99=found.quantile(0.99),
    )
    line("title", none=_share(found.no_champion[0]), changes=f"{found.title_changes:.2f}")
    _table(found, lang)
    won = [(form, chance) for form, (chance, _) in found.won_with.items() if chance]
    if won:
        forms = text(lang, "simulate.and").join(f"{_form(rules, form, lang)} {_share(chance)}" for form, chance in won)
        line("won_with", forms=forms)
    for key, value in (("chases", found.chases), ("rolloffs", found.rolloffs)):
        if value:
            line(key, n=f"{value:.2f}")
    line("exactly", seed=found.setting.seed)


def _table(found: Simulation, lang: str) -> None:
    """A row for each tier: cakes of the first and the last seat, when it is gone, how often it is waited for, left."""
    from bobing.cli.table.cells import pad, width

    rules = found.setting.rules
    columns = ("tier", "first", "last", "gone", "waited", "left")
    rows = [[text(lang, f"simulate.column_{column}") for column in columns]]
    rows += [
        [
            tier_name(rules, tier, lang),
            f"{found.cakes[tier][0][0]:.4f}",
            f"{found.cakes[tier][-1][0]:.4f}",
            f"{found.gone_after[tier]:.1f}",
            _share(found.last[tier][0]),
            f"{found.left[tier][0]:.3f}",
        ]
        for tier in rules.cakes
    ]
    rooms = [max(width(row[i]) for row in rows) for i in range(len(columns))]
    for row in rows:
        first, *rest = zip(row, rooms, strict=True)
        say("  " + pad(*first) + "".join("  " + " " * (room - width(cell)) + cell for cell, room in rest))


def _form(rules: RuleSet, form: str, lang: str) -> Any:
    return text(lang, "simulate.three_dice") if form == "three-dice" else combination_name(rules, form, lang)


def _share(chance: float) -> str:
    return f"{100 * chance:.2f} %"
