"""The same games on a Dask cluster of two processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from bobing.core.catalogue import find_sheet
from bobing.odds.simulate import Setting, simulate

GAMES = 600_000


@pytest.mark.filterwarnings("ignore")  # Dask's own, about the worker that is lost
def test_a_lost_worker_changes_nothing():
    from distributed import LocalCluster

    setting = Setting(find_sheet("S12"), 6, seed=4)
    two: Any = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="", silence_logs=60)
    with two as cluster:
        killed: list[int] = []

        def kill(games: int) -> None:
            if games < GAMES and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        found = simulate(setting, GAMES, cluster=cluster.scheduler_address, progress=kill)
    assert killed
    assert found.to_json() == simulate(setting, GAMES).to_json()
