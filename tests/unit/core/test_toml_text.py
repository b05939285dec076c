"""What is said of a text that is no TOML."""

from __future__ import annotations

import pytest

from bobing.core.catalogue import read_rules
from bobing.core.errors import RulesError


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('extends = "S12"\nkey = "mine', "this is no TOML: "),
        ('extends = "S12"\n[cakes', "this is no TOML: "),
        ('extends = "S12"\nkey = mine', "line 2"),
        ('extends = “S12”\nkey = "mine"', "line 1"),
        ('extends = "S12"\nkey = "a"\nkey = "b"', "cannot overwrite a value"),
        (f'extends = "S12"\n[cakes]\nyixiu = {"9" * 5_000}', "too many digits"),
        (f'extends = "S12"\nkey = {"[" * 50_000}', "nested too deeply"),
    ],
)
def test_the_place_is_said_where_there_is_one(text: str, says: str):
    with pytest.raises(RulesError, match=says) as refused:
        read_rules(text)
    assert refused.value.code == "rules/no_toml"
    assert len(str(refused.value)) < 300
