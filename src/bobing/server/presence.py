"""Who is there at a table, told to the workers where others look on: over the bus, for it is in no log."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from bobing.ports import Bus
from bobing.server.table import Table

EVERY_S = 30
"""How often it is told again, for word that was lost and for screens that came since."""
KNOWN_MS = 70_000
"""How long word counts: two may be lost. Then it is not known any more who is there."""


def name_of(code: str) -> str:
    """The name under which it is told who is at a table.

    >>> name_of("MNKJHGFE")
    'here/MNKJHGFE'
    """
    return f"here/{code}"


def number_of(seats: Collection[int]) -> int:
    """Seats as the bus carries them: a number with a bit for each.

    >>> number_of({0, 3})
    9
    """
    return sum(1 << seat for seat in set(seats))


def seats_of(number: int) -> frozenset[int]:
    """The seats that a number names.

    >>> sorted(seats_of(9))
    [0, 3]
    """
    return frozenset(seat for seat in range(number.bit_length()) if number >> seat & 1)


def tell(bus: Bus, table: Table) -> None:
    """Tell other workers whose devices are at a table here."""
    bus.publish(name_of(table.room.code), number_of(table.online))


async def tell_on(bus: Bus, tables: Mapping[str, Table]) -> None:
    """Tell it again of every table where somebody is, without end."""
    while True:
        await asyncio.sleep(EVERY_S)
        for table in list(tables.values()):
            if table.members:
                tell(bus, table)
