"""Throws as they are typed or fall, with what the sheet then asks: a grab, a choice, an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bobing.cli.table.commands import dice_typed, read_share
from bobing.cli.table.dice import deal, owed
from bobing.cli.table.scene import Scene
from bobing.cli.table.screen import table_page
from bobing.cli.table.table import Table
from bobing.core.acts import Act, Cocked, Correct, RollOff, Spill, Start, Throw
from bobing.core.dice import Roll, read_faces
from bobing.core.errors import RollError
from bobing.core.game import Game
from bobing.core.scorebook import scorebook

_FRAMES, _FRAME_SECONDS = 7, 0.09


def throw(table: Table, rest: str) -> None:
    """The next throw: typed, or digital dice; in a roll-off the throw that it asks for."""
    pending, seat = table.game.state.rolloff, table.game.next_seat
    dice = pending.dice if pending else 6
    if seat is None:
        table.tell("refused_game_over")
    elif table.digital and rest:
        table.tell("wrong_digital")
    elif table.digital:
        _fall(table, seat, dice)
    elif not rest:
        table.tell("wrong_real")
    else:
        faces = typed_faces(table, rest, dice)
        if faces and pending:
            table.play(RollOff(seat, faces))
        elif faces:
            play_or_cancel(table, with_options(table, table.game, Throw(seat, Roll(faces))))


def _fall(table: Table, seat: int, dice: int) -> None:
    """Digital dice: what fell is saved before anybody sees it, with the first choice where there is one to make."""
    before, faces = table.scene(), let_fall(table, dice)
    if dice == 6 and not table.game.state.rolloff:
        there = [other for other in table.game.state.order if other not in table.game.state.away]
        needed = table.game.grab_for(Roll(faces))
        act: Throw | RollOff = Throw(seat, Roll(faces), deal(needed, there, table.dice) if needed else None)
    else:
        act = RollOff(seat, faces)
    if not table.play(act):
        return
    tumble(table, before, len(faces))
    if isinstance(act, Throw):
        _revise(table, act)


def _revise(table: Table, act: Throw) -> None:
    """Ask what there is to choose after digital dice fell; another choice than the first is a correction."""
    entry = table.game.log[-1]
    then = replace(table.game, line=entry.line, log=table.game.log[:-1], struck=entry.struck)
    chosen = with_options(table, then, replace(act, grab=None))
    if chosen is not None and _differs(then, act, chosen):
        table.play(Correct(len(table.game.log), chosen))


def _differs(game: Game, act: Throw, chosen: Throw) -> bool:
    return game.play(act).state != game.play(chosen).state


def play_or_cancel(table: Table, act: Act | None) -> None:
    """Play the act, or say that nothing has changed where people drew back."""
    if act is None:
        table.tell("cancelled")
    else:
        table.play(act)


def typed_faces(table: Table, typed: str, dice: int) -> tuple[int, ...] | None:
    """So many faces as people type them; None with a notice where they are not."""
    try:
        return read_faces(typed, dice)
    except RollError:
        found = dice_typed(typed)
    if found is None:
        table.tell("wrong_dice", line=typed[:20], dice=dice, example="444411"[:dice])
    else:
        table.tell("wrong_count", n=found, dice=dice)
    return None


def with_options(table: Table, game: Game, act: Throw) -> Throw | None:
    """The throw with what the sheet asks for beside the dice; None where people drew back.

    game: as it was before the throw, which is another than the table's where a throw is corrected.
    """
    with table.shows(act):
        return _options(table, game, act)


def _options(table: Table, game: Game, act: Throw) -> Throw | None:
    needed = game.grab_for(act.roll)
    if needed:
        grab = _ask_grab(table, game, needed)
        return replace(act, grab=grab) if grab else None
    chosen = _ask_choice(table, game, act)
    return _ask_items(table, game, chosen) if chosen else None


def _ask_grab(table: Table, game: Game, needed: Mapping[str, int]) -> Mapping[str, tuple[int, ...]] | None:
    """Who grabbed what, tier by tier, as typed or by lot."""
    seats = [seat for seat in game.state.order if seat not in game.state.away]
    grab: dict[str, tuple[int, ...]] = {}
    for tier, count in needed.items():
        question = table.say("ask_grab", tier=table.scene().teller.tier(tier), n=count)
        while tier not in grab:
            typed = table.ask(f"{table.notice} {question}" if table.notice else question)
            table.notice = ""
            if typed.casefold() == "q":
                return None
            if not typed:
                table.tell("wrong_empty_share")
                continue
            dealt = (
                deal({tier: count}, seats, table.dice) if typed.casefold() == "r" else _dealt(table, typed, tier, count)
            )
            grab.update(dealt)
    return grab


def _dealt(table: Table, typed: str, tier: str, count: int) -> Mapping[str, tuple[int, ...]]:
    """The cakes of a tier as they were dealt; nothing, with a notice, where somebody is unknown or the sum is wrong."""
    shares = [(table.find_seat(who), cakes) for who, cakes in read_share(typed) or ()]
    found = sum(cakes for _, cakes in shares)
    if any(seat is None for seat, _ in shares):
        return {}
    if any(seat in table.game.state.away for seat, _ in shares):
        table.tell("refused_seat_away")
        return {}
    if found != count:
        table.tell("wrong_share", tier=table.scene().teller.tier(tier), n=count, found=found)
        return {}
    return {tier: tuple(sorted(seat for seat, cakes in shares if seat is not None for _ in range(cakes)))}


def _ask_choice(table: Table, game: Game, act: Throw) -> Throw | None:
    """Which lower tier is taken where the sheet lets the player choose."""
    options = [tier for tier in game.rules.lower if game.can(replace(act, choose=tier))]
    if len(options) < 2:
        return act
    teller = table.scene().teller
    thrown = scorebook(game.rules).row(act.roll).tier or ""
    listed = numbered([teller.tier(tier) for tier in options])
    chosen = ask_option(table, table.say("ask_choose", tier=teller.tier(thrown), options=listed), options)
    return replace(act, choose=chosen) if chosen else None


def _ask_items(table: Table, game: Game, act: Throw) -> Throw | None:
    """Which item is taken, for each tier of the throw that has several left."""
    for tier in game.state.shelf:
        left = [name for name, count in game.state.shelf[tier].items() if count]
        options = [name for name in left if game.can(replace(act, items={**act.items, tier: name}))]
        if len(options) < 2:
            continue
        question = table.say("ask_item", tier=table.scene().teller.tier(tier), options=numbered(options))
        chosen = ask_option(table, question, options)
        if chosen is None:
            return None
        act = replace(act, items={**act.items, tier: chosen})
    return act


def ask_option(table: Table, question: str, options: Sequence[str], *, first: bool = True) -> str | None:
    """One of several, by its number; an empty line takes the first where `first`. None where people drew back."""
    while True:
        typed = table.ask(f"{table.notice} {question}" if table.notice else question)
        table.notice = ""
        if typed.casefold() == "q" or (not typed and not first):
            return None
        if not typed:
            return options[0]
        if typed.isdecimal() and 1 <= int(typed[:9]) <= len(options):
            return options[int(typed[:9]) - 1]
        table.tell("wrong_option", n=len(options))


def numbered(options: Sequence[str]) -> str:
    """Options with their numbers.

    >>> numbered(["四进", "二举"])
    '1 四进  2 二举'
    """
    return "  ".join(f"{i} {option}" for i, option in enumerate(options, 1))


def out(table: Table, rest: str) -> None:
    """A die left the bowl; what lies there may be noted."""
    seat = _thrower(table)
    if seat is None:
        return
    faces = typed_faces(table, rest, 6) if rest else None
    if not rest or faces:
        table.play(Spill(seat, Roll(faces) if faces else None))


def cocked(table: Table, _rest: str) -> None:
    """A die leans: the same player throws again."""
    seat = _thrower(table)
    if seat is not None:
        table.play(Cocked(seat))


def _thrower(table: Table) -> int | None:
    """Whose real dice they are; None with a notice for digital dice or after the end."""
    if table.digital:
        table.tell("wrong_digital_only")
        return None
    if table.game.next_seat is None:
        table.tell("refused_game_over")
    return table.game.next_seat


def start(table: Table, rest: str) -> None:
    """Two dice find who begins; on sheets where the eldest or anyone throws them, that player is asked for."""
    seat = table.game.next_seat
    if seat is None or table.game.state.begun:
        table.tell("refused_already_begun")
        return
    typed = rest
    if table.game.rules.setup.starter != "first-seat" and not rest:
        who = table.ask(table.say("ask_starter", who=table.scene().seat(seat)))
        found = table.find_seat(who) if who else seat
        if found is None:
            return
        seat = found
    if table.digital:
        faces: tuple[int, ...] | None = let_fall(table, 2)
    else:
        typed = typed or table.ask(table.say("ask_start", who=table.scene().seat(seat)))
        if not typed:
            table.tell("cancelled")
            return
        faces = typed_faces(table, typed, 2)
    if faces:
        table.play(Start(seat, faces))


def let_fall(table: Table, dice: int) -> tuple[int, ...]:
    """Digital dice: those that fell before and were taken back, else new ones."""
    return owed(table.game, dice) or table.dice.throw(dice)


def tumble(table: Table, before: Scene, dice: int) -> None:
    """Show dice rolling on the page as it was before, without a word of how they lie."""
    frames = (tuple((frame * (3 + i) + 5 * i) % 6 + 1 for i in range(dice)) for frame in range(_FRAMES))
    table.console.play((table_page(replace(before, notice="", tumbling=faces)) for faces in frames), _FRAME_SECONDS)
