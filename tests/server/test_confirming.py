"""A champion's throw with real dice that counts once a second person has confirmed it."""

import asyncio

import pytest

from bobing.server.acting import actor_of
from bobing.wire import messages as wire
from server.tables import HOST, Member, Play
from server.test_events import at_event, give_pass, line, post, prepared
from server.test_events import run as run_event

TWO = wire.Settings(dice="real", confirm="two")
CHAMPION = {"seat": 0, "roll": "444411"}
REFEREE = wire.You("referee")
SEAT = wire.You("seat", 1)


async def claimed(*, device=False):
    """A champion's throw of seat 0 that waits, and somebody who looks on."""
    play = await Play.open("a", "b", settings=TWO)
    await play.begin()
    member = Member(wire.You("watch"))
    await play.host.enter(play.code, member, 0)
    if device:
        await play.host.door.join(play.code, wire.Joining(seat=1))
    assert isinstance(await play.send(wire.Do, act=CHAMPION), wire.Ack)
    return play, member


def champion(play):
    title = play.room.game.title
    assert title is not None
    return title[0]


def run(scenario):
    return asyncio.run(scenario())


def code_of(answer):
    return answer.code if isinstance(answer, wire.Refused) else "ack"


async def say(play, who=HOST, **confirm):
    return code_of(await play.send(wire.Confirm, who=who, actor=actor_of(who), **confirm))


def test_the_throw_waits_and_nothing_else_is_played():
    async def scenario():
        play, member = await claimed()
        view = member.got[-1]["view"]
        assert view["claim"] == {
            "seat": 0,
            "roll": "444411",
            "words": {"zh-Hans": "状元插金花", "zh-Hant": "狀元插金花", "en": view["claim"]["words"]["en"]},
            "by": "host",
            "n": 3,
            "again": True,
        }
        assert (view["next"], view.get("title")) == (0, None)
        assert code_of(await play.send(wire.Do, act={"seat": 0, "roll": "123356"})) == "table/unconfirmed"
        assert await say(play, REFEREE, yes=True) == "ack"
        view = member.got[-1]["view"]
        assert (view["next"], view["title"]["seat"], view.get("claim")) == (1, 0, None)
        assert await say(play, REFEREE, yes=True) == "table/no_claim"

    run(scenario)


def test_on_one_device_the_second_person_types_the_dice_in_again():
    async def scenario():
        play, _ = await claimed()
        assert await say(play, yes=True) == "table/second_person"
        assert await say(play, yes=True, roll="444412") == "table/other_dice"
        assert play.room.game.title is None
        assert await say(play, yes=True, roll="114444") == "ack"
        assert champion(play) == 0

    run(scenario)


def test_where_somebody_else_has_a_device_that_one_confirms():
    async def scenario():
        play, member = await claimed(device=True)
        assert not member.got[-1]["view"]["claim"].get("again")
        assert await say(play, yes=True, roll="444411") == "table/second_person"
        assert await say(play, wire.You("watch"), yes=True) == "table/forbidden"
        assert await say(play, SEAT, yes=True) == "ack"
        assert champion(play) == 0

    run(scenario)


def test_a_slip_is_taken_back_and_leaves_its_trace():
    async def scenario():
        play, _ = await claimed()
        assert await say(play, yes=False) == "ack"
        assert play.room.claim is None
        assert len(play.room.game.log) == 0
        assert code_of(await play.send(wire.Do, act={"seat": 0, "roll": "123356"})) == "ack"
        entries = await play.host.log.read(play.code)
        assert [entry.body.count(b'"444411"') for entry in entries][-3:] == [1, 0, 0]

    run(scenario)


def test_a_waiting_throw_outlives_its_process_and_late_joiners():
    async def scenario():
        play, _ = await claimed()
        assert code_of(await play.send(wire.AddSeat, name="c")) == "ack"
        del play.host.tables[play.code]
        assert (await play.host.table(play.code)).room.claim.throw.seat == 0
        assert await say(play, REFEREE, yes=True) == "ack"

    run(scenario)


