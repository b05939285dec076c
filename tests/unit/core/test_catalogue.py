"""Finding sheets by name, and reading rule files from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from bobing.core.catalogue import FILE_MAX, find_key, find_sheet, load_rules, rules_of, sheet_keys
from bobing.core.errors import RulesError
from bobing.core.rules import rules_from_table

HOUSE = '# 家规\nkey = "ours"\nextends = "S12"\n[cakes]\nyixiu = 40\n'


def refused(name: str) -> RulesError:
    with pytest.raises(RulesError) as found:
        load_rules(name)
    return found.value


def test_a_file_or_a_sheet(tmp_path: Path):
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE, encoding="utf-8")
    assert load_rules(str(file)).cakes["yixiu"] == 40
    assert load_rules("s12") is find_sheet("referee-order")
    assert rules_of("s12") is rules_of(find_sheet("S12")) is find_sheet("referee-order")
    with pytest.raises(RulesError, match=r"expected a rule set or the key of a sheet, found 12") as found:
        rules_of(12)  # pyright: ignore[reportArgumentType]
    assert found.value.code == "rules/wrong_type"


def test_a_file_without_the_usual_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "ours").write_bytes(b"\xef\xbb\xbf" + HOUSE.encode())  # as some editors save it, with a mark in front
    monkeypatch.chdir(tmp_path)
    assert load_rules("ours").key == "ours"


def test_files_that_cannot_be_read(tmp_path: Path):
    file = tmp_path / "ours.toml"
    assert refused(str(file)).code == "rules/no_file"
    assert refused(str(tmp_path)).code == "rules/no_file"
    file.write_bytes("家规".encode("gb18030"))
    assert refused(str(file)).code == "rules/no_toml"
    assert "UTF-8" in str(refused(str(file)))
    file.write_bytes(b"#" * (FILE_MAX + 1))
    assert refused(str(file)).code == "rules/too_large"


@pytest.mark.parametrize("name", ["x" * 5_000, "a\0b", "", "minan", "003G"])
def test_names_that_are_neither(name: str):
    assert refused(name).code in {"rules/unknown_sheet", "rules/not_a_sheet"}


def test_the_nearest_sheet_is_named():
    assert "did you mean 'minnan'" in str(refused("minan"))


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("xiamen", "xiamen-friendly, xiamen-modern, xiamen-modern-seat, xiamen-notes"),
        ("裁判", "referee-order"),
        ("referee", "referee-order"),
    ],
)
def test_an_unknown_name_is_told_with_a_few_that_are_near_and_where_all_are_listed(name, near):
    said = str(refused(name))
    assert said == f"there is no sheet {name!r}; near it: {near}; see `bobing rules list`"
    assert str(refused("qqq")) == "there is no sheet 'qqq'; see `bobing rules list`"


@pytest.mark.parametrize("key", sheet_keys())
def test_a_sheet_is_found_by_each_of_its_names(key: str):
    rules = find_sheet(key)
    assert rules.key == key
    for name in (key, *rules.aliases):
        assert find_key(name) == find_key(name.upper()) == find_key(f" {name.lower()} ") == key


def test_a_section_that_lacks_a_key():
    table = find_sheet().to_table()
    del table["chase"]["source"]
    with pytest.raises(RulesError, match=r"chase\.source: is missing"):
        rules_from_table(table)
