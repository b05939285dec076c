"""Details of refusals in Chinese: each pattern fits what bobing really says, and nothing of a detail is lost."""

import ast
import asyncio
import errno
import gzip
import os
import re
from collections import Counter
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import apsw
import psycopg
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from bobing import cli
from bobing.adapters import need, open_bus, open_log, sqlite_path
from bobing.adapters.entries import closed, verify_append, verify_lease
from bobing.adapters.guard import alone, serving
from bobing.adapters.moving import copy
from bobing.adapters.postgres import writer as database_writer
from bobing.adapters.postgres.server import cannot_open as database_refused
from bobing.adapters.postgres.server import unreached
from bobing.adapters.sqlite import writer as file_writer
from bobing.adapters.sqlite.file import cannot_open, verify_local, why
from bobing.adapters.sqlite.maintenance import back_up, verify
from bobing.adapters.sqlite.release import verify_release
from bobing.cli import inputs
from bobing.cli.common import refusal
from bobing.cli.event_line import Live, numbers_in
from bobing.cli.event_play import table_of, won_of
from bobing.cli.plan import file_table, price_of
from bobing.core.act_json import act_from_json
from bobing.core.canonical import canonical_json, strict_json
from bobing.core.catalogue import find_sheet, load_rules, read_rules
from bobing.core.dice import Roll
from bobing.core.errors import BobingError
from bobing.core.game import Game
from bobing.core.rules import rules_from_table
from bobing.i18n import texts
from bobing.i18n.details import detail_in, patterns_in
from bobing.odds import exact_length, exact_standing, standing, throw
from bobing.odds.plan import plan_of, read_wish
from bobing.odds.simulate import Setting, need_extra, simulate
from bobing.ports import Entry, Lease, NewEntry, RightGone, Worker
from bobing.server import running
from bobing.server.aside import Aside
from bobing.server.event_room import EventRoom, closing, decide, load, verify_erasable
from bobing.server.odds_api import read_players
from bobing.server.places import Elsewhere
from bobing.server.plan_api import plan
from bobing.server.room import Room
from bobing.server.running import verify_tls
from bobing.server.settings import Settings, settings_from
from bobing.server.standby import ACTS_MAX, forked, never_handed_over, unpacked, went_away
from bobing.tournament import acts
from bobing.tournament.acts import act_from_json as act_of_event
from bobing.tournament.event import Event
from bobing.tournament.guest_list import read_guests
from bobing.tournament.guests import add_guests
from bobing.tournament.prizes import award_again, close_table, drawn_again
from bobing.tournament.stages import draw_finalists
from bobing.tournament.throwing import digital_throw
from bobing.wire import event_messages as wire
from bobing.wire.codec import MessageRefused, read_event_message

SRC = Path(cli.__file__).parents[1]
MINE = 'extends = "minnan"\n'
SEVEN = "['zhuangyuan', 'duitang', 'sanhong', 'sijin', 'erju', 'yixiu', 'two']"
NEVER_WON = f"{MINE}[ranking]\ntiers = {SEVEN}\n[cakes]\ntwo = 4\n[wins]\ntwo = ['11442x']"
FILES = (
    "takes = 1",
    'extends = "minnan"\nsprill = 1',
    'extends = "minnan"\nzzz = 1',
    "extends = 1",
    'key = "minnan"\nextends = "S12"',
    f"{MINE}[cakes]\nyixiu = -1",
    f"{MINE}cakes = 3",
    f"{MINE}names = {{ en = 3 }}",
    f"{MINE}[prizes]\nduitang = [{{ name = '', count = 1 }}]",
    f"{MINE}[prizes]\nduitang = 7",
    f"{MINE}[prizes]\nduitang = [{{ name = 'a', count = 1 }}]",
    f"{MINE}[prizes]\nduitang = [{{ name = 'a', count = 1 }}, {{ name = 'a', count = 1 }}]",
    f"{MINE}[ranks]\nunranked = ['sihong']",
    f"{MINE}[ranks]\norder = []",
    f"{MINE}[setup]\nseats_min = 5\nseats_usual = 3",
    "extends = 'S15'\n[chase]\ntiers = ['sanhong']",
    f"{MINE}[cakes]\nyixiu = 0\n[bonus]\nsijin_yixiu = true",
    f"{MINE}[ranks]\norder = ['sihong']\nunranked = []\n[chajinhua]\nduitang = 'all'",
    f"{MINE}[cakes]\nduitang = 0\n[chajinhua]\nduitang = 'all'",
    f"{MINE}[liubohong]\ntakes = 'friendly'\n[ranks]\norder = ['sihong']\nunranked = ['liubohong']",
    f"{MINE}[title]\nequal = 'red-pips'\ncontest = 'first'",
    f"{MINE}[liubohei]\neffect = 'grab'\nfaces = []",
    f"{MINE}[ending]\nwhen = 'throws'\nthrows_each = 6\nfinish = 'equal-turns'",
    f"{MINE}[ending]\nwhen = 'throws'",
    f"{MINE}[ending]\nthrows_each = 6",
    f"{MINE}[ending]\nundecided = 'three-dice'",
    f"{MINE}[title]\nhandover = 'at-once'\n[liubohei]\neffect = 'grab'\nfaces = [2]\ngrab_zhuangyuan = 'always'",
    MINE + "[cakes]\n" + "\n".join(f"tier{n} = 1" for n in range(30)),
    f"{MINE}[wins]\nzhuangyuan = ['111111']",
    f"{MINE}[cakes]\n'a.b' = 1",
    f"{MINE}[cakes]\nnone = 1",
    f"{MINE}aliases = ['x']",
    "#" * 300_000,
    "a." * 300 + "b = 1",
    "a = " + "[" * 250_000,  # py_ecc lets Python go 100,000 calls deep
    "a = " + "9" * 5_000,
    f"{MINE}[wins]\nduitang = ['11x']",
    f"{MINE}[wins]\nduitang = ['duitang', 'duitang']",
    f"{MINE}[liubohong]\ntakes = 'tabel'",
    f"{MINE}[liubohong]\ntakes = 'x'",
    f"{MINE}[ranking]\ntiers = ['zhuangyuan', 'zhuangyuan']",
    f"{MINE}[ranking]\ntiers = ['zhuangyuan', 'seventh']",
    f"{MINE}[ranking]\ntiers = ['zhuangyuan', 'duitang']",
    f"{MINE}[cakes]\nzhuangyuan = 0",
    f"{MINE}[chase]\ntiers = ['duitang', 'duitang']",
    f"{MINE}total = 7",
    NEVER_WON,
    "key = mine",
    "key = “mine”",
    "级 = 1",
    f"{MINE}[bonus]\nsijin_yixiu = yes",
    f"{MINE}[cakes]\nyixiu = '3'",
    f"{MINE}[cakes]\nyixiu = 1.5",
    f"{MINE}[cakes]\nyixi = 3",
    "key",
    "key =",
    "= 1",
    "key = 'a' 'b'",
    "key = [1",
    'key = "a\nb"',
    "a = 1\na = 2",
    "[a\nb = 1",
    "[a]\n[a]",
    "a = { b = 1",
    f"{MINE}[cakes]\nthird = 3",
)
TEXTS = (
    '{"a": }', "{a: 1}", '{"a" 1}', "[1 2]", '{"a', "[] []", "1.5", "12345678901234567890", '{"a": 1, "a": 2}',
)  # fmt: skip
ACTS = (
    [], {}, {"seat": 0}, {"seat": 1, "roll": "123456"}, {"seat": 0, "roll": "44445"}, {"seat": 9, "pass": True},
    {"seat": 0, "roll": 4}, {"seat": 0, "spill": 1}, {"seat": 0, "spill": True, "colour": "red"}, {"undo": 0},
    {"undo": 7}, {"seat": -1, "roll": "123456"}, {"seat": 0, "back": True}, {"seat": 0, "rolloff": "12"},
    {"seat": 0, "roll": "222222"}, {"seat": 0, "roll": "222222", "grab": {"yixiu": [0]}},
    {"seat": 0, "roll": "123456", "waive": ["yixiu"]}, {"seat": 0, "roll": "123456", "item": {"duitang": "towel"}},
)  # fmt: skip
SEQUENCES = (
    ("xiamen-tradition", [{"seat": 0, "pass": True}, {"seat": 1, "leave": True}, {"seat": 1, "leave": True}]),
    ("minnan", [{"seat": 0, "pass": True}, {"undo": 1}, {"undo": 1}]),
    ("minnan", [{"seat": 0, "pass": True}, {"correct": 1, "act": {"seat": 1, "pass": True}}]),
    ("minnan", [{"seat": 0, "pass": True}, {"seat": 1, "pass": True},
                {"correct": 1, "act": {"seat": 0, "cocked": True}}]),
)  # fmt: skip
CALLS = (
    "score", "referee", "referee --seats x", "referee --seets 3", "rules lst", "score 1 --rules", "rules list twice",
    "referee --seats 3 --lang zz",
)  # fmt: skip

