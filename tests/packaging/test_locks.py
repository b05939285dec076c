"""The locks are in step with pyproject.toml: each names what the project asks for at versions that fit, no others."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
import dev  # noqa: E402

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
ENTRY = re.compile(r"^([\w.-]+)==([\w.+!-]+)(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)
WANTED_BY = re.compile(r"^ +# (?:via | {2})(?!-c )(\S+)", re.MULTILINE)
PINS = re.compile(r"--hash=(\S+)")


def entries(lock):
    """By name: the versions of a package (a marker each), the hashes of its files, and who wants it."""
    found = {}
    for name, version, rest in ENTRY.findall((ROOT / lock).read_text("utf-8")):
        versions, pins, by = found.setdefault(name, (set(), set(), set()))
        versions.add(version)
        pins.update(PINS.findall(rest))
        by.update(WANTED_BY.findall(rest))
    return found


def asked(lock):
    """What the project asks for in a lock."""
    lines = list(PROJECT["project"]["dependencies"])
    lines += PROJECT["dependency-groups"]["dev"] if lock == dev.DEV_LOCK else []
    lines += [line for extra in dev.EXTRAS.get(lock, ()) for line in EXTRAS[extra]]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("lock", [dev.RUN_LOCK, dev.DEV_LOCK, dev.SERVER_LOCK])
def test_a_lock_names_what_the_project_asks_for(lock):
    locked = entries(lock)
    direct = {name for name, (_, _, by) in locked.items() if any(one.startswith("bobing") for one in by)}
    assert direct == {canonicalize_name(one.name) for one in asked(lock)}
    for one in asked(lock):
        versions, _, _ = locked[canonicalize_name(one.name)]
        assert [version for version in versions if version not in one.specifier] == [], one
    strangers = {name: by for name, (_, _, by) in locked.items() if not by or by - locked.keys() - {"bobing"}}
    assert strangers == {}, "nobody wants these any more"


@pytest.mark.parametrize("lock", dev.EXTRAS)
def test_what_runs_is_what_was_tested(lock):
    tested = entries(dev.DEV_LOCK)
    for name, (versions, pins, _) in entries(lock).items():
        assert versions <= tested[name][0], name
        assert pins <= tested[name][1], name


def test_a_server_has_every_extra_but_those_that_simulate():
    assert set(dev.EXTRAS[dev.SERVER_LOCK]) == EXTRAS.keys() - {"sim", "cluster"}
