"""What is generated from the message types is current, and says what the server does."""

import json
import re
import typing
from pathlib import Path

import pytest
from starlette.routing import Route

from bobing.server.app import make_app
from bobing.server.settings import Settings
from bobing.wire import calls, messages, schema
from bobing.wire.openapi import openapi

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", schema.files())
def test_a_generated_file_is_current(name):
    assert (ROOT / name).read_text("utf-8") == schema.files()[name], "run `python -m bobing.wire.schema`"


def test_every_message_and_body_is_in_all_of_them():
    kinds = [*typing.get_args(messages.ClientMessage), *typing.get_args(messages.ServerMessage)]
    tags = {kind.__struct_config__.tag: kind.__name__ for kind in kinds}
    typescript, json_schema = schema.typescript(), json.loads(schema.json_schema())
    for tag, name in tags.items():
        assert f'interface {name} {{\n  t: "{tag}";' in typescript
        assert name in json_schema["messages"]
        assert json_schema["$defs"][name]["properties"]["t"] == {"enum": [tag]}


def test_no_reference_leads_nowhere():
    for described in (openapi(), json.loads(schema.json_schema())):
        text = json.dumps(described)
        for target in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
            place = described
            for step in target.split("/"):
                place = place[step]


def test_every_route_below_api_is_described_with_its_body_and_its_answer():
    routes = [route for route in make_app(Settings(db="memory://")).routes if isinstance(route, Route)]
    served = {
        (method, route.path)
        for route in routes
        if route.path.startswith("/api")
        for method in (route.methods or set()) - {"HEAD"}
    }
    described = {
        (method.upper(), path): operation
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
    }
    assert served == described.keys()
    for (method, _), told in described.items():
        assert (method == "POST") == ("requestBody" in told)
    for told in described.values():
        assert told["responses"]["200"]["content"]
        assert told["summary"].endswith(".")


def test_every_path_parameter_and_token_is_described():
    for path, operations in openapi()["paths"].items():
        for told in operations.values():
            named = [parameter["name"] for parameter in told.get("parameters", ()) if parameter["in"] == "path"]
            assert named == re.findall(r"\{(\w+)\}", path)
    paths = openapi()["paths"]
    assert paths["/api/tables/{code}/record"]["get"]["security"] == [{"token": []}]
    assert "security" not in paths["/api/tables/{code}"]["get"]


def test_every_status_that_is_given_is_for_a_known_code():
    from errors_page import codes

    assert calls.STATUS.keys() - codes().keys() == set()
    for call in calls.CALLS:
        assert set(call.refusals) - codes().keys() == set()
