"""`bobing play`: whole games at a pretended terminal, and the command itself with a script, a pty, and kill -9."""

import codecs
import contextlib
import errno
import os
import pty
import random
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
import tomllib
from collections.abc import Sequence
from fcntl import ioctl
from pathlib import Path

import pytest

import bobing.i18n
from bobing.cli.table import cells, pages
from bobing.cli.table.console import Gone
from bobing.cli.table.dice import ScriptedDice, SystemDice, deal, owed
from bobing.cli.table.loop import run, started_as
from bobing.cli.table.paint import Span, colours, line_width, paint
from bobing.cli.table.save import Save, SaveError, notes_path, read_notes
from bobing.cli.table.scene import Scene
from bobing.cli.table.screen import table_page
from bobing.cli.table.session import Call, play
from bobing.cli.table.table import Table
from bobing.core.acts import RollOff, Start, Throw
from bobing.core.catalogue import find_sheet, load_rules, read_rules, sheet_keys
from bobing.core.game import Game
from bobing.core.record import read_record
from bobing.core.rules import RuleSet
from bobing.i18n import LANGUAGES

NAMES = ("阿明", "小红", "老王")
LONG = ("欧阳上官司马诸葛夏侯皇甫", "Annabelle Longname Winte", "가나다라마바사아자차카타")
BOBING = Path(sys.executable).with_name("bobing")


class Pretended:
    """A console whose lines are told beforehand and whose pages are kept."""

    def __init__(self, lines, size=(80, 24)):
        self.lines, self.pages, self.said, self._size = list(lines), [], [], size

    def size(self):
        return self._size

    def show(self, page):
        self.pages.append([paint(spans, 0) for spans in page])
        for spans in page:
            assert line_width(spans) <= max(60, self._size[0]), paint(spans, 0)
        assert len(page) < max(24, self._size[1]), page

    def ask(self, prompt):
        assert cells.width(prompt) < 40
        self.pages[-1].append(prompt)
        if not self.lines:
            raise Gone
        return self.lines.pop(0)

    def say(self, sentence):
        self.said.append(sentence)

    def play(self, pages, seconds):
        self.show(next(iter(pages)))

    @property
    def texts(self):
        return ["\n".join(page) for page in self.pages]

    @property
    def last(self):
        return self.texts[-1]


def sit(
    folder, lines, *, rules: str | RuleSet = "minnan", names: Sequence[str] = NAMES, lang="zh-Hans", digital=False,
    dice=None, size=(80, 24),
):  # fmt: skip
    """A table that has played all the lines, and its console."""
    game = Game.new(load_rules(rules) if isinstance(rules, str) else rules, len(names))
    named = dict(enumerate(names))
    console = Pretended(lines, size)
    file = Save.create(folder / f"{len(list(folder.iterdir()))}.jsonl", game, named)
    table = Table(console, dice or ScriptedDice([]), file, game, named, lang, digital=digital)
    run(table)
    return table, console


def recorded(table):
    with table.save.path.open("rb") as file:
        return read_record(file)


def acts(table):
    return [type(entry.act).__name__ for entry in table.game.log]


# ---- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["minnan", "wiki-table", "sum-ranked", "fours-only", "xiamen-modern-seat"])
def test_a_whole_game_with_digital_dice_is_played_saved_and_told(tmp_path, key):
    chance = random.Random(7)
    rolls = ("".join(str(chance.randint(1, 6)) for _ in range(6)) for _ in range(3000))
    table, console = sit(tmp_path, [""] * 3000, rules=key, digital=True, dice=ScriptedDice(rolls), lang="en")
    assert table.game.finished
    assert recorded(table).game.state == table.game.state
    assert table.game.title
    champion = table.names[table.game.title[0]]
    assert f"★  Champion  {champion}  ★" in console.last
    assert f"{champion} is the champion, with" in console.last
    assert "Saved:" in "\n".join(console.said[-2:])


def test_a_game_with_real_dice_says_what_was_won_and_why(tmp_path):
    table, console = sit(tmp_path, ["444412", "123456", "444421", "554411"])
    texts = console.texts
    assert "阿明暂为状元：四红带3点（444412）" in texts[1]
    assert "小红  ⚀⚁⚂⚃⚄⚅  对堂，得1个对堂" in texts[2]
    assert "第 3 手 老王 的四红带3点（444421）一样大，但来得晚，状元没有换" in texts[3]
    assert "桌上 61 块" in texts[4]
    assert "轮到 小红 › " in texts[4]
    assert re.search(r"小红 .* 1 .* 16$", texts[4], re.MULTILINE), "a 对堂 counts 16 points"
    assert recorded(table).names == dict(enumerate(NAMES))


