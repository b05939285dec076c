"""The portable record of a game: one canonical JSON object a line, hash-chained, proved by replay (`docs/record.md`).

The first line holds the rules, every further one an accepted act with all that came of it. Names of players stand in
lines of their own outside the chain. Nothing here reads or writes files.

>>> from bobing.core.acts import Roll, Throw
>>> from bobing.core.catalogue import find_sheet
>>> game = Game.new(find_sheet("S12"), seats=3).play(Throw(0, Roll.parse("444411")))
>>> record = read_record(record_lines(game, {0: "阿明"}))
>>> record.game.title == game.title, record.names
(True, {0: '阿明'})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn, TypeGuard

from bobing.core.act_json import act_from_json
from bobing.core.acts import Act, Join
from bobing.core.canonical import JsonError, canonical_json, strict_json
from bobing.core.chain import ZERO, link
from bobing.core.errors import ActRefused, BobingError, RecordError, RulesError
from bobing.core.game import Game
from bobing.core.record_lines import (
    LINE_MAX,
    PROVED,
    VERSION,
    Draws,
    Line,
    act_line,
    fair_line,
    header_line,
    name_fault,
    name_line,
    proved_act_line,
    record_lines,
)
from bobing.core.rules import RuleSet, rules_from_table

__all__ = (
    "LINE_MAX",
    "PROVED",
    "VERSION",
    "CutLineError",
    "Draws",
    "Line",
    "Record",
    "act_line",
    "fair_line",
    "header_line",
    "name_line",
    "proved_act_line",
    "read_record",
    "record_lines",
)


@dataclass(frozen=True, slots=True)
class Record:
    """What a record holds: the game, names by seat, and the hash of the header and of each act, in order.

    draws: what it tells of digital draws, None in a record that proves none; between: the hashes of what it tells, each
    with the number of the act that it stands behind.
    """

    game: Game
    names: Mapping[int, str]
    hashes: tuple[str, ...]
    draws: Draws | None = None
    between: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def version(self) -> str:
        """The version of the format."""
        return VERSION if self.draws is None else PROVED

    @property
    def last_hash(self) -> str:
        """The hash that the next line goes on from: the receipt for the whole record."""
        behind = [h for h, after in self.between.items() if after == len(self.game.log)]
        return behind[-1] if behind else self.hashes[-1]


class CutLineError(RecordError):
    """The last line has no line feed: writing it was interrupted, or the file was cut.

    record: what the whole lines before it hold, None where there is no header; whole: their bytes.
    """

    code = "record/cut_line"

    def __init__(self, line: int, record: Record | None, whole: int) -> None:
        super().__init__(f"the last line is cut off; what stands before it is whole ({whole} bytes)", None, line)
        self.record, self.whole = record, whole


def read_record(lines: Iterable[bytes]) -> Record:
    r"""Read and verify a record from its lines (as a file opened in binary gives them); raises RecordError.

    Verified: each line is canonical JSON with exactly the known keys; the chain holds; the rules have the hash given;
    every act is taken by the game and leads to just what its line says. Raises CutLineError where only the end of
    the last line is missing.

    >>> read_record([b'{"bobing":"record/1"'])
    Traceback (most recent call last):
    bobing.core.record.CutLineError: line 1: the last line is cut off; what stands before it is whole (0 bytes)
    """
    reader = _Reader()
    for data in lines:
        reader.read(data)
    return reader.finish()


class _Reader:
    """Takes line by line; what was read so far is always whole."""

    def __init__(self) -> None:
        self.line = self.whole = 0
        self.game: Game | None = None
        self.hashes: list[str] = []
        self.last = ZERO.hex()
        self.proved = False
        self.events: list[tuple[int, object]] = []
        self.proofs: dict[int, object] = {}
        self.between: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.named: dict[int, int] = {}
        self.cut = False

    def read(self, data: bytes) -> None:
        """Read one line with its line feed."""
        if self.cut:
            self.refuse("a line ends without a line feed", "record/bad_line")
        self.line += 1
        if len(data) > LINE_MAX:
            self.refuse(f"a line has at most {LINE_MAX} bytes", "record/line_too_long")
        if not data.endswith(b"\n"):
            self.cut = True
            return
        value = self.parse(data)
        if self.game is None:
            self.read_header(value)
        elif "name" in value:
            self.read_name(value)
        elif "fair" in value and self.proved:
            self.read_event(self.game, value)
        else:
            self.read_act(self.game, value)
        self.whole += len(data)

    def finish(self) -> Record:
        """The record, when all lines were read."""
        record = None
        if self.game is not None:
            self.check_named(self.game)
            draws = Draws(tuple(self.events), self.proofs) if self.proved else None
            record = Record(self.game, self.names, tuple(self.hashes), draws, self.between)
        if self.cut:
            raise CutLineError(self.line, record, self.whole)
        if record is None:
            raise RecordError("this record is empty; its first line is the header", "record/empty")
        return record

    def refuse(self, message: str, code: str) -> NoReturn:
        raise RecordError(message, code, self.line)

    def parse(self, data: bytes) -> dict[str, Any]:
        try:
            value = strict_json(data.decode())
        except (UnicodeDecodeError, JsonError) as bad:
            said = str(bad) if isinstance(bad, JsonError) else "this is no UTF-8"
            self.refuse(said, "record/bad_json")
        if not _is_object(value):
            self.refuse("every line is a JSON object", "record/bad_line")
        if canonical_json(value) + b"\n" != data:
            self.refuse(
                "this is not canonical JSON: sort the keys, leave out spaces, write signs as they are, end with \\n",
                "record/not_canonical",
            )
        return value

    def read_header(self, value: dict[str, Any]) -> None:
        if "bobing" not in value:
            self.refuse(f'a record begins with its header, {{"bobing":"{VERSION}",…}}', "record/no_header")
        if value["bobing"] not in (VERSION, PROVED):
            known = f"{VERSION} and {PROVED}"
            self.refuse(f"this bobing reads {known}, not {str(value['bobing'])[:20]!r}", "record/unknown_version")
        self.proved = value["bobing"] == PROVED
        self.check_keys(value, {"bobing", "rules", "rules_hash", "seats", "start", "h"})
        self.check_chain(value, ZERO.hex())
        self.game = self.opened(value)
        if header_line(self.game, value["bobing"]).h != value["h"]:
            self.refuse("the rules are not written out in the form of the record", "record/bad_header")
        self.hashes.append(value["h"])
        self.last = value["h"]

    def opened(self, value: dict[str, Any]) -> Game:
        if not _is_object(value["rules"]) or type(value["seats"]) is not int or type(value["start"]) is not int:
            self.refuse("rules are an object, seats and start whole numbers", "record/bad_header")
        try:
            rules = _rules_of(canonical_json(value["rules"]))
            if rules.digest != value["rules_hash"]:
                self.refuse(f"the rules have the hash {rules.digest}, not the one given", "record/rules_changed")
            return Game.new(rules, value["seats"], value["start"])
        except RulesError as bad:
            self.refuse(f"these rules cannot be used: {bad}", "record/bad_rules")
        except ActRefused as bad:
            self.refuse(str(bad), "record/bad_header")

    def read_act(self, game: Game, value: dict[str, Any]) -> None:
        keys = {"n", "act", "combination", "moves", "title", "skipped", "struck", "notes", "next", "finished", "h"}
        self.check_keys(value, keys | {"proof"} if self.proved else keys)
        n = len(game.log) + 1
        if type(value["n"]) is not int or value["n"] != n:
            self.refuse(f"act {n} should stand here; lines are missing, doubled or out of order", "record/wrong_number")
        self.check_chain(value, self.last)
        self.game = self.played(game, self.act_of(value["act"]))
        proof = value.get("proof")
        replayed = proved_act_line(self.game, self.last, proof) if self.proved else act_line(self.game, self.last)
        if replayed.h != value["h"]:
            self.refuse_difference(value, strict_json(replayed.data.decode()))
        if proof is not None:
            self.proofs[n] = proof
        self.hashes.append(value["h"])
        self.last = value["h"]

    def read_event(self, game: Game, value: dict[str, Any]) -> None:
        self.check_keys(value, {"fair", "h"})
        self.check_chain(value, self.last)
        self.events.append((len(game.log), value["fair"]))
        self.last = value["h"]
        self.between[self.last] = len(game.log)

    def act_of(self, value: object) -> Act:
        try:
            return act_from_json(value)
        except BobingError as bad:
            self.refuse(str(bad), "record/bad_act")

    def played(self, game: Game, act: Act) -> Game:
        try:
            return game.play(act)
        except ActRefused as bad:
            self.refuse(f"the game does not take this act ({bad.code}): {bad}", "record/act_refused")

    def read_name(self, value: dict[str, Any]) -> None:
        self.check_keys(value, {"name"})
        name = value["name"]
        if not _is_object(name) or name.keys() != {"seat", "text"}:
            self.refuse('a name has "seat" and "text", and nothing else', "record/bad_name")
        fault = name_fault(name["seat"], name["text"])
        if fault:
            self.refuse(fault, "record/bad_name")
        self.names[name["seat"]] = name["text"]
        self.named[name["seat"]] = self.line

    def check_keys(self, value: Mapping[str, Any], known: set[str]) -> None:
        for key in sorted(value.keys() - known):
            self.refuse(f"the key {key[:40]!r} is not known here", "record/unknown_key")
        for key in sorted(known - value.keys()):
            self.refuse(f"the key {key!r} is missing", "record/missing_key")

    def check_chain(self, value: Mapping[str, Any], previous: str) -> None:
        body = canonical_json({key: entry for key, entry in value.items() if key != "h"})
        if link(bytes.fromhex(previous), body).hex() != value["h"]:
            self.refuse("the hash does not fit: this line or the one before was changed", "record/broken_chain")

    def refuse_difference(self, value: Mapping[str, Any], replayed: Mapping[str, Any]) -> NoReturn:
        """Name the first key in which a line differs from the one that replay gives; as bytes, for 1 is not true."""
        found, wanted = ({key: canonical_json(side[key]) for key in value if key != "h"} for side in (value, replayed))
        key = next(key for key in found if found[key] != wanted[key])
        if key == "act":
            self.refuse("this act is not written in the form of the record", "record/not_canonical")
        gives, says = wanted[key].decode()[:80], found[key].decode()[:80]
        self.refuse(f'replay gives "{key}" as {gives}, this line says {says}', "record/other_consequence")

    def check_named(self, game: Game) -> None:
        """Names are for seats that there were at some time, those of joiners that were undone included."""
        seats = game.seats + sum(isinstance(entry.act, Join) for entry in game.log)
        for seat, line in self.named.items():
            if seat >= seats:
                raise RecordError(f"this names seat {seat}, but there are {seats}", "record/bad_name", line)


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


@lru_cache(maxsize=8)
def _rules_of(canonical: bytes) -> RuleSet:
    """The rule set of a header; kept, because the records that are read together mostly have the same rules."""
    return rules_from_table(strict_json(canonical.decode()))
