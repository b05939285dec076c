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
from dataclasses import dataclass, field
from types import MappingProxyType

from bobing.core.names import Told, told_name
from bobing.tournament.errors import EventRefused

HOUSEHOLD_MAX = 80
FAULTS_MAX = 50
DIGITS_MIN, DIGITS_MAX = 5, 15
_SHOWN = 24
"""Of what stands in a cell so much is repeated."""
_TITLES_MAX = 5
"""Over the row that names the columns so many may stand with the title of the list."""
HEADS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "name": (
        ("姓名", "名字", "名称", "来宾", "来宾姓名", "嘉宾", "嘉宾姓名", "员工姓名", "参加者", "报名人"),
        ("姓名", "名字", "名稱", "來賓", "來賓姓名", "嘉賓", "嘉賓姓名", "員工姓名", "參加者", "報名人"),
        ("name", "guest", "full name", "guest name", "attendee", "attendee name", "participant", "names"),
    ),
    "phone": (
        ("电话", "电话号码", "手机", "手机号", "手机号码", "联系电话", "联系方式", "移动电话"),
        ("電話", "電話號碼", "手機", "手機號", "手機號碼", "聯絡電話", "聯絡方式", "行動電話"),
        (
            *("phone", "phone no", "phone number", "telephone", "telephone number", "tel", "tel no", "mobile"),
            *("mobile no", "mobile number", "mobile phone", "cell", "cell phone", "contact number"),
        ),
    ),
    "household": (
        ("家庭", "户", "户号", "家", "组", "组别"),
        ("家庭", "戶", "戶號", "家", "組", "組別"),
        ("household", "family", "group"),
    ),
    "session": (("场次", "场"), ("場次", "場"), ("session", "session no")),
    "staff": (("工作人员", "工作人"), ("工作人員", "工作人"), ("staff", "crew")),
}
"""What the first line may call each column: in simplified and in traditional Chinese, and in English."""
_YES = frozenset({"1", "y", "yes", "x", "true", "是", "✓", "√"})
_ASIDE = re.compile(r"[(【\[].*?[)】\]]")
_ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?e\+?[0-9]{1,2}", re.IGNORECASE)
_EXCEL_ERRORS = frozenset({"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One guest of a list, from a line counted from 1: what is personal in it stays out of the log."""

    name: str
    phone: str = ""
    household: str = ""
    session: int = 1
    staff: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line, counted from 1.

    code: `no_name`, `long_name`, `bad_name`, `formula`, `bad_phone`, `short_phone`, `long_phone`, `rounded_phone`,
    `bad_session`, `long_household`, `twice`, `listed`. value: what shows it; of a telephone number its form alone.
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


def read_guests(rows: Sequence[Sequence[str]], sessions: Mapping[int, str] = MappingProxyType({1: ""})) -> list[Entry]:
    """The guests of a list; raises ListRefused with every line that is wrong, up to fifty.

    sessions: what each number is called; a list says either. What it does not say is the first.

    A row may name the columns, in any order, in Chinese or English, and rows with a title above it are no guests;
    without such a row the first column is the name and the second, if there is one, the telephone number.
    """
    columns, start = _columns(rows)
    numbers = _sessions(sessions)
    faults, entries, seen = list[Fault](), list[Entry](), Counter[tuple[str, str, int]]()
    for line, row in enumerate(rows[start:], start + 1):
        if not any(cell.strip() for cell in row):
            continue
        cells = {field: row[at].strip() if at < len(row) else "" for field, at in columns.items()}
        entry, wrong = _entry(cells, line, numbers)
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
        Column(at + 1, _shown(head[at].strip()) if at < len(head) else "")
        for at in sorted(filled - set(columns.values()))
    ]


def masked(phone: str) -> str:
    """A telephone number as it may be shown: its last four digits.

    >>> masked("13800001234"), masked("12"), masked("")
    ('···1234', '···', '')
    """
    return "" if not phone else f"···{phone[-4:] if len(phone) > 6 else ''}"


def form_of(text: str) -> str:
    """What a cell looks like, without a digit of it.

    >>> form_of("1380000123x"), form_of("138 0000 1234 / 一三八")
    ('··········x', '··· ···· ···· / ···')
    """
    return _shown("".join("·" if sign.isnumeric() else sign for sign in text if sign.isprintable()))


def phone_of(text: str) -> tuple[str, str]:
    r"""The number without blanks, strokes and signs that nobody sees, and what is wrong with it: "" where nothing is.

    >>> phone_of("\u202d+86 138-0000-1234\u202c"), phone_of("1.38E+10"), phone_of("12"), phone_of("")
    (('+8613800001234', ''), ('1.38E+10', 'rounded_phone'), ('12', 'short_phone'), ('', ''))
    """
    folded = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    if _ROUNDED.fullmatch(folded.strip()):
        return folded.strip(), "rounded_phone"
    plain = re.sub(r"[\s()\-.·\u2010-\u2015]", "", folded)
    digits = plain.removeprefix("+")
    if not plain:
        return "", ""
    if not re.fullmatch("[0-9]+", digits):
        return plain, "bad_phone"
    if len(digits) < DIGITS_MIN:
        return plain, "short_phone"
    return plain, "long_phone" if len(digits) > DIGITS_MAX else ""


def _columns(rows: Sequence[Sequence[str]]) -> tuple[dict[str, int], int]:
    """Where each field stands, and the first row of guests."""
    filled = [at for at, row in enumerate(rows) if any(cell.strip() for cell in row)]
    if not filled:
        return {"name": 0}, 0
    head = _head(rows, filled)
    fields = _fields(rows[head])
    if "name" in fields:
        return {field: fields.index(field) for field in fields if field}, head + 1
    if all(field for field, cell in zip(fields, rows[head], strict=True) if cell.strip()):
        raise EventRefused(
            "the first line names columns, and none of them is the name; call one 姓名 or name",
            "event/no_name_column",
        )
    return {"name": 0, "phone": 1}, filled[0]


def _head(rows: Sequence[Sequence[str]], filled: Sequence[int]) -> int:
    """The row that names the columns, where there is one: the first, or one with several columns below titles."""
    for at in filled[: _TITLES_MAX + 1]:
        fields = _fields(rows[at])
        if "name" in fields and (at == filled[0] or len(set(fields) - {None}) > 1):
            return at
        if sum(bool(cell.strip()) for cell in rows[at]) > 1:
            break
    return filled[0]


def _fields(row: Sequence[str]) -> list[str | None]:
    """What each cell names, if it names a column that is taken."""
    return [_KNOWN.get(_plain(cell)) for cell in row]


def _plain(heading: str) -> str:
    """A heading as it is compared: without case, blanks, marks, and what stands in brackets.

    >>> _plain("姓 名（必填）"), _plain("Phone No.*")
    ('姓名', 'phoneno')
    """
    folded = _ASIDE.sub("", unicodedata.normalize("NFKC", heading)).casefold()
    return "".join(sign for sign in folded if sign.isalnum())


_KNOWN = {_plain(word): field for field, each in HEADS.items() for words in each for word in words}


def _sessions(sessions: Mapping[int, str]) -> dict[str, int]:
    """The session that is meant by nothing, by a number and by a name that one session alone has."""
    names = Counter(_alike(name) for name in sessions.values())
    by_name = {_alike(name): number for number, name in sessions.items() if names[_alike(name)] == 1}
    return {str(number): number for number in sessions} | by_name | {"": min(sessions)}


def _alike(name: str) -> str:
    """A name without case and blanks."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _entry(cells: Mapping[str, str], line: int, sessions: Mapping[str, int]) -> tuple[Entry, list[Fault]]:
    faults = list[Fault]()
    told = told_name(cells["name"])
    if told.fault or told.name in _EXCEL_ERRORS:
        faults.append(_name_fault(told, line))
    phone, bad = phone_of(cells.get("phone", ""))
    if bad:
        faults.append(Fault(line, bad, form_of(cells["phone"])))
    session = sessions.get(_alike(cells.get("session", "")))
    if session is None:
        faults.append(Fault(line, "bad_session", _shown(cells["session"])))
    household = cells.get("household", "")
    if len(household) > HOUSEHOLD_MAX:
        faults.append(Fault(line, "long_household", _shown(household)))
    staff = cells.get("staff", "").casefold() in _YES
    return Entry(told.name, phone, household, session or sessions[""], staff=staff, line=line), faults


def _name_fault(told: Told, line: int) -> Fault:
    if told.fault == "empty":
        return Fault(line, "no_name")
    if told.fault == "bad":
        return Fault(line, "bad_name", told.sign)
    return Fault(line, "long_name" if told.fault else "formula", _shown(told.name))


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def households(entries: Sequence[Entry], taken: Mapping[str, int]) -> Iterator[int | None]:
    """A number for each entry's household, the same for the same words; taken: those that have one already."""
    numbers = dict(taken)
    for entry in entries:
        if not entry.household:
            yield None
        else:
            yield numbers.setdefault(entry.household.casefold(), max(numbers.values(), default=0) + 1)
