"""The planner page: charts follow the inputs at once, and a link holds them."""

import re

from playwright.sync_api import expect


def test_the_answer_follows_the_sliders_and_the_link_holds_them(visit):
    one = visit("en", size=(390, 844))
    page = one.go("/plan?people=100&minutes=45")
    answer = page.locator("main section").first
    expect(answer).to_contain_text("about 43 minutes")
    expect(page.get_by_role("img", name="The chance that a table is through")).to_be_visible()
    page.get_by_label("When a table stops").select_option("throws")
    expect(answer).to_contain_text("Chance of no champion: 48.4%")
    page.get_by_role("slider", name="Throws each").fill("12")
    expect(answer).to_contain_text("Chance of no champion: 23.4%")
    expect(page).to_have_url(re.compile("people=100&minutes=45&ending=throws&throws_each=12"))
    again = visit("en", size=(390, 844)).go(page.url[page.url.index("/plan") :])
    expect(again.locator("main section").first).to_contain_text("23.4%")
    page.route("**/api/plan?*", lambda _: None)  # no answer comes
    page.get_by_role("slider", name="Minutes there are").fill("90")
    expect(page.get_by_text("Working it out…")).to_be_visible()
    expect(page.locator("main [aria-busy=true]")).to_be_visible()
    expect(answer).to_contain_text("within 45 minutes")  # what is said is of one wish
    expect(page.locator("main")).not_to_contain_text("90 minutes")
    page.unroute("**/api/plan?*")
    page.get_by_role("slider", name="Minutes there are").fill("95")
    expect(answer).to_contain_text("within 95 minutes")
    expect(page.get_by_text("Working it out…")).to_have_count(0)
    one.go("/plan?people=40&rules=S9")
    expect(page.get_by_label("Rules", exact=True)).to_have_value("fallback-chart")


def test_what_will_not_do_is_told_and_what_was_there_stays(visit):
    page = visit("zh-Hans", allowed=("status of 422",)).go("/plan?people=40&minutes=60")
    expect(page.locator("main section").first).to_contain_text("一桌大约 43 分钟")
    expect(page.locator("main section").first).to_contain_text("4 桌全都结束")
    page.get_by_label("几桌").first.fill("39")
    expect(page.get_by_role("alert")).to_contain_text("人太少")
    expect(page.get_by_role("img")).to_be_visible()
    page.get_by_label("几桌").first.fill("4")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_an_address_gets_wrong_is_told_with_what_holds_in_its_place(visit):
    one = visit("en", size=(390, 844), allowed=("status of 4",))
    page = one.go("/plan?people=NaN&rules=nosuch&minutes=1e9&peopel=7#house=eyJ")
    told = page.locator("main [role=status] li")
    expect(told).to_have_text(
        [
            "People: “NaN” will not do; reckoned with 40.",
            "Minutes there are: “1e9” will not do; reckoned with 60.",
            "“peopel=7” means nothing here and is left out.",
            "There is no sheet “nosuch”; reckoned by Minnan bilingual.",
            re.compile("The house rules in this link are broken, .* by Minnan bilingual alone"),
        ]
    )
    expect(page.locator("main section").first).to_contain_text("about 43 minutes")
    page.get_by_label("People", exact=True).first.fill("1")
    expect(page.get_by_role("alert")).to_have_text("Give a whole number from 2 to 100,000.")
    page.get_by_label("People", exact=True).first.fill("30")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(told).to_have_count(0)
    page.get_by_role("link", name="Plan", exact=True).click()
    expect(page.get_by_label("People", exact=True).first).to_have_value("40")
    one.go("/odds/nosuch/0")
    expect(page.locator("main [role=status] li")).to_have_text(
        [
            "There is no sheet “nosuch”; reckoned by Minnan bilingual.",
            "Players: “0” will not do; reckoned with 10.",
        ]
    )
    expect(page.get_by_label("Rules", exact=True)).to_have_value("minnan")
    one.go("/odds/S12/10")
    expect(page.locator("main")).to_contain_text(
        re.compile("Being simulated: Title, .*since the last champion throw|≈ Simulated, 100,000 games: Title ± 0.0")
    )


def test_house_rules_are_planned_with_and_the_link_holds_them(visit):
    page = visit("en", size=(390, 844)).go("/plan?people=40&minutes=60")
    answer = page.locator("main section").first
    expect(answer).to_contain_text("about 43 minutes")
    page.locator("summary", has_text="House rules").click()
    rules = b'extends = "minnan"\ntotal = 71\n[cakes]\nsijin = 16'
    page.locator("input[type=file]").set_input_files({"name": "a.toml", "mimeType": "text/plain", "buffer": rules})
    expect(answer).not_to_contain_text("about 43 minutes")
    expect(page).to_have_url(re.compile("#house="))
    expect(answer).to_contain_text("Minnan bilingual, with house rules")
    told = answer.inner_text()
    again = visit("en", size=(390, 844)).go(page.url[page.url.index("/plan") :])
    expect(again.locator("main section").first).to_have_text(told, use_inner_text=True)


def test_house_rules_have_odds_and_those_without_an_exact_length_say_so(visit):
    page = visit("zh-Hans").go("/odds/minnan/6")
    expect(page.get_by_role("heading", name="一局要掷多久")).to_be_visible()
    page.locator("summary", has_text="自家规矩").click()
    rules = b'extends = "fallback-chart"\n[chase]\ntiers = ["sanhong"]'
    page.locator("input[type=file]").set_input_files({"name": "a.toml", "mimeType": "text/plain", "buffer": rules})
    expect(page.get_by_text(re.compile("(正在|≈ )模拟.*一级博完了就拿下一级")).first).to_be_visible()
    expect(page).to_have_url(re.compile("/odds/fallback-chart/6#house="))


def test_pasted_rules_are_reckoned_with_and_text_that_is_refused_stays(visit):
    page = visit("en", size=(390, 844), allowed=("status of 422",)).go("/odds/minnan/6")
    expect(page.get_by_role("heading", name="How long a game takes")).to_be_visible(timeout=30_000)
    page.locator("summary", has_text="House rules").first.click()
    page.get_by_role("button", name="Paste rules as text").click()
    box, take = page.get_by_label("The text of a rule file"), page.get_by_role("button", name="Use these rules")
    expect(take).to_be_disabled()
    box.fill("extends = yes")
    take.click()
    expect(page.get_by_role("alert")).to_contain_text("no TOML")
    expect(box).to_have_value("extends = yes")
    box.fill('extends = "xiamen-modern"\ntotal = 71\n[cakes]\nsijin = 16')
    take.click()
    expect(page).to_have_url(re.compile("/odds/xiamen-modern/6#house="))
    expect(page.get_by_role("alert")).to_have_count(0)
