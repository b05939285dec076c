"""Attacks 16 to 35: what comes over a connection that is open."""

import asyncio
import json
import time
from contextlib import suppress

import pytest
import websockets
import websockets.exceptions

from attacks.raw import BINARY, FIN, PING, TEXT, close_code, dial, frame, http, resident, upgrade
from bobing.server import prompt
from bobing.server import session as sessions
from bobing.wire.codec import MESSAGE_MAX
from server.live import line, new_table, serving

CLOSED = websockets.exceptions.ConnectionClosed
REAL = {"dice": "real", "confirm": "none"}
CMD = "0123456789abcdef"


def run(scenario):
    return asyncio.run(scenario())


def hello(base, code, token):
    connection, head = upgrade(base)
    assert " 101 " in head
    connection.sendall(frame(json.dumps({"t": "hello", "code": code, "token": token}).encode()))
    return connection


def greeted(base):
    """A raw connection of a host who said hello."""
    return hello(base, *new_table(base, "a", "b"))


async def closes(opened):
    with pytest.raises(CLOSED):
        await opened.until_closed()
    return opened.socket.close_code


def test_attack_16_a_message_may_have_so_many_bytes_and_not_one_more(base):
    code, token = new_table(base, "a", "b")

    async def scenario():
        async with line(base, code, token) as host:
            await host.socket.send('"' + "x" * (MESSAGE_MAX - 2) + '"')
            assert (await host.get("refused"))["code"] == "table/bad_message"
            await host.socket.send('"' + "x" * (MESSAGE_MAX - 1) + '"')
            assert await closes(host) == 1009

    run(scenario)


@pytest.mark.parametrize("length", [2**63, 2**63 - 1, 2**40, MESSAGE_MAX + 1])
def test_attack_17_a_frame_that_claims_to_be_huge_is_refused_before_it_comes(base, length):
    with greeted(base) as connection:
        before = resident()
        connection.sendall(frame(b"x", length=length))
        assert close_code(connection) in (1002, 1009)
        assert resident() - before < 2**20


def test_attack_18_nothing_is_unpacked(base):
    code, token = new_table(base, "a", "b")
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    connection, head = upgrade(base, offer)
    with connection:
        assert " 101 " in head
        assert "extensions" not in head.lower()
        connection.sendall(frame(json.dumps({"t": "hello", "code": code, "token": token}).encode()))
        connection.sendall(frame(b"\xab\x56\x2a\x01\x00", head=FIN | TEXT | 0x40))
        assert close_code(connection) == 1002
    packed = http.post(f"{base}/api/tables", content=b"\x1f\x8b\x08\0", headers={"content-encoding": "gzip"})
    assert packed.json()["code"] == "table/bad_message"


def test_attack_19_the_hundred_and_first_message_at_once_is_too_much():
    with serving() as base:
        code, token = new_table(base, "a", "b")

        async def scenario():
            async with line(base, code, token) as host:
                for _ in range(101):
                    await host.put(t="ping")
                for _ in range(100):
                    assert (await host.get("pong"))["now"]
                assert (await host.get("refused"))["code"] == "table/slow_down"
                for _ in range(10):
                    await host.put(t="ping")
                assert await closes(host) == 1008

        run(scenario)


def dribble(connection, pieces, seconds):
    """Send piece by piece until the other side closes; how long it took, None where it did not."""
    began = time.monotonic()
    for piece in pieces:
        try:
            connection.sendall(piece)
            time.sleep(0.05)
            connection.settimeout(0.05)
            told = connection.recv(65_536)
            if not told or told[0] & 0x0F == 8:
                return time.monotonic() - began
        except TimeoutError:
            pass
        except ConnectionError:
            return time.monotonic() - began
        if time.monotonic() - began > seconds:
            return None
    return None


UNENDING = {
    "fragments": [frame(b"{", head=TEXT), *[frame(b" ", head=0)] * 200],
    "bytes of a frame": [frame(b"", length=200)] + [b" "] * 200,
    "fragments and pings": [frame(b"{", head=TEXT), *[frame(b"", head=FIN | PING)] * 200],
}


@pytest.mark.parametrize("pieces", UNENDING.values(), ids=UNENDING)
def test_attack_20_a_message_that_never_ends_is_not_waited_for(pieces, monkeypatch):
    assert prompt.MESSAGE_S <= 30
    monkeypatch.setattr(prompt, "MESSAGE_S", 0.5)
    with serving() as base, greeted(base) as connection:
        connection.settimeout(0.3)
        try:
            while connection.recv(65_536):
                pass
        except TimeoutError:
            pass
        took = dribble(connection, pieces, 5)
        assert took is not None
        assert took > 0.3


