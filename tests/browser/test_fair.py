"""Provable dice as phones see them: proved throw by throw, loud when something is wrong, grey when a phone forgot."""

import json
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from bobing.core.acts import Throw
from bobing.core.catalogue import find_sheet
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.record import record_lines
from bobing.i18n import LANGUAGES, text
from bobing.server import sealing
from server.live import new_table, serving

SHORT = {"sheet": "minnan", "house": {"cakes": {"duitang": 0, "sanhong": 0, "sijin": 1, "erju": 2, "yixiu": 3}}}
"""Hardly over before the throws that a test needs."""
LONG = {"sheet": "minnan", "house": {"cakes": {"yixiu": 200}}}
SIGNS = re.compile(r"^\s*[0-9A-HJKMNP-TV-Z]{6}\s*$")
GAMES = Path(__file__).parents[2] / "vectors" / "games"


@pytest.fixture
def served():
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serving(**settings))


def say(key, area="table", **values):
    return text("en", f"{area}.{key}", **values)


def button(page, key, area="table", **values):
    return page.get_by_role("button", name=say(key, area, **values), exact=True)


class Table:
    """A host, guests with phones of their own, and all that they see."""

    def __init__(self, visit, base, *names, rules=LONG, alone=(), **settings):
        self.visit, self.base = visit, base
        self.code, self.token = new_table(base, *alone, rules=rules, settings={"dice": "digital", **settings})
        self.host = visit(base=base)
        self.host.go(f"/t/{self.code}#k={self.token}")
        self.guests = {name: self.sit(name) for name in names}

    def sit(self, name, before=None):
        """A guest takes a seat; before: what is done to the page before it opens."""
        one = self.visit(base=self.base)
        if before:
            before(one.page)
        one.go(f"/t/{self.code}")
        one.page.get_by_label(say("join_name")).fill(name)
        one.page.get_by_role("button", name=say("join_sit")).click()
        expect(one.page.locator(".bar, header").first).to_be_visible()
        return one

    @property
    def pages(self):
        return [self.host.page, *(one.page for one in self.guests.values())]

    def begin(self):
        button(self.host.page, "begin").click()
        for page in self.pages:
            expect(mark(page)).to_have_text(SIGNS)

    def throw(self, name):
        """The guest throws; the dice as everybody sees them."""
        page = self.guests[name].page
        expect(page.locator(".turn h1")).to_have_text(name)
        before = page.locator(".bowl[role=img]").get_attribute("aria-label")
        button(page, "throw").click()
        expect(self.host.page.locator(".turn h1")).not_to_have_text(name)
        expect(page.locator(".bowl[role=img]")).not_to_have_attribute("aria-label", before)
        return page.locator(".bowl[role=img]").get_attribute("aria-label")

    def record(self):
        headers = {"authorization": f"Bearer {self.token}"}
        return httpx.get(f"{self.base}/api/tables/{self.code}/record", headers=headers).content


def mark(page):
    return page.get_by_role("button", name=re.compile(re.escape(say("mark", "proof")) + "$"))


def check(page, data, tmp_path):
    """Give a record to the page that checks it."""
    (tmp_path / "game.jsonl").write_bytes(data)
    page.locator("input[type=file]").set_input_files(tmp_path / "game.jsonl")
    expect(page.locator(".result h2")).to_be_visible()


def changed(page, change):
    """What the server says to this page goes through `change`, which gives another message or the same."""

    def route(socket):
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(json.dumps(change(json.loads(text)))))

    page.route_web_socket("**/ws", route)


def withheld(page, kind):
    """This page's messages of a kind do not reach the server."""

    def route(socket):
        server = socket.connect_to_server()
        socket.on_message(lambda text: None if json.loads(text)["t"] == kind else server.send(text))

    page.route_web_socket("**/ws", route)


