"""Reading what clients send: strict JSON first, then the types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast, get_args

import msgspec

from bobing.core.canonical import JsonError, strict_json
from bobing.core.errors import BobingError
from bobing.wire.event_messages import EventClientMessage
from bobing.wire.messages import ClientMessage, Cmd

MESSAGE_MAX = 65_536
_Body = TypeVar("_Body", bound=msgspec.Struct)


class MessageRefused(BobingError):
    """A message that is not of the agreed form. why: what of it is not, where that is known."""

    code = "table/bad_message"

    def __init__(self, message: str, code: str | None = None, *, why: str = "") -> None:
        super().__init__(message, code)
        self.why = why


def read_message(text: str) -> ClientMessage:
    """A client's message; raises MessageRefused.

    >>> read_message('{"t":"ping"}')
    Ping()
    """
    return _converted(text, ClientMessage)


def read_event_message(text: str) -> EventClientMessage:
    """A message of a client at an event; raises MessageRefused."""
    return _converted(text, EventClientMessage)


def read_body(text: str, kind: type[_Body]) -> _Body:
    """The body of a REST call; raises MessageRefused."""
    return _converted(text, kind)


@cache
def _by_tag(kind: Any) -> Mapping[str, Any]:
    """The messages of a union by their tags; nothing for a single one. msgspec looks a union up anew with each call."""
    return {one.__struct_config__.tag: one for one in get_args(kind)}


def cmd_in(text: str) -> str | None:
    """The `cmd` of a message that cannot be read otherwise, so that whoever sent it knows which one was refused.

    >>> cmd_in('{"cmd": "0123456789abcdef", "act": {"undo": 1000000000000000000000000000000}}')
    '0123456789abcdef'
    """
    try:
        cmd = json.loads(text)["cmd"]
        return msgspec.convert(cmd, Cmd)
    except (ValueError, KeyError, TypeError, RecursionError, msgspec.ValidationError):
        return None


def _converted(text: str, kind: Any) -> Any:
    if len(text) > MESSAGE_MAX:
        raise MessageRefused(f"a message has at most {MESSAGE_MAX} signs", "table/too_large")
    try:
        value = strict_json(text)
        tag = cast("dict[str, object]", value).get("t") if isinstance(value, dict) else None
        return msgspec.convert(value, _by_tag(kind).get(tag, kind) if isinstance(tag, str) else kind, strict=True)
    except (JsonError, msgspec.ValidationError) as bad:
        raise _formless(str(bad)) from None
    except RecursionError:
        raise _formless("it is nested too deeply") from None


def _formless(why: str) -> MessageRefused:
    return MessageRefused(f"this message has not the right form: {why}", why=why)