PLANS = (
    "people = 1", "tables = 2", 'people = 40\nending = "time"', 'people = 40\nending = "never"',
    "people = 4\ntables = 3", "people = 1200\ntables = 2", "peopel = 40",
    "people = 40\n[prizes]\nfoo = 1", "people = 40\nprizes = 3",
    "people = 40\npot = 1.234", "people = 40\npot = '3,5'", "people = 4.5", "people = 40\ncurrency = 3",
    "people = 40\ncoin = 0", "people = 40\nminutes = 0", "people = 40\nthrows_each = 4",
    "people = 40\nthree_dice = true", "people = 40\npot = 0.5",
    "people = 40\ncoin = 0.5", "people = 40\n[prizes]\nyixiu = []", "people = 40\nsets = 9", "people = 40\nseconds = 0",
    "people = 40\nending = 'throws'\nthrows_each = 0", "people = 40\nbudget = -1", "people = 40\ntotal = 0",
    "people = 40\nrules = 7", "people = 40\nthree_dice = 1", "people = ", "people = '１０'",
    "people = 40\n[prizes]\nyixiu = { prize = 3 }",
)  # fmt: skip
QUERIES = ({"people": "90", "tables": "2"}, {"people": "10", "sets": "5"}, {"people": "10", "prices": "yixiu"})
MINNAN = find_sheet()
HALF: Any = 0.5
TEXT: Any = "9"
ODDS = (
    lambda: exact_length(MINNAN, 1), lambda: exact_length(MINNAN, 9, seconds=0), lambda: exact_length(MINNAN, throws=0),
    lambda: exact_length(read_rules(f"{MINE}[cakes]\nyixiu = 320")),
    lambda: exact_length(read_rules('extends = "fallback-chart"\n[chase]\ntiers = ["sanhong"]')),
    lambda: exact_standing(Game.new(MINNAN, 3).play(act_from_json({"seat": 1, "leave": True}))),
    lambda: standing(Game.new(MINNAN, 2).play(act_from_json({"seat": 1, "leave": True}))),
    lambda: standing(Game.new(MINNAN, 2).play(act_from_json({"close": True}))),
    lambda: asyncio.run(closed_aside()),
    lambda: exact_length(HALF), lambda: standing(HALF),
    lambda: exact_length(MINNAN, HALF), lambda: exact_length(MINNAN, throws=TEXT),
    lambda: exact_length(MINNAN).quantile(-1),
    lambda: throw("S2").chance(-1), lambda: throw("S2").cakes("x"), lambda: simulate(Setting(MINNAN, TEXT)),
    lambda: simulate(Setting(MINNAN, 3, HALF)), lambda: simulate(Setting(MINNAN, 3, spills=TEXT)),
    lambda: simulate(Setting(MINNAN, 3), HALF), lambda: simulate(Setting(MINNAN, 3), 10, workers=0),
    lambda: read_players("99"), lambda: simulate(Setting(MINNAN, 1)), lambda: simulate(Setting(MINNAN, 3, -1)),
    lambda: simulate(Setting(MINNAN, 3, spills=1)), lambda: simulate(Setting(MINNAN, 3), 0),
)  # fmt: skip


