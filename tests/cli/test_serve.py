"""`bobing serve` as a process: it starts, says where it is, keeps what it acknowledged, and ends when asked."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from bobing.cli.serve import greet
from bobing.server.running import listen
from bobing.server.settings import SettingRefused
from server.live import line, new_table

ROOT = Path(__file__).parents[2]
WAIT_S = 40
OPENSSL = shutil.which("openssl") or ""


class Served:
    """A running server: its process, what it printed, and its address."""

    def __init__(self, process):
        self.process, self.said = process, []

    def read_until(self, words):
        """Read lines until one has these words."""
        while True:
            said = self.process.stdout.readline()
            assert said, f"ended with {self.process.wait(WAIT_S)}: {''.join(self.said)}"
            self.said.append(said)
            if words in said:
                return said

    @property
    def address(self):
        return re.findall(r"https?://\S+", "".join(self.said))[0]

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=WAIT_S)
        self.said.append(rest)
        return self.process.returncode


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOBING_")}
    return {**kept, "LC_ALL": "C.UTF-8", "LANGUAGE": "", **more}


@contextmanager
def serving(db, *args, start=(sys.executable, "-m", "bobing", "serve"), **env):
    """A server as people start it, on a free port unless another is named."""
    port = () if "--port" in args or "BOBING_PORT" in env else ("--port", "0")
    words = [*map(str, start), "--db", f"sqlite:{db}", *port, *args]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", env=environment(**env)
    ) as process:
        served = Served(process)
        try:
            served.read_until("Tables are kept in")
            yield served
        finally:
            with suppress(ProcessLookupError):
                process.kill()


def answered(url, **more):
    """The answer, as soon as the server takes connections."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            return httpx.get(url, timeout=WAIT_S, **more)
        except httpx.TransportError:
            assert time.monotonic() < until, f"{url} does not answer"
            time.sleep(0.05)


def refused(*args, **env):
    done = subprocess.run(
        [sys.executable, "-m", "bobing", "serve", *args],
        capture_output=True,
        encoding="utf-8",
        env=environment(**env),
        timeout=WAIT_S,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def test_it_starts_answers_and_ends_when_asked(tmp_path):
    db = tmp_path / "deep" / "tables.db"
    with serving(db, "--here") as served:
        assert served.address.startswith("http://127.0.0.1:")
        assert "█" not in "".join(served.said), "a phone could not open it"
        assert answered(f"{served.address}/healthz").text == "ok\n"
        assert answered(f"{served.address}/metrics").status_code == 404
        assert db.stat().st_mode & 0o077 == 0
        assert served.end() == 0
        assert served.said[-1].endswith("Ended.\n")
        assert str(db) in "".join(served.said)
    assert not db.with_name("tables.db-wal").exists(), "all is in one file"


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="dev.py would set up another environment")
def test_one_command_of_a_clone_serves_the_page(tmp_path):
    with serving(tmp_path / "tables.db", "--here", start=(sys.executable, ROOT / "dev.py", "run")) as served:
        assert "<title>" in answered(f"{served.address}/").text
        assert served.end() == 0


@pytest.mark.parametrize(
    ("address", "host", "said"),
    [
        ("http://192.0.2.7:8063", "0.0.0.0", "scan this"),
        ("https://table.example", "127.0.0.1", "scan this"),
        ("http://127.0.0.1:8063", "127.0.0.1", "without --here"),
        ("http://127.0.0.1:8063", "0.0.0.0", "in no network"),
    ],
)
def test_the_qr_is_only_shown_where_phones_can_use_it(address, host, said, capsys):
    greet(address, "en", host, "memory://")
    out = capsys.readouterr().out
    assert said in out
    assert ("█" in out) == (said == "scan this")


def test_ctrl_c_is_no_traceback(tmp_path):
    with serving(tmp_path / "tables.db") as served:
        answered(f"{served.address}/healthz")
        assert served.end(signal.SIGINT) == 0
        assert "Traceback" not in "".join(served.said)


def test_phones_are_let_in_with_a_qr(tmp_path):
    with serving(tmp_path / "tables.db") as served:
        said = "".join(served.said)
        assert "Phones on the same network" in said
        assert sum("█" in row for row in said.splitlines()) > 10
        assert "--cert" in said, "what plain http lacks is said"
        port = served.address.rpartition(":")[2]
        assert answered(f"http://127.0.0.1:{port}/healthz").status_code == 200


def test_settings_come_from_the_environment_and_flags_go_first(tmp_path):
    with serving(tmp_path / "tables.db", BOBING_METRICS="yes", BOBING_PORT="0", BOBING_LOG="json") as served:
        assert "bobing_tables 0" in answered(f"{served.address}/metrics").text
    with serving(tmp_path / "tables.db", "--public-url", "https://table.example", BOBING_PUBLIC_URL="x") as served:
        assert served.address == "https://table.example"


def test_it_says_good_bye_to_those_who_are_there(tmp_path):
    with serving(tmp_path / "tables.db") as served:
        answered(f"{served.address}/healthz")
        code, token = new_table(served.address, "a", "b")

        async def scenario():
            async with line(served.address, code, token) as host:
                ended = asyncio.create_task(asyncio.to_thread(served.end))
                assert (await host.get("bye"))["why"] == "shut_down"
                assert await ended == 0

        asyncio.run(scenario())


