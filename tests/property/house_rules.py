"""Random rule sets, as people could write them: a named sheet with some values changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from hypothesis import strategies as st

from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.errors import RulesError
from bobing.core.reading import choices_of, hints_of, merge
from bobing.core.rules import RuleSet, rules_from_table
from bobing.core.settings import FORMS, HANDS_BELOW, SECTIONS, Between

Change = dict[str, Any]
LOWER = HANDS_BELOW
NOT_OF_PLAY = ("final", "customs")
PATTERNS = ("112233", "1122xx", "666xxx", "135xxx", "55xxxx", "6xxxxx")


def rule_sets(changes: int = 6) -> st.SearchStrategy[RuleSet]:
    """A named sheet with up to so many changes; those that the sheet refuses are left out."""
    return st.builds(_changed, st.sampled_from(sheet_keys()), st.lists(_change(), max_size=changes))


def small_rule_sets(changes: int = 6) -> st.SearchStrategy[RuleSet]:
    """The same with so few cakes that a game is soon over."""
    few = st.fixed_dictionaries({tier: st.integers(1, 2) for tier in LOWER}).map(lambda cakes: {"cakes": cakes})
    return st.builds(
        _changed, st.sampled_from(sheet_keys()), st.tuples(few, st.lists(_change(), max_size=changes)).map(_flat)
    )


def _flat(parts: tuple[Change, list[Change]]) -> list[Change]:
    return [parts[0], *parts[1]]


def _changed(sheet: str, changes: list[Change]) -> RuleSet:
    rules = find_sheet(sheet)
    table = rules.to_table() | {"key": "house"}
    for change in changes:
        candidate = merge(table, change)
        try:
            rules = rules_from_table(candidate)
        except RulesError:
            continue
        table = candidate
    return rules


def _change() -> st.SearchStrategy[Change]:
    one = st.sampled_from(
        [(section, key) for section in SECTIONS if section not in NOT_OF_PLAY for key in hints_of(SECTIONS[section])]
    ).flatmap(_setting)
    return st.one_of(one, one, one, _cakes(), _wins(), _prizes(), _ending(), _own_tier())


def _setting(where: tuple[str, str]) -> st.SearchStrategy[Change]:
    section, key = where
    return _values(section, key).map(lambda value: {section: {key: value}})


def _values(section: str, key: str) -> st.SearchStrategy[Any]:
    hint = hints_of(SECTIONS[section])[key]
    special: Mapping[str, Callable[[], st.SearchStrategy[Any]]] = {
        "ranks.order": _orders,
        "chase.tiers": lambda: st.lists(st.sampled_from(LOWER), unique=True),
    }
    path = f"{section}.{key}"
    if path in special:
        return special[path]()
    span = next((extra for extra in hint.__metadata__ if isinstance(extra, Between)), None)
    if span:
        return st.integers(span.low, min(span.low + 4, span.high))
    choice = st.sampled_from(choices_of(hint))
    plain = get_args(hint)[0] is bool or not str(get_args(hint)[0]).startswith("tuple")
    return choice if plain else st.lists(choice, unique=True)


@st.composite
def _orders(draw: st.DrawFn) -> list[list[str]]:
    """Some of the forms in any order, some of them equal; four 4s stay, for else no game would end soon."""
    forms = draw(st.permutations(FORMS))
    dropped = draw(st.sets(st.sampled_from(FORMS[:-1]), max_size=3))
    groups: list[list[str]] = []
    for form in forms:
        if form in dropped:
            continue
        if groups and draw(st.integers(0, 3)) == 0:
            groups[-1].append(form)
        else:
            groups.append([form])
    return groups


def _cakes() -> st.SearchStrategy[Change]:
    return st.dictionaries(st.sampled_from(LOWER), st.integers(0, 12), min_size=1).map(lambda cakes: {"cakes": cakes})


def _wins() -> st.SearchStrategy[Change]:
    entries = st.lists(st.sampled_from((*LOWER, *PATTERNS)), unique=True, max_size=3)
    return st.tuples(st.sampled_from(LOWER), entries).map(lambda pair: {"wins": {pair[0]: pair[1]}})


def _prizes() -> st.SearchStrategy[Change]:
    """A tier of several items among which the winner chooses."""
    counts = st.lists(st.integers(1, 3), min_size=1, max_size=3)
    return st.tuples(st.sampled_from(("zhuangyuan", *LOWER)), counts).map(
        lambda pair: {
            "cakes": {pair[0]: sum(pair[1])},
            "prizes": {pair[0]: [{"name": f"item {i}", "count": count} for i, count in enumerate(pair[1])]},
        }
    )


def _ending() -> st.SearchStrategy[Change]:
    """Endings that need two values at once."""
    throws = st.integers(1, 12).map(lambda each: {"when": "throws", "throws_each": each})
    minutes = st.just({"minutes": 30, "undecided": "three-dice"})
    both = st.integers(1, 4).map(lambda each: {"when": "throws", "throws_each": each, "undecided": "three-dice"})
    return st.one_of(throws, minutes, both).map(lambda ending: {"ending": ending})


def _own_tier() -> st.SearchStrategy[Change]:
    return st.tuples(st.sampled_from(PATTERNS), st.integers(1, 4), st.integers(1, 6)).map(
        lambda three: {
            "ranking": {"tiers": [*("zhuangyuan", *LOWER)[: three[2]], "own", *("zhuangyuan", *LOWER)[three[2] :]]},
            "cakes": {"own": three[1]},
            "wins": {"own": [three[0]]},
        }
    )
