"""What would go wrong only over hours: leaks, stalled connections, acts of people who are gone, tables left alone."""

import asyncio
import json
import socket as sockets
import time
from unittest.mock import Mock

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidState

from bobing.adapters.memory import MemoryLog
from bobing.core.errors import BobingError
from bobing.ports import Grant, LogError, NewEntry, NotSaved, Worker
from bobing.server import host as hosts
from bobing.server import patience as waits
from bobing.server import prompt, timers
from bobing.server import session as sessions
from bobing.server.app import make_app
from bobing.server.cluster import Cluster
from bobing.server.places import Places
from bobing.server.settings import Settings
from bobing.wire import messages as wire
from server.live import line, new_table, serving
from server.tables import HOST, Member, Play

PATIENCE = waits.patience
REAL = wire.Settings(dice="real", confirm="none")


def run(scenario):
    return asyncio.run(scenario())


class SlowLog(MemoryLog):
    """A log that takes its time, so that something can happen meanwhile."""

    pause = 0.0

    async def append(self, stream, expected, entries, **beside):
        added = await super().append(stream, expected, entries, **beside)
        await asyncio.sleep(self.pause)
        return added


def test_an_act_of_somebody_who_is_gone_is_stored_and_told():
    async def scenario():
        play = await Play.open("a", "b", settings=REAL, log=SlowLog())
        watcher = Member(wire.You(role="watch"))
        await play.host.enter(play.code, watcher, 0)
        await play.begin()
        play.host.log.pause = 0.05
        act = asyncio.create_task(play.send(wire.Do, act={"seat": 0, "roll": "222241"}))
        await asyncio.sleep(0.01)
        act.cancel()
        await asyncio.sleep(0.1)
        assert len(play.room.game.log) == 1
        assert [told["line"]["roll"] for told in watcher.got if "line" in told] == ["222241"]

    run(scenario)


def test_a_crowd_that_comes_and_goes_is_told_of_at_once():
    async def scenario():
        play = await Play.open("a", "b", settings=REAL)
        crowd = [Member(wire.You(role="seat", seat=i % 2), f"guest {i}") for i in range(50)]
        for guest in crowd:
            await play.host.log.grant(guest.token_hash, Grant(play.code, "seat", guest.you.seat, 0))
            await play.host.enter(play.code, guest, 0)
        await asyncio.sleep(0.3)
        for guest in crowd[1:]:
            play.host.leave(play.code, guest)
        await asyncio.sleep(0.3)
        assert [told["online"] for told in crowd[0].there] == [[0, 1], [0]]
        looking_on = Member(wire.You(role="watch"), "nobody")
        await play.host.enter(play.code, looking_on, 0)
        await asyncio.sleep(0.2)
        assert (looking_on.there, len(crowd[0].there)) == ([], 2), "who looks on is no news"

    run(scenario)


def test_what_another_process_wrote_is_shown_to_everybody():
    async def scenario():
        play = await Play.open("a", "b", settings=REAL)
        looking_on = await play.host.door.join(play.code, wire.Joining(watch=True))
        watcher, gone = Member(wire.You(role="watch"), looking_on.token), Member(wire.You(role="seat", seat=1), "freed")
        await play.host.log.grant(gone.token_hash, Grant(play.code, "seat", 1, 0))
        for member in (watcher, gone):
            await play.host.enter(play.code, member, 0)
        await play.begin()
        await play.host.log.revoke(play.code, seat=1)
        body = json.dumps({"t": "act", "act": {"seat": 0, "cocked": True}}).encode()
        await play.host.log.append(play.code, play.room.n, [NewEntry("elsewhere", 0, "host", body)])
        answer = await play.send(wire.Do, act={"seat": 0, "roll": "222241"})
        assert (watcher.got[-1]["t"], len(watcher.got[-1]["lines"])) == ("welcome", 1)
        assert answer.code == "table/stale", "it was given without having seen that"
        assert (gone.dismissed, watcher.dismissed) == ("revoked", None)
        assert isinstance(await play.send(wire.Do, act={"seat": 0, "roll": "222241"}), wire.Ack)

    run(scenario)


def test_wrong_codes_leave_nothing_behind():
    async def scenario():
        play = await Play.open("a", "b")
        for code in ("ABCDEFGH", "nonsense", "", "2" * 1000):
            with pytest.raises(BobingError):
                await play.host.table(code)
        await asyncio.sleep(0)
        assert not play.host._loading._under_way
        assert set(play.host.tables) <= {play.code}

    run(scenario)


