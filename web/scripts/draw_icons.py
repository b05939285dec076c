"""Draws the icons of the installed page from web/public/icons/icon.svg, with the Chromium of the browser tests.

CHROMIUM=/usr/bin/chromium python web/scripts/draw_icons.py
"""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

ICONS = Path(__file__).resolve().parents[1] / "public" / "icons"
# Name and edge; a maskable icon may be cut to a circle, so its drawing is smaller and its ground goes to the edge.
PLAIN = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
MASKABLE = {"icon-maskable-512.png": 512}
GROUND = "#1d4399"


def main() -> None:
    """Write every PNG."""
    drawing = (ICONS / "icon.svg").read_text("utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        for name, edge in {**PLAIN, **MASKABLE}.items():
            inside = "72%" if name in MASKABLE else "100%"
            ground = GROUND if name in MASKABLE or edge == 180 else "transparent"  # iOS shows no transparency
            page.set_viewport_size({"width": edge, "height": edge})
            page.set_content(
                f"<style>*{{margin:0}}body{{height:100vh;display:grid;place-items:center;background:{ground}}}"
                f"svg{{width:{inside};height:{inside}}}</style>{drawing}"
            )
            page.screenshot(path=ICONS / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
