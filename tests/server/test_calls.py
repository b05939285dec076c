"""Every REST call: what it answers has the form that its description promises, and it is refused as described."""

import asyncio
import json
import re
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import msgspec
import pytest

from bobing.adapters.memory import MemoryLog
from bobing.core.catalogue import read_rules
from bobing.core.record import read_record
from bobing.i18n import LANGUAGES
from bobing.paper import press
from bobing.ports import NotSaved
from bobing.server import http as server_http
from bobing.server import recorded
from bobing.server.aside import Aside
from bobing.server.opening import resolve
from bobing.server.plan_api import plan
from bobing.server.room import load
from bobing.wire import calls
from bobing.wire import messages as wire
from server.live import line, new_table, serving

CALLS = {call.name: call for call in calls.CALLS}
ROOT = Path(__file__).parents[2]
GAMES = ROOT / "vectors" / "games"
GAME = (GAMES / "minnan-undo-correct.jsonl").read_bytes()
BEGUN = b"".join([told for told in GAME.splitlines(keepends=True) if b'"name"' not in told][:2])


class FailingLog(MemoryLog):
    """A log whose disk is full from some moment on."""

    full = False

    def _open(self):
        if self.full:
            raise NotSaved("no space left")
        super()._open()


class Caller:
    """Calls a server by the names of its calls."""

    def __init__(self, base, **defaults):
        self.base, self.defaults, self.token = base, defaults, ""

    def __call__(self, name, body=None, *, token=None, headers=None, content=None, **values):
        call, values = CALLS[name], {**self.defaults, **values}
        path = call.path
        for key in ("code", "key", "what"):
            path = path.replace(f"{{{key}}}", str(values.get(key, "")))
        query = {key: values[key] for key in call.query if key in values}
        sent = {"authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            content = body if isinstance(body, bytes) else json.dumps(body)
        url = f"{self.base}{path}"
        return httpx.request(
            call.method, url, params=query, content=content, headers={**sent, **(headers or {})}, timeout=60
        )


@pytest.fixture
def caller():
    with serving() as base:
        code, token = new_table(base, "小明", "小红", title="中秋")
        made = Caller(base, code=code, key="S12", roll="444411", people="40", what="rules")
        made.token = token
        yield made


BODIES = {
    "make": {"rules": {"sheet": "S12"}, "players": ["a", "b"]},
    "make_from_record": GAME,
    "join": {"name": "阿明"},
    "invite": {"role": "seat", "seat": 0},
    "check_rules": {"sheet": "minnan", "house": {"cakes": {"yixiu": 40}}},
    "rules_sheet": {"sheet": "minnan", "house": {"cakes": {"yixiu": 40}}},
    "read_rules": b'extends = "S12"\n[cakes]\nyixiu = 40',
    "check_names": {"players": ["阿明", "host"]},
    "plan_by": {"sheet": "S12", "house": {"cakes": {"yixiu": 40}}},
    "odds_by": {"sheet": "S12", "house": {"cakes": {"yixiu": 40}}},
    "rules_paper": {"sheet": "S12", "house": {"cakes": {"yixiu": 40}}},
}


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_form_that_is_described(caller, name):
    call = CALLS[name]
    if name == "record":
        caller.defaults["code"], caller.token = caller("make_from_record", GAME).json().values()
    if name == "table_odds":
        caller.defaults["code"], caller.token = caller("make_from_record", BEGUN).json().values()
    answer = caller(name, BODIES.get(name), token=caller.token if call.token else None)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    if isinstance(call.answer, str):
        assert answer.headers["content-type"].startswith(call.answer)
        return
    value = msgspec.convert(answer.json(), call.answer, strict=True)
    told, known = answer.json(), msgspec.to_builtins(value)
    assert not _beyond(told, known), "the answer has what is not described"


def _beyond(told, known):
    """Keys of an answer that its type does not have; fields left out have their default."""
    if isinstance(told, dict) and isinstance(known, dict):
        return [key for key in told if key not in known or _beyond(told[key], known[key])]
    if isinstance(told, list) and isinstance(known, list):
        return [i for i, (one, other) in enumerate(zip(told, known, strict=True)) if _beyond(one, other)]
    return []


def test_every_setting_has_the_form_that_is_described(caller):
    points = msgspec.convert(caller("settings_known").json(), list[calls.PointKnown], strict=True)
    kinds = {setting.kind for point in points for setting in point.settings}
    assert kinds == {"choice", "count", "list", "tiers", "order"}


UNKNOWN = "ABCDEFGH"
SETTINGS = {429: {"tables_per_hour": 1, "guesses_per_minute": 1}}
HOW = {
    401: {"token": "x" * 32},
    403: {"headers": {"sec-fetch-site": "cross-site"}},
    404: {"code": UNKNOWN, "key": "nope", "rules": "nope"},
    413: {"content": b"x" * 70_000},
    422: {"content": b'{"players":1}', "roll": "777777", "players": "1"},
    429: {"code": UNKNOWN},
    503: {"code": UNKNOWN},
}
"""How a call comes to be refused with a status."""
OTHERWISE = {
    ("make", 404): {"body": {"rules": {"sheet": "nope"}}},
    ("check_rules", 404): {"body": {"sheet": "nope"}},
    ("rules_sheet", 404): {"body": {"sheet": "nope"}},
    ("read_rules", 404): {"body": b'extends = "nope"'},
    ("plan", 404): {"people": 40, "rules": "nope"},
    ("plan_by", 404): {"people": 40, "body": {"sheet": "nope"}},
    ("odds_by", 404): {"body": {"sheet": "nope"}},
    ("rules_paper", 404): {"body": {"sheet": "nope"}},
    ("sheet_paper", 422): {"what": "nope"},
    ("make_from_record", 413): {"content": b"x" * (calls.RECORD_MAX + 1)},
    ("join", 409): {"body": {"seat": 0}},
    ("record", 409): {},
}


def _slowly():
    yield b"{"
    time.sleep(0.3)
    yield b"}"


def refusal_of(name, status, stack, monkeypatch):
    """The answer to a call that is made in such a way that it is refused with this status."""
    log = FailingLog()
    base = stack.enter_context(serving(log=log, **SETTINGS.get(status, {})))
    code, token = new_table(base, "a", "b")
    call = Caller(base, code=code, key="S12", roll="444411", what="rules")
    how = {"token": token, "body": BODIES.get(name), **OTHERWISE.get((name, status), HOW.get(status, {}))}
    if (name, status) == ("invite", 403):
        how = {"body": {"role": "host"}, "token": call("join", {"seat": 1}).json()["token"]}
    if (name, status) == ("table_odds", 422):  # the game is over
        how = call("make_from_record", GAME).json()
    if how.get("content"):
        how.pop("body")
    if status == 408:
        how = {"content": _slowly()}
    if status in (409, 429):  # the second time is one too many
        call(name, **how)
    log.full = status == 503
    if name.endswith("_paper") and status == 503:  # what prints is not installed
        monkeypatch.setitem(sys.modules, "typst", None)
        press._compiler.cache_clear()
    return call(name, **how)


REFUSALS = [(call.name, status) for call in calls.CALLS for status in calls.refusals_of(call)]


@pytest.mark.parametrize(("name", "status"), REFUSALS, ids=[f"{name}-{status}" for name, status in REFUSALS])
def test_every_refusal_that_is_described_happens(name, status, monkeypatch):
    monkeypatch.setattr(server_http, "BODY_S", 0.05 if status == 408 else 10)
    monkeypatch.setattr(server_http, "CHECKS_PER_MINUTE", 2 if status == 429 else 1000)
    monkeypatch.setattr(server_http, "PLANS_PER_MINUTE", 4 if status == 429 else 1000)
    monkeypatch.setattr(server_http, "PAPERS_PER_MINUTE", 1 if status == 429 else 1000)
    with ExitStack() as stack:
        answer = refusal_of(name, status, stack, monkeypatch)
        assert answer.status_code == status, answer.text
        problem = msgspec.convert(answer.json(), calls.Problem)
        assert set(problem.words) == set(LANGUAGES)
        assert calls.status_of(problem.code) == status
        if status != calls.UNPROCESSABLE:
            assert problem.code in calls.refusals_of(CALLS[name])[status]


def test_a_table_goes_on_with_a_recorded_game(caller):
    made = caller("make_from_record", GAME, dice="real")
    assert made.status_code == 200, made.text
    code, token = made.json()["code"], made.json()["token"]
    seen = caller("look", code=code).json()
    before = read_record(GAME.splitlines(keepends=True))
    assert seen["phase"] == ("over" if before.game.finished else "play")
    assert [seat["name"] for seat in seen["seats"]] == [before.names.get(i, "") for i in range(len(seen["seats"]))]
    after = read_record(caller("record", code=code, token=token).content.splitlines(keepends=True))
    assert after.last_hash == before.last_hash
    assert after.names == before.names


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_golden_game_can_be_gone_on_with(path):
    record = read_record(path.read_bytes().splitlines(keepends=True))
    opened = recorded.open_record(path.read_bytes(), wire.Settings(dice="real"))
    room = load("ABCDEFGH", [(n, body, 0) for n, body in enumerate(opened.bodies, 1)], opened.notes)
    assert room.game
    assert room.game.state == record.game.state
    assert resolve(room.choice).digest == record.game.rules.digest
    assert opened.bodies[0]["continues"] == record.last_hash
    assert all(body["recorded"] for body in opened.bodies[2:])


def test_digital_dice_go_on_where_the_record_ends():
    with serving("222241") as base:
        made = Caller(base)("make_from_record", BEGUN).json()

        async def scenario():
            async with line(base, made["code"], made["token"]) as host:
                assert host.welcome["view"]["phase"] == "play"
                assert [told.get("digital", False) for told in host.welcome["lines"]] == [False]
                assert (await host.do("throw", seat=host.welcome["view"]["next"]))["t"] == "ack"
                assert (await host.do("do", act={"undo": 1}))["t"] == "ack"

        asyncio.run(scenario())


@pytest.mark.parametrize(
    ("data", "code", "number"),
    [
        (b"", "record/empty", 0),
        (b"hello\n", "record/bad_json", 1),
        (GAME.replace(b'"roll":"', b'"roll":"1', 1), None, None),
        (GAME[:-20], "record/cut_line", len(GAME.splitlines())),
        (b"".join(GAME.splitlines(keepends=True)[i] for i in (0, 1, 2, 5)), "record/wrong_number", None),
        (GAME.replace(b"record/1", b"record/9"), "record/unknown_version", 1),
        (b"\xff\xfe\n", "record/bad_json", 1),
    ],
)
def test_a_record_that_does_not_verify_is_refused_with_its_line(caller, data, code, number):
    answer = caller("make_from_record", data)
    assert answer.status_code == 422, answer.text
    told = answer.json()
    assert told["code"].startswith("record/")
    assert code in (None, told["code"])
    assert number in (None, told.get("line", 0))


def test_a_record_that_is_too_long_is_refused(caller, monkeypatch):
    monkeypatch.setattr(recorded, "ACTS_MAX", 2)
    assert caller("make_from_record", GAME).json()["code"] == "table/too_long"


def test_a_wrong_kind_of_dice_is_refused(caller):
    assert caller("make_from_record", GAME, dice="loaded").json()["code"] == "table/bad_message"


def test_small_letters_of_a_code_will_do(caller):
    small = caller.defaults["code"].lower()
    assert caller("look", code=small).status_code == 200
    assert caller("invite", {"role": "watch"}, code=small, token=caller.token).status_code == 200
    assert caller("record", code=small, token=caller.token).json()["code"] == "table/not_begun"


def test_names_are_told_one_by_one(caller):
    told = caller("check_names", {"players": ["阿明", "Host", " ", " 阿明", "阿明 2", "小红"]}).json()
    assert [name["fault"]["code"] if "fault" in name else name.get("called", "") for name in told] == [
        "", "table/name_reserved", "table/name_empty", "阿明 2", "阿明 2 2", "",
    ]  # fmt: skip


def test_a_house_rule_file_is_the_choice_that_makes_the_same_rules(caller):
    page = (ROOT / "docs" / "rules" / "house-rules.md").read_text("utf-8")
    files = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(files) > 15
    for text in files:
        choice = caller("read_rules", text.encode()).json()
        assert caller("check_rules", choice).json()["digest"] == read_rules(text).digest


def test_house_rules_are_told_as_a_sheet_is_with_what_was_changed_marked(caller):
    choice = {"sheet": "S12", "house": {"cakes": {"yixiu": 40}, "spill": {"next_turn": "lost"}}}
    told = caller("rules_sheet", choice).json()
    assert told["names"]["en"] == "Referee rules, with house rules"
    assert {tier["key"]: tier["cakes"] for tier in told["tiers"]}["yixiu"] == 40
    marked = {point["id"]: point["value"]["en"] for point in told["points"] if point["origin"]["kind"] == "house"}
    assert marked["N4"] == ["is lost as well"]
    assert "C1" not in marked
    assert caller("rules_sheet", {"sheet": "S12"}).json() == caller("sheet", key="S12").json()


def test_plans_are_worked_out_in_a_process_aside(caller, monkeypatch):
    asked, run = [], Aside.run

    async def counted(aside, work, *given):
        asked.append(work)
        return await run(aside, work, *given)

    monkeypatch.setattr(Aside, "run", counted)
    chased = {"sheet": "S9", "house": {"chase": {"tiers": ["sanhong"]}}}
    assert caller("plan").json()["evening"]["simulated"] == []
    told = caller("plan_by", chased).json()
    assert "length" in told["evening"]["simulated"]
    assert "zh-Hans" in told["names"]
    assert caller("plan", people="0").json()["code"] == "odds/bad_plan"
    wide = caller("plan", people="２０", prices="yixiu:２").json()
    assert (wide["people"], wide["cost"]["tiers"]["yixiu"]) == (20, 32 * 200 * wide["games"])
    assert asked == [plan] * 4


def test_house_rules_that_would_take_long_are_not_summed_and_not_planned_on_the_page(caller):
    extra = {f"t{i}": hand for i, hand in enumerate(("122355", "112355"))}
    usual = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"]
    house = {
        "ranking": {"tiers": [*usual, *extra]},
        "cakes": dict.fromkeys(extra, 3),
        "wins": {tier: [hand] for tier, hand in extra.items()},
        "total": 69,
    }
    told = caller("odds_by", {"sheet": "minnan", "house": house}, simulate="0").json()
    assert (told["throws"], told["length"], told["doubt"]) == (46_656, None, "many-cakes")
    assert set(told["shares"]["doubts"].values()) == {"many-cakes"}
    assert told["shares"]["games"] == 0
    refused = caller("plan_by", {"sheet": "minnan", "house": house}).json()
    assert refused["code"] == "odds/bad_plan"
    assert "这里最多 7" in refused["words"]["zh-Hans"]
