"""How the main results look in a notebook: tables in the language of the locale, and the curve of a length."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.rules import RuleSet
from bobing.figures import measured, near, percent
from bobing.i18n import language, text
from bobing.naming import combination_name, rules_name, tier_name

if TYPE_CHECKING:
    from bobing.odds.exact import ThrowOdds
    from bobing.odds.lengths import Length
    from bobing.odds.plan import Plan
    from bobing.odds.sharing import Shares
    from bobing.odds.simulate.result import Simulation

WIDE, HIGH = 480, 120


def throw_html(odds: ThrowOdds) -> str:
    """Every combination with its number of throws and its chance."""
    lang, rules = _lang(), _named(odds.sheet)
    rows = (
        [combination_name(rules, key, lang), f"{ways:,}", percent(ways / 46_656), f"{46_656 / ways:,.1f}"]
        for key, ways in odds.combinations.items()
        if ways
    )
    heads = _texts(lang, "combination", "ways", "chance", "one_in")
    return _table(text(lang, "odds.throw_heading", sheet=_called(odds.sheet, None, lang)), heads, rows)


def length_html(length: Length) -> str:
    """The figures of a length, and the chance that a game is over, throw by throw."""
    from bobing.odds.words import of_length

    lang, rules = _lang(), length.rules or _named(length.sheet)
    rows = [
        [text(lang, "odds.diff_mean"), measured(length.mean, length.error, 2)],
        [text(lang, "odds.sd"), measured(length.sd, length.sd_error, 2)],
        *(
            [
                text(lang, "odds.diff_quantile", share=f"{share * 100:g} %"),
                near(f"{length.quantile(share)}", length.quantile_error(share)),
            ]
            for share in (0.5, 0.9, 0.95, 0.99)
        ),
        [text(lang, "odds.diff_no_champion"), percent(length.no_champion, length.no_champion_error)],
    ]
    heading = text(lang, "odds.length_heading", sheet=_called(length.sheet, length.rules, lang), n=length.players)
    table = _table(heading, ("", text(lang, "odds.throws")), rows, of_length(rules, length, lang))
    return table + _curve(length, lang)


def shares_html(shares: Shares) -> str:
    """Cakes by seat and tier, and each seat's chance of the title."""
    from bobing.odds.words import of_nobody, of_shares

    lang, rules = _lang(), shares.rules or _named(shares.sheet)
    nothing = [0.0] * shares.players
    errors = {name: shares.errors.get(name, nothing) for name in (*shares.cakes, "champion")}
    heads = [text(lang, "odds.seat"), *(tier_name(rules, tier, lang) for tier in shares.cakes)]
    rows = [
        [
            f"{seat + 1}",
            *(measured(cakes[seat], errors[tier][seat], 4) for tier, cakes in shares.cakes.items()),
        ]
        for seat in range(shares.players)
    ]
    if shares.champion:
        heads.append(text(lang, "odds.title"))
        for seat, row in enumerate(rows):
            row.append(percent(shares.champion[seat], errors["champion"][seat]))
    heading = text(lang, "odds.shares_heading", sheet=_called(shares.sheet, shares.rules, lang), n=shares.players)
    return _table(heading, heads, rows, [*of_nobody(shares, lang), *of_shares(rules, shares, lang)])


def simulation_html(found: Simulation) -> str:
    """The length of a simulated game, and what the first and the last seat get of each tier, with standard errors."""
    from bobing.odds.words import simulated_whole

    lang, rules = _lang(), found.setting.rules
    rows = [
        [text(lang, "odds.throws"), measured(*found.throws, 2), ""],
        [text(lang, "odds.diff_no_champion"), percent(*found.no_champion), ""],
        *(
            [tier_name(rules, tier, lang), *(measured(mean, error, 4) for mean, error in (seats[0], seats[-1]))]
            for tier, seats in found.cakes.items()
        ),
    ]
    heading = text(
        lang, "simulate.heading", sheet=rules_name(rules, lang), code=rules.key, n=found.setting.seats,
        games=f"{found.games:,}",
    )  # fmt: skip
    heads = ("", text(lang, "simulate.column_first"), text(lang, "simulate.column_last"))
    return _table(heading, heads, rows, [simulated_whole(found.games, found.setting.seed, lang)])


def plan_html(plan: Plan) -> str:
    """A plan and its other ways: minutes, the chance of no champion, what is left in a game."""
    from bobing.odds.plan.words import footnote, heading, ways

    lang = _lang()
    heads, *rows = ways(plan, lang)
    return _table(heading(plan, lang), heads, rows, footnote(plan, lang))


def _lang() -> str:
    return language(None, os.environ)


def _named(key: str) -> RuleSet:
    """The sheet of that key; the default one, whose names are those of the glossary, for house rules."""
    return find_sheet(key) if key in sheet_keys() else find_sheet()


def _called(key: str, rules: RuleSet | None, lang: str) -> str:
    if rules is None and key not in sheet_keys():
        return key
    return rules_name(rules or find_sheet(key), lang)


def _texts(lang: str, *keys: str) -> Sequence[str]:
    return [text(lang, f"odds.{key}") for key in keys]


def _curve(length: Length, lang: str) -> str:
    """The chance that the game is over after n throws, up to where nearly all are."""
    last = max(1, length.quantile(0.999))
    step = max(1, last // 200)
    points = [(n, 1 - length.beyond[n] if n < len(length.beyond) else 1.0) for n in range(0, last + 1, step)]
    line = " ".join(f"{WIDE * n / last:.1f},{HIGH * (1 - over):.1f}" for n, over in points)
    said = escape(text(lang, "odds.curve_said", half=length.median, nine=length.p90))
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" aria-label="{said}">'
        f'<polyline points="{line}" fill="none" stroke="#1f4e9c" stroke-width="2"/></svg>'
    )


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str] = ()) -> str:
    head = "".join(f"<th>{escape(words)}</th>" for words in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f"<{tag}>{escape(words)}</{tag}>" for tag, words in zip(["th", *["td"] * len(row)], row, strict=False)
        )
        + "</tr>"
        for row in rows
    )
    below = "".join(f"<p>{escape(note.strip())}</p>" for note in notes)
    table = f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return table + below
