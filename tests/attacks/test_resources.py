"""Attacks 62 to 75: what would use the machine up, and what would find it badly set up."""

import ast
import asyncio
import json
import os
import re
import signal
import stat
from collections import Counter
from pathlib import Path
from re import _constants as signs  # type: ignore[attr-defined]
from re import _parser as grammar  # type: ignore[attr-defined]

import pytest
import websockets.exceptions

from attacks.raw import dial, http, upgrade
from bobing.adapters.memory import MemoryLog
from bobing.cli.serve import greet
from bobing.core.errors import BobingError
from bobing.i18n import details
from bobing.server import host as hosts
from bobing.server import http as calls
from bobing.server.app import make_app
from bobing.server.refusal import words_of
from bobing.server.running import verify_tls
from bobing.server.settings import SettingRefused, Settings
from bobing.server.static import FOLDER
from bobing.tournament.acts import act_from_json
from bobing.wire import messages as wire
from cli.test_serve import answered
from cli.test_serve import serving as served
from server.live import line, new_table, serving

ROOT = Path(__file__).parents[2]


def run(scenario):
    return asyncio.run(scenario())


def test_attack_62_a_flood_of_joins_ends_at_the_caps_and_others_play_on(monkeypatch):
    monkeypatch.setattr(calls, "JOINS_PER_MINUTE", 40)
    monkeypatch.setattr(hosts, "MEMBERS_MAX", 20)
    with serving() as base:
        code, token = new_table(base, "a", "b")
        other, key = new_table(base, "c", "d")
        answers = [http.post(f"{base}/api/tables/{code}/join", json={"watch": True}) for _ in range(60)]
        assert [answer.status_code for answer in answers[:40]] == [200] * 40
        assert sum(answer.status_code == 429 for answer in answers) >= 15

        async def scenario():
            opened, full = [], 0
            for answer in answers[:25]:
                socket = await websockets.connect(base.replace("http", "ws") + "/ws")
                await socket.send(json.dumps({"t": "hello", "code": code, "token": answer.json()["token"]}))
                told = json.loads(await socket.recv())
                full += told.get("code") == "table/full"
                opened.append(socket)
            async with line(base, other, key) as host:
                assert (await host.do("begin"))["t"] == "ack"
            for socket in opened:
                await socket.close()
            return full

        assert run(scenario) == 5
        assert (wire.SEATS_MAX, token != key) == (100, True)


