"""Situations of real evenings: wrong prize lists, a failing network, uneven groups, two sessions at once."""

import httpx

from server.live import line
from server.test_events import at_event, give_pass, new_event, run

REAL = {"dice": "real", "joining": "closed", "confirm": "none"}
NOTHING = "112335"


async def evening(base, guests, tables, seats):
    """An event whose guests are here and drawn to so many tables; its desk."""
    event = new_event(base)
    desk = await at_event(base, event["code"], event["token"])
    assert (await set_session(desk, 1, tables, seats))["t"] == "ack"
    await come(desk, 1, guests, range(1, tables + 1))
    return event, desk


async def set_session(desk, number, tables, seats, house=None):
    choice = {"sheet": "S12", "house": house or {}}
    return await desk.do(
        "session_settings", session=number, name=f"{number}", choice=choice, tables=tables, seats=seats, settings=REAL
    )


async def come(desk, session, guests, tables):
    first = desk.view["next_guest"]
    people = [{"name": f"客{first + n}", "session": session} for n in range(guests)]
    assert (await desk.do("enter_guests", guests=people))["t"] == "ack"
    await desk.act(do="here", guests=list(range(first, first + guests)))
    assert (await desk.act(do="draw", session=session, seed="moon", tables=list(tables)))["t"] == "ack"


def typing_in(base, event, number):
    """A right to type in for a table."""
    headers = {"authorization": f"Bearer {event['token']}"}
    address = f"{base}/api/events/{event['code']}/tables/{number}"
    answer = httpx.post(address, json={"typing": True}, headers=headers).json()
    return line(base, answer["code"], answer["token"])


async def thrown(table, *rolls):
    """Throws in turn; whose they were."""
    seats = []
    for roll in rolls:
        seats.append(table.view["next"])
        assert (await table.do("do", act={"seat": seats[-1], "roll": roll}))["t"] == "ack"
    return seats


def test_situation_9_a_prize_list_that_does_not_add_up_is_said_before_anything_starts():
    async def story(base):
        event = new_event(base)
        desk = await at_event(base, event["code"], event["token"])
        lines = {"yixiu": 80, "erju": 40, "sijin": 20, "sanhong": 8, "duitang": 4, "zhuangyuan": 2}
        answer = await set_session(desk, 1, 3, 14, {"cakes": lines, "total": 151})
        assert answer["code"] == "rules/total_mismatch"
        assert "154" in str(answer), "what the lines add up to is said"
        assert "151" in str(answer)
        again = await at_event(base, event["code"], event["token"])
        assert again.welcome["view"]["sessions"] == {}
        assert (await set_session(desk, 1, 3, 14, {"cakes": lines, "total": 154}))["t"] == "ack"

    run(story)


def test_situation_10_two_tables_go_on_on_paper_and_are_typed_in_later_in_order():
    async def story(base):
        event, desk = await evening(base, 8, 2, 4)
        tablets = [await at_event(base, event["code"], give_pass(base, event, "table", table=n)) for n in (1, 2)]
        await desk.do("open_tables")
        for tablet in tablets:
            seated = await tablet.get("seated")
            async with line(base, seated["code"], seated["token"]) as table:
                assert await thrown(table, "123456") == [0]
        paper = {1: (NOTHING, "444412", NOTHING), 2: ("555512", NOTHING, "444413", "444415")}
        for number, rolls in paper.items():  # the lines are gone; the desk types in what stands on paper
            async with typing_in(base, event, number) as table:
                assert await thrown(table, *rolls) == [(1 + n) % 4 for n in range(len(rolls))], "the turns went on"
            assert (await desk.do("close_tables", tables=[number], paper=True))["t"] == "ack"
        tables = desk.known["tables"]
        assert [tables[n]["how"] for n in "12"] == ["paper", "paper"]
        assert tables["1"]["champion"] == tables["1"]["seats"][2]
        assert tables["2"]["champion"] in (tables["2"]["seats"][3], tables["2"]["seats"][0])
        duitang = [voucher for voucher in desk.known["vouchers"].values() if voucher["tier"] == "duitang"]
        assert [voucher["guest"] for voucher in duitang] == [tables[n]["seats"][0] for n in "12"], "thrown before"

    run(story)


def test_situation_12_forty_people_in_three_groups():
    async def story(base):
        event, desk = await evening(base, 40, 3, 14)
        tables = desk.known["tables"]
        assert sorted(len(table["seats"]) for table in tables.values()) == [13, 13, 14]
        assert len({guest for table in tables.values() for guest in table["seats"]}) == 40
        await desk.do("open_tables")
        for number in (1, 2, 3):
            size = len(tables[str(number)]["seats"])
            async with typing_in(base, event, number) as table:
                seats = await thrown(table, *[NOTHING] * (size - 1), "444412", "123456")
            assert seats == [*range(size), 0], "each once, then the first again"
        assert (await desk.do("close_tables", tables=[1, 2, 3]))["t"] == "ack"
        champions = [tables[n]["champion"] for n in "123"]
        assert champions == [tables[n]["seats"][-1] for n in "123"]
        won = sorted((v["table"], v["tier"], v["guest"]) for v in desk.known["vouchers"].values())
        firsts = {n: tables[str(n)]["seats"][0] for n in (1, 2, 3)}
        expected = [
            (n, tier, g) for n in (1, 2, 3) for tier, g in (("duitang", firsts[n]), ("zhuangyuan", champions[n - 1]))
        ]
        assert won == expected
        final = {"do": "stage", "stage": 1, "name": "F", "format": "sum", "places": [{"count": 1, "item": "车"}]}
        await desk.act(**final)
        assert desk.view["stages"]["1"]["next"] == champions
        await desk.act(do="finalists", stage=1, guests=champions, seed="s", vouchers=desk.view["next_voucher"])
        for guest in list(desk.view["stages"]["1"]["groups"][0]["guests"]):
            faces = "666" if guest == champions[1] else "112"
            assert (await desk.act(do="final", stage=1, guest=guest, faces=faces))["t"] == "ack"
        assert [v["guest"] for v in desk.known["vouchers"].values() if v.get("item") == "车"] == [champions[1]]

    run(story)


def test_situation_13_session_two_starts_while_a_table_of_session_one_still_plays():
    async def story(base):
        event, desk = await evening(base, 8, 2, 4)
        await desk.do("open_tables", tables=[1, 2])
        await desk.do("close_tables", tables=[2])
        async with typing_in(base, event, 1) as late:
            await thrown(late, "123456")
            assert (await set_session(desk, 2, 2, 4, {"cakes": {"yixiu": 30}, "total": 61}))["t"] == "ack"
            await come(desk, 2, 8, (3, 4))
            assert (await desk.do("open_tables", tables=[3, 4]))["t"] == "ack"
            async with typing_in(base, event, 3) as fresh:
                await thrown(fresh, "444412")
                assert await thrown(late, "444413") == [1], "session one goes on, in its turn"
            answer = await desk.do("close_tables", tables=[1])
        tables = desk.known["tables"]
        assert answer["t"] == "ack"
        assert [(tables[n]["session"], tables[n]["status"]) for n in "1234"] == [
            (1, "closed"),
            (1, "closed"),
            (2, "open"),
            (2, "open"),
        ]
        assert tables["1"]["champion"] == tables["1"]["seats"][1]
        assert not {g for n in "12" for g in tables[n]["seats"]} & {g for n in "34" for g in tables[n]["seats"]}

    run(story)
