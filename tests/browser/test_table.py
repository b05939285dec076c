"""The table page as people use it: a real bowl on one device, phones and a hall screen, and all that goes wrong."""

import re
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import expect

from bobing.i18n import LANGUAGES, text
from browser.states import NOTHING_WAITS, settle
from cli.test_serve import answered
from cli.test_serve import serving as process_serving
from server.live import new_table, serving
from support.services import free_port

SHORT = {"sheet": "minnan", "house": {"cakes": {"duitang": 0, "sanhong": 0, "sijin": 1, "erju": 1, "yixiu": 2}}}
THROWS = ("222231", "446123", "412335", "412335", "444412")
"""A whole game of three under SHORT: every tier goes, the last throw makes the champion."""
GONE = ("WebSocket connection", "ERR_")
"""What a page says when its server stops before it does."""
MOVING = {"reduced_motion": "no-preference"}


@pytest.fixture
def served():
    """Starts servers, `served(*throws)`; they stop after the pages that `visit` opened."""
    with ExitStack() as stack:
        yield lambda *throws: stack.enter_context(serving(*throws))


def say(key, lang="en", **values):
    return text(lang, f"table.{key}", **values)


def told(key, lang="en", **values):
    return text(lang, f"setup.{key}", **values)


def tap(page, faces):
    for face in faces:
        page.get_by_role("button", name=say("pad_face", face=face), exact=True).click()


def seat_in(visit, base, code, name, **more):
    """A guest with a phone: opens the address, writes a name, sits down."""
    one = visit(base=base, **more)
    page = one.go(f"/t/{code}")
    page.get_by_label(say("join_name")).fill(name)
    page.get_by_role("button", name=say("join_sit")).click()
    expect(page.locator("h1")).to_have_text(say("lobby_guest"))
    return one


def turn(page, name):
    expect(page.locator(".turn h1")).to_have_text(name)


def button(page, key, **values):
    return page.get_by_role("button", name=say(key, **values), exact=True)


def dice(page):
    return page.locator(".bowl[role=img]").first.get_attribute("aria-label")


def test_a_whole_game_with_real_dice_on_one_device(visit, site, tmp_path):
    code, token = new_table(site, "Ming", "Hong", "Tom", rules=SHORT, settings={"dice": "real"})
    one = visit()
    page = one.go(f"/t/{code}#k={token}")
    assert "#" not in page.url
    button(page, "begin").click()
    for name, faces in zip(("Ming", "Hong", "Tom", "Ming"), THROWS, strict=False):
        turn(page, name)
        tap(page, faces)
    turn(page, "Hong")
    expect(page.locator("p.name")).to_contain_text("One Four")
    expect(page.locator(".verdict .why")).to_have_text("1 die shows 4")
    expect(page.locator(".verdict .marked")).to_have_count(1)
    expect(page.locator(".verdict .words")).to_contain_text("Ming throws One Four")
    button(page, "spill").click()
    button(page, "spill_sure").click()
    turn(page, "Tom")
    button(page, "undo").click()
    turn(page, "Hong")
    tap(page, THROWS[4])
    asked = page.get_by_role("dialog", name=say("confirm_title"))
    expect(asked.locator(".name")).to_have_text("Four Fours")
    asked.get_by_role("button", name=say("confirm_no")).click()
    turn(page, "Hong")
    tap(page, THROWS[4])
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(page.locator("button:focus, h1:focus")).to_have_count(1)
    turn(page, "Hong")
    tap(page, THROWS[4])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    asked.get_by_role("button", name=say("confirm_yes")).click()
    expect(page.locator("h1")).to_have_text("Hong")
    assert page.evaluate("scrollY") == 0, "the champion comes first, wherever one was reading"
    expect(page.locator(".crown")).to_contain_text("Four Fours")
    with page.expect_download() as picture:
        button(page, "picture").click()
    picture.value.save_as(tmp_path / "keepsake.png")
    assert (tmp_path / "keepsake.png").read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as record:
        button(page, "record").click()
    record.value.save_as(tmp_path / "record.jsonl")
    assert '"444412"' in (tmp_path / "record.jsonl").read_text("utf-8")
    button(page, "rematch").click()
    button(page, "rematch_go").click()
    expect(page.locator("h1")).to_have_text(say("lobby_host"))
    expect(page.locator("main li bdi")).to_have_text(["Ming", "Hong", "Tom"])
    one.go("/games")
    expect(page.locator("main li")).to_have_count(2)


