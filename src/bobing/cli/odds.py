"""`bobing odds`: what a throw brings, how many throws a game takes, and who wins what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from bobing.cli.common import Command, Group, emit, lang_of, lang_option, option, rules_option, say
from bobing.cli.digits import Number, Whole
from bobing.cli.inputs import load_rules
from bobing.cli.patience import patience
from bobing.core.scorebook import THROWS
from bobing.core.settings import ZHUANGYUAN
from bobing.figures import measured, near, percent
from bobing.i18n import text
from bobing.naming import combination_name, rules_name, tier_name
from bobing.odds.simulate import GAMES_MAX

if TYPE_CHECKING:
    from bobing.core.game import Game
    from bobing.core.record import Record
    from bobing.core.rules import RuleSet
    from bobing.odds.exact import ThrowOdds
    from bobing.odds.lengths import Length
    from bobing.odds.sharing import Shares

SHARES = (0.5, 0.9, 0.95, 0.99, 0.999)


@click.group(cls=Group, help="odds_group")
@lang_option()
def command() -> None:
    """Tell the odds."""


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is played, by how many, and how it is simulated where there is no exact way."""
    for name, attributes in (
        ("--seed", {"type": Whole(), "default": 0, "metavar": "N", "help": "odds_seed"}),
        ("--games", {"type": Whole(1, GAMES_MAX), "default": 100_000, "metavar": "N", "help": "odds_games"}),
        ("--throws", {"type": Whole(), "metavar": "N", "help": "odds_throws"}),
        ("--seconds", {"type": Number(), "default": 12.0, "metavar": "S", "help": "simulate_seconds"}),
        ("--players", {"type": Whole(), "default": 10, "metavar": "N", "help": "odds_players"}),
    ):
        command = option(name, **attributes)(command)
    return rules_option()(command)


@command.command("throw", cls=Command, help="odds_throw")
@rules_option()
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def throw_(ctx: click.Context, rules_name: str | None, as_json: bool) -> None:
    """Print what one throw brings."""
    from bobing.odds.exact import throw

    rules = load_rules(rules_name)
    odds = throw(rules)
    if as_json:
        emit(odds.to_json())
    else:
        _tell_throw(rules, odds, lang_of(ctx))


@command.command("length", cls=Command, help="odds_length")
@table_options
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def length_(ctx: click.Context, rules_name: str | None, as_json: bool, **table: Any) -> None:
    """Print how many throws a game takes."""
    from bobing.odds.answers import length

    rules = load_rules(rules_name)
    with patience(lang_of(ctx)):
        found = length(rules, **table)
    if as_json:
        emit(found.to_json())
    else:
        _tell_length(rules, found, table["seconds"], lang_of(ctx))


@command.command("shares", cls=Command, help="odds_shares")
@table_options
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def shares_(ctx: click.Context, rules_name: str | None, as_json: bool, **table: Any) -> None:
    """Print who wins what, seat by seat."""
    from bobing.odds.answers import shares

    rules = load_rules(rules_name)
    with patience(lang_of(ctx)):
        found = shares(rules, **table)
    if as_json:
        emit(found.to_json())
    else:
        _tell_shares(rules, found, lang_of(ctx))


@command.command("table", cls=Command, help="odds_table")
@click.argument("file")
@option("--games", type=Whole(1, GAMES_MAX), default=100_000, metavar="N", help="odds_games")
@option("--seed", type=Whole(0), default=0, metavar="N", help="odds_seed")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def table_(ctx: click.Context, file: str, games: int, seed: int, as_json: bool) -> None:
    """Print what may still come at a table, from the record of its game so far."""
    from bobing.cli.record import read_game
    from bobing.odds.answers import overtaken

    record, _ = read_game(ctx, file)
    with patience(lang_of(ctx)):
        found, install = _standing(record.game, games, seed)
    chance = overtaken(record.game, found)
    if as_json:
        emit({**found.to_json(), "overtaken": chance, "install": install})
    else:
        _tell_table(record, found, chance, lang_of(ctx))
        if install:
            say(text(lang_of(ctx), "odds.install", command=install))


def _standing(game: Game, games: int, seed: int) -> tuple[Shares, str]:
    """What may still come, and the command that installs what would simulate the figures that are left out, if any."""
    from bobing.odds.answers import known_standing, standing
    from bobing.odds.simulate import SimulationError, install_line

    try:
        return standing(game, games=games, seed=seed), ""
    except SimulationError as error:
        if error.code != "odds/needs_extra":
            raise
        return known_standing(game), install_line("sim")


