"""Atheris before everything that reads what people send: `python -m support.decoders -atheris_runs=10000`.

Bytes are steered to where the readers branch. A reader gives a value or raises one of our refusals; anything else ends
the process with a trace.
"""

import importlib
import sys
from contextlib import suppress
from io import BytesIO

atheris = importlib.import_module("atheris")  # made for some systems only

with atheris.instrument_imports(include=["bobing"]):
    from bobing.core.act_json import act_from_json
    from bobing.core.canonical import canonical_json, strict_json
    from bobing.core.dice import Roll
    from bobing.core.errors import BobingError
    from bobing.core.record import read_record
    from bobing.server.names import clean_name
    from bobing.server.opening import resolve
    from bobing.wire import messages as wire
    from bobing.wire.codec import read_body, read_message


def _message(text):
    message = read_message(text)
    if isinstance(message, wire.Do):
        act_from_json(message.act)


def _json(text):
    value = strict_json(text)
    assert strict_json(canonical_json(value).decode()) == value


def _act(text):
    value = strict_json(text)
    if isinstance(value, dict):
        act_from_json(value)


def _rules(text):
    resolve(read_body(text, wire.RulesChoice))


def _roll(text):
    assert str(Roll.parse(text)) == text


def _record(text):
    read_record(BytesIO(text.encode("utf-8", "surrogateescape")))


def _name(text):
    name = clean_name(text)
    assert clean_name(name) == name


READERS = (_message, _json, _act, _rules, _roll, _record, _name)


def read(data):
    """One input: its first byte says which reader, the others are the text."""
    if data:
        text = data[1:].decode("utf-8", "surrogateescape")
        with suppress(BobingError):
            READERS[data[0] % len(READERS)](text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
