"""A game judged once more by other rules, as when a house rule turns out to be wrong in the middle of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bobing.cli.common import refusal
from bobing.cli.transcript import standing
from bobing.core.errors import ActRefused
from bobing.core.game import Game
from bobing.core.record import Record
from bobing.core.rules import RuleSet
from bobing.i18n import text
from bobing.naming import rules_name
from bobing.server.tally import standing as in_play


@dataclass(frozen=True, slots=True)
class Judged:
    """A record by other rules, as far as they go.

    at: the act of the record from which on nothing was played any more, 0 where all was; refused: why it was not taken,
    None where the game was over before it.
    """

    record: Record
    at: int = 0
    refused: ActRefused | None = None


def judged(record: Record, rules: RuleSet) -> Judged:
    """The acts of a record that stand, played by these rules; raises ActRefused where these are for other numbers."""
    game = Game.new(rules, record.game.seats, record.game.start)
    for node in in_play(record.game):
        if game.finished:
            return Judged(replace(record, game=game), node.n)
        try:
            game = game.play(act) if (act := node.act) else game
        except ActRefused as why:
            return Judged(replace(record, game=game), node.n, why)
    return Judged(replace(record, game=game))


def judged_lines(other: Judged, lang: str) -> Iterator[str]:
    """How the game stands, and from where on the rules did not go."""
    yield from standing(other.record, lang)
    if other.at:
        key = "by_refused" if other.refused else "by_over"
        rules = rules_name(other.record.game.rules, lang)
        why = refusal(other.refused.code, str(other.refused), lang) if other.refused else ""
        yield text(lang, f"record.{key}", n=other.at, rules=rules, why=why)
