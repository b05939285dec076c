"""Calls for what another worker serves go there as they came."""

import asyncio
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bobing.ports import Worker
from bobing.server.relay import Relay


@contextmanager
def peer():
    """Another worker, and the addresses it was asked for."""
    asked = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code="-", size="-"):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Worker("peer", f"127.0.0.1:{server.server_port}", "key"), asked
    finally:
        server.shutdown()
        server.server_close()


async def nobody(*_):
    raise AssertionError("it is asked there")


def answer(worker, raw_path, query):
    async def seek(code, gone):
        return worker

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    told = []

    async def send(message):
        told.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/tables/ABCD2345",
        "raw_path": raw_path,
        "query_string": query,
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
    }
    asyncio.run(Relay(nobody, Worker("own", "127.0.0.1:1", "own key"), {"tables": seek})(scope, receive, send))
    return told[0]["status"]


def test_an_address_with_odd_signs_is_asked_for_as_it_came_or_with_them_written_out():
    with peer() as (worker, asked):
        assert answer(worker, b"/api/tables/ABCD2345", b"a=%E5%8D%9A&b=1") == 200
        assert answer(worker, b"/api/tables/ABCD2345", "a=\u535a \x07".encode()) == 200
        assert answer(worker, b"/api/tables/ABCD\xff", b"") == 200
    assert asked == [
        "/api/tables/ABCD2345?a=%E5%8D%9A&b=1",
        "/api/tables/ABCD2345?a=%E5%8D%9A%20%07",
        "/api/tables/ABCD%FF",
    ]
