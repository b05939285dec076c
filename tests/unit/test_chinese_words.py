"""One Chinese word for one thing, wherever people read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bobing

ROOT = Path(__file__).parents[2]
TEXTS = [
    *(Path(bobing.__file__).parent / "i18n").glob("*.toml"),
    *(ROOT / "docs" / "zh").glob("*.md"),
    ROOT / "README.zh.md",
]
OTHER = {"机会": "概率|机率|几率|機率", "默认": "通用", "收回": "撤销|撤銷|撤回"}
"""The word that is used, and others for the same thing."""


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_one_word_for_one_thing(file: Path):
    text = file.read_text("utf-8")
    found = {said: word for word, others in OTHER.items() for said in re.findall(others, text)}
    assert found == {}, "say the other word instead"
