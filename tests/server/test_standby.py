"""A running event goes to another machine in one file, and nothing of it is lost."""

import asyncio
import copy
import gzip
import hashlib
import json
import time
from contextlib import suppress

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bobing.adapters.memory import MemoryLog
from bobing.server.standby import unpacked
from bobing.tournament.errors import EventRefused
from cli.test_serve import serving as process
from server.live import line, serving
from server.test_events import OPEN, at_event, get, give_pass, prepared, told
from support.faults import no_faults

WITHIN_S = 60


def call(base, event, what, **body):
    headers = {"authorization": f"Bearer {event['token']}"}
    return httpx.post(f"{base}/api/events/{event['code']}/{what}", json=body, headers=headers, timeout=30)


def take_over(base, data, name="B"):
    return httpx.post(f"{base}/api/events/takeover?machine={name}", content=data, timeout=30)


async def playing(base):
    """An event whose three tables play, with two throws at the first; the token of a device there."""
    event, desk = await prepared(base)
    tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
    assert (await desk.do("open_tables"))["t"] == "ack"
    seated = await tablet.get("seated")
    async with line(base, seated["code"], seated["token"]) as table:
        for seat, roll in ((0, "123456"), (1, "222245")):
            assert (await table.do("do", act={"seat": seat, "roll": roll}))["t"] == "ack"
    return event, desk, seated


def lines_of(data):
    return [json.loads(found) for found in gzip.decompress(data).splitlines()]


def packed(lines):
    return gzip.compress(b"".join(json.dumps(found, ensure_ascii=False).encode() + b"\n" for found in lines))


def test_an_event_goes_on_at_another_machine_within_a_minute_and_nothing_is_lost(tmp_path):
    async def story(first, second):
        event, desk, seated = await playing(first)
        began = time.monotonic()
        async with line(first, seated["code"], seated["token"]) as table:
            before = table.welcome
            data = call(first, event, "handover", to="standby").content
            refusal = await table.do("do", act={"seat": 2, "roll": "111111"})
            assert refusal["code"] == "table/handed_over"
        assert (await desk.act(do="plan", title="Another"))["code"] == "event/not_here"
        assert desk.view["handed_to"] == "standby"
        front = get(f"{first}/api/events/{event['code']}").json()
        assert (front["away"], front["open"]) == (True, False), "who scans the old code hears where it went"
        made = take_over(second, data).json()
        assert made["code"] == event["code"]
        assert get(f"{second}/api/events/{event['code']}").json()["away"] is False
        here = await at_event(second, event["code"], event["token"])
        there = {key: desk.known[key] for key in ("guests", "tables", "vouchers")}
        assert {key: here.known[key] for key in there} == there
        async with line(second, seated["code"], seated["token"]) as table:
            assert table.welcome["view"]["seats"] == before["view"]["seats"]
            assert table.welcome["lines"] == before["lines"]
            assert (await table.do("do", act={"seat": 2, "roll": "112356"}))["t"] == "ack"
        assert (await here.do("close_tables", tables=[1]))["t"] == "ack"
        assert time.monotonic() - began < WITHIN_S
        assert {voucher["tier"] for voucher in here.known["vouchers"].values()} == {"duitang", "sijin", "yixiu"}
        assert (await at_event(second, event["code"], made["token"])).welcome["you"]["role"] == "desk"
        assert (await desk.act(do="plan", title="Another"))["code"] == "event/not_here"

    with process(tmp_path / "a.db") as first, process(tmp_path / "b.db") as second:
        asyncio.run(told(lambda base: story(base, second.address), first.address))


def test_it_comes_back_and_goes_on_where_it_was():
    async def story(first, second):
        event, desk, seated = await playing(first)
        assert take_over(second, call(first, event, "handover", to="B").content).status_code == 200
        there = await at_event(second, event["code"], event["token"])
        assert (await there.act(do="sign_off"))["code"] == "event/table_begun"
        async with line(second, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"seat": 2, "roll": "222245"}))["t"] == "ack"
        back = call(second, event, "handover", to="A").content
        assert take_over(first, back, "A").status_code == 200
        while desk.view.get("handed_to") is not None:
            await desk.get("event_welcome")
        async with line(first, seated["code"], seated["token"]) as table:
            assert table.acts == 3
            assert (await table.do("do", act={"seat": 0, "roll": "112356"}))["t"] == "ack"

    both(story)


def erase_own(base, event, guest):
    token = give_pass(base, event, "guest", guest=guest)
    headers = {"authorization": f"Bearer {token}"}
    url = f"{base}/api/events/{event['code']}/me/leave"
    return httpx.post(url, json={"erase": True}, headers=headers, timeout=30).json()


def test_names_are_erased_where_the_event_goes_on_and_nowhere_by_halves():
    async def story(first, second):
        event, desk, seated = await playing(first)
        sat, standing = desk.known["tables"]["1"]["seats"][0], 10
        assert (await desk.do("enter_guests", guests=[{"name": "Late"}]))["t"] == "ack"
        assert take_over(second, call(first, event, "handover", to="machine B").content).status_code == 200

        async def names():
            fresh = await at_event(first, event["code"], event["token"])
            async with line(first, seated["code"], seated["token"]) as table:
                seats = [seat["name"] for seat in table.welcome["view"]["seats"]]
            return [guest["name"] for guest in fresh.known["guests"].values()], seats

        before = await names()
        refusals = [erase_own(first, event, guest) for guest in (sat, standing)]
        refusals += [await desk.do("erase_guests", guests=guests) for guests in ([], [sat])]
        assert {one["code"] for one in refusals} == {"event/erase_there"}
        assert all("machine B" in words for one in refusals for words in one["words"].values())
        assert await names() == before
        assert "" not in before[0] + before[1]
        for guest in (sat, standing):
            assert erase_own(second, event, guest)["name"] == ""
        assert take_over(first, call(second, event, "handover", to="A").content, "A").status_code == 200
        assert [listed.count("") for listed in await names()] == [2, 1], "what was erased there is gone here too"

    both(story)


