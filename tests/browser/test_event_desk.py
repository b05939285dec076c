"""The desk of an event in the browser: three tables from the guest list to the champion of them all."""

import re

from playwright.sync_api import expect
from pypdf import PdfReader

from bobing.i18n import LANGUAGES, text
from browser.staging import Staged

PLACES = ("setup", "guests", "door", "tables", "prizes", "final", "hall", "papers", "log")
SWITCH = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "EN, English"}

LIST = "name,phone\n" + "".join(f"Guest {n},1380000{n:04d}\n" for n in range(1, 13))


def say(key, **values):
    return text("en", f"desk.{key}", **values)


def begun(visit):
    """The desk of a new event with one session of three tables and four seats."""
    page = visit(size=(1280, 800), allowed=("422",)).go("/events")
    page.get_by_label(say("event_name")).fill("Moon")
    page.get_by_role("button", name=say("make_event")).click()
    page.get_by_label(say("seats_n")).fill("4")
    page.get_by_role("button", name=say("save_session")).click()
    expect(page.get_by_text(say("session_size", tables=3, seats=4), exact=False)).to_be_visible()
    return page


def go(page, place):
    page.get_by_role("navigation").get_by_role("link", name=say(f"tab_{place}"), exact=True).click()


def paste(page, words):
    page.get_by_role("button", name=say("import")).click()
    page.get_by_label(say("paste_list")).fill(words)
    page.get_by_role("button", name=say("list_check")).click()


def test_a_wrong_list_names_its_lines_and_changes_nothing(visit):
    page = begun(visit)
    go(page, "guests")
    paste(page, "name,phone\nAnn,12x\n,13800001234")
    expect(page.get_by_text(say("list_wrong", n=2).replace("{n|line|lines}", "lines"))).to_be_visible()
    expect(page.get_by_text(say("line", n=2))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text(say("no_guests"))).to_be_visible()


def test_results_are_put_right_and_digital_dice_settle_a_final(site, visit):
    event = Staged(site)
    event.session(tables=3, seats=4)
    event.guests(12)
    event.draw(3)
    event.throw(event.open(3), "444411")  # takes all of a tier
    for table in (1, 2):
        won = [{"seat": 0, "tier": "zhuangyuan", "cakes": 1, "item": "手机"}]
        event.desk.act(do="close", table=table, won=won, champion=0, vouchers=table, how="results")
    slow = {"name": "F", "format": "first", "places": [{"count": 1}], "groups": 1, "digital": True}
    event.desk.act(do="stage", stage=1, target="zhuangyuan", **slow)
    here = visit(size=(1280, 800))
    page = here.page
    page.goto(f"{site}/events/{event.code}/log#k={event.token}")
    page.get_by_role("button", name=say("correct")).first.click()
    page.get_by_role("dialog").get_by_role("combobox", name=say("champion_tag")).select_option(index=2)
    page.get_by_role("dialog").get_by_role("button", name=say("save_results")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    go(page, "setup")
    page.get_by_role("button", name=say("take_faster")).click()
    expect(page.get_by_role("button", name=say("take_faster"))).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name=say("change"), exact=True).click()
    page.locator("summary", has_text=text("en", "setup.prizes")).click()
    expect(page.get_by_label(text("en", "setup.item_price_of", item="手机"))).to_be_visible()
    assert here.overflow() <= 0, "names, numbers and prices of prizes on a phone"
    page.set_viewport_size({"width": 1280, "height": 800})
    go(page, "final")
    page.get_by_role("button", name=say("begin_stage", n=2)).click()
    expect(page.get_by_text(say("not_proved"))).to_be_visible()
    while not page.locator(".places li").count():
        page.get_by_role("button", name=say("throw_digital"), exact=True).click()
        page.wait_for_timeout(300)
    game = {"name": "G", "format": "game", "source": "named", "places": [{"count": 1}], "digital": True}
    event.desk.act(do="stage", stage=2, **game)
    event.desk.act(do="finalists", stage=2, guests=[1, 2], seed="s", vouchers=500, tables=[9])
    expect(page.get_by_text(say("proved_at_table"))).to_be_visible()
    expect(page.get_by_text(say("not_proved"))).to_have_count(1)
    group = event.at(event.token).welcome["view"]["stages"]["1"]["groups"][0]
    assert [len(place) for place in group["places"]] == [1]
    tables = event.at(event.token).welcome["tables"]
    assert tables["2"]["champion"] == tables["2"]["seats"][1], "put right: another has the title"
    prizes = event.at(event.token).welcome["vouchers"].values()
    titles = {one["guest"] for one in prizes if one["tier"] == "zhuangyuan" and one["state"] == "open"}
    assert titles == {tables["1"]["champion"], tables["2"]["champion"]}, "the prize of the title goes with it"
    assert sorted(group["guests"]) == sorted([tables["1"]["champion"], tables["2"]["champion"]])
    for n, place in enumerate(PLACES):
        page.goto(f"{site}/events/{event.code}/{place}")
        page.get_by_role("button", name=SWITCH[LANGUAGES[n % 3]], exact=True).click()
        page.wait_for_function("lang => document.documentElement.lang === lang", arg=LANGUAGES[n % 3])
        assert here.overflow() <= 0, place
        assert here.small() + here.cut() == [], place
        assert here.faults("serious", "critical") == [], place


