"""Whole games simulated, under any rule set, by the hundred thousand a second.

What people decide is decided so, here and in `core_game` alike: cakes that are grabbed in the dark go each to any seat,
all equally likely; where a sheet lets choose among lower tiers, the highest is taken; of several items the first on the
list; nobody waives a prize, leaves, or comes late. Seat 0 begins. A time limit is one of throws: `seconds` a throw.

Games come in blocks of 10,000, each with its own stream of chance made from the seed, so that the same seed gives the
same games on any number of workers, on a cluster, or in a run that was stopped and went on. Needs the extra `sim`.

>>> from bobing.core.catalogue import find_sheet
>>> found = simulate(Setting(find_sheet("S2"), seats=10, seed=7), games=20_000)
>>> abs(found.mean - 228.5326981) < 4 * found.throws[1], found.quantile(0.5) in range(213, 222)
(True, True)
>>> core_game(found.setting, number=3).finished
True
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import url2pathname

from bobing.odds.given import whole
from bobing.odds.simulate.setting import Setting, SimulationError

if TYPE_CHECKING:
    from bobing.core.game import Game
    from bobing.odds.simulate.result import Simulation

GAMES_MAX = 10**12
WORKERS_MAX = 1024
CLONE_TOOL = Path(__file__).parents[4] / "dev.py"
CLUSTER_SHARE = 20
"""Blocks that a worker of a cluster gets at a time."""

__all__ = ["Setting", "SimulationError", "core_game", "simulate"]


def simulate(
    setting: Setting,
    games: int = 100_000,
    *,
    workers: int | None = None,
    state: Path | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play whole games and count.

    workers: threads, else one for each core. state: a file in which what is done is kept every few seconds, and from
    which the same run goes on. cluster: the address of a Dask scheduler whose workers play instead (extra `cluster`).
    progress is told from time to time how many games are done.

    Raises SimulationError where the extra is not installed, and for what cannot be simulated.
    """
    setting.check()
    if not 1 <= whole(games, "games") <= GAMES_MAX:
        raise SimulationError(f"play 1 to {GAMES_MAX} games", "odds/bad_games")
    if workers is not None:
        whole(workers, "workers", 1, WORKERS_MAX)
    need_extra("sim", "numba")
    from bobing.odds.simulate.result import Simulation
    from bobing.odds.simulate.run import Run, carry_on, threads

    run = Run(setting, state)
    if cluster is not None:
        from bobing.odds.simulate.cluster import workers_of

        with workers_of(cluster) as (executor, count):
            return Simulation(setting, carry_on(run, games, executor, count, CLUSTER_SHARE, progress))
    count = workers or os.cpu_count() or 1
    with threads(count) as executor:
        return Simulation(setting, carry_on(run, games, executor, count, progress=progress))


def core_game(setting: Setting, number: int) -> Game:
    """Game `number` of a simulation, from 0, played by the core with the same throws: every act of it can be seen."""
    setting.check()
    whole(number, "number", 0, GAMES_MAX)
    need_extra("sim", "numba")
    from bobing.odds.simulate.blocks import core_game as played

    return played(setting, number)


def is_prepared() -> bool:
    """Whether what simulates was compiled by an earlier run; else the first one compiles it, which takes a while."""
    need_extra("sim", "numba")
    from bobing.odds.simulate.jit import is_kept
    from bobing.odds.simulate.kernel import play_block

    return is_kept(play_block)


def need_extra(extra: str, module: str) -> None:
    """Raise SimulationError where a module of an extra is not installed."""
    if find_spec(module) is None:
        raise SimulationError(f"this needs more packages; run {install_line(extra)}", "odds/needs_extra")


def install_line(extra: str) -> str:
    """What installs an extra here: in a clone what sets it up, else pip, from where bobing came."""
    if CLONE_TOOL.is_file():
        return f"python3 {CLONE_TOOL} setup"
    try:
        origin = json.loads(metadata.distribution("bobing").read_text("direct_url.json") or "{}").get("url", "")
    except metadata.PackageNotFoundError:
        origin = ""
    name = url2pathname(origin.removeprefix("file://")) if origin.startswith("file://") else "bobing"
    return f"{sys.executable} -m pip install '{name}[{extra}]'"
