"""Tables as the host runs them: stored before told, once each, for those who may."""

import asyncio

import pytest

from bobing.adapters.memory import MemoryLog
from bobing.core.errors import BobingError
from bobing.core.record import read_record, record_lines
from bobing.ports import NotSaved
from bobing.server import host as hosts
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.table import Table
from bobing.wire import messages as wire
from server.tables import HOST, Member, Play
from support.dice import ScriptedDice

REAL = wire.Settings(dice="real", confirm="none")
FEW_CAKES = {"cakes": {"duitang": 0, "sanhong": 0, "sijin": 1, "erju": 1, "yixiu": 2}}
TO_THE_END = "222231 446123 412335 412335 444412"
"""A whole game of three for these."""
TWICE = wire.Settings(dice="real")


def run(scenario):
    return asyncio.run(scenario())


def refusal(answer):
    assert isinstance(answer, wire.Refused), answer
    return answer.code


def test_a_digital_throw_is_drawn_by_the_server_and_told_to_everybody():
    async def scenario():
        play = await Play.open("小明", "小红", dice="444411 123456")
        watcher = Member(wire.You(role="watch"))
        await play.host.enter(play.code, watcher, 0)
        assert isinstance(await play.begin(), wire.Ack)
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)
        told = watcher.got[-1]
        assert (told["t"], told["line"]["roll"], told["line"]["digital"]) == ("news", "444411", True)
        assert told["view"]["title"]["seat"] == 0
        assert "⟦0⟧" in told["line"]["words"]["zh-Hans"][0]
        assert told["view"]["next"] == 1

    run(scenario)


def test_an_act_that_could_not_be_told_is_not_stored(monkeypatch):
    async def scenario():
        play = await Play.open("a", "b", dice="444411 123456")
        await play.begin()
        stored = len(await play.host.log.read(play.code))
        with monkeypatch.context() as broken:
            broken.setattr("bobing.server.views.last_line", _fails)
            with pytest.raises(RuntimeError):
                await play.send(wire.Throw, seat=0)
        assert len(await play.host.log.read(play.code)) == stored
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)
        assert len(play.room.game.log) == 1

    def _fails(_room):
        raise RuntimeError

    run(scenario)


def test_the_same_command_again_is_the_same_act():
    async def scenario():
        play = await Play.open("a", "b", dice="444411 123456")
        await play.begin()
        first = await play.send(wire.Throw, seat=0, cmd="the-same-command-1", at=2)
        again = await play.send(wire.Throw, seat=0, cmd="the-same-command-1", at=2)
        assert first == again
        assert len(play.room.game.log) == 1
        other = await play.send(wire.Throw, seat=1, cmd="the-same-command-1")
        assert refusal(other) == "table/other_body"
        another = await play.send(wire.Throw, seat=1, cmd="the-same-command-1", actor="somebody else")
        assert isinstance(another, wire.Ack)

    run(scenario)


