r"""Rows of text from a CSV file, an XLSX file, or what somebody pasted.

>>> read_rows("姓名,电话\n小明,138 0000 0000\n".encode("gb18030"))
[['姓名', '电话'], ['小明', '138 0000 0000']]
"""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterable
from datetime import date, datetime
from io import BytesIO, StringIO

from bobing.spreadsheet.errors import FileRefused
from bobing.spreadsheet.writing import as_written
from bobing.spreadsheet.zipped import (
    CELL_MAX,
    COLUMNS_MAX,
    FILE_MAX,
    ROWS_MAX,
    too_many_rows,
    too_wide,
    verify_workbook,
)

_CHINESE = {"gb18030": ("gb2312", 0xA1, 0xD7), "big5hkscs": ("big5", 0xA1, 0xC6)}
"""Encodings of lists from older programs: the usual signs of each, by the first byte in its character set."""
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def read_rows(data: bytes) -> list[list[str]]:
    """The rows of a file, whatever it is called; raises FileRefused. Rows without text stay, so that numbers fit."""
    if len(data) > FILE_MAX:
        raise FileRefused(f"the file is larger than {FILE_MAX // 2**20} MB; save the list alone", "file/too_large")
    if data.startswith(b"PK"):
        return _bounded(_workbook_rows(data))
    return rows_of_text(decoded(data))


def rows_of_text(text: str) -> list[list[str]]:
    """The rows of CSV, or of cells pasted from a spreadsheet, which are parted by tabs; raises FileRefused."""
    if "\0" in text:
        raise FileRefused("this is neither text nor an XLSX file; save the list as XLSX or CSV", "file/not_text")
    if text.lstrip().lower().startswith(("<!doctype", "<html", "<?xml", "{\\rtf")):
        raise FileRefused("this is a page or a document, not a list; save the list as XLSX or CSV", "file/not_text")
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        return _bounded(reader)
    except csv.Error as bad:
        raise FileRefused(f"line {reader.line_num}: this is no CSV ({bad})", "file/bad_csv") from None


def decoded(data: bytes) -> str:
    """Text in UTF-8, with or without a mark, UTF-16 with one, GB18030 or Big5; raises FileRefused.

    Nearly all that is Big5 can be read as GB18030, too: the one is taken in which more signs are usual ones.
    """
    marked = _MARKS.get(data[:2])
    for encoding in [marked] if marked else ["utf-8-sig"]:
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(encoding)
    read = dict[str, str]()
    for encoding in () if marked else _CHINESE:
        with contextlib.suppress(UnicodeDecodeError):
            read[encoding] = data.decode(encoding)
    if not read:
        raise FileRefused("the signs of this text cannot be read; save it as UTF-8", "file/not_text")
    return read[max(read, key=lambda encoding: _usual(read[encoding], *_CHINESE[encoding]))]


def _usual(text: str, charset: str, first: int, last: int) -> float:
    """Which part of the signs beyond ASCII is among the usual ones of a character set, which begin with these bytes."""
    signs = [sign.encode(charset, "ignore") for sign in text if not sign.isascii()]
    return sum(bool(sign) and first <= sign[0] <= last for sign in signs) / max(len(signs), 1)


def _delimiter(text: str) -> str:
    """The sign that parts the cells: the most frequent one of the first line that is not blank."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    counts = {sign: first.count(sign) for sign in ("\t", ",", ";", "，")}
    return max(counts, key=counts.__getitem__) if any(counts.values()) else ","


def _workbook_rows(data: bytes) -> Iterable[list[str]]:
    verify_workbook(data)
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise FileRefused(
            "XLSX files are read with the extra `event`: pip install 'bobing[event]', or save the list as CSV",
            "file/no_xlsx",
        ) from None
    try:
        workbook = CalamineWorkbook.from_filelike(BytesIO(data))
        sheet = workbook.get_sheet_by_index(0)
        rows, merged = sheet.to_python(skip_empty_area=False), sheet.merged_cell_ranges or []
    except Exception as bad:  # noqa: BLE001 - the library raises what its Rust side makes of a broken file
        raise FileRefused(f"this XLSX file is broken ({type(bad).__name__}); save it anew", "file/not_xlsx") from None
    return _unmerged([[_text(cell) for cell in row] for row in rows], merged)


def _unmerged(rows: list[list[str]], merged: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> list[list[str]]:
    """What stands in a cell that was merged downwards holds for each of its rows: a household, say."""
    merged = list(merged)
    if sum(bottom - top for (top, _), (bottom, _) in merged) > ROWS_MAX * COLUMNS_MAX:
        raise too_many_rows()  # they lie over each other, as in no list
    for (top, left), (bottom, _) in merged:
        for row in rows[top + 1 : bottom + 1]:
            if left < len(rows[top]) and left < len(row):
                row[left] = row[left] or rows[top][left]
    return rows


def _text(cell: object) -> str:
    """A cell as people see it: telephone numbers have no decimal point, days no hour."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _bounded(rows: Iterable[list[str]]) -> list[list[str]]:
    kept: list[list[str]] = []
    for row in rows:
        while row and not row[-1].strip():
            row.pop()
        if len(kept) >= ROWS_MAX and row:
            raise too_many_rows()
        if len(row) > COLUMNS_MAX or any(len(cell) > CELL_MAX for cell in row):
            raise too_wide(len(kept) + 1)
        kept.append([as_written(cell.strip()) for cell in row])
    while kept and not kept[-1]:
        kept.pop()
    return kept
