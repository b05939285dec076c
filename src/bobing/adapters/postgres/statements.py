"""What is asked of the tables. Each function is one request; writing ones run in a transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bobing.adapters.entries import START, alive, chained, verify_append, verify_lease
from bobing.adapters.postgres.server import Link
from bobing.ports import Entry, Grant, Holding, Lease, LogError, NewEntry, Right, RightGone, Worker

_ENTRY = "SELECT stream, n, cmd_id, at, actor, body, h FROM act"
_HEADS = """
SELECT name, n, h FROM unnest(%s::text[]) AS name
CROSS JOIN LATERAL (SELECT n, h FROM act WHERE stream = name ORDER BY n DESC LIMIT 1) AS head
"""
_KNOWN_SQL = f"""
{_ENTRY} JOIN unnest(%s::text[], %s::text[]) AS asked (in_stream, cmd) ON stream = in_stream AND cmd_id = cmd
"""
_INSERT = """
INSERT INTO act (stream, n, cmd_id, at, actor, body, h)
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::bytea[])
"""

# One step down the index for each stream, however many entries it has.
_STREAMS = """
WITH RECURSIVE named (stream) AS (
  SELECT min(stream) FROM act WHERE stream >= %(prefix)s
  UNION ALL
  SELECT (SELECT min(stream) FROM act WHERE stream > named.stream) FROM named WHERE starts_with(stream, %(prefix)s)
)
SELECT stream, (SELECT max(n) FROM act WHERE act.stream = named.stream) FROM named
WHERE starts_with(stream, %(prefix)s) ORDER BY stream
"""
# Nothing is written for these locks. Who appends under a lease shares it; who takes the lease over has it alone.
_SHARE = "SELECT count(pg_advisory_xact_lock_shared(hashtextextended(name, 1))) FROM unnest(%s::text[]) AS name"
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))"
_IF_FREE = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 1))"
_HELD = """
SELECT epoch, worker, address, lease.key, beat, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM lease LEFT JOIN worker ON id = worker WHERE name = %s
"""
NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
"""The time by which beats are counted, in ms."""


@dataclass(frozen=True, slots=True)
class Append:
    """An append that waits to be carried out."""

    stream: str
    expected: int
    new: Sequence[NewEntry]
    notes: Mapping[str, str | None]
    revoked: Sequence[int]
    right: Right | None
    lease: Lease | None

    def __call__(self, link: Link) -> tuple[Entry, ...]:
        """Carry out this one alone."""
        (outcome,) = append_all(link, [self])
        if isinstance(outcome, LogError):
            raise outcome
        return outcome


def append_all(link: Link, appends: Sequence[Append]) -> list[tuple[Entry, ...] | LogError]:
    """Carry out appends in order, in six questions however many there are; of each its entries or its refusal."""
    epochs = _epochs(link, sorted({append.lease.name for append in appends if append.lease}))
    grants = _grants(link, [append.right.token_hash for append in appends if append.right])
    heads: dict[str, tuple[int, bytes]] = {}
    for stream, n, h in link.execute(_HEADS, ([*{append.stream for append in appends}],)):
        heads[stream] = (n, h)
    asked = [(append.stream, entry.cmd) for append in appends for entry in append.new]
    found = link.execute(_KNOWN_SQL, tuple(map(list, zip(*asked, strict=True)))) if asked else ()
    known = {(row[0], row[2]): Entry(*row) for row in found}
    outcomes: list[tuple[Entry, ...] | LogError] = []
    added: list[Entry] = []
    for append in appends:
        try:
            verify_lease(append.lease, epochs.get(append.lease.name) if append.lease else None)
            if append.right and not append.right.holds(grants.get(append.right.token_hash), append.stream):
                raise RightGone
            head, h = heads.get(append.stream, START)
            verify_append(append.new, append.expected, head, partial(_known, known, append.stream))
            outcome = chained(append.stream, head, h, append.new)
        except LogError as refusal:
            outcomes.append(refusal)
            continue
        outcomes.append(outcome)
        added += outcome
        if outcome:
            heads[append.stream] = (outcome[-1].n, outcome[-1].h)
            known |= {(entry.stream, entry.cmd): entry for entry in outcome}
    if added:
        rows = [(e.stream, e.n, e.cmd, e.at, e.actor, e.body, e.h) for e in added]
        link.execute(_INSERT, tuple(map(list, zip(*rows, strict=True))))
    for append, outcome in zip(appends, outcomes, strict=True):
        if not isinstance(outcome, LogError):
            set_notes(link, append.stream, append.notes)
            for seat in append.revoked:
                revoke(link, append.stream, "seat", seat)
    return outcomes


def _known(known: Mapping[tuple[str, str], Entry], stream: str, cmd: str) -> Entry | None:
    return known.get((stream, cmd))


def _grants(link: Link, hashes: Sequence[bytes]) -> dict[bytes, Grant]:
    """The grants of tokens, which nobody can change before this transaction ends."""
    if not hashes:
        return {}
    sql = "SELECT hash, stream, role, seat, made FROM token WHERE hash = ANY(%s) ORDER BY hash FOR SHARE"
    return {row[0]: Grant(*row[1:]) for row in link.execute(sql, (hashes,))}


def _epochs(link: Link, names: Sequence[str]) -> dict[str, int]:
    """The epochs of leases, which nobody can take over before this transaction ends."""
    if not names:
        return {}
    link.execute(_SHARE, (names,))
    return dict(_pairs(link, "SELECT name, epoch FROM lease WHERE name = ANY(%s)", (names,)))


def read(link: Link, stream: str, after: int, limit: int) -> tuple[Entry, ...]:
    """The entries behind number `after`, in order."""
    sql = f"{_ENTRY} WHERE stream = %s AND n > %s ORDER BY n LIMIT %s"
    return tuple(Entry(*row) for row in link.execute(sql, (stream, after, max(limit, 0))))


def find(link: Link, stream: str, cmd: str) -> Entry | None:
    """The entry of a command, if it is in the log."""
    row = link.execute(f"{_ENTRY} WHERE stream = %s AND cmd_id = %s", (stream, cmd)).fetchone()
    return Entry(*row) if row else None


def streams(link: Link, prefix: str) -> tuple[tuple[str, int], ...]:
    """Names of streams and the number of their last entry, by name."""
    return tuple(_pairs(link, _STREAMS, {"prefix": prefix}))


def heads(link: Link, names: Sequence[str]) -> dict[str, int]:
    """The number of the last entry of each of these streams that exists."""
    return {row[0]: row[1] for row in link.execute(_HEADS, (list(names),))}


def set_notes(link: Link, stream: str, notes: Mapping[str, str | None]) -> None:
    """Set or, with None, erase notes of a stream."""
    gone = [key for key, text in notes.items() if text is None]
    kept = [(key, text) for key, text in notes.items() if text is not None]
    if gone:
        link.execute("DELETE FROM note WHERE stream = %s AND key = ANY(%s)", (stream, gone))
    for key, text in kept:
        link.execute(
            "INSERT INTO note (stream, key, text) VALUES (%s, %s, %s) "
            "ON CONFLICT (stream, key) DO UPDATE SET text = excluded.text",
            (stream, key, text),
        )


def notes(link: Link, stream: str) -> dict[str, str]:
    """All notes of a stream."""
    return dict(_pairs(link, "SELECT key, text FROM note WHERE stream = %s ORDER BY key", (stream,)))


def keep_secret(link: Link, stream: str, key: str, secret: bytes | None) -> None:
    """Keep a secret of a stream, or with None erase it."""
    link.execute("DELETE FROM secret WHERE stream = %s AND key = %s", (stream, key))
    if secret is not None:
        link.execute("INSERT INTO secret (stream, key, value) VALUES (%s, %s, %s)", (stream, key, secret))


def secret(link: Link, stream: str, key: str) -> bytes | None:
    """A secret that was kept and not erased."""
    row = link.execute("SELECT value FROM secret WHERE stream = %s AND key = %s", (stream, key)).fetchone()
    return row[0] if row else None


def secrets(link: Link, stream: str) -> dict[str, bytes]:
    """All secrets of a stream."""
    return dict(link.execute("SELECT key, value FROM secret WHERE stream = %s", (stream,)).fetchall())


def grants(link: Link, stream: str) -> tuple[tuple[bytes, Grant], ...]:
    """All grants of a stream with the hashes of their tokens."""
    query = "SELECT hash, stream, role, seat, made FROM token WHERE stream = %s ORDER BY hash"
    return tuple((token, Grant(*grant)) for token, *grant in link.execute(query, (stream,)).fetchall())


def grant(link: Link, token_hash: bytes, given: Grant, ending: Sequence[str] = ()) -> None:
    """Keep a grant under the hash of its token, in the place of all that end with it."""
    for role in ending:
        revoke(link, given.stream, role, None)
    link.execute(
        "INSERT INTO token (hash, stream, role, seat, made) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (hash) DO UPDATE "
        "SET stream = excluded.stream, role = excluded.role, seat = excluded.seat, made = excluded.made",
        (token_hash, given.stream, given.role, given.seat, given.made),
    )


def granted(link: Link, token_hash: bytes) -> Grant | None:
    """The grant of a token hash that was not revoked."""
    row = link.execute("SELECT stream, role, seat, made FROM token WHERE hash = %s", (token_hash,)).fetchone()
    return Grant(*row) if row else None


def revoke(link: Link, stream: str, role: str | None, seat: int | None) -> int:
    """Revoke grants of a stream; how many there were."""
    return link.execute(
        "DELETE FROM token WHERE stream = %(stream)s AND (%(role)s::text IS NULL OR role = %(role)s) "
        "AND (%(seat)s::bigint IS NULL OR seat = %(seat)s)",
        {"stream": stream, "role": role, "seat": seat},
    ).rowcount


def beat(link: Link, worker: Worker, life_ms: int) -> bool:
    """Say that a worker is alive, by the clock of the database, and forget those that are dead for long."""
    now = int(link.execute(NOW).fetchall()[0][0])
    before = link.execute("SELECT beat FROM worker WHERE id = %s", (worker.id,)).fetchone()
    link.execute(
        "INSERT INTO worker (id, beat) VALUES (%s, %s) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
        (worker.id, now),
    )
    link.execute("DELETE FROM worker WHERE abs(%s - beat) > %s", (now, 30 * life_ms))
    return alive(before[0] if before else None, now, life_ms)


def claim(link: Link, name: str, worker: Worker, life_ms: int) -> Holding:
    """Take a lease, unless another that is alive holds it, or is just writing under it: that one is not waited for."""

    def stands(row: tuple[Any, ...]) -> bool:
        return row[1] == worker.id or alive(row[4], row[5], life_ms)

    row = link.execute(_HELD, (name,)).fetchone()
    if row is None:
        link.execute(_ALONE, (name,))
    elif stands(row) or not link.execute(_IF_FREE, (name,)).fetchall()[0][0]:
        return _holding(name, row)
    row = link.execute(_HELD, (name,)).fetchone()  # as it stands now that nobody changes it
    if row and stands(row):
        return _holding(name, row)
    epoch = row[0] + 1 if row else 1
    link.execute(
        "INSERT INTO lease (name, epoch, worker, address, key) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (name) DO "
        "UPDATE SET epoch = excluded.epoch, worker = excluded.worker, address = excluded.address, key = excluded.key",
        (name, epoch, worker.id, worker.address, worker.key),
    )
    return Holding(worker, Lease(name, epoch))


def _holding(name: str, row: tuple[Any, ...]) -> Holding:
    return Holding(Worker(row[1], row[2], row[3]), Lease(name, row[0]))


def held(link: Link, worker: Worker) -> dict[str, int]:
    """The epochs of all leases that a worker holds."""
    return dict(_pairs(link, "SELECT name, epoch FROM lease WHERE worker = %s", (worker.id,)))


def leave(link: Link, worker: Worker) -> None:
    """Forget a worker."""
    link.execute("DELETE FROM worker WHERE id = %s", (worker.id,))


def follow(link: Link, worker: Worker) -> None:
    """Forget whoever was reached at the same address before."""
    sql = "DELETE FROM worker WHERE id <> %s AND id IN (SELECT worker FROM lease WHERE address = %s)"
    link.execute(sql, (worker.id, worker.address))


def _pairs(link: Link, sql: str, bindings: Sequence[object] | Mapping[str, object]) -> list[tuple[Any, Any]]:
    return [(row[0], row[1]) for row in link.execute(sql, bindings)]
