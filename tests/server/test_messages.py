"""The samples of vectors/messages: what is accepted comes back as it was, what is refused is refused with its code."""

import json
import typing
from pathlib import Path

import msgspec
import pytest

from bobing.core.act_json import act_from_json
from bobing.core.errors import BobingError
from bobing.server.names import clean_name
from bobing.server.opening import resolve
from bobing.wire import messages as wire
from bobing.wire.codec import read_body, read_message

FOLDER = Path(__file__).parents[2] / "vectors" / "messages"
BODIES = {kind.__name__: kind for kind in (wire.NewTable, wire.RulesChoice, wire.Joining, wire.Inviting)}


def samples(name):
    read = [json.loads(told) for told in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]
    assert all(len(sample) == (3 if name == "accepted" else 4) for sample in read)
    return read


def named(sample):
    return f"{sample['as']}, {sample['about']}"


ACCEPTED, REFUSED = samples("accepted"), samples("refused")


def taken(kind, text):
    """What a server makes of a text before it looks at a table; raises what it refuses with."""
    if kind == "ServerMessage":
        return msgspec.json.decode(text.encode(), type=wire.ServerMessage, strict=True)
    message = read_message(text) if kind == "ClientMessage" else read_body(text, BODIES[kind])
    if isinstance(message, wire.Do):
        act_from_json(message.act)
    for name in names_in(message):
        clean_name(name)
    rules = message if isinstance(message, wire.RulesChoice) else getattr(message, "rules", None)
    if rules is not None:
        resolve(rules)
    return message


def names_in(message):
    if isinstance(message, wire.NewTable):
        return message.players
    return [message.name] if isinstance(message, wire.AddSeat | wire.RenameSeat) else []


@pytest.mark.parametrize("sample", ACCEPTED, ids=named)
def test_what_is_accepted(sample):
    message = taken(sample["as"], json.dumps(sample["json"]))
    assert not lost(sample["json"], msgspec.to_builtins(message))


def lost(sent, kept):
    """The keys whose values did not come through; what is as by default may be left out."""
    if not isinstance(sent, dict):
        return sent != kept
    return [key for key, value in sent.items() if value and (key not in kept or lost(value, kept[key]))]


@pytest.mark.parametrize("sample", REFUSED, ids=named)
def test_what_is_refused(sample):
    with pytest.raises(BobingError) as refused:
        taken(sample["as"], sample["text"])
    assert refused.value.code == sample["code"]


def test_every_kind_of_message_is_among_those_accepted_and_refused():
    sent = {kind.__struct_config__.tag for kind in typing.get_args(wire.ClientMessage)}
    told = {kind.__struct_config__.tag for kind in typing.get_args(wire.ServerMessage)}
    assert {sample["json"]["t"] for sample in ACCEPTED if sample["as"] == "ClientMessage"} == sent
    assert {sample["json"]["t"] for sample in ACCEPTED if sample["as"] == "ServerMessage"} == told
    assert {sample["as"] for sample in ACCEPTED} == {"ClientMessage", "ServerMessage", *BODIES}
    refused = "".join(sample["text"] for sample in REFUSED).replace('": "', '":"')
    assert [tag for tag in sent if f'"t":"{tag}"' not in refused] == []
    assert {sample["as"] for sample in REFUSED} == {"ClientMessage", *BODIES}
