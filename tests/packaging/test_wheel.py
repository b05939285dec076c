"""What users install: the source package, the wheel made from it, and the command in an empty environment."""

import json
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
import uv

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "bobing"


def run(*command):
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the source package and the wheel that was built from that."""
    folder = tmp_path_factory.mktemp("dist")
    locked = ("--build-constraints", "requirements-dev.lock", "--require-hashes")
    run(uv.find_uv_bin(), "build", "-q", *locked, "--out-dir", folder)
    return folder


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The programs of an environment that has the wheel and what the lock names, nothing else."""
    folder = tmp_path_factory.mktemp("empty")
    run(uv.find_uv_bin(), "venv", "-q", folder / "env")
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    install = (uv.find_uv_bin(), "pip", "install", "-q", "--python", programs / "python")
    run(*install, "--require-hashes", "-r", "requirements.lock")
    run(*install, "--no-index", next(built.glob("*.whl")))
    return programs


def files_of_the_package():
    return {
        str(path.relative_to(ROOT / "src"))
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_the_package_and_the_licence(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {name for name in names if name.startswith("bobing/")} == files_of_the_package()
    licences = {name.partition(".dist-info/licenses/")[2] for name in names}
    assert {"LICENSE", "src/bobing/paper/fonts/OFL.txt", "web/public/fonts-OFL.txt"} <= licences


def test_the_source_package_holds_what_is_needed_to_test_it(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    wanted = {"pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "dev.py", "requirements-dev.lock", ".ci/run"}
    assert wanted <= names
    folders = ("bench", "deploy", "docs", "tests", "vectors")
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.is_file())
    there = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert there - names == set()


def test_the_wheel_needs_nothing_that_the_lock_does_not_name(installed):
    run(uv.find_uv_bin(), "pip", "check", "--python", installed / "python")


def test_the_installed_command_scores_a_throw(installed, tmp_path):
    done = subprocess.run(
        [installed / "bobing", "score", "444411", "--json"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["combination"] == "chajinhua"