@pytest.mark.parametrize("typed", ["４４４４１１", " 4 4 4 4 1 1 ", "⚃⚃⚃⚃⚀⚀", "四四四四一一", "4,4,4,4,1,1"])
def test_dice_are_read_kindly(tmp_path, typed):
    table, _ = sit(tmp_path, [typed])
    act = table.game.log[0].act
    assert isinstance(act, Throw)
    assert str(act.roll) == "444411"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("44441", "这是 5 颗骰子，要 6 颗"),
        ("4444111", "这是 7 颗骰子"),
        ("444470", "不是 6 颗骰子的点数"),
        ("²44444", "不是 6 颗骰子的点数"),
        ("hello", "没看懂“hello”"),
        ("", "打出掷到的六个点数"),
        ("d", "请打掷出的六个点数"),
        ("u", "还没有可以收回的"),
        ("u 9", "没有这一手"),
        ("u x", "请打一个手数"),
        ("c", "还没有可以更正的一掷"),
        ("c x", "请打一个手数"),
        ("w", "没有什么可以让出"),
        ("x 7", "没有“7”这个人"),
        ("x 无名", "没有“无名”这个人"),
        ("b 1", "这一位没有离席"),
        ("e 1 1", "要两位不同的人"),
        ("e 1", "要两位不同的人"),
        ("n 1 小红", "“小红”这个名字重复了"),
        ("n 1", "这个名字用不了"),
        ("j 阿明", "“阿明”这个名字重复了"),
        ("o 44", "这是 2 颗骰子"),
        ("s 123", "这是 3 颗骰子，要 2 颗"),
        ("9" * 5000, "没"),
        ("\x1b[2J\x00", "“[2J”不是 6 颗"),
    ],
)
def test_what_is_wrong_gets_one_sentence_and_changes_nothing(tmp_path, typed, said):
    table, console = sit(tmp_path, [typed])
    assert table.game.log == ()
    assert said in console.last or typed.startswith("9999")
    assert "! " in console.last
    assert len(recorded(table).game.log) == 0


def test_undo_and_correction_leave_a_trail(tmp_path):
    table, console = sit(
        tmp_path, ["444411", "123456", "u", "c 1 444412", "h", "", "222234", "u 1", "", "u 1", "y", "h"]
    )
    assert acts(table) == ["Throw", "Throw", "Undo", "Correct", "Throw", "Undo"]
    assert "阿明的状元插金花（444411）更正为：阿明  ⚃⚃⚃⚃⚀⚁  四红" in "\n".join(console.texts)
    assert "作罢，什么也没有变。" in "\n".join(console.texts)
    assert re.search(r"2 × 小红 +123456", console.last)
    assert table.game.state.title is None
    assert table.game.next_seat == 0


def test_what_is_brought_back_at_the_cost_of_later_throws_asks_first(tmp_path):
    table, console = sit(tmp_path, ["444411", "u", "123456", "u 2", "", "u 2", "y"])
    assert acts(table) == ["Throw", "Undo", "Throw", "Undo"]
    assert "这样会收回之后的 1 手" in "\n".join(console.texts)
    assert table.game.struck == {2, 3}


def test_after_a_correction_the_panel_shows_what_the_new_hand_brings(tmp_path):
    lines = ["444412", "c 1 123456", "123456", "c 1 111235", "u 4", "u"]
    _, console = sit(tmp_path, lines, rules="S12", names=NAMES[:2], lang="en")
    for page, hand, award in ((2, "Straight", "+1 Straight"), (4, "nothing", "+0"), (5, "Straight", "+1 Straight")):
        panel = [line.rstrip()[50:].strip() for line in console.pages[page]]
        at = next(i for i, line in enumerate(panel) if line in ("act 1", "act 3"))
        assert panel[at + 2] == hand, page
        assert (panel[at + 3] or "+0") == award, page
        assert "★ Champion" not in console.texts[page]


def test_the_history_shows_corrected_throws_as_they_count(tmp_path):
    lines = ["444412", "123456", "554412", "c 2 222233", "o", "c 5 123654", "c 1 o", "k", "u", "h"]
    _, console = sit(tmp_path, lines, rules="numbered")
    told = {int(line.split()[0]): line.split() for line in console.pages[-1] if re.match(r" +\d+ ", line)}
    assert told[1] == ["1", "→", "阿明的骰子掉出碗外，这一掷作废", "(7)"]
    assert told[2] == ["2", "→", "小红", "222233", "(4)", "四进", "+1", "四进"]
    assert told[3] == ["3", "老王", "554412", "二举", "+1", "二举"]
    assert told[5] == ["5", "→", "阿明", "123654", "(6)", "对堂", "+1", "对堂"]
    assert told[8][:2] == ["8", "×"]
    assert "→ 已更正" in console.last
    _, console = sit(tmp_path, [*lines[:4], "u 4", "h"], rules="numbered")
    assert re.search(r"\n +2   小红 +123456 +对堂", console.last), "the correction was taken back"


def test_what_is_typed_on_another_page_is_carried_out(tmp_path):
    for page in ("?", "h", "l", "r"):
        table, console = sit(tmp_path, [page, "444411", page, "c 1 123456", page, "", page, "q", page, "foo"])
        assert acts(table) == ["Throw", "Correct"], page
        assert "没看懂“foo”" in console.last
    table, console = sit(tmp_path, ["l", "?", "h", "d"], digital=True, dice=ScriptedDice(["123456"]))
    assert acts(table) == ["Throw"]
    assert [("账本" in page, "可以打的" in page) for page in console.texts[1:3]] == [(True, False), (False, True)]
    table, _ = sit(tmp_path, ["l", "", "l", "q"], digital=True)
    assert acts(table) == []