async def closed_aside():
    aside = Aside()
    aside.close()
    await aside.run(int)


def said_of(call, *args):
    with pytest.raises(BobingError) as refused:
        call(*args)
    return str(refused.value)


def played(sheet, acts, seats=3, start=0):
    game = Game.new(find_sheet(sheet), seats, start)
    for act in acts:
        game = game.play(act_from_json(act))


def in_rolloff(*acts):
    rules = read_rules(f'{MINE}[ending]\nminutes = 9\nundecided = "three-dice"')
    game = Game.new(rules, 3)
    for act in ({"time_up": True}, *acts):
        game = game.play(act_from_json(act))


def grabbed_by_who_left():
    game = Game.new(find_sheet("xiamen-tradition"), 3).play(act_from_json({"seat": 1, "leave": True}))
    there = game.grab_for(Roll.parse("222222"))
    assert there
    grab = {tier: [1] * cakes for tier, cakes in there.items()}
    game.play(act_from_json({"seat": 0, "roll": "222222", "grab": grab}))


def without_a_section():
    table = dict(find_sheet().to_table())
    rules_from_table({**table, "spill": {}})


def simulations_refused(folder):
    kept, other, setting = folder / "kept.json", folder / "other.json", Setting(MINNAN, 3)
    other.write_text("{}")
    (folder / "old.json").write_text('{"format": "bobing-simulation/1"}')
    simulate(setting, 10_000, state=kept)
    yield said_of(lambda: simulate(setting, 10, state=kept))
    yield said_of(lambda: simulate(Setting(MINNAN, 4), 10_000, state=kept))
    yield said_of(lambda: simulate(setting, 10, state=other))
    yield said_of(lambda: simulate(setting, 10, state=folder / "old.json"))
    yield said_of(lambda: simulate(setting, 10, state=folder / "no" / "folder.json"))
    yield "no Dask scheduler answers at tcp://127.0.0.1:1"
    yield "the Dask scheduler at tcp://127.0.0.1:1 has no workers; start some"


def events_refused():
    sheet = read_rules(f"{MINE}[prizes]\nduitang = [{{ name = 'Cup', count = 1 }}, {{ name = 'Pan', count = 1 }}]")
    event = Event().play(acts.SetSession(1, "evening", sheet.to_table(), 2, 4))
    event = event.play(acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(9))))
    yield said_of(event.play, acts.Draw(1, "s", (1, 2), who="listed"))
    yield said_of(event.play, acts.Draw(1, "s", tuple(range(1, 10)), who="listed"))
    for number in range(1, 9):
        event = event.play(acts.Sit(number, 1 + number % 2)) if number > 2 else event.play(acts.AddTable(number, 1))
    event = event.play(acts.SetStage(1, "", "highest", (acts.FinalPlace(1),), "named", held=True))
    event = event.play(acts.SetStage(2, "", "sum", (acts.FinalPlace(1),), "named"))
    close = acts.CloseTable(1, (acts.Won(0, "zhuangyuan", 1),), 0, 1, "results")
    cups = acts.CloseTable(1, (acts.Won(0, "duitang", 2, "Cup"),), None, 1, "results")
    yield said_of(event.play, cups)
    event = event.play(close).play(acts.HandOver((1,), "A"))
    yield said_of(event.play, acts.HandOver((1,), "B"))
    yield said_of(event.play, acts.Reopen(1))
    yield said_of(event.play, acts.Finalists(1, (4, 6), "s", 10))
    yield said_of(event.play, acts.Finalists(2, (4,), "s", 10))
    event = event.play(acts.Finalists(2, (4, 6), "s", 10))
    first, last = event.state.stages[2].groups[0].guests
    yield said_of(event.play, acts.FinalThrow(2, last, "123"))
    yield said_of(event.play, acts.Substitute(2, first, last))
    yield said_of(event.play, acts.Substitute(2, 1, 2))
    late = event.play(acts.AddGuests(event.next_guest, (acts.NewGuest(1),))).play(acts.Here((4,)))
    yield said_of(late.play, acts.Substitute(2, first, late.next_guest - 1))
    named = EventRoom("AAAAAAAA", len(event.log), event, {"guest/1/name": "Ann"})
    other = wire.EventAct("c", 0, {"do": "substitute", "stage": 2, "out": first, "guest": 2})
    yield said_of(decide, named, other, wire.EventYou("desk"))
    yield said_of(event.play(acts.FinalThrow(2, first, "123")).play, acts.Substitute(2, first, 2))
    tied = event.play(acts.FinalThrow(2, first, "123")).play(acts.FinalThrow(2, last, "123"))
    yield said_of(tied.play(acts.Scratch(2, first)).play, acts.FinalThrow(2, last, "456"))
    moved = event.play(acts.HandOff("the other laptop")).play(acts.TakeOver("the other laptop"))
    yield said_of(moved.play, acts.Undo(len(moved.log)))
    room = EventRoom("AAAAAAAA", len(event.log), event, {})
    merge = {"do": "merge", "table": 2, "into": 1}
    yield said_of(decide, room, wire.EventAct("c", 0, merge), wire.EventYou("desk"))
    yield from guests_refused(event)


