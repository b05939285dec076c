"""A table as a game record, and a table out of one: the entries that its log begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

from bobing.core.act_json import act_to_json
from bobing.core.catalogue import complete_table, sheet_keys
from bobing.core.errors import BobingError, RulesError
from bobing.core.reading import Table
from bobing.core.record import Record, read_record, record_lines
from bobing.core.rules import RuleSet, rules_from_table
from bobing.server.names import clean_name
from bobing.server.refusal import refused
from bobing.server.room import Body, Room, resolve, settings_body
from bobing.wire import messages as wire

ACTS_MAX = 3_000
"""Acts of a record that a table is made from; a long evening has some hundreds."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The first entries of a table, and the names beside them."""

    bodies: Sequence[Body]
    notes: Mapping[str, str]


def record_of(room: Room) -> Iterator[bytes]:
    """The record of a table's game, line by line; raises TableRefused (`table/not_begun`)."""
    if room.game is None:
        raise refused("not_begun")
    return record_lines(room.game, {seat: room.name(seat) for seat in range(room.seat_count) if room.name(seat)})


def open_record(data: bytes, settings: wire.Settings) -> Opened:
    """Read and verify a record, and open a table where it ends; raises RecordError, TableRefused (`table/too_long`).

    The first entry says by its `continues` which record it was, every act by its `recorded` that nobody here saw it.
    """
    record = read_record(BytesIO(data))
    game = record.game
    if game.seats > wire.SEATS_MAX or len(game.state.order) > wire.SEATS_MAX:
        raise refused("full")
    if len(game.log) > ACTS_MAX:
        raise refused("too_long")
    choice = choice_of(game.rules)
    opening: Body = {
        "t": "open",
        "choice": {"sheet": choice.sheet, "house": choice.house},
        "rules": game.rules.to_table(),
        "settings": settings_body(settings),
        "seats": game.seats,
        "continues": record.last_hash,
    }
    acts: list[Body] = [{"t": "act", "act": act_to_json(entry.act), "recorded": True} for entry in game.log]
    return Opened([opening, {"t": "begin", "start": game.start}, *acts], _names(record))


def choice_of(rules: RuleSet) -> wire.RulesChoice:
    """A choice that comes to these rules: their own sheet, else a sheet with all of them laid on it.

    >>> from bobing.core.catalogue import find_sheet
    >>> choice_of(find_sheet("S12"))
    RulesChoice(sheet='referee-order', house={})
    """
    near = [key for key in (rules.key, rules.extends) if key in sheet_keys()]
    for key in near:
        if resolve(wire.RulesChoice(key)).digest == rules.digest:
            return wire.RulesChoice(key)
    house = _whole(rules)
    for key in dict.fromkeys([*near, *sheet_keys()]):
        try:
            if rules_from_table(complete_table({**house, "extends": key})).digest == rules.digest:
                return wire.RulesChoice(key, house)
        except RulesError:  # that sheet has tiers which these rules lack, and a house file takes none away
            continue
    raise refused("refused")


def _whole(rules: RuleSet) -> Table:
    """All settings of a rule set as a house file, with nothing left of what lies below it."""
    table: Table = {"names": dict(rules.names), **rules.settings()}
    empty: Table = {"points": 0, "titles": [], "prizes": []}
    for section, nothing in empty.items():
        table[section] = dict.fromkeys((tier.key for tier in rules.tiers), nothing) | table[section]
    return table


def _names(record: Record) -> dict[str, str]:
    """The names that a table may show; a seat whose name it may not has none."""
    notes: dict[str, str] = {}
    for seat, text in sorted(record.names.items()):
        try:
            notes[f"name/{seat}"] = clean_name(text, list(notes.values()))
        except BobingError:
            continue
    return notes
