"""Setting up a table, house rules and all, and who is its host."""

import httpx
import pytest
from playwright.sync_api import expect

from bobing.i18n import LANGUAGES, text
from server.live import new_table

FILE = """
extends = "xiamen-modern"
[ranks]
order = ["sihong", "chajinhua", ["wuzi", "wuhong"], "liubohong"]
unranked = ["liubohei"]
[spill]
next_turn = "played"
[cakes]
triple = 10
[ranking]
tiers = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "triple", "yixiu"]
[wins]
triple = ["111xxx"]
"""


def say(key, lang="en", **values):
    return text(lang, f"table.{key}", **values)


def told(key, lang="en", **values):
    return text(lang, f"setup.{key}", **values)


def name(page, *names):
    page.get_by_label(told("name"), exact=True).fill(", ".join(names))
    page.keyboard.press("Enter")


def test_rules_that_cannot_be_are_said_where_they_are_changed(visit, site):
    one = visit(allowed=("422",))
    page = one.go("/new")
    page.get_by_text(told("prizes"), exact=False).first.click()
    page.get_by_label(told("total_stated")).fill("70")
    page.get_by_label(told("total_stated")).press("Tab")
    expect(page.get_by_role("alert").first).to_have_text(told("total_off", found=63, stated=70))
    expect(page.locator(".go button").first).to_be_disabled()
    page.get_by_label(told("count", tier="One Four")).fill("39")
    page.get_by_label(told("count", tier="One Four")).press("Tab")
    expect(page.locator(".go button").first).to_be_enabled()
    page.get_by_text(told("house")).click()
    page.get_by_text("The end, and penalties").click()
    page.locator("select[id='spill.next_turn']").select_option("played")
    expect(page.get_by_text(told("changed", n=1)).first).to_be_visible()
    for fold in page.locator("summary").all():
        fold.evaluate("(summary) => (summary.parentElement.open = true)")
    assert one.small() + one.cut() == []
    assert one.overflow() <= 0
    name(page, "Ming", "Hong")
    page.get_by_role("button", name=told("open_first")).click()
    expect(page.locator("h1")).to_have_text(say("lobby_host"))
    code = page.url.rsplit("/", 1)[1]
    assert httpx.get(f"{site}/api/tables/{code}").json()["seats"] == [
        {"name": "Ming", "free": True},
        {"name": "Hong", "free": True},
    ]


