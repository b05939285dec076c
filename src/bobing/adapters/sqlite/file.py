"""The file of the log: where it may lie, who may read it, and how a connection to it is set."""

from __future__ import annotations

import stat
import time
from contextlib import suppress
from pathlib import Path

import apsw

from bobing.adapters.sqlite.release import verify_release
from bobing.adapters.sqlite.schema import migrate, verify_ours
from bobing.adapters.sqlite.sql import pragma
from bobing.ports import LogError

SIDES = ("", "-wal", "-shm")
"""What SQLite appends to the name of the file for those that belong to it."""

BUSY_MS = 5_000
"""How long a connection waits for another process to let go of the file."""

WAL_MAX = 16 * 2**20
"""Bytes to which the write-ahead log is cut when it was copied into the file."""

_WRITTEN_BY, _WAL = 18, 2
"""The byte of the file that says how it is written, and what it says of a write-ahead log."""

_NETWORK = frozenset(
    ("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "davfs")
)


def make_store(path: Path) -> apsw.Connection:
    """Make the file with all its tables, or bring it up to date; raises LogError where that cannot be.

    Gives a connection for writing. The file is readable for its owner alone, and its folder is made. An open file is
    never opened another time outside SQLite: closing it would drop the locks that SQLite holds.
    """
    verify_release(release())
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        verify_local(path, mounts())
        with suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
        verify_opens(path)  # before anything of it is changed: it may be anybody's
        _close_to_others(path)
    except OSError as fault:
        raise LogError(f"{path} cannot be opened: {fault.strerror or fault}", "log/cannot_open") from fault
    try:
        connection = connect(path)
        try:
            migrate(connection)
        except BaseException:
            connection.close(force=True)
            raise
    except apsw.Error as fault:
        raise cannot_open(path, fault) from fault
    return connection


def release() -> str:
    """The version of the SQLite that keeps the log."""
    return apsw.sqlite_lib_version()


def verify_opens(path: Path) -> None:
    """Refuse what is there and no log, and leave it as it is: LogError; raises OSError where nothing is there."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise LogError(f"{path} is no file; name a file for the log", "log/not_a_log")
    try:
        verify_own_wal(path)
        connect(path, reading=True).close()
    except apsw.Error as fault:
        raise cannot_open(path, fault) from fault


def verify_own_wal(path: Path) -> None:
    """Refuse a file beside which the write-ahead log of another one lies: LogError (`log/strange_wal`), apsw.Error.

    SQLite would take what stands in there for what was saved last. So it is after a kill, when another file is copied
    to where this one was. What `bobing db backup` made and what was closed whole (`close_whole`) say of themselves that
    they have no such log. What is copied by hand while a server runs, or after a kill, says that it has one, and
    nothing in it tells which: but then that copy is not whole anyway.
    """
    wal = path.with_name(f"{path.name}-wal")
    if _size(wal) and _journals(path) != _WAL:
        raise LogError(
            f"{wal} is of another file than {path} is: move it and {path.name}-shm away, then try again",
            "log/strange_wal",
        )


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _journals(path: Path) -> int:
    """How a file says that it is written, 0 for one that is empty. It is read as SQLite reads it, for the locks."""
    flags = [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0]
    file = apsw.VFSFile("", str(path.absolute()), flags)
    try:
        return file.xRead(1, _WRITTEN_BY)[0] if file.xFileSize() > _WRITTEN_BY else 0
    finally:
        file.xClose()


def connect(path: Path, *, reading: bool = False) -> apsw.Connection:
    """A connection to an existing file, set for durable commits or only for reading; raises apsw.Error, LogError."""
    # An absolute path, for SQLite takes some relative names for something else than a file.
    connection = apsw.Connection(str(path.absolute()), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_busy_timeout(BUSY_MS)
        # A statement stays as it was planned. Else it is planned anew for each value that it is asked with.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        verify_ours(connection, str(path))
        if reading:
            pragma(connection, "query_only", "on")
        else:
            _set_for_writing(connection, path)
    except BaseException:
        connection.close(force=True)
        raise
    return connection


def close_whole(connection: apsw.Connection) -> None:
    """Let go of a file. Who is the last to do so leaves all in one file that says of itself that it has no write-ahead
    log: so it is known for what it is wherever it is copied to (`verify_own_wal`).
    """
    with suppress(apsw.Error):  # others are at it still, or the disk takes nothing
        connection.set_busy_timeout(0)
        pragma(connection, "journal_mode", "delete")
    connection.close(force=True)


def open_kept(path: Path) -> apsw.Connection:
    """A connection that only reads a log that is there; raises LogError (`log/no_file` for an empty file, too)."""
    verify_release(release())
    if not path.is_file():
        raise LogError(f"{path} does not exist; name the file of a log", "log/no_file")
    try:
        verify_own_wal(path)
        connection = connect(path, reading=True)
    except apsw.Error as fault:
        raise cannot_open(path, fault) from fault
    if verify_ours(connection, str(path)) == 0:
        connection.close(force=True)
        raise LogError(f"{path} is empty; name the file of a log", "log/no_file")
    return connection


def _set_for_writing(connection: apsw.Connection, path: Path) -> None:
    if _journal_mode(connection) != "wal":
        raise LogError(f"{path} cannot have a write-ahead log here; use a local disk", "log/cannot_open")
    pragma(connection, "synchronous", "full")
    pragma(connection, "foreign_keys", "on")
    pragma(connection, "secure_delete", "on")  # an erased name leaves no trace in the file
    pragma(connection, "journal_size_limit", WAL_MAX)


def _journal_mode(connection: apsw.Connection) -> str:
    """Ask for a write-ahead log until nobody else does: here SQLite says "busy" at once, and calls no busy handler."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            return pragma(connection, "journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def why(fault: Exception) -> str:
    """What a fault says of its cause; of a full disk SQLite sometimes says "not an error".

    >>> why(apsw.FullError("not an error")), why(OSError(28, "No space left on device"))
    ('the disk is full: make room', 'No space left on device')
    """
    if isinstance(fault, apsw.FullError):
        return "the disk is full: make room"
    return getattr(fault, "strerror", None) or str(fault)


def cannot_open(path: Path, fault: apsw.Error) -> LogError:
    """The refusal for a file that SQLite does not open or read."""
    return LogError(f"{path} cannot be opened as a log: {fault}", "log/cannot_open")


def verify_local(path: Path, mounts: str) -> None:
    """Refuse a network disk, on which a write-ahead log is not safe. mounts: the text of /proc/self/mounts.

    >>> verify_local(Path("/srv/b.db"), "server:/tables /srv nfs4 rw 0 0")
    Traceback (most recent call last):
    bobing.ports.LogError: /srv/b.db lies on a network disk (nfs4); put it on a local one
    """
    kind = disk_kind(path, mounts)
    if kind in _NETWORK:
        raise LogError(f"{path} lies on a network disk ({kind}); put it on a local one", "log/network_disk")


def disk_kind(path: Path, mounts: str) -> str:
    r"""The file system that a path is on, an empty text where the system does not say. mounts: as above.

    >>> disk_kind(Path("/tmp/b.db"), "disk / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0")
    'tmpfs'
    """
    place = path.absolute()
    kinds: dict[Path, str] = {}
    for line in mounts.splitlines():
        _, point, kind, *_ = line.split()
        kinds[Path(point.replace("\\040", " "))] = kind
    return next((kinds[folder] for folder in place.parents if folder in kinds), "")


def mounts() -> str:
    """What is mounted where, an empty text where the system does not say."""
    with suppress(OSError):
        return Path("/proc/self/mounts").read_text("utf-8", "replace")
    return ""


def _close_to_others(path: Path) -> None:
    """Take from group and others what an older file allows them."""
    for side in SIDES:
        with suppress(FileNotFoundError):
            file = path.with_name(path.name + side)
            mode = file.stat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                file.chmod(stat.S_IMODE(mode) & ~0o077)