def test_keys_for_pages_are_shown_where_there_are_pages(tmp_path):
    _, console = sit(tmp_path, ["l", "", "r"])
    assert "[+]" not in console.texts[1]
    assert "[+]" in console.texts[3]


def test_the_head_counts_throws_alone(tmp_path):
    _, console = sit(tmp_path, ["444411", "j 小美", "o", "123456", "c 1 123456", "u"])
    assert " · 1 掷 · " in console.pages[1][0]
    assert " · 1 掷 · " in console.last, "one is a spill, one is undone with its correction"


def test_a_correction_names_the_player_once(tmp_path):
    _, console = sit(tmp_path, ["o", "k", "p", "c 1", "", "c 2", "", "c 3"])
    texts = ["".join(page.split()) for page in console.texts]
    assert any("更正第1手（阿明骰子掉出碗外）" in page for page in texts)
    assert any("更正第2手（小红没有放平，重掷）" in page for page in texts)
    assert "更正第3手（小红人不在，跳过）" in texts[-1]


def test_players_without_a_name_are_counted_from_one(tmp_path):
    game, console = Game.new(find_sheet("minnan"), 3), Pretended(["444411", "l"])
    run(Table(console, ScriptedDice([]), Save.create(tmp_path / "g", game, {}), game, {}, "zh-Hans", digital=False))
    assert "一号暂为状元" in console.texts[1]
    assert "3 三号" in console.last
    assert "0号" not in "".join(console.texts)


def test_a_correction_that_makes_a_later_act_impossible_asks_first(tmp_path):
    lines = ["444411", "123456", "554411", "c 1 444444", "", "c 1 444444", "y"]
    table, console = sit(tmp_path, lines, rules="liuhe")
    asked = ["这样改，第 2 手就不成立了" in page for page in console.texts]
    assert asked == [False] * 4 + [True, False, True, False]
    assert "作罢" in console.texts[5]
    assert acts(table) == ["Throw", "Throw", "Throw", "Correct"]
    assert table.game.struck == {2, 3}
    assert table.game.finished


def test_correct_asks_for_the_dice_and_takes_a_spill(tmp_path):
    table, _ = sit(tmp_path, ["444411", "123456", "c", "２２２２３４", "c 2", "o", "c 1", ""])
    assert acts(table) == ["Throw", "Throw", "Correct", "Correct"]
    assert table.game.state.holding(1) == {}
    assert 1 in table.game.state.lost_turns


def test_faults_absences_and_seats(tmp_path):
    lines = ["o", "o 123456", "k", "p", "x 小红", "j 小美", "b", "e 1 4", "n 3 王大爷", "l", "", "x", "3", "q"]
    table, console = sit(tmp_path, lines, rules="numbered")
    assert acts(table) == ["Spill", "Spill", "Cocked", "Pass", "Leave", "Join", "Back", "Swap", "Leave"]
    assert table.names == {0: "阿明", 1: "小红", 2: "王大爷", 3: "小美"}
    assert recorded(table).names == table.names
    assert table.game.state.order == (3, 1, 2, 0)
    assert any("离席" in page for page in console.texts)


def test_the_last_player_cannot_leave(tmp_path):
    table, console = sit(tmp_path, ["x 1", "x 2", "x 3"])
    assert acts(table) == ["Leave", "Leave"]
    assert "打 t 收桌" in console.last


def test_two_dice_find_who_begins(tmp_path):
    table, _ = sit(tmp_path, ["s", "12", "s"], rules="numbered")
    assert table.game.next_seat == 2
    table, _ = sit(tmp_path, ["s", "小红", "11"], rules="xiamen-modern")
    assert table.game.log[0].act == Start(1, (1, 1))
    table, console = sit(tmp_path, ["123456", "s"])
    assert "已经开博" in console.last


def test_digital_dice_start(tmp_path):
    table, _ = sit(tmp_path, ["s"], digital=True, dice=ScriptedDice(["12"]))
    assert table.game.next_seat == 2


# ---- what a sheet asks for ---------------------------------------------------------------------------------------


def test_a_grab_is_typed_tier_by_tier(tmp_path):
    lines = ["444423", "222222", "1 2 9", "1", "1 2", "小红*3 老王", "1*8", "r", "2*31 3"]
    table, console = sit(tmp_path, lines, rules="liuhe", dice=ScriptedDice([], [0] * 16))
    texts = "\n".join(console.texts)
    assert "没有“9”这个人" in texts
    assert "对堂有 2 块，分了 1 块" in texts
    assert table.game.state.holding(1) == {"duitang": 1, "sanhong": 3, "yixiu": 31}
    assert table.game.state.holding(0) == {"zhuangyuan": 1, "duitang": 1, "sijin": 8, "erju": 16}
    assert table.game.state.finished == "effect"


def test_a_grab_can_be_cancelled(tmp_path):
    table, console = sit(tmp_path, ["222222", "q"], rules="liuhe")
    assert table.game.log == ()
    assert "作罢" in console.last


