"""Events over the wire: a desk, a door, a prize table, devices of tables and a hall screen."""

import asyncio
import csv
import io
import json

import httpx
import pytest
from websockets.asyncio.client import connect

from bobing.adapters.memory import MemoryLog
from server.live import Line, line, new_table, serving

LIST = "姓名,电话,家庭\n" + "".join(f"客{n},138{n:08d},{n // 3}\n" for n in range(1, 10))


class EventLine(Line):
    """A connection to an event, with what it knows of it."""

    async def get(self, kind=None):
        message = await super().get(kind)
        if message["t"] == "event_welcome":
            self.welcome = message
            self.known = {key: dict(message[key]) for key in ("guests", "tables", "vouchers", "board")}
        if message["t"] == "event_news":
            for key in ("guests", "tables", "vouchers"):
                self.known[key].update(message.get(key, {}))
            for key, numbers in message.get("gone", {}).items():
                for number in numbers:
                    del self.known[key][str(number)]
            self.view = message["view"]
        if message["t"] == "board":
            self.known["board"].update(message["rows"])
        return message

    async def act(self, **act):
        return await self.do("event_act", act=act)


OPEN = []


async def at_event(base, code, token):
    """A connection that has said hello."""
    socket = await connect(base.replace("http", "ws") + "/ws/event")
    here = EventLine(socket)
    OPEN.append(socket)
    await here.put(t="event_hello", code=code, token=token)
    await here.get("event_welcome")
    return here


get, post = httpx.get, httpx.post  # at once, in tests that wait for nothing else


def new_event(base, title="Moon"):
    return post(f"{base}/api/events", json={"title": title}).json()


def give_pass(base, event, role, **more):
    headers = {"authorization": f"Bearer {event['token']}"}
    answer = post(f"{base}/api/events/{event['code']}/passes", json={"role": role, **more}, headers=headers)
    return answer.json()["token"]


def send_list(base, event, text, commit=""):
    headers = {"authorization": f"Bearer {event['token']}"}
    url = f"{base}/api/events/{event['code']}/list" + (f"?commit={commit}" if commit else "")
    return post(url, content=text.encode("gb18030"), headers=headers).json()


async def prepared(base):
    """An event with one session, nine guests who are here, and three tables that are drawn."""
    event = new_event(base)
    desk = await at_event(base, event["code"], event["token"])
    answer = await desk.do(
        "session_settings", session=1, name="晚场", choice={"sheet": "S12", "house": {}}, tables=3, seats=4
    )
    assert answer["t"] == "ack", answer
    assert not send_list(base, event, LIST, "first-list")["faults"]
    await desk.act(do="here", guests=list(range(1, 10)))
    assert (await desk.act(do="draw", session=1, seed="moon", tables=[1, 2, 3]))["t"] == "ack"
    return event, desk


async def told(story, base):
    """Tell a story, and close what it has opened."""
    try:
        await story(base)
    finally:
        while OPEN:
            await OPEN.pop().close()


def run(story, **settings):
    with serving(**settings) as base:
        asyncio.run(told(story, base))


