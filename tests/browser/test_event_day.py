"""The day of an event: guests register on their phones, two prize desks race, winners have left, the hall looks on."""

import csv
import io
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from bobing.i18n import text
from browser.staging import Staged, Wire, wait_for_large
from server.live import new_table, serving

PHONE = (390, 844)
HALL = (1920, 1080)
WHOLE = """() => [...document.querySelectorAll('.screen, .screen .stage, .screen li')]
  .every((one) => one.scrollHeight <= one.clientHeight + 3 && one.getBoundingClientRect().bottom <= innerHeight)"""


@pytest.fixture(scope="module")
def base():
    with serving(messages_per_minute=100_000) as address:
        yield address


ANSWERED = """() => Object.keys(localStorage).filter((key) => key.startsWith('bobing.queue.'))
  .every((key) => localStorage[key] === '[]')"""


def said(key, **values):
    return text("zh-Hans", key, **values)


def played(base):
    """An event with three tables; at table 1 seat 0 has won a dui tang, the champion is seat 1, and it is closed."""
    event = Staged(base)
    event.session(tables=3)
    event.guests(24)
    event.draw(3)
    event.desk.act(do="plan", title="中秋博饼之夜", absent="again")
    table = event.open(1)
    event.throw(table, "123456", "444412")
    event.desk.do("close_tables", tables=[1])
    return event


def test_a_guest_registers_on_a_phone_waits_moves_up_and_leaves(base, visit):
    event = Staged(base)
    event.session(tables=1, limit=1)
    phones = [visit("zh-Hans", base=base, size=PHONE) for _ in range(2)]
    pages = [phone.page for phone in phones]
    for page, name in zip(pages, ("小明", "阿美"), strict=True):
        page.goto(f"{base}/events/{event.code}/join")
        page.get_by_label(said("guest.name")).fill(name)
        page.get_by_label(said("guest.phone")).fill("138 0000 1234")
        page.locator("form button[type=submit]").click()
        expect(page.locator("h1")).to_have_text(name)
    first, second = pages
    expect(first.get_by_text(said("guest.listed"))).to_be_visible()
    expect(second.get_by_text(said("guest.waiting"), exact=True)).to_be_visible()
    assert [phone.overflow() for phone in phones] == [0, 0]
    assert phones[0].small() == []
    assert phones[0].faults("serious", "critical") == []
    assert "13800001234" not in first.content()
    first.get_by_role("button", name=said("guest.erase")).click()
    first.get_by_role("dialog").get_by_role("button", name=said("guest.erase")).click()
    expect(first.get_by_text(said("guest.erased_left"))).to_be_visible()
    expect(first.locator("h1")).to_have_text(said("common.guest_n", n=1))
    second.reload()
    expect(second.get_by_text(said("guest.listed"))).to_be_visible()
    event.desk.act(do="here", guests=[2])
    second.reload()
    expect(second.get_by_text(said("guest.here"))).to_be_visible()


def test_one_of_a_household_registers_and_the_answer_is_clear(base, visit):
    event = Staged(base)
    event.session(tables=1, household=True)
    page = visit("zh-Hans", base=base, size=PHONE, allowed=("409",)).page
    for name in ("小明", "阿美"):
        page.goto(f"{base}/events/{event.code}/join")
        page.get_by_label(said("guest.name")).fill(name)
        page.get_by_label(said("guest.household")).fill("3-501")
        page.locator("form button[type=submit]").click()
        if name == "小明":
            expect(page.locator("h1")).to_have_text(name)
    expect(page.get_by_role("alert")).to_have_text(said("details.household_here", session=1))
    event.desk.do("registration", open=False)
    page.reload()
    expect(page.get_by_text(said("guest.closed_title"))).to_be_visible()


class Slow:
    """A page that does not hear yet what others do, as on a slow network; what it asks itself is answered."""

    def __init__(self, page):
        self.held, self.sockets = [], []
        page.route_web_socket(re.compile("/ws/event"), self._relay)

    def _relay(self, socket):
        server = socket.connect_to_server()
        self.sockets.append(socket)
        server.on_message(lambda said: (self.held.append if '"t":"event_news"' in said else socket.send)(said))

    def catch_up(self):
        for said in self.held:
            self.sockets[-1].send(said)


