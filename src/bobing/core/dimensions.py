"""The 52 points on which printed sheets differ, and the settings that express each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from bobing.core.reading import dimensions_of, hints_of
from bobing.core.rules import RuleSet
from bobing.core.settings import SECTIONS

POINTS: tuple[str, ...] = (
    *("G1", "G2", "G3", "G4", "G5"),
    *("K1", "K2", "K3", "K4", "K5"),
    *("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"),
    *("Z1", "Z2", "Z3", "Z4", "Z5", "Z6", "Z7", "Z8", "Z9", "Z10", "Z11", "Z12"),
    *("E1", "E2", "E3", "E4", "E5", "E6", "E7"),
    *("X1", "X2", "X3", "X4"),
    *("N1", "N2", "N3", "N4", "N5"),
    *("U1", "U2", "U3", "U4", "U5"),
)
_OPEN_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "cakes": ("K1", "K2"),
    "total": ("K2",),
    "ranking": ("K3",),
    "titles": ("K4",),
    "tier_names": ("K4",),
    "points": ("K5",),
    "prizes": ("U4",),
}
_WINS: Mapping[str, tuple[str, ...]] = {"yixiu": ("C1",), "sijin": ("C2",), "sanhong": ("C3",), "duitang": ("C4",)}


def points_of(section: str, key: str) -> tuple[str, ...]:
    """The points of difference that a key of a rule file belongs to; () where it belongs to none.

    >>> points_of("liubohong", "takes"), points_of("cakes", "yixiu")
    (('E3',), ('K1', 'K2'))
    """
    if section in SECTIONS:
        hint = hints_of(SECTIONS[section]).get(key)
        return dimensions_of(hint) if hint is not None else ()
    if section == "wins":
        return _WINS.get(key, ("K1",))
    return _OPEN_SECTIONS.get(section, ())


@cache
def settings_by_point() -> Mapping[str, Sequence[str]]:
    """The dotted keys of each point, such as `{"E3": ["chajinhua.protected", "liubohong.takes", …]}`."""
    found: dict[str, list[str]] = {point: [] for point in POINTS}
    for section, kind in SECTIONS.items():
        for key, hint in hints_of(kind).items():
            for point in dimensions_of(hint):
                found[point].append(f"{section}.{key}")
    for section, points in _OPEN_SECTIONS.items():
        for point in points:
            found[point].append(section)
    for key, points in _WINS.items():
        for point in points:
            found[point].append(f"wins.{key}")
    return found


def value_at(rules: RuleSet, path: str) -> object:
    """The plain value of a dotted key or of a whole open section."""
    if path == "total":
        return sum(rules.cakes.values())
    section, _, key = path.partition(".")
    values = rules.plain[section]
    return values.get(key) if key else values


def differences(left: RuleSet, right: RuleSet) -> Mapping[str, Mapping[str, tuple[object, object]]]:
    """Point by point, the keys in which two rule sets differ: `{point: {key: (left, right)}}`."""
    found: dict[str, dict[str, tuple[object, object]]] = {}
    for point, paths in settings_by_point().items():
        for path in paths:
            pair = value_at(left, path), value_at(right, path)
            if pair[0] != pair[1]:
                found.setdefault(point, {})[path] = pair
    return found
