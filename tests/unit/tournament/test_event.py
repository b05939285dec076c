"""An event from the guest list to the hand-over, as acts."""

import re

import pytest

from bobing.core.acts import Throw
from bobing.core.catalogue import find_sheet
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.rules import rules_from_table
from bobing.i18n import LANGUAGES
from bobing.server.refusal import words_of
from bobing.tournament.acts import (
    Absent,
    AddGuests,
    AddTable,
    AwardAgain,
    CloseTable,
    Correct,
    Draw,
    HandOff,
    HandOver,
    Here,
    Merge,
    NewGuest,
    NoShow,
    Open,
    Plan,
    Reopen,
    Return,
    SetRole,
    SetSession,
    SetStock,
    SignOff,
    Sit,
    Split,
    Stand,
    StockItem,
    TakeOver,
    Trade,
    Undo,
    Waive,
    Withdraw,
    Won,
    act_from_json,
    act_to_json,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.prizes import drawn_again
from bobing.tournament.results import champion_at, won_at
from bobing.tournament.tables import seats_now
from bobing.tournament.throwing import award_by_lot
from bobing.tournament.totals import by_guest, by_item, by_table, by_tier

RULES = find_sheet("S12").to_table()


def begun(guests=40, tables=3, limit=None):
    event = Event().play(Plan("Moon", "CNY", absent="again"))
    event = event.play(SetSession(1, "evening", RULES, tables, seats=14, limit=limit))
    event = event.play(AddGuests(1, tuple(NewGuest(1) for _ in range(guests)), "list"))
    return event.play(Here(tuple(range(1, guests + 1))))


def drawn(guests=40, tables=3):
    return begun(guests, tables).play(Draw(1, "moon", tuple(range(1, tables + 1))))


def played(guests=9, tables=1):
    event = drawn(guests, tables)
    for table in range(1, tables + 1):
        event = event.play(Open(table, f"S{table}"))
    return event


def refused(event, act):
    with pytest.raises(EventRefused) as info:
        event.play(act)
    return info.value.code


def close(event, *won, champion=None, table=1, **more):
    return event.play(CloseTable(table, won, champion, event.next_voucher, **more))


def test_forty_guests_in_three_groups_sit_fourteen_thirteen_thirteen():
    event = drawn()
    assert [len(table.seats) for table in event.state.tables.values()] == [14, 13, 13]
    assert sorted(guest for table in event.state.tables.values() for guest in table.seats) == list(range(1, 41))
    assert all(event.state.guests[guest].table == n for n, table in event.state.tables.items() for guest in table.seats)


def test_the_draw_can_be_worked_out_again_and_drawn_anew_until_a_table_begins():
    event = drawn()
    assert event.state.tables == drawn().state.tables
    other = event.play(Draw(1, "another seed", (1, 2, 3)))
    assert other.state.tables != event.state.tables
    assert refused(event.play(Open(1, "S1")), Draw(1, "x", (1, 2, 3))) == "event/table_begun"


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Draw(1, "s", (1, 1, 2)), "event/taken"),
        (Draw(1, "s", (1, 2)), "event/too_many"),
        (Draw(1, "s", tuple(range(1, 40))), "event/too_few"),
        (Draw(2, "s", (1,)), "event/no_session"),
    ],
)
def test_draws_that_do_not_work(act, code):
    assert refused(begun(), act) == code


@pytest.mark.parametrize("limit", [0, None])
def test_without_a_limit_any_number_may_come(limit):
    event = begun(5, limit=limit)
    assert {guest.status for guest in event.state.guests.values()} == {"listed"}
    assert begun(5, limit=3).play(SetSession(1, "evening", RULES, 3, seats=14, limit=limit)).state.guests[5].status == (
        "listed"
    )


def test_beyond_the_limit_guests_wait_and_move_up_in_order():
    event = begun(5, limit=3)
    assert [guest.status for guest in event.state.guests.values()] == ["listed"] * 3 + ["waiting"] * 2
    left = event.play(Withdraw(2))
    assert left.log[-1].notes == (("moved_up", "4"),)
    assert left.play(Undo(5)).state == event.state
    raised = event.play(SetSession(1, "evening", RULES, 3, seats=14, limit=9))
    assert all(guest.status == "listed" for guest in raised.state.guests.values())
    assert refused(left, Withdraw(2)) == "event/withdrawn"