def acts_refused():
    """Tables 1 and 2 with guests 1 to 4 and 5 to 8, of which 1 has begun; guest 9 has no seat."""
    sheet = read_rules(f"{MINE}[prizes]\nduitang = [{{ name = 'Cup', count = 1 }}, {{ name = 'Pan', count = 1 }}]")
    event = Event().play(acts.SetSession(1, "evening", sheet.to_table(), 2, 4))
    event = event.play(acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(9))))
    for table in (1, 2):
        event = event.play(acts.AddTable(table, 1))
        for guest in range(4 * table - 3, 4 * table + 1):
            event = event.play(acts.Sit(guest, table))
    begun = event.play(acts.Open(1, "QRST2345"))

    def close(*won, champion=None):
        return acts.CloseTable(1, won, champion, 1, "results")

    closed = begun.play(close(acts.Won(0, "yixiu", 2)))
    for play, wrong in (
        (event, acts.CloseTable(2, (), None, 1)),
        (event, acts.Reopen(2)),
        (event, acts.AddTable(2, 1)),
        (event, acts.Sit(9, 2)),
        (event, acts.SetRole(7, "head", 1)),
        (event, acts.Here((77,))),
        (event, acts.AddGuests(10, (acts.NewGuest(3),))),
        (event, acts.AddGuests(12, (acts.NewGuest(1),))),
        (event, acts.TakeOver("here")),
        (event, acts.SetStock((acts.StockItem("a", 1), acts.StockItem("a", 2)))),
        (event, acts.SetSession(1, "evening", {"key": 3}, 2)),
        (event, acts.Undo(99)),
        (event.play(acts.AddTable(3, 1)), acts.Open(3, "S3")),
        (event.play(acts.Withdraw(9)).play(acts.Undo(13)), acts.Undo(13)),
        (event.play(acts.Withdraw(9)).play(acts.Undo(13)), acts.Correct(14, acts.Withdraw(8))),
        (begun, acts.Undo(len(begun.log))),
        (begun, acts.SetSession(1, "evening", find_sheet("S1").to_table(), 2)),
        (begun, acts.Draw(1, "s", (1, 2), who="listed")),
        (begun, acts.SignOff()),
        (begun, acts.Split(1, 9, (1,))),
        (begun, acts.Merge(1, 2)),
        (begun, acts.Open(1, "other")),
        (begun, acts.Stand(1)),
        (begun, close(acts.Won(9, "yixiu", 1))),
        (begun, close(acts.Won(0, "cake", 1))),
        (begun, close(acts.Won(0, "yixiu", 90))),
        (begun, close(acts.Won(0, "yixiu", 1, "Vase"))),
        (begun, close(acts.Won(0, "duitang", 1))),
        (closed, acts.Sit(9, 1)),
        (closed, close()),
        (closed, acts.HandOver((7,))),
        (closed, acts.HandOver((1, 1))),
        (closed.play(acts.Waive((1,))), acts.HandOver((1,))),
        (closed.play(acts.Plan("x", absent="again")), acts.AwardAgain(1, 2, 9)),
        (closed.play(acts.Plan("x", absent="again")).play(acts.Absent((1,))), acts.AwardAgain(1, 1, 9)),
        (event.play(acts.AddTable(3, 1)).play(acts.Merge(3, 2)), acts.Reopen(3)),
        (event.play(acts.HandOff("")), acts.Withdraw(1)),
        (event.play(acts.HandOff("the other laptop")), acts.Withdraw(1)),
    ):
        yield said_of(play.play, wrong)
    yield said_of(add_guests, event.state, acts.AddGuests(9, (acts.NewGuest(1), acts.NewGuest(1))))
    yield said_of(add_guests, event.state, acts.AddGuests(20_000, (acts.NewGuest(1), acts.NewGuest(1))))
    absent = closed.play(acts.Plan("x", absent="again")).play(acts.Absent((1,)))
    yield said_of(close_table, closed.state, close(acts.Won(1, "yixiu", 1)))
    yield said_of(award_again, absent.state, acts.AwardAgain(1, 2, 2))
    room = EventRoom("AAAAAAAA", len(begun.log), begun, {})
    unpaid = wire.EventAct("c", 0, acts.act_to_json(close(champion=0)))
    yield said_of(decide, room, unpaid, wire.EventYou("desk"))
    yield from finals_refused(event, closed)
    yield from away_refused()


def finals_refused(event, closed):
    one = (acts.FinalPlace(1),)
    for play, wrong in (
        (event, acts.Finalists(1, (1, 2), "s", 1)),
        (event, acts.SetStage(2, "", "sum", one, "stage")),
        (event.play(acts.SetStage(1, "", "game", one, "named")), acts.Finalists(1, (1, 2), "s", 1)),
        (event.play(acts.SetStage(1, "", "sum", one, "named")), acts.Finalists(1, (1, 1), "s", 1)),
    ):
        yield said_of(play.play, wrong)
    final = event.play(acts.SetStage(1, "", "sum", one, "named")).play(acts.Finalists(1, (1, 2), "s", 1))
    first = final.state.stages[1].groups[0].guests[0]
    yield said_of(final.play, acts.FinalThrow(1, first, "123456"))
    yield said_of(final.play, acts.SetStage(1, "", "sum", one, "named"))
    left = final.play(acts.Scratch(1, 3 - first)).play(acts.Substitute(1, 3 - first, 3))
    yield said_of(left.play, acts.Substitute(1, first, 3 - first))
    over = event.play(acts.SetStage(1, "", "sum", (acts.FinalPlace(1, "car"),), "named"))
    over = over.play(acts.Finalists(1, (1, 2), "s", over.next_voucher))
    for guest, faces in zip(over.state.stages[1].groups[0].guests, ("666", "222"), strict=True):
        over = over.play(acts.FinalThrow(1, guest, faces))
    handed = over.play(acts.HandOver((over.next_voucher - 1,), "A"))
    n, throw = next((n, one.act) for n, one in enumerate(over.log, 1) if isinstance(one.act, acts.FinalThrow))
    yield said_of(handed.play, acts.Correct(n, replace(throw, faces="111")))
    taken = closed.play(acts.SetStage(1, "", "sum", one, "named"))
    yield said_of(draw_finalists, taken.state, acts.Finalists(1, (1, 2), "s", 1))
    digital = event.play(acts.SetStage(1, "", "sum", one, "named", digital=True)).play(
        acts.Finalists(1, (1, 2), "s", 1)
    )
    yield said_of(digital.play, acts.FinalThrow(1, digital.state.stages[1].groups[0].guests[0], "123"))
    yield said_of(digital_throw, final, 1, first, lambda dice: (1,) * dice)
    game = event.play(acts.SetStage(1, "", "game", one, "named"))
    yield said_of(game.play(acts.Finalists(1, (1, 2), "s", 1, tables=(9,))).play, acts.Sit(9, 9))


