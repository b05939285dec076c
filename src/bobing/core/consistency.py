"""Refuses rule sets whose parts do not fit together: a tier that no throw wins, an ending that may never come."""

from __future__ import annotations

from collections.abc import Iterator

from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet

IMPOSSIBLE = "rules/impossible"


def check_consistency(rules: RuleSet) -> None:
    """Raise RulesError (`rules/impossible`) with the key and the reason of the first thing that cannot be played."""
    for path, reason in _problems(rules):
        raise RulesError(reason, IMPOSSIBLE, path)


def _problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    yield from _rank_problems(rules)
    yield from _tier_problems(rules)
    yield from _effect_problems(rules)
    yield from _idle_problems(rules)
    yield from _ending_problems(rules)


def _rank_problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    twice = next((form for form in rules.ranks.unranked if form in rules.ranked_forms), None)
    if twice:
        yield "ranks.unranked", f"{twice!r} also stands in ranks.order: it either ranks or it does not"
    if not rules.ranks.order:
        yield "ranks.order", "no throw is a zhuangyuan: name at least one form, such as 'sihong'"
    if rules.setup.seats_usual and rules.setup.seats_usual < rules.setup.seats_min:
        yield "setup.seats_usual", f"is below seats_min, which is {rules.setup.seats_min}"


def _tier_problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    from bobing.core.scorebook import scorebook

    for tier in rules.chase.tiers:
        if tier == rules.ranked_tier:
            yield "chase.tiers", f"{tier!r} is handed out at the end by sum, so nobody holds it before"
    for path, on, tier in (
        ("bonus.sijin_yixiu", rules.bonus.sijin_yixiu, "yixiu"),
        ("bonus.sijin_erju", rules.bonus.sijin_erju, "erju"),
        ("bonus.wuzi_yixiu", rules.bonus.wuzi_yixiu, "yixiu"),
        ("sanhong.award", rules.ranked_tier is not None, "sanhong"),
    ):
        if on and tier not in rules.lower:
            yield path, f"there is no tier {tier!r} to win"
    census = scorebook(rules).census()
    for tier, throws in census.awards.items():
        if throws == 0:
            yield (
                f"wins.{tier}",
                "no throw wins this tier as its first prize: a higher reading takes every hand of it, or it has none",
            )


def _effect_problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    known = rules.recognised
    for path, on, form in (
        ("chajinhua.duitang", rules.chajinhua.duitang != "none", "chajinhua"),
        ("chajinhua.protected", rules.chajinhua.protected, "chajinhua"),
        ("liubohong.takes", rules.liubohong.takes != "rank", "liubohong"),
        ("liubohong.duitang_at_end", rules.liubohong.duitang_at_end, "liubohong"),
        ("liubohong.ends", rules.liubohong.ends, "liubohong"),
        ("liubohei.effect", rules.liubohei.effect != "none", "liubohei"),
        ("biandijin.takes", rules.biandijin.takes != "rank", "biandijin"),
    ):
        if on and form not in known:
            yield path, f"the sheet does not know {form}: add it to ranks.order or ranks.unranked"
    for form in rules.pingfen.by:
        if form not in known:
            yield "pingfen.by", f"the sheet does not know {form}: add it to ranks.order or ranks.unranked"
    gives_duitang = (
        rules.chajinhua.duitang != "none" or rules.liubohong.duitang_at_end or rules.liubohong.takes == "friendly"
    )
    if gives_duitang and "duitang" not in rules.lower:
        yield "chajinhua.duitang", "there is no tier 'duitang' to take"
    if rules.liubohong.takes == "friendly" and "liubohong" not in rules.ranked_forms:
        yield "liubohong.takes", "'friendly' gives the title, so liubohong must stand in ranks.order"


def _idle_problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Choices that could never come to anything."""
    if rules.title.equal == "red-pips" and rules.title.contest == "first":
        yield "title.equal", "the first zhuangyuan keeps the title (title.contest), so no tie is ever thrown off"
    if rules.liubohei.effect != "none" and not rules.liubohei.faces:
        yield "liubohei.faces", "name the faces that have the effect"


def _ending_problems(rules: RuleSet) -> Iterator[tuple[str, str]]:
    ending = rules.ending
    if ending.when == "throws" and ending.finish != "at-once":
        yield "ending.finish", "everybody has throws_each throws, so this must be 'at-once'"
    if ending.when == "throws" and not ending.throws_each:
        yield "ending.throws_each", "say how many throws each player has"
    if ending.when != "throws" and ending.throws_each:
        yield "ending.when", "throws_each is set, so this must be 'throws'"
    if ending.undecided != "none" and ending.when != "throws" and not ending.minutes:
        yield "ending.undecided", "can only happen where throws or minutes run out: set ending.minutes"
    if (
        rules.title.handover == "at-once"
        and rules.liubohei.grab_zhuangyuan == "always"
        and rules.liubohei.effect == "grab"
    ):
        yield "liubohei.grab_zhuangyuan", "the zhuangyuan cake is handed over at once, so it is not there to grab"