def test_an_event_from_the_list_to_the_prizes():
    async def story(base):
        event, desk = await prepared(base)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=2))
        hall = await at_event(base, event["code"], give_pass(base, event, "hall"))
        prizes = await at_event(base, event["code"], give_pass(base, event, "prizes"))
        assert (await desk.do("open_tables"))["t"] == "ack"
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            assert table.welcome["you"]["role"] == "host"
            names = [seat["name"] for seat in table.welcome["view"]["seats"]]
            guests = [desk.known["guests"][str(guest)]["name"] for guest in desk.known["tables"]["2"]["seats"]]
            assert names == guests
            assert (await table.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            while (
                "duitang" not in hall.known["board"].get("2", {}).get("left", {})
                or hall.known["board"]["2"]["throws"] != 1
            ):
                await hall.get("board")
            assert hall.known["board"]["2"]["left"]["duitang"] == 1
            assert (await desk.do("close_tables", tables=[2]))["t"] == "ack"
            refusal = await table.do("do", act={"seat": 1, "roll": "123456"})
            assert refusal["code"] == "table/event_closed"
        (voucher,) = desk.known["vouchers"].values()
        assert (voucher["tier"], voucher["state"]) == ("duitang", "open")
        assert voucher["guest"] == desk.known["tables"]["2"]["seats"][0]
        assert (await prizes.act(do="hand", vouchers=[1], desk="A"))["t"] == "ack"
        assert (await prizes.act(do="hand", vouchers=[1], desk="B"))["code"] == "event/already_handed"
        assert (await prizes.act(do="draw", session=1, seed="x", tables=[1]))["code"] == "table/forbidden"
        assert (await desk.act(do="undo", n=2))["code"] == "event/later_impossible"

    run(story)


def test_telephone_numbers_are_masked_and_halls_get_none():
    async def story(base):
        event, desk = await prepared(base)
        hall = await at_event(base, event["code"], give_pass(base, event, "hall"))
        assert desk.known["guests"]["1"]["phone"] == "···0001"
        said = json.dumps([desk.known, desk.welcome, hall.known, hall.welcome])
        assert "13800000001" not in said
        assert all("phone" not in guest and "household" not in guest for guest in hall.known["guests"].values())

    run(story)


def test_a_wrong_list_changes_nothing_and_names_every_line():
    async def story(base):
        event = new_event(base)
        read = send_list(base, event, "姓名,电话\n小明,12x\n,1380000\n", "again")
        assert [(fault["line"], fault["code"], fault["words"]["zh-Hans"]) for fault in read["faults"]] == [
            (2, "bad_phone", "电话号码里只能有数字，国家代码前可以加 +："),
            (3, "no_name", "没有姓名"),
        ]
        desk = await at_event(base, event["code"], event["token"])
        assert desk.known["guests"] == {}

    run(story)


def test_a_list_that_is_sent_twice_is_taken_once():
    async def story(base):
        event, desk = await prepared(base)
        answer = send_list(base, event, LIST, "first-list")
        assert (len(answer["guests"]), answer["faults"]) == (9, []), "and is told as the first time"
        assert len(desk.known["guests"]) == 9

    run(story)


def test_who_is_on_the_list_already_is_told_line_by_line_and_a_namesake_is_no_fault():
    async def story(base):
        event, desk = await prepared(base)
        again = send_list(base, event, "姓名,电话\n客1,13800000001\n客9,138 0000 0009\n新,13800000001\n", "second-list")
        assert [(one["line"], one["code"], one["value"]) for one in again["faults"]] == [
            (2, "listed", "1"),
            (3, "listed", "9"),
        ]
        assert not [one for one in again["faults"] if "138" in json.dumps(one)]
        assert len(desk.known["guests"]) == 9
        other = send_list(base, event, "姓名,电话\n客1,\n 客２ ,13911112222\n新,\n", "third-list")
        assert [(one["line"], one["guest"]) for one in other["same_name"]] == [(2, 1), (3, 2)]
        await desk.act(do="here", guests=[10, 11, 12])
        assert [desk.known["guests"][n]["name"] for n in ("10", "11", "12")] == ["客1", "客２", "新"]

    run(story)


def test_a_name_that_cannot_be_is_told_why_at_the_desk_and_to_who_registers():
    async def story(base):
        event, desk = await prepared(base)
        url = f"{base}/api/events/{event['code']}/guests"
        for name, code in (("x" * 41, "table/name_long"), ("饼" * 31, "table/name_long"), ("a\x1bb", "table/name_bad")):
            assert post(url, json={"name": name}).json()["code"] == code
            assert (await desk.do("enter_guests", guests=[{"name": name}]))["code"] == code
            assert (await desk.do("name_guest", guest=1, name=name))["code"] == code
        registered = post(url, json={"name": "Maria Concepción de la Cruz"}).json()
        assert registered["guest"] == 10
        assert (await desk.do("name_guest", guest=1, name="👨‍👩‍👧‍👦 \u202eAn"))["t"] == "ack"
        assert desk.known["guests"]["1"]["name"] == "👨‍👩‍👧‍👦 An"
        assert desk.known["guests"]["10"]["name"] == "Maria Concepción de la Cruz"

    run(story)


def test_the_same_command_again_is_the_same_act():
    async def story(base):
        _, desk = await prepared(base)
        sent = {"cmd": "command-number-1", "at": desk.n}
        once = await desk.do("event_act", act={"do": "withdraw", "guest": 1}, **sent)
        again = await desk.do("event_act", act={"do": "withdraw", "guest": 1}, **sent)
        other = await desk.do("event_act", act={"do": "withdraw", "guest": 2}, **sent)
        assert once == again
        assert other["code"] == "table/other_body"

    run(story)


def test_guests_register_by_themselves_and_wait():
    async def story(base):
        event, desk = await prepared(base)
        await desk.do(
            "session_settings",
            session=1,
            name="晚场",
            choice={"sheet": "S12", "house": {}},
            tables=3,
            seats=4,
            limit=10,
        )
        url = f"{base}/api/events/{event['code']}/guests"
        statuses = [post(url, json={"name": f"新{n}"}).json()["status"] for n in range(2)]
        assert statuses == ["listed", "waiting"]
        bad = post(url, json={"name": "新", "phone": "abc"})
        assert (bad.status_code, bad.json()["code"]) == (422, "event/bad_phone")
        assert post(f"{base}/api/events/AAAAAAAA/guests", json={"name": "x"}).status_code == 404

    run(story)


def test_who_sat_down_at_the_table_is_a_guest_when_it_closes():
    async def story(base):
        event, desk = await prepared(base)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        await desk.do("open_tables", tables=[1])
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            await table.do("add_seat", name="路过")
            for seat in range(4):
                assert (await table.do("do", act={"seat": seat, "roll": "123456"}))["t"] == "ack"
        await desk.do("close_tables", tables=[1])
        (guest,) = [n for n, guest in desk.known["guests"].items() if guest["name"] == "路过"]
        assert desk.known["tables"]["1"]["seats"][-1] == int(guest)
        assert [voucher["guest"] for voucher in desk.known["vouchers"].values()][-1] != int(guest)

    run(story)


def test_whoever_leads_when_a_table_is_closed_early_gets_the_prize_of_the_title():
    async def story(base):
        event, desk = await prepared(base)
        choice = {"sheet": "S12", "house": {"points": {"zhuangyuan": 32, "yixiu": 1}}}
        await desk.do("session_settings", session=1, name="晚场", choice=choice, tables=3, seats=4)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        await desk.do("open_tables", tables=[1])
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            await table.do("do", act={"seat": 0, "roll": "444412"}, sure=True)
            await desk.do("close_tables", tables=[1])
            while not (told := await table.get("at_event")).get("closed"):
                pass
            assert told["points"] == [32, 0, 0]  # as after a game that ended by itself
        (voucher,) = desk.known["vouchers"].values()
        assert (voucher["tier"], voucher["guest"]) == ("zhuangyuan", desk.known["tables"]["1"]["seats"][0])
        assert desk.known["tables"]["1"]["champion"] == voucher["guest"]

    run(story)


def test_an_event_outlives_its_process():
    log = MemoryLog()
    kept = {}

    async def before(base):
        kept["event"], desk = await prepared(base)
        await desk.do("open_tables")
        kept["tables"] = desk.known["tables"]
        kept["guests"] = desk.known["guests"]

    async def after(base):
        desk = await at_event(base, kept["event"]["code"], kept["event"]["token"])
        assert desk.known["tables"] == kept["tables"]
        assert desk.known["guests"] == kept["guests"]
        answer = await desk.do("close_tables", tables=[1])
        assert answer["t"] == "ack", answer

    with serving(log=log) as base:
        asyncio.run(told(before, base))
    log._closed = False
    with serving(log=log) as base:
        asyncio.run(told(after, base))


def test_names_are_erased_and_results_stay():
    async def story(base):
        event, desk = await prepared(base)
        await desk.do("open_tables", tables=[1])
        await desk.do("close_tables", tables=[1])
        await desk.do("erase_guests", guests=[1])
        assert desk.known["guests"]["1"]["name"] == ""
        assert desk.known["guests"]["2"]["name"] == "客2"
        await desk.do("erase_guests")
        assert {guest["name"] for guest in desk.known["guests"].values()} == {""}
        other = await at_event(base, event["code"], event["token"])
        assert other.known["tables"] == desk.known["tables"]

    run(story)


@pytest.mark.parametrize("what", ["guests", "seats", "prizes", "finance", "tiers", "tables", "people", "signoff"])
@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_lists_to_take_away(what, lang):
    async def story(base):
        event, desk = await prepared(base)
        await desk.do("open_tables", tables=[1])
        url = f"{base}/api/events/{event['code']}/export/{what}?lang={lang}"
        assert get(url).status_code == 401
        headers = {"authorization": f"Bearer {event['token']}"}
        answer = get(url, headers=headers)
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
        assert len({len(row) for row in rows}) == 1
        assert "filename*=UTF-8''Moon-" in answer.headers["content-disposition"]
        assert get(url + "&as=xlsx", headers=headers).content.startswith(b"PK")
        assert get(url.replace(what, "other"), headers=headers).status_code == 422

    run(story)


def test_roles_may_do_no_more_than_theirs():
    async def story(base):
        event, _ = await prepared(base)
        door = await at_event(base, event["code"], give_pass(base, event, "door"))
        table = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        assert (await door.act(do="here", guests=[1], there=False))["t"] == "ack"
        assert (await door.do("enter_guests", guests=[{"name": "迟到"}]))["t"] == "ack"
        assert (await door.act(do="sign_off"))["code"] == "table/forbidden"
        assert (await door.do("open_tables"))["code"] == "table/forbidden"
        assert (await table.do("call_referee", table=1))["t"] == "ack"
        assert (await table.do("call_referee", table=2))["code"] == "table/forbidden"
        assert (await table.act(do="here", guests=[1]))["code"] == "table/forbidden"
        url = f"{base}/api/events/{event['code']}/passes"
        headers = {"authorization": f"Bearer {give_pass(base, event, 'door')}"}
        assert post(url, json={"role": "desk"}, headers=headers).status_code == 403

    run(story)


def test_the_device_of_a_table_takes_the_keys_back_from_whoever_opened_the_link_later():
    async def story(base):
        event, desk = await prepared(base)
        card = give_pass(base, event, "table", table=1)
        tablet = await at_event(base, event["code"], card)
        assert (await desk.do("open_tables"))["t"] == "ack"
        first = await tablet.get("seated")
        url = f"{base}/api/events/{event['code']}/tables"
        headers = {"authorization": f"Bearer {card}"}
        async with line(base, first["code"], first["token"]) as before:
            assert (await before.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            other = post(f"{url}/1", json={"typing": True}, headers=headers).json()
            async with line(base, other["code"], other["token"]):
                assert (await before.do("do", act={"seat": 1, "roll": "123456"}))["code"] == "table/forbidden"
                back = post(f"{url}/1", json={"typing": True}, headers=headers).json()
                async with line(base, back["code"], back["token"]) as again:
                    assert (await again.do("do", act={"seat": 1, "roll": "123456"}))["t"] == "ack"
        assert post(f"{url}/2", json={"typing": True}, headers=headers).json()["code"] == "table/forbidden"

    run(story)


def test_what_is_refused_is_not_stored():
    """Each of these is refused, and the event goes on, in this process and in the next."""
    log = MemoryLog()
    kept = {}

    async def before(base):
        kept["event"], desk = event, _ = await prepared(base)
        url = f"{base}/api/events/{event['code']}/guests"
        assert post(url, json={"name": "x", "session": 50}).json()["code"] == "event/no_session"
        assert (await desk.do("open_tables", tables=[1, 1]))["code"] == "event/table_begun"
        assert (await desk.do("open_tables", tables=[1, 99]))["code"] == "event/no_table"
        assert desk.known["tables"]["1"]["status"] == "waiting"
        empty = new_event(base)
        assert send_list(base, empty, LIST, "too-early").get("code") == "event/no_session"
        assert not send_list(base, empty, LIST)["faults"]
        assert (await at_event(base, empty["code"], empty["token"])).known["guests"] == {}
        assert (await desk.do("open_tables", tables=[1]))["t"] == "ack"
        assert (await desk.do("close_tables", tables=[1, 99]))["code"] == "event/not_begun"
        assert desk.known["tables"]["1"]["status"] == "open"
        assert (await desk.act(do="sign_off"))["code"] == "event/table_begun"
        assert post(url, json={"name": "y"}).status_code == 200

    async def after(base):
        desk = await at_event(base, kept["event"]["code"], kept["event"]["token"])
        assert len(desk.known["guests"]) == 10
        assert (await desk.act(do="withdraw", guest=10))["t"] == "ack"

    with serving(log=log) as base:
        asyncio.run(told(before, base))
    log._closed = False
    with serving(log=log) as base:
        asyncio.run(told(after, base))


def test_no_event_reaches_a_table_that_is_not_its_own():
    async def story(base):
        _, desk = await prepared(base)
        code, token = new_table(base, "A", "B")
        stolen = {"do": "open", "table": 1, "stream": code}
        assert (await desk.act(**stolen))["code"] == "table/forbidden"
        assert (await desk.act(do="correct", n=1, act=stolen))["code"] == "table/forbidden"
        closed = {"do": "close", "table": 1, "won": [], "champion": None, "vouchers": 1}
        assert (await desk.act(**closed))["code"] == "table/forbidden"
        assert (await desk.act(**closed, how="paper"))["t"] == "ack"
        async with line(base, code, token) as table:
            assert table.welcome["you"]["role"] == "host"

    run(story)


def test_guests_of_a_table_that_has_begun_keep_their_seats():
    async def story(base):
        _, desk = await prepared(base)
        one, other = desk.known["tables"]["1"]["seats"][0], desk.known["tables"]["2"]["seats"][0]
        assert (await desk.act(do="trade", guests=[one, other]))["t"] == "ack"
        trading = desk.n
        await desk.do("open_tables")
        assert (await desk.act(do="undo", n=trading))["code"] == "event/table_begun"
        assert (await desk.act(do="undo", n=desk.n))["code"] == "event/table_begun"
        assert (await desk.act(do="stand", guest=one))["code"] == "event/table_begun"

    run(story)


def test_a_closed_table_stays_closed_after_a_restart_and_for_timed_throws():
    log = MemoryLog()
    kept = {}

    async def before(base):
        event, desk = await prepared(base)
        kept["event"] = event
        settings = {"dice": "digital", "auto": True, "speed": 3, "joining": "closed"}
        choice = {"sheet": "S12", "house": {}}
        await desk.do("session_settings", session=1, name="x", choice=choice, tables=3, seats=4, settings=settings)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        await desk.do("open_tables", tables=[1])
        kept["seated"] = await tablet.get("seated")
        async with line(base, kept["seated"]["code"], kept["seated"]["token"]) as table:
            await table.get("news")
            await desk.do("close_tables", tables=[1])
            listening = asyncio.create_task(table.until_closed())
            await asyncio.sleep(0.5)
            n = table.n
            await asyncio.sleep(1.5)
            assert table.n == n
            listening.cancel()
            kept["n"] = table.n

    async def after(base):
        async with line(base, kept["seated"]["code"], kept["seated"]["token"]) as table:
            assert table.n == kept["n"]
            refusal = await table.do("throw", seat=table.welcome["view"]["next"])
            assert refusal["code"] == "table/event_closed"

    with serving("123456", "112233", "123455", log=log) as base:
        asyncio.run(told(before, base))
    log._closed = False
    with serving("123456", log=log) as base:
        asyncio.run(told(after, base))


def test_a_throw_beside_the_closing_counts_or_is_refused():
    async def story(base):
        event, desk = await prepared(base)
        for number in (1, 2, 3):
            tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=number))
            await desk.do("open_tables", tables=[number])
            seated = await tablet.get("seated")
            async with line(base, seated["code"], seated["token"]) as table:
                closing = asyncio.create_task(desk.do("close_tables", tables=[number]))
                thrown = await table.do("do", act={"seat": 0, "roll": "123456"})
                assert (await closing)["t"] == "ack"
            mine = [voucher for voucher in desk.known["vouchers"].values() if voucher["table"] == number]
            assert len(mine) == (thrown["t"] == "ack")

    run(story)


