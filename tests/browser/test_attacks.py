"""Attacks that only a browser can show: tokens in addresses, markup and directions in names, frames."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from server.live import new_table

MARKUP = ("<img src=x onerror=a()>", '"><svg/onload=a()>', "javascript:a()", "{{7*7}}⟦1⟧%s${x}")
WORLD = ("👨‍👩‍👧‍👦🏳️‍🌈", "𠀋𡈽", "محمد علي", "'; DROP TABLE x")
NAMES = [*MARKUP, *WORLD]
REAL = {"dice": "real", "confirm": "none"}


def table_of(site, *names):
    rules = {"sheet": "minnan", "house": {"prizes": {"yixiu": [{"name": MARKUP[0], "count": 32}]}}}
    return new_table(site, *names, title=MARKUP[1], rules=rules, settings=REAL)


def test_attack_04_a_token_stays_in_no_address_and_no_history(visit, site):
    code, token = table_of(site, "Ming", "Hong")
    one = visit()
    sent = []
    one.page.on("request", lambda request: sent.append((request.url, request.headers.get("referer", ""))))
    page = one.go(f"/t/{code}#k={token}")
    expect(page.get_by_text("Ming").first).to_be_visible()
    assert page.evaluate("location.href") == f"{site}/t/{code}"
    page.goto(f"{site}/learn")
    page.go_back()
    assert token not in page.url
    assert not [told for told in sent if token in told[0].partition("#")[0] or token in told[1]]
    assert page.evaluate("document.cookie") == ""


@pytest.mark.parametrize("path", ["t", "hall"])
def test_attack_45_names_are_shown_as_they_are_written(visit, site, path):
    code, token = table_of(site, *NAMES)
    one = visit(size=(1920, 1080))
    page = one.go(f"/{path}/{code}#k={token}")
    for name in NAMES:
        expect(page.get_by_text(name, exact=True).first).to_be_visible()
    expect(page.get_by_text(MARKUP[1], exact=True).first).to_be_visible()
    assert page.locator("main img, main svg[onload], main [onerror]").count() == 0
    assert one.overflow() == 0


def test_attack_46_names_do_not_turn_the_text_around_them(visit, site):
    """Every place where a name stands is a direction of its own."""
    code, token = table_of(site, *NAMES)
    page = visit(size=(1920, 1080)).go(f"/t/{code}#k={token}")
    expect(page.get_by_text(WORLD[2], exact=True).first).to_be_visible()
    page.get_by_role("button", name="Begin").first.click()
    expect(page.locator(".turn h1")).to_be_visible()
    open_ones = page.evaluate(
        """(names) => [...document.querySelectorAll('main *')]
          .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && names.includes(one.data.trim())))
          .filter((node) => !node.closest('bdi, option, input, textarea'))
          .map((node) => node.outerHTML)""",
        NAMES,
    )
    assert open_ones == []
    assert page.evaluate(
        "[...document.querySelectorAll('bdi')].every((n) => getComputedStyle(n).unicodeBidi === 'isolate')"
    )


def test_attack_53_a_verdict_shows_a_name_full_of_signs_as_it_is(visit, site):
    code, token = table_of(site, MARKUP[3], MARKUP[0])
    page = visit(size=(1920, 1080)).go(f"/t/{code}#k={token}")
    page.get_by_role("button", name="Begin").first.click()
    for face in "123455":
        page.get_by_role("button", name=f"{face}", exact=True).or_(
            page.get_by_role("button", name=f"Face {face}")
        ).first.click()
    expect(page.locator(".turn h1")).to_have_text(MARKUP[0])
    expect(page.get_by_text(MARKUP[3]).first).to_be_visible()
    assert "49⟦1⟧" not in page.content()


@pytest.fixture
def stranger(site):
    """The address of a page of somebody else that shows ours in a frame."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<main><h1>x</h1><iframe src='{site}/'></iframe></main>".encode())

        def log_message(self, format, *args):  # noqa: A002 - the name is of the standard library
            pass

    server = ThreadingHTTPServer(("localhost", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_attack_73_a_page_of_others_cannot_show_ours_in_a_frame(visit, stranger):
    one = visit("", base=stranger, allowed=("frame-ancestors", "Framing", "X-Frame-Options", "favicon", "404"))
    page = one.go("/")
    (frame,) = page.main_frame.child_frames
    for _ in range(600):
        if frame.url not in ("", "about:blank"):
            break
        page.wait_for_timeout(100)
    assert frame.url.startswith("chrome-error:")
    one.wrong[:] = [told for told in one.wrong if "asked elsewhere" not in told]
