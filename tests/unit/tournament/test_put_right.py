"""What is put right after the fact: no prize is lost, doubled or another's, and nobody wins without being asked."""

from typing import Any

import pytest

from bobing.core.catalogue import find_sheet
from bobing.tournament.acts import (
    Absent,
    AddGuests,
    AwardAgain,
    CloseTable,
    Correct,
    Draw,
    Finalists,
    FinalPlace,
    FinalThrow,
    HandOver,
    Here,
    NewGuest,
    Open,
    Plan,
    Reopen,
    Return,
    Scratch,
    SetSession,
    SetStage,
    Sit,
    Substitute,
    Trade,
    Undo,
    Withdraw,
    Won,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.findings import finalists_expected, findings
from bobing.tournament.prizes import numbered
from bobing.tournament.stages import as_drawn_now, candidates, results

RULES = find_sheet("S12").to_table()
CAR, PHONE = FinalPlace(1, "car", 100), FinalPlace(1, "phone", 10)


def listed(guests, tables=2):
    event = Event().play(Plan("Moon", absent="again")).play(SetSession(1, "evening", RULES, tables, seats=14))
    event = event.play(AddGuests(1, tuple(NewGuest(1) for _ in range(guests))))
    return event.play(Here(tuple(range(1, guests + 1)))).play(Draw(1, "moon", tuple(range(1, tables + 1))))


def playing(guests=9, tables=1):
    event = listed(guests, tables)
    for table in range(1, tables + 1):
        event = event.play(Open(table, f"S{table}"))
    return event


def close(event, *won, table=1, champion=None, **more):
    return event.play(numbered(event.state, CloseTable(table, won, champion, event.next_voucher, **more)))


def final(guests, form: Any = "sum", places=(CAR,), **more):
    """These many guests in a stage that is drawn, and their order."""
    event = listed(guests, 1 if guests < 4 else 2).play(SetStage(1, "final", form, places, source="named", **more))
    event = event.play(Finalists(1, tuple(range(1, guests + 1)), "s", event.next_voucher, reading=1))
    return event, event.state.stages[1].groups[0].guests


def thrown(event, guests, *faces, stage=1):
    for guest, dice in zip(guests, faces, strict=True):
        event = event.play(FinalThrow(stage, guest, dice))
    return event


def vouchers(event):
    return [(one.number, one.guest, one.state) for one in event.state.vouchers.values()]


def refused(event, act):
    with pytest.raises(EventRefused) as info:
        event.play(act)
    return info.value.code


def nth(event, kind, which=0):
    return [n for n, entry in enumerate(event.log, 1) if isinstance(entry.act, kind)][which]


# ---- a table that is opened again and closed again -----------------------------------------------------------------


def test_what_is_won_after_all_comes_back_under_its_number():
    event = close(playing(), Won(0, "yixiu", 2), Won(1, "erju", 1)).play(HandOver((1,), "A", to=2))
    first, second = event.state.tables[1].seats[:2]
    again = close(event.play(Reopen(1, sure=True)), Won(0, "yixiu", 3), Won(1, "erju", 1))
    assert vouchers(again) == [(1, first, "handed"), (2, first, "open"), (3, second, "open"), (4, first, "open")]
    assert (again.state.vouchers[1].desk, again.state.vouchers[1].to) == ("A", 2)


def test_what_has_come_back_meanwhile_waits_at_the_desk():
    event = close(playing(), Won(0, "yixiu", 1)).play(HandOver((1,)))
    event = close(event.play(Reopen(1, sure=True)).play(Return((1,))), Won(0, "yixiu", 1))
    assert [state for _, _, state in vouchers(event)] == ["open"]


@pytest.mark.parametrize("handed", [False, True])
def test_a_prize_that_was_awarded_again_is_not_lost_when_its_table_is_opened_again(handed):
    event = close(playing(), Won(0, "yixiu", 1)).play(Absent((1,)))
    first, other = event.state.tables[1].seats[:2]
    event = event.play(AwardAgain(1, other, event.next_voucher))
    event = event.play(HandOver((2,))) if handed else event
    standing = vouchers(event)
    assert standing == [(1, first, "again"), (2, other, "handed" if handed else "open")]
    assert vouchers(close(event.play(Reopen(1, sure=True)), Won(0, "yixiu", 1))) == standing


def test_the_prize_of_a_whole_game_that_was_awarded_again_is_not_lost_either():
    event = listed(9).play(SetStage(1, "", "game", (CAR,), source="named"))
    event = event.play(Finalists(1, (1, 2, 3), "s", event.next_voucher, tables=(9,), reading=1)).play(Open(9, "F"))
    event = close(event, Won(1, "zhuangyuan", 1), table=9, champion=1)
    (number,) = (one.number for one in event.state.vouchers.values() if one.stage == 1)
    event = event.play(Absent((number,))).play(AwardAgain(number, 9, event.next_voucher))
    again = close(event.play(Reopen(9)), Won(1, "zhuangyuan", 1), table=9, champion=1)
    assert vouchers(again) == vouchers(event)
    gone = close(event.play(Reopen(9)), Won(2, "zhuangyuan", 1), table=9, champion=2)
    back = close(gone, Won(1, "zhuangyuan", 1), table=9, champion=1)
    stands = {one.guest for one in back.state.vouchers.values() if one.stands and one.stage == 1}
    assert stands == {9}


def test_logs_in_which_such_a_prize_got_a_new_voucher_or_none_are_read_as_they_were():
    event = close(playing(), Won(0, "yixiu", 2)).play(Absent((1,)))
    event = event.play(AwardAgain(1, event.state.tables[1].seats[1], 3)).play(Reopen(1))
    old = event.play(CloseTable(1, (Won(0, "yixiu", 2),), None, 4))
    assert [(number, state) for number, _, state in vouchers(old)] == [
        (1, "again"),
        (2, "void"),
        (3, "void"),
        (4, "open"),
    ]


# ---- acts that are changed ------------------------------------------------------------------------------------------


def test_no_change_makes_a_prize_that_was_dealt_with_somebody_elses():
    event, guests = final(3)
    event = thrown(event, guests, "666", "555", "111")
    wrong = Correct(nth(event, FinalThrow), FinalThrow(1, guests[0], "222"))
    assert vouchers(event.play(wrong)) == [(1, guests[1], "open")]
    for deal in (HandOver((1,), "A"), Absent((1,))):
        dealt = event.play(deal)
        assert refused(dealt, wrong) == "event/other_winner"
        assert vouchers(dealt.play(Return((1,))).play(wrong)) == [(1, guests[1], "open")]


def test_nor_does_a_seat_that_was_changed_before():
    event = listed(14)
    one, other = event.state.tables[1].seats[0], event.state.tables[2].seats[0]
    event = event.play(Trade((one, other)))
    event = close(event, Won(0, "yixiu", 1), how="results").play(HandOver((1,)))
    assert refused(event, Undo(nth(event, Trade))) == "event/other_winner"


def test_no_change_gives_the_vouchers_of_a_table_to_places_of_a_final():
    event, _ = final(5)
    event = close(event.play(Open(1, "S1")), Won(0, "yixiu", 2))
    more = SetStage(1, "final", "sum", (CAR, FinalPlace(2, "phone")), source="named")
    assert refused(event, Correct(nth(event, SetStage), more)) == "event/stage_begun"
    dearer = SetStage(1, "final", "sum", (FinalPlace(1, "car", 200),), source="named")
    assert event.play(Correct(nth(event, SetStage), dearer)).state.vouchers == event.state.vouchers


def test_results_put_right_after_a_stage_was_drawn_are_told():
    event = listed(8).play(SetStage(1, "semi", "sum", (FinalPlace(1),), source="named", groups=2))
    event = event.play(SetStage(2, "final", "sum", (CAR,), source="stage"))
    event = event.play(Finalists(1, tuple(range(1, 9)), "s", 1, reading=1))
    groups = [group.guests for group in event.state.stages[1].groups]
    for group in groups:
        event = thrown(event, group, "666", "555", "111", "222")
    drawn = Finalists(2, candidates(event.state, 2), "t", event.next_voucher)
    event = event.play(as_drawn_now(event.state, drawn))
    assert not [one for one in findings(event.state) if one.code == "finalists-changed"]
    event = event.play(Correct(nth(event, FinalThrow), FinalThrow(1, groups[0][0], "111")))
    (found,) = (one for one in findings(event.state) if one.code == "finalists-changed")
    assert (found.serious, found.values) == (True, {"stage": 2, "gone": [groups[0][0]], "come": [groups[0][1]]})
    mended = event.play(Substitute(2, groups[0][0], groups[0][1]))
    assert not [one for one in findings(mended.state) if one.code == "finalists-changed"]


# ---- finals ---------------------------------------------------------------------------------------------------------


def test_the_first_to_throw_it_has_the_first_place_however_few_there_are():
    event, guests = final(2, "first", (CAR, PHONE))
    assert results(event.state, 1) == [()]
    event = thrown(event, guests, "112256", "444423")
    assert [(one.item, one.guest) for one in event.state.vouchers.values()] == [
        ("car", guests[1]),
        ("phone", guests[0]),
    ]
    event, guests = final(3, "first", (CAR, PHONE))
    event = event.play(Scratch(1, guests[0]))
    assert results(event.state, 1) == [()], "two are left, and it is open which of them is first"


def test_where_all_win_the_same_nobody_has_to_throw_and_each_has_a_voucher():
    event, guests = final(2, "first", (FinalPlace(2, "car"),))
    assert [one.guest for one in event.state.vouchers.values()] == list(guests)
    assert refused(event, Finalists(1, (1, 2), "other", event.next_voucher, reading=1)) == "event/stage_begun"
    assert refused(event, Substitute(1, guests[0], 3)) in ("event/stage_over", "event/no_guest")


def test_of_equals_nobody_who_has_left_is_before_who_is_there():
    event, guests = final(2, "sum", throws=2)
    event = thrown(event, guests, "666", "666").play(Scratch(1, guests[0])).play(FinalThrow(1, guests[1], "111"))
    assert [one.guest for one in event.state.vouchers.values()] == [guests[1]]


def test_who_has_left_a_stage_is_no_substitute_in_it():
    event, guests = final(3)
    event = event.play(AddGuests(event.next_guest, (NewGuest(1),))).play(Here((4,))).play(Scratch(1, guests[1]))
    event = event.play(Substitute(1, guests[1], 4))
    assert refused(event, Substitute(1, guests[2], guests[1])) == "event/left_stage"


def test_nobody_plays_in_the_place_of_another_once_it_is_decided():
    event, guests = final(3, "first")
    event = event.play(AddGuests(event.next_guest, (NewGuest(1),)))
    over = event.play(FinalThrow(1, guests[0], "444423"))
    assert refused(over, Substitute(1, guests[1], 4)) == "event/stage_over"


def test_finals_of_older_logs_end_as_they_did():
    log = [entry.act for entry in listed(3, 1).log]
    log += [SetStage(1, "", "first", (CAR, PHONE), source="named"), Finalists(1, (1, 2, 3), "s", 1)]
    guests = replay(log).state.stages[1].groups[0].guests
    log += [Scratch(1, guests[0]), HandOver((1,)), HandOver((2,))]
    assert [one.guest for one in replay(log).state.vouchers.values()] == list(guests[1:])


def test_a_champion_who_has_withdrawn_is_called_to_no_final_and_not_waited_for():
    event = playing(8, 2).play(SetStage(1, "", "sum", (CAR,)))
    event = close(event, Won(0, "zhuangyuan", 1), champion=0)
    first, other = event.state.tables[1].seats[0], event.state.tables[1].seats[1]
    assert (candidates(event.state, 1), finalists_expected(event.state, 1)) == ((first,), 2)
    gone = event.play(Withdraw(first))
    assert (candidates(gone.state, 1), finalists_expected(gone.state, 1)) == ((), 1)
    assert refused(gone, as_drawn_now(gone.state, Finalists(1, (first, other), "s", gone.next_voucher))) == (
        "event/withdrawn"
    )


# ---- seats ----------------------------------------------------------------------------------------------------------


def test_a_guest_comes_back_to_the_seat_at_a_table_that_plays():
    event = playing(14, 2)
    guest, seats = event.state.tables[1].seats[0], event.state.tables[1].seats
    away = event.play(Sit(guest, 2))
    back = away.play(Sit(guest, 1))
    assert (back.state.guests[guest].table, back.state.tables[1].seats) == (1, seats)
    assert refused(back, Sit(guest, 1)) == "event/seated"
    assert back.play(Sit(guest, 2)).state.tables[2].seats.count(guest) == 1
