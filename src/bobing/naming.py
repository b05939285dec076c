"""What rules, tiers and combinations are called."""

from __future__ import annotations

from functools import cache

from bobing.core.catalogue import HOUSE_KEY, find_sheet
from bobing.core.dice import Roll
from bobing.core.glossary import name as glossary_name
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN
from bobing.i18n import LANGUAGES, text
from bobing.i18n.phrase import InEach, Part, Phrase, said


def rules_name(rules: RuleSet, lang: str) -> str:
    r"""What a rule set is called: by its own name or key, else as the sheet that its house rules change.

    >>> from bobing.core.catalogue import read_rules
    >>> rules_name(read_rules('extends = "S12"\n[cakes]\nyixiu = 40'), "en")
    'Referee rules, with house rules'
    """
    if rules.names or rules.key != HOUSE_KEY or not rules.extends:
        return rules.names.get(lang) or next(iter(rules.names.values()), rules.key)
    return text(lang, "common.house_rules", sheet=rules_name(find_sheet(rules.extends), lang))


def tier_name(rules: RuleSet, key: str, lang: str) -> str:
    """The name of a tier in one language."""
    return said(tier_names(rules, key), lang)


def combination_name(rules: RuleSet, key: str, lang: str) -> str:
    """The name of a combination in one language."""
    return said(combination_names(rules, key), lang)


def hand_name(rules: RuleSet, roll: Roll, lang: str) -> str:
    """A throw by its combination in one language, with what breaks ties where that counts."""
    return said(hand_names(rules, roll), lang)


def tier_names(rules: RuleSet, key: str) -> Part:
    """The names of a tier: the rule file's own, else those of the glossary, else its key.

    >>> tier_names(find_sheet(), "yixiu")
    InEach(hans='一秀', hant='一秀', en='One Four')
    """
    if key in rules.cakes and (own := rules.tier(key).names):
        first = next(iter(own.values()))
        return InEach(*(own.get(lang) or first for lang in LANGUAGES))
    return _in_glossary(key) if key == ZHUANGYUAN or key in HANDS_BELOW else key


def combination_names(rules: RuleSet, key: str) -> Part:
    """The names of a combination; one that only a rule file knows is called as its tier."""
    if key == "three-dice":
        return Phrase("game.three_dice")
    if key in FORMS or key in HANDS_BELOW or key == "none":
        return _in_glossary(key)
    return tier_names(rules, key)


def hand_names(rules: RuleSet, roll: Roll) -> Part:
    """A throw by its combination, with what breaks ties where that counts."""
    row = scorebook(rules).row(roll)
    names = combination_names(rules, row.combination)
    if row.combination in ("sihong", "wuhong", "wuzi"):
        return Phrase("game.with_kicker", (("name", names), ("kicker", row.kicker)))
    return names


@cache
def _in_glossary(key: str) -> InEach:
    return InEach(*(glossary_name(key, lang) for lang in LANGUAGES))
