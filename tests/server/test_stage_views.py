"""A stage of the final as all see it: what each throw is worth, who leads, who throws again, what it is called."""

import pytest

from bobing.core.catalogue import find_sheet
from bobing.i18n import LANGUAGES
from bobing.server.event_papers import PAPERS, Order
from bobing.server.event_room import EventRoom
from bobing.server.event_views import at_event
from bobing.server.stage_views import stage_name, stage_view
from bobing.tournament.acts import (
    AddGuests,
    Finalists,
    FinalPlace,
    FinalThrow,
    NewGuest,
    Scratch,
    SetSession,
    SetStage,
)
from bobing.tournament.event import Event
from bobing.tournament.ready import READY, ready_final

ONE = (FinalPlace(1),)


def started(*stages, guests=3):
    event = Event().play(SetSession(1, "evening", find_sheet("S12").to_table(), tables=2))
    event = event.play(AddGuests(1, (NewGuest(1),) * guests))
    for stage in stages:
        event = event.play(stage)
    return event


def thrown(stage, *faces, guests=3):
    """The group after these throws, and its guests in the order of play."""
    event = started(stage, guests=guests)
    event = event.play(Finalists(1, tuple(range(1, guests + 1)), "s", 1, (9,) if stage.format == "game" else ()))
    for one in faces:
        due = stage_view(event.state, 1).groups[0].due
        assert due is not None
        event = event.play(FinalThrow(1, due, one) if one else Scratch(1, due))
    view = stage_view(event.state, 1)
    return view, view.groups[0], view.groups[0].guests


def test_a_sum_is_told_with_who_leads_who_is_next_and_who_throws_again():
    stage = SetStage(1, "", "sum", ONE, source="named")
    _, group, (a, b, c) = thrown(stage, "654", "222")
    assert [(one.guest, one.sum, one.again, one.counts) for one in group.throws] == [(a, 15, 0, True), (b, 6, 0, True)]
    assert (group.due, group.next, group.ahead, group.again) == (c, None, [a], 0)
    _, tied, _ = thrown(stage, "654", "222", "654")
    assert (tied.due, tied.next, tied.tied, tied.ahead, tied.again) == (a, c, [a, c], [], 1)
    _, later, _ = thrown(stage, "654", "222", "654", "111")
    assert (later.due, later.ahead, later.throws[-1].again) == (c, [a], 1)
    _, over, _ = thrown(stage, "654", "222", "654", "111", "222")
    assert (over.due, over.places, over.ahead, over.tied) == (None, [[c]], [], [])


def test_of_several_throws_the_one_that_counts_is_marked_with_its_hand_in_words():
    stage = SetStage(1, "", "highest", ONE, source="named", throws=2)
    view, group, (a, b) = thrown(stage, "444412", "123456", "444423", guests=2)
    assert [(one.guest, one.hand, one.counts) for one in group.throws] == [
        (a, "sihong 3", False),
        (b, "duitang", False),
        (a, "sihong 5", True),
    ]
    assert view.hands["sihong 5"]["zh-Hans"] == "四红带5点", "what breaks the tie is said"
    assert view.hands["duitang"]["zh-Hant"] == "對堂"
    assert set(view.hands) == {"sihong 3", "sihong 5", "duitang"}
    assert group.ahead == [a]


def test_places_that_are_certain_stand_there_while_others_are_thrown_for():
    stage = SetStage(1, "", "first", (FinalPlace(1), FinalPlace(1)), source="named")
    _, group, (a, b, c) = thrown(stage, "444423")
    assert (group.due, group.next, group.places) == (b, c, [[a]])


def test_who_left_is_not_next():
    stage = SetStage(1, "", "sum", ONE, source="named", throws=2)
    _, group, (a, b, c) = thrown(stage, "111", "", "222")
    assert [one.faces for one in group.throws] == ["111", None, "222"]
    assert (group.due, group.next) == (a, c)
    assert b not in group.ahead


def test_a_stage_without_a_typed_name_is_called_by_what_it_is_in_each_language():
    one = started(SetStage(1, "", "sum", ONE, source="named")).state
    assert [stage_name(one, 1, lang) for lang in LANGUAGES] == ["总决赛", "總決賽", "The final"]
    two = started(*ready_final("88-8-1"))
    assert [stage_name(two.state, number, "zh-Hans") for number in (1, 2)] == ["决赛第 1 轮", "总决赛"]
    assert stage_view(two.state, 1).called["en"] == "Final, round 1"
    typed = started(SetStage(1, "王中王", "sum", ONE, source="named")).state
    assert stage_view(typed, 1).called == dict.fromkeys(LANGUAGES, "王中王")


@pytest.mark.parametrize("key", READY)
def test_a_ready_final_stores_no_words_of_a_language(key):
    assert {stage.name for stage in ready_final(key)} == {""}


def room_of(event, names=("甲", "乙", "丙")):
    return EventRoom("ABCD2345", len(event.log), event, {f"guest/{n}/name": name for n, name in enumerate(names, 1)})


def honours(event, lang):
    _, fill = PAPERS["certificates"]
    return [one["what"] for one in fill(room_of(event), Order(lang))["certificates"]]


def test_a_certificate_says_what_was_won():
    event = started(SetStage(1, "", "sum", ONE, source="named")).play(Finalists(1, (1, 2), "s", 1))
    for faces in ("111", "222"):
        due = stage_view(event.state, 1).groups[0].due
        assert due is not None
        event = event.play(FinalThrow(1, due, faces))
    assert [honours(event, lang) for lang in LANGUAGES] == [["总决赛状元"], ["總決賽狀元"], ["The final: champion"]]
    more = event.play(SetStage(2, "", "sum", ONE, source="stage"))
    assert honours(more, "zh-Hans") == ["决赛第 1 轮第一名"], "the final is not thrown yet"


def test_the_devices_of_a_final_hear_its_name_in_each_language():
    event = started(SetStage(1, "", "game", ONE, source="named"))
    event = event.play(Finalists(1, (1, 2, 3), "s", 1, (9,)))
    assert at_event(room_of(event), 9).stage["en"] == "The final"
