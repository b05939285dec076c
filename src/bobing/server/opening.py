"""How a table opens: the choice of rules and the settings as they stand in its first entries."""

from __future__ import annotations

from bobing.core.catalogue import complete_table, find_key, find_sheet, read_rules
from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.toml_text import read_toml
from bobing.server.room import Body
from bobing.wire import messages as wire


def opening(choice: wire.RulesChoice, settings: wire.Settings, seats: int) -> Body:
    """The first entry of a table; raises RulesError where the rules cannot be used."""
    rules = resolve(choice)
    chosen = {"sheet": choice.sheet, "house": choice.house}
    return {
        "t": "open",
        "choice": chosen,
        "rules": rules.to_table(),
        "settings": settings_body(settings),
        "seats": seats,
    }


def resolve(choice: wire.RulesChoice) -> RuleSet:
    """The rule set of a choice: the sheet with the house changes laid on it; raises RulesError."""
    if not choice.house:
        return find_sheet(choice.sheet)
    if "extends" in choice.house:
        raise RulesError("the sheet is named beside the house changes; leave this out", "rules/bad_file", "extends")
    return rules_from_table(complete_table({**choice.house, "extends": choice.sheet}))


def choice_in(text: str) -> wire.RulesChoice:
    r"""The choice of rules that a house rule file makes; raises RulesError where they cannot be used.

    >>> choice_in('extends = "S12"\n[cakes]\nyixiu = 40')
    RulesChoice(sheet='referee-order', house={'cakes': {'yixiu': 40}})
    """
    read_rules(text)
    house = read_toml(text)
    return wire.RulesChoice(find_key(house.pop("extends")), house)


def settings_body(settings: wire.Settings) -> Body:
    """Settings as they stand in an entry."""
    return {name: getattr(settings, name) for name in settings.__struct_fields__}
