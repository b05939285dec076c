"""What a notebook shows is told in the language of the locale; these tests read it in English."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _english():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C")
        yield
