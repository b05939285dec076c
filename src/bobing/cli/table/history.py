"""Every act of the game in a line."""

from __future__ import annotations

from collections.abc import Iterable

from bobing.cli.table.cells import cut, pad, width
from bobing.cli.table.paint import Line, Span
from bobing.cli.table.scene import Done, Scene, done, told
from bobing.core.acts import Act, Correct, Throw
from bobing.core.game import Node
from bobing.core.settings import ZHUANGYUAN
from bobing.core.state import Result
from bobing.naming import combination_name

STAR = "★"
"""Marks the title of zhuangyuan."""


def history_lines(scene: Scene) -> list[Line]:
    """Every act in order: those taken back dimmed and marked, those put right as they count now."""
    return some_history(scene, range(1, len(scene.game.log) + 1))


def some_history(scene: Scene, numbers: Iterable[int]) -> list[Line]:
    """These acts, a line each: the number, who threw what, and what it brought; of other acts what they did."""
    return [_line(scene, act) for act in done(scene.game, numbers)]


def _line(scene: Scene, did: Done) -> Line:
    sign = "×" if did.gone else "→" if did.corrected else " "
    mark = Span(f"{pad(str(did.n), 6, '>')} {sign} ", "warn" if did.corrected else "dim")
    style, by = "dim" if did.gone else "", f" ({did.corrected})" if did.corrected else ""
    act = did.act
    if isinstance(act, Throw):
        name = combination_name(scene.game.rules, did.result.combination or "none", scene.lang)
        gains = scene.say("dot").join(won(scene, act, did.result, did.before, did.after))
        return [
            mark,
            Span(pad(scene.seat(act.seat, 16), 17), style),
            Span(str(act.roll), style or "key"),
            Span(f"{by}  ", "warn"),
            Span(pad(name, max(18 - len(by), width(name) + 1)), style),
            Span(gains, style),
        ]
    room = scene.cells - 11 - len(by)
    said = cut(scene.say("dot").join(told(scene, did.n, did.node)[:2]), room)
    return [mark, Span(said, style or ("warn" if isinstance(act, Correct) else "")), Span(by, "warn")]


def won(scene: Scene, act: Act, result: Result, before: Node, then: Node) -> list[str]:
    """What a throw brought its thrower, in a few cells; nothing for acts without a thrower."""
    if not isinstance(act, Throw):
        return []
    seat, cakes = act.seat, dict[str, int]()
    for move in result.moves:
        if move.target == seat:
            cakes[move.tier] = cakes.get(move.tier, 0) + move.cakes
    parts = [f"+{count} {scene.tiers(10)[tier]}" for tier, count in cakes.items()]
    if then.state.title == seat and before.state.title != seat and ZHUANGYUAN not in cakes:
        parts.append(f"{STAR} {scene.teller.tier(ZHUANGYUAN)}")
    return parts
