"""`bobing doctor`: what is wrong with a machine is found, and said with what to do."""

import ctypes
import json
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from importlib.metadata import metadata
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest
from click.testing import CliRunner

from bobing.adapters.sqlite import file
from bobing.cli import main
from bobing.cli.doctor import command
from bobing.cli.findings import advice_of, words_of
from bobing.cli.serve import command as serve
from bobing.cli.serve import warn
from bobing.i18n import LANGUAGES, texts
from bobing.server import certificate, checkup
from bobing.server.settings import Settings
from server.live import serving


def doctor(*args, **env):
    clean = dict.fromkeys(("BOBING_DB", "BOBING_HOST", "BOBING_PORT", "BOBING_BUS", "BOBING_CERT"))
    return CliRunner().invoke(main, ["doctor", *map(str, args)], env={**clean, **env})


def findings(*args, **env):
    """What was found, by its code, and the exit code."""
    result = doctor(*args, "--json", **env)
    told = json.loads(result.stdout)
    assert told["sound"] is all(one["state"] != "bad" for one in told["findings"])
    return {one["code"]: one for one in told["findings"]}, result.exit_code


@pytest.fixture
def db(tmp_path):
    return f"sqlite:{tmp_path / 'folder' / 'tables.db'}"


def test_a_machine_that_is_fit(db, tmp_path):
    found, status = findings("--db", db, "--port", 0)
    assert status == 0
    assert {"version", "sqlite", "port"} <= found.keys()
    assert found["sqlite"]["values"] == {"release": apsw.sqlite_lib_version()}
    assert list(tmp_path.iterdir()) == []  # nothing is made by looking


@pytest.mark.parametrize("lang", LANGUAGES)
def test_people_are_told_in_their_language(lang, db):
    result = doctor("--db", "memory://", "--port", 0, "--lang", lang)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert f"! {texts('doctor')['in_memory'][lang]}" in lines
    assert f"  → {texts('doctor')['in_memory_do'][lang]}" in lines
    assert lines[-1][:2] in ("可以", "Re")


def test_something_bad_makes_the_exit_status_1(tmp_path):
    (tmp_path / "tables.db").write_text("a letter")
    result = doctor("--db", f"sqlite:{tmp_path / 'tables.db'}", "--port", 0, "--lang", "en")
    assert result.exit_code == 1
    assert "✗ " in result.output
    assert "[log/cannot_open]" in result.output
    assert result.output.splitlines()[-1].startswith("Not ready: 1 thing has")


def test_a_bad_setting_is_refused():
    assert doctor("--db", "memory://", BOBING_PORT="many").exit_code == 2


def test_a_log_that_is_there_is_opened(db, tmp_path):
    (tmp_path / "folder").mkdir()
    file.make_store(tmp_path / "folder" / "tables.db").close()
    assert findings("--db", db, "--port", 0)[0]["log"]["state"] == "good"


def test_a_sqlite_that_loses_entries_is_bad(db, monkeypatch):
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    found, status = findings("--db", db, "--port", 0)
    assert (found["refused"]["check"], found["refused"]["values"]["code"], status) == ("sqlite", "log/unsafe_sqlite", 1)


@pytest.mark.parametrize(("kind", "code", "state"), [("nfs4", "refused", "bad"), ("tmpfs", "memory_disk", "warning")])
def test_a_disk_that_does_not_keep_is_found(kind, code, state, db, tmp_path, monkeypatch):
    monkeypatch.setattr(file, "mounts", lambda: f"x {tmp_path} {kind} rw 0 0")
    found, _ = findings("--db", db, "--port", 0)
    assert (found[code]["check"], found[code]["state"]) == ("disk", state)


def test_a_folder_that_takes_nothing_is_bad(db, monkeypatch):
    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    found, status = findings("--db", db, "--port", 0)
    assert (found["not_writable"]["values"]["why"], status) == ("Permission denied", 1)


@pytest.mark.parametrize(("free", "state"), [(99, "bad"), (100, "warning"), (999, "warning"), (1_000, "good")])
def test_space(free, state):
    assert checkup.room(free, Path("/x")).state == state


