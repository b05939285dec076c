"""What is asked of the tables. Each function is one request on a connection; writing ones run in a transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import apsw

from bobing.adapters.entries import START, alive, chained, verify_append, verify_lease
from bobing.adapters.sqlite.sql import first, run
from bobing.ports import Entry, Grant, Holding, Lease, NewEntry, Right, RightGone, Worker

_ENTRY = "SELECT stream, n, cmd_id, at, actor, body, h FROM act"

# One step down the index for each stream, however many entries it has.
_STREAMS = """
WITH RECURSIVE named (stream) AS (
  SELECT min(stream) FROM act WHERE stream >= :prefix
  UNION ALL
  SELECT (SELECT min(stream) FROM act WHERE stream > named.stream) FROM named
  WHERE substr(named.stream, 1, length(:prefix)) = :prefix
)
SELECT stream, (SELECT max(n) FROM act WHERE act.stream = named.stream) FROM named
WHERE substr(stream, 1, length(:prefix)) = :prefix
"""


def append(
    connection: apsw.Connection,
    stream: str,
    expected: int,
    new: Sequence[NewEntry],
    notes: Mapping[str, str | None],
    revoked: Sequence[int],
    right: Right | None = None,
    lease: Lease | None = None,
) -> tuple[Entry, ...]:
    """Append behind entry `expected`, set notes, revoke seats; refused before anything is written."""
    if lease is not None:
        held = first(connection, "SELECT epoch FROM lease WHERE name = ?", (lease.name,))
        verify_lease(lease, held[0] if held else None)
    if right and not right.holds(granted(connection, right.token_hash), stream):
        raise RightGone
    last = first(connection, "SELECT n, h FROM act WHERE stream = ? ORDER BY n DESC LIMIT 1", (stream,))
    head, h = last or START
    verify_append(new, expected, head, lambda cmd: find(connection, stream, cmd))
    entries = chained(stream, head, h, new)
    for entry in entries:
        run(
            connection,
            "INSERT INTO act (stream, n, cmd_id, at, actor, body, h) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (entry.stream, entry.n, entry.cmd, entry.at, entry.actor, entry.body, entry.h),
        )
    set_notes(connection, stream, notes)
    for seat in revoked:
        revoke(connection, stream, "seat", seat)
    return entries


def read(connection: apsw.Connection, stream: str, after: int, limit: int) -> tuple[Entry, ...]:
    """The entries behind number `after`, in order."""
    rows = run(connection, f"{_ENTRY} WHERE stream = ? AND n > ? ORDER BY n LIMIT ?", (stream, after, max(limit, 0)))
    return tuple(Entry(*row) for row in rows)


def find(connection: apsw.Connection, stream: str, cmd: str) -> Entry | None:
    """The entry of a command, if it is in the log."""
    row = first(connection, f"{_ENTRY} WHERE stream = ? AND cmd_id = ?", (stream, cmd))
    return Entry(*row) if row else None


def streams(connection: apsw.Connection, prefix: str) -> tuple[tuple[str, int], ...]:
    """Names of streams and the number of their last entry, by name."""
    return tuple(run(connection, _STREAMS, {"prefix": prefix}))


def heads(connection: apsw.Connection, names: Sequence[str]) -> dict[str, int]:
    """The number of the last entry of each of these streams that exists."""
    asked = json.dumps(names)
    sql = "SELECT value, (SELECT max(n) FROM act WHERE stream = value) AS head FROM json_each(?) WHERE head IS NOT NULL"
    return dict(run(connection, sql, (asked,)))


def set_notes(connection: apsw.Connection, stream: str, notes: Mapping[str, str | None]) -> None:
    """Set or, with None, erase notes of a stream."""
    for key, text in notes.items():
        if text is None:
            run(connection, "DELETE FROM note WHERE stream = ? AND key = ?", (stream, key))
        else:
            run(
                connection,
                "INSERT INTO note (stream, key, text) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
                (stream, key, text),
            )


def notes(connection: apsw.Connection, stream: str) -> dict[str, str]:
    """All notes of a stream."""
    return dict(run(connection, "SELECT key, text FROM note WHERE stream = ?", (stream,)))


def keep_secret(connection: apsw.Connection, stream: str, key: str, secret: bytes | None) -> None:
    """Keep a secret of a stream, or with None erase it."""
    run(connection, "DELETE FROM secret WHERE stream = ? AND key = ?", (stream, key))
    if secret is not None:
        run(connection, "INSERT INTO secret (stream, key, value) VALUES (?, ?, ?)", (stream, key, secret))


def secret(connection: apsw.Connection, stream: str, key: str) -> bytes | None:
    """A secret that was kept and not erased."""
    row = first(connection, "SELECT value FROM secret WHERE stream = ? AND key = ?", (stream, key))
    return row[0] if row else None


def secrets(connection: apsw.Connection, stream: str) -> dict[str, bytes]:
    """All secrets of a stream."""
    return dict(run(connection, "SELECT key, value FROM secret WHERE stream = ?", (stream,)))


def grants(connection: apsw.Connection, stream: str) -> tuple[tuple[bytes, Grant], ...]:
    """All grants of a stream with the hashes of their tokens."""
    rows = run(connection, "SELECT hash, stream, role, seat, made FROM token WHERE stream = ? ORDER BY hash", (stream,))
    return tuple((token, Grant(*grant)) for token, *grant in rows)


def grant(connection: apsw.Connection, token_hash: bytes, given: Grant, ending: Sequence[str] = ()) -> None:
    """Keep a grant under the hash of its token, in the place of all that end with it."""
    for role in ending:
        revoke(connection, given.stream, role, None)
    run(
        connection,
        "INSERT INTO token (hash, stream, role, seat, made) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
        "SET stream = excluded.stream, role = excluded.role, seat = excluded.seat, made = excluded.made",
        (token_hash, given.stream, given.role, given.seat, given.made),
    )


def granted(connection: apsw.Connection, token_hash: bytes) -> Grant | None:
    """The grant of a token hash that was not revoked."""
    row = first(connection, "SELECT stream, role, seat, made FROM token WHERE hash = ?", (token_hash,))
    return Grant(*row) if row else None


def revoke(connection: apsw.Connection, stream: str, role: str | None, seat: int | None) -> int:
    """Revoke grants of a stream; how many there were."""
    run(
        connection,
        "DELETE FROM token WHERE stream = ?1 AND (?2 IS NULL OR role = ?2) AND (?3 IS NULL OR seat = ?3)",
        (stream, role, seat),
    )
    return connection.changes()


def beat(connection: apsw.Connection, worker: Worker, life_ms: int, now: int) -> bool:
    """Say that a worker is alive, and forget those that are dead for long."""
    before = first(connection, "SELECT beat FROM worker WHERE id = ?", (worker.id,))
    run(
        connection,
        "INSERT INTO worker (id, beat) VALUES (?, ?) ON CONFLICT DO UPDATE SET beat = excluded.beat",
        (worker.id, now),
    )
    run(connection, "DELETE FROM worker WHERE abs(? - beat) > ?", (now, 30 * life_ms))
    return alive(before[0] if before else None, now, life_ms)


def claim(connection: apsw.Connection, name: str, worker: Worker, life_ms: int, now: int) -> Holding:
    """Take a lease, unless another that is alive holds it."""
    row = first(
        connection,
        "SELECT epoch, worker, address, lease.key, beat FROM lease LEFT JOIN worker ON id = worker WHERE name = ?",
        (name,),
    )
    if row and (row[1] == worker.id or alive(row[4], now, life_ms)):
        return Holding(Worker(*row[1:4]), Lease(name, row[0]))
    epoch = row[0] + 1 if row else 1
    run(
        connection,
        "INSERT INTO lease (name, epoch, worker, address, key) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "epoch = excluded.epoch, worker = excluded.worker, address = excluded.address, key = excluded.key",
        (name, epoch, worker.id, worker.address, worker.key),
    )
    return Holding(worker, Lease(name, epoch))


def held(connection: apsw.Connection, worker: Worker) -> dict[str, int]:
    """The epochs of all leases that a worker holds."""
    return dict(run(connection, "SELECT name, epoch FROM lease WHERE worker = ?", (worker.id,)))


def leave(connection: apsw.Connection, worker: Worker) -> None:
    """Forget a worker."""
    run(connection, "DELETE FROM worker WHERE id = ?", (worker.id,))


def follow(connection: apsw.Connection, worker: Worker) -> None:
    """Forget whoever was reached at the same address before."""
    sql = "DELETE FROM worker WHERE id <> ? AND id IN (SELECT worker FROM lease WHERE address = ?)"
    run(connection, sql, (worker.id, worker.address))