def test_who_did_not_come_gives_the_place_on():
    event = Event().play(SetSession(1, "evening", RULES, 1, seats=4, limit=2))
    event = event.play(AddGuests(1, tuple(NewGuest(1) for _ in range(3))))
    event = event.play(NoShow((1,)))
    assert event.log[-1].notes == (("moved_up", "3"),)
    assert refused(event.play(Here((3,))), NoShow((3,))) == "event/is_here"


def test_one_of_a_household():
    event = Event().play(SetSession(1, "evening", RULES, 1, household=True))
    event = event.play(AddGuests(1, (NewGuest(1, household=7), NewGuest(1))))
    assert refused(event, AddGuests(3, (NewGuest(1, household=7),))) == "event/household"
    assert event.play(Withdraw(1)).play(AddGuests(3, (NewGuest(1, household=7),))).state.guests[3].household == 7


def test_numbers_are_never_given_twice():
    event = begun(3).play(AddGuests(4, (NewGuest(1),))).play(Undo(5))
    assert 4 not in event.state.guests
    assert event.next_guest == 5
    assert refused(event, AddGuests(4, (NewGuest(1),))) == "event/number_used"


def test_guests_come_late_change_seats_and_split():
    event = begun(10, 1).play(Draw(1, "s", (1,))).play(AddGuests(11, (NewGuest(1),))).play(Sit(11, 1))
    assert event.state.tables[1].seats[-1] == 11
    one, other = event.state.tables[1].seats[:2]
    assert event.play(Trade((one, other))).state.tables[1].seats[:2] == (other, one)
    parted = event.play(Split(1, 2, (one, other)))
    assert parted.state.tables[2].seats == (one, other)
    assert parted.state.guests[one].table == 2
    again = parted.play(Merge(2, 1))
    assert again.state.tables[1].seats[-2:] == (one, other)
    assert again.state.tables[2].status == "closed"
    assert refused(event.play(Open(1, "S1")), Split(1, 2, (one,))) == "event/table_begun"


def test_every_cake_that_was_won_is_a_voucher():
    event = close(played(), Won(0, "yixiu", 3), Won(1, "zhuangyuan", 1), champion=1)
    seats = event.state.tables[1].seats
    assert [(v.number, v.guest, v.tier) for v in event.state.vouchers.values()] == [
        (1, seats[0], "yixiu"),
        (2, seats[0], "yixiu"),
        (3, seats[0], "yixiu"),
        (4, seats[1], "zhuangyuan"),
    ]
    assert event.next_voucher == 5


@pytest.mark.parametrize(
    ("won", "champion", "code"),
    [
        ((Won(9, "yixiu", 1),), None, "event/no_seat"),
        ((Won(0, "yixiu", 33),), None, "event/too_many_cakes"),
        ((Won(0, "yixiu", 20), Won(1, "yixiu", 13)), None, "event/too_many_cakes"),
        ((Won(0, "cake", 1),), None, "event/no_tier"),
        ((Won(0, "yixiu", 1, "rice"),), None, "event/no_item"),
        ((Won(0, "zhuangyuan", 1),), None, "event/no_champion"),
        ((), 9, "event/no_seat"),
    ],
)
def test_results_that_cannot_be(won, champion, code):
    event = played()
    assert refused(event, CloseTable(1, won, champion, 1)) == code


def test_nothing_is_handed_over_twice():
    event = close(played(), Won(0, "yixiu", 2)).play(HandOver((1,), "desk A"))
    assert refused(event, HandOver((2, 1), "desk B")) == "event/already_handed"
    assert event.state.vouchers[2].state == "open"
    assert refused(event, HandOver((2, 2))) == "event/twice"
    assert refused(event, HandOver((9,))) == "event/no_voucher"
    back = event.play(Return((1,)))
    assert back.play(HandOver((1, 2))).state.vouchers[1].state == "handed"


def test_an_absent_winner_is_awarded_again_and_both_stay_visible():
    event = close(played(), Won(0, "zhuangyuan", 1), champion=0).play(Absent((1,)))
    other = event.state.tables[1].seats[1]
    event = event.play(AwardAgain(1, other, event.next_voucher)).play(HandOver((2,)))
    first, second = event.state.vouchers[1], event.state.vouchers[2]
    assert (first.state, first.after, second.before, second.guest) == ("again", 2, 1, other)
    assert by_item(event.state)["zhuangyuan"].count.awarded == 1
    keeping = close(played().play(Plan("Moon")), Won(0, "yixiu", 1)).play(Absent((1,)))
    assert refused(keeping, AwardAgain(1, other, 2)) == "event/kept"


