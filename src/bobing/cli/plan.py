"""`bobing plan`: an event worked out beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bobing.amounts import amount, money
from bobing.cli.common import Command, emit, lang_of, lang_option, option, say
from bobing.cli.inputs import load_rules, open_file
from bobing.cli.patience import patience
from bobing.cli.table.cells import pad, width
from bobing.core.toml_text import TEXT_MAX
from bobing.i18n import text
from bobing.naming import rules_name, tier_name
from bobing.odds.plan import Plan, PlanError, plan_of, wish_from_table
from bobing.odds.plan.wish import ENDINGS, wish_table


@click.command(cls=Command, help="plan")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@option("--people", metavar="N", help="plan_people")
@option("--tables", metavar="N", help="plan_tables")
@option("--rules", metavar="KEY|FILE", help="rules")
@option("--sets", metavar="N", help="plan_sets")
@option("--minutes", metavar="N", help="plan_minutes")
@option("--seconds", metavar="S", help="plan_seconds")
@option("--ending", type=click.Choice(ENDINGS), help="plan_ending")
@option("--throws-each", metavar="N", help="plan_throws_each")
@option("--three-dice", is_flag=True, default=None, help="plan_three_dice")
@option("--price", "prices", multiple=True, metavar="TIER=AMOUNT", help="plan_price")
@option("--pot", metavar="AMOUNT", help="plan_pot")
@option("--coin", metavar="AMOUNT", help="plan_coin")
@option("--budget", metavar="AMOUNT", help="plan_budget")
@option("--total", metavar="N", help="plan_total")
@option("--currency", metavar="WORD", help="plan_currency")
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, file: Path | None, prices: Sequence[str], as_json: bool, **flags: Any) -> None:
    """Work out an event: from a file, from flags, or from a file with some flags laid over it."""
    table = {**file_table(file), **{name: value for name, value in flags.items() if value is not None}}
    if prices:
        table["prizes"] = {**table.get("prizes", {}), **dict(price_of(price) for price in prices)}
    plan = plan_of(wish_from_table(table, load_rules))
    with patience(lang_of(ctx)):
        told = plan.to_json()
    if as_json:
        emit(told)
    else:
        Teller(plan, lang_of(ctx)).tell()


def file_table(file: Path | None) -> Mapping[str, Any]:
    """What a plan file says; raises PlanError."""
    if file is None:
        return {}
    with open_file(str(file)) as opened:
        data = opened.read(TEXT_MAX + 1)
    if len(data) > TEXT_MAX:
        raise PlanError(f"a plan has at most {TEXT_MAX} bytes", "odds/no_toml")
    try:
        return wish_table(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PlanError("this is no UTF-8 text", "odds/no_toml") from None


def price_of(words: str) -> tuple[str, str]:
    """A tier and what one prize of it costs, as `--price` has it; raises PlanError."""
    tier, equals, price = words.partition("=")
    if not equals:
        raise PlanError(f"a price is written TIER=AMOUNT, such as sanhong=25, not {words[:40]!r}")
    return tier.strip(), price.strip()


class Teller:
    """A plan in words."""

    def __init__(self, plan: Plan, lang: str) -> None:
        self.plan, self.wish, self.lang = plan, plan.wish, lang

    def tell(self) -> None:
        """Print all of it."""
        wish, plan = self.wish, self.plan
        tables = self.joined(self.text("tables_of", n=tables, seats=seats) for seats, tables in plan.tables)
        sheet = rules_name(wish.rules, self.lang)
        say(self.text("heading", people=wish.people, tables=tables, sheet=sheet))
        self.findings()
        self.play()
        self.shopping()
        self.pot()
        self.alternatives()

    def findings(self) -> None:
        """What an organiser should know."""
        for finding in self.plan.findings:
            values = {name: self.value(name, value) for name, value in finding.values.items()}
            say(f"  {'✗' if finding.serious else '·'} {self.text(f'finding_{finding.code}', **values)}")

    def play(self) -> None:
        """How long it takes, who is waited for, what is left."""
        evening = self.plan.evening
        told = evening.to_json()
        say()
        self.length(told["throws"], {name: f"{value:.0f}" for name, value in told["minutes"].items()})
        one, every = self.plan.done_in_time, self.plan.all_done_in_time
        if one is not None and every is not None:
            tables = len(self.wish.sizes)
            key = "in_time" if tables == 1 else "in_time_all"
            say(self.text(key, minutes=self.wish.minutes, chance=share(one), tables=tables, all=share(every)))
        some = share(self.plan.some_without_champion)
        say(self.text("none_line", chance=share(evening.no_champion), some=some))
        waited = sorted(((chance, tier) for tier, chance in evening.waited.items() if chance >= 0.0001), reverse=True)
        if waited:
            say(
                self.text(
                    "waited_line", tiers=self.joined(f"{self.tier(tier)} {share(chance)}" for chance, tier in waited)
                )
            )
        left = [(tier, found.mean) for tier, found in evening.law.left.items() if found.mean >= 0.005]
        if left:
            say(self.text("left_line", tiers=self.joined(f"{self.tier(tier)} {mean:.2f}" for tier, mean in left)))
        doubts = evening.law.doubts
        if "length" in doubts:
            say(self.text("simulated"))
        elif doubts:
            say(self.text("simulated_left", tiers=self.joined(map(self.tier, doubts))))

    def length(self, throws: Mapping[str, int], minutes: Mapping[str, str]) -> None:
        """How long it takes: one sentence where the number of throws is as good as given."""
        if throws["median"] == throws["p99"]:
            fixed = self.plan.evening.throws(0.001) == throws["p99"]
            key = "throws_fixed" if fixed else "throws_capped"
            say(self.text(key, n=throws["p99"], minutes=minutes["p99"]))
        else:
            say(self.text("throws_line", **throws))
            say(self.text("minutes_line", **minutes))

    def shopping(self) -> None:
        """What has to be bought, and what it costs."""
        plan = self.plan
        say()
        say(self.text("shopping"))
        rows = [
            [
                self.tier(line.tier),
                line.item if line.item != line.tier else "",
                f"× {line.pieces}",
                amount(line.price) if line.price else "",
                amount(line.cost) if line.cost else "",
            ]
            for line in plan.shopping
        ]
        columns(rows)
        say("  " + self.text("bowls", bowls=len(self.wish.sizes), dice=6 * len(self.wish.sizes)))
        if plan.cost:
            parts = {
                "all": plan.cost,
                "table": plan.cost // len(self.wish.sizes),
                "head": plan.cost // self.wish.people,
            }
            say("  " + self.text("cost_line", **{name: self.money(value) for name, value in parts.items()}))

    def pot(self) -> None:
        """How a pot is shared out."""
        if self.plan.pot:
            say()
            say(self.text("pot_title", pot=self.money(self.wish.pot)))
            rows = [
                [
                    self.tier(tier),
                    self.joined(self.text("pile", n=pile.pieces, each=amount(pile.each)) for pile in piles),
                ]
                for tier, piles in self.plan.pot.items()
            ]
            columns(rows)

    def alternatives(self) -> None:
        """Other ways, with their figures."""
        say()
        say(self.text("alternatives"))
        names = ("way", "median", "p90", "p99", "none", "left", *(["in_time"] if self.wish.minutes else []))
        rows = [[self.text(f"column_{name}") for name in names]]
        for alternative in self.plan.alternatives:
            told = alternative.to_json()
            values = {**told["values"], "sheet": told["values"].get("names", {}).get(self.lang, "")}
            figures = [f"{told['minutes'][name]:.0f}" for name in ("median", "p90", "p99")]
            in_time = [share(told["in_time"])] if self.wish.minutes else []
            way = self.text(f"way_{alternative.code}", **values)
            rows.append([way, *figures, share(told["no_champion"]), f"{told['left']:.1f}", *in_time])
        columns(rows)

    def value(self, name: str, value: Any) -> str:
        """A value of a finding in figures."""
        if name in ("chance", "some"):
            return share(value)
        if name in ("cost", "budget", "pot"):
            return self.money(value)
        return f"{value:.1f}" if isinstance(value, float) else str(value)

    def money(self, hundredths: int) -> str:
        """An amount with its currency."""
        return money(hundredths, self.wish.currency)

    def tier(self, key: str) -> str:
        """The name of a tier."""
        return tier_name(self.wish.rules, key, self.lang)

    def joined(self, parts: Any) -> str:
        """Parts of a list in words."""
        return self.text("and").join(parts)

    def text(self, name: str, **values: object) -> str:
        """A text of the planner."""
        return text(self.lang, f"plan.{name}", **values)


def columns(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, the first to the left, the others to the right."""
    rooms = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    for first, *rest in rows:
        cells = (" " * (room - width(cell)) + cell for cell, room in zip(rest, rooms[1:], strict=True))
        say(f"  {pad(first, rooms[0])}  {'  '.join(cells)}".rstrip())


def share(chance: float) -> str:
    """A chance as people read it.

    >>> share(0.4839), share(0.00004), share(0.99996), share(1.0)
    ('48.4 %', '< 0.1 %', '> 99.9 %', '100 %')
    """
    if chance in (0, 1):
        return f"{chance:.0%}".replace("%", " %")
    if chance < 0.0005 or chance > 0.9995:
        return "< 0.1 %" if chance < 0.5 else "> 99.9 %"
    return f"{100 * chance:.1f} %"
