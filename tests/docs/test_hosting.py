"""What the pages for operators list is what the server has: settings, metrics, limits."""

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest
import yaml

from bobing.adapters.measures import Measures
from bobing.cli.serve import command
from bobing.server import host, http, metrics, prompt, recorded, session
from bobing.server.settings import NUMBERS, Settings, settings_from
from bobing.wire import calls, codec, messages

DOCS = Path(__file__).parents[2] / "docs"
SYSTEMD = shutil.which("systemd-analyze") or ""
DEPLOY = DOCS.parent / "deploy"
VALUE = re.compile(r"^bobing_(\w+)(?:\{.*\})? \S+$", re.MULTILINE)
SETTINGS = re.findall(
    r"^\| `(--[\w-]+)` \| `(\w+)` \| (.+?) \| (.+) \|$", (DOCS / "settings.md").read_text("utf-8"), re.MULTILINE
)
HOSTING = (DOCS / "hosting.md").read_text("utf-8")
FIELDS = {field.name: field for field in fields(Settings)}


def test_every_setting_is_told_once_in_order():
    assert [flag for flag, *_ in SETTINGS] == [f"--{name.replace('_', '-')}" for name in FIELDS]
    assert [variable for _, variable, *_ in SETTINGS] == [f"BOBING_{name.upper()}" for name in FIELDS]


@pytest.mark.parametrize(("flag", "variable", "default", "meaning"), SETTINGS)
def test_a_setting_is_told_right(flag, variable, default, meaning):
    name = variable.removeprefix("BOBING_").lower()
    told = "" if default == "empty" else default.strip("`")
    assert getattr(settings_from({variable: told}), name) == FIELDS[name].default
    if name in NUMBERS and name != "port":
        assert "{:,} to {:,}".format(*NUMBERS[name]) in meaning
    taken = {taken for param in command.params if isinstance(param, click.Option) for taken in param.opts}
    assert flag in taken


def test_every_flag_is_told():
    told = (DOCS / "settings.md").read_text("utf-8")
    for param in command.params:
        assert f"`{param.opts[0]}`" in told


@pytest.mark.parametrize("name", FIELDS)
def test_a_flag_goes_before_a_variable(name):
    default = FIELDS[name].default
    others = {bool: (True, "no"), int: (17, "18"), str: ("memory://", "sqlite:x")}
    flag, variable = others[type(default)]
    of_a_form = {
        "log": ("json", "text"),
        "public_url": ("http://a", "http://b"),
        "proxies": ("10.0.0.5", "::1, 10.0.0.6"),
    }
    flag, variable = of_a_form.get(name, (flag, variable))
    pair = {} if name != "key" else {"cert": "cert.pem"}
    assert getattr(settings_from({f"BOBING_{name.upper()}": variable}, **{name: flag, **pair}), name) == flag


def test_the_metrics_told_are_those_there_are():
    told = dict(re.findall(r"^\| `bobing_(\w+)` \| (.+) \|$", HOSTING, re.MULTILINE))
    counters = {f"{name}_total": about for name, about in metrics.COUNTERS.items()}
    assert told == {**counters, **metrics.GAUGES, **metrics.SPREADS}
    measured = metrics.Metrics()
    measured.gauge("tables", 1)
    text = measured.text(Measures().now(0))
    assert dict(re.findall(r"^# HELP bobing_(\w+) (.+)$", text, re.MULTILINE)) == told
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in VALUE.findall(text)} == told.keys()


def test_every_alarm_is_explained_and_asks_for_what_is_measured():
    alarms = dict(re.findall(r'alert: (\w+), expr: "(.*?[^\\])"', (DEPLOY / "alarms.yaml").read_text("utf-8")))
    explained = re.findall(r"^\| `(Bobing\w+)` \|", (DOCS / "cluster.md").read_text("utf-8"), re.MULTILINE)
    assert explained == list(alarms)
    measured = set(VALUE.findall(metrics.Metrics().text(Measures().now(0))))
    asked = {name for expr in alarms.values() for name in re.findall(r"\bbobing_\w+", expr)}
    assert {name.removeprefix("bobing_") for name in asked} <= measured


DEPLOYED = ["Caddyfile", "Containerfile", "alarms.yaml", "bobing.service", "compose.yaml", "prometheus.yaml"]


def test_every_deployed_file_is_told_of():
    assert sorted(path.name for path in DEPLOY.iterdir()) == DEPLOYED
    told = (DOCS / "cluster.md").read_text("utf-8")
    assert [name for name in DEPLOYED if f"deploy/{name}" not in told and f"`{name}`" not in told] == ["Caddyfile"]
    assert "the proxy's file" in told


@pytest.mark.parametrize("name", DEPLOYED)
def test_a_setting_named_in_deploy_exists(name):
    named = set(re.findall(r"BOBING_(\w+)", (DEPLOY / name).read_text("utf-8")))
    assert {setting.lower() for setting in named} <= FIELDS.keys()
    assert named or name in ("alarms.yaml", "prometheus.yaml")


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]


def test_workers_of_the_compose_file_can_be_started_and_reached(services):
    workers = {name: service for name, service in services.items() if name.startswith("worker")}
    fixed = {name: service["networks"]["inner"].get("ipv4_address") for name, service in services.items()}
    assert len(workers) == 3
    for name, service in workers.items():
        told = {key: re.sub(r"\$\{(\w+)[^}]*\}", "http://x", value) for key, value in service["environment"].items()}
        settings = settings_from(told)
        assert settings.shared
        assert settings.metrics
        assert settings.peer == fixed[name]
        assert settings.proxies == fixed["proxy"]
        assert str(settings.peer_port) in (DOCS / "cluster.md").read_text("utf-8")
        assert settings.db.partition("@")[2] == "postgres/bobing"
        assert settings.bus.partition("://")[2].split(":")[0] in services


