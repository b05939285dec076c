"""Whole evenings as acts: finals in many stages, tables that go together with half their prizes gone, undo across."""

import pytest
from msgspec.structs import replace

from bobing.core.catalogue import find_sheet
from bobing.tournament.acts import (
    Absent,
    AddGuests,
    AwardAgain,
    CloseTable,
    Draw,
    Finalists,
    FinalPlace,
    FinalThrow,
    HandOver,
    Merge,
    NewGuest,
    Open,
    Plan,
    Reopen,
    Return,
    SetSession,
    SetStage,
    SetStock,
    SignOff,
    Sit,
    Split,
    StockItem,
    Undo,
    Withdraw,
    Won,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.lots import Lots
from bobing.tournament.prizes import numbered
from bobing.tournament.ready import ready_final
from bobing.tournament.stages import candidates, results, standing_of
from bobing.tournament.totals import by_guest, by_item, by_table, by_tier

RULES = find_sheet("S12").to_table()


def listed(guests):
    event = Event().play(Plan("Moon", "CNY", absent="again")).play(SetSession(1, "evening", RULES, 2, seats=10))
    return event.play(AddGuests(1, tuple(NewGuest(1) for _ in range(guests)), "list"))


def refused(event, act):
    with pytest.raises(EventRefused) as info:
        event.play(act)
    return info.value.code


def thrown_out(event, stage, faces_of):
    """A stage thrown to its end; faces_of: what a guest throws as the first, second, … in it."""
    for index in range(len(event.state.stages[stage].groups)):
        while True:
            now = event.state.stages[stage]
            due = standing_of(now, now.groups[index]).due
            if due is None:
                break
            nth = 1 + sum(guest == due.guest for guest, _ in now.groups[index].throws)
            event = event.play(FinalThrow(stage, due.guest, faces_of(due.guest, nth)))
    return event


def by_lot(guest, nth):
    lots = Lots(f"{guest}/{nth}")
    return "".join(str(lots.below(6) + 1) for _ in range(3))


def all_tied_twice(guest, nth):
    return "444" if nth <= 2 else by_lot(guest, nth)


@pytest.mark.parametrize(
    ("key", "guests", "sizes", "faces_of"),
    [("88-8-1", 88, [8, 1], all_tied_twice), ("882-126-9-5-1", 882, [126, 9, 5, 1], by_lot)],
)
def test_from_all_champions_to_one(key, guests, sizes, faces_of):
    event, playing = listed(guests), tuple(range(1, guests + 1))
    *before, last = ready_final(key)
    for stage in (*before, replace(last, places=(FinalPlace(1, "car", 10_000_00),))):
        event = event.play(replace(stage, source="named") if stage.stage == 1 else stage)
    for number, winners in enumerate(sizes, 1):
        event = event.play(Finalists(number, playing, f"stage {number}", event.next_voucher))
        assert sorted(guest for group in event.state.stages[number].groups for guest in group.guests) == sorted(playing)
        event = thrown_out(event, number, faces_of)
        won = [guest for places in results(event.state, number) for place in places for guest in place]
        assert len(set(won)) == winners
        assert set(won) <= set(playing)
        if number < len(sizes):
            assert candidates(event.state, number + 1) == tuple(won)
        playing = tuple(won)
    assert [(voucher.guest, voucher.item) for voucher in event.state.vouchers.values()] == [(playing[0], "car")]
    first_throw = next(n for n, entry in enumerate(event.log, 1) if isinstance(entry.act, FinalThrow))
    assert refused(event, Undo(first_throw)) == "event/later_impossible"
    undone = event.play(Undo(len(event.log)))
    assert (undone.state.vouchers, results(undone.state, len(sizes))) == ({}, [()])
    assert undone.play(Undo(len(undone.log))).state == event.state


def agree(event):
    """All sums of the prizes, and the stock."""
    items = by_item(event.state).values()
    assert all(item.planned == item.playing + item.unwon + item.count.awarded for item in items)
    assert all(item.in_store == item.bought - item.count.out for item in items if item.bought is not None)
    awarded = sum(item.count.awarded for item in items)
    finals = sum(voucher.stands for voucher in event.state.vouchers.values() if voucher.table is None)
    sums = [sum(count.awarded for count in by(event.state).values()) for by in (by_table, by_guest, by_tier)]
    assert sums == [awarded - finals, awarded, awarded - finals]
    assert replay(entry.act for entry in event.log) == event
    return event


def close(event, table, *won, champion=None, **more):
    return agree(event.play(closing(event, table, *won, champion=champion, **more)))


def closing(event, table, *won, champion=None, **more):
    return numbered(event.state, CloseTable(table, won, champion, event.next_voucher, **more))


def test_tables_part_and_go_together_with_half_of_their_prizes_gone_and_undo_tells_what_stands_in_the_way():
    event = listed(14).play(Draw(1, "moon", (1, 2), who="listed"))
    event = event.play(SetStock((StockItem("yixiu", 96), StockItem("erju", 48))))
    going = event.state.tables[1].seats[4:]
    event = agree(event.play(Split(1, 3, going)).play(Sit(going[0], 1)))
    split = len(event.log) - 1
    for table in (1, 2):
        event = event.play(Open(table, f"S{table}"))
    assert refused(event, Split(1, 9, event.state.tables[1].seats[:1])) == "event/table_begun"
    assert refused(event, Undo(split)) in ("event/later_impossible", "event/table_begun")
    event = agree(event.play(Merge(3, 2)))
    event = close(event, 1, Won(0, "yixiu", 9), Won(1, "erju", 4), Won(2, "zhuangyuan", 1), champion=2, early=True)
    event = agree(event.play(HandOver((1, 2, 10), "A")).play(Absent((3,))))
    event = agree(event.play(AwardAgain(3, event.state.tables[2].seats[0], event.next_voucher)))
    merged = event.play(Merge(1, 2))
    left = sum(item.count.awarded for item in by_item(merged.state).values())
    assert left == 14
    assert refused(merged, Reopen(1)) == "event/table_closed"
    assert refused(merged, Undo(len(merged.log) - 6)) in ("event/later_impossible", "event/table_begun")
    assert refused(merged, Undo(len(merged.log))) == "event/table_begun", "they sit where it plays"
    done = close(agree(merged), 2, Won(0, "yixiu", 32), Won(9, "erju", 1))
    again = close(done, 2, Won(0, "yixiu", 31), Won(8, "erju", 2))
    assert sum(voucher.stands for voucher in again.state.vouchers.values()) == 14 + 33
    assert agree(again.play(Undo(len(again.log)))).state == done.state
    assert refused(again, HandOver((1,), "B")) == "event/already_handed"
    signed = agree(again.play(SignOff()))
    assert refused(signed, Withdraw(1)) == "event/signed_off"
    handed = agree(signed.play(HandOver((4,), "B")))
    assert refused(handed, Undo(1)) == "event/signed_off"
    assert handed.play(Undo(len(handed.log))).state == signed.state
    assert agree(handed.play(Undo(len(signed.log)))).play(Withdraw(5)).state.guests[5].status == "withdrawn"


def final():
    """Three guests in a whole game as final at table 9; seats 0, 1, 2 are theirs."""
    event = listed(14).play(Draw(1, "moon", (1, 2), who="listed"))
    event = event.play(SetStage(1, "", "game", (FinalPlace(1, "bicycle", 50_000),), source="named"))
    return event.play(Finalists(1, (1, 2, 3), "s", event.next_voucher, tables=(9,)))


def test_a_whole_game_as_final_gives_the_prize_of_the_final_too():
    event = final().play(Open(9, "F"))
    seats = event.state.tables[9].seats
    event = close(event, 9, Won(1, "zhuangyuan", 1), champion=1)
    of_final = [voucher for voucher in event.state.vouchers.values() if voucher.stage == 1]
    assert [(one.guest, one.item, one.price, one.tier, one.table) for one in of_final] == [
        (seats[1], "bicycle", 50_000, "1", None)
    ]
    assert by_item(event.state)["bicycle"].count.open == 1
    same = close(event, 9, Won(1, "zhuangyuan", 1), champion=1)
    assert same.state.vouchers == event.state.vouchers
    out = event.play(HandOver((of_final[0].number,), "A"))
    other = closing(out, 9, Won(2, "zhuangyuan", 1), champion=2)
    assert refused(out, other) == "event/handed_out"
    moved = out.play(replace(other, sure=True))
    assert [(one.guest, one.state) for one in moved.state.vouchers.values() if one.item == "bicycle"] == [
        (seats[1], "recalled"),
        (seats[2], "open"),
    ]
    back = moved.play(Return((of_final[0].number,))).play(Reopen(9))
    assert not any(one.stands for one in back.state.vouchers.values())
    total = by_item(back.state)["bicycle"]
    assert (total.planned, total.playing, total.count.awarded) == (1, 1, 0)


@pytest.mark.parametrize("act", [Sit(5, 9), Merge(1, 9), Merge(9, 1), Split(9, 10, (1,))])
def test_the_seats_of_a_final_are_those_of_its_finalists(act):
    assert refused(final(), act) == "event/of_final"


def test_a_prize_goes_on_to_nobody_who_has_left():
    event = listed(14).play(Draw(1, "moon", (1, 2), who="listed"))
    event = close(event, 1, Won(0, "yixiu", 1), how="results").play(Absent((1,)))
    gone = event.state.tables[2].seats[0]
    assert refused(event.play(Withdraw(gone)), AwardAgain(1, gone, 2)) == "event/withdrawn"


def test_logs_of_before_the_prize_of_a_whole_game_come_to_the_vouchers_that_they_came_to():
    log = [entry.act for entry in final().play(Open(9, "F")).log]
    log += [CloseTable(9, (Won(1, "zhuangyuan", 1),), 1, 2), CloseTable(9, (Won(2, "zhuangyuan", 1),), 2, 3)]
    log += [CloseTable(1, (Won(0, "yixiu", 1),), None, 4, "results"), Absent((4,)), AwardAgain(4, 14, 5)]
    there = replay(log).state.vouchers
    assert [(number, one.state, one.stage) for number, one in there.items()] == [
        (2, "void", None),
        (3, "open", None),
        (4, "again", None),
        (5, "open", None),
    ]


def test_the_prize_of_a_final_keeps_its_number_when_what_was_before_is_taken_back():
    event = close(final().play(Open(9, "F")), 9, Won(1, "zhuangyuan", 1), champion=1)
    moved = close(event, 9, Won(2, "zhuangyuan", 1), champion=2)
    number = max(number for number, one in moved.state.vouchers.items() if one.stage == 1)
    back = moved.play(Undo(len(event.log)))
    assert [(one.number, one.guest) for one in back.state.vouchers.values() if one.stage == 1] == [
        (number, event.state.tables[9].seats[2])
    ]


@pytest.mark.parametrize("act", [Sit(5, 9), Merge(1, 9), Merge(9, 1), Split(9, 10, (1,))])
def test_logs_in_which_the_seats_of_a_final_were_changed_are_read(act):
    event = final()
    assert replay([*(entry.act for entry in event.log), act]).state.tables != event.state.tables


def test_logs_in_which_a_prize_went_on_to_who_had_left_are_read():
    event = listed(14).play(Draw(1, "moon", (1, 2), who="listed"))
    event = close(event, 1, Won(0, "yixiu", 1), how="results").play(Absent((1,)))
    gone = event.state.tables[2].seats[0]
    log = [*(entry.act for entry in event.log), Withdraw(gone), AwardAgain(1, gone, 2)]
    assert replay(log).state.vouchers[2].guest == gone


def test_an_item_whose_stock_nobody_entered_is_not_short():
    event = listed(14).play(Draw(1, "moon", (1, 2), who="listed")).play(SetStock((StockItem("yixiu", 3),)))
    items = by_item(event.state)
    assert (items["yixiu"].bought, items["yixiu"].short) == (3, items["yixiu"].planned - 3)
    assert (items["erju"].bought, items["erju"].in_store, items["erju"].short) == (None, None, 0)