def _tell_table(record: Record, found: Shares, overtaken: float | None, lang: str) -> None:
    from bobing.odds.words import of_nobody, of_shares

    rules, title = record.game.rules, record.game.state.title
    names = [record.names.get(seat, f"{seat + 1}") for seat in range(found.players)]
    tiers = [tier for tier, cakes in found.cakes.items() if any(cakes) and tier != ZHUANGYUAN]
    say(text(lang, "odds.table_heading", sheet=rules_name(rules, lang), n=len(record.game.log)))
    heads = (text(lang, "odds.seat"), *(tier_name(rules, tier, lang) for tier in tiers))
    marks = {name: "≈ " if name in found.doubts else "" for name in (*tiers, "champion")}
    rows = [
        (name, *(f"{marks[tier]}{found.cakes[tier][seat]:.3f}" for tier in tiers)) for seat, name in enumerate(names)
    ]
    if found.champion:
        heads = (*heads, text(lang, "odds.title"))
        rows = [
            (*row, f"{marks['champion']}{percent(chance)}") for row, chance in zip(rows, found.champion, strict=True)
        ]
    _grid(heads, rows)
    if title is not None and overtaken is not None:
        errors = found.errors.get("champion")
        chance = percent(overtaken, errors[title] if errors else 0.0)
        say(text(lang, "odds.overtaken", name=names[title], chance=chance))
    _say_all([*of_nobody(found, lang), *of_shares(rules, found, lang)])


def _say_all(lines: Sequence[str]) -> None:
    for line in lines:
        say(f"  {line}")


def _tell_throw(rules: RuleSet, odds: ThrowOdds, lang: str) -> None:
    heads = (
        text(lang, "odds.combination"),
        text(lang, "odds.ways"),
        text(lang, "odds.chance"),
        text(lang, "odds.one_in"),
    )
    rows = [
        (combination_name(rules, key, lang), f"{ways:,}", percent(ways / THROWS), f"{THROWS / ways:,.1f}")
        for key, ways in odds.combinations.items()
        if ways
    ]
    say(text(lang, "odds.throw_heading", sheet=rules_name(rules, lang)))
    _grid(heads, rows)
    say()
    heads = (text(lang, "odds.prize"), text(lang, "odds.ways"), text(lang, "odds.beside"), text(lang, "odds.chance"))
    _grid(
        heads,
        [
            (
                tier_name(rules, tier, lang),
                f"{ways:,}",
                f"{odds.bonus.get(tier, 0):,}",
                percent(odds.cakes(tier) / THROWS),
            )
            for tier, ways in odds.awards.items()
        ],
    )
    say(text(lang, "odds.strengths", n=len(odds.strengths)))


def _tell_length(rules: RuleSet, found: Length, seconds: float, lang: str) -> None:
    from bobing.odds.words import of_length

    say(text(lang, "odds.length_heading", sheet=rules_name(rules, lang), n=found.players))
    mean, sd = measured(found.mean, found.error, 2), measured(found.sd, found.sd_error, 2)
    say(text(lang, "odds.mean", mean=mean, sd=sd))
    for share in SHARES:
        throws = found.quantile(share)
        values = {"share": f"{share * 100:g} %", "n": near(f"{throws}", found.quantile_error(share))}
        say(text(lang, "odds.quantile", **values, minutes=f"{throws * seconds / 60:.0f}"))
    if found.no_champion or found.no_champion_error:
        say(text(lang, "odds.no_champion", chance=percent(found.no_champion, found.no_champion_error)))
    for tier, left in found.left.items():
        if left.chance > 1e-9:
            values = {"chance": percent(left.chance, left.chance_error), "mean": near(_few(left.mean), left.mean_error)}
            say(text(lang, "odds.left", tier=tier_name(rules, tier, lang), **values))
    _say_all(of_length(rules, found, lang))


def _few(mean: float) -> str:
    """A mean in two places, or in as many as a small one needs."""
    return f"{mean:.2f}" if mean >= 0.1 else f"{mean:.2g}" if mean >= 0.0001 else "< 0.0001"


def _tell_shares(rules: RuleSet, found: Shares, lang: str) -> None:
    from bobing.odds.words import of_nobody, of_shares

    say(text(lang, "odds.shares_heading", sheet=rules_name(rules, lang), n=found.players))
    tiers = list(found.cakes)
    heads = (text(lang, "odds.seat"), *(tier_name(rules, tier, lang) for tier in tiers), text(lang, "odds.title"))
    marks = {name: "≈ " if name in found.doubts else "" for name in (*tiers, "champion")}
    rows = [
        (
            f"{seat + 1}",
            *(f"{marks[tier]}{found.cakes[tier][seat]:.4f}" for tier in tiers),
            f"{marks['champion']}{percent(found.champion[seat])}",
        )
        for seat in range(found.players)
    ]
    _grid(heads, rows)
    _tell_advantage(found, lang)
    _say_all(of_nobody(found, lang))
    eaten = [
        f"{tier_name(rules, tier, lang)} {measured(mean, error, 4)}"
        for tier, (mean, error) in found.pool.items()
        if mean
    ]
    if eaten:
        say(text(lang, "odds.pool", tiers=text(lang, "game.comma").join(eaten)))
    _say_all(of_shares(rules, found, lang))