def test_two_prize_desks_at_once_one_hands_over_and_the_other_is_told_loudly(base, visit):
    event = played(base)
    one, two = (visit("zh-Hans", base=base, size=PHONE).page for _ in range(2))
    slow = Slow(two)
    for page, name in ((one, "甲"), (two, "乙")):
        page.goto(event.link("prizes", "/prizes"))
        page.get_by_label(said("day.prize_desk")).fill(name)
        page.get_by_label(said("day.prize_find")).fill("1")
        expect(page.get_by_role("button", name=said("day.hand"), exact=True).first).to_be_visible()
    for page in (one, two):
        page.get_by_role("button", name=said("day.hand"), exact=True).first.click()
        expect(page.locator(".badge.handed, [role=alert]").first).to_be_visible()
    expect(two.get_by_role("alert")).to_contain_text(said("details.handed_at", n=1, desk="甲"))
    slow.catch_up()
    expect(two.get_by_role("alert")).to_contain_text(said("day.prize_lost", n=1, desk="甲"))
    expect(one.get_by_role("alert")).to_have_count(0)
    for page in (one, two):
        expect(page.get_by_text(said("day.at_desk", desk="甲"), exact=True)).to_be_visible()
    expect(one.get_by_text(said("day.prize_elsewhere"))).to_have_count(0)
    one.get_by_role("button", name=said("day.prize_undo")).click()
    expect(one.get_by_text(said("day.at_desk", desk="甲"), exact=True)).to_have_count(0)
    one.get_by_label(said("day.prize_find")).fill("")
    other = visit("zh-Hans", base=base, size=PHONE).page
    other.goto(event.link("prizes", "/prizes"))
    rows, others = (page.locator(".guests ul li") for page in (one, other))
    expect(others.first).to_contain_text(said("event.voucher_open"))
    rows.first.get_by_role("button", name=said("day.hand"), exact=True).click()
    expect(rows.first).to_contain_text(said("day.prize_undo"))
    expect(others.first).to_contain_text(said("day.prize_elsewhere"))


def test_situation_11_the_winner_has_left_the_prize_goes_to_another_and_both_stand_in_the_sheet(base, visit):
    event = played(base)
    here = visit("zh-Hans", base=base, size=PHONE)
    page = here.page
    page.goto(event.link("prizes", "/prizes"))
    vouchers = event.at(event.token).welcome["vouchers"]
    top = next(number for number, voucher in vouchers.items() if voucher["tier"] == "zhuangyuan")
    winner = vouchers[top]["guest"]
    other = next(number for number in range(1, 25) if number != winner)
    guests = event.at(event.token).welcome["guests"]
    names = {int(number): guest["name"] for number, guest in guests.items()}
    more = page.get_by_role("button", name=f"{said('day.prize_more')}: {said('day.prize_do', n=top)}", exact=True)
    more.click()
    page.get_by_role("dialog").get_by_role("button", name=said("day.absent")).click()
    expect(page.locator(".badge.absent")).to_be_visible()
    more.click()
    page.get_by_role("dialog").get_by_role("button", name=said("day.again")).click()
    page.get_by_role("dialog").get_by_role("searchbox").fill(str(other))
    page.get_by_role("dialog").locator("li button").first.click()
    page.get_by_role("dialog").get_by_role("button", name=said("day.again")).click()
    expect(page.get_by_text(said("day.instead", n=top, name=names[winner]))).to_be_visible()
    assert here.faults("serious", "critical") == []
    with page.expect_download() as taken:
        page.get_by_role("button", name=f"{said('day.export_prizes')} CSV").click()
    rows = list(csv.reader(io.StringIO(Path(taken.value.path()).read_text("utf-8-sig"), newline="")))
    states = {row[0]: (int(row[3]), row[6]) for row in rows[1:]}
    assert states[top] == (winner, said("event.voucher_again"))
    assert (other, said("event.voucher_open")) in states.values()
    assert rows[-1][-1] == top
    event.desk.act(do="plan", title="中秋博饼之夜", absent="lot")
    second = int(rows[-1][0])
    event.desk.act(do="absent", vouchers=[second])
    asked = said("day.prize_do", n=second)
    page.get_by_role("button", name=f"{said('day.prize_more')}: {asked}", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=said("day.again_by_lot")).click()
    expect(page.get_by_text(said("day.instead", n=second, name=names[other]))).to_be_visible()
    known = event.at(event.token).welcome
    drawn = known["vouchers"][str(known["vouchers"][str(second)]["after"])]["guest"]
    assert drawn not in (winner, other)
    told = said("day.drawn_by_lot", name=known["guests"][str(drawn)]["name"], n=drawn)
    expect(page.get_by_text(told)).to_be_visible()