@pytest.mark.parametrize("roll", ["123456", "222233"])
def test_other_throws_wait_for_nobody(roll):
    async def scenario():
        play = await Play.open("a", "b", settings=TWO)
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": roll})
        assert play.room.game.next_seat == 1

    run(scenario)


def test_a_correction_to_a_champion_waits_too():
    async def scenario():
        play = await Play.open("a", "b", settings=TWO)
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": "123456"})
        await play.send(wire.Do, act={"correct": 1, "act": CHAMPION})
        assert play.room.game.title is None
        assert await say(play, REFEREE, yes=True) == "ack"
        assert champion(play) == 0

    run(scenario)


@pytest.mark.parametrize("confirm", ["two", "twice"])
def test_what_the_desk_types_in_from_paper_asks_for_no_second_look_and_marks_the_table(confirm):
    async def story(base):
        event, desk = await prepared(base)
        settings = {"dice": "real", "confirm": confirm, "joining": "closed"}
        choice = {"sheet": "S12", "house": {}}
        await desk.do("session_settings", session=1, name="x", choice=choice, tables=3, seats=4, settings=settings)
        await desk.do("open_tables")
        url = f"{base}/api/events/{event['code']}/tables"
        desks, card = event["token"], give_pass(base, event, "table", table=1)

        def enter(token):
            return post(f"{url}/1", json={"typing": True}, headers={"authorization": f"Bearer {token}"}).json()

        right = enter(desks)
        async with line(base, right["code"], right["token"]) as typing:
            assert typing.welcome["you"] == {"role": "host", "paper": True}
            answer = await typing.do("do", act={"seat": 0, "roll": "444411"})
            assert answer["t"] == "ack", answer
            assert typing.view["title"]["seat"] == 0
            assert "claim" not in typing.view
        async with line(base, right["code"], right["token"]) as again:
            assert again.welcome["you"]["paper"], "a reload does not change it"
        back = enter(card)
        async with line(base, back["code"], back["token"]) as table:
            answer = await table.do("do", act={"seat": 1, "roll": "444411"})
            assert answer["t"] == "ack" if confirm == "two" else answer["code"] == "table/confirm"
            assert ("claim" in table.view) is (confirm == "two"), "what is thrown there is looked at twice, as before"
            if confirm == "two":
                assert (await desk.do("confirm_throw", table=1, yes=False))["t"] == "ack"
        assert (await desk.do("close_tables", tables=[1, 2]))["t"] == "ack"
        assert [desk.known["tables"][n]["how"] for n in "12"] == ["paper", "played"]

    run_event(story)


def test_at_an_event_the_desk_and_the_referee_confirm_and_no_table_closes_meanwhile():
    async def story(base):
        event, desk = await prepared(base)
        settings = {"dice": "real", "confirm": "two", "joining": "closed"}
        choice = {"sheet": "S12", "house": {}}
        await desk.do("session_settings", session=1, name="x", choice=choice, tables=3, seats=4, settings=settings)
        tablet = await at_event(base, event["code"], give_pass(base, event, "table", table=2))
        referee = await at_event(base, event["code"], give_pass(base, event, "referee"))
        await desk.do("open_tables")
        seated = await tablet.get("seated")
        async with line(base, seated["code"], seated["token"]) as table:
            for seat, confirming in ((0, referee), (1, desk)):
                assert (await table.do("do", act={"seat": seat, "roll": "444411"}))["t"] == "ack"
                while desk.known["board"].get("2", {}).get("claim", {}).get("seat") != seat:
                    await desk.get("board")
                assert desk.known["board"]["2"]["needs"][0] == "confirm"
                assert (await desk.do("close_tables", tables=[2]))["code"] == "event/unconfirmed"
                assert (await tablet.do("confirm_throw", table=2, yes=True))["code"] == "table/forbidden"
                assert (await confirming.do("confirm_throw", table=2, yes=True))["t"] == "ack"
                while "claim" in table.view:
                    await table.get()
            assert (await referee.do("confirm_throw", table=2, yes=True))["code"] == "table/no_claim"
            assert (await referee.do("confirm_throw", table=9, yes=True))["code"] == "event/not_begun"

    run_event(story)