def test_attack_20_a_message_in_pieces_that_ends_is_taken(monkeypatch):
    monkeypatch.setattr(prompt, "MESSAGE_S", 0.5)
    with serving() as base:
        code, token = new_table(base, "a", "b")

        async def scenario():
            async with line(base, code, token) as host:
                for _ in range(4):
                    await host.socket.send(["{", '"t":', '"ping"', "}"])
                    assert await host.get("pong")
                    await asyncio.sleep(0.3)

        run(scenario)


def test_attack_21_slow_heads_are_let_go_and_others_served(monkeypatch):
    assert prompt.HEAD_S <= 10
    monkeypatch.setattr(prompt, "HEAD_S", 1)
    with serving() as base:
        slow = [dial(base) for _ in range(200)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-")
        assert http.get(f"{base}/healthz", timeout=60).status_code == 200
        until = time.monotonic() + 60
        for connection in slow:
            connection.settimeout(max(0.1, until - time.monotonic()))
            with suppress(ConnectionError):
                assert connection.recv(100) == b""
            connection.close()


def test_attack_22_who_never_reads_is_let_go_and_holds_no_memory(monkeypatch):
    monkeypatch.setattr(sessions, "OUTBOX_BYTES", 20_000)
    monkeypatch.setattr(sessions, "LINGER_S", 0.5)
    with serving(messages_per_minute=100_000, send_buffer=4096, metrics=True) as base:
        code, token = new_table(base, "a", "b", settings=REAL)
        watch = http.post(f"{base}/api/tables/{code}/join", json={"watch": True}).json()["token"]
        deaf = hello(base, code, watch)

        async def scenario():
            async with line(base, code, token) as host:
                await host.do("begin")
                for i in range(3000):
                    await host.put(t="do", cmd=f"command-{i:012d}", at=10**6, act={"seat": 0, "cocked": True})
                    while (await host.get()).get("cmd") is None:
                        pass
                    if i % 100 == 99 and "bobing_connections 1\n" in http.get(f"{base}/metrics").text:
                        return True
            return False

        with deaf:
            assert run(scenario), "the deaf connection is still there"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(b"\0\1", head=FIN | BINARY), 1003),
        (frame(b'{"t":"ping"}', head=FIN | BINARY), 1003),
        (frame(b"\xff\xfe"), 1007),
        (frame(b'{"t":"\xed\xa0\x80"}'), 1007),
        (frame(b"\xe4\xb8", head=TEXT) + frame(b"{", head=FIN), 1007),
    ],
    ids=["binary", "binary json", "no utf-8", "a surrogate", "cut in two"],
)
@pytest.mark.parametrize("begin", [greeted, lambda base: upgrade(base)[0]], ids=["after hello", "before hello"])
def test_attack_23_bytes_and_broken_text_end_the_connection(base, begin, sent, code, caplog):
    with begin(base) as connection:
        connection.sendall(sent)
        assert close_code(connection) == code
    assert not [record for record in caplog.records if record.exc_info]


def test_attack_23_text_cut_inside_a_sign_is_whole_again(base):
    code, token = new_table(base, "a", "b")

    async def scenario():
        async with line(base, code, token) as host:
            name = json.dumps({"t": "rename_seat", "cmd": CMD, "at": 1, "seat": 0, "name": "小明"}, ensure_ascii=False)
            whole = name.encode()
            middle = whole.index("明".encode()) + 1
            for piece in (frame(whole[:middle], head=TEXT), frame(whole[middle:], head=FIN)):
                host.socket.transport.write(piece)
            assert (await host.get("ack"))["cmd"] == CMD

    run(scenario)


NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e400", "-0", "1e2", "1.0", "true", '"1"', "9" * 5000, "null", "[0]"]


