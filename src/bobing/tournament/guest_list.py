"""Guest lists: rows of text become guests, or every line that is wrong is named and nothing is changed.

>>> read = read_guests([["姓名", "电话", "家庭"], ["小明", "138 0000 0000", "A"], ["小红", "", "A"]])
>>> [(entry.name, entry.phone, entry.household) for entry in read]
[('小明', '13800000000', 'A'), ('小红', '', 'A')]
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bobing.tournament.errors import EventRefused

NAME_MAX = 24
HOUSEHOLD_MAX = 80
FAULTS_MAX = 50
_HEADS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "guest", "姓名", "名字", "名稱", "名称", "来宾", "來賓"),
    "phone": ("phone", "telephone", "tel", "mobile", "电话", "電話", "手机", "手機", "手机号", "手機號", "联系电话"),
    "household": ("household", "family", "group", "家庭", "户", "戶", "家", "组", "組"),
    "session": ("session", "场次", "場次", "场", "場"),
    "staff": ("staff", "工作人员", "工作人員", "工作人"),
}
_KNOWN = {word: field for field, words in _HEADS.items() for word in words}
_YES = frozenset({"1", "y", "yes", "x", "true", "是", "✓", "√"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a guest list: what is personal in it stays out of the log."""

    name: str
    phone: str = ""
    household: str = ""
    session: int = 1
    staff: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line, counted from 1.

    code: `no_name`, `long_name`, `bad_name`, `bad_phone`, `bad_session`, `long_household`, `twice`.
    """

    line: int
    code: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column, counted from 1, and what its first line calls it."""

    number: int
    name: str = ""


class ListRefused(EventRefused):
    """A guest list with faults; nothing of it was taken."""

    code = "event/bad_list"

    def __init__(self, faults: Sequence[Fault]) -> None:
        said = "; ".join(f"line {fault.line}: {fault.code} {fault.value}".strip() for fault in faults[:5])
        more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
        super().__init__(f"the list has {len(faults)} lines to mend: {said}{more}")
        self.faults = tuple(faults)


def read_guests(rows: Sequence[Sequence[str]], sessions: Sequence[int] = (1,)) -> list[Entry]:
    """The guests of a list; raises ListRefused with every line that is wrong, up to fifty.

    The first row may name the columns, in any order, in Chinese or English; without such a row the first column is the
    name and the second, if there is one, the telephone number.
    """
    columns, start = _columns(rows)
    faults, entries, seen = list[Fault](), list[Entry](), Counter[tuple[str, str, int]]()
    for line, row in enumerate(rows[start:], start + 1):
        if not any(cell.strip() for cell in row):
            continue
        cells = {field: row[at].strip() if at < len(row) else "" for field, at in columns.items()}
        entry, wrong = _entry(cells, line, sessions)
        faults += wrong
        key = (entry.name.casefold(), entry.phone, entry.session)
        seen[key] += 1
        if seen[key] > 1 and not wrong:
            faults.append(Fault(line, "twice", entry.name))
        entries.append(entry)
        if len(faults) >= FAULTS_MAX:
            break
    if not entries:
        raise EventRefused("there is no guest in this list; put one name on each line", "event/empty_list")
    if faults:
        raise ListRefused(faults)
    return entries


def left_out(rows: Sequence[Sequence[str]]) -> list[Column]:
    """The columns of a list of which nothing is taken, though something stands in them.

    >>> left_out([["name", "department"], ["Ann", "Sales"]])
    [Column(number=2, name='department')]
    """
    columns, start = _columns(rows)
    filled = {at for row in rows[start:] for at, cell in enumerate(row) if cell.strip()}
    head = rows[start - 1] if start and "name" in _fields(rows[start - 1]) else ()
    return [
        Column(at + 1, head[at].strip()[:NAME_MAX] if at < len(head) else "")
        for at in sorted(filled - set(columns.values()))
    ]


def masked(phone: str) -> str:
    """A telephone number as it may be shown: its last four digits.

    >>> masked("13800001234"), masked("12"), masked("")
    ('···1234', '···', '')
    """
    return "" if not phone else f"···{phone[-4:] if len(phone) > 6 else ''}"


def _columns(rows: Sequence[Sequence[str]]) -> tuple[dict[str, int], int]:
    """Where each field stands, and the first row of guests."""
    for start, row in enumerate(rows):
        if any(cell.strip() for cell in row):
            fields = _fields(row)
            if "name" in fields:
                return {field: fields.index(field) for field in fields if field}, start + 1
            if all(field for field, cell in zip(fields, row, strict=True) if cell.strip()):
                raise EventRefused(
                    "the first line names columns, and none of them is the name; call one 姓名 or name",
                    "event/no_name_column",
                )
            return {"name": 0, "phone": 1}, start
    return {"name": 0}, 0


def _fields(row: Sequence[str]) -> list[str | None]:
    """What each cell names, if it names a column that is taken."""
    return [_KNOWN.get(cell.strip().casefold()) for cell in row]


def _entry(cells: Mapping[str, str], line: int, sessions: Sequence[int]) -> tuple[Entry, list[Fault]]:
    faults = list[Fault]()
    name = " ".join(unicodedata.normalize("NFC", cells["name"]).split())
    if not name:
        faults.append(Fault(line, "no_name"))
    elif len(name) > NAME_MAX or any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co") for sign in name):
        faults.append(Fault(line, "long_name" if len(name) > NAME_MAX else "bad_name", name[:NAME_MAX]))
    phone, bad = phone_of(cells.get("phone", ""))
    if bad:
        faults.append(Fault(line, "bad_phone", masked(phone)))
    session = cells.get("session", "") or str(sessions[0])
    if session not in map(str, sessions):
        faults.append(Fault(line, "bad_session", session[:NAME_MAX]))
        session = str(sessions[0])
    household = cells.get("household", "")
    if len(household) > HOUSEHOLD_MAX:
        faults.append(Fault(line, "long_household", household[:NAME_MAX]))
    return Entry(name, phone, household, int(session), staff=cells.get("staff", "").casefold() in _YES), faults


def phone_of(text: str) -> tuple[str, bool]:
    """The number without blanks and strokes, and whether it is none."""
    plain = re.sub(r"[\s()\-.·\u2010-\u2015]", "", unicodedata.normalize("NFKC", text))
    return plain, bool(plain) and not re.fullmatch(r"\+?[0-9]{5,15}", plain)


def households(entries: Sequence[Entry], taken: Mapping[str, int]) -> Iterator[int | None]:
    """A number for each entry's household, the same for the same words; taken: those that have one already."""
    numbers = dict(taken)
    for entry in entries:
        if not entry.household:
            yield None
        else:
            yield numbers.setdefault(entry.household.casefold(), max(numbers.values(), default=0) + 1)
