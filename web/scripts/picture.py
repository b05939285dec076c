"""Takes the pictures of the README: a table in the middle of a game, with the Chromium of the browser tests.

python web/scripts/picture.py           draws docs/pictures/table.webp and table.zh.webp
"""

from __future__ import annotations

import asyncio
import os
import sys
from base64 import b64decode, b64encode
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from server.live import line, new_table, serving  # noqa: E402 - the tests' own server: it throws what it is told

OUT = ROOT / "docs" / "pictures"
WIDTH, HEIGHT = 1080, 680
MOST_BYTES = 150_000
REST_MS = 12_000
"""How long the bowl may take to be drawn without a graphics card."""
THROWS = ("123456", "442536", "666612", "245136", "444412", "435124", "222245", "444413")
PEOPLE = {"en": ("Mei", "Anna", "Wei", "Tom"), "zh-Hans": ("阿明", "小红", "老王", "美兰")}
FILES = {"en": "table.webp", "zh-Hans": "table.zh.webp"}
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
TO_WEBP = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.86).split(",")[1];
}"""


def main() -> None:
    """Write both pictures; ends with a word where one is too large to be committed."""
    OUT.mkdir(exist_ok=True)
    with ExitStack() as stack:
        base = {lang: stack.enter_context(serving(*THROWS)) for lang in FILES}
        opened = {lang: asyncio.run(play_on(base[lang], people)) for lang, people in PEOPLE.items()}
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=list(FLAGS)
        )
        for lang, file in FILES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.add_init_script(f"localStorage.setItem('bobing.lang', '\"{lang}\"')")
            page.add_init_script("""localStorage.setItem('bobing.prefs', '{"bowl":"solid"}')""")
            page.goto(base[lang] + opened[lang])
            page.locator(".bowl.solid").wait_for(timeout=90_000)
            page.locator("main h1").wait_for()
            page.wait_for_timeout(REST_MS)
            picture = b64encode(page.screenshot()).decode()
            page.goto("about:blank")  # there no policy of ours forbids to read a picture out of text
            (OUT / file).write_bytes(b64decode(page.evaluate(TO_WEBP, picture)))
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