def test_a_winner_marked_absent_by_mistake_is_there_after_all():
    event = close(played(), Won(0, "yixiu", 2)).play(Absent((1,)))
    back = event.play(Return((1,)))
    assert back.state.vouchers[1].state == "open"
    assert refused(back, Return((1,))) == "event/voucher_state"


def absent(how):
    """The champion of a table of nine is not there when prizes are handed over."""
    declared = played().play(Plan("Moon", absent=how))
    return close(declared, Won(0, "zhuangyuan", 1), champion=0).play(Absent((1,)))


def test_lots_award_the_prize_of_an_absent_winner_where_the_event_declared_it():
    event = absent("lot")
    winner = event.state.vouchers[1].guest
    award = award_by_lot(event, 1, "seed")
    assert award.guest == drawn_again(event.state, 1, "seed") != winner
    other = next(n for n in event.state.guests if n not in (winner, award.guest))
    assert refused(event, AwardAgain(1, other, 2)) == "event/by_lot", "the desk names nobody"
    assert refused(event, AwardAgain(1, other, 2, "seed")) == "event/by_lot", "nor whom the lots did not draw"
    drawn = event.play(award)
    assert (drawn.state.vouchers[1].state, drawn.state.vouchers[2].guest) == ("again", award.guest)
    undone = drawn.play(Undo(len(drawn.log)))
    assert award_by_lot(undone, 1, "another").seed == "seed", "nobody draws until they like it"
    gone = drawn.play(Absent((2,)))
    assert {drawn_again(gone.state, 2, str(n)) for n in range(99)} == set(event.state.guests) - {winner, award.guest}
    assert refused(absent("again"), award) == "event/by_lot"


def test_lots_find_nobody_where_nobody_else_is_there():
    event = absent("lot")
    others = tuple(n for n in event.state.guests if n != event.state.vouchers[1].guest)
    missing = event.play(Here(others, there=False))
    with pytest.raises(EventRefused) as info:
        award_by_lot(missing, 1, "seed")
    assert info.value.code == "event/nobody_left"


def test_a_revision_keeps_what_is_the_same_and_recalls_what_is_not():
    event = close(played(), Won(0, "yixiu", 2), Won(1, "erju", 1)).play(HandOver((1, 2)))
    revised = CloseTable(1, (Won(0, "yixiu", 1), Won(2, "yixiu", 1), Won(1, "erju", 1)), None, event.next_voucher)
    assert refused(event, revised) == "event/handed_out"
    event = close(event, *revised.won, sure=True)
    states = {voucher.number: voucher.state for voucher in event.state.vouchers.values()}
    assert states == {1: "handed", 2: "recalled", 3: "open", 4: "open"}
    assert event.log[-1].notes == (("recalled", "2"),)
    assert event.play(Return((2,))).state.vouchers[2].state == "returned"


def test_a_table_goes_on_after_it_was_closed():
    event = close(played(), Won(0, "yixiu", 2)).play(HandOver((1,)))
    assert refused(event, Reopen(1)) == "event/handed_out"
    event = event.play(Reopen(1, sure=True))
    assert [voucher.state for voucher in event.state.vouchers.values()] == ["recalled", "void"]
    assert event.state.tables[1].status == "open"


def test_totals_agree_with_the_stock():
    event = close(played(18, 2), Won(0, "yixiu", 20), Won(1, "erju", 5)).play(HandOver((1, 2, 3), "A"))
    event = event.play(Absent((4,))).play(Waive((5,))).play(SetStock((StockItem("yixiu", 60, 500),)))
    total = by_item(event.state)["yixiu"]
    assert (total.planned, total.playing, total.unwon, total.count.awarded) == (64, 32, 12, 20)
    assert (total.count.handed, total.count.absent, total.count.waived, total.count.open) == (3, 1, 1, 15)
    assert (total.in_store, total.short) == (57, 4)
    for totals in (by_table(event.state), by_guest(event.state), by_tier(event.state)):
        assert sum(count.awarded for count in totals.values()) == 25


