"""Attacks 68, 69 and 72 at an event: prizes that are out already, two desks at once, names in the log."""

import asyncio

import pytest

from attacks.raw import http
from bobing.adapters.memory import MemoryLog
from cli.test_serve import serving as served
from server.live import line, serving
from server.test_events import at_event, give_pass, new_event, prepared, run, send_list, told

CANARIES = ("Nightingale", "13812345678", "Bullfinch-home", "Sparrow", "13887654321", "Swallow")


async def played(base):
    """A table at which seat 0 threw a dui tang, closed; its voucher 1; and the table's own right."""
    event, desk = await prepared(base)
    tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=1))
    await desk.do("open_tables", tables=[1])
    seated = await tablet.get("seated")
    async with line(base, seated["code"], seated["token"]) as table:
        assert (await table.do("do", act={"seat": 0, "roll": "123456"}))["t"] == "ack"
    assert (await desk.do("close_tables", tables=[1]))["t"] == "ack"
    return event, desk, seated


def test_attack_68_a_throw_undone_after_its_prize_is_out_asks_again_and_calls_the_prize_back():
    async def story(base):
        _, desk, seated = await played(base)
        closing = desk.n
        await desk.act(do="hand", vouchers=[1], desk="A")
        handing = desk.n
        async with line(base, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"undo": 1}))["code"] == "table/event_closed"
        assert (await desk.act(do="undo", n=closing))["code"] == "event/later_impossible"
        assert (await desk.act(do="reopen", table=1))["code"] == "event/handed_out"
        assert desk.known["vouchers"]["1"]["state"] == "handed"
        assert (await desk.act(do="reopen", table=1, sure=True))["t"] == "ack"
        assert desk.known["vouchers"]["1"]["state"] == "recalled"
        async with line(base, seated["code"], seated["token"]) as table:
            assert (await table.do("do", act={"undo": 1}))["t"] == "ack"
            assert (await table.do("do", act={"seat": 0, "roll": "123355"}))["t"] == "ack"
        assert (await desk.do("close_tables", tables=[1]))["t"] == "ack"
        assert desk.known["vouchers"]["1"]["state"] == "recalled"
        assert (await desk.act(do="hand", vouchers=[1], desk="A"))["code"] == "event/voucher_state"
        assert (await desk.do("event_act", act={"do": "return", "vouchers": [1]}))["t"] == "ack"
        assert desk.known["vouchers"]["1"]["state"] == "returned"
        (item,) = [item for item in desk.view["items"] if item["item"] == "duitang"]
        assert (item.get("handed", 0), item.get("recalled", 0)) == (0, 0)
        kept = await log.read(f"event/{desk.welcome['code']}")
        assert kept[handing - 1].body.count(b'"hand"') == 1

    log = MemoryLog()
    with serving(log=log) as base:
        asyncio.run(told(story, base))


def test_attack_69_of_two_prize_desks_one_hands_over():
    async def story(base):
        event, desk, _ = await played(base)
        desks = [await at_event(base, event["code"], give_pass(base, event, "prizes")) for _ in range(2)]
        for _ in range(10):
            acts = [one.act(do="hand", vouchers=[1], desk=name) for one, name in zip(desks, "AB", strict=True)]
            answers = await asyncio.gather(*acts)
            assert sorted(answer.get("code", "") for answer in answers) == ["", "event/already_handed"], answers
            winner = "AB"[[answer["t"] for answer in answers].index("ack")]
            while desk.known["vouchers"]["1"]["state"] != "handed":
                await desk.get()
            assert desk.known["vouchers"]["1"]["desk"] == winner
            assert (await desk.do("event_act", act={"do": "return", "vouchers": [1]}))["t"] == "ack"

    run(story)


@pytest.mark.parametrize("form", ["text", "json"])
def test_attack_72_the_log_holds_no_guest(tmp_path, form):
    with served(tmp_path / "events.db", "--log", form) as server:
        base = server.address
        event = new_event(base)
        list_text = f"姓名,电话,家庭\n{CANARIES[0]},{CANARIES[1]},{CANARIES[2]}\n{CANARIES[3]},{CANARIES[4]}x,\n"
        url = f"{base}/api/events/{event['code']}"

        async def story(base):
            desk = await at_event(base, event["code"], event["token"])
            choice = {"sheet": "S12", "house": {}}
            await desk.do("session_settings", session=1, name="x", choice=choice, tables=1, seats=4)
            send_list(base, event, list_text, "a-list-of-canaries")
            send_list(base, event, list_text.replace("x", ""), "a-list-of-canaries")
            await desk.do("name_guest", guest=1, name=CANARIES[5], phone=CANARIES[1])
            await desk.do("erase_guests", guests=[1])

        asyncio.run(told(story, base))
        http.post(f"{url}/guests", json={"name": CANARIES[3], "phone": CANARIES[4] + "x"})
        mine = http.post(f"{url}/guests", json={"name": CANARIES[5], "phone": CANARIES[4]}).json()["token"]
        http.get(f"{url}/me?phone={CANARIES[4]}", headers={"authorization": f"Bearer {mine}"})
        http.get(f"{url}/me?name={CANARIES[3]}", headers={"authorization": f"Bearer {mine}x"})
        assert server.end() == 0
        said = "".join(server.said)
        assert not [secret for secret in (*CANARIES, mine, event["token"]) if secret in said]