def test_an_empty_line_throws_no_grab_away(tmp_path):
    lines = ["444423", "222222", "", "1 2", "", "小红*4", "1*8", "1*16", "2*32"]
    table, console = sit(tmp_path, lines, rules="liuhe")
    assert "空行不算" in console.texts[3]
    assert "四进" in console.texts[6]
    assert table.game.state.holding(1) == {"duitang": 1, "sanhong": 4, "yixiu": 32}


def test_who_left_grabs_nothing(tmp_path):
    _, console = sit(tmp_path, ["x 3", "222222", "1 3", "1 2"], rules="liuhe")
    assert "这一位已经离席" in console.texts[3]


def test_digital_dice_that_grab_are_dealt_at_once_and_can_be_put_right(tmp_path):
    keep = ["", ""]
    table, _ = sit(tmp_path, keep, rules="liuhe", digital=True, dice=ScriptedDice(["222222"]), names=NAMES)
    assert acts(table) == ["Throw"], "it is saved before anybody can pull the plug"
    lines = ["", "1", *["2*2", "2*4", "2*8", "2*16", "3*32"]]
    table, _ = sit(tmp_path, lines, rules="liuhe", digital=True, dice=ScriptedDice(["222222"]), names=NAMES)
    assert acts(table) == ["Throw", "Correct"]
    assert table.game.state.holding(2) == {"yixiu": 32}


HOUSE = """
extends = "fallback-chart"
[cakes]
duitang = 1
sanhong = 1
sijin = 2
erju = 2
yixiu = 4
[prizes]
yixiu = [{name = "香皂", count = 2}, {name = "牙膏", count = 2}]
[ending]
minutes = 45
undecided = "three-dice"
"""


def test_choices_and_items(tmp_path):
    lines = ["444112", "444113", "x", "3", "", "412356", "2", "422356", "2"]
    table, console = sit(tmp_path, lines, rules=read_rules(HOUSE))
    texts = "\n".join(console.texts)
    assert "三红已经拿完，可以改拿：1 四进  2 二举  3 一秀" in texts
    assert "请打 1 到 3 的号码" in texts
    assert "一秀有几样，要哪一样：1 香皂  2 牙膏" in texts
    assert table.game.state.shelf["yixiu"]["牙膏"] < 2
    _, console = sit(tmp_path, ["412556", "2", "422356", "2", "422536", "l"], rules=read_rules(HOUSE))
    assert "一秀，桌上还有：香皂 ×1" in console.last
    for who in ("1 阿明: 牙膏 ×1", "2 小红: 牙膏 ×1", "3 老王: 香皂 ×1"):
        assert f"    {who}\n" in console.last


def test_digital_dice_ask_after_they_fell(tmp_path):
    dice = ScriptedDice(["444112", "444113", "444115"])
    table, _ = sit(tmp_path, ["", "", "2", "", "q"], rules=read_rules(HOUSE), digital=True, dice=dice)
    assert acts(table) == ["Throw", "Throw", "Correct", "Throw"]
    assert table.game.state.holding(1) == {"erju": 1}
    assert table.game.state.holding(2) == {"sijin": 1}


def test_time_up_without_a_champion_is_thrown_off(tmp_path):
    lines = ["112233", "t", "", "t", "1", "1 1 1", "11", "222", "5 5 5", "x"]
    table, console = sit(tmp_path, lines, rules=read_rules(HOUSE))
    texts = "\n".join(console.texts)
    assert "这是 2 颗骰子，要 3 颗" in texts
    assert table.game.state.title == 2
    assert table.game.state.finished == "time"


def test_exact_ties_are_thrown_off_by_red_pips(tmp_path):
    table, console = sit(tmp_path, ["444423", "444432", "123456", "444111"], rules="philippines", names=NAMES[:2])
    assert [type(entry.act) for entry in table.game.log] == [Throw, Throw, RollOff, RollOff]
    assert table.game.state.title == 1
    assert any("阿明 加掷" in page[-1] for page in console.pages)
    rolls = ScriptedDice(["444423", "444432", "123456", "444111"])
    table, console = sit(tmp_path, [""] * 4, rules="philippines", names=NAMES[:2], digital=True, dice=rolls)
    assert table.game.state.title == 1


def test_waive_a_prize_or_an_effect(tmp_path):
    table, _ = sit(tmp_path, ["123456", "w", "1"])
    assert table.game.state.holding(0) == {}
    table, _ = sit(tmp_path, ["444444", "w", "2", "w", "q"], rules="liuhe")
    assert not table.game.finished
    assert table.game.state.title == 0
    assert sum(table.game.state.table.values()) == 63


def test_close_and_undo_after_the_end(tmp_path):
    table, console = sit(tmp_path, ["444411", "t", "n", "t", "y", "123456", "", "u", "123456"])
    assert acts(table) == ["Throw", "Close", "Undo", "Throw"]
    assert not table.game.finished
    table, console = sit(tmp_path, ["444411", "t", "是", "", ""])
    assert "游戏提前结束" in console.last
    assert not any("--resume" in said for said in console.said), "nothing to resume"


