"""A PostgreSQL and a NATS server of our own for the tests of this folder, each started when first asked for."""

import secrets

import pytest

from support.services import nats_running, postgres_running


@pytest.fixture(scope="session")
def postgres():
    with postgres_running() as server:
        yield server


@pytest.fixture(scope="session")
def nats_server():
    with nats_running() as server:
        yield server


@pytest.fixture
def postgres_url(postgres):
    """A schema of its own for each test."""
    return postgres.url(f"t{secrets.token_hex(6)}")
