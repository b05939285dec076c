"""Who holds what: the cakes left on the table and those in hand, tier by tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobing.cli.table.cells import ELLIPSIS, cut, pad, width
from bobing.cli.table.history import STAR
from bobing.cli.table.paint import Line, Span
from bobing.cli.table.scene import Scene
from bobing.core.settings import ZHUANGYUAN

_NAME_LEAST, _NAME_MOST, _SUM = 9, 22, 7


@dataclass(frozen=True)
class Columns:
    """How wide the columns are: the name, each tier, and the sum of cakes or points; tight: words are short too."""

    name: int
    tier: int
    sum: int
    tight: bool = False


def has_points(scene: Scene) -> bool:
    """Whether the sheet counts points."""
    return any(tier.points for tier in scene.game.rules.tiers)


def stock(scene: Scene, columns: Columns) -> list[Line]:
    """Two lines: the tiers, and what is left of each on the table."""
    rules, state = scene.game.rules, scene.game.state
    labels = scene.tiers(columns.tier - 1)
    head: Line = [Span(pad("", columns.name))]
    total = sum(state.table.values())
    left: Line = [Span(pad("  " + scene.say("on_table", n=total), columns.name), "head")]
    for tier in rules.tiers:
        head.append(Span(pad(labels[tier.key], columns.tier, ">"), "head"))
        count = state.table[tier.key]
        shown = f"{count}/{tier.cakes}" if len(f"{count}/{tier.cakes}") < columns.tier else str(count)
        left.append(Span(pad(shown, columns.tier, ">"), "gold" if count else "dim"))
    head.append(Span(pad(scene.say("points" if has_points(scene) else "cakes"), columns.sum, ">"), "head"))
    return [head, left]


def short_head(scene: Scene, columns: Columns) -> Line:
    """The tiers in as few cells as the columns of a narrow table have."""
    spans: Line = [Span(pad("", columns.name))]
    spans += [Span(pad(name, columns.tier, ">"), "head") for name in scene.tiers(columns.tier - 1).values()]
    label = scene.say("points_short" if has_points(scene) else "cakes_short")
    return [*spans, Span(pad(label, columns.sum, ">"), "head")]


def player(scene: Scene, seat: int, columns: Columns) -> Line:
    """One line: a player and what is in hand; with the player's number while something is asked."""
    state, rules = scene.game.state, scene.game.rules
    turn, away = scene.game.next_seat == seat, seat in state.away
    mark = "▶ " if turn else "  "
    kind = "mark_away" if away else "mark_skips" if seat in state.lost_turns else ""
    kind = "" if columns.tight and scene.asking else kind
    note = scene.say(f"{kind}_short" if columns.tight else kind) if kind else ""
    room = columns.name - 3 - (width(note) + 1 if note else 0)
    name = cut(f"{seat + 1} {scene.seat(seat, room)}" if scene.asking else scene.seat(seat, room), room)
    style = "turn" if turn else "dim" if away else ""
    spans: Line = [Span(mark, "turn"), Span(name, style)]
    if note:
        spans.append(Span(f" {note}", "dim" if away else "warn"))
    spans.append(Span(" " * (columns.name - 2 - width(name) - (width(note) + 1 if note else 0))))
    held = state.holding(seat)
    for tier in rules.tiers:
        count = held.get(tier.key, 0)
        leads = tier.key == ZHUANGYUAN and state.title == seat
        shown = f"{STAR}{count or ''}" if leads else str(count) if count else "·"
        spans.append(Span(pad(shown, columns.tier, ">"), "gold" if leads else "" if count else "dim"))
    total = scene.game.points(seat) if has_points(scene) else sum(held.values())
    return [*spans, Span(pad(str(total), columns.sum, ">"), "strong" if total else "dim")]


