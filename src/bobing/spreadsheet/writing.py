r"""Tables for people who go on with them in a spreadsheet: nothing that a guest wrote ever runs there.

>>> csv_bytes([["name", "cakes"], ["=HYPERLINK(0)", 3]]).decode("utf-8-sig")
"name,cakes\r\n'=HYPERLINK(0),3\r\n"
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from io import BytesIO, StringIO
from urllib.parse import quote

from bobing.spreadsheet.errors import FileRefused

Cell = str | int | Decimal
"""Text, a count, or an amount of money, which a spreadsheet can add up."""
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "|", "%", "＝", "＋", "－", "＠")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def safe(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula: a sign of quotation stands before what could be one."""
    if not isinstance(cell, str):
        return cell
    text = _CONTROL.sub("", cell)
    return f"'{text}" if cell.startswith(_STARTS) or text.lstrip().startswith(_STARTS) else text


def as_written(text: str) -> str:
    """What stood in a cell before it was made safe: lists that were taken away are read again.

    >>> as_written("'+86 138 0000 1234"), as_written("'t Hart")
    ('+86 138 0000 1234', "'t Hart")
    """
    plain = text.removeprefix("'")
    return plain if safe(plain) != plain else text


def csv_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV as of RFC 4180, in UTF-8 with the mark by which spreadsheets know it."""
    out = StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def xlsx_bytes(sheets: Mapping[str, Iterable[Sequence[Cell]]]) -> bytes:
    """A workbook; the first row of each sheet is its head. Raises FileRefused without the extra `event`."""
    try:
        from xlsxwriter import Workbook  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise FileRefused(
            "XLSX files are written with the extra `event`: pip install 'bobing[event]', or take CSV", "file/no_xlsx"
        ) from None
    out = BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        head = book.add_format({"bold": True, "bottom": 1})  # pyright: ignore[reportUnknownMemberType]
        amount = book.add_format({"num_format": "#,##0.00"})  # pyright: ignore[reportUnknownMemberType]
        for name, rows in sheets.items():
            sheet = book.add_worksheet(_sheet_name(name))  # pyright: ignore[reportUnknownMemberType]
            for y, row in enumerate(rows):
                for x, cell in enumerate(row):
                    if isinstance(cell, str):
                        sheet.write_string(y, x, str(safe(cell))[:32_767], None if y else head)
                    else:
                        sheet.write_number(y, x, float(cell), amount if isinstance(cell, Decimal) else None)
            sheet.freeze_panes(1, 0)
            sheet.autofit()
    return out.getvalue()


def disposition(name: str) -> str:
    r"""The Content-Disposition header that saves a download under `name` (RFC 6266).

    >>> disposition('表"\r\nSet-Cookie: a.csv')
    "attachment; filename=download.csv; filename*=UTF-8''%E8%A1%A8%22Set-Cookie%3A%20a.csv"
    """
    plain = "".join(sign for sign in name if sign.isprintable())
    ending = re.search(r"\.[a-z0-9]{1,8}$", plain)
    return f"attachment; filename=download{ending[0] if ending else ''}; filename*=UTF-8''{quote(plain, safe='')}"


def _sheet_name(name: str) -> str:
    return re.sub(r"[\[\]:*?/\\']", " ", name).strip()[:31] or "1"
