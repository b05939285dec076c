"""A real Chromium before a real server. Every page that a test opens is watched: no error, no request to elsewhere."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from server.live import serving

PLAIN = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP hall.example 127.0.0.1",  # an address that other devices could open
)
FLAGS = (*PLAIN, "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
FLAT = (*PLAIN, "--disable-gpu", "--disable-3d-apis")
"""Without WebGL the bowl is flat, and pages cost half as much. A module that needs the solid one says `SOLID_BOWL`."""
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SMALL = """() => [...document.querySelectorAll("button, select, summary, a, input:not([type=checkbox], [type=radio])")]
  .filter((one) => getComputedStyle(one).display !== "inline" && !one.matches(".sr-only, .sr-only *"))
  .filter((one) => [one.getBoundingClientRect()].some(({ width, height }) => width && Math.min(width, height) < 43.5))
  .map((one) => one.outerHTML.slice(0, 120))"""
"""What is tapped and is smaller than 44 pixels, links within a text aside."""
CUT = """() => [...document.querySelectorAll("select")].filter((one) => one.getClientRects().length).filter((one) => {
  const style = getComputedStyle(one), paint = document.createElement("canvas").getContext("2d");
  paint.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const told = one.nextElementSibling?.matches(".said") && one.nextElementSibling.scrollWidth <= one.offsetWidth;
  const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return !told && paint.measureText(one.selectedOptions[0]?.text.trim() ?? "").width > room;
}).map((one) => one.selectedOptions[0].text.trim())"""
"""Choices that are wider than their field, and not told whole over it."""
WAIT = 60_000
expect.set_options(timeout=WAIT)


def _program():
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next(filter(None, [os.environ.get("CHROMIUM"), *map(shutil.which, names)]), None)


@pytest.fixture(scope="module")
def chromium(request):
    """The browser. Not for the whole session: while Playwright runs, no other test of the process can use asyncio."""
    program = _program()
    if program is None:
        pytest.skip("no Chromium: install it, or set CHROMIUM=/path/to/it")
    with sync_playwright() as play:
        flags = FLAGS if getattr(request.module, "SOLID_BOWL", False) else FLAT
        browser = play.chromium.launch(executable_path=program, args=list(flags))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site():
    """The address of a server."""
    with serving() as base:
        yield base


class Visit:
    """One page of one person: `page` is Playwright's, `wrong` what went wrong in it."""

    def __init__(self, context, base, allowed):
        self.context, self.base, self.wrong = context, base, []
        self.page = context.new_page()
        self.page.set_default_timeout(WAIT)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", lambda message: self._heard(message, allowed))
        self.page.on("request", self._asked)

    def _heard(self, message, allowed):
        if message.type == "error" and not any(part in message.text for part in allowed):
            self.wrong.append(f"console: {message.text}")

    def _asked(self, request):
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.wrong.append(f"asked elsewhere: {request.url}")

    def go(self, path):
        self.page.goto(self.base + path)
        self.page.wait_for_selector("main h1")
        return self.page

    def faults(self, *impacts):
        """What axe-core finds of these impacts."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate(
            "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)"
        )
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found if one["impact"] in impacts]

    def small(self):
        """What a finger would miss."""
        return self.page.evaluate(SMALL)

    def cut(self):
        """Choices of which the end cannot be read."""
        return self.page.evaluate(CUT)

    def overflow(self):
        """By how many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.fixture
def visit(chromium, site):
    """Opens pages: `visit(lang="en", size=(390, 844))`; at the end nothing may have gone wrong in them."""
    visits = []
    with ExitStack() as stack:

        def opened(lang="en", size=(390, 844), base=site, allowed=(), **more):
            options = {"service_workers": "block", "reduced_motion": "reduce", **more}
            context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **options)
            stack.callback(_close, context)
            if lang:
                context.add_init_script(
                    f"localStorage.getItem('bobing.lang') ?? localStorage.setItem('bobing.lang', '\"{lang}\"')"
                )
            # A blocked service worker is the test's doing.
            visits.append(Visit(context, base, ("Service Worker registration blocked", *allowed)))
            return visits[-1]

        yield opened
    assert [fault for one in visits for fault in one.wrong] == []


def _close(context):
    try:
        context.close()
    except Error as gone:
        print(f"the browser was gone already: {gone}")
