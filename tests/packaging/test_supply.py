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
two-b==2.0 ; python_version >= '3' \\
    --hash=sha256:11
far==3.0 ; sys_platform == 'nowhere' \\
    --hash=sha256:22
"""
NPM = {"packages": {"": {}, "node_modules/one": {}, "node_modules/one/node_modules/@a/two": {}}}
SOUND = {"name": "one", "version": "1.0", "vulns": []}
HOLED = {"name": "two-b", "version": "2.0", "vulns": [{"id": "PYSEC-1"}]}
SKIPPED = {"name": "two-b", "skip_reason": "could not be audited"}


def test_every_package_of_the_locks_is_in_the_bill():
    bill = json.loads(supply.sbom("9.8.7"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == "9.8.7"
    parts = {(one.get("group", ""), one["name"], one["version"]): one for one in bill["components"]}
    locked = re.findall(r"^([\w.-]+)==([\w.]+)", supply.RUN_LOCK.read_text("utf-8"), re.MULTILINE)
    page = json.loads(supply.WEB_LOCK.read_text("utf-8"))["packages"]
    names = [(path.rpartition("node_modules/")[2], entry["version"]) for path, entry in page.items() if path]
    wanted = {("", *one) for one in locked} | {(*split(name), version) for name, version in names}
    assert parts.keys() == wanted
    assert len(locked) > 10
    assert len(names) > 100
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
        ([SOUND, SKIPPED], (1, ["two-b"], [])),
        ([SOUND], (1, ["two-b"], [])),
        ([], (0, ["one", "two-b"], [])),
    ],
)
def test_what_pip_audit_says(told, audit):
    assert supply.read_pip(json.dumps({"dependencies": told}), LOCK) == audit


@pytest.mark.parametrize("told", ["", "no JSON", "[]", '{"dependencies": []}', '{"error": "endpoint"}'])
def test_an_answer_that_is_none_audits_nothing(told):
    assert supply.read_pip(told, LOCK).audited == supply.read_npm(told, NPM).audited == 0
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