def test_what_has_to_be_bought_is_known_before_lots_are_drawn():
    event = begun(18, 2).play(SetStock((StockItem("yixiu", 60, 500),)))
    tables = event.state.sessions[1].set.tables
    total = by_item(event.state)["yixiu"]
    assert (total.planned, total.playing, total.unwon, total.short) == (32 * tables, 32 * tables, 0, 32 * tables - 60)
    assert by_item(event.play(AddTable(1, 1)).state)["yixiu"] == total
    drawn_now = event.play(Draw(1, "moon", (1, 2)))
    assert by_item(drawn_now.state)["yixiu"] == total


def test_only_what_was_said_to_be_bought_can_be_short():
    event = begun(18, 2).play(SetStock((StockItem("yixiu", 60, 500),)))
    assert [(one.item, one.short) for one in by_item(event.state).values() if one.bought is not None] == [("yixiu", 4)]


def test_a_table_that_waits_takes_too_many_where_the_desk_says_so_and_is_full_for_all_others():
    event = begun(20, 2).play(Draw(1, "moon", (1, 2))).play(AddTable(3, 1))
    assert refused(event, Merge(1, 2)) == "event/too_many"
    merged = event.play(Merge(1, 2, sure=True))
    assert len(merged.state.tables[2].seats) == 20
    assert refused(merged.play(AddGuests(21, (NewGuest(1),))), Sit(21, 2)) == "event/too_many"
    assert merged.play(Open(2, "S2")).state.tables[2].status == "open"


def test_a_merged_table_plans_no_more_prizes_than_were_won_there():
    event = close(played(18, 2), Won(0, "yixiu", 3), Won(1, "erju", 1)).play(SetStock((StockItem("yixiu", 64, 500),)))
    event = event.play(Merge(1, 2)).play(AddTable(3, 1))
    moved = event.state.tables[2].seats[-9:]
    for guest in moved:
        event = event.play(Sit(guest, 3))
    total = by_item(event.state)["yixiu"]
    assert (total.planned, total.playing, total.unwon, total.count.awarded, total.short) == (67, 64, 0, 3, 3)
    assert by_item(event.play(Waive((1,))).state)["yixiu"].planned == 67
    assert seats_now(event.state, event.state.tables[3]) == moved
    assert not set(moved) & set(seats_now(event.state, event.state.tables[2]))


def test_no_change_leaves_the_event_with_nobody():
    event = begun(3).play(HandOff("laptop 2")).play(TakeOver("laptop 2"))
    back = len(event.log)
    assert refused(event, Undo(back)) == "event/nobody_has_it"
    assert refused(event, Undo(back - 1)) == "event/later_impossible"
    acts = [entry.act for entry in event.log]
    lost = replay([*acts, Undo(back)])  # as older logs have it
    assert lost.state.handed_to == "laptop 2"
    assert lost.play(TakeOver("laptop 2")).play(Withdraw(1)).state.guests[1].status == "withdrawn"


def test_undo_takes_back_one_act_and_says_what_stands_in_the_way():
    event = close(played(), Won(0, "yixiu", 2)).play(HandOver((1,)))
    closing = len(event.log) - 1
    assert refused(event, Undo(closing)) == "event/later_impossible"
    undone = event.play(Undo(closing + 1)).play(Undo(closing))
    assert undone.state == played().state
    assert undone.struck == {closing, closing + 1}
    assert refused(undone, Undo(closing)) == "event/already_undone"
    assert undone.play(Undo(len(undone.log))).state.vouchers[1].state == "open"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_cannot_be_undone_says_which_act_stands_in_the_way(lang):
    """In every language, also where nobody has written down why the later act becomes impossible."""
    event = drawn(9, 1)
    first, second, *_ = event.state.tables[1].seats
    event = event.play(Trade((first, second))).play(Open(1, "S1"))
    event = close(event, Won(0, "yixiu", 2)).play(HandOver((1,)))
    codes = set()
    for n, entry in enumerate(event.log, 1):
        if isinstance(entry.act, Plan | Open | HandOver):
            continue
        with pytest.raises(EventRefused) as info:
            event.play(Undo(n))
        codes.add(info.value.code)
        words = words_of(info.value)[lang]
        found = re.search(r"第 (\d+) 步|act (\d+)", words)
        assert found, words
        assert n < int(found[1] or found[2]) <= len(event.log)
    assert codes == {"event/later_impossible", "event/table_begun"}


