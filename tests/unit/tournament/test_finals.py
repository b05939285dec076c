"""Finals: every format to its end, ties included."""

import random

import pytest

from bobing.core.catalogue import find_sheet
from bobing.server.stage_views import stage_view
from bobing.tournament.acts import (
    AddGuests,
    CloseTable,
    Correct,
    Draw,
    Finalists,
    FinalPlace,
    FinalThrow,
    HandOver,
    Here,
    NewGuest,
    NoShow,
    Open,
    Scratch,
    SetSession,
    SetStage,
    Substitute,
    Undo,
    Withdraw,
    Won,
    act_to_json,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.finals import median_laps, standing
from bobing.tournament.stages import best_throw, candidates, results, standing_of
from bobing.tournament.throwing import digital_throw
from bobing.tournament.totals import by_item

RULES = find_sheet("S12")
ONE = (FinalPlace(1, "phone", 10_000),)


def stage(form, places=ONE, **more):
    return SetStage(1, "final", form, places, source="named", **more)


def outcome(form, guests, faces_thrown, places=ONE, **more):
    """The places after these throws of the guests whose turn it is; faces None: that guest has left."""
    set_, thrown = stage(form, places, **more), []
    for faces in faces_thrown:
        due = standing(set_, RULES, guests, thrown).due
        assert due is not None, "decided too early"
        thrown.append((due.guest, faces))
    return standing(set_, RULES, guests, thrown)


def due_after(*args, **more):
    """Whose throw is due after these throws."""
    due = outcome(*args, **more).due
    assert due is not None, "decided already"
    return due


def test_three_dice_the_highest_sum_wins():
    assert outcome("sum", (1, 2, 3), ["111", "654", "222"]).places == ((2,),)


def test_the_tied_throw_again_among_themselves():
    tied = due_after("sum", (1, 2, 3), ["654", "222", "654"])
    assert (tied.guest, tied.dice, tied.again, tied.among, tied.coming) == (1, 3, 1, (1, 3), (3,))
    assert outcome("sum", (1, 2, 3), ["654", "222", "654", "111", "112"]).places == ((3,),)


def test_places_one_two_four_and_only_ties_across_a_place_are_thrown_again():
    places = (FinalPlace(1), FinalPlace(2), FinalPlace(4))
    throws = ["666", "555", "555", "444", "333", "222", "111"]
    assert outcome("sum", range(1, 8), throws, places).places == ((1,), (2, 3), (4, 5, 6, 7))
    tied = ["666", "555", "444", "444", "333", "222", "111"]
    assert due_after("sum", range(1, 8), tied, places).guest == 3
    assert outcome("sum", range(1, 8), [*tied, "111", "222"], places).places == ((1,), (2, 4), (3, 5, 6, 7))


def test_who_leads_who_is_next_and_who_has_a_place_is_known_before_each_throw():
    def told(*args, **more):
        due = due_after(*args, **more)
        return due.guest, due.ahead, due.coming, due.placed

    assert told("sum", (1, 2, 3), []) == (1, (), (2, 3), ())
    assert told("sum", (1, 2, 3), ["654", "654"]) == (3, (1, 2), (), ())
    assert told("sum", (1, 2), ["111", "654"], throws=2) == (1, (2,), (2,), ())
    places = (FinalPlace(1), FinalPlace(1))
    twice = ["654", "444", "444", "222", "222"]
    assert told("sum", (1, 2, 3), twice[:3], places) == (2, (), (3,), (1,)), "the first place is certain in a tie"
    again = due_after("sum", (1, 2, 3), twice, places)
    assert (again.again, again.among, again.ahead) == (2, (2, 3), ())
    assert outcome("sum", (1, 2, 3), twice, places).again == (0, 0, 0, 1, 1)
    assert told("first", (1, 2, 3), ["123456", "444423"], places) == (3, (), (1,), (2,))
    assert told("first-lap", (1, 2, 3), ["112256", "444423"]) == (3, (2,), (1, 2), ())
    assert told("first-lap", (1, 2, 3), ["112256", "444423", "112256"]) == (1, (2,), (2,), ())
    assert told("highest", (1, 2), ["112256"]) == (2, (), (), ()), "nobody leads with nothing"


def test_the_first_zhuangyuan_wins():
    assert outcome("first", (1, 2, 3), ["123456", "112233", "123455", "444423"]).places == ((1,),)
    assert outcome("first", (1, 2), ["123456", "112256", "222213", "444411"]).places == ((2,),)


def test_further_places_go_on_without_those_who_have_one():
    places = (FinalPlace(1), FinalPlace(1))
    end = outcome("first", (1, 2, 3), ["444423", "112256", "112256", "444423"], places)
    assert end.places == ((1,), (2,))


def test_one_more_lap_after_the_first_zhuangyuan():
    assert due_after("first-lap", (1, 2, 3), ["112256", "444423"]).guest == 3
    assert outcome("first-lap", (1, 2, 3), ["112256", "444423", "112256", "444411", "112256"]).places == ((1,),)
    assert outcome("first-lap", (1, 2, 3), ["112256", "444423", "444423", "444423", "112256"]).places == ((2,),)


def test_the_highest_zhuangyuan_of_two_throws_each():
    throws = ["444423", "112256", "444411", "112256"]
    assert outcome("highest", (1, 2), ["444423", "444456", "112256", "444411"], throws=2).places == ((2,),)
    assert outcome("highest", (1, 2), throws, throws=2).places == ((1,),)


def test_no_zhuangyuan_at_all_is_a_tie():
    assert due_after("highest", (1, 2), ["112256", "222213"]).again
    assert outcome("highest", (1, 2), ["112256", "222213", "112256", "444423"]).places == ((2,),)


def test_a_duitang_or_better_counts_where_duitang_is_the_target():
    assert outcome("first", (1, 2), ["222213", "123456"], target="duitang").places == ((2,),)
    assert outcome("highest", (1, 2), ["123456", "444423"], target="duitang").places == ((2,),)


def test_who_leaves_throws_no_more():
    assert outcome("sum", (1, 2, 3), ["111", None, "222"]).places == ((3,),)
    assert outcome("first", (1, 2), [None]).places == ((2,),)
    assert outcome("first-lap", (1, 2), [None]).places == ((2,),)
    assert outcome("sum", (1, 2), [None, None]).places == ((1,),)
    assert outcome("sum", (1, 2, 3), ["654", "222", "654", None]).places == ((3,),)


def test_whoever_is_left_alone_in_a_tie_has_won_it_without_a_throw():
    event = event_with(3).play(stage("sum")).play(Finalists(1, (1, 2, 3), "s", 1))
    first, second, third = event.state.stages[1].groups[0].guests
    for guest, faces in ((first, "654"), (second, "111"), (third, "654")):
        event = event.play(FinalThrow(1, guest, faces))
    for leaving, winner in ((first, third), (third, first)):  # before and behind the one who is left
        left = event.play(Scratch(1, leaving))
        assert results(left.state, 1) == [((winner,),)]
        assert [voucher.guest for voucher in left.state.vouchers.values()] == [winner]
        handed = left.play(HandOver((1,)))
        with pytest.raises(EventRefused, match="left alone"):
            handed.play(FinalThrow(1, winner, "123"))
        log = [entry.act for entry in handed.log]
        assert replay([*log, FinalThrow(1, winner, "123")]).state == handed.state  # as older logs have it
    stays = event.play(FinalThrow(1, first, "666")).play(Scratch(1, first))  # what they threw before counts
    assert results(stays.play(FinalThrow(1, third, "111")).state, 1) == [((first,),)]


def test_a_tie_that_was_left_is_won_before_the_next_one_is_thrown():
    places, guests = (FinalPlace(1), FinalPlace(2)), (1, 2, 3, 4)
    throws = [(1, "666"), (2, "555"), (3, "666"), (4, "555")]
    set_ = stage("sum", places)
    tied = [*throws, (3, None)]
    due = [standing(set_, RULES, guests, thrown, {3}).due for thrown in (throws, tied)]
    assert [one and one.guest for one in due] == [3, 2], "3 is passed over before the second place is thrown for"
    over = standing(set_, RULES, guests, [*tied, (2, "111"), (4, "222")], {3})
    assert (over.due, over.places) == (None, ((1,), (3, 4)))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("form", ["sum", "first", "highest", "first-lap"])
def test_every_final_ends_with_all_places_filled_once(form, seed):
    chance = random.Random(seed)
    guests = tuple(range(1, chance.randint(2, 9) + 1))
    places = ONE if form == "first-lap" else tuple(FinalPlace(1) for _ in range(chance.randint(1, min(3, len(guests)))))
    set_ = stage(form, places, dice=chance.choice((3, 6)), throws=chance.randint(1, 3))
    thrown, left = [], set()
    while (now := standing(set_, RULES, guests, thrown)).due:
        if chance.random() < 0.02 and len(left) < len(guests) - 1:
            left.add(now.due.guest)
        faces = None if now.due.guest in left else "".join(str(chance.randint(1, 6)) for _ in range(now.due.dice))
        if faces and chance.random() < 0.2 and now.due.dice == 6:
            faces = "444423"
        thrown.append((now.due.guest, faces))
        assert len(thrown) < 5000
    found = [guest for place in now.places for guest in place]
    assert len(found) == len(set(found)) == len(places)
    assert set(found) <= set(guests)


def test_wrong_turn_and_wrong_dice_are_refused():
    with pytest.raises(EventRefused, match="guest 1 has to throw now"):
        standing(stage("sum"), RULES, (1, 2), [(2, "111")])
    with pytest.raises(EventRefused, match="3 dice"):
        standing(stage("sum"), RULES, (1, 2), [(1, "111111")])


def test_a_format_that_drags_is_known_beforehand():
    assert median_laps(stage("sum"), RULES, 10) == 1
    few, many = (median_laps(stage("first"), RULES, guests) for guests in (2, 30))
    assert few > many >= 1
    # 561 of 46,656 throws are a zhuangyuan: 58 throws until half of all cases
    assert few == 29


def event_with(guests):
    event = (
        Event()
        .play(SetSession(1, "evening", RULES.to_table(), 4))
        .play(AddGuests(1, tuple(NewGuest(1) for _ in range(guests))))
    )
    return event.play(Here(tuple(range(1, guests + 1))))


def test_stage_after_stage_with_vouchers_for_the_places():
    event = event_with(8).play(SetStage(1, "semi", "sum", (FinalPlace(2),), source="named", groups=2))
    event = event.play(SetStage(2, "final", "sum", ONE, source="stage"))
    event = event.play(Finalists(1, tuple(range(1, 9)), "s", event.next_voucher))
    for group in event.state.stages[1].groups:
        for guest, faces in zip(group.guests, ("666", "555", "111", "222"), strict=True):
            event = event.play(FinalThrow(1, guest, faces))
    groups = event.state.stages[1].groups
    assert results(event.state, 1) == [(group.guests[:2],) for group in groups]
    assert set(candidates(event.state, 2)) == {guest for group in groups for guest in group.guests[:2]}
    assert not event.state.vouchers
    event = event.play(Finalists(2, candidates(event.state, 2), "t", event.next_voucher))
    order = event.state.stages[2].groups[0].guests
    for guest, faces in zip(order, ("111", "333", "666", "222"), strict=True):
        event = event.play(FinalThrow(2, guest, faces))
    (voucher,) = event.state.vouchers.values()
    assert (voucher.guest, voucher.item, voucher.price, voucher.stage) == (order[2], "phone", 10_000, 2)


def test_substitutes_and_those_who_leave():
    event = event_with(4).play(stage("sum")).play(Finalists(1, (1, 2, 3), "s", 1))
    first, second, third = event.state.stages[1].groups[0].guests
    event = event.play(Substitute(1, second, 4)).play(Scratch(1, third)).play(FinalThrow(1, first, "111"))
    event = event.play(FinalThrow(1, 4, "112"))
    assert results(event.state, 1) == [((4,),)]
    with pytest.raises(EventRefused, match="decided"):
        event.play(FinalThrow(1, first, "666"))


@pytest.mark.parametrize(
    ("gone", "code"),
    [
        ((Withdraw(5),), "event/withdrawn"),
        ((Here((5,), there=False),), "event/not_checked_in"),
        ((Here((5,), there=False), NoShow((5,))), "event/withdrawn"),
        ((SetSession(1, "evening", RULES.to_table(), 4, limit=6), AddGuests(7, (NewGuest(1),))), "event/not_listed"),
    ],
)
def test_who_is_not_there_is_no_substitute_and_gets_no_extra_seat(gone, code):
    event = event_with(6).play(stage("sum"))
    for act in gone:
        event = event.play(act)
    guest = 7 if len(event.state.guests) > 6 else 5
    drawn = event.play(Finalists(1, (1, 2, 3), "s", 1))
    for refused, act in ((drawn, Substitute(1, 1, guest)), (event, Finalists(1, (1, 2, guest), "s", 1))):
        with pytest.raises(EventRefused) as info:
            refused.play(act)
        assert info.value.code == code
    old = [entry.act for entry in drawn.log] + [Substitute(1, 1, guest)]
    assert guest in replay(old).state.stages[1].groups[0].guests, "logs of before are read as they were"


def test_who_has_played_was_there_whatever_the_door_says():
    event = event_with(6).play(Here((5, 6), there=False)).play(Draw(1, "s", (1, 2), who="listed"))
    event = event.play(Open(1, "A")).play(Open(2, "B")).play(stage("sum")).play(Finalists(1, (1, 2, 6), "s", 1))
    assert 5 in event.play(Substitute(1, 1, 5)).state.stages[1].groups[0].guests
    unchecked = event_with(6).play(Here(tuple(range(1, 7)), there=False)).play(stage("sum"))
    assert unchecked.play(Finalists(1, (1, 2, 3), "s", 1)).play(Substitute(1, 1, 5))


def test_a_whole_game_as_final_is_an_ordinary_table():
    event = event_with(4).play(stage("game", (FinalPlace(1),)))
    event = event.play(Finalists(1, (1, 2, 3), "s", 1, tables=(90,))).play(Open(90, "F"))
    event = event.play(CloseTable(90, (Won(2, "zhuangyuan", 1),), 2, event.next_voucher))
    assert results(event.state, 1) == [((event.state.tables[90].seats[2],),)]


FINAL = event_with(6).play(stage("sum")).play(Finalists(1, (1, 2, 3), "s", 1))
GAME = event_with(6).play(stage("game")).play(Finalists(1, (1, 2, 3), "s", 1, tables=(90,)))
OVER = FINAL
for _guest, _faces in zip(FINAL.state.stages[1].groups[0].guests, ("111", "222", "333"), strict=True):
    OVER = OVER.play(FinalThrow(1, _guest, _faces))


@pytest.mark.parametrize(
    ("event", "act", "code"),
    [
        (FINAL, FinalThrow(2, 1, "111"), "event/no_stage"),
        (FINAL, FinalThrow(1, 5, "111"), "event/no_finalist"),
        (OVER, stage("sum"), "event/stage_begun"),
        (OVER, Finalists(1, (1, 2), "s", 9), "event/stage_begun"),
        (OVER, Scratch(1, 1), "event/stage_over"),
        (OVER, Substitute(1, 1, 4), "event/stage_begun"),
        (FINAL, Substitute(1, 1, 2), "event/taken"),
        (FINAL, Substitute(1, 1, 99), "event/no_guest"),
        (GAME, Scratch(1, 1), "event/at_table"),
        (GAME, FinalThrow(1, 1, "111111"), "event/at_table"),
        (GAME.play(Open(90, "F")), Substitute(1, 1, 4), "event/stage_begun"),
        (GAME.play(Open(90, "F")), Finalists(1, (1, 2), "s", 9, tables=(91,)), "event/stage_begun"),
        (event_with(6), stage("first-lap", (FinalPlace(2),)), "event/one_place"),
        (event_with(6), SetStage(2, "b", "sum", ONE, source="stage"), "event/no_stage"),
        (event_with(6), SetStage(1, "b", "sum", ONE, rules={"key": "x"}), "event/bad_rules"),
        (Event(), stage("sum"), "event/no_session"),
        (event_with(6).play(stage("sum")), Finalists(1, (1,), "s", 1), "event/too_few_finalists"),
        (event_with(6).play(stage("sum")), Finalists(1, (1, 1), "s", 1), "event/twice"),
        (event_with(6).play(stage("sum")), Finalists(1, (1, 99), "s", 1), "event/no_guest"),
        (event_with(6).play(stage("game")), Finalists(1, (1, 2), "s", 1), "event/no_table"),
        (event_with(6).play(stage("game", groups=2)), Finalists(1, (1, 2, 3, 4), "s", 1, tables=(7, 7)), "event/taken"),
    ],
)
def test_what_a_final_does_not_take(event, act, code):
    with pytest.raises(EventRefused) as info:
        event.play(act)
    assert info.value.code == code


def digital(form="sum", **more):
    """Two guests in a stage of digital dice."""
    event = event_with(4).play(stage(form, digital=True, **more))
    return event.play(Finalists(1, (1, 2), "s", event.next_voucher))


def test_the_server_throws_where_the_dice_are_digital_and_nobody_types_in():
    event = digital()
    first, second = event.state.stages[1].groups[0].guests
    for wrong in (FinalThrow(1, first, "666"), FinalThrow(1, first, "666", 2)):
        with pytest.raises(EventRefused) as refused:
            event.play(wrong)
        assert refused.value.code == "event/other_dice"
    for guest, faces in ((first, (6, 5, 4)), (second, (1, 1, 2))):
        event = event.play(digital_throw(event, 1, guest, lambda n, faces=faces: faces[:n]))
    assert results(event.state, 1) == [((first,),)]
    assert [act_to_json(entry.act)["drawn"] for entry in event.log[-2:]] == [1, 1]
    assert replay(entry.act for entry in event.log).state == event.state


def test_a_digital_throw_that_is_taken_back_falls_the_same_way_again():
    event = digital(throws=2)
    first, second = event.state.stages[1].groups[0].guests
    for guest, face in ((first, 1), (second, 2), (first, 3)):
        event = event.play(digital_throw(event, 1, guest, lambda n, face=face: (face,) * n))
    event = event.play(Undo(len(event.log))).play(Undo(len(event.log) - 1))
    again = [FinalThrow(1, second, "222", 1), FinalThrow(1, first, "333", 2), FinalThrow(1, second, "666", 2)]
    for throw in again:
        assert digital_throw(event, 1, throw.guest, lambda n: (6,) * n) == throw
        event = event.play(throw)


def test_a_digital_throw_is_neither_put_right_nor_thrown_by_others():
    event = digital()
    first, second = event.state.stages[1].groups[0].guests
    for number, guest, code in (
        (1, second, "event/not_your_turn"),
        (1, 4, "event/no_finalist"),
        (2, 1, "event/no_stage"),
    ):
        with pytest.raises(EventRefused) as refused:
            digital_throw(event, number, guest, lambda n: (6,) * n)
        assert refused.value.code == code
    event = event.play(FinalThrow(1, first, "111", 1))
    with pytest.raises(EventRefused) as refused:
        event.play(Correct(len(event.log), FinalThrow(1, first, "666")))
    assert refused.value.code == "event/later_impossible"
    with pytest.raises(EventRefused) as refused:
        digital_throw(FINAL, 1, FINAL.state.stages[1].groups[0].guests[0], lambda n: (6,) * n)
    assert refused.value.code == "event/other_dice"


def test_what_a_guest_won_with_is_kept():
    event = event_with(4).play(stage("highest", throws=2)).play(Finalists(1, (1, 2), "s", 1))
    first, second = event.state.stages[1].groups[0].guests
    for guest, faces in ((first, "444123"), (second, "112233"), (first, "444412"), (second, "222213")):
        event = event.play(FinalThrow(1, guest, faces))
    assert [best_throw(event.state, 1, guest) for guest in (first, second)] == ["444412", "112233"]
    summed = event_with(4).play(stage("sum")).play(Finalists(1, (1, 2), "s", 1))
    assert best_throw(summed.state, 1, 1) == ""


def test_finalists_of_a_game_may_be_drawn_again_and_replaced_until_it_begins():
    again = GAME.play(Finalists(1, (1, 2, 4), "t", GAME.next_voucher, tables=(91,)))
    assert set(again.state.tables) == {91}
    event = again.play(Substitute(1, 4, 6))
    assert 6 in event.state.tables[91].seats
    assert results(event.state, 1) == [()]


def test_champions_of_the_tables_are_called_to_the_final():
    event = event_with(8).play(Draw(1, "s", (1, 2))).play(SetStage(1, "final", "sum", ONE))
    assert candidates(event.state, 1) == ()
    for table, seat in ((1, 3), (2, 0)):
        event = event.play(Open(table, f"S{table}")).play(
            CloseTable(table, (Won(seat, "zhuangyuan", 1),), seat, event.next_voucher)
        )
    assert candidates(event.state, 1) == (event.state.tables[1].seats[3], event.state.tables[2].seats[0])
    assert candidates(event.play(stage("sum")).state, 1) == ()


def titled(*titles):
    """Tables whose champions hold their titles with these throws, and the final of S9 with them."""
    event = event_with(2 * len(titles)).play(Draw(1, "s", tuple(range(1, len(titles) + 1))))
    for table, title in enumerate(titles, 1):
        won = (Won(0, "zhuangyuan", 1),)
        event = event.play(CloseTable(table, won, 0, event.next_voucher, how="results", title=title))
    event = event.play(SetStage(1, "final", "highest", ONE, held=True))
    return event.play(Finalists(1, candidates(event.state, 1), "s", event.next_voucher))


def champions(event, *tables):
    return tuple(event.state.tables[table].seats[0] for table in tables)


def test_a_title_that_three_dice_settled_is_below_every_throw_in_the_final_of_titles():
    event = titled("666", "444412", "111")
    assert results(event.state, 1) == [(champions(event, 2),)]
    assert best_throw(event.state, 1, *champions(event, 1)) == "666"
    tied = titled("666", "111")
    due = standing_of(tied.state.stages[1], tied.state.stages[1].groups[0]).due
    assert due is not None
    assert (due.again, due.dice, set(due.among)) == (1, 6, set(champions(tied, 1, 2)))
    with pytest.raises(EventRefused, match="6 dice"):
        tied.play(FinalThrow(1, due.guest, "666"))
    view = stage_view(tied.state, 1)
    assert sorted(one.sum or 0 for one in view.groups[0].throws) == [3, 18]
    assert not any(one.counts for one in view.groups[0].throws)


def test_laps_until_somebody_throws_it():
    assert median_laps(stage("game"), RULES, 10) == 0
    # 561 + 720 of 46,656 throws are a duitang or better: 25 throws until half of all cases
    assert median_laps(stage("highest", target="duitang"), RULES, 5) == 5
    assert median_laps(stage("first-lap"), RULES, 5) == median_laps(stage("first"), RULES, 5) + 1
    assert median_laps(stage("sum", throws=3), RULES, 5) == 3
    two = (FinalPlace(2, "phone", 10_000),)
    assert median_laps(stage("first", two), RULES, 10) > 2 * median_laps(stage("first"), RULES, 10)
    assert median_laps(stage("first", two), RULES, 2) == 1
    assert median_laps(stage("first"), find_sheet("S12"), 1) == 1
    assert median_laps(stage("highest", throws=3), RULES, 10) == median_laps(stage("highest"), RULES, 10) == 6


def test_places_of_finals_stand_among_the_prizes_of_the_event():
    total = by_item(FINAL.state)["phone"]
    assert (total.planned, total.playing) == (1, 1)
    total = by_item(OVER.state)["phone"]
    assert (total.planned, total.playing, total.unwon, total.count.open) == (1, 0, 0, 1)
