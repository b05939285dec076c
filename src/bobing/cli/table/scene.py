"""What a page is made from: the game, its players, and how they are called in the language of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bobing.cli.table.cells import cut, width
from bobing.core.acts import Cocked, Correct, PlayAct, RollOff, Spill, Start, Throw
from bobing.core.game import Game, Node
from bobing.core.state import Result
from bobing.i18n import text, texts
from bobing.wording import Teller, describe

_WITH_DICE = (Throw, RollOff, Start, Spill, Cocked)


@dataclass(frozen=True)
class Scene:
    """A game as one page shows it.

    digital: dice that fall by a key. notice: one sentence about what was just typed, or a question (asking); all_well:
    it tells of no mistake. tumbling: faces that are shown while digital dice roll. minutes: how long this sitting has
    lasted. at_result: the page of the end. laid: a throw that lies in the bowl while something is asked about it.
    """

    game: Game
    names: Mapping[int, str]
    lang: str
    columns: int = 80
    rows: int = 24
    digital: bool = False
    notice: str = ""
    all_well: bool = False
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

    def tiers(self, cells: int) -> Mapping[str, str]:
        """Names of all tiers in so many cells each: the whole names if all fit, else the short ones of the table."""
        for names in (self.teller.tier, self._short, self._shortest):
            named = {tier: names(tier) for tier in self.game.rules.cakes}
            if max(map(width, named.values())) <= cells:
                return named
        return {tier: cut(self._shortest(tier), cells) for tier in self.game.rules.cakes}

    def _short(self, tier: str) -> str:
        return self._own("tier", tier) or self.teller.tier(tier)

    def _shortest(self, tier: str) -> str:
        return self._own("short", tier) or self.teller.tier(tier).split()[0]

    def _own(self, kind: str, tier: str) -> str:
        """The table's own short name of a usual tier; "" for a tier that the sheet names or that is the sheet's own."""
        entry = texts("play").get(f"{kind}_{tier}")
        return entry[self.lang] if entry and not self.game.rules.tier(tier).names else ""

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
    """The act that the page shows dice of: what was corrected just now, else the last with dice that is in force."""
    act = game.log[-1].act if game.log else None
    wanted = act.n if isinstance(act, Correct) else None
    for node in line_of_play(game):
        if node.n == wanted or (wanted is None and isinstance(node.act, _WITH_DICE)):
            return (node.act, node.result) if node.act else None
    return None
