"""The workers of a Dask cluster, as an executor. Dask gives the work of a worker that was lost to another."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from bobing.odds.simulate import need_extra
from bobing.odds.simulate.setting import SimulationError

CONNECT_S = 10
RETRIES = 3


@contextmanager
def workers_of(address: str) -> Generator[tuple[Executor, int]]:
    """An executor over the workers of the scheduler at `address`, and how many threads they have together.

    Raises SimulationError where the extra is missing, nobody answers, or there are no workers.
    """
    need_extra("cluster", "distributed")
    from distributed import Client

    try:
        client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise SimulationError(f"no Dask scheduler answers at {address}", "odds/no_cluster") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise SimulationError(f"the Dask scheduler at {address} has no workers; start some", "odds/no_cluster")
        yield client.get_executor(retries=RETRIES, pure=False), threads
