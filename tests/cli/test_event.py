"""`bobing event`: at a running server, and in a file that no server has."""

import io
import json
import re
import stat
from email.message import Message
from unittest.mock import patch
from urllib.error import HTTPError

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from bobing.adapters.guard import alone, serving
from bobing.cli import main
from bobing.ports import LogError
from cli.test_serve import serving as process
from server import live

LIST = "name,phone\n" + "".join(f"Guest {n},138{n:08d}\n" for n in range(1, 10))


def event(*words, **env):
    clean = {"BOBING_DB": "", "BOBING_EVENT_SERVER": "", "BOBING_EVENT_TOKEN": ""}
    return CliRunner().invoke(main, ["event", *map(str, words), "--lang", "en"], env={**clean, **env})


def told(*words, **env):
    result = event(*words, "--json", **env)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


@pytest.fixture
def guests(tmp_path):
    path = tmp_path / "guests.csv"
    path.write_text(LIST)
    return path


def new(at):
    return told("new", "Moon", "--rules", "S12", "--tables", 3, "--seats", 4, **at)["code"]


def test_an_event_in_a_file_from_the_list_to_the_other_computer(tmp_path, guests):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = new(at)
    nothing = {"faults": [], "left_out": [], "same_name": []}
    assert told("import", code, guests, "--check", **at) == {"read": 9, "taken": False, **nothing}
    assert told("import", code, guests, **at) == {"read": 9, "taken": True, **nothing}
    known = event("import", code, guests, **at)
    assert (known.exit_code, "is on the list of the event already" in known.output) == (1, True)
    drawn = told("seat", code, "--who", "listed", "--seed", "moon", **at)
    assert sorted(len(table) for table in drawn["tables"].values()) == [3, 3, 3]
    assert sorted(guest for table in drawn["tables"].values() for guest in table) == list(range(1, 10))
    again = told("seat", code, "--who", "listed", "--seed", "moon", **at)
    assert again == drawn, "the same seed seats the same"
    board = told("board", code, **at)
    assert [(table["table"], table["status"]) for table in board["tables"]] == [(n, "waiting") for n in (1, 2, 3)]
    assert event("export", code, "seats", "-o", tmp_path / "seats.csv", **at).exit_code == 0
    assert "Guest 7" in (tmp_path / "seats.csv").read_text("utf-8-sig")
    assert event("print", code, "cards", "-o", tmp_path / "cards.pdf", **at).exit_code == 0
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    packed = tmp_path / "moon.bobing-event"
    assert event("handover", code, packed, "--to", "B", **at).exit_code == 0
    assert stat.S_IMODE(packed.stat().st_mode) == 0o600
    assert told("board", code, **at)["handed_to"] == "B"
    refused = event("seat", code, "--who", "listed", **at)
    assert (refused.exit_code, "[event/not_here]" in refused.stderr) == (2, True)
    assert "[cli/file_exists]" in event("handover", code, packed, **at).stderr
    there = {"BOBING_DB": str(tmp_path / "b.db")}
    assert told("takeover", packed, **there)["code"] == code
    assert told("board", code, **there)["tables"] == board["tables"]
    assert "[event/handed_over]" in event("takeback", code, **at).stderr
    assert told("takeback", code, "--sure", **at) == {"code": code}


def test_a_wrong_list_takes_nobody_and_names_every_line(tmp_path, guests):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = new(at)
    (tmp_path / "bad.csv").write_text("name,phone\nMei,12x\n,138\n")
    result = event("import", code, tmp_path / "bad.csv", **at)
    assert result.exit_code == 1
    assert ["Line 2" in result.output, "Line 3" in result.output, "Nobody was taken" in result.output] == [True] * 3
    assert told("import", code, guests, **at)["read"] == 9, "and nothing was in the way"


