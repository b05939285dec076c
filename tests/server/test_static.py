"""The built page as it leaves the server."""

import asyncio
import gzip

import httpx
import pytest
from starlette.applications import Starlette

from bobing.server.static import HEADERS, static_routes

SCRIPT = b"console.log(1);" * 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_bytes(b"<!doctype html><title>first page</title>")
    (folder / "assets" / "app-1a2b.js").write_bytes(SCRIPT)
    (folder / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "manifest.webmanifest").write_bytes(b"{}")
    (folder / ".stamp").write_bytes(b"hidden")
    return folder


class Client:
    """Asks an application without a socket."""

    def __init__(self, folder):
        self.transport = httpx.ASGITransport(Starlette(routes=static_routes(folder)))

    def ask(self, method, path, headers=None):
        async def asking():
            async with httpx.AsyncClient(transport=self.transport, base_url="http://table") as client:
                return await client.request(method, path, headers=headers)

        return asyncio.run(asking())

    def get(self, path, headers=None):
        return self.ask("GET", path, headers)


@pytest.fixture(scope="module")
def client(folder):
    return Client(folder)


@pytest.mark.parametrize("path", ["/", "/t/ABCD2345", "/learn/origin", "/rules/S12/minnan", "/nowhere/at/all"])
def test_every_address_without_a_file_gets_the_first_page(client, path):
    got = client.get(path)
    assert got.status_code == 200
    assert "first page" in got.text
    assert got.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/app-0000.js", "/favicon.ico", "/api/none", "/api", "/ws/x", "/.stamp", "/../secret.txt", "/%2e%2e/x.py"],
)
def test_what_looks_like_a_file_and_is_none_is_not_found(client, path):
    got = client.get(path)
    assert got.status_code == 404
    assert got.headers["cache-control"] == "no-store"


def test_a_file_with_its_content_in_its_name_is_kept_for_good_and_sent_packed(client):
    got = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "gzip"})
    assert got.headers["content-encoding"] == "gzip"
    assert got.content == SCRIPT
    assert int(got.headers["content-length"]) < len(SCRIPT)
    assert "immutable" in got.headers["cache-control"]
    assert got.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0"])
def test_a_file_is_sent_plain_to_who_takes_no_packing_that_there_is(client, accepted):
    got = client.get("/assets/app-1a2b.js", headers={"accept-encoding": accepted})
    assert "content-encoding" not in got.headers
    assert int(got.headers["content-length"]) == len(SCRIPT)


def test_a_page_that_did_not_change_is_not_sent_again(client):
    etag = client.get("/").headers["etag"]
    again = client.get("/", headers={"if-none-match": f'W/"other", {etag}'})
    assert (again.status_code, again.content) == (304, b"")
    packed = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "gzip"}).headers["etag"]
    plain = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity", "if-none-match": packed})
    assert plain.status_code == 200


@pytest.mark.parametrize("path", ["/", "/assets/app-1a2b.js", "/none.txt"])
def test_security_headers_stand_on_every_answer(client, path):
    headers = client.get(path).headers
    assert {name: headers[name] for name in HEADERS} == dict(HEADERS)
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["script-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["content-security-policy"]


def test_head_is_get_without_the_body(client):
    got = client.ask("HEAD", "/")
    assert (got.status_code, got.content) == (200, b"")
    assert int(got.headers["content-length"]) > 0


def test_writing_is_refused(client):
    assert client.ask("POST", "/").status_code == 405


def test_a_page_that_was_not_built_says_what_to_do(tmp_path):
    got = Client(tmp_path).get("/")
    assert got.status_code == 503
    assert "python3 dev.py setup" in got.text
