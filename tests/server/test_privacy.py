"""Names and telephone numbers of an event: who sees them, how long they stay, and what stays when they are gone."""

import asyncio
import hashlib
import json
import sqlite3
from contextlib import closing

import pytest

from bobing.adapters import open_log
from bobing.adapters.memory import MemoryLog
from bobing.core.canonical import canonical_json
from bobing.core.catalogue import find_sheet
from bobing.core.record import read_record
from bobing.fairness.verify import verify_record
from bobing.server import dealer, event_views
from bobing.server.event_room import DAY_MS, GIVEN_UP_DAYS, PREFIX, is_to_be_erased, load
from bobing.server.recorded import record_of
from bobing.tournament import acts
from bobing.tournament.acts import act_to_json
from server.live import line, serving
from server.tables import SetClock
from server.test_events import at_event, get, give_pass, new_event, post, prepared, run, told
from server.test_proved_games import evening

PHONE = "13800000001"


async def closed_table(base, event, desk):
    """Table 1 has played: seat 0 threw a dui tang."""
    tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
    await desk.do("open_tables", tables=[1])
    seated = await tablet.get("seated")
    async with line(base, seated["code"], seated["token"]) as table:
        await table.do("add_seat", name="路过")
        await table.do("do", act={"seat": 0, "roll": "123456"})
    await desk.do("close_tables", tables=[1])
    return seated


@pytest.mark.parametrize("role", ["door", "prizes", "referee", "hall", "table"])
def test_no_role_but_the_desk_gets_whole_numbers(role):
    async def story(base):
        event, desk = await prepared(base)
        token = give_pass(base, event, role, **({"table": 1} if role == "table" else {}))
        there = await at_event(base, event["code"], token)
        url = f"{base}/api/events/{event['code']}/export/guests"
        mine = get(url, headers={"authorization": f"Bearer {token}"})
        assert mine.status_code == (200 if role == "prizes" else 403)
        await desk.do("name_guest", guest=1, name="客1", phone=PHONE)
        await there.get("event_news")
        said = json.dumps([there.welcome, there.known, desk.welcome, desk.known]) + mine.text
        assert PHONE[3:] not in said
        whole = get(url, headers={"authorization": f"Bearer {event['token']}"}).text
        assert PHONE in whole

    run(story)


def test_a_guest_is_deleted_at_once_and_every_hash_and_voucher_stays(tmp_path):
    """Also the digest of the command that named them, and the file itself, tell nothing any more."""
    path = tmp_path / "events.db"
    kept = {}

    async def story(base):
        event, desk = await prepared(base)
        assert (await desk.do("enter_guests", guests=[{"name": "Nightingale", "phone": "13899990000"}]))["t"] == "ack"
        seated = await closed_table(base, event, desk)
        kept.update(event=event, table=seated["code"], before=await entries(log, event, seated))
        winner = desk.known["tables"]["1"]["seats"][0]
        kept["name"] = desk.known["guests"][str(winner)]["name"]
        assert (await desk.do("erase_guests", guests=[winner, 10]))["t"] == "ack"
        assert desk.known["guests"][str(winner)]["name"] == ""
        assert desk.known["vouchers"]["1"]["guest"] == winner
        async with line(base, seated["code"], seated["token"]) as table:
            seats = table.welcome["view"]["seats"]
            assert (seats[0]["name"], seats[0]["guest"]) == ("", winner), "called by the number, as everywhere"
            assert (seats[1]["name"] != "", seats[1].get("guest")) == (True, None)
        kept["after"] = await entries(log, event, seated)

    async def entries(log, event, seated):
        return [await log.read(stream) for stream in (PREFIX + event["code"], seated["code"])]

    log = open_log(f"sqlite:///{path}")
    with serving(log=log) as base:
        asyncio.run(told(story, base))
    assert kept["before"] == kept["after"]
    assert not [one for one in log_texts(kept["after"]) if "客" in one or "Nightingale" in one or "路过" in one]
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    assert "客2".encode() in data
    assert b"Nightingale" not in data
    assert b"13899990000" not in data


def log_texts(streams):
    return [entry.body.decode() for entries in streams for entry in entries]


def test_nobody_can_try_names_on_what_stays_in_the_log():
    """The digest of a command with names is keyed, and the key goes with the names."""

    async def story(base):
        event, desk = await prepared(base)
        named = {"guests": [{"name": "Nightingale", "phone": PHONE}], "how": "desk"}
        cmd = "command-with-names"
        await desk.do("enter_guests", cmd=cmd, at=3, **named)
        stream = PREFIX + event["code"]
        (entry,) = [one for one in await log.read(stream) if one.cmd.endswith(cmd)]
        digest = json.loads(entry.body)["q"]
        plain = canonical_json({"t": "enter_guests", "cmd": cmd, "at": 3, **named})
        assert digest != hashlib.sha256(plain).hexdigest()[:32]
        again = await desk.do("enter_guests", cmd=cmd, at=3, **named)
        assert again["n"] == entry.n
        other = await desk.do("enter_guests", cmd=cmd, at=3, guests=[{"name": "Sparrow"}], how="desk")
        assert other["code"] == "table/other_body"
        key = await log.secret(stream, "asked")
        await desk.do("erase_guests", guests=[10])
        assert key not in (None, await log.secret(stream, "asked"))

    log = MemoryLog()
    with serving(log=log) as base:
        asyncio.run(told(story, base))


