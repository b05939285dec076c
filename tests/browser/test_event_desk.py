"""The desk of an event in the browser: three tables from the guest list to the champion of them all."""

from playwright.sync_api import expect

from bobing.i18n import text

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
        page.get_by_role("button", name=text("en", "event.at_table", n=number), exact=True).click()
        page.get_by_role("button", name=say("results_only")).click()
        page.locator("tbody tr").first.locator("input").first.fill("1")
        page.get_by_role("combobox", name=say("champion_tag")).select_option(index=1)
        page.get_by_role("button", name=say("save_results")).click()
        expect(page.locator(".card.closed")).to_have_count(number)
    go(page, "final")
    page.get_by_label(say("ready_final")).select_option("S6")
    page.get_by_role("button", name=text("en", "desk.begin_stage", n=3)).click()
    for faces in ("666", "112", "135"):
        page.locator(".due input").fill(faces)
        page.get_by_role("button", name=say("enter_throw")).click()
        expect(page.locator("li .hint", has_text=faces)).to_be_visible()
    expect(page.locator(".places li")).to_have_count(1)
    go(page, "log")
    expect(page.get_by_text(say("act_final")).first).to_be_visible()
    page.get_by_role("button", name=say("take_back")).first.click()
    expect(page.get_by_text(say("taken_back")).first).to_be_visible()
    go(page, "final")
    expect(page.locator(".due input")).to_be_visible()
