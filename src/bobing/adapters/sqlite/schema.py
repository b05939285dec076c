"""The tables of the log, as numbered migrations. A migration that was released never changes; a new one is added."""

from __future__ import annotations

import apsw

from bobing.adapters.sqlite.sql import first, pragma, run
from bobing.ports import LogError

APPLICATION = 0x426F_4269
"""What the file says it is: "BoBi"."""

# The table has a rowid: measured against WITHOUT ROWID it writes a half to a third of the bytes for each append, as new
# rows go side by side to its end whichever stream they belong to; reading a stream takes twice as long, a few µs a row.
_FIRST = """
CREATE TABLE act (
  stream TEXT NOT NULL,
  n INTEGER NOT NULL,
  cmd_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  body BLOB NOT NULL,
  h BLOB NOT NULL CHECK (length(h) = 32),
  PRIMARY KEY (stream, n),
  UNIQUE (stream, cmd_id)
) STRICT;

CREATE TRIGGER act_never_changes BEFORE UPDATE ON act BEGIN
  SELECT RAISE(ABORT, 'what is in the log never changes');
END;

CREATE TRIGGER act_never_goes BEFORE DELETE ON act BEGIN
  SELECT RAISE(ABORT, 'what is in the log stays there');
END;

-- Without this, INSERT OR REPLACE would delete past the trigger above.
CREATE TRIGGER act_follows BEFORE INSERT ON act
WHEN NEW.n IS NOT 1 + (SELECT coalesce(max(n), 0) FROM act WHERE stream = NEW.stream)
  OR EXISTS (SELECT 1 FROM act WHERE stream = NEW.stream AND cmd_id = NEW.cmd_id)
  OR EXISTS (SELECT 1 FROM act WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'entries of a stream follow each other, each with a command of its own');
END;

CREATE TABLE note (
  stream TEXT NOT NULL,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (stream, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
  hash BLOB NOT NULL PRIMARY KEY,
  stream TEXT NOT NULL,
  role TEXT NOT NULL,
  seat INTEGER,
  made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_of_stream ON token (stream);
"""

# What digital dice are drawn from as long as a game goes on; nothing exports this table.
_SECRETS = """
CREATE TABLE secret (
  stream TEXT NOT NULL,
  key TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (stream, key)
) STRICT, WITHOUT ROWID;
"""

# Who writes under which name. A lease is never deleted, so that its epoch only grows; workers come and go.
_LEASES = """
CREATE TABLE lease (
  name TEXT NOT NULL PRIMARY KEY,
  epoch INTEGER NOT NULL,
  worker TEXT NOT NULL,
  address TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER lease_epoch_grows BEFORE UPDATE ON lease WHEN NEW.epoch <= OLD.epoch OR NEW.name <> OLD.name BEGIN
  SELECT RAISE(ABORT, 'the epoch of a lease only grows');
END;

CREATE TRIGGER lease_stays BEFORE DELETE ON lease BEGIN
  SELECT RAISE(ABORT, 'a lease stays, for its epoch');
END;

CREATE TABLE worker (
  id TEXT NOT NULL PRIMARY KEY,
  beat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS = (_FIRST, _SECRETS, _LEASES)
"""Script k leads from `PRAGMA user_version` k to k + 1."""


def verify_ours(connection: apsw.Connection, place: str) -> int:
    """The version of the file's schema, 0 for an empty file; LogError where it is no log that this bobing can read."""
    run(connection, "BEGIN")  # one look: another process may be making the tables just now
    try:
        version: int = pragma(connection, "user_version")
        application: int = pragma(connection, "application_id")
        empty = first(connection, "SELECT 1 FROM sqlite_schema LIMIT 1") is None
    finally:
        run(connection, "ROLLBACK")
    if application != APPLICATION and not (empty and version == 0 and application == 0):
        raise LogError(f"{place} belongs to another program; name another file", "log/not_a_log")
    if version > len(MIGRATIONS):
        raise LogError(f"{place} was written by a newer bobing; upgrade this one", "log/newer_schema")
    return version


def migrate(connection: apsw.Connection) -> None:
    """Bring the schema up to date, one transaction for each step: a crash leaves the step before or the one after."""
    for number, script in enumerate(MIGRATIONS, 1):
        if pragma(connection, "user_version") >= number:
            continue
        run(connection, "BEGIN IMMEDIATE")
        try:
            if pragma(connection, "user_version") < number:  # another process may have been faster
                run(connection, script)
                pragma(connection, "application_id", APPLICATION)
                pragma(connection, "user_version", number)
            run(connection, "COMMIT")
        finally:
            if connection.in_transaction:
                run(connection, "ROLLBACK")
