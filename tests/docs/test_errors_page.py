"""Every code that the source can refuse with is on the page of errors, and the page is current."""

import re
from pathlib import Path

import bobing
from errors_page import PAGE, codes, page

AREAS = "act|bobing|bus|cli|dice|event|fair|file|glossary|json|log|odds|paper|play|record|rules|save|settings|table"
CODE = re.compile(rf'"((?:{AREAS})/[a-z_]+)"')


def test_the_page_is_current():
    assert PAGE.read_text("utf-8") == page(), "run `python tests/errors_page.py`"


def test_every_code_is_on_the_page():
    sources = Path(bobing.__file__).parent.rglob("*.py")
    used = {code for source in sources for code in CODE.findall(source.read_text("utf-8"))} - {"record/1", "record/2"}
    assert used - codes().keys() == set()
