"""The other pages: the ledger of everybody, the history, the rules in words, help, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bobing.cli.table import ledger
from bobing.cli.table.cells import cut, pad, width, wrap
from bobing.cli.table.commands import COMMANDS
from bobing.cli.table.history import STAR
from bobing.cli.table.paint import Line, Span
from bobing.cli.table.pips import big_dice
from bobing.cli.table.scene import Scene
from bobing.cli.table.screen import bar, fitted, keys_line, page_rows, why_kept
from bobing.core.dice import Roll
from bobing.core.dimensions import points_of
from bobing.core.rules import RuleSet
from bobing.core.settings import HANDS_BELOW, ZHUANGYUAN
from bobing.i18n.settings import point_title, setting_text
from bobing.naming import combination_name, tier_name
from bobing.wording import Speaker, end_lines

RULE_PATHS = (
    "ranks.order", "ranks.unranked", "ranks.wuzi_by", "ranks.wuhong_by", "ranks.sihong_by", "ranks.liubohei_by",
    "title.equal", "title.own_later", "title.contest", "title.handover", "chajinhua.duitang", "chajinhua.protected",
    "liubohong.takes", "liubohong.ends", "liubohei.effect", "biandijin.takes", "pingfen.by", "bonus.sijin_yixiu",
    "bonus.sijin_erju", "bonus.wuzi_yixiu", "hands.two_triples", "hands.three_pairs", "hands.sijin_faces",
    "sanhong.award", "exhausted.then", "chase.tiers", "chase.source", "chase.until", "ending.when", "ending.finish",
    "ending.without_champion", "ending.minutes", "spill.next_turn",
)  # fmt: skip
"""The settings that a player asks for, most asked first."""

_EXAMPLES = {"duitang": "123456", "sanhong": "444xxx", "sijin": "2222xx", "erju": "44xxxx", "yixiu": "4xxxxx"}
_HELP = (
    ("roll", "444411"),
    ("out", "o 444112"),
    ("cocked", "k"),
    ("waive", "w"),
    ("undo", "u 7"),
    ("correct", "c 7 444411"),
    ("pass", "p"),
    ("leave", "x 3"),
    ("return", "b 3"),
    ("join", "j …"),
    ("swap", "e 1 4"),
    ("name", "n 3 …"),
    ("start", "s"),
    ("time", "t"),
    ("ledger", "l"),
    ("history", "h 20"),
    ("rules", "r"),
    ("language", "g"),
    ("quit", "q"),
)


def page_of(scene: Scene, title: str, lines: Sequence[Line], page: int) -> tuple[list[Line], int, int]:
    """One page of many lines under a title; gives the page, its number within what there is, and how many there are."""
    room = page_room(scene)
    pages = max(1, -(-len(lines) // room))
    page = max(0, min(page, pages - 1))
    shown = [*lines[page * room : (page + 1) * room]]
    shown += [[] for _ in range(room - len(shown))] if pages > 1 else []
    count = scene.say("page_of", n=page + 1, of=pages) if pages > 1 else ""
    title = cut("  " + title, scene.cells - width(count) - 2)
    head: Line = [Span(title, "strong"), Span("  " + count, "dim")]
    return [bar(scene), head, *(fitted(spans, scene.cells) for spans in shown)], page, pages


def page_room(scene: Scene) -> int:
    """How many of the lines of a long text stand on one page."""
    return page_rows(scene) - 4


def ledger_lines(scene: Scene) -> list[Line]:
    """Everybody's cakes, then named prizes, those left and those in hand, then what is eaten by all."""
    order = scene.game.state.order
    lines = ledger.table(replace(scene, asking=True), len(order) + 3)
    shelf = scene.game.state.shelf
    for tier, items in shelf.items():
        said = scene.say("items_left", tier=scene.teller.tier(tier), items=_items(scene, items) or "–")
        lines += [[Span("  " + part)] for part in wrap(said, scene.cells - 4)]
        lines += _items_held(scene, tier)
    if scene.game.state.pool:
        pool = scene.say("dot").join(f"{scene.teller.tier(tier)} {n}" for tier, n in scene.game.state.pool.items() if n)
        lines.append([Span("  " + scene.say("pool", cakes=pool))])
    return lines


def _items(scene: Scene, items: Mapping[str, int]) -> str:
    return scene.say("dot").join(f"{name} ×{count}" for name, count in items.items() if count)


def _items_held(scene: Scene, tier: str) -> list[Line]:
    """Who has which of the named prizes of a tier, a player at a time."""
    held: dict[int, dict[str, int]] = {}
    for cake in scene.game.state.held[tier]:
        if cake.item is not None:
            mine = held.setdefault(cake.seat, {})
            mine[cake.item] = mine.get(cake.item, 0) + 1
    lines: list[Line] = []
    for seat in (seat for seat in scene.game.state.order if seat in held):
        said = f"{seat + 1} {scene.seat(seat)}: {_items(scene, held[seat])}"
        lines += [[Span("    " + part)] for part in wrap(said, scene.cells - 6)]
    return lines