def wide(scene: Scene) -> Columns | None:
    """Columns for one table across the page; None where the sheet has too many tiers for that."""
    tiers = scene.game.rules.tiers
    widest = max(width(scene.teller.tier(tier.key)) for tier in tiers)
    room = scene.cells - 2 - _SUM
    tier = min(max(widest + 2, 8), 16, (room - _NAME_LEAST - 5) // len(tiers))
    if tier < 5:
        return None
    return Columns(min(_NAME_MOST, room - tier * len(tiers)), tier, _SUM)


def narrow(scene: Scene) -> Columns | None:
    """Columns for two tables side by side; None where that is too narrow."""
    tiers, room = scene.game.rules.tiers, (scene.cells - 3) // 2
    digits = max(len(str(tier.cakes)) for tier in tiers)
    tier = 1 + max(digits, *map(width, scene.tiers(3).values()))
    name = room - tier * len(tiers) - 4
    return Columns(min(name, _NAME_MOST), tier, 4, tight=True) if name >= _NAME_LEAST else None


def seats_shown(order: Sequence[int], turn: int, count: int) -> list[int]:
    """At most `count` seats of the order of play: a window that holds the turn.

    >>> seats_shown(range(8), 6, 4), seats_shown(range(3), 2, 4)
    ([4, 5, 6, 7], [0, 1, 2])
    """
    start = max(0, min(turn - count // 2, len(order) - count))
    return list(order[start : start + count])


def table(scene: Scene, rows: int) -> list[Line]:
    """Stock and players in at most so many lines; those who do not fit are counted."""
    order, turn = scene.game.state.order, scene.game.state.turn
    columns = wide(scene)
    if columns is None:
        return _list(scene, rows)
    head = stock(scene, columns)
    rule = [Span(" " + "─" * (scene.cells - 2), "frame")]
    beside = narrow(scene)
    if len(order) <= rows - 3 or beside is None:
        seats, room = order, rows - 3
        if len(order) > room:
            seats, more = seats_shown(order, turn, room - 1), True
        else:
            more = False
        lines = [player(scene, seat, columns) for seat in seats]
        return [*head, rule, *lines, *([_more(scene, len(order) - len(seats))] if more else [])]
    labels = short_head(scene, beside)
    return [*head, [*labels, Span("  "), *labels], *_side_by_side(scene, beside, rows - 3)]


def _side_by_side(scene: Scene, columns: Columns, rows: int) -> list[Line]:
    order, turn = scene.game.state.order, scene.game.state.turn
    fits = len(order) <= 2 * rows
    seats = list(order) if fits else seats_shown(order, turn, 2 * (rows - 1))
    half = (len(seats) + 1) // 2
    lines: list[Line] = []
    for i in range(half):
        left = player(scene, seats[i], columns)
        right = player(scene, seats[half + i], columns) if half + i < len(seats) else []
        lines.append([*left, Span("  "), *right])
    return lines if fits else [*lines, _more(scene, len(order) - len(seats))]


def _more(scene: Scene, count: int) -> Line:
    return [Span("  " + scene.say("more_players", n=count), "dim")]


def _list(scene: Scene, rows: int) -> list[Line]:
    """For sheets of many tiers: what is left in a running line, and each player's cakes in words."""
    rules, state, teller = scene.game.rules, scene.game.state, scene.teller
    room = scene.cells - 4
    left = [f"{teller.tier(t.key)} {state.table[t.key]}/{t.cakes}" for t in rules.tiers]
    lines: list[Line] = [[Span("  " + part, "gold")] for part in _flow(left, room)[: max(1, rows // 3)]]
    seats = seats_shown(state.order, state.turn, max(1, rows - len(lines) - 1))
    for seat in seats:
        mark = "▶ " if scene.game.next_seat == seat else "  "
        held = [f"{teller.tier(tier)} {count}" for tier, count in state.holding(seat).items()]
        star = f"{STAR} " if state.title == seat else ""
        body = pad(star + scene.say("dot").join(held), room - 16).rstrip()
        lines.append([Span(mark, "turn"), Span(pad(scene.seat(seat, 13), 14)), Span(body)])
    return lines if len(seats) == len(state.order) else [*lines, _more(scene, len(state.order) - len(seats))]


def _flow(parts: Sequence[str], cells: int) -> list[str]:
    lines = [""]
    for part in parts:
        if lines[-1] and width(lines[-1]) + 3 + width(part) > cells:
            lines.append("")
        lines[-1] += ("   " if lines[-1] else "") + part
    return [
        pad(text, min(width(text), cells)) if width(text) <= cells else text[: cells - 1] + ELLIPSIS for text in lines
    ]
