"""What a page is made from: the game, its players, and how they are called in the language of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bobing.cli.table.cells import cut, page_cells, width
from bobing.core.acts import Act, Cocked, Correct, RollOff, Spill, Start, Throw
from bobing.core.game import Entry, Game, Node
from bobing.core.state import Result
from bobing.i18n import text, texts
from bobing.naming import rules_name
from bobing.wording import Speaker, describe

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
    def teller(self) -> Speaker:
        """The game's own words."""
        return Speaker(self.game.rules, self.names, self.lang)

    @property
    def cells(self) -> int:
        """How wide a line of the page is."""
        return page_cells(self.columns)

    def say(self, key: str, **values: object) -> str:
        """The text `play.key`."""
        return text(self.lang, f"play.{key}", **values)

    def seat(self, seat: int, cells: int = 24) -> str:
        """A player's name, cut to so many cells."""
        return cut(self.teller.seat(seat), cells)

    def sheet(self) -> str:
        """The name of the rule sheet."""
        return rules_name(self.game.rules, self.lang)

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
        return told(self, len(self.game.log)) if self.game.log else []


def told(scene: Scene, n: int, node: Node | None = None) -> list[str]:
    """What act `n` did, in words; node: where it stands in the line of play, which a correction may have changed."""
    then = _after(scene.game, n) if node is None else _at(scene.game, node)
    entry = then.log[-1]
    return describe(then.rules, entry.result, entry.act, then, scene.names, scene.lang)


def _after(game: Game, n: int) -> Game:
    """The game as it was right after act `n` was accepted."""
    if n == len(game.log):
        return game
    following = game.log[n]
    return replace(game, line=following.line, log=game.log[:n], struck=following.struck)


def _at(game: Game, node: Node) -> Game:
    """The game as it is right after a node of its line of play, as if nothing had ever been corrected."""
    assert node.before is not None, "only the root has nothing before it"
    assert node.act is not None, "only the root has no act"
    entry = Entry(node.act, node.before, node.result, frozenset())
    return replace(game, line=node, log=(*game.log[: node.n - 1], entry), struck=frozenset())


@dataclass(frozen=True)
class Done:
    """What an act of the log did in the end.

    node: its place in the line of play, where it is in force and no undo or correction. corrected: the correction that
    changed it last, 0 where none did. gone: it was taken back.
    """

    n: int
    act: Act
    result: Result
    before: Node
    after: Node
    node: Node | None
    corrected: int = 0
    gone: bool = False


def done(game: Game, numbers: Iterable[int]) -> list[Done]:
    """What these acts did, by the line of play for those that stand in it, else as they were accepted."""
    wanted = list(numbers)
    least = min(wanted, default=1)
    nodes: dict[int, Node] = {}
    for node in line_of_play(game):
        if node.n < least:
            break
        nodes[node.n] = node
    corrections = {
        entry.act.n: n for n, entry in enumerate(game.log, 1) if isinstance(entry.act, Correct) and n not in game.struck
    }
    return [_done(game, n, nodes.get(n), corrections.get(n, 0)) for n in wanted]


def _done(game: Game, n: int, node: Node | None, corrected: int) -> Done:
    if node is None or node.act is None or node.before is None:
        entry = game.log[n - 1]
        return Done(n, entry.act, entry.result, entry.line, _after(game, n).line, None, gone=n in game.struck)
    return Done(n, node.act, node.result, node.before, node, node, corrected)


def throws(game: Game) -> int:
    """How many throws of six dice are in force."""
    return sum(isinstance(node.act, Throw) for node in line_of_play(game))


def line_of_play(game: Game) -> Iterator[Node]:
    """The acts in force, the last first."""
    node: Node | None = game.line
    while node is not None and node.act is not None:
        yield node
        node = node.before


def last_played(game: Game) -> Node | None:
    """The act that the page shows dice of: what was corrected just now, else the last with dice that is in force."""
    act = game.log[-1].act if game.log else None
    wanted = act.n if isinstance(act, Correct) else None
    for node in line_of_play(game):
        if node.n == wanted or (wanted is None and isinstance(node.act, _WITH_DICE)):
            return node
    return None
