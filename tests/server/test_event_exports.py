"""Lists of an event to take away: every sum of the prizes agrees with every other, whatever became of them."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from bobing.core.catalogue import find_sheet
from bobing.i18n import LANGUAGES, text
from bobing.server.event_exports import EXPORTS, FINANCE, export
from bobing.server.event_papers import PAPERS, Order
from bobing.server.event_room import EventRoom, decide, load
from bobing.spreadsheet.reading import read_rows
from bobing.tournament import acts
from bobing.tournament.acts import act_to_json
from bobing.tournament.errors import EventRefused
from bobing.wire import event_messages as wire

QUILT = "=quilt"
NUMBER, TABLE = (text("en", f"event.col_{key}") for key in ("number", "table"))
VALUE = f"{text('en', 'event.col_value_out')} ({text('en', 'event.no_currency')})"
SUMMED = [text("en", f"event.col_{key}") for key in ("awarded", "handed", "waiting", "absent", "waived", "recalled")]


def played():
    """Two tables are closed; a final is to come."""
    rules = find_sheet("S12").to_table() | {"prizes": {"duitang": [{"name": QUILT, "count": 2, "price": 12900}]}}
    won = (acts.Won(0, "zhuangyuan", 1), acts.Won(0, "duitang", 2, QUILT), acts.Won(1, "yixiu", 5))
    told = [
        acts.Plan("Moon", absent="again"),
        acts.SetSession(1, "evening", rules, tables=2),
        acts.SetStock((acts.StockItem(QUILT, 4, 12900),)),
        acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(8))),
        acts.Draw(1, "moon", (1, 2), who="listed"),
        acts.CloseTable(1, won, 0, 1, how="results"),
        acts.CloseTable(2, won, 0, 9, how="results"),
        acts.SetStage(1, "final", "sum", (acts.FinalPlace(1, "bicycle", 50000),), source="named"),
    ]
    notes = {f"guest/{n}/name": f"=guest {n}" for n in range(1, 9)} | {"guest/1/phone": "13800001234"}
    return load("AAAAAAAA", [{"act": act_to_json(act)} for act in told], notes)


def everything():
    """Prizes of every state: handed over, recalled, awarded again, waived, of a final."""
    room = played()
    quilts = [n for n, voucher in room.event.state.vouchers.items() if voucher.tier == "duitang"]
    first = room.event.state.tables[1].seats[0]
    other = next(guest for guest in room.event.state.guests if guest != first)
    event = room.event
    event = event.play(acts.HandOver((quilts[0], quilts[2]), "A"))
    event = event.play(acts.Absent((quilts[1], quilts[3])))
    event = event.play(acts.AwardAgain(quilts[1], other, event.next_voucher))
    event = event.play(acts.Waive((quilts[3],)))
    left = (acts.Won(0, "zhuangyuan", 1), acts.Won(1, "yixiu", 5))
    event = event.play(acts.CloseTable(1, left, 0, event.next_voucher, how="results", sure=True))
    event = event.play(acts.Finalists(1, (1, 2), "seed", event.next_voucher))
    for guest in event.state.stages[1].groups[0].guests:
        event = event.play(acts.FinalThrow(1, guest, "666" if guest == 1 else "111"))
    return EventRoom(room.code, len(event.log), event, room.notes)


def rows_of(room, what):
    """The rows of a list by its column heads."""
    data, _ = export(room, what, "csv", "en", full=True)
    heads, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    return [dict(zip(heads, row, strict=True)) for row in rows]


def merged():
    """A table with eight seats plays with six guests, and as many sit at one that is closed."""
    told = [
        acts.SetSession(1, "evening", find_sheet("S12").to_table(), tables=2, seats=8),
        acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(12))),
        acts.Draw(1, "moon", (1, 2), who="listed"),
        acts.Open(1, "S1"),
        acts.CloseTable(2, (acts.Won(0, "yixiu", 3),), None, 1, how="results"),
    ]
    return load("AAAAAAAA", [{"act": act_to_json(act)} for act in told], {})


def test_who_went_to_another_table_stands_there_alone():
    room = merged()
    moved = room.event.state.tables[2].seats
    event = room.event.play(acts.Merge(2, 1)).play(acts.AddTable(3, 1))
    for guest in moved[:3]:
        event = event.play(acts.Sit(guest, 3))
    room = EventRoom(room.code, len(event.log), event, {})
    tables = PAPERS["seating"][1](room, Order("en"))["tables"]
    listed = [seat["name"] for table in tables for seat in table["seats"]]
    assert sorted(listed) == sorted(text("en", "common.guest_n", n=guest) for guest in range(1, 13))
    seats = {int(row[NUMBER]): row[TABLE] for row in rows_of(room, "seats")}
    assert (len(rows_of(room, "seats")), sorted(seats)) == (12, list(range(1, 13)))
    assert {seats[guest] for guest in moved[:3]} == {"3"}


def test_a_merged_table_has_no_more_guests_than_seats_unless_somebody_says_so():
    room, desk = merged(), wire.EventYou("desk")
    merge = {"do": "merge", "table": 2, "into": 1}
    with pytest.raises(EventRefused, match="12 guests would sit at table 1, which has 8") as info:
        decide(room, wire.EventAct("c", 0, merge), desk)
    assert info.value.code == "event/over_seats"
    assert decide(room, wire.EventAct("c", 0, merge | {"sure": True}), desk).acts == [acts.Merge(2, 1, sure=True)]


def test_the_server_alone_numbers_the_prize_of_a_whole_game_in_a_final():
    told = [
        acts.SetSession(1, "evening", find_sheet("S12").to_table(), tables=1),
        acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(3))),
        acts.SetStage(1, "final", "game", (acts.FinalPlace(1, "bicycle"),), source="named"),
        acts.Finalists(1, (1, 2, 3), "seed", 5, (9,)),
    ]
    room, desk = load("AAAAAAAA", [{"act": act_to_json(act)} for act in told], {}), wire.EventYou("desk")

    def numbers(room, **act):
        (told,) = decide(room, wire.EventAct("c", 0, act), desk).acts
        inner = told.act if isinstance(told, acts.Correct) else told
        assert isinstance(inner, acts.CloseTable)
        return load("AAAAAAAA", [{"act": act_to_json(one)} for one in (*acted(room), told)], {}), inner.final

    def acted(room):
        return [entry.act for entry in room.event.log]

    close = {"do": "close", "table": 9, "won": [{"seat": 0, "tier": "zhuangyuan", "cakes": 1}], "how": "results"}
    room, first = numbers(room, **close, champion=0, vouchers=6, final=999)
    again = close | {"won": [{"seat": 1, "tier": "zhuangyuan", "cakes": 1}]}
    revised, second = numbers(room, **again, champion=1, vouchers=7)
    _, corrected = numbers(room, do="correct", n=5, act=again | {"champion": 1, "vouchers": 7, "final": 999})
    assert (first, second, corrected) == (5, 7, 5)
    won = [(one.number, one.state) for one in revised.event.state.vouchers.values() if one.item == "bicycle"]
    assert won == [(5, "void"), (7, "open")]


def test_the_sign_off_sheet_has_numbers_of_guests_and_what_was_handed_over():
    room = everything()
    heads, *rows = (data := PAPERS["signoff"][1](room, Order("en")))["heads"], *data["rows"]
    (handed,) = [row for row in rows if room.event.state.vouchers[int(row[0])].state == "handed"]
    assert dict(zip(heads, handed, strict=True))[text("en", "event.col_handed")] == "✓ A"
    number = heads.index(text("en", "event.col_number"))
    assert [row[number] for row in rows] == [str(room.event.state.vouchers[int(row[0])].guest) for row in rows]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_nobody_said_the_currency_the_money_says_so(lang):
    unsaid = text(lang, "event.no_currency")
    room = everything()
    for what in ("finance", "tiers", "people", "prizes"):
        (head, *_) = EXPORTS[what](room, lang)
        assert any(unsaid in str(cell) for cell in head), what
    said = room.event.play(acts.Plan("Moon", "CNY", absent="again"))
    (head, *_) = EXPORTS["finance"](EventRoom(room.code, len(said.log), said, room.notes), lang)
    assert not [cell for cell in head if unsaid in str(cell)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whose_name_was_erased_is_called_the_same_on_every_list_and_paper(lang):
    room = everything()
    guest = room.event.state.tables[1].seats[0]
    erased = replace(room, notes={key: text for key, text in room.notes.items() if f"guest/{guest}/" not in key})
    word = text(lang, "common.guest_n", n=guest)
    for what in ("seats", "prizes", "signoff", "people"):
        rows = [row for row in EXPORTS[what](erased, lang) if word in row]
        assert rows, what
    for what in ("score", "seating", "vouchers", "results", "signoff"):
        said = json.dumps(PAPERS[what][1](erased, Order(lang)), ensure_ascii=False, default=str)
        assert word in said, what
        assert f'"name": "{guest}"' not in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_namesakes_have_their_numbers_on_every_list_and_paper(lang):
    room = everything()
    first, second = room.event.state.tables[1].seats[0], room.event.state.tables[2].seats[0]
    alike = {f"guest/{guest}/name": "Mei" for guest in (1, 2, first, second)}
    room = replace(room, notes={**room.notes, **alike})
    assert room.namesakes() == {1, 2, first, second}
    for what in PAPERS.keys() - {"rules", "prizes"}:
        said = json.dumps(PAPERS[what][1](room, Order(lang)), ensure_ascii=False, default=str)
        assert '"Mei"' not in said, what
    for what in ("seats", "prizes", "signoff"):
        assert not [row for row in EXPORTS[what](room, lang) if "Mei" in row], what
    assert text(lang, "common.guest_called", name="Mei", n=1) in json.dumps(
        PAPERS["certificates"][1](room, Order(lang)), ensure_ascii=False
    )


WAYS = ("finance", "tiers", "tables", "people")
ALL = text("en", "event.all")
PIECES = [text("en", f"event.col_{key}") for key in ("planned", "playing", "unwon", "awarded")]
MONEY = [
    f"{text('en', f'event.col_value_{key}')} ({text('en', 'event.no_currency')})"
    for key in ("planned", "playing", "unwon", "awarded")
]


def test_every_sum_of_the_prizes_agrees():
    room, sums = everything(), {}
    waits = next(n for n, voucher in room.event.state.vouchers.items() if voucher.state == "open")
    room = replace(room, event=room.event.play(acts.Absent((waits,))))
    for what in WAYS:
        *rows, whole = rows_of(room, what)
        assert next(iter(whole.values())) == ALL
        for row in (whole, *rows):
            planned, *parts = (int(row[key]) for key in PIECES)
            assert planned == sum(parts), (what, row)
            value, *values = (round(100 * float(row[key])) for key in MONEY)
            assert value == sum(values), (what, row)
        for key in (*PIECES, *SUMMED):
            assert int(whole[key]) == sum(int(row[key]) for row in rows), (what, key)
        money = sum(round(100 * float(row[VALUE])) for row in rows)
        sums[what] = (*(int(whole[key]) for key in (*PIECES, *SUMMED)), *(whole[key] for key in MONEY), money)
    assert len(set(sums.values())) == 1, sums
    assert sums["finance"][4:10] == (15, 1, 12, 1, 1, 1)
    assert sums["finance"][-1] == 2 * 12900
    (quilt,) = [row for row in rows_of(room, "finance") if row["prize"] == "'" + QUILT]
    assert (quilt["bought"], quilt["in store"]) == ("4", "2")


def test_prizes_that_are_still_in_play_add_up_with_the_others_to_the_stock():
    told = [entry.act for entry in played().event.log]
    told[4:7] = [
        acts.Draw(1, "moon", (1, 2), who="listed"),
        acts.Open(1, "S1"),
        acts.CloseTable(2, (acts.Won(0, "zhuangyuan", 1), acts.Won(0, "duitang", 1, QUILT)), 0, 1, how="results"),
    ]
    room = load("AAAAAAAA", [{"act": act_to_json(act)} for act in told], {})
    (quilt,) = [row for row in rows_of(room, "finance") if row["prize"] == "'" + QUILT]
    assert [quilt[key] for key in PIECES] == ["4", "2", "1", "1"]
    assert [quilt[key] for key in MONEY] == ["516.00", "258.00", "129.00", "129.00"]
    assert (quilt["bought"], quilt["in store"]) == ("4", "4")
    at_table = {row["table"]: row for row in rows_of(room, "tables")}
    assert [at_table["1"][key] for key in PIECES] == ["63", "63", "0", "0"]
    assert [at_table["2"][key] for key in PIECES] == ["63", "0", "61", "2"]
    (final,) = [row for name, row in at_table.items() if "final" in name]
    assert [final[key] for key in PIECES] == ["1", "1", "0", "0"]
    nobody = {row["name"]: row for row in rows_of(room, "people")}[text("en", "event.nobody_yet")]
    assert [nobody[key] for key in PIECES] == ["125", "64", "61", "0"]
    fresh = load("AAAAAAAA", [{"act": act_to_json(act)} for act in told[:4]], {})
    assert [row["table"] for row in rows_of(fresh, "tables")] == [text("en", "event.to_be_drawn"), ALL]
    assert {tuple(rows_of(fresh, what)[-1][key] for key in PIECES) for what in WAYS} == {("126", "126", "0", "0")}


def test_who_was_absent_and_who_got_the_prize_instead_both_stand_in_the_list():
    room = everything()
    before = EventRoom("", 0, room.event.play(acts.Undo(len(room.event.log) - 3)), room.notes)
    rows = rows_of(before, "prizes")
    gone = next(row for row in rows if row["state"] == "awarded to another")
    anew = next(row for row in rows if row["instead of"] == gone["voucher"])
    assert gone["prize"] == anew["prize"] == "'" + QUILT
    assert gone["name"] != anew["name"]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
@pytest.mark.parametrize(
    ("listed", "shown"),
    [
        ("waiting", "open"),
        *((key, key) for key in ["handed", "absent", "waived", "recalled", "unwon", "playing", "bought"]),
    ],
)
def test_the_lists_call_the_sums_what_the_page_calls_them(lang, listed, shown):
    assert text(lang, f"event.col_{listed}") == text(lang, f"day.col_{shown}")


def test_the_workbook_for_finance_has_a_sheet_for_each_way():
    data, _ = export(everything(), "finance", "xlsx", "zh-Hans", full=True)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert len([name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]) == len(FINANCE)
    assert read_rows(data)[0][1:5] == ["总数", "还在桌上", "没人博到", "已中"]


def test_money_is_a_figure_that_a_spreadsheet_adds_up_and_its_currency_stands_in_the_head():
    room = everything()
    told = acts.Plan("Moon", currency="CNY", absent="again")
    priced = EventRoom(room.code, room.n, room.event.play(told), room.notes)
    with zipfile.ZipFile(io.BytesIO(export(priced, "finance", "xlsx", "en", full=True)[0])) as archive:
        words, figures = (archive.read(f"xl/{name}.xml").decode() for name in ("sharedStrings", "worksheets/sheet1"))
    assert "value handed over (CNY)" in words
    assert "258.00" not in words
    assert "<v>258</v>" in figures
    assert rows_of(priced, "prizes")[1]["price (CNY)"] == "129.00"
    signoff = PAPERS["signoff"][1](priced, Order("zh-Hans"))
    assert signoff["heads"][5] == "单价（CNY）"
    assert {row[5] for row in signoff["rows"]} == {"", "129.00", "500.00"}


def test_where_nobody_said_what_was_bought_the_finance_list_says_so():
    room = played()
    silent = EventRoom(room.code, room.n, room.event.play(acts.SetStock(())), room.notes)
    rows = rows_of(silent, "finance")[:-1]
    assert {row["bought"] for row in rows} == {text("en", "event.not_entered")}
    assert {row["in store"] for row in rows} == {text("en", "event.not_entered")}


def test_vouchers_are_printed_for_what_waits_and_where_it_is_wanted_for_what_is_out():
    room = everything()
    states = {str(voucher.number): voucher.state for voucher in room.event.state.vouchers.values()}
    waiting, all_out = (
        [states[slip["number"]] for slip in PAPERS["vouchers"][1](room, Order("en", handed=handed))["slips"]]
        for handed in (False, True)
    )
    assert set(waiting) == {"open", "absent"} & set(states.values())
    assert all_out.count("handed") == list(states.values()).count("handed") > 0
    assert len(all_out) == len(waiting) + all_out.count("handed")


def test_no_list_shows_more_of_a_number_than_its_end_to_others_than_the_desk():
    room = everything()
    for what in EXPORTS:
        assert b"13800001234" not in export(room, what, "csv", "en", full=False)[0]
    assert b"13800001234" in export(room, "guests", "csv", "en", full=True)[0]


def test_certificates_show_the_throw_that_won():
    room = played()
    titled = acts.CloseTable(
        2, (acts.Won(1, "zhuangyuan", 1),), 1, room.event.next_voucher, how="results", title="444412"
    )
    tables = EventRoom(room.code, room.n + 1, room.event.play(titled), room.notes)
    assert [one["dice"] for one in PAPERS["certificates"][1](tables, Order("en"))["certificates"]] == ["", "444412"]
    (final,) = PAPERS["certificates"][1](everything(), Order("en"))["certificates"]
    assert (final["name"], final["dice"]) == ("=guest 1", "666")


@pytest.mark.parametrize("what", EXPORTS)
def test_no_cell_of_a_workbook_is_a_formula_whatever_people_called_things(what):
    data, _ = export(everything(), what, "xlsx", "en", full=True)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        words = ET.fromstring(archive.read("xl/sharedStrings.xml"))
    cells = [cell for sheet in sheets for cell in re.findall(r"<c [^>]*>.*?</c>", sheet)]
    assert cells
    assert not any("<f" in cell for cell in cells)
    kinds = {kind[1] if (kind := re.search(r' t="(\w+)"', cell)) else "" for cell in cells}
    assert kinds <= {"s", ""}, "a text is text, and what is not is a figure"
    texts = ["".join(one.itertext()) for one in words]
    assert not [one for one in texts if one.startswith(("=", "+", "-", "@"))]
    assert what not in ("guests", "seats", "prizes") or any(one.startswith("'=") for one in texts), (
        "it is there, quoted"
    )