def test_a_correction_stands_in_the_place_of_the_act():
    event = begun(3).play(Withdraw(1))
    event = event.play(Correct(5, Withdraw(2)))
    assert [event.state.guests[n].status for n in (1, 2)] == ["listed", "withdrawn"]
    assert event.play(Undo(6)).state.guests[1].status == "withdrawn"
    assert refused(event, Correct(6, Withdraw(3))) == "event/not_correctable"
    assert refused(event, Correct(99, Withdraw(3))) == "event/no_such_act"


def test_an_event_that_was_handed_over_takes_nothing_until_it_is_taken_over():
    event = begun(3).play(HandOff("laptop 2"))
    assert refused(event, Withdraw(1)) == "event/not_here"
    assert refused(event, Undo(1)) == "event/not_here"
    there = event.play(TakeOver("laptop 2")).play(Withdraw(1))
    assert there.state.guests[1].status == "withdrawn"
    assert refused(there, TakeOver("laptop 2")) == "event/is_here"


def test_a_signed_off_event_still_hands_over():
    event = close(played(), Won(0, "yixiu", 1)).play(SignOff())
    assert refused(event, Withdraw(1)) == "event/signed_off"
    assert event.play(HandOver((1,))).state.vouchers[1].state == "handed"
    assert refused(played(), SignOff()) == "event/table_begun"


def test_acts_read_back_as_they_were_written():
    event = close(played(), Won(0, "yixiu", 1)).play(HandOver((1,))).play(Correct(1, Plan("Sun"))).play(Undo(8))
    written = [act_to_json(entry.act) for entry in event.log]
    assert replay(map(act_from_json, written)) == event


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"do": "fly"},
        {"do": "here", "guests": ["1"]},
        {"do": "here", "guests": [1.0]},
        {"do": "here", "guests": [True]},
        {"do": "here", "guests": [0]},
        {"do": "here", "guests": [1], "x": 1},
        {"do": "final", "stage": 1, "guest": 1, "faces": "44441"},
        {"do": "final", "stage": 1, "guest": 1, "faces": "444\n"},
    ],
)
def test_acts_of_another_form(value):
    with pytest.raises(EventRefused) as info:
        act_from_json(value)
    assert info.value.code == "event/bad_form"


BEGUN = played().play(AddGuests(10, (NewGuest(1),)))
CLOSED = close(BEGUN, Won(0, "yixiu", 1))


@pytest.mark.parametrize(
    ("event", "act", "code"),
    [
        (begun(3), Here((9,)), "event/no_guest"),
        (begun(3).play(Withdraw(1)), Here((1,)), "event/withdrawn"),
        (begun(3, 1), AddGuests(4, (NewGuest(2),)), "event/no_session"),
        (begun(3, 1), Open(1, "S"), "event/no_table"),
        (drawn(), AddTable(1, 1), "event/taken"),
        (drawn().play(AddTable(9, 1)), Open(9, "S"), "event/too_few"),
        (drawn().play(Open(1, "S")), Open(1, "T"), "event/table_begun"),
        (drawn().play(Open(1, "S")), Open(2, "S"), "event/taken"),
        (drawn(), Sit(drawn().state.tables[2].seats[0], 1), "event/too_many"),
        (begun(5, limit=4).play(Draw(1, "s", (1,), who="listed")), Sit(5, 1), "event/not_listed"),
        (CLOSED, Sit(10, 1), "event/table_closed"),
        (BEGUN, Sit(1, 1), "event/seated"),
        (BEGUN, Stand(10), "event/no_seat"),
        (BEGUN, Stand(1), "event/table_begun"),
        (drawn(), Trade((1, 1)), "event/same_guest"),
        (drawn(), SetRole(1, "head", 99), "event/no_guest"),
        (drawn(), Split(1, 9, (drawn().state.tables[2].seats[0],)), "event/other_table"),
        (drawn(), Merge(1, 1), "event/same_table"),
        (BEGUN.play(AddTable(2, 1)), Merge(1, 2), "event/table_begun"),
        (CLOSED.play(AddTable(2, 1)), Merge(2, 1), "event/table_closed"),
        (drawn(), CloseTable(1, (), None, 1), "event/not_begun"),
        (drawn().play(AddTable(9, 1)).play(Merge(9, 1)), CloseTable(9, (), None, 1, "paper"), "event/table_closed"),
        (drawn(), Reopen(1), "event/not_closed"),
        (CLOSED, AwardAgain(1, 2, 2), "event/not_absent"),
        (CLOSED.play(Absent((1,))), AwardAgain(1, CLOSED.state.vouchers[1].guest, 2), "event/same_guest"),
        (CLOSED, Return((1,)), "event/voucher_state"),
        (CLOSED, CloseTable(1, (), None, 1), "event/number_used"),
        (BEGUN, SetSession(1, "evening", find_sheet("S1").to_table(), 3), "event/table_begun"),
        (begun(3), SetSession(1, "evening", {"key": "x"}, 3), "event/bad_rules"),
        (begun(3), SetStock((StockItem("a", 1), StockItem("a", 2))), "event/twice"),
    ],
)
def test_what_an_event_does_not_take(event, act, code):
    assert refused(event, act) == code


