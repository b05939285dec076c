"""What does not fit together in an event is said before it starts; ready-made finals fit."""

import pytest

from bobing.core.catalogue import find_sheet
from bobing.tournament.acts import (
    AddGuests,
    AddTable,
    CloseTable,
    Draw,
    Finalists,
    FinalPlace,
    NewGuest,
    SetSession,
    SetStage,
    SetStock,
    Sit,
    StockItem,
    Won,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event
from bobing.tournament.finals import median_laps
from bobing.tournament.findings import faster, finalists_expected, findings
from bobing.tournament.ready import READY, ready_final
from bobing.tournament.stages import results

RULES = find_sheet("S12")


def event(*acts, tables=3, seats=10, guests=0, **more):
    begun = Event().play(SetSession(1, "evening", RULES.to_table(), tables, seats, **more))
    if guests:
        begun = begun.play(AddGuests(1, tuple(NewGuest(1) for _ in range(guests))))
    for act in acts:
        begun = begun.play(act)
    return begun


def found(event):
    return {finding.code: dict(finding.values) for finding in findings(event.state)}


def test_an_event_that_fits_has_nothing_to_say():
    assert found(event(SetStage(1, "", "sum", (FinalPlace(1, "phone"),)), guests=28)) == {}


def test_guests_and_seats_are_compared():
    assert found(event(guests=31))["guests-over-seats"] == {"session": 1, "guests": 31, "seats": 30}
    assert found(event(guests=5))["few-guests"]["least"] == RULES.setup.seats_min
    assert found(event(limit=40))["limit-over-seats"] == {"session": 1, "limit": 40, "seats": 30}
    drawn = event(Draw(1, "s", (1, 2, 3), who="listed"), guests=30)
    assert found(drawn) == {}


def test_what_was_bought_is_compared_with_what_can_be_won():
    stock = SetStock((StockItem("zhuangyuan", 2), StockItem("duitang", 6)))
    short = event(stock, Draw(1, "s", (1, 2, 3), who="listed"), guests=30)
    told = [finding for finding in findings(short.state) if finding.code == "item-short"]
    assert {"item": "zhuangyuan", "bought": 2, "planned": 3} in [finding.values for finding in told]
    assert "duitang" not in [finding.values["item"] for finding in told]
    assert all(finding.serious for finding in told)


def test_places_are_compared_with_finalists():
    few = event(SetStage(1, "", "sum", (FinalPlace(1, "a"), FinalPlace(4, "b"))))
    assert found(few)["places-over-finalists"] == {
        "stage": 1,
        "finalists": 3,
        "groups": 1,
        "places": 5,
        "needed": 5,
        "missing": 2,
    }
    grouped = event(SetStage(1, "", "sum", (FinalPlace(1),), groups=2))
    assert found(grouped)["places-over-finalists"]["groups"] == 2
    assert found(event(SetStage(1, "", "sum", (FinalPlace(3),)), tables=9))["no-last-stage"] == {
        "stage": 1,
        "winners": 3,
    }
    named = event(SetStage(1, "", "sum", (FinalPlace(9, "a"),), source="named"))
    assert found(named) == {}
    assert finalists_expected(named.state, 1) is None


def test_the_last_stage_wants_a_prize():
    bare = event(SetStage(1, "", "sum", (FinalPlace(1),)))
    assert found(bare) == {"no-final-prize": {"stage": 1}}
    assert found(bare.play(SetStage(1, "", "sum", (FinalPlace(1, "car"),)))) == {}
    assert found(event(*ready_final("S6")))["no-final-prize"] == {"stage": 1}, "the sheet prints none"


def test_a_table_without_a_champion_sends_nobody_to_the_final():
    started = champions("444412", "444411").play(SetStage(1, "", "sum", (FinalPlace(2, "a"),)))
    assert (found(started), finalists_expected(started.state, 1)) == ({}, 2)
    nobody = started.play(CloseTable(2, (), None, 10, "results"))
    assert (
        found(nobody)["places-over-finalists"] | {"finalists": 1, "needed": 2, "missing": 1}
        == found(nobody)["places-over-finalists"]
    )
    with pytest.raises(EventRefused, match="needs 2 finalists, 2 in each of its groups, and there are 1") as info:
        nobody.play(Finalists(1, (1,), "s", 20))
    assert info.value.code == "event/too_few_finalists"


def test_a_stage_that_drags_says_so_and_a_faster_one_is_offered():
    slow = SetStage(1, "", "first", (FinalPlace(1, "car"),))
    # 561 of 46,656 throws: 58 until half of all cases, ten laps of six, a quarter of a minute each
    told = found(event(slow, tables=6))["stage-drags"]
    assert told == {"stage": 1, "laps": 10, "minutes": 15, "format": "sum", "faster": 2}
    assert "stage-drags" not in found(event(faster(slow), tables=6))
    assert median_laps(faster(slow), RULES, 6) == 1


def test_stages_of_the_sizes_that_were_used_fit_into_each_other():
    for key, tables in (("88-8-1", 88), ("882-126-9-5-1", 882)):
        started = event(tables=tables)
        for stage in ready_final(key):
            started = started.play(stage)
        assert [finalists_expected(started.state, n) for n in started.state.stages] == [
            int(size) for size in key.split("-")[:-1]
        ]
        assert "places-over-finalists" not in found(started)
        assert "no-last-stage" not in found(started) or key.endswith("-1")


@pytest.mark.parametrize("key", READY)
def test_a_ready_final_can_be_set(key):
    started = event(tables=882)
    for stage in ready_final(key):
        started = started.play(stage)
    assert list(started.state.stages) == list(range(1, len(ready_final(key)) + 1))


def champions(*titles):
    """An event whose tables were closed with these titles; each champion sits at a table of the same number."""
    played = event(tables=len(titles), guests=2 * len(titles))
    for number, title in enumerate(titles, 1):
        played = played.play(AddTable(number, 1)).play(Sit(2 * number - 1, number)).play(Sit(2 * number, number))
        won = (Won(0, "zhuangyuan", 1),)
        played = played.play(CloseTable(number, won, 0, number, "results", title=title))
    return played


def test_the_final_of_s9_goes_to_the_highest_title_and_is_thrown_again_where_two_are_equal():
    (stage,) = ready_final("S9")
    ended = champions("444412", "444411", "444456").play(stage).play(Finalists(1, (1, 3, 5), "s", 10))
    assert results(ended.state, 1) == [((3,),)]
    assert [voucher.item for voucher in ended.state.vouchers.values()][-1] == "500元购物卡"
    tied = champions("444456", "444465").play(stage).play(Finalists(1, (1, 3), "s", 10))
    assert results(tied.state, 1) == [()]


def test_titles_have_to_be_known_where_they_decide():
    (stage,) = ready_final("S9")
    with pytest.raises(EventRefused) as info:
        champions("444412", "").play(stage).play(Finalists(1, (1, 3), "s", 10))
    assert info.value.code == "event/no_title"
    with pytest.raises(EventRefused) as info:
        event(SetStage(1, "", "sum", (FinalPlace(1),), held=True))
    assert info.value.code == "event/one_throw"