def small_refusals():
    event = Event().play(acts.SetSession(1, "evening", find_sheet().to_table(), 2))
    event = event.play(acts.AddGuests(1, tuple(acts.NewGuest(1) for _ in range(4)))).play(
        acts.Draw(1, "s", (1, 2), who="listed")
    )
    yield said_of(Event().play, acts.SetStage(1, "", "sum", (acts.FinalPlace(1),)))
    yield said_of(event.play, acts.Trade((1, 1)))
    yield said_of(event.play(acts.Open(1, "QRST2345")).play, acts.Open(2, "QRST2345"))
    yield said_of(read_guests, [["", ""]])
    won = acts.CloseTable(1, (acts.Won(0, "yixiu", 1),), None, 1, "results")
    lots = event.play(acts.Plan("x", absent="lot")).play(won).play(acts.Absent((1,)))
    yield said_of(lots.play, acts.AwardAgain(1, 1, 9))
    final = event.play(acts.SetStage(1, "", "sum", (acts.FinalPlace(1),), "named")).play(
        acts.Finalists(1, (1, 2), "s", 1)
    )
    for guest, faces in zip(final.state.stages[1].groups[0].guests, ("111", "222"), strict=True):
        final = final.play(acts.FinalThrow(1, guest, faces))
    yield said_of(final.play, acts.Scratch(1, 1))


WRONG_ACTS: tuple[Any, ...] = (
    [], {}, {"do": "x"}, {"do": "here", "guests": [0]}, {"do": "here", "guests": []}, {"do": "here", "guests": "x"},
    {"do": "here", "guests": [1], "z": 1}, {"do": "final", "stage": 1, "guest": 1, "faces": "9"},
    {"do": "plan", "title": "x", "absent": "q"}, {"do": "hand", "vouchers": [1], "to": "x"},
    {"do": "session", "session": 1, "name": "", "rules": {1: 2}, "tables": 1},
)  # fmt: skip
WRONG_MESSAGES = ("{", "[]", '{"t": "x"}', '{"t": "event_act", "cmd": "c", "at": 0}')


def forms_refused():
    """What is said of acts, messages and files that are not made as they should be."""
    yield from (said_of(act_of_event, act) for act in WRONG_ACTS)
    deep: dict[str, Any] = {"do": "undo", "n": 1}
    with patch("bobing.tournament.acts.msgspec.convert", side_effect=RecursionError):
        yield said_of(act_of_event, deep)
    for text in WRONG_MESSAGES:
        with pytest.raises(MessageRefused) as refused:
            read_event_message(text)
        yield refused.value.why
    yield "dice is real or digital"
    yield from map(said_of_file, files_of_an_event())


def said_of_file(data):
    return said_of(unpacked, data, "event/")


def files_of_an_event():
    """Hand-over files with every fault that they may have."""
    lines = [b'{"t":"head","form":"bobing-event/1","code":"AAAAAAAA","streams":1}']
    plan, off = (canonical_json({"act": acts.act_to_json(act)}).decode() for act in (acts.Plan("x"), acts.HandOff("")))
    undo = canonical_json({"act": acts.act_to_json(acts.Undo(7))}).decode()

    def stream(name, *bodies, event=""):
        entries = [["c", 0, "desk", body] for body in bodies]
        notes = {"event": event} if event else {}
        return canonical_json(
            {"t": "stream", "stream": name, "entries": entries, "notes": notes, "secrets": {}, "grants": []}
        )

    def file(*streams, head=lines[0], end=""):
        whole = b"".join(line + b"\n" for line in (head, *streams))
        return gzip.compress(whole + canonical_json({"t": "end", "sha256": end or sha256(whole).hexdigest()}) + b"\n")

    yield b"no gzip at all, but long enough"
    yield file(stream("event/AAAAAAAA", plan))[:-9]
    yield file(stream("event/AAAAAAAA", plan), end="0" * 64)
    yield file()
    yield file(b"{}")
    yield file(stream("event/AAAAAAAA", plan, undo))
    yield file(stream("event/AAAAAAAA", *(plan for _ in range(ACTS_MAX + 1))))
    yield file(stream("event/BBBBBBBB", plan, off))
    opened = [acts.SetSession(1, "", find_sheet().to_table(), 1), acts.AddGuests(1, (acts.NewGuest(1),) * 2)]
    opened += [acts.AddTable(1, 1), acts.Sit(1, 1), acts.Sit(2, 1), acts.Open(1, "QRST2345")]
    bodies = [canonical_json({"act": acts.act_to_json(act)}).decode() for act in opened]
    two = lines[0].replace(b'"streams":1', b'"streams":2')
    yield file(stream("event/AAAAAAAA", *bodies), stream("QRST2345", event="BBBBBBBB"), head=two)


def away_refused():
    """What a machine says that handed its event over; and what is said of a file of one."""
    away = [load("AAAAAAAA", [{"act": acts.act_to_json(acts.HandOff(to))}], {}) for to in ("", "the other laptop")]
    yield said_of(verify_erasable, away[0])
    yield from (str(went_away(room.event.state.handed_to or "")) for room in away)
    yield str(forked("event/AAAAAAAA", 7))
    yield str(never_handed_over())
    yield said_of(lambda: closing(away[0], 3, cast("Room", SimpleNamespace(game=1, claim=1)), sure=False))