def refused(base, text):
    """The codes with which a body and a message of this text are refused; the connection goes on."""
    code, token = new_table(base, "a", "b")

    async def scenario():
        async with line(base, code, token) as host:
            await host.socket.send(text)
            answer = (await host.get("refused"))["code"]
            assert (await host.do("begin"))["t"] == "ack"
            return answer

    bodies = [
        http.post(f"{base}{path}", content=text.encode())
        for path in ("/api/tables", f"/api/tables/{code}/join", "/api/rules/check")
    ]
    assert {body.status_code for body in bodies} <= {422}, [body.text for body in bodies]
    assert all(set(body.json()["words"]) == {"zh-Hans", "zh-Hant", "en"} for body in bodies)
    return {run(scenario), *(body.json()["code"] for body in bodies)}


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_attack_24_what_is_no_plain_number_is_refused(base, number):
    assert refused(base, f'{{"t":"throw","cmd":"{CMD}","at":1,"seat":{number}}}') == {"table/bad_message"}
    settings = f'{{"settings":{{"speed":{number}}},"players":[]}}'
    assert http.post(f"{base}/api/tables", content=settings).json()["code"] == "table/bad_message"
    if number != "null":
        joining = f'{{"seat":{number}}}'
        code, _ = new_table(base, "a", "b")
        answer = http.post(f"{base}/api/tables/{code}/join", content=joining)
        assert answer.json()["code"] == "table/bad_message"


@pytest.mark.parametrize("text", [r"\ud800", r"a\udfffb", r"\ud800\u0041"])
def test_attack_25_half_a_surrogate_pair_is_refused(base, text):
    assert refused(base, f'{{"t":"rename_seat","cmd":"{CMD}","at":1,"seat":0,"name":"{text}"}}') == {
        "table/bad_message"
    }
    for body in (f'{{"players":["{text}"]}}', f'{{"title":"{text}"}}', f'{{"{text}":1}}'):
        assert http.post(f"{base}/api/tables", content=body).json()["code"] == "table/bad_message"


def test_attack_26_a_key_that_stands_twice_is_refused(base):
    twice = [f'{{"t":"throw","cmd":"{CMD}","at":1,"seat":0,"seat":0}}', f'{{"t":"ping","t":"throw","cmd":"{CMD}"}}']
    twice += [f'{{"t":"do","cmd":"{CMD}","at":1,"act":{{"seat":0,"roll":"123456","roll":"444444"}}}}']
    for text in twice:
        assert refused(base, text) == {"table/bad_message"}


@pytest.mark.parametrize("deep", ["[" * 60_000, '{"a":' * 12_000, '{"act":' + "[" * 300 + "]" * 300 + "}"])
def test_attack_27_deep_nesting_is_refused(base, deep):
    assert refused(base, deep) == {"table/bad_message"}
    longer = http.post(f"{base}/api/tables", content=b"[" * 200_000)
    assert (longer.status_code, longer.json()["code"]) == (413, "table/too_large")


@pytest.mark.parametrize(
    "text",
    [
        f'{{"t":"shout","cmd":"{CMD}","at":1}}',
        f'{{"cmd":"{CMD}","at":1}}',
        f'{{"t":"throw","cmd":"{CMD}","at":1,"seat":0,"faces":"444444"}}',
        '{"t":"throw","at":1,"seat":0}',
        f'{{"t":"throw","cmd":"{CMD}","seat":0}}',
        f'{{"t":3,"cmd":"{CMD}","at":1}}',
        '{"t":"ping","more":1}',
        "[]",
        "3",
        '"ping"',
        "",
    ],
)
def test_attack_28_what_is_unknown_or_missing_is_refused(base, text):
    assert refused(base, text) == {"table/bad_message"}


ROLLS = [
    "１２３４５６",
    "²23456",
    "123456\n",
    "012345",
    "777777",
    "12345",
    "1234567",
    " 123456",
    "+12345",
    "一二三四五六",
    "",
]


@pytest.mark.parametrize("roll", ROLLS)
def test_attack_29_faces_are_six_plain_digits(base, roll):
    code, token = new_table(base, "a", "b", settings=REAL)

    async def scenario():
        async with line(base, code, token) as host:
            n = (await host.do("begin"))["n"]
            for act in ({"seat": 0, "roll": roll}, {"start": {"seat": 0, "dice": roll}}, {"seat": 0, "rolloff": roll}):
                answer = await host.do("do", act=act)
                assert answer["t"] == "refused", act
                assert answer["code"].partition("/")[0] in ("act", "dice"), answer["code"]
            assert (await host.do("do", act={"seat": 0, "roll": "123456"}))["n"] == n + 1

    run(scenario)
    answer = http.get(f"{base}/api/score", params={"roll": roll})
    assert (answer.status_code, answer.json()["code"]) == (422, "dice/bad_roll")


