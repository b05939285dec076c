"""What is special about a rule sheet, in a few words each, for a list from which people choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bobing.core.rules import RuleSet
from bobing.i18n import text
from bobing.naming import combination_name, tier_name

Say = Callable[..., str]
_USUAL_CAKES = 63
_USUAL_TOP = "chajinhua"


def traits(rules: RuleSet, lang: str) -> str:
    """The special points of a rule sheet in one line, most telling first; a plain word where it has none.

    >>> from bobing.core.catalogue import find_sheet
    >>> traits(find_sheet("minnan"), "en")
    'points, 222234 wins twice, die out: lose a turn'
    """
    found = list(_traits(rules, lang)) or [text(lang, "play.trait_plain")]
    return text(lang, "play.trait_comma").join(found)


def _traits(rules: RuleSet, lang: str) -> Iterator[str]:
    def say(trait: str, **values: object) -> str:
        return text(lang, f"play.trait_{trait}", **values)

    cakes = sum(rules.cakes.values())
    if cakes != _USUAL_CAKES:
        yield say("cakes", n=cakes)
    if any(tier.points for tier in rules.tiers):
        yield say("points")
    if rules.sanhong.award == "ranked":
        yield say("ranked")
    if rules.chase.tiers:
        yield say("chase", tiers=say("and").join(tier_name(rules, tier, lang) for tier in rules.chase.tiers))
    if rules.exhausted.then != "nothing":
        yield say("lower")
    yield from _of_six_alike(rules, say)
    yield from _of_title(rules, lang, say)
    yield from _of_hands(rules, say)
    if rules.pingfen.by:
        yield say("pingfen")
    ending = rules.ending
    if ending.minutes:
        yield say("minutes", n=ending.minutes)
    if ending.when == "throws":
        yield say("throws", n=ending.throws_each)
    elif ending.when == "champion":
        yield say("champion")
    if rules.spill.next_turn == "lost":
        yield say("spill")


def _of_six_alike(rules: RuleSet, say: Say) -> Iterator[str]:
    if rules.chajinhua.duitang != "none":
        yield say("golden")
    if rules.liubohong.takes != "rank":
        yield say(f"red_{rules.liubohong.takes}")
    if rules.liubohei.effect != "none":
        yield say(f"black_{rules.liubohei.effect}")


def _of_title(rules: RuleSet, lang: str, say: Say) -> Iterator[str]:
    title, top = rules.title, rules.ranks.order[0]
    if title.contest == "first":
        yield say("first")
    elif top != (_USUAL_TOP,):
        yield say("top", name=combination_name(rules, top[0], lang))
    if title.own_later == "last":
        yield say("last")
    if title.equal == "red-pips":
        yield say("red_pips")


def _of_hands(rules: RuleSet, say: Say) -> Iterator[str]:
    if rules.bonus.sijin_yixiu:
        yield say("bonus")
    if rules.hands.two_triples != "none":
        yield say("triples")
    if rules.hands.three_pairs != "none":
        yield say("pairs")
