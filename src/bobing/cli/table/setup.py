"""Before the game: who plays, by which rules, with which dice. Options can answer the questions beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bobing.cli.common import Worded
from bobing.cli.table.cells import cut, pad, page_cells, wrap
from bobing.cli.table.commands import clean, is_yes
from bobing.cli.table.console import Console
from bobing.cli.table.names import default_name, name_fault, named, read_name, split_names
from bobing.cli.table.paint import Line, Span
from bobing.cli.table.pips import DICE_CELLS, big_dice
from bobing.cli.table.scene import throws
from bobing.cli.table.screen import marked
from bobing.cli.table.traits import traits
from bobing.core.acts import SEATS_MAX
from bobing.core.catalogue import DEFAULT_SHEET, find_sheet, load_rules, sheet_keys
from bobing.core.errors import RulesError
from bobing.core.record import Record
from bobing.core.rules import RuleSet
from bobing.i18n import LANGUAGES, text
from bobing.i18n.details import detail_in
from bobing.naming import rules_name
from bobing.wording import Speaker

USUAL_PLAYERS = 4
Question = Callable[[], tuple[str, str]]
"""What is asked, and what can be typed, in the language of the moment."""

_SHEETS_A_PAGE = 16


@dataclass
class Plan:
    """What is settled about the game to come. about: the game that goes on, in a sentence."""

    lang: str
    names: list[str] | None = None
    rules: RuleSet | None = None
    digital: bool | None = None
    about: str = ""
    notice: str = field(default="")

    def say(self, key: str, **values: object) -> str:
        """The text `play.key` in the language chosen."""
        return text(self.lang, f"play.{key}", **values)

    def not_an_answer(self, typed: str) -> None:
        """Say under the next page that an answer was none of those there are."""
        self.notice = self.say("setup_wrong_answer", line=cut(typed, 20))

    def sheet(self, rules: RuleSet) -> str:
        """The name of a rule sheet in the language chosen."""
        return rules_name(rules, self.lang)


def resumed_game(plan: Plan, record: Record, day: str, key: str = "setup_resumed") -> str:
    """Which game goes on: its sheet, its players, how far it is, and when it was played last."""
    game = record.game
    players = cut(Speaker(game.rules, named(game, record.names, plan.lang), plan.lang).seats(game.state.order), 40)
    return plan.say(key, sheet=plan.sheet(game.rules), players=players, n=throws(game), day=day)


def ask_resume(console: Console, plan: Plan, record: Record, day: str) -> bool:
    """Whether to go on with the unfinished game, last played on a day; an empty line says yes."""

    def question() -> tuple[str, str]:
        return resumed_game(plan, record, day, "setup_resume"), plan.say("setup_resume_ask")

    while True:
        typed = _ask(console, plan, question)
        if typed.casefold() in {"n", "no", "新", "不", "否"}:
            return False
        if not typed or is_yes(typed):
            return True
        plan.not_an_answer(typed)


def ask_plan(console: Console, plan: Plan) -> RuleSet:
    """Ask for whatever is not settled yet, and give the rules."""
    while True:
        while plan.names is None:
            _ask_players(console, plan, plan.rules or find_sheet(DEFAULT_SHEET))
        while plan.rules is None:
            _ask_rules(console, plan)
        if len(plan.names) >= plan.rules.setup.seats_min:
            break
        plan.names = None
        plan.notice = _wrong_players(plan.lang, plan.rules)
    ask_dice(console, plan, digital=False)
    return plan.rules


def ask_dice(console: Console, plan: Plan, *, digital: bool) -> None:
    """Real or digital dice; `digital` is what an empty line stands for."""
    while plan.digital is None:
        typed = _ask(
            console, plan, lambda: (plan.say("setup_dice"), plan.say("setup_dice_more", n=2 if digital else 1))
        )
        if typed in {"", "1", "2"}:
            plan.digital = digital if not typed else typed == "2"
        else:
            plan.not_an_answer(typed)


def default_names(count: int, lang: str) -> list[str]:
    """So many players by their numbers."""
    return [default_name(seat, lang) for seat in range(count)]


class PlayersError(Worded):
    """Players that cannot sit down so; the sentence is in the language asked for."""

    code = "play/bad_players"


def players_from(typed: str, rules: RuleSet, lang: str) -> list[str]:
    """Names from a number or a list of names; raises PlayersError where that is not possible under the rules."""
    line = clean(typed)
    if line.isdecimal():
        names = default_names(min(int(line[:9]), SEATS_MAX + 1), lang)
    else:
        names = list[str]()
        for part in split_names(line):
            name = read_name(part, names)
            if name is None:
                raise PlayersError(text(lang, f"play.{name_fault(part, names)}", name=cut(part, 30)))
            names.append(name)
    if not rules.setup.seats_min <= len(names) <= SEATS_MAX:
        raise PlayersError(_wrong_players(lang, rules))
    return names


def _wrong_players(lang: str, rules: RuleSet) -> str:
    return text(lang, "play.wrong_players", low=rules.setup.seats_min, high=SEATS_MAX)


def _ask_players(console: Console, plan: Plan, rules: RuleSet) -> None:
    count = max(USUAL_PLAYERS, rules.setup.seats_min)
    typed = _ask(console, plan, lambda: (plan.say("setup_players"), plan.say("setup_players_more", n=count)))
    try:
        plan.names = players_from(typed or str(count), rules, plan.lang)
    except PlayersError as bad:
        plan.notice = str(bad)


def _ask_rules(console: Console, plan: Plan) -> None:
    usual = find_sheet(DEFAULT_SHEET)
    typed = _ask(
        console, plan, lambda: (plan.say("setup_rules"), plan.say("setup_rules_more", sheet=plan.sheet(usual)))
    )
    if typed == "?":
        typed = _choose_from_list(console, plan, usual)
    keys = sheet_keys()
    if typed.isdecimal() and 1 <= int(typed[:9]) <= len(keys):
        typed = keys[int(typed[:9]) - 1]
    try:
        plan.rules = load_rules(typed) if typed else usual
    except RulesError as wrong:
        plan.notice = plan.say("wrong_rules", why=detail_in(plan.lang, str(wrong)) or wrong)


def _choose_from_list(console: Console, plan: Plan, usual: RuleSet) -> str:
    page = 0
    pages = -(-len(sheet_keys()) // _SHEETS_A_PAGE)
    while True:
        lines = sheet_lines(plan.lang, page, console.size()[0])
        head = plan.say("setup_rules_list") + "  " + plan.say("page_of", n=page + 1, of=pages)
        more = marked(cut("  " + plan.say("setup_rules_pages", sheet=plan.sheet(usual)), page_cells(console.size()[0])))
        console.show([_bar(console, plan), [], [Span("  " + head, "strong")], [], *lines, [], more])
        typed = clean(console.ask("  › "))
        if typed == "+":
            page = min(page + 1, pages - 1)
        elif typed == "-":
            page = max(page - 1, 0)
        else:
            return typed


def sheet_lines(lang: str, page: int, columns: int) -> list[Line]:
    """One page of the list of sheets: number, key, name, and what is special about each."""
    room = max(60, min(columns, 120)) - 34
    lines: list[Line] = []
    for number, key in list(enumerate(sheet_keys(), 1))[page * _SHEETS_A_PAGE : (page + 1) * _SHEETS_A_PAGE]:
        rules = find_sheet(key)
        name = pad(rules.names.get(lang, key), 26)
        lines.append([Span(f"  {number:>2}  ", "key"), Span(name, "gold"), Span(" " + cut(traits(rules, lang), room))])
    return lines


def _ask(console: Console, plan: Plan, question: Question) -> str:
    """A plain answer to one question, which gives its two lines; `g` changes the language and asks again."""
    while True:
        console.show(_setup_page(console, plan, *question()))
        plan.notice = ""
        typed = clean(console.ask("  › "))
        if typed.casefold() != "g":
            return typed
        plan.lang = LANGUAGES[(LANGUAGES.index(plan.lang) + 1) % len(LANGUAGES)]


def _setup_page(console: Console, plan: Plan, question: str, more: str) -> list[Line]:
    room = min(page_cells(console.size()[0]), 80) - 4
    lines: list[Line] = [_bar(console, plan), []]
    lines += [[Span(" " * ((room + 4 - DICE_CELLS) // 2)), *row] for row in big_dice((4, 4, 4, 4, 1, 1))]
    lines += [[], *_settled(plan, room), []]
    lines += [[Span("  " + part, "gold")] for part in (wrap(plan.about, room) if plan.about else ())]
    lines += [[Span("  " + part, "strong")] for part in wrap(question, room)]
    lines += [*(marked("  " + part) for part in wrap(more, room + 1)), marked("  " + plan.say("setup_language")), []]
    lines += [[Span("  ! " + part, "warn")] for part in (wrap(plan.notice, room - 1)[:4] if plan.notice else ())]
    return lines


def _settled(plan: Plan, room: int) -> Sequence[Line]:
    parts: list[str] = []
    if plan.rules:
        parts.append(plan.sheet(plan.rules))
    if plan.names:
        parts.append(plan.say("players", n=len(plan.names), names=plan.say("comma").join(plan.names)))
    return [[Span("  " + part, "gold")] for part in wrap(cut(" · ".join(parts), 3 * (room - 6)), room)]


def _bar(console: Console, plan: Plan) -> Line:
    cells = page_cells(console.size()[0])
    left = f"  {plan.say('name')}  {plan.say('setup_title')}"
    return [Span(pad(left, cells), "title")]