def event_of(*played, keep_days=30):
    bodies = [{"act": act_to_json(act)} for act in (acts.Plan("x", keep_days=keep_days), *played)]
    return load("AAAAAAAA", bodies, {})


def begun(*more, keep_days=30):
    rules = find_sheet("S12").to_table()
    people = acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(6)))
    drawn = acts.Draw(1, "x", (1,), who="listed")
    opened = [acts.SetSession(1, "x", rules, 1), people, drawn, acts.Open(1, "stream")]
    return event_of(*opened, *more, keep_days=keep_days)


def closed():
    return acts.CloseTable(1, (), None, 1, how="results")


@pytest.mark.parametrize(
    ("event", "days"),
    [
        (begun(), 30),
        (begun(closed()), 30),
        (begun(closed(), acts.SignOff()), 30),
        (begun(closed(), acts.SignOff(), keep_days=7), 7),
        (begun(closed(), acts.SignOff(), keep_days=0), 0),
        (begun(keep_days=0), 1),
        (event_of(), GIVEN_UP_DAYS),
    ],
)
def test_how_long_guests_are_kept(event, days):
    assert is_to_be_erased(event, days * DAY_MS)
    assert not is_to_be_erased(event, days * DAY_MS - 1)


@pytest.mark.parametrize("handed_over", [False, True])
def test_guests_are_deleted_thirty_days_after_the_event_and_results_stay(handed_over):
    """Also where the event went on at another machine, whose names it gave away."""
    log, clock = MemoryLog(), SetClock()
    kept = {}

    async def before(base):
        kept["event"], desk = await prepared(base)
        kept["seated"] = await closed_table(base, kept["event"], desk)
        kept["vouchers"] = desk.known["vouchers"]
        if handed_over:
            headers = {"authorization": f"Bearer {kept['event']['token']}"}
            url = f"{base}/api/events/{kept['event']['code']}/handover"
            assert post(url, json={"to": "B"}, headers=headers).status_code == 200

    async def after(base):
        desk = await at_event(base, kept["event"]["code"], kept["event"]["token"])
        kept["names"] = {guest["name"] for guest in desk.known["guests"].values()}
        assert desk.known["vouchers"] == kept["vouchers"]
        async with line(base, kept["seated"]["code"], kept["seated"]["token"]) as table:
            kept["names"] |= {seat["name"] for seat in table.welcome["view"]["seats"]}

    async def forgotten(base):
        while kept["names"] != {""}:
            await after(base)

    def go(story):
        log._closed = False
        with serving(log=log, clock=clock) as base:
            asyncio.run(told(story, base))

    go(before)
    clock.ms += 30 * DAY_MS - 1
    go(after)
    assert "客1" in kept["names"]
    clock.ms += 1
    go(forgotten)


def test_every_throw_is_proved_after_the_names_are_gone(monkeypatch):
    monkeypatch.setattr(dealer, "LINK_MS", 5)

    async def story():
        play = await evening(7, 40)
        named = b"".join(record_of(play.room))
        await play.host.forget(play.code, {0: 5, 1: None, 2: 7})
        return named, b"".join(record_of(play.room)), play.room

    named, nameless, room = asyncio.run(story())
    assert (named.count(b'"name"'), nameless.count(b'"name"')) == (room.seat_count, room.seat_count - 3)
    before, after = (verify_record(read_record(data.splitlines(keepends=True))) for data in (named, nameless))
    assert after.sound
    assert (len(after.throws), after.faults) == (len(before.throws), before.faults)
    hashes = {read_record(data.splitlines(keepends=True)).last_hash for data in (named, nameless)}
    assert hashes == {room.receipt}
    assert [room.guest(seat) for seat in range(3)] == [5, None, 7]


def registering(base, event, **guest):
    answer = post(f"{base}/api/events/{event['code']}/guests", json=guest)
    return answer.json()


def mine(base, event, token):
    headers = {"authorization": f"Bearer {token}"}
    return get(f"{base}/api/events/{event['code']}/me", headers=headers).json()


def leave(base, event, token, **leaving):
    headers = {"authorization": f"Bearer {token}"}
    return post(f"{base}/api/events/{event['code']}/me/leave", json=leaving, headers=headers).json()


