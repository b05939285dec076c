"""The server over real sockets."""

import asyncio
import json

import httpx
import pytest
import websockets
import websockets.exceptions

from server.live import line, new_table, serving

SOCKET_CLOSED = websockets.exceptions.ConnectionClosed


def run(scenario):
    return asyncio.run(scenario())


def test_a_game_over_two_connections():
    with serving("444411", "222241", "111223") as base:
        code, host = new_table(base, "小明", "小红")

        joined = httpx.post(f"{base}/api/tables/{code.lower()}/join", json={"seat": 1}).json()

        async def scenario():
            async with line(base, code, host) as one, line(base, code, joined["token"]) as two:
                assert two.welcome["you"] == {"role": "seat", "seat": 1}
                assert (await one.do("begin"))["t"] == "ack"
                assert (await one.do("throw", seat=0))["t"] == "ack"
                news = await two.get("news")
                while "line" not in news:
                    news = await two.get("news")
                assert news["line"]["roll"] == "444411"
                assert (await two.do("throw", seat=1))["t"] == "ack"
                assert (await two.do("throw", seat=0))["t"] == "ack", "a neighbour without a device"
                refused = await two.do("throw", seat=0)
                assert refused["code"] == "act/not_your_turn"
                assert set(refused["words"]) == {"zh-Hans", "zh-Hant", "en"}

        run(scenario)
        record = httpx.get(f"{base}/api/tables/{code}/record", headers={"authorization": f"Bearer {host}"})
        assert json.loads(record.text.splitlines()[0])["bobing"] == "record/1"
        assert httpx.get(f"{base}/api/tables/{code}/record").status_code == 401


def test_hello_comes_first_and_has_to_fit():
    with serving() as base:
        code, token = new_table(base, "a", "b")
        other, _ = new_table(base, "a", "b")

        async def refused(*messages, **headers):
            try:
                async with websockets.connect(base.replace("http", "ws") + "/ws", additional_headers=headers) as socket:
                    for message in messages:
                        await socket.send(message)
                    return json.loads(await asyncio.wait_for(socket.recv(), 60))["code"]
            except websockets.exceptions.InvalidStatus as answer:
                return answer.response.status_code

        async def scenario():
            hello = json.dumps({"t": "hello", "code": code, "token": token})
            assert await refused('{"t":"ping"}') == "table/hello_first"
            assert await refused(hello.replace(token, "x" * 32)) == "table/unknown_token"
            assert await refused(hello.replace(code, other)) == "table/unknown_token"
            assert await refused("{") == "table/bad_message"
            assert await refused(hello, origin="https://evil.example") == 403
            assert await refused(hello, origin="null") == 403
            assert await refused(hello, origin=base.replace("127.0.0.1", "localhost")) == 403

        run(scenario)


def test_too_many_bad_messages_end_the_connection():
    with serving() as base:
        code, token = new_table(base, "a", "b")

        async def scenario():
            async with line(base, code, token) as host:
                for _ in range(8):
                    await host.socket.send("{")
                with pytest.raises(SOCKET_CLOSED):
                    await host.until_closed()
                assert host.socket.close_code == 1008

        run(scenario)


@pytest.mark.parametrize(
    ("body", "status"),
    [("{", 422), ("[]", 422), ('{"players":["a"],"players":[]}', 422), ('{"players":[1]}', 422), ("x" * 70_000, 413)],
)
def test_bad_bodies_are_refused(body, status):
    with serving() as base:
        answer = httpx.post(f"{base}/api/tables", content=body)
        assert answer.status_code == status
        assert set(answer.json()["words"]) == {"zh-Hans", "zh-Hant", "en"}


def test_sheets_and_scores():
    with serving() as base:
        assert len(httpx.get(f"{base}/api/sheets", timeout=60).json()) >= 1
        assert httpx.get(f"{base}/api/sheets/S12", timeout=60).json()["key"] == "referee-order"
        assert httpx.get(f"{base}/api/sheets/nope").status_code == 404
        assert httpx.get(f"{base}/api/score?roll=444411&rules=S12").json()["combination"] == "chajinhua"
        assert httpx.get(f"{base}/api/score?roll=１２３４５６").status_code == 422
        check = httpx.post(f"{base}/api/rules/check", json={"sheet": "minnan", "house": {"cakes": {"yixiu": -1}}})
        assert (check.status_code, check.json()["code"]) == (422, "rules/out_of_range")