async def opened(base):
    """An event whose three tables have begun, a line to each, and to the desk."""
    event, desk = await prepared(base)
    tablets = [await at_event(base, event["code"], give_pass(base, event, "table", table=n)) for n in (1, 2, 3)]
    assert (await desk.do("open_tables"))["t"] == "ack"
    return event, desk, [await tablet.get("seated") for tablet in tablets]


def test_a_late_guest_sits_down_at_a_table_that_plays():
    async def story(base):
        event, desk, (one, *_) = await opened(base)
        door = await at_event(base, event["code"], give_pass(base, event, "door"))
        await door.do("enter_guests", guests=[{"name": "迟到"}])
        async with line(base, one["code"], one["token"]) as table:
            assert (await table.do("add_seat", name="路过"))["t"] == "ack"
            assert (await door.act(do="sit", guest=10, table=1))["t"] == "ack"
            while len(table.view["seats"]) < 5:
                await table.get("news")
            assert [seat["name"] for seat in table.view["seats"]][3:] == ["路过", "迟到"]
            assert (await table.do("do", act={"seat": 4, "roll": "123456"}))["t"] == "refused"  # not their turn yet
            for seat in range(5):
                assert (await table.do("do", act={"seat": seat, "roll": "123456"}))["t"] == "ack"
            while desk.known["board"].get("1", {}).get("throws") != 5:  # two who sat down are no throws
                await desk.get()
        assert (await desk.act(do="sit", guest=10, table=1))["code"] == "event/seated"
        seats = desk.known["tables"]["1"]["seats"]
        assert [desk.known["guests"][str(guest)]["name"] for guest in seats[3:]] == ["路过", "迟到"]
        assert (await desk.do("close_tables", tables=[1]))["t"] == "ack"
        assert (await desk.act(do="sit", guest=10, table=1))["code"] == "event/table_closed"

    run(story)


