"""The title font that ships with the page has every character of the titles."""

import importlib.util
from pathlib import Path

from fontTools.ttLib import TTFont

SCRIPT = Path(__file__).parents[2] / "web" / "scripts" / "subset_font.py"


def _script():
    spec = importlib.util.spec_from_file_location("subset_font", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_title_falls_back_to_another_font():
    script = _script()
    wanted = script.title_signs()
    assert len(wanted) > 400
    there = set(TTFont(script.FONT).getBestCmap() or ())
    missing = "".join(sorted(sign for sign in wanted if ord(sign) not in there))
    assert not missing, f"{missing}: run `python web/scripts/subset_font.py`"


def test_the_font_stays_small_and_its_licence_beside_it():
    font = _script().FONT
    assert font.stat().st_size < 150_000
    licence = SCRIPT.parents[1] / "public" / "fonts-OFL.txt"  # goes wherever the page goes
    assert "SIL Open Font License" in licence.read_text("utf-8")