@pytest.mark.parametrize(("ms", "state"), [(50, "good"), (50.1, "warning")])
def test_speed(ms, state):
    assert checkup.speed(ms).state == state


@pytest.mark.parametrize(
    ("now", "kept", "code"),
    [
        (0, True, "clock_behind"),
        (checkup.BUILT_S, True, "clock"),
        (checkup.BUILT_S, False, "clock_alone"),
    ],
)
def test_clock(now, kept, code):
    assert checkup.clock(now, kept=kept).code == code


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are not asked who keeps their clock")
@pytest.mark.parametrize(("said", "code"), [(0, "clock"), (5, "clock_alone"), (-1, "clock_shows")])
def test_the_system_says_whether_it_keeps_its_clock(said, code, monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(ntp_gettime=lambda _: said))
    assert checkup.clock(checkup.BUILT_S).code == code


def test_a_port_that_is_taken_is_bad_unless_it_is_ours():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found, status = findings("--db", "memory://", "--host", "127.0.0.1", "--port", taken.getsockname()[1])
        assert (found["refused"]["values"]["code"], status) == ("settings/cannot_listen", 1)
    with serving() as base:
        found, status = findings("--db", "memory://", "--host", "127.0.0.1", "--port", base.rpartition(":")[2])
        assert (found["port_ours"]["state"], status) == ("good", 0)


def test_without_a_network_phones_stay_out(monkeypatch):
    monkeypatch.setattr(checkup, "lan_address", lambda: "127.0.0.1")
    assert findings("--db", "memory://", "--port", 0)[0]["no_network"]["state"] == "warning"
    assert "no_network" not in findings("--db", "memory://", "--host", "127.0.0.1", "--port", 0)[0]


def test_a_database_and_a_bus_that_do_not_answer_are_bad():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    url = {"BOBING_DB": f"postgresql://nobody@127.0.0.1:{port}/x", "BOBING_BUS": f"nats://127.0.0.1:{port}"}
    found, status = findings("--port", 0, **url)
    assert (found["refused"]["check"], found["no_bus"]["check"], status) == ("store", "bus", 1)


@pytest.mark.parametrize(("said", "code"), [(b"INFO {}\r\n", "bus"), (b"SSH-2.0\r\n", "other_bus"), (b"", "other_bus")])
def test_what_answers_as_the_bus_has_to_be_one(said, code):
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            line, _ = listener.accept()
            line.sendall(said)
            line.close()

        answering = threading.Thread(target=answer)
        answering.start()
        assert checkup.bus(f"nats://127.0.0.1:{listener.getsockname()[1]}").code == code
        answering.join()


def test_a_folder_that_this_user_may_not_look_into_is_told_of(tmp_path, monkeypatch):
    hidden, is_dir = tmp_path / "of somebody else", Path.is_dir

    def looking(path):
        if hidden in path.parents:
            raise PermissionError(13, "Permission denied")
        return is_dir(path)

    hidden.mkdir()
    monkeypatch.setattr(Path, "is_dir", looking)
    monkeypatch.setattr(Path, "exists", looking)
    found, _ = findings("--db", f"sqlite:{hidden / 'deep' / 'tables.db'}", "--port", 0)
    assert found.keys() & {"space", "little_space"}


@pytest.mark.parametrize("why", ["Permission denied", "Read-only file system", "Connection refused", "timed out"])
def test_what_the_system_says_is_told_in_chinese(why):
    told = words_of(checkup.Finding("bus", "bad", "no_bus", {"why": why}), "zh-Hans")
    assert why not in told


