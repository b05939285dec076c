"""Printing from the page, and an event that goes on at another computer, tapped by people."""

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor

from pypdf import PdfReader

from server.live import serving
from server.test_events import told
from server.test_standby import playing


def event_at(base):
    kept = {}

    async def story(base):
        kept["event"], _, kept["seated"] = await playing(base)

    with ThreadPoolExecutor(1) as aside:  # Playwright has a loop in this one
        aside.submit(asyncio.run, told(story, base)).result()
    return kept["event"]


def saved(page, press):
    with page.expect_download() as found:
        press()
    return found.value


def test_a_sheet_is_printed_in_the_language_of_the_page(visit):
    page = visit(lang="zh-Hans").go("/rules/S12")
    file = saved(page, page.get_by_role("link", name="规则卡").click)
    assert file.suggested_filename == "bobing-rules-referee-order.pdf"
    (sheet,) = PdfReader(file.path()).pages
    assert "裁判规则" in sheet.extract_text()


def test_the_desk_prints_the_cards_of_its_tables(visit, site):
    event = event_at(site)
    here = visit(size=(390, 844))
    page = here.page
    page.goto(f"{site}/events/{event['code']}/papers#k={event['token']}")
    page.wait_for_selector("#standby")
    assert here.overflow() <= 0
    assert here.faults("serious", "critical") == []
    file = saved(page, page.get_by_role("button", name="PDF: Table cards").click)
    assert file.suggested_filename == "Moon-Table cards.pdf"
    assert len(PdfReader(io.BytesIO(file.path().read_bytes())).pages) == 3


def test_an_event_is_handed_over_and_opened_at_another_computer(visit, site):
    event = event_at(site)
    page = visit().page
    page.goto(f"{site}/events/{event['code']}/papers#k={event['token']}")
    page.get_by_role("button", name="Hand over").click()
    asked = page.get_by_role("dialog")
    asked.get_by_label("To which computer").fill("the red one")
    file = saved(page, asked.get_by_role("button", name="Hand over").click)
    page.get_by_text("This event goes on at the red one.").first.wait_for()
    with serving() as other:
        there = visit(base=other, allowed=("422 (Unprocessable Entity)",))
        there.go("/events").set_input_files("input[type=file]", file.path())
        there.page.wait_for_url(f"{other}/events/{event['code']}")
        there.page.get_by_role("heading", name="Moon").wait_for()
        assert there.page.get_by_text("This event goes on at").count() == 0
        again = there.go("/events")
        again.set_input_files("input[type=file]", {"name": "x", "mimeType": "", "buffer": b"no event"})
        again.get_by_role("alert").wait_for()
