"""Writing a record: pure functions that give its lines as bytes (`docs/record.md`)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bobing.core.acts import SEATS_MAX
from bobing.core.canonical import canonical_json
from bobing.core.chain import ZERO, link
from bobing.core.consequence import consequence_json
from bobing.core.errors import RecordError
from bobing.core.game import Game

VERSION = "record/1"
PROVED = "record/2"
"""The version of a record whose digital dice can be proved."""
LINE_MAX = 8 * 2**20
"""Bytes in a line; enough for a lights-out grab of a million cakes."""
_HASH_ROOM = len(f',"h":"{ZERO.hex()}"\n')
NAME_MAX = 96
"""Bytes in the name of a player."""
Writer = Callable[[object], bytes]
"""Writes canonical JSON."""
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chain: what it says, and its hash, which the next line goes on from."""

    body: Mapping[str, Any]
    h: str

    @property
    def data(self) -> bytes:
        """The line as bytes, with its line feed."""
        return canonical_json({**self.body, "h": self.h}) + b"\n"


@dataclass(frozen=True, slots=True)
class Draws:
    """What a record tells of digital draws, as plain JSON: `bobing.fairness` knows what it means.

    events: each with the number of the act that it stands behind, in order. proofs: by act; others have none.
    """

    events: tuple[tuple[int, object], ...] = ()
    proofs: Mapping[int, object] = field(default_factory=dict[int, object])


def header_line(game: Game, version: str = VERSION) -> Line:
    """The first line of a record of this game."""
    rules = {"rules": game.rules.to_table(), "rules_hash": game.rules.digest}
    return _chained({"bobing": version, **rules, "seats": game.seats, "start": game.start}, ZERO.hex())


def act_line(game: Game, previous: str, n: int | None = None, write: Writer = canonical_json) -> Line:
    """The line of act `n` (else of the last) of a game, chained to the hash of the line of the act before."""
    return _chained(consequence_json(game, n), previous, write)


def proved_act_line(
    game: Game, previous: str, proof: object, n: int | None = None, write: Writer = canonical_json
) -> Line:
    """The line of an act in a record whose dice can be proved. proof: None where nothing was drawn."""
    return _chained({**consequence_json(game, n), "proof": proof}, previous, write)


def fair_line(event: object, previous: str) -> Line:
    """The line of what happened to the draws beside the acts."""
    return _chained({"fair": event}, previous)


def name_line(seat: int, text: str) -> bytes:
    """The line that names a player; raises RecordError (`record/bad_name`)."""
    fault = name_fault(seat, text)
    if fault:
        raise RecordError(fault, "record/bad_name")
    return canonical_json({"name": {"seat": seat, "text": text}}) + b"\n"


def record_lines(game: Game, names: Mapping[int, str] | None = None, draws: Draws | None = None) -> Iterator[bytes]:
    """The whole record of a game, line by line. draws: what proves its digital dice, where they can be proved."""
    line = header_line(game, PROVED if draws else VERSION)
    yield line.data
    for seat, text in sorted((names or {}).items()):
        yield name_line(seat, text)
    for n in range(len(game.log) + 1):
        if n:
            line = proved_act_line(game, line.h, draws.proofs.get(n), n) if draws else act_line(game, line.h, n)
            yield line.data
        for event in [told for after, told in draws.events if after == n] if draws else ():
            line = fair_line(event, line.h)
            yield line.data


def name_fault(seat: object, text: object) -> str:
    """What is wrong with the name of a player; an empty text where nothing is."""
    if type(seat) is not int or not 0 <= seat < SEATS_MAX:
        return "a name belongs to a seat, a whole number from 0"
    if not isinstance(text, str) or not text.strip() or len(text.encode(errors="replace")) > NAME_MAX:
        return f"a name is a text of at most {NAME_MAX} bytes that is not empty"
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _DIRECTIONS for sign in text):
        return "a name has no control characters and no signs that turn the direction of writing"
    return ""


def _chained(body: dict[str, Any], previous: str, write: Writer = canonical_json) -> Line:
    plain = write(body)
    if len(plain) + _HASH_ROOM > LINE_MAX:
        raise RecordError(f"a line of a record has at most {LINE_MAX} bytes", "record/line_too_long")
    return Line(body, link(bytes.fromhex(previous), plain).hex())