def test_a_prize_that_is_out_when_the_result_changes_is_called_back(base, visit):
    event = played(base)
    event.desk.act(do="hand", vouchers=[1], desk="甲")
    event.desk.act(do="reopen", table=1, sure=True)
    page = visit("zh-Hans", base=base, size=PHONE).page
    page.goto(event.link("prizes", "/prizes"))
    expect(page.get_by_text(said("day.recalled_note"))).to_be_visible()
    page.get_by_role("button", name=said("day.came_back")).click()
    expect(page.get_by_text(said("day.recalled_note"))).to_have_count(0)
    page.get_by_label(said("day.prize_find")).fill("1")
    expect(page.locator(".badge.returned")).to_be_visible()


def test_the_desk_signs_off_when_all_is_played_and_says_so_on_every_page(base, visit):
    event = played(base)
    event.open(2)
    page = visit("zh-Hans", base=base, size=PHONE).page
    page.goto(event.link("desk", "/prizes"))
    expect(page.get_by_text(said("day.sign_off_playing", n=1, tables=2))).to_be_visible()
    sign = page.get_by_role("button", name=said("day.sign_off_do"), exact=True)
    expect(sign).to_be_disabled()
    event.desk.do("close_tables", tables=[2])
    sign.click()
    asked = page.get_by_role("dialog")
    expect(asked.get_by_text(said("day.sign_off_data", n=30))).to_be_visible()
    asked.get_by_role("button", name=said("day.sign_off_do")).click()
    expect(page.get_by_text(said("day.signed_off"))).to_have_count(2)
    device = visit("zh-Hans", base=base, size=PHONE).page
    device.goto(event.link("table", table=1))
    expect(device.get_by_text(said("day.table_closed"))).to_be_visible()
    expect(device.get_by_text(said("day.signed_off"))).to_have_count(0)
    page.get_by_role("link", name=said("desk.tab_log")).last.click()
    page.get_by_role("button", name=said("desk.take_back")).first.click()
    expect(page.get_by_text(said("day.signed_off"))).to_have_count(0)


def test_at_the_door_a_guest_is_found_and_checked_in_on_a_phone(base, visit):
    event = Staged(base)
    event.session(tables=1)
    event.guests(9)
    event.desk.act(do="here", guests=[5], there=False)
    event.draw(1)
    here = visit("zh-Hans", base=base, size=PHONE)
    page = here.page
    page.goto(event.link("door", "/door"))
    page.get_by_role("searchbox").fill("0004")
    page.get_by_role("button", name=said("day.door_here"), exact=True).click()
    expect(page.locator("li .ok")).to_be_visible()
    page.get_by_role("button", name=said("day.door_add")).click()
    page.get_by_role("dialog").get_by_label(said("day.door_name"), exact=True).fill("迟到的人")
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.get_by_role("heading", name="迟到的人")).to_be_visible()
    assert here.overflow() <= 0
    assert here.faults("serious", "critical") == []


