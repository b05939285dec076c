"""Undo, correction and waiver: what was done is changed in the sight of all, and the history shows it."""

from __future__ import annotations

from dataclasses import replace

from bobing.cli.table.commands import is_yes, numbers, read_line
from bobing.cli.table.scene import line_of_play
from bobing.cli.table.table import Table
from bobing.cli.table.throwing import ask_option, numbered, typed_faces, with_options
from bobing.core.acts import EFFECT, Act, Cocked, Correct, Pass, PlayAct, RollOff, Spill, Throw, Undo
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused
from bobing.core.game import Game, Node

_OF_A_TURN = (Throw, Spill, Cocked, Pass)


def undo(table: Table, rest: str) -> None:
    """Take back the last act in force, or a numbered one and all after it."""
    last = next(line_of_play(table.game), None)
    wanted = next(numbers(rest), None)
    if rest and wanted is None:
        table.tell("wrong_number", n=len(table.game.log))
        return
    if last is None and wanted is None:
        table.tell("nothing_to_undo")
        return
    n = wanted if wanted is not None else last.n if last else 0
    taken = [node.n for node in line_of_play(table.game) if node.n >= n]
    if n in taken:
        question = table.say("ask_undo", n=n, last=taken[0], count=len(taken)) if len(taken) > 1 else ""
    else:
        since = _done_since(table.game, n)
        question = table.say("ask_redo", count=since) if since else ""
    if question and not is_yes(table.ask(question)):
        table.tell("cancelled")
        return
    table.play(Undo(n))


def _done_since(game: Game, n: int) -> int:
    """How many acts go when change `n` is taken back, but for undos of what goes anyway."""
    try:
        struck = game.play(Undo(n)).last.struck
    except ActRefused:
        return 0  # it is told when the act is played
    acts = [game.log[other - 1].act for other in struck if other > n]
    return sum(not (isinstance(act, Undo) and act.n > n) for act in acts)


def correct(table: Table, rest: str) -> None:
    """Put a throw right: `c`, `c 7`, or `c 7 444411`. What came after it is kept where it can be."""
    if table.digital:
        table.tell("wrong_digital_only")
        return
    number, _, dice = rest.partition(" ")
    if number.isdecimal() and len(number) == 6 and not dice:
        number, dice = "", number
    nodes = [node for node in line_of_play(table.game) if isinstance(node.act, _OF_A_TURN)]
    if number and not number.isdecimal():
        table.tell("wrong_number", n=len(table.game.log))
        return
    if not nodes:
        table.tell("nothing_to_correct")
        return
    n = int(number[:9]) if number else nodes[0].n
    node = next((node for node in nodes if node.n == n), None)
    if node is None:
        _say_why_not(table, n)
        return
    act = _corrected(table, node, dice)
    if act is not None:
        _put_right(table, Correct(n, act))


def _say_why_not(table: Table, n: int) -> None:
    try:
        table.game.play(Correct(n, Cocked(0)))
    except ActRefused as refused:
        table.notice = table.refusal(refused)
    else:
        table.tell("refused_other_seat")


def _corrected(table: Table, node: Node, typed: str) -> PlayAct | None:
    """The right act in the place of a wrong one; None with a notice where people drew back or mistyped."""
    assert isinstance(node.act, _OF_A_TURN), "only throws and the like are corrected"
    seat = node.act.seat
    if not typed:
        thrown = node.act if isinstance(node.act, Throw) else None
        was = str(thrown.roll) if thrown else table.say(f"did_{type(node.act).__name__.lower()}")
        question = table.say("ask_correct", n=node.n, who=table.scene().seat(seat), was=was)
        with table.shows(thrown):
            typed = table.ask(question)
    wanted = read_line(typed)
    if wanted.command == "":
        table.tell("cancelled")
        return None
    if wanted.command == "out":
        faces = typed_faces(table, wanted.rest, 6) if wanted.rest else None
        return None if wanted.rest and not faces else Spill(seat, Roll(faces) if faces else None)
    faces = typed_faces(table, typed, 6)
    if faces is None:
        return None
    act = with_options(table, _game_before(table.game, node), Throw(seat, Roll(faces)))
    if act is None:
        table.tell("cancelled")
    return act


def _game_before(game: Game, node: Node) -> Game:
    """The game as it stood before a node of its line of play."""
    assert node.before is not None, "only the root has nothing before it"
    return replace(game, line=node.before)


def _put_right(table: Table, act: Correct) -> None:
    """Play a correction; where a later act would become impossible, ask whether to take back from there."""
    try:
        table.game.verify(act)
    except ActRefused as refused:
        if refused.code == "act/later_impossible":
            if not is_yes(table.ask(table.say("ask_cut", n=_first_impossible(table.game, act)))):
                table.tell("cancelled")
                return
            act = replace(act, cut=True)
    table.play(act)


def _first_impossible(game: Game, act: Correct) -> int:
    """The first act that a correction makes impossible."""
    return game.play(replace(act, cut=True)).last.struck[0]


def waive(table: Table, _rest: str) -> None:
    """The last thrower leaves a prize, or what else the throw does."""
    node = next((node for node in line_of_play(table.game) if not isinstance(node.act, RollOff)), None)
    if node is None or not isinstance(node.act, Throw):
        table.tell("nothing_to_waive")
        return
    act = node.act
    options = [what for what in (*table.game.rules.cakes, EFFECT) if _can_waive(table.game, node.n, act, what)]
    if not options:
        table.tell("nothing_to_waive")
        return
    scene = table.scene()
    listed = numbered([scene.say("waive_effect") if what == EFFECT else scene.teller.tier(what) for what in options])
    question = table.say("ask_waive", n=node.n, who=scene.seat(act.seat), options=listed)
    chosen = ask_option(table, question, options, first=False)
    if chosen is None:
        table.tell("cancelled")
    else:
        _put_right(table, Correct(node.n, _waived(act, chosen)))


def _waived(act: Throw, what: str) -> Throw:
    grab = None if what == EFFECT else act.grab
    return replace(act, waive=(*act.waive, what), grab=grab)


def _can_waive(game: Game, n: int, act: Throw, what: str) -> bool:
    return what not in act.waive and _possible(game, Correct(n, _waived(act, what), cut=True))


def _possible(game: Game, act: Act) -> bool:
    return game.can(act)