KINDS = {"prizes": {"erju": [{"name": "tea", "count": 10}, {"name": "rice", "count": 6}], "yixiu": [{"name": "soap"}]}}


def test_wrong_rules_found_in_a_game_lead_to_a_new_table_where_they_are_changed_first(visit, site):
    rules = {"sheet": "minnan", "house": KINDS}
    code, token = new_table(site, "Ming", "Hong", rules=rules, settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    for faces in ("441235", "412335", "441236"):
        tap(page, faces)
    expect(page.locator(".side .chip")).to_have_text(["Two Fours 2 (tea)", "One Four 1 (soap)"])
    button(page, "rules").click()
    button(page, "over").click()
    button(page, "over_yes").click()
    dialog = page.get_by_role("dialog", name=say("rules_change"))
    dialog.locator("select").first.select_option("referee-order")
    page.get_by_role("button", name=text("en", "setup.rules_take")).click()
    expect(page.locator(".sheet")).to_contain_text("Referee rules")
    expect(page.locator("main li bdi")).to_have_text(["Ming", "Hong"])
    page.go_back()
    expect(page.locator(".end ol .held").first).to_have_text("Two Fours 2 (tea)")


def test_a_table_for_this_computer_alone_shows_no_qr_and_says_what_points_are(visit, site):
    code, token = new_table(site, "Ming", "Hong", rules={"sheet": "minnan"}, settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    expect(page.get_by_text(say("only_here"))).to_be_visible()
    expect(page.locator("main svg[role=img]")).to_have_count(0)
    button(page, "begin").click()
    each = "Champion 32, Straight 16, Three Fours 8, Four of a Kind 4, Two Fours 2, One Four 1"
    expect(page.locator("div.side")).to_contain_text(say("points_text", each=each))


def test_a_die_out_and_a_cocked_die_are_asked_for_again(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    button(page, "cocked").click()
    expect(button(page, "cocked_sure")).to_be_visible()
    page.get_by_role("button", name=text("en", "web.cancel"), exact=True).click()
    button(page, "spill").click()
    expect(button(page, "cocked")).to_have_count(0)
    turn(page, "Ming")
    button(page, "spill_sure").click()
    turn(page, "Hong")


def test_an_earlier_throw_is_corrected_with_a_trail(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "222231")
    turn(page, "Hong")
    tap(page, "446123")
    turn(page, "Ming")
    button(page, "history").click()
    page.get_by_role("dialog").locator("li").last.get_by_role("button", name=say("correct")).click()
    asked = page.get_by_role("dialog", name=say("correct_title"))
    tap(asked, "123456")
    expect(page.locator(".side li", has_text="Ming")).to_contain_text("Straight 1")
    button(page, "history").click()
    rows = page.get_by_role("dialog").locator("li")
    expect(rows).to_have_count(3)
    expect(rows.last).to_contain_text("Straight")
    expect(rows.first).to_contain_text("Ming's throw 222231 (Four of a Kind) is corrected to: Ming throws Straight")
    turn(page, "Ming")


def test_what_is_brought_back_at_the_cost_of_later_throws_asks_first(visit, site):
    code, token = new_table(site, "Ming", "Hong", rules=SHORT, settings={"dice": "real"})
    one = visit()
    page = one.go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, THROWS[0])
    turn(page, "Hong")
    button(page, "undo").click()
    turn(page, "Ming")
    tap(page, THROWS[1])
    turn(page, "Hong")
    button(page, "history").click()
    button(page, "redo").click()
    asked = page.get_by_role("dialog", name=say("bring_back_title", n=1))
    expect(asked.locator("li")).to_have_count(1)
    asked.get_by_role("button", name=text("en", "web.cancel")).click()
    button(page, "history").click()
    expect(page.get_by_role("dialog").locator(".struck")).to_have_count(1)
    button(page, "redo").click()
    asked.get_by_role("button", name=say("redo")).click()
    button(page, "history").click()
    expect(page.get_by_role("dialog").locator(".struck")).to_have_count(2)
    page.keyboard.press("Escape")
    hall = one.context.new_page()
    hall.goto(f"{site}/hall/{code}")
    expect(hall.locator(".turn bdi")).to_have_text("Hong")
    expect(hall.get_by_text(say("host_gone"))).to_have_count(0)
    page.reload()
    turn(page, "Hong")
    expect(page.get_by_text(say("host_here"))).to_have_count(0)


FREE = """(button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Whether nothing lies over a button, in what is seen without scrolling."""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1366, 700), (1920, 1080)])
def test_the_keys_stay_where_they_are_and_cover_no_links(visit, site, size):
    code, token = new_table(site, "Ming", "Hong", "Tom", "Anna", settings={"dice": "real"})
    page = visit(size=size).go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    turn(page, "Ming")
    key = page.get_by_role("button", name=say("pad_face", face=1), exact=True)
    place = key.bounding_box()

    def look():
        page.evaluate("scrollTo(0, 0)")
        assert key.bounding_box() == place
        for name in ("undo", "history", "odds", "seats"):
            assert button(page, name).evaluate(FREE), name

    tap(page, "123355")
    turn(page, "Hong")
    look()
    for faces, name in (("444411", "Tom"), ("555551", "Anna")):
        tap(page, faces)
        button(page, "confirm_yes").click()
        turn(page, name)
        look()
    button(page, "history").click()
    button(page.get_by_role("dialog").locator("li").last, "correct").click()
    tap(page.get_by_role("dialog", name=say("correct_title")), "222231")
    expect(page.locator(".verdict .words")).to_contain_text("is corrected to")
    look()