def test_a_name_that_cannot_be_is_marked_at_once_and_mended_in_its_place(visit):
    page = visit().go("/new")
    name(page, "Ming", "Host", "Tom")
    expect(page.get_by_role("alert")).to_contain_text("Host")
    expect(page.get_by_role("alert")).to_contain_text(text("en", "refusals.table_name_reserved"))
    expect(page.locator(".people .bad")).to_have_text("Host ×")
    expect(page.locator(".go button").first).to_be_disabled()
    page.get_by_role("button", name=told("edit", name="Host")).click()
    page.keyboard.type("Hong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".people bdi")).to_have_text(["Ming", "Hong", "Tom"])
    expect(page.locator(".go button").first).to_be_enabled()


COVERED = """(here) => {
  const { x, y, width, height } = here.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return !(top === here || here.contains(top) || top?.contains(here));
}"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_nothing_that_has_to_be_chosen_lies_under_the_button_that_begins(visit, size):
    page = visit(size=size).go("/new")
    field = page.get_by_label(told("name"), exact=True)
    for n in range(9):
        field.press_sequentially(f"Guest {n}")
        field.press("Enter")
        expect(page.locator(".people bdi")).to_have_count(n + 1)
        expect(field).to_have_value("")
        assert not field.evaluate(COVERED), f"with {n + 1} names"
    page.evaluate("scrollTo(0, 0)")
    for who in ("Real dice", "Digital dice"):
        assert not page.get_by_role("radio", name=who).evaluate(COVERED)


def test_a_name_that_comes_twice_is_shown_as_it_will_be_called(visit):
    page = visit("zh-Hans").go("/new")
    page.get_by_label(told("name", "zh-Hans"), exact=True).fill("张三，李四，张三")
    page.keyboard.press("Enter")
    expect(page.locator(".people bdi")).to_have_text(["张三", "李四", "张三 2"])
    expect(page.get_by_text(told("twice", "zh-Hans", name="张三", called="张三 2"))).to_be_visible()
    expect(page.locator(".people .bad")).to_have_count(0)
    page.get_by_role("button", name=told("remove", "zh-Hans", name="张三")).first.click()
    expect(page.locator(".people bdi")).to_have_text(["李四", "张三"])


def test_a_rule_file_fills_the_forms_and_what_it_says_besides_holds(visit, site):
    page = visit(allowed=("422",)).go("/new")
    page.get_by_text(told("house")).click()
    page.locator("input[type=file]").set_input_files({"name": "bad.toml", "mimeType": "", "buffer": b"extends = yes"})
    expect(page.get_by_role("alert")).to_contain_text("no TOML")
    page.locator("input[type=file]").set_input_files({"name": "ours.toml", "mimeType": "", "buffer": FILE.encode()})
    expect(page.get_by_text(told("file_is", name="ours.toml"))).to_be_visible()
    page.locator("summary", has_text="Champion").click()
    rows = page.locator("ol li .name")
    expect(rows).to_have_text(["Four Fours", "Golden Flowers", "Five of a Kind", "Five Fours", "Six Fours"])
    page.get_by_role("button", name=told("order_up", name="Six Fours")).click()
    expect(rows).to_have_text(["Four Fours", "Golden Flowers", "Five of a Kind", "Six Fours", "Five Fours"])
    name(page, "Ming", "Hong", "Tom")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name=told("open_first")).click()
    rules = asked.value.post_data_json["rules"]
    assert rules["sheet"] == "xiamen-modern"
    assert rules["house"]["ranks"] == {
        "order": [["sihong"], ["chajinhua"], ["wuzi"], ["liubohong"], ["wuhong"]],
        "unranked": ["liubohei"],
    }
    assert rules["house"]["wins"] == {"triple": ["111xxx"]}
    expect(page.locator("h1")).to_have_text(say("lobby_host"))


def test_the_host_changes_rules_and_dice_of_an_open_lobby_and_everybody_reads_them(visit, site):
    house = {"tier_names": {"yixiu": dict.fromkeys(LANGUAGES, "Pear")}, "spill": {"next_turn": "lost"}}
    code, token = new_table(site, "Ming", "Hong", rules={"sheet": "S12", "house": house})
    page, guest = visit().go(f"/t/{code}#k={token}"), visit().go(f"/t/{code}")
    guest.get_by_role("button", name="Hong").click()
    expect(guest.locator("h1")).to_have_text(say("lobby_guest"))
    expect(guest.get_by_role("button", name=say("rules_change"))).to_have_count(0)
    page.get_by_role("button", name=say("rules_change")).click()
    form = page.get_by_role("dialog")
    form.get_by_text(say("dice_real"), exact=True).click()
    form.get_by_text(told("prizes"), exact=False).first.click()
    expect(form.get_by_text(told("changed", n=1)).first).to_be_visible()
    form.get_by_label(told("count", tier="One Four")).fill("20")
    form.get_by_role("button", name=told("rules_take")).click()
    expect(page.get_by_text(say("dice_real"))).to_be_visible()
    named = "Referee rules, with house rules"
    expect(guest.get_by_text(say("rules_changed", name=named)).first).to_be_visible()
    guest.get_by_role("button", name=say("rules_read")).click()
    sheet = guest.get_by_role("dialog", name=named)
    expect(sheet.get_by_role("heading", name=text("en", "learn.own_points_title"), exact=True)).to_be_visible()
    expect(sheet.locator("li", has_text="Pear").locator(".cakes b").first).to_have_text("20")
    guest.keyboard.press("Escape")
    page.get_by_role("button", name=say("begin"), exact=True).click()
    page.get_by_role("button", name=say("rules"), exact=True).click()
    expect(page.get_by_role("dialog", name=named).locator("li", has_text="Pear")).to_be_visible()


def test_the_host_plays_a_seat_and_hands_the_table_over(visit, site):
    code, token = new_table(site, "Ming", "Hong", "Tom")
    first, second = visit(), visit()
    page = first.go(f"/t/{code}#k={token}")
    page.get_by_label(say("host_plays")).select_option("Hong")
    expect(page.locator("li", has_text="Hong").get_by_text(say("you"), exact=True)).to_be_visible()
    seats = httpx.get(f"{site}/api/tables/{code}").json()["seats"]
    assert [seat["free"] for seat in seats] == [True, False, True]
    heir = httpx.post(
        f"{site}/api/tables/{code}/links", json={"role": "host"}, headers={"authorization": f"Bearer {token}"}
    ).json()["token"]
    other = second.go(f"/t/{code}")
    other.get_by_role("button", name="Tom").click()
    expect(other.locator("h1")).to_have_text(say("lobby_guest"))
    other.goto(f"{site}/t/{code}#k={heir}")
    expect(other.locator("h1")).to_have_text(say("lobby_host"))
    expect(other.get_by_label(say("host_plays"))).to_have_value("2")
    expect(page.locator("h1")).to_have_text(say("lobby_guest"))
    expect(page.get_by_text(say("host_gone"))).to_be_visible()
    expect(page.locator("li", has_text="Hong").get_by_text(say("you"), exact=True)).to_be_visible()
    page.reload()
    expect(page.locator("h1")).to_have_text(say("lobby_guest"))


def test_the_host_throws_for_a_seat_of_the_host_and_may_leave_it(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "digital"}, host=0)
    page = visit().go(f"/t/{code}#k={token}")
    page.get_by_role("button", name=say("begin"), exact=True).click()
    page.get_by_role("button", name=say("throw"), exact=True).click()
    expect(page.get_by_role("button", name=say("throw_for", name="Hong"))).to_be_enabled()
    page.get_by_role("button", name=say("seats"), exact=True).click()
    page.get_by_role("button", name=say("seat_more", name="Ming")).click()
    page.get_by_role("button", name=say("host_stands")).click()
    expect(page.get_by_role("button", name=say("host_sits"))).to_be_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_of_the_set_up_fits_and_can_be_read_by_all(visit, lang):
    one = visit(lang, size=(320, 640))
    page = one.go("/new")
    page.get_by_label(told("name", lang), exact=True).fill("阿明, Host, Tom")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert one.faults("serious", "critical") == []
    assert one.overflow() <= 0