@pytest.mark.parametrize("lang", ["zh-Hans", "en"])
def test_the_hall_screen_is_read_from_the_back_calls_champions_and_obeys_the_desk(base, visit, lang):
    event = Staged(base)
    event.session(tables=12)
    event.guests(120)
    event.draw(12)
    here = visit(lang, base=base, size=HALL)
    page = here.page
    page.goto(event.link("hall", "/screen"))
    names = page.locator("ol li")
    expect(names).to_have_count(40)
    wait_for_large(page, "ol li", 0.04)
    page.wait_for_function(WHOLE)
    table = event.open(2)
    expect(page.locator("li b")).to_have_count(12)
    event.throw(table, "555554")
    expect(page.locator(".call .where")).to_have_text(text(lang, "day.hall_call", n=2))
    wait_for_large(page, ".call .name", 0.15)
    expect(page.locator("li .name")).to_be_visible()
    wait_for_large(page, "li .name, .screen :is(b, span, p, time)", 0.04)
    page.wait_for_function(WHOLE)
    assert here.faults("serious", "critical") == [], "contrast included"
    event.desk.do("show_in_hall", page="notice", notice="开饭了")
    expect(page.locator(".notice")).to_have_text("开饭了")
    event.desk.do("show_in_hall", page="prizes", notice="")
    expect(page.locator("li .name").first).to_be_visible()
    page.wait_for_function(WHOLE)
    places = [{"count": 1, "item": "电动车"}]
    event.desk.act(do="stage", stage=1, name="", format="sum", source="named", places=places)
    event.desk.act(do="finalists", stage=1, guests=[1, 2, 3, 4], seed="s", vouchers=1)
    event.desk.do("show_in_hall", page="final", stage=1, notice="")
    rows, leads, again = page.locator("ol li"), text(lang, "day.hall_leads"), text(lang, "day.hall_again")
    final_throws(event, "654", "222")
    expect(rows.filter(has_text=leads)).to_contain_text("15")
    expect(rows.first).to_contain_text(text(lang, "day.hall_due"))
    expect(rows.filter(has_text=text(lang, "day.hall_next"))).to_have_count(1)
    final_throws(event, "654", "111")
    expect(rows.first).to_contain_text(again)
    expect(rows.filter(has_text=text(lang, "day.hall_tied"))).to_have_count(1)
    final_throws(event, "121")
    expect(rows.filter(has_text=leads)).to_contain_text(text(lang, "day.hall_tied_at", what=15))
    page.wait_for_function(WHOLE)
    final_throws(event, "333")
    expect(page.locator(".call .where")).to_have_text(
        text(lang, "day.hall_final_won", stage=text(lang, "event.the_final"))
    )
    expect(page.locator(".call .with").last).to_have_text("电动车")
    wait_for_large(page, ".call .name", 0.15)
    event.hand_over("B")
    expect(page.locator(".notice")).to_have_text(text(lang, "day.hall_away", to="B"))


def final_throws(event, *throws):
    """Throws of the first stage, each by the guest whose turn it is."""
    for faces in throws:
        due = event.at(event.token).welcome["view"]["stages"]["1"]["groups"][0]["due"]
        event.desk.act(do="final", stage=1, guest=due, faces=faces)


def test_the_device_of_a_table_waits_plays_and_says_what_was_won_when_the_desk_closes_it(base, visit):
    event = played(base)
    waits = visit("zh-Hans", base=base, size=PHONE)
    page = waits.page
    page.goto(event.link("table", table=2))
    expect(page.get_by_role("heading", name=said("day.hall_table", n=2))).to_be_visible()
    expect(page.get_by_text("羽绒被")).to_be_visible()
    event.desk.do("open_tables", tables=[2])
    page.get_by_role("button", name=said("table.menu")).click()
    expect(page.get_by_role("dialog")).to_contain_text(said("table.event_decides"))
    expect(page.get_by_role("button", name=said("table.close"), exact=True)).to_have_count(0)
    expect(page.get_by_label(said("table.joining_open"))).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=said("table.pad_face", face=1), exact=True)).to_be_enabled()
    type_in(page, "123")
    expect(page.get_by_text(said("table.pad_chosen", faces="1 2 3"))).to_be_attached()
    visit("zh-Hans", base=base, size=PHONE).page.goto(event.link("table", table=2))
    expect(page.get_by_text(said("table.keys_elsewhere"))).to_be_visible()
    page.get_by_role("button", name=said("table.keys_back")).click()
    expect(page.get_by_text(said("table.pad_chosen", faces="1 2 3"))).to_be_attached()
    type_in(page, "456")
    expect(page.get_by_role("button", name=said("table.undo"))).to_be_visible()
    event.desk.do("close_tables", tables=[2])
    expect(page.get_by_role("heading", name=said("table.event_closed", n=2))).to_be_visible()
    expect(page.get_by_text(said("table.event_voucher", n=3))).to_contain_text("羽绒被")
    assert waits.overflow() <= 0
    assert waits.faults("serious", "critical") == []


