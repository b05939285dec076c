"""Puts all slices of Noto Serif SC into the one font that `bobing.paper` prints with, and those of Noto Emoji into
another.

python web/scripts/paper_font.py

The packages are fetched with npm, as subset_font.py does. The same packages give the same files, byte for byte.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from subset_font import PACKAGE, SOURCE, fetch

FONTS = PACKAGE / "paper" / "fonts"
MADE = (
    ("Bobing Paper", SOURCE, "-500-normal.woff2"),
    ("Bobing Emoji", "@fontsource/noto-emoji@5.3.2", "-400-normal.woff2"),
)
"""Names of the fonts, the packages that they come from, and which slices."""
TIME = 3_800_000_000
"""Seconds since 1904 that the file says it was made at."""
_FAMILY_NAMES, _STYLE_NAMES, _KEPT_NAMES, _POSTSCRIPT = (1, 4, 6, 16), (2, 17), (0, 5, 13, 14), 6


def join(family: str, slices: list[Path], part_folder: Path) -> None:
    """Write a font from its slices: each sign from the largest that has it."""
    from fontTools import merge
    from fontTools.ttLib import TTFont

    done: set[int] = set()
    parts: list[str] = []
    for path in sorted(slices, key=lambda path: (-path.stat().st_size, path.name)):
        found = set(TTFont(path).getBestCmap() or ()) - done
        if found:
            parts.append(_part(path, found, part_folder))
            done |= found
    options = merge.Options()
    options.drop_tables = ["vmtx", "vhea", "VORG", "BASE", "GSUB", "GPOS", "GDEF"]
    whole = merge.Merger(options).merge(parts)
    whole.recalcTimestamp = False
    tables: Any = whole
    tables["head"].created = tables["head"].modified = TIME
    tables["OS/2"].usWeightClass = 400
    _name(whole, family)
    made = FONTS / f"{family.lower().replace(' ', '-')}.ttf"
    whole.save(made)
    print(f"{family}: {len(done)} characters, {made.stat().st_size / 1e6:.1f} MB")


def _part(path: Path, signs: set[int], folder: Path) -> str:
    from fontTools import subset

    dropped = ["STAT", "GSUB", "GPOS", "GDEF", "meta", "BASE", "vhea", "vmtx"]
    options = subset.Options(hinting=False, layout_features=[], drop_tables=dropped, recalc_timestamp=False)
    font = subset.load_font(str(path), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=signs)
    cutter.subset(font)
    font.flavor = None
    part = folder / f"{path.stem}.ttf"
    font.save(part)
    return str(part)


def _name(font: Any, family: str) -> None:
    """Call it by a name that no other font has: a reader with its own Noto Serif must not take that one instead."""
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in _KEPT_NAMES]
    for number in (*_FAMILY_NAMES, *_STYLE_NAMES):
        said = "Regular" if number in _STYLE_NAMES else family.replace(" ", "") if number == _POSTSCRIPT else family
        names.setName(said, number, 3, 1, 0x409)


def main() -> None:
    """Make both fonts."""
    for family, source, weight in MADE:
        with tempfile.TemporaryDirectory() as folder:
            slices = list(fetch(Path(folder), source, weight).glob(f"*{weight}"))
            join(family, slices, Path(folder))


if __name__ == "__main__":
    main()