async def flooded(base, code, joins, at_once=100):
    """How often each status was answered to so many joins, sent side by side over one connection."""
    head = f"POST /api/tables/{code}/join HTTP/1.1\r\nHost: {base.partition('//')[2]}\r\nContent-Length: 14\r\n"
    join = (head + 'Content-Type: application/json\r\n\r\n{"watch":true}').encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
    statuses = Counter()
    for _ in range(joins // at_once):
        writer.write(join * at_once)
        for _ in range(at_once):
            told = await reader.readuntil(b"\r\n\r\n")
            statuses[int(told[9:12])] += 1
            length = told.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
    writer.close()
    return statuses


@pytest.mark.deep
def test_attack_62_a_hundred_thousand_joins_stop_nobody(tmp_path):
    with served(tmp_path / "tables.db", "--here") as server:
        base = server.address
        answered(f"{base}/healthz")
        endless = {"sheet": "minnan", "house": {"cakes": {"yixiu": 100_000}}}
        (code, _), (other, key) = new_table(base, "a", "b"), new_table(base, "c", "d", rules=endless)

        async def scenario():
            flood = asyncio.ensure_future(flooded(base, code, 100_000))
            waits = []
            async with line(base, other, key) as host:
                assert (await host.do("begin"))["t"] == "ack"
                while not flood.done():
                    begun = asyncio.get_running_loop().time()
                    assert (await host.do("throw", seat=host.view["next"]))["t"] in ("ack", "refused")
                    waits.append(asyncio.get_running_loop().time() - begun)
                    await asyncio.sleep(0.2)
            return await flood, sorted(waits)

        statuses, waits = run(scenario)
        print(f"{dict(statuses)}; the other table meanwhile: {len(waits)} throws, the slowest {waits[-1]:.2f} s")
        assert statuses.keys() == {200, 429}
        assert statuses.total() == 100_000
        assert statuses[200] < statuses[429]
        assert waits[-1] < 5


def test_attack_63_tables_from_one_address_are_counted():
    with serving(tables_per_hour=5) as base:
        made = [http.post(f"{base}/api/tables", json={}).status_code for _ in range(8)]
        assert made == [200] * 5 + [429] * 3
        assert http.post(f"{base}/api/tables/from-record", content=b"").status_code == 429


HOUSES = [
    ({"cakes": {"yixiu": 10**9}}, "cakes.yixiu"),
    ({"cakes": {"yixiu": -1}}, "cakes.yixiu"),
    ({"cakes": {"yixiu": 2**53 - 1}}, "cakes.yixiu"),
    ({"cakes": {"zhuangyuan": 0}}, "ranking.tiers"),
    ({"prizes": {"yixiu": [{"name": "x", "count": 10**9}]}}, "prizes.yixiu"),
    ({"points": {"yixiu": 2**53 - 1}}, "points.yixiu"),
    ({"ranking": {"tiers": [f"t{i}" for i in range(5_000)]}}, "ranking"),
    ({"setup": {"seats_min": 10**9}}, "setup.seats_min"),
    ({"ending": {"minutes": -1}}, "ending.minutes"),
    ({"extends": "minnan"}, "extends"),
    ({"no_such": {"a": 1}}, "no_such"),
]


@pytest.mark.parametrize(("house", "path"), HOUSES, ids=[f"{path} {i}" for i, (_, path) in enumerate(HOUSES)])
def test_attack_64_impossible_rules_are_refused_with_their_key(base, house, path):
    for call, body in (("rules/check", {"house": house}), ("tables", {"rules": {"house": house}})):
        answer = http.post(f"{base}/api/{call}", json=body)
        told = answer.json()
        assert (answer.status_code, told["code"].partition("/")[0]) == (422, "rules"), told
        assert told["path"].startswith(path), told


def patterns():
    """Every regular expression of the package, of its messages and of the page, with where it stands."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            call = node if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") else None
            if call and call.args and isinstance(call.args[0], ast.Constant):
                yield path.name, str(call.args[0].value)
            if isinstance(node, ast.keyword) and node.arg == "pattern" and isinstance(node.value, ast.Constant):
                yield path.name, str(node.value.value)
    literal = re.compile(r"(?<=[=(,:\s])/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+)/[dgimsuy]*(?=[;,.)\s])")
    for path in sorted((ROOT / "web" / "src").rglob("*")):
        if path.suffix in (".ts", ".svelte"):
            for found in literal.finditer(path.read_text("utf-8")):
                yield path.name, re.sub(r"\\p\{[\w=]+\}", "x", found[1]).replace("\\/", "/")


def parted(group):
    """Whether what repeats in a group ends at a sign that it has not: then there is one way alone to read it."""
    items = list(group)
    while len(items) == 1 and items[0][0] is signs.SUBPATTERN:
        items = list(items[0][1][3])
    if len(items) != 2 or items[0][0] is not signs.MAX_REPEAT or items[1][0] is not signs.LITERAL:
        return False
    kind, members = items[0][1][2][0]
    end = items[1][1]
    return kind is signs.IN and not any(
        (what is signs.LITERAL and value == end)
        or (what is signs.RANGE and value[0] <= end <= value[1])
        or what is signs.CATEGORY
        for what, value in members
    )


def starry(parsed, inside=False):
    """Whether something that repeats without end stands inside something that does: it can take exponential time."""
    for kind, what in parsed:
        endless = kind in (signs.MAX_REPEAT, signs.MIN_REPEAT) and what[1] is signs.MAXREPEAT
        if endless and inside:
            return True
        below = [
            part for part in (what if isinstance(what, list | tuple) else ()) if isinstance(part, grammar.SubPattern)
        ]
        if kind is signs.BRANCH:
            below = what[1]
        if any(starry(part, (inside or endless) and not parted(part)) for part in below):
            return True
    return False


def test_attack_65_no_pattern_can_take_exponential_time_and_none_comes_from_people():
    found = list(patterns())
    assert len({name for name, _ in found}) > 8, "the search finds hardly any"
    assert not [(name, text) for name, text in found if starry(grammar.parse(text))]
    assert starry(grammar.parse(r"(\w+\s?)*$")), "the check sees nothing"


class Counted:
    """A pattern that counts how often it is tried."""

    tries = 0

    def __init__(self, pattern):
        self._pattern = pattern

    def fullmatch(self, text):
        Counted.tries += 1
        return self._pattern.fullmatch(text)


@pytest.mark.parametrize(
    "made_up",
    [
        "people: " * 9 + "; did you mean x?; near it: y; known here: z" * 9 + "?",
        "x is of another file than y is: move it and " * 1_000,
    ],
)
def test_attack_65_what_somebody_made_up_is_not_looked_for_in_details_again_and_again(made_up, monkeypatch):
    known = {key: Counted(pattern) for key, pattern in details._patterns().items()}
    monkeypatch.setattr(details, "_patterns", lambda: known)
    monkeypatch.setattr(Counted, "tries", 0)
    act = {"do": "plan", "title": "x", made_up: 1}
    with pytest.raises(BobingError) as refused:
        act_from_json(act)
    assert words_of(refused.value)["zh-Hans"]
    assert Counted.tries < 500 * len(known), "each part that can be cut out is read once"
    if len(made_up) > 10_000:
        assert Counted.tries == 0, "one try may take minutes"


def test_attack_67_a_phone_that_dies_in_the_middle_of_a_throw_threw_once(tmp_path):
    with served(tmp_path / "tables.db", "--here") as server:
        answered(f"{server.address}/healthz")
        base = server.address
        code, token = new_table(base, "a", "b")

        async def begin():
            async with line(base, code, token) as host:
                return (await host.do("begin"))["n"]

        n = run(begin)
        throw = {"t": "throw", "cmd": "thrown-and-then-gone", "at": n, "seat": 0}

        async def scenario():
            async with line(base, code, token) as host:
                await host.put(**throw)
                host.socket.transport.abort()
            async with line(base, code, token) as again:
                return await again.do(throw["t"], cmd=throw["cmd"], at=n, seat=0)

        first = run(scenario)
        assert (first["t"], first["n"] > n) == ("ack", True)
        os.kill(server.process.pid, signal.SIGKILL)
    with served(tmp_path / "tables.db", "--here") as server:
        answered(f"{server.address}/healthz")
        base = server.address

        async def after():
            async with line(base, code, token) as host:
                assert len(host.welcome["lines"]) == 1
                return await host.do(throw["t"], cmd=throw["cmd"], at=n, seat=0)

        assert run(after) == first


def test_attack_69_two_who_press_at_once_make_one_act(base):
    """The host types a zhuangyuan in for a seat, a neighbour a throw of nothing; both saw the same state."""
    code, token = new_table(base, "a", "b", settings={"dice": "real", "confirm": "none"})
    neighbour = http.post(f"{base}/api/tables/{code}/join", json={"seat": 1}).json()["token"]

    async def scenario():
        async with line(base, code, token) as one, line(base, code, neighbour) as two:
            n = (await one.do("begin"))["n"]
            answers = await asyncio.gather(
                one.do("do", at=n, act={"seat": 0, "roll": "444411"}),
                two.do("do", at=n, act={"seat": 0, "roll": "123356"}),
            )
            assert sorted(answer["t"] for answer in answers) == ["ack", "refused"], answers
            late = next(answer for answer in answers if answer["t"] == "refused")
            assert (late["code"], late["n"]) == ("table/stale", n + 1)
        async with line(base, code, token) as again:
            assert len(again.welcome["lines"]) == 1

    run(scenario)


def test_attack_69_of_two_hosts_the_older_is_none(base):
    code, token = new_table(base, "a", "b", settings={"dice": "real", "confirm": "none"})
    bearer = {"authorization": f"Bearer {token}"}
    second = http.post(f"{base}/api/tables/{code}/links", json={"role": "host"}, headers=bearer).json()["token"]

    async def scenario():
        async with line(base, code, token) as one, line(base, code, second) as two:
            answers = await asyncio.gather(one.do("begin", at=1), two.do("begin", at=1))
            assert [answer.get("code") for answer in answers] == ["table/forbidden", None], answers

    run(scenario)


class Broken(MemoryLog):
    """A log with a fault of ours in it."""

    async def granted(self, token_hash):
        raise ZeroDivisionError("a secret place")


def test_attack_70_nothing_of_the_inside_is_shown():
    with serving() as base:
        first = http.get(f"{base}/").content
        for path in ("/debug", "/docs", "/redoc", "/admin", "/console", "/.git/config"):
            assert http.get(base + path).content == first, "an address of the page, which says that there is nothing"
        for path in (
            "/assets/index.js.map",
            "/openapi.json",
            "/.env",
            "/server.py",
            "/api/debug",
            "/metrics",
        ):
            assert http.get(base + path).status_code == 404, path
        assert "server" not in http.get(f"{base}/healthz").headers
        assert not [path for path in FOLDER.rglob("*") if path.suffix == ".map"]
    with serving(log=Broken()) as base:
        code, token = new_table(base, "a")
        answer = http.get(f"{base}/api/tables/{code}/record", headers={"authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.text) == (500, "Internal Server Error")


def test_attack_71_a_store_or_a_key_that_everybody_can_read_is_refused(tmp_path):
    with pytest.raises(SettingRefused, match="everybody can fetch"):
        make_app(Settings(db=f"sqlite:{FOLDER / 'assets' / 'tables.db'}"))
    with pytest.raises(SettingRefused, match="everybody can fetch"):
        make_app(Settings(db=f"sqlite:{FOLDER.parent / 'cli' / '..' / '_web' / 'tables.db'}"))
    older = tmp_path / "tables.db"
    older.touch(mode=0o644)
    with served(older, "--here") as server:
        answered(f"{server.address}/healthz")
        for file in tmp_path.glob("tables.db*"):
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


def test_attack_71_a_private_key_is_no_ones_to_read(tmp_path, monkeypatch):
    if os.name != "posix":
        pytest.skip("files have no such permissions here")
    monkeypatch.setattr("ssl.SSLContext.load_cert_chain", lambda *given, **more: None)
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    for file in (cert, key):
        file.touch(mode=0o600)
    verify_tls(Settings(cert=str(cert), key=str(key)))
    key.chmod(0o644)
    with pytest.raises(SettingRefused, match="chmod o-r"):
        verify_tls(Settings(cert=str(cert), key=str(key)))


@pytest.mark.parametrize("form", ["text", "json"])
def test_attack_72_the_log_holds_neither_names_nor_tokens(tmp_path, form):
    with served(tmp_path / "tables.db", "--log", form) as server:
        base = server.address
        answered(f"{base}/healthz")
        code, token = new_table(base, "Canary", "b", title="Nightingale")
        assert http.post(f"{base}/api/tables/{code}/join", json={"name": "Sparrow\u0007"}).status_code == 422
        http.post(f"{base}/api/tables/{code}/join", content=b"{" + token.encode())
        http.get(f"{base}/api/tables/{code}/record?phone=13800001111", headers={"authorization": f"Bearer {token}x"})
        connection, _ = upgrade(base, "Origin: https://evil.example", f"X-Name: Canary {token}")
        connection.close()
        with dial(base) as garbage:
            garbage.sendall(b"Canary " + token.encode() + b"\r\n\r\n")
            assert b"400" in garbage.recv(1000)

        async def scenario():
            async with line(base, code, token) as host:
                await host.do("rename_seat", seat=0, name="Swallow")
                for _ in range(8):
                    await host.socket.send(f'{{"t":"{token}')
                await host.until_closed()

        with pytest.raises(websockets.exceptions.ConnectionClosed):
            run(scenario)
        assert server.end() == 0
        said = "".join(server.said)
        secrets = (token, "Canary", "Nightingale", "Sparrow", "Swallow", "13800001111")
        assert not [secret for secret in secrets if secret in said]


def test_attack_73_no_page_can_be_framed(base):
    code, _ = new_table(base, "a")
    for path in ("/", f"/t/{code}", f"/hall/{code}", f"/api/tables/{code}", "/healthz", "/none.js"):
        headers = http.get(base + path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-frame-options"] == "DENY", path


def test_attack_74_a_page_of_others_changes_nothing(base):
    code, token = new_table(base, "a", "b")
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))["paths"]
    posts = [path.replace("{code}", code) for path, methods in paths.items() if "post" in methods]
    assert len(posts) >= 5
    for path in posts:
        for site in ("cross-site", "same-site"):
            headers = {"sec-fetch-site": site, "cookie": f"token={token}", "authorization": f"Bearer {token}"}
            answer = http.post(base + path, content=b"{}", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "table/forbidden"), path
        preflight = http.options(
            base + path, headers={"origin": "https://evil.example", "access-control-request-method": "POST"}
        )
        assert not [name for name in preflight.headers if name.startswith("access-control")], path
    assert http.post(f"{base}/api/tables/{code}/links", json={"role": "host"}).status_code == 401, "no token, no right"


def test_attack_75_a_forged_host_goes_into_no_address(base, capsys):
    code, token = new_table(base, "a")
    bearer = {"authorization": f"Bearer {token}", "host": "evil.example"}
    answers = [
        *(
            http.get(base + path, headers=bearer)
            for path in ("/", f"/t/{code}", "/api/sheets/S12", f"/api/tables/{code}", "/healthz")
        ),
        http.post(f"{base}/api/tables", json={}, headers=bearer),
        http.post(f"{base}/api/tables/{code}/links", json={"role": "watch"}, headers=bearer),
        http.post(f"{base}/api/tables/{code}/join", json={"watch": True}, headers=bearer),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert "evil" not in answer.text
        assert "evil" not in str(answer.headers)
    greet("https://table.example", "en", "0.0.0.0", "memory://")
    assert "https://table.example" in capsys.readouterr().out
    page = [path.read_text("utf-8") for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
    assert not [text for text in page if "document.referrer" in text]
