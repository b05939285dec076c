"""Examples in the documents do what they say.

These fenced blocks are run, kind by kind, in the order of the document:

- `python` blocks that begin with `>>>`, as one session for each document;
- `console` blocks, in one empty folder for each document: lines that begin with `$ ` are commands, lines with `>` go on
  with them, what follows is their output (in English). `...` in it stands for any text. A command without
  output must succeed;
- `toml` and `json` blocks must parse; a `json` block may hold one object a line.

Blocks of other kinds (`sh`, `text`) are for reading alone.
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (?P<command>.*(?:\n>.*)*)\n?(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks_of(document, kind):
    """The bodies of the document's blocks of that kind, without the indent they stand at."""
    found = BLOCK.findall(document.read_text("utf-8"))
    return [re.sub(f"^{indent}", "", body, flags=re.MULTILINE) for indent, named, body in found if named == kind]


def having(*kinds):
    """Parametrize over the documents that have blocks of these kinds."""
    found = [document for document in DOCUMENTS if any(blocks_of(document, kind) for kind in kinds)]
    return pytest.mark.parametrize("document", found, ids=lambda path: str(path.relative_to(ROOT)))


def faults_of_python(document):
    session = "\n".join(block for block in blocks_of(document, "python") if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(session, {}, document.name, str(document), 0)
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    return "".join(said)


def faults_of_console(document, folder):
    programs = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    checker, options = doctest.OutputChecker(), doctest.ELLIPSIS
    faults = []
    for found in COMMAND.finditer("".join(blocks_of(document, "console"))):
        command, output = re.sub(r"\n> ?", "\n", found["command"]), found["output"]
        with subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ) as process:
            got, _ = process.communicate(timeout=60)
        if output and not checker.check_output(output, got, options):
            faults.append(f"$ {command}\n{checker.output_difference(doctest.Example('', output), got, options)}")
        if not output and process.returncode:
            faults.append(f"$ {command}\nexit code {process.returncode}\n{got}")
    return "\n".join(faults)


@having("python")
def test_python_sessions(document):
    assert not (faults := faults_of_python(document)), faults


@having("console")
def test_console_sessions(document, tmp_path):
    assert not (faults := faults_of_console(document, tmp_path)), faults


@having("toml", "json")
def test_data_can_be_read(document):
    for block in blocks_of(document, "toml"):
        tomllib.loads(block)
    for block in blocks_of(document, "json"):
        for text in block.strip().splitlines() if "}\n{" in block else [block]:
            json.loads(text)


SESSION = """\
```console
$ cat > two.txt <<'END'
> one
>
> two
> END
$ cat two.txt; exit {code}
o...

t{vowel}o
$ bobing --version
bobing, version ...
$ test -f {file}
```

1. Indented:

   ```python
   >>> 6 * 10 + {few}
   63
   ```
"""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, ""),
        ({"code": 2}, ""),
        ({"vowel": "o"}, "too"),
        ({"file": "three.txt"}, "exit code 1"),
        ({"few": 2}, "62"),
    ],
)
def test_a_wrong_example_is_found(tmp_path, change, fault):
    document = tmp_path / "document.md"
    document.write_text(SESSION.format(**{"code": 0, "vowel": "w", "file": "two.txt", "few": 3, **change}), "utf-8")
    faults = faults_of_console(document, tmp_path) + faults_of_python(document)
    assert bool(faults) == bool(fault)
    assert fault in faults
