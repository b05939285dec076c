"""Canonical JSON: one text for one value."""

from __future__ import annotations

from typing import Any

import pytest

from bobing.core.canonical import canonical_json, strict_json


def test_one_text_for_one_value():
    assert canonical_json({"b": (1, 2), "a": {"饼": None}}) == '{"a":{"饼":null},"b":[1,2]}'.encode()
    assert canonical_json({"a": {"饼": None}, "b": [1, 2]}) == canonical_json({"b": (1, 2), "a": {"饼": None}})


@pytest.mark.parametrize("value", [1.5, [float("nan")], {"a": ({"b": 1.0},)}])
def test_floats_are_not_written(value: Any):
    with pytest.raises(TypeError, match="no floats"):
        canonical_json(value)


def test_what_is_read_is_what_was_written():
    value = {"a": [1, -2, True, None, "x\n饼"], "": {}}
    assert strict_json(canonical_json(value).decode()) == value