def test_a_table_is_loaded_once_for_all_who_come_at_once():
    async def scenario():
        play = await Play.open("a", "b")
        play.host.tables.clear()
        tables = await asyncio.gather(*(play.host.table(play.code) for _ in range(50)))
        assert len({id(table) for table in tables}) == 1

    run(scenario)


def test_a_table_where_nobody_is_leaves_the_memory_and_comes_back():
    async def scenario():
        play = await Play.open("a", "b", dice="222241")
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        await play.begin()
        await play.send(wire.Throw, seat=0)
        before = play.room
        play.host.clock.ms += 3_600_000
        play.host.unload(1_800_000)
        assert play.code in play.host.tables, "somebody is there"
        play.host.leave(play.code, member)
        play.host.unload(1_800_000)
        assert play.code in play.host.tables, "somebody was there just now"
        play.host.clock.ms += 1_800_001
        play.host.unload(1_800_000)
        assert play.code not in play.host.tables
        assert (await play.host.table(play.code)).room.game.state == before.game.state

    run(scenario)


@pytest.mark.parametrize("settings", [wire.Settings(auto=True, speed=3), wire.Settings(absent="skip", absent_s=1)])
def test_nothing_goes_on_where_nobody_is(settings):
    async def scenario():
        play = await Play.open("a", "b", settings=settings, dice="222241 123456 222241")
        member = Member(HOST)
        await play.host.enter(play.code, member, 0)
        await play.begin()
        assert play.host.tables[play.code].timer is not None
        play.host.leave(play.code, member)
        assert play.host.tables[play.code].timer is None
        await play.host.enter(play.code, member, 0)
        assert play.host.tables[play.code].timer is not None
        await play.host.close()

    run(scenario)


def test_skipping_stops_when_a_whole_lap_was_skipped(monkeypatch):
    monkeypatch.setattr(timers, "patience", lambda room: PATIENCE(room) and 1)

    async def scenario():
        play = await Play.open("a", "b", "c", settings=wire.Settings(absent="skip", absent_s=1), dice="222241")
        await play.host.enter(play.code, Member(HOST), 0)
        await play.begin()
        await asyncio.sleep(0.2)
        assert len(play.room.game.log) == 3
        await play.send(wire.Throw, seat=0)
        await asyncio.sleep(0.2)
        assert len(play.room.game.log) == 3 + 1 + 3
        await play.host.close()

    run(scenario)


def test_an_automatic_game_goes_on_after_the_disk_was_full(monkeypatch):
    monkeypatch.setattr(timers, "_RETRY_MS", 20)

    class FullDisk(MemoryLog):
        full = False

        async def append(self, stream, expected, entries, **beside):
            if self.full:
                raise NotSaved("no space left")
            return await super().append(stream, expected, entries, **beside)

    async def scenario():
        play = await Play.open("a", "b", settings=wire.Settings(auto=True, speed=3), dice="222241 " * 9, log=FullDisk())
        await play.host.enter(play.code, Member(HOST), 0)
        await play.begin()
        play.host.log.full = True
        await asyncio.sleep(0.8)
        assert play.room.game.log == ()
        play.host.log.full = False
        await asyncio.sleep(0.3)
        assert len(play.room.game.log) == 1
        await play.host.close()

    run(scenario)


async def link_to(play, seat):
    return (await play.host.door.invite(play.code, play.token, wire.Inviting(role="seat", seat=seat))).token


async def allows_nothing(play, token):
    with pytest.raises(BobingError) as gone:
        await play.host.who(play.code, token)
    return gone.value.code == "table/unknown_token"


def test_a_link_to_a_seat_gives_it_a_device_when_it_is_used():
    async def scenario():
        play = await Play.open("a", "b", "c", settings=REAL)
        token, (neighbour, _) = await link_to(play, 1), await play.sit("d")
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": "123456"})
        there, other = Member(HOST), "a neighbour"
        await play.host.enter(play.code, there, 0)
        act = {"seat": 1, "roll": "123455"}
        assert isinstance(await play.send(wire.Do, neighbour, other, act=act), wire.Ack), "nobody used the link"
        await play.send(wire.Do, act={"undo": 2})
        await play.host.enter(play.code, Member(await play.host.who(play.code, token), token), 0)
        assert [told for told in there.got if "view" in told][-1]["view"]["seats"][1]["device"] is True
        refused = await play.send(wire.Do, neighbour, other, act=act)
        assert refused.code == "table/forbidden"
        with pytest.raises(BobingError) as taken:
            await play.host.door.join(play.code, wire.Joining(seat=1))
        assert taken.value.code == "table/taken"

    run(scenario)


