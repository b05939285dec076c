"""Every point and every option of a rule sheet can be read in three languages."""

import re
from typing import get_args, get_origin

import pytest

from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.dimensions import POINTS, value_at
from bobing.core.reading import choices_of, hints_of
from bobing.core.rules import setting_paths
from bobing.core.settings import FORMS, SECTIONS, Between
from bobing.i18n import LANGUAGES, texts
from bobing.i18n.settings import point_title, setting_text

TEXTS = texts("dimensions")


def hint_of(path):
    section, key = path.split(".")
    return hints_of(SECTIONS[section])[key]


def span_of(hint):
    return next(extra for extra in hint.__metadata__ if isinstance(extra, Between))


def keys_of(path):
    """The texts that a setting needs, computed from its type."""
    hint, stem = hint_of(path), path.replace(".", "_")
    inner = get_args(hint)[0]
    if inner is bool:
        return {f"{stem}_true", f"{stem}_false"}
    if inner is int:
        return {stem} | ({f"{stem}_0"} if span_of(hint).low == 0 else set())
    entries = {f"{stem}_{choice}" for choice in choices_of(hint) if choice not in FORMS}
    return entries | ({stem, f"{stem}_none"} if get_origin(inner) is tuple else set())


NEEDED = set(POINTS) | {key for path in setting_paths() for key in keys_of(path)}


def test_there_is_much_to_say():
    assert len(POINTS) == 52
    assert len(NEEDED) > 150


@pytest.mark.parametrize("key", sorted(NEEDED))
def test_a_text_in_three_languages(key):
    assert key in TEXTS, f"add [{key}] to dimensions.toml"
    assert set(TEXTS[key]) == set(LANGUAGES)
    assert all(said.strip() for said in TEXTS[key].values())


def test_no_text_is_left_over():
    assert set(TEXTS) - NEEDED == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_slots_are_where_they_are_needed(lang):
    numbers = {path.replace(".", "_") for path in setting_paths() if get_args(hint_of(path))[0] is int}
    lists = {path.replace(".", "_") for path in setting_paths() if get_origin(get_args(hint_of(path))[0]) is tuple}
    for key, said in TEXTS.items():
        slots = {slot.partition("|")[0] for slot in re.findall(r"\{([^}]*)\}", said[lang])}
        assert slots == ({"n"} if key in numbers else {"list"} if key in lists else set()), (key, said[lang])


def test_the_scripts_are_kept_apart():
    simplified_only = set("个们饼红进举对双级么从还块样总归说谁抢顺针轮颗数时点带换给这发书钟岁传门")
    traditional_only = set("個們餅紅進舉對雙級麼從還塊樣總歸說誰搶順針輪顆數時點帶換給這發書鐘歲傳門")
    for key, said in TEXTS.items():
        assert not set(said["zh-Hant"]) & (simplified_only - traditional_only), (key, said["zh-Hant"])
        assert not set(said["zh-Hans"]) & (traditional_only - simplified_only), (key, said["zh-Hans"])
        assert not re.search(r"[一-鿿]", said["en"]), (key, said["en"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", sheet_keys())
def test_a_whole_sheet_can_be_told(key, lang):
    rules = find_sheet(key)
    told = {path: setting_text(lang, path, value_at(rules, path)) for path in setting_paths()}
    assert all(said and "{" not in said for said in told.values())
    assert all(point_title(lang, point) for point in POINTS)


def test_two_values_of_a_setting_never_read_alike():
    for path in setting_paths():
        for lang in LANGUAGES:
            said = [TEXTS[key][lang] for key in keys_of(path)]
            assert len(set(said)) == len(said), (path, lang)


def test_own_tiers_are_called_by_their_names():
    rules = read_rules(
        'extends = "minnan"\n'
        "[chase]\ntiers = ['duitang', 'grand']\n"
        "[ranking]\ntiers = ['zhuangyuan', 'grand', 'duitang', 'sanhong', 'sijin', 'erju', 'yixiu']\n"
        "[cakes]\ngrand = 1\n[wins]\ngrand = ['112233']\n"
    )
    tiers = value_at(rules, "chase.tiers")
    assert setting_text("en", "chase.tiers", tiers, {"grand": "Grand prize"}).endswith("Straight, Grand prize")
    assert setting_text("zh-Hans", "chase.tiers", tiers).endswith("对堂、grand")


def test_what_is_no_setting_has_no_text():
    with pytest.raises(KeyError):
        setting_text("en", "liubohong.takes", "everything")
    with pytest.raises(KeyError):
        point_title("en", "Q1")
