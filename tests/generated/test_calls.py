"""Calls made up from docs/openapi.json, right ones and wrong ones: every answer is described, none is a fault."""

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.generation import GenerationMode

from bobing.server.limits import Buckets
from server.live import new_table, serving
from support.faults import no_faults

ROOT = Path(__file__).parents[2]
SCHEMA: Any = schemathesis.openapi.from_path(ROOT / "docs" / "openapi.json")
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]
SENT = {
    "/api/tables/from-record": sorted((ROOT / "vectors" / "games").glob("*.jsonl")),
    "/api/rules/file": sorted((ROOT / "src" / "bobing" / "core" / "sheets").glob("*.toml")),
}
"""Calls whose body is a file, and files that are sent so."""
CHECKS = [
    *(checks.not_a_server_error, checks.status_code_conformance),
    *(checks.response_schema_conformance, checks.content_type_conformance),
]
BEFORE_THE_CALL = {400, 404, 405}
"""Answers of the router and of the HTTP parser, to what never became a call."""


@pytest.fixture(scope="module")
def table():
    """A server without limits of rate, and a table of it that is in play."""
    answers = Counter()
    with pytest.MonkeyPatch.context() as patch, serving() as base, requests.Session() as session:
        patch.setattr(Buckets, "take", lambda *_: True)
        session.hooks["response"] = [lambda answer, *_, **__: answers.update([answer.status_code])]
        yield base, *new_table(base, "a", "b"), session
    print(f"\n{answers.total()} calls, answered with {dict(sorted(answers.items()))}")


@pytest.fixture(autouse=True)
def _sound():
    with no_faults():
        yield


def try_out(data, operation, table, *, every_way=False):
    """A call made up, for the table there is or another, with its host's right or none; or in each of these ways."""
    base, code, token, session = table
    mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
    try:
        case = data.draw(operation.as_strategy(generation_mode=mode))
    except schemathesis.errors.SchemathesisError:  # nothing about this call can be wrong
        case = data.draw(operation.as_strategy())
    codes = [case.path_parameters["code"], *[code] * 3] if "code" in (case.path_parameters or {}) else [""]
    ways = list(product(dict.fromkeys(codes), ({}, {"authorization": f"Bearer {token}"})))
    if not every_way:
        ways = [(data.draw(st.sampled_from(codes)), data.draw(st.sampled_from(ways))[1])]
    for named, headers in ways:
        if named:
            case.path_parameters["code"] = named
        answer = case.call(base_url=base, session=session, headers=headers, timeout=30)
        if answer.status_code not in BEFORE_THE_CALL:
            case.validate_response(answer, checks=CHECKS)
        assert answer.status_code < 500 or answer.json()["code"].startswith("log/")


@st.composite
def torn(draw, files):
    """A file with something else here and there; its end may be missing."""
    data = bytearray(draw(st.sampled_from(files)).read_bytes()[: draw(st.integers(200, 30_000))])
    odd = st.sampled_from([b"}", b"\n", b'"', b"-0", b"1e9", b"NaN", b"[[", b"9", b"=", b"]"])
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 4))] = draw(st.one_of(st.binary(max_size=4), odd))
    return bytes(data)


@pytest.mark.parametrize("path", SENT)
def test_files_of_any_form_are_answered(path, table):
    base, _, _, session = table

    @settings(max_examples=25, deadline=None)
    @given(torn(SENT[path]))
    def some(data):
        answer = session.post(base + path, data=data, timeout=30)
        assert answer.status_code in (200, 404, 422, 429)
        assert answer.status_code == 200 or set(answer.json()) >= {"code", "words", "detail"}

    some()


PACKED = "/api/events/takeover"
"""Its body is compressed; tests/generated/test_decoders.py tears such files."""
SPOKEN = [operation for operation in OPERATIONS if operation.path not in {*SENT, PACKED}]


@pytest.mark.parametrize("operation", SPOKEN, ids=lambda operation: operation.label)
def test_calls_of_any_form_are_answered(operation, table):
    @settings(max_examples=20, deadline=None)
    @given(st.data())
    def some(data):
        try_out(data, operation, table)

    some()


@pytest.mark.deep
@pytest.mark.parametrize("operation", SPOKEN, ids=lambda operation: operation.label)
def test_very_many_calls_of_any_form_are_answered(operation, table):
    @settings(max_examples=1_000, deadline=None)
    @given(st.data())
    def many(data):
        try_out(data, operation, table, every_way=True)

    many()
