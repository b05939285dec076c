"""Canonical JSON: one text for one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bobing.core.canonical import canonical_json, strict_json
from bobing.wire.canonical import canonical

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inside: st.lists(inside) | st.lists(inside).map(tuple) | st.dictionaries(st.text(), inside),
    max_leaves=12,
)


def test_one_text_for_one_value():
    assert canonical_json({"b": (1, 2), "a": {"饼": None}}) == '{"a":{"饼":null},"b":[1,2]}'.encode()
    assert canonical_json({"a": {"饼": None}, "b": [1, 2]}) == canonical_json({"b": (1, 2), "a": {"饼": None}})


@given(values)
@example("".join(map(chr, range(0xD800))))
@example({"\U0001f600": 10**30, "\uffff": -(2**63) - 1, "\u2028": "\x7f/", "": ()})
def test_the_writer_of_the_wire_writes_the_same_bytes(value: Any):
    assert canonical(value) == canonical_json(value)


@pytest.mark.parametrize("write", [canonical_json, canonical])
@pytest.mark.parametrize("value", [1.5, [float("nan")], {"a": ({"b": 1.0},)}])
def test_floats_are_not_written(write: Callable[[object], bytes], value: Any):
    with pytest.raises(TypeError, match="no floats"):
        write(value)


def test_what_is_read_is_what_was_written():
    value = {"a": [1, -2, True, None, "x\n饼"], "": {}}
    assert strict_json(canonical_json(value).decode()) == value
