"""Each alarm of deploy/ is raised by what it is for and by nothing less, as Prometheus reckons it."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from bobing.adapters.measures import SECONDS

ALARMS = Path(__file__).parents[2] / "deploy" / "alarms.yaml"
PROMTOOL = shutil.which("promtool") or ""
WHO = {"job": "bobing", "instance": "worker1:9100"}


def commits(slow):
    """So many of a hundred commits take between half a second and two."""
    quick = {le: 100 - slow if le <= 0.5 else 100 for le in SECONDS}
    every = [*((f"{le:g}", n) for le, n in quick.items()), ("+Inf", 100)]
    return {f'bobing_sync_seconds_bucket{{le="{le}"}}': f"0+{n}x99" for le, n in every}


# A value each 5 s. What raises it from some time on, what just does not, and until when it is quiet, in seconds.
CASES = {
    "BobingDown": ({"up": "1x3 0x20"}, {"up": "1x3 0 0 1x20"}, 25),
    "BobingNotSaved": ({"bobing_not_saved_total": "0x10 1x20"}, {"bobing_not_saved_total": "7x30"}, 50),
    "BobingLeasesLost": ({"bobing_leases_lost_total": "0x3 1x20"}, {"bobing_leases_lost_total": "7x30"}, 15),
    "BobingSlowStore": (commits(2), commits(0), 55),
    "BobingWritesWaiting": ({"bobing_writes_waiting": "201x30"}, {"bobing_writes_waiting": "200x30"}, 25),
    "BobingFullOutbox": ({"bobing_outbox": "129x30"}, {"bobing_outbox": "128x30"}, 25),
    "BobingResyncs": (
        {"bobing_resyncs_total": "0+6x200", "bobing_connections": "600x200"},
        {"bobing_resyncs_total": "0+4x200", "bobing_connections": "600x200"},
        300,
    ),
    "BobingSlowConnections": ({"bobing_slow_total": "0x3 60x90"}, {"bobing_slow_total": "0x3 40x90"}, 15),
    "BobingGuessing": ({"bobing_wrong_codes_total": "0+6x30"}, {"bobing_wrong_codes_total": "0+4x30"}, 10),
}


def test_every_alarm_is_tried():
    rules = yaml.safe_load(ALARMS.read_text("utf-8"))["groups"][0]["rules"]
    assert [rule["alert"] for rule in rules] == list(CASES)


def labelled(name):
    base, _, more = name.partition("{")
    told = ",".join(f'{key}="{value}"' for key, value in WHO.items())
    return f"{base}{{{told}{',' + more if more else '}'}"


def asked(alarm, values, raised):
    """A test of promtool: quiet until some time, and raised at the end, or not."""
    quiet_s, end_s = CASES[alarm][2], 900 if alarm == "BobingResyncs" else 90
    none, one = {"alertname": alarm, "exp_alerts": []}, {"alertname": alarm, "exp_alerts": [{"exp_labels": WHO}]}
    series = [{"series": labelled(name), "values": told} for name, told in values.items()]
    told = [{"eval_time": f"{quiet_s}s", **none}, {"eval_time": f"{end_s}s", **(one if raised else none)}]
    return {"interval": "5s", "input_series": series, "alert_rule_test": told}


@pytest.mark.skipif(not PROMTOOL, reason="needs promtool, of Prometheus")
@pytest.mark.parametrize("alarm", CASES)
def test_an_alarm_is_raised_when_it_should_be(alarm, tmp_path):
    tests = [asked(alarm, values, raised) for values, raised in zip(CASES[alarm][:2], (True, False), strict=True)]
    told = {"rule_files": [str(ALARMS)], "evaluation_interval": "5s", "tests": tests}
    (tmp_path / "alarms.test.yaml").write_text(yaml.safe_dump(told))
    done = subprocess.run(
        [PROMTOOL, "test", "rules", tmp_path / "alarms.test.yaml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
