"""The page of the game: what is left and who holds what, the title, the dice, what they did, and whose turn it is."""

from __future__ import annotations

import re

from bobing.cli.table import ledger
from bobing.cli.table.cells import cut, pad, width, wrap
from bobing.cli.table.history import some_history, won
from bobing.cli.table.paint import Line, Span, line_width
from bobing.cli.table.pips import DICE_CELLS, big_dice, bowl
from bobing.cli.table.scene import Scene, last_played, line_of_play, throws
from bobing.core.acts import Act, Cocked, RollOff, Spill, Start, Throw
from bobing.core.game import Node
from bobing.core.scorebook import scorebook
from bobing.naming import combination_name

_DICE_ROWS, _TITLE_ROWS = 5, 2
_NEWS_LEAST, _EARLIER_LEAST = 3, 2


def table_page(scene: Scene) -> list[Line]:
    """The page in `scene.rows` - 1 lines; the last line of the terminal is for what people type."""
    room = page_rows(scene) - 2 - _TITLE_ROWS - _DICE_ROWS - 1
    board = ledger.table(scene, room - _NEWS_LEAST)
    news = news_lines(scene, room - len(board))
    rule: Line = [Span(" " + "─" * (scene.cells - 2), "frame")]
    lines = [bar(scene), *board, rule, *title_lines(scene), *dice_lines(scene), *news, keys_line(scene)]
    return [fitted(spans, scene.cells) for spans in lines]


def page_rows(scene: Scene) -> int:
    """How many lines a page has: one less than the terminal, and never fewer than 23."""
    return max(scene.rows, 24) - 1


def bar(scene: Scene) -> Line:
    """The head of the page: the sheet on the left, how far the game is on the right."""
    game = scene.game
    facts = [scene.say("lap", n=game.state.lap + 1), scene.say("throws", n=throws(game))]
    facts.append(scene.say("digital_dice" if scene.digital else "real_dice"))
    limit = game.rules.ending.minutes
    if limit and not game.finished:
        facts.append(scene.say("minutes", gone=scene.minutes, limit=limit))
    right = scene.say("dot").join(facts) + "  "
    left = cut(f"  {scene.say('name')}  {scene.sheet()}", scene.cells - width(right) - 1)
    gap = scene.cells - width(left) - width(right)
    return [Span(left, "title"), Span(" " * gap + right, "title-dim")]


def title_lines(scene: Scene) -> list[Line]:
    """Two lines: who holds the title and with what, and why the last attack on it failed."""
    state, teller = scene.game.state, scene.teller
    if state.title is None:
        return [[Span("    " + scene.say("title_open"), "dim")], []]
    claim = state.claims.get(state.title)
    said = scene.say(
        "champion_is" if scene.game.finished else "title_is", who=scene.seat(state.title), hand=teller.claim(claim)
    )
    number = scene.say("in_act", n=claim.n) if claim else ""
    lines: list[Line] = [[Span("  ★ " + cut(said, scene.cells - 6 - width(number)), "gold"), Span(number, "dim")]]
    return [*lines, [Span("    "), *why_kept(scene)]]


def why_kept(scene: Scene) -> Line:
    """Why the last attack on the title failed; an empty line where nobody attacked it since it was won."""
    state = scene.game.state
    claim = state.claims.get(state.title) if state.title is not None else None
    attack = next((node for node in line_of_play(scene.game) if claim and node.n > claim.n and _attack(node)), None)
    return [Span(cut(_why_kept(scene, attack), scene.cells - 5), "dim")] if attack else []


def _attack(node: Node) -> str:
    """Why an act did not win the title, as the game noted it; "" where it did not try."""
    return next((note[2] for note in node.result.notes if note[0] == "title-kept" and len(note) > 2), "")


def _why_kept(scene: Scene, node: Node) -> str:
    act, why = node.act, _attack(node).replace("-", "_")
    if not isinstance(act, Throw):
        return scene.say(f"kept_{why}", n=node.n)
    return scene.say(f"kept_{why}", n=node.n, who=scene.seat(act.seat), hand=scene.teller.roll(act.roll))


def dice_lines(scene: Scene) -> list[Line]:
    """Five lines: the dice of the last act, and beside them whose they are and what they are called."""
    played = last_played(scene.game)
    if scene.tumbling:
        drawn = big_dice(scene.tumbling)
        beside = [
            Span(""),
            Span(scene.seat(scene.game.next_seat or 0, 22), "strong"),
            Span(scene.say("rolling"), "dim"),
        ]
        beside += [Span("")] * 2
    elif scene.laid:
        drawn, beside = big_dice(scene.laid.roll.faces), _caption(scene, scene.laid)
    elif played is None:
        drawn, beside = bowl(), _welcome(scene)
    else:
        drawn, beside = big_dice(_faces(played.act)), _caption(scene, played.act, played)
    room = scene.cells - DICE_CELLS - 6
    lines: list[Line] = []
    for left, right in zip(drawn, beside, strict=True):
        gap = " " * (DICE_CELLS + 3 - line_width(left))
        lines.append([Span("  "), *left, Span(gap), Span(cut(right.text, room), right.style)])
    return lines


def _faces(act: object) -> tuple[int, ...]:
    match act:
        case Throw(roll=roll):
            return roll.faces
        case RollOff(faces=faces):
            return faces
        case Start(dice=dice):
            return dice
        case Spill(roll=roll) if roll:
            return roll.faces
        case Spill() | Cocked():
            return (0,) * 6
        case _:
            return ()