def test_namesakes_at_a_table_are_told_apart_by_their_numbers():
    async def story(base):
        event, desk = await prepared(base)
        first, second, *_ = desk.known["tables"]["1"]["seats"]
        for guest in (first, second):
            assert (await desk.do("name_guest", guest=guest, name="张伟"))["t"] == "ack"
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
        assert (await desk.do("open_tables"))["t"] == "ack"
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            names = [seat["name"] for seat in table.view["seats"]]
            assert names[:2] == [f"张伟 ({first})", f"张伟 ({second})"]
            await desk.do("enter_guests", guests=[{"name": "张伟"}])
            assert (await desk.act(do="sit", guest=10, table=1))["t"] == "ack"
            while len(table.view["seats"]) < 4:
                await table.get("news")
            assert table.view["seats"][3]["name"] == "张伟 (10)"
            assert (await desk.do("name_guest", guest=second, name="王芳"))["t"] == "ack"
            while table.view["seats"][1]["name"] != "王芳":
                await table.get("news")

    run(story)


def test_guests_of_a_closed_table_and_of_one_that_plays_go_on_at_another():
    async def story(base):
        _, desk, (one, two, _) = await opened(base)
        mover = desk.known["tables"]["2"]["seats"][0]
        async with line(base, one["code"], one["token"]) as first, line(base, two["code"], two["token"]) as second:
            await second.do("do", act={"seat": 0, "roll": "123456"})
            assert (await desk.act(do="sit", guest=mover, table=1))["t"] == "ack"
            while len(first.view["seats"]) < 4:
                await first.get("news")
            while not second.view["seats"][0].get("away"):
                await second.get("news")
            await desk.do("close_tables", tables=[2])
            stayed = desk.known["tables"]["2"]["seats"][1:]
            assert (await desk.act(do="merge", table=2, into=1))["code"] == "event/over_seats"
            assert (await desk.act(do="merge", table=2, into=1, sure=True))["t"] == "ack"
            while len(first.view["seats"]) < 6:
                await first.get("news")
        assert desk.known["tables"]["1"]["seats"][3:] == [mover, *stayed]
        (voucher,) = desk.known["vouchers"].values()
        assert (voucher["guest"], voucher["table"]) == (mover, 2)

    run(story)


