"""Tables whose dice are proved: what phones and players do, and what everybody is told."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from bobing.adapters.memory import MemoryLog
from bobing.core.record import read_record
from bobing.fairness.beacon import round_time
from bobing.fairness.events import FairError, Ready
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import signs
from bobing.fairness.verify import verify_record
from bobing.ports import NotSaved
from bobing.server import dealer, sealing, views
from bobing.server.decision import Decision, fair_body
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.recorded import record_of
from bobing.wire import messages as wire
from server.phones import Counting, fair_of, proved, settle, sit
from server.tables import Play, SetClock
from support.dice import ScriptedDice
from support.forging import rechained


def run(scenario):
    return asyncio.run(scenario())


def events(play):
    return [event["t"] for _, event in play.room.told]


def last(play) -> Any:
    return play.host.tables[play.code].lines[-1]


def proofs_of(lines) -> Any:
    draws = read_record(lines).draws
    return draws and draws.proofs


async def time_is_up(play):
    """As if those who were asked had had their time."""
    table = play.host.tables[play.code]
    async with table.lock:
        await play.host.dealer.time_is_up(table)
    await settle()


async def begun(*players, **more) -> Any:
    play, phones = await proved(*players, **more)
    assert isinstance(await play.begin(), wire.Ack)
    await settle()
    return play, phones


def test_a_table_fixes_its_dice_at_the_beginning_and_phones_answer_by_themselves():
    async def scenario():
        play, phones = await begun("a", "b", "c", phones=2)
        fair = fair_of(play)
        assert (fair.stage, fair.own, fair.k, fair.asked) == ("ready", [0, 1], [1, 1, 1], [])
        assert len(fair.sas) == 6
        assert events(play) == ["attempt", "reveals", "ready"]
        assert [phone.refusals for phone in phones] == [[], []]
        for seat, phone in enumerate(phones):
            assert isinstance(await phone.throw(), wire.Ack)
            assert last(play).proof.c == phone.link(fair.game, 2)
            assert (last(play).proof.seat, last(play).proof.k) == (seat, 1)
        assert isinstance(await play.send(wire.Throw, seat=2), wire.Ack), "a seat without a phone"
        assert last(play).proof.c is None
        assert fair_of(play).k == [2, 2, 2]

    run(scenario)


def test_what_proves_the_dice_goes_to_everybody_and_into_the_record():
    async def scenario():
        play, phones = await begun("a", "b")
        for phone in phones:
            await phone.throw()
        heard = [event for message in phones[0].got for event in message.get("fair", [])]
        assert [(one["after"], one["event"]["t"]) for one in heard] == [(0, "attempt"), (0, "reveals"), (0, "ready")]
        record = read_record(record_of(play.room))
        assert record.version == "record/2"
        assert record.draws
        assert [after for after, _ in record.draws.events] == [0, 0, 0]
        assert sorted(record.draws.proofs) == [1, 2]
        assert record.last_hash == play.room.receipt == phones[0].view["receipt"]
        late = await sit_and_watch(play)
        assert [one.event for one in late.fair] == [event for _, event in play.room.told]
        assert [line.proof for line in late.lines] == [line.proof for line in play.host.tables[play.code].lines]

    run(scenario)


async def sit_and_watch(play):
    return play.host.showing.welcome(play.host.tables[play.code], wire.You(role="watch"), 0)


def test_nobody_can_know_the_servers_links_before_they_are_shown_and_the_secret_goes_after_the_last_throw():
    async def scenario():
        log = MemoryLog()
        play, _ = await begun("a", "b", phones=0, log=log, settings=wire.Settings(absent="nothing"))
        table = play.host.tables[play.code]
        assert set(log._secrets.values()) == {table.master}
        before = table.master.hex()
        for _ in range(3):
            await play.send(wire.Throw, seat=play.room.game.next_seat)
        record = b"".join(record_of(play.room))
        assert before.encode() not in record
        assert all(before.encode() not in entry.body for entry in await log.read(play.code))
        await play.send(wire.Do, act={"close": True})
        assert play.room.game.finished
        assert (log._secrets, table.master) == ({}, None)
        again = await play.send(wire.Do, act={"undo": len(play.room.game.log)})
        assert isinstance(again, wire.Ack)
        assert [event["why"] for _, event in play.room.told if event["t"] == "attempt"] == ["begin", "again"]
        assert fair_of(play).restarts == 1
        assert isinstance(await play.send(wire.Throw, seat=play.room.game.next_seat), wire.Ack)

    run(scenario)


def test_attack_42_an_undo_gives_the_number_back_and_the_dice_come_out_alike():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        await one.throw()
        first = last(play)
        assert isinstance(await play.send(wire.Do, one.you, act={"undo": 1}), wire.Ack)
        assert fair_of(play).k == [1, 1]
        await one.throw()
        assert (last(play).roll, last(play).proof) == (first.roll, first.proof)
        await play.send(wire.Do, act={"undo": 3})
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack), "the host throws: no link is needed any more"
        assert (last(play).roll, last(play).proof) == (first.roll, first.proof)
        await two.throw()
        assert fair_of(play).own == [0, 1]

    run(scenario)


def test_an_undo_that_is_undone_brings_the_draw_back():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        await one.throw()
        first = last(play)
        await play.send(wire.Do, act={"undo": 1})
        await play.send(wire.Do, act={"undo": 2})
        assert fair_of(play).k == [2, 1]
        await two.throw()
        await one.throw()
        assert (last(play).proof.k, last(play).proof == first.proof) == (2, False)

    run(scenario)


def test_skipping_and_changing_places_shift_nobodys_dice():
    async def rolls(*skipped):
        play, phones = await begun("a", "b", "c")
        fallen = {}
        for turn in range(9):
            seat = play.room.game.next_seat
            if turn in skipped:
                await play.send(wire.Do, act={"seat": seat, "pass": True})
                continue
            await phones[seat].throw()
            line = last(play)
            fallen[seat, line.proof.k] = line.roll
        return fallen

    async def scenario():
        all_of_them, some = await rolls(), await rolls(1, 3)
        assert some
        assert some.items() <= all_of_them.items()

    run(scenario)


def test_names_stock_and_settings_do_not_change_faces():
    async def fallen(*players, **more):
        play, phones = await begun(*players, **more)
        for _ in range(3):
            for phone in phones:
                await phone.throw()
        return [line.roll for line in play.host.tables[play.code].lines]

    async def scenario():
        plain = await fallen("a", "b")
        assert plain == await fallen("甲", "乙", title="中秋")
        for settings in ({"speed": 3}, {"confirm": "none"}, {"joining": "open", "absent_s": 60}, {"alarm": True}):
            assert plain == await fallen("a", "b", settings=msgspec.convert(settings, wire.Settings))
        assert plain != await fallen("a", "b", chance=Counting(7)), "only the links do"

    run(scenario)


def test_every_setting_is_among_those_that_change_no_faces_or_stands_in_t0():
    shown = {"spill", "beacon", "dice"}  # q and the plan are hashed into T0, real dice have no draws
    assert shown | {"confirm", "joining", "absent_s", "absent", "speed", "auto", "alarm"} == set(
        wire.Settings.__struct_fields__
    ), "a new setting: say that it cannot change faces, and test it"


@pytest.mark.parametrize("link", ["next", "zeros", "other seat", "none known"])
def test_attack_38_a_wrong_link_is_refused_and_the_number_stays(link):
    async def scenario():
        play, (one, two) = await begun("a", "b")
        game = fair_of(play).game
        wrong = {
            "next": one.link(game, 3),
            "zeros": "00" * 32,
            "other seat": two.link(game, 2),
            "none known": "ab" * 32,
        }[link]
        refused = await one.throw(link=wrong)
        assert refused.code == "fair/wrong_link"
        assert fair_of(play).k == [1, 1]
        assert isinstance(await one.throw(), wire.Ack)

    run(scenario)


def test_a_throw_that_was_answered_is_not_drawn_again():
    async def scenario():
        play, (one, _) = await begun("a", "b")
        link = one.link(fair_of(play).game, 2)
        ask = {"seat": 0, "link": link, "cmd": "the-same-command", "at": play.room.n}
        first = await play.send(wire.Throw, one.you, "phone0", **ask)
        lines = len(play.host.tables[play.code].lines)
        again = await play.send(wire.Throw, one.you, "phone0", **ask)
        assert isinstance(again, wire.Ack)
        assert again.n == first.n
        assert len(play.host.tables[play.code].lines) == lines

    run(scenario)


def test_the_phone_of_a_seat_is_asked_where_somebody_else_throws_for_it():
    async def scenario():
        play, (one, _) = await begun("a", "b")
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)
        assert {"t": "link_wanted", "seat": 0, "game": fair_of(play).game, "k": 1} in one.got
        assert last(play).proof.c == one.link(fair_of(play).game, 2)
        assert fair_of(play).own == [0, 1]

    run(scenario)


def test_a_phone_that_does_not_answer_leaves_its_seat_without_links_and_the_table_says_so(monkeypatch):
    monkeypatch.setattr(dealer, "LINK_MS", 20)

    async def scenario():
        play, (one, two) = await begun("a", "b")
        one.answers = False
        assert isinstance(await play.send(wire.Throw, seat=0), wire.Ack)
        assert last(play).proof.c is None
        assert play.room.told[-1][1] == {"t": "lost", "seat": 0, "why": "absent"}
        assert fair_of(play).own == [1]
        await two.throw()
        refused = await one.throw()
        assert refused.code == "fair/other_link", "links that were given up do not come back"
        assert isinstance(await play.send(wire.Throw, one.you, "phone0", seat=0), wire.Ack)

    run(scenario)


def test_a_phone_says_that_its_links_are_gone_and_a_freed_seat_loses_them():
    async def scenario():
        play, phones = await begun("a", "b", "c")
        phones[0].say(wire.LostLinks(seat=0))
        await settle()
        await play.send(wire.FreeSeat, seat=1)
        assert [event for _, event in play.room.told[3:]] == [
            {"t": "lost", "seat": 0, "why": "lost"},
            {"t": "lost", "seat": 1, "why": "freed"},
        ]
        assert fair_of(play).own == [2]
        assert isinstance(await play.send(wire.Throw, phones[0].you, "phone0", seat=0), wire.Ack)
        assert isinstance(await play.send(wire.Throw, seat=1), wire.Ack)
        assert isinstance(await phones[2].throw(), wire.Ack)

    run(scenario)


def test_a_withheld_reveal_voids_the_attempt_which_is_counted_and_chained():
    async def scenario():
        play, (one, two) = await proved("a", "b")
        two.reveals = False
        await play.begin()
        await settle()
        assert (fair_of(play).stage, fair_of(play).asked) == ("reveal", [1])
        assert (await one.throw()).code == "table/not_ready"
        await time_is_up(play)
        kinds = events(play)
        assert kinds == ["attempt", "void", "attempt", "reveals", "ready"]
        first, void, second = (event for _, event in play.room.told[:3])
        assert void["missing"] == [1]
        assert (second["why"], second["prev"]) == ("void", first["t0"])
        assert second["game"] != first["game"]
        assert (fair_of(play).voids, fair_of(play).own) == (1, [0])
        assert isinstance(await one.throw(), wire.Ack)

    run(scenario)


def test_attack_36_a_first_link_that_was_not_promised_voids_the_attempt_at_once():
    async def scenario():
        play, (one, two) = await proved("a", "b")
        two.reveals = False
        await play.begin()
        await settle()
        two.say(wire.Reveal(seat=1, game=fair_of(play).game, link="ab" * 32))
        await settle()
        assert two.refusals == ["table/bad_link"]
        assert events(play) == ["attempt", "void", "attempt", "reveals", "ready"]
        assert fair_of(play).own == [0]
        assert one.refusals == []

    run(scenario)


def test_attack_39_a_first_link_said_twice_stays_as_it_was_said_first():
    async def scenario():
        play, (one, two) = await proved("a", "b")
        one.reveals = two.reveals = False
        await play.begin()
        await settle()
        game = fair_of(play).game
        one.say(wire.Reveal(seat=0, game=game, link=one.link(game, 1)))
        await settle()
        assert fair_of(play).asked == [1]
        one.say(wire.Reveal(seat=0, game=game, link=two.link(game, 1)))
        await settle()
        assert one.refusals == ["table/bad_link"]
        assert events(play)[:2] == ["attempt", "void"], "whoever says two things is not asked again"
        assert play.room.told[1][1]["missing"] == [0]

    run(scenario)


@pytest.mark.parametrize("head", ["zeros", "another's", "changed"])
def test_attack_37_heads_that_cannot_be_used(head):
    async def scenario():
        play, (one, two) = await proved("a", "b")
        two.answers = False
        await play.begin()
        await settle()
        game = fair_of(play).game
        if head == "changed":
            two.say(wire.Commit(seat=1, game=game, player=two.link(game, 0)))
            one.answers = False
        given = {"zeros": ZEROS.hex(), "another's": one.link(game, 0), "changed": "ab" * 32}[head]
        two.say(wire.Commit(seat=1, game=game, player=given))
        await settle()
        assert two.refusals in (["table/bad_head"], ["table/not_asked"])
        await time_is_up(play)
        assert events(play)[:1] == ["attempt"]
        kept = {seat["seat"]: seat["player"] for seat in play.room.told[0][1]["seats"]}
        assert kept[1] != given

    run(scenario)


def test_attack_40_who_comes_too_late_with_a_head_goes_without_and_nobody_else_speaks_for_a_seat():
    async def scenario():
        play, (one, two) = await proved("a", "b")
        two.answers = False
        await play.begin()
        await settle()
        game = fair_of(play).game
        assert fair_of(play).asked == [1]
        one.say(wire.Commit(seat=1, game=game, player="ab" * 32))
        await settle()
        assert one.refusals == ["table/forbidden"]
        await time_is_up(play)
        assert fair_of(play).own == [0]
        two.say(wire.Commit(seat=1, game=game, player=two.link(game, 0)))
        await settle()
        assert two.refusals == ["table/not_asked"]

    run(scenario)


def test_attack_42_dice_are_drawn_anew_where_the_host_wants_it_and_everybody_sees_it():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        await one.throw()
        before = fair_of(play)
        assert (await play.send(wire.DrawAgain, one.you)).code == "table/forbidden"
        assert isinstance(await play.send(wire.DrawAgain), wire.Ack)
        assert (await two.throw()).code == "table/not_ready"
        await settle()
        after = fair_of(play)
        assert (after.restarts, after.k) == (1, [1, 1])
        assert after.sas != before.sas
        assert play.room.told[3][1]["prev"] == before.t0
        assert isinstance(await two.throw(), wire.Ack)
        assert one.view["fair"]["restarts"] == 1

    run(scenario)


def test_a_late_seat_throws_when_everybody_else_has_thrown_twice():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        await one.throw()
        late = await sit(play, name="c")
        await settle()
        assert fair_of(play).late == [2]
        assert events(play)[3:] == ["late"]
        await two.throw()
        assert [play.room.game.log[-1].act.seat, play.room.game.next_seat] == [2, 0], "its turn goes by"
        await one.throw()
        assert fair_of(play).late == [2], "that link could have been held back since before it came"
        await two.throw()
        assert isinstance(await one.throw(), wire.Ack)
        assert fair_of(play).late == []
        ready = play.room.told[-1][1]
        assert (ready["t"], [(lap["seat"], lap["k"]) for lap in ready["links"]]) == ("late_ready", [(0, 3), (1, 2)])
        await two.throw()
        assert isinstance(await late.throw(), wire.Ack)
        assert last(play).proof.c == late.link(fair_of(play).game, 2)
        assert fair_of(play).own == [0, 1, 2]

    run(scenario)


def test_a_late_seat_without_a_phone_waits_as_well_for_the_server_could_choose_its_links():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        await play.send(wire.AddSeat, name="c")
        assert fair_of(play).late == [2]
        for _ in range(2):
            await one.throw()
            assert (await play.send(wire.Throw, seat=2)).code in ("act/not_your_turn", "fair/not_ready")
            await two.throw()
        assert fair_of(play).late == []
        assert isinstance(await play.send(wire.Throw, seat=2), wire.Ack)
        assert last(play).proof.c is None

    run(scenario)


def test_a_seat_that_was_undone_and_comes_again_is_somebody_else():
    async def scenario():
        play, (_one, _two) = await begun("a", "b")
        await play.send(wire.AddSeat, name="c")
        await play.send(wire.Do, act={"undo": 1})
        await play.send(wire.AddSeat, name="d")
        await settle()
        assert [event["why"] for _, event in play.room.told if event["t"] == "attempt"] == ["begin", "late"]
        assert (fair_of(play).stage, fair_of(play).late, fair_of(play).own) == ("ready", [], [0, 1])

    run(scenario)


def test_a_chain_that_is_used_up_leads_to_a_new_attempt(monkeypatch):
    monkeypatch.setattr(sealing, "LINKS", 2)

    async def scenario():
        play, _ = await begun("a", "b", phones=0)
        for _ in range(5):
            assert isinstance(await play.send(wire.Throw, seat=play.room.game.next_seat), wire.Ack)
        assert [event["why"] for _, event in play.room.told if event["t"] == "attempt"] == ["begin", "spent"]

    run(scenario)


def test_a_server_that_was_down_goes_on_with_the_same_dice():
    async def scenario():
        log = MemoryLog()
        play, phones = await begun("a", "b", log=log)
        await phones[0].throw()
        expected, _ = await begun("a", "b")
        master = play.host.tables[play.code].master
        again = Host(log, ScriptedDice(), play.host.clock, Metrics(), Counting(99))
        table = await again.table(play.code)
        assert table.master == master
        assert table.room.ledger == play.room.ledger
        assert table.room.receipt == play.room.receipt
        play.host = again
        await again.enter(play.code, phones[1], 0)
        await settle()
        assert isinstance(await phones[1].throw(), wire.Ack)
        assert fair_of(play).restarts == 0
        assert expected.room.ledger.signs == fair_of(play).sas

    run(scenario)


def test_a_server_that_was_down_before_all_had_revealed_asks_again():
    async def scenario():
        log = MemoryLog()
        play, (one, two) = await proved("a", "b", log=log)
        two.reveals = False
        await play.begin()
        await settle()
        play.host = Host(log, ScriptedDice(), play.host.clock, Metrics(), Counting(99))
        two.reveals = True
        await play.host.enter(play.code, one, 0)
        await play.host.enter(play.code, two, 0)
        await settle()
        assert (fair_of(play).stage, fair_of(play).own, fair_of(play).voids) == ("ready", [0, 1], 0)

    run(scenario)


def test_the_dice_for_who_begins_come_from_the_seats_links_and_fall_once():
    async def scenario():
        play, (one, two) = await begun("a", "b")
        game = fair_of(play).game
        answer = await play.send(wire.StartDice, one.you, "phone0", seat=0, link=one.link(game, 2))
        assert isinstance(answer, wire.Ack)
        first = last(play)
        assert (len(first.roll), first.proof.k) == (2, 1)
        begins = play.room.game.next_seat
        for phone, seat in ((one, 0), (two, 1)):
            assert (await play.send(wire.StartDice, phone.you, f"phone{seat}", seat=seat)).code == "table/start_thrown"
        assert (await play.send(wire.StartDice, seat=1)).code == "table/start_thrown", "by the host"
        assert play.room.game.next_seat == begins, "nobody counts again from another seat"
        await play.send(wire.Do, act={"undo": 1})
        await play.send(wire.StartDice, two.you, "phone1", seat=1, link=two.link(game, 2))
        assert (last(play).roll, last(play).proof) == (first.roll, first.proof)
        assert fair_of(play).k == [2, 1]

    run(scenario)


def test_proved_dice_are_not_corrected_to_others():
    async def scenario():
        play, (one, _) = await begun("a", "b")
        await one.throw()
        roll = last(play).roll
        for act in ({"seat": 0, "cocked": True}, {"seat": 0, "spill": True}, {"seat": 0, "roll": roll[::-1]}):
            if act.get("roll") != roll:
                assert (await play.send(wire.Do, act={"correct": 1, "act": act})).code == "table/digital"
        assert (await play.send(wire.Do, act={"seat": 1, "spill": True, "roll": "123456"})).code == "table/digital"
        assert isinstance(await play.send(wire.Do, act={"seat": 1, "spill": True}), wire.Ack)
        for act in ({"seat": 1, "roll": "444411"}, {"seat": 1, "spill": True, "roll": "444411"}):
            assert (await play.send(wire.Do, act={"correct": 2, "act": act})).code == "table/digital"
        assert isinstance(await play.send(wire.Do, act={"correct": 2, "act": {"seat": 1, "pass": True}}), wire.Ack)

    run(scenario)


def test_spilt_dice_are_declared_beforehand_and_shown_with_their_faces():
    async def scenario():
        play, _ = await begun("a", "b", phones=0, settings=wire.Settings(spill=6_553))
        assert play.room.told[0][1]["spill"] == 6_553
        lines = []
        for _ in range(60):
            await play.send(wire.Throw, seat=play.room.game.next_seat)
            lines.append(last(play))
            if play.room.game.finished:
                break
        spilt = [line for line in lines if line.act.get("spill")]
        assert spilt
        assert all(line.roll and len(line.roll) == 6 and line.proof and line.digital for line in spilt)
        await play.send(wire.SetSettings, settings=wire.Settings(spill=0))
        assert play.room.ledger.attempt.spill == 6_553, "it counts from the next attempt on"

    run(scenario)


def test_public_chance_from_real_dice():
    async def scenario():
        play, (one, _) = await begun("a", "b", settings=wire.Settings(beacon="dice"))
        fair = fair_of(play)
        assert (fair.stage, fair.sas) == ("beacon", "")
        assert (await one.throw()).code == "table/not_ready"
        assert (await play.send(wire.Beacon, one.you, value="362451" * 5)).code == "table/forbidden"
        assert (await play.send(wire.Beacon, value="362451")).code == "fair/bad_beacon"
        assert isinstance(await play.send(wire.Beacon, value="362451" * 5), wire.Ack)
        assert fair_of(play).stage == "ready"
        assert (await play.send(wire.Beacon, value="362451" * 5)).code == "table/no_beacon"
        assert isinstance(await one.throw(), wire.Ack)

    run(scenario)


def test_attack_41_a_round_of_drand_lies_behind_the_closing_and_a_forged_one_is_refused():
    async def scenario():
        play, _ = await begun("a", "b", settings=wire.Settings(beacon="drand"))
        attempt = play.room.ledger.attempt
        number = int.from_bytes(attempt.plan[33:], "big")
        assert 30 <= round_time(number) - attempt.at // 1000 < 34
        forged = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
        assert (await play.send(wire.Beacon, value=forged)).code == "fair/bad_beacon"
        await play.send(wire.SetSettings, settings=wire.Settings(beacon="none"))
        assert isinstance(await play.send(wire.DrawAgain), wire.Ack)
        await settle()
        assert (fair_of(play).stage, fair_of(play).voids) == ("ready", 1)

    run(scenario)


def test_dice_that_throw_themselves_ask_for_links_too():
    async def scenario():
        play, _phones = await begun("a", "b", settings=wire.Settings(auto=True, speed=3))
        await asyncio.sleep(1.8)
        throws = [line for line in play.host.tables[play.code].lines or [] if line.roll]
        assert throws
        assert all(line.proof.c for line in throws)
        assert fair_of(play).own == [0, 1]
        play.host.dismiss_all()

    run(scenario)


def test_tables_of_real_dice_have_nothing_to_prove():
    async def scenario():
        play, _ = await proved("a", "b", settings=wire.Settings(dice="real", confirm="none"))
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": "123456"})
        assert fair_of(play) is None
        assert json.loads(next(iter(record_of(play.room))))["bobing"] == "record/1"
        assert (await play.send(wire.DrawAgain)).code == "table/no_proof"
        assert read_record(record_of(play.room)).last_hash == play.room.receipt

    run(scenario)


def test_a_table_of_real_dice_tells_of_gross_bias_only_where_its_host_wants_it():
    async def scenario():
        play, _ = await proved("a", "b", phones=0, settings=wire.Settings(dice="real", confirm="none"))
        await play.begin()
        for turn in range(12):
            await play.send(wire.Do, act={"seat": turn % 2, "roll": "222333"})
        table = play.host.tables[play.code]
        assert not play.host.showing.view(table).biased, "off by default"
        await play.send(wire.SetSettings, settings=wire.Settings(dice="real", confirm="none", alarm=True))
        assert play.host.showing.view(table).biased

    run(scenario)


def test_a_record_with_other_dice_is_not_gone_on_with():
    async def scenario():
        play, (one, _) = await begun("a", "b")
        await one.throw()
        values = [json.loads(line) for line in record_of(play.room)]
        values[-1]["proof"]["s"] = "00" * 32
        with pytest.raises(FairError) as refused:
            await play.host.make_from_record(b"".join(rechained(values)), wire.Settings())
        assert refused.value.code == "fair/wrong_link"
        assert len(play.host.tables) == 1

    run(scenario)


def test_a_full_disk_while_dice_are_fixed_voids_nothing(monkeypatch):
    monkeypatch.setattr(dealer, "_RETRY_MS", 10)

    class Full(MemoryLog):
        full = False

        async def append(self, *given, **more):
            if self.full:
                raise NotSaved("the disk is full")
            return await super().append(*given, **more)

    async def scenario():
        log = Full()
        play, phones = await proved("a", "b", log=log)
        phones[1].answers = False
        await play.begin()
        await settle()
        log.full = True
        game = fair_of(play).game
        phones[1].say(wire.Commit(seat=1, game=game, player=phones[1].link(game, 0)))
        await settle()
        assert events(play) == []
        log.full, phones[1].answers = False, True
        await asyncio.sleep(0.1)
        await settle()
        assert (fair_of(play).stage, fair_of(play).voids, fair_of(play).own) == ("ready", 0, [0, 1])

    run(scenario)


@pytest.mark.parametrize("dice", ["digital", "real"])
def test_a_proved_game_goes_on_at_another_table(dice):
    async def scenario():
        play, (one, _) = await begun("a", "b")
        await one.throw()
        data, receipt, opening = b"".join(record_of(play.room)), play.room.receipt, play.room.ledger.attempt.opening
        made = await play.host.make_from_record(data, wire.Settings(dice=dice, confirm="none"))
        play.code = made.code
        await play.host.table(made.code)
        assert proofs_of(record_of(play.room)) == proofs_of(data.splitlines(keepends=True))
        if dice == "digital":
            assert play.room.receipt == receipt
            await sit(play, 1)
            await settle()
            assert play.room.told[3][1]["prev"] == opening.hex()
            assert fair_of(play).restarts == 1
            assert isinstance(await play.send(wire.Throw, seat=1), wire.Ack)
        else:
            assert play.room.told[-1][1] == {"t": "real"}
            assert isinstance(await play.send(wire.Do, act={"seat": 1, "roll": "123456"}), wire.Ack)
        assert read_record(record_of(play.room)).last_hash == play.room.receipt

    run(scenario)


def told(play, kind):
    return [event for _, event in play.room.told if event["t"] == kind]


def verdicts(play):
    report = verify_record(read_record(record_of(play.room)))
    assert not report.faults
    return [throw.verdict for throw in report.throws]


FACES = "362451" * 5


async def with_public_chance(*players, **more) -> Any:
    play, phones = await begun(*players, settings=wire.Settings(beacon="dice"), **more)
    await play.send(wire.Beacon, value=FACES)
    return play, phones


def test_a_phone_that_comes_to_a_seat_without_one_takes_part_after_two_laps_and_the_seat_plays_on_meanwhile():
    async def scenario():
        play, (one, two) = await begun("a", "b", "c", phones=2)
        await one.throw()
        await two.throw()
        three = await sit(play, 2)
        await settle()
        assert (fair_of(play).late, fair_of(play).own) == ([], [0, 1]), "it does not wait"
        for _ in range(2):
            assert isinstance(await three.throw(link=None), wire.Ack)
            assert last(play).proof.c is None
            await one.throw()
            await two.throw()
        assert fair_of(play).own == [0, 1, 2]
        assert isinstance(await three.throw(), wire.Ack)
        assert (last(play).proof.k, last(play).proof.c) == (3, three.link(fair_of(play).game, 4))
        assert verdicts(play) == [*["PROVED-A", "PROVED-A", "PROXY"] * 2, *["PROVED-A"] * 3]
        assert len(told(play, "late_ready")) == 1

    run(scenario)


@pytest.mark.parametrize("absent", ["away", "lost"])
def test_a_phone_that_does_not_vouch_for_a_seat_that_came_in_its_absence_is_named(absent):
    async def scenario():
        play, (one, two) = await begun("a", "b", "c", phones=2)
        await one.throw()
        if absent == "away":
            await play.send(wire.Do, act={"seat": 1, "leave": True})
        else:
            two.say(wire.LostLinks(seat=1))
            await settle()
            await play.send(wire.Throw, seat=1)
        three = await sit(play, 2)
        await settle()
        for _ in range(2):
            if absent == "lost" and play.room.game.next_seat == 1:
                await play.send(wire.Throw, seat=1)
            await three.throw(link=None)
            assert fair_of(play).unheard == [], "it draws on without its links"
            await one.throw()
        assert (fair_of(play).own[-1], fair_of(play).unheard) == (2, [wire.Unheard(2, [1])])
        assert one.view["fair"]["unheard"] == [{"seat": 2, "devices": [1]}]
        await play.send(wire.DrawAgain)
        await settle()
        assert (fair_of(play).own, fair_of(play).unheard) == ([0, 1, 2], [])

    run(scenario)


def test_a_draw_from_before_a_phone_came_falls_the_same_when_it_is_taken_back():
    async def scenario():
        play, (one, two) = await begun("a", "b", "c", phones=2)
        await one.throw()
        await two.throw()
        await play.send(wire.Throw, seat=2)
        grey = last(play).roll
        three = await sit(play, 2)
        await settle()
        await one.throw()
        await two.throw()
        await three.throw(link=None)
        await one.throw()
        await two.throw()
        assert fair_of(play).own == [0, 1, 2]
        await play.send(wire.Do, act={"undo": 3})
        assert isinstance(await three.throw(link=None), wire.Ack)
        assert last(play).roll == grey
        verdicts(play)

    run(scenario)


def test_a_phone_that_comes_late_and_does_not_reveal_leaves_its_seat_as_it_was_and_is_not_asked_twice():
    async def scenario():
        play, (one, two) = await begun("a", "b", "c", phones=2)
        three = await sit(play, 2)
        three.reveals = False
        await settle()
        await time_is_up(play)
        assert [event["why"] for event in told(play, "lost")] == ["absent"]
        for phone in (one, two):
            await phone.throw()
        assert isinstance(await play.send(wire.Throw, seat=2), wire.Ack)
        await play.host.enter(play.code, three, 0)
        await settle()
        assert len(told(play, "late")) == 1, "one draw more for each device, and no further"
        verdicts(play)

    run(scenario)


def test_links_lost_to_public_chance_wait_for_another_that_nobody_knows_yet():
    async def scenario():
        play, (one, two) = await with_public_chance("a", "b")
        await one.throw()
        two.chains = {}
        await play.host.hear(play.code, wire.LostLinks(seat=1), two)
        await settle()
        fair = fair_of(play)
        assert (fair.late, fair.own) == ([1], [0])
        assert [(one.seat, one.plan) for one in fair.alone] == [(1, told(play, "attempt")[0]["plan"])]
        assert play.room.game.next_seat == 0, "its turn goes by"
        assert (await play.send(wire.Beacon, one.you, value=FACES, seat=1)).code == "table/forbidden"
        assert (await play.send(wire.Beacon, value="1", seat=1)).code == "fair/bad_beacon"
        assert (await play.send(wire.Beacon, value=FACES, seat=0)).code == "table/no_beacon"
        assert isinstance(await play.send(wire.Beacon, value=FACES[::-1], seat=1), wire.Ack)
        assert (fair_of(play).late, fair_of(play).own, fair_of(play).alone) == ([], [0, 1], [])
        await one.throw()
        assert isinstance(await two.throw(), wire.Ack)
        assert set(verdicts(play)) == {"PROVED-B"}

    run(scenario)


def test_a_late_seat_at_a_table_with_public_chance_gets_its_own_round():
    async def scenario():
        play, (one, two) = await with_public_chance("a", "b")
        late = await sit(play, name="c")
        await settle()
        assert [one.seat for one in fair_of(play).alone] == [2]
        for phone in (one, two, one, two):
            assert isinstance(await phone.throw(), wire.Ack)
        assert fair_of(play).late == [2], "however long that takes"
        assert isinstance(await play.send(wire.Beacon, value=FACES, seat=2), wire.Ack)
        for phone in (one, two, late):
            assert isinstance(await phone.throw(), wire.Ack)
        assert set(verdicts(play)) == {"PROVED-B"}

    run(scenario)


def test_where_everybody_waits_for_public_chance_no_turn_goes_by():
    async def scenario():
        play, (one, two) = await with_public_chance("a", "b")
        await play.host.hear(play.code, wire.LostLinks(seat=1), two)
        await play.host.hear(play.code, wire.LostLinks(seat=0), one)
        await settle()
        assert fair_of(play).late == [0, 1]
        assert not play.room.game.log
        assert (await one.throw(link=None)).code == "table/not_ready"
        await play.send(wire.Beacon, value=FACES, seat=0)
        assert isinstance(await one.throw(), wire.Ack)

    run(scenario)


def test_a_phone_that_does_not_answer_at_a_table_with_public_chance_cannot_choose_to_go_without(monkeypatch):
    monkeypatch.setattr(dealer, "LINK_MS", 50)

    async def scenario():
        play, (one, two) = await with_public_chance("a", "b")
        one.answers = False
        assert (await play.send(wire.Throw, seat=0)).code == "table/not_ready"
        assert [event["why"] for event in told(play, "lost")] == ["absent"]
        assert not [entry for entry in play.room.game.log if getattr(entry.act, "roll", None)]
        assert fair_of(play).asked == [0]
        await time_is_up(play)
        assert told(play, "seat_attempt")[0]["player"] is None
        await play.send(wire.Beacon, value=FACES, seat=0)
        one.answers = True
        await play.host.enter(play.code, one, 0)
        await settle()
        assert told(play, "seat_attempt")[1]["player"] is not None, "its phone takes part again from another chance on"
        assert fair_of(play).late == []
        await play.send(wire.Beacon, value=FACES[::-1], seat=0)
        assert fair_of(play).own == [0, 1]
        await two.throw()
        assert isinstance(await one.throw(), wire.Ack)
        assert set(verdicts(play)) == {"PROVED-B"}

    run(scenario)


def test_a_device_that_withholds_its_link_alone_voids_that_and_is_counted():
    async def scenario():
        play, (_one, two) = await with_public_chance("a", "b")
        two.reveals = False
        await play.host.hear(play.code, wire.LostLinks(seat=1), two)
        await settle()
        await time_is_up(play)
        assert [event["seat"] for event in told(play, "seat_void")] == [1]
        assert [one["player"] is None for one in told(play, "seat_attempt")] == [False, True]
        assert fair_of(play).voids == 1
        verdicts(play)

    run(scenario)


def test_a_round_of_drand_for_one_seat_lies_ahead_too_and_what_comes_after_it_is_void():
    async def scenario():
        play, (one, _two) = await begun("a", "b", settings=wire.Settings(beacon="drand"))
        ledger = play.room.ledger
        beacon = ledger.attempt.plan + bytes([0, 48]) + bytes(48)
        seed = ledger.seed_with(beacon)
        ready = fair_body(Ready(beacon, seed, signs(seed)))  # as if drand had signed that
        table = play.host.tables[play.code]
        async with table.lock:
            await play.host.keep(table, Decision([ready]), "fair")
        await play.host.hear(play.code, wire.LostLinks(seat=0), one)
        await settle()
        alone = told(play, "seat_attempt")[0]
        number = int(alone["plan"][-16:], 16)
        assert 30 <= round_time(number) - alone["at"] // 1000 < 34
        forged = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
        assert (await play.send(wire.Beacon, value=forged, seat=0)).code == "fair/bad_beacon"

    run(scenario)


def test_two_processes_on_one_store_never_draw_twice_and_phones_of_the_other_are_not_waited_for():
    async def scenario():
        log = MemoryLog()
        here, (one,) = await proved("a", "b", log=log, phones=1)
        there = Play(Host(log, ScriptedDice(), SetClock(), Metrics(), Counting(100)), here.code, here.token)
        await there.host.table(here.code)
        two = await sit(there, 1)
        assert isinstance(await here.begin(), wire.Ack)
        await settle()
        assert (fair_of(here).stage, fair_of(here).own) == ("ready", [0]), "the phone at the other is not asked"
        there.count = 1_000
        await there.host.catch_up(there.host.tables[there.code])
        await settle()
        assert isinstance(await one.throw(), wire.Ack)
        again = await there.send(wire.Throw, seat=0, at=99)
        assert again.code == "act/not_your_turn", "it finds out by its write, which is refused, and draws nothing"
        assert isinstance(await there.send(wire.Throw, two.you, "phone1", seat=1), wire.Ack)
        there.host.dismiss_all()
        loaded = await Host(log, ScriptedDice(), SetClock(), Metrics()).table(here.code)
        report = verify_record(read_record(record_of(loaded.room)))
        assert report.sound
        assert [throw.seat for throw in report.throws] == [0, 1]
        assert report.voids == 0

    run(scenario)


def test_a_line_tells_what_it_took_back_and_what_was_played_before_a_correction():
    async def scenario():
        play, (one, two, three) = await begun("a", "b", "c")
        await one.throw()
        assert isinstance(await play.send(wire.Do, act={"seat": 1, "pass": True}), wire.Ack)
        for phone in (three, one, two):
            await phone.throw()
        leave = {"seat": 1, "leave": True}
        assert isinstance(await play.send(wire.Do, act={"correct": 2, "act": leave, "cut": True}), wire.Ack)
        shown = views.lines(play.room)
        record = [json.loads(line) for line in record_of(play.room)]
        acts = [line for line in record if "act" in line]
        assert shown[1].act == leave, "as it stands"
        assert [one.first or one.act for one in shown] == [line["act"] for line in acts], "as it was played"
        assert [one.took for one in shown] == [line["struck"] for line in acts]
        assert shown[-1].took == [5]

    run(scenario)
