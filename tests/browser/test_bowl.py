"""The bowl in a real Chromium: the scene shows what was told, on every screen, and the flat bowl stands in for it.

The solid bowl is asked for by its setting, for this Chromium has no graphics card. Most tests count the calls that draw
and let them do nothing: drawing without a card takes seconds, and what is tested is read from the scene's own matrices.
"""

import json
import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from bobing.i18n import text
from server.live import new_table, serving

SOLID_BOWL = True
SOLID = {"bowl": "solid", "sound": False}
MOVING = {"reduced_motion": "no-preference"}
COUNTED = """
window.drawn = 0;
for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced", "drawRangeElements"])
  WebGL2RenderingContext.prototype[name] = () => { window.drawn++; };
"""
UNREAD = """
const ask = window.fetch;
window.fetch = (url, ...more) =>
  String(url).includes("/api/score") ? Promise.reject(new TypeError("not asked")) : ask(url, ...more);
"""
WATCHED = """
window.rolled = false;
window.early = 0;
new MutationObserver(() => {
  if (document.querySelector(".bowl[role=img]")?.ariaLabel !== %s) return;
  window.rolled = true;
  if (document.querySelector(".verdict .name")) window.early++;
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
SLOW_CARD = """
const asked = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (what) {
  return what === 0x9246 ? "a card" : asked.call(this, what); // UNMASKED_RENDERER_WEBGL
};
window.requestAnimationFrame = (what) => setTimeout(() => what(performance.now()), 150);
window.cancelAnimationFrame = clearTimeout;
"""
UNTIL_SPILLED = """async () => {
  for (let i = 0; i < 400; i++) {
    if (document.querySelector(".bowl.spill")) return true;
    document.querySelector("button.main[aria-keyshortcuts]").click();
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}"""
SEEN_WIN = """new MutationObserver(() => { window.won ||= document.querySelector(".win") !== null; })
  .observe(document, { subtree: true, childList: true })"""
MANY_THROWS = """async (count) => {
  const bowl = document.querySelector(".bowl[role=img]");
  const button = document.querySelector(".side button.main");
  const wrong = [], hands = new Set();
  for (let i = 0; i < count; i++) {
    const before = bowl.ariaLabel;
    button.click();
    for (let waited = 0; !bowl.dataset.shown || bowl.ariaLabel === before; waited++) {
      if (waited > 4000) return { wrong: [`no throw ${i}: ${bowl.ariaLabel}`], hands: 0 };
      await new Promise((done) => setTimeout(done));
    }
    const told = [...bowl.ariaLabel.matchAll(/[1-6]/g)].map(([face]) => face).sort().join("");
    if (told !== bowl.dataset.shown) wrong.push(`${told} was shown as ${bowl.dataset.shown}`);
    hands.add(told);
  }
  return { wrong, hands: hands.size };
}"""


def say(key, lang="en", **values):
    return text(lang, f"table.{key}", **values)


def opened(visit, path, prefs=SOLID, scripts=(COUNTED,), **more):
    one = visit(**more)
    kept = json.dumps(json.dumps(prefs))
    one.context.add_init_script(f"localStorage.getItem('bobing.prefs') ?? localStorage.setItem('bobing.prefs', {kept})")
    for script in scripts:
        one.context.add_init_script(script)
    one.page.goto(one.base + path)
    return one


def bowl(page):
    return page.locator(".bowl[role=img]")


def solid(page):
    page.wait_for_selector(".bowl.solid", timeout=90_000)


def test_a_thousand_throws_show_what_was_told(visit):
    page = opened(visit, "/bowl", scripts=(COUNTED, UNREAD)).page
    solid(page)
    found = page.evaluate(MANY_THROWS, 1000)
    assert found["wrong"] == []
    assert found["hands"] > 200  # of 462; no throw was counted twice


def test_a_throw_for_fun_is_shown_read_and_told(visit):
    one = opened(visit, "/bowl")
    page = one.page
    solid(page)
    button = page.get_by_role("button", name=say("free_throw"), exact=True)
    button.focus()
    page.keyboard.press("Space")
    page.wait_for_selector(".bowl[data-shown]")
    expect(page.locator(".verdict .name")).to_be_visible()
    expect(button).to_be_focused()
    page.get_by_role("combobox").select_option("xiamen-tradition")
    expect(page.locator(".verdict .name")).to_be_visible()
    assert one.faults("critical", "serious") == []
    assert one.overflow() == 0


def test_all_screens_rest_before_they_tell_and_show_the_same(visit):
    with serving("444411", "123456") as base, ExitStack() as stack:
        code, token = new_table(base, "Ming", "Hong")
        scripts = (COUNTED, WATCHED % json.dumps(say("rolling")))
        host = opened(visit, f"/t/{code}#k={token}", base=base, scripts=scripts, **MOVING)
        host.page.get_by_role("button", name=say("begin"), exact=True).click()
        hall = opened(visit, f"/hall/{code}", base=base, size=(1920, 1080), scripts=scripts, **MOVING)
        flat = opened(visit, f"/hall/{code}", base=base, prefs={"bowl": "flat"}, scripts=scripts, **MOVING)
        for one in (host, hall, flat):
            stack.callback(one.context.close)  # before the server goes
        for one in (host, hall):
            solid(one.page)
        expect(bowl(flat.page)).to_be_visible()
        host.page.keyboard.press("Space")
        for one in (host, hall, flat):
            expect(one.page.locator(".verdict .name")).to_be_visible()
            expect(bowl(one.page)).to_have_attribute("aria-label", text("en", "web.dice_spoken", faces="4 4 4 4 1 1"))
            assert one.page.evaluate("[window.rolled, window.early]") == [True, 0]
        for one in (host, hall):
            expect(bowl(one.page)).to_have_attribute("data-shown", "114444")


def test_a_throw_for_the_title_lights_up_and_can_be_skipped(visit):
    with serving("444411", "123456") as base, ExitStack() as stack:
        code, token = new_table(base, "Ming", "Hong")
        one = opened(visit, f"/t/{code}#k={token}", base=base, prefs={"bowl": "flat"}, **MOVING)
        stack.callback(one.context.close)
        one.page.get_by_role("button", name=say("begin"), exact=True).click()
        expect(one.page.get_by_role("img", name=say("bowl_empty"))).to_be_visible()  # the game has begun
        one.page.evaluate(SEEN_WIN)
        one.page.keyboard.press("Space")
        one.page.wait_for_function("() => window.won")
        one.page.keyboard.press("Escape")
        expect(one.page.locator(".win")).to_have_count(0)


def test_a_spill_is_told_and_a_die_lies_outside(visit):
    often = {"spill": 6553, "speed": 3}  # one of ten
    with serving() as base, ExitStack() as stack:
        code, token = new_table(base, "Ming", "Hong", settings=often)
        host = opened(visit, f"/t/{code}#k={token}", base=base)
        hall = opened(visit, f"/hall/{code}", base=base, prefs={"bowl": "flat"})
        for one in (host, hall):
            stack.callback(one.context.close)
        host.page.get_by_role("button", name=say("begin"), exact=True).click()
        solid(host.page)
        assert host.page.evaluate(UNTIL_SPILLED)
        for page in (host.page, hall.page):
            expect(bowl(page)).to_have_attribute("aria-label", re.compile(re.escape(say("spilled"))))
        told = [face for face in bowl(host.page).get_attribute("aria-label") if face in "123456"]
        expect(bowl(host.page)).to_have_attribute("data-shown", "".join(sorted(told)))


def test_nothing_is_drawn_while_nothing_moves(visit):
    page = opened(visit, "/bowl", **MOVING).page
    solid(page)
    page.locator(".side button.main").click()
    page.wait_for_selector(".bowl[data-shown]")
    page.wait_for_timeout(300)
    before = page.evaluate("window.drawn")
    assert before > 10
    page.wait_for_timeout(700)
    assert page.evaluate("window.drawn") == before


@pytest.mark.parametrize(
    "script",
    [
        "HTMLCanvasElement.prototype.getContext = () => null;",
        "window.WebGL2RenderingContext.prototype.createProgram = () => { throw new Error('no'); };",
    ],
    ids=["no WebGL", "WebGL that fails"],
)
def test_without_a_graphics_card_the_bowl_is_flat(visit, script):
    page = opened(visit, "/bowl", scripts=(script,), **MOVING).page
    page.locator(".side button.main").click()
    expect(page.locator(".verdict .name")).to_be_visible()
    expect(bowl(page).locator("svg").first).to_be_visible()
    assert bowl(page).get_attribute("data-shown") is None


def test_in_auto_an_imitated_card_is_not_used(visit):
    page = opened(visit, "/bowl", prefs={"sound": False}, **MOVING).page
    page.locator(".side button.main").click()
    expect(page.locator(".verdict .name")).to_be_visible()
    assert page.evaluate("window.drawn") == 0
    assert not page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.includes('stage'))")


def test_a_device_that_is_too_slow_goes_to_the_plainer_picture_and_then_to_the_flat_one(visit):
    page = opened(visit, "/bowl", prefs={"sound": False}, scripts=(COUNTED, SLOW_CARD), **MOVING).page
    solid(page)
    button = page.locator(".side button.main")
    for then in (".bowl.solid", ".bowl:not(.solid):not(:has(canvas))"):
        canvas = page.locator("canvas").element_handle()
        button.click()
        page.wait_for_function("canvas => !canvas.isConnected", arg=canvas)
        page.wait_for_selector(then, timeout=90_000)
        expect(page.locator(".verdict .name")).to_be_visible()


def test_the_menu_chooses_between_solid_and_flat(visit):
    with serving() as base, ExitStack() as stack:
        code, token = new_table(base, "Ming", "Hong")
        one = opened(visit, f"/t/{code}#k={token}", base=base, prefs={"bowl": "flat", "sound": False})
        stack.callback(one.context.close)
        one.page.get_by_role("button", name=say("begin"), exact=True).click()
        expect(bowl(one.page)).to_be_visible()
        one.page.get_by_role("button", name=say("menu"), exact=True).click()
        choice = one.page.get_by_role("dialog").get_by_label(say("look"))
        for wish, canvases in (("solid", 1), ("flat", 0)):
            choice.select_option(wish)
            expect(bowl(one.page).locator("canvas")).to_have_count(canvases)


def test_a_hall_screen_is_silent_quiet_or_loud(visit):
    with serving() as base, ExitStack() as stack:
        code, _ = new_table(base, "Ming", "Hong")
        one = opened(visit, f"/hall/{code}", base=base, prefs={"sound": False})
        stack.callback(one.context.close)
        for now in ("off", "quiet", "full", "off"):
            one.page.get_by_role("button", name=say(f"hall_sound_{now}"), exact=True).click()


def test_a_lost_context_leaves_the_flat_bowl_and_the_throw(visit):
    page = opened(visit, "/bowl", **MOVING).page
    solid(page)
    page.locator(".side button.main").click()
    page.wait_for_selector(".bowl[data-shown]")
    told = bowl(page).get_attribute("aria-label")
    page.evaluate(
        "document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
    )
    page.wait_for_selector(".bowl:not(.solid)")
    expect(bowl(page)).to_have_attribute("aria-label", told)
    page.locator(".side button.main").click()
    expect(page.locator(".verdict .name")).to_be_visible()


def test_a_picture_that_would_be_wrong_is_numbers_and_an_error(visit):
    one = opened(visit, "/bowl")
    page = one.page
    page.route("**/*.bin", lambda route: route.fulfill(body=b"no tracks at all"))
    solid(page)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.locator(".side button.main").click()
    expect(bowl(page).locator(".numbers")).to_have_text(
        " ".join(face for face in bowl(page).get_attribute("aria-label") if face in "123456")
    )
    expect(page.locator(".verdict .name")).to_be_visible()
    assert errors
    one.wrong.clear()


def test_sound_is_made_beside_the_page(visit):
    one = opened(visit, "/bowl", prefs={"bowl": "flat"}, **MOVING)
    page = one.page
    with page.expect_worker() as started:
        page.locator(".side button.main").click()
    assert "/assets/worker" in started.value.url
    expect(page.locator(".verdict .name")).to_be_visible()


def test_held_dice_are_shaken_and_let_go(visit):
    page = opened(visit, "/bowl", **MOVING).page
    solid(page)
    box = bowl(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    still = page.evaluate("window.drawn")
    page.mouse.down()
    page.wait_for_function("before => window.drawn > before + 30", arg=still)
    assert bowl(page).get_attribute("data-shown") is None
    page.mouse.up()
    expect(page.locator(".verdict .name")).to_be_visible()
    page.wait_for_selector(".bowl[data-shown]")


@pytest.mark.parametrize("by", ["pointer", "space"])
def test_held_down_the_button_shakes_with_sound_and_throws_when_it_is_let_go(visit, by):
    page = opened(visit, "/bowl", prefs={"bowl": "flat", "sound": True}, **MOVING).page
    button = page.locator(".side button.main")
    button.focus()
    button.hover()
    with page.expect_worker() as started:
        page.mouse.down() if by == "pointer" else page.keyboard.down("Space")
    assert "/assets/worker" in started.value.url
    expect(page.locator(".flat .moving")).to_be_visible()
    expect(page.locator(".verdict .name")).to_have_count(0)
    page.mouse.up() if by == "pointer" else page.keyboard.up("Space")
    expect(page.locator(".verdict .name")).to_be_visible()
    expect(page.locator(".flat .moving")).to_have_count(0)
    expect(button).to_be_focused()


def test_with_less_motion_a_throw_for_the_title_is_there_at_once_and_nothing_lights_up(visit):
    with serving("444411", "123456") as base, ExitStack() as stack:
        code, token = new_table(base, "Ming", "Hong")
        one = opened(visit, f"/t/{code}#k={token}", base=base, prefs={"bowl": "flat"}, reduced_motion="reduce")
        stack.callback(one.context.close)
        one.page.get_by_role("button", name=say("begin"), exact=True).click()
        expect(one.page.get_by_role("img", name=say("bowl_empty"))).to_be_visible()  # the game has begun
        one.page.evaluate(SEEN_WIN)
        one.page.evaluate("window.rolled = false")
        one.page.evaluate(
            "new MutationObserver(() => { window.rolled ||= document.querySelector('.bowl.rolling') !== null; })"
            ".observe(document, { subtree: true, attributes: true })"
        )
        one.page.keyboard.press("Space")
        expect(bowl(one.page)).to_have_attribute("aria-label", re.compile("1 1 4 4 4 4|4 4 4 4 1 1"))
        expect(one.page.locator(".verdict .name")).to_be_visible()
        one.page.wait_for_timeout(600)
        assert one.page.evaluate("[window.won ?? false, window.rolled]") == [False, False]
        assert one.page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