def test_health_and_metrics():
    with serving(metrics=True) as base:
        new_table(base, "a", "b")
        assert httpx.get(f"{base}/healthz").text == "ok\n"
        told = httpx.get(f"{base}/metrics").text
        assert "bobing_tables_made_total 1\n" in told
        assert "bobing_sync_seconds" not in told  # nothing is stored in memory
    with serving() as base:
        assert httpx.get(f"{base}/metrics").status_code == 404


def test_when_the_server_shuts_down_it_says_so():
    async def scenario():
        with serving() as base:
            code, token = new_table(base, "a", "b")
            async with line(base, code, token) as host:
                return base, host.socket, await host.do("begin")

    _, _, answer = run(scenario)
    assert answer["t"] == "ack"


def test_a_command_that_more_follows_by_itself_gets_the_same_answer_again():
    with serving() as base:
        code, token = new_table(base, "a", "b", settings={"dice": "digital"})

        async def scenario():
            async with line(base, code, token) as host:
                first = await host.do("begin", cmd="begin-of-the-game", at=1)
                assert await host.do("begin", cmd="begin-of-the-game", at=1) == first
                async with line(base, code, token) as again:
                    assert again.welcome["n"] > first["n"], "the dice were fixed behind it"
                    assert await again.do("begin", cmd="begin-of-the-game", at=1) == first

        run(scenario)


def test_phones_prove_their_dice_over_real_sockets(tmp_path):
    """The server as it runs, with its own chance and a file: begin, fix, throw, and the record is proved."""
    from bobing.adapters import open_log
    from bobing.core.record import read_record
    from bobing.fairness.chain import player_chain
    from bobing.fairness.verify import verify_record

    async def fix(seat, one):
        """What the page of a seat does from the beginning until the dice are fixed; its links."""
        links = []
        while True:
            message = await one.get("news")
            fair = message["view"].get("fair", {"stage": "none"})
            if fair["stage"] == "ready":
                return fair, links
            if seat not in fair.get("asked", []):
                continue
            if fair["stage"] == "commit" and not links:
                links = player_chain(bytes([seat + 1]) * 32, bytes.fromhex(fair["game"]), seat + 1)
                await one.put(t="commit", seat=seat, game=fair["game"], player=links[0].hex())
            elif fair["stage"] == "reveal":
                await one.put(t="reveal", seat=seat, game=fair["game"], link=links[1].hex())

    async def see(one, n):
        """Read on until act n is told."""
        while (await one.get("news")).get("line", {}).get("n") != n:
            pass

    with serving(log=open_log(f"sqlite:{tmp_path / 'tables.db'}")) as base:
        code, host = new_table(base, "小明", "小红")
        tokens = [httpx.post(f"{base}/api/tables/{code}/join", json={"seat": i}).json()["token"] for i in range(2)]

        async def scenario():
            async with (
                line(base, code, host) as desk,
                line(base, code, tokens[0]) as a,
                line(base, code, tokens[1]) as b,
            ):
                work = [asyncio.create_task(fix(seat, one)) for seat, one in enumerate((a, b))]
                assert (await desk.do("begin"))["t"] == "ack"
                (fair, first), (same, second) = await asyncio.gather(*work)
                assert fair["sas"] == same["sas"]
                assert (await a.do("throw", seat=0, link=first[2].hex()))["t"] == "ack"
                await see(b, 1)
                assert (await b.do("throw", seat=1, link=second[2].hex()))["t"] == "ack"
                await see(desk, 2)
                throwing = asyncio.create_task(desk.do("throw", seat=0))
                wanted = await a.get("link_wanted")
                await a.put(t="link", seat=0, game=wanted["game"], k=wanted["k"], link=first[wanted["k"] + 1].hex())
                assert (await throwing)["t"] == "ack"

        run(scenario)
        record = httpx.get(f"{base}/api/tables/{code}/record", headers={"authorization": f"Bearer {host}"})
    found = verify_record(read_record(record.content.splitlines(keepends=True)))
    assert [(one.seat, one.k, one.verdict) for one in found.throws] == [
        (0, 1, "PROVED-A"), (1, 1, "PROVED-A"), (0, 2, "PROVED-A"),
    ]  # fmt: skip
    assert found.sound
