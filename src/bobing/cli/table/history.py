"""Every act of the game in a line."""

from __future__ import annotations

from bobing.cli.table.cells import cut, pad
from bobing.cli.table.paint import Line, Span
from bobing.cli.table.scene import Scene, after, told
from bobing.core.acts import Correct, Throw
from bobing.core.settings import ZHUANGYUAN
from bobing.wording import combination_name

STAR = "★"
"""Marks the title of zhuangyuan."""


def history_lines(scene: Scene) -> list[Line]:
    """Every act in order, those taken back dimmed and marked."""
    return [history_line(scene, n) for n in range(1, len(scene.game.log) + 1)]


def history_line(scene: Scene, n: int) -> Line:
    """One act: its number, who threw what, and what it brought; of other acts what they did."""
    game = scene.game
    entry = game.log[n - 1]
    gone = n in game.struck
    mark = Span(f"{pad(str(n), 6, '>')} {'×' if gone else ' '} ", "dim")
    style = "dim" if gone else ""
    act = entry.act
    if isinstance(act, Throw):
        name = combination_name(game.rules, entry.result.combination or "none", scene.lang)
        gains = scene.say("dot").join(won(scene, n))
        who = pad(scene.seat(act.seat, 16), 17)
        return [
            mark,
            Span(who, style),
            Span(f"{act.roll}  ", style or "key"),
            Span(pad(name, 18), style),
            Span(gains, style),
        ]
    said = scene.say("dot").join(told(game, scene.names, scene.lang, n)[:2])
    return [mark, Span(cut(said, scene.cells - 11), style or ("warn" if isinstance(act, Correct) else ""))]


def won(scene: Scene, n: int) -> list[str]:
    """What act `n` brought its thrower, in a few cells; nothing for acts without a thrower."""
    entry, teller = scene.game.log[n - 1], scene.teller
    if not isinstance(entry.act, Throw):
        return []
    seat, cakes = entry.act.seat, dict[str, int]()
    for move in entry.result.moves:
        if move.target == seat:
            cakes[move.tier] = cakes.get(move.tier, 0) + move.cakes
    parts = [f"+{count} {scene.tiers(10)[tier]}" for tier, count in cakes.items()]
    before, then = entry.line.state, after(scene.game, n).state
    if then.title == seat and before.title != seat and ZHUANGYUAN not in cakes:
        parts.append(f"{STAR} {teller.tier(ZHUANGYUAN)}")
    return parts
