"""What a page is made from: the game, its players, and how they are called in the language of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bobing.cli.table.cells import cut, width
from bobing.core.acts import Correct, PlayAct, Throw
from bobing.core.game import Game, Node
from bobing.core.state import Result
from bobing.i18n import text, texts
from bobing.wording import Teller, describe


@dataclass(frozen=True)
class Scene:
    """A game as one page shows it.

    digital: dice that fall by a key. notice: one sentence about what was just typed, or a question. tumbling: faces
    that are shown while digital dice roll. minutes: how long this sitting has lasted. at_result: the page of the end.
    laid: a throw that lies in the bowl while something is asked about it.
    """

    game: Game
    names: Mapping[int, str]
    lang: str
    columns: int = 80
    rows: int = 24
    digital: bool = False
    notice: str = ""
    asking: bool = False
    tumbling: tuple[int, ...] = ()
    minutes: int = 0
    at_result: bool = False
    laid: Throw | None = None

    @property
    def teller(self) -> Teller:
        """The game's own words."""
        return Teller(self.game.rules, self.names, self.lang)

    @property
    def cells(self) -> int:
        """How wide a line of the page is."""
        return max(80, min(self.columns, 100))

    def say(self, key: str, **values: object) -> str:
        """The text `play.key`."""
        return text(self.lang, f"play.{key}", **values)

    def seat(self, seat: int, cells: int = 24) -> str:
        """A player's name, cut to so many cells."""
        return cut(self.teller.seat(seat), cells)

    def sheet(self) -> str:
        """The name of the rule sheet."""
        rules = self.game.rules
        return rules.names.get(self.lang) or next(iter(rules.names.values()), "") or rules.key

    def tier(self, key: str, cells: int) -> str:
        """The name of a tier in so many cells: the whole name, else the table's short one, else its beginning."""
        whole = self.teller.tier(key)
        own = self.game.rules.tier(key).names
        for short in ("tier", "short"):
            entry = texts("play").get(f"{short}_{key}")
            if width(whole) > cells and entry and not own:
                whole = entry[self.lang]
        if width(whole) > cells and own:
            whole = whole.split()[0]
        return cut(whole, cells)

    def news(self) -> list[str]:
        """What the last act did, in words; nothing before the first."""
        return told(self.game, self.names, self.lang, len(self.game.log)) if self.game.log else []


def told(game: Game, names: Mapping[int, str], lang: str, n: int) -> list[str]:
    """What act `n` did, in words."""
    then = after(game, n)
    return describe(game.rules, then.last, then.log[-1].act, then, names, lang)


def after(game: Game, n: int) -> Game:
    """The game as it was right after act `n` was accepted."""
    if n == len(game.log):
        return game
    following = game.log[n]
    return replace(game, line=following.line, log=game.log[:n], struck=following.struck)


def line_of_play(game: Game) -> Iterator[Node]:
    """The acts in force, the last first."""
    node: Node | None = game.line
    while node is not None and node.act is not None:
        yield node
        node = node.before


def last_played(game: Game) -> tuple[PlayAct, Result] | None:
    """The act that the page shows dice of: what was corrected just now, else the last in force."""
    if not game.log:
        return None
    act = game.log[-1].act
    nodes = line_of_play(game)
    node = next((node for node in nodes if not isinstance(act, Correct) or node.n == act.n), None)
    return None if node is None or node.act is None else (node.act, node.result)