def test_languages_can_be_changed_at_the_table(tmp_path):
    _, console = sit(tmp_path, ["123456", "g", "g", "g 繁", "g en"])
    assert [bool(re.search("得1個對堂|takes 1", "\n".join(page))) for page in console.pages][2:5] == [True, True, True]
    assert "to throw ›" in console.last


# ---- digital dice ------------------------------------------------------------------------------------------------


def test_taking_back_is_no_second_chance_with_digital_dice(tmp_path):
    rolls = ["123456", "222234", "444411", "333336"]
    lines = ["", "", "u", "", "u 1", "y", "", "", "", ""]
    table, _ = sit(tmp_path, lines, digital=True, dice=ScriptedDice(rolls))
    thrown = [str(entry.act.roll) for entry in table.game.log if isinstance(entry.act, Throw)]
    assert thrown == ["123456", "222234", "222234", "123456", "222234", "444411", "333336"]
    assert owed(table.game, 6) is None


def test_digital_dice_are_not_typed_or_corrected(tmp_path):
    for typed, said in (("444411", "按 Enter 就掷"), ("o", "不会掉出碗"), ("k", "不会掉出碗"), ("c", "看错")):
        table, console = sit(tmp_path, [typed], digital=True)
        assert table.game.log == ()
        assert said in console.last


def test_dice_show_nothing_while_they_roll(tmp_path):
    _, console = sit(tmp_path, [""], digital=True, dice=ScriptedDice(["444411"]))
    rolling = console.texts[1]
    assert "骰子还在转" in rolling
    assert "插金花" not in rolling
    assert "★" not in rolling


def test_system_dice_show_every_face():
    dice = SystemDice()
    assert {face for _ in range(100) for face in dice.throw(6)} == set(range(1, 7))
    assert {dice.below(3) for _ in range(200)} == {0, 1, 2}
    assert deal({"yixiu": 3}, [4, 7], ScriptedDice([], [1, 0, 1])) == {"yixiu": (4, 7, 7)}


# ---- pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 6, 12, 40])
def test_every_page_fits_80_by_24(tmp_path, lang, players):
    names = [f"{LONG[i % 3][:-2]}{i}" for i in range(players)]
    chance = random.Random(players)
    typed = ["l", "", "h", "-", "", "r", "+", "+", "", "?", "+", "", "o", "123", "foo " * 30, "x 1", "x"]
    rolls = ["".join(str(chance.randint(1, 6)) for _ in range(6)) for _ in range(100)]
    special = ["444423", "444432", "444411", "123456", "c 1", "", "w", "q", "e", "", "j", "q", "n", "", "t", "", "b"]
    for size, many in (((80, 24), 100), ((80, 30), 10), ((132, 43), 10)):
        lines = [*typed, *special, *rolls[:many], "t", "y", "", "l", "", "h", "", "h 20", "", "u"]
        _, console = sit(tmp_path, lines, names=names, lang=lang, size=size)  # `Pretended` measures every line
        assert len(console.pages) > 40
        assert any("★  " in page for page in console.texts), "the page of the end was there"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sheet_is_listed_and_told_in_80_cells(lang):
    from bobing.cli.table.setup import sheet_lines

    listed = [line for page in (0, 1) for line in sheet_lines(lang, page, 80)]
    assert len(listed) == len(sheet_keys())
    told = [line for key in sheet_keys() for line in pages.rules_lines(find_sheet(key), lang, 80)]
    assert max(line_width(line) for line in [*listed, *told]) <= 80


def test_a_sheet_of_many_tiers_and_many_players_still_fits(tmp_path):
    tiers = {f"t{i}": f"{i % 6 + 1}{(2 * i + i // 6) % 6 + 1}{i // 2 % 6 + 1}{6 - i // 2}xx" for i in range(12)}
    usual = ("duitang", "sanhong", "sijin", "erju", "yixiu")
    lines = ['extends = "numbered"', f'ranking.tiers = ["zhuangyuan", {", ".join(map(repr, tiers))}]', "[cakes]"]
    lines += [*(f"{tier} = 0" for tier in usual), *(f"{tier} = 2" for tier in tiers), "[wins]"]
    rules = read_rules("\n".join([*lines, *(f't{i} = ["{wins}"]' for i, wins in enumerate(tiers.values()))]))
    table, _ = sit(
        tmp_path,
        ["123456", "112233", "l", "", "r", "", "t", "y", ""],
        rules=rules,
        names=[f"p{i}" for i in range(30)],
    )
    assert table.game.finished


def test_no_control_signs_reach_the_terminal():
    assert paint([Span("a\x1b[2J\u202eb\r\n\x9b")], 256) == "a[2Jb"
    game = Game.new(find_sheet("minnan"), 2)
    for spans in table_page(Scene(game, {0: "\x1b]0;x\x07", 1: "b\u202e"}, "en")):
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", paint(spans, 0))


def test_colours_only_where_they_are_wanted():
    assert colours({"TERM": "tmux-256color"}, terminal=True) == 256
    assert colours({"TERM": "linux"}, terminal=True) == 16
    for bare in ({"TERM": "dumb"}, {}, {"TERM": "xterm-256color", "NO_COLOR": "1"}):
        assert colours(bare, terminal=True) == 0
    assert colours({"TERM": "xterm-256color"}, terminal=False) == 0


