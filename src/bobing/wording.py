"""Tells in words what an act did: who threw what, what went where and why, who holds the title, who is next.

Whatever shows a game to people uses this: the referee, the terminal game, the server. The texts are `i18n/game.toml`.
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
from bobing.core.catalogue import HOUSE_KEY, find_sheet
from bobing.core.combinations import NONE
from bobing.core.dice import Roll
from bobing.core.game import Game, Node
from bobing.core.glossary import name as glossary_name
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.settings import FORMS, HANDS_BELOW, ZHUANGYUAN
from bobing.core.state import POOL, TABLE, Claim, Move, Result, State
from bobing.core.turns import RED
from bobing.i18n import text
from bobing.reason import why

Names = Mapping[int, str]
"""Names of players by seat; a seat without one is called by its number."""

_GLYPHS = "⚀⚁⚂⚃⚄⚅"
_TITLE_NOTES = ("title-taken", "title-kept", "title-held", "title-own-better", "lugu")
_DUITANG = ("duitang-unwon", "duitang-all", "duitang-all-untitled")


def describe(
    rules: RuleSet, result: Result, act: Act, game: Game, names: Names, lang: str, *, dice: bool = True
) -> list[str]:
    """What an accepted act did, one sentence a line, the act itself first. `game` is the game right after the act.

    dice: the dice thrown stand in the first line; without, it is a sentence to go beside a picture of them.

    >>> from bobing.core.catalogue import find_sheet
    >>> game = Game.new(find_sheet(), seats=2).play(Throw(0, Roll.parse("444412")))
    >>> for line in describe(game.rules, game.last, game.log[-1].act, game, {0: "Mei"}, "en"):
    ...     print(line)
    Mei  ⚃⚃⚃⚃⚀⚁  Four Fours
    Mei leads for the title with Four Fours + 3 (444412)
    """
    teller = Teller(rules, names, lang, dice)
    before = game.log[-1].line.state
    lines = list(_consequences(teller, result, act, game, before))
    if game.finished and not before.finished:
        lines += end_lines(rules, game, names, lang)
    return lines


def title_lines(rules: RuleSet, result: Result, act: Act, game: Game, names: Names, lang: str) -> list[str]:
    """What an accepted act meant for the title of zhuangyuan; nothing where it was not at stake."""
    teller, before = Teller(rules, names, lang), game.log[-1].line.state
    if isinstance(act, Undo | Correct):
        return list(_title_change(teller, before, game.state))
    return list(_title_lines(teller, result.notes, act, before, game.state))


def reason(rules: RuleSet, roll: Roll, lang: str) -> str:
    """Why a throw is what it is called.

    >>> from bobing.core.catalogue import find_sheet
    >>> reason(find_sheet(), Roll.parse("222231"), "en")
    '4 dice show 2'
    """
    row = scorebook(rules).row(roll)
    hand = "".join(map(str, sorted(roll.faces)))
    return why(hand, row.combination, row.kicker, lang, bonus=bool(row.bonus))


def end_lines(rules: RuleSet, game: Game, names: Names, lang: str) -> list[str]:
    """How a finished game ended, and who is the champion."""
    teller = Teller(rules, names, lang)
    return [teller.say(f"over_{game.state.finished}"), teller.champion(game.state)]


def next_line(rules: RuleSet, game: Game, names: Names, lang: str) -> str | None:
    """Whose turn it is; None when the game is over."""
    seat = game.next_seat
    if seat is None:
        return None
    teller = Teller(rules, names, lang)
    return teller.say("turn_rolloff" if game.state.rolloff else "turn", who=teller.seat(seat))


def standing_lines(rules: RuleSet, game: Game, names: Names, lang: str) -> list[str]:
    """How the game stands: what each seat holds, and who is champion or leads."""
    teller = Teller(rules, names, lang)
    lines = [teller.standing(seat, game.state) for seat in range(len(game.state.order))]
    if game.finished:
        return [*lines, teller.champion(game.state)]
    leads = [] if game.state.title is None else list(_title_change(teller, None, game.state))
    return [*lines, teller.say("not_over"), *leads]


def glyphs(faces: Iterable[int]) -> str:
    """Faces as dice.

    >>> glyphs((4, 4, 1))
    '⚃⚃⚀'
    """
    return "".join(_GLYPHS[face - 1] for face in faces)


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
    """The name of a tier: the rule file's own, else the one of the glossary, else its key."""
    if key in rules.cakes and (own := rules.tier(key).names):
        return own.get(lang) or next(iter(own.values()))
    return glossary_name(key, lang) if key == ZHUANGYUAN or key in HANDS_BELOW else key


