"""What every log does alike: refuse an append in the same order, and number and chain what it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bobing.core.chain import ZERO, link
from bobing.ports import Entry, Lease, LogError, LostLease, LostRace, NewEntry, RepeatedCommand

START = (0, ZERO)
"""Head and hash of a stream that has no entry yet."""


def verify_append(new: Sequence[NewEntry], expected: int, head: int, find: Callable[[str], Entry | None]) -> None:
    """Refuse what cannot stand behind entry `head`: RepeatedCommand, LostRace, `log/doubled_command`.

    The command is looked at before the number, for who tries again comes with the number of the first time. Of several
    entries the first that is known is told; `same` holds where all are known with the bodies given.
    """
    if len({entry.cmd for entry in new}) < len(new):
        raise LogError("two entries of one append have the same command; give each its own", "log/doubled_command")
    found = [find(entry.cmd) for entry in new]
    same = all(old is not None and old.body == entry.body for old, entry in zip(found, new, strict=True))
    for old in found:
        if old is not None:
            raise RepeatedCommand(old, same=same)
    if expected != head:
        raise LostRace(head)


def chained(stream: str, head: int, h: bytes, new: Sequence[NewEntry]) -> tuple[Entry, ...]:
    """The entries as they stand in the log behind entry `head`, whose hash is `h`."""
    entries: list[Entry] = []
    for n, entry in enumerate(new, head + 1):
        h = link(h, entry.body)
        entries.append(Entry(stream, n, entry.cmd, entry.at, entry.actor, entry.body, h))
    return tuple(entries)


def verify_lease(lease: Lease | None, epoch: int | None) -> None:
    """Refuse who writes under a lease that another has taken over; epoch: the one it is at, None where it is gone."""
    if lease is not None and lease.epoch != epoch:
        raise LostLease("another worker serves this now; ask there")


def alive(beat: int | None, now: int, life_ms: int) -> bool:
    """Whether a worker that last said so at `beat` lives. One from the future is dead: the clock was set back, and it
    would have said so again.

    >>> [alive(beat, 10_000, 2_000) for beat in (9_000, 8_000, 7_999, 13_000, None)]
    [True, True, False, False, False]
    """
    return beat is not None and -life_ms <= now - beat <= life_ms


def closed() -> LogError:
    """The refusal of everything that is asked of a log after `close`."""
    return LogError("this log is closed; open it again", "log/closed")
