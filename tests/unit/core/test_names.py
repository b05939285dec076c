"""Which names are kept as written, what is dropped from them, and what of them cannot be used."""

import pytest

from bobing.core.names import BYTES_MAX, GRAPHEMES_MAX, Told, is_invisible, skeleton, told_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  小\u3000明 ", "小 明"),
        ("小\u202e明\u200b", "小明"),
        ("Ma\u0301rio", "Mário"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("👍🏽", "👍🏽"),
        ("Lê\u0323\u0301", "Lệ\u0301"),
        ("x" * GRAPHEMES_MAX, "x" * GRAPHEMES_MAX),
        ("明" * (BYTES_MAX // 3), "明" * (BYTES_MAX // 3)),
        ("👍🏽" * (BYTES_MAX // 8), "👍🏽" * (BYTES_MAX // 8)),
    ],
)
def test_a_name_is_kept_without_signs_that_nobody_sees(text, name):
    assert told_name(text) == Told(name)


@pytest.mark.parametrize(
    ("text", "fault", "sign"),
    [
        ("", "empty", ""),
        (" \u200d\u200b ", "empty", ""),
        ("\u3164\u115f", "empty", ""),
        ("a\x1bb", "bad", "U+001B"),
        ("a\u2028b", "bad", "U+2028"),
        ("a\ue000", "bad", "U+E000"),
        ("a\u3164b", "bad", "U+3164"),
        ("a\u0316\u0317\u0318", "bad", "U+0318"),
        ("x" * (GRAPHEMES_MAX + 1), "long", ""),
        ("明" * (BYTES_MAX // 3 + 1), "long", ""),
        ("\ufdfa" * 6, "long", ""),  # eighteen signs each where it is folded
    ],
)
def test_what_is_no_name_says_why(text, fault, sign):
    told = told_name(text)
    assert (told.fault, told.sign) == (fault, sign)


def test_names_that_look_alike_have_one_skeleton():
    assert skeleton("Ｍing") == skeleton("MING") == skeleton("ming\u200b")
    assert skeleton("Аnna") == skeleton("anna")
    assert skeleton("Anna") != skeleton("Hanna")


def test_nothing_is_seen_of_joiners_marks_and_blanks():
    assert all(map(is_invisible, "\u200d\u3164\u2003\u0301\x07"))
    assert not any(map(is_invisible, "明a👍"))
