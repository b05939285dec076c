"""Guest lists as people have them."""

import pytest

from bobing.tournament.errors import EventRefused
from bobing.tournament.guest_list import HEADS, Column, Entry, ListRefused, households, left_out, masked, read_guests


def test_columns_are_found_by_their_names_in_any_order():
    rows = [
        [],
        ["电话", "家庭", "姓名", "场次", "工作人员"],
        ["138 0000-1234", "A", "小明", "2", "是"],
        [],
        ["", "", "小红"],
    ]
    assert read_guests(rows, {1: "", 2: ""}) == [
        Entry("小明", "13800001234", "A", 2, staff=True),
        Entry("小红", "", "", 1),
    ]


def test_a_list_without_a_head_is_names_and_numbers():
    assert read_guests([["小明", "13800001234"], ["Ann"]]) == [Entry("小明", "13800001234"), Entry("Ann")]


def test_two_people_may_bear_one_name_if_their_numbers_differ():
    assert len(read_guests([["Ann", "1380001"], ["Ann", "1380002"]])) == 2


@pytest.mark.parametrize("rows", [[], [[]], [["", " "]], [["姓名", "电话"]]])
def test_an_empty_list_is_said_to_be_empty(rows):
    with pytest.raises(EventRefused) as info:
        read_guests(rows)
    assert info.value.code == "event/empty_list"


@pytest.mark.parametrize("head", [["电话"], ["电话", ""], ["", "Phone", "household"]])
def test_a_head_without_names_is_no_guest(head):
    with pytest.raises(EventRefused) as info:
        read_guests([head, ["13800001234"]])
    assert info.value.code == "event/no_name_column"


def test_faults_are_named_and_telephone_numbers_masked():
    with pytest.raises(ListRefused) as info:
        read_guests([["小明", "1380000123x"], ["a\x1bb", ""]])
    assert [(fault.line, fault.code, fault.value) for fault in info.value.faults] == [
        (1, "bad_phone", "··········x"),
        (2, "bad_name", "U+001B"),
    ]
    assert "138" not in str(info.value)


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [
        ("138 0000 12a4", "bad_phone", "··· ···· ··a·"),
        ("一三八零零零零一二三四", "bad_phone", "·" * 11),
        ("1234", "short_phone", "····"),
        ("13800001234 13800005678", "long_phone", "··········· ···········"),
        ("1.38E+10", "rounded_phone", "·.··E+··"),
        ("+", "bad_phone", "+"),
    ],
)
def test_a_wrong_number_is_told_by_its_form_without_a_digit_of_it(text, code, value):
    with pytest.raises(ListRefused) as info:
        read_guests([["Ann", text]])
    assert [(fault.code, fault.value) for fault in info.value.faults] == [(code, value)]


def test_numbers_are_read_with_all_that_phones_and_spreadsheets_put_around_them():
    copied = ["\u202d138 0000 1234\u202c", "１３８-0000-1234", "(138) 0000.1234", "138\u20110000\u20111234"]
    assert {read_guests([["Ann", text]])[0].phone for text in copied} == {"13800001234"}


def test_names_are_taken_as_when_somebody_registers():
    names = ["Maria Concepción de la Cruz", "👨‍👩‍👧‍👦", "\u202eabc\u202c", "饼" * 30, "x" * 40]
    assert [entry.name for entry in read_guests([[name] for name in names])] == [*names[:2], "abc", *names[3:]]
    with pytest.raises(ListRefused) as info:
        read_guests([["x" * 41], ["饼" * 31], ["#REF!"], ["a\ue000"]])
    assert [(fault.code, fault.value) for fault in info.value.faults] == [
        ("long_name", "x" * 23 + "…"),
        ("long_name", "饼" * 23 + "…"),
        ("formula", "#REF!"),
        ("bad_name", "U+E000"),
    ]


def test_columns_that_are_not_taken_are_named():
    rows = [["", ""], ["部门", "姓名", "手机", "tel", "备注"], ["销售", "小明", "13800000000", "13800000001", ""]]
    assert [(column.number, column.name) for column in left_out(rows)] == [(1, "部门"), (4, "tel")]
    assert left_out([["小明", "13800000000", "销售"]]) == [Column(3)], "a column without a name by its number"
    assert left_out([["小明"], ["小红", ""]]) == []


@pytest.mark.parametrize("words", range(3))
def test_every_language_names_every_column_and_marks_around_a_heading_do_not_matter(words):
    cells = {"name": "Ann", "phone": "13800001234", "household": "A", "session": "2", "staff": "yes"}
    for form in ("{}", " {}*", "{}：", "{}（必填）", "{} (optional)"):
        for longest in range(max(len(each[words]) for each in HEADS.values())):
            heads = {field: each[words][longest % len(each[words])] for field, each in HEADS.items()}
            rows = [[form.format(head).upper() for head in heads.values()], [cells[field] for field in heads]]
            assert read_guests(rows, {1: "", 2: ""}) == [Entry("Ann", "13800001234", "A", 2, staff=True)], heads


def test_the_two_writings_of_chinese_know_the_same_headings():
    assert all(len(hans) == len(hant) for hans, hant, _ in HEADS.values())


def test_titles_above_the_columns_are_no_guests():
    rows = [["中秋博饼来宾名单"], [], ["共 2 人"], ["序号", "姓 名", "手机号码"], ["1", "小明", "13800001234"]]
    assert read_guests(rows) == [Entry("小明", "13800001234")]
    assert [column.name for column in left_out(rows)] == ["序号"]
    assert [entry.name for entry in read_guests([["Ann"], ["Guest"], ["Bob", "12345"]])] == ["Ann", "Guest", "Bob"]


def test_a_household_of_any_length_is_refused_and_not_cut():
    with pytest.raises(ListRefused) as info:
        read_guests([["name", "household"], ["Ann", "x" * 81]])
    assert [(fault.line, fault.code) for fault in info.value.faults] == [(2, "long_household")]


def test_no_more_than_fifty_faults():
    with pytest.raises(ListRefused) as info:
        read_guests([["x" * 50]] * 500)
    assert len(info.value.faults) == 50
    assert "and 45 more" in str(info.value)


def test_a_session_that_there_is_not():
    with pytest.raises(ListRefused, match="bad_session"):
        read_guests([["name", "session"], ["Ann", "3"]], {1: "a", 2: "b"})


def test_a_session_is_meant_by_its_name_or_number_and_by_no_name_that_two_have():
    def meant(said: str, *names: str) -> int:
        rows = [["name", "session"], ["Ann", said]]
        return read_guests(rows, dict(enumerate(names, 1)))[0].session

    assert [meant(said, "午场", "Late Show") for said in ("午场", " late  show", "2", "")] == [1, 2, 2, 1]
    assert meant("1", "2", "1") == 2, "as it is called, before its number"
    with pytest.raises(ListRefused, match="bad_session"):
        meant("晚场", "晚场", "晚场")


def test_households_get_numbers():
    entries = [Entry("a", household="X"), Entry("b"), Entry("c", household="x"), Entry("d", household="Y")]
    assert list(households(entries, {"y": 4})) == [5, None, 5, 4]


def test_numbers_are_shown_by_their_end():
    assert masked("+8613800001234") == "···1234"
