"""How the page comes up for a guest with a slow phone: largest paint, layout shift, long tasks, in Chromium.

Method: the built page from a whole server on this machine; Chromium at 390×844, its processor slowed down four times
and a network of 1.6 Mbit/s down, 0.75 up and 150 ms (slow 4G), nothing cached, five visits to each address, the median.
Anchor: the same visits with neither slowed. Largest paint is when the largest thing on the first screen stands; a long
task holds the page's thread for more than 50 ms, and what it holds longer is what a finger would have to wait.
No aim but the size of the scripts of the first page: at most 60 kB packed with gzip.
"""

import os
import platform
import shutil
import statistics
import sys
import threading
from contextlib import contextmanager

import httpx
from playwright.sync_api import sync_playwright

from bobing.adapters.memory import MemoryLog
from bobing.server.app import make_app
from bobing.server.running import Server, config_of, listen
from bobing.server.settings import Settings

VISITS, AIM = 5, 60_000
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
WATCH = """
window.seen = { lcp: 0, cls: 0, long: [] };
new PerformanceObserver((l) => { for (const e of l.getEntries()) seen.lcp = e.startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) seen.cls += e.value; })
  .observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((l) => { for (const e of l.getEntries()) seen.long.push(e.duration); })
  .observe({ type: 'longtask', buffered: true });
"""


@contextmanager
def served():
    listener = listen("127.0.0.1", 0)
    server = Server(config_of(make_app(Settings(db="memory://"), log=MemoryLog()), Settings(), None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


def visit(browser, url, *, slow):
    """Largest paint in ms, layout shift, number of long tasks, ms beyond 50 of them all; and scripts asked for."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    page, scripts = context.new_page(), []
    page.on("response", lambda answer: scripts.append(answer.url) if answer.url.endswith(".js") else None)
    page.add_init_script(WATCH)
    tools = context.new_cdp_session(page)
    if slow:
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(url, wait_until="networkidle", timeout=120_000)
    page.wait_for_selector("main h1", timeout=120_000)
    page.wait_for_timeout(1_000)
    seen = page.evaluate("seen")
    context.close()
    beyond = sum(max(0, long - 50) for long in seen["long"])
    return (seen["lcp"], seen["cls"], len(seen["long"]), beyond), scripts


def main():
    program = next(
        filter(None, [os.environ.get("CHROMIUM"), shutil.which("chromium"), shutil.which("google-chrome")]), None
    )
    if program is None:
        print("there is no Chromium here: the page cannot be measured")
        return 1
    with served() as base, sync_playwright() as play:
        made = httpx.post(f"{base}/api/tables", json={"players": ["Ming", "Hong", "Tom"]}).json()
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        places = {"first page": "/", "a table, to join": f"/t/{made['code']}", "hall screen": f"/hall/{made['code']}"}
        places["the host's table"] = f"/t/{made['code']}#k={made['token']}"
        failed = False
        for name, path in places.items():
            for slow in (False, True):
                visits = [visit(browser, base + path, slow=slow) for _ in range(VISITS)]
                lcp, cls, count, beyond = (
                    statistics.median(column) for column in zip(*(v[0] for v in visits), strict=True)
                )
                print(f"{name:18}{'slowed' if slow else 'as it is':10}paint {lcp:6.0f} ms   shift {cls:.3f}   ", end="")
                print(f"long tasks {count:.0f}, {beyond:.0f} ms beyond 50 each")
            sizes = [
                int(httpx.head(url, headers={"accept-encoding": "gzip"}).headers["content-length"])
                for url in set(visits[0][1])
            ]
            failed = failed or (path == "/" and sum(sizes) > AIM)
            print(f"{name:18}{'scripts':10}{sum(sizes) / 1000:.1f} kB in {len(sizes)} files")
        browser.close()
    print(
        f"machine           Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, ", end=""
    )
    print(f"load {os.getloadavg()[0]:.1f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
