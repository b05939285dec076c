"""A store that the documents name in the environment is one that a server takes as well as a command."""

import re
from pathlib import Path

import pytest

from bobing.adapters import sqlite_path

DOCS = Path(__file__).parents[2] / "docs"
NAMED = sorted({one for page in DOCS.rglob("*.md") for one in re.findall(r"BOBING_DB=([^\s;`'\"]+)", page.read_text())})


@pytest.mark.parametrize("url", NAMED)
def test_a_server_takes_it(url):
    assert url.startswith(("postgresql://", "memory://")) or sqlite_path(url)


def test_some_are_named():
    assert any(url.startswith("sqlite:") for url in NAMED)
