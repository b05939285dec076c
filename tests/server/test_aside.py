"""The process beside the server's: what it gives, refuses and outlives."""

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from unittest.mock import patch

import pytest

from bobing.core.catalogue import find_sheet
from bobing.core.errors import ActRefused, BobingError, OddsError, RulesError
from bobing.server.aside import WAITING_MAX, Aside


def beside(scenario):
    """A test of a process that is ended after it."""

    @wraps(scenario)
    def test():
        aside = Aside()
        try:
            asyncio.run(scenario(aside))
        finally:
            aside.close()

    del test.__wrapped__
    return test


@beside
async def test_work_is_done_elsewhere_and_refusals_come_back(aside):
    assert await aside.run(os.getpid) != os.getpid()
    assert await aside.run(os.getpid) == await aside.run(os.getpid)
    with pytest.raises(RulesError) as refused:
        await aside.run(find_sheet, "S99")
    assert refused.value.code == "rules/unknown_sheet"


@beside
async def test_a_process_that_died_is_replaced(aside):
    before = await aside.run(os.getpid)
    os.kill(before, 9)
    assert await aside.run(os.getpid) not in (before, os.getpid())


@beside
async def test_work_that_kills_it_or_takes_too_long_is_given_up(aside):
    with pytest.raises(OddsError) as refused:
        await aside.run(os._exit, 1)
    assert refused.value.code == "odds/gave_up"
    with patch("bobing.server.aside.PATIENCE_S", 0.05), pytest.raises(OddsError) as refused:
        await aside.run(time.sleep, 600)
    assert refused.value.code == "odds/gave_up"


@beside
async def test_a_bug_there_is_an_error_here_and_ends_nothing(aside):
    before = await aside.run(os.getpid)
    with pytest.raises(ValueError, match="invalid literal"):
        await aside.run(int, "x")
    assert await aside.run(os.getpid) == before


@beside
async def test_few_may_wait(aside):
    told = await asyncio.gather(*(aside.run(os.getpid) for _ in range(WAITING_MAX + 3)), return_exceptions=True)
    assert [one.code for one in told if isinstance(one, BobingError)] == ["table/slow_down"] * 3
    assert isinstance(told[0], int)
    assert not any(isinstance(one, Exception) and not isinstance(one, ActRefused | BobingError) for one in told)


@beside
async def test_who_waits_takes_no_thread(aside):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    asked = [asyncio.ensure_future(aside.run(time.sleep, 600)) for _ in range(3)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(asyncio.to_thread(os.getpid), 30) == os.getpid()
    for one in asked:
        one.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    await asyncio.get_running_loop().run_in_executor(None, aside.close)


@beside
async def test_closed_it_starts_nothing_any_more(aside):
    aside.close()
    with pytest.raises(OddsError):
        await aside.run(os.getpid)