def test_a_certificate_of_no_use_is_bad(tmp_path):
    found, status = findings("--db", "memory://", "--port", 0, BOBING_CERT=str(tmp_path / "none.pem"))
    assert (found["refused"]["check"], status) == ("certificate", 1)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_it_is_told_until_when_a_certificate_holds(tmp_path, monkeypatch, capsys):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=table.example"
    subprocess.run([*make.split(), "-out", cert, "-keyout", key], check=True, capture_output=True)
    key.chmod(0o600)
    settings = Settings(cert=str(cert), key=str(key))
    ends = certificate.ends(cert)
    asked = subprocess.run(["openssl", "x509", "-in", cert, "-noout", "-enddate"], check=True, capture_output=True)
    assert ends == ssl.cert_time_to_seconds(asked.stdout.decode().strip().removeprefix("notAfter="))
    near = ends - checkup.SOON_S
    told = [checkup.certificate(settings, now).state for now in (near, near + 1, ends, ends + 1)]
    assert told == ["good", "warning", "warning", "bad"]
    found, status = findings("--db", "memory://", "--port", 0, "--cert", cert, "--key", key)
    assert (found["certificate"]["state"], status) == ("good", 0)
    for now, said in ((near, ""), (ends + 1, "✗ ")):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        warn(settings, "en")
        told = capsys.readouterr().out
        assert told[:2] == said
        assert bool(said) is (time.strftime("%Y-%m-%d", time.gmtime(ends)) in told)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_it_is_told_what_is_wrong_with_a_certificate(tmp_path):
    made = "openssl req -x509 -newkey rsa:2048 -days 3 -subj /CN=table.example"
    for name, more in (("a", "-nodes"), ("b", "-nodes"), ("c", "-passout pass:secret")):
        files = ["-out", tmp_path / f"{name}.pem", "-keyout", tmp_path / f"{name}.key"]
        subprocess.run([*made.split(), *more.split(), *files], check=True, capture_output=True)
    (tmp_path / "letter").write_text("to whom it may concern")
    for cert, key, words in [
        ("none.pem", "a.key", "none.pem cannot be read: No such file"),
        ("a.pem", "none.key", "none.key cannot be read: No such file"),
        ("a.pem", "b.key", "of another certificate"),
        ("c.pem", "c.key", "has a password"),
        ("letter", "letter", "no certificate and key in PEM"),
    ]:
        found, _ = findings("--db", "memory://", "--port", 0, "--cert", tmp_path / cert, "--key", tmp_path / key)
        assert words in found["refused"]["values"]["detail"], (cert, key)


def test_a_variable_that_is_no_setting_is_told_of():
    found, _ = findings("--db", "memory://", "--port", 0, BOBING_WROKERS="4", BOBING_OUTBOX="300")
    assert found["unknown_variable"]["values"] == {"name": "BOBING_WROKERS"}


def test_it_takes_the_flags_of_the_server():
    flags = {param.opts[0] for param in serve.params} - {"--open"}
    assert flags <= {param.opts[0] for param in command.params}
    with socket.create_server(("127.0.0.1", 0)) as closed:
        bus = f"nats://127.0.0.1:{closed.getsockname()[1]}"
    assert "no_bus" in findings("--db", "memory://", "--port", 0, "--bus", bus)[0]
    assert doctor("--db", "memory://", "--workers", 2).exit_code == 2
    found, status = findings("--db", "memory://", "--port", 0, "--peer", "no such host")
    assert (found["refused"]["check"], status) == ("peer", 1)


def test_few_connections_are_told(monkeypatch):
    resource = pytest.importorskip("resource", reason="this system sets no such limit")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1_024))
    assert checkup.files().code == "few_files"
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    assert checkup.files().code == "files_free"


def test_every_extra_is_looked_for(monkeypatch):
    assert checkup.EXTRAS.keys() == set(metadata("bobing").get_all("Provides-Extra") or ())
    monkeypatch.setattr(checkup, "find_spec", lambda module: None if module == "numba" else True)
    assert {name: checkup.extra(name).state for name in ("sim", "nats")} == {"sim": "note", "nats": "good"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_is_not_good_says_what_to_do(lang):
    words = {"path": "/x", "why": "y", "ms": "60", "now": "z", "extra": "sim", "until": "2026"}
    values = {**words, "name": "BOBING_X", "port": 1, "most": 9, "free": 9}
    codes = [code for code in texts("doctor") if f"{code}_do" in texts("doctor")]
    told = [checkup.Finding("x", "bad", code, values) for code in codes]
    assert all(words_of(one, lang) and advice_of(one, lang) for one in told)
    source = Path(checkup.__file__).read_text("utf-8")
    for state in ('"warning", "', '"bad", "'):
        for code in (part.partition('"')[0] for part in source.split(state)[1:]):
            assert code in (*codes, "refused"), code
