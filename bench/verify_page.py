"""How long the page takes to check dice, in a real Chromium, as a multiple of plain SHA-256 by the same library.

Method: the page's own verifier, bundled as for the page, in an empty page without `crypto.subtle`. Anchor: 10,000
hashes of 64 bytes. Measured: a record of about 1,000 throws, checked whole; and each of its throws as a phone checks it
when it comes. Wall time, in turn, the median of 9 rounds; of single throws the slowest of 100. The aims, 2 s a record
and 50 ms a throw, are told for a machine on which the anchor takes 30 ms.
"""

import importlib.util
import os
import platform
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 9
ANCHOR_MS, RECORD_MS, THROW_MS = 30, 2_000, 50
SHEET = {"extends": "minnan", "cakes": {"yixiu": 4_000}}


def page_script():
    """The verifier as one script."""
    spec = importlib.util.spec_from_file_location("build", ROOT / "web" / "build.py")
    assert spec
    assert spec.loader
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    command = [build.node_and_npm()[0], "scripts/bench_bundle.mjs"]
    return subprocess.run(command, cwd=ROOT / "web", capture_output=True, text=True, check=True).stdout


def long_record():
    """A record of about 1,000 throws."""
    sys.path.insert(0, str(ROOT / "tests"))
    from bobing.core.catalogue import complete_table
    from bobing.core.rules import rules_from_table
    from support.fair_games import fair_record

    data, verdicts = fair_record(1, 1_000, rules_from_table(complete_table(SHEET)))
    return data.decode(), len(verdicts)


def main():
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    program = next(filter(None, [os.environ.get("CHROMIUM"), *map(shutil.which, names)]), None)
    if program is None:
        print("no Chromium: install it, or set CHROMIUM=/path/to/it")
        return 1
    record, throws = long_record()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(content=page_script())
        rounds = [
            (page.evaluate("bobing.plain(10000)"), page.evaluate("(text) => bobing.whole(text)", record))
            for _ in range(ROUNDS + 1)
        ][1:]
        slowest = max(page.evaluate("(text) => bobing.each(text)", record)[-100:])
        version = browser.version
        browser.close()
    plain, whole = (statistics.median(column) for column in zip(*rounds, strict=True))
    figures = {f"a record, {throws} throws": (whole, RECORD_MS), "one throw, the slowest": (slowest, THROW_MS)}
    print(f"{'anchor: 10,000 × SHA-256':<26}{plain:8.1f} ms")
    for what, (taken, aim) in figures.items():
        print(f"{what:<26}{taken:8.1f} ms   ratio {taken / plain:6.2f}   (aim: at most {aim / ANCHOR_MS:.1f})")
    print(f"machine                    Chromium {version}, {platform.machine()}, {platform.system()}")
    return int(any(taken / plain > aim / ANCHOR_MS for taken, aim in figures.values()))


if __name__ == "__main__":
    sys.exit(main())