def _tell_advantage(found: Shares, lang: str) -> None:
    """How much going first is worth, in percentage points of the title, with the error where it is simulated."""
    first, equal = found.champion[0], (1 - (found.no_champion or 0.0)) / found.players
    error = found.errors["champion"][0] if "champion" in found.errors else 0.0
    seen = abs(first - equal) > max(2 * error, 1e-9)
    key = "none" if not seen else "more" if first > equal else "less"
    values = {
        "chance": percent(first, error),
        "equal": percent(equal),
        "points": f"{100 * abs(first - equal):.2f}",
    }
    say(text(lang, f"odds.advantage_{key}", **values))


def differences_json(pair: tuple[RuleSet, RuleSet]) -> dict[str, Any]:
    """What `rules diff --odds` adds: for each figure that of the left sheet and that of the right one."""
    from bobing.odds.answers import length
    from bobing.odds.exact import throw

    left, right = map(throw, pair)

    def both(what: str) -> dict[str, list[int]]:
        counts: tuple[dict[str, int], dict[str, int]] = getattr(left, what), getattr(right, what)
        return {key: [counts[0].get(key, 0), counts[1].get(key, 0)] for key in {**counts[0], **counts[1]}}

    return {
        "throws": THROWS,
        "combinations": both("combinations"),
        "awards": both("awards"),
        "bonus": both("bonus"),
        "none": [left.none, right.none],
        "length": [length(rules, _usual(pair)).to_json() for rules in pair],
    }


def tell_differences(pair: tuple[RuleSet, RuleSet], labels: tuple[str, str], lang: str) -> None:
    """The same in words."""
    from bobing.odds.answers import length
    from bobing.odds.exact import throw
    from bobing.odds.words import simulated_length

    names = tuple(rules_name(rules, lang) for rules in pair)
    names = names if names[0] != names[1] else labels
    say(text(lang, "odds.diff_throws"))
    odds = tuple(map(throw, pair))
    keys = dict.fromkeys(key for found in odds for key in found.combinations)
    counts = {key: tuple(found.combinations.get(key, 0) for found in odds) for key in keys}
    unlike = {key: pair for key, pair in counts.items() if pair[0] != pair[1]}
    if not unlike:
        say(text(lang, "odds.diff_same"))
    home = {key: pair[0] if odds[0].combinations.get(key) else pair[1] for key in unlike}
    rows = [[combination_name(home[key], key, lang), *(f"{ways:,}" for ways in pair)] for key, pair in unlike.items()]
    if rows:
        _grid(("", *names), rows)
    players = _usual(pair)
    say(text(lang, "odds.diff_length", n=players))
    found = [length(rules, players) for rules in pair]

    def row(label: str, told: Callable[[Length], str]) -> tuple[str, ...]:
        return label, *map(told, found)

    figures = [row(text(lang, "odds.diff_mean"), lambda one: measured(one.mean, one.error, 2))]
    for share in SHARES[:-1]:
        label = text(lang, "odds.diff_quantile", share=f"{share * 100:g} %")
        figures.append(row(label, lambda one, share=share: near(f"{one.quantile(share)}", one.quantile_error(share))))
    nobody = text(lang, "odds.diff_no_champion")
    figures.append(row(nobody, lambda one: percent(one.no_champion, one.no_champion_error)))
    _grid(("", *names), figures)
    for name, one in zip(names, found, strict=True):
        if one.played:
            say(f"  {text(lang, 'rules.of_tier', tier=name, what=simulated_length(one, lang))}")


def _usual(pair: tuple[RuleSet, RuleSet]) -> int:
    """Ten players, or as many as both sheets need."""
    return max(10, *(rules.setup.seats_min for rules in pair))


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table: the first column to the left, the others to the right."""
    from bobing.cli.table.cells import pad, width

    lines = [heads, *rows]
    wide = [max(width(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        cells = [pad(line[0], wide[0]), *(pad(cell, room, ">") for cell, room in zip(line[1:], wide[1:], strict=True))]
        say("  " + "  ".join(cells).rstrip())
