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
from bobing.figures import measured, near
from bobing.i18n import text
from bobing.naming import tier_name
from bobing.odds.plan import Plan, PlanError, plan_of, wish_from_table
from bobing.odds.plan.evening import SHARES
from bobing.odds.plan.wish import ENDINGS, wish_table
from bobing.odds.plan.words import footnote, heading, share, ways


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
        self.mark = "≈ " if any(evening.law.games for evening, _ in plan.evenings) else ""

    def tell(self) -> None:
        """Print all of it."""
        say(heading(self.plan, self.lang))
        self.findings()
        self.play()
        self.shopping()
        self.pot()
        self.alternatives()
        for line in footnote(self.plan, self.lang):
            say(line)

    def findings(self) -> None:
        """What an organiser should know."""
        for finding in self.plan.findings:
            values = {name: self.value(name, value) for name, value in finding.values.items()}
            say(f"  {'✗' if finding.serious else '·'} {self.text(f'finding_{finding.code}', **values)}")

    def play(self) -> None:
        """How long it takes, who is waited for, what is left."""
        plan, evening = self.plan, self.plan.evening
        say()
        self.length()
        one, every, minutes = plan.done_in_time, plan.all_done_in_time, self.wish.minutes
        if one is not None and every is not None:
            tables = len(self.wish.sizes)
            chances = {
                "chance": share(one, evening.done_in_error(minutes)), "all": share(every, plan.all_done_in_time_error),
            }  # fmt: skip
            say(self.text("in_time" if tables == 1 else "in_time_all", minutes=minutes, tables=tables, **chances))
        none = share(evening.no_champion, evening.no_champion_error)
        some = share(plan.some_without_champion, plan.some_without_champion_error)
        say(self.text("none_line", chance=none, some=some))
        waited = sorted(((chance, tier) for tier, chance in evening.waited.items() if chance >= 0.0001), reverse=True)
        if waited:
            tiers = (f"{self.tier(tier)} {share(chance, evening.error_of(chance))}" for chance, tier in waited)
            say(self.text("waited_line", tiers=self.joined(tiers)))
        left = [(tier, found) for tier, found in evening.law.left.items() if found.mean >= 0.005]
        if left:
            tiers = (f"{self.tier(tier)} {measured(found.mean, found.mean_error, 2)}" for tier, found in left)
            say(self.text("left_line", tiers=self.joined(tiers)))

    def length(self) -> None:
        """How long it takes: one sentence where the number of throws is as good as given."""
        evening = self.plan.evening
        throws = {name: near(f"{evening.throws(part)}", evening.throws_error(part)) for name, part in SHARES.items()}
        minutes = {
            name: near(f"{evening.minutes(part):.0f}", evening.minutes_error(part)) for name, part in SHARES.items()
        }
        if evening.throws(0.5) == evening.throws(0.99):
            fixed = evening.throws(0.001) == evening.throws(0.99)
            say(self.text("throws_fixed" if fixed else "throws_capped", n=throws["p99"], minutes=minutes["p99"]))
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
                "table": plan.cost_of_table,
                "head": plan.cost_of_head,
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
        columns(ways(self.plan, self.lang))

    def value(self, name: str, value: Any) -> str:
        """A value of a finding in figures; those of play are marked where they are simulated."""
        if name in ("chance", "some"):
            return f"{self.mark}{share(value)}"
        if name in ("cost", "budget", "pot"):
            return self.money(value)
        return f"{self.mark}{value:.1f}" if isinstance(value, float) else str(value)

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