def combination_name(rules: RuleSet, key: str, lang: str) -> str:
    """The name of a combination; one that only a rule file knows is called as its tier."""
    if key == "three-dice":
        return text(lang, "game.three_dice")
    if key in FORMS or key in HANDS_BELOW or key == "none":
        return glossary_name(key, lang)
    return tier_name(rules, key, lang)


def hand_name(rules: RuleSet, roll: Roll, lang: str) -> str:
    """A throw by its combination, with what breaks ties where that counts."""
    row = scorebook(rules).row(roll)
    name = combination_name(rules, row.combination, lang)
    if row.combination in ("sihong", "wuhong", "wuzi"):
        return text(lang, "game.with_kicker", name=name, kicker=row.kicker)
    return name


@dataclass(frozen=True, slots=True)
class Teller:
    """Puts seats, cakes and hands into words: one rule set, one table of names, one language."""

    rules: RuleSet
    names: Names
    lang: str
    dice: bool = True

    def say(self, key: str, **values: object) -> str:
        """The text `game.key` in the language."""
        return text(self.lang, f"game.{key}", **values)

    def seat(self, seat: int | str) -> str:
        """The player's name, else the seat's number."""
        return self.names.get(int(seat)) or self.say("seat", seat=seat)

    def seats(self, seats: Iterable[int | str]) -> str:
        """Several players."""
        return self.say("comma").join(self.seat(seat) for seat in seats)

    def tier(self, key: str) -> str:
        """The name of a tier."""
        return tier_name(self.rules, key, self.lang)

    def combination(self, key: str) -> str:
        """The name of a combination."""
        return combination_name(self.rules, key, self.lang)

    def cakes(self, moves: Iterable[Move]) -> str:
        """So many cakes of these tiers."""
        stacks: dict[tuple[str, str | None], int] = {}
        for move in moves:
            stacks[move.tier, move.item] = stacks.get((move.tier, move.item), 0) + move.cakes
        return self.say("plus").join(self._stack(tier, item, cakes) for (tier, item), cakes in stacks.items())

    def standing(self, seat: int, state: State) -> str:
        """What a seat holds, by tier and by item where a tier has several."""
        held = Counter((tier, cake.item) for tier, cakes in state.held.items() for cake in cakes if cake.seat == seat)
        stacks = [self._stack(tier, item, cakes) for (tier, item), cakes in held.items()]
        cakes = self.say("comma").join(stacks) or self.say("no_cakes")
        return self.say("standing", who=self.seat(seat), cakes=cakes)

    def _stack(self, tier: str, item: str | None, cakes: int) -> str:
        stack = self.say("stack", cakes=cakes, tier=self.tier(tier))
        return stack if item is None else self.say("item", stack=stack, item=item)

    def roll(self, roll: Roll) -> str:
        """A throw as a hand: its combination, what breaks ties where that counts, and the dice."""
        return self.say("hand", name=hand_name(self.rules, roll, self.lang), roll=str(roll))

    def claim(self, claim: Claim | None) -> str:
        """The throw with which a seat stands for the title."""
        if claim is None:
            return self.tier(ZHUANGYUAN)
        if isinstance(claim.roll, Roll):
            return self.roll(claim.roll)
        return self.say("hand", name=self.combination(claim.combination), roll="".join(map(str, claim.roll)))

    def champion(self, state: State) -> str:
        """Who is the champion, and with which throw."""
        if state.title is None:
            return self.say("no_champion")
        return self.say("champion", who=self.seat(state.title), hand=self.claim(state.claims.get(state.title)))


def _consequences(teller: Teller, result: Result, act: Act, game: Game, before: State) -> Iterator[str]:
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
    yield from _title_lines(teller, result.notes, act, before, game.state)
    yield from _later_notes(teller, result.notes)
    if isinstance(act, Throw) and _waits_for_end(teller.rules, act) and game.state.title == seat and not game.finished:
        yield teller.say("did_duitang-at-end", who=teller.seat(act.seat))
    yield from (teller.say("skipped", who=teller.seat(seat)) for seat in result.skipped)


def _act_line(teller: Teller, act: PlayAct, notes: Sequence[tuple[str, ...]]) -> str:
    match act:
        case Throw(seat, roll):
            combination = scorebook(teller.rules).row(roll).combination
            key = "throw" if teller.dice else "throw_none_plain" if combination == NONE else "throw_plain"
            name = teller.combination(combination)
            return teller.say(key, who=teller.seat(seat), dice=glyphs(roll.faces), name=name)
        case RollOff(seat, faces):
            points = sum(face for face in faces if len(faces) == 3 or face in RED)
            key = "rolloff" if teller.dice else "rolloff_plain"
            return teller.say(key, who=teller.seat(seat), dice=glyphs(faces), points=points)
        case Spill(seat) | Cocked(seat) | Pass(seat) | Leave(seat) | Back(seat):
            return teller.say(type(act).__name__.lower(), who=teller.seat(seat))
        case Start(seat, dice):
            starter = next((note[1] for note in notes if note[0] == "starts"), seat)
            key = "start" if teller.dice else "start_plain"
            return teller.say(key, who=teller.seat(seat), dice=glyphs(dice), starter=teller.seat(starter))
        case Join():
            return teller.say("join", who=teller.seat(next((note[1] for note in notes if note[0] == "joined"), 0)))
        case Swap((left, right)):
            return teller.say("swap", who=teller.seat(left), other=teller.seat(right))
        case TimeUp():
            return teller.say("time_up")
        case Close():
            return teller.say("close")


