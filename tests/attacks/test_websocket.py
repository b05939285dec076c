"""Attacks 1 to 15: who may connect, and what a token lets its holder do."""

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest
import websockets
import websockets.exceptions

import bobing
from attacks.raw import http, upgrade
from bobing.cli.serve import greet
from bobing.server import http as calls
from bobing.server.rights import CODE_SIGNS
from server.live import line, new_table, serving

SOURCES = [path.read_text("utf-8") for path in Path(bobing.__file__).parent.rglob("*.py")]


def run(scenario):
    return asyncio.run(scenario())


def joined(base, code, **how):
    answer = http.post(f"{base}/api/tables/{code}/join", json=how)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://HOST.evil.example", "HTTP://HOST", "http://HOST:1", "", "file://"],
)
def test_attack_01_a_page_of_others_opens_no_connection(base, origin):
    ours = base.partition("//")[2]
    named = origin.replace("HOST:1", "127.0.0.1:1").replace("HOST", ours)
    connection, head = upgrade(base, f"Origin: {named}")
    with connection:
        assert head.startswith("HTTP/1.1 403 ")
        assert connection.recv(100) == b"", "no room data"
    connection, head = upgrade(base, f"Origin: {base}")
    with connection:
        assert head.startswith("HTTP/1.1 101 ")


def test_attack_02_a_cookie_gives_no_right_and_a_token_needs_no_origin(base):
    code, token = new_table(base, "a", "b")

    async def scenario():
        for name in ("session", "token", "k", "authorization"):
            async with websockets.connect(
                base.replace("http", "ws") + "/ws", additional_headers={"cookie": f"{name}={token}"}
            ) as socket:
                await socket.send(json.dumps({"t": "hello", "code": code, "token": "x" * 32}))
                assert json.loads(await socket.recv())["code"] == "table/unknown_token"
        async with line(base, code, token) as program:
            assert program.welcome["you"]["role"] == "host"

    run(scenario)


def test_attack_03_there_are_no_cookies_at_all(base):
    code, token = new_table(base, "a", "b")
    bearer = {"authorization": f"Bearer {token}"}
    asked = [
        *(
            http.get(f"{base}{path}")
            for path in ("/", "/healthz", "/api/sheets/S12", f"/api/tables/{code}", "/nothing.js")
        ),
        http.post(f"{base}/api/tables/{code}/links", json={"role": "watch"}, headers=bearer),
        http.post(f"{base}/api/tables/{code}/join", json={"watch": True}),
    ]
    assert not [answer.url for answer in asked if "set-cookie" in answer.headers]
    record = f"{base}/api/tables/{code}/record"
    assert http.get(record, headers={"cookie": f"token={token}; session={token}"}).status_code == 401
    assert http.get(record, headers=bearer).json()["code"] == "table/not_begun"
    assert not [source for source in SOURCES if re.search(r"set_cookie|\.cookies|[\"']cookie", source, re.IGNORECASE)]
    connection, head = upgrade(base, "Origin: https://evil.example", f"Cookie: token={token}")
    with connection:
        assert head.startswith("HTTP/1.1 403 ")


def test_attack_04_a_token_in_the_address_is_worth_nothing(base):
    code, token = new_table(base, "a", "b")
    for name in ("token", "k", "access_token", "authorization"):
        assert http.get(f"{base}/api/tables/{code}/record?{name}={token}").status_code == 401
        assert http.post(f"{base}/api/tables/{code}/links?{name}={token}", json={"role": "host"}).status_code == 401

    async def scenario():
        async with websockets.connect(f"{base.replace('http', 'ws')}/ws?token={token}&code={code}") as socket:
            await socket.send('{"t":"ping"}')
            assert json.loads(await socket.recv())["code"] == "table/hello_first"

    run(scenario)
    assert http.get(f"{base}/").headers["referrer-policy"] == "no-referrer"


HOST_ALONE = {
    "begin": {},
    "add_seat": {"name": "c"},
    "remove_seat": {"seat": 0},
    "move_seat": {"seat": 0, "to": 1},
    "set_rules": {"rules": {"sheet": "S12", "house": {}}},
    "set_settings": {"settings": {"dice": "digital"}},
    "free_seat": {"seat": 0},
    "rematch": {"code": "ABCDEFGH"},
    "rename_seat": {"seat": 0, "name": "mine"},
}


