"""The devices of an event's tables: what they may not do, and what they are told of the event."""

import pytest

from bobing.adapters.system import SystemClock
from server.live import line
from server.test_events import at_event, get, give_pass, post, prepared, run


class Later(SystemClock):
    """A clock that is so many minutes ahead."""

    minutes = 0

    def wall_ms(self):
        return super().wall_ms() + self.minutes * 60_000


TWO = {"dice": "real", "confirm": "two", "joining": "closed"}
MINUTES = {"ending": {"minutes": 45}}


async def session(desk, settings=TWO, house=None):
    choice = {"sheet": "S12", "house": house or {}}
    told = await desk.do(
        "session_settings", session=1, name="晚场", choice=choice, tables=3, seats=4, settings=settings
    )
    assert told["t"] == "ack", told


async def begun(base, house=None):
    """An event whose table 1 has begun, its desk, and the right of its device."""
    event, desk = await prepared(base)
    await session(desk, house=house)
    tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
    assert (await desk.do("open_tables", tables=[1]))["t"] == "ack"
    return event, desk, await tablet.get("seated")


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        ("set_settings", {"settings": TWO | {"confirm": "none"}}, "table/of_event"),
        ("set_settings", {"settings": TWO | {"joining": "open"}}, "table/of_event"),
        ("set_settings", {"settings": TWO | {"absent": "skip", "absent_s": 15}}, "table/of_event"),
        ("set_settings", {"settings": TWO | {"alarm": True}}, "table/of_event"),
        ("set_settings", {"settings": TWO | {"dice": "digital"}}, "table/of_event"),
        ("do", {"act": {"close": True}}, "table/of_event"),
        ("do", {"act": {"correct": 1, "act": {"close": True}}}, "table/of_event"),
        ("do", {"act": {"time_up": True}}, "table/event_time"),
        ("do", {"act": {"correct": 1, "act": {"time_up": True}}}, "table/event_time"),
        ("rename_seat", {"seat": 0, "name": "别人"}, "table/of_event"),
        ("rematch", {"code": "23456789"}, "table/of_event"),
        ("begin", {}, "table/begun"),
        ("set_rules", {"rules": {"sheet": "S9"}}, "table/begun"),
        ("remove_seat", {"seat": 0}, "table/begun"),
        ("move_seat", {"seat": 0, "to": 1}, "table/begun"),
        ("set_settings", {"settings": TWO | {"speed": 3}}, None),
        ("do", {"act": {"seat": 1, "leave": True}}, None),
        ("free_seat", {"seat": 0}, None),
    ],
)
def test_the_device_of_a_table_decides_nothing_that_is_the_events(kind, values, code):
    async def story(base):
        _, _, seated = await begun(base, MINUTES)
        async with line(base, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            before = table.n
            told = await table.do(kind, **values)
            assert told.get("code") == code, told
            assert (table.n == before) or code is None

    run(story)


def test_the_minutes_of_a_table_count_from_its_first_throw():
    clock = Later()

    async def story(base):
        _, _, seated = await begun(base, MINUTES)
        clock.minutes = 46  # the table waited for its guests so long
        async with line(base, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"time_up": True}))["code"] == "table/event_time"
            assert (await table.do("do", act={"seat": 0, "leave": True}))["t"] == "ack"
            assert (await table.do("do", act={"seat": 1, "spill": True}))["t"] == "ack"
            clock.minutes = 46 + 44
            assert (await table.do("do", act={"time_up": True}))["code"] == "table/event_time"
            clock.minutes = 46 + 45
            assert (await table.do("do", act={"time_up": True}))["t"] == "ack"

    run(story, clock=clock)


def test_a_guest_is_named_in_what_is_refused_and_it_is_said_once():
    async def story(base):
        _, desk = await prepared(base)
        await desk.do("name_guest", guest=3, name="小明")
        stage = {"do": "stage", "stage": 1, "name": "", "format": "sum", "source": "named", "places": [{"count": 1}]}
        assert (await desk.act(**stage))["t"] == "ack"
        assert (await desk.act(do="finalists", stage=1, guests=[3, 4], seed="s", vouchers=1))["t"] == "ack"
        due = desk.view["stages"]["1"]["groups"][0]["due"]
        other = 7 - due
        refused = (await desk.act(do="final", stage=1, guest=other, faces="123"))["words"]
        one, two = ("小明（3 号）", desk.known["guests"]["4"]["name"] + "（4 号）")
        first, last = (one, two) if due == 3 else (two, one)
        assert refused["zh-Hans"] == f"现在该{first}掷，不是{last}"
        assert "小明 (3)" in refused["en"]
        again = (await desk.act(do="substitute", stage=1, out=3, guest=4))["words"]
        assert again["zh-Hans"] == f"{two}已经在这一轮里"

    run(story)


