"""Attacks 45 to 53: names and other texts that people give. How browsers show them: tests/browser/test_attacks.py."""

import asyncio
import json
import logging

import pytest

from attacks.raw import http
from bobing.core.errors import BobingError
from bobing.core.names import BYTES_MAX, GRAPHEMES_MAX, skeleton
from bobing.core.record_lines import name_fault
from bobing.server.logs import JsonLine, OneLine
from bobing.server.names import clean_name
from bobing.server.refusal import words_of
from server.live import line, new_table

MARKUP = ["<img src=x onerror=a()>", '"><svg/onload=alert(1)>', "javascript:alert(1)", "<b>bold</b>"]
TEMPLATES = [
    "{{7*7}}",
    "%s%n%d",
    "${7*7}",
    "'; DROP TABLE act",
    "{name}",
    "⟦0⟧",
    "{0.__class__}",
    "\\u0041",
    "&lt;b&gt;",
]


def seen(base, code):
    return [seat["name"] for seat in http.get(f"{base}/api/tables/{code}").json()["seats"]]


def refused(text, taken=()):
    try:
        return clean_name(text, taken)
    except BobingError as error:
        return error.code


@pytest.mark.parametrize("text", MARKUP)
def test_attack_45_markup_stays_text_under_a_policy_that_runs_nothing(base, text):
    code, _ = new_table(base, text, title=text)
    answer = http.get(f"{base}/api/tables/{code}")
    assert (answer.json()["title"], seen(base, code)) == (text, [text])
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    for path in ("/", f"/t/{code}", "/none.js", "/api/sheets/S12"):
        policy = dict(
            part.split(" ", 1) for part in http.get(base + path).headers["content-security-policy"].split("; ")
        )
        assert (
            policy.items()
            >= {
                "default-src": "'self'",
                "script-src": "'self'",
                "object-src": "'none'",
                "base-uri": "'none'",
                "frame-ancestors": "'none'",
                "require-trusted-types-for": "'script'",
            }.items()
        )