def test_attack_05_a_player_does_nothing_that_is_the_hosts(base):
    code, token = new_table(base, "a", "b", "c", settings={"dice": "real", "confirm": "none"})
    player = joined(base, code, seat=1)

    async def scenario():
        async with line(base, code, token) as host, line(base, code, player) as seat:
            before = host.welcome["n"]
            for kind, values in HOST_ALONE.items():
                assert (await seat.do(kind, **values))["code"] == "table/forbidden", kind
            assert (await host.do("begin"))["n"] == before + 1, "nothing was stored"
            n = (await host.do("do", act={"seat": 0, "roll": "123456"}))["n"]
            for act in ({"undo": 1}, {"correct": 1, "act": {"seat": 0, "roll": "444444"}}, {"close": True}):
                assert (await seat.do("do", at=n, act=act))["code"] == "table/forbidden", act

    run(scenario)
    bearer = {"authorization": f"Bearer {player}"}
    for wish in ({"role": "host"}, {"role": "seat", "seat": 0}):
        assert http.post(f"{base}/api/tables/{code}/links", json=wish, headers=bearer).status_code == 403


def test_attack_06_who_looks_on_does_nothing(base):
    code, token = new_table(base, "a", "b")
    watch = joined(base, code, watch=True)

    async def scenario():
        async with line(base, code, token) as host, line(base, code, watch) as watcher:
            n = (await host.do("begin"))["n"]
            async with line(base, code, joined(base, code, watch=True)) as other:
                before = other.welcome["n"]
            players = {"throw": {"seat": 0}, "start_dice": {"seat": 0}, "do": {"act": {"seat": 0, "pass": True}}}
            for kind, values in {**HOST_ALONE, **players}.items():
                answer = await watcher.do(kind, at=n, **values)
                assert answer["code"] == "table/forbidden", kind
            async with line(base, code, joined(base, code, watch=True)) as other:
                assert (other.welcome["n"], other.welcome["lines"]) == (before, []), "nothing was stored"

    run(scenario)


def test_attack_07_nobody_throws_for_a_seat_that_has_a_device(base):
    code, token = new_table(base, "a", "b")
    first, second = joined(base, code, seat=0), joined(base, code, seat=1)

    async def scenario():
        async with line(base, code, token) as host, line(base, code, first) as one, line(base, code, second) as two:
            n = (await host.do("begin"))["n"]
            assert (await two.do("throw", seat=0, at=n))["code"] == "table/forbidden"
            assert (await two.do("start_dice", seat=0, at=n))["code"] == "table/forbidden"
            assert (await two.do("do", act={"seat": 0, "pass": True}, at=n))["code"] == "table/forbidden"
            async with line(base, code, joined(base, code, watch=True)) as other:
                assert other.welcome["lines"] == [], "nothing was thrown"
            assert one.welcome["you"]["seat"] == 0

    run(scenario)


def test_attack_08_nobody_throws_out_of_turn(base):
    code, token = new_table(base, "a", "b")
    second = joined(base, code, seat=1)

    async def scenario():
        async with line(base, code, token) as host, line(base, code, second) as two:
            n = (await host.do("begin"))["n"]
            answer = await two.do("throw", seat=1, at=n)
            assert (answer["code"], answer["n"]) == ("act/not_your_turn", n)
            async with line(base, code, joined(base, code, watch=True)) as other:
                assert (other.welcome["n"], other.welcome["lines"]) == (n, [])

    run(scenario)


def test_attack_09_the_host_of_one_table_is_nobody_at_another(base):
    _, mine = new_table(base, "a", "b")
    theirs, _ = new_table(base, "c", "d")
    bearer = {"authorization": f"Bearer {mine}"}
    assert http.post(f"{base}/api/tables/{theirs}/links", json={"role": "host"}, headers=bearer).status_code == 401
    assert http.get(f"{base}/api/tables/{theirs}/record", headers=bearer).status_code == 401

    async def scenario():
        async with websockets.connect(base.replace("http", "ws") + "/ws") as socket:
            await socket.send(json.dumps({"t": "hello", "code": theirs, "token": mine}))
            assert json.loads(await socket.recv())["code"] == "table/unknown_token"

    run(scenario)


def test_attack_10_a_token_that_is_revoked_is_out_at_once(base):
    code, token = new_table(base, "a", "b")
    lost = joined(base, code, seat=1)

    async def scenario():
        async with line(base, code, token) as host, line(base, code, lost) as phone:
            await host.do("free_seat", seat=1)
            async with asyncio.timeout(60):
                assert (await phone.get("bye"))["why"] == "revoked"
                with pytest.raises(websockets.exceptions.ConnectionClosed):
                    await phone.until_closed()
            assert phone.socket.close_code == 1008
        async with websockets.connect(base.replace("http", "ws") + "/ws") as socket:
            await socket.send(json.dumps({"t": "hello", "code": code, "token": lost}))
            assert json.loads(await socket.recv())["code"] == "table/unknown_token"

    run(scenario)