def _change_line(teller: Teller, result: Result, act: Undo | Correct, game: Game) -> str:
    changed, now = game.log[act.n - 1], game.log[-1].line
    if isinstance(act, Correct):
        line = _correct_line(teller, result, act, now)
        return f"{line}; {_taken_back(teller, result.struck, now)}" if result.struck else line
    if not isinstance(changed.act, Undo | Correct):
        return _taken_back(teller, (act.n, *result.struck[1:]), now)
    place = changed.act.n
    key = "undo_undo" if isinstance(changed.act, Undo) else "undo_correct"
    while isinstance(further := game.log[place - 1].act, Undo | Correct):
        place, key = further.n, "undo_change"
    return teller.say(key, deed=_deed(teller, place, game.log[place].line))


def _correct_line(teller: Teller, result: Result, act: Correct, line: Node) -> str:
    deed, old, new = _deed(teller, act.n, line), _node(line, act.n).act, act.act
    if isinstance(old, Throw) and isinstance(new, Throw) and old.roll == new.roll:
        return teller.say("correct_same", deed=deed)
    return teller.say("correct", deed=deed, throw=_act_line(teller, new, result.notes))


def _taken_back(teller: Teller, struck: Sequence[int], line: Node) -> str:
    key = "undo" if len(struck) == 1 else "undo_many"
    return teller.say(key, deed=_deed(teller, struck[0], line), n=len(struck) - 1)


def _deed(teller: Teller, n: int, line: Node) -> str:
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


def _reasons(teller: Teller, result: Result, act: PlayAct) -> Iterator[str]:
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


def _effect_lines(teller: Teller, moves: Iterable[Move], act: Throw) -> Iterator[str]:
    for effect in scorebook(teller.rules).row(act.roll).effects:
        if effect in ("sweep-table", "sweep-all", "friendly", "grab", "pool"):
            yield teller.say(f"did_{effect}", who=teller.seat(act.seat))
        elif effect in _DUITANG and any(move.tier == "duitang" for move in moves):
            yield teller.say("did_duitang")


def _waits_for_end(rules: RuleSet, act: Throw) -> bool:
    return "duitang-at-end" in scorebook(rules).row(act.roll).effects


def _move_lines(
    teller: Teller, moves: Iterable[Move], thrower: int | None, *, change: Undo | Correct | None = None
) -> Iterator[str]:
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


def _title_change(teller: Teller, before: State | None, after: State) -> Iterator[str]:
    held = before.title if before else None
    if after.title is None and held is not None:
        yield teller.say("title_nobody")
    elif after.title is not None:
        claim = after.claims.get(after.title)
        if before is None or held != after.title or before.claims.get(after.title) != claim:
            yield teller.say("title_now", who=teller.seat(after.title), hand=teller.claim(claim))


def _title_lines(
    teller: Teller, notes: Sequence[tuple[str, ...]], act: PlayAct, before: State, after: State
) -> Iterator[str]:
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


def _taken_line(teller: Teller, seat: int, other: int, before: State, after: State, *, fallen: bool) -> str:
    hand, lost = after.claims.get(seat), (after if fallen else before).claims.get(other)
    key = "title_lugu" if fallen else "title_taken"
    if not fallen and hand and lost and hand.strength <= lost.strength:
        key = "title_taken_equal" if hand.strength == lost.strength else "title_moved"
    return teller.say(
        key, who=teller.seat(seat), other=teller.seat(other), hand=teller.claim(hand), lost=teller.claim(lost)
    )


def _kept_line(teller: Teller, seat: int, why: str, act: PlayAct, after: State) -> str:
    thrown = {"other": teller.seat(act.seat), "lost": teller.roll(act.roll)} if isinstance(act, Throw) else {}
    return teller.say(f"title_kept_{why}", who=teller.seat(seat), hand=teller.claim(after.claims.get(seat)), **thrown)


def _later_notes(teller: Teller, notes: Sequence[tuple[str, ...]]) -> Iterator[str]:
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