def event_calls():
    """What `bobing event` says of its call, and of a score sheet."""
    tier = {"key": "yixiu", "names": {"en": "One Four"}, "items": []}
    known = SimpleNamespace(
        welcome={"guests": {"1": {"name": "Ann"}}, "view": {"sessions": {"1": {"tiers": [tier]}}}, "tables": {}}
    )
    live = cast("Live", known)
    table = {"session": 1, "seats": [1]}
    for rows in ([], [["x"]], [["seat", "vase"]], [["seat", "yixiu"], ["9", "1"]], [["seat", "yixiu"], ["1", "x"]]):
        yield said_of(lambda rows=rows: list(won_of(rows, live, table)))
    for call in (
        "board AAAAAAAA --server nowhere",
        "board AAAAAAAA --server http://127.0.0.1:9",
        "board AAAAAAAA --server http://127.0.0.1:9 --token x",
        f"board AAAAAAAA --server http://127.0.0.1:9 --token {'x' * 32}",
        f"act AAAAAAAA {{ --server http://127.0.0.1:9 --token {'x' * 32}",
        "board AAAAAAAA --db memory://",
        "board AAAAAAAA --db sqlite:",
        "board AAAAAAAA --db sqlite://host/x",
        "board AAAAAAAA --db mysql:x",
    ):
        shown = CliRunner().invoke(cli.main, ["event", *call.split(), "--lang", "en"], env={"LC_ALL": "C"}).output
        yield re.findall(r"^bobing: (.*) \[\w+/\w+\]$", shown, re.MULTILINE)[0]
    yield said_of(numbers_in, "1,x")
    yield said_of(table_of, live, 9)
    yield said_of(open_bus, "mqtt://x")
    yield "the server refused this without a word"
    yield "the desk does not type in at table 3 now"
    yield "no device of table 3 has typed in there yet; open the table's card at one"
    yield "the server over this file did not start"
    yield "http://127.0.0.1:9 failed (status 500); its log says why"


def guests_refused(event):
    """Guest 9 has no seat; the others sit at tables 1 and 2, of which 2 has not begun."""
    yield said_of(event.play, acts.Trade((9, 4)))
    yield said_of(event.play, acts.Split(2, 7, (9,)))
    gone = event.play(acts.Withdraw(9))
    yield said_of(gone.play, acts.Withdraw(9))
    yield said_of(gone.play, acts.Here((9,)))
    yield said_of(gone.play, acts.Sit(9, 2))
    yield said_of(event.play(acts.Here((9,))).play, acts.NoShow((9,)))
    begun = event.play(acts.Open(2, "QRST2345"))
    at_two = next(guest.number for guest in event.state.guests.values() if guest.table == 2)
    yield said_of(begun.play, acts.Withdraw(at_two))
    yield said_of(begun.play, acts.Sit(at_two, 2))
    yield said_of(event.play(acts.Sit(9, 2)).play(acts.Trade((9, at_two))).play, acts.Undo(len(event.log) + 1))
    lot = event.play(acts.Plan("evening", absent="lot")).play(acts.Return((1,))).play(acts.Absent((1,)))
    drawn = drawn_again(lot.state, 1, "s")
    other = next(guest for guest in lot.state.guests if guest not in (drawn, lot.state.vouchers[1].guest))
    yield said_of(lot.play, acts.AwardAgain(1, other, 90, "s"))
    yield said_of(lot.play(acts.AwardAgain(1, drawn, 90, "s")).play, acts.Undo(len(event.log) + 1))
    nine = event.play(acts.Sit(9, 2)).play(acts.Open(2, "QRST2345"))
    yield said_of(nine.play, acts.Undo(len(event.log) + 1))
    yield said_of(verify_erasable, load("AAAAAAAA", [{"act": acts.act_to_json(acts.HandOff("the other laptop"))}], {}))
    one_each = event.play(replace(event.log[0].act, household=True)).play(acts.AddGuests(10, (acts.NewGuest(1, 7),)))
    yield said_of(one_each.play, acts.AddGuests(11, (acts.NewGuest(1, 7),)))
    yield said_of(one_each.play, acts.AddGuests(11, (acts.NewGuest(1), acts.NewGuest(1, 7))))


DATABASES = (
    "refused", "No such file", "resolve host", "timeout", "starting up", "shutting down", "password authentication",
    "no password", "pg_hba", "Peer authentication", 'database "x" does not exist', 'role "x" does not exist',
    "too many", "something else",
)  # fmt: skip


async def begun(url):
    log = open_log(url)
    await log.append("ABCDEFGH", 0, [NewEntry("c", 0, "host", b"{}")])
    await log.close()


def stores_refused(folder):
    faults = [
        *map(psycopg.OperationalError, DATABASES),
        psycopg.errors.InsufficientPrivilege(),
        psycopg.ProgrammingError(),
    ]
    yield from (str(unreached(fault)) for fault in faults)
    log, copied = folder / "tables.db", folder / "copy.db"
    asyncio.run(begun(f"sqlite:{log}"))
    yield said_of(verify, folder / "none.db")
    yield said_of(back_up, log, log)
    yield said_of(copy, f"sqlite:{log}", f"sqlite:{folder / 'no' / 'copy.db'}")
    copy(f"sqlite:{log}", f"sqlite:{copied}")
    yield said_of(copy, f"sqlite:{log}", f"sqlite:{copied}")
    with alone(f"sqlite:{log}"):
        yield said_of(copy, f"sqlite:{log}", f"sqlite:{folder / 'other.db'}")
        with pytest.raises(BobingError) as refused, serving(f"sqlite:{log}", shared=False):
            pass
        yield str(refused.value)


WRONG_URLS = ("mysql://db", "sqlite://host/b.db", "sqlite:/", "memory://", "postgresql://db/bobing")
WRONG_SETTINGS = (
    {"port": -1}, {"log": "xml"}, {"workers": 2, "db": "memory://"}, {"bus": "nats://b", "cert": "c.pem"}, {"key": "k"},
    {"proxies": "foo"}, {"public_url": "table.example"},
)  # fmt: skip
WRONG_VARIABLES = ({"BOBING_METRICS": "perhaps"}, {"BOBING_PORT": "12x"})


def entry(cmd, body=b"{}"):
    return Entry("A", 1, cmd, 0, "host", body, bytes(32))


