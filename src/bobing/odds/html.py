"""How the main results look in a notebook: plain tables, and the curve of a length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bobing.odds.exact import ThrowOdds
    from bobing.odds.lengths import Length
    from bobing.odds.plan import Plan
    from bobing.odds.sharing import Shares
    from bobing.odds.simulate.result import Simulation

WIDE, HIGH = 480, 120


def throw_html(odds: ThrowOdds) -> str:
    """Every combination with its number of throws and its chance."""
    rows = ([_called(key), f"{ways:,}", *_chance(ways / 46_656)] for key, ways in odds.combinations.items() if ways)
    return _table(f"{odds.sheet}: 46,656 throws", ("combination", "throws", "chance", "one in"), rows)


def length_html(length: Length) -> str:
    """The figures of a length, and the chance that a game is over, throw by throw."""
    rows = [
        ["mean", f"{length.mean:.2f}" + (f" ± {length.error:.2f}" if "length" in length.doubts else "")],
        ["standard deviation", f"{length.sd:.2f}"],
        *([f"{share:.0%} of games", f"{length.quantile(share)}"] for share in (0.5, 0.9, 0.95, 0.99)),
        ["no champion", f"{length.no_champion:.4%}"],
    ]
    source = "exact" if length.exact else f"{length.games:,} games simulated"
    return _table(f"{length.sheet}, {length.players} players ({source})", ("", "throws"), rows) + _curve(length)


def shares_html(shares: Shares) -> str:
    """Cakes by seat and tier, and each seat's chance of the title."""
    tiers = list(shares.cakes)
    heads = ("seat", *map(_called, tiers), *(["title"] if shares.champion else []))
    rows = (
        [str(seat + 1), *(f"{shares.cakes[tier][seat]:.4f}" for tier in tiers)]
        + ([f"{shares.champion[seat]:.4%}"] if shares.champion else [])
        for seat in range(shares.players)
    )
    doubts = ", ".join(shares.doubts)
    source = (
        "exact"
        if shares.exact
        else f"simulated ({shares.games:,} games): {doubts}"
        if shares.games
        else f"without {doubts}"
    )
    return _table(f"{shares.sheet}, {shares.players} players ({source})", heads, rows)


def simulation_html(found: Simulation) -> str:
    """The length of a simulated game, and what the first and the last seat get of each tier, with standard errors."""
    rules, players = found.setting.rules, found.setting.seats
    rows = [
        ["throws", f"{found.mean:.2f} ± {found.throws[1]:.2f}", ""],
        ["no champion", f"{found.no_champion[0]:.4%}", ""],
        *(
            [_called(tier), *(f"{mean:.4f} ± {error:.4f}" for mean, error in (seats[0], seats[-1]))]
            for tier, seats in found.cakes.items()
        ),
    ]
    source = f"{found.games:,} games simulated, seed {found.setting.seed}"
    return _table(f"{rules.key}, {players} players ({source})", ("", "first seat", "last seat"), rows)


def plan_html(plan: Plan) -> str:
    """A plan and its other ways: minutes, the chance of no champion, what is left in a game."""
    told = (alternative.to_json() for alternative in plan.alternatives)
    rows = (
        [
            " ".join([way["code"], *(str(value) for value in way["values"].values() if not isinstance(value, dict))]),
            *(f"{way['minutes'][share]:.0f}" for share in ("median", "p90", "p99")),
            f"{way['no_champion']:.2%}",
            f"{way['left']:.1f}",
        ]
        for way in told
    )
    tables = ", ".join(f"{tables} x {seats}" for seats, tables in plan.tables)
    heads = ("way", "minutes: half", "90 %", "99 %", "no champion", "left")
    return _table(f"{plan.wish.people} people, {tables}, {plan.wish.rules.key}", heads, rows)


def _curve(length: Length) -> str:
    """The chance that the game is over after n throws, up to where nearly all are."""
    last = max(1, length.quantile(0.999))
    step = max(1, last // 200)
    points = [(n, 1 - length.beyond[n] if n < len(length.beyond) else 1.0) for n in range(0, last + 1, step)]
    line = " ".join(f"{WIDE * n / last:.1f},{HIGH * (1 - over):.1f}" for n, over in points)
    said = f"Half of all games take {length.median} throws at most, 9 in 10 take {length.p90}."
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" aria-label="{said}">'
        f'<polyline points="{line}" fill="none" stroke="#1f4e9c" stroke-width="2"/></svg>'
    )


def _called(key: str) -> str:
    from bobing.core.glossary import GlossaryError, name

    try:
        return f"{name(key, 'en')} {name(key, 'zh-Hans')}"
    except GlossaryError:
        return key


def _chance(chance: float) -> tuple[str, str]:
    return f"{chance:.4%}", f"{1 / chance:,.1f}"


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(
        "<tr>"
        + "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in zip(["th", *["td"] * len(row)], row, strict=False))
        + "</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
