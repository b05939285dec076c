"""Links of an event in wrong hands, guests who move and come back, and a referee who looked at another throw."""

import asyncio
import json
import logging
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from bobing.adapters.memory import MemoryLog
from bobing.core.catalogue import find_sheet
from bobing.ports import NewEntry
from bobing.server.desk import Desk
from bobing.server.event_room import DAY_MS, PREFIX, EventDecision
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.tournament import acts
from bobing.wire import event_messages as wire
from server.live import line, new_table, serving
from server.tables import SetClock
from server.test_events import at_event, give_pass, opened, prepared, run, told
from server.test_standby import call, lines_of, sealed, take_over
from support.dice import ScriptedDice

TWO = {"dice": "real", "confirm": "two", "joining": "closed"}


async def last_word(there):
    """What a connection hears last."""
    said = {"why": ""}
    with suppress(ConnectionClosed):
        while True:
            said = await there.get()
    return said["why"]


def exported(base, event, token):
    url = f"{base}/api/events/{event['code']}/export/prizes"
    return httpx.get(url, headers={"authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize("role", ["door", "prizes", "referee", "hall"])
def test_all_links_of_a_post_end_at_once_and_no_other(role):
    async def story(base):
        event, desk = await prepared(base)
        other = "door" if role != "door" else "prizes"
        stolen, kept = give_pass(base, event, role), give_pass(base, event, other)
        thief, stays = await at_event(base, event["code"], stolen), await at_event(base, event["code"], kept)
        assert (await stays.do("end_links", role=role))["code"] == "table/forbidden"
        assert (await desk.do("end_links", role=role))["t"] == "ack"
        assert await last_word(thief) == "revoked"
        assert exported(base, event, stolen) == 401
        assert (await stays.act(do="here", guests=[1])).get("code") != "table/unknown_token"
        assert (await at_event(base, event["code"], give_pass(base, event, role))).welcome["you"]["role"] == role
        for wrong in ({"role": "table"}, {"role": role, "table": 1}):
            assert (await desk.do("end_links", **wrong))["code"] == "table/no_seat"

    run(story)


def test_of_the_desk_that_one_stays_which_ends_the_others():
    async def story(base):
        event, desk = await prepared(base)
        stolen = give_pass(base, event, "desk")
        thief, tab = await at_event(base, event["code"], stolen), await at_event(base, event["code"], event["token"])
        assert (await desk.do("end_links", role="desk"))["t"] == "ack"
        assert await last_word(thief) == "revoked"
        assert (exported(base, event, stolen), exported(base, event, event["token"])) == (401, 200)
        for here in (desk, tab):
            assert (await here.act(do="here", guests=[1]))["t"] == "ack"

    run(story)


def test_the_device_of_a_table_is_ended_at_its_game_too_and_a_new_one_goes_on():
    async def story(base):
        event, desk, (one, two, _) = await opened(base)
        card = give_pass(base, event, "table", table=1)
        async with line(base, one["code"], one["token"]) as lost, line(base, two["code"], two["token"]) as other:
            assert (await lost.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            assert (await desk.do("end_links", role="table", table=1))["t"] == "ack"
            assert await last_word(lost) == "revoked"
            assert (await other.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
        assert exported(base, event, card) == 401
        fresh = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        seated = await fresh.get("seated")
        async with line(base, seated["code"], seated["token"]) as device:
            assert device.acts == 1
            assert (await device.do("do", act={"seat": 1, "roll": "112356"}))["t"] == "ack"

    run(story)


def test_a_guest_who_went_to_another_table_comes_back_by_the_desk_and_plays_at_one_alone():
    async def story(base):
        _, desk, (one, two, _) = await opened(base)
        guest = desk.known["tables"]["1"]["seats"][0]
        async with line(base, one["code"], one["token"]) as first, line(base, two["code"], two["token"]) as second:

            async def away(table, seat, wanted):
                while len(table.view["seats"]) <= seat or bool(table.view["seats"][seat].get("away")) is not wanted:
                    await table.get()

            assert (await first.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            assert (await desk.act(do="sit", guest=guest, table=2))["t"] == "ack"
            await away(first, 0, wanted=True)
            await away(second, 3, wanted=False)
            assert (await first.do("do", act={"seat": 0, "back": True}))["code"] == "table/sits_elsewhere"
            leaving = first.acts
            assert (await first.do("do", act={"undo": leaving}))["t"] == "ack"
            await away(first, 0, wanted=True)  # the event has it so
            assert (await desk.act(do="sit", guest=guest, table=1))["t"] == "ack"
            await away(first, 0, wanted=False)
            await away(second, 3, wanted=True)
            assert (await second.do("do", act={"seat": 3, "back": True}))["code"] == "table/sits_elsewhere"
            assert desk.known["guests"][str(guest)]["table"] == 1

    run(story)


def test_what_is_taken_back_of_a_move_holds_at_the_table_too():
    async def story(base):
        event, desk = await prepared(base)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        assert (await desk.do("open_tables", tables=[1]))["t"] == "ack"
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            guest = desk.known["tables"]["1"]["seats"][0]
            assert (await desk.act(do="sit", guest=guest, table=2))["t"] == "ack"
            while not table.view["seats"][0].get("away"):
                await table.get("news")
            assert (await desk.act(do="undo", n=desk.n))["t"] == "ack"
            while table.view["seats"][0].get("away"):
                await table.get("news")

    run(story)


def test_a_referee_confirms_the_throw_that_was_looked_at_and_no_other():
    async def story(base):
        event, desk = await prepared(base)
        choice = {"sheet": "S12", "house": {}}
        told = {"session": 1, "name": "x", "choice": choice, "tables": 3, "seats": 4, "settings": TWO}
        assert (await desk.do("session_settings", **told))["t"] == "ack"
        referee = await at_event(base, event["code"], give_pass(base, event, "referee"))
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        assert (await desk.do("open_tables", tables=[1]))["t"] == "ack"
        seated = await tablet.get("seated")

        async def claim(roll):
            while (referee.known["board"].get("1", {}).get("claim") or {}).get("roll") != roll:
                await referee.get("board")
            return referee.known["board"]["1"]["claim"]["n"]

        async with line(base, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"seat": 0, "roll": "444411"}))["t"] == "ack"
            seen = await claim("444411")
            assert (await desk.act(do="sit", guest=desk.known["tables"]["1"]["seats"][0], table=2))["code"] == (
                "event/unconfirmed"
            )
            assert (await table.do("confirm", yes=False))["t"] == "ack"
            assert (await table.do("do", act={"seat": 0, "roll": "666661"}))["t"] == "ack"
            stale = await referee.do("confirm_throw", table=1, yes=True, claim=seen)
            assert stale["code"] == "table/stale"
            assert table.view.get("title") is None
            now = await claim("666661")
            assert (await referee.do("confirm_throw", table=1, yes=True, claim=now))["t"] == "ack"
            while table.view.get("title") is None:
                await table.get("news")

    run(story)


class Stepped(SetClock):
    """A clock whose wall time somebody has set."""

    ahead = 0

    def wall_ms(self):
        return super().wall_ms() + self.ahead


async def begun(desk):
    """An event whose only table has played, with a name on its list."""
    code = (await desk.make(wire.NewEvent("Moon"))).code
    rules = find_sheet("S12").to_table()
    people = acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(6)))
    played = [
        acts.SetSession(1, "x", rules, 1),
        people,
        acts.Draw(1, "x", (1,), who="listed"),
    ]
    played.append(acts.CloseTable(1, (), None, 1, how="results"))
    decision = EventDecision(played, {"guest/1/name": "Nightingale"})
    await desk.store(await desk.event(code), decision, f"begin.{code}", "desk", "")
    return PREFIX + code


def in_a_process(log, clock, story):
    desk = Desk(Host(log, ScriptedDice(), clock, Metrics()))
    return asyncio.run(story(desk))


def test_a_clock_that_is_set_forward_erases_nobody_while_people_work():
    log, clock = MemoryLog(), Stepped()

    async def story(desk):
        stream = await begun(desk)
        clock.ahead = 400 * DAY_MS
        found = []
        for days in (0, 0, 29, 2):
            clock.ms += days * DAY_MS
            await desk.erasing.tidy()
            found.append(len(await log.notes(stream)))
        return found

    assert in_a_process(log, clock, story) == [1, 1, 1, 0]


def test_an_event_that_cannot_be_read_keeps_nobody_elses_names(caplog):
    """Names of events that were over long ago go, whatever is the matter with another."""
    log, clock = MemoryLog(), SetClock()

    async def story(desk):
        streams = sorted([await begun(desk), await begun(desk)])
        await log.append(streams[0], 5, [NewEntry("k", clock.wall_ms(), "desk", b'{"act":{"do":"nonsense"},"q":""}')])
        return streams

    async def later(desk):
        await desk.erasing.tidy()
        return [len(await log.notes(stream)) for stream in streams]

    streams = in_a_process(log, clock, story)
    clock.ms += 31 * DAY_MS
    with caplog.at_level(logging.ERROR):
        assert in_a_process(log, clock, later) == [1, 0]
    (said,) = (record.getMessage() for record in caplog.records if record.name == "bobing.erasing")
    assert streams[0] in said
    assert "Nightingale" not in said


def test_no_file_makes_a_table_of_ours_one_of_another_event():
    """A table that has only been opened is known word for word to whoever reads its rules."""

    async def story(first, second):
        event, _ = await prepared(first)
        code, token = new_table(second, "A", "B")
        data = call(first, event, "handover", to="B").content
        head, own, *_ = lines_of(data)
        log = logs[1]
        entries = [[one.cmd, one.at, one.actor, one.body.decode()] for one in await log.read(code)]
        opening = {"act": {"do": "open", "stream": code, "table": 1}, "q": ""}
        own["entries"].insert(-1, ["open.x", 1, "desk", json.dumps(opening)])
        table = {"t": "stream", "stream": code, "entries": entries, "notes": {"event": head["code"]}}
        whole = [{**head, "streams": 2}, own, {**table, "secrets": {}, "grants": []}]
        assert take_over(second, sealed(whole)).json()["code"] == "event/forked"
        async with line(second, code, token) as host:
            assert host.welcome["you"]["role"] == "host"

    logs = [MemoryLog(), MemoryLog()]
    with serving(log=logs[0]) as first, serving(log=logs[1]) as second:
        asyncio.run(told(lambda base: story(base, second), first))
