"""The page of the library names what there is: acts with their fields, combinations, effects."""

import inspect
import re
from pathlib import Path

import bobing
from bobing.core.catalogue import sheet_keys
from bobing.core.settings import FORMS, HANDS_BELOW

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


def test_every_act_is_there_with_its_fields_and_defaults():
    told = dict(re.findall(r"^([A-Z]\w+)\((.*)\)$", PAGE, re.MULTILINE))
    listed = re.findall(r"^\| `(Throw [\w ]+)` \|", PAGE, re.MULTILINE)
    assert list(told) == listed[0].split()
    for name, fields in told.items():
        parameters = inspect.signature(getattr(bobing, name)).parameters.values()
        assert fields == ", ".join(map(spelt, parameters)), name


def spelt(parameter):
    if parameter.default is parameter.empty:
        return parameter.name
    default = parameter.default if not repr(parameter.default).startswith("<") else {}
    return f"{parameter.name}={default!r}"


def test_every_combination_is_named():
    named = re.findall(r"`(\w+)`", PAGE.partition("- zhuangyuan throws:")[2].partition("`effects` says")[0])
    assert named == [*FORMS, *HANDS_BELOW, "none"]
    assert set(named) >= {row.combination for row in rows()}


def test_every_effect_is_told():
    told = re.findall(r"^\| `([\w-]+)` \|", PAGE.partition("| effect |")[2].partition("\n\n")[0], re.MULTILINE)
    assert {effect for row in rows() for effect in row.effects} == set(told)


def rows():
    for key in sheet_keys():
        yield from bobing.scorebook(bobing.find_sheet(key)).rows.values()
    house = bobing.read_rules('extends = "minnan"\n[chajinhua]\nduitang = "all-untitled"')  # no sheet has this
    yield from bobing.scorebook(house).rows.values()


def test_every_public_name_is_on_the_page():
    named = set(re.findall(r"\w+", PAGE))
    assert set(bobing.__all__) - named == set()
