"""The REST calls as OpenAPI 3.1, made from the types of their bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from bobing.wire import calls
from bobing.wire.calls import PDF, RECORD_MAX, Call, Problem, refusals_of
from bobing.wire.codec import MESSAGE_MAX
from bobing.wire.event_calls import EVENT_CALLS, HANDOVER, LIST

VERSION = "1"
"""Of the calls; raised when one changes so that those who use it must change too."""
_ABOUT = (
    "The calls of a bobing server that are not live. What happens at a table goes over the WebSocket /ws instead, "
    "in the messages of protocol.schema.json. Every refusal has a stable code and says what to do in three languages."
)
_IN_PATH: Mapping[str, str] = {
    "code": "the code of the table or event, eight signs; small letters will do",
    "table": "the number of a table of the event",
    "what": "which list or paper; docs/events.md and docs/printing.md name them",
    "key": "the key or the id of a sheet, such as minnan or S12",
}
_JSON = "application/json"
CALLS: tuple[Call, ...] = (*calls.CALLS, *EVENT_CALLS)


def openapi() -> dict[str, Any]:
    """The description, as data.

    >>> sorted(openapi()["paths"]["/api/tables"]["post"]["responses"])
    ['200', '403', '404', '408', '413', '422', '429', '503']
    """
    typed = [kind for call in CALLS for kind in (call.body, call.answer) if kind is not None and kind not in _MEDIA]
    kinds: list[Any] = [Problem, *typed]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    made = {repr(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, made)
    return {
        "openapi": "3.1.0",
        "info": {"title": "bobing", "version": VERSION, "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "a token of the table or event"}
            },
        },
    }


_MEDIA: Mapping[str, str] = {
    "application/jsonl": f"a game record (docs/record.md), at most {RECORD_MAX} bytes",
    HANDOVER: "a whole event, as docs/events.md says; whoever has it has the event",
    PDF: "what is to be printed",
    LIST: "a CSV or XLSX file, at most 5 MB",
    "application/toml": f"a house rule file (docs/rules/house-rules.md), at most {MESSAGE_MAX} bytes",
}


def _operation(call: Call, made: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"operationId": call.name, "summary": call.about}
    parameters = [_parameter(name, "path", _IN_PATH[name]) for name in re.findall(r"\{(\w+)\}", call.path)]
    parameters += [_parameter(name, "query", about) for name, about in call.query.items()]
    if parameters:
        told["parameters"] = parameters
    if call.token:
        told["security"] = [{"token": []}]
    if call.body is not None:
        told["requestBody"] = {"required": True, "content": _content(call.body, made)}
    told["responses"] = {
        "200": {"description": "Done.", "content": _content(call.answer, made)},
        **{str(status): _refusal(status, codes, made) for status, codes in refusals_of(call).items()},
    }
    return told


def _parameter(name: str, place: str, about: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "required": place == "path" or name == "roll",
        "description": about,
        "schema": {"type": "string"},
    }


def _content(kind: Any, made: Mapping[str, Any]) -> dict[str, Any]:
    if kind in _MEDIA:
        return {kind: {"schema": {"type": "string", "description": _MEDIA[kind]}}}
    return {_JSON: {"schema": made[repr(kind)]}}


def _refusal(status: int, codes: list[str], made: Mapping[str, Any]) -> dict[str, Any]:
    about = f"{HTTPStatus(status).phrase}: {', '.join(codes)}"
    return {"description": about, "content": {_JSON: {"schema": made[repr(Problem)]}}}