def logs_refused(folder):
    """What a log says that is opened, written and read, in a file or a database."""
    faults = (errno.EACCES, errno.EROFS, errno.ENOSPC, errno.ELOOP)
    yield from (f"{folder}/b.db cannot be opened: {os.strerror(number)}" for number in faults)
    full, failed = apsw.FullError("not an error"), apsw.IOError("disk I/O error")
    yield from (f"{folder}/b.db was not written: {why(fault)}" for fault in (full, failed))
    yield str(cannot_open(folder / "b.db", apsw.NotADBError("file is not a database")))
    yield said_of(open_log, f"sqlite:{folder}")
    yield from (said_of(sqlite_path, url) for url in WRONG_URLS)
    yield said_of(open_bus, "amqp://bus")
    yield said_of(need, "no_such_module", "postgres")
    yield from (said_of(verify_release, version) for version in ("3.40.1", "3.6.1"))
    yield said_of(verify_local, Path("/srv/b.db"), "server:/x /srv nfs4 rw 0 0")
    (folder / "empty.db").touch()
    yield said_of(verify, folder / "empty.db")
    (folder / "empty.db-wal").write_bytes(b"x")
    yield said_of(verify, folder / "empty.db")
    other = apsw.Connection(str(folder / "other-program.db"))
    other.execute("CREATE TABLE act (stream)")
    yield said_of(verify, folder / "other-program.db")
    asyncio.run(begun(f"sqlite:{folder / 'newer.db'}"))
    newer = apsw.Connection(str(folder / "newer.db"))
    newer.pragma("user_version", 99)
    yield said_of(verify, folder / "newer.db")
    yield "this database was written by a newer bobing; upgrade this one"
    yield f"{folder}/b.db cannot have a write-ahead log here; use a local disk"
    yield from (f"the log cannot be read ({name}): look after {whose}, then try again"
                for name, whose in (("disk I/O error", "its disk"), ("OperationalError", "the database")))  # fmt: skip
    yield "the log does not take this: string or blob too big"
    new = NewEntry("c", 0, "host", b"{}")
    yield said_of(verify_append, [new, new], 0, 0, lambda _: None)
    yield said_of(verify_append, [new], 0, 3, lambda _: None)
    yield said_of(verify_append, [new], 0, 0, entry)
    yield said_of(verify_lease, Lease("A", 1), 2)
    yield from map(str, (closed(), RightGone(), Elsewhere(Worker("w", "", ""))))
    yield from unsaved()


DATABASE_REFUSES = (
    "it holds a table `act` of another program; name another database",
    "its setting fsync is off, and a power cut would lose throws; set it on",
    "this user may not write here; let it own the database, or name another user (a standby takes no writes)",
)


def unsaved():
    """What is told where nothing was saved."""
    files = (apsw.FullError, apsw.BusyError, apsw.ReadOnlyError, apsw.IOError)
    yield from (str(file_writer._not_saved(fault())) for fault in files)
    of_databases = psycopg.errors
    databases = (of_databases.DiskFull, of_databases.ReadOnlySqlTransaction, psycopg.OperationalError)
    yield from (str(database_writer._not_saved(fault())) for fault in (*databases, of_databases.InternalError_))
    yield "nothing was saved; others write here all the time: try again"
    for why_not in DATABASE_REFUSES:
        yield str(database_refused(why_not))
    yield "the database was not written: UniqueViolation"
    yield "the database holds something already; name an empty one"
    yield "the database holds no log; name the one that the server has"
    yield "a server runs on the database, or did a moment ago: end it, then try again"
    yield "somebody works in the database just now: end that, or wait for it, then try again"


def copies_refused(folder):
    log = folder / "whole.db"
    asyncio.run(begun(f"sqlite:{log}"))
    yield said_of(copy, f"sqlite:{log}", f"sqlite:{log}")
    connection = apsw.Connection(str(log))
    connection.execute("DROP TRIGGER act_never_changes; UPDATE act SET h = zeroblob(32)")
    yield said_of(copy, f"sqlite:{log}", f"sqlite:{folder / 'never.db'}")
    yield "the copy is not what was read; nothing was kept"
    yield "the copy was not written as it was read: entry 2 of 'ABCDEFGH'; nothing was copied"
    for args in (
        f"verify --db {folder / 'whole.db'}",
        "verify",
        f"export --db {log} NOTHERE2",
        f"export --db {log} ABCDEFGH",
    ):
        shown = CliRunner().invoke(cli.main, ["db", *args.split(), "--lang", "en"], env={"BOBING_DB": ""}).output
        yield from re.findall(r"^bobing: (.*) \[\w+/\w+\]$", shown, re.MULTILINE)
    yield "'event/ABCDEFGH' is an event, which has no record; --entries prints what is kept of it"


def settings_refused(folder):
    yield from (said_of(lambda one=one: settings_from({}, **one)) for one in WRONG_SETTINGS)
    yield from (said_of(settings_from, one) for one in WRONG_VARIABLES)
    cert, key = folder / "cert.pem", folder / "key.pem"
    given = Settings(cert=str(cert), key=str(key))
    yield said_of(verify_tls, given)
    cert.write_text("none")
    key.write_text("none")
    yield said_of(verify_tls, given)
    key.write_text("ENCRYPTED")
    yield said_of(verify_tls, given)
    yield f"{key} is the key of another certificate than {cert}; name the one it was made with"
    yield f"{key} can be read by everybody on this machine; run: chmod o-r {key}"
    for fault in (
        OSError(errno.EADDRINUSE, "Address already in use"),
        PermissionError(13, "Permission denied"),
        OSError(errno.EADDRNOTAVAIL, "x"),
    ):
        yield str(running._cannot_listen("0.0.0.0", 80, fault))
    yield "sqlite:b.db lies among the files of the page, which everybody can fetch; name another place"


