"""The game on disk: one line an act, written and synced before anybody sees what came of it (`docs/record.md`)."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from bobing.core.errors import BobingError
from bobing.core.game import Game
from bobing.core.record import CutLineError, Record, act_line, header_line, name_line, read_record
from bobing.i18n import LANGUAGES

try:
    import fcntl
except ImportError:  # Windows has no such locks; there two programs on one file are the user's care
    fcntl = None

_NOTES_MOST = 1000
_READ_WRITE = os.O_RDWR | getattr(os, "O_BINARY", 0)


class SaveError(BobingError):
    """The game cannot be kept in this file."""

    code = "save/failed"


class Save:
    """An open record to which acts are appended, made by `create` or `resume`. Raises SaveError."""

    def __init__(self, path: Path, descriptor: int, size: int, last_hash: str) -> None:
        self.path = path
        self._descriptor, self._size, self._hash = descriptor, size, last_hash

    @classmethod
    def create(cls, path: Path, game: Game, names: Mapping[int, str], *, make_folder: bool = False) -> Save:
        """Begin a record; the file must not be there yet, its folder must, unless it is to be made."""
        try:
            if make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, _READ_WRITE | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise SaveError(str(path), "save/exists") from None
        except (FileNotFoundError, NotADirectoryError) as bad:
            raise SaveError(_why(bad), "save/cannot_open") from None
        except OSError as bad:
            raise SaveError(_why(bad)) from None
        _lock(descriptor)
        header = header_line(game)
        save = cls(path, descriptor, 0, header.h)
        save._append(header.data + b"".join(name_line(seat, text) for seat, text in sorted(names.items())))
        _sync_folder(path.parent)
        return save

    @classmethod
    def resume(cls, path: Path) -> tuple[Save, Record]:
        """Open a record to go on with it; raises RecordError too. A last line that was cut off is taken away."""
        try:
            descriptor = os.open(path, _READ_WRITE)
        except OSError as bad:
            raise SaveError(_why(bad), "save/cannot_open") from None
        try:
            _lock(descriptor)
            with open(descriptor, "rb", closefd=False) as file:
                record, whole = _read(file, os.fstat(descriptor).st_size)
            save = cls(path, descriptor, whole, record.last_hash)
            save._cut_back()
        except BaseException:
            os.close(descriptor)
            raise
        return save, record

    def act(self, game: Game, name: tuple[int, str] | None = None) -> None:
        """Write the last act of the game, and a player's name that came with it, and wait until the disk has them."""
        line = act_line(game, self._hash)
        self._append(line.data + (name_line(*name) if name else b""))
        self._hash = line.h

    def name(self, seat: int, text: str) -> None:
        """Write a player's name."""
        self._append(name_line(seat, text))

    def note(self, lang: str, *, digital: bool) -> None:
        """Keep beside the record how the table is played; the game goes on just as well where that fails."""
        noted = {"digital": digital, "lang": lang}
        with contextlib.suppress(OSError):
            notes_path(self.path).write_text(json.dumps(noted) + "\n", "utf-8")

    def close(self) -> None:
        """Let the file go."""
        os.close(self._descriptor)

    def _append(self, data: bytes) -> None:
        try:
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            rest = data
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as bad:
            with contextlib.suppress(OSError):
                self._cut_back()
            raise SaveError(_why(bad)) from None
        self._size += len(data)

    def _cut_back(self) -> None:
        """Take away what stands behind the last line that was written whole."""
        if os.fstat(self._descriptor).st_size != self._size:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)


def _read(file: Iterator[bytes], size: int) -> tuple[Record, int]:
    try:
        return read_record(file), size
    except CutLineError as cut:
        if cut.record is None:
            raise
        return cut.record, cut.whole


def _lock(descriptor: int) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SaveError("another bobing has this game open", "save/in_use") from None


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # some systems open no folders; the file itself is synced in any case
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _why(bad: OSError) -> str:
    return f"{bad.filename or ''}: {bad.strerror or bad}".removeprefix(": ")


def games_folder(environment: Mapping[str, str]) -> Path:
    """Where games are kept when no file is named: `bobing/games` in the user's data folder."""
    home = environment.get("XDG_DATA_HOME", "")
    base = Path(home) if home.startswith("/") else Path(environment.get("HOME") or Path.home()) / ".local" / "share"
    return base / "bobing" / "games"


def fresh_path(folder: Path, key: str, now: datetime, *, digital: bool) -> Path:
    """A file name for a new game: the day, the time, the sheet; `-digital` is remembered when the game is resumed."""
    sheet = "".join(sign for sign in key if sign.isalnum() or sign in "-_")[:40] or "house"
    stem = f"{now:%Y%m%d-%H%M%S}-{sheet}{'-digital' if digital else ''}"
    tries = (folder / f"{stem}{extra}.jsonl" for extra in ("", *(f"-{n}" for n in range(2, 100))))
    return next(path for path in tries if not path.exists())


@dataclass(frozen=True)
class Notes:
    """How the table of a record is played: the language, None where nobody knows, and the dice."""

    lang: str | None
    digital: bool


def notes_path(path: Path) -> Path:
    """The small file beside a record that keeps how its table is played. Losing it loses nothing of the game."""
    return path.with_name(f".{path.name}.table")


def read_notes(path: Path) -> Notes:
    """How the table of a record is played, from the file beside it, else from the name of the record."""
    noted: object = None
    with contextlib.suppress(OSError, ValueError):
        noted = json.loads(notes_path(path).read_text("utf-8")[:_NOTES_MOST])
    told = cast("dict[str, object]", noted) if isinstance(noted, dict) else {}
    lang, digital = told.get("lang"), told.get("digital")
    return Notes(
        lang if isinstance(lang, str) and lang in LANGUAGES else None,
        digital if isinstance(digital, bool) else "-digital" in path.stem,
    )


def last_played_at(path: Path) -> str:
    """When a record was written to last, to the minute; "?" where that is not known."""
    try:
        return f"{datetime.fromtimestamp(path.stat().st_mtime).astimezone():%Y-%m-%d %H:%M}"
    except OSError:
        return "?"


def unfinished(folder: Path, look_at: int = 5) -> tuple[Path, Record] | None:
    """The game of the folder played last, if it is not over; only the newest few files are read."""
    try:
        paths = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return None
    for path in paths[:look_at]:
        try:
            with path.open("rb") as file:
                record, _ = _read(file, 0)
        except (OSError, BobingError):
            continue
        if not record.game.finished:
            return path, record
    return None