def test_what_is_half_typed_in_is_not_for_the_next_player(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    half = page.get_by_text(say("pad_chosen", faces="1 2 3"))
    for key, name in (("skip", "Hong"), ("cocked", "Hong"), ("spill", "Ming")):
        tap(page, "123")
        expect(half).to_have_count(1)
        button(page, key).click()
        if key != "skip":
            expect(half).to_have_count(1)
            button(page, f"{key}_sure").click()
        expect(half).to_have_count(0)
        turn(page, name)
    tap(page, "12")
    button(page, "undo").click()
    turn(page, "Hong")
    tap(page, "12335")
    page.get_by_role("button", name=say("pad_face", face=6), exact=True).dblclick(force=True)
    turn(page, "Ming")
    tap(page, "123")
    expect(half).to_have_count(1)


def test_a_tap_too_many_does_nothing(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, "Ming", "Hong", "Tom", settings={"dice": "digital"})
    page = visit(base=base).go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    for name, following in (("Ming", "Hong"), ("Hong", "Tom")):
        page.get_by_role("button", name=say("throw_for", name=name)).dblclick()
        turn(page, following)
    expect(button(page, "throw_for", name="Tom")).to_have_attribute("aria-disabled", "false")
    button(page, "throw_for", name="Tom").focus()
    page.keyboard.down("Enter")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    turn(page, "Ming")
    button(page, "undo").dblclick()
    turn(page, "Tom")
    code, token = new_table(base, "Ming", "Hong", settings={"dice": "real"})
    page.goto(f"{base}/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, THROWS[4])
    button(page, "confirm_yes").dblclick()
    turn(page, "Hong")
    expect(page.get_by_text(say("pad_chosen", faces=""))).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)


def test_who_is_absent_is_passed_over_or_thrown_for(served, visit):
    base = served(*THROWS)
    for dice, absent, label, told in (
        ("real", "skip", "left_skip", "Ming lets the turn go by"),
        ("digital", "throw", "left_throw", "Ming throws Four of a Kind"),
    ):
        code, token = new_table(base, "Ming", "Hong", settings={"dice": dice, "absent": absent, "absent_s": 2})
        page = visit(base=base).go(f"/t/{code}#k={token}")
        button(page, "begin").click()
        expect(page.locator(".turn .left")).to_contain_text(say(label, n=2)[:11])
        turn(page, "Hong")
        expect(page.locator(".verdict .words")).to_contain_text(told)


def test_a_shaken_phone_throws_and_a_neighbour_throws_for_who_has_none(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, "Tom", settings={"dice": "digital"})
    ming = seat_in(visit, base, code, "Ming")
    button(visit(base=base).go(f"/t/{code}#k={token}"), "begin").click()
    button(ming.page, "throw_for", name="Tom").click()
    turn(ming.page, "Ming")
    button(ming.page, "menu").click()
    ming.page.get_by_label(say("shake")).check()
    ming.page.keyboard.press("Escape")
    ming.page.evaluate("""async () => {
        for (const x of [25, 25, 25, 0, 0, 0, 0, 0, 0, 0]) {
            dispatchEvent(Object.assign(new Event("devicemotion"), { acceleration: { x, y: 0, z: 0 } }));
            await new Promise((later) => setTimeout(later, 80));
        }
    }""")
    turn(ming.page, "Tom")


def test_the_keys_leave_room_for_the_table(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    one = visit(size=(844, 390))
    page = one.go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "222231")
    turn(page, "Hong")
    expect(button(page, "undo")).to_be_in_viewport(ratio=1)
    button(page, "history").click()
    button(page, "correct").click()
    for face in range(1, 7):
        key = page.get_by_role("dialog").get_by_role("button", name=say("pad_face", face=face), exact=True)
        expect(key).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert one.overflow() <= 0
    assert page.locator(".foot").bounding_box()["height"] < 0.45 * 844
    expect(page.locator(".turn h1")).to_be_in_viewport(ratio=1)
    assert page.locator(".turn h1").bounding_box()["y"] < page.locator(".foot").bounding_box()["y"]


def test_lights_out_asks_who_got_what(visit, site):
    rules = {"sheet": "minnan", "house": {**SHORT["house"], "liubohei": {"effect": "grab"}}}
    code, token = new_table(site, "Ming", "Hong", rules=rules, settings={"dice": "real", "confirm": "none"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "666666")
    form = page.get_by_role("dialog", name=say("grab_title"))
    expect(form.locator(".thrown bdi")).to_have_text("Ming")
    expect(form.get_by_role("button", name=re.compile("to place"))).to_be_disabled()
    for typed, taken in (("40", "2"), ("1.5", "1"), ("0", "0")):
        form.get_by_label(say("grab_of", name="Hong", tier="One Four")).fill(typed)
        expect(form.get_by_label(say("grab_of", name="Hong", tier="One Four"))).to_have_value(taken)
    for i in range(form.locator("fieldset").count()):
        group = form.locator("fieldset").nth(i)
        cakes = int(group.locator("legend").inner_text().rsplit("/", 1)[1])
        for _ in range(cakes):
            group.get_by_role("button", name=say("more")).nth(i % 2).click()
    form.get_by_role("button", name=say("grab_send")).click()
    expect(page.locator("#end-title")).to_be_visible()


def test_four_phones_and_a_hall_screen_see_the_same_dice(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, rules=SHORT, settings={"dice": "digital"})
    host = visit(base=base)
    host.go(f"/t/{code}#k={token}")
    guests = [seat_in(visit, base, code, name) for name in ("Ming", "Hong", "Tom")]
    moving = visit(base=base, size=(1920, 1080), **MOVING)
    hall = moving.go(f"/hall/{code}")
    expect(hall.locator(".players bdi")).to_have_text(["Ming", "Hong", "Tom"])
    button(host.page, "begin").click()
    everybody = [host.page, hall, *(guest.page for guest in guests)]
    for i, faces in enumerate(THROWS[:-1]):
        name = ("Ming", "Hong", "Tom")[i % 3]
        thrower = guests[i % 3].page
        turn(thrower, name)
        expect(guests[(i + 1) % 3].page.locator(".act")).to_contain_text(say("waiting_for", name=name))
        expect(button(host.page, "throw_for", name=name)).to_have_class(re.compile("plain small"))
        button(thrower, "throw").click()
        if i == 0:
            expect(hall.locator(".bowl[role=img]")).to_have_attribute("aria-label", say("rolling"))
            assert "Four of a Kind" not in hall.locator(".verdict").inner_text()
        spoken = text("en", "web.dice_spoken", faces=" ".join(faces))
        for page in everybody:
            expect(page.locator(".bowl[role=img]")).to_have_attribute("aria-label", spoken)
    button(guests[1].page, "throw").click()
    for page in everybody:
        expect(page.locator("main")).to_contain_text("Four Fours")
        expect(page.locator(".winner, #end-title")).to_have_text("Hong")


def test_a_phone_comes_back_into_its_seat(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, rules=SHORT, settings={"dice": "digital"})
    ming, hong = (seat_in(visit, base, code, name) for name in ("Ming", "Hong"))
    host = visit(base=base)
    page = host.go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    button(ming.page, "throw").click()
    turn(hong.page, "Hong")
    hong.page.close()
    button(page, "throw_for", name="Hong").click()
    turn(ming.page, "Ming")
    button(ming.page, "throw").click()
    turn(page, "Hong")
    back = hong.context.new_page()
    back.goto(f"{base}/t/{code}")
    turn(back, "Hong")
    expect(back.locator(".notices")).to_contain_text(text("en", "server.missed", n=2))
    button(back, "throw").click()
    turn(back, "Ming")


def test_the_same_seat_on_a_second_page_asks_which_to_go_on_with(served, visit):
    base = served()
    code, _ = new_table(base, settings={"dice": "digital"})
    ming = seat_in(visit, base, code, "Ming")
    other = ming.context.new_page()
    other.goto(f"{base}/t/{code}")
    expect(other.locator("h1")).to_have_text(say("lobby_guest"))
    expect(ming.page.locator("main")).to_contain_text(say("link_replaced"))
    button(ming.page, "play_here").click()
    expect(other.locator("main")).to_contain_text(say("link_replaced"))


def test_on_a_page_that_was_replaced_nothing_can_be_done(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    one = visit()
    page = one.go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "222231")
    turn(page, "Hong")
    expect(button(page, "undo")).to_be_enabled()
    other = one.context.new_page()
    other.goto(f"{site}/t/{code}")
    turn(other, "Hong")
    expect(page.locator("main")).to_contain_text(say("link_replaced"))
    expect(button(page, "undo")).to_be_disabled()
    for key in ("skip", "spill"):
        expect(button(page, key)).to_have_count(0)
    expect(page.get_by_role("button", name=say("pad_face", face=1), exact=True)).to_have_count(0)
    for lost in ("turn_before", "turn_typed", "typed_for"):
        expect(page.get_by_text(say(lost))).to_have_count(0)
    page.keyboard.type("123456")
    button(page, "seats").click()
    page.get_by_role("button", name=say("seat_more", name="Ming")).click()
    button(page, "leave").click()
    expect(page.locator("dialog .notices")).to_contain_text(say("link_replaced"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=say("seats"))).to_be_focused()
    tap(other, "123")
    button(page, "play_here").click()
    expect(button(page, "undo")).to_be_enabled()
    turn(page, "Hong")
    expect(page.locator("div.side")).not_to_contain_text(say("away"))


def test_the_host_frees_a_lost_phone_and_its_owner_sits_down_again(served, visit):
    base = served()
    code, token = new_table(base, "Tom", settings={"dice": "digital"})
    ming = seat_in(visit, base, code, "Ming")
    page = visit(base=base).go(f"/t/{code}#k={token}")
    page.get_by_role("button", name=say("seat_more", name="Ming")).click()
    button(page, "free_seat").click()
    expect(ming.page.get_by_role("alert")).to_have_text(say("seat_lost"))
    ming.page.get_by_role("button", name="Ming").click()
    expect(ming.page.locator("h1")).to_have_text(say("lobby_guest"))


def test_throws_typed_in_without_a_connection_are_sent_in_order_and_once(visit, site):
    code, token = new_table(site, "Ming", "Hong", "Tom", settings={"dice": "real"})
    one = visit(allowed=("ERR_INTERNET_DISCONNECTED",))
    page = one.go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    turn(page, "Ming")
    settle(page)
    one.context.set_offline(True)
    expect(page.get_by_role("status").first).to_contain_text(say("link_lost"))
    tap(page, "222231")
    expect(page.locator(".for [aria-pressed=true]")).to_have_text("Hong")
    tap(page, "446123")
    expect(page.get_by_role("status").first).to_contain_text(say("link_lost_waiting", n=2))
    assert not page.evaluate(NOTHING_WAITS), "settle() would have waited for these"
    expect(page.locator(".turn")).to_contain_text(say("turn_typed"))
    turn(page, "Tom")
    tap(page, "123455")
    page.get_by_text(say("kept", n=3)).click()
    expect(page.locator("details li")).to_contain_text(["Ming", "Hong", "Tom"])
    button(page, "undo").click()
    expect(page.locator("details li bdi")).to_have_text(["Ming", "Hong"])
    turn(page, "Tom")
    one.context.set_offline(False)
    turn(page, "Tom")
    settle(page)  # the turn was his before they were sent
    record = httpx.get(f"{site}/api/tables/{code}/record", headers={"authorization": f"Bearer {token}"}).text
    acts = re.findall(r'"act":\{[^}]*"roll":"(\d{6})"', record)
    assert [sorted(act) for act in acts] == [sorted("222231"), sorted("446123")]


def test_the_server_is_killed_and_comes_back(visit, tmp_path):
    started = (tmp_path / "tables.db", "--here", "--port", str(free_port()))
    with process_serving(*started) as served:
        base = served.address
        answered(f"{base}/healthz")
        code, token = new_table(base, "Ming", "Hong", "Tom", rules=SHORT, settings={"dice": "real"})
        page = visit(base=base, allowed=GONE).go(f"/t/{code}#k={token}")
        button(page, "begin").click()
        tap(page, THROWS[0])
        turn(page, "Hong")
        settle(page)
        served.process.kill()
        served.process.wait()
    expect(page.get_by_role("status").first).to_contain_text(say("link_lost"))
    tap(page, THROWS[1])
    with process_serving(*started):
        turn(page, "Tom")
        expect(page.locator(".side li", has_text="Hong").last).to_contain_text("Two Fours 1")
        tap(page, THROWS[2])
        turn(page, "Ming")


def test_a_game_with_nothing_but_the_keyboard(served, visit):
    base = served(*THROWS)
    one = visit(base=base)
    page = one.go("/new")
    page.get_by_label(told("name"), exact=True).focus()
    page.keyboard.type("Ming, Hong, Tom")
    page.keyboard.press("Enter")
    expect(page.locator(".people li")).to_have_count(3)

    def walk_to(name):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement?.textContent?.trim()") == name:
                return
        raise AssertionError(f"no way to {name}")

    walk_to(told("prizes") + told("total", n=63))
    page.keyboard.press("Enter")
    for label, cakes in (
        ("Straight", 0),
        ("Three Fours", 0),
        ("Four of a Kind", 1),
        ("Two Fours", 1),
        ("One Four", 2),
    ):
        page.get_by_label(told("count", tier=label)).focus()
        page.keyboard.type(str(cakes))
    walk_to(told("go"))
    page.keyboard.press("Enter")
    turn(page, "Ming")
    page.wait_for_timeout(500)  # nobody presses within the blink in which the dice are sealed
    for i in range(5):
        turn(page, ("Ming", "Hong", "Tom")[i % 3])
        expect(page.locator(".act button").first).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Space" if i % 2 else "Enter")
        expect(page.locator("[aria-live=polite].sr-only").first).not_to_be_empty()
        if i == 1:
            walk_to(say("history"))
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog").locator("li")).to_have_count(2)
            page.keyboard.press("Escape")
            expect(page.locator("dialog .inside")).to_have_count(0)
            page.evaluate("document.activeElement.blur()")
    expect(page.locator("#end-title")).to_have_text("Hong")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_screen_is_whole_fits_and_can_be_read_by_all(served, visit, lang):
    base = served(*THROWS)
    real, token = new_table(base, "Ming", "Hong", "Tom", rules=SHORT, settings={"dice": "real"}, title="中秋")
    one = visit(lang, base=base, size=(320, 640))

    def look(page, spot):
        expect(page.locator(spot).first).to_be_visible()
        shown = page.locator("main").inner_text()
        assert not re.search(r"⟦|\{|undefined|\[object", shown), shown
        assert one.overflow() <= 0, spot
        if lang == "en":  # what axe looks at is the same in all languages
            assert one.faults("serious", "critical") == [], spot

    look(one.go("/new"), ".setup")
    for fold in one.page.locator("summary").all():
        fold.click()
    look(one.page, ".setup details[open] select")
    look(one.go(f"/t/{real}"), ".join")
    page = one.go(f"/t/{real}#k={token}")
    page.reload()
    look(page, ".lobby")
    button_of = lambda key, **values: page.get_by_role("button", name=say(key, lang, **values), exact=True)  # noqa: E731
    button_of("begin").click()
    for faces in THROWS[:4]:
        for face in faces:
            page.get_by_role("button", name=say("pad_face", lang, face=face), exact=True).click()
        expect(page.locator(".table")).to_be_visible()
    look(page, ".table .pad")
    for key in ("history", "odds", "seats"):
        button_of(key).click()
        if key == "odds":
            expect(page.get_by_role("heading", name=say("chances_title", lang))).to_be_visible()
        look(page, "dialog[open]")
        page.keyboard.press("Escape")
    for spot in ("header .menu", "header .code"):
        page.locator(spot).click()
        look(page, "dialog[open]")
        page.keyboard.press("Escape")
    look(one.go(f"/hall/{real}"), ".board")
    one.go(f"/t/{real}")
    for face in THROWS[4]:
        page.get_by_role("button", name=say("pad_face", lang, face=face), exact=True).click()
    page.get_by_role("button", name=say("confirm_yes", lang)).click()
    look(page, ".end")
    look(one.go("/games"), "main h1")
    look(one.go(f"/hall/{real}"), ".board .winner")


def test_the_language_changes_on_the_spot(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, "Ming", "Hong", settings={"dice": "digital"})
    page = visit("zh-Hans", base=base, size=(1280, 800)).go(f"/t/{code}#k={token}")
    page.get_by_role("button", name=say("begin", "zh-Hans"), exact=True).click()
    page.get_by_role("button", name=say("throw_for", "zh-Hans", name="Ming"), exact=True).click()
    for name, said in (("简体中文", "四进"), ("繁體中文", "四進"), ("EN, English", "Four of a Kind")):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("p.name")).to_contain_text(said)
        expect(page.locator("p.name")).to_contain_text("sù-chìn")
        expect(page.locator(".words")).to_contain_text(said)


def test_people_come_late_leave_return_swap_and_bring_a_phone(visit, site):
    code, token = new_table(site, "Ming", "Hong", "Tom", settings={"dice": "real"})
    # Under a name that other devices could open: the page draws no sign for 127.0.0.1.
    named = {"base": site.replace("127.0.0.1", "hall.example"), "allowed": ("Cross-Origin-Opener-Policy",)}
    page = visit(**named).go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    button(page, "seats").click()
    asked = page.get_by_role("dialog", name=say("seats"))
    asked.get_by_label(say("add_name")).fill("Ling")
    asked.get_by_role("button", name=say("add_late")).click()
    expect(asked.locator("li")).to_have_count(4)
    asked.get_by_role("button", name=say("seat_more", name="Hong")).click()
    asked.get_by_label(say("name"), exact=True).fill("Hong Hong")
    asked.get_by_role("button", name=say("rename")).click()
    asked.get_by_role("button", name=say("seat_more", name="Hong Hong")).click()
    asked.get_by_role("button", name=say("leave"), exact=True).click()
    expect(asked.locator("li", has_text="Hong Hong")).to_contain_text(say("away"))
    asked.get_by_role("button", name=say("back"), exact=True).click()
    expect(asked.locator("li", has_text="Hong Hong")).not_to_contain_text(say("away"))
    asked.get_by_label(say("swap_with")).select_option(label="Tom")
    expect(asked.locator("li .name bdi")).to_have_text(["Ming", "Tom", "Hong Hong", "Ling"])
    with page.expect_response("**/links") as made:
        asked.get_by_role("button", name=say("seat_more", name="Tom")).click()
        asked.get_by_role("button", name=say("seat_link")).click()
    expect(asked.get_by_role("img", name="Scan to open")).to_be_visible()
    tom = visit().go(f"/t/{code}#k={made.value.json()['token']}")
    page.keyboard.press("Escape")
    tap(page, "123455")
    expect(tom.locator(".turn .label")).to_have_text(say("your_turn"))
    tap(tom, "123455")
    turn(page, "Hong Hong")
    button(tom, "seats").click()
    tom.get_by_role("button", name=say("seat_more", name="Tom")).click()
    button(tom, "leave").click()
    tom.keyboard.press("Escape")
    expect(tom.locator(".act")).to_contain_text(say("you_left"))
    button(tom, "you_back").click()
    expect(button(tom, "spill")).to_be_enabled()
    expect(page.locator(".verdict .words")).to_have_text("Tom is back")
    button(page, "undo").click()
    asked = page.get_by_role("dialog", name=say("take_back_title", n=3))
    expect(asked.locator("li")).to_have_count(3)
    asked.get_by_role("button", name=say("take_back_yes", n=3)).click()
    turn(page, "Tom")


def test_who_looks_on_sees_all_and_may_sit_down(visit, site):
    code, token = new_table(site, "Ming", "Hong", settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "222231")
    guest = visit().go(f"/t/{code}")
    button(guest, "join_watch").click()
    expect(guest.locator("p.name")).to_contain_text("Four of a Kind")
    expect(guest.locator(".act")).to_contain_text(say("watching"))
    expect(guest.locator(".key")).to_have_count(0)
    button(guest, "join_sit").click()
    guest.get_by_label(say("join_name")).fill("Ling")
    guest.get_by_role("button", name=say("join_sit")).click()
    expect(page.locator(".side li bdi")).to_have_text(["Ming", "Hong", "Ling"])


def test_dice_that_throw_themselves_need_no_hand(visit, site):
    code, token = new_table(site, "Ming", "Hong", rules=SHORT, settings={"dice": "digital", "speed": 3})
    page = visit(size=(1280, 800)).go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    button(page, "menu").click()
    page.get_by_label(say("auto")).check()
    page.keyboard.press("Escape")
    expect(page.locator("p.name")).to_be_visible()
    expect(page.locator(".side li.gone").first).to_be_visible()


def test_when_time_is_up_three_dice_decide(visit, site):
    house = {"ending": {"minutes": 45, "undecided": "three-dice"}}
    rules = {"sheet": "minnan", "house": house}
    code, token = new_table(site, "Ming", "Hong", rules=rules, settings={"dice": "real"})
    page = visit().go(f"/t/{code}#k={token}")
    button(page, "begin").click()
    tap(page, "222231")
    expect(page.locator(".turn")).to_contain_text(say("minutes_left", n=45))
    button(page, "menu").click()
    button(page, "time_up").click()
    expect(page.locator(".turn .label")).to_have_text(say("rolloff", n=3))
    turn(page, "Ming")
    tap(page, "126")
    turn(page, "Hong")
    button(page, "history").click()
    button(page.get_by_role("dialog").locator("li").first, "correct").click()
    tap(page.get_by_role("dialog", name=say("correct_title")), "111")
    expect(page.locator(".verdict .words")).to_have_text("Ming's throw-off 126 is corrected to: Ming throws 3 pips")
    tap(page, "645")
    expect(page.locator("#end-title")).to_have_text("Hong")


def test_the_same_phones_go_on_to_the_next_game(served, visit):
    base = served(*THROWS)
    code, token = new_table(base, "Tom", rules=SHORT, settings={"dice": "digital", "speed": 3, "auto": True})
    ming = seat_in(visit, base, code, "Ming")
    looking = visit(base=base)
    button(looking.go(f"/t/{code}"), "join_watch").click()
    host, hall = visit(base=base), visit(base=base, size=(1280, 800))
    hall.go(f"/hall/{code}")
    button(host.go(f"/t/{code}#k={token}"), "begin").click()
    expect(host.page.locator("#end-title")).to_be_visible()
    button(host.page, "rematch").click()
    expect(hall.page).not_to_have_url(f"{base}/hall/{code}")
    expect(hall.page.locator(".players bdi")).to_have_text(["Tom", "Ming"])
    for one, key, title in (
        (host, "rematch_go", "lobby_host"),
        (ming, "rematch_next", "lobby_guest"),
        (looking, "rematch_next", "watching"),
    ):
        button(one.page, key).click()
        expect(one.page.locator("h1")).to_have_text(say(title))
        expect(one.page).to_have_url(hall.page.url.replace("/hall/", "/t/"))
    following = hall.page.url.rsplit("/", 1)[1]
    seats = httpx.get(f"{base}/api/tables/{following}").json()["seats"]
    assert seats == [{"name": "Tom", "free": True}, {"name": "Ming", "free": False}]


def test_two_dice_say_who_begins(served, visit):
    base = served("12", *THROWS)
    for dice in ("real", "digital"):
        code, token = new_table(base, "Ming", "Hong", "Tom", settings={"dice": dice})
        page = visit(base=base).go(f"/t/{code}#k={token}")
        button(page, "begin").click()
        turn(page, "Ming")
        button(page, "start_dice").click()
        if dice == "real":
            tap(page, "12")
        turn(page, "Tom")
        expect(page.locator(".verdict .words")).to_have_text("Ming throws two dice; Tom begins")
        expect(button(page, "start_dice")).to_have_count(0)