def everything_said(folder):
    yield from stores_refused(folder)
    yield from logs_refused(folder)
    yield from copies_refused(folder)
    yield from settings_refused(folder)
    yield from ("Connection refused", "timed out")  # by the system, to bobing doctor
    yield from (said_of(read_rules, text) for text in FILES)
    yield from (said_of(strict_json, text) for text in TEXTS)
    yield from (said_of(played, "xiamen-tradition", [act]) for act in ACTS)
    yield from (said_of(played, *sequence) for sequence in SEQUENCES)
    yield from events_refused()
    yield from acts_refused()
    yield from event_calls()
    yield from forms_refused()
    yield from small_refusals()
    yield said_of(in_rolloff, {"seat": 0, "rolloff": "123456"})
    yield said_of(in_rolloff, *[{"seat": 0, "rolloff": "123"}] * 2)
    yield from map(said_of, (grabbed_by_who_left, without_a_section))
    yield said_of(played, "minnan", [], 1)
    yield said_of(played, "minnan", [], 3, 5)
    yield from (said_of(Roll.read, text) for text in ("4444", "44445x", "4" * 70))
    yield from (said_of(load_rules, name) for name in ("xiamn", "xiamen", "qqq", "./none.toml", f"{folder}/"))
    yield said_of(inputs.load_rules, " ")
    (folder / "large.toml").write_text("#" * 300_000)
    yield said_of(load_rules, f"{folder}/large.toml")
    (folder / "latin.toml").write_bytes(b"\xff")
    yield said_of(load_rules, f"{folder}/latin.toml")
    (folder / "acts").write_bytes(b"\xff\n")
    (folder / "list").write_bytes(b"[]\n")
    yield from (said_of(lambda text=text: plan_of(read_wish(text, find_sheet))) for text in PLANS)
    yield from (said_of(plan, query) for query in QUERIES)
    yield from map(said_of, ODDS)
    yield said_of(price_of, "yixiu")
    (folder / "long.toml").write_text("#" * 300_000)
    yield said_of(file_table, folder / "long.toml")
    yield said_of(need_extra, "sim", "no_such_module")
    yield from simulations_refused(folder)
    acts = (f"referee --seats 3 --lang en {folder}/{name}" for name in ("acts", "list"))
    for call in chain(CALLS, acts):
        shown = CliRunner().invoke(cli.main, [*call.split()], env={"LC_ALL": "C"}).output
        yield re.findall(r"^bobing: (.*) \[cli/\w+\]$", shown, re.MULTILINE)[0]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return list(everything_said(tmp_path_factory.mktemp("said")))


def test_every_pattern_fits_something_that_is_said(said):
    used = {key for detail in said for key in patterns_in(detail)}
    assert set(texts("details")) - used == set(), "nothing says these any more"


def test_every_one_of_these_is_told_in_chinese(said):
    assert [detail for detail in said if not patterns_in(detail)] == []


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_no_number_and_nothing_quoted_is_lost(said, lang):
    for detail in said:
        told = detail_in(lang, detail)
        assert told
        assert re.search("[\u4e00-\u9fff]", told)
        assert not re.search(r"[;,:.] [a-z]+ [a-z]+ ", told), "half of it is English"
        values = re.findall(r"\d+|'[\w-]+'|\"[\w-]+\"", detail)
        assert [value for value in values if value not in told and value != '"cut"'] == [], (detail, told)


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_what_no_pattern_fits_stays_in_english(lang):
    assert detail_in(lang, "the cakes were eaten by the cat") is None
    assert "the cakes were eaten by the cat" in refusal("act/refused", "the cakes were eaten by the cat", lang)


def test_guests_are_called_by_name_with_their_number_where_the_name_is_known():
    detail = "guest 4 has to throw now, not guest 6"
    assert detail_in("zh-Hans", detail, {4: "小明", 6: ""}.__getitem__) == "现在该小明（4 号）掷，不是6 号来宾"
    assert detail_in("en", detail, {4: "Ann", 6: "Ben"}.__getitem__) == "Ann (4) has to throw now, not Ben (6)"


def test_a_detail_of_details_without_end_is_let_be():
    assert detail_in("zh-Hans", "line 1: " * 10_000 + "is missing") is None


NAMED_BEFORE = "7one of this household is on the list of session 7 already"
"""What stands before it names the guest."""
REFUSERS = ("EventRefused", "CallError", "_formless", "_damaged", "_NotWhole")
OF_EVENTS = sorted(
    path
    for pattern in ("tournament/*.py", "server/event*.py", "cli/event*.py")
    for path in (
        *SRC.glob(pattern),
        *(SRC / f"server/{name}.py" for name in ("desk", "handing_over", "late", "running_event", "standby")),
        SRC / "wire/codec.py",
    )
)


def refusals_of(path):
    """The English of all refusals of an event in a file, with 7 for every value, and their codes."""
    for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
        if not isinstance(call.func, ast.Name) or call.func.id not in REFUSERS or not call.args:
            continue
        said, *code = call.args
        named = str(code[0].value) if code and isinstance(code[0], ast.Constant) else ""
        if isinstance(said, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in said.values), named
        elif isinstance(said, ast.Constant):
            yield str(said.value), named


def is_told(detail):
    as_said = detail.replace("guest 7 has 7", "guest 7 has").replace("voucher 7 is 77;", "voucher 7 is open;")
    as_said = as_said.replace("voucher 7 is 7;", "voucher 7 is absent;").replace("7 is 7 and", "7 is handed and")
    as_said = re.sub(r": 7$|\(7\)", lambda found: found[0].replace("7", "it is nested too deeply"), as_said)
    return detail == NAMED_BEFORE or detail_in("zh-Hans", as_said) is not None


def test_the_refusals_of_events_are_found():
    found = [detail for path in set(OF_EVENTS) for detail, _ in refusals_of(path)]
    assert len(found) > 120
    assert not is_told("no such sentence, 7")


@pytest.mark.parametrize("path", sorted(set(OF_EVENTS)), ids=lambda path: path.name)
def test_whatever_an_event_refuses_is_told_in_chinese(path):
    """Each value of a sentence; and one without any is told by its code, as long as nothing else has that code."""
    sharing = Counter(code for other in set(OF_EVENTS) for code in {(code, said) for said, code in refusals_of(other)})
    alone = Counter(code for code, _ in sharing)
    for detail, code in refusals_of(path):
        named = code.replace("/", "_") in {**texts("errors"), **texts("refusals")}
        known = named and alone[code] == 1 and code.startswith("event/")
        assert is_told(detail) or (known and "7" not in detail), (detail, code)
