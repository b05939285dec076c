"""A run of very many games: shared out among workers, told of as it goes on, and kept in a file to go on later."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from bobing.odds.simulate.blocks import play_blocks
from bobing.odds.simulate.setting import BLOCK, Setting, SimulationError
from bobing.odds.simulate.totals import Totals

FORMAT = "bobing-simulation/2"
SAVE_S = 5
"""Seconds between two writings of the state file."""
Progress = Callable[[int], None]


class Run:
    """What is done of a run: the totals, and which blocks they are of (`done` from the first, and `more` beyond)."""

    def __init__(self, setting: Setting, file: Path | None = None) -> None:
        self.setting, self.file = setting, file
        self.totals = Totals.nothing(len(setting.rules.tiers), setting.seats)
        self.done, self.more = 0, set[int]()
        self._saved = time.monotonic()
        if file is not None and file.exists():
            self._load(file)

    def missing(self, blocks: int) -> Iterator[int]:
        """The blocks that are not done, of so many."""
        return (block for block in range(self.done, blocks) if block not in self.more)

    def count(self, first: int, blocks: int, totals: Totals) -> None:
        """Add the totals of some blocks, and save them every few seconds."""
        self.totals += totals
        self.more.update(range(first, first + blocks))
        while self.done in self.more:
            self.more.remove(self.done)
            self.done += 1
        if time.monotonic() - self._saved > SAVE_S:
            self.save()

    def save(self) -> None:
        """Write the state file, all of it or nothing; raises SimulationError where that cannot be."""
        if self.file is None:
            return
        about = {"format": FORMAT, "setting": self.setting.to_table(), "done": self.done, "more": sorted(self.more)}
        unfinished = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        try:
            unfinished.write_text(json.dumps({**about, "totals": self.totals.to_table()}), "ascii")
            unfinished.replace(self.file)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise SimulationError(f"cannot write {self.file}: {error.strerror}", "odds/no_state") from None
        self._saved = time.monotonic()

    def _load(self, file: Path) -> None:
        try:
            kept: Mapping[str, Any] = json.loads(file.read_text("ascii"))
            if kept["format"] != FORMAT and str(kept["format"]).startswith(FORMAT.split("/", maxsplit=1)[0]):
                raise SimulationError(f"{file} was kept by another version; name another file", "odds/bad_state")
            if kept["format"] != FORMAT:
                raise ValueError
            setting, done, more = kept["setting"], int(kept["done"]), {int(block) for block in kept["more"]}
            totals = Totals.from_table(kept["totals"])
            if totals.games != BLOCK * (done + len(more)) or totals.cakes.ndim != 3:
                raise ValueError
        except OSError as error:
            raise SimulationError(f"cannot read {file}: {error.strerror}", "odds/no_state") from None
        except (KeyError, TypeError, ValueError, AttributeError):
            raise SimulationError(f"{file} holds no simulation; name another file", "odds/bad_state") from None
        if setting != self.setting.to_table():
            raise SimulationError(
                f"{file} holds a simulation of another game or seed; name another file", "odds/other_state"
            )
        self.done, self.more, self.totals = done, more, totals


def carry_on(
    run: Run, games: int, executor: Executor, workers: int, share: int = 1, progress: Progress | None = None
) -> Totals:
    """Play what is missing of so many games on an executor, and give the totals of all.

    share: how many blocks a worker gets at a time. progress is told how many games are done. What is done is kept in
    the state file, also where this is interrupted. The games of a last block that is not whole are not kept.
    """
    blocks, rest = divmod(games, BLOCK)
    if run.totals.games > games:
        raise SimulationError(f"{run.totals.games} games are done already: ask for as many or more", "odds/fewer_games")
    tasks = _shares(iter([*run.missing(blocks)]), share)
    going: dict[Future[Totals], tuple[int, int]] = {}
    try:
        while True:
            while len(going) < 2 * workers and (task := next(tasks, None)):
                going[executor.submit(play_blocks, run.setting, *task)] = task
            if not going:
                break
            for ready in wait(going, return_when=FIRST_COMPLETED).done:
                run.count(*going.pop(ready), ready.result())
            if progress:
                progress(run.totals.games)
    finally:
        for future in going:
            future.cancel()
        run.save()
    totals = run.totals
    if rest:
        totals += executor.submit(play_blocks, run.setting, blocks, 1, rest).result()
        if progress:
            progress(games)
    return totals


def _shares(missing: Iterator[int], share: int) -> Iterator[tuple[int, int]]:
    """Blocks that follow each other, together: the first and how many."""
    first = count = 0
    for block in missing:
        if count and (block != first + count or count == share):
            yield first, count
            count = 0
        first = first if count else block
        count += 1
    if count:
        yield first, count


def threads(workers: int) -> Executor:
    """Workers of this process: what they run holds no lock of Python."""
    return ThreadPoolExecutor(workers, thread_name_prefix="simulate")