def test_every_throw_is_proved_on_every_phone_and_by_the_record(served, visit, tmp_path):
    table = Table(visit, served(), "Ming", "Hong", alone=["Tom"])
    named = {"base": table.base.replace("127.0.0.1", "hall.example"), "allowed": ("Cross-Origin-Opener-Policy",)}
    hall = visit(**named, size=(1920, 1080)).go(f"/hall/{table.code}")  # plain http has no such policy
    table.begin()
    signs = mark(table.host.page).inner_text().strip()
    for page in (*table.pages, hall):
        expect(page.locator("main")).to_contain_text(signs)
    expect(hall.locator("footer svg")).to_have_count(2)
    for _ in range(2):
        button(table.host.page, "throw_for", name="Tom").click()
        table.throw("Ming")
        table.throw("Hong")
    mark(table.host.page).click()
    panel = table.host.page.get_by_role("dialog")
    expect(panel.locator("li.own bdi")).to_have_text(["Ming", "Hong"])
    expect(panel.locator("li.none bdi")).to_have_text("Tom")
    assert table.host.faults("serious", "critical") == []
    # A phone that was there checks the record, and holds it against what it saw.
    ming = table.guests["Ming"]
    page = ming.go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("sound_partly_title", "fairness"))
    expect(page.locator(".counts .a b")).to_have_text("4")
    expect(page.locator(".counts .proxy b")).to_have_text("2")
    expect(page.locator(".here")).to_have_text(say("here_same", "fairness"))
    assert ming.faults("serious", "critical") == []
    check(page, table.record().replace(b'"s":"', b'"s":"0', 1), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("bad_file_title", "fairness"))


@pytest.mark.parametrize("what", ["dice", "proof", "signs"])
def test_an_answer_that_was_tampered_with_is_told_loudly(served, visit, what, tmp_path, monkeypatch):
    for wait in ("COMMIT_MS", "REVEAL_MS"):
        monkeypatch.setattr(sealing, wait, 60_000)  # on a busy machine a phone that is late would be grey

    def tamper(message):
        line, view = message.get("line") or {}, message.get("view") or {}
        if what == "dice" and line.get("roll"):
            other = "111111" if line["roll"] != "111111" else "222222"
            line["roll"] = line["act"]["roll"] = other
        elif what == "proof" and line.get("proof"):
            line["proof"]["s"] = "00" * 32
        elif what == "signs" and (view.get("fair") or {}).get("sas"):
            view["fair"]["sas"] = "AAAAAA"
        return message

    table = Table(visit, served(), "Ming")
    table.guests["Hong"] = table.sit("Hong", before=lambda page: changed(page, tamper))
    button(table.host.page, "begin").click()
    expect(mark(table.guests["Ming"].page)).to_have_text(SIGNS)
    hong = table.guests["Hong"].page
    if what != "signs":
        button(table.guests["Ming"].page, "throw").click()
    alarm = hong.get_by_role("dialog", name=say("alarm_title", "proof"))
    expect(alarm).to_be_visible()
    why = {"dice": "faces", "proof": "server_link", "signs": "signs"}[what]
    expect(alarm).to_contain_text(say(f"why_{why}", "proof"))
    button(alarm, "alarm_close", "proof").click()
    expect(alarm).to_be_hidden()
    expect(hong.get_by_role("alert")).to_contain_text(say("alarm_title", "proof"))
    expect(table.guests["Ming"].page.get_by_role("alert")).to_have_count(0)
    if (
        what == "dice"
    ):  # the record is sound, yet on the phone that was warned nothing counts as proved, here as at the table
        expect(hong.locator(".turn .doubt")).to_be_visible()
        check(table.guests["Hong"].go("/verify"), table.record(), tmp_path)
        expect(hong.locator(".result h2")).to_have_text(say("sound_doubt_title", "fairness"))
        expect(hong.locator(".counts .doubt b")).to_have_text("1")
        expect(hong.locator(".here")).to_contain_text(say("why_faces", "proof"))


def test_a_phone_that_forgot_goes_on_grey_and_one_that_was_reloaded_does_not(served, visit, tmp_path):
    table = Table(visit, served(), "Ming", "Hong")
    table.begin()
    table.throw("Ming")
    table.throw("Hong")
    ming, hong = (table.guests[name].page for name in ("Ming", "Hong"))
    ming.reload()
    expect(ming.locator(".turn .own")).to_be_visible()
    table.throw("Ming")
    hong.evaluate(
        "new Promise((done) => { localStorage.removeItem('bobing.chains');"
        " indexedDB.deleteDatabase('bobing').onsuccess = done; })"
    )
    hong.reload()
    expect(hong.locator(".turn .none")).to_be_visible()  # the table does not know yet; the phone does
    button(hong, "throw").click()
    expect(table.host.page.locator(".turn h1")).to_have_text("Ming")
    table.throw("Ming")
    expect(hong.locator(".turn .none")).to_be_visible()
    table.throw("Hong")
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)
    page = visit(base=table.base).go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".counts .a b")).to_have_text("4")
    expect(page.locator(".counts .proxy b")).to_have_text("2")
    expect(page.locator("dd").nth(3)).to_have_text("Hong")


