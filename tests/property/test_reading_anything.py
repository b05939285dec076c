"""Whatever comes in, what comes out is a value or a refusal with a code: never another error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bobing.core.act_json import act_from_json, act_to_json
from bobing.core.canonical import canonical_json, strict_json
from bobing.core.catalogue import complete_table, find_key, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused, BobingError, RecordError, RollError, RulesError
from bobing.core.record import read_record
from bobing.core.rules import TOP_KEYS, RuleSet, rules_from_table
from bobing.core.settings import FORMS, HANDS_BELOW, SECTIONS
from property.some_acts import acts
from property.trying import says_little, tried, tries

FIVE_THOUSAND_DIGITS = "9" * 5_000
HUGE = 16**5_000
any_text = st.text(st.characters(categories=None), max_size=30)
digits = st.text(st.sampled_from("123456１２３４５６¹²³⚀⚁⚂⚃⚄⚅一二三四五六٣ 07-,、\n\ufe0f\u3000"), max_size=12)

# ---- what people type, and rolls in files


@given(st.one_of(any_text, digits))
@example("444411\n")
@example("４４４４１１")
@example("²44411")
@example("44441\ud800")
@example(FIVE_THOUSAND_DIGITS)
def test_a_roll_in_a_file(text: str):
    roll = tried(Roll.parse, text)
    if isinstance(roll, Roll):
        assert str(roll) == text
        assert len(text) == 6
        assert set(text) <= set("123456")
    else:
        assert isinstance(roll, RollError)
        assert says_little(roll)


@given(st.one_of(any_text, digits))
@example("²²²²²²")
@example("44441" + "¹")
@example("123456" * 10_000)
def test_a_typed_roll(text: str):
    roll = tried(Roll.read, text)
    if isinstance(roll, Roll):
        assert Roll.parse(str(roll)) == roll
        assert not set(text) & set("0789¹²³٣")
    else:
        assert isinstance(roll, RollError)
        assert says_little(roll)


# ---- JSON

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), any_text, digits)
ACT_KEYS = (
    *("seat", "roll", "grab", "choose", "waive", "item", "spill", "cocked", "pass", "leave", "back", "join", "swap"),
    *("start", "dice", "rolloff", "time_up", "close", "undo", "correct", "act", "cut", "after", "yixiu"),
)
act_keys = st.sampled_from(ACT_KEYS) | any_text
act_values = st.recursive(
    scalars | st.sampled_from((0, 1, 499, 500, True, "444411", "123", "12")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(act_keys, inner, max_size=5),
    max_leaves=8,
)


@given(st.dictionaries(act_keys, act_values, max_size=4) | act_values)
@tries(250)
@example({"seat": True, "roll": "444411"})
@example({"seat": 0, "roll": "444411", "\ud800": 1})
@example({"correct": 1, "act": {"correct": 1, "act": {"close": True}}})
@example({"undo": 1.0})
def test_any_value_as_an_act(value: Any):
    act = tried(act_from_json, value)
    if isinstance(act, BobingError):
        assert isinstance(act, ActRefused | RollError)
        assert says_little(act)
    else:
        assert act_from_json(act_to_json(act)) == act


def test_a_number_too_long_to_write_out():
    """Python refuses to write out an integer of 5,000 digits; a refusal that quotes it must not fail over that."""
    for act in ({"seat": HUGE, "roll": "444411"}, {"undo": HUGE}, {"swap": [HUGE, 0]}, {"seat": 0, "grab": HUGE}):
        with pytest.raises(ActRefused):
            act_from_json(act)
    for table in ({"cakes": {"yixiu": HUGE}}, {"ranks": {"order": HUGE}}, {"names": {"en": [HUGE]}}, {"total": HUGE}):
        with pytest.raises(RulesError):
            rules_from_table(complete_table(table))


@given(acts)
def test_acts_survive_their_json(act: Any):
    assert act_from_json(strict_json(canonical_json(act_to_json(act)).decode())) == act


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


json_texts = st.one_of(
    any_text,
    st.text(st.sampled_from('{}[]":,0123456789.eE-+ \\untrfalsNaInity１²\ud800'), max_size=40),
    act_values.map(lambda value: json.dumps(value, ensure_ascii=False)),
)


@given(json_texts)
@tries(250)
@example(nested(200_000))
@example(nested(100_000, '{"a":', "}"))
@example(nested(60))
@example(FIVE_THOUSAND_DIGITS)
@example("１")
@example("NaN")
@example("-0")
@example("1e400")
@example('{"a":1,"a":1}')
@example(r'"\ud800"')
@example('"\ud800"')
@example("\ufeff{}")
def test_any_text_as_json(text: str):
    value = tried(strict_json, text)
    if isinstance(value, BobingError):
        assert value.code.startswith("json/")
        assert says_little(value)
    else:
        assert strict_json(canonical_json(value).decode()) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (nested(200_000), "json/too_deep"),
        (nested(60), "json/too_deep"),
        (nested(100_000, '{"a":', "}"), "json/too_deep"),
        (FIVE_THOUSAND_DIGITS, "json/bad_number"),
        ("12345678901234567", "json/bad_number"),
        ("9007199254740992", "json/bad_number"),
        ("-9007199254740992", "json/bad_number"),
        ("-0", "json/bad_number"),
        ("1.0", "json/bad_number"),
        ("1e2", "json/bad_number"),
        ("1e400", "json/bad_number"),
        ("NaN", "json/bad_number"),
        ("-Infinity", "json/bad_number"),
        ('{"a":1,"b":2,"a":3}', "json/repeated_key"),
        (r'["\ud800"]', "json/bad_text"),
        (r'{"\udfff":1}', "json/bad_text"),
        ("１", "json/bad"),
        ("01", "json/bad"),
        ("{a:1}", "json/bad"),
        ("", "json/bad"),
        ("[1,]", "json/bad"),
        ("\ufeff[]", "json/bad"),
    ],
)
def test_json_that_is_refused(text: str, code: str):
    with pytest.raises(BobingError) as refused:
        strict_json(text)
    assert refused.value.code == code


# ---- rule files

setting_names = sorted({key for kind in SECTIONS.values() for key in kind.__annotations__})
rule_keys = st.one_of(st.sampled_from((*TOP_KEYS, *setting_names, *HANDS_BELOW, "zhuangyuan")), any_text)
rule_values = st.recursive(
    scalars | st.sampled_from((*FORMS, *HANDS_BELOW, *sheet_keys()[:3])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(rule_keys, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(rule_keys, rule_values, max_size=5))
@tries(150)
@example({"names": {"en": "\ud800"}})
def test_any_table_laid_on_a_sheet(table: dict[str, Any]):
    check_rules(tried(lambda: rules_from_table(complete_table(table))))


toml_texts = st.one_of(
    any_text,
    st.lists(
        st.sampled_from(
            (
                *('extends = "S12"', 'key = "x"', "[cakes]", "yixiu = 1", "[ranks]", "order = []", "[[prizes.yixiu]]"),
                *("a.b = 1", "[cakes.yixiu]", "x = 1979-05-27", "y = nan", 'name = "n"', "count = 1", "[chase]"),
                *('tiers = ["duitang"]', "[[cakes]]", "[customs]", "hat = 1", "total = 63", '"\\u0000" = 1'),
            )
        ),
        max_size=8,
    ).map("\n".join),
)


@given(toml_texts)
@tries(150)
@example(f"[cakes]\nyixiu = {FIVE_THOUSAND_DIGITS}")
@example(f"[cakes]\nyixiu = 0x{'F' * 5_000}")
@example("[cakes]\nyixiu = " + nested(50_000))
@example("[cakes]\nyixiu = " + nested(300))
@example("[cakes]\nyixiu." + "a." * 50_000 + "a = 1")
@example("a." * 50_000 + "a = 1")
@example("cakes." * 50_000 + "cakes = 1")
@example("[ending]\nminutes = nan")
@example("x" * 300_000)
@example('key = "\ud800"')
@example('[names]\nen = "\x9b31m"')
def test_any_text_as_a_rule_file(text: str):
    check_rules(tried(read_rules, text))


def check_rules(rules: RuleSet | BobingError):
    if isinstance(rules, RuleSet):
        assert rules_from_table(rules.to_table()).digest == rules.digest
    else:
        assert isinstance(rules, RulesError)
        assert says_little(rules)


@given(any_text)
@example("9" * 100_000)
def test_any_name_of_a_sheet(name: str):
    key = tried(find_key, name)
    if isinstance(key, str):
        assert key in sheet_keys()
    else:
        assert isinstance(key, RulesError)
        assert says_little(key)


# ---- records


lines_of_bytes = st.binary(max_size=60) | json_texts.map(lambda text: text.encode(errors="replace") + b"\n")


@given(st.lists(lines_of_bytes, max_size=4))
@example([nested(200_000).encode() + b"\n"])
@example([b'{"bobing":"record/1"}\n'])
@example([b"\xff\n"])
def test_any_bytes_as_a_record(lines: list[bytes]):
    with pytest.raises(RecordError) as refused:
        read_record(lines)
    assert refused.value.code.startswith("record/")