def test_roles_go_with_the_guest_who_leaves():
    event = begun(10, 1).play(Draw(1, "s", (1,))).play(SetRole(1, "head", 1)).play(SetRole(1, "referee", 2))
    left = event.play(Withdraw(1)).play(NoShow((3,))) if not event.state.guests[3].here else event.play(Withdraw(1))
    assert (left.state.tables[1].head, left.state.tables[1].referee) == (None, 2)
    assert event.play(SetRole(1, "head", None)).state.tables[1].head is None
    stood = event.play(Stand(2))
    assert (2 in stood.state.tables[1].seats, stood.state.tables[1].referee, stood.state.guests[2].table) == (
        False,
        None,
        None,
    )


def test_staff_sit_at_tables_of_their_own():
    event = Event().play(SetSession(1, "evening", RULES, 2))
    event = event.play(AddGuests(1, tuple(NewGuest(1, staff=n > 8) for n in range(1, 13))))
    event = event.play(Draw(1, "s", (1,), staff_tables=(2,), who="listed"))
    assert sorted(event.state.tables[2].seats) == [9, 10, 11, 12]
    assert event.state.tables[2].staff


PRIZED = rules_from_table(
    find_sheet("S12").to_table()
    | {"prizes": {"erju": [{"name": "rice", "count": 10, "price": 300}, {"name": "oil", "count": 6, "price": 500}]}}
).to_table()


def test_prizes_with_names_and_prices():
    event = Event().play(SetSession(1, "evening", PRIZED, 1)).play(AddGuests(1, tuple(NewGuest(1) for _ in range(6))))
    event = event.play(Draw(1, "s", (1,), who="listed")).play(Open(1, "S"))
    assert refused(event, CloseTable(1, (Won(0, "erju", 1),), None, 1)) == "event/which_item"
    assert refused(event, CloseTable(1, (Won(0, "erju", 7, "oil"),), None, 1)) == "event/too_many_cakes"
    event = close(event, Won(0, "erju", 2, "oil"), Won(1, "erju", 1, "rice")).play(HandOver((1, 2)))
    items = by_item(event.state)
    assert (items["oil"].planned, items["oil"].unwon, items["oil"].count.value_out) == (6, 4, 1000)
    assert items["yixiu"].planned == 32


def test_what_a_game_held_is_what_the_table_closes_with():
    game = Game.new(rules_from_table(PRIZED), 3).play(Throw(0, Roll.parse("441123"), items={"erju": "oil"}))
    game = game.play(Throw(1, Roll.parse("444423")))
    assert won_at(game) == (Won(0, "erju", 1, "oil"),)
    assert champion_at(game) == 1


def test_a_revision_leaves_prizes_that_were_awarded_again_where_they_are():
    event = close(played(), Won(0, "yixiu", 1)).play(Absent((1,)))
    other = event.state.tables[1].seats[1]
    event = event.play(AwardAgain(1, other, event.next_voucher))
    assert close(event, Won(0, "yixiu", 1)).state.vouchers == event.state.vouchers
    gone = close(event, Won(2, "yixiu", 1))
    assert [voucher.state for voucher in gone.state.vouchers.values()] == ["void", "void", "open"]


def test_a_collector_is_a_guest_of_the_event():
    assert refused(CLOSED, HandOver((1,), to=99)) == "event/no_guest"
    assert CLOSED.play(HandOver((1,), "A", to=2)).state.vouchers[1].to == 2
