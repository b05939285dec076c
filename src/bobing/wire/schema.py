"""Writes down the wire for others: TypeScript types for the page, JSON Schema and OpenAPI for anybody."""

from __future__ import annotations

import json
import types
import typing

import msgspec
from msgspec import inspect

from bobing.wire import event_messages, messages
from bobing.wire.openapi import openapi

_HEAD = "// Generated from src/bobing/wire/messages.py by `python -m bobing.wire.schema`.\n"
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.IntType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def typescript() -> str:
    """All messages as TypeScript types; optional fields are those with a default."""
    mine = _structs(messages)
    parts = [_HEAD, "export type Words = Record<string, string>;\n"]
    parts += [_declared(kind) for kind in mine if kind.__name__ not in ("FromClient", "FromServer", "Command")]
    parts += [_union("ClientMessage", messages.ClientMessage), _union("ServerMessage", messages.ServerMessage)]
    parts.append(f"export const PROTOCOL = {messages.PROTOCOL};\n")
    return "\n".join(parts)


def event_typescript() -> str:
    """The messages of events as TypeScript types, beside those of tables."""
    names = ("Ack", "Bye", "ClaimView", "Ping", "Pong", "Refused", "RulesChoice", "Settings", "Words")
    head = _HEAD.replace("/messages.py", "/event_messages.py")
    unions = [_union("EventClientMessage", event_messages.EventClientMessage)]
    unions.append(_union("EventServerMessage", event_messages.EventServerMessage))
    parts = [head + f"import type {{ {', '.join(names)} }} from './protocol';\n"]
    return "\n".join([*parts, *map(_declared, _structs(event_messages)), *unions])


def _structs(module: types.ModuleType) -> list[type[msgspec.Struct]]:
    """The types that a module defines."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return [kind for kind in kinds if kind.__module__ == module.__name__]


def json_schema() -> str:
    """JSON Schema of every message and body, by name."""
    kinds = [
        *typing.get_args(messages.ClientMessage),
        *typing.get_args(messages.ServerMessage),
        *(messages.NewTable, messages.NewTableMade, messages.Joining, messages.Joined),
        *(messages.Inviting, messages.Invited),
        *(kind for kind in typing.get_args(event_messages.EventClientMessage) if kind is not messages.Ping),
        *(kind for kind in typing.get_args(event_messages.EventServerMessage) if kind.__module__ != messages.__name__),
        *(event_messages.NewEvent, event_messages.NewEventMade, event_messages.Pass),
        *(event_messages.Registering, event_messages.Registered, event_messages.ListRead),
    ]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    names = {kind.__name__: schema for kind, schema in zip(kinds, schemas, strict=True)}
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "messages": names, "$defs": components}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _declared(kind: type[msgspec.Struct]) -> str:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), "only structs are declared"
    lines = [f"  t: {json.dumps(info.tag)};"] if info.tag is not None else []
    lines += [f"  {field.name}{'' if field.required else '?'}: {_type(field.type)};" for field in info.fields]
    about = (kind.__doc__ or "").strip().splitlines()[0]
    return f"/** {about} */\nexport interface {kind.__name__} {{\n" + "".join(f"{line}\n" for line in lines) + "}\n"


def _union(name: str, union: types.UnionType) -> str:
    return f"export type {name} = {' | '.join(kind.__name__ for kind in typing.get_args(union))};\n"


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.LiteralType(values=values):
            return " | ".join(json.dumps(value) for value in values)
        case inspect.UnionType(types=several):
            return " | ".join(_type(one) for one in several if not isinstance(one, inspect.CustomType))
        case inspect.ListType(item_type=item):
            inner = _type(item)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case inspect.DictType(value_type=value):
            return f"Record<string, {_type(value)}>"
        case inspect.Metadata(type=inner):
            return _type(inner)
        case inspect.StructType(cls=struct):
            return struct.__name__
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(_type(item) for item in items)}]"
        case _:
            return _PLAIN.get(type(kind), "unknown")


def openapi_text() -> str:
    """The REST calls as OpenAPI."""
    return json.dumps(openapi(), ensure_ascii=False, indent=1) + "\n"


def files() -> dict[str, str]:
    """All that is generated: the text of each file by its path in the checkout."""
    return {
        "web/src/protocol.ts": typescript(),
        "web/src/event_protocol.ts": event_typescript(),
        "docs/protocol.schema.json": json_schema(),
        "docs/openapi.json": openapi_text(),
    }


def main() -> None:
    """Write the files into the checkout this module lies in."""
    from pathlib import Path

    root = Path(__file__).parents[3]
    for name, text in files().items():
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