def acts_of(base, event):
    headers = {"authorization": f"Bearer {event['token']}"}
    lines = get(f"{base}/api/events/{event['code']}/log", headers=headers).json()["lines"]
    return [one["act"]["do"] for one in reversed(lines)]


def test_a_table_that_plays_is_closed_and_merged_in_one_go_or_stays_as_it_was():
    async def story(base):
        event, desk, (one, two, _) = await opened(base)
        async with line(base, one["code"], one["token"]) as first, line(base, two["code"], two["token"]) as second:
            await second.do("do", act={"seat": 0, "roll": "123456"})
            await second.do("add_seat", name="路人")
            before, n = acts_of(base, event), desk.n
            refused = await desk.do("merge_tables", table=2, into=1)
            assert refused["code"] == "event/over_seats"
            assert "7 guests" in refused["words"]["en"]
            for wrong, code in (
                ({"table": 2, "into": 2}, "event/same_table"),
                ({"table": 2, "into": 99}, "event/no_table"),
                ({"table": 99, "into": 2}, "event/no_table"),
            ):
                assert (await desk.do("merge_tables", **wrong, sure=True))["code"] == code
            assert (acts_of(base, event), desk.n) == (before, n), "nothing was closed"
            assert desk.known["tables"]["2"]["status"] == "open"
            assert (await second.do("do", act={"seat": 1, "roll": "112345"}))["t"] == "ack"
            same = {"cmd": "merge-merge-merge-1", "at": desk.n, "table": 2, "into": 1, "sure": True}
            assert (await desk.do("merge_tables", **same))["t"] == "ack"
            assert (await desk.do("merge_tables", **same))["t"] == "ack"
            assert acts_of(base, event)[len(before) :] == ["guests", "sit", "close", "merge"]
            while len(first.view["seats"]) < 7:
                await first.get("news")
            assert (await second.do("do", act={"seat": 2, "roll": "112345"}))["code"] == "table/event_closed"
        merged = desk.known["tables"]["2"]
        assert (merged["merged"], merged["early"], merged["how"]) == (1, True, "played")
        assert desk.known["tables"]["1"]["seats"][3:] == merged["seats"]
        assert {voucher["table"] for voucher in desk.known["vouchers"].values()} == {2}

    run(story)