@pytest.mark.parametrize("sign", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff\u00ad")
def test_attack_46_marks_of_direction_are_dropped(sign):
    assert clean_name(f"{sign}ab{sign}c{sign}") == "abc"
    assert refused(sign) == "table/name_empty"


def test_attack_47_heaps_of_marks_and_long_names_are_refused():
    assert clean_name("e\u0301\u0323") == "\u1eb9\u0301"
    assert refused("e" + "\u0301" * 200) == "table/name_bad"
    assert refused("ab" + "\u0301\u0302\u0303" + "c") == "table/name_bad"
    assert refused("\u0301" * 5) == "table/name_empty"
    for sign, most in (
        ("x", GRAPHEMES_MAX),
        ("é", GRAPHEMES_MAX),
        ("饼", BYTES_MAX // 3),
        ("\U00020000", BYTES_MAX // 4),
    ):
        assert clean_name(sign * most) == sign * most
        assert refused(sign * (most + 1)) == "table/name_long"
    assert refused("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d" * 9) == "table/name_long"


def test_a_name_that_cannot_be_is_told_with_what_is_wrong_with_it():
    for text, sign in (
        ("a\x1bb", "U+001B"),
        ("ab\u0301\u0302\u0303c", "U+0303"),
        ("a\ue000", "U+E000"),
        ("\ud800", "U+D800"),
    ):
        with pytest.raises(BobingError) as info:
            clean_name(text)
        assert all(sign in words for words in words_of(info.value).values())
    with pytest.raises(BobingError) as info:
        clean_name("x" * 41)
    assert all("40" in words for words in words_of(info.value).values())


def test_a_namesake_of_the_longest_name_fits_into_a_record():
    name = clean_name("饼" * 30, ["饼" * 30, *("饼" * 30 + f" {n}" for n in range(2, 99))])
    assert name.endswith(" 99")
    assert not name_fault(0, name)


@pytest.mark.parametrize(
    "text", ["", " ", "\u3000\u3000", "\u200b\u200d", "\u3164", "\u2800", "\uffa0", "\u00a0", "\ufe0f", "\t\n"]
)
def test_attack_48_a_name_that_shows_nothing_is_none(base, text):
    assert refused(text) == "table/name_empty"
    code, _ = new_table(base, "a")
    answer = http.post(f"{base}/api/tables/{code}/join", json={"name": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "table/name_empty")


TWINS = [
    ("小明", "小明\u200b"),
    ("Noël", "Noe\u0308l"),
    ("anna", "аnnа"),
    ("Anna", "ANNA"),
    ("anna", "ａｎｎａ"),
    ("oo", "0о"),
    ("Ming", " Ming "),
    ("Ming Li", "Ming  Li"),
    ("café", "cafe"),
]


@pytest.mark.parametrize(("name", "twin"), TWINS)
def test_attack_49_a_name_that_looks_like_another_gets_a_number(base, name, twin):
    assert skeleton(clean_name(twin)) == skeleton(name)
    code, _ = new_table(base, name)
    assert http.post(f"{base}/api/tables/{code}/join", json={"name": twin}).status_code == 200
    assert seen(base, code)[1].endswith(" 2")


@pytest.mark.parametrize(
    "name", ["主持人", "系统", "系統", "Host", "HOST", "Нost", "h\u200bost", "Ｈｏｓｔ", "hоst", "System", "ѕystem"]
)
def test_attack_49_names_of_the_house_are_nobodys(name):
    assert refused(name) == "table/name_reserved"


def test_attack_50_what_grows_when_it_is_folded_is_measured_then():
    assert clean_name("\ufdfa") == "\ufdfa"
    assert refused("\ufdfa" * 6) == "table/name_long"


@pytest.mark.parametrize(
    "name",
    [
        "👨‍👩‍👧‍👦",
        "👍🏽",
        "🏳️‍🌈",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "𠀋𡈽",
        "محمد",
        "नमस्ते",
        "José",
        "Nguyễn",
        "O'Neil-陳",
    ],
)
def test_attack_51_names_of_the_world_are_kept_as_they_are(base, name):
    code, _ = new_table(base, name)
    assert seen(base, code) == [name]


CONTROLS = ["a\nb", "a\rb", "a\tb", "\x1b[2J", "a\0b", "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b"]


@pytest.mark.parametrize("text", CONTROLS)
def test_attack_52_control_characters_are_refused_and_shown_in_logs(base, text):
    assert refused(text) == "table/name_bad"
    code, token = new_table(base, "x")
    assert http.post(f"{base}/api/tables/{code}/join", json={"name": text}).json()["code"] == "table/name_bad"
    assert http.post(f"{base}/api/tables", json={"title": text}).json()["code"] == "table/name_bad"

    async def renamed():
        async with line(base, code, token) as host:
            return await host.do("rename_seat", seat=0, name=text)

    assert asyncio.run(renamed())["code"] == "table/name_bad"
    event = logging.LogRecord("x", logging.ERROR, "", 0, "%s", (text,), None)
    plain = OneLine("%(message)s").format(event).replace("\n", "")
    assert plain.isprintable()
    assert json.loads(JsonLine().format(event))["event"] == text
    assert JsonLine().format(event).isprintable()


@pytest.mark.parametrize("text", TEMPLATES)
def test_attack_53_templates_and_statements_stay_text(base, text):
    code, token = new_table(base, text, "b", title=text)

    async def renamed():
        async with line(base, code, token) as host:
            assert host.welcome["title"] == text
            await host.do("rename_seat", seat=0, name=f"{text}!")
            await host.do("begin")
            return await host.do("throw", seat=0)

    assert seen(base, code) == [text, "b"]
    assert asyncio.run(renamed())["t"] == "ack"
    record = http.get(f"{base}/api/tables/{code}/record", headers={"authorization": f"Bearer {token}"})
    assert f"{text}!" in [json.loads(told).get("name", {}).get("text") for told in record.text.splitlines()]
