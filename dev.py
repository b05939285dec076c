#!/usr/bin/env python3
"""One command for each need; only Python 3.11 or newer is required, everything else is set up in .venv.

python3 dev.py setup              make .venv with all tools and the command .venv/bin/bobing
python3 dev.py run [ARGS]         serve the page, open it, and let phones in; ARGS for `bobing serve`
python3 dev.py test [ARGS]        checks and all tests; with ARGS only `pytest ARGS`
python3 dev.py test --deep        the same with the tests that take minutes
python3 dev.py check [--fix]      lint, format, types, layers
python3 dev.py bench [NAMES]      the benchmarks of bench/
python3 dev.py docs               the tests of the documents
python3 dev.py audit              ask whether packages have known holes; 3 where that cannot be asked here
python3 dev.py sbom [FILE]        what bobing is made of, as CycloneDX JSON
python3 dev.py lock [ARGS]        renew the lock files (ARGS for uv, such as --upgrade)
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
RUN_LOCK, DEV_LOCK, SERVER_LOCK = "requirements.lock", "requirements-dev.lock", "requirements-server.lock"
# The extras of bobing in each: lists and papers for whoever runs it from here, all that a server can use for the image.
EXTRAS = {RUN_LOCK: ("event", "paper"), SERVER_LOCK: ("beacon", "event", "nats", "paper", "postgres")}
# These alone must reach every line of the core, and are measured: that slows whatever plays games fourfold.
CORE = ("src/bobing/core", "tests/unit/core", "tests/rules", "tests/property")
SIDE_BY_SIDE = ("-n2", "--dist=loadfile", "--no-loadscope-reorder")  # a file's server and browser start once
# A user's own habits that would send packages elsewhere, mix others in, or make each start compile everything anew.
UNWANTED = {"PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PIP_CONSTRAINT", "PIP_TARGET", "PIP_USER"}


def call(*command: object, **more: str) -> int:
    """Run a command in the repository and give its exit code; `more` is added to the environment."""
    words = [str(word) for word in command]
    print("+", *(word.removeprefix(f"{ROOT}{os.sep}") for word in words), flush=True)
    return subprocess.run(words, cwd=ROOT, env={**environment(), **more}, check=False).returncode


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in UNWANTED}


def must(*command: object, **more: str) -> None:
    if code := call(*command, **more):
        sys.exit(f"dev.py: the last command failed with code {code}.")


def make_venv() -> None:
    """Make .venv with uv in it. Debian's python3 comes without ensurepip, which a package of its own holds."""
    if PYTHON.exists() and shutil.which("uv", path=str(BIN)):
        return
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        if not shutil.which("apt-get") or os.geteuid() != 0:
            sys.exit(f"This Python cannot make environments. Run `sudo apt-get install {package}`, then try again.")
        must("apt-get", "update", "-qq")
        must("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", package)
    must(sys.executable, "-m", "venv", "--clear", VENV)
    # pip wants the hash beside the name: the lock's entry for uv, alone.
    entry = re.search(r"^uv==.*?(?=^\S|\Z)", (ROOT / DEV_LOCK).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    (VENV / "uv.txt").write_text(entry[0] if entry else "uv")
    must(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", VENV / "uv.txt")


def stamp(lock: str) -> str:
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in (lock, "pyproject.toml"))).hexdigest()


def setup(lock: str = DEV_LOCK) -> None:
    """Install what the lock names, and bobing from src/ with its page, unless that was done for these very files."""
    make_venv()
    marks = {name: VENV / f"{name}.done" for name in (lock, DEV_LOCK)}  # the development lock holds both
    done = [name for name, mark in marks.items() if mark.is_file() and mark.read_text() == stamp(name)]
    tools = DEV_LOCK in (lock, *done)
    install = (BIN / "uv", "pip", "install", "-q", "--compile-bytecode", "--python", PYTHON)
    package = (*install, "--no-deps", "--build-constraints", DEV_LOCK, "-e", ".")
    if not done:
        must(*install, "--require-hashes", "-r", lock)
    if tools and not done:
        must(*package, BOBING_SKIP_WEB="1")  # Node is among the tools: see below
    elif not tools and (not done or call(PYTHON, "web/build.py", "--fresh")):
        print("building the page, about a minute", flush=True)
        must(*package)  # its build hook brings Node
    if tools:
        must(PYTHON, "web/build.py")
    marks[lock].write_text(stamp(lock))