def test_a_merge_into_a_table_that_waits_is_taken_back_and_the_table_goes_on():
    async def story(base):
        event, desk = await prepared(base)
        assert (await desk.do("open_tables", tables=[1]))["t"] == "ack"
        assert (await desk.do("merge_tables", table=1, into=2, paper=True, sure=True))["t"] == "ack"
        assert desk.known["tables"]["1"]["how"] == "paper"
        assert len(desk.known["tables"]["2"]["seats"]) == 6
        assert (await desk.act(do="undo", n=desk.n))["t"] == "ack"
        assert desk.known["tables"]["1"]["status"] == "closed"
        assert (await desk.act(do="reopen", table=1))["t"] == "ack"
        assert (await desk.do("merge_tables", table=3, into=2, sure=True))["t"] == "ack"
        assert acts_of(base, event)[-2:] == ["reopen", "merge"]
        door = await at_event(base, event["code"], give_pass(base, event, "door"))
        assert (await door.do("merge_tables", table=1, into=2))["code"] == "table/forbidden"
        assert (await door.do("give_keys", table=1))["code"] == "table/forbidden"

    run(story)


@pytest.mark.parametrize("asleep", [False, True])
def test_the_desk_gives_the_keys_of_a_table_back_to_its_device(asleep):
    async def story(base):
        event, desk, (one, *_) = await opened(base)
        headers = {"authorization": f"Bearer {event['token']}"}
        assert (await desk.do("give_keys", table=1))["code"] == "event/keys_there"
        url = f"{base}/api/events/{event['code']}/tables"
        taken = post(f"{url}/2", json={"typing": True}, headers=headers).json()
        async with line(base, taken["code"], taken["token"]) as typing:
            assert typing.welcome["you"] == {"role": "host", "paper": True}
            assert (await desk.do("give_keys", table=2))["code"] == "event/no_device"
        async with line(base, one["code"], one["token"]) as device:
            assert (await device.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
            again = post(f"{url}/1", json={"typing": True}, headers=headers).json()
            if asleep:
                await device.socket.close()
            async with line(base, again["code"], again["token"]) as typing:
                assert (await typing.do("do", act={"seat": 1, "roll": "112345"}))["t"] == "ack"
                assert (await desk.do("give_keys", table=1))["t"] == "ack"
                assert (await typing.do("do", act={"seat": 2, "roll": "112345"}))["code"] == "table/forbidden"
                assert (await desk.do("give_keys", table=1))["code"] == "event/keys_there"
                if not asleep:
                    while (await device.get("welcome"))["you"]["role"] != "host":
                        pass
                    assert (await device.do("do", act={"seat": 2, "roll": "112345"}))["t"] == "ack"
                    assert device.acts == 3
        async with line(base, one["code"], one["token"]) as device:
            assert device.welcome["you"] == {"role": "host"}
        assert (await desk.do("close_tables", tables=[1]))["t"] == "ack"
        assert (await desk.do("give_keys", table=1))["code"] == "event/table_closed"

    run(story)


def test_a_closed_table_goes_on_after_it_was_opened_again():
    async def story(base):
        _, desk, (one, *_) = await opened(base)
        async with line(base, one["code"], one["token"]) as table:
            await table.do("do", act={"seat": 0, "roll": "123456"})
            await desk.do("close_tables", tables=[1])
            await desk.act(do="hand", vouchers=[1])
            assert (await desk.act(do="reopen", table=1))["code"] == "event/handed_out"
            assert (await desk.act(do="reopen", table=1, sure=True))["t"] == "ack"
            assert desk.known["vouchers"]["1"]["state"] == "recalled"
            assert (await table.do("do", act={"seat": 1, "roll": "123456"}))["t"] == "ack"
        await desk.do("close_tables", tables=[1], paper=True)
        assert desk.known["tables"]["1"]["how"] == "paper"
        assert [voucher["state"] for voucher in desk.known["vouchers"].values()] == ["handed", "open"], (
            "it is won still"
        )

    run(story)


def test_the_desk_goes_to_a_table_and_reads_its_own_log():
    async def story(base):
        event, desk, _ = await opened(base)
        headers = {"authorization": f"Bearer {event['token']}"}
        url = f"{base}/api/events/{event['code']}"
        for typing, role in ((False, "watch"), (True, "host")):
            right = post(f"{url}/tables/2", json={"typing": typing}, headers=headers).json()
            async with line(base, right["code"], right["token"]) as table:
                assert table.welcome["you"]["role"] == role
        assert post(f"{url}/tables/9", json={}, headers=headers).json()["code"] == "event/not_begun"
        assert post(f"{url}/tables/x", json={}, headers=headers).json()["code"] == "table/bad_message"
        door = {"authorization": f"Bearer {give_pass(base, event, 'door')}"}
        assert post(f"{url}/tables/2", json={}, headers=door).status_code == 403
        here = desk.n
        await desk.act(do="table", table=9, session=1)
        await desk.act(do="undo", n=desk.n)
        read = get(f"{url}/log", headers=headers).json()
        assert [one["act"]["do"] for one in read["lines"][:2]] == ["undo", "table"]
        assert read["lines"][1]["struck"]
        assert not read["more"]
        assert get(f"{url}/log?before={here + 1}", headers=headers).json()["lines"][0]["n"] == here

    run(story)


def test_a_message_that_cannot_be_read_says_which_command_it_was():
    async def story(base):
        _, desk = await prepared(base)
        answer = await desk.act(do="undo", n=10**30)
        assert answer["t"] == "refused"
        code, token = new_table(base, "A", "B")
        async with line(base, code, token) as table:
            assert (await table.do("do", act={"undo": 10**30}))["code"] == "table/bad_message"

    run(story)


def test_the_server_throws_a_digital_stage_and_nobody_else_says_its_faces():
    async def story(base):
        event, desk = await prepared(base)
        stage = {"do": "stage", "stage": 1, "name": "F", "format": "sum", "source": "named", "places": [{"count": 1}]}
        assert (await desk.act(**stage, digital=True))["t"] == "ack"
        assert (await desk.act(do="finalists", stage=1, guests=[1, 2, 3], seed="s", vouchers=1))["t"] == "ack"
        group = desk.view["stages"]["1"]["groups"][0]
        typed = {"do": "final", "stage": 1, "guest": group["due"], "faces": "666"}
        assert (await desk.act(**typed))["code"] == "event/other_dice"
        assert (await desk.act(**typed, drawn=1))["code"] == "table/forbidden"
        assert (await desk.act(do="correct", n=3, act={**typed, "drawn": 1}))["code"] == "table/forbidden"
        door = await at_event(base, event["code"], give_pass(base, event, "door"))
        assert (await door.do("throw_final", stage=1, guest=group["due"]))["code"] == "table/forbidden"
        while (due := desk.view["stages"]["1"]["groups"][0].get("due")) is not None:
            before = len(desk.view["stages"]["1"]["groups"][0]["throws"])
            assert (await desk.do("throw_final", stage=1, guest=due))["t"] == "ack"
            thrown = desk.view["stages"]["1"]["groups"][0]["throws"][before]
            assert (thrown["guest"], len(thrown["faces"]), set(thrown["faces"]) <= set("123456")) == (due, 3, True)
        assert len(desk.view["stages"]["1"]["groups"][0]["places"][0]) == 1

    run(story)


def test_a_whole_game_as_final_is_thrown_with_the_dice_that_its_stage_says():
    async def story(base):
        event, desk = await prepared(base)
        for stage, digital in ((1, True), (2, False)):
            game = {"name": "F", "format": "game", "source": "named", "places": [{"count": 1}], "digital": digital}
            assert (await desk.act(do="stage", stage=stage, **game))["t"] == "ack"
            drawn = {
                "guests": [stage, stage + 2, stage + 4],
                "seed": "s",
                "vouchers": 10 * stage,
                "tables": [10 + stage],
            }
            assert (await desk.act(do="finalists", stage=stage, **drawn))["t"] == "ack"
        assert (await desk.do("open_tables", tables=[11, 12]))["t"] == "ack"
        views = []
        for number in (11, 12):
            call = f"{base}/api/events/{event['code']}/tables/{number}"
            seated = post(call, json={}, headers={"authorization": f"Bearer {event['token']}"}).json()
            async with line(base, seated["code"], seated["token"]) as table:
                views.append(table.welcome["view"])
        assert [view["settings"]["dice"] for view in views] == ["digital", "real"]
        assert ["fair" in view for view in views] == [True, False], "the digital ones are proved as at any table"

    run(story)


def test_lots_of_the_server_award_a_prize_again():
    async def story(base):
        event, desk = await prepared(base)
        prizes = await at_event(base, event["code"], give_pass(base, event, "prizes"))
        door = await at_event(base, event["code"], give_pass(base, event, "door"))
        assert (await desk.act(do="plan", title="Moon", absent="lot"))["t"] == "ack"
        won = [{"seat": 0, "tier": "yixiu", "cakes": 1}]
        assert (await desk.act(do="close", table=1, won=won, champion=None, vouchers=1, how="results"))["t"] == "ack"
        assert (await prizes.do("award_by_lot", voucher=1))["code"] == "event/not_absent"
        assert (await prizes.act(do="absent", vouchers=[1]))["t"] == "ack"
        chosen = {"do": "again", "voucher": 1, "guest": 1, "new": 2}
        assert (await prizes.act(**chosen))["code"] == "event/by_lot"
        assert (await desk.act(**chosen, seed="mine"))["code"] == "table/forbidden"
        assert (await door.do("award_by_lot", voucher=1))["code"] == "table/forbidden"
        assert (await prizes.do("award_by_lot", voucher=1))["t"] == "ack"
        again = prizes.known["vouchers"]
        assert again["1"]["after"] == 2
        assert again["2"]["guest"] != again["1"]["guest"]

    run(story)


def test_a_list_says_which_columns_are_not_taken():
    async def story(base):
        event, _ = await prepared(base)
        read = send_list(base, event, "部门,姓名\n销售,小明\n")
        assert read["left_out"] == [{"column": 1, "name": "部门"}]
        assert [guest["name"] for guest in read["guests"]] == ["小明"]
        assert send_list(base, event, "姓名\n")["code"] == "event/empty_list"

    run(story)


def test_a_ready_made_stage_keeps_its_sheet_and_one_that_drags_takes_the_faster_format():
    async def story(base):
        _, desk = await prepared(base)
        finals = {one["key"]: one["stages"] for one in get(f"{base}/api/finals").json()["finals"]}
        await desk.act(**{**finals["S11"][0], "groups": 1})
        sheet = desk.view["stages"]["1"]["rules"]
        changed = {"do": "stage", "stage": 1, "name": "F", "format": "first", "places": [{"count": 1}]}
        await desk.do("event_act", act={**changed, "digital": True}, same_sheet=True)
        assert (desk.view["stages"]["1"]["name"], desk.view["stages"]["1"]["rules"]) == ("F", sheet)
        assert (await desk.do("faster_stage", stage=2))["code"] == "event/no_stage"
        assert (await desk.do("faster_stage", stage=1))["t"] == "ack"
        fast = desk.view["stages"]["1"]
        assert (fast["format"], fast.get("dice", 3), fast["rules"], fast["digital"]) == ("sum", 3, sheet, True)
        await desk.act(**changed)
        assert "rules" not in desk.view["stages"]["1"]

    run(story)


def test_what_does_not_fit_stands_in_the_view_and_finals_are_ready_made():
    async def story(base):
        _, desk = await prepared(base)
        finals = {one["key"]: one["stages"] for one in get(f"{base}/api/finals").json()["finals"]}
        assert (await desk.act(**{**finals["S11"][0], "groups": 2}))["t"] == "ack"
        codes = [finding["code"] for finding in desk.view["findings"]]
        assert codes == ["places-over-finalists"]
        assert desk.view["sessions"]["1"]["choice"]["sheet"] == "referee-order", "S12, by the key that pages know"
        assert desk.view["stages"]["1"]["expected"] == 3

    run(story)