class Cut:
    """The network of a page at its table, which can be cut; what is open then ends."""

    def __init__(self, page):
        self.off, self.open = False, []
        page.route_web_socket(re.compile(r"/ws$"), self._relay)

    def _relay(self, socket):
        if self.off:
            socket.close()
            return
        socket.connect_to_server()
        self.open.append(socket)

    def cut(self):
        self.off = True
        while self.open:
            self.open.pop().close()


def test_what_a_table_types_in_while_it_is_cut_off_is_lost_by_no_closing_and_no_other_device(base, visit):
    event = played(base)
    page = visit("zh-Hans", base=base, size=PHONE).page
    network = Cut(page)
    page.goto(event.link("table", table=2))
    event.desk.do("open_tables", tables=[2])
    expect(page.get_by_role("button", name=said("table.pad_face", face=1), exact=True)).to_be_enabled()
    network.cut()
    expect(page.get_by_text(said("table.link_lost"))).to_be_visible()
    for roll in ("123456", "222231"):
        type_in(page, roll)
    expect(page.get_by_text(said("table.link_lost_waiting", n=2))).to_be_visible()
    event.desk.do("close_tables", tables=[2])
    network.off = False
    kept = page.get_by_role("dialog", name=said("table.stranded", n=2))
    expect(kept).to_contain_text(said("table.stranded_closed"))
    expect(kept.get_by_role("button", name=said("table.stranded_send"))).to_have_count(0)
    page.reload()
    expect(kept.locator("li")).to_have_count(2)
    event.desk.act(do="reopen", table=2)
    kept.get_by_role("button", name=said("table.stranded_send")).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    while len(throws_at(event, 2)) < 2:  # the second follows the first
        page.wait_for_timeout(100)
    assert [line["act"]["roll"] for line in throws_at(event, 2)] == ["123456", "222231"]
    page.wait_for_function(ANSWERED)
    network.cut()
    expect(page.get_by_text(said("table.link_lost"))).to_be_visible()
    type_in(page, "111456")
    other = visit("zh-Hans", base=base, size=PHONE).page
    other.goto(event.link("table", table=2))
    expect(other.get_by_role("button", name=said("table.undo"))).to_be_visible()
    network.off = False
    taken = page.get_by_role("dialog", name=said("table.stranded", n=1))
    expect(taken).to_contain_text(said("table.stranded_taken"))
    taken.get_by_role("button", name=said("table.stranded_drop")).click()
    expect(taken).to_have_count(0)


def throws_at(event, number):
    """The throws that a table has."""
    headers = {"authorization": f"Bearer {event.token}"}
    url = f"{event.base}/api/events/{event.code}/tables/{number}"
    seated = httpx.post(url, json={"typing": False}, headers=headers).json()
    lines = Wire(event.base, "/ws", {"t": "hello", "code": seated["code"], "token": seated["token"]}).welcome["lines"]
    return [line for line in lines if line.get("roll")]