def test_attack_11_one_token_on_two_phones_throws_once(base):
    code, token = new_table(base, "a", "b", "c")
    player = joined(base, code, seat=0)

    async def scenario():
        async with line(base, code, token) as host:
            n = (await host.do("begin"))["n"]
            async with line(base, code, player) as old:
                await old.put(t="throw", cmd="of-the-old-phone", at=n, seat=0)
                async with line(base, code, player) as new:
                    await new.put(t="throw", cmd="of-the-new-phone", at=n, seat=0)
                    assert (await old.get("bye"))["why"] == "replaced"
                    answers = [await new.get("refused")] if new.welcome["lines"] else [await new.get("ack")]
                    assert answers[0].get("code") in (None, "act/not_your_turn", "table/stale")
                    await old.socket.wait_closed()
                    assert old.socket.close_code == 1008
            async with line(base, code, joined(base, code, watch=True)) as other:
                assert len(other.welcome["lines"]) == 1

    run(scenario)


def test_attack_12_guessing_codes_is_slow_told_of_and_tells_nothing(caplog):
    with serving(metrics=True) as base, caplog.at_level(logging.WARNING, "bobing.http"):
        code, _ = new_table(base, "a", "b")
        guesses = [code[:6] + one + two for one in CODE_SIGNS for two in CODE_SIGNS]
        answers = [http.get(f"{base}/api/tables/{guess}") for guess in guesses[:200] if guess != code]
        assert [answer.status_code for answer in answers[:10]] == [404] * 10
        refused = sum(answer.status_code == 429 for answer in answers)
        assert refused > 170, "ten a minute, and however long this took"
        assert {answer.json()["code"] for answer in answers} == {"table/closed", "table/slow_down"}
        assert {len(answer.content) for answer in answers[:10]} == {len(answers[0].content)}
        assert http.get(f"{base}/api/tables/{code}").status_code == 200, "a hall shares one address"
        assert re.search(r"bobing_wrong_codes_total (199|200)", http.get(f"{base}/metrics").text)
    assert sum("somebody guesses" in record.message for record in caplog.records) == 1


def test_attack_13_a_crowd_that_joins_fills_the_seats_and_the_host_can_shut_the_door(monkeypatch):
    monkeypatch.setattr(calls, "JOINS_PER_MINUTE", 120)
    with serving() as base:
        code, _ = new_table(base)
        answers = [http.post(f"{base}/api/tables/{code}/join", json={"name": f"p{i}"}) for i in range(160)]
        assert [answer.status_code for answer in answers[:100]] == [200] * 100
        assert {answer.json()["code"] for answer in answers[100:118]} == {"table/full"}
        assert {answer.json()["code"] for answer in answers[118:]} == {"table/full", "table/slow_down"}
        other, key = new_table(base, "a", "b")

        async def scenario():
            async with line(base, other, key) as host:
                assert (await host.do("set_settings", settings={"joining": "closed"}))["t"] == "ack"

        run(scenario)
        answer = http.post(f"{base}/api/tables/{other}/join", json={"name": "late"})
        assert (answer.status_code, answer.json()["code"]) == (404, "table/closed")


def test_attack_14_a_forged_address_is_not_believed():
    def answers(base, *passed):
        return [http.get(f"{base}/api/tables/ABCDEFGH", headers={"x-forwarded-for": one}).status_code for one in passed]

    with serving(guesses_per_minute=1) as base:
        assert answers(base, "198.51.100.1", "198.51.100.2", "198.51.100.3, 127.0.0.1") == [404, 429, 429]
    with serving(guesses_per_minute=1, proxies="10.0.0.1, 127.0.0.1") as base:
        assert answers(base, "198.51.100.1, 10.0.0.1", "8.8.8.8, 198.51.100.1", "198.51.100.2") == [404, 429, 404]


def test_attack_15_plain_http_is_refused_where_the_address_is_https_and_said_elsewhere(capsys):
    with serving(public_url="https://table.example") as base:
        for origin, status in (
            ("https://table.example", 101),
            ("http://table.example", 403),
            ("https://table.example.evil", 403),
        ):
            connection, head = upgrade(base, f"Origin: {origin}")
            with connection:
                assert head.startswith(f"HTTP/1.1 {status} "), origin
    greet("http://192.0.2.7:8063", "en", "0.0.0.0", "memory://")
    assert "--cert" in capsys.readouterr().out
