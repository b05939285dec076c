"""A game record in words: the transcript, how the game stands, and what was verified."""

from __future__ import annotations

from collections.abc import Iterator

from bobing.core.game import Game
from bobing.core.record import Record
from bobing.core.state import TABLE, Move, State
from bobing.i18n import text
from bobing.naming import rules_name
from bobing.wording import Speaker, describe, next_line

_INDENT = " " * 6


def transcript(record: Record, lang: str) -> Iterator[str]:
    """The whole game, act by act; acts that were taken back are marked with a cross and by which act."""
    rules = record.game.rules
    yield _say(
        lang, "title", name=rules_name(rules, lang), rules=rules.key, seats=record.game.seats, start=record.game.start
    )
    yield ""
    game, taken_back = Game.new(rules, record.game.seats, record.game.start), _taken_back(record.game)
    for n, entry in enumerate(record.game.log, 1):
        game = game.play(entry.act)
        first, *further = describe(rules, game.last, entry.act, game, record.names, lang)
        by = taken_back.get(n)
        yield f"{'✗' if by else ' '}{n:>4} {first}" + (_say(lang, "struck", n=by) if by else "")
        yield from (f"{_INDENT}{line}" for line in further)
    yield ""
    yield from standing(record, lang)
    yield _say(lang, "receipt", h=record.last_hash)


def standing(record: Record, lang: str) -> Iterator[str]:
    """The cakes of every seat, with points where the sheet has them, and the champion, or who is next."""
    game, state = record.game, record.game.state
    teller = Speaker(game.rules, record.names, lang)
    for seat in sorted(state.order):
        cakes, points = _cakes(state, seat), _points(game, seat)
        held = teller.cakes(cakes) if cakes else _say(lang, "no_cakes")
        key = "standing" if points is None else "standing_points"
        yield _say(lang, key, who=teller.seat(seat), cakes=held, points=points)
    if game.finished:
        yield teller.champion(state)
    elif state.title is not None:
        yield teller.say("title_now", who=teller.seat(state.title), hand=teller.claim(state.claims.get(state.title)))
    further = next_line(game.rules, game, record.names, lang)
    if further:
        yield further


def sound_lines(record: Record, place: int | None, lang: str) -> Iterator[str]:
    """What was verified; `place` is the act whose hash was given as a receipt."""
    game = record.game
    yield _say(lang, "sound", acts=len(game.log), seats=game.seats, rules=game.rules.key)
    yield _say(lang, "checked")
    if record.names:
        yield _say(lang, "names_unproved", names=len(record.names))
    yield _say(lang, "over" if game.finished else "not_over")
    if place is not None:
        yield _say(lang, "receipt_found" if place else "receipt_of_header", n=place)
    yield _say(lang, "rules_hash", h=game.rules.digest)
    yield _say(lang, "receipt", h=record.last_hash)


def _taken_back(game: Game) -> dict[int, int]:
    """The acts that are taken back in the end, each with the act that did it last."""
    by = {n: entry.result.n for entry in game.log for n in entry.result.struck}
    return {n: by[n] for n in game.struck if n in by}


def _cakes(state: State, seat: int) -> list[Move]:
    return [
        Move(tier, 1, TABLE, seat, cake.item)
        for tier, cakes in state.held.items()
        for cake in cakes
        if cake.seat == seat
    ]


def _points(game: Game, seat: int) -> int | None:
    """Points follow the cakes in hand (D-10); None where the sheet has none."""
    if not any(tier.points for tier in game.rules.tiers):
        return None
    return game.points(seat)


def _say(lang: str, key: str, **values: object) -> str:
    return text(lang, f"record.{key}", **values)
