"""The press: a template and data in, PDF or pictures out. What people wrote is data, and never read as markup."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from bobing.i18n import text, texts
from bobing.paper.errors import PaperRefused

HERE = Path(__file__).parent
TEMPLATES, FONTS = HERE / "templates", HERE / "fonts"
PIXELS_PER_INCH = 110
_HIDDEN = re.compile("[\x00-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff]")
"""Signs that turn or hide what stands beside them, and halves of signs."""

Form = Literal["pdf", "png", "svg"]


def printed(template: str, data: Mapping[str, Any], lang: str) -> bytes:
    """A PDF; the same data give the same bytes. Raises PaperRefused without the extra `paper`."""
    return _compiled(template, data, lang, "pdf")[0]


def pictures(template: str, data: Mapping[str, Any], lang: str) -> Sequence[bytes]:
    """The same as PNG pictures, one for each page."""
    return _compiled(template, data, lang, "png")


def _compiled(template: str, data: Mapping[str, Any], lang: str, form: Form) -> Sequence[bytes]:
    whole = {**data, "lang": lang, "words": words(lang)}
    made = _compiler().compile(
        str(TEMPLATES / f"{template}.typ"),
        format=form,
        ppi=PIXELS_PER_INCH,
        sys_inputs={"data": json.dumps(plain(whole), ensure_ascii=False)},
        timestamp=0,
    )
    return [made] if isinstance(made, bytes) else made


@cache
def _compiler() -> Any:
    try:
        import typst
    except ImportError:
        raise PaperRefused(
            "papers are printed with the extra `paper`: pip install 'bobing[paper]'", "paper/needs_extra"
        ) from None
    # Fonts of the machine serve only for signs that ours do not have.
    return typst.Compiler(root=str(TEMPLATES), font_paths=typst.Fonts(font_paths=[str(FONTS)]))


@cache
def words(lang: str) -> Mapping[str, str]:
    """The words of all papers in a language."""
    return {key: text(lang, f"paper.{key}") for key, said in texts("paper").items() if "{" not in said["en"]}


def plain(value: Any) -> Any:
    r"""Data without signs that turn or hide what stands beside them.

    >>> plain({"name": "a\u202eb\0", "seats": [1]})
    {'name': 'ab', 'seats': [1]}
    """
    if isinstance(value, str):
        return _HIDDEN.sub("", value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in cast("Sequence[Any]", value)]
    return value


def qr_svg(address: str) -> str:
    """A QR for an address, as SVG; "" for none."""
    if not address:
        return ""
    import segno

    return segno.make(address, error="m", micro=False).svg_inline(scale=4, border=2, dark="#000", light="#fff")