def test_two_who_press_at_once_make_one_act():
    async def scenario():
        play = await Play.open("a", "b", settings=REAL)
        await play.begin()
        n = play.room.n
        act = {"seat": 0, "roll": "222241"}
        answers = await asyncio.gather(
            play.send(wire.Do, act=act, at=n), play.send(wire.Do, act=act, at=n, actor="the other")
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Ack", "Refused"]
        assert refusal(next(a for a in answers if isinstance(a, wire.Refused))) == "table/stale"
        assert len(play.room.game.log) == 1

    run(scenario)


def test_a_restart_changes_nothing():
    async def scenario():
        log = MemoryLog()
        play = await Play.open("a", "b", dice="444411 222241 123456", log=log)
        await play.begin()
        await play.send(wire.Throw, seat=0, cmd="before-the-restart")
        await play.send(wire.Throw, seat=1)
        again = Host(log, ScriptedDice("123456"), play.host.clock, Metrics())
        room = (await again.table(play.code)).room
        assert room.game
        assert room.game.state == play.room.game.state
        assert room.notes == play.room.notes
        after = Play(again, play.code, play.token)
        answer = await after.send(wire.Throw, seat=0, cmd="before-the-restart", at=2)
        assert isinstance(answer, wire.Ack)
        assert len(after.room.game.log) == 2

    run(scenario)


def test_a_command_that_another_process_carried_out_gets_the_same_answer():
    async def scenario():
        log = MemoryLog()
        play = await Play.open("a", "b", settings=REAL, log=log)
        await play.begin()
        other = Play(Host(log, ScriptedDice(), play.host.clock, Metrics()), play.code, play.token)
        await other.host.table(play.code)
        act = {"seat": 0, "roll": "222241"}
        first = await other.send(wire.Do, act=act, cmd="the-same-command-1", at=2)
        changed = {"act": {"seat": 0, "roll": "444411"}, "cmd": "the-same-command-1", "at": 2}
        assert refusal(await play.send(wire.Do, **changed)) == "table/other_body"
        play.host.tables.clear()
        play.host.tables[play.code] = await behind(play, 2)
        again = await play.send(wire.Do, act=act, cmd="the-same-command-1", at=2)
        assert isinstance(first, wire.Ack)
        assert again == first
        assert len(play.room.game.log) == 1

    async def behind(play, n):
        """The table as a process has it that read no further than entry `n`."""
        entries = await play.host.log.read(play.code, limit=n)
        return Table(hosts._room_of(play.code, entries, await play.host.log.notes(play.code)))

    run(scenario)


def test_what_is_not_saved_is_not_told():
    class FullDisk(MemoryLog):
        full = False

        async def append(self, stream, expected, entries, **beside):
            if self.full:
                raise NotSaved("no space left")
            return await super().append(stream, expected, entries, **beside)

    async def scenario():
        log = FullDisk()
        play = await Play.open("a", "b", dice="444411 123456", log=log)
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        await play.begin()
        before, log.full = len(member.got), True
        assert refusal(await play.send(wire.Throw, seat=0)) == "log/not_saved"
        assert len(member.got) == before
        assert play.room.game.log == ()
        log.full = False
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)

    run(scenario)


def test_who_may_do_what():
    async def scenario():
        play = await Play.open("a", "b", dice="111223 444411 123456 112233")
        you, _ = await play.sit("c")
        assert you == wire.You(role="seat", seat=2)
        await play.begin()
        watcher = wire.You(role="watch")
        assert refusal(await play.send(wire.Throw, who=watcher, seat=0)) == "table/forbidden"
        assert refusal(await play.send(wire.SetSettings, who=you, settings=wire.Settings(speed=3))) == "table/forbidden"
        assert isinstance(await play.send(wire.Throw, who=you, seat=0), wire.Ack), "a neighbour without a device"
        other = wire.You(role="seat", seat=1)
        await play.send(wire.Throw, seat=1)
        assert refusal(await play.send(wire.Throw, who=other, seat=2)) == "table/forbidden"
        assert refusal(await play.send(wire.Do, who=you, act={"undo": 1})) == "table/forbidden"
        assert isinstance(await play.send(wire.Throw, who=you, seat=2), wire.Ack)
        assert isinstance(await play.send(wire.Do, who=you, act={"undo": 3}), wire.Ack), "its own last throw"

    run(scenario)


def test_nobody_says_what_digital_dice_show():
    async def scenario():
        play = await Play.open("a", "b", dice="222241 123456")
        await play.begin()
        assert refusal(await play.send(wire.Do, act={"seat": 0, "roll": "444411"})) == "table/digital"
        await play.send(wire.Throw, seat=0)
        changed = {"correct": 1, "act": {"seat": 0, "roll": "444411"}}
        assert refusal(await play.send(wire.Do, act=changed)) == "table/digital"
        waived = {"correct": 1, "act": {"seat": 0, "roll": "222241", "waive": ["sijin"]}}
        assert isinstance(await play.send(wire.Do, act=waived), wire.Ack)

    run(scenario)


