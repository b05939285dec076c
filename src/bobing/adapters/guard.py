"""Whose a store's file is: a server's or a command's alone, or that of servers whose workers share it by leases.

Logs take several writers safely; this is so that nobody works behind a running server's back, whose pages would not
show it. Systems without flock have no guard.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bobing.adapters import is_postgres, need, sqlite_path
from bobing.ports import LogError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@contextmanager
def serving(url: str, *, shared: bool) -> Generator[None]:
    """Serve this store, alone or, with workers that share it by leases, beside others that do.

    Raises LogError (`log/in_use`) while a command or another server is at it.
    """
    held = (
        "is served already, or a command works in it: end that first. One server may have several processes: "
        "bobing serve --workers NUMBER"
    )
    with _held(url, held, shared=shared):
        yield


@contextmanager
def alone(url: str) -> Generator[None]:
    """Have this store alone; raises LogError (`log/in_use`) while a server or a command is at it."""
    held = "is served just now, or a command works in it: end that first; bobing event can ask a server with --server"
    with _held(url, held, shared=False):
        yield


@contextmanager
def _held(url: str, held: str, *, shared: bool) -> Generator[None]:
    if url.startswith("memory:"):
        yield
    elif is_postgres(url):
        if not shared:
            _verify_unserved(url)
        yield
    else:
        with _file_held(sqlite_path(url), held, shared=shared):
            yield


@contextmanager
def _file_held(path: Path, held: str, *, shared: bool) -> Generator[None]:
    if fcntl is None:
        yield
        return
    file = path.resolve()
    name = file.with_name(f"{file.name}-serving")
    try:
        if path.exists() and not path.is_file():
            raise LogError(f"{path} is no file; name a file for the log", "log/not_a_log")
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise LogError(f"{name} cannot be opened: {fault.strerror or fault}", "log/cannot_open") from fault
    try:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            there = os.path.samestat(os.fstat(handle), name.stat())
        except OSError:
            there = False
        if not there:  # held, or taken away by a command that ended in this very moment
            raise LogError(f"{path} {held}", "log/in_use")
        try:
            yield
        finally:
            if not shared and not file.exists():  # nothing came of it
                name.unlink(missing_ok=True)
    finally:
        os.close(handle)


def _verify_unserved(url: str) -> None:
    need("psycopg", "postgres")
    from bobing.adapters.postgres.moving import verify_unserved

    verify_unserved(url)
