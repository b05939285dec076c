"""A server that takes whatever comes, shared by those attacks that need no other."""

import pytest

from attacks.raw import http
from server.live import serving


@pytest.fixture(scope="session", autouse=True)
def _calls():
    yield
    http.close()


@pytest.fixture(scope="session")
def base():
    with serving(tables_per_hour=100_000, guesses_per_minute=100_000, messages_per_minute=100_000) as address:
        yield address
