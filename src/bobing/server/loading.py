"""What is kept in memory from when it is first asked for: loaded once, for all who ask meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Generic, TypeVar

Loaded = TypeVar("Loaded")


class Loading(Generic[Loaded]):
    """Looks into `kept`, and loads what is not there. Who comes while something is loaded waits for the same."""

    def __init__(self, kept: dict[str, Loaded], load: Callable[[str], Coroutine[Any, Any, Loaded]]) -> None:
        self._kept, self._load = kept, load
        self._under_way: dict[str, asyncio.Task[Loaded]] = {}

    async def get(self, name: str) -> Loaded:
        """What has this name; raises what loading it raises."""
        if name in self._kept:
            return self._kept[name]
        task = self._under_way.get(name)
        if task is None:
            task = self._under_way[name] = asyncio.get_running_loop().create_task(self._loaded(name))
            task.add_done_callback(partial(self._done, name))
        return await asyncio.shield(task)  # who goes away does not take it from the others

    async def _loaded(self, name: str) -> Loaded:
        self._kept[name] = loaded = await self._load(name)
        return loaded

    def _done(self, name: str, task: asyncio.Task[Loaded]) -> None:
        del self._under_way[name]
        if not task.cancelled():
            task.exception()  # whoever waited has it
