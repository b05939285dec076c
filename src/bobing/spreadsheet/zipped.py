"""What an XLSX file must be before anything in it is read: a small, plain zip that says of itself what is true.

Sizes are not believed but counted, and so is how far cells reach; names that leave the folder, links, macros,
encryption, files in files and XML with a document type are refused.
"""

from __future__ import annotations

import re
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from bobing.spreadsheet.errors import FileRefused
from bobing.spreadsheet.extent import Extent

ROWS_MAX = 20_000
COLUMNS_MAX = 100
CELL_MAX = 2_000
FILE_MAX = 5 * 2**20
UNPACKED_MAX = 50 * 2**20
ENTRIES_MAX = 200
RATIO_MAX = 100
_RATIO_FROM = 2**16  # tiny parts may be all blanks; only what is large by then is a bomb
_CHUNK = 2**16
_PLAIN = re.compile(r"(?:[A-Za-z0-9_\[\]. -]+/)*[A-Za-z0-9_\[\]. -]+/?")
_DOCTYPE = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")


def verify_workbook(data: bytes) -> None:
    """Refuse what is no ordinary XLSX file, with FileRefused: `file/too_large`, `file/not_xlsx`, `file/dangerous`."""
    if len(data) > FILE_MAX:
        raise FileRefused(f"the file is larger than {FILE_MAX // 2**20} MB; save the list alone", "file/too_large")
    try:
        with ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
            _verify_names(entries)
            left = UNPACKED_MAX
            for entry in entries:
                left -= _verified_size(archive, entry, left)
            types = archive.read("[Content_Types].xml")
    except (BadZipFile, LargeZipFile, KeyError, NotImplementedError, EOFError, OSError, ValueError, zlib.error):
        raise FileRefused("this is no XLSX file; save the list as XLSX or CSV", "file/not_xlsx") from None
    if b"spreadsheetml.sheet.main" not in types:
        raise FileRefused("this is no XLSX file, or one with macros; save the list as XLSX or CSV", "file/not_xlsx")


def _verify_names(entries: list[ZipInfo]) -> None:
    if len(entries) > ENTRIES_MAX:
        raise FileRefused(f"the file has more than {ENTRIES_MAX} parts; save the list alone", "file/too_large")
    names = [entry.filename for entry in entries]
    for entry in entries:
        parts = entry.filename.split("/")
        odd = not _PLAIN.fullmatch(entry.filename) or ".." in parts or names.count(entry.filename) > 1
        if odd or stat.S_ISLNK(entry.external_attr >> 16) or entry.flag_bits & 1:
            raise FileRefused("a part of the file has a name that no list has", "file/dangerous")
        if re.search(r"vbaproject|\.(?:bin|zip|xlsx?|xlsm|docx?|exe)$", entry.filename, re.IGNORECASE):
            raise FileRefused("the file holds a program or another file; save the list alone", "file/dangerous")


def _verified_size(archive: ZipFile, entry: ZipInfo, left: int) -> int:
    """The size of an entry as it unpacks, which is read to its end."""
    size, head, extent, is_sheet = 0, b"", Extent(), False
    for chunk in _chunks(archive, entry):
        size += len(chunk)
        if size > left:
            raise FileRefused(f"the file unpacks to more than {UNPACKED_MAX // 2**20} MB", "file/too_large")
        if size > _RATIO_FROM and size > RATIO_MAX * max(entry.compress_size, 1):
            raise FileRefused("the file unpacks to far more than it holds", "file/too_large")
        if _DOCTYPE.search(head + chunk) or (not head and chunk.startswith(_WIDE)):
            raise FileRefused("a part of the file defines words of its own, which no list does", "file/dangerous")
        extent.feed(chunk)
        is_sheet = is_sheet or b"sheetData" in head + chunk
        head = chunk[-32:]
    extent.feed(b"", last=True)
    if is_sheet:
        _verify_extent(extent)
    if size != entry.file_size:
        raise FileRefused("a part of the file is not as large as it says", "file/dangerous")
    return size


def _verify_extent(extent: Extent) -> None:
    """Refuse a sheet with more room between its cells than a list can have."""
    if extent.broken:
        raise FileRefused("this is no XLSX file; save the list as XLSX or CSV", "file/not_xlsx")
    if extent.rows * extent.columns > ROWS_MAX * COLUMNS_MAX:
        if extent.rows > ROWS_MAX:
            raise too_many_rows()
        raise too_wide(extent.rows)


def too_many_rows() -> FileRefused:
    """The refusal of a list that is too long."""
    return FileRefused(f"the list has more than {ROWS_MAX} lines; divide it", "file/too_large")


def too_wide(line: int) -> FileRefused:
    """The refusal of a line that has too much in it."""
    said = f"line {line} has more than {COLUMNS_MAX} cells, or one of more than {CELL_MAX} signs"
    return FileRefused(said, "file/too_large")


def _chunks(archive: ZipFile, entry: ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as part:
        while chunk := part.read(_CHUNK):
            yield chunk
