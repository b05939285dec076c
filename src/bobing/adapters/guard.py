"""Whose a store's file is: servers share it, and a command that works in it alone waits for none of them.

Logs take several writers safely; this is so that nobody works behind a running server's back, whose pages would show it
late. Systems without flock have no guard.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bobing.adapters import is_postgres, sqlite_path
from bobing.ports import LogError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@contextmanager
def serving(url: str) -> Generator[None]:
    """Serve this store, beside other servers; raises LogError (`log/in_use`) while a command has it alone."""
    with _held(url, shared=True):
        yield


@contextmanager
def alone(url: str) -> Generator[None]:
    """Have this store alone; raises LogError (`log/in_use`) while a server runs on it."""
    with _held(url, shared=False):
        yield


@contextmanager
def _held(url: str, *, shared: bool) -> Generator[None]:
    if fcntl is None or url.startswith("memory:") or is_postgres(url):
        yield
        return
    path = sqlite_path(url)
    name = path.with_name(f"{path.name}-serving")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise LogError(f"{name} cannot be opened: {fault.strerror or fault}", "log/cannot_open") from fault
    try:
        _take(handle, path, shared=shared)
        yield
    finally:
        os.close(handle)


def _take(handle: int, path: Path, *, shared: bool) -> None:
    assert fcntl is not None, "asked before"
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        if shared:
            said = f"a command works in {path} just now; try again when it has ended"
        else:
            said = f"a server runs on {path}: name it with --server and --token, or end it first"
        raise LogError(said, "log/in_use") from None