def test_a_link_to_a_seat_ends_when_the_seat_moves_or_somebody_else_sits_down():
    async def scenario():
        play = await Play.open("a", "b", "c")
        unused, used = await link_to(play, 1), await link_to(play, 1)
        phone = Member(await play.host.who(play.code, used), used)
        await play.host.enter(play.code, phone, 0)
        await play.send(wire.MoveSeat, seat=1, to=0)
        assert phone.dismissed == "revoked"
        assert await allows_nothing(play, unused)
        assert await allows_nothing(play, used)
        assert not play.room.has_device(1)
        late = await link_to(play, 2)
        await play.host.door.join(play.code, wire.Joining(seat=2))
        assert await allows_nothing(play, late)

    run(scenario)


def test_a_link_is_of_use_on_a_full_disk_too_and_of_none_once_it_was_revoked():
    class FullDisk(MemoryLog):
        async def set_notes(self, stream, notes):
            raise NotSaved("no space left")

    async def scenario():
        play = await Play.open("a", "b", log=FullDisk())
        token = await link_to(play, 1)
        you = await play.host.who(play.code, token)
        phone = Member(you, token)
        await play.host.enter(play.code, phone, 0)
        assert phone.got[0]["t"] == "welcome"
        await play.send(wire.FreeSeat, seat=1)
        with pytest.raises(BobingError) as gone:
            await play.host.enter(play.code, Member(you, token), 0)
        assert gone.value.code == "table/unknown_token"

    run(scenario)


def test_who_was_sent_away_does_nothing_any_more():
    async def scenario():
        play = await Play.open("a", log=SlowLog(), dice="222241")
        you, token = await play.sit("b")
        phone = Member(you, token)
        await play.host.enter(play.code, phone, 0)
        await play.begin()
        table = play.host.tables[play.code]
        throw = wire.Throw(cmd="a-late-command-1", at=table.room.n, seat=0)
        free = asyncio.create_task(play.send(wire.FreeSeat, seat=1))
        await asyncio.sleep(0)
        late = await play.host.command(play.code, throw, you, "phone", phone)
        await free
        assert isinstance(late, wire.Refused)
        assert late.code == "table/unknown_token"
        assert play.room.game.log == ()

    run(scenario)


