"""Work that is carried to its end though nobody waits for it any more, and whose faults are heard of."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from bobing.core.errors import BobingError

_T = TypeVar("_T")
_log = logging.getLogger("bobing.tasks")


class Tasks:
    """All work that is under way. What is refused in it was told to whoever asked; any other fault is logged."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work by and by."""
        self._kept(work)

    async def finished(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What `work` gives. Where the one who asked for it goes, it is carried to its end all the same, for what is
        stored has to be told.
        """
        return await asyncio.shield(self._kept(work))

    async def settled(self, patience_s: float) -> None:
        """Wait until all is done that is under way now, but not for longer than so many seconds."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=patience_s)

    def _kept(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None and not isinstance(fault, BobingError):
            _log.error("a command or a timed act failed", exc_info=fault)
