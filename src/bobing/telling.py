"""What an act did, as phrases: who threw what, what went where and why, who holds the title, who is next.

Made once, and said by `bobing.wording` in any language. The texts are `i18n/game.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bobing.core.acts import (
    EFFECT,
    Act,
    Back,
    Close,
    Cocked,
    Correct,
    Join,
    Leave,
    Pass,
    PlayAct,
    RollOff,
    Spill,
    Start,
    Swap,
    Throw,
    TimeUp,
    Undo,
)
from bobing.core.combinations import NONE
from bobing.core.dice import Roll
from bobing.core.game import Game, Node
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import ZHUANGYUAN
from bobing.core.state import POOL, TABLE, Claim, Move, Result, State
from bobing.core.turns import RED
from bobing.i18n.phrase import Listed, Part, Phrase
from bobing.naming import combination_names, hand_names, tier_names

Names = Mapping[int, str]
"""Names of players by seat; a seat without one is called by its number."""

_GLYPHS = "⚀⚁⚂⚃⚄⚅"
_TITLE_NOTES = ("title-taken", "title-kept", "title-held", "title-own-better", "lugu")
_DUITANG = ("duitang-unwon", "duitang-all", "duitang-all-untitled")


def deeds(teller: Teller, result: Result, act: Act, game: Game) -> list[Part]:
    """What an accepted act did, one sentence each, the act itself first. `game` is the game right after the act."""
    before = game.log[-1].line.state
    parts = list(_consequences(teller, result, act, game, before))
    if game.finished and not before.finished:
        told = any(_names_hand(note, game.state.title) for note in _still_to_tell(result, game.state))
        parts += [teller.say(f"over_{game.state.finished}"), teller.champion(game.state, told=told)]
    return parts


def title_at_stake(teller: Teller, result: Result, act: Act, game: Game) -> list[Part]:
    """What an accepted act meant for the title of zhuangyuan; nothing where it was not at stake."""
    before = game.log[-1].line.state
    if isinstance(act, Undo | Correct):
        return list(_title_change(teller, before, game.state))
    return list(_title_lines(teller, result.notes, act, before, game.state))


def end(teller: Teller, game: Game) -> list[Part]:
    """How a finished game ended, and who is the champion."""
    return [teller.say(f"over_{game.state.finished}"), teller.champion(game.state)]


def turn(teller: Teller, game: Game) -> Part | None:
    """Whose turn it is; None when the game is over."""
    seat = game.next_seat
    if seat is None:
        return None
    return teller.say("turn_rolloff" if game.state.rolloff else "turn", who=teller.seat(seat))


def standing(teller: Teller, game: Game) -> list[Part]:
    """How the game stands: what each seat holds, and who is champion or leads."""
    parts = [teller.standing(seat, game.state) for seat in range(len(game.state.order))]
    if game.finished:
        return [*parts, teller.champion(game.state)]
    leads = [] if game.state.title is None else list(_title_change(teller, None, game.state))
    return [*parts, teller.say("not_over"), *leads]


def glyphs(faces: Iterable[int]) -> str:
    """Faces as dice.

    >>> glyphs((4, 4, 1))
    '⚃⚃⚀'
    """
    return "".join(_GLYPHS[face - 1] for face in faces)


@dataclass(frozen=True, slots=True)
class Teller:
    """Makes phrases of seats, cakes and hands: one rule set, one table of names."""

    rules: RuleSet
    names: Names
    dice: bool = True

    def say(self, key: str, **values: Part) -> Phrase:
        """The text `game.key`."""
        return Phrase(f"game.{key}", tuple(values.items()))

    def thrown(self, key: str, faces: Sequence[int], **values: Part) -> Phrase:
        """The text `game.key` with the dice in it, or the plain one beside a picture of them."""
        return self.say(key, dice=glyphs(faces), **values) if self.dice else self.say(f"{key}_plain", **values)

    def seat(self, seat: int | str) -> Part:
        """The player's name, else the seat's number."""
        return self.names.get(int(seat)) or self.say("seat", seat=seat)

    def seats(self, seats: Iterable[int | str]) -> Part:
        """Several players."""
        return Listed(tuple(self.seat(seat) for seat in seats), "game.comma")

    def tier(self, key: str) -> Part:
        """The name of a tier."""
        return tier_names(self.rules, key)

    def combination(self, key: str) -> Part:
        """The name of a combination."""
        return combination_names(self.rules, key)

    def cakes(self, moves: Iterable[Move]) -> Part:
        """So many cakes of these tiers."""
        stacks: dict[tuple[str, str | None], int] = {}
        for move in moves:
            stacks[move.tier, move.item] = stacks.get((move.tier, move.item), 0) + move.cakes
        return Listed(tuple(self._stack(tier, item, cakes) for (tier, item), cakes in stacks.items()), "game.plus")

    def standing(self, seat: int, state: State) -> Part:
        """What a seat holds, by tier and by item where a tier has several."""
        held = Counter((tier, cake.item) for tier, cakes in state.held.items() for cake in cakes if cake.seat == seat)
        stacks = [self._stack(tier, item, cakes) for (tier, item), cakes in held.items()]
        cakes = Listed(tuple(stacks), "game.comma") if stacks else self.say("no_cakes")
        return self.say("standing", who=self.seat(seat), cakes=cakes)

    def _stack(self, tier: str, item: str | None, cakes: int) -> Part:
        stack = self.say("stack", cakes=cakes, tier=self.tier(tier))
        return stack if item is None else self.say("item", stack=stack, item=item)

    def roll(self, roll: Roll) -> Part:
        """A throw as a hand: its combination, what breaks ties where that counts, and the dice."""
        return self.say("hand", name=hand_names(self.rules, roll), roll=str(roll))

    def claim(self, claim: Claim | None) -> Part:
        """The throw with which a seat stands for the title."""
        if claim is None:
            return self.tier(ZHUANGYUAN)
        if isinstance(claim.roll, Roll):
            return self.roll(claim.roll)
        return self.say("hand", name=self.combination(claim.combination), roll="".join(map(str, claim.roll)))

    def champion(self, state: State, *, told: bool = False) -> Part:
        """Who is the champion, and with which throw; told: that was said just before."""
        if state.title is None:
            return self.say("no_champion")
        if told:
            return self.say("champion_told", who=self.seat(state.title))
        return self.say("champion", who=self.seat(state.title), hand=self.claim(state.claims.get(state.title)))


def _consequences(teller: Teller, result: Result, act: Act, game: Game, before: State) -> Iterator[Part]:
    if isinstance(act, Undo | Correct):
        yield _change_line(teller, result, act, game)
        yield from _move_lines(teller, result.moves, None, change=act)
        yield from _title_change(teller, before, game.state)
        return
    seat = act.seat if isinstance(act, Throw) else None
    reasons = list(_reasons(teller, result, act))
    first = _act_line(teller, act, result.notes)
    if seat is not None and not reasons and result.moves and not game.finished and _plain_award(result.moves, seat):
        yield teller.say("wins", throw=first, cakes=teller.cakes(result.moves))
    elif len(reasons) == 1 and any(note[0] == "tier-empty" for note in result.notes):
        yield teller.say("nothing_left", throw=first)
        yield from _move_lines(teller, result.moves, seat)
    else:
        yield first
        yield from reasons
        yield from _move_lines(teller, result.moves, seat)
    notes = _still_to_tell(result, game.state)
    yield from _title_lines(teller, notes, act, before, game.state)
    yield from _later_notes(teller, notes)
    if isinstance(act, Throw) and _waits_for_end(teller.rules, act) and game.state.title == seat and not game.finished:
        yield teller.say("did_duitang-at-end", who=teller.seat(act.seat))
    yield from (teller.say("skipped", who=teller.seat(seat)) for seat in result.skipped)


def _still_to_tell(result: Result, after: State) -> Sequence[tuple[str, ...]]:
    """The notes of an act; at the end without those that the line of the champion says: who leads, who won by dice."""
    if not after.finished or after.title is None:
        return result.notes
    claim = after.claims.get(after.title)
    said = [("title-taken", 2)]
    if claim is not None and not isinstance(claim.roll, Roll):
        said.append(("rolloff-won", 3))
    return [note for note in result.notes if (note[0], len(note)) not in said]


def _names_hand(note: tuple[str, ...], title: int | None) -> bool:
    """Whether a note tells with which throw this seat holds the title."""
    return note[0] in _TITLE_NOTES and title is not None and int(note[1]) == title


def _act_line(teller: Teller, act: PlayAct, notes: Sequence[tuple[str, ...]]) -> Part:
    match act:
        case Throw(seat, roll):
            combination = scorebook(teller.rules).row(roll).combination
            key = "throw" if teller.dice or combination != NONE else "throw_none"
            return teller.thrown(key, roll.faces, who=teller.seat(seat), name=teller.combination(combination))
        case RollOff(seat, faces):
            points = sum(face for face in faces if len(faces) == 3 or face in RED)
            return teller.thrown("rolloff", faces, who=teller.seat(seat), points=points)
        case Spill(seat) | Cocked(seat) | Pass(seat) | Leave(seat) | Back(seat):
            return teller.say(type(act).__name__.lower(), who=teller.seat(seat))
        case Start(seat, dice):
            starter = next((note[1] for note in notes if note[0] == "starts"), seat)
            return teller.thrown("start", dice, who=teller.seat(seat), starter=teller.seat(starter))
        case Join():
            return teller.say("join", who=teller.seat(next((note[1] for note in notes if note[0] == "joined"), 0)))
        case Swap((left, right)):
            return teller.say("swap", who=teller.seat(left), other=teller.seat(right))
        case TimeUp():
            return teller.say("time_up")
        case Close():
            return teller.say("close")


def _change_line(teller: Teller, result: Result, act: Undo | Correct, game: Game) -> Part:
    changed, now = game.log[act.n - 1], game.log[-1].line
    if isinstance(act, Correct):
        line = _correct_line(teller, result, act, now)
        return Listed((line, _taken_back(teller, result.struck, now)), "game.and_so") if result.struck else line
    if not isinstance(changed.act, Undo | Correct):
        return _taken_back(teller, (act.n, *result.struck[1:]), now)
    place = changed.act.n
    key = "undo_undo" if isinstance(changed.act, Undo) else "undo_correct"
    while isinstance(further := game.log[place - 1].act, Undo | Correct):
        place, key = further.n, "undo_change"
    return teller.say(key, deed=_deed(teller, place, game.log[place].line))


def _correct_line(teller: Teller, result: Result, act: Correct, line: Node) -> Part:
    deed, old, new = _deed(teller, act.n, line), _node(line, act.n).act, act.act
    if isinstance(old, Throw) and isinstance(new, Throw) and old.roll == new.roll:
        return teller.say("correct_same", deed=deed)
    return teller.say("correct", deed=deed, throw=_act_line(teller, new, result.notes))


def _taken_back(teller: Teller, struck: Sequence[int], line: Node) -> Part:
    key = "undo" if len(struck) == 1 else "undo_many"
    return teller.say(key, deed=_deed(teller, struck[0], line), n=len(struck) - 1)


def _deed(teller: Teller, n: int, line: Node) -> Part:
    """What stands at place `n` of a line of play, as what was done by whom: that is how people know it."""
    node = _node(line, n)
    match node.act:
        case Throw(seat, roll):
            name = teller.combination(scorebook(teller.rules).row(roll).combination)
            return teller.say("deed_throw", who=teller.seat(seat), roll=str(roll), name=name)
        case RollOff(seat, faces):
            return teller.say("deed_rolloff", who=teller.seat(seat), roll="".join(map(str, faces)))
        case None:
            raise AssertionError("nobody takes the beginning back")
        case act:
            return teller.say("deed", did=_act_line(teller, act, node.result.notes))


def _node(line: Node, n: int) -> Node:
    while line.n != n and line.before is not None:
        line = line.before
    return line


def _plain_award(moves: Iterable[Move], seat: int) -> bool:
    return all(move.source == TABLE and move.target == seat for move in moves)


def _reasons(teller: Teller, result: Result, act: PlayAct) -> Iterator[Part]:
    """Why cakes moved, or did not."""
    for code, *values in result.notes:
        match code, values:
            case (("bonus-empty" | "tier-empty" | "chase-nobody"), [tier]):
                yield teller.say(f"note_{code}", tier=teller.tier(tier))
            case "fallback", [tier, taken]:
                yield teller.say("note_fallback", tier=teller.tier(tier), taken=teller.tier(taken))
            case "chased", [tier, seat]:
                yield teller.say("note_chased", tier=teller.tier(tier), seat=teller.seat(seat))
            case "waived", [what]:
                yield teller.say(
                    "note_waived", what=teller.say("waived_effect") if what == EFFECT else teller.tier(what)
                )
            case "ranked", [points]:
                yield teller.say("note_ranked", sum=points)
            case (("pingfen" | "zhuangyuan-grabbed"), _):
                yield teller.say(f"note_{code}")
            case _:
                pass
    if isinstance(act, Throw) and EFFECT not in act.waive:
        yield from _effect_lines(teller, result.moves, act)


def _effect_lines(teller: Teller, moves: Iterable[Move], act: Throw) -> Iterator[Part]:
    for effect in scorebook(teller.rules).row(act.roll).effects:
        if effect in ("sweep-table", "sweep-all", "friendly", "grab", "pool"):
            yield teller.say(f"did_{effect}", who=teller.seat(act.seat))
        elif effect in _DUITANG and any(move.tier == "duitang" for move in moves):
            yield teller.say("did_duitang")


def _waits_for_end(rules: RuleSet, act: Throw) -> bool:
    return "duitang-at-end" in scorebook(rules).row(act.roll).effects


def _move_lines(
    teller: Teller, moves: Iterable[Move], thrower: int | None, *, change: Undo | Correct | None = None
) -> Iterator[Part]:
    """Where cakes went: one line for each pair of places, the thrower's own first.

    change: by what they move, if not by a throw. Then nobody won them from anybody: with an undo they go back to where
    they were, and whose they were meanwhile is not told; after a correction they are somebody else's.
    """
    back = isinstance(change, Undo)
    ways: dict[tuple[int | str, int | str], list[Move]] = {}
    for move in moves:
        source = TABLE if back and move.source != POOL and move.target != TABLE else move.source
        ways.setdefault((source, move.target), []).append(move)
    for (source, target), along in sorted(ways.items(), key=lambda way: way[0][1] != thrower):
        cakes = teller.cakes(along)
        if source == POOL:
            yield teller.say("from_pool", cakes=cakes)
        elif target == POOL:
            yield teller.say("to_pool", cakes=cakes)
        elif target == TABLE:
            yield teller.say("to_table", other=teller.seat(source), cakes=cakes)
        elif source == TABLE:
            yield teller.say("back_to" if back else "takes", who=teller.seat(target), cakes=cakes)
        else:
            yield teller.say(
                "now_with" if change else "takes_from", who=teller.seat(target), other=teller.seat(source), cakes=cakes
            )


def _title_change(teller: Teller, before: State | None, after: State) -> Iterator[Part]:
    held = before.title if before else None
    if after.title is None and held is not None:
        yield teller.say("title_nobody")
    elif after.title is not None:
        claim = after.claims.get(after.title)
        if before is None or held != after.title or before.claims.get(after.title) != claim:
            yield teller.say("title_now", who=teller.seat(after.title), hand=teller.claim(claim))


def _title_lines(
    teller: Teller, notes: Sequence[tuple[str, ...]], act: PlayAct, before: State, after: State
) -> Iterator[Part]:
    fallen = any(note[0] == "lugu" for note in notes)
    for code, *values in notes:
        match code, values:
            case "title-taken", [seat]:
                yield teller.say("title_first", who=teller.seat(seat), hand=teller.claim(after.claims.get(int(seat))))
            case "title-taken", [seat, other]:
                yield _taken_line(teller, int(seat), int(other), before, after, fallen=fallen)
            case "title-kept", [seat, why]:
                yield _kept_line(teller, int(seat), why, act, after)
            case "title-held", [seat, *_]:
                yield teller.say("title_held", who=teller.seat(seat), hand=teller.claim(after.claims.get(int(seat))))
            case "title-own-better", [seat]:
                yield teller.say(
                    "title_own_better", who=teller.seat(seat), hand=teller.claim(after.claims.get(int(seat)))
                )
            case _:
                pass


def _taken_line(teller: Teller, seat: int, other: int, before: State, after: State, *, fallen: bool) -> Part:
    hand, lost = after.claims.get(seat), (after if fallen else before).claims.get(other)
    key = "title_lugu" if fallen else "title_taken"
    if not fallen and hand and lost and hand.strength <= lost.strength:
        key = "title_taken_equal" if hand.strength == lost.strength else "title_moved"
    return teller.say(
        key, who=teller.seat(seat), other=teller.seat(other), hand=teller.claim(hand), lost=teller.claim(lost)
    )


def _kept_line(teller: Teller, seat: int, why: str, act: PlayAct, after: State) -> Part:
    thrown = {"other": teller.seat(act.seat), "lost": teller.roll(act.roll)} if isinstance(act, Throw) else {}
    return teller.say(f"title_kept_{why}", who=teller.seat(seat), hand=teller.claim(after.claims.get(seat)), **thrown)


def _later_notes(teller: Teller, notes: Sequence[tuple[str, ...]]) -> Iterator[Part]:
    """What comes of it for the turns to come."""
    for code, *values in notes:
        match code, values:
            case "rolloff", [reason, *seats]:
                yield teller.say(f"rolloff_{reason}", seats=teller.seats(seats))
            case "rolloff-again", seats:
                yield teller.say("rolloff_again", seats=teller.seats(seats))
            case "rolloff-won", [seat, points]:
                yield teller.say("rolloff_won", who=teller.seat(seat), points=int(points))
            case "turn-lost", [seat]:
                yield teller.say("note_turn-lost", seat=teller.seat(seat))
            case "last-lap", _:
                yield teller.say("note_last-lap")
            case _:
                pass
