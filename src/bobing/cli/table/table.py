"""One table: the game, its players and its file, and the one way in which an act becomes part of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from bobing.cli.table.commands import clean
from bobing.cli.table.console import Console
from bobing.cli.table.dice import Dice
from bobing.cli.table.names import named, number_name
from bobing.cli.table.pages import final_page
from bobing.cli.table.paint import Line
from bobing.cli.table.save import Save, SaveError
from bobing.cli.table.scene import Scene
from bobing.cli.table.screen import prompt, table_page
from bobing.core.acts import Act, Throw
from bobing.core.errors import ActRefused
from bobing.core.game import Game
from bobing.i18n import text, texts

_ALL_WELL = ("resumed", "renamed", "cancelled")
"""Notices that tell of no mistake."""


class Table:
    """A game that is being played. Handlers change it through `play`, which saves before anything is shown."""

    def __init__(
        self, console: Console, dice: Dice, save: Save, game: Game, names: Mapping[int, str], lang: str, *,
        digital: bool, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.console, self.dice, self.save = console, dice, save
        self.game, self.names, self.lang, self.digital = game, dict(names), lang, digital
        self.notice, self.all_well = "", False
        self.at_result = False
        self.laid: Throw | None = None
        self.typed_ahead = ""
        self._clock, self._began = clock, clock()

    def scene(self) -> Scene:
        """What a page is made from now."""
        columns, rows = self.console.size()
        minutes = int(self._clock() - self._began) // 60
        names = named(self.game, self.names, self.lang)
        seen = Scene(self.game, names, self.lang, columns, rows, self.digital, self.notice)
        return replace(seen, all_well=self.all_well, minutes=minutes, at_result=self.at_result, laid=self.laid)

    def say(self, key: str, **values: object) -> str:
        """The text `play.key` in the language of the table."""
        return text(self.lang, f"play.{key}", **values)

    def tell(self, key: str, **values: object) -> None:
        """Put one sentence under the next page."""
        self.notice, self.all_well = self.say(key, **values), key in _ALL_WELL

    def ask(self, question: str) -> str:
        """A plain answer to a question that stands under the page; "" for an empty line."""
        return clean(self._show_and_ask(replace(self.scene(), notice=question, asking=True)))

    @contextmanager
    def shows(self, thrown: Throw | None) -> Generator[None]:
        """Show a throw in the bowl for as long as something is asked about it."""
        self.laid = thrown
        try:
            yield
        finally:
            self.laid = None

    def next_line(self) -> str:
        """What is typed under the page of the game, or was typed on another page that people left with it."""
        if self.typed_ahead:
            typed, self.typed_ahead = self.typed_ahead, ""
            return typed
        return self._show_and_ask(self.scene())

    def _show_and_ask(self, scene: Scene) -> str:
        self.at_result = self.at_result and self.game.finished
        self.console.show(final_page(scene) if self.at_result else table_page(scene))
        return self.console.ask(prompt(scene))

    def ask_on(self, page: Sequence[Line]) -> str:
        """A plain answer on another page."""
        self.console.show(page)
        return clean(self.console.ask("  › "))

    def play(self, act: Act, name: str | None = None) -> bool:
        """Play an act, save it, and only then let it be seen; False where it was refused, with the reason as notice.

        name: of the player who joins with it.
        """
        try:
            game = self.game.play(act)
        except ActRefused as refused:
            self.notice, self.all_well = self.refusal(refused), False
            return False
        seat = len(game.state.order) - 1
        try:
            self.save.act(game, (seat, name) if name else None)
        except SaveError as bad:
            self.tell("not_saved", why=bad)
            return False
        self.game = game
        if name:
            self.names[seat] = name
        return True

    def refusal(self, refused: ActRefused) -> str:
        """Why the game does not take an act, in the language of the table."""
        key = "refused_" + refused.code.partition("/")[2]
        return self.say(key) if key in texts("play") else str(refused)

    def find_seat(self, who: str) -> int | None:
        """The seat for a number as shown, a name, or its beginning; None with a notice where there is no such one."""
        wanted = clean(who)
        seats = self.game.state.order
        if wanted.isdecimal() and int(wanted) - 1 in seats:
            return int(wanted) - 1
        names = {seat: number_name(self.names, seat, self.lang).casefold() for seat in seats}
        for fits in (str.__eq__, str.startswith):
            found = [seat for seat, name in names.items() if wanted and fits(name, wanted.casefold())]
            if len(found) == 1:
                return found[0]
        self.tell("wrong_who", who=wanted[:20], n=len(seats))
        return None
