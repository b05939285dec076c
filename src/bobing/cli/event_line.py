"""How `bobing event` reaches an event: a running server by its address, or one of its own over a file."""

from __future__ import annotations

import asyncio
import functools
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import click

from bobing.cli.common import CallError, Worded, lang_option, option
from bobing.cli.digits import whole
from bobing.i18n import text
from bobing.i18n.details import detail_in

WAIT_S = 60
_STARTING_S = 20
_FAILED = 500
"""From this status on it was the server's fault."""


class ServerRefused(Worded):
    """What the server refused, with its code and what it says in each language."""

    code = "cli/bad_call"

    def __init__(self, message: str, code: str, told: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(message, code)
        self.told = told

    def words(self, lang: str) -> str:
        """The sentence in a language."""
        return self.told.get(lang) or detail_in(lang, str(self)) or str(self)


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and the token of a desk there."""

    base: str
    token: str = ""

    def get(self, path: str, **query: str) -> bytes:
        """The body of an answer; raises ServerRefused, CallError."""
        return self._call(Request(self._url(path, query), method="GET"))  # noqa: S310 - http alone, see `server_at`

    def post(self, path: str, body: Mapping[str, Any] | bytes, **query: str) -> bytes:
        """The body of an answer to bytes, or to JSON; raises ServerRefused, CallError."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._call(Request(self._url(path, query), data=data, method="POST"))  # noqa: S310

    @contextmanager
    def live(self, code: str) -> Generator[Live]:
        """A live connection to an event, as its desk; raises ServerRefused, CallError."""
        from websockets.exceptions import ConnectionClosed
        from websockets.sync.client import connect

        try:
            with connect(f"ws{self.base.removeprefix('http')}/ws/event", max_size=None, open_timeout=WAIT_S) as socket:
                socket.send(json.dumps({"t": "event_hello", "code": code, "token": self.token}))
                welcome = json.loads(socket.recv(WAIT_S))
                if welcome["t"] != "event_welcome":
                    raise _refused(welcome)
                yield Live(socket, welcome)
        except (OSError, TimeoutError, ConnectionClosed) as fault:
            raise CallError(f"{self.base} does not answer: {fault or 'it takes too long'}", "cli/no_server") from None

    def _url(self, path: str, query: Mapping[str, str]) -> str:
        return f"{self.base}{quote(path)}{'?' if query else ''}{urlencode(query)}"

    def _call(self, request: Request) -> bytes:
        request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310
                return answer.read()
        except HTTPError as refusal:
            with refusal:
                answer = _read(refusal.read())
            if not answer and refusal.code >= _FAILED:
                raise CallError(
                    f"{self.base} failed (status {refusal.code}); its log says why", "cli/server_failed"
                ) from None
            raise _refused(answer) from None
        except (URLError, OSError) as fault:
            why = getattr(fault, "reason", fault)
            raise CallError(f"{self.base} does not answer: {why}", "cli/no_server") from None


class Live:
    """A connection that has said hello. welcome: the whole event, as of then."""

    def __init__(self, socket: Any, welcome: dict[str, Any]) -> None:
        self.socket, self.welcome = socket, welcome

    def do(self, kind: str, **values: Any) -> Mapping[str, Any]:
        """Carry out a command, once; raises ServerRefused."""
        cmd = secrets.token_hex(12)
        self.socket.send(json.dumps({"t": kind, "cmd": cmd, "at": self.welcome["n"], **values}))
        while True:
            message = json.loads(self.socket.recv(WAIT_S))
            if message.get("cmd") == cmd:
                if message["t"] != "ack":
                    raise _refused(message)
                return message

    def board(self) -> Mapping[str, Any]:
        """The rows of the tables that play, when all are there."""
        wanted = {number for number, table in self.welcome["tables"].items() if table.get("code")}
        rows = dict(self.welcome["board"])
        while wanted - rows.keys():
            message = json.loads(self.socket.recv(WAIT_S))
            rows.update(message["rows"] if message["t"] == "board" else {})
        return rows


def called(live: Live, guest: int, lang: str) -> str:
    """A guest's name, or what one is called whose name was erased."""
    name: str = live.welcome["guests"][str(guest)]["name"]
    return name or text(lang, "common.guest_n", n=guest)


def at_server(*, coded: bool = True) -> Callable[[Callable[..., None]], Any]:
    """The options that say where the event is, and the argument CODE; the command gets a `Server`."""

    def decorated(work: Callable[..., None]) -> Any:
        @click.pass_context
        @functools.wraps(work)
        def called(ctx: click.Context, /, server: str | None, token: str | None, db: str | None, **more: Any) -> None:
            code = more["code"] = more["code"].upper() if coded else ""
            if not coded:
                del more["code"]
            with server_at(server, token, db, code) as reached:
                work(ctx, reached, **more)

        for add in (
            lang_option(),
            option("--json", "as_json", is_flag=True, help="json"),
            option("--token", envvar="BOBING_EVENT_TOKEN", metavar="TOKEN", help="event_token"),
            option("--server", envvar="BOBING_EVENT_SERVER", metavar="URL", help="event_server"),
            option("--db", envvar="BOBING_DB", metavar="FILE|URL", help="event_db"),
        ):
            called = add(called)
        return click.argument("code")(called) if coded else called

    return decorated


def numbers_in(words: str) -> list[int]:
    """Numbers with commas between; raises CallError."""
    found = [whole(word.strip()) for word in words.split(",") if word.strip()]
    if None in found:
        raise CallError("write numbers with commas between, such as 3,4")
    return [number for number in found if number is not None]


@contextmanager
def server_at(address: str | None, token: str | None, db: str | None, code: str = "") -> Generator[Server]:
    """The server at an address, else one of our own for as long as we need it, over the store of `db`.

    code: the event for whose desk the token is. Raises CallError, LogError (`log/in_use`).
    """
    if address is None:
        with _own(db, code) as server:
            yield server
    elif not address.startswith(("http://", "https://")):
        raise CallError("the address of a server is such as http://192.168.1.7:8063")
    elif code and not token:
        raise CallError("name the token of the event's desk: --token, or BOBING_EVENT_TOKEN")
    elif token and not _is_token(token):
        raise CallError("this is no token of a desk: take what stands behind #k= in the address of its page")
    else:
        yield Server(address.rstrip("/"), token or "")


def _is_token(text: str) -> bool:
    """Whether a text has the form of a token."""
    from bobing.wire.messages import TOKEN

    return bool(re.match(TOKEN, text))


@contextmanager
def _own(db: str | None, code: str) -> Generator[Server]:
    from bobing.adapters import url_of
    from bobing.adapters.guard import alone
    from bobing.cli.serve import default_db
    from bobing.server.app import make_app
    from bobing.server.running import Server as Running
    from bobing.server.running import config_of, listen
    from bobing.server.settings import Settings

    url = url_of(db or default_db())
    settings = Settings(host="127.0.0.1", port=0, db=url)
    with alone(url), listen(settings.host, settings.port) as listener:
        token = asyncio.run(_desk_token(url, code)) if code else ""
        running = Running(config_of(make_app(settings), settings, None))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            _wait(lambda: running.started, thread)
            yield Server(f"http://127.0.0.1:{listener.getsockname()[1]}", token)
        finally:
            running.should_exit = True
            thread.join()


async def _desk_token(url: str, code: str) -> str:
    """A fresh token of the desk, for whoever may write the file anyway."""
    from bobing.adapters import open_log
    from bobing.ports import Grant
    from bobing.server.rights import token_hash

    log = open_log(url)
    try:
        if not await log.read(f"event/{code}", limit=1):
            raise CallError(f"there is no event {code!r} in {url}; its code has eight signs", "cli/no_event")
        token = secrets.token_urlsafe(24)
        await log.grant(token_hash(token), Grant(f"event/{code}", "desk", None, time.time_ns() // 1_000_000))
        return token
    finally:
        await log.close()


def _wait(ready: Any, thread: threading.Thread) -> None:
    end = time.monotonic() + _STARTING_S
    while not ready():
        if not thread.is_alive() or time.monotonic() > end:
            raise CallError("the server over this file did not start", "cli/no_server")
        time.sleep(0.01)


def _read(data: bytes) -> dict[str, Any]:
    try:
        return json.loads(data)
    except ValueError:
        return {}


def _refused(answer: Mapping[str, Any]) -> ServerRefused:
    told: Mapping[str, str] = answer.get("words") or {}
    said = answer.get("detail") or told.get("en") or "the server refused this without a word"
    return ServerRefused(said, answer.get("code") or answer.get("why") or "cli/no_server", told)