def test_undo_is_no_second_draw():
    async def scenario():
        play = await Play.open("a", "b", dice="222241 123456 444411 555566 111111")
        await play.begin()
        for seat in (0, 1, 0):
            await play.send(wire.Throw, seat=seat)
        await play.send(wire.Do, act={"undo": 2})
        for seat in (1, 0):
            await play.send(wire.Throw, seat=seat)
        rolls = [str(entry.act.roll) for entry in play.room.game.log if hasattr(entry.act, "roll")]
        assert rolls == ["222241", "123456", "444411", "123456", "444411"]
        await play.send(wire.Throw, seat=1)
        assert str(play.room.game.log[-1].act.roll) == "555566"

    run(scenario)


def test_a_zhuangyuan_with_real_dice_is_asked_for_twice():
    async def scenario():
        play = await Play.open("a", "b", settings=TWICE)
        await play.begin()
        act = {"seat": 0, "roll": "444411"}
        answer = await play.send(wire.Do, act=act)
        assert (refusal(answer), answer.combination) == ("table/confirm", "chajinhua")
        assert isinstance(await play.send(wire.Do, act=act, sure=True), wire.Ack)
        assert isinstance(await play.send(wire.Do, act={"seat": 1, "roll": "222241"}), wire.Ack)

    run(scenario)


def test_a_grab_says_what_it_needs():
    async def scenario():
        rules = wire.RulesChoice(sheet="S3", house={"cakes": {"yixiu": 2, "erju": 1, "sijin": 1, "sanhong": 1}})
        play = await Play.open("a", "b", settings=REAL, rules=rules)
        await play.begin()
        answer = await play.send(wire.Do, act={"seat": 0, "roll": "222222"})
        assert refusal(answer) == "act/grab_needed"
        assert answer.needs == {"zhuangyuan": 1, "duitang": 2, "sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 2}

    run(scenario)


def test_a_digital_grab_is_drawn_too():
    async def scenario():
        rules = wire.RulesChoice(sheet="S3", house={"cakes": {"yixiu": 2, "erju": 1, "sijin": 1, "sanhong": 1}})
        play = await Play.open("a", "b", "c", dice="222222 1 2 3 4 6 5 1 2", rules=rules)
        await play.begin()
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)
        assert play.room.game.finished
        assert sum(play.room.game.state.table.values()) == 0

    run(scenario)


def test_names_are_cleaned_and_can_be_erased():
    async def scenario():
        play = await Play.open("小明", "小明\u200b")
        await play.host.table(play.code)
        assert [play.room.name(seat) for seat in (0, 1)] == ["小明", "小明 2"]
        assert refusal(await play.send(wire.RenameSeat, seat=0, name="\u3164")) == "table/name_empty"
        assert isinstance(await play.send(wire.RenameSeat, seat=0, name="阿明"), wire.Ack)
        assert play.room.name(0) == "阿明"
        entries = await play.host.log.read(play.code)
        assert all("明".encode() not in entry.body for entry in entries)

    run(scenario)


def test_a_lost_phone_is_freed_and_the_seat_taken_again():
    async def scenario():
        play = await Play.open("a")
        you, token = await play.sit("b")
        phone = Member(you, token)
        await play.host.enter(play.code, phone, 0)
        with pytest.raises(BobingError) as taken:
            await play.host.door.join(play.code, wire.Joining(seat=1))
        assert taken.value.code == "table/taken"
        await play.send(wire.FreeSeat, seat=1)
        assert phone.dismissed == "revoked"
        with pytest.raises(BobingError) as gone:
            await play.host.who(play.code, token)
        assert gone.value.code == "table/unknown_token"
        assert (await play.host.door.join(play.code, wire.Joining(seat=1))).seat == 1

    run(scenario)


