"""What an operator sees of live connections and of the store."""

import asyncio
import re

import httpx
from websockets.asyncio.client import connect

from bobing.adapters import open_log
from bobing.server.metrics import Metrics
from bobing.server.prompt import framed
from bobing.server.session import Session
from bobing.wire.messages import You
from server.live import Line, line, new_table, serving


class Slow:
    """A connection that takes what is sent when it is told to."""

    def __init__(self):
        self.left = 0

    def put(self, frame):
        self.left += len(frame)
        return self.left

    def waiting(self):
        return self.left

    def drop(self):
        raise AssertionError


def test_messages_that_wait_are_counted_until_they_are_taken():
    async def scenario():
        slow, quick, metrics = Slow(), Slow(), Metrics()
        waiting, idle = (Session(one, You("watch"), bytes(32), 9) for one in (slow, quick))
        metrics.outboxes |= {waiting, idle}
        for _ in range(4):
            waiting.send(b"1234")
        assert waiting.waiting() == 4
        assert "bobing_outbox 4\n" in metrics.text()
        slow.left = 2 * len(framed(b"1234")) - 1
        assert waiting.waiting() == 2
        slow.left = 0
        assert "bobing_outbox 0\n" in metrics.text()
        assert "bobing_connections 2\n" in metrics.text()

    asyncio.run(scenario())


def test_what_all_at_a_table_are_told_is_framed_once():
    async def scenario():
        class Kept(Slow):
            def put(self, frame):
                self.frame = frame
                return 0

        lines, news = [Kept() for _ in range(3)], b"news of a throw"
        for one in lines:
            Session(one, You("watch"), bytes(32), 9).send(news)
        first, *others = (one.frame for one in lines)
        assert first == bytes((0x81, len(news))) + news
        assert all(frame is first for frame in others)

    asyncio.run(scenario())


def told(base):
    return dict(re.findall(r"^bobing_(\S+) (\S+)$", httpx.get(f"{base}/metrics").text, re.MULTILINE))


def test_who_comes_back_and_what_is_stored_is_counted(tmp_path):
    async def scenario(base, code, token):
        async with line(base, code, token) as host:
            await host.do("begin")
            assert (told(base)["connections"], told(base)["resyncs_total"]) == ("1", "0")
        async with connect(base.replace("http", "ws") + "/ws") as socket:
            again = Line(socket)
            await again.put(t="hello", code=code, token=token, seen=2)
            await again.get("presence")
            return told(base)

    with serving(log=open_log(f"sqlite:{tmp_path / 'log.db'}"), metrics=True) as base:
        last = asyncio.run(scenario(base, *new_table(base, "a", "b")))
    assert (last["connections"], last["resyncs_total"], last["outbox"]) == ("1", "1", "0")
    assert last["writes_waiting"] == "0"
    groups, requests = int(last["group_size_count"]), int(last["group_size_sum"])
    assert 1 <= groups <= requests
    assert requests >= 3  # the opening, the token and the beginning
    assert last['sync_seconds_bucket{le="+Inf"}'] == str(groups)
    assert float(last["sync_seconds_sum"]) > 0
