"""What bobing is made of is told whole, and an audit that could not ask does not pass."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
import supply  # noqa: E402

LOCK = """\
one==1.0 \\
    --hash=sha256:00
    # via bobing (pyproject.toml)
two-b==2.0 ; python_version >= '3' \\
    --hash=sha256:11
    # via
    #   bobing (pyproject.toml)
    #   far
two-b==2.1 ; python_version < '3' \\
    --hash=sha256:12
far==3.0 ; sys_platform == 'nowhere' \\
    --hash=sha256:22
    # via one
tool==4.0 \\
    --hash=sha256:33
    # via bobing (pyproject.toml:dev)
"""
PINNED = [("one", "1.0"), ("two-b", "2.0")]
LOCKS = (supply.RUN_LOCK, supply.SERVER_LOCK, supply.DEV_LOCK)
NPM = {"packages": {"": {}, "node_modules/one": {}, "node_modules/one/node_modules/@a/two": {}}}
SOUND = {"name": "one", "version": "1.0", "vulns": []}
HOLED = {"name": "two-b", "version": "2.0", "vulns": [{"id": "PYSEC-1"}]}
SKIPPED = {"name": "two-b", "skip_reason": "could not be audited"}


def test_every_package_of_the_locks_is_in_the_bill():
    bill = json.loads(supply.sbom("9.8.7"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == "9.8.7"
    parts = {(one.get("group", ""), one["name"], one["version"]): one for one in bill["components"]}
    run, server, tools = (
        {("", *one) for one in re.findall(r"^([\w.-]+)==([\w.+]+)", lock.read_text("utf-8"), re.MULTILINE)}
        for lock in (supply.RUN_LOCK, supply.SERVER_LOCK, supply.DEV_LOCK)
    )
    page = json.loads(supply.WEB_LOCK.read_text("utf-8"))["packages"]
    names = {(*split(path.rpartition("node_modules/")[2]), entry["version"]) for path, entry in page.items() if path}
    assert parts.keys() >= run | server | names
    assert parts.keys() <= tools | names
    of_extras = {name for group, name, _ in parts.keys() - names}
    assert {"numba", "numpy", "distributed", "psycopg", "nats-py", "py-ecc", "typst"} <= of_extras
    assert not of_extras & {"pytest", "ruff", "uv", "pip-audit", "basedpyright", "playwright"}
    assert len(run) > 10
    assert len(names) > 100
    scopes = {one["name"]: one["scope"] for one in parts.values()}
    named = ("apsw", "psycopg", "numba", "svelte", "three", "vite", "vitest")
    assert [scopes[name] for name in named] == [
        *["required", "optional", "optional"],
        *["required"] * 2,
        *["excluded"] * 2,
    ]
    assert all(one["hashes"] and one["purl"].startswith("pkg:") for one in parts.values())
    assert json.loads(supply.sbom("9.8.7"))["serialNumber"] == bill["serialNumber"]


def split(name):
    group, _, bare = name.rpartition("/")
    return group, bare


@pytest.mark.parametrize(
    ("told", "audit"),
    [
        ([SOUND, {**HOLED, "vulns": []}], (2, [], [])),
        ([SOUND, HOLED], (2, [], ["two-b 2.0: PYSEC-1"])),
        ([SOUND, SKIPPED], (1, ["two-b 2.0"], [])),
        ([SOUND, {**HOLED, "version": "2.1"}], (1, ["two-b 2.0"], ["two-b 2.1: PYSEC-1"])),
        ([SOUND], (1, ["two-b 2.0"], [])),
        ([], (0, ["one 1.0", "two-b 2.0"], [])),
    ],
)
def test_what_pip_audit_says(told, audit):
    assert supply.read_pip([json.dumps({"dependencies": told})], PINNED) == audit


def test_every_package_is_asked_about_for_whichever_system_it_is():
    """pip-audit would leave out what its marker says is not for here, and say nothing of it."""
    assert supply.rounds([LOCK, LOCK]) == [
        [("one", "1.0"), ("two-b", "2.0"), ("far", "3.0"), ("tool", "4.0")],
        [("two-b", "2.1")],
    ]
    asked = [one for each in supply.rounds(lock.read_text("utf-8") for lock in LOCKS) for one in each]
    locked = {one for lock in LOCKS for one in re.findall(r"^([\w.-]+)==([\w.+]+)", lock.read_text(), re.MULTILINE)}
    assert set(asked) == locked
    assert {"colorama", "tzdata", "numpy"} <= {name for name, _ in asked}


def test_what_only_extras_bring_is_optional_and_what_developers_use_is_left_out():
    project = {"dependencies": ["one>=1"], "optional-dependencies": {"more": ["two_b>=2"], "all": ["bobing[more]"]}}
    parts = supply.pip_packages(LOCK, project)
    assert [(one.name, one.version, one.scope.value) for one in parts] == [
        *[("one", "1.0", "required"), ("two-b", "2.0", "required"), ("two-b", "2.1", "required")],
        ("far", "3.0", "required"),
    ]
    parts = supply.pip_packages(LOCK, {**project, "dependencies": []})
    assert [(one.name, one.version, one.scope.value) for one in parts] == [
        *[("two-b", "2.0", "optional"), ("two-b", "2.1", "optional")],
    ]


@pytest.mark.parametrize("told", ["", "no JSON", "[]", '{"dependencies": []}', '{"error": "endpoint"}'])
def test_an_answer_that_is_none_audits_nothing(told):
    assert supply.read_pip([told], PINNED).audited == supply.read_npm(told, NPM).audited == 0
    assert len(supply.read_npm(told, NPM).unaudited) == 2


def test_what_npm_audit_says():
    assert supply.read_npm('{"vulnerabilities": {}}', NPM) == (2, [], [])
    told = '{"vulnerabilities": {"one": {"severity": "high"}}}'
    assert supply.read_npm(told, NPM) == (2, [], ["one: high"])


@pytest.mark.parametrize(
    ("audits", "status"),
    [
        ([(2, [], []), (3, [], [])], 0),
        ([(2, [], []), (2, ["x"], [])], supply.NOT_AUDITED),
        ([(0, ["x"], []), (3, [], ["y: high"])], supply.HOLES),
    ],
)
def test_only_a_whole_audit_passes(audits, status):
    said = []
    assert supply.verdict({str(i): supply.Audit(*one) for i, one in enumerate(audits)}, said.append) == status
    assert any("not audited here" in line for line in said) is (status == supply.NOT_AUDITED)