def test_the_newest_connection_of_a_token_wins():
    async def scenario():
        play = await Play.open("a", "b")
        first, second = Member(HOST, play.token), Member(HOST, play.token)
        await play.host.enter(play.code, first, 0)
        await play.host.enter(play.code, second, 0)
        assert (first.dismissed, second.dismissed) == ("replaced", None)

    run(scenario)


def test_a_late_joiner_sits_down_in_the_running_game():
    async def scenario():
        play = await Play.open("a", "b", dice="222241 123456 111223")
        await play.begin()
        await play.send(wire.Throw, seat=0)
        you, _ = await play.sit("c")
        assert you.seat == 2
        assert play.room.game.state.order == (0, 1, 2)

    run(scenario)


def test_an_absent_seat_is_skipped_or_thrown_for():
    async def scenario():
        skip = wire.Settings(absent_s=1, absent="skip")
        play = await Play.open("a", "b", settings=skip)
        await play.host.enter(play.code, Member(HOST), 0)
        await play.begin()
        await asyncio.sleep(1.2)
        assert [type(entry.act).__name__ for entry in play.room.game.log] == ["Pass"]
        await play.host.close()
        throw = wire.Settings(absent_s=1, absent="throw")
        play = await Play.open("a", "b", settings=throw, dice="222241 222241")
        await play.host.enter(play.code, Member(HOST), 0)
        await play.begin()
        await asyncio.sleep(1.2)
        assert [type(entry.act).__name__ for entry in play.room.game.log] == ["Throw"]
        await play.host.close()

    run(scenario)


def test_a_correction_tells_the_whole_history_anew():
    async def scenario():
        play = await Play.open("a", "b", settings=REAL)
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": "444411"})
        await play.send(wire.Do, act={"seat": 1, "roll": "444412"})
        await play.send(wire.Do, act={"correct": 1, "act": {"seat": 0, "roll": "123356"}})
        anew = member.got[-1]
        assert (anew["t"], len(anew["lines"])) == ("anew", 3)
        assert anew["view"]["title"]["seat"] == 1
        assert anew["lines"][0]["roll"] == "123356"

    run(scenario)


def test_the_record_of_a_table_verifies():
    async def scenario():
        play = await Play.open("a", "b", dice="222241 123456")
        await play.begin()
        await play.send(wire.Throw, seat=0)
        record = read_record(list(record_lines(play.room.game, {0: "a"})))
        assert record.game.state == play.room.game.state

    run(scenario)


def test_the_lobby_can_be_rearranged_until_the_game_begins():
    async def scenario():
        play = await Play.open("a", "b", "c")
        await play.host.table(play.code)
        await play.send(wire.MoveSeat, seat=2, to=0)
        assert [play.room.name(seat) for seat in range(3)] == ["c", "a", "b"]
        await play.send(wire.RemoveSeat, seat=1)
        assert [play.room.name(seat) for seat in range(2)] == ["c", "b"]
        await play.send(wire.SetRules, rules=wire.RulesChoice(sheet="S12"))
        assert play.room.rules.key == "referee-order"
        assert refusal(await play.send(wire.SetRules, rules=wire.RulesChoice(sheet="nope"))) == "rules/unknown_sheet"
        await play.begin()
        assert refusal(await play.send(wire.RemoveSeat, seat=1)) == "table/begun"
        assert refusal(await play.send(wire.SetRules, rules=wire.RulesChoice())) == "table/begun"

    run(scenario)


def test_who_threw_last_chooses_what_it_takes_and_nothing_else():
    async def scenario():
        prizes = {"prizes": {"yixiu": [{"name": "pear", "count": 16}, {"name": "plum", "count": 16}]}}
        play = await Play.open(dice="411223 411223", rules=wire.RulesChoice("minnan", prizes))
        (ann, _), (bob, _) = await play.sit("ann"), await play.sit("bob")
        await play.begin()
        await play.send(wire.Throw, who=ann, seat=0)
        plum = {"correct": 1, "act": {"seat": 0, "roll": "411223", "item": {"yixiu": "plum"}}}
        assert refusal(await play.send(wire.Do, who=bob, act=plum)) == "table/forbidden"
        other = {"correct": 1, "act": {"seat": 0, "roll": "444411"}}
        assert refusal(await play.send(wire.Do, who=ann, act=other)) == "table/forbidden"
        assert isinstance(await play.send(wire.Do, who=ann, act=plum), wire.Ack)
        await play.send(wire.Throw, who=bob, seat=1)
        assert refusal(await play.send(wire.Do, who=ann, act=plum)) == "table/forbidden", "others threw since"

    run(scenario)


