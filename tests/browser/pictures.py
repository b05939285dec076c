"""Takes the pictures of docs/bowl.md: `python tests/browser/pictures.py [NAMES]`, in Chromium without a graphics card.

Each is the real page before a real server that draws the dice we name, at a moment that we choose, for the page's clock
is ours. They are written to docs/pictures/ as WebP.
"""

import base64
import json
import sys
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import FLAGS, _program
from server.live import new_table, serving

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {"phone": (390, 844), "across": (844, 390), "wide": (1920, 1080)}
WIDEST = 1200
QUALITY = 0.78
PREFS = {"bowl": "solid", "sound": False}
PATIENCE = 400_000
ROLL_MS = 1500
LANDED = """(win) => win.getAnimations({ subtree: true }).forEach((one) => {
  one.pause();
  one.currentTime = 1300;
})"""
"""The hat of a big win comes down by the browser's own clock, not by ours: it is held where it has landed."""

SCENES = {
    "rest-phone": ("phone", "zh-Hans", "table", "463442", ROLL_MS + 200),
    "rest-across": ("across", "en", "table", "463442", ROLL_MS + 200),
    "rest-wide": ("wide", "en", "table", "463442", ROLL_MS + 200),
    "flight-wide": ("wide", "zh-Hans", "bowl", "", 520),
    "champion-phone": ("phone", "zh-Hans", "table", "444411", ROLL_MS + 1300),
    "spill-wide": ("wide", "zh-Hans", "spill", "", ROLL_MS + 200),
}
"""Size, language, page, the dice that fall, and when it is taken, in milliseconds after the throw."""


@contextmanager
def opened(browser, size, lang):
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    kept = {"bobing.lang": json.dumps(lang), "bobing.prefs": json.dumps(PREFS)}
    context.add_init_script(f"Object.entries({json.dumps(kept)}).forEach(([k, v]) => localStorage.setItem(k, v))")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def take(browser, size, lang, where, dice, after):
    """One picture, as PNG."""
    with serving(*[dice] * 2 if dice else ()) as base, opened(browser, size, lang) as page:
        if where == "bowl":
            page.goto(f"{base}/bowl")
        else:
            settings = {"spill": 6553, "speed": 3} if where == "spill" else {}
            code, token = new_table(base, "小明", "小红", "阿美", "Tom", settings=settings)
            page.goto(f"{base}/t/{code}#k={token}")
            page.locator("main button.main").last.click()
        button = page.locator("button.main[aria-keyshortcuts]")
        button.wait_for()
        if where == "spill":
            return until_spilled(page, button)
        page.wait_for_selector(".bowl.solid")
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        button.click()
        page.wait_for_selector(".bowl.rolling.solid")
        page.mouse.move(0, 0)
        page.clock.fast_forward(after)
        page.mouse.move(1, 1)  # once more: what has come under it would look as if it were meant
        page.wait_for_timeout(400)
        if dice.startswith("4444"):
            page.locator(".win").evaluate(LANDED)
        return page.screenshot(timeout=PATIENCE)


def until_spilled(page, button):
    """Throws until a die leaves the bowl, with the flat bowl, which is quicker; then looks at it solid."""
    flat = json.dumps(json.dumps({**PREFS, "bowl": "flat"}))
    page.evaluate(f"localStorage.setItem('bobing.prefs', {flat})")
    while not page.locator(".bowl.spill").count():
        button.click()
        page.wait_for_timeout(500)
    page.reload()
    page.wait_for_selector(".bowl[data-shown]")
    return page.screenshot(timeout=PATIENCE)


def webp(browser, png):
    """The same picture, no wider than WIDEST, as WebP."""
    page = browser.new_page()
    text = page.evaluate(
        """async ([png, widest, quality]) => {
          const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
          const scale = Math.min(1, widest / image.width);
          const [width, height] = [image.width, image.height].map((side) => Math.round(side * scale));
          const canvas = Object.assign(document.createElement("canvas"), { width, height });
          const paint = canvas.getContext("2d");
          paint.imageSmoothingQuality = "high";
          paint.drawImage(image, 0, 0, width, height);
          return canvas.toDataURL("image/webp", quality).split(",")[1];
        }""",
        [base64.b64encode(png).decode(), WIDEST, QUALITY],
    )
    page.close()
    return base64.b64decode(text)


def main(*names):
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_program(), args=list(FLAGS))
        for name, scene in SCENES.items():
            if not names or name in names:
                picture = webp(browser, take(browser, *scene))
                (PICTURES / f"{name}.webp").write_bytes(picture)
                print(f"{name}: {len(picture)} bytes", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