def test_the_file_is_given_again_and_taken_once_more_where_the_answer_was_lost():
    async def story(first, second):
        event, desk, _ = await playing(first)
        data = call(first, event, "handover", to="B").content
        assert lines_of(call(first, event, "handover", to="C").content) == lines_of(data)
        codes = [take_over(second, data).json()["code"] for _ in range(2)]
        assert codes == [event["code"]] * 2
        here = await at_event(second, event["code"], event["token"])
        await here.act(do="plan", title="Another")
        assert take_over(second, data).json()["code"] == "event/forked"
        del desk

    both(story)


def test_two_machines_that_both_went_on_are_told_apart():
    async def story(first, second):
        event, desk, _ = await playing(first)
        data = call(first, event, "handover", to="B").content
        assert call(first, event, "takeback").json()["code"] == "event/handed_over"
        assert call(first, event, "takeback", sure=True, machine="A").json() == {"code": event["code"]}
        assert call(first, event, "takeback", sure=True).json()["code"] == "event/is_here"
        assert (await desk.act(do="plan", title="Another"))["t"] == "ack"
        assert take_over(second, data).status_code == 200
        there = call(second, event, "handover", to="A").content
        answer = take_over(first, there)
        assert (answer.status_code, answer.json()["code"]) == (409, "event/forked")
        assert "entry" in answer.json()["detail"]
        assert desk.view.get("handed_to") is None, "nothing has changed here"

    both(story)


def test_a_file_that_is_not_whole_or_not_ours_changes_nothing():
    async def story(first, second):
        event, _, seated = await playing(first)
        data = call(first, event, "handover", to="B").content
        lines = lines_of(data)
        head, own, *tables, end = lines
        stranger = {**tables[0], "stream": "ABCDEFGH"}
        for wrong in (
            b"",
            b"nothing",
            data[:-20],
            data + b"more",
            gzip.compress(b"0" * 10_000_000),
            packed([head, own, *tables[:-1], end]),
            packed([head, own, stranger, *tables[1:], end]),
            packed([{**head, "code": "ABCDEFGH"}, own, *tables, end]),
        ):
            assert take_over(second, wrong).json()["code"] == "event/bad_handover"
        assert get(f"{second}/api/tables/{seated['code']}").status_code == 404

    both(story)


def test_only_the_desk_hands_over():
    async def story(first, second):
        event, _, _ = await playing(first)
        door = {**event, "token": give_pass(first, event, "door")}
        assert call(first, door, "handover").json()["code"] == "table/forbidden"
        assert call(first, door, "takeback", sure=True).json()["code"] == "table/forbidden"
        assert call(second, event, "handover").json()["code"] == "table/closed"

    both(story)


def both(story):
    with no_faults(), serving(log=MemoryLog()) as first, serving(log=MemoryLog()) as second:
        asyncio.run(told(lambda base: story(base, second), first))
    assert not OPEN


@pytest.fixture(scope="module")
def whole():
    """The lines of a file."""
    kept = []

    async def story(base):
        event, _, _ = await playing(base)
        kept.extend(lines_of(call(base, event, "handover", to="B").content))

    with serving(log=MemoryLog()) as base:
        asyncio.run(told(story, base))
    return kept


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}), st.just("{}")
)


def sealed(lines):
    """A file of these lines as if it were right."""
    body = b"".join(json.dumps(found).encode() + b"\n" for found in lines)
    end = json.dumps({"t": "end", "sha256": hashlib.sha256(body).hexdigest()}).encode()
    return gzip.compress(body + end + b"\n", 1)


@pytest.mark.parametrize("bodies", [["[" * 100_000], ['{"act":{"do":"here","guests":[1]},"q":""}'] * 60_000])
def test_a_file_that_is_nested_without_end_or_far_too_long_is_refused_at_once(whole, bodies):
    head, own, *_ = copy.deepcopy(whole[:-1])
    own["entries"][-1:-1] = [[f"k{n}", 1, "desk", body] for n, body in enumerate(bodies)]
    began = time.monotonic()
    with pytest.raises(EventRefused) as info:
        unpacked(sealed([{**head, "streams": 1}, own]), "event/")
    assert info.value.code == "event/bad_handover"
    assert time.monotonic() - began < 10


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_file_of_any_form_is_read_or_refused(whole, data):
    """Changed somewhere, and sealed as if it were right."""
    lines = copy.deepcopy(whole[:-1])
    for _ in range(data.draw(st.integers(1, 3))):
        change(lines, data)
    with suppress(EventRefused):
        found = unpacked(sealed(lines), "event/")
        assert found.room.code == found.event.stream.removeprefix("event/")


def change(lines, data):
    """Something anywhere becomes something else, is gone, or is there twice."""
    at, key = lines, data.draw(st.integers(0, len(lines) - 1))
    while isinstance(at[key], list | dict) and at[key] and data.draw(st.integers(0, 5)):
        at = at[key]
        key = data.draw(st.sampled_from(sorted(at)) if isinstance(at, dict) else st.integers(0, len(at) - 1))
        if isinstance(at[key], str) and at[key].startswith("{") and data.draw(st.booleans()):
            inner = [json.loads(at[key])]
            change(inner, data)
            at[key] = json.dumps(inner[0]) if inner else ""
            return
    if data.draw(st.booleans()):
        at[key] = data.draw(ODD)
    else:
        del at[key]
        if not lines:
            lines.append({})
