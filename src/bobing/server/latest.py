"""Answers that take a while, worked out once for all who ask for the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Told = TypeVar("Told")


class Latest(Generic[Told]):
    """The last answers, by what they are of. Those who ask while one is worked out wait for it together."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._kept: OrderedDict[Hashable, tuple[object, asyncio.Task[Told]]] = OrderedDict()

    async def get(self, key: Hashable, about: object, work: Callable[[], Awaitable[Told]]) -> Told:
        """The answer for a key; worked out anew where it is `about` another object than before, or was refused."""
        kept = self._kept.get(key)
        if kept is None or kept[0] is not about or _failed(kept[1]):
            kept = about, asyncio.ensure_future(_told(work))
            self._kept[key] = kept
        self._kept.move_to_end(key)
        while len(self._kept) > self.room:
            self._kept.popitem(last=False)
        return await asyncio.shield(kept[1])


async def _told(work: Callable[[], Awaitable[Told]]) -> Told:
    return await work()


def _failed(task: asyncio.Task[Told]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