IN_DATABASE = """new Promise((done, failed) => {
  const opening = indexedDB.open("bobing", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("chains");
  opening.onerror = failed;
  opening.onsuccess = () => {
    const work = opening.result.transaction("chains", "readwrite");
    const store = work.objectStore("chains");
    %s
    work.oncomplete = () => (opening.result.close(), done(found?.result));
  };
})"""
OLD = (
    IN_DATABASE
    % """let found;
    for (let i = 0; i < 40; i++) store.put({ text: "0".repeat(64), used: 1000 + i }, "old" + i);
    store.put("0".repeat(64), "unknown");"""
)
LYING = IN_DATABASE % """const found = store.count();"""


def test_half_the_storage_is_enough(served, visit):
    table = Table(visit, served(), "Ming", "Hong")
    table.guests["Ming"].page.evaluate(OLD)
    table.begin()
    ming = table.guests["Ming"].page
    heard = ming.evaluate("JSON.parse(localStorage.getItem('bobing.seen'))[0].heard.at")
    assert abs(heard / 1000 - time.time()) < 600, "the table was heard, and that is kept"
    assert ming.evaluate(LYING) == 24, "what lay there for two months and more, behind newer ones, is gone"
    ming.evaluate("localStorage.removeItem('bobing.chains')")
    ming.reload()
    expect(ming.locator(".turn .own")).to_be_visible()
    table.throw("Ming")
    table.throw("Hong")
    expect(ming.locator(".turn .own")).to_be_visible()


def test_a_throw_taken_back_falls_the_same_again(served, visit):
    table = Table(visit, served(), "Ming", "Hong")
    table.begin()
    first = table.throw("Ming")
    button(table.guests["Ming"].page, "undo").click()
    expect(table.host.page.locator(".turn h1")).to_have_text("Ming")
    table.guests["Ming"].page.wait_for_timeout(500)  # a tap right behind another does nothing
    button(table.guests["Ming"].page, "throw").click()
    expect(table.host.page.locator(".turn h1")).to_have_text("Hong")
    expect(table.host.page.locator(".bowl[role=img]")).to_have_attribute("aria-label", first)
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)


def test_dice_sealed_anew_are_counted_for_everybody(served, visit):
    table = Table(visit, served(), "Ming", "Hong")
    table.begin()
    table.throw("Ming")
    before = mark(table.host.page).inner_text().strip()
    mark(table.host.page).click()
    panel = table.host.page.get_by_role("dialog")
    button(panel, "again", "proof").click()
    button(panel, "again", "proof").click()
    for page in table.pages:
        expect(mark(page)).not_to_have_text(before)
        expect(mark(page)).to_have_text(SIGNS)
    table.throw("Hong")
    mark(table.guests["Ming"].page).click()
    panel = table.guests["Ming"].page.get_by_role("dialog")
    expect(panel).to_contain_text(say("restarts", "proof", n=1))


def test_a_phone_that_does_not_reveal_is_counted_and_goes_without(served, visit, tmp_path, monkeypatch):
    monkeypatch.setattr(sealing, "COMMIT_MS", 60_000)  # on a busy machine a phone that is late would not be waited for
    table = Table(visit, served(), "Ming")
    table.guests["Hong"] = table.sit("Hong", before=lambda page: withheld(page, "reveal"))
    table.begin()
    mark(table.host.page).click()
    panel = table.host.page.get_by_role("dialog")
    expect(panel).to_contain_text(say("voids", "proof", n=1))
    expect(panel.locator("li.own bdi")).to_have_text("Ming")
    expect(panel.locator("li.none bdi")).to_have_text("Hong")
    table.throw("Ming")
    table.throw("Hong")
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)
    page = visit(base=table.base).go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("sound_partly_title", "fairness"))


