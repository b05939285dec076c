"""Takes the pictures of the README: a table in the middle of a game, with the Chromium of the browser tests.

python web/scripts/picture.py           draws docs/pictures/table.png and table.zh.png
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from server.live import line, new_table, serving  # noqa: E402 - the tests' own server: it throws what it is told

OUT = ROOT / "docs" / "pictures"
WIDTH, HEIGHT = 1080, 680
MOST_BYTES = 150_000
THROWS = ("123456", "442536", "666612", "245136", "444412", "435124", "222245", "444413")
PEOPLE = {"en": ("Mei", "Anna", "Wei", "Tom"), "zh-Hans": ("阿明", "小红", "老王", "美兰")}
FILES = {"en": "table.png", "zh-Hans": "table.zh.png"}


def main() -> None:
    """Write both pictures; ends with a word where one is too large to be committed."""
    OUT.mkdir(exist_ok=True)
    with ExitStack() as stack:
        base = {lang: stack.enter_context(serving(*THROWS)) for lang in FILES}
        opened = {lang: asyncio.run(play_on(base[lang], people)) for lang, people in PEOPLE.items()}
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        for lang, file in FILES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            page.add_init_script(f"localStorage.setItem('bobing.lang', '\"{lang}\"')")
            page.goto(base[lang] + opened[lang])
            page.locator("main h1").wait_for()
            page.wait_for_timeout(1000)
            page.screenshot(path=OUT / file)
            if (OUT / file).stat().st_size > MOST_BYTES:
                sys.exit(f"{file} has more than {MOST_BYTES} bytes")
        browser.close()


async def play_on(base: str, people: tuple[str, ...]) -> str:
    """Make a table and throw for everybody; the address of its host."""
    code, token = await asyncio.to_thread(new_table, base, *people, settings={"dice": "digital"})
    async with line(base, code, token) as host:
        await host.do("begin")
        for n in range(len(THROWS)):
            await host.do("throw", seat=n % len(people))
    return f"/t/{code}#k={token}"


if __name__ == "__main__":
    main()