def test_tables_open_close_from_paper_and_their_prizes_are_handed_over_once(tmp_path, guests):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = new(at)
    assert told("import", code, guests, **at)["taken"]
    assert told("seat", code, "--who", "listed", "--seed", "moon", **at)["seed"] == "moon"
    assert told("open", code, "--tables", "1,3", **at) == {"tables": [1, 3]}
    assert told("open", code, **at) == {"tables": [2]}, "and then those that wait still"
    assert told("close", code, **at) == {"tables": []}, "none has finished"
    sheet = tmp_path / "one.csv"
    sheet.write_text("座号,状元,Straight,yixiu\n1,,1,3\n2,1,,\n")
    closed = told("results", code, 1, sheet, "--title", "444412", **at)
    assert closed["champion"] == 1
    assert [(one["seat"], one["tier"], one["cakes"]) for one in closed["won"]] == [
        (0, "duitang", 1),
        (0, "yixiu", 3),
        (1, "zhuangyuan", 1),
    ]
    assert told("close", code, "--tables", "2", **at) == {"tables": [2]}, "early, because it was named"
    rows = told("board", code, **at)["tables"]
    assert [(row["status"], row["left"]) for row in rows] == [("closed", None), ("closed", None), ("open", 63)]
    waiting = told("prizes", code, **at)["vouchers"]
    assert [(one["voucher"], one["prize"], one["table"]) for one in waiting][:2] == [
        (1, "Straight", 1),
        (2, "One Four", 1),
    ]
    assert told("hand", code, "1,2", "--desk", "A", **at) == {"vouchers": [1, 2]}
    again = event("hand", code, "3,2", "--desk", "B", **at)
    assert (again.exit_code, "is handed at A" in again.stderr) == (2, True)
    assert [one["voucher"] for one in told("prizes", code, **at)["vouchers"]] == [3, 4, 5], "and nothing else changed"
    assert told("act", code, '{"do": "absent", "vouchers": [3]}', **at)["n"]
    states = {one["voucher"]: one["state"] for one in told("prizes", code, "--all", **at)["vouchers"]}
    assert states == {1: "handed", 2: "handed", 3: "absent", 4: "open", 5: "open"}
    for text, said in (
        ("seat,cake\n1,1\n", "[event/no_tier]"),
        ("seat,yixiu\n9,1\n", "[event/no_seat]"),
        ("seat,yixiu\n1,x\n", "[event/bad_list]"),
        ("yixiu\n1\n", "[event/bad_list]"),
        ("\n", "[event/empty_list]"),
    ):
        sheet.write_text(text)
        assert said in event("results", code, 3, sheet, **at).stderr
    for bad in ("{", "[" * 100_000):
        assert "[json/bad]" in event("act", code, bad, **at).stderr
    assert "[event/no_table]" in event("results", code, 9, sheet, **at).stderr


def test_a_column_that_is_not_taken_is_said(tmp_path):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = new(at)
    (tmp_path / "list.csv").write_text("name,department\nMei,Sales\n")
    assert "not taken: department" in event("import", code, tmp_path / "list.csv", "--check", **at).output
    assert told("import", code, tmp_path / "list.csv", **at)["left_out"] == [{"column": 2, "name": "department"}]


def test_at_a_running_server_with_the_token_of_the_desk(guests, tmp_path):
    with live.serving() as base:
        at = {"BOBING_EVENT_SERVER": base}
        made = told("new", "Moon", "--rules", "S12", "--tables", 3, "--seats", 4, **at)
        at["BOBING_EVENT_TOKEN"] = made["token"]
        assert told("import", made["code"].lower(), guests, **at)["taken"]
        assert len(told("seat", made["code"], "--who", "listed", **at)["tables"]) == 3
        text = event("board", made["code"], **at).output.splitlines()
        assert text == ["Moon", "   1  waiting", "   2  waiting", "   3  waiting"]
        wrong = {**at, "BOBING_EVENT_TOKEN": "x" * 32}
        assert "[table/unknown_token]" in event("board", made["code"], **wrong).stderr
        assert "[table/unknown_token]" in event("export", made["code"], "seats", **wrong).stderr
        assert "[cli/bad_call]" in event("board", made["code"], BOBING_EVENT_SERVER=base).stderr
        for call in (("board", made["code"]), ("export", made["code"], "seats")):
            slip = event(*call, **{**at, "BOBING_EVENT_TOKEN": "zz"}).stderr
            assert ("#k=" in slip, "reload" in slip) == (True, False)
    assert "[cli/no_server]" in event("board", made["code"], **at).stderr


