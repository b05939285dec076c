"""Writes `docs/errors.md` from the catalogue of refusals; run it when a code is added."""

from pathlib import Path

from bobing.i18n import texts

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
HEAD = """# Refusals and their codes

Whatever bobing refuses has a stable code, `area/what`, and a sentence that says what to do. The code stays; the
sentence may be worded better. On the command line a refusal ends with exit status 2 (a refused act in
`bobing referee`: 1).

| code | what it means |
|---|---|
"""


def codes():
    """Every code of the catalogue, with its English sentence."""
    keys = {key: area for area in ("errors", "refusals") for key in texts(area)}
    return {key.replace("_", "/", 1): texts(area)[key]["en"] for key, area in sorted(keys.items())}


def page():
    return HEAD + "".join(f"| `{code}` | {sentence} |\n" for code, sentence in codes().items())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