def test_the_proxy_asks_the_workers_that_there_are(services):
    upstream = re.findall(r"(\w+):(\d+)", (DEPLOY / "Caddyfile").read_text("utf-8").partition("reverse_proxy")[2])
    assert [name for name, _ in upstream] == [name for name in services if name.startswith("worker")]
    image = (DEPLOY / "Containerfile").read_text("utf-8")
    assert {port for _, port in upstream} == {str(Settings().port)} == set(re.findall(r"EXPOSE (\d+)", image))


def test_the_image_and_the_unit_start_what_there_is():
    image, unit = ((DEPLOY / name).read_text("utf-8") for name in ("Containerfile", "bobing.service"))
    (lock,) = re.findall(r"--require-hashes -r /wheels/(\S+)", image)
    (locked,) = re.findall(r"--require-hashes -r (\S+)", (DOCS / "cluster.md").read_text("utf-8"))
    assert lock == locked == "requirements-server.lock"
    assert (DEPLOY.parent / lock).is_file()
    assert f"COPY --from=build /wheels /src/{lock} /wheels/" in image
    installs = re.findall(r"(?:pip install|uv build)[^&\n]*", image)
    assert [one for one in installs if "--require-hashes" not in one and "--no-index" not in one] == []
    flags = {flag for param in command.params if isinstance(param, click.Option) for flag in param.opts}
    (started,) = re.findall(r"^ExecStart=/\S+/bobing serve(.*)$", unit, re.MULTILINE)
    assert set(re.findall(r"--[\w-]+", started)) <= flags


def deployed(name):
    return (DEPLOY / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["Caddyfile", "Containerfile"])
def test_it_is_asked_whether_the_process_lives_and_not_whether_its_store_does(name):
    assert re.findall(r"(?:health_uri |\})(/\w+z)\b", deployed(name)) == ["/livez"]


def test_the_image_keeps_its_tables():
    image = deployed("Containerfile")
    kept = re.findall(r"BOBING_DB=sqlite://(/\S+)/\w+\.db", image)
    assert re.findall(r"^VOLUME (\S+)$", image, re.MULTILINE) == kept != []


@pytest.mark.parametrize(("name", "line"), [(".gitignore", ".env"), (".dockerignore", "**/.env")])
def test_no_password_of_an_installation_gets_into_the_repository_or_the_image(name, line):
    assert line in (DEPLOY.parent / name).read_text("utf-8").splitlines()


def test_prometheus_asks_every_worker(services):
    asked = yaml.safe_load(deployed("prometheus.yaml"))
    targets = [target for one in asked["scrape_configs"][0]["static_configs"] for target in one["targets"]]
    workers = {name: service for name, service in services.items() if name.startswith("worker")}
    assert targets == [f"{name}:{worker['environment']['BOBING_PEER_PORT']}" for name, worker in workers.items()]
    mounted = [volume.split(":")[0].removeprefix("./") for volume in services["prometheus"]["volumes"]]
    assert mounted == ["prometheus.yaml", *asked["rule_files"]]


def test_the_service_is_tried_again_without_end_and_may_listen_on_443():
    lines = set(deployed("bobing.service").splitlines())
    assert {"StartLimitIntervalSec=0", "Restart=always", "AmbientCapabilities=CAP_NET_BIND_SERVICE"} <= lines


def test_what_the_service_compiles_is_kept_where_it_may_write():
    told = dict(line.split("=", 1) for line in deployed("bobing.service").splitlines() if "=" in line)
    assert told["Environment"] == f"NUMBA_CACHE_DIR=/var/cache/{told['CacheDirectory']}"


def test_the_limits_told_are_those_there_are():
    limits = HOSTING.partition("## Limits")[2].partition("## Privacy")[0]
    told = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", limits.replace("settings.md", ""))]
    assert told == [
        *(messages.SEATS_MAX, host.MEMBERS_MAX),
        *(codec.MESSAGE_MAX, calls.RECORD_MAX // 2**20, recorded.ACTS_MAX),
        host.ENTRIES_MAX,
        http.JOINS_PER_MINUTE,
        http.CHECKS_PER_MINUTE,
        *(prompt.HEAD_S, http.BODY_S, session.HELLO_S),
        prompt.MESSAGE_S,
        session.SILENCE_S,
        *(Settings().outbox, session.OUTBOX_BYTES // 2**20),
    ]


@pytest.mark.skipif(not SYSTEMD, reason="needs systemd-analyze")
def test_systemd_takes_the_unit(tmp_path):
    """All but its program, which is not installed here. A line that it does not know is seen."""
    unit = deployed("bobing.service").replace("/opt/bobing/bin/bobing", sys.executable)
    for name, text, said in (
        ("bobing.service", unit, ""),
        ("wrong.service", unit.replace("NoNewPrivileges", "NoNewPrivilege"), "Unknown key"),
    ):
        (tmp_path / name).write_text(text)
        done = subprocess.run([SYSTEMD, "verify", tmp_path / name], capture_output=True, text=True, check=False)
        ours = [line for line in done.stderr.splitlines() if name in line]
        assert (said in done.stderr, ours == []) == (True, not said), done.stderr
    assert sys.executable in unit
