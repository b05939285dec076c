"""The first page, the pages to learn and the rule sheets, as people meet them."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from bobing.i18n import LANGUAGES, texts
from server.live import new_table, serving

PAGES = (
    *("/", "/games", "/bowl", "/nowhere", "/fair", "/verify", "/learn", "/rules", "/rules/S11", "/rules/000/S3"),
    *("/odds/S14/8", "/plan?people=40&tables=3&minutes=45&prices=zhuangyuan:299&currency=CNY"),
    *(f"/learn/{topic}" for topic in ("origin", "cakes", "play", "prizes", "champion", "house")),
)
SWITCH = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "EN, English"}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_in_three_languages_on_a_narrow_screen(visit, path):
    one = visit("en", size=(320, 640))
    page = one.go(path)
    seen = set()
    for lang in LANGUAGES:
        page.get_by_role("button", name=SWITCH[lang], exact=True).click()
        page.wait_for_function("lang => document.documentElement.lang === lang", arg=lang)
        expect(page.locator("main .waiting")).to_have_count(0)
        title, text = page.title(), page.locator("main").inner_text()
        assert title.strip()
        assert not re.search(r"⟦|\{|undefined|\[object", text)
        assert re.search(r"[一-鿿]", title) is None or lang != "en"
        assert one.overflow() <= 0, lang
        assert one.faults("serious", "critical") == [], lang
        seen.add(text)
    assert len(seen) == len(LANGUAGES)


@pytest.mark.parametrize("path", ["/", "/learn/prizes", "/rules/minnan/S12", "/odds"])
def test_large_type_is_larger_fits_and_is_remembered(visit, path):
    one = visit("en", size=(320, 640))
    page = one.go(path)
    size = "parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)"
    before = page.evaluate(size)
    page.get_by_role("button", name="large type").click()
    assert page.evaluate(size) > 1.2 * before
    one.go(path)
    assert page.evaluate(size) > 1.2 * before
    assert one.overflow() <= 0


@pytest.mark.parametrize(("locale", "lang"), [("zh-TW", "zh-Hant"), ("zh-CN", "zh-Hans"), ("fil-PH", "en")])
def test_the_first_language_is_the_browsers_and_a_chosen_one_stays(visit, locale, lang):
    one = visit(None, locale=locale)
    page = one.go("/")
    assert page.locator("html").get_attribute("lang") == lang
    other = next(name for name in LANGUAGES if name != lang)
    page.get_by_role("button", name=SWITCH[other], exact=True).click()
    page.wait_for_function("lang => document.documentElement.lang === lang", arg=other)
    one.go("/learn")
    assert page.locator("html").get_attribute("lang") == other


def test_the_first_page_asks_for_little(visit, site):
    one = visit("zh-Hans")
    scripts = []
    one.page.on("response", lambda answer: scripts.append(answer.url) if answer.url.endswith(".js") else None)
    one.go("/")
    packed = [int(httpx.head(url, headers={"accept-encoding": "gzip"}).headers["content-length"]) for url in scripts]
    assert len(packed) > 3
    assert sum(packed) < 60_000


@pytest.mark.parametrize(
    "attack",
    [
        "document.body.innerHTML = '<b>x</b>'",
        "document.body.setAttribute('onclick', 'window.ran = 1')",
        "document.body.append(Object.assign(document.createElement('script'), { src: '/x.js' }))",
        "navigator.serviceWorker.register('/other.js')",
        "trustedTypes.createPolicy('another', {})",
    ],
)
def test_what_the_policy_forbids_is_refused_by_the_browser(visit, attack):
    told = ("Content Security Policy", "requires 'Trusted", "violates the following")
    one = visit("en", service_workers="allow", allowed=told)
    refused = one.go("/").evaluate(
        "(code) => Promise.resolve().then(() => (0, eval)(code)).then(() => 'done', (error) => error.name)", attack
    )
    assert refused == "TypeError"


def test_a_code_is_read_kindly_and_a_short_one_explained(visit):
    page = visit("en", allowed=("404",)).go("/")
    page.get_by_label("Table code").fill("abc")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("this has 3")
    page.get_by_label("Table code").fill("abcd-2345")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/ABCD2345")


def test_the_next_page_begins_at_its_title_and_the_way_back_is_kept(visit):
    page = visit("en").go("/learn")
    page.get_by_role("link", name="Origin and customs").click()
    expect(page.locator("h1")).to_have_text("Origin and customs")
    expect(page.locator("h1")).to_be_focused()
    page.get_by_role("link", name="Next: The 63 cakes").click()
    expect(page.locator("h1")).to_have_text("The 63 cakes")
    page.go_back()
    expect(page.locator("h1")).to_have_text("Origin and customs")
    page.reload()
    page.wait_for_selector("main h1")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()


@pytest.mark.parametrize(
    ("sheet", "roll"), [("minnan", "111112"), ("fours-only", "444123"), ("referee-order", "333334")]
)
def test_six_taps_say_what_a_throw_is_by_a_sheet(visit, site, sheet, roll):
    page = visit("en").go(f"/rules/{sheet}")
    for face in roll:
        page.get_by_role("button", name=f"Add a {face}", exact=True).click()
    told = httpx.get(f"{site}/api/score", params={"roll": roll, "rules": sheet}).json()["lines"]["en"]
    status = page.locator("main [role=status]")
    expect(status).to_contain_text(told[1].split("  ")[0])
    expect(status).to_contain_text(told[3].strip().split("  ")[-1].strip())


def test_the_prizes_follow_the_chosen_sheet(visit):
    page = visit("en").go("/learn/prizes")
    expect(page.locator("main li")).to_have_count(6)
    page.get_by_label("By which sheet").select_option("fours-only")
    expect(page.locator("main li")).to_have_count(4)
    page.get_by_role("link", name="Next:").click()
    expect(page.get_by_label("By which sheet")).to_have_value("fours-only")


def test_two_sheets_show_the_points_on_which_they_differ(visit, site):
    page = visit("zh-Hant").go("/rules/minnan/xiamen-tradition")
    left, right = (httpx.get(f"{site}/api/sheets/{key}").json()["points"] for key in ("minnan", "xiamen-tradition"))
    differing = [a["title"]["zh-Hant"] for a, b in zip(left, right, strict=True) if a["value"] != b["value"]]
    assert 5 < len(differing) < 40
    assert page.locator("h4").all_inner_texts() == differing
    page.get_by_label(texts("learn")["show_same"]["zh-Hant"]).check()
    expect(page.locator("h4")).to_have_count(52)


def test_a_sheet_marks_what_is_otherwise_in_the_default_and_can_be_played(visit):
    page = visit("en").go("/rules/fours-only")
    tiers = page.locator("main ul > li")
    expect(tiers.filter(has_text="differs")).to_have_count(4)
    expect(page.locator("main ol > li").filter(has_text="differs").first).to_be_visible()
    page.get_by_role("link", name=texts("learn")["play_this"]["en"]).click()
    expect(page.get_by_role("combobox", name=texts("setup")["sheet"]["en"], exact=True)).to_have_value("fours-only")
    page = visit("en").go("/rules/minnan")
    expect(page.get_by_text("differs", exact=True)).to_have_count(0)


def test_house_rules_are_read_by_any_sheet(visit):
    page = visit("en").go("/learn/house")
    expect(page.get_by_text("differs", exact=True)).to_have_count(0)
    page.get_by_label("By which sheet").select_option("wiki-table")
    expect(page.get_by_text("differs", exact=True).first).to_be_visible()


def test_the_odds_are_drawn_told_as_a_table_and_kept_in_the_address(visit, site):
    page = visit("en").go("/odds/S12/8")
    expect(page.get_by_role("row", name="Golden Flowers")).to_contain_text("0.0322%")
    expect(page.get_by_label("Rules", exact=True)).to_have_value("referee-order")
    expect(page.get_by_role("img", name="after 213 throws half of all games are over")).to_be_visible()
    page.get_by_text("The figures").click()
    expect(page.locator("figure tbody tr")).not_to_have_count(0)
    page.get_by_label("Players", exact=True).select_option("4")
    expect(page).to_have_url(f"{site}/odds/S12/4")
    expect(page.locator(".seats tbody tr")).to_have_count(4)
    page.get_by_label("Rules", exact=True).select_option("company-chart")
    expect(page).to_have_url(f"{site}/odds/company-chart/4")
    expect(page.locator("dl")).to_contain_text("229 throws")
    page.reload()
    expect(page.locator("dl")).to_contain_text("229 throws")


def test_a_sheet_that_is_none_says_so(visit):
    page = visit("en", allowed=("404",)).go("/rules/minna")
    expect(page.locator("h1")).to_have_text("There is no such sheet")


@pytest.mark.parametrize("path", ["/t/ABCD2345", "/hall/ABCD2345", "/t/nonsense"])
def test_a_wrong_code_can_be_put_right_on_the_spot(visit, site, path):
    code, _ = new_table(site, "Ming", "Hong")
    page = visit("en", allowed=("404",)).go(path)
    field = page.get_by_label(texts("web")["home_join_label"]["en"])
    field.fill(code.lower())
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(texts("table")["join_title"]["en"])


def test_a_link_that_was_made_up_is_told_as_such(visit, site):
    code, _ = new_table(site, "Ming", "Hong")
    page = visit("en").go(f"/t/{code}#k={'x' * 32}")
    expect(page.get_by_role("alert")).to_have_text(texts("table")["bad_link"]["en"])
    page.get_by_role("button", name="Hong").click()
    expect(page.locator("h1")).to_have_text(texts("table")["lobby_guest"]["en"])


def test_my_tables_say_who_played_and_who_is_champion(visit):
    with serving("444412", "222231") as base:
        code, token = new_table(base, "阿明", "Hong", "Tom")
        page = visit("en", base=base, allowed=("ERR_", "WebSocket")).go(f"/t/{code}#k={token}")
        page.get_by_role("button", name=texts("table")["begin"]["en"], exact=True).click()
        page.get_by_role("button", name="Throw for 阿明").click()
        expect(page.get_by_text("To throw")).to_be_visible()
        expect(page.get_by_role("button", name="Throw for Hong")).to_be_enabled()
        page.goto(f"{base}/games")
        row = page.locator("main li")
        expect(row).to_contain_text("Champion 阿明")
        expect(row).to_contain_text("阿明, Hong, Tom")
