"""What the import contracts cannot say: which outside packages a layer may use at all."""

import ast
import sys
from pathlib import Path

import pytest

import bobing

PACKAGE = Path(bobing.__file__).parent
STANDARD = sys.stdlib_module_names | {"bobing"}


def imported_by(module):
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            assert node.module
            yield node.module.partition(".")[0]


OUTSIDE = {
    "core": set[str](),
    "i18n": set[str](),
    "ports.py": set[str](),
    "wording.py": set[str](),
    "telling.py": set[str](),
    "naming.py": set[str](),
    "points.py": set[str](),
    "wire": {"msgspec"},
    "fairness": {"py_ecc"},
    "adapters": {"apsw", "nats", "psycopg"},
    "odds": {"distributed", "numba", "numpy"},
    "tournament": {"msgspec"},
    "spreadsheet": {"python_calamine", "xlsxwriter"},
    "server": {"msgspec", "starlette", "uvicorn", "websockets"},
    "paper": {"segno", "typst"},
    "cli": {"click", "rich", "segno", "uvicorn", "websockets"},
}


@pytest.mark.parametrize(("layer", "outside"), OUTSIDE.items(), ids=OUTSIDE)
def test_a_layer_imports_only_what_it_may(layer, outside):
    allowed = STANDARD | outside
    modules = [PACKAGE / layer] if layer.endswith(".py") else sorted((PACKAGE / layer).rglob("*.py"))
    assert modules
    strangers = [(module.name, name) for module in modules for name in imported_by(module) if name not in allowed]
    assert not strangers


def test_the_core_goes_round_no_contract():
    """What would import, draw or talk without an import statement that the contracts can see."""
    for module in sorted((PACKAGE / "core").rglob("*.py")):
        calls = [node.func for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Call)]
        names = {call.id for call in calls if isinstance(call, ast.Name)}
        names |= {call.attr for call in calls if isinstance(call, ast.Attribute)}
        assert not names & {"__import__", "import_module", "eval", "exec", "print", "input", "urandom"}, module
