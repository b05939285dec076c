"""The tables of the log, as numbered migrations. A migration that was released never changes; a new one is added."""

from __future__ import annotations

import psycopg

from bobing.adapters.postgres.server import Link, cannot_open, connect, unreached, verify_allowed, verify_durable
from bobing.ports import LogError

_LOCK = 0x426F_4269
"""What processes that open the log at once wait for each other with: "BoBi"."""

# Names are ordered as their bytes, as in SQLite, whatever the language of the database.
_FIRST = """
CREATE TABLE act (
  stream text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  cmd_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text NOT NULL,
  body bytea NOT NULL,
  h bytea NOT NULL CHECK (octet_length(h) = 32),
  PRIMARY KEY (stream, n),
  UNIQUE (stream, cmd_id)
);

CREATE FUNCTION act_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what is in the log never changes and stays there' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER act_never_changes BEFORE UPDATE OR DELETE OR TRUNCATE ON act
FOR EACH STATEMENT EXECUTE FUNCTION act_never_changes();

CREATE FUNCTION act_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n <> 1 + coalesce((SELECT max(n) FROM act WHERE stream = NEW.stream), 0) THEN
    RAISE EXCEPTION 'entries of a stream follow each other' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER act_follows BEFORE INSERT ON act FOR EACH ROW EXECUTE FUNCTION act_follows();

CREATE TABLE note (
  stream text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (stream, key)
);

CREATE TABLE token (
  hash bytea NOT NULL PRIMARY KEY,
  stream text COLLATE "C" NOT NULL,
  role text NOT NULL,
  seat bigint,
  made bigint NOT NULL
);

CREATE INDEX token_of_stream ON token (stream);

CREATE TABLE secret (
  stream text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (stream, key)
);

CREATE TABLE lease (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  epoch bigint NOT NULL,
  worker text NOT NULL,
  address text NOT NULL,
  key text NOT NULL
);

CREATE FUNCTION lease_epoch_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.epoch <= OLD.epoch OR NEW.name <> OLD.name THEN
    RAISE EXCEPTION 'a lease stays, and its epoch only grows' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER lease_epoch_grows BEFORE UPDATE OR DELETE ON lease
FOR EACH ROW EXECUTE FUNCTION lease_epoch_grows();

CREATE TABLE worker (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  beat bigint NOT NULL
);
"""

MIGRATIONS = (_FIRST,)
"""Script k leads from version k of the table `bobing_schema` to k + 1."""


def opened(url: str) -> Link:
    """A connection for writing to a database whose tables are up to date; raises LogError."""
    try:
        link = connect(url)
        try:
            verify_durable(link)
            verify_allowed(link)
            migrate(link)
        except BaseException:
            link.close()
            raise
    except psycopg.Error as fault:
        raise unreached(fault) from fault
    return link


def verify_kept(url: str) -> None:
    """Refuse a database in which nobody kept a log yet, and make none there: LogError (`log/no_file`)."""
    try:
        link = connect(url, reading=True)
        try:
            kept = link.execute("SELECT to_regclass('bobing_schema') IS NOT NULL").fetchall()[0][0]
        finally:
            link.close()
    except psycopg.Error as fault:
        raise unreached(fault) from fault
    if not kept:
        raise LogError("the database holds no log; name the one that the server has", "log/no_file")


def migrate(link: Link) -> None:
    """Bring the schema up to date, one transaction for each step: a crash leaves the step before or the one after."""
    while True:
        with link.transaction():
            link.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            version = _version(link)
            if version > len(MIGRATIONS):
                raise LogError("this database was written by a newer bobing; upgrade this one", "log/newer_schema")
            if version == len(MIGRATIONS):
                return
            link.execute(MIGRATIONS[version])
            link.execute("UPDATE bobing_schema SET version = %s", (version + 1,))


def _version(link: Link) -> int:
    if not link.execute("SELECT to_regclass('bobing_schema') IS NOT NULL").fetchall()[0][0]:
        if link.execute("SELECT to_regclass('act') IS NOT NULL").fetchall()[0][0]:
            raise cannot_open("it holds a table `act` of another program; name another database", "log/not_a_log")
        link.execute("CREATE TABLE bobing_schema (version bigint NOT NULL); INSERT INTO bobing_schema VALUES (0)")
    return int(link.execute("SELECT version FROM bobing_schema").fetchall()[0][0])
