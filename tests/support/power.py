"""Power loss, simulated: a file system for SQLite that notes every write and sync, and rebuilds what a disk may hold.

A disk keeps what was synced. Of what was written since, it keeps any part, in blocks of 512 bytes, each whole or not at
all. `Recorder` hands SQLite real files and notes what is done to them; `images` gives, for moments of the recording,
folders as they may be found after the power came back.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path

import apsw

BLOCK = 512


@dataclass(frozen=True)
class Done:
    """One thing that was done to a file: `write`, `cut` (to a size), `sync`, `delete`, or `ack` of something."""

    what: str
    name: str = ""
    at: int = 0
    data: bytes = b""


class Recorder(apsw.VFS):
    """SQLite's own file system, with a notebook. It is the default one until `close`."""

    _numbers = itertools.count()

    def __init__(self):
        self.done = []
        self._before = apsw.vfs_names()[0]
        super().__init__(f"recorder-{next(self._numbers)}", self._before, makedefault=True)

    def xOpen(self, name, flags):  # noqa: N802 - apsw's name
        return _File(self, self._before, name, flags)

    def xDelete(self, filename, syncdir):  # noqa: N802
        self.done.append(Done("delete", Path(filename).name))
        return super().xDelete(filename, syncdir)

    def ack(self, what):
        """Note that this was acknowledged now."""
        self.done.append(Done("ack", what))

    def close(self):
        """Give SQLite its own file system back."""
        self.unregister()
        apsw.set_default_vfs(self._before)


class _File(apsw.VFSFile):
    def __init__(self, recorder, below, name, flags):
        self._done = recorder.done
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "").name
        super().__init__(below, name, flags)

    def xWrite(self, data, offset):  # noqa: N802
        super().xWrite(data, offset)
        self._done.append(Done("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize):  # noqa: N802
        super().xTruncate(newsize)
        self._done.append(Done("cut", self._name, newsize))

    def xSync(self, flags):  # noqa: N802
        super().xSync(flags)
        self._done.append(Done("sync", self._name))


@dataclass
class _Disk:
    """What is certainly on the disk, file by file, and what was done since and may be there."""

    sure: dict
    open: list

    def take(self, done):
        if done.what in ("write", "cut"):
            self.open.append(done)
        elif done.what == "sync":
            for one in [one for one in self.open if one.name == done.name]:
                _apply(self.sure, one)
            self.open = [one for one in self.open if one.name != done.name]
        elif done.what == "delete":
            self.sure.pop(done.name, None)
            self.open = [one for one in self.open if one.name != done.name]

    def image(self, rng):
        """What may be found: all that is sure, and of the rest some; of a write some of its blocks."""
        files = {name: bytearray(data) for name, data in self.sure.items()}
        kept = rng.choice([0.0, 0.5, 0.5, 1.0])
        for one in self.open:
            if one.what == "cut":
                if rng.random() < kept:
                    _apply(files, one)
                continue
            for start in range(0, len(one.data), BLOCK):
                if rng.random() < kept:
                    _apply(files, Done("write", one.name, one.at + start, one.data[start : start + BLOCK]))
        return files


def _apply(files, done):
    data = files.setdefault(done.name, bytearray())
    if done.what == "cut":
        del data[done.at :]
        data.extend(bytes(done.at - len(data)))
        return
    data.extend(bytes(max(0, done.at - len(data))))
    data[done.at : done.at + len(done.data)] = done.data


def images(done, rng, every=1, each=1):
    """After every so many of the things done, some images of the files, and what had been acknowledged by then."""
    disk, acked = _Disk({}, []), set()
    for i, one in enumerate(done, 1):
        if one.what == "ack":
            acked.add(one.name)
        else:
            disk.take(one)
        if i % every == 0:
            for _ in range(each):
                yield {name: bytes(data) for name, data in disk.image(rng).items()}, frozenset(acked)