def test_the_page_of_a_guest_says_that_the_event_is_over():
    rules = find_sheet("S12").to_table()
    evening = [acts.SetSession(1, "evening", rules, tables=1), acts.AddGuests(1, (acts.NewGuest(1),)), acts.SignOff()]
    before, after = (load("AAAAAAAA", [{"act": act_to_json(act)} for act in evening[:n]], {}) for n in (2, 3))
    assert [event_views.mine(room, 1).over for room in (before, after)] == [False, True]


def test_a_guest_who_never_sat_down_is_deleted_after_the_event_is_signed_off_too():
    async def story(base):
        event, desk = await prepared(base)
        assert (await desk.do("enter_guests", guests=[{"name": "Late"}]))["t"] == "ack"
        token = give_pass(base, event, "guest", guest=10)
        assert (await desk.act(do="sign_off"))["t"] == "ack"
        assert leave(base, event, token)["code"] == "event/signed_off"
        assert leave(base, event, token, erase=True)["name"] == ""

    run(story)


def test_a_guest_registers_has_a_page_and_is_deleted_on_demand():
    async def story(base):
        event, desk = await prepared(base)
        choice = {"sheet": "S12", "house": {}}
        setting = {"session": 1, "name": "晚场", "choice": choice, "tables": 3, "seats": 4, "limit": 10}
        await desk.do("session_settings", **setting)
        front = get(f"{base}/api/events/{event['code']}").json()
        free = {"name": "晚场", "free": 1, "waiting": 0, "household": False}
        assert front == {"title": "Moon", "open": True, "away": False, "sessions": {"1": free}, "keep_days": 30}
        cmd = "a-command-of-a-phone"
        one = registering(base, event, name="An", phone=PHONE, cmd=cmd)
        again = registering(base, event, name="An", phone=PHONE, cmd=cmd)
        assert (one["guest"], again["guest"], one["status"]) == (10, 10, "listed")
        assert registering(base, event, name="An", phone=PHONE)["code"] == "event/registered_already"
        two = registering(base, event, name="Ben")
        three = registering(base, event, name="Cy")
        assert [(two["status"], two["before"]), (three["status"], three["before"])] == [("waiting", 0), ("waiting", 1)]
        page = mine(base, event, one["token"])
        assert (page["guest"], page["name"], page["table"], page["limited"]) == (10, "An", None, True)
        assert PHONE not in json.dumps(page)
        left = leave(base, event, again["token"], erase=True)
        assert (left["status"], left["name"]) == ("withdrawn", "")
        kept = mine(base, event, one["token"])
        assert (kept["guest"], kept["name"], kept["status"]) == (10, "", "withdrawn"), "the page says what still holds"
        assert mine(base, event, two["token"])["status"] == "listed"
        assert mine(base, event, event["token"])["code"] == "table/unknown_token"
        for any_number in (0, None):
            await desk.do("session_settings", **setting | {"limit": any_number})
            assert mine(base, event, three["token"])["status"] == "listed"
            assert mine(base, event, three["token"])["limited"] is False
            assert get(f"{base}/api/events/{event['code']}").json()["sessions"]["1"]["free"] is None
        await desk.do("registration", open=False)
        assert registering(base, event, name="Di")["code"] == "event/registration_closed"
        assert not get(f"{base}/api/events/{event['code']}").json()["open"]

    run(story)


def test_one_of_each_household_registers():
    async def story(base):
        event, desk = await prepared(base)
        choice = {"sheet": "S12", "house": {}}
        setting = {"session": 2, "name": "x", "choice": choice, "tables": 3, "seats": 4, "household": True}
        await desk.do("session_settings", **setting)
        assert registering(base, event, name="An", session=2)["code"] == "event/household_needed"
        assert registering(base, event, name="An", session=2, household="3-501")["status"] == "listed"
        assert registering(base, event, name="Ben", session=2, household="3-501")["code"] == "event/household"

    run(story)


def test_a_guest_sees_the_seat_and_the_prizes():
    async def story(base):
        event, desk = await prepared(base)
        await closed_table(base, event, desk)
        seats = desk.known["tables"]["1"]["seats"]
        door = {"token": give_pass(base, event, "door"), "code": event["code"]}
        page = mine(base, event, give_pass(base, door, "guest", guest=seats[0]))
        assert (page["table"], page["seat"], page["playing"]) == (1, 0, "closed")
        assert [(prize["voucher"], prize["state"], prize["prize"]["zh-Hans"]) for prize in page["prizes"]] == [
            (1, "open", "对堂")
        ]
        await desk.act(do="hand", vouchers=[1], desk="A")
        assert mine(base, event, give_pass(base, event, "guest", guest=seats[0]))["prizes"][0]["state"] == "handed"

    run(story)


def test_an_event_that_nobody_set_up_takes_no_guests():
    async def story(base):
        event = new_event(base)
        assert not get(f"{base}/api/events/{event['code']}").json()["open"]

    run(story)
