"""Looks over a machine before people come: what a server with these settings needs, and whether it is there."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import socket
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from bobing import __version__
from bobing.adapters import is_postgres, need, open_bus, sqlite_path
from bobing.core.errors import BobingError
from bobing.server.certificate import ends as certificate_ends
from bobing.server.running import lan_address, listen, verify_tls
from bobing.server.settings import Settings
from bobing.server.static import FOLDER

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "beacon": ("py_ecc",),
    "sim": ("numba", "numpy"),
    "event": ("python_calamine", "xlsxwriter"),
    "paper": ("typst",),
    "cluster": ("distributed",),
    "postgres": ("psycopg",),
    "nats": ("nats",),
}
"""What each extra of the package brings."""
LEAST_MB, SCARCE_MB = 100, 1_000
SLOW_MS = 50
SOON_S = 14 * 86_400
FEW_FILES = 4_096
BUILT_S = 1_767_225_600  # 2026 began: no clock that is right shows less
_TROUBLED = 5  # TIME_ERROR of <sys/timex.h>: nobody sets the clock
_IN_MEMORY = ("tmpfs", "ramfs")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look came to.

    state: `good`, `note` (an extra that is not there), `warning` or `bad`. code: what was found, whose words are the
    text `doctor.CODE`, with what to do in `doctor.CODE_do`; `refused` stands for a refusal, with its code and detail.
    """

    check: str
    state: str
    code: str
    values: Mapping[str, str | int] = field(default_factory=dict[str, "str | int"])


def examine(settings: Settings) -> Iterator[Finding]:
    """Look over everything, for a server with these settings whose `db` is not empty. Nothing stays changed."""
    system = f"{platform.system()} {platform.machine()}"
    yield Finding(
        "version", "good", "version", {"bobing": __version__, "python": platform.python_version(), "system": system}
    )
    if not (FOLDER / "index.html").is_file():
        yield Finding("version", "bad", "no_page")
    yield from variables(os.environ)
    yield from store(settings.db)
    yield clock(time.time())
    yield from network(settings)
    yield files()
    yield from (extra(name) for name in EXTRAS)


def variables(names: Iterable[str]) -> Iterator[Finding]:
    """Variables of the environment that look like settings and are none: a slip would be left without a word.

    >>> [found.values["name"] for found in variables(["BOBING_WROKERS", "BOBING_BUS", "BOBING_EVENT_TOKEN", "HOME"])]
    ['BOBING_WROKERS']
    """
    known = {f"BOBING_{name.upper()}" for name in Settings().as_dict()}
    for name in sorted(names):
        if name.startswith("BOBING_") and name not in known and not name.startswith("BOBING_EVENT"):
            yield Finding("settings", "warning", "unknown_variable", {"name": name[:60]})


def store(url: str) -> Iterator[Finding]:
    """Where tables are kept."""
    try:
        if url == "memory://":
            yield Finding("store", "warning", "in_memory")
        elif is_postgres(url):
            _ask_database(url)
            yield Finding("store", "good", "database")
        else:
            yield _release()
            yield from _file(sqlite_path(url).absolute())
    except BobingError as refusal:
        yield _refused("store", refusal)


def _release() -> Finding:
    """Whether SQLite is past its bug with write-ahead logs."""
    from bobing.adapters.sqlite.file import release
    from bobing.adapters.sqlite.release import verify_release

    try:
        verify_release(release())
    except BobingError as refusal:
        return _refused("sqlite", refusal)
    return Finding("sqlite", "good", "sqlite", {"release": release()})


