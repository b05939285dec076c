"""A table as a game record, and a table out of one: the entries that its log begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from bobing.core.act_json import act_to_json
from bobing.core.catalogue import complete_table, sheet_keys
from bobing.core.errors import BobingError, RulesError
from bobing.core.reading import Table
from bobing.core.record import Draws, Record, read_record, record_lines
from bobing.core.rules import RuleSet, rules_from_table
from bobing.fairness.events import FairError, Real
from bobing.fairness.verify import verify_record
from bobing.server.decision import fair_body
from bobing.server.names import clean_name
from bobing.server.opening import resolve, settings_body
from bobing.server.refusal import refused
from bobing.server.room import Body, Room, draws_of
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
    names = {seat: room.name(seat) for seat in range(room.seat_count) if room.name(seat)}
    return record_lines(room.game, names, draws_of(room))


def open_record(data: bytes, settings: wire.Settings, *, provable: bool = False) -> Opened:
    """Read and verify a record, and open a table where it ends; raises RecordError, FairError, TableRefused
    (`table/too_long`).

    The first entry says by its `continues` which record it was, every act by its `recorded` that nobody here saw it.
    """
    record = read_record(BytesIO(data))
    game = record.game
    if game.seats > wire.SEATS_MAX or len(game.state.order) > wire.SEATS_MAX:
        raise refused("full")
    if len(game.log) > ACTS_MAX:
        raise refused("too_long")
    if record.draws:
        _verify_dice(record)
    choice = choice_of(game.rules)
    opening: Body = {
        "t": "open",
        "choice": {"sheet": choice.sheet, "house": choice.house},
        "rules": game.rules.to_table(),
        "settings": settings_body(settings),
        "seats": game.seats,
        "continues": record.last_hash,
    }
    proved = record.draws is not None or (provable and settings.dice == "digital")
    begin: Body = {"t": "begin", "start": game.start, **({"fair": True} if proved else {})}
    return Opened([opening, begin, *_played(record, settings)], _names(record))


def _verify_dice(record: Record) -> None:
    """Refuse a record whose digital dice are not those that were drawn; raises FairError."""
    report = verify_record(record)
    for bad in (*report.faults, *report.throws):
        if bad.code:
            raise FairError(bad.message, bad.code)


def _played(record: Record, settings: wire.Settings) -> Iterator[Body]:
    """The acts of a record with what it tells of their dice; from here on they may be real ones."""
    draws = record.draws or Draws()
    for n in range(len(record.game.log) + 1):
        if n:
            act: Body = {"t": "act", "act": act_to_json(record.game.log[n - 1].act), "recorded": True}
            proof: Any = draws.proofs.get(n)
            yield act | ({"digital": True, "proof": proof, "k": proof["k"]} if proof else {})
        yield from ({"t": "fair", "event": event} for after, event in draws.events if after == n)
    if record.draws and settings.dice == "real":
        yield fair_body(Real())


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