def test_a_correction_to_a_grab_says_what_it_needs():
    async def scenario():
        rules = wire.RulesChoice(sheet="S3", house={"cakes": {"yixiu": 2, "erju": 1, "sijin": 1, "sanhong": 1}})
        play = await Play.open("a", "b", settings=REAL, rules=rules)
        await play.begin()
        await play.send(wire.Do, act={"seat": 0, "roll": "123356"})
        await play.send(wire.Do, act={"seat": 1, "roll": "123345"})
        answer = await play.send(wire.Do, act={"correct": 1, "act": {"seat": 0, "roll": "222222"}, "cut": True})
        assert answer.code == "act/grab_needed"
        assert answer.needs == {"zhuangyuan": 1, "duitang": 2, "sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 2}

    run(scenario)


def test_a_history_has_an_end(monkeypatch):
    monkeypatch.setattr(hosts, "ENTRIES_MAX", 4)

    async def scenario():
        play = await Play.open("a", "b", settings=REAL)
        await play.begin()
        for seat in (0, 1):
            assert isinstance(await play.send(wire.Do, act={"seat": seat, "roll": "123356"}), wire.Ack)
        answer = await play.send(wire.Do, act={"seat": 0, "cocked": True})
        assert answer.code == "table/too_long"
        assert play.room.n == 4

    run(scenario)


def test_who_says_nothing_for_long_is_let_go_and_who_says_something_stays(monkeypatch):
    monkeypatch.setattr(sessions, "SILENCE_S", 0.5)
    with serving() as base:
        code, token = new_table(base, "a", "b")
        watch = httpx.post(f"{base}/api/tables/{code}/join", json={"watch": True}).json()["token"]

        async def scenario():
            async with line(base, code, token) as host, line(base, code, watch) as quiet:
                leaving = asyncio.create_task(quiet.until_closed())
                for _ in range(10):
                    await host.put(t="ping")
                    await asyncio.sleep(0.1)
                assert leaving.done()
                assert isinstance(leaving.exception(), ConnectionClosed)
                await host.get("pong")

        run(scenario)


def test_a_long_history_reaches_those_who_come(monkeypatch):
    monkeypatch.setattr(sessions, "OUTBOX_BYTES", 5_000)
    with serving() as base:
        code, token = new_table(base, "a", "b", settings={"dice": "real", "confirm": "none"})

        async def scenario():
            async with line(base, code, token) as host:
                await host.do("begin")
                for _ in range(20):
                    assert (await host.do("do", act={"seat": 0, "cocked": True}))["t"] == "ack"
            async with line(base, code, token) as host:
                assert len(host.welcome["lines"]) == 20
                assert (await host.do("do", act={"seat": 0, "cocked": True}))["t"] == "ack"

        run(scenario)


def closed_after(connection, seconds):
    """How long the server takes to close a connection; None where it does not."""
    connection.settimeout(seconds)
    began = time.monotonic()
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return None
    return time.monotonic() - began


def dial(base):
    return sockets.create_connection(("127.0.0.1", int(base.rpartition(":")[2])))


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: a\r\nX-Long", b"\x16\x03\x01"])
def test_a_head_that_does_not_come_in_is_not_waited_for(begun, monkeypatch):
    monkeypatch.setattr(prompt, "HEAD_S", 0.3)
    with serving() as base, dial(base) as slow:
        slow.sendall(begun)
        assert closed_after(slow, 5) is not None


def test_a_head_that_trickles_after_a_whole_request_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(prompt, "HEAD_S", 0.3)
    with serving() as base, dial(base) as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert slow.recv(4096).startswith(b"HTTP/1.1 200 ")
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        assert closed_after(slow, 5) is not None


def test_a_live_connection_outlasts_the_wait_for_heads(monkeypatch):
    monkeypatch.setattr(prompt, "HEAD_S", 0.2)
    with serving() as base:
        code, token = new_table(base, "a", "b")

        async def scenario():
            async with line(base, code, token) as host:
                await asyncio.sleep(0.6)
                assert (await host.do("begin"))["t"] == "ack"

        run(scenario)


def test_a_store_that_fails_shows_in_the_health():
    class Lost(MemoryLog):
        async def granted(self, token_hash):
            raise NotSaved("gone")

    with serving(log=Lost()) as base:
        answer = httpx.get(f"{base}/healthz")
        assert (answer.status_code, "log/not_saved" in answer.text) == (503, True)
        assert httpx.get(f"{base}/livez").text == "ok\n", "no proxy takes the pages away for that"


@pytest.mark.parametrize("fails", ["leave", "rest"])
def test_the_store_is_let_go_of_whatever_else_fails_at_the_end(fails, monkeypatch):
    def fail(_):
        raise RuntimeError("at the end")

    async def scenario():
        log = MemoryLog()
        app = make_app(Settings(db="memory://"), log=log, worker=Worker("w", "127.0.0.1:1", "key"))
        monkeypatch.setattr(Cluster, fails, fail)
        with pytest.raises(RuntimeError, match="at the end"):
            async with app.router.lifespan_context(app):
                await log.streams()
        with pytest.raises(LogError) as refused:
            await log.streams()
        assert refused.value.code == "log/closed"

    run(scenario)


def test_a_store_that_is_away_for_long_is_told_of_once(monkeypatch, caplog):
    class Away(MemoryLog):
        away, beats = False, 0

        async def beat(self, worker, life_ms):
            self.beats += 1
            if self.away:
                raise NotSaved("away")
            return await super().beat(worker, life_ms)

    async def scenario():
        monkeypatch.setattr("bobing.server.places.BEAT_S", 0)
        log = Away()
        places = Places(log, Worker("w", "", ""))
        await places.start()
        for away in (True, False, True):
            log.away, until = away, log.beats + 20
            while log.beats < until:  # noqa: ASYNC110 - it sleeps to let beats come
                await asyncio.sleep(0)
        await places.close()

    with caplog.at_level("INFO"):
        run(scenario)
    said = [record.getMessage() for record in caplog.records if record.name == "bobing.places"]
    assert [("cannot" in line, "again" in line) for line in said] == [(True, False), (False, True), (True, False)]


def test_a_connection_that_just_says_good_bye_does_not_keep_the_server_from_ending():
    socket = prompt.PromptSocket.__new__(prompt.PromptSocket)
    socket.conn, socket.transport = Mock(), Mock()
    socket.conn.send_close.side_effect = InvalidState("connection is closing")
    socket.close_sent, socket.handshake_complete, socket.queue = False, True, asyncio.Queue()
    socket.stop_keepalive = lambda: None
    socket.shutdown()
    socket.transport.close.assert_called_once_with()
