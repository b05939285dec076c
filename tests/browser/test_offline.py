"""The page without its server: what can be read, and a table that goes on once the server is back."""

from urllib.parse import urlsplit

import httpx
from playwright.sync_api import expect

from bobing.adapters import open_log
from bobing.i18n import LANGUAGES, text
from browser.states import settle, until
from server.live import new_table, serving

GONE = ("ERR_", "Failed to load", "WebSocket connection")


def say(key, **values):
    return text("en", f"table.{key}", **values)


def tap(page, faces):
    for face in faces:
        page.get_by_role("button", name=say("pad_face", face=face), exact=True).click()


def test_what_there_is_to_read_is_there_without_the_server(visit):
    with serving() as base:
        one = visit("en", base=base, service_workers="allow", allowed=GONE)
        page = one.go("/learn")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        for kept in ("/sheets", "/sheets/minnan", "/settings"):
            assert until(page, f"localStorage.getItem('bobing.kept{kept}') !== null")
    titles = {
        "/learn/cakes": "The 63 cakes",
        "/learn/prizes": "Every prize",
        "/rules/minnan": "Minnan bilingual",
        "/rules": "Rule sheets",
        "/new": "Set up a table",
        "/games": "No tables yet",
        "/rules/S12": "No connection",
        "/t/ABCD2345": "No connection",
        "/hall/ABCD2345": "No connection",
    }
    for path, title in titles.items():
        one.go(path)
        expect(page.locator("main h1")).to_have_text(title)
        assert "minnan" not in page.locator("main").inner_text(), "a key is no name"
    assert page.evaluate("fetch('/icons/icon.svg').then((answer) => answer.ok)")
    one.go("/rules/S12")
    for lang, name in zip(LANGUAGES, ("简体中文", "繁體中文", "EN, English"), strict=True):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("main h1")).to_have_text(text(lang, "web.unreachable_title"))


def test_a_set_up_without_the_server_says_so_and_loses_nothing(visit):
    with serving() as base:
        one = visit("en", base=base, allowed=GONE)
        page = one.go("/new")
        page.get_by_label(text("en", "setup.name"), exact=True).fill("Ming, Hong, Tom")
        page.keyboard.press("Enter")
    page.get_by_role("button", name=text("en", "setup.go"), exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(text("en", "web.unreachable_text"))
    with serving(port=urlsplit(base).port or 0):
        page.reload()
        expect(page.locator(".people bdi")).to_have_text(["Ming", "Hong", "Tom"])
        page.get_by_role("button", name=text("en", "setup.go"), exact=True).click()
        expect(page.locator("main h1")).to_have_text("Ming")


def test_a_table_opens_without_the_server_and_what_is_typed_in_waits_and_is_sent_once(visit, tmp_path):
    store = f"sqlite:{tmp_path / 'tables.db'}"
    with serving(log=open_log(store)) as base:
        code, token = new_table(base, "Ming", "Hong", "Tom", settings={"dice": "real"})
        one = visit("en", base=base, service_workers="allow", allowed=GONE)
        page = one.go(f"/t/{code}#k={token}")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.get_by_role("button", name=say("begin"), exact=True).click()
        tap(page, "222231")
        expect(page.locator("main h1")).to_have_text("Hong")
        settle(page)
    page.reload()
    expect(page.locator("main h1")).to_have_text("Hong")
    expect(page.get_by_role("status").first).to_contain_text(say("link_lost"))
    tap(page, "446123")
    waiting = say("link_lost_waiting", n=1)
    expect(page.get_by_role("status").first).to_contain_text(waiting)
    page.close()
    page = one.page = one.context.new_page()
    one.go(f"/t/{code}")
    expect(page.get_by_role("status").first).to_contain_text(waiting)
    with serving(log=open_log(store), port=urlsplit(base).port or 0):
        expect(page.get_by_text(waiting)).to_have_count(0)
        expect(page.locator("main h1")).to_have_text("Tom")
        record = httpx.get(f"{base}/api/tables/{code}/record", headers={"authorization": f"Bearer {token}"}).text
        assert [line.count('"roll"') for line in record.splitlines() if '"roll"' in line] == [1, 1]
        one.go("/games")
        page.wait_for_timeout(100)


def test_a_page_whose_first_files_did_not_come_says_so_and_opens_once_they_do(visit, site):
    code, token = new_table(site, "Ming", "Hong")
    page = visit(allowed=(*GONE, "Failed to fetch")).page
    page.route("**/assets/web.en-*", lambda route: route.abort())
    page.goto(f"{site}/t/{code}#k={token}")
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    page.unroute("**/assets/web.en-*")
    again.click()
    expect(page.locator("main h1")).to_have_text(say("lobby_host"))


def test_a_page_none_of_whose_scripts_came_says_so_in_three_languages(visit, site):
    page = visit(allowed=GONE).page
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto(site)
    for said in ("看看网络", "看看網路", "Look at the connection"):
        expect(page.get_by_text(said)).to_be_hidden()
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    for said in ("看看网络", "看看網路", "Look at the connection"):
        expect(page.get_by_text(said)).to_be_visible()