def test_who_sat_down_by_themselves_can_be_renamed_at_the_table():
    async def story(base):
        _, _, seated = await begun(base)
        async with line(base, seated["code"], seated["token"]) as table:
            await table.do("add_seat", name="路人")
            assert (await table.do("rename_seat", seat=3, name="邻居"))["t"] == "ack"

    run(story)


def test_what_the_desk_changes_of_a_session_or_a_name_holds_at_tables_that_play():
    async def story(base):
        _, desk, seated = await begun(base)
        guest = desk.known["tables"]["1"]["seats"][0]
        async with line(base, seated["code"], seated["token"]) as table:
            await table.do("set_settings", settings=TWO | {"speed": 3})
            await session(desk, {"dice": "digital", "confirm": "none", "absent": "skip", "absent_s": 60})
            while table.view["settings"].get("confirm") != "none":
                await table.get("news")
            assert table.view["settings"] == {
                "dice": "real", "confirm": "none", "joining": "closed", "absent": "skip", "absent_s": 60, "speed": 3
            }  # fmt: skip
            assert (await desk.do("name_guest", guest=guest, name="改名"))["t"] == "ack"
            while table.view["seats"][0]["name"] != "改名":
                await table.get("news")

    run(story)


def test_a_device_is_told_its_event_and_what_became_of_it_when_the_desk_closes_the_table():
    async def story(base):
        event, desk, seated = await begun(base)
        async with line(base, seated["code"], seated["token"]) as table:
            first = await table.get("at_event")
            assert first == {"t": "at_event", "event": event["code"], "title": "Moon", "table": 1}
            assert (await table.do("do", act={"seat": 0, "roll": "222256"}))["t"] == "ack"
            assert (await desk.do("close_tables", tables=[1]))["t"] == "ack"
            closed = await table.get("at_event")
            assert (closed["closed"], closed["early"]) == (True, True)
            (won,) = closed["prizes"]
            assert (won["voucher"], won["seat"], won["state"]) == (1, 0, "open")
            assert won["prize"]["zh-Hans"]
            assert (await desk.act(do="hand", vouchers=[1], desk="A"))["t"] == "ack"
            assert (await table.get("at_event"))["prizes"][0]["state"] == "handed"
            await desk.act(do="plan", title="Sun")
            assert (await table.get("at_event"))["title"] == "Sun"
            answer = await desk.act(do="reopen", table=1, sure=True)
            assert answer["t"] == "ack", answer
            assert "closed" not in await table.get("at_event")
        async with line(base, seated["code"], seated["token"]) as again:
            assert (await again.get("at_event"))["title"] == "Sun"

    run(story)


def test_typed_results_give_the_champion_the_prize_and_come_back_when_the_table_is_opened_again():
    async def story(base):
        _, desk = await prepared(base)
        won = {"do": "close", "table": 1, "how": "results", "won": [], "champion": 0, "vouchers": 1}
        assert (await desk.act(**won))["code"] == "event/champion_unpaid"
        prize = {"seat": 0, "tier": "zhuangyuan", "cakes": 1}
        told = await desk.act(**won | {"won": [prize], "title": "444411"})
        assert told["t"] == "ack", told
        typed = {"won": [prize], "champion": 0, "title": "444411"}
        assert desk.known["tables"]["1"]["typed"] == typed
        await desk.act(do="reopen", table=1)
        assert desk.known["tables"]["1"]["status"] == "waiting"
        assert desk.known["tables"]["1"]["typed"] == typed
        correct = {"do": "correct", "n": 5, "act": won | {"vouchers": 2}}
        assert (await desk.act(**correct))["code"] == "event/champion_unpaid"

    run(story)


def test_an_event_has_a_name():
    async def story(base):
        _, desk = await prepared(base)
        assert (await desk.act(do="plan", title="  "))["code"] == "event/no_name"
        assert post(f"{base}/api/events", json={"title": " "}).json()["code"] == "event/no_name"

    run(story)


def test_nobody_registers_for_a_session_that_is_over():
    async def story(base):
        event, desk = await prepared(base)
        where = f"{base}/api/events/{event['code']}"
        assert get(where).json()["open"]
        await desk.do("open_tables", tables=[1, 2, 3])
        assert (await desk.do("close_tables", tables=[1, 2, 3]))["t"] == "ack"
        assert not get(where).json()["open"]
        assert post(f"{where}/guests", json={"name": "晚来"}).json()["code"] == "event/registration_closed"

    run(story)