def _caption(scene: Scene, act: Act | None, node: Node | None = None) -> list[Span]:
    seat = getattr(act, "seat", None)
    who = Span(scene.seat(seat, 22) if isinstance(seat, int) else "", "strong")
    what = Span("")
    match act:
        case Throw(roll=roll):
            row = scorebook(scene.game.rules).row(roll)
            style = "gold" if row.strength is not None else "red" if row.tier else "dim"
            what = Span(combination_name(scene.game.rules, row.combination, scene.lang), style)
        case RollOff() | Start() | Spill() | Cocked():
            what = Span(scene.say(f"did_{type(act).__name__.lower()}"), "warn")
        case _:
            pass
    if node is None or act is None or node.before is None:
        return [Span(""), who, what, Span(""), Span("")]
    gains = scene.say("dot").join(won(scene, act, node.result, node.before, node))
    return [Span(scene.say("act", n=node.n), "dim"), who, what, Span(gains, "strong"), Span("")]


def _welcome(scene: Scene) -> list[Span]:
    seat = scene.game.next_seat
    begins = scene.say("begins", who=scene.seat(seat, 16)) if seat is not None else ""
    return [Span(""), Span(begins, "strong"), Span(scene.say("or_start"), "dim"), Span(""), Span("")]


def news_lines(scene: Scene, rows: int) -> list[Line]:
    """What the last act did, in exactly so many lines; a notice or a question stands below it, or over its end."""
    bullet, style = ("? ", "strong") if scene.asking else ("✓ ", "head") if scene.all_well else ("! ", "warn")
    notice = _bulleted(wrap(scene.notice, scene.cells - 5), bullet, style)[:rows]
    room = rows - len(notice)
    told: list[Line] = []
    for sentence in _news(scene):
        told += _bulleted(wrap(sentence, scene.cells - 5), "› ", "")
    if len(told) > room:
        told = [*told[: max(0, room - 1)], *([[Span("    " + scene.say("more_news"), "dim")]] if room else [])]
    told += earlier_lines(scene, room - len(told) - 1)
    return [*told, *([] for _ in range(room - len(told))), *notice]


def _news(scene: Scene) -> list[str]:
    """What there is to tell below the dice: not once more what the dice are called, where there is more than that."""
    if scene.tumbling or scene.laid:
        return []
    news = scene.news()
    act = scene.game.log[-1].act if scene.game.log else None
    if len(news) > 1 and isinstance(act, Throw) and news[0].endswith(_dice_name(scene, act)):
        return news[1:]
    return news


def _dice_name(scene: Scene, act: Throw) -> str:
    return combination_name(scene.game.rules, scorebook(scene.game.rules).row(act.roll).combination, scene.lang)


def earlier_lines(scene: Scene, rows: int) -> list[Line]:
    """The acts before the last, as many as there is room for; nothing where there is hardly any."""
    last = len(scene.game.log)
    numbers = range(max(1, last - rows), last)
    if rows < _EARLIER_LEAST or not numbers:
        return []
    return [[], *some_history(scene, numbers)]


def _bulleted(parts: list[str], bullet: str, style: str) -> list[Line]:
    if parts == [""]:
        return []
    head = {"warn": "warn", "strong": "key"}.get(style, "frame")
    return [[Span("    " if i else f"  {bullet}", head), Span(part, style)] for i, part in enumerate(parts)]


def keys_line(scene: Scene) -> Line:
    """What can be typed, letters set off."""
    state = scene.game.state
    if scene.asking:
        return []
    if scene.game.finished:
        key = "keys_over" if scene.at_result else "keys_end"
    elif state.rolloff:
        key = "keys_rolloff_digital" if scene.digital else "keys_rolloff"
    else:
        key = "keys_digital" if scene.digital else "keys_real"
    dice = state.rolloff.dice if state.rolloff else 6
    return marked(keys_shown("  " + scene.say(key, dice=dice), scene.cells))


def keys_shown(said: str, cells: int) -> str:
    """What fits of the keys: the first and the last two stay, for `?` tells the others.

    >>> keys_shown("  six digits  [u]ndo [c]orrect [o]ut [?] all [q]uit", 40)
    '  six digits  [u]ndo [?] all [q]uit'
    """
    head, *keys = re.split(r"\s+(?=\[)", said)
    while len(keys) > 2 and width(f"{head}  {' '.join(keys)}") > cells:
        del keys[-3]
    return f"{head}  {' '.join(keys)}" if head.strip() else f"  {' '.join(keys)}"


def marked(said: str) -> Line:
    """A text with [keys] in brackets as spans, the keys set off.

    >>> marked("[u]ndo")
    [Span(text='[u]', style='key'), Span(text='ndo', style='dim')]
    """
    spans: Line = []
    for i, part in enumerate(said.replace("]", "[").split("[")):
        if part:
            spans.append(Span(f"[{part}]", "key") if i % 2 else Span(part, "dim"))
    return spans


def prompt(scene: Scene) -> str:
    """What stands before what people type."""
    seat = scene.game.next_seat
    if scene.asking:
        return "  " + scene.say("prompt_answer")
    if seat is None:
        return "  " + scene.say("prompt_over")
    key = "prompt_rolloff" if scene.game.state.rolloff else "prompt"
    return "  " + scene.say(key, who=scene.seat(seat, 20))


def fitted(spans: Line, cells: int) -> Line:
    """The line cut to so many cells; one that fits is given back as it is."""
    if line_width(spans) <= cells:
        return spans
    kept: Line = []
    room = cells
    for text, style in spans:
        if width(text) > room:
            return [*kept, Span(pad(text, room), style)] if room > 0 else kept
        kept.append(Span(text, style))
        room -= width(text)
    return kept
