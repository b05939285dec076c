"""The same games on a Dask cluster of two processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal

import pytest

from bobing.core.catalogue import find_sheet
from bobing.odds.simulate import simulate

GAMES = 600_000


@pytest.mark.filterwarnings("ignore")  # Dask's own, about the worker that is lost
def test_a_lost_worker_changes_nothing():
    from distributed import LocalCluster

    rules = find_sheet("S12")
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=60
    ) as cluster:
        killed: list[int] = []

        def kill(games: int) -> None:
            if games < GAMES and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        found = simulate(rules, 6, GAMES, seed=4, cluster=cluster.scheduler_address, progress=kill)
    assert killed
    assert found.to_json() == simulate(rules, 6, GAMES, seed=4).to_json()
