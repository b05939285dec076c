"""Attacks 54 to 60: files that people bring, and tables that they take away (61: pictures cannot be uploaded)."""

import contextlib
import csv
import io
import stat
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bobing.core.errors import BobingError
from bobing.spreadsheet.reading import read_rows
from bobing.spreadsheet.writing import csv_bytes, disposition, safe, xlsx_bytes
from bobing.spreadsheet.zipped import COLUMNS_MAX, FILE_MAX, ROWS_MAX, verify_workbook
from bobing.tournament.errors import EventRefused
from bobing.tournament.guest_list import ListRefused, read_guests

FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "  =1", "＝1", '=HYPERLINK("x")']
LIST = xlsx_bytes({"guests": [["姓名", "电话"], ["小明", "13800001234"], ["Ann", ""]]})


def code_of(data):
    try:
        read_rows(data)
    except BobingError as refused:
        return refused.code
    return None


def workbook(add=(), leave=(), change=None):
    """An ordinary workbook with parts added, left out or changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(LIST)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for entry in before.infolist():
            if entry.filename not in leave:
                data = before.read(entry)
                after.writestr(entry.filename, (change or {}).get(entry.filename, lambda data: data)(data))
        for name, data in add:
            after.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("text", FORMULAS)
def test_attack_54_nothing_in_an_export_is_a_formula(text):
    assert str(safe(text)).startswith("'")
    (row,) = csv.reader(io.StringIO(csv_bytes([[text, 'a"b', "c\nd"]]).decode("utf-8-sig"), newline=""))
    assert row[0].startswith("'")
    assert row[1:] == ['a"b', "c\nd"]
    data = xlsx_bytes({"x": [["head"], [text]]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b'<c r="A2" t="s"' in sheet


@given(st.text(max_size=30))
def test_attack_54_whatever_the_text_no_cell_begins_like_a_formula(text):
    assert not str(safe(text)).lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_list_that_was_taken_away_is_read_again_as_it_was():
    rows = [["name", "phone"], ["=Ann", "+8613800001234"], ["'t Hart", "13800001235"]]
    assert read_rows(csv_bytes(rows)) == read_rows(xlsx_bytes({"list": rows})) == rows


def test_attack_55_a_bomb_is_refused_by_what_it_says_and_by_what_it_is():
    zeros = b"0" * (100 * 2**20)
    bomb = workbook([("xl/media/zeros.xml", zeros)])
    assert len(bomb) < 200_000
    tracemalloc.start()
    assert code_of(bomb) == "file/too_large"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * 2**20, "it was unpacked in full"
    assert code_of(b"PK" + b"0" * FILE_MAX) == "file/too_large"
    assert code_of(workbook([(f"xl/{n}.xml", b"<a/>") for n in range(200)])) == "file/too_large"
    assert code_of("\n".join(f"guest {n}" for n in range(ROWS_MAX + 1)).encode()) == "file/too_large"
    rows = xlsx_bytes({"x": [["n"], *([f"guest {n}"] for n in range(ROWS_MAX))]})
    assert code_of(rows) == "file/too_large"


def sheet_of(cells, merged=()):
    """A workbook whose sheet has these rows as they stand in XML, and merged cells; not packed, so that all is real."""
    rest = b"<mergeCells>" + b"".join(b'<mergeCell ref="%s"/>' % one for one in merged) + b"</mergeCells>"
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    out = io.BytesIO(workbook(leave=["xl/worksheets/sheet1.xml"]))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", sheet + cells + b"</sheetData>" + rest + b"</worksheet>")
    return out.getvalue()


FIRST = b'<row r="1"><c r="A1" t="inlineStr"><is><t>Ann</t></is></c></row>'


@pytest.mark.parametrize(
    "far",
    [
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        b'<row r="1048576"><c r="xfd1048576"><f>1</f><v>1</v></c></row>',
        b'<row r="2"><c r="XFD1048576"><v>1</v></c></row>',
        b'<x:row xmlns:x="x" r="9999"/><row><c><v>1</v></c><x:c xmlns:x="x" r="ZZZ1"><v>1</v></x:c></row>',
        b"<row/>" * 30_000 + b"<row>" + b"<c/>" * 1_000 + b"<c><v>1</v></c></row>",
    ],
)
def test_attack_55_cells_that_stand_far_apart_are_refused_before_room_is_made_for_all_between(far, monkeypatch):
    monkeypatch.setattr("python_calamine.CalamineWorkbook.from_filelike", None, raising=False)  # it must not be asked
    assert code_of(sheet_of(FIRST + far)) == "file/too_large"


@pytest.mark.parametrize("broken", [b'<row r="x"/>', b'<row><c r="1A"><v/></c></row>', b"<row><x:c/></row>", b"<row>"])
def test_attack_55_a_sheet_whose_cells_cannot_be_placed_is_refused(broken):
    assert code_of(sheet_of(FIRST + broken)) == "file/not_xlsx"


def test_a_sheet_with_cells_far_away_that_hold_nothing_is_read():
    empty = b'<row r="2"><c r="B2"><v>7</v></c><c r="XFD2" s="1"/></row><row r="1048576"><c r="A1048576" s="1"/></row>'
    assert read_rows(sheet_of(FIRST + empty)) == [["Ann"], ["", "7"]]


def test_attack_55_merged_cells_that_lie_over_each_other_are_refused():
    last = b'<row r="19000"><c r="B19000"><v>1</v></c></row>'
    assert read_rows(sheet_of(FIRST + last, [b"A1:A19000"]))[18_999] == ["Ann", "1"]
    assert code_of(sheet_of(FIRST + last, [b"A1:A19000"] * 20_000)) == "file/too_large"


@pytest.mark.parametrize("name", ["../../x.xml", "/etc/x.xml", "xl\\x.xml", "xl/../../x", "C:x.xml", "a\x01b.xml"])
def test_attack_56_names_that_leave_the_folder(name):
    assert code_of(workbook([(name, b"<a/>")])) == "file/dangerous"


def test_attack_56_links_doubles_nested_files_and_sizes_that_lie():
    link = zipfile.ZipInfo("xl/link.xml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert code_of(workbook([(link, "/etc/passwd")])) == "file/dangerous"
    assert code_of(workbook([("xl/inner.zip", LIST)])) == "file/dangerous"
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = workbook([("xl/workbook.xml", b"<a/>")])
    assert code_of(twice) == "file/dangerous"
    place = LIST.rindex(b"PK\x01\x02")  # the last entry of the directory says another size than there is
    lying = LIST[: place + 24] + struct.pack("<L", 7) + LIST[place + 28 :]
    assert code_of(lying) in ("file/dangerous", "file/not_xlsx")


@pytest.mark.parametrize(
    "head",
    [
        b'<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd">',
        b"<!  ENTITY x 'y'>",
    ],
)
@pytest.mark.parametrize("part", ["xl/sharedStrings.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_attack_57_entities_are_refused_in_every_part(head, part):
    assert code_of(workbook(change={part: lambda data: data.replace(b"?>", b"?>" + head, 1)})) == "file/dangerous"
    wide = workbook(change={part: lambda data: data.decode().replace("?>", f"?>{head.decode()}", 1).encode("utf-16")})
    assert code_of(wide) == "file/dangerous"


def test_attack_57_an_entity_over_the_border_of_two_pieces_is_seen_too():
    blank = b" " * (2**16 - 60)
    head = b"<!DOCTYPE x>"
    change = {"xl/styles.xml": lambda data: data.replace(b"?>", b"?>" + blank + head, 1)}
    assert code_of(workbook(change=change)) in ("file/dangerous", "file/too_large")


def test_attack_58_sizes_and_encodings_of_text():
    assert code_of(b"a," * 10**6) == "file/too_large"
    assert code_of(b"a" * (100 * 2**20)) == "file/too_large"
    assert code_of(",".join("ab" for _ in range(COLUMNS_MAX + 1)).encode()) == "file/too_large"
    for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16"):
        assert read_rows("姓名,电话\r\n小明,1380000\r\n".encode(encoding)) == [["姓名", "电话"], ["小明", "1380000"]]
    rows = ["來賓名單", "姓名,電話", "陳大文,0912345678", "林淑芬,", "黃志明,", "許雅婷,"]
    for some in (rows, rows[1:], rows[2:3], rows[3:]):
        assert read_rows("\n".join(some).encode("big5")) == [row.rstrip(",").split(",") for row in some]
    names = [
        "王伟",
        "李娜",
        "张敏",
        "刘洋",
        "陈静",
        "杨磊",
        "黄勇",
        "吴艳",
        "徐杰",
        "孙涛",
        "马超",
        "朱军",
        "胡霞",
        "郭明",
        "何平",
        "高翔",
        "林丹",
        "郑凯",
        "梁波",
        "谢芳",
    ]
    for name in names:
        assert read_rows(name.encode("gb18030")) == [[name]]
    assert read_rows("姓名;電話\n小明;1380000".encode()) == [["姓名", "電話"], ["小明", "1380000"]]
    assert read_rows("小明\t1380000\n小红".encode()) == [["小明", "1380000"], ["小红"]]
    assert code_of(b"\x00\x01\x02") == "file/not_text"
    assert code_of(b'"open') == "file/bad_csv"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"<html><table><tr><td>x</table>", "file/not_text"),
        (b"<?xml version='1.0'?><x/>", "file/not_text"),
        (workbook([("xl/vbaProject.bin", b"code")]), "file/dangerous"),
        (
            workbook(
                change={
                    "[Content_Types].xml": lambda data: data.replace(
                        b"openxmlformats-officedocument.spreadsheetml.sheet.main",
                        b"ms-excel.sheet.macroEnabled.main",
                    )
                }
            ),
            "file/not_xlsx",
        ),
        (workbook(leave={"[Content_Types].xml"}), "file/not_xlsx"),
        (workbook(leave={"xl/workbook.xml"}), "file/not_xlsx"),
        (b"PK\x03\x04 and no more", "file/not_xlsx"),
        (b"%PDF-1.7\n\x00", "file/not_text"),
    ],
)
def test_attack_59_other_files_are_known_by_what_they_hold(data, code):
    assert code_of(data) == code


def test_attack_60_a_download_name_stays_one_header():
    header = disposition('a"\r\nSet-Cookie: x=1.csv')
    assert "\r" not in header
    assert "\n" not in header
    assert header.count('"') == 0
    assert disposition("奖券 1.xlsx").endswith("filename*=UTF-8''%E5%A5%96%E5%88%B8%201.xlsx")


def test_what_is_merged_downwards_holds_for_each_row():
    merging = b'<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'
    rows = [["姓名", "家庭"], ["小明", "A"], ["小红", ""], ["Ann", ""]]
    change = {"xl/worksheets/sheet1.xml": lambda data: data.replace(b"</sheetData>", b"</sheetData>" + merging, 1)}
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes({"x": rows}))) as before, zipfile.ZipFile(out, "w") as after:
        for entry in before.infolist():
            after.writestr(entry.filename, change.get(entry.filename, bytes)(before.read(entry)))
    assert [entry.household for entry in read_guests(read_rows(out.getvalue()))] == ["A", "A", ""]


def test_ten_thousand_lines_are_read_and_the_wrong_one_is_named():
    rows = [["姓名", "电话"], *([f"客{n}", f"138{n:08d}"] for n in range(10_000))]
    for data in (csv_bytes(rows), xlsx_bytes({"x": rows})):
        assert len(read_guests(read_rows(data))) == 10_000
    rows[7_000][1] += "x"
    with pytest.raises(ListRefused) as info:
        read_guests(read_rows(csv_bytes(rows)))
    assert [(fault.line, fault.code) for fault in info.value.faults] == [(7_001, "bad_phone")]


def test_an_ordinary_workbook_is_read():
    verify_workbook(LIST)
    assert read_rows(LIST) == [["姓名", "电话"], ["小明", "13800001234"], ["Ann"]]


@given(st.binary(max_size=300))
def test_whatever_the_bytes_a_list_is_read_or_refused(data):
    for head in (b"", b"PK", LIST[:200]):
        code = code_of(head + data)
        assert code is None or code.startswith("file/")
        if code is None:
            with contextlib.suppress(EventRefused):
                read_guests(read_rows(head + data))


CELLS = st.one_of(st.text(max_size=30), st.sampled_from(["姓名", "phone", "13800001234", "+86 138", "1", "A", "是"]))


@given(st.lists(st.lists(CELLS, max_size=6), max_size=8), st.sampled_from(["csv", "xlsx"]))
def test_whatever_the_cells_a_guest_list_is_read_or_refused(rows, form):
    data = csv_bytes(rows) if form == "csv" else xlsx_bytes({"x": rows})
    try:
        told = [guest.name.strip() for guest in read_guests(read_rows(data))]
    except ListRefused as refused:
        told = [0 < fault.line <= len(rows) + 1 for fault in refused.faults]
    except BobingError as refused:
        told = [refused.code.split("/")[0] in ("file", "event")]
    assert told
    assert all(told)


@given(st.integers(0, len(LIST) - 1), st.integers(0, 255))
def test_a_workbook_with_one_byte_changed_is_read_or_refused(place, byte):
    code = code_of(LIST[:place] + bytes([byte]) + LIST[place + 1 :])
    assert code is None or code.startswith("file/")


@given(st.lists(st.lists(st.text(max_size=12), max_size=5), max_size=12))
def test_what_is_exported_reads_back(rows):
    read = read_rows(csv_bytes([["head", *row] for row in rows])) if rows else []
    assert [row[0] for row in read] == ["head"] * len(rows)


def test_a_wrong_list_is_answered_line_by_line():
    with pytest.raises(ListRefused) as info:
        read_guests([["name", "phone"], ["Ann", "12x"], ["", "123456"], ["Ben", ""], ["Ben", ""], ["x" * 41]])
    assert [(fault.line, fault.code) for fault in info.value.faults] == [
        (2, "bad_phone"),
        (3, "no_name"),
        (5, "twice"),
        (6, "long_name"),
    ]