def test_calls_under_way_do_not_make_its_end_a_fault(tmp_path):
    with serving(tmp_path / "tables.db", "--here") as served:
        answered(f"{served.address}/healthz")
        port = int(served.address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            time.sleep(0.2)
            assert served.end() == 0
        assert "Traceback" not in "".join(served.said)


@pytest.mark.parametrize(
    ("args", "env", "code"),
    [
        (["--port", "70000"], {}, "settings/bad_value"),
        (["--port", "-1"], {}, "settings/bad_value"),
        (["--port", "x"], {}, "cli/bad_call"),
        (["--outbox", "0"], {}, "settings/bad_value"),
        (["--log", "xml"], {}, "settings/bad_value"),
        (["--cert", "/nowhere.pem"], {}, "settings/bad_value"),
        (["--key", "/nowhere.pem"], {}, "settings/bad_value"),
        (["--public-url", "table.example"], {}, "settings/bad_value"),
        (["--host", "no such host"], {}, "settings/cannot_listen"),
        (["--proxies", "10.0.0.5, foo"], {}, "settings/bad_value"),
        (["--bus", "nats://127.0.0.1:abc"], {}, "bus/bad_url"),
        (["--peer", "no such host"], {}, "settings/cannot_listen"),
        (["--db", "mysql://db"], {}, "log/bad_url"),
        (["--db", "sqlite:/proc/none/tables.db"], {}, "log/cannot_open"),
        ([], {"BOBING_PORT": "12x"}, "settings/bad_value"),
        ([], {"BOBING_METRICS": "perhaps"}, "settings/bad_value"),
        ([], {"BOBING_TABLES_PER_HOUR": "0"}, "settings/bad_value"),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(args, env, code, tmp_path):
    port = () if "--port" in args or "BOBING_PORT" in env else ("--port", "0")
    db = () if "--db" in args else ("--db", f"sqlite:{tmp_path / 'tables.db'}")
    done = refused(*args, *port, *db, **env)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"[{code}]" in done.stderr


def test_a_taken_port_is_refused_with_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = refused("--port", str(port), "--db", "memory://")
        assert done.returncode == 2
        assert f"port {port}" in done.stderr
        assert "[settings/cannot_listen]" in done.stderr
        assert "--port 0" in done.stderr
        inner = ("--port", "0", "--workers", "2", "--peer-port", str(port - 1))
        done = refused(*inner, "--db", f"sqlite:{tmp_path / 'tables.db'}")
        assert done.returncode == 2
        assert re.search(rf"port ({port - 1}|{port}):", done.stderr), "the one before may be taken, too"
        assert "[settings/cannot_listen]" in done.stderr


@pytest.mark.parametrize(
    ("host", "port", "fault", "advice"),
    [
        ("300.1.1.1", 0, None, "127.0.0.1"),
        ("192.0.2.1", 0, None, "127.0.0.1"),
        ("127.0.0.1", 80, PermissionError(13, "Permission denied"), "CAP_NET_BIND_SERVICE"),
    ],
)
def test_what_cannot_be_listened_on_says_what_would_help(host, port, fault, advice, monkeypatch):
    if fault:
        monkeypatch.setattr(socket.socket, "bind", Mock(side_effect=fault))
    with pytest.raises(SettingRefused) as refused:
        listen(host, port)
    assert refused.value.code == "settings/cannot_listen"
    assert (advice in str(refused.value), "--port 0" in str(refused.value)) == (True, False)


@pytest.mark.skipif(not OPENSSL, reason="needs openssl to make a certificate")
def test_tls_with_a_certificate_of_ones_own(tmp_path):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([OPENSSL, *make.split(), "-out", cert, "-keyout", key], check=True, capture_output=True)
    with serving(tmp_path / "tables.db", "--here", "--cert", str(cert), "--key", str(key)) as served:
        assert served.address.startswith("https://")
        served.read_until("! The certificate ends on")
        trusting = ssl.create_default_context(cafile=cert)
        assert answered(f"{served.address}/healthz", verify=trusting).text == "ok\n"
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{served.address}/healthz")
        assert served.end() == 0
    done = refused("--cert", str(key), "--key", str(cert), "--db", "memory://", "--port", "0")
    assert (done.returncode, "[settings/bad_value]" in done.stderr) == (2, True)


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path):
    db, acked = tmp_path / "tables.db", []
    with serving(db) as served:
        answered(f"{served.address}/healthz")
        code, token = new_table(served.address, "小明", "小红", settings={"dice": "digital"})

        async def play():
            async with line(served.address, code, token) as host:
                await host.do("begin")
                view = host.welcome["view"]
                while len(acked) < 30:
                    seat = view["next"] if view.get("next") is not None else 0
                    answer = await host.do("throw", seat=seat)
                    if answer["t"] == "ack":
                        acked.append(answer["n"])
                    view = await state(host)
                os.kill(served.process.pid, signal.SIGKILL)

        async def state(host):
            async with line(served.address, code, watch) as other:
                return other.welcome["view"]

        watch = httpx.post(f"{served.address}/api/tables/{code}/join", json={"watch": True}).json()["token"]
        with suppress(Exception):
            asyncio.run(play())
        assert served.process.wait(WAIT_S) == -signal.SIGKILL
    assert len(acked) == 30
    with serving(db) as served:
        answered(f"{served.address}/healthz")
        record = httpx.get(
            f"{served.address}/api/tables/{code}/record", headers={"authorization": f"Bearer {token}"}, timeout=WAIT_S
        )
        acts = [json.loads(told) for told in record.text.splitlines()]
        assert len([act for act in acts if "n" in act]) == len(acked)
        assert served.end() == 0