def test_everybody_hears_of_the_table_of_the_next_game():
    async def scenario():
        log = MemoryLog()
        play = await Play.open("a", "b", dice=TO_THE_END, rules=wire.RulesChoice("minnan", FEW_CAKES), log=log)
        you, token = await play.sit("c")
        phone = Member(you, token)
        await play.host.enter(play.code, phone, 0)
        await play.begin()
        following = (await play.host.make(wire.NewTable(players=["a", "b", "c"]))).code
        assert refusal(await play.send(wire.Rematch, code=following)) == "table/not_over"
        for seat in (0, 1, 2, 0, 1):
            await play.send(wire.Throw, seat=seat)
        assert refusal(await play.send(wire.Rematch, who=you, code=following)) == "table/forbidden"
        assert refusal(await play.send(wire.Rematch, code="22222222")) == "table/closed"
        assert refusal(await play.send(wire.Rematch, code=play.code)) == "table/refused"
        assert isinstance(await play.send(wire.Rematch, code=following), wire.Ack)
        assert phone.got[-1]["view"]["rematch"] == following
        again = Host(log, ScriptedDice(), play.host.clock, Metrics())
        table = await again.table(play.code)
        assert again.showing.welcome(table, HOST, 0).view.rematch == following

    run(scenario)


def test_two_dice_say_who_begins():
    async def scenario():
        play = await Play.open("a", "b", "c", dice="12 123455")
        assert refusal(await play.send(wire.StartDice, seat=0)) == "table/not_begun"
        await play.begin()
        assert refusal(await play.send(wire.StartDice, who=wire.You(role="watch"), seat=0)) == "table/forbidden"
        typed = {"start": {"seat": 0, "dice": "66"}}
        assert refusal(await play.send(wire.Do, act=typed)) == "table/digital"
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        assert isinstance(await play.send(wire.StartDice, seat=0), wire.Ack)
        told = member.got[-1]
        assert (told["line"]["roll"], told["line"]["digital"], told["view"]["next"]) == ("12", True, 2)
        assert "begun" not in told["view"]
        assert refusal(await play.send(wire.StartDice, seat=1)) == "table/start_thrown"
        await play.send(wire.Do, act={"undo": 1})
        await play.send(wire.StartDice, seat=0)
        assert play.room.game.next_seat == 2, "the same dice again"
        await play.send(wire.Throw, seat=2)
        assert refusal(await play.send(wire.StartDice, seat=0)) == "act/already_begun"
        await play.send(wire.Do, act={"undo": 4})
        await play.send(wire.Throw, seat=2)
        assert str(play.room.game.log[-1].act.roll) == "123455", "two dice are no throw of the seat"

    run(scenario)


def test_real_dice_say_who_begins():
    async def scenario():
        play = await Play.open("a", "b", "c", settings=REAL)
        await play.begin()
        assert refusal(await play.send(wire.StartDice, seat=0)) == "table/real"
        assert isinstance(await play.send(wire.Do, act={"start": {"seat": 0, "dice": "12"}}), wire.Ack)
        assert play.room.game.next_seat == 2

    run(scenario)


def test_house_rules_are_called_as_the_sheet_they_change():
    async def scenario():
        rules = wire.RulesChoice(sheet="S12", house={"cakes": {"yixiu": 40}})
        play = await Play.open("a", "b", rules=rules)
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        assert member.got[0]["rules"]["names"]["en"] == "Referee rules, with house rules"

    run(scenario)