def chromium() -> str:
    """The browser of the browser tests."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = next(filter(None, [os.environ.get("CHROMIUM"), *map(shutil.which, names)]), None)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        must("apt-get", "update", "-qq")
        must("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-cjk")
        found = shutil.which("chromium")
    return found or sys.exit("The browser tests need Chromium: install it, or set CHROMIUM=/path/to/it.")


def run(*args: str) -> int:
    setup(RUN_LOCK)
    words = [str(BIN / "bobing"), "serve", "--open", *args]
    if os.name == "posix":  # in our place, so that signals reach it and it ends in its own time
        os.execve(words[0], words, environment())  # noqa: S606 - as every call here, without a shell
    return call(*words)


def check(*args: str) -> int:
    setup()
    ruff = [call(BIN / "ruff", "check", *args), call(BIN / "ruff", "format", *([] if "--fix" in args else ["--check"]))]
    types = [call(BIN / "basedpyright"), call(PYTHON, "web/build.py", "check")]
    return int(any([*ruff, *types, call(BIN / "lint-imports")]))


def pytest(*args: str, **env: str) -> int:
    return call(PYTHON, "-m", "pytest", "-q", *args, CHROMIUM=chromium(), **env)


def marks(deep: bool, *more: str) -> str:  # noqa: FBT001
    return " and ".join([*more, *([] if deep else ["not deep"])])


def test(*args: str) -> int:
    setup()
    deep, rest = "--deep" in args, [word for word in args if word != "--deep"]
    profile = {"HYPOTHESIS_PROFILE": "deep" if deep else "quick"}
    if rest:
        return pytest(*rest, **profile)
    failed = ["checks"] if check() else []
    if call(PYTHON, "web/build.py", "test"):
        failed.append("tests of the page")
    if pytest(*SIDE_BY_SIDE, *(f"--ignore={path}" for path in CORE), "-m", marks(deep), **profile):
        failed.append("tests")
    if pytest(*SIDE_BY_SIDE, *CORE, "-m", marks(deep, "exhaustive"), **profile):
        failed.append("exhaustive tests of the core")
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "coverage"))
        if pytest(*SIDE_BY_SIDE, *CORE, "-m", marks(deep, "not exhaustive"), "--cov", COVERAGE_FILE=data, **profile):
            failed.append("tests of the core")
    print("dev.py test:", f"FAILED: {', '.join(failed)}" if failed else "all is well")
    return 1 if failed else 0


def bench(*names: str) -> int:
    setup()
    scripts = [p for p in sorted((ROOT / "bench").glob("[!_]*.py")) if not names or p.stem in names]
    if not scripts:
        sys.exit("dev.py: no such benchmark in bench/")
    return int(any(call(PYTHON, script) for script in scripts))


def docs(*args: str) -> int:
    setup()
    return pytest("tests/docs", *args)


def audit() -> int:
    setup()
    return call(PYTHON, "supply.py", "audit")


def sbom(*args: str) -> int:
    setup()
    return subprocess.run([PYTHON, "supply.py", "sbom", *args], cwd=ROOT, env=environment(), check=False).returncode


def lock(*args: str) -> None:
    setup()
    made = ("--universal", "--python-version=3.11", "--generate-hashes", "--no-emit-index-url", "--no-header", *args)
    compiled = (BIN / "uv", "pip", "compile", "-q", "pyproject.toml", *made)
    run, server = ([f"--extra={extra}" for extra in EXTRAS[name]] for name in (RUN_LOCK, SERVER_LOCK))
    must(*compiled, *run, "-o", RUN_LOCK)
    must(*compiled, *run, "--group", "dev", "-c", RUN_LOCK, "-o", DEV_LOCK)
    must(*compiled, *server, "-c", DEV_LOCK, "-o", SERVER_LOCK)  # at the versions that were tested


def main(name: str = "", *args: str) -> int | None:
    if sys.version_info < (3, 11):
        sys.exit(f"dev.py needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    jobs = {job.__name__: job for job in (setup, run, test, check, bench, docs, audit, sbom, lock)}
    return jobs[name](*args) if name in jobs else sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