def test_the_desk_gives_each_post_a_device_of_its_own(base, visit):
    event = played(base)
    here = visit("zh-Hans", base=base, size=PHONE)
    page = here.page
    page.goto(f"{base}/events/{event.code}/hall#k={event.token}")
    page.get_by_role("button", name=said("day.device_prizes"), exact=True).click()
    address = page.get_by_role("dialog").locator(".address").inner_text()
    post = visit("zh-Hans", base=base, size=PHONE).page
    post.goto(address)
    expect(post.get_by_label(said("day.prize_find"))).to_be_visible()
    expect(post.get_by_role("navigation")).to_have_count(0)
    page.keyboard.press("Escape")
    assert here.overflow() <= 0
    assert here.faults("serious", "critical") == []
    page.get_by_label(said("day.hall_text")).fill("开饭了")
    page.get_by_role("button", name=said("day.hall_show")).click()
    expect(page.get_by_role("button", name=said("day.hall_clear"))).to_be_visible()
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name=said("day.erase_one")).click()
    expect(dialog.get_by_role("button", name=said("day.erase_yes"), exact=True)).to_be_disabled()
    dialog.get_by_role("button", name=said("web.cancel")).click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name=said("day.erase_all")).click()
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile(r"\d"))
    nameless = post.get_by_role("heading", name=re.compile(r"^\d+ 号来宾$"))
    expect(nameless).to_have_count(0)
    dialog.get_by_role("button", name=said("day.erase_yes"), exact=True).click()
    expect(nameless.first).to_be_visible()


def test_situation_6_the_second_prize_of_four_alike_as_long_as_there_are_any(base, visit):
    """222244 takes 四进 and, while one is left, 二举: the first throw both, the next 四进 alone."""
    house = {"bonus": {"sijin_erju": True}, "cakes": {"erju": 1}}
    code, token = new_table(
        base, "小明", "小红", rules={"sheet": "S12", "house": house}, settings={"dice": "real", "confirm": "none"}
    )
    page = visit("zh-Hans", base=base, size=PHONE).page
    page.goto(f"{base}/t/{code}#k={token}")
    page.get_by_role("button", name=said("table.begin")).click()
    type_in(page, "222244")
    verdict = page.locator(".verdict .words").first
    expect(verdict).to_contain_text("二举")
    expect(page.locator(".turn")).to_contain_text("小红")
    type_in(page, "222244")
    expect(page.locator(".turn")).to_contain_text("小明")
    expect(verdict).to_contain_text("四进")
    seats = watching(base, code).welcome["view"]["seats"]
    assert [seat["held"] for seat in seats] == [{"sijin": 1, "erju": 1}, {"sijin": 1}]


def test_a_champions_throw_waits_in_sight_for_a_second_person(base, visit):
    settings = {"dice": "real", "confirm": "two"}
    code, token = new_table(base, "小明", "小红", settings=settings)
    host = visit("zh-Hans", base=base, size=PHONE)
    page = host.page
    page.goto(f"{base}/t/{code}#k={token}")
    page.get_by_role("button", name=said("table.begin")).click()
    type_in(page, "444411")
    expect(page.get_by_text(said("table.claim_again"))).to_be_visible()
    assert host.faults("serious", "critical") == []
    assert host.overflow() <= 0
    type_in(page, "444412")
    expect(page.get_by_text(said("refusals.table_other_dice"))).to_be_visible()
    type_in(page, "441144")
    expect(page.get_by_text(said("table.claim_title"))).to_have_count(0)
    assert watching(base, code).welcome["view"]["title"]["seat"] == 0
    bearer = {"authorization": f"Bearer {token}"}
    link = httpx.post(f"{base}/api/tables/{code}/links", json={"role": "seat", "seat": 1}, headers=bearer).json()[
        "token"
    ]
    other = visit("zh-Hans", base=base, size=PHONE).page
    other.goto(f"{base}/t/{code}#k={link}")
    expect(other.locator(".turn")).to_contain_text("小红")
    type_in(other, "444413")
    expect(other.get_by_text(said("table.claim_wait"))).to_be_visible()
    expect(page.get_by_text(said("table.claim_look"))).to_be_visible()
    page.get_by_role("button", name=said("table.confirm_yes")).click()
    expect(other.get_by_text(said("table.claim_title"))).to_have_count(0)


def type_in(page, roll):
    """Six dice on the keys of the page, when it takes taps again."""
    for face in roll:
        page.locator(".key").nth(int(face) - 1).click()


def watching(base, code):
    """A connection that looks on."""
    token = httpx.post(f"{base}/api/tables/{code}/join", json={"watch": True}).json()["token"]
    return Wire(base, "/ws", {"t": "hello", "code": code, "token": token})
