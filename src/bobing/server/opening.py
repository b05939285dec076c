"""How a table opens: the choice of rules and the settings as they stand in its first entries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from bobing.core.catalogue import complete_table, find_key, find_sheet, read_rules
from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.toml_text import read_toml
from bobing.server.names import clean_name
from bobing.server.refusal import refused
from bobing.server.room import Body
from bobing.server.seating import called
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


def opened(new: wire.NewTable) -> tuple[list[Body], dict[str, str | None]]:
    """The first entries and the notes of a new table; raises RulesError, TableRefused."""
    names = _clean_names(new.players)
    notes: dict[str, str | None] = {f"name/{seat}": name for seat, name in enumerate(names)}
    if new.title.strip():
        notes["title"] = clean_name(new.title)
    if new.host is not None:
        if new.host >= len(names):
            raise refused("no_seat")
        notes |= {"host_seat": str(new.host), f"device/{new.host}": "1"}
    return [opening(new.rules, new.settings, len(names))], notes


def opened_for_event(
    rules: Mapping[str, Any],
    choice: Mapping[str, Any],
    settings: Mapping[str, Any],
    names: Sequence[tuple[str, int]],
    start: int,
    event: str,
    *,
    provable: bool,
) -> tuple[list[Body], dict[str, str | None]]:
    """The same for a table of an event, which has begun. names: of its guests, with their numbers; provable: whether
    its digital dice are proved."""
    held = msgspec.convert({**settings, "joining": "closed"}, wire.Settings)
    fair = {"fair": True} if held.dice == "digital" and provable else {}
    opened: Body = {"t": "open", "choice": dict(choice), "rules": dict(rules)}
    opened |= {"settings": settings_body(held), "seats": len(names)}
    notes: dict[str, str | None] = {"event": event}
    for seat, (name, guest) in enumerate(names):
        notes |= called(name, seat, guest)
    return [opened, {"t": "begin", "start": start, **fair}], notes


def _clean_names(players: Collection[str]) -> list[str]:
    names: list[str] = []
    for player in players:
        names.append(clean_name(player, names))
    return names