def test_every_text_is_there_in_three_languages_with_the_same_values():
    table = tomllib.loads((Path(bobing.i18n.__file__).parent / "play.toml").read_text("utf-8"))
    for key, said in table.items():
        assert set(said) == set(LANGUAGES), key
        values = [set(re.findall(r"\{(\w+)", said[lang])) for lang in LANGUAGES]
        assert values[0] == values[1] == values[2], key


# ---- saving ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["write", "fsync"])
def test_what_could_not_be_saved_does_not_count(tmp_path, monkeypatch, fault):
    game = Game.new(find_sheet("minnan"), 3)
    file = Save.create(tmp_path / "g.jsonl", game, {})
    console = Pretended(["123456", "222234", "222234"])
    table = Table(console, ScriptedDice([]), file, game, {}, "zh-Hans", digital=False)
    real = getattr(os, fault)
    calls = []

    def broken(descriptor, *rest):
        calls.append(descriptor)
        if len(calls) == 2:
            if fault == "write":
                real(descriptor, rest[0][:20])
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, *rest)

    monkeypatch.setattr(os, fault, broken)
    run(table)
    assert any("没有存上（No space left on device）" in page for page in console.texts)
    assert acts(table) == ["Throw", "Throw"]
    assert recorded(table).game.state == table.game.state


