"""What every log does alike: refuse an append in the same order, and number and chain what it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bobing.core.chain import ZERO, link
from bobing.ports import Entry, LogError, LostRace, NewEntry, RepeatedCommand

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


def closed() -> LogError:
    """The refusal of everything that is asked of a log after `close`."""
    return LogError("this log is closed; open it again", "log/closed")