def test_a_file_that_a_server_has_is_left_alone_and_the_other_way_round(tmp_path):
    path = tmp_path / "tables.db"
    with process(path, "--here"):
        result = event("new", "Moon", "--db", path)
        assert (result.exit_code, "[log/in_use]" in result.stderr) == (2, True)
    assert event("new", "Moon", "--db", path).exit_code == 0
    with alone(f"sqlite:{path}"), pytest.raises(LogError, match="end that"), serving(f"sqlite:{path}", shared=True):
        pass


def test_only_servers_that_share_a_file_by_leases_are_at_it_together(tmp_path):
    """A server of one process reads its tables once: what another wrote it would not show."""
    url = f"sqlite:{tmp_path / 'tables.db'}"
    (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
    for first, second in ((False, False), (False, True), (True, False)):
        for other in (url, f"sqlite:{tmp_path / 'link.db'}"):
            with serving(url, shared=first), pytest.raises(LogError, match="--workers"), serving(other, shared=second):
                pass
    with serving(url, shared=True), serving(url, shared=True):
        pass
    with serving(url, shared=False):
        result = CliRunner().invoke(main, ["serve", "--port", "0", "--here", "--db", url, "--lang", "en"])
        assert (result.exit_code, "[log/in_use]" in result.stderr) == (2, True)


def test_house_rules_come_with_the_event(tmp_path):
    rules = tmp_path / "ours.toml"
    rules.write_text('extends = "S12"\ntotal = 91\n[cakes]\nyixiu = 60\n')
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = told("new", "Moon", "--rules", rules, **at)["code"]
    assert event("print", code, "rules", "-o", tmp_path / "rules.pdf", **at).exit_code == 0
    (card,) = PdfReader(tmp_path / "rules.pdf").pages
    assert "91 cakes" in card.extract_text()
    assert "[paper/nothing]" in event("print", code, "prizes", "-o", tmp_path / "none.pdf", **at).stderr
    assert not (tmp_path / "none.pdf").exists()
    assert "[rules/unknown_sheet]" in event("new", "Moon", "--rules", "S99", **at).stderr


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_whatever_a_server_refuses_is_told_in_the_language_of_the_call(tmp_path, lang):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    code = new(at)
    (tmp_path / "no-file").write_bytes(b"no gzip")
    for words in (
        ("act", code, '{"do": "here", "guests": ["x"]}'),
        ("act", code, '{"do": "sit", "guest": 99, "table": 1}'),
        ("act", code, "[]"),
        ("new", "x" * 90),
        ("takeover", tmp_path / "no-file"),
        ("seat", code, "--session", 7),
    ):
        said = event(*words, "--lang", lang, **at).stderr
        assert said.startswith("bobing: "), words
        told = re.sub(r"\[\w+/\w+\]|\$\S*|\b(object|array|int|str|length|bobing)\b", "", said)
        assert not re.search("[A-Za-z]{3,}", told), said


@pytest.mark.parametrize("status", [500, 502])
def test_a_server_that_failed_is_not_said_to_be_away(status):
    failing = HTTPError("http://x", status, "", Message(), io.BytesIO(b"Internal Server Error"))
    with patch("bobing.cli.event_line.urlopen", side_effect=failing):
        at = {"BOBING_EVENT_SERVER": "http://x", "BOBING_EVENT_TOKEN": "x" * 30}
        assert event("export", "ABCDEFGH", "guests", **at).stderr == (
            f"bobing: http://x failed (status {status}); its log says why [cli/server_failed]\n"
        )


def test_what_is_not_there_is_said(tmp_path):
    at = {"BOBING_DB": str(tmp_path / "a.db")}
    assert "[cli/no_event]" in event("board", "ABCDEFGH", **at).stderr
    assert "[cli/no_file]" in event("takeover", tmp_path / "none", **at).stderr
    assert "[cli/bad_call]" in event("board", "ABCDEFGH", BOBING_EVENT_SERVER="ftp://x").stderr