def test_a_line_cut_off_by_a_crash_is_taken_away(tmp_path):
    table, _ = sit(tmp_path, ["123456", "222234"])
    path = table.save.path
    whole = path.read_bytes()
    for cut in (1, 40, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        file, record = Save.resume(path)
        file.close()
        assert len(record.game.log) == 1
        assert whole.startswith(path.read_bytes())
        assert path.read_bytes().endswith(b"\n")


def test_a_changed_record_is_not_resumed(tmp_path):
    table, _ = sit(tmp_path, ["123456", "222234"])
    path = table.save.path
    path.write_bytes(path.read_bytes().replace(b'"roll":"222234"', b'"roll":"444411"'))
    done = call("--resume", path, "--script", "--lang", "zh-Hans")
    assert done.returncode == 2
    assert "这一局接不上" in done.stderr


def test_one_game_is_not_played_in_two_windows(tmp_path):
    table, _ = sit(tmp_path, ["123456"])
    file, _ = Save.resume(table.save.path)
    done = call("--resume", table.save.path, "--script", "--lang", "en")
    file.close()
    assert done.returncode == 2
    assert "another window" in done.stderr


def test_a_game_goes_on_where_it_was_left(tmp_path):
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    console = Pretended(["阿明 小红 老王", "?", "+", "minnan", "1", "444411", "x 3", "j 小美"])
    play(Call("zh-Hans"), console, ScriptedDice([]), environment)
    again = Pretended(["", "1"])
    play(Call("zh-Hans"), again, ScriptedDice([]), environment)
    played = r"闽南双语规则，阿明、小红、老王、小美，1 掷，上次玩到\s+\d{4}-\d\d-\d\d \d\d:\d\d。"
    assert re.search(f"有一局没有玩完：{played}", again.texts[0])
    assert re.search(f"接着玩这一局：{played}", again.texts[1]), "said before the kind of dice is asked for"
    shown, before = again.pages[-1], console.pages[-1]
    fresh = [line for line in shown if line not in before]
    assert len(fresh) == 1
    assert re.fullmatch(r"  ✓ 接着玩（上次玩到 [-\d]+ [:\d]+），到第 3 手为止都在。", fresh[0])
    assert any("--resume" in said for said in console.said)


def test_the_questions_before_the_game(tmp_path):
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    lines = ["g", "g", "1", "Mei, Mei", "Mei Anna", "nosuch", "S12", "3", "2"]
    console = Pretended(lines)
    play(Call("en"), console, ScriptedDice(["123456"]), environment)
    texts = "\n".join(console.texts)
    assert "2 到 500 位" in texts or "2 to 500 players" in texts
    assert "nosuch" in texts
    saved = list((tmp_path / "bobing" / "games").glob("*.jsonl"))
    assert len(saved) == 1
    assert "referee-order-digital" in saved[0].name
    assert "Mei" in console.last


def test_answers_that_are_none_are_said_to_be_none(tmp_path):
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    console = Pretended(["Mei, Mei", "Mei, Anna", "minnan", "x", "1", "123456"])
    play(Call("en"), console, ScriptedDice([]), environment)
    assert "Mei: a duplicate" in console.texts[1]
    assert "2 players: Mei, Anna" in console.texts[2]
    assert "x: that is none of the answers above" in console.texts[4]
    assert "g and Enter changes the language" in console.texts[4]
    assert "[Enter] for 1\n" in console.texts[4]
    again = Pretended(["what", "n"])
    play(Call("en"), again, ScriptedDice([]), environment)
    assert "what: that is none of the answers above" in again.texts[1]


def test_a_game_goes_on_in_its_language_with_its_dice(tmp_path):
    environment = {"XDG_DATA_HOME": str(tmp_path)}
    path = tmp_path / "evening.jsonl"
    first = Call("en", "阿明,小红", "S12", digital=True, save=path)
    play(first, Pretended(["g", "g", "g", "g"]), ScriptedDice([]), environment)
    assert (read_notes(path).lang, read_notes(path).digital) == ("zh-Hans", True)
    again = Pretended([""])
    play(Call("en", resume=str(path)), again, ScriptedDice([]), environment)
    assert "电子骰子" in again.last
    named = Pretended([""])
    play(Call("zh-Hant", resume=str(path), lang_named=True), named, ScriptedDice([]), environment)
    assert "電子骰子" in named.last
    for noted in ("", "[]", '{"lang":"xx","digital":7}', "\\"):
        notes_path(path).write_text(noted)
        assert (read_notes(path).lang, read_notes(path).digital) == (None, False)


def test_the_command_that_goes_on_is_the_one_that_was_started(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert started_as("/nowhere/bobing") == ["/nowhere/bobing"]
    assert started_as("/lib/bobing/__main__.py") == [sys.executable, "-m", "bobing"]
    program = tmp_path / "bobing"
    program.touch(0o755)
    assert started_as(str(program)) == ["bobing"]
    folder = tmp_path / "a folder of games"
    folder.mkdir()
    _, console = sit(folder, ["123456", "q"], lang="en")
    told = "\n".join(console.said).partition("To go on:")[2]
    assert shlex.split(told.replace("\\\n", " "))[-1] == str(folder / "0.jsonl")


def test_nothing_is_left_behind_when_people_go_before_the_game(tmp_path):
    console = Pretended(["3"])
    play(Call("en"), console, ScriptedDice([]), {"XDG_DATA_HOME": str(tmp_path)})
    assert "nothing was saved" in console.said[-1]
    assert not list(tmp_path.rglob("*.jsonl"))


# ---- the command -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sixty_columns_hold_every_page_and_the_way_to_the_other_keys(tmp_path, lang):
    """`Pretended` looks at the width of every line."""
    leaves = [typed for key in "?lhr" for typed in (key, "")]
    for digital in (False, True):
        typed = ["", ""] if digital else ["444411", "222213", "444441", "12345"]
        dice = ScriptedDice(["444411", "222213"])
        _, console = sit(tmp_path, [*typed, *leaves], names=LONG, lang=lang, digital=digital, dice=dice, size=(60, 24))
        table = next(page for page in console.texts if "[u]" in page)
        assert "[?]" in table
        assert "[q]" in table
    setup = Pretended(["阿明 小红 老王", "?", "+", "s99"], size=(60, 24))
    play(Call(lang), setup, ScriptedDice([]), {"XDG_DATA_HOME": str(tmp_path)})
    said = " ".join(setup.last.replace("!", " ").split())
    assert ("没有 's99' 这套规则" in said) == (lang == "zh-Hans")
    assert ("there is no sheet" in said) == (lang == "en")


def call(*words, typed="", **environment):
    env = {**os.environ, "PYTHONUTF8": "1", **environment}
    done = subprocess.run(
        [BOBING, "play", *map(str, words)], input=typed, capture_output=True, text=True, env=env, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_a_script_plays_a_game(tmp_path):
    path = tmp_path / "game.jsonl"
    done = call("--script", "--players", "阿明,小红", "--save", path, "--lang", "zh-Hant", typed="444411\n123456\n")
    assert done.returncode == 0
    assert "小红  ⚀⚁⚂⚃⚄⚅  對堂，得1個對堂" in done.stdout
    told = " ".join(done.stdout.partition("接著玩：")[2].replace("\\\n", " ").split())
    assert shlex.split(told)[-3:] == ["play", "--resume", str(path)]
    assert not subprocess.run([*shlex.split(told), "--script"], stdin=subprocess.DEVNULL, check=False).returncode
    assert "\x1b" not in done.stdout
    again = call("--script", "--resume", path, "--lang", "en", typed="q\n")
    assert "小红 takes 1" in again.stdout or "1 × Straight" in again.stdout
    assert re.search(r"Resumed \(last played [-\d]+ [:\d]+\); all is there up to act 2\.", again.stdout)


def test_bad_calls_are_refused_with_a_sentence(tmp_path):
    there = tmp_path / "there.jsonl"
    there.write_text("")
    for words, said in (
        ([], "needs a terminal"),
        (["--script", "--rules", "nosuch"], "nosuch"),
        (["--script", "--players", "1"], "2 to 500 players"),
        (["--script", "--players", ""], "2 to 500 players"),
        (["--script", "--players", "Mei,Mei"], "Mei: a duplicate"),
        (["--script", "--save", there], "is there already"),
        (["--script", "--save", "/proc/nowhere/x.jsonl"], "cannot be saved"),
        (["--script", "--resume", tmp_path / "none.jsonl"], "cannot be resumed"),
        (["--script", "--resume", there], "cannot be resumed"),
        (["--script", "--resume"], "no unfinished game"),
        (["--dice", "loaded"], "loaded"),
    ):
        done = call(*words, "--lang", "en", XDG_DATA_HOME=str(tmp_path))
        assert done.returncode == 2, words
        assert said in done.stderr, words


def test_folders_are_made_for_games_without_a_name_alone(tmp_path):
    path = tmp_path / "new" / "g.jsonl"
    done = call("--script", "--save", path, "--lang", "en", XDG_DATA_HOME=str(tmp_path / "data"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("name another place with --save. [save/cannot_open]\n")
    assert not list(tmp_path.iterdir())
    with pytest.raises(SaveError, match="No such file") as refused:
        Save.create(path, Game.new(find_sheet(), 2), {})
    assert refused.value.code == "save/cannot_open"
    assert call("--script", "--lang", "en", XDG_DATA_HOME=str(tmp_path / "data")).returncode == 0
    assert len(list((tmp_path / "data" / "bobing" / "games").glob("*.jsonl"))) == 1


def test_ten_megabytes_of_nonsense_are_one_line(tmp_path):
    done = call("--script", "--save", tmp_path / "g.jsonl", "--lang", "en", typed="4" * 10_000_000 + "\n123456\n")
    assert done.returncode == 0
    assert "these are not 6 dice" in done.stdout
    assert "1 × Straight" in done.stdout


class AtTerminal:
    """The command in a pseudo-terminal of 80 by 24."""

    def __init__(self, *words, **environment):
        self.child, self.at = pty.fork()
        if self.child == 0:
            env = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", **environment}
            os.execve(BOBING, [str(BOBING), "play", *map(str, words)], env)
        ioctl(self.at, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen, self.mark, self.decode = "", 0, codecs.getincrementaldecoder("utf-8")().decode

    def until(self, wanted, seconds=120):
        """Read until the text appears behind what was looked for before; gives all that was read on the way."""
        end = time.monotonic() + seconds
        while wanted not in self.seen[self.mark :]:
            assert time.monotonic() < end, f"{wanted!r} did not appear in {self.seen[self.mark :]!r}"
            if not select.select([self.at], [], [], 0.2)[0]:
                continue
            with contextlib.suppress(OSError):
                self.seen += self.decode(os.read(self.at, 65536))
        start, self.mark = self.mark, self.seen.index(wanted, self.mark) + len(wanted)
        return self.seen[start : self.mark]

    def type(self, text):
        os.write(self.at, text.encode())

    def kill(self, number=signal.SIGKILL):
        os.kill(self.child, number)

    def wait(self):
        status = os.waitpid(self.child, 0)[1]
        os.close(self.at)
        return status


def test_kill_9_at_any_moment_loses_nothing_that_was_shown(tmp_path):
    chance = random.Random(9)
    for trial in range(4):
        path = tmp_path / f"{trial}.jsonl"
        seat = AtTerminal(
            "--players", "ann,bob", "--dice", "real", "--rules", "numbered", "--save", path, "--lang", "en"
        )
        seat.until("ann to throw ›")
        shown = 0
        for n in range(chance.randint(2, 9)):
            seat.type("112356\r")
            seat.until(f"act {n + 1}\x1b")
            seat.until("to throw ›")
            shown += 1
        seat.type("112356\r")
        time.sleep(chance.random() * 0.01)
        seat.kill()
        assert os.WIFSIGNALED(seat.wait())
        file, record = Save.resume(path)
        file.close()
        assert shown <= len(record.game.log) <= shown + 1
        again = call("--script", "--resume", path, "--lang", "en")
        assert f"up to act {len(record.game.log)}." in again.stdout


@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-d", "quit", "term", "hangup"])
def test_whoever_leaves_is_told_how_to_go_on(tmp_path, how):
    path = tmp_path / "g.jsonl"
    seat = AtTerminal("--players", "2", "--dice", "real", "--rules", "numbered", "--save", path, "--lang", "en")
    seat.until("to throw ›")
    seat.type("123456\r")
    seat.until("Player 2 to throw ›")
    time.sleep(0.3)  # the process waits for a key by then: Python may sleep over a signal that comes just before
    match how:
        case "ctrl-c":
            seat.type("\x03")
        case "ctrl-d":
            seat.type("\x04")
        case "quit":
            seat.type("q\r")
        case "term":
            seat.kill(signal.SIGTERM)
        case _:
            seat.kill(signal.SIGHUP)
    seat.until("bobing play --resume")
    assert os.waitstatus_to_exitcode(seat.wait()) == 0
    assert len(read_record(path.read_bytes().splitlines(keepends=True)).game.log) == 1


def test_the_terminal_is_coloured_unless_told_otherwise(tmp_path):
    words = ("--players", "2", "--dice", "real", "--rules", "numbered", "--lang", "en")
    seat = AtTerminal(*words, "--save", tmp_path / "a.jsonl")
    assert "\x1b[1;38;5;231;48;5;25m" in seat.until("to throw ›")
    seat.type("q\r")
    seat.wait()
    seat = AtTerminal(*words, "--save", tmp_path / "b.jsonl", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*m", seat.until("to throw ›"))
    seat.type("q\r")
    seat.wait()