def test_three_tables_from_the_list_to_the_champion_of_all(visit):
    page = begun(visit)
    go(page, "guests")
    paste(page, LIST)
    page.get_by_role("button", name=say("list_add", n=12)).click()
    expect(page.locator(".who")).to_have_count(12)
    page.get_by_role("button", name=say("lots")).click()
    expect(page.get_by_text(say("lots_sizes", n=12, sizes="4 / 4 / 4"))).to_be_visible()
    page.get_by_role("button", name=say("draw"), exact=True).click()
    expect(page.locator(".who .at", has_text="table 1")).to_have_count(4)
    go(page, "tables")
    page.get_by_role("button", name=text("en", "desk.open_all", n=3)).click()
    expect(page.locator(".card.open")).to_have_count(3)
    for number in (1, 2, 3):
        page.get_by_role("button", name=re.compile(f"^{text('en', 'event.at_table', n=number)} ")).click()
        page.get_by_role("button", name=say("results_only")).click()
        page.locator("tbody tr").first.locator("input").first.fill("1")
        page.get_by_role("combobox", name=say("champion_tag")).select_option(index=1)
        page.get_by_role("button", name=say("save_results")).click()
        expect(page.locator(".card.closed")).to_have_count(number)
    go(page, "final")
    page.get_by_label(say("ready_final")).select_option("1-2-4")
    expect(page.get_by_text(say("finalists_short", needed=7, n=3, missing=4))).to_be_visible()
    expect(page.get_by_role("button", name=say("begin_stage", n=3))).to_be_disabled()
    go(page, "log")
    expect(page.locator("li", has_text=say("act_stage"))).to_contain_text(say("format_sum"))
    page.locator("li", has_text=say("act_stage")).get_by_role("button", name=say("take_back")).click()
    go(page, "final")
    page.get_by_label(say("ready_final")).select_option(label=say("ready_S6"))
    page.get_by_role("button", name=say("begin_stage", n=3)).click()
    for faces in ("666", "112", "135"):
        page.locator(".due input").fill(faces)
        page.get_by_role("button", name=say("enter_throw")).click()
        expect(page.locator(".thrown").get_by_role("img", name=" ".join(faces))).to_be_visible()
    expect(page.locator(".places li")).to_have_count(1)
    champion = page.locator(".places li b").inner_text()
    go(page, "papers")
    with page.expect_download() as certificate:
        page.get_by_role("button", name=f"PDF: {text('en', 'takeaway.certificates')}").click()
    (honour,) = PdfReader(certificate.value.path()).pages
    assert champion in honour.extract_text()
    go(page, "log")
    expect(page.get_by_text(say("act_final")).first).to_be_visible()
    page.get_by_role("button", name=say("correct")).first.click()
    page.get_by_role("dialog").get_by_label("Dice of").fill("136")
    page.get_by_role("dialog").get_by_role("button", name=say("save_correction")).click()
    expect(page.get_by_text(say("corrected")).first).to_be_visible()
    last = page.locator("li", has_text=say("act_final")).filter(has_text="135")
    page.locator("li", has_text=say("act_correct")).get_by_role("button", name=say("take_back")).click()
    last.get_by_role("button", name=say("take_back")).click()
    expect(page.get_by_text(say("taken_back")).first).to_be_visible()
    go(page, "final")
    expect(page.locator(".due input")).to_be_visible()
