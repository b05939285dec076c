"""`bobing rules`: the named sheets and rule files, what they decide, how they differ, what they make of all throws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bobing.cli.common import REFUSED, Command, Group, complain, emit, lang_of, lang_option, option, say, tell
from bobing.cli.inputs import load_rules
from bobing.cli.table.cells import pad, width
from bobing.core.catalogue import DEFAULT_SHEET, find_sheet, sheet_keys
from bobing.core.dimensions import value_at
from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS, scorebook, ways
from bobing.i18n import text
from bobing.i18n.settings import point_title
from bobing.naming import tier_name
from bobing.points import differing, origin_of, origin_words, points_of, told_words
from bobing.scored import named


@click.group(cls=Group, help="rules_group")
@lang_option()
def command() -> None:
    """Read rule sheets."""


@command.command("list", cls=Command, help="rules_list")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def list_sheets(ctx: click.Context, as_json: bool) -> None:
    """Print all named sheets."""
    lang, sheets = lang_of(ctx), [find_sheet(key) for key in sheet_keys()]
    if as_json:
        listed = [
            {"key": rules.key, "ids": list(rules.aliases), "names": dict(rules.names), "source": rules.source}
            for rules in sheets
        ]
        emit({"default": DEFAULT_SHEET, "sheets": listed})
        return
    for rules in sheets:
        ids = ", ".join(rules.aliases)
        default = text(lang, "rules.default") if rules.key == DEFAULT_SHEET else ""
        say(f"{pad(rules.key, 20)}{pad(ids, 12)}{named(rules.names, lang, rules.key)}{default}".rstrip())


@command.command(cls=Command, help="rules_show")
@click.argument("key", metavar="KEY|FILE")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def show(ctx: click.Context, key: str, as_json: bool) -> None:
    """Print what a sheet decides on each point, and where that comes from."""
    lang, rules = lang_of(ctx), load_rules(key)
    if as_json:
        emit(_shown(rules, lang))
        return
    say(_heading(rules, lang))
    group = ""
    for point in points_of(rules, lang):
        if point.point[0] != group:
            group = point.point[0]
            say(f"\n{text(lang, f'rules.group_{group}')}")
        tell(f"{point.point:<4} ", f"{point.title}  [{origin_words(point.origin, lang)}]")
        for words in point.words:
            tell("     ", words)


@command.command(cls=Command, help="rules_diff")
@click.argument("left", metavar="KEY|FILE")
@click.argument("right", metavar="KEY|FILE")
@option("--odds", is_flag=True, help="rules_diff_odds")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def diff(ctx: click.Context, left: str, right: str, odds: bool, as_json: bool) -> None:
    """Print the points on which two sheets differ."""
    lang, pair = lang_of(ctx), (load_rules(left), load_rules(right))
    if as_json:
        from bobing.cli.odds import differences_json

        chances = {"odds": differences_json(pair)} if odds else {}
        emit({"left": pair[0].key, "right": pair[1].key, "points": _differences(*pair, lang), **chances})
        return
    _say_differences(pair, (_label(left), _label(right)), lang)
    if odds:
        from bobing.cli.odds import tell_differences

        say()
        tell_differences(pair, (_label(left), _label(right)), lang)


@command.command(cls=Command, help="rules_check")
@click.argument("file")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def check(ctx: click.Context, file: str, as_json: bool) -> None:
    """Say whether a rule file can be used, and what it changes."""
    lang = lang_of(ctx)
    try:
        rules = load_rules(file)
    except RulesError as bad:
        if as_json:
            emit({"ok": False, "code": bad.code, "path": bad.path, "message": str(bad)})
        complain(bad, lang)
        ctx.exit(REFUSED)
    parent = find_sheet(rules.extends) if rules.extends else rules
    if as_json:
        about = {"key": rules.key, "extends": rules.extends, "digest": rules.digest}
        emit({"ok": True, **about, "points": _differences(parent, rules, lang), "fallen": _fallen(parent, rules)})
        return
    say(text(lang, "rules.usable", name=_called(rules, lang), parent=_called(parent, lang)))
    say()
    _say_differences((parent, rules), (parent.key, _label(file)), lang)
    for tier, counts in _fallen(parent, rules).items():
        called = {won: tier_name(rules, won, lang) if won else text(lang, "rules.no_award") for won in counts}
        parts = (text(lang, "rules.fallen_part", name=called[won], n=f"{n:,}") for won, n in counts.items())
        what = text(lang, "game.comma").join(parts)
        say(text(lang, "rules.fallen", tier=tier_name(parent, tier, lang), what=what))


@command.command(cls=Command, help="rules_census")
@click.argument("key", metavar="KEY|FILE")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def census(ctx: click.Context, key: str, as_json: bool) -> None:
    """Count what all 46,656 throws win."""
    lang, rules = lang_of(ctx), load_rules(key)
    found = scorebook(rules).census()
    if as_json:
        counts = {"awards": dict(found.awards), "bonus": dict(found.bonus)}
        emit({**counts, "none": found.none, "strengths": found.strengths})
        return
    say(_called(rules, lang))
    for tier, throws in found.awards.items():
        _say_count(tier_name(rules, tier, lang), throws, found.bonus.get(tier, 0), lang)
    _say_count(text(lang, "rules.no_award"), found.none, 0, lang)
    say(text(lang, "rules.strengths", n=found.strengths))


def _fallen(parent: RuleSet, rules: RuleSet) -> dict[str, dict[str, int]]:
    """Of each tier that house rules do without: how many of its throws win which tier now; "" where nothing."""
    found: dict[str, dict[str, int]] = {tier: {} for tier in parent.lower if tier not in rules.cakes}
    now = scorebook(rules).rows
    for hand, row in scorebook(parent).rows.items():
        if row.tier in found:
            counts, won = found[row.tier], now[hand].tier or ""
            counts[won] = counts.get(won, 0) + ways(hand)
    return {tier: dict(sorted(counts.items(), key=lambda entry: -entry[1])) for tier, counts in found.items()}


def _say_count(label: str, throws: int, bonus: int, lang: str) -> None:
    beside = text(lang, "rules.beside", n=bonus) if bonus else ""
    say(f"  {pad(label, 18)}{throws:>7}{100 * throws / THROWS:>8.3f} %{beside}")


def _called(rules: RuleSet, lang: str) -> str:
    if not rules.names:
        return rules.key
    return text(lang, "score.sheet", name=named(rules.names, lang, rules.key), sheet=rules.key)


def _heading(rules: RuleSet, lang: str) -> str:
    head = text(lang, "rules.heading", name=_called(rules, lang), source=rules.source)
    if rules.aliases:
        head += text(lang, "rules.heading_ids", ids=", ".join(rules.aliases))
    if rules.extends:
        head += text(lang, "rules.heading_extends", parent=rules.extends)
    return head


def _shown(rules: RuleSet, lang: str) -> dict[str, Any]:
    points = {
        point.point: {
            "title": point.title,
            "values": dict(point.values),
            "words": list(point.words),
            "origin": {"kind": point.origin.kind, "where": point.origin.where},
        }
        for point in points_of(rules, lang)
    }
    about = {"key": rules.key, "ids": list(rules.aliases), "names": dict(rules.names), "source": rules.source}
    return {**about, "extends": rules.extends, "digest": rules.digest, "points": points}


def _differences(left: RuleSet, right: RuleSet, lang: str) -> dict[str, Any]:
    return {
        point: {
            "title": point_title(lang, point),
            "values": {path: [value_at(left, path), value_at(right, path)] for path in paths},
        }
        for point, paths in differing(left, right).items()
    }


def _label(named_as: str) -> str:
    """What a sheet is called beside its values: as in the call, a file without its folders."""
    return Path(named_as).name[:24]


def _say_differences(pair: tuple[RuleSet, RuleSet], labels: tuple[str, str], lang: str) -> None:
    found, room = differing(*pair), max(map(width, labels)) + 2
    for point, paths in found.items():
        say(f"{point:<4} {point_title(lang, point)}")
        for rules, label in zip(pair, labels, strict=True):
            words = [said for path in paths if (said := told_words(rules, point, path, lang)) is not None]
            origin = origin_words(origin_of(rules, point), lang)
            for i, said in enumerate(words or [text(lang, "rules.nothing")]):
                mark = pad("" if i else label, room)
                tell(f"     {mark}", said if i else f"{said}  [{origin}]")
    say(text(lang, "rules.differ" if found else "rules.same", n=len(found)))
