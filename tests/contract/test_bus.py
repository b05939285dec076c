"""What every bus promises: the same tests for each adapter."""

import asyncio
import signal
from contextlib import asynccontextmanager

import pytest

from bobing.adapters import open_bus
from bobing.core.errors import BobingError


@pytest.fixture(params=["memory", "nats"])
def opened(request):
    """Opens a bus, and gives another that stands for another process; in memory they are the same."""
    url = "memory://" if request.param == "memory" else request.getfixturevalue("nats_server").url

    @asynccontextmanager
    async def opening():
        one = open_bus(url)
        two = one if request.param == "memory" else open_bus(url)
        try:
            for bus in (one, two):
                end = await bus.follow("warm", lambda _: None)
                await until(lambda bus=bus: bus.up)
                end()
            yield one, two
        finally:
            await one.close()
            await two.close()

    return opening


async def until(true, seconds=60):
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0.01)


def run(test):
    return asyncio.run(asyncio.wait_for(test(), 300))


async def follow(bus, other, stream, heard):
    """Follow, and wait until word gets through."""
    got = []
    end = await bus.follow(stream, lambda n: (got.append(n), heard.append(n)))
    async with asyncio.timeout(60):
        while not got:
            other.publish(stream, 0)
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    heard.clear()
    return end


@pytest.mark.parametrize("stream", ["ABCD2345", "event/ABCD2345", "饼 *.>", "a\r\nPUB"])
def test_who_follows_hears_of_that_stream_alone(opened, stream):
    async def test():
        async with opened() as (one, two):
            heard = []
            await follow(one, two, stream, heard)
            two.publish("other", 9)
            two.publish(stream, 7)
            two.publish(stream, 8)
            await until(lambda: len(heard) == 2)
            assert heard == [7, 8]

    run(test)


def test_who_has_ended_hears_nothing_more(opened):
    async def test():
        async with opened() as (one, two):
            first, second = [], []
            end = await follow(one, two, "A", first)
            await follow(one, two, "A", second)
            first.clear()
            end()
            two.publish("A", 1)
            await until(lambda: second)
            assert (first, second) == ([], [1])

    run(test)


def test_a_bus_that_is_down_loses_word_and_nothing_else(nats_server):
    async def test():
        one, two = open_bus(nats_server.url), open_bus(nats_server.url)
        heard = []
        await follow(one, two, "A", heard)
        nats_server.stop()
        await until(lambda: not one.up and not two.up)
        two.publish("A", 1)
        assert not heard
        nats_server.start()
        await until(lambda: one.up and two.up)
        async with asyncio.timeout(60):
            while not heard:  # who followed before follows still
                two.publish("A", 2)
                await asyncio.sleep(0.01)
        assert 1 not in heard
        await one.close()
        await two.close()

    run(test)


def test_a_bus_that_says_nothing_any_more_is_down_within_two_seconds(nats_server):
    """As one whose machine was cut off: nobody hears that it is gone."""

    async def test():
        bus, clock = open_bus(nats_server.url), asyncio.get_running_loop().time
        await bus.follow("A", lambda _: None)
        await until(lambda: bus.up)
        nats_server.process.send_signal(signal.SIGSTOP)
        try:
            silent = clock()
            await until(lambda: not bus.up)
            assert clock() < silent + 2
        finally:
            nats_server.process.send_signal(signal.SIGCONT)
        await until(lambda: bus.up)
        await bus.close()

    run(test)


def test_a_bus_that_is_down_at_the_start_is_found_later(nats_server):
    async def test():
        nats_server.stop()
        bus, heard = open_bus(nats_server.url), []
        await bus.follow("A", heard.append)
        bus.publish("A", 1)
        await asyncio.sleep(0.2)
        assert not bus.up
        nats_server.start()
        await until(lambda: bus.up)
        async with asyncio.timeout(60):
            while not heard:
                bus.publish("A", 2)
                await asyncio.sleep(0.01)
        await bus.close()

    run(test)


@pytest.mark.parametrize("down", [False, True])
def test_a_bus_that_never_reached_its_server_is_closed_like_any_other(nats_server, down):
    async def test():
        if down:
            nats_server.stop()
        unused, tried = open_bus(nats_server.url), open_bus(nats_server.url)
        if down:
            tried.publish("A", 1)
            await asyncio.sleep(0)
        assert not unused.up
        await unused.close()
        await tried.close()

    try:
        run(test)
    finally:
        if down:
            nats_server.start()


@pytest.mark.parametrize(
    "url",
    [
        "nats://",
        "nats://:4222",
        "nats://host:abc",
        "nats://host:99999",
        "",
        "nats",
        "redis://host",
        "memory:",
        "http://host",
    ],
)
def test_what_is_no_url_of_a_bus_is_refused(url):
    with pytest.raises(BobingError) as refused:
        open_bus(url)
    assert refused.value.code == "bus/bad_url"