def _file(path: Path) -> Iterator[Finding]:
    """The disk on which the log lies, and the log where there is one."""
    from bobing.adapters.sqlite.file import disk_kind, mounts, verify_local

    try:
        verify_local(path, mounts())
    except BobingError as refusal:
        yield _refused("disk", refusal)
        return
    if disk_kind(path, mounts()) in _IN_MEMORY:
        yield Finding("disk", "warning", "memory_disk", {"path": str(path)})
    folder = next(above for above in path.parents if _seen(above.is_dir))
    yield room(shutil.disk_usage(folder).free // 10**6, folder)
    yield _sync(folder)
    if _seen(path.exists):
        yield _log_at(path)


def _seen(is_there: Callable[[], bool]) -> bool:
    """Whether something is there, for all that this user may see."""
    try:
        return is_there()
    except PermissionError:
        return False


def room(free_mb: int, folder: Path) -> Finding:
    """Whether there is space for an evening."""
    state = "bad" if free_mb < LEAST_MB else "warning" if free_mb < SCARCE_MB else "good"
    code = "space" if state == "good" else "little_space"
    return Finding("disk", state, code, {"free": free_mb, "path": str(folder)})


def _sync(folder: Path) -> Finding:
    """How long the disk takes until a throw is safe."""
    taken: list[float] = []
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for _ in range(5):
                began = time.monotonic()
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
                taken.append(time.monotonic() - began)
    except OSError as fault:
        return Finding("disk", "bad", "not_writable", {"path": str(folder), "why": fault.strerror or str(fault)})
    return speed(statistics.median(taken) * 1000)


def speed(ms: float) -> Finding:
    """Whether the disk is quick enough."""
    slow = ms > SLOW_MS
    return Finding("disk", "warning" if slow else "good", "slow_disk" if slow else "quick_disk", {"ms": f"{ms:.1f}"})


def _log_at(path: Path) -> Finding:
    from bobing.adapters.sqlite.file import verify_opens

    verify_opens(path)
    return Finding("store", "good", "log", {"path": str(path), "mb": -(-path.stat().st_size // 10**6)})


def _ask_database(url: str) -> None:
    """Raises LogError where the database cannot keep a log."""
    need("psycopg", "postgres")
    from bobing.adapters.postgres.server import verify_reached

    verify_reached(url)


def clock(now: float, *, kept: bool | None = None) -> Finding:
    """Whether the wall clock can be right. kept: whether something sets it, where the system is not to be asked."""
    shown = {"now": time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))}
    if now < BUILT_S:
        return Finding("clock", "bad", "clock_behind", shown)
    kept = _clock_is_kept() if kept is None else kept
    if kept is False:
        return Finding("clock", "warning", "clock_alone", shown)
    return Finding("clock", "good", "clock" if kept else "clock_shows", shown)


def _clock_is_kept() -> bool | None:
    """Whether the system says that something keeps its clock right; None where it does not say."""
    if sys.platform != "linux":
        return None
    try:
        answer: int = ctypes.CDLL(None).ntp_gettime(ctypes.create_string_buffer(256))
    except (OSError, AttributeError):  # another C library
        return None
    return None if answer < 0 else answer != _TROUBLED


def network(settings: Settings) -> Iterator[Finding]:
    """The port, the addresses, the certificate and the bus."""
    try:
        listener = listen(settings.host, settings.port)
    except BobingError as refusal:
        yield (
            Finding("port", "good", "port_ours", {"port": settings.port})
            if _answers(settings)
            else _refused("port", refusal)
        )
    else:
        listener.close()
        yield Finding("port", "good", "port", {"port": settings.port})
    try:
        listen(settings.peer, 0).close()
    except BobingError as refusal:
        yield _refused("peer", refusal)
    if settings.host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        address = lan_address()
        if address == "127.0.0.1":
            yield Finding("network", "warning", "no_network")
        else:
            yield Finding("network", "good", "network", {"address": address, "port": settings.port})
    if settings.cert:
        yield certificate(settings, time.time())
    if settings.bus:
        yield bus(settings.bus)


def certificate(settings: Settings, now: float) -> Finding:
    """Whether the certificate can be used, and until when."""
    try:
        verify_tls(settings)
    except BobingError as refusal:
        return _refused("certificate", refusal)
    ends = certificate_ends(Path(settings.cert))
    until = time.strftime("%Y-%m-%d", time.gmtime(ends))
    if ends < now:
        return Finding("certificate", "bad", "certificate_over", {"until": until})
    if ends < now + SOON_S:
        return Finding("certificate", "warning", "certificate_soon", {"until": until})
    return Finding("certificate", "good", "certificate", {"until": until})


def _answers(settings: Settings) -> bool:
    """Whether a bobing is there already."""
    scheme = "https" if settings.cert else "http"
    try:
        with urllib.request.urlopen(f"{scheme}://127.0.0.1:{settings.port}/healthz", timeout=2) as answer:  # noqa: S310
            return answer.read(100) == b"ok\n"
    except (OSError, ValueError):
        return False


def bus(url: str) -> Finding:
    """Whether a NATS server answers, which says at once who it is."""
    try:
        open_bus(url)
        at = urlsplit(url)
        with socket.create_connection((at.hostname or "localhost", at.port or 4222), timeout=3) as line:
            named = line.recv(4) == b"INFO"
    except BobingError as refusal:
        return _refused("bus", refusal)
    except OSError as fault:
        return Finding("bus", "bad", "no_bus", {"why": fault.strerror or str(fault)})
    return Finding("bus", "good", "bus") if named else Finding("bus", "bad", "other_bus")


def files() -> Finding:
    """How many connections the system lets a process have."""
    try:
        import resource
    except ImportError:  # not on Windows
        return Finding("files", "good", "files_free")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = most != resource.RLIM_INFINITY and most < FEW_FILES
    if most == resource.RLIM_INFINITY:
        return Finding("files", "good", "files_free")
    return Finding("files", "warning" if few else "good", "few_files" if few else "files", {"most": most})


def extra(name: str) -> Finding:
    """Whether an extra is installed."""
    there = all(find_spec(module) for module in EXTRAS[name])
    return Finding("extras", "good" if there else "note", "extra_there" if there else "extra_lacking", {"extra": name})


def _refused(check: str, refusal: BobingError) -> Finding:
    return Finding(check, "bad", "refused", {"code": refusal.code, "detail": str(refusal)})