def rules_lines(rules: RuleSet, lang: str, cells: int) -> list[Line]:
    """A rule sheet in words: the tiers with what wins them, then every setting that a player asks for."""
    teller = Speaker(rules, {}, lang)
    lines: list[Line] = []
    for tier in rules.tiers:
        wins = ", ".join(_win(rules, entry, lang) for entry in tier.wins)
        named: Line = [Span("  " + pad(teller.tier(tier.key), 16), "gold"), Span(pad(f"× {tier.cakes}", 8), "strong")]
        more = f"  ({tier.points})" if tier.points else ""
        lines.append([*named, Span(cut((wins or _top(rules, lang)) + more, cells - 28))])
    lines.append([])
    table, own = rules.to_table(), {tier.key: tier_name(rules, tier.key, lang) for tier in rules.tiers}
    for path in RULE_PATHS:
        section, _, key = path.partition(".")
        value = table[section][key]
        if (value in ([], 0) and value is not False) or not _bears(rules, path):
            continue
        said = setting_text(lang, path, value, own)
        title = point_title(lang, points_of(section, key)[0])
        for i, part in enumerate(wrap(said, cells - 6 - 30)):
            lines.append([Span("  " + pad("" if i else title, 31), "head"), Span(part)])
    return lines


def _bears(rules: RuleSet, path: str) -> bool:
    """Whether a setting says anything under the other settings of its sheet."""
    section, _, key = path.partition(".")
    if section == "chase":
        return bool(rules.chase.tiers)
    if section in ("chajinhua", "liubohong", "liubohei", "biandijin"):
        return section in rules.recognised and (key != "protected" or rules.chajinhua.duitang != "none")
    form = key.removesuffix("_by")
    return form == key or form in rules.ranked_forms


def _win(rules: RuleSet, entry: str, lang: str) -> str:
    if entry in HANDS_BELOW:
        return f"{combination_name(rules, entry, lang)} {_EXAMPLES[entry]}"
    return entry


def _top(rules: RuleSet, lang: str) -> str:
    return " > ".join(" = ".join(combination_name(rules, form, lang) for form in group) for group in rules.ranks.order)


def help_lines(scene: Scene) -> list[Line]:
    """What can be typed, a line each."""
    lines: list[Line] = []
    for command, typed in _HELP:
        words = [word for word in COMMANDS.get(command, ()) if (scene.lang == "en") == word.isascii()]
        word = words[-1] if scene.lang == "en" and words else words[0] if words else ""
        if scene.digital and command in ("out", "cocked", "correct"):
            continue
        falls = scene.digital and command == "roll"
        said = scene.say("help_roll_digital" if falls else f"help_{command}")
        head = pad("  " + ("Enter" if falls else typed), 15)
        lines.append([Span(head, "key"), Span(pad(word, 10), "dim"), Span(cut(said, scene.cells - 27))])
    return lines


def final_page(scene: Scene) -> list[Line]:
    """The end: who is the champion and with what, how it ended, and who holds how much, the richest first."""
    state, teller = scene.game.state, scene.teller
    lines: list[Line] = [bar(scene), []]
    if state.title is not None:
        claim = state.claims.get(state.title)
        who = f"{STAR}  {teller.tier(ZHUANGYUAN)}  {scene.seat(state.title, 30)}  {STAR}"
        lines.append([Span(pad(who, scene.cells, "^").rstrip(), "gold")])
        faces = () if claim is None else claim.roll.faces if isinstance(claim.roll, Roll) else claim.roll
        drawn = big_dice(faces) if faces else []
        margin = " " * ((scene.cells - 8 * len(faces)) // 2)
        lines += [[Span(margin), *row] for row in drawn]
    for sentence in end_lines(scene.game.rules, scene.game, scene.names, scene.lang):
        lines += [[Span(pad(part, scene.cells, "^").rstrip())] for part in wrap(sentence, scene.cells - 8)[:2]]
    lines += [[Span(pad(text, scene.cells, "^").rstrip(), style)] for text, style in why_kept(scene)]
    lines.append([])
    ranked = sorted(state.order, key=lambda seat: (-_worth(scene, seat), state.order.index(seat)))
    shown = replace(
        scene, game=replace(scene.game, line=replace(scene.game.line, state=replace(state, order=tuple(ranked))))
    )
    room = page_rows(scene) - len(lines) - 2
    lines += ledger.table(shown, room)
    notice: Line = [Span("  ! " + cut(scene.notice, scene.cells - 5), "warn")] if scene.notice else []
    blank = page_rows(scene) - len(lines) - 2
    page = [*lines, *([] for _ in range(blank)), notice, keys_line(scene)]
    return [fitted(spans, scene.cells) for spans in page]


def _worth(scene: Scene, seat: int) -> int:
    if ledger.has_points(scene):
        return scene.game.points(seat)
    return sum(scene.game.state.holding(seat).values())