@pytest.mark.parametrize("seat", [-1, 2, 99, 100, 2**31, 2**63, 2**64])
def test_attack_30_a_seat_that_is_none_is_refused(base, seat):
    code, token = new_table(base, "a", "b", settings=REAL)
    kinds = {
        "throw": {},
        "rename_seat": {"name": "x"},
        "free_seat": {},
        "start_dice": {},
        "do": {"act": {"seat": seat, "roll": "123456"}},
    }

    async def scenario():
        for kind, more in kinds.items():
            async with line(base, code, token) as host:
                n = host.welcome["n"]
                message = {
                    "t": kind,
                    "cmd": f"a-{kind}-command",
                    "at": n,
                    **({} if more.get("act") else {"seat": seat}),
                }
                await host.put(**message, **more)
                assert (await host.get("refused"))["code"].startswith(("table/", "act/")), kind
                assert (await host.do("rename_seat", seat=0, name=kind))["n"] == n, "nothing was stored"

    async def begin():
        async with line(base, code, token) as host:
            assert (await host.do("begin"))["t"] == "ack"

    run(begin)
    run(scenario)
    assert http.post(f"{base}/api/tables/{code}/join", json={"seat": seat}).status_code in (404, 422)


def test_attack_31_the_same_command_with_another_body_is_refused(base):
    code, token = new_table(base, "a", "b", settings=REAL)

    async def scenario():
        async with line(base, code, token) as host:
            await host.do("begin")
            first = await host.do("do", cmd=CMD, act={"seat": 0, "roll": "123456"})
            other = await host.do("do", cmd=CMD, act={"seat": 0, "roll": "444444"})
            assert (first["t"], other["code"]) == ("ack", "table/other_body")
            assert other["n"] == first["n"], "nothing was stored"

    run(scenario)


BAD_COMMANDS = ["", "x" * 65, "x" * 60_000, "0123456789abcde", "0123456789abcde\n", "0123456789 bcdef", "０" * 16]


def test_attack_32_commands_have_short_names(base):
    code, token = new_table(base, "a", "b")

    async def scenario():
        for cmd in BAD_COMMANDS:
            async with line(base, code, token) as host:
                assert host.welcome["n"] == 1, "nothing was stored"
                await host.put(t="begin", cmd=cmd, at=1)
                assert (await host.get("refused"))["code"] == "table/bad_message"
        async with line(base, code, token) as host:
            with suppress(CLOSED):
                await host.put(t="begin", cmd="x" * 10_000_000, at=1)
            assert await closes(host) == 1009

    run(scenario)


def test_attack_32_a_command_of_the_same_name_from_another_is_another(base):
    code, token = new_table(base, "a", "b", settings=REAL)
    other = http.post(f"{base}/api/tables/{code}/join", json={"seat": 1}).json()["token"]

    async def scenario():
        async with line(base, code, token) as host, line(base, code, other) as seat:
            await host.do("begin")
            first = await host.do("do", cmd=CMD, act={"seat": 0, "roll": "123456"})
            second = await seat.do("do", cmd=CMD, at=first["n"], act={"seat": 1, "roll": "123455"})
            assert second["n"] == first["n"] + 1

    run(scenario)


def test_attack_33_an_act_at_an_older_state_is_stale(base):
    code, token = new_table(base, "a", "b", settings=REAL)

    async def scenario():
        async with line(base, code, token) as host:
            n = (await host.do("begin"))["n"]
            now = (await host.do("do", act={"seat": 0, "roll": "123456"}))["n"]
            answer = await host.do("do", at=n, act={"seat": 1, "roll": "123456"})
            assert (answer["code"], answer["n"]) == ("table/stale", now)

    run(scenario)


def test_attack_34_who_has_seen_the_future_gets_everything_anew(base):
    code, token = new_table(base, "a", "b", settings=REAL)

    async def scenario():
        async with line(base, code, token) as host:
            await host.do("begin")
            n = (await host.do("do", act={"seat": 0, "roll": "123456"}))["n"]
        async with websockets.connect(base.replace("http", "ws") + "/ws") as socket:
            await socket.send(json.dumps({"t": "hello", "code": code, "token": token, "seen": 10**9}))
            welcome = json.loads(await socket.recv())
            assert (welcome["n"], len(welcome["lines"]), "missed" in welcome) == (n, 1, False)

    run(scenario)


def test_attack_35_a_captured_throw_sent_again_is_no_second_throw(base):
    code, token = new_table(base, "a", "b")

    async def scenario():
        async with line(base, code, token) as host:
            n = (await host.do("begin"))["n"]
            first = await host.do("throw", cmd=CMD, seat=0, at=n)
            for _ in range(3):
                assert await host.do("throw", cmd=CMD, seat=0, at=n) == first
        async with line(base, code, token) as again:
            assert await again.do("throw", cmd=CMD, seat=0, at=n) == first
            assert len(again.welcome["lines"]) == 1

    run(scenario)