def test_who_comes_late_waits_two_laps_and_is_proved_then(served, visit, tmp_path):
    table = Table(visit, served(), "Ming", "Hong")
    table.begin()
    table.throw("Ming")
    table.guests["Tom"] = table.sit("Tom")
    tom = table.guests["Tom"].page
    mark(tom).click()
    expect(tom.get_by_role("dialog").locator("li.late bdi")).to_have_text("Tom")
    tom.keyboard.press("Escape")
    for name in ("Hong", "Ming", "Hong", "Ming", "Hong", "Tom"):
        table.throw(name)
    expect(tom.get_by_role("alert")).to_have_count(0)
    page = visit(base=table.base).go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("sound_proved_title", "fairness"))
    expect(page.locator("dl")).to_contain_text("Tom")


def test_a_host_with_a_seat_takes_part_as_others_do(served, visit):
    table = Table(visit, served(), "Ming", alone=["Tom"])
    host = table.host.page
    host.get_by_label(say("host_plays")).select_option(label="Tom")
    expect(host.locator("main li", has_text="Tom")).to_contain_text(say("you"))
    table.begin()
    expect(host.locator(".turn .own")).to_be_visible()
    button(host, "throw").click()
    table.throw("Ming")
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)


def test_the_server_is_killed_and_the_phones_go_on_with_the_same_chains(visit, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    words = ["--port", str(port), "--db", f"sqlite:///{tmp_path}/tables.db"]
    # Phones get longer to answer than people would wait: on a busy machine one that is late would be grey.
    waits = "from bobing.server import sealing; sealing.COMMIT_MS = sealing.REVEAL_MS = 60_000"
    command = [sys.executable, "-c", f"{waits}; from bobing.__main__ import main; main()", "serve", *words]

    def start():
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with suppress(httpx.TransportError):
                if httpx.get(f"{base}/healthz").status_code == 200:
                    return server
            time.sleep(0.05)
        raise AssertionError("the server did not come up")

    server = start()
    try:
        table = Table(partial(visit, allowed=("WebSocket connection", "ERR_")), base, "Ming", "Hong")
        table.begin()
        signs = mark(table.host.page).inner_text().strip()
        table.throw("Ming")
        server.kill()
        server.wait()
        expect(table.host.page.get_by_role("status").first).to_contain_text(say("link_lost"))
        server = start()
        expect(button(table.guests["Hong"].page, "throw")).to_be_enabled()
        table.throw("Hong")
        table.throw("Ming")
        for page in table.pages:
            expect(mark(page)).to_have_text(re.compile(signs))
            expect(page.get_by_role("alert")).to_have_count(0)
        page = visit(base=base, allowed=("ERR_",)).go("/verify")
        check(page, table.record(), tmp_path)
        expect(page.locator(".result h2")).to_have_text(say("sound_proved_title", "fairness"))
        expect(page.locator(".counts .a b")).to_have_text("3")
    finally:
        server.kill()
        server.wait()


def test_real_dice_go_into_the_seal_where_that_was_agreed(served, visit):
    table = Table(visit, served(), "Ming", "Hong", beacon="dice")
    button(table.host.page, "begin").click()
    ming, host = table.guests["Ming"].page, table.host.page
    expect(ming.locator(".sealing")).to_contain_text(say("beacon_dice", "proof", n=30))
    field = host.get_by_label(say("beacon_dice_ask", "proof", n=30))
    field.fill("362451" * 4 + "36245")
    expect(button(host, "beacon_left", "proof", n=1)).to_be_disabled()
    field.fill("362451" * 5)
    button(host, "beacon_enter", "proof").click()
    for page in table.pages:
        expect(mark(page)).to_have_text(SIGNS)
    table.throw("Ming")
    expect(ming.get_by_role("alert")).to_have_count(0)
    mark(ming).click()
    expect(ming.get_by_role("dialog").locator(".faces")).to_have_text("362451 " * 4 + "362451")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_told_of_the_dice_fits_a_narrow_screen(served, visit, lang):
    base = served()
    code, token = new_table(base, "Ming", "Hong", rules=LONG, settings={"dice": "digital", "beacon": "drand"})
    one = visit(lang, base=base, size=(320, 640))
    one.page.add_init_script("const now = Date.now; Date.now = () => now() + 60_000")  # a clock that is a minute fast
    page = one.go(f"/t/{code}#k={token}")
    page.locator(".begin button").click()

    def look(spot):
        expect(page.locator(spot)).to_be_visible()
        shown = page.locator(spot).inner_text()
        assert not re.search(r"⟦|\{|undefined|\[object", shown), shown
        assert page.locator(spot).evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0, spot
        assert one.overflow() <= 0

    look("dialog[open]")
    dialog = page.get_by_role("dialog", name=text(lang, "proof.clock_title"))
    expect(dialog).not_to_contain_text(text(lang, "proof.alarm_do"))
    buttons = dialog.locator("footer button")
    expect(buttons).to_have_text([text(lang, f"proof.alarm_{what}") for what in ("close", "save")])
    for button_of_it in buttons.all():
        expect(button_of_it).to_be_in_viewport(ratio=1)
    dialog.get_by_role("button", name=text(lang, "proof.alarm_close")).click()
    expect(page.get_by_role("alert")).to_have_text(text(lang, "proof.clock_title"))
    look(".sealing form")
    page.get_by_role("button", name=text(lang, "proof.mark")).click()
    look("dialog[open]")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=text(lang, "table.menu"), exact=True).click()
    look("dialog[open]")
    assert one.faults("serious", "critical") == []


