"""`bobing score`: what one throw is called and wins."""

from __future__ import annotations

import click

from bobing.cli.common import Command, emit, lang_of, lang_option, option, rules_option, say
from bobing.cli.inputs import load_rules
from bobing.core.catalogue import find_sheet
from bobing.core.combinations import read_hand
from bobing.core.dice import Roll
from bobing.core.glossary import names as glossary_names
from bobing.core.glossary import words as glossary_words
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN
from bobing.scored import Scored, Sheet

_IN_GLOSSARY = (*FORMS, *HANDS_BELOW, ZHUANGYUAN, "none")


@click.command(cls=Command, help="score")
@click.argument("dice", nargs=-1, required=True)
@rules_option()
@option("--json", "as_json", is_flag=True, help="json")
@lang_option()
@click.pass_context
def command(ctx: click.Context, dice: tuple[str, ...], rules_name: str | None, as_json: bool) -> None:
    """Print what a throw is called, what it wins and why."""
    roll = Roll.read(" ".join(dice))
    rules = load_rules(rules_name)
    if as_json:
        emit(score(roll, rules, placed=False).to_json())
    else:
        for line in score(roll, rules).lines(lang_of(ctx)):
            say(line)


def score(roll: Roll, rules: RuleSet, *, placed: bool = True) -> Scored:
    """A roll read by a rule set; `placed` compiles the rule set to find the rank among zhuangyuan."""
    row = read_hand(roll.hand, rules)
    won = ([row.tier] if row.tier else []) + list(row.bonus)
    return Scored(
        roll=str(roll),
        combination=row.combination,
        tier=row.tier,
        bonus=row.bonus,
        strength=row.strength,
        kicker=row.kicker,
        effects=row.effects,
        names=_names(row.combination, rules),
        place=_place(row.strength, rules) if placed and row.strength is not None else None,
        words=own_words(row.combination, rules),
        sheet=Sheet(
            rules.key,
            rules.names,
            {tier: rules.tier(tier).names or _names(tier, rules) for tier in won},
            contested=rules.title.contest != "first",
        ),
    )


def _names(key: str, rules: RuleSet) -> dict[str, str]:
    if key in _IN_GLOSSARY:
        return glossary_names(key)
    return dict(rules.tier(key).names) or {"en": key}


def own_words(combination: str, rules: RuleSet) -> tuple[str, ...]:
    """What a sheet prints for a combination; () where it has no other word than the name, or none at all.

    A house rule file speaks as the sheet that it extends.

    >>> own_words("liubohong", find_sheet("S2")), own_words("sihong", find_sheet("S12"))
    (('满堂红',), ())
    """
    printed = find_sheet(rules.extends) if rules.source == "house" and rules.extends else rules
    if combination not in _IN_GLOSSARY or not printed.aliases:
        return ()
    words = glossary_words(combination, printed.aliases[0])
    return () if words == (glossary_names(combination)["zh-Hans"],) else words


def _place(strength: int, rules: RuleSet) -> tuple[int, int]:
    strengths = {row.strength for row in scorebook(rules).rows.values() if row.strength is not None}
    return sum(other >= strength for other in strengths), len(strengths)
