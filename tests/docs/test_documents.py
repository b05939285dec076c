"""The documents hold together: their links lead somewhere, versions agree, and no lock names a host."""

import re
from pathlib import Path

import pytest

import bobing

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(document):
    """The places of a document that a link may name, as hosts of Markdown make them from its headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document):
    for target in LINK.findall(document.read_text("utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        linked = (document.parent / path).resolve() if path else document
        assert linked.exists(), f"{target}: no such file"
        assert linked.is_relative_to(ROOT), f"{target}: leads out of the repository"
        assert not anchor or anchor in anchors(linked), f"{target}: no such heading"


def test_the_changelog_speaks_of_this_version():
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    released = [version for version in versions if version != "Unreleased"]
    assert released[0] == bobing.__version__


@pytest.mark.parametrize("lock", sorted(ROOT.glob("requirements*.lock")), ids=lambda path: path.name)
def test_a_lock_pins_by_hash_and_names_no_host(lock):
    text = lock.read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.]+", entry), entry
        assert "--hash=sha256:" in entry, entry