def test_two_phones_compare_what_they_saw_sealed(served, visit):
    table = Table(visit, served(), "Ming", "Hong")
    table.begin()
    table.throw("Ming")
    mark(table.host.page).click()
    panel = table.host.page.get_by_role("dialog")
    panel.locator("summary").click()
    t0 = panel.locator("code").inner_text()
    ming = table.guests["Ming"]
    game = ming.page.evaluate("JSON.parse(localStorage.getItem('bobing.receipts'))[0].game")
    for seen, key in ((t0, "same"), ("0" * 64, "other")):
        page = ming.go(f"/fair#{game}.{seen}")
        page.reload()
        expect(page.locator(".compared")).to_contain_text(say(f"compare_{key}", "fairness"))
    stranger = visit(base=table.base).go(f"/fair#{game}.{t0}")
    expect(stranger.locator(".compared")).to_contain_text(say("compare_unknown", "fairness"))


def test_the_page_that_is_one_file_opens_from_a_disk(visit, site, tmp_path):
    (tmp_path / "check.html").write_bytes(httpx.get(f"{site}/bobing-verify.html").content)
    one = visit("zh-Hant", base=f"file://{tmp_path}", locale="zh-TW")
    one.context.set_offline(True)
    page = one.page
    page.goto(f"file://{tmp_path}/check.html")
    expect(page.locator("h1")).to_have_text(text("zh-Hant", "fairness.check_title"))
    check(page, (GAMES / "minnan-whole.jsonl").read_bytes(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(text("zh-Hant", "fairness.sound_none_title"))
    page.get_by_role("button", name="EN").click()
    expect(page.locator(".result h2")).to_have_text(say("sound_none_title", "fairness"))
    assert one.overflow() <= 0


def test_the_checking_page_opens_when_the_server_is_gone(visit, tmp_path):
    with serving() as base:
        one = visit(base=base, service_workers="allow", allowed=("ERR_", "Failed to load"))
        page = one.go("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto(f"{base}/verify")
    check(page, (GAMES / "minnan-whole.jsonl").read_bytes(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("sound_none_title", "fairness"))


def test_links_lost_at_a_table_with_public_chance_wait_for_another_round_of_it(served, visit, tmp_path):
    table = Table(visit, served(), "Ming", "Hong", beacon="dice")
    button(table.host.page, "begin").click()
    host, ming, hong = table.host.page, table.guests["Ming"].page, table.guests["Hong"].page
    ask = say("beacon_dice_ask", "proof", n=30)
    host.get_by_label(ask).fill("362451" * 5)
    button(host, "beacon_enter", "proof").click()
    table.throw("Ming")
    hong.evaluate("localStorage.removeItem('bobing.chains')")
    hong.evaluate("new Promise((done) => (indexedDB.deleteDatabase('bobing').onsuccess = done))")
    hong.reload()
    expect(hong.locator(".turn h1")).to_have_text("Hong")
    button(hong, "throw").click()
    told = host.get_by_text(say("beacon_for", "proof", name="Hong"))
    expect(told).to_be_visible()
    expect(ming.locator(".turn h1")).to_have_text("Ming")
    mark(hong).click()
    expect(hong.get_by_role("dialog").locator("li.wait bdi")).to_have_text("Hong")
    hong.keyboard.press("Escape")
    told.click()
    host.get_by_label(ask).fill("154263" * 5)
    button(host, "beacon_enter", "proof").click()
    expect(told).to_have_count(0)
    table.throw("Ming")
    table.throw("Hong")
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)
    page = visit(base=table.base).go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".result h2")).to_have_text(say("sound_proved_title", "fairness"))


def test_a_phone_that_comes_to_a_seat_without_one_is_proved_after_two_laps(served, visit, tmp_path):
    """Not so where a phone that took part is away meanwhile: it does not vouch, which all screens and verifiers say."""
    table = Table(visit, served(), "Ming", alone=["Tom", "Ann"])
    table.begin()

    def comes(name):
        table.guests[name] = visit(base=table.base)
        table.guests[name].go(f"/t/{table.code}")
        table.guests[name].page.get_by_role("button", name=name, exact=True).click()
        expect(table.guests[name].page.locator(".turn")).to_be_visible()

    def seats(page, how):
        mark(page).click()
        return page.get_by_role("dialog").locator(f"li.{how} bdi")

    comes("Tom")
    for _ in range(2):
        table.throw("Tom")
        button(table.host.page, "throw_for", name="Ann").click()
        table.throw("Ming")
    table.throw("Tom")
    tom, ming = table.guests["Tom"].page, table.guests["Ming"].page
    expect(seats(tom, "own")).to_have_text(["Tom", "Ming"])
    tom.keyboard.press("Escape")
    button(ming, "seats").click()
    ming.get_by_role("button", name=say("seat_more", name="Ming")).click()
    button(ming, "leave").click()
    ming.keyboard.press("Escape")
    comes("Ann")
    for name in ("Ann", "Tom", "Ann", "Tom", "Ann"):
        table.throw(name)
    expect(seats(tom, "unheard")).to_have_text(["Ann"])
    expect(tom.get_by_role("dialog")).to_contain_text(say("unheard", "proof", name="Ann", who="Ming"))
    for page in table.pages:
        expect(page.get_by_role("alert")).to_have_count(0)
    page = visit(base=table.base).go("/verify")
    check(page, table.record(), tmp_path)
    expect(page.locator(".counts .unheard b")).to_have_text("1")
    page.locator("summary").click()
    expect(page.locator("tr.unheard")).to_contain_text(say("came_without", "fairness", who="Ming"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_host_who_wished_it_hears_kindly_of_very_uneven_dice(served, visit, lang):
    """Off by default; said to the host alone, and nobody is blamed."""
    base = served()
    game = Game.new(find_sheet("minnan"), seats=2)
    for turn in range(14):
        game = game.play(Throw(turn % 2, Roll.parse("222335")))
    record = b"".join(record_lines(game, {0: "Ming", 1: "Hong"}))
    made = httpx.post(f"{base}/api/tables/from-record?dice=real", content=record).json()
    code, token = made["code"], made["token"]
    one = visit(lang, base=base)
    host = one.go(f"/t/{code}#k={token}")
    said = host.get_by_text(text(lang, "proof.biased"))
    expect(host.locator(".turn h1")).to_be_visible()
    expect(said).to_have_count(0)
    host.get_by_role("button", name=text(lang, "table.menu")).click()
    host.get_by_label(text(lang, "proof.set_alarm")).check()
    host.keyboard.press("Escape")
    expect(said).to_be_visible()
    guest = visit(lang, base=base).go(f"/t/{code}")
    expect(guest.get_by_text("Ming").first).to_be_visible()
    expect(guest.get_by_text(text(lang, "proof.biased"))).to_have_count(0)
